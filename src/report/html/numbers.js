/* numbers.js - the numbers of a document by name, the commands behind them, and the table of all combinations.
 *
 *   cosched.numbers.table(box, data)
 *
 * The keys of data are written by src/campaign/page_store.c.
 */
"use strict";

(() => {
  const { el } = cosched;
  const { number, interval } = cosched.scale;
  let serial = 0;

  /* The numbers of a combination by name; null where there is none. */
  function figuresOf(data, values) {
    if (!values) return null;
    const found = {};
    data.figures.forEach((name, f) => { found[name] = values[f]; });
    return found;
  }

  const whereOf = (data, at) => at.map((value, axis) => data.axes[axis].values[value].where).filter(Boolean);

  /* What to type to get the numbers of a combination again. */
  function commandOf(data, at) {
    return [data.command, ...whereOf(data, at).map((where) => "--where " + where)].join(" ");
  }

  const labelOf = (data, axis, value) => data.axes[axis].values[value].label;

  /* Powers rather than steps? */
  function isGeometric(values) {
    if (values.length < 3 || values.some((v) => !(v > 0)) || values[values.length - 1] / values[0] < 4) return false;
    const spread = (list) => Math.max(...list) / Math.min(...list);
    const pairs = values.slice(1).map((v, i) => [v, values[i]]);
    return spread(pairs.map(([b, a]) => b / a)) < spread(pairs.map(([b, a]) => b - a));
  }

  const numbersOf = (axis) => axis.values.filter((value) => !value.none).map((value) => value.number);
  const isNumeric = (axis) => axis.values.every((value) => value.none || typeof value.number === "number");

  function index(data) {
    const groups = new Map();
    data.groups.forEach((group, g) => groups.set(group.at.join(","), g));
    return (at) => groups.get(at.join(","));
  }

  function runsText(group) {
    return group.done === group.count ? String(group.count) : group.done + " of " + group.count;
  }

  /* What a column of one figure of one metric shows: the figure of a row. */
  const figureOf = (data, m, name) => (group) => figuresOf(data, group.v[m])[name];

  function axisColumn(axis, a) {
    const value = (group) => axis.values[group.at[a]];
    return {
      title: axis.title,
      numeric: isNumeric(axis),
      key: (group) => (isNumeric(axis) ? value(group).number : value(group).label),
      cell: (group) => value(group).label,
      csv: [[axis.name, (group) => value(group).label]],
    };
  }

  const runsColumn = {
    title: "runs",
    numeric: true,
    key: (group) => group.done,
    cell: runsText,
    csv: [["done", (group) => group.done], ["runs", (group) => group.count]],
  };

  function meanColumn(data, m) {
    const metric = data.metrics[m], mean = figureOf(data, m, "mean"), half = figureOf(data, m, "confidence95");
    return {
      title: metric.title,
      summary: metric.summary,
      numeric: true,
      key: mean,
      cell: (group) => interval(mean(group), half(group)),
      csv: ["n", "mean", "confidence95"].map((name) => [metric.name + "_" + name, figureOf(data, m, name)]),
    };
  }

  const WORDS = {
    n: "n", none: "without a value", mean: "mean", confidence95: "± 95 %", deviation: "deviation", min: "min",
    q05: "5 %", q25: "25 %", median: "median", q75: "75 %", q95: "95 %", max: "max",
  };

  function figureColumn(data, m, name) {
    const figure = figureOf(data, m, name);
    return {
      title: WORDS[name] || name,
      numeric: true,
      key: figure,
      cell: (group) => number(figure(group), name === "confidence95" ? 2 : 6),
      csv: [[data.metrics[m].name + "_" + name, figure]],
    };
  }

  /* Of every metric the mean (m < 0), or all figures of one. */
  function columnsOf(data, m) {
    const axes = [...data.axes.map(axisColumn), runsColumn];
    if (m < 0) return [...axes, ...data.metrics.map((metric, i) => meanColumn(data, i))];
    const none = data.groups.some(figureOf(data, m, "none"));
    const names = data.figures.filter((name) => name !== "none" || none);
    return [...axes, ...names.map((name) => figureColumn(data, m, name))];
  }

  function table(box, data) {
    const id = "t" + ++serial;
    const options = data.metrics.map((metric, m) => el("option", { value: m, text: "all figures of: " + metric.title }));
    const choice = el("select", { id, on: { change: () => made.show(columnsOf(data, Number(choice.value)), data.groups) } },
      [el("option", { value: -1, text: "mean ± 95 % of every metric" }), ...options]);
    const first = data.groups.length ? commandOf(data, data.groups[0].at) : data.command;
    box.append(el("p", { class: "control" }, [el("label", { for: id, text: "columns" }), choice]));
    const made = cosched.table(box, {
      label: "Numbers of " + data.title,
      noun: ["combination", "combinations"],
      columns: columnsOf(data, -1),
      rows: data.groups,
      command: (group) => commandOf(data, group.at),
    });
    box.append(el("p", { class: "hint" }, ["The numbers of the first row again: ", cosched.command(first)]));
  }

  cosched.numbers = { figuresOf, commandOf, labelOf, isNumeric, isGeometric, numbersOf, index, table };
})();
