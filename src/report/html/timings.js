/* timings.js - measured times: a table of applications and one of their counts. */
"use strict";

(() => {
  const { el } = cosched;
  const none = (value) => value === null || value === undefined;
  const time = (seconds) => (none(seconds) ? "–" : cosched.human.duration(seconds));
  const digits = (value) => (none(value) ? "–" : cosched.human.digits(value, 3));
  const count = (value) => cosched.human.count(value);
  const percent = (value) => (none(value) ? "–" : cosched.human.percent(value, 1));
  const word = (title, name) => ({ title, key: (row) => row[name], cell: (row) => row[name] || "–" });
  const column = (title, name, show) => ({ title, numeric: true, key: (row) => row[name],
    cell: (row) => show(row[name]), csv: [[name, (row) => row[name]]] });

  function fraction(row) {
    if (none(row.seq_fraction)) return "–";
    const wide = none(row.fraction_low) ? "" : ` [${digits(row.fraction_low)}, ${digits(row.fraction_high)}]`;
    return digits(row.seq_fraction) + wide;
  }

  function drawTimings(body, data) {
    if (data.warnings.length)
      body.append(el("details", { class: "warnings notice" }, [
        el("summary", { text: cosched.human.units(data.warnings.length, "warning") + " about the input" }),
        el("ul", {}, data.warnings.map((text) => el("li", { text })))]));
    const apps = el("div", { class: "part" }), rows = el("div", { class: "part" });
    body.append(apps, rows);
    cosched.table(apps, { label: "Applications", noun: ["application", "applications"], rows: data.apps, columns: [
      word("application", "app"), column("counts", "counts", count), column("runs", "runs", count),
      column("from", "least", count), column("to", "most", count), column("speedup", "speedup", digits),
      column("efficiency", "efficiency", percent), word("model", "model"),
      column("time on one", "seq_time", time),
      { title: "sequential fraction (95 %)", numeric: true, key: (row) => row.seq_fraction, cell: fraction,
        csv: ["seq_fraction", "fraction_low", "fraction_high"].map((name) => [name, (row) => row[name]]) },
      column("error", "rms", percent)] });
    cosched.table(rows, { label: "Counts", noun: ["count", "counts"], rows: data.rows, columns: [
      word("application", "app"), column("processors", "procs", count), column("time", "seconds", time),
      column("speedup", "speedup", digits), column("efficiency", "efficiency", percent),
      column("fit", "fitted", time), column("95 % from", "low", time), column("to", "high", time)] });
  }

  cosched.section("timings", drawTimings);
})();
