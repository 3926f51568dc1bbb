/* gantt.js - a schedule as a section: facts, controls, picture, legend, table. */
"use strict";

(() => {
  const { el, human } = cosched;
  const FIRST = 30; /* applications in the legend before it is opened */

  /* Facts. */

  function addFacts(body, data) {
    const facts = [...data.facts, data.check.total
      ? { name: "Checker", value: human.units(data.check.total, "violation"), bad: true }
      : { name: "Checker", value: "valid", detail: "by separate code" }];
    body.append(el("p", { class: "lead", text: data.lead }));
    body.append(el("dl", { class: "facts" }, facts.map((fact) => el("div", { class: fact.bad ? "bad" : null }, [
      el("dt", { text: fact.name }),
      el("dd", { text: fact.value }, fact.detail ? el("small", { text: fact.detail }) : null)]))));
    if (!data.check.total) return;
    const more = data.check.total - data.check.violations.length;
    body.append(el("div", { class: "notice" }, [el("p", { text: "The checker found:" }),
      el("ul", {}, data.check.violations.map((text) => el("li", { text }))),
      more > 0 ? el("p", { text: `and ${human.count(more)} more` }) : null]));
  }

  /* What was typed to make the schedule, to be typed again. */
  function addCommand(body, data) {
    if (!data.command) return;
    const copy = button("Copy", "Copy the command", async () => {
      const done = await cosched.copy(data.command);
      copy.textContent = done ? "Copied" : "Not copied";
      cosched.announce(copy.textContent);
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
    copy.classList.add("screen");
    body.append(el("p", { class: "made" }, [el("code", { text: data.command }), copy]));
  }

  /* Controls. */

  const button = (text, label, act, more) =>
    el("button", { type: "button", text, "aria-label": label, title: label, on: { click: act }, ...more });

  function zoomButtons(chart) {
    const { STEP } = cosched.schedule.input, moving = { moving: true };
    const out = button("−", "Zoom out", () => chart.zoom(1 / STEP, undefined, moving));
    const whole = button("Whole", "Show the whole schedule", () => chart.whole(moving));
    const left = button("←", "Earlier", () => chart.pan(-0.5, 0, moving)), right = button("→", "Later", () => chart.pan(0.5, 0, moving));
    chart.listeners.push(() => {
      const { view, full } = chart, all = chart.isWhole() && view.low === full.low && view.high === full.high;
      out.disabled = chart.isWhole();
      whole.disabled = all;
      left.disabled = view.from <= full.from;
      right.disabled = view.to >= full.to;
    });
    return [
      el("span", { class: "joined", role: "group", "aria-label": "Zoom" },
        [out, button("+", "Zoom in", () => chart.zoom(STEP, undefined, moving)), whole]),
      el("span", { class: "joined", role: "group", "aria-label": "Move" }, [left, right]),
    ];
  }

  function rowButtons(chart) {
    const { STEP } = cosched.schedule.input, moving = { moving: true };
    const less = button("⇕ −", "Lower rows", () => chart.zoomRows(1 / STEP, undefined, moving));
    chart.listeners.push(() => { less.disabled = chart.view.low === chart.full.low && chart.view.high === chart.full.high; });
    return el("span", { class: "joined", role: "group", "aria-label": "Rows" },
      [less, button("⇕ +", "Taller rows", () => chart.zoomRows(STEP, undefined, moving))]);
  }

  function kindChoice(chart, id) {
    const field = el("fieldset", { class: "choice" }, el("legend", { class: "unseen", text: "Picture" }));
    for (const [ribbons, words] of [[true, "Applications"], [false, chart.model.data.unit[0].toUpperCase() + chart.model.data.unit.slice(1) + "s"]]) {
      const input = el("input", { type: "radio", name: id + "-picture", id: `${id}-${ribbons ? "ribbons" : "rows"}`, on: { change: () => {
        chart.ribbons = ribbons;
        chart.stale = true;
        chart.resize();
      } } });
      input.checked = chart.ribbons === ribbons;
      field.append(input, el("label", { for: input.id, text: words }));
    }
    return field;
  }

  function saveButton(section, chart) {
    const still = section.querySelector(".still svg");
    if (!still) return null;
    return button("Save SVG", "Save SVG of the whole picture", () => {
      const url = URL.createObjectURL(new Blob([still.outerHTML], { type: "image/svg+xml" }));
      const link = el("a", { href: url, download: chart.name.replace(/\.[^.]*$/, "") + ".svg" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    });
  }

  /* The resources over the whole time, cut out of the picture for print. */
  function resources(section, name) {
    const still = section.querySelector(".still svg");
    const frames = still ? [...still.querySelectorAll(".resources .frame")] : [];
    if (!frames.length) return null;
    const edge = (frame, key) => Number(frame.getAttribute(key));
    const copy = still.cloneNode(true), last = frames[frames.length - 1];
    const top = edge(frames[0], "y") - 17, height = edge(last, "y") + edge(last, "height") - top + 42;
    const width = still.getAttribute("viewBox").split(" ")[2];
    copy.setAttribute("viewBox", `0 ${top} ${width} ${height}`);
    copy.setAttribute("height", height);
    copy.setAttribute("aria-label", `Resources of ${name} over time`);
    const title = copy.querySelector("title");
    if (title) title.textContent = `Resources of ${name} over time`;
    return el("div", { class: "resources picture", tabindex: "0" }, [copy]);
  }

  const HELP = [
    ["+  −  0", "zoom in, zoom out, the whole"],
    ["← →", "earlier, later; Home and End: the first and the last"],
    ["↑ ↓", "other rows, when rows were made taller with ]; [ makes them lower"],
    ["n  p", "next and previous bar, which is told; Enter zooms to it, Esc lets go"],
    ["wheel", "zoom at the pointer; with Alt: rows. Drag to move, two fingers to zoom, double click to zoom to a bar"],
  ];

  function help(id) {
    return el("details", { class: "help" }, [el("summary", { text: "Keys" }),
      el("dl", { id: id + "-keys" }, HELP.flatMap(([key, what]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: what })]))]);
  }

  function addControls(parent, chart, section) {
    const id = section.id, { data } = chart.model;
    parent.append(el("div", { class: "controls", role: "group", "aria-label": `Controls of the picture of ${chart.name}` }, [
      data.ribbons ? kindChoice(chart, id) : null, ...zoomButtons(chart), rowButtons(chart),
      saveButton(section, chart)]));
  }

  /* Legend. */

  function toggle(chart, set, number) {
    if (set.has(number)) set.delete(number); else set.add(number);
    chart.draw();
    if (chart.changed) chart.changed();
  }

  function swatch(paint) {
    const canvas = el("canvas", { "aria-hidden": "true", width: 32, height: 32, class: "swatch" });
    return { canvas, draw() {
      const c = canvas.getContext("2d");
      c.setTransform(2, 0, 0, 2, 0, 0);
      c.clearRect(0, 0, 16, 16);
      c.save();
      paint(c);
      c.restore();
    } };
  }

  function entry(chart, { name, note, paint, set, number, light }) {
    const sample = swatch(paint);
    chart.swatches.push(sample);
    const one = el("button", {
      type: "button", class: "entry", "aria-pressed": set ? "true" : null, disabled: !set,
      on: { click: () => { toggle(chart, set, number); one.setAttribute("aria-pressed", String(!set.has(number))); } },
    }, [sample.canvas, el("span", { class: "name", text: name }), note ? el("span", { class: "note", text: note }) : null]);
    if (light !== undefined) {
      const lit = (app) => { if (chart.lit !== app) { chart.lit = app; chart.draw(); } };
      one.addEventListener("pointerenter", () => lit(light));
      one.addEventListener("pointerleave", () => lit(-1));
      one.addEventListener("focus", () => { if (one.matches(":focus-visible")) lit(light); });
      one.addEventListener("blur", () => lit(-1));
    }
    return set ? one : el("span", { class: "entry" }, [...one.childNodes]);
  }

  function appEntry(chart, app) {
    const { model } = chart;
    return entry(chart, {
      name: model.names[app], note: human.count(model.apps[app].bars), set: chart.hidden.apps, number: app, light: app,
      paint: (c) => {
        c.fillStyle = cosched.schedule.draw.css(chart.colors.apps[app]);
        c.beginPath(); c.roundRect(1, 1, 14, 14, 3); c.fill();
      },
    });
  }

  function addApps(list, chart) {
    const { model } = chart, apps = model.data.apps.slice();
    if (chart.ribbons) apps.reverse();
    const most = new Set([...apps].sort((a, b) => model.apps[b].area - model.apps[a].area || a - b).slice(0, FIRST));
    for (const app of apps) if (most.has(app)) list.append(appEntry(chart, app));
    const rest = apps.filter((app) => !most.has(app));
    if (!rest.length) return;
    const more = button(`… and ${human.count(rest.length)} more`, `… and ${human.count(rest.length)} more: show them`, () => {
      more.replaceWith(...rest.slice(0, 1000).map((app) => appEntry(chart, app)));
      chart.swatches.forEach((one) => one.draw());
    }, { class: "entry" });
    list.append(more);
  }

  function kindPaint(chart, kind) {
    const { data } = chart.model, word = data.kinds[kind], { draw } = cosched.schedule;
    return (c) => {
      const colors = chart.colors, grey = [138, 145, 155];
      const fill = data.slots ? draw.ACTS[word] || draw.ACTS.work : word === "downtime" ? colors.axis
        : draw.css(word === "lost" ? draw.mix(grey, colors.ground, 0.6) : grey);
      c.fillStyle = fill;
      c.beginPath(); c.roundRect(1, 1, 14, 14, 3); c.fill();
      if (!draw.TEXTURES[word] || (data.slots && word !== "lost")) return;
      c.fillStyle = draw.texture(c, colors, word, colors.dark && word !== "lost" ? "#ffffff" : "#000000", 0.55, 2);
      c.beginPath(); c.roundRect(1, 1, 14, 14, 3); c.fill();
    };
  }

  function addKinds(list, chart) {
    const { model } = chart, { data } = model, all = data.procs * (data.end - data.begin);
    data.kinds.forEach((word, kind) => {
      const sum = model.kinds[kind];
      if (!sum.bars) return;
      list.append(entry(chart, {
        name: cosched.schedule.tell.kindName(data, word), note: `${human.count(sum.bars)} · ${human.percent(sum.area / all, 1)}`,
        set: chart.hidden.kinds, number: kind, paint: kindPaint(chart, kind),
      }));
    });
    if (data.bound > 0)
      list.append(entry(chart, { name: "lower bound", note: chart.duration(data.bound), paint: (c) => {
        c.strokeStyle = chart.colors.text;
        c.lineWidth = 1.6;
        c.setLineDash([4, 2.5]);
        c.beginPath(); c.moveTo(8, 1); c.lineTo(8, 15); c.stroke();
      } }));
    if (data.slots) return;
    const idle = 1 - model.busy / all;
    list.append(entry(chart, { name: "idle", note: human.percent(idle > 1e-9 ? idle : 0, 1), paint: (c) => {
      c.fillStyle = chart.colors.idle;
      c.strokeStyle = chart.colors.axis;
      c.beginPath(); c.roundRect(1.5, 1.5, 13, 13, 3); c.fill(); c.stroke();
    } }));
  }

  function addStates(list, chart) {
    const { draw } = cosched.schedule;
    for (const [letter, name] of [["u", "up"], ["r", "reclaimed"], ["d", "down"]])
      list.append(entry(chart, { name, paint: (c) => {
        c.fillStyle = draw.css(chart.colors.state(letter));
        c.strokeStyle = chart.colors.axis;
        c.beginPath(); c.roundRect(1.5, 1.5, 13, 13, 3); c.fill();
        if (letter === "r") { c.save(); c.fillStyle = draw.texture(c, chart.colors, "reclaimed", chart.colors.text, 0.35, 2); c.fill(); c.restore(); }
        c.stroke();
      } }));
  }

  function addFaults(list, chart) {
    const { faults } = chart.model.data, set = new Set();
    if (!faults.length) return;
    const one = entry(chart, { name: "failures", note: human.count(faults.length), set, number: 0,
      paint: (c) => cosched.schedule.draw.bolt(c, chart.colors, 8, 8, 14, true) });
    one.addEventListener("click", () => { chart.showFaults = !set.has(0); chart.draw(); });
    list.append(one);
  }

  function addLegend(parent, chart) {
    const { data } = chart.model, group = (name, fill) => {
      const list = el("div", { class: "entries", role: "group", "aria-label": name });
      fill(list, chart);
      parent.append(list);
    };
    chart.swatches = [];
    if (!data.slots) group(data.owners ? "Graphs; press to hide" : "Tasks; press to hide", addApps);
    group("Kinds of bars; press to hide", (list) => {
      addKinds(list, chart);
      addFaults(list, chart);
      if (data.slots) addStates(list, chart);
    });
    let drawn = null;
    chart.listeners.push(() => {
      if (drawn === chart.colors) return;
      drawn = chart.colors;
      chart.swatches.forEach((one) => one.draw());
    });
  }

  /* Several schedules on one page are compared: they show the same time, until somebody wants each whole. */
  function addLink() {
    const { chart: Chart } = cosched.schedule;
    if (Chart.all.length < 2) return;
    Chart.link(true);
    if (document.getElementById("link-times")) return;
    const input = el("input", { type: "checkbox", id: "link-times", checked: true, on: { change: () => Chart.link(input.checked) } });
    document.getElementById("tools").append(el("span", { class: "link-times screen" }, [input, el("label", { for: input.id, text: "Same time scale" })]));
  }

  /* Facts that several schedules have, side by side; the shortest of each problem in bold. */
  const compared = [];

  function compare(section, name, data) {
    compared.push({ section, name, data });
    if (compared.length < 2) return;
    const old = document.getElementById("compared");
    if (old) old.remove();
    const told = compared.flatMap((one) => one.data.facts.map((fact) => fact.name));
    const names = [...new Set(told)].filter((fact) => told.indexOf(fact) !== told.lastIndexOf(fact));
    const best = (one) => {
      const rivals = compared.filter((other) => other.data.problem === one.data.problem);
      return rivals.length > 1 && rivals.every((other) => other.data.end >= one.data.end);
    };
    const row = (one) => el("tr", {}, [el("th", { scope: "row" }, el("a", { href: "#" + one.section.id, text: one.name })),
      el("td", { data: { title: "Policy" }, text: one.data.policy || "–" }), ...names.map((fact) => {
        const found = one.data.facts.find((other) => other.name === fact);
        return el("td", { data: { title: fact }, class: "number" + (fact === "Makespan" && best(one) ? " best" : ""), text: found ? found.value : "–" });
      }),
      el("td", { data: { title: "Checker" }, class: "number", text: one.data.check.total ? human.units(one.data.check.total, "violation") : "valid" })]);
    compared[0].section.before(el("section", { id: "compared", "aria-labelledby": "compared-heading" }, [
      el("h2", { id: "compared-heading", text: "Side by side" }),
      el("div", { class: "table rows", tabindex: "0", role: "region", "aria-label": "Schedules in comparison" }, el("table", { "aria-labelledby": "compared-heading" }, [
        el("thead", {}, el("tr", {}, ["Schedule", "Policy", ...names, "Checker"].map((text, i) =>
          el("th", { scope: "col", class: i > 1 ? "number" : null, text })))),
        el("tbody", {}, compared.map(row))]))]));
  }

  cosched.section("schedule", (body, data, section) => {
    const name = section.querySelector("h2").textContent;
    addFacts(body, data);
    addCommand(body, data);
    const chart = new cosched.schedule.chart(cosched.schedule.model(data), name);
    const screen = el("div", { class: "schedule" + (section.querySelector(".still") ? " screen" : "") });
    body.append(screen);
    chart.element.setAttribute("aria-describedby", section.id + "-keys");
    addControls(screen, chart, section);
    screen.append(chart.element, chart.strip, el("div", { class: "below" }, [chart.status, help(section.id)]));
    const legend = el("div", { class: "key", role: "region", "aria-label": `Legend of ${name}` });
    addLegend(legend, chart);
    screen.append(legend);
    const used = resources(section, name);
    if (used) screen.append(used);
    cosched.schedule.table.add(body, chart, section.id);
    cosched.schedule.input.add(chart);
    addLink();
    compare(section, name, data);
    chart.resize();
  });
})();
