/* schedule_tell.js - what a bar or a failure is: for tooltips, screen readers and the table. */
"use strict";

cosched.schedule.tell = (() => {
  const { el, human } = cosched;
  const WORDS = { lost: "lost work", move: "data movement", verify: "verification" };
  const ACTS = { program: "receives the program", move: "receives data", work: "computes", lost: "computes, thrown away", checkpoint: "saves" };
  const EFFECTS = {
    idle: "nobody had this processor",
    ignored: "no harm: nothing was computed",
    "initial-checkpoint": "what had moved was not saved yet",
    rollback: "back to the last checkpoint",
    "rollback-not-longest": "back to the last checkpoint; not the longest task",
    "rollback-redistributed": "back to the last checkpoint, with other processors",
    "rollback-no-better-plan": "back to the last checkpoint; no better plan",
  };

  function kind(chart, bar) {
    const word = chart.word(bar);
    if (chart.model.data.slots) return ACTS[word] || word;
    return chart.model.fresh[bar] ? "checkpoint after a move" : WORDS[word] || word;
  }

  const kindName = (data, word) => (data.slots ? ACTS[word] : WORDS[word]) || word;

  /* Why a bar ended as it did; "" when there is nothing to say. */
  function failure(chart, bar) {
    const { model } = chart, fault = model.data.faults[model.faultOf.get(bar)];
    if (fault) return `on ${model.data.unit} ${fault.processor} at ${chart.exact(fault.time)}: ${EFFECTS[fault.effect] || fault.effect}`;
    if (model.kind[bar] !== model.LOST) return "";
    if (model.data.slots) return "the configuration did not end its iteration";
    return model.data.problem === "rigid" ? "the attempt failed; the job runs again" : "a failure threw this away";
  }

  function where(chart, bar) {
    const { model } = chart, group = model.column.group[bar], { data } = model;
    if (group < 0) return data.slots ? "outside of the configuration" : "";
    const cluster = data.problem === "ptg" && data.clusters[group];
    return cluster ? cluster.name : `${group + 1}`;
  }

  const moment = (chart, time) => (chart.model.data.slots ? String(time) : human.digits(time, 12));

  /* All facts of a bar, as [name, value, more]. */
  function facts(chart, bar) {
    const { model } = chart, { data } = model, size = model.sizeOf(bar);
    const set = model.setText(bar), elided = set.length > 60 ? set.slice(0, 57) + "…" : set;
    const long = model.end[bar] - model.start[bar];
    const exact = (time) => (data.slots ? "" : `${moment(chart, time)} s`);
    const rows = [
      ["Attempt", String(model.column.attempt[bar])],
      [data.slots ? "Host" : human.units(size, data.unit), data.slots ? model.procsOf(bar).map(([q]) => chart.rowName(q)).join(" ") : elided],
      ["Start", data.slots ? `slot ${human.count(model.start[bar])}` : human.duration(model.start[bar]), exact(model.start[bar])],
      ["End", data.slots ? `before slot ${human.count(model.end[bar])}` : human.duration(model.end[bar]), exact(model.end[bar])],
      ["Duration", chart.duration(long), exact(long)],
    ];
    const group = where(chart, bar), why = failure(chart, bar);
    if (group) rows.push([data.group[0].toUpperCase() + data.group.slice(1), group]);
    if (why) rows.push(["Failure", why]);
    return rows;
  }

  const title = (chart, bar) => (chart.model.data.slots ? "iteration " : "") + chart.model.data.tasks[chart.model.task[bar]];

  function list(heading, kindText, color, rows) {
    const body = el("tbody");
    for (const [name, value, more] of rows)
      body.append(el("tr", { data: { fact: name } }, [el("th", { scope: "row", text: name }),
        el("td", { text: value }), el("td", { class: "exact", text: more || "" })]));
    const swatch = el("span", { class: "swatch" });
    swatch.style.background = color;
    return el("div", {}, [el("p", { class: "who" }, [swatch, el("strong", { text: heading }), el("span", { class: "kind", text: kindText })]),
      el("table", {}, body)]);
  }

  function bar(chart, number) {
    const look = chart.colors.look(chart.model.app[number], chart.model.kind[number]);
    const node = list(title(chart, number), kind(chart, number), look.fill, facts(chart, number));
    node.dataset.bar = number;
    return node;
  }

  function fault(chart, one) {
    const { model } = chart, rows = [["Time", chart.duration(one.time), chart.exact(one.time)]];
    rows.push([model.data.unit[0].toUpperCase() + model.data.unit.slice(1), String(one.processor)]);
    if (one.bar >= 0) rows.push(["Task", model.data.tasks[model.task[one.bar]]]);
    rows.push(["Effect", EFFECTS[one.effect] || one.effect]);
    return list("failure", one.struck ? "" : "harmless", chart.colors.failure, rows);
  }

  /* One sentence for those who hear it. */
  function sentence(chart, number) {
    const rows = facts(chart, number).map(([name, value]) => `${name} ${value}`);
    return `${title(chart, number)}, ${kind(chart, number)}. ${rows.join(", ")}`;
  }

  return { bar, fault, sentence, kind, kindName, failure, where, moment };
})();
