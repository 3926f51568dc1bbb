/* controls.js - made of what "cosched help COMMAND --format json" says of its options.
 *
 *   controls.make(command, wanted)   a promise; wanted is {values: {option: text or true}, policies: [name]}
 *   controls.values()                {option: text or true} of what is set
 *   controls.point(sentence)         to the option that a message asks for
 *   controls.ways()                  [[option, [name]]] of lists that make several results
 *   controls.chosen()                a text: the policies that are ticked, or "default"
 */
"use strict";

const controls = (() => {
  const { el, at } = dom;
  const FIRST = ["platform", "procs", "nodes", "seed", "scenarios", "mtbf", "mean-failure-probability"];
  const WAYS = ["policy", "on-end", "on-failure", "priority"];
  const SKIPPED = /^(format|threads|title|dark|scenario|repeat|policy-program|policy-timeout|gantt-view|jobs-format)$/;
  let fields = [], lists = [], changed = () => {};

  async function asked(...words) {
    const answer = await tool.run([...words, "--format", "json"], {});
    if (answer.status) throw new Error(files.wrong(answer.err));
    return JSON.parse(answer.out);
  }

  /* What the names of a list mean, where "cosched list" knows: {option name: summary}. */
  async function meanings(command) {
    const [verb, problem] = command.split(" ");
    const rows = verb === "plan" || verb === "simulate" ? await asked("list", problem) : verb === "replay" ? await asked("list", "rigid") : [];
    const found = {};
    for (const row of verb === "plan" ? rows.reverse() : rows) {
      for (const name of [row.name, ...(row.aliases || "").split("|")]) found[row.kind + " " + name] = row.summary;
      for (const [name, settings] of Object.entries(row.presets || {})) found[row.kind + " " + name] = row.summary + (settings ? ` (${settings})` : "");
    }
    return found;
  }

  /* A list of names: boxes to tick, each with what it means. */
  function boxes(option, ticked, means) {
    const names = option.words.filter((name) => name !== "all" && name !== "program");
    const made = names.map((name) => el("label", {},
      el("input", { type: "checkbox", name: option.name, value: name, checked: ticked.includes(name), onchange: changed }),
      el("span", {}, el("b", { textContent: name }), " ", el("small", { textContent: means[option.name + " " + name] || "" }))));
    lists.push(option.name);
    return el("fieldset", { className: "boxes" }, el("legend", { textContent: `--${option.name}: ${option.summary.split("; ")[0]}` }), el("div", {}, ...made));
  }

  function control(option, value) {
    if (option.kind === "flag") return el("input", { type: "checkbox", checked: value === true, onchange: changed });
    if (option.kind !== "choice") return el("input", { type: "text", value: value || "", placeholder: option.default || "", oninput: changed });
    const select = el("select", { onchange: changed }, el("option", { value: "", textContent: option.default ? `(${option.default})` : "" }),
      ...option.choices.map((name) => el("option", { value: name, textContent: name })));
    select.value = value || "";
    return select;
  }

  /* Words that a text may be, such as the names of platforms that are known. */
  function offers(option, input) {
    if (option.kind !== "text" || !option.words) return [];
    input.setAttribute("list", "words-" + option.name);
    return [el("datalist", { id: "words-" + option.name }, ...option.words.map((value) => el("option", { value })))];
  }

  /* The first option that the sentence names ("give --procs P") and that has not been given. */
  function point(sentence) {
    const named = [...sentence.matchAll(/--([a-z-]+)/g)].map((found) => found[1]);
    const asked = fields.filter(({ option, input }) => named.includes(option.name) && option.kind !== "flag" && !input.value);
    for (const { input } of fields) input.removeAttribute("aria-invalid");
    if (!asked.length) return;
    asked[0].input.setAttribute("aria-invalid", true);
    if (at("more").contains(asked[0].input)) at("more").open = true;
    asked[0].input.focus();
  }

  function field(option, wanted) {
    const input = control(option, wanted.values[option.name]);
    fields.push({ option, input });
    return el("label", { title: `${option.summary} (${option.values})` }, "--" + option.name, input, ...offers(option, input), el("small", { textContent: option.summary }));
  }

  /* The rest, under the headings that help has. */
  function rest(options, wanted) {
    const groups = new Map();
    for (const option of options) groups.set(option.group, [...(groups.get(option.group) || []), option]);
    return [...groups].map(([group, list]) => el("fieldset", {}, el("legend", { textContent: group || "Options" }),
      el("div", { className: "fields" }, ...list.map((option) => field(option, wanted)))));
  }

  async function make(command, wanted) {
    const { options } = await asked("help", ...command.split(" ")), means = await meanings(command);
    const shown = options.filter((option) => option.kind !== "file" && !SKIPPED.test(option.name));
    const many = shown.filter((option) => option.list && option.words), single = shown.filter((option) => !many.includes(option));
    const ticked = (option) => (option.name === "policy" ? wanted.policies : (wanted.values[option.name] || "").split(","));
    fields = [];
    lists = [];
    const main = many.filter((option) => option.name !== "priority" && WAYS.includes(option.name));
    at("policies").replaceChildren(...main.map((option) => boxes(option, ticked(option), means)));
    at("first").replaceChildren(...single.filter((option) => FIRST.includes(option.name)).map((option) => field(option, wanted)));
    at("rest").replaceChildren(...many.filter((option) => !main.includes(option)).map((option) => boxes(option, ticked(option), means)),
      ...rest(single.filter((option) => !FIRST.includes(option.name)), wanted));
    at("more").hidden = !at("rest").children.length;
    at("which").hidden = !main.length;
    at("which").open = at("more").open = false;
  }

  const names = (list) => [...document.querySelectorAll(`input[name="${list}"]:checked`)].map((input) => input.value);

  function values() {
    const set = fields.map(({ option, input }) => [option.name, option.kind === "flag" ? input.checked : input.value.trim()]);
    const ticked = lists.filter((name) => name !== "policy").map((name) => [name, names(name).join(",")]);
    return Object.fromEntries([...set, ...ticked].filter(([, value]) => value));
  }

  const ways = () => lists.filter((name) => WAYS.includes(name)).map((name) => [name, names(name)]).filter(([, found]) => found.length);

  const chosen = () => ways().filter(([name]) => name !== "priority").map(([, found]) => found.join(", ")).join("; ") || "default";

  return { asked, make, point, values, ways, chosen, policies: () => names("policy"), set changed(f) { changed = f; } };
})();
