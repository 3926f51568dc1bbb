/* replay.js - sections of a replay of a job log: policies, pictures, classes, users, what was read. */
"use strict";

(() => {
  const { el, svg } = cosched;
  const time = (seconds) => (seconds === null || seconds === undefined ? "–" : cosched.human.duration(seconds));
  const fixed = (digits) => (value) => (value === null ? "–" : cosched.human.fixed(value, digits));
  const share = (value) => (value === null ? "–" : cosched.human.percent(value, 1));

  const column = (title, name, show) => ({ title, numeric: true, key: (row) => row[name],
    cell: (row) => show(row[name]), csv: [[name, (row) => row[name]]] });

  /* Columns of the energy of rows, in kWh, and its conditions in words. */
  function energyColumns(energy) {
    const part = (title, name) => ({ title: title + " (kWh)", numeric: true, key: (row) => row.energy && row.energy[name],
      cell: (row) => (row.energy ? cosched.human.fixed(row.energy[name] / 3.6e6, 3) : "–"),
      csv: [["energy_" + name, (row) => row.energy && row.energy[name]]] });
    return [part("energy", "joules"), part("busy nodes", "busy"), part("idle nodes", "idle"),
      ...(energy.watts.off_after === null ? [] : [part("nodes switched off", "off"), part("waking nodes", "wake")])];
  }

  function energyWords(energy) {
    const watts = energy.watts;
    return `Energy over ${time(energy.until)}: a node draws ${watts.busy} W when busy and ${watts.idle} W when idle` +
      (watts.off_after === null ? "." : `; after ${time(watts.off_after)} without a job it draws ${watts.off} W, ` +
        `and ${watts.wake} J to be switched on again.`);
  }

  function drawRows(body, data) {
    if (data.warnings.length)
      body.append(el("details", { class: "warnings notice" }, [
        el("summary", { text: cosched.human.units(data.warnings.length, "warning") + ": read before you use the numbers" }),
        el("ul", {}, data.warnings.map((text) => el("li", { text })))]));
    const powered = data.rows.find((row) => row.energy);
    cosched.table(body, { label: "Policies", noun: ["row", "rows"], rows: data.rows, columns: [
      { title: "policy", key: (row) => row.name, cell: (row) => row.name },
      column("mean wait", "mean_wait_of_jobs", time), column("median", "median_wait_of_jobs", time),
      column("95 % of jobs", "p95_wait_of_jobs", time), column("longest", "longest_wait_of_jobs", time),
      column("by area", "area_weighted_wait", time), column("bounded slowdown", "mean_bounded_slowdown", fixed(1)),
      column("mean queue", "mean_queue", fixed(1)), column("longest queue", "longest_queue", fixed(0)),
      column("utilisation", "utilisation", share), column("lost", "loss_of_capacity", share),
      column("overtakes", "overtakes", fixed(0)), column("reservations delayed", "reservations_delayed", fixed(0)),
      ...(data.rows.some((row) => row.fairness_jobs > 0) ? [
        column("unfair jobs", "unfair_jobs", fixed(0)), column("of jobs asked", "fairness_jobs", fixed(0)),
        column("mean unfairness", "mean_unfairness", time)] : []),
      ...(powered ? energyColumns(powered.energy) : []),
    ] });
    if (powered)
      body.append(el("p", { class: "note", text: energyWords(powered.energy) }));
  }

  /* The picture of the theme that is seen. */
  function drawPicture(body, data) {
    const box = el("div", { class: "picture", tabindex: "0" });
    const parse = (text) => document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
    const draw = () => {
      const picture = parse(cosched.dark() ? data.dark : data.light);
      picture.setAttribute("width", "100%");
      picture.removeAttribute("height");
      box.replaceChildren(picture);
    };
    body.append(box);
    draw();
    cosched.onTheme(draw);
  }

  /* From half of the wait to twice of it; grey where nobody waits. */
  function shade(ratio) {
    if (ratio === null) return { fill: cosched.color("line"), words: "no jobs" };
    const x = Math.max(-1, Math.min(1, Math.log2(ratio)));
    const tone = Math.round(100 - 42 * Math.abs(x));
    return { fill: x < 0 ? `hsl(160 45% ${tone - 18}%)` : `hsl(20 70% ${tone - 12}%)` };
  }

  const ratioOf = (wait, r) => (wait[0] === null || wait[r] === null ? null : (wait[r] + 60) / (wait[0] + 60));

  function drawMap(box, data, r) {
    const widths = [...new Set(data.cells.map((cell) => Math.floor(cell.key / data.times)))].sort((a, b) => a - b);
    const names = new Map(data.cells.map((cell) => [cell.key % data.times, cell.name.replace(/^[^,]*, /, "")]));
    const times = [...names.keys()].sort((a, b) => a - b);
    const w = 92, h = 30, left = 110, top = 30;
    const picture = svg("svg", { viewBox: `0 0 ${left + w * widths.length} ${top + h * times.length}`, role: "img",
      width: left + w * widths.length, "aria-label": `Mean wait of ${data.names[r]} over that of ${data.names[0]}` });
    const text = (x, y, anchor, words) => svg("text", { x, y, "text-anchor": anchor, "font-size": 11,
      fill: cosched.color("text") || "currentColor", text: words });
    widths.forEach((width, i) => {
      const cell = data.cells.find((one) => Math.floor(one.key / data.times) === width);
      picture.append(text(left + w * i + w / 2, top - 10, "middle", cell.name.replace(/,.*/, "")));
    });
    times.forEach((at, j) => picture.append(text(left - 8, top + h * j + h / 2 + 4, "end", names.get(at))));
    for (const cell of data.cells) {
      const i = widths.indexOf(Math.floor(cell.key / data.times)), j = times.indexOf(cell.key % data.times);
      const ratio = ratioOf(cell.wait, r);
      picture.append(svg("g", {}, [
        svg("title", { text: `${cell.name}: ${cosched.human.units(cell.jobs, "job")}, ${time(cell.wait[0])} with ` +
            `${data.names[0]}, ${time(cell.wait[r])} with ${data.names[r]}` }),
        svg("rect", { x: left + w * i + 1, y: top + h * j + 1, width: w - 2, height: h - 2, fill: shade(ratio).fill }),
        svg("text", { x: left + w * i + w / 2, y: top + h * j + h / 2 + 4, "text-anchor": "middle", "font-size": 11,
          fill: "#1b1b1b", text: ratio === null ? "–" : "×" + cosched.human.digits(ratio, 2) })]));
    }
    box.append(picture);
  }

  function drawClasses(body, data) {
    if (data.names.length < 2) return;
    body.append(el("p", { class: "note", text: `Mean wait over that of ${data.names[0]}, by processors and run time ` +
      "(a minute is added to both): below 1 the jobs of a class wait less." }));
    for (let r = 1; r < data.names.length; r++) {
      const box = el("div", { class: "part" });
      body.append(el("h3", { text: data.names[r] }), box);
      drawMap(box, data, r);
    }
  }

  function drawUsers(body, data) {
    const change = (r) => (row) => (row.wait[r] === null || row.wait[0] === null ? null : row.wait[r] - row.wait[0]);
    const signed = (value) => (value === null ? "–" : (value > 0 ? "+" : value < 0 ? "−" : "") + time(Math.abs(value)));
    const columns = [
      { title: data.of, key: (row) => row.name, cell: (row) => row.name },
      column("jobs", "jobs", fixed(0)), column(data.unit + " hours", "hours", fixed(0)),
      { title: "wait, " + data.names[0], numeric: true, key: (row) => row.wait[0], cell: (row) => time(row.wait[0]) }];
    for (let r = 1; r < data.names.length; r++)
      columns.push({ title: data.names[r], numeric: true, key: change(r), cell: (row) => signed(change(r)(row)) });
    const rows = data.cells.slice().sort((a, b) => b.hours - a.hours || a.key - b.key);
    cosched.table(body, { label: "Users", noun: [data.of, data.of + "s"], columns, rows });
  }

  function drawInput(body, data) {
    const line = (rule) => el("li", { text: cosched.human.count(rule.count) + " " + rule.rule });
    const origin = data.drawn ? `${cosched.human.units(data.lines, "drawn job")} (${data.drawn})` :
      `${data.kind}: ${cosched.human.units(data.lines, "line")} of ${cosched.human.units(data.files, "file")}`;
    body.append(el("p", { text: `${origin}, ${cosched.human.units(data.jobs, "job")} replayed on ` +
      `${cosched.human.units(data.procs, data.unit)}.` }));
    for (const [kept, heading] of [[false, "Left out"], [true, "Of those replayed"]]) {
      const rules = data.rules.filter((rule) => rule.kept === kept);
      if (rules.length) body.append(el("h3", { text: heading }), el("ul", {}, rules.map(line)));
    }
    if (data.notes.length)
      body.append(el("h3", { text: "Malformed lines" }), el("ul", {}, data.notes.map((text) => el("li", { text }))));
  }

  cosched.section("replayrows", drawRows);
  cosched.section("replaypicture", drawPicture);
  cosched.section("replayclasses", drawClasses);
  cosched.section("replayusers", drawUsers);
  cosched.section("replayinput", drawInput);
})();
