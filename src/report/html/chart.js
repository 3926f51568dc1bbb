/* chart.js - one panel of a figure: lines, or points where x is words, with bands around them.
 *
 * cosched.chart(box, panel, width, height) draws into an element and gives back its points.
 *
 *   panel.title
 *   panel.x    { title, kind: "linear" | "log" | "words", labels: of words, low, high, at: [{ at, label }] or null }
 *   panel.y    { title, log, low, high }
 *   panel.mark a y across the panel, or null
 *   panel.series [{ name, look, points: [{ x, y, low, high, label, data }] }]   x: a number, or the index of a word
 *
 * A look is a number: which colour, shape and dash.  low and high are null where there is no band.
 */
"use strict";

(() => {
  const FONT = 12, SIZE = 4, CROWDED = 9;
  const DASHES = ["", "7 3", "2 2.5", "8 3 2 3"];
  const SHAPES = [
    null,
    [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
    [0, -1.2, 1.15, 0.85, -1.15, 0.85],
    [0, -1.35, 1.35, 0, 0, 1.35, -1.35, 0],
    [0, 1.2, 1.15, -0.85, -1.15, -0.85],
    [-0.4, -1.2, 0.4, -1.2, 0.4, -0.4, 1.2, -0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 1.2, -0.4, 1.2, -0.4, 0.4, -1.2, 0.4,
      -1.2, -0.4, -0.4, -0.4],
    [0, -1.2, 1.14, -0.37, 0.7, 0.97, -0.7, 0.97, -1.14, -0.37],
  ];
  const COLORS = 9;
  const canvas = document.createElement("canvas").getContext("2d");

  function svg(name, attributes, parent) {
    const node = cosched.svg(name, attributes);
    if (parent) parent.append(node);
    return node;
  }

  function textWidth(text) {
    canvas.font = FONT + "px system-ui, sans-serif";
    return canvas.measureText(text).width;
  }

  const round = (value) => Math.round(value * 100) / 100;

  function markerPath(look, size) {
    const corner = SHAPES[look % SHAPES.length], s = size || SIZE;
    if (!corner) return `M${-s},0a${s},${s} 0 1,0 ${2 * s},0a${s},${s} 0 1,0 ${-2 * s},0z`;
    let path = "";
    for (let i = 0; i < corner.length; i += 2)
      path += (i ? "L" : "M") + round(corner[i] * s) + "," + round(corner[i + 1] * s);
    return path + "z";
  }

  const color = (look) => `var(--line-${look % COLORS})`;
  const dash = (look) => DASHES[(Math.floor(look / COLORS) + (look >= COLORS ? 1 : 0)) % DASHES.length] || null;

  /* The sign of a series in a legend or a tooltip. */
  function sign(look) {
    const box = svg("svg", { width: 30, height: 14, viewBox: "0 0 30 14", "aria-hidden": "true", class: "sign",
      style: "color:" + color(look) });
    svg("path", { d: "M1,7H29", class: "line", "stroke-dasharray": dash(look) }, box);
    svg("path", { d: markerPath(look, 4.4), transform: "translate(15,7)", class: "marker" }, box);
    return box;
  }

  function scaleOf(log, low, high, from, to) {
    const f = log ? Math.log : (v) => v, a = f(low), b = f(high);
    return (value) => (log && !(value > 0) ? NaN : from + ((f(value) - a) / (b - a)) * (to - from));
  }

  function yTicks(y, height) {
    const wanted = Math.max(2, Math.floor(height / 26));
    return y.log ? cosched.scale.logTicks(y.low, y.high, wanted) : cosched.ticks.linear(y.low, y.high, wanted);
  }

  function fits(ticks, at) {
    for (let i = 1; i < ticks.length; i++)
      if (Math.abs(at(ticks[i].at) - at(ticks[i - 1].at)) < (textWidth(ticks[i].label) +
          textWidth(ticks[i - 1].label)) / 2 + 10)
        return false;
    return true;
  }

  /* The values themselves where their labels fit, else round numbers. */
  function xTicks(x, at, width) {
    if (x.at && fits(x.at, at)) return x.at;
    const wanted = Math.max(2, Math.floor(width / 70));
    return x.kind === "log" ? cosched.scale.logTicks(x.low, x.high, wanted)
        : cosched.ticks.linear(x.low, x.high, wanted);
  }

  /* Where things stand: the rectangle of the data and the scales. */
  function layOut(panel, width, height) {
    const { x, y } = panel, words = x.kind === "words";
    const frame = { top: 8, right: width - 14, ticks: null };
    const guess = height - 60;
    const up = yTicks(y, guess);
    frame.left = Math.ceil(Math.max(28, ...up.map((tick) => textWidth(tick.label)))) + (y.title ? 30 : 12);
    const room = (frame.right - frame.left) / Math.max(1, words ? x.labels.length : 1);
    const longest = words ? Math.max(0, ...x.labels.map(textWidth)) : 0;
    frame.tilted = words && longest > room - 8;
    frame.bottom = height - (frame.tilted ? Math.min(longest, 150) * 0.71 + 18 : 24) - (x.title ? 20 : 0);
    frame.y = scaleOf(y.log, y.low, y.high, frame.bottom, frame.top);
    if (words) {
      frame.x = (i) => frame.left + (i + 0.5) * room;
      frame.step = room;
      frame.xTicks = x.labels.map((label, i) => ({ at: i, label }));
    } else {
      const air = x.low === x.high ? 0 : 10;
      frame.x = x.low === x.high ? () => (frame.left + frame.right) / 2
        : scaleOf(x.kind === "log", x.low, x.high, frame.left + air, frame.right - air);
      frame.xTicks = x.low === x.high ? [{ at: x.low, label: cosched.human.digits(x.low, 6) }]
        : xTicks(x, frame.x, frame.right - frame.left);
    }
    frame.yTicks = yTicks(y, frame.bottom - frame.top);
    return frame;
  }

  function shorten(text, width) {
    if (textWidth(text) <= width) return text;
    while (text.length > 1 && textWidth(text + "…") > width) text = text.slice(0, -1);
    return text + "…";
  }

  function drawAxes(root, panel, frame, width, height) {
    const axes = svg("g", { class: "axes", "aria-hidden": "true" }, root);
    for (const { at: value, label } of frame.yTicks) {
      const at = round(frame.y(value));
      svg("path", { class: "grid", d: `M${frame.left},${at}H${frame.right}` }, axes);
      svg("text", { class: "tick y", x: frame.left - 7, y: at + 4, "text-anchor": "end", "data-value": value,
          text: label }, axes);
    }
    svg("path", { class: "axis", d: `M${frame.left},${frame.bottom}H${frame.right}` }, axes);
    for (const { at: value, label } of frame.xTicks) {
      const at = round(frame.x(value));
      svg("path", { class: "axis", d: `M${at},${frame.bottom}v4` }, axes);
      const text = svg("text",
          { class: "tick x", x: at, y: frame.bottom + 17, "text-anchor": frame.tilted ? "end" : "middle",
        transform: frame.tilted ? `rotate(-45 ${at} ${frame.bottom + 12})` : null, "data-value": value }, axes);
      text.textContent = frame.tilted ? shorten(label, 150) : label;
    }
    if (panel.x.title)
      svg("text", { class: "title", x: (frame.left + frame.right) / 2, y: height - 6, "text-anchor": "middle" },
          axes).textContent =
        shorten(panel.x.title.replaceAll("_", " "), frame.right - frame.left + 20);
    if (panel.y.title)
      svg("text", { class: "title", x: 0, y: 0, "text-anchor": "middle",
        transform: `translate(13,${(frame.top + frame.bottom) / 2}) rotate(-90)` }, axes).textContent =
        shorten(panel.y.title.replaceAll("_", " "), frame.bottom - frame.top + 20);
    if (panel.mark !== null && panel.mark >= panel.y.low && panel.mark <= panel.y.high)
      svg("path", { class: "mark", d: `M${frame.left},${round(frame.y(panel.mark))}H${frame.right}` }, axes);
  }

  const at = (p) => p.px + "," + p.py;

  function place(panel, frame, series, s) {
    const words = panel.x.kind === "words";
    const dodge = words ? (s - (panel.series.length - 1) / 2) * Math.min(14, (0.7 * frame.step) / panel.series.length)
        : 0;
    return series.points.map((point) => ({
      ...point, series, label: point.label,
      px: round(frame.x(point.x) + dodge), py: point.y === null ? NaN : round(frame.y(point.y)),
      plow: point.low === null ? NaN : round(frame.y(point.low)),
          phigh: point.high === null ? NaN : round(frame.y(point.high)),
    }));
  }

  /* Neighbours that can be joined. */
  function runsOf(points, good) {
    const runs = [];
    let run = [];
    for (const point of points)
      if (good(point)) run.push(point);
      else if (run.length) { runs.push(run); run = []; }
    if (run.length) runs.push(run);
    return runs;
  }

  /* What a logarithmic axis cannot show of a band ends at the bottom. */
  function band(points, frame) {
    return runsOf(points, (p) => Number.isFinite(p.py) && Number.isFinite(p.phigh) && p.low !== null)
      .map((run) => {
        const low = (p) => (Number.isFinite(p.plow) ? p.plow : frame.bottom);
        return "M" + run.map((p) => p.px + "," + p.phigh).join("L") + "L" +
          run.slice().reverse().map((p) => p.px + "," + low(p)).join("L") + "z";
      }).join("");
  }

  function whiskers(points, frame) {
    return points.filter((p) => Number.isFinite(p.py) && Number.isFinite(p.phigh) && p.low !== null).map((p) => {
      const low = Number.isFinite(p.plow) ? p.plow : frame.bottom;
      return `M${p.px},${p.phigh}V${low}M${p.px - 4},${p.phigh}h8M${p.px - 4},${low}h8`;
    }).join("");
  }

  function drawSeries(root, panel, frame, points, series) {
    const words = panel.x.kind === "words", shown = points.filter((p) => Number.isFinite(p.py));
    const group = svg("g", { class: "series", "data-series": series.name, style: "color:" + color(series.look) }, root);
    const clip = `url(#${panel.id}-clip)`;
    const joined = !words && shown.length > 1;
    const edge = joined ? band(points, frame) : "";
    if (edge) svg("path", { class: "band", d: edge, "clip-path": clip }, group);
    const lone = joined ? "" : whiskers(points, frame);
    if (lone) svg("path", { class: "whisker", d: lone, "clip-path": clip }, group);
    if (joined)
      svg("path", { class: "line", "clip-path": clip, "stroke-dasharray": dash(series.look),
        d: runsOf(points, (p) => Number.isFinite(p.py)).map((run) => "M" + run.map(at).join("L")).join("") }, group);
    const crowded = joined && (frame.right - frame.left) / shown.length < CROWDED;
    for (const p of shown) {
      const inside = p.py >= frame.top - 1 && p.py <= frame.bottom + 1;
      p.node = svg("path", { class: "point" + (crowded ? " crowded" : ""), d: markerPath(series.look), role: "img",
          tabindex: -1,
        transform: `translate(${p.px},${p.py})`, "aria-label": p.label, visibility: inside ? null : "hidden" }, group);
      p.shown = inside;
    }
    return shown.filter((p) => p.shown);
  }

  let serial = 0;

  function chart(box, panel, width, height) {
    const frame = layOut(panel, width, height);
    panel.id = panel.id || "panel-" + ++serial;
    const root = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
      "aria-label": panel.title || panel.y.title }, box);
    svg("rect", { x: frame.left, y: frame.top - 1, width: Math.max(0, frame.right - frame.left),
        height: Math.max(0, frame.bottom - frame.top + 2) },
      svg("clipPath", { id: panel.id + "-clip" }, svg("defs", {}, root)));
    drawAxes(root, panel, frame, width, height);
    const guide = svg("path", { class: "guide", d: "", "aria-hidden": "true" }, root);
    const lines = panel.series.map((series, s) =>
        drawSeries(root, panel, frame, place(panel, frame, series, s), series));
    if (!lines.some((points) => points.length))
      svg("text", { class: "nothing", x: (frame.left + frame.right) / 2, y: (frame.top + frame.bottom) / 2,
          "text-anchor": "middle" },
        root).textContent = "no finished runs here";
    return { root, frame, lines, guide };
  }

  cosched.chart = chart;
  cosched.sign = sign;
  cosched.dashOf = dash;
})();
