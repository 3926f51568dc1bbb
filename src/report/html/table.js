/* table.js - tables to sort, to filter and to take along.
 *
 *   cosched.table(box, { label, noun, columns, rows, command, sorted })
 *
 * draws into an element and gives back { show(columns, rows) }.
 *
 *   label    what the table is about, for screen readers
 *   noun     ["run", "runs"]
 *   columns  [{ title, numeric, key(row): by which to sort (null stands last), cell(row): a text or a node,
 *              csv: [[name, value(row)], ...] }]
 *   command  (row): what to type to get the numbers of the row again; or null
 *
 * Only the rows that have been scrolled to are in the page; sorting is stable, and a third click
 * brings back the order of the beginning.
 */
"use strict";

(() => {
  const CHUNK = 80, PRINTED = 1500, FEW = 24;
  const { el } = cosched;

  const textOf = (cell) => (typeof cell === "string" ? cell : cell.textContent);

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  const isNone = (key) => key === null || key === undefined || Number.isNaN(key);

  /* Stable, what has no key last in either direction. */
  function sortRows(rows, key, direction) {
    const keyed = rows.map((row, place) => ({ row, place, key: key(row) }));
    keyed.sort((a, b) => {
      if (isNone(a.key) || isNone(b.key)) return isNone(a.key) - isNone(b.key) || a.place - b.place;
      return direction * compare(a.key, b.key) || a.place - b.place;
    });
    return keyed.map((entry) => entry.row);
  }

  function quoted(value) {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }

  function csvOf(columns, rows, command) {
    const fields = columns.flatMap((column) => column.csv || [[column.title, (row) => textOf(column.cell(row))]]);
    if (command) fields.push(["command", command]);
    const lines = [fields.map((field) => quoted(field[0])),
        ...rows.map((row) => fields.map((field) => quoted(field[1](row))))];
    return lines.map((line) => line.join(",") + "\n").join("");
  }

  async function copyFrom(button, text, what) {
    const done = await cosched.copy(text);
    const was = button.dataset.words || button.textContent;
    button.dataset.words = was;
    button.textContent = done ? "copied" : "cannot copy";
    cosched.announce(done ? what + " copied" : "The browser does not let the page copy");
    setTimeout(() => { button.textContent = was; }, 1500);
  }

  /* A command as text with a button that copies it. */
  function command(text) {
    const button = el("button",
        { type: "button", class: "copy", text: "copy", "aria-label": "Copy the command: " + text });
    button.addEventListener("click", () => copyFrom(button, text, "Command"));
    return el("span", { class: "command" }, [el("code", { text }), button]);
  }

  /* A word is found anywhere, a number only as a whole: 4000 is not in 14000. */
  function finderOf(word) {
    if (!/^\d[\d.,]*$/.test(word)) return (text) => text.includes(word);
    const number = new RegExp("(^|[^\\d.,])" + word.replace(/\./g, "\\.") + "(?![\\d]|[.,]\\d)");
    return (text) => number.test(text);
  }

  class Table {
    constructor(box, options) {
      Object.assign(this, options);
      this.sortedBy = -1;
      this.direction = 1;
      this.search = el("input",
          { type: "search", placeholder: "filter by words", "aria-label": "Filter the rows of: " + options.label,
        spellcheck: "false", on: { input: () => this.filter() } });
      this.state = el("span", { class: "state" });
      const take = el("button", { type: "button", text: "Copy as CSV", on: { click: () =>
        copyFrom(take, csvOf(this.columns, this.seen, this.command), cosched.human.units(this.seen.length, "row")) } });
      this.tools = el("div", { class: "tools" },
          options.rows.length > FEW ? [this.search, this.state, take] : [this.state, take]);
      this.head = el("thead", { role: "rowgroup" });
      this.body = el("tbody", { role: "rowgroup" });
      this.node = el("table", { class: "sortable", role: "table", "aria-label": options.label }, [this.head, this.body]);
      this.scroller = el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": options.label + ", table",
        on: { scroll: () => this.more() } }, this.node);
      box.append(this.tools, this.scroller);
      window.addEventListener("beforeprint", () => this.fill(PRINTED));
      this.show(options.columns, options.rows);
    }

    show(columns, rows) {
      const by = this.sortedBy >= 0 && this.columns[this.sortedBy] ? this.columns[this.sortedBy].title : null;
      this.columns = columns;
      this.rows = rows;
      this.sortedBy = by === null ? -1 : columns.findIndex((column) => column.title === by);
      this.words = null;
      this.drawHead();
      this.arrange();
    }

    drawHead() {
      const cells = this.columns.map((column, c) => {
        const button = el("button", { type: "button", on: { click: () => this.sortBy(c) } },
            [column.title, el("span", { class: "arrow", "aria-hidden": "true" })]);
        return el("th", { scope: "col", role: "columnheader", class: column.numeric ? "numeric" : null, title: column.summary || null },
            button);
      });
      if (this.command) cells.push(el("th", { scope: "col", role: "columnheader", class: "what", text: "command" }));
      this.head.replaceChildren(el("tr", { role: "row" }, cells));
      this.markHead();
    }

    markHead() {
      this.columns.forEach((column, c) => {
        const cell = this.head.rows[0].cells[c];
        cell.setAttribute("aria-sort", c !== this.sortedBy ? "none" : this.direction > 0 ? "ascending" : "descending");
      });
    }

    /* Ascending, descending, and back to the beginning. */
    sortBy(c) {
      if (c !== this.sortedBy) { this.sortedBy = c; this.direction = 1; }
      else if (this.direction > 0) this.direction = -1;
      else this.sortedBy = -1;
      this.markHead();
      this.arrange();
      cosched.announce(this.sortedBy < 0 ? "In the order of the document"
        : "Sorted by " + this.columns[c].title + (this.direction > 0 ? ", ascending" : ", descending"));
    }

    filter() {
      this.arrange();
      cosched.announce(this.state.textContent);
    }

    wordsOf(place) {
      this.words = this.words ||
          this.rows.map((row) => this.columns.map((column) => textOf(column.cell(row))).join(" ").toLowerCase());
      return this.words[place];
    }

    arrange() {
      const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean).map(finderOf);
      this.seen = wanted.length
        ? this.rows.filter((row, place) => wanted.every((finds) => finds(this.wordsOf(place)))) : this.rows;
      if (this.sortedBy >= 0) this.seen = sortRows(this.seen, this.columns[this.sortedBy].key, this.direction);
      this.state.textContent = this.seen.length === this.rows.length ? this.count(this.rows.length)
        : cosched.human.count(this.seen.length) + " of " + this.count(this.rows.length);
      this.node.setAttribute("aria-rowcount", this.seen.length + 1);
      this.body.replaceChildren();
      this.scroller.scrollTop = 0;
      this.fill(CHUNK);
    }

    count(number) {
      return cosched.human.count(number) + " " + this.noun[number === 1 ? 0 : 1];
    }

    more() {
      const { scrollTop, clientHeight, scrollHeight } = this.scroller;
      if (scrollTop + 2 * clientHeight > scrollHeight) this.fill(this.body.rows.length + CHUNK);
    }

    fill(until) {
      const from = this.body.rows.length;
      this.body.append(...this.seen.slice(from, until).map((row, i) => this.drawRow(row, from + i)));
    }

    drawRow(row, place) {
      const cells = this.columns.map((column) =>
          el("td", { role: "cell", data: { title: column.title }, class: column.numeric ? "numeric" : null }, column.cell(row)));
      if (this.command) cells.push(el("td", { role: "cell", data: { title: "command" }, class: "what" }, this.copyButton(row)));
      return el("tr", { role: "row", "aria-rowindex": place + 2 }, cells);
    }

    copyButton(row) {
      const text = this.command(row);
      const button = el("button",
          { type: "button", class: "copy", title: text, "aria-label": "Copy the command: " + text, text: "copy",
        on: { click: () => copyFrom(button, text, "Command") } });
      return button;
    }
  }

  cosched.table = (box, options) => new Table(box, options);
  cosched.command = command;
})();
