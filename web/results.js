/* results.js - a result, in tabs; and two of them compared.
 *
 * A result is {command: [word], inputs: {name: bytes}, told: {status, out, err}, files: {name: bytes}, page: bytes or none}.
 */
"use strict";

const results = (() => {
  const { el, at, say, line, link, copy } = dom;
  let made = 0;

  function frame(page, title) {
    const element = el("iframe", { title, srcdoc: tool.text(page) });
    element.setAttribute("sandbox", "allow-scripts");
    return element;
  }

  /* What else can be made of it, when somebody asks: [name, words]. */
  function others(result) {
    const plans = Object.keys(result.files).filter((name) => name.endsWith(".json"));
    const numbers = /^(plan|simulate|replay)$/.test(result.command[0]) && !result.told.status
      ? [["numbers.csv", [...result.command, "--format", "csv"]], ["numbers.json", [...result.command, "--format", "json"]]] : [];
    return [...numbers, ...plans.flatMap((name) => {
      const base = name.replace(/\.json$/, "");
      return [[base + ".svg", ["plot", name, "--output", base + ".svg"]], [base + "_bars.csv", ["convert", name, "--to", "bars"]],
        [base + "_trace.json", ["convert", name, "--to", "trace"]]];
    })];
  }

  function maker(result, name, words) {
    const button = el("button", { type: "button", textContent: "make " + name });
    button.onclick = async () => {
      button.disabled = true;
      const answer = await tool.run(words, { ...result.inputs, ...result.files });
      if (answer.status) return say(files.wrong(answer.err).trim());
      const ready = link(name, answer.files[name] || answer.out);
      button.replaceWith(ready);
      ready.focus();
    };
    return button;
  }

  function listed(result) {
    const all = { ...result.files, ...(result.page ? { "report.html": result.page } : {}) };
    return el("ul", { className: "made" }, ...Object.entries(all).map(([name, bytes]) => el("li", {}, link(name, bytes))),
      ...others(result).map(([name, words]) => el("li", {}, maker(result, name, words))));
  }

  function panels(result) {
    const text = line(result.command), found = [];
    if (result.page) found.push(["Schedule", frame(result.page, "what it looks like")]);
    if (result.told.out) found.push(["Table", el("pre", { className: "told", tabIndex: 0, textContent: result.told.out })]);
    if (result.told.err) found.push(["Messages", el("pre", { className: "said", textContent: result.told.err })]);
    found.push(["Command", el("p", {}, el("code", { textContent: text }), " ",
      el("button", { type: "button", textContent: "Copy", onclick: () => copy(text, "the command is copied") }))]);
    if (Object.keys(result.files).length || result.page) found.push(["Files", listed(result)]);
    return found;
  }

  /* Arrow keys go from tab to tab, as in every program. */
  function tabs(found, label) {
    const number = ++made, id = (kind, i) => `${kind}-${number}-${i}`;
    const heads = found.map(([name], i) => el("button", { type: "button", role: "tab", id: id("tab", i), textContent: name }));
    const bodies = found.map(([, body], i) => el("div", { role: "tabpanel", id: id("panel", i) }, body));
    function open(which, focus) {
      heads.forEach((head, i) => {
        head.setAttribute("aria-selected", i === which);
        head.tabIndex = i === which ? 0 : -1;
        bodies[i].hidden = i !== which;
      });
      if (focus) heads[which].focus();
    }
    heads.forEach((head, i) => {
      head.setAttribute("aria-controls", id("panel", i));
      bodies[i].setAttribute("aria-labelledby", id("tab", i));
      head.onclick = () => open(i);
      head.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) open((i + step + heads.length) % heads.length, true);
      };
    });
    const list = el("div", { role: "tablist", className: "tabs", ariaLabel: label }, ...heads);
    open(0);
    return [list, ...bodies];
  }

  function article(result, title) {
    return el("article", {}, el("h3", { textContent: `${title}: ${line(result.command)}` }), ...tabs(panels(result), title));
  }

  /* Two of them. */

  const shown = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 6 }));
  const signed = (value, text) => (value > 0 ? "+" : "") + text;

  function table(before, after, names) {
    const cells = ({ name, before: a, after: b, difference, share: part }) => [
      el("th", { scope: "row", textContent: name.replace(/_/g, " ") }), el("td", { textContent: shown(a) }), el("td", { textContent: shown(b) }),
      el("td", { textContent: difference ? signed(difference, shown(difference)) : "" }),
      el("td", { textContent: difference && part !== null ? signed(part, (100 * part).toFixed(1) + " %") : "" })];
    const heads = ["", "kept: " + names[0], "now: " + names[1], "difference", "of kept"];
    const rows = compare.rows(before[names[0]], after[names[1]]);
    return el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((textContent) => el("th", { scope: "col", textContent })))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...cells(row)))));
  }

  function chooser(before, after) {
    const names = compare.pair(before, after);
    const place = el("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: "differences" });
    const draw = () => place.replaceChildren(table(before, after, names));
    const choice = (side, of, label) => el("label", {}, label + " ", el("select", { onchange: (event) => { names[side] = event.target.value; draw(); } },
      ...Object.keys(of).map((name) => el("option", { value: name, textContent: name, selected: name === names[side] }))));
    draw();
    return [el("p", {}, choice(0, before, "kept"), " ", choice(1, after, "now")), place];
  }

  /* What --format json prints of a result, asked for once. */
  async function figures(result) {
    if (!result.figures) {
      const told = await tool.run([...result.command, "--format", "json"], result.inputs);
      if (told.status) throw new Error(files.wrong(told.err));
      result.figures = compare.figures(told.out);
    }
    return result.figures;
  }

  const plan = (result) => Object.keys(result.files).find((name) => name.endsWith(".json"));

  /* A schedule of each on one page, where their time scales can be coupled. */
  async function both(kept, now) {
    if (!plan(kept) || !plan(now)) return [];
    const pair = { "kept.json": kept.files[plan(kept)], "now.json": now.files[plan(now)] };
    const answer = await tool.run(["report", "kept.json", "now.json", "--output", "both.html", "--title", "Kept, and now"], pair);
    return answer.status ? [] : [["Schedules", frame(answer.files["both.html"], "both schedules")]];
  }

  async function showDifferences(kept, now) {
    const drawn = await both(kept, now);
    const numbers = chooser(await figures(kept), await figures(now));
    at("differences").replaceChildren(el("h3", { textContent: "Differences" }), ...tabs([["Numbers", el("div", {}, ...numbers)], ...drawn], "differences"));
  }

  return { article, showDifferences };
})();
