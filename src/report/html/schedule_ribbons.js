/* schedule_ribbons.js - applications that widen and narrow: ribbons as thick as their processors,
 * one upon another, with what happens on them.  The same chart as ribbons_chart.c, at any zoom.
 */
"use strict";

cosched.schedule.ribbons = (() => {
  const BEND = 9;

  /* Stretches of each application on one set of processors, in the order of the stack. */
  function pieces(model) {
    const bands = model.data.apps.map((task) => {
      const list = [];
      for (const bar of model.byTask.get(task)) {
        const last = list[list.length - 1], size = model.sizeOf(bar);
        if (last && last.set === model.column.set[bar] && model.start[bar] <= last.end * (1 + 1e-12)) last.end = Math.max(last.end, model.end[bar]);
        else list.push({ start: model.start[bar], end: model.end[bar], size, set: model.column.set[bar], bar });
      }
      return { task, list };
    });
    const times = bands.flatMap((band) => band.list.flatMap((piece) => [piece.start, piece.end]));
    const changes = Float64Array.from(times).sort().filter((time, i, all) => !i || time > all[i - 1]);
    return { bands, changes, moves: moves(model) };
  }

  /* The end of the shortest move of processors that begins at a time. */
  function moves(model) {
    const ends = new Map();
    for (let bar = 0; bar < model.count; bar++)
      if (model.kind[bar] === model.MOVE && model.end[bar] > model.start[bar])
        ends.set(model.start[bar], Math.min(model.end[bar], ends.get(model.start[bar]) ?? Infinity));
    return ends;
  }

  /* The piece of a band at a time, or -1. */
  function pieceAt(list, time) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].start <= time) low = middle + 1; else high = middle;
    }
    return low && list[low - 1].end > time ? low - 1 : -1;
  }

  /* Moments at which something changes in the view, no closer than half a pixel. */
  function moments(chart) {
    const { stack, view, plot } = chart, apart = (0.5 * (view.to - view.from)) / plot.w, kept = [view.from];
    for (const time of stack.changes)
      if (time > view.from && time < view.to && time > kept[kept.length - 1] + apart) kept.push(time);
    return kept;
  }

  /* level[e * (bands + 1) + b]: processors below band b from moment e on. */
  function levels(chart) {
    const { stack, view } = chart, when = moments(chart), stride = stack.bands.length + 1;
    const level = new Float64Array(when.length * stride);
    stack.bands.forEach((band, b) => {
      const seen = !chart.hiddenApp(band.task);
      let i = 0;
      when.forEach((time, e) => {
        const middle = (time + (e + 1 < when.length ? when[e + 1] : view.to)) / 2;
        while (i + 1 < band.list.length && band.list[i + 1].start <= middle) i++;
        const piece = band.list[i];
        const size = seen && piece && piece.start <= middle && middle < piece.end ? piece.size : 0;
        level[e * stride + b + 1] = level[e * stride + b] + size;
      });
    });
    return { when, level, stride };
  }

  /* An edge from left to right, or back; it bends while processors move, else it is a step. */
  function edge(c, chart, shape, b, back) {
    const { when, level, stride } = shape, last = when.length - 1;
    const y = (e) => chart.y(level[e * stride + b]);
    const left = (e) => chart.x(when[e]), right = (e) => (e < last ? chart.x(when[e + 1]) : chart.plot.x + chart.plot.w);
    const moved = (e) => chart.x(chart.stack.moves.get(when[e]) ?? when[e]) - left(e);
    for (let i = 0; i <= last; i++) {
      const e = back ? last - i : i;
      const bend = e > 0 && Math.abs(y(e) - y(e - 1)) > 0.1 ? Math.min(BEND, right(e) - left(e), moved(e)) : 0;
      if (back) {
        c.lineTo(right(e), y(e));
        c.lineTo(left(e) + bend, y(e));
        if (bend) c.bezierCurveTo(left(e) + bend / 2, y(e), left(e) + bend / 2, y(e - 1), left(e), y(e - 1));
        else if (e > 0) c.lineTo(left(e), y(e - 1));
      } else {
        if (bend) c.bezierCurveTo(left(e) + bend / 2, y(e - 1), left(e) + bend / 2, y(e), left(e) + bend, y(e));
        else c.lineTo(left(e), y(e));
        c.lineTo(right(e), y(e));
      }
    }
  }

  function outline(c, chart, shape, b) {
    c.beginPath();
    c.moveTo(chart.plot.x, chart.y(shape.level[b + 1]));
    edge(c, chart, shape, b + 1, false);
    edge(c, chart, shape, b, true);
    c.closePath();
  }

  /* What lies on a ribbon; stripes within one pixel become one of what they fill of it. */
  const COATS = {
    checkpoint: { fill: "#ffffff", alpha: 0.6 },
    lost: { fill: "ground", alpha: 0.62, texture: "lost" },
    downtime: { fill: "#101418", alpha: 0.85 },
    recovery: { fill: "#101418", alpha: 0.85 },
    move: { fill: "#101418", alpha: 0.4, texture: "arrows" },
  };

  function stripes(c, chart, colors, ratio, band, shape, b) {
    const { model, view, plot } = chart, bars = model.byTask.get(band.task), gathered = new Map();
    let low = Infinity, high = 0, shown = 0;
    shape.when.forEach((_, e) => {
      low = Math.min(low, shape.level[e * shape.stride + b]);
      high = Math.max(high, shape.level[e * shape.stride + b + 1]);
    });
    const y = chart.y(high) - 1, h = chart.y(low) + 1 - y;
    const put = (coat, x, w, share) => {
      c.globalAlpha = coat.alpha * share;
      c.fillStyle = coat.fill === "ground" ? colors.background : coat.fill;
      c.fillRect(x, y, w, h);
      c.globalAlpha = 1;
      if (!coat.texture || w < 2) return;
      c.fillStyle = cosched.schedule.draw.texture(c, colors, coat.texture, coat.texture === "lost" && !colors.dark ? "#000000" : "#ffffff",
        coat.texture === "lost" ? 0.45 : 0.8, ratio);
      c.fillRect(x, y, w, h);
    };
    for (let i = firstTouching(model, bars, view.from); i < bars.length && model.start[bars[i]] < view.to; i++) {
      const bar = bars[i], coat = COATS[model.fresh[bar] ? "move" : chart.word(bar)];
      shown++;
      if (!coat || !chart.seen(bar)) continue;
      const x = chart.x(model.start[bar]), w = chart.x(model.end[bar]) - x;
      if (w >= 1) { put(coat, Math.max(x, plot.x), Math.min(x + w, plot.x + plot.w) - Math.max(x, plot.x), 1); continue; }
      const at = Math.floor(x), before = gathered.get(coat);
      if (before && before.at === at) { before.width += w; continue; }
      if (before) put(coat, before.at, 1, Math.min(1, before.width));
      gathered.set(coat, { at, width: w });
    }
    for (const [coat, { at, width }] of gathered) put(coat, at, 1, Math.min(1, width));
    return shown;
  }

  function firstTouching(model, bars, time) {
    let low = 0, high = bars.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (model.end[bars[middle]] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }

  /* The leftmost place where a name fits into its ribbon, at the largest size that has one. */
  function name(c, chart, colors, band, shape, b) {
    const draw = cosched.schedule.draw, { plot } = chart, text = chart.model.names[band.task];
    const step = 6, columns = Math.floor(plot.w / step), top = new Float64Array(columns), bottom = new Float64Array(columns);
    for (let i = 0, e = 0; i < columns; i++) {
      const time = chart.time(plot.x + (i + 0.5) * step);
      while (e + 1 < shape.when.length && shape.when[e + 1] <= time) e++;
      top[i] = Math.max(plot.y, chart.y(shape.level[e * shape.stride + b + 1]));
      bottom[i] = Math.min(plot.y + plot.h, chart.y(shape.level[e * shape.stride + b]));
    }
    const struck = new Uint8Array(columns), half = Math.ceil(12 / step);
    for (const fault of chart.model.data.faults) {
      if (fault.bar < 0 || chart.model.app[fault.bar] !== band.task || !chart.showFaults) continue;
      const at = Math.round((chart.x(fault.time) - plot.x) / step);
      if (at > -half && at < columns + half) struck.fill(1, Math.max(0, at - half), Math.max(0, at + half));
    }
    for (const [size, over] of [[13, 0], [11, 0], [9.5, 0], [8, 0], [11, 1], [8, 1]]) {
      const wide = Math.ceil((draw.width(c, text, size, true) + 14) / step);
      for (let i = 0; i + wide <= columns; i++) {
        let high = -Infinity, low = Infinity;
        for (let j = i; j < i + wide && low - high >= size + 2; j++) {
          high = Math.max(high, top[j]);
          low = struck[j] > over ? high : Math.min(low, bottom[j]);
        }
        if (low - high < size + 2) continue;
        rimmed(c, text, size, colors.apps[band.task], plot.x + i * step + 8, (high + low) / 2);
        return;
      }
    }
  }

  /* A text on a ribbon with a rim of its colour, so that stripes do not cut it up. */
  function rimmed(c, text, size, color, x, y) {
    const { font, css, contrast } = cosched.schedule.draw;
    font(c, size, true);
    c.textAlign = "left";
    c.lineJoin = "round";
    c.lineWidth = 3;
    c.strokeStyle = css(color);
    c.strokeText(text, x, y + 0.36 * size);
    c.fillStyle = contrast(color, [255, 255, 255]) >= 2.7 ? "#ffffff" : "#000000";
    c.fillText(text, x, y + 0.36 * size);
  }

  /* Names where processors are drawn: one for each stretch, on the tallest of its boxes. */
  function rowNames(c, chart, colors) {
    const { model, plot, view } = chart, draw = cosched.schedule.draw;
    for (const band of chart.stack.bands)
      for (const piece of band.list) {
        if (piece.end < view.from || piece.start > view.to || !chart.seen(piece.bar) || chart.fadedApp(band.task)) continue;
        const [first, last] = [...model.procsOf(piece.bar)].sort((a, b) => b[1] - b[0] - (a[1] - a[0]))[0];
        const top = Math.max(chart.top(first, last), plot.y), bottom = Math.min(chart.top(first, last) + chart.height(first, last), plot.y + plot.h);
        const left = Math.max(chart.x(piece.start), plot.x) + 7, right = Math.min(chart.x(piece.end), plot.x + plot.w) - 7;
        const text = model.names[band.task], size = Math.min(11, bottom - top - 3);
        if (size >= 8.5 && draw.width(c, text, size, true) <= right - left) rimmed(c, text, size, colors.apps[band.task], left, (top + bottom) / 2);
      }
  }

  function paintBand(c, chart, colors, ratio, shape, b) {
    const band = chart.stack.bands[b], draw = cosched.schedule.draw;
    const color = chart.fadedApp(band.task) ? draw.mix(colors.apps[band.task], colors.ground, 0.8) : colors.apps[band.task];
    c.save();
    outline(c, chart, shape, b);
    c.fillStyle = draw.css(color);
    c.fill();
    c.clip();
    const shown = stripes(c, chart, colors, ratio, band, shape, b);
    c.restore();
    c.beginPath();
    c.moveTo(chart.plot.x, chart.y(shape.level[b + 1]));
    edge(c, chart, shape, b + 1, false);
    const thick = chart.plot.h / chart.stack.bands.length;
    c.strokeStyle = colors.background;
    c.lineWidth = thick >= 12 ? 1.2 : thick >= 5 ? 0.6 : 0.3;
    c.stroke();
    return shown;
  }

  function present(shape, b) {
    for (let e = 0; e < shape.when.length; e++)
      if (shape.level[e * shape.stride + b + 1] > shape.level[e * shape.stride + b]) return true;
    return false;
  }

  /* Draws everything; returns how many bars are in the view. */
  function draw(c, chart, colors, ratio) {
    const shape = levels(chart);
    let shown = 0;
    const there = chart.stack.bands.map((_, b) => present(shape, b));
    chart.stack.bands.forEach((_, b) => { if (there[b]) shown += paintBand(c, chart, colors, ratio, shape, b); });
    chart.stack.bands.forEach((band, b) => { if (there[b] && !chart.fadedApp(band.task)) name(c, chart, colors, band, shape, b); });
    return shown;
  }

  /* The lowest and the highest processor of each band at a time. */
  function stackAt(chart, time) {
    let level = 0;
    return chart.stack.bands.map((band) => {
      const i = chart.hiddenApp(band.task) ? -1 : pieceAt(band.list, time), low = level;
      level += i < 0 ? 0 : band.list[i].size;
      return { task: band.task, low, high: level };
    });
  }

  function bandOf(chart, task, time) {
    return stackAt(chart, time).find((band) => band.task === task);
  }

  /* The bar at a place: the one of the band there, or a thin one beside the pointer. */
  function at(chart, time, proc, slack) {
    const { model } = chart, band = stackAt(chart, time).find((one) => one.low <= proc && proc < one.high);
    if (!band) return -1;
    const bars = model.byTask.get(band.task);
    let best = -1;
    for (let i = firstTouching(model, bars, time - slack); i < bars.length && model.start[bars[i]] <= time + slack; i++) {
      const inside = model.start[bars[i]] <= time && time < model.end[bars[i]];
      const thin = model.end[bars[i]] - model.start[bars[i]] < 2 * slack;
      if (!chart.seen(bars[i])) continue;
      if (best < 0 || (thin && model.kind[bars[i]] !== model.WORK) || (inside && model.kind[best] === model.WORK)) best = bars[i];
    }
    return best;
  }

  return { pieces, draw, rowNames, at, bandOf };
})();
