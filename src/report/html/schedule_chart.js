/* schedule_chart.js - the picture of a schedule that one can zoom, move and ask.
 *
 * The view is a stretch of time and of processors.  A chart keeps it within the schedule, draws it
 * on two canvases (the picture, and over it what is pointed at), and tells in data-from, data-to,
 * data-low, data-high and data-plot (x y w h in pixels) of its element where it is.  Whatever the pointer does, keys do too.
 */
"use strict";

cosched.schedule.chart = (() => {
  const { el, human } = cosched;
  const SHORTEST = 1e-9; /* of the whole, that a view can show */
  const all = [];

  class Chart {
    constructor(model, name) {
      this.model = model;
      this.name = name;
      this.ribbons = model.data.ribbons;
      this.full = { from: model.from, to: model.to > model.from ? model.to : model.from + 1, low: 0, high: model.data.procs };
      this.own = this.full.to;
      this.view = { ...this.full };
      this.hidden = { apps: new Set(), kinds: new Set() };
      this.showFaults = true;
      this.lit = -1;
      this.picked = -1;
      this.listeners = [];
      if (model.data.ribbons) this.stack = cosched.schedule.ribbons.pieces(model);
      this.build();
      all.push(this);
    }

    /* Elements. */

    build() {
      this.canvas = el("canvas", { "aria-hidden": "true" });
      this.cover = el("canvas", { "aria-hidden": "true", class: "cover" });
      this.element = el("div", {
        class: "gantt", role: "application", tabindex: "0", "aria-roledescription": "zoomable chart",
        "aria-label": `Picture of ${this.name}. The table of bars below says the same.`,
      }, [this.canvas, this.cover]);
      this.strip = el("div", {
        class: "strip", role: "scrollbar", tabindex: "0", "aria-orientation": "horizontal", "aria-valuemin": "0", "aria-valuemax": "100",
        "aria-label": "Part of the time that is shown",
      }, [this.stripCanvas = el("canvas", { "aria-hidden": "true" }), this.brush = el("div", { class: "brush" })]);
      this.status = el("p", { class: "status" });
      this.watch = new ResizeObserver(() => this.resize());
      this.watch.observe(this.element);
      cosched.onTheme(() => { this.colors = null; this.draw(); });
    }

    resize() {
      const width = this.element.clientWidth;
      if (!width || (width === this.width && !this.stale)) return;
      this.stale = false;
      this.width = width;
      const { data } = this.model, narrow = width < 560;
      const label = data.slots
        ? Math.min(width / 4, 12 + 6.6 * Math.max(...data.hosts ? data.hosts.map((_, i) => this.rowName(i).length) : [2]))
        : 30 + 6.6 * human.count(data.procs).length;
      const above = data.groups.length || this.model.iterations.length || data.bound > 0 || data.faults.length ? 26 : 10;
      const right = data.clusters.length && !this.ribbons ? 26 : 12;
      const h = this.ribbons ? Math.min(Math.max(this.stack.bands.length * 30, 320), 640)
        : data.slots ? Math.min(Math.max(data.procs * 26, 120), 640) : Math.min(Math.max(data.procs * 18, 140), narrow ? 380 : 520);
      this.plot = { x: Math.ceil(label), y: above, w: Math.max(40, Math.floor(width - label - right)), h, right };
      this.heightAll = above + h + 42;
      this.element.style.height = this.heightAll + "px";
      this.strip.style.marginLeft = this.plot.x + "px";
      this.strip.style.width = this.plot.w + "px";
      this.draw();
    }

    /* Geometry. */

    x(time) { return this.plot.x + ((time - this.view.from) / (this.view.to - this.view.from)) * this.plot.w; }
    time(x) { return this.view.from + ((x - this.plot.x) / this.plot.w) * (this.view.to - this.view.from); }

    y(proc) {
      const part = (proc - this.view.low) / (this.view.high - this.view.low);
      return this.model.data.slots ? this.plot.y + part * this.plot.h : this.plot.y + this.plot.h - part * this.plot.h;
    }

    proc(y) {
      const part = (y - this.plot.y) / this.plot.h;
      return this.view.low + (this.model.data.slots ? part : 1 - part) * (this.view.high - this.view.low);
    }

    top(first, last) { return this.model.data.slots ? this.y(first) : this.y(last + 1); }
    height(first, last) { return ((last - first + 1) / (this.view.high - this.view.low)) * this.plot.h; }
    rowHeight() { return this.height(0, 0); }

    /* Words. */

    word(bar) { return this.model.data.kinds[this.model.kind[bar]]; }
    units(count) { return human.units(count, this.model.data.unit); }
    duration(seconds) { return this.model.data.slots ? human.units(Math.round(seconds), "slot") : human.duration(seconds); }
    exact(seconds) { return this.model.data.slots ? `slot ${human.count(Math.round(seconds))}` : `${human.digits(seconds, 9)} s`; }

    rowName(row) {
      const host = this.model.data.hosts && this.model.data.hosts[row];
      return (host && host.name) || String(row);
    }

    shortName(task) {
      const name = this.model.data.tasks[task], { owners, owner } = this.model.data;
      const prefix = owners ? owners[owner[task]] + "/" : "";
      return prefix && name.startsWith(prefix) ? name.slice(prefix.length) : name;
    }

    /* What is seen. */

    hiddenApp(app) { return this.hidden.apps.has(app); }
    seen(bar) { return !this.hidden.apps.has(this.model.app[bar]) && !this.hidden.kinds.has(this.model.kind[bar]); }
    fadedApp(app) { return this.lit >= 0 && this.lit !== app; }
    faded(bar) { return this.fadedApp(this.model.app[bar]); }

    /* Drawing. */

    surface(canvas, width, height) {
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = width + "px";
      canvas.style.height = height + "px";
      const c = canvas.getContext("2d");
      c.setTransform(ratio, 0, 0, ratio, 0, 0);
      return c;
    }

    draw() {
      if (this.frame || !this.plot) return;
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.paint();
      });
    }

    paint() {
      const ratio = window.devicePixelRatio || 1, began = performance.now();
      const frame = cosched.schedule.frame;
      cosched.schedule.family = cosched.schedule.family || getComputedStyle(document.body).fontFamily;
      this.colors = this.colors || cosched.schedule.draw.paint(this.model);
      this.shown = frame.all(this.surface(this.canvas, this.width, this.heightAll), this, this.colors, ratio);
      frame.overview(this.surface(this.stripCanvas, this.plot.w, 34), this, this.colors, this.plot.w, 34);
      this.tell();
      this.outline();
      this.element.dataset.took = (performance.now() - began).toFixed(1);
    }

    /* Where the view is, for everybody. */
    tell() {
      const { from, to } = this.view, { full } = this, whole = full.to - full.from;
      this.element.dataset.from = from;
      this.element.dataset.to = to;
      this.element.dataset.low = this.view.low;
      this.element.dataset.high = this.view.high;
      this.element.dataset.plot = [this.plot.x, this.plot.y, this.plot.w, this.plot.h].join(" ");
      this.brush.style.left = (100 * (from - full.from)) / whole + "%";
      this.brush.style.width = (100 * (to - from)) / whole + "%";
      const rest = whole - (to - from);
      this.strip.setAttribute("aria-valuenow", rest > 0 ? Math.round((100 * (from - full.from)) / rest) : 0);
      this.strip.setAttribute("aria-valuetext", this.range());
      this.status.textContent = `Showing ${this.range()}: ${human.count(this.shown)} of ${human.units(this.model.count, "bar")}`;
      this.listeners.forEach((tell) => tell());
    }

    range() {
      const span = this.view.to - this.view.from;
      if (this.model.data.slots) return `slots ${human.digits(this.view.from, 6)} to ${human.digits(this.view.to, 6)}`;
      const fine = span < 0.01 * Math.abs(this.view.to);
      const words = (time) => (fine ? human.digits(time, 9) + " s" : this.duration(time));
      return `${words(this.view.from)} to ${words(this.view.to)}`;
    }

    boxesOf(bar) {
      const { model } = this, x = this.x(model.start[bar]), w = Math.max(this.x(model.end[bar]) - x, 2);
      if (this.ribbons) {
        const middle = (model.start[bar] + model.end[bar]) / 2;
        const band = cosched.schedule.ribbons.bandOf(this, model.task[bar], middle);
        return band ? [[x, this.y(band.high), w, this.y(band.low) - this.y(band.high)]] : [];
      }
      return model.procsOf(bar).map(([first, last]) => [x, this.top(first, last), w, this.height(first, last)]);
    }

    /* A line around the bar that is pointed at. */
    outline() {
      const c = this.surface(this.cover, this.width, this.heightAll), { plot } = this;
      if (this.picked < 0) return;
      c.beginPath();
      c.rect(plot.x - 2, plot.y - 2, plot.w + 4, plot.h + 4);
      c.clip();
      for (const [color, width] of [[this.colors.background, 4], [this.colors.text, 2]])
        for (const [x, y, w, h] of this.boxesOf(this.picked)) {
          c.strokeStyle = color;
          c.lineWidth = width;
          c.strokeRect(x, y, w, h);
        }
    }

    faultAt(fault) {
      const { model } = this;
      if (fault.time < this.view.from || fault.time > this.view.to) return null;
      if (!this.ribbons)
        return fault.processor < model.data.procs && fault.processor + 0.5 >= this.view.low && fault.processor + 0.5 <= this.view.high
          ? { x: this.x(fault.time), y: this.y(fault.processor + 0.5) } : null;
      if (fault.bar < 0 || this.hiddenApp(model.app[fault.bar])) return null;
      const before = Math.min(fault.time, model.end[fault.bar]) - 1e-9 * (model.end[fault.bar] - model.start[fault.bar]);
      const band = cosched.schedule.ribbons.bandOf(this, model.task[fault.bar], before);
      return band ? { x: this.x(fault.time), y: (this.y(band.low) + this.y(band.high)) / 2 } : null;
    }

    /* Moving the view. */

    clamp(view) {
      const { full } = this, next = { ...view };
      const wide = full.to - full.from, span = Math.min(wide, Math.max(next.to - next.from, SHORTEST * wide));
      next.from = Math.min(Math.max(next.from, full.from), full.to - span);
      next.to = span === wide ? full.to : next.from + span;
      const tall = full.high - full.low, rows = Math.min(tall, Math.max(next.high - next.low, Math.min(tall, 2)));
      next.low = Math.min(Math.max(next.low, full.low), full.high - rows);
      next.high = rows === tall ? full.high : next.low + rows;
      return next;
    }

    show(view, { moving = false, alone = false } = {}) {
      const target = this.clamp(view);
      if (!alone && Chart.linked)
        for (const other of all)
          if (other !== this && other.model.data.slots === this.model.data.slots)
            other.show({ ...other.aim, from: target.from, to: target.to }, { moving, alone: true });
      cancelAnimationFrame(this.motion);
      if (moving && !cosched.still() && this.plot) this.move(target);
      else { this.view = target; this.goal = null; this.draw(); }
    }

    /* Where the view is, or is on its way to. */
    get aim() { return this.goal || this.view; }

    move(target) {
      const from = { ...this.view }, began = performance.now();
      this.goal = target;
      const step = (now) => {
        const part = Math.min(1, Math.max(0, now - began) / 160), ease = 1 - (1 - part) ** 3;
        for (const key of ["from", "to", "low", "high"])
          this.view[key] = part === 1 ? target[key] : from[key] + (target[key] - from[key]) * ease;
        this.draw();
        if (part < 1) this.motion = requestAnimationFrame(step);
        else this.goal = null;
      };
      this.motion = requestAnimationFrame(step);
    }

    /* `factor` of the time now shown, `at` staying where it is. */
    zoom(factor, at, options) {
      const { from, to } = this.aim, fixed = at === undefined ? (from + to) / 2 : at;
      this.show({ ...this.aim, from: fixed - (fixed - from) * factor, to: fixed + (to - fixed) * factor }, options);
    }

    zoomRows(factor, at, options) {
      const { low, high } = this.aim, fixed = at === undefined ? (low + high) / 2 : at;
      this.show({ ...this.aim, low: fixed - (fixed - low) * factor, high: fixed + (high - fixed) * factor }, options);
    }

    pan(part, rows, options) {
      const { from, to, low, high } = this.aim, span = part * (to - from), tall = (rows || 0) * (high - low);
      this.show({ from: from + span, to: to + span, low: low + tall, high: high + tall }, options);
    }

    whole(options) { this.show(this.full, options); }
    isWhole() { return this.view.from === this.full.from && this.view.to === this.full.to; }

    /* So that a bar can be seen with something around it. */
    zoomTo(bar) {
      const { start, end } = this.model, room = Math.max((end[bar] - start[bar]) * 0.75, 1e-6 * (this.full.to - this.full.from));
      this.show({ ...this.view, from: start[bar] - room, to: end[bar] + room }, { moving: true });
    }
  }

  /* Charts of one unit of time show the same time, as long as the longest of them. */
  Chart.link = (linked) => {
    Chart.linked = linked;
    for (const chart of all) {
      const others = all.filter((other) => linked && other.model.data.slots === chart.model.data.slots);
      chart.full.to = Math.max(chart.own, ...others.map((other) => other.own));
      chart.load = null;
      chart.show(chart.full, { alone: true });
    }
  };
  Chart.linked = false;
  Chart.all = all;
  return Chart;
})();
