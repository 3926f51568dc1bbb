/* study.js - sections of a store: a sweep, a paper with what it claims, and where everything comes from. */
"use strict";

(() => {
  const { el } = cosched;
  const { number } = cosched.scale;
  const VERDICTS = { agrees: "good", "agrees in part": "partly", "does not agree": "bad", undecided: "open", "not checked": "open" };
  const classOf = (words) => VERDICTS[words] || "good"; // "answered: no"
  const SIGNS = { "<=": "≤", ">=": "≥", better: "better than", "no difference": "no difference from" };
  const MANY = 8;
  const COUNTED = { agrees: "agree", "agrees in part": "agree in part", "does not agree": "do not agree" };

  function facts(list) {
    return el("dl", { class: "about" },
        list.filter(([, value]) => value !== null && value !== undefined && value !== "")
      .flatMap(([name, value]) => [el("dt", { text: name }), el("dd", {}, value)]));
  }

  function part(body, heading, draw, closed) {
    const box = el("div", { class: "part" });
    const node = el("details", closed ? {} : { open: true }, [el("summary", {}, el("h3", { text: heading })), box]);
    body.append(node);
    draw(box);
    return node;
  }

  function unfinished(body, data) {
    if (data.done === data.cells) return;
    const share = data.cells ? data.done / data.cells : 0;
    body.append(el("p", { class: "notice", role: "note" }, [el("strong", { text: "Unfinished: " }),
      cosched.human.count(data.done) + " of " + cosched.human.units(data.cells, "run") + " (" +
          cosched.human.percent(share, 1) +
        ") are in the store. Every number is of the runs that are there; some combinations have fewer than others, or none." +
        (data.claims && data.claims.length ? " Verdicts may change." : "")]));
  }

  const listOf = (set) => set.map(([name, value]) => name + " = " + value).join(", ");

  function about(body, data) {
    const runs = data.done === data.cells ? cosched.human.units(data.cells, "run")
      : cosched.human.count(data.done) + " of " + cosched.human.units(data.cells, "run");
    body.append(facts([
      ["of", data.citation],
      ["problem", data.problem],
      ["all runs have", data.set && data.set.length ? listOf(data.set) : null],
      ["runs", runs + (data.quick ? " (a quick run: fewer values or replicates)" : "") + ", seed " + data.seed],
      ["command", cosched.command(data.command)],
    ]));
  }

  function verdict(words, text) {
    return el("span", { class: "verdict " + classOf(words), text: text || words });
  }

  /* Claims. */

  /* Four digits, or as many as it takes to show that the numbers differ. */
  function digits(check) {
    const same = (other) => (n) => check.found !== other && number(check.found, n) === number(other, n);
    const others = check.relation === "between" ? [check.wanted, check.to] : [check.wanted];
    return [4, 5, 6, 7, 8].find((n) => !others.some((other) => same(other)(n))) || 9;
  }

  function found(check) {
    return number(check.found, digits(check)) + (check.confidence95 ? " ± " + number(check.confidence95, 2) : "");
  }

  function wanted(check) {
    const low = number(check.wanted, digits(check));
    return check.relation === "between" ? low + " .. " + number(check.to, digits(check)) : (SIGNS[check.relation] || check.relation) + " " + low +
      (check.p === undefined ? "" : ", p " + number(check.p, 2));
  }

  function checks(claim) {
    const second = claim.second_title;
    const row = (check) => el("tr", {},
        [el("th", { scope: "row", text: check.label || "" }),
        el("td", { class: "numeric", text: found(check) }),
        second ? el("td", { class: "numeric", text: check.second === null ? "–" : number(check.second, 4) }) : null,
        el("td", { class: "numeric", text: wanted(check) }),
        el("td", {}, [check.verdict ? verdict(check.verdict) : "not in this run", check.counted ? null : ", not counted"])]);
    return el("table", { class: "checks" }, [
      el("thead", {}, el("tr", {},
          ["what", "ours", ...(second ? [second] : []), "wanted", "verdict"].map((text, i, all) =>
            el("th", { scope: "col", text, class: i && i < all.length - 1 ? "numeric" : null })))),
      el("tbody", {}, claim.checks.map(row))]);
  }

  /* Many checks are told in a word, and shown when asked for. */
  function shownChecks(claim) {
    const { length } = claim.checks;
    if (!length) return null;
    if (length <= MANY) return checks(claim);
    const counted = claim.checks.filter((check) => check.counted);
    const good = counted.filter((check) => check.verdict === "agrees").length;
    return el("details", {},
        [el("summary", { text: cosched.human.units(counted.length, "check") + ", " + good +
        (good === 1 ? " agrees" : " agree") }), checks(claim)]);
  }

  function drawClaim(claim, c) {
    const line = (words, text) => (text ? el("p", { class: "note" }, [el("b", { text: words + " " }), text]) : null);
    return el("li", { class: "claim " + classOf(claim.verdict) }, [
      el("div", { class: "head" },
          [el("span", { class: "number", text: c + 1 + "." }), verdict(claim.verdict, claim.words),
          el("blockquote", { text: claim.text })]),
      line("Read as:", claim.reading), line("Not checked:", claim.unchecked), line("Remark:", claim.remark),
      shownChecks(claim),
    ]);
  }

  function drawClaims(box, data) {
    box.append(el("ol", { class: "claims" }, data.claims.map(drawClaim)));
  }

  function tally(body, data) {
    if (!data.claims || !data.claims.length) return;
    const found = Object.keys(VERDICTS).map((words) =>
        [words, data.claims.filter((claim) => !claim.stand_in && claim.verdict === words).length]).filter(([, n]) => n);
    body.append(el("p", { class: "tally" }, [el("b", { text: cosched.human.units(data.claims.length, "claim") + " " }),
      ...found.map(([words, n]) =>
          el("span", { class: "verdict " + VERDICTS[words], text: n + " " + (COUNTED[words] || words) }))]));
  }

  /* What the paper prints, beside ours. */

  function tableColumns(table) {
    const columns = [{ title: "", key: (row) => row.label, cell: (row) => row.label,
        csv: [["series", (row) => row.label]] }];
    table.columns.forEach((name, c) => {
      const cell = (row) => row.cells[c];
      const add = (words, get) =>
          columns.push({ title: table.columns.length > 1 ? name + ": " + words : words, numeric: true,
        key: (row) => get(cell(row)), cell: (row) => number(get(cell(row)), table.digits) });
      add("ours", (of) => of.ours);
      if (!table.printed) return;
      add("paper", (of) => of.paper);
      add("paper / ours", (of) => (of.paper > 0 && of.ours > 0 ? of.paper / of.ours : null));
    });
    return columns;
  }

  function drawTable(box, table) {
    const one = el("div", { class: "one" }, el("h4", { text: table.title }));
    box.append(one);
    cosched.table(one, { label: table.title, noun: ["row", "rows"], columns: tableColumns(table), rows: table.rows });
  }

  function drawTables(box, data) {
    const grid = el("div", { class: "tables" });
    box.append(grid);
    data.tables.forEach((table) => drawTable(grid, table));
  }

  function drawNotes(box, data) {
    box.append(el("ul", { class: "notes" }, data.notes.map((text) => el("li", { text }))));
  }

  function drawDocument(body, data, section) {
    const lead = [data.title, data.subtitle].filter((text) => text &&
        text !== section.querySelector("h2").textContent).join(", ");
    if (lead) body.append(el("p", { class: "lead", text: lead }));
    unfinished(body, data);
    tally(body, data);
    about(body, data);
    if (data.tables && data.tables.length) part(body, "Table of the paper", (box) => drawTables(box, data));
    part(body, "Figure", (box) => cosched.figures(box, data));
    if (data.claims && data.claims.length) part(body, "What the paper states", (box) => drawClaims(box, data));
    part(body, "Numbers", (box) => cosched.numbers.table(box, data));
    if (data.notes && data.notes.length) part(body, "Notes", (box) => drawNotes(box, data));
  }

  /* The store: what was run, when and by what. */

  const plain = (title, name, more) =>
      ({ title, key: (row) => row[name], cell: (row) => (row[name] === null ? "–" : String(row[name])), ...more });

  /* How many claims have each verdict, in the order of VERDICTS. */
  function tallies(counts) {
    return el("span", { class: "tallies" }, Object.keys(VERDICTS).map((words, v) =>
      (counts[v] ? el("span", { class: "verdict " + VERDICTS[words],
          title: counts[v] + " " + (COUNTED[words] || words), text: counts[v] }) : null)));
  }

  function documentColumns() {
    return [
      { title: "document", key: (row) => row.name,
          cell: (row) => el("a", { href: "#" + row.section, text: row.name }) },
      plain("title", "title"), plain("problem", "problem"), plain("seed", "seed", { numeric: true }),
      { title: "runs", numeric: true, key: (row) => row.cells,
          cell: (row) => (row.done === row.cells ? cosched.human.count(row.cells)
        : cosched.human.count(row.done) + " of " + cosched.human.count(row.cells)) },
      { title: "claims", key: (row) => (row.claims ? row.claims[0] : null),
          cell: (row) => (row.claims ? tallies(row.claims) : "–"),
        csv: Object.keys(VERDICTS).map((words, v) => [words, (row) => (row.claims ? row.claims[v] : null)]) },
    ];
  }

  function drawStore(body, data) {
    const missing = data.documents.reduce((sum, row) => sum + row.cells - row.done, 0);
    if (missing)
      body.append(el("p", { class: "notice", role: "note" },
          [el("strong", { text: "Unfinished: " }), cosched.human.units(missing, "run") +
        " of this store " + (missing === 1 ? "is" : "are") + " still to do" +
            (data.busy ? ", and are being done now." : ".")]));
    cosched.table(body, { label: "Documents", noun: ["document", "documents"], columns: documentColumns(),
        rows: data.documents, command: (row) => row.command });
  }

  function drawOrigin(body, data) {
    const when = (name) => ({ title: name, key: (row) => row[name], csv: [[name, (row) => row[name]]],
      cell: (row) => (row[name] === null ? "–"
          : new Date(1000 * row[name]).toISOString().replace("T", " ").replace(/\..*/, " UTC")) });
    body.append(facts([["store", data.file]]));
    part(body, "Runs of the program",
        (box) => cosched.table(box, { label: "Runs of the program", noun: ["run", "runs"], rows: data.runs,
      columns: [when("started"), when("ended"), plain("host", "host"), plain("threads", "threads", { numeric: true }),
        plain("version", "version"), plain("typed", "command")] }));
    part(body, "Documents", (box) =>
        cosched.table(box, { label: "Documents and their digests", noun: ["document", "documents"],
        rows: data.documents,
      columns: [plain("name", "name"), plain("file", "file"),
          { title: "SHA-256", key: (row) => row.sha256, cell: (row) => el("code", { text: row.sha256 }) }] }), true);
    if (data.inputs.length)
      part(body, "Files that were read",
          (box) => cosched.table(box, { label: "Files that were read", noun: ["file", "files"], rows: data.inputs,
        columns: [plain("file", "path"),
            { title: "SHA-256", key: (row) => row.sha256, cell: (row) => el("code", { text: row.sha256 }) }] }));
  }

  cosched.section("document", drawDocument);
  cosched.section("store", drawStore);
  cosched.section("origin", drawOrigin);
})();
