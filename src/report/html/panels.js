/* panels.js - the figure of a document: lines of its numbers in small multiples, and choices.
 *
 *   cosched.figures(box, data)   selects, legend, small multiples, the chosen point
 *
 * The keys of data are written by src/campaign/page_store.c.
 */
"use strict";

(() => {
  const { el } = cosched;
  const { number, interval } = cosched.scale;
  const { figuresOf, commandOf, labelOf, isNumeric, isGeometric, numbersOf, index } = cosched.numbers;
  const LINES = 24, PANELS = 30; /* so many are shown without being asked for; at most so many */
  const BANDS = [
    ["confidence95", "95 % of the mean"],
    ["quartiles", "quartiles"],
    ["extremes", "least to most"],
    ["none", "nothing"],
  ];
  let serial = 0;

  class Figures {
    constructor(box, data) {
      this.data = data;
      this.find = index(data);
      this.id = "f" + ++serial;
      this.hidden = new Set();
      this.state = {
        metric: data.figure.metric, x: data.figure.x, series: data.figure.series, panel: data.figure.panel,
        over: -1, band: "confidence95", fixed: data.axes.map(() => 0),
        logX: false, logY: false, zero: false, same: !data.claims,
      };
      this.hideMany();
      this.suggest();
      this.controls = el("div", { class: "controls", role: "group", "aria-label": "What the figure shows" });
      this.legend = el("div", { class: "legend", role: "group", "aria-label": "Lines" });
      this.grid = el("div", { class: "panels" });
      this.hint = el("p", { class: "hint" });
      this.chosen = el("div", { class: "chosen" });
      box.append(this.controls, this.hint, this.legend, this.grid, this.chosen);
      this.width = 0;
      this.drawControls();
      this.draw();
      new ResizeObserver(() => {
        if (Math.abs(this.grid.clientWidth - this.width) > 4) this.drawPanels();
      }).observe(this.grid);
    }

    get metric() { return this.data.metrics[this.state.metric]; }
    get xAxis() { return this.data.axes[this.state.x]; }

    /* Of very many lines the first are shown. */
    hideMany() {
      this.hidden.clear();
      if (this.state.series < 0) return;
      const { values } = this.data.axes[this.state.series];
      for (let v = LINES; v < values.length; v++) this.hidden.add(v);
    }

    /* What suits the metric and the axis. */
    suggest() {
      const axis = this.xAxis;
      this.state.logX = isNumeric(axis) &&
          (this.state.x === this.data.figure.x && this.data.figure.log !== undefined ? this.data.figure.log
        : isGeometric(numbersOf(axis).sort((a, b) => a - b)));
      this.state.logY = !!this.metric.log;
      this.state.zero = this.metric.low === 0;
    }

    /* Selects and boxes. */

    select(words, options, value, change) {
      const id = this.id + "-" + words.replace(/\W+/g, "-");
      const box = el("select", { id, on: { change: () => { change(box.value); this.drawControls(id); this.draw(); } } },
        options.map(([key, text]) => el("option", { value: key, text })));
      box.value = String(value);
      return el("span", { class: "control" }, [el("label", { for: id, text: words }), box]);
    }

    check(words, key) {
      const id = this.id + "-" + key;
      const box = el("input", { type: "checkbox", id,
          on: { change: () => { this.state[key] = box.checked; this.drawPanels(); } } });
      box.checked = this.state[key];
      return el("span", { class: "control check" }, [box, el("label", { for: id, text: words })]);
    }

    /* An axis has one role: what it takes from another, the other gets. */
    assign(role, axis) {
      const was = this.state[role];
      for (const other of ["x", "series", "panel"])
        if (other !== role && axis >= 0 && this.state[other] === axis) this.state[other] = was;
      this.state[role] = axis;
      if (this.state.x < 0) this.state.x = [...this.data.axes.keys()].find((a) => a !== this.state.series &&
          a !== this.state.panel);
      if (role === "series" || this.state.series !== this.lines) this.hideMany();
      this.lines = this.state.series;
      if (!this.overChoices().length) this.state.over = -1;
      this.suggest();
    }

    rest() {
      const { x, series, panel } = this.state;
      return [...this.data.axes.keys()].filter((axis) => axis !== x && axis !== series && axis !== panel);
    }

    overChoices() {
      const { series, metric } = this.state;
      const known = series >= 0 && this.data.relative[series];
      return known && known[metric] ? this.data.axes[series].values.map((value, v) => [v, value.label]) : [];
    }

    drawControls(focus) {
      const { data, state } = this, axes = data.axes.map((axis, a) => [a, axis.title]), none = [-1, "–"];
      const over = this.overChoices();
      const controls = [
        this.select("metric", data.metrics.map((metric, m) => [m, metric.title]), state.metric,
            (m) => { state.metric = Number(m); this.suggest(); if (!this.overChoices().length) state.over = -1; }),
        this.select("x axis", axes, state.x, (a) => this.assign("x", Number(a))),
      ];
      if (axes.length > 1) {
        controls.push(this.select("lines", [none, ...axes], state.series, (a) => this.assign("series", Number(a))),
          this.select("panels", [none, ...axes], state.panel, (a) => this.assign("panel", Number(a))));
        for (const axis of this.rest())
          controls.push(this.select(data.axes[axis].title, data.axes[axis].values.map((value, v) => [v, value.label]),
              state.fixed[axis],
            (v) => { state.fixed[axis] = Number(v); }));
      }
      if (over.length > 1) controls.push(this.select("relative to", [[-1, "none"], ...over], state.over,
          (v) => { state.over = Number(v); }));
      controls.push(this.select("band", BANDS, state.band, (band) => { state.band = band; }));
      const checks = [this.check("logarithmic y", "logY"), this.check("y from 0", "zero")];
      if (isNumeric(this.xAxis)) checks.unshift(this.check("logarithmic x", "logX"));
      if (state.panel >= 0) checks.push(this.check("same y in all panels", "same"));
      checks.push(this.saveButton());
      this.controls.replaceChildren(...controls, el("div", { class: "checks" }, checks));
      const back = focus && document.getElementById(focus);
      if (back) back.focus();
    }

    saveButton() {
      const save = () => {
        cosched.saveFigure(this.grid, this.legend, this.data.title + "-" + this.metric.name);
        cosched.announce("The figure is saved");
      };
      return el("button", { type: "button", class: "plain", text: "Save SVG", on: { click: save } });
    }

    /* Which lines there are, their look the same whatever is hidden. */
    drawLegend() {
      const { data, state } = this, axis = data.axes[state.series];
      if (!axis) { this.legend.replaceChildren(); return; }
      const buttons = axis.values.map((value, v) => {
        const light = () => this.light(value.label), dark = () => this.light(null);
        const button = el("button", {
          type: "button", "aria-pressed": String(!this.hidden.has(v)), data: { series: value.label },
          on: { click: () => this.toggle(v), mouseenter: light, mouseleave: dark, focus: light, blur: dark },
        }, [cosched.sign(v), el("span", { text: value.label })]);
        return button;
      });
      const all = el("button", { type: "button", class: "plain", text: this.hidden.size ? "show all" : "hide all",
        on: { click: () => this.toggleAll() } });
      this.legend.replaceChildren(...buttons, axis.values.length > 2 ? all : "");
    }

    toggle(v) {
      const label = labelOf(this.data, this.state.series, v);
      if (this.hidden.has(v)) this.hidden.delete(v);
      else this.hidden.add(v);
      this.legend.children[v].setAttribute("aria-pressed", String(!this.hidden.has(v)));
      const all = this.legend.querySelector(".plain");
      if (all) all.textContent = this.hidden.size ? "show all" : "hide all";
      this.drawPanels();
      cosched.announce(label + (this.hidden.has(v) ? " hidden" : " shown"));
    }

    toggleAll() {
      const values = this.data.axes[this.state.series].values;
      if (this.hidden.size) this.hidden.clear();
      else values.forEach((value, v) => this.hidden.add(v));
      this.drawLegend();
      this.drawPanels();
      this.legend.querySelector(".plain").focus();
      cosched.announce(this.hidden.size ? "All lines hidden" : "All lines shown");
    }

    light(label) {
      this.grid.classList.toggle("lit", label !== null);
      for (const group of this.grid.querySelectorAll(".series"))
        group.classList.toggle("on", group.dataset.series === label);
    }

    /* From numbers to points. */

    placeOf(panel, series, x) {
      const at = this.state.fixed.slice();
      if (this.state.panel >= 0) at[this.state.panel] = panel;
      if (this.state.series >= 0) at[this.state.series] = series;
      at[this.state.x] = x;
      return at;
    }

    numbersAt(at) {
      const { data, state } = this, g = this.find(at);
      if (g === undefined) return null;
      if (state.over < 0) return { group: data.groups[g], found: figuresOf(data, data.groups[g].v[state.metric]) };
      return { group: data.groups[g],
          found: figuresOf(data, data.relative[state.series][state.metric][g][state.over]) };
    }

    edges(found) {
      const { mean, confidence95, q25, q75, min, max } = found;
      if (mean === null) return [null, null];
      if (this.state.band === "confidence95") return confidence95 === null ? [null, null]
          : [mean - confidence95, mean + confidence95];
      if (this.state.band === "quartiles") return [q25, q75];
      return this.state.band === "extremes" ? [min, max] : [null, null];
    }

    point(at, x) {
      const here = this.numbersAt(at);
      if (!here || !here.found) return null;
      const { state, data } = this, { found, group } = here;
      const [low, high] = this.edges(found);
      const axis = this.xAxis;
      if (isNumeric(axis) && axis.values[x].none) return null;
      const named = data.axes.map((a, i) => [a, i]).filter(([, i]) => i === state.series || i === state.x || i === state.panel);
      const where = named.map(([a, i]) => a.title + " " + a.values[at[i]].label).join(", ");
      const label = where + ": " + this.title() + " " + interval(found.mean, found.confidence95) + ", " + found.n + " runs";
      return { x: isNumeric(axis) ? axis.values[x].number : x, y: found.mean, low, high, at, found, group, label };
    }

    panelOf(p) {
      const { data, state } = this,
          lines = state.series >= 0 ? data.axes[state.series].values : [{ label: this.metric.title }];
      const series = [];
      lines.forEach((line, s) => {
        if (state.series >= 0 && this.hidden.has(s)) return;
        const points = this.xAxis.values.map((value, x) => this.point(this.placeOf(p, s, x), x)).filter(Boolean);
        if (isNumeric(this.xAxis)) points.sort((a, b) => a.x - b.x);
        if (points.length) series.push({ name: line.label, look: s, points });
      });
      return { title: state.panel >= 0 ? labelOf(data, state.panel, p) : null, series, place: p };
    }

    title() {
      const { over, series } = this.state;
      return over < 0 ? this.metric.title : this.metric.title + " / that of " + labelOf(this.data, series, over);
    }

    /* The ends of the y axis of these panels: all that is drawn, unless the document says more. */
    spanY(panels) {
      const { state } = this, log = state.logY, seen = [];
      for (const panel of panels)
        for (const series of panel.series)
          for (const p of series.points)
            for (const v of [p.y, p.low, p.high]) if (v !== null && (!log || v > 0)) seen.push(v);
      if (state.over >= 0) seen.push(1);
      if (!seen.length) return log ? [1, 10] : [0, 1];
      let low = Infinity, high = -Infinity;
      for (const v of seen) { low = Math.min(low, v); high = Math.max(high, v); }
      if (log) return cosched.scale.widenLog(low, high);
      [low, high] = cosched.scale.widen(low, high);
      if (state.zero) { low = Math.min(low, 0); high = Math.max(high, 0); }
      return [low, high];
    }

    xOf(panels) {
      const axis = this.xAxis, { logX } = this.state;
      if (!isNumeric(axis)) {
        const used = axis.values.map((value, v) => v).filter((v) =>
            panels.some((panel) => panel.series.some((s) => s.points.some((p) => p.x === v))));
        const place = new Map(used.map((v, i) => [v, i]));
        for (const panel of panels) for (const s of panel.series) for (const p of s.points) p.x = place.get(p.x);
        return { kind: "words", title: axis.title, labels: used.map((v) => axis.values[v].label) };
      }
      const seen = [...new Set(panels.flatMap((panel) =>
          panel.series.flatMap((s) => s.points.map((p) => p.x))))].filter((v) => !logX || v > 0).sort((a, b) => a - b);
      const label = new Map(axis.values.map((value) => [value.number, value.label]));
      return { kind: logX ? "log" : "linear", title: axis.title, low: seen.length ? seen[0] : 0,
          high: seen.length ? seen[seen.length - 1] : 1,
        at: seen.length <= 24 ? seen.map((v) => ({ at: v, label: label.get(v) })) : null };
    }

    draw() {
      const { name, title, summary } = this.metric;
      this.lines = this.state.series;
      this.hint.textContent = (title === name ? title : title + " (" + name + ")") + ": " + summary;
      this.drawLegend();
      this.drawPanels();
    }

    drawPanels() {
      const { data, state } = this;
      const all = state.panel >= 0 ? [...data.axes[state.panel].values.keys()] : [0], places = all.slice(0, PANELS);
      const panels = places.map((p) => this.panelOf(p)).filter((panel) => panel.series.length || places.length === 1 ||
          this.hidden.size);
      const same = state.same ? this.spanY(panels) : null;
      const xs = state.same ? this.xOf(panels) : null;
      this.width = this.grid.clientWidth || 900;
      const columns = Math.max(1,
          Math.min(panels.length, data.figure.columns || 3, Math.floor((this.width + 16) / 336)));
      const width = Math.floor((this.width - 20 * (columns - 1)) / columns),
          height = Math.round(Math.min(430, Math.max(250, width * 0.62)));
      this.grid.classList.toggle("many", Math.max(0, ...panels.map((panel) => panel.series.length)) > 4);
      this.grid.style.setProperty("--columns", columns);
      cosched.tooltip.hide();
      this.points = [];
      this.grid.replaceChildren(...panels.map((panel, i) =>
          this.drawPanel(panel, i, xs || this.xOf([panel]), same || this.spanY([panel]), width, height)));
      if (all.length > places.length)
        this.grid.append(el("p",
            { class: "hint", text: "The first " + places.length + " of " + all.length + " panels." }));
      this.rove(0, false);
    }

    caption(panel) {
      const axis = this.data.axes[this.state.panel];
      if (axis.plain) return panel.title;
      return axis.title.replaceAll("_", " ") + (axis.values[panel.place].none ? " not set" : " = " + panel.title);
    }

    drawPanel(panel, i, x, [low, high], width, height) {
      const figure = el("figure", {}, panel.title === null ? [] : el("figcaption", { text: this.caption(panel) }));
      const drawn = cosched.chart(figure, { ...panel, x, mark: this.state.over >= 0 ? 1 : null, id: this.id + "p" + i,
        y: { title: this.title(), log: this.state.logY, low, high } }, Math.max(width, 200), height);
      for (const line of drawn.lines) for (const p of line) this.points.push(Object.assign(p, { panel: i, drawn }));
      drawn.root.addEventListener("pointermove", (event) => this.hover(drawn, event));
      drawn.root.addEventListener("pointerleave", () => this.leave(drawn));
      drawn.root.addEventListener("click", (event) => { const p = this.nearest(drawn, event); if (p) this.choose(p); });
      drawn.root.addEventListener("keydown", (event) => this.key(event));
      drawn.root.addEventListener("focusin", (event) => this.focused(event));
      drawn.root.addEventListener("focusout", () => this.leave(drawn));
      return figure;
    }

    /* The pointer. */

    nearest(drawn, event) {
      const box = drawn.root.getBoundingClientRect(), zoom = box.width / drawn.root.viewBox.baseVal.width || 1;
      const x = (event.clientX - box.left) / zoom, y = (event.clientY - box.top) / zoom;
      let best = null, least = 60;
      for (const line of drawn.lines)
        for (const p of line) {
          const distance = Math.hypot(p.px - x, p.py - y);
          if (distance <= least) { least = distance; best = p; }
        }
      return best;
    }

    hover(drawn, event) {
      const p = this.nearest(drawn, event);
      if (!p) return this.leave(drawn);
      this.mark(p);
      cosched.tooltip.show(this.describe(p), event.clientX, event.clientY);
      return undefined;
    }

    mark(p) {
      if (this.marked && this.marked !== p) this.marked.node.classList.remove("near");
      this.marked = p;
      p.node.classList.add("near");
      p.drawn.guide.setAttribute("d", `M${p.px},${p.drawn.frame.top}V${p.drawn.frame.bottom}`);
    }

    leave(drawn) {
      if (this.marked) this.marked.node.classList.remove("near");
      this.marked = null;
      drawn.guide.setAttribute("d", "");
      cosched.tooltip.hide();
    }

    /* The keyboard: one point can be reached by Tab, arrows move from it. */

    rove(place, focus) {
      if (!this.points.length) return;
      this.current = place;
      this.points.forEach((p, i) => p.node.setAttribute("tabindex", i === place ? 0 : -1));
      if (focus) this.points[place].node.focus();
    }

    focused(event) {
      const place = this.points.findIndex((p) => p.node === event.target);
      if (place < 0) return;
      if (place !== this.current) this.rove(place, false);
      const p = this.points[place], box = p.node.getBoundingClientRect();
      this.mark(p);
      cosched.tooltip.show(this.describe(p), box.right, box.bottom);
    }

    /* The next line above or below in the same place, or the same in the next panel. */
    besides(p, up) {
      const others = this.points.map((q, i) => [q, i]).filter(([q]) => q !== p && q.panel === p.panel && q.x === p.x &&
        (up ? q.py < p.py || (q.py === p.py && q.series.look < p.series.look) : q.py > p.py ||
            (q.py === p.py && q.series.look > p.series.look)));
      others.sort(([a], [b]) => Math.abs(a.py - p.py) - Math.abs(b.py - p.py) || a.series.look - b.series.look);
      return others.length ? others[0][1] : -1;
    }

    along(step) {
      const p = this.points[this.current], next = this.points[this.current + step];
      return next && next.panel === p.panel && next.series === p.series ? this.current + step : -1;
    }

    jump(step) {
      const p = this.points[this.current];
      let last = -1;
      for (let i = this.current + step; this.points[i]; i += step) {
        if (this.points[i].panel === p.panel + step && this.points[i].series.name === p.series.name &&
            this.points[i].x === p.x) return i;
        if (this.points[i].panel === p.panel + step && last < 0) last = i;
      }
      return last;
    }

    ends(step) {
      const p = this.points[this.current];
      let i = this.current;
      while (this.points[i + step] && this.points[i + step].series === p.series &&
          this.points[i + step].panel === p.panel) i += step;
      return i;
    }

    key(event) {
      if (this.current === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const p = this.points[this.current];
      const moves = {
        ArrowRight: () => this.along(1), ArrowLeft: () => this.along(-1),
        ArrowUp: () => this.besides(p, true), ArrowDown: () => this.besides(p, false),
        PageDown: () => this.jump(1), PageUp: () => this.jump(-1),
        Home: () => this.ends(-1), End: () => this.ends(1),
      };
      if (event.key === "Enter" || event.key === " ") this.choose(p);
      else if (event.key === "Escape") this.leave(p.drawn);
      else if (moves[event.key]) { const next = moves[event.key](); if (next >= 0) this.rove(next, true); }
      else return;
      event.preventDefault();
    }

    /* Words of a point. */

    facts(p) {
      const { found } = p;
      if (found.n < 2) return [];
      const range = (low, high) => number(low, 6) + " .. " + number(high, 6);
      return [
        ["95 % of the mean", range(found.mean - found.confidence95, found.mean + found.confidence95)],
        ["standard deviation", number(found.deviation, 5)],
        ["quartiles", [found.q25, found.median, found.q75].map((v) => number(v, 5)).join(", ")],
        ["least .. most", range(found.min, found.max)],
      ];
    }

    runs(p) {
      const { found, group } = p, parts = ["n = " + found.n];
      if (found.none) parts.push(cosched.human.units(found.none, "run") + " without a value");
      if (group.done < group.count) parts.push(group.done + " of " + group.count + " runs finished");
      return parts.join(", ");
    }

    /* Other lines that pass through the same place. */
    same(p) {
      const others = this.points.filter((q) => q !== p && q.panel === p.panel &&
          Math.hypot(q.px - p.px, q.py - p.py) < 2).map((q) => q.series.name);
      return others.length ? el("div", { class: "where", text: "in the same place: " + others.join(", ") }) : null;
    }

    describe(p, command) {
      const { data, state } = this, text = commandOf(data, p.at);
      const place = data.axes.map((axis, a) =>
          (a === state.series ? null : axis.title + " " + axis.values[p.at[a]].label)).filter(Boolean).join(", ");
      return el("div", { class: "point-facts" }, [
        el("div", { class: "who" },
            [state.series >= 0 ? cosched.sign(p.series.look) : null, el("b", { text: p.series.name })]),
        el("div", { class: "where", text: place }),
        this.same(p),
        el("div", { class: "value" },
            [el("span", { class: "mean", text: interval(p.found.mean, p.found.confidence95) }),
            el("span", { class: "metric", text: this.title() })]),
        el("div", { class: "runs", text: this.runs(p) }),
        el("dl", {}, this.facts(p).map(([name, value]) =>
            el("div", {}, [el("dt", { text: name }), el("dd", { text: value })]))),
        command ? cosched.command(text) : el("code", { text }),
      ]);
    }

    /* A click keeps the words below the figure, with the command to copy. */
    choose(p) {
      const close = el("button",
          { type: "button", class: "plain close", "aria-label": "Close", text: "×",
          on: { click: () => this.chosen.replaceChildren() } });
      this.chosen.replaceChildren(this.describe(p, true), close);
      cosched.announce(p.label + ". Its command stands below the figure.");
    }
  }

  cosched.figures = (box, data) => new Figures(box, data);
})();
