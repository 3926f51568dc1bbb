/* schedule_draw.js - processors upwards, time to the right, on a canvas.
 *
 * Bars that are large enough are drawn one by one, with texture and label; the many smaller ones are
 * painted into pixels, so that a hundred thousand take a few hundredths of a second.
 */
"use strict";

cosched.schedule.draw = (() => {
  const FONT = 11, SMALLEST = 8.5, LARGE = 3;
  const ACTS = { program: "#cc79a7", move: "#56b4e9", work: "#009e73", lost: "#d55e00" };
  const TEXTURES = {
    checkpoint: [5, 0, (c) => { c.beginPath(); c.arc(2.5, 2.5, 1.3, 0, 7); c.fill(); }],
    recovery: [6, 45, (c) => { c.fillRect(0, 0, 6, 1.4); c.fillRect(0, 0, 1.4, 6); }],
    downtime: [4, 45, (c) => c.fillRect(0, 0, 4, 1.5)],
    verify: [4, 0, (c) => c.fillRect(0, 0, 4, 1.5)],
    move: [9, -45, (c) => c.fillRect(0, 0, 9, 4.5)],
    lost: [5, 45, (c) => c.fillRect(0, 0, 1.3, 5)],
    program: [9, 45, (c) => c.fillRect(0, 0, 9, 4.5)],
    idle: [6, 45, (c) => c.fillRect(0, 0, 1, 6)],
    reclaimed: [6, 45, (c) => c.fillRect(0, 0, 1.4, 6)],
    arrows: [8, 0, (c) => { c.beginPath(); c.moveTo(0.5, 0); c.lineTo(3, 4); c.lineTo(0.5, 8); c.lineTo(2.5, 8); c.lineTo(5, 4); c.lineTo(2.5, 0); c.fill(); }],
  };

  /* Colours. */

  const parse = (text) => {
    const probe = /^#(..)(..)(..)$/.exec(text);
    return probe ? probe.slice(1).map((part) => parseInt(part, 16)) : [128, 128, 128];
  };
  const mix = (a, b, amount) => a.map((value, i) => Math.round(value + (b[i] - value) * amount));
  const css = (color) => `rgb(${color[0]},${color[1]},${color[2]})`;
  const pixel = (color) => (255 << 24 | color[2] << 16 | color[1] << 8 | color[0]) >>> 0;
  const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (c) => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  const contrast = (a, b) => {
    const x = luminance(a), y = luminance(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const ink = (on) => (contrast(on, [0, 0, 0]) >= contrast(on, [255, 255, 255]) ? "#000000" : "#ffffff");

  /* The colours of a theme: of applications, of what lies around, of each (application, kind). */
  function paint(model) {
    const dark = cosched.dark();
    const named = {};
    for (const name of ["background", "text", "muted", "axis", "grid", "idle", "idle-line", "failure", "accent"])
      named[name] = cosched.color(name);
    const ground = parse(named.background.startsWith("#") ? named.background : dark ? "#000000" : "#ffffff");
    const text = parse(named.text.startsWith("#") ? named.text : dark ? "#ffffff" : "#000000");
    const hues = (dark ? model.data.dark : model.data.light).map(parse), apps = model.data.hue.map((hue) => hues[hue]);
    const looks = new Map();

    function fill(app, kind) {
      const word = model.data.kinds[kind];
      if (model.data.slots) return parse(ACTS[word] || ACTS.work);
      if (word === "downtime") return parse(named.axis);
      return word === "lost" ? mix(apps[app], ground, 0.6) : apps[app];
    }

    function look(app, kind) {
      const key = app * 16 + kind;
      if (!looks.has(key)) {
        const color = fill(app, kind), faded = mix(color, ground, 0.8), word = model.data.kinds[kind];
        looks.set(key, {
          color, fill: css(color), faded: css(faded), pixel: pixel(color), fadedPixel: pixel(faded), ink: ink(color),
          texture: TEXTURES[word] && !(model.data.slots && word !== "lost") ? word : "",
        });
      }
      return looks.get(key);
    }

    const state = (letter) => mix(ground, text, letter === "d" ? 0.62 : letter === "r" ? 0.2 : 0.035);
    return { ...named, dark, ground, textColor: text, apps, look, state, patterns: new Map() };
  }

  /* A texture in black or white, as a pattern of the context. */
  function texture(c, colors, name, color, alpha, ratio) {
    const key = name + color + alpha + ratio;
    if (!colors.patterns.has(key)) {
      const [size, turn, shape] = TEXTURES[name], scale = 4 * ratio;
      const tile = document.createElement("canvas");
      tile.width = tile.height = Math.round(size * scale);
      const t = tile.getContext("2d");
      t.scale(scale, scale);
      t.globalAlpha = alpha;
      t.fillStyle = color;
      shape(t);
      const pattern = c.createPattern(tile, "repeat");
      pattern.setTransform(new DOMMatrix().rotate(turn).scale(1 / scale));
      colors.patterns.set(key, pattern);
    }
    return colors.patterns.get(key);
  }

  const overlay = (c, colors, look, ratio) =>
    texture(c, colors, look.texture, look.ink, look.ink === "#ffffff" ? 0.6 : 0.5, ratio);

  /* Text. */

  const widths = new Map();

  function font(c, size, bold) { c.font = (bold ? "600 " : "") + size + "px " + cosched.schedule.family; }

  function width(c, text, size, bold) {
    const key = (bold ? "b" : "n") + text;
    if (!widths.has(key)) {
      if (widths.size > 20000) widths.clear();
      font(c, 100, bold);
      widths.set(key, c.measureText(text).width / 100);
    }
    return widths.get(key) * size;
  }

  /* As much of a text as fits, with an ellipsis; "" when that would be less than half of it. */
  function elide(c, text, size, bold, room) {
    if (width(c, text, size, bold) <= room) return text;
    const letters = [...text];
    const least = Math.min(Math.max(6, Math.ceil(letters.length / 2)), 8);
    let keep = Math.min(letters.length - 1, Math.floor((letters.length * room) / width(c, text, size, bold)));
    while (keep >= least && width(c, letters.slice(0, keep).join("") + "…", size, bold) > room) keep--;
    return keep >= least ? letters.slice(0, keep).join("") + "…" : "";
  }

  /* The name of a bar and what it holds, along its box or up along it. */
  function label(c, chart, bar, x, y, w, h, look) {
    const model = chart.model, turned = w < 34 && h > 60 && w >= 11;
    const room = (turned ? h : w) - 8, across = turned ? w : h;
    let size = Math.min(FONT, across - 3);
    const name = chart.shortName(model.task[bar]), whole = width(c, name, 1, true);
    if (size < SMALLEST || room < 16) return;
    if (whole * size > room) size = Math.max(Math.min(size, room / whole), SMALLEST);
    const shown = elide(c, name, size, true, room);
    if (!shown) return;
    const detail = [`${chart.units(model.sizeOf(bar))} · ${chart.duration(model.end[bar] - model.start[bar])}`,
      chart.units(model.sizeOf(bar))];
    const long = width(c, shown, size, true);
    const below = across >= 32 ? detail.find((text) => width(c, text, size, false) <= room) : undefined;
    const beside = below || shown !== name ? undefined : detail.find((text) => long + 7 + width(c, text, size, false) <= room);
    c.save();
    c.translate(x + w / 2, y + h / 2);
    if (turned) c.rotate(-Math.PI / 2);
    c.fillStyle = look.ink;
    c.textAlign = "left";
    const all = beside ? long + 7 + width(c, beside, size, false) : long;
    font(c, size, true);
    c.fillText(shown, -all / 2, below ? -3 : 0.36 * size);
    font(c, size, false);
    if (beside) c.fillText(beside, -all / 2 + long + 7, 0.36 * size);
    if (below) c.fillText(below, -width(c, below, size, false) / 2, size + 1);
    c.restore();
  }

  /* Bars. */

  /* Small boxes, painted into pixels of the device. */
  function canvasOf(chart, ratio) {
    const w = Math.max(1, Math.round(chart.plot.w * ratio)), h = Math.max(1, Math.round(chart.plot.h * ratio));
    if (!chart.small || chart.small.width !== w || chart.small.height !== h) {
      chart.small = document.createElement("canvas");
      chart.small.width = w;
      chart.small.height = h;
      chart.smallData = chart.small.getContext("2d").createImageData(w, h);
      chart.smallPixels = new Uint32Array(chart.smallData.data.buffer);
    }
    chart.smallPixels.fill(0);
    return chart.small;
  }

  function putSmall(chart, ratio, x, y, w, h, value) {
    const { plot, small, smallPixels } = chart, across = small.width;
    const left = Math.max(0, Math.floor((x - plot.x) * ratio)), top = Math.max(0, Math.floor((y - plot.y) * ratio));
    const right = Math.min(across, Math.max(left + 1, Math.round((x - plot.x + w) * ratio)));
    const bottom = Math.min(small.height, Math.max(top + 1, Math.round((y - plot.y + h) * ratio)));
    for (let row = top; row < bottom; row++) smallPixels.fill(value, row * across + left, row * across + right);
  }

  function bars(c, chart, colors, ratio) {
    const { model, plot, view } = chart, large = [], tallest = new Map(), inset = model.data.slots ? (chart.rowHeight() > 12 ? 4 : 1) : 0;
    let shown = 0, some = false;
    canvasOf(chart, ratio);
    model.each(view.from, view.to, (bar) => {
      if (!chart.seen(bar)) return;
      shown++;
      const look = colors.look(model.app[bar], model.kind[bar]);
      const x = Math.max(chart.x(model.start[bar]), plot.x - 4), w = Math.min(chart.x(model.end[bar]), plot.x + plot.w + 4) - x;
      const set = model.blocksOf(bar);
      for (let i = 0; i < set.length; i += 2) {
        const first = set[i], last = set[i + 1];
        if (last < view.low || first > view.high) continue;
        const y = chart.top(first, last) + inset, h = chart.height(first, last) - 2 * inset;
        if (w >= LARGE && h >= LARGE) {
          large.push([bar, x, y, w, h, look]);
          if (!(tallest.get(bar) >= h)) tallest.set(bar, h);
          continue;
        }
        some = true;
        putSmall(chart, ratio, x, y, w, h, chart.faded(bar) ? look.fadedPixel : look.pixel);
      }
    });
    if (some) {
      chart.small.getContext("2d").putImageData(chart.smallData, 0, 0);
      c.drawImage(chart.small, plot.x, plot.y, plot.w, plot.h);
    }
    for (const [bar, x, y, w, h, look] of large) {
      box(c, chart, colors, ratio, bar, x, y, w, h, look);
      if (tallest.get(bar) !== h) continue;
      tallest.delete(bar);
      boxLabel(c, chart, bar, x, y, w, h, look);
    }
    return shown;
  }

  function box(c, chart, colors, ratio, bar, x, y, w, h, look) {
    const gap = 0.5, faded = chart.faded(bar);
    c.fillStyle = faded ? look.faded : look.fill;
    rounded(c, x + gap, y + gap, w - 2 * gap, h - 2 * gap, w >= 8 && h >= 8 ? 1.5 : 0);
    if (look.texture && !faded) {
      c.fillStyle = overlay(c, colors, look, ratio);
      rounded(c, x + gap, y + gap, w - 2 * gap, h - 2 * gap, w >= 8 && h >= 8 ? 1.5 : 0);
    }
  }

  function boxLabel(c, chart, bar, x, y, w, h, look) {
    if (chart.faded(bar) || chart.stack || (look.texture && !chart.model.data.slots)) return;
    if (chart.model.data.slots) actLabel(c, chart, bar, x, y, w, h, look);
    else label(c, chart, bar, x, y, w, h, look);
  }

  function actLabel(c, chart, bar, x, y, w, h, look) {
    const word = { program: ["program", "P"], move: ["data", "D"], lost: ["lost", "X"] }[chart.word(bar)] || ["computes", "C"];
    const text = word.find((one) => width(c, one, FONT, false) <= w - 4);
    if (h < FONT + 1 || !text) return;
    font(c, FONT, false);
    c.fillStyle = look.ink;
    c.textAlign = "center";
    c.fillText(text, x + w / 2, y + h / 2 + 4);
  }

  function rounded(c, x, y, w, h, radius) {
    if (!radius) { c.fillRect(x, y, w, h); return; }
    c.beginPath();
    c.roundRect(x, y, w, h, radius);
    c.fill();
  }

  /* Hosts that come and go, behind the bars. */
  function states(c, chart, colors, ratio) {
    const { model, view } = chart, gap = chart.rowHeight() > 12 ? 1.5 : chart.rowHeight() > 3 ? 0.5 : 0;
    model.hosts.forEach((runs, host) => {
      if (host + 1 < view.low || host > view.high) return;
      const y = chart.top(host, host) + gap, h = chart.height(host, host) - 2 * gap;
      for (const run of runs) {
        if (run.to < view.from || run.from > view.to) continue;
        const x = chart.x(run.from), w = chart.x(run.to) - x;
        c.fillStyle = css(colors.state(run.state));
        c.fillRect(x, y, w, h);
        if (run.state === "r" && w > 2) {
          c.fillStyle = texture(c, colors, "reclaimed", colors.text, 0.35, ratio);
          c.fillRect(x, y, w, h);
        }
      }
    });
  }

  function bolt(c, colors, x, y, size, struck) {
    const corners = [[0.15, -0.5], [-0.35, 0.1], [-0.02, 0.1], [-0.15, 0.5], [0.35, -0.12], [0.03, -0.12]];
    c.beginPath();
    corners.forEach(([a, b], i) => (i ? c.lineTo(x + a * size, y + b * size) : c.moveTo(x + a * size, y + b * size)));
    c.closePath();
    c.lineJoin = "round";
    c.strokeStyle = "#ffffff";
    c.lineWidth = size > 10 ? 2.4 : 1.6;
    c.stroke();
    c.fillStyle = struck ? colors.failure : "#ffffff";
    c.fill();
    c.strokeStyle = colors.failure;
    c.lineWidth = struck ? 0.4 : 0.9;
    c.stroke();
  }

  return { paint, texture, overlay, font, width, elide, bars, states, bolt, mix, css, contrast, rounded, FONT, ACTS, TEXTURES };
})();
