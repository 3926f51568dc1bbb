/* schedule_table.js - the bars of a schedule as a table, a page at a time. */
"use strict";

cosched.schedule.table = (() => {
  const { el, human } = cosched;
  const ROWS = 25;

  function columns(chart) {
    const { model } = chart, { data } = model, tell = cosched.schedule.tell;
    const unit = data.unit[0].toUpperCase() + data.unit.slice(1) + "s", seconds = data.slots ? "slot" : "s";
    const list = [
      ["Attempt", true, (bar) => model.column.attempt[bar]],
      ["Kind", false, (bar) => tell.kind(chart, bar)],
      [unit, true, (bar) => human.count(model.sizeOf(bar))],
      ["Which", false, (bar) => model.setText(bar)],
      [`Start (${seconds})`, true, (bar) => tell.moment(chart, model.start[bar])],
      [`End (${seconds})`, true, (bar) => tell.moment(chart, model.end[bar])],
      ["Duration", true, (bar) => chart.duration(model.end[bar] - model.start[bar])],
    ];
    if (model.column.group.some((group) => group >= 0))
      list.push([data.group[0].toUpperCase() + data.group.slice(1), false, (bar) => tell.where(chart, bar)]);
    if (model.kinds[model.LOST].bars || data.faults.length) list.push(["Failure", false, (bar) => tell.failure(chart, bar)]);
    return list;
  }

  function rowOf(chart, cells, bar) {
    const show = el("button", {
      type: "button", class: "link", text: chart.model.data.tasks[chart.model.task[bar]], title: "Show in the picture",
      on: { click: () => {
        chart.zoomTo(bar);
        chart.element.focus({ preventScroll: true });
        chart.element.scrollIntoView({ block: "center" });
        setTimeout(() => cosched.schedule.input.focusOn(chart, bar), cosched.still() ? 60 : 260);
      } },
    });
    return el("tr", { role: "row", data: { bar } }, [el("th", { scope: "row", role: "rowheader" }, show),
      ...cells.map(([title, number, value]) => el("td", { role: "cell", data: { title }, class: number ? "number" : null, text: String(value(bar)) }))]);
  }

  /* A table below the picture; what it lists follows the search and the legend. */
  function add(parent, chart, id) {
    const cells = columns(chart), { model } = chart, body = el("tbody");
    const where = el("span", { class: "where", role: "status" });
    const search = el("input", { type: "search", id: id + "-search", autocomplete: "off" });
    let page = 0, list = [];

    const turn = (to) => {
      page = Math.min(Math.max(0, to), Math.max(0, Math.ceil(list.length / ROWS) - 1));
      body.replaceChildren(...list.slice(page * ROWS, (page + 1) * ROWS).map((bar) => rowOf(chart, cells, bar)));
      const last = Math.min(list.length, (page + 1) * ROWS);
      where.textContent = list.length ? `${human.count(page * ROWS + 1)} – ${human.count(last)} of ${human.count(list.length)}` : "no bar";
      for (const [button, stop] of buttons) button.disabled = stop();
    };
    const look = () => {
      const wanted = search.value.trim().toLowerCase();
      const fits = model.data.tasks.map((name) => name.toLowerCase().includes(wanted));
      list = Array.from(model.order).filter((bar) => chart.seen(bar) && fits[model.task[bar]]);
      turn(0);
    };
    const button = (text, label, to, stop) => [el("button", { type: "button", text, "aria-label": label, on: { click: () => turn(to()) } }), stop];
    const lastPage = () => Math.ceil(list.length / ROWS) - 1;
    const buttons = [
      button("«", "First rows", () => 0, () => page <= 0),
      button("‹", "Rows before", () => page - 1, () => page <= 0),
      button("›", "Next rows", () => page + 1, () => page >= lastPage()),
      button("»", "Last rows", lastPage, () => page >= lastPage()),
    ];
    const table = el("table", { role: "table" }, [el("caption", { class: "unseen", text: `Bars of ${chart.name}` }),
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, [el("th", { scope: "col", role: "columnheader", text: model.data.slots ? "Iteration" : "Task" }),
        ...cells.map(([name, number]) => el("th", { scope: "col", role: "columnheader", class: number ? "number" : null, text: name }))])), body]);
    const details = el("details", { class: "bars rows screen", on: { toggle: () => { if (details.open) look(); } } }, [
      el("summary", { text: `Table of ${human.units(model.count, "bar")}` }),
      el("div", { class: "controls" }, [el("label", { for: search.id, text: "Task" }), search, where,
        el("span", { class: "joined push" }, buttons.map(([one]) => one))]),
      el("div", { class: "table", tabindex: "0", role: "region", "aria-label": `Bars of ${chart.name}` }, table),
    ]);
    search.addEventListener("input", look);
    chart.changed = () => { if (details.open) look(); };
    parent.append(details);
  }

  return { add };
})();
