/* schedule_input.js - pointer, wheel, fingers and keys of a chart.
 *
 * Wheel: zoom at the pointer; with alt the rows; sideways: move.  At the whole schedule turning
 * back scrolls the page.  Drag: move.  Two fingers: zoom.  Keys: see `keys`.
 */
"use strict";

cosched.schedule.input = (() => {
  const STEP = 0.7;

  /* Pointing. */

  function nearFault(chart, x, y) {
    if (!chart.showFaults) return null;
    return chart.model.data.faults.find((fault) => {
      const spot = chart.faultAt(fault);
      return spot && Math.abs(spot.x - x) <= 7 && Math.abs(spot.y - y) <= 9;
    });
  }

  function barAt(chart, x, y) {
    const { plot } = chart, slack = (2.5 * (chart.view.to - chart.view.from)) / plot.w;
    if (x < plot.x || x > plot.x + plot.w || y < plot.y || y > plot.y + plot.h) return -1;
    const time = chart.time(x), proc = chart.proc(y);
    return chart.ribbons
      ? cosched.schedule.ribbons.at(chart, time, proc, slack)
      : chart.model.at(time, Math.floor(proc), slack, (bar) => chart.seen(bar));
  }

  function pick(chart, bar) {
    if (chart.picked === bar) return;
    chart.picked = bar;
    chart.outline();
  }

  function point(chart, event) {
    const box = chart.element.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const fault = nearFault(chart, x, y), bar = fault ? -1 : barAt(chart, x, y);
    pick(chart, bar);
    if (fault) cosched.tooltip.show(cosched.schedule.tell.fault(chart, fault), event.clientX, event.clientY);
    else if (bar >= 0) cosched.tooltip.show(cosched.schedule.tell.bar(chart, bar), event.clientX, event.clientY);
    else cosched.tooltip.hide();
  }

  function leave(chart) {
    cosched.tooltip.hide();
    pick(chart, -1);
  }

  /* Dragging and pinching. */

  function addPointer(chart) {
    const down = new Map(), { element } = chart;
    let start = null;

    const begin = () => {
      const points = [...down.values()], box = element.getBoundingClientRect();
      const x = points.reduce((sum, p) => sum + p.x, 0) / points.length - box.left;
      const y = points.reduce((sum, p) => sum + p.y, 0) / points.length - box.top;
      start = { view: { ...chart.view }, x, y, apart: points.length > 1 ? Math.abs(points[0].x - points[1].x) : 0 };
    };

    const drag = () => {
      const points = [...down.values()], box = element.getBoundingClientRect(), { view } = start;
      const x = points.reduce((sum, p) => sum + p.x, 0) / points.length - box.left;
      const y = points.reduce((sum, p) => sum + p.y, 0) / points.length - box.top;
      const apart = points.length > 1 ? Math.abs(points[0].x - points[1].x) : 0;
      const factor = start.apart > 8 && apart > 8 ? start.apart / apart : 1;
      const scale = (view.to - view.from) / chart.plot.w, tall = (view.high - view.low) / chart.plot.h;
      const fixed = view.from + (start.x - chart.plot.x) * scale;
      const from = fixed - (x - chart.plot.x) * scale * factor;
      const rows = (y - start.y) * tall * (chart.model.data.slots ? -1 : 1);
      chart.show({ from, to: from + (view.to - view.from) * factor, low: view.low + rows, high: view.high + rows });
    };

    element.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      element.setPointerCapture(event.pointerId);
      element.classList.add("dragging");
      begin();
    });
    element.addEventListener("pointermove", (event) => {
      if (!down.has(event.pointerId)) { point(chart, event); return; }
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      cosched.tooltip.hide();
      drag();
    });
    for (const name of ["pointerup", "pointercancel"])
      element.addEventListener(name, (event) => {
        if (!down.delete(event.pointerId)) return;
        if (down.size) begin();
        else element.classList.remove("dragging");
        if (name === "pointerup" && event.pointerType !== "mouse" && !down.size) point(chart, event);
      });
    element.addEventListener("pointerleave", (event) => { if (!down.has(event.pointerId)) leave(chart); });
    element.addEventListener("dblclick", (event) => {
      const bar = barAt(chart, event.offsetX, event.offsetY);
      if (bar >= 0) chart.zoomTo(bar);
      else chart.zoom(0.5, chart.time(event.offsetX), { moving: true });
    });
  }

  function addWheel(chart) {
    chart.element.addEventListener("wheel", (event) => {
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
      const across = event.deltaX * unit, along = event.deltaY * unit;
      const factor = Math.exp(Math.max(-240, Math.min(240, along)) * (event.ctrlKey ? 0.01 : 0.002));
      const box = chart.element.getBoundingClientRect();
      if (Math.abs(across) > Math.abs(along)) {
        if (chart.isWhole()) return;
        chart.pan(across / chart.plot.w);
      } else if (event.altKey) {
        chart.zoomRows(factor, chart.proc(event.clientY - box.top));
      } else {
        if (chart.isWhole() && along > 0) return;
        chart.zoom(factor, chart.time(event.clientX - box.left));
      }
      event.preventDefault();
      cosched.tooltip.hide();
    }, { passive: false });
  }

  /* Walking from bar to bar. */

  function step(chart, by) {
    const { model, view } = chart;
    let at = chart.picked >= 0 ? model.place[chart.picked] + by : by > 0 ? Math.max(0, firstSeen(chart)) : model.count - 1;
    while (at >= 0 && at < model.count && !chart.seen(model.order[at])) at += by;
    if (at < 0 || at >= model.count) { cosched.announce(by > 0 ? "This is the last bar." : "This is the first bar."); return; }
    const bar = model.order[at], span = view.to - view.from;
    if (model.end[bar] <= view.from || model.start[bar] >= view.to)
      chart.show({ ...view, from: model.start[bar] - 0.1 * span, to: model.start[bar] + 0.9 * span });
    focusOn(chart, bar);
  }

  function firstSeen(chart) {
    let found = -1;
    chart.model.each(chart.view.from, chart.view.to, (bar) => { if (found < 0) found = chart.model.place[bar]; });
    return found;
  }

  /* Shows the tooltip of a bar without a pointer. */
  function focusOn(chart, bar) {
    pick(chart, bar);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const box = chart.element.getBoundingClientRect(), [first] = chart.boxesOf(bar), { plot } = chart;
      if (!first) return;
      const x = Math.min(Math.max(first[0] + first[2] / 2, plot.x), plot.x + plot.w), y = Math.min(Math.max(first[1] + first[3] / 2, plot.y), plot.y + plot.h);
      cosched.tooltip.show(cosched.schedule.tell.bar(chart, bar), box.left + x, box.top + y);
    }));
    cosched.announce(cosched.schedule.tell.sentence(chart, bar));
  }

  const keys = {
    "+": (chart) => chart.zoom(STEP, undefined, { moving: true }),
    "=": (chart) => chart.zoom(STEP, undefined, { moving: true }),
    "-": (chart) => chart.zoom(1 / STEP, undefined, { moving: true }),
    0: (chart) => chart.whole({ moving: true }),
    ArrowLeft: (chart) => chart.pan(-0.15),
    ArrowRight: (chart) => chart.pan(0.15),
    ArrowUp: (chart) => chart.pan(0, chart.model.data.slots ? -0.15 : 0.15),
    ArrowDown: (chart) => chart.pan(0, chart.model.data.slots ? 0.15 : -0.15),
    PageUp: (chart) => chart.pan(-0.9),
    PageDown: (chart) => chart.pan(0.9),
    Home: (chart) => chart.show({ ...chart.view, from: chart.full.from, to: chart.full.from + chart.view.to - chart.view.from }),
    End: (chart) => chart.show({ ...chart.view, from: chart.full.to - (chart.view.to - chart.view.from), to: chart.full.to }),
    "]": (chart) => chart.zoomRows(STEP, undefined, { moving: true }),
    "[": (chart) => chart.zoomRows(1 / STEP, undefined, { moving: true }),
    n: (chart) => step(chart, 1),
    p: (chart) => step(chart, -1),
    Enter: (chart) => { if (chart.picked >= 0) chart.zoomTo(chart.picked); },
    Escape: (chart) => leave(chart),
  };
  const moves = new Set(["+", "=", "-", "0", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"]);

  function press(chart, event) {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.key !== "Escape" && event.key !== "Enter" && event.key !== "n" && event.key !== "p") leave(chart);
    act(chart);
    if (moves.has(event.key)) setTimeout(() => cosched.announce(chart.status.textContent), cosched.still() ? 50 : 250);
  }

  /* The strip below: drag what is shown, or its edges. */
  function addStrip(chart) {
    const { strip } = chart;
    let grip = null;
    const timeOf = (event) => {
      const box = strip.getBoundingClientRect();
      return chart.full.from + ((event.clientX - box.left) / box.width) * (chart.full.to - chart.full.from);
    };
    strip.addEventListener("pointerdown", (event) => {
      const time = timeOf(event), { from, to } = chart.view, box = strip.getBoundingClientRect();
      const near = (7 * (chart.full.to - chart.full.from)) / box.width;
      if (event.button) return;
      grip = Math.abs(time - from) < near ? "from" : Math.abs(time - to) < near ? "to" : "both";
      if (grip === "both" && (time < from || time > to)) {
        const half = (to - from) / 2;
        chart.show({ ...chart.view, from: time - half, to: time + half });
      }
      strip.setPointerCapture(event.pointerId);
      strip.dataset.last = time;
    });
    strip.addEventListener("pointermove", (event) => {
      if (!grip || !strip.hasPointerCapture(event.pointerId)) return;
      const time = timeOf(event), by = time - Number(strip.dataset.last), { from, to } = chart.view;
      strip.dataset.last = time;
      if (grip === "both") chart.show({ ...chart.view, from: from + by, to: to + by });
      else if (grip === "from" && time < to) chart.show({ ...chart.view, from: time });
      else if (grip === "to" && time > from) chart.show({ ...chart.view, to: time });
    });
    strip.addEventListener("pointerup", () => { grip = null; });
    strip.addEventListener("keydown", (event) => press(chart, event));
  }

  function add(chart) {
    addPointer(chart);
    addWheel(chart);
    addStrip(chart);
    chart.element.addEventListener("keydown", (event) => press(chart, event));
    chart.element.addEventListener("blur", () => leave(chart));
  }

  return { add, focusOn, STEP };
})();
