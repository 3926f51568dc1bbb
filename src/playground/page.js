/* page.js - files and controls become commands, their answers become results side by side. */
"use strict";

const playground = (() => {
  const COMMANDS = {
    "plan moldable": "plan, without barriers", "plan pack": "plan packs", "simulate moldable": "plan, and meet chance",
    "simulate malleable": "simulate applications that widen and narrow", "plan ptg": "plan task graphs on clusters",
    "simulate rigid": "simulate jobs that may fail", replay: "replay a job log", "simulate volatile": "simulate hosts that come and go",
  };
  const REPLAY = [
    { name: "nodes", kind: "integer", summary: "so many nodes, which jobs take whole" },
    { name: "procs", kind: "integer", summary: "instead: one pool of so many processors" },
    { name: "priority", kind: "text", summary: "the order of the queue, such as fcfs, sjf, wfp3" },
    { name: "estimates", kind: "choice", choices: ["requested", "exact", "last2"], summary: "what policies believe of run times" },
    { name: "by", kind: "text", summary: "waits also by width, length, user, partition, week" },
  ];
  const FIRST = ["procs", "nodes", "seed", "scenarios", "platform", "mean-failure-probability", "mtbf", "priority"];
  const LIMIT = 64 * 1024 * 1024;
  const examples = JSON.parse(document.getElementById("examples").textContent);
  const at = (id) => document.getElementById(id);
  let files = {}, fields = [], last = null, kept = null, running = false, wanted = { values: {}, policies: [] };

  function el(name, attributes, ...children) {
    const element = Object.assign(document.createElement(name), attributes);
    element.append(...children);
    return element;
  }

  const say = (text) => { at("state").textContent = text; };
  const quoted = (word) => (/^[\w.,:=\/+-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'");

  /* Files. */

  function showFiles() {
    at("files").replaceChildren(...Object.entries(files).map(([name, bytes]) =>
      el("li", {}, `${name} (${bytes.length.toLocaleString("en")} bytes) `,
        el("button", { type: "button", textContent: "remove", ariaLabel: "remove " + name,
          onclick: () => { delete files[name]; showFiles(); showLine(); } }))));
  }

  async function add(name, bytes, only) {
    if (bytes.length > LIMIT) return say(`${name} has ${bytes.length} bytes, more than the 64 MB that this page takes: run the tool itself on it`);
    if (only) files = {};
    files[name.replace(/[^\w.+-]/g, "_")] = bytes;
    const command = guess.command(name, bytes);
    showFiles();
    if (command !== "platform") await choose(command);
    else showLine();
  }

  async function takeExample(name) {
    const example = examples[name];
    if (!example) return;
    files = {};
    for (const [file, text] of Object.entries(example.files)) await add(file, new TextEncoder().encode(text));
    wanted = { values: example.values, policies: example.policies };
    await choose(example.command);
  }

  /* Controls, of the tool's own tables. */

  const problem = () => { const words = at("command").value.split(" "); return words[words.length - 1]; };

  async function table(...words) {
    const answer = await tool.run(["list", ...words, "--format", "json"], {});
    if (answer.status) throw new Error(answer.err);
    return JSON.parse(answer.out);
  }

  async function policies() {
    const from = problem() === "replay" ? "rigid" : problem();
    const found = (await table(from)).filter((row) => row.kind === "policy" && !row.missing && row.name !== "program");
    if (problem() === "replay") return found.filter((row) => !/^shelf|^list$/.test(row.name));
    return found.flatMap((row) => [row, ...Object.keys(row.presets || {}).map((name) => ({ name, summary: row.summary }))]);
  }

  async function choose(command) {
    const verb = command.split(" ")[0];
    at("command").value = command;
    say("reading the tables of the tool ...");
    const skip = /^(policy|format|threads|title|dark|unit|scenario|repeat|on-end|on-failure)$/;
    const rows = verb === "replay" ? REPLAY : (await table(problem(), "--parameters"))
      .filter((row) => row.verbs.includes(verb) && row.kind !== "file" && !skip.test(row.name));
    const names = problem() === "malleable" ? [] : await policies();
    at("policies").replaceChildren(...names.map((row) => el("label", { title: row.summary },
      el("input", { type: "checkbox", name: "policy", value: row.name, checked: wanted.policies.includes(row.name), onchange: showLine }), row.name)));
    fields = rows.map((row) => ({ row, input: control(row) }));
    const show = (field) => el("label", { title: field.row.summary }, "--" + field.row.name, field.input);
    at("first").replaceChildren(...fields.filter((field) => FIRST.includes(field.row.name)).map(show));
    at("rest").replaceChildren(...fields.filter((field) => !FIRST.includes(field.row.name)).map(show));
    wanted = { values: {}, policies: [] };
    showLine();
    say("");
  }

  function control(row) {
    const value = wanted.values[row.name];
    if (row.kind === "flag") return el("input", { type: "checkbox", checked: value === true, onchange: showLine });
    if (row.kind !== "choice") return el("input", { type: "text", value: value || "", placeholder: row.default || "", oninput: showLine });
    const select = el("select", { onchange: showLine }, el("option", { value: "", textContent: row.default ? `(${row.default})` : "" }),
      ...row.choices.map((name) => el("option", { value: name, textContent: name })));
    select.value = value || "";
    return select;
  }

  const values = () => Object.fromEntries(fields.map(({ row, input }) => [row.name, row.kind === "flag" ? input.checked : input.value.trim()])
    .filter(([, value]) => value));
  const chosen = () => [...document.querySelectorAll("[name=policy]:checked")].map((input) => input.value);

  /* Commands. */

  function words(names) {
    const inputs = Object.keys(files).filter((name) => guess.command(name, files[name]) !== "platform" || problem() !== "ptg");
    const platform = Object.keys(files).find((name) => !inputs.includes(name));
    const said = Object.entries(values()).flatMap(([name, value]) => (value === true ? ["--" + name] : ["--" + name, value]));
    if (platform && !values().platform) said.push("--platform", platform);
    if (names.length) said.push("--policy", names.join(","));
    return [...at("command").value.split(" "), ...inputs, ...said];
  }

  function showLine() {
    at("line").textContent = ["cosched", ...words(chosen())].map(quoted).join(" ");
    at("run").disabled = running || !Object.keys(files).length;
  }

  const draws = (command) => command !== "replay";
  const file = (name) => name.replace(/[^\w-]/g, "_") + ".json";

  /* The commands of a result: what is printed, a schedule a way, and a page of them. */
  async function answer() {
    const names = chosen(), command = words(names), made = {};
    if (!draws(command[0])) {
      const told = await tool.run([...command, "--report", "report.html"], files);
      return { command, told, files: told.files, page: told.files["report.html"] };
    }
    const one = names.length < 2;
    const told = await tool.run(one ? [...command, "--output", "result.json"] : command, files);
    Object.assign(made, told.files);
    for (const name of one || told.status ? [] : names.slice(0, 6)) {
      const single = await tool.run([...words([name]), "--output", file(name)], files);
      Object.assign(made, single.files);
      if (single.status) break;
    }
    const shown = Object.keys(made).filter((name) => name.endsWith(".json"));
    const page = shown.length ? await tool.run(["report", ...shown, "--output", "report.html", "--title", command.slice(0, 2).join(" ")], { ...files, ...made }) : null;
    return { command, told, files: made, page: page && page.files["report.html"] };
  }

  /* What --format json prints of a result, asked for once, when it is compared with another. */
  async function figures(result) {
    if (!result.figures) {
      const told = await tool.run([...result.command, "--format", "json"], result.inputs);
      if (told.status) throw new Error(told.err);
      result.figures = compare.figures(told.out);
    }
    return result.figures;
  }

  /* At most so many seconds, as the reader says. */
  async function limited(work) {
    const seconds = Math.min(600, Math.max(1, Number(at("limit").value) || 60));
    const timer = setTimeout(() => tool.stop(`stopped after ${seconds} s, as "at most" says; at home nothing stops it: ${at("line").textContent}`), 1000 * seconds);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  async function run() {
    const started = performance.now();
    if (running) return;
    running = true;
    at("run").disabled = true;
    at("stop").disabled = false;
    say("running ...");
    const inputs = { ...files };
    last = { ...(await limited(answer)), inputs };
    const said = last.told.status ? `ended with status ${last.told.status}` : `done in ${((performance.now() - started) / 1000).toFixed(2)} s`;
    showResults();
    await showDifferences();
    running = false;
    at("stop").disabled = true;
    at("run").disabled = false;
    at("keep").disabled = last.told.status !== 0;
    say(said);
  }

  function download(name, bytes) {
    return el("a", { href: URL.createObjectURL(new Blob([bytes])), download: name, textContent: name });
  }

  function article(result, title) {
    const parts = [el("h3", {}, title + ": " + ["cosched", ...result.command].map(quoted).join(" "))];
    if (result.told.err) parts.push(el("pre", { className: "said", textContent: result.told.err }));
    if (result.told.out) parts.push(el("pre", { className: "told", tabIndex: 0, textContent: result.told.out }));
    if (result.page) {
      const frame = el("iframe", { title: "what it looks like", srcdoc: tool.text(result.page) });
      frame.setAttribute("sandbox", "allow-scripts");
      parts.push(frame);
    }
    const all = { ...result.files, ...(result.page ? { "report.html": result.page } : {}) };
    parts.push(el("p", {}, ...Object.entries(all).flatMap(([name, bytes]) => [download(name, bytes), " "])));
    return el("article", {}, ...parts);
  }

  function showResults() {
    at("results").replaceChildren(...(kept ? [article(kept, "kept")] : []), ...(last && last !== kept ? [article(last, "now")] : []));
  }

  /* Differences of what was kept and what came last. */

  const shown = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 6 }));
  const signed = (value, text) => (value > 0 ? "+" : "") + text;

  function differences(before, after, names) {
    const cells = ({ name, before: a, after: b, difference, share: part }) => [
      el("th", { scope: "row", textContent: name.replace(/_/g, " ") }), el("td", { textContent: shown(a) }), el("td", { textContent: shown(b) }),
      el("td", { textContent: difference ? signed(difference, shown(difference)) : "" }),
      el("td", { textContent: difference && part !== null ? signed(part, (100 * part).toFixed(1) + " %") : "" })];
    const heads = ["", "kept: " + names[0], "now: " + names[1], "difference", "of kept"];
    const rows = compare.rows(before[names[0]], after[names[1]]);
    return el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((textContent) => el("th", { scope: "col", textContent })))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...cells(row)))));
  }

  function showTable(before, after) {
    const names = compare.pair(before, after);
    const table = el("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: "differences" });
    const draw = () => table.replaceChildren(differences(before, after, names));
    const choice = (side, of, label) => el("label", {}, label + " ", el("select", { onchange: (event) => { names[side] = event.target.value; draw(); } },
      ...Object.keys(of).map((name) => el("option", { value: name, textContent: name, selected: name === names[side] }))));
    draw();
    at("differences").replaceChildren(el("h3", { textContent: "Differences" }),
      el("p", {}, choice(0, before, "kept"), " ", choice(1, after, "now")), table);
  }

  async function showDifferences() {
    at("differences").replaceChildren();
    if (!kept || kept === last || last.told.status) return;
    say("comparing ...");
    try {
      showTable(...(await limited(async () => [await figures(kept), await figures(last)])));
    } catch (error) {
      at("differences").replaceChildren(el("p", { textContent: "the two are not compared: " + error.message }));
    }
  }

  /* Links. */

  const question = () => ({ command: at("command").value, values: values(), policies: chosen(), files: share.packed(files) });
  const linkOf = () => share.link(question());

  async function copyLink() {
    const made = await linkOf();
    if (!made) {
      const size = Object.values(files).reduce((sum, bytes) => sum + bytes.length, 0);
      at("sent").replaceChildren(download("question.cosched.json", new TextEncoder().encode(JSON.stringify({ v: 1, ...question() }))));
      return say(`${size.toLocaleString("en")} bytes of files are too many for a link; this file holds the question, send it instead (who gets it drops it here):`);
    }
    history.replaceState(null, "", made);
    await copy(location.href, "the link is copied, with the files in it");
  }

  async function copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch (error) {
      say("this browser lets nobody copy; take it from the address, or by hand");
    }
  }

  async function fromLink() {
    const question = await share.open(location.hash).catch(() => null);
    if (!question) return location.hash.startsWith("#1=") ? say("this link is damaged") : takeExample(Object.keys(examples)[0]);
    return takeQuestion(question);
  }

  async function takeQuestion(question) {
    files = share.unpacked(question.files);
    wanted = { values: question.values, policies: question.policies };
    showFiles();
    return choose(question.command in COMMANDS ? question.command : Object.keys(COMMANDS)[0]);
  }

  async function takeSaved(given, bytes) {
    try {
      await takeQuestion(JSON.parse(tool.text(bytes)));
    } catch (error) {
      say(`${given.name} is no question that this page wrote: ${error.message}`);
    }
  }

  async function takeFiles(list) {
    at("sent").replaceChildren();
    for (const [index, given] of [...list].entries()) {
      const bytes = new Uint8Array(await given.arrayBuffer());
      if (given.name.endsWith(".cosched.json")) await takeSaved(given, bytes);
      else await add(given.name, bytes, index === 0);
    }
  }

  function listen() {
    at("choose").onchange = (event) => takeFiles(event.target.files);
    at("drop").ondragover = (event) => { event.preventDefault(); at("drop").classList.add("over"); };
    at("drop").ondragleave = () => at("drop").classList.remove("over");
    at("drop").ondrop = (event) => { event.preventDefault(); at("drop").classList.remove("over"); takeFiles(event.dataTransfer.files); };
    at("example").onchange = (event) => takeExample(event.target.value);
    at("take").onclick = () => add("pasted.txt", new TextEncoder().encode(at("paste").value), true);
    at("command").onchange = (event) => { wanted = { values: values(), policies: [] }; choose(event.target.value); };
    at("run").onclick = run;
    at("stop").onclick = () => tool.stop();
    at("keep").onclick = () => { kept = last; say("kept: the next result stands beside it"); };
    at("copy").onclick = () => copy(at("line").textContent, "the command is copied");
    at("link").onclick = copyLink;
  }

  /* From a server the page stays for visits without a network; a file is there anyway. */
  async function stay() {
    if (!location.protocol.startsWith("http") || !navigator.serviceWorker) return;
    navigator.serviceWorker.onmessage = (event) => { document.documentElement.dataset.kept = event.data; };
    try {
      await navigator.serviceWorker.register("playground-offline.js");
      (await navigator.serviceWorker.ready).active.postMessage(location.href.split("#")[0]);
    } catch (error) {
      document.documentElement.dataset.kept = false;
    }
  }

  async function start() {
    at("example").append(el("option", { value: "" }), ...Object.keys(examples).map((name) => el("option", { value: name, textContent: name })));
    at("command").append(...Object.entries(COMMANDS).map(([name, about]) => el("option", { value: name, textContent: `${name}: ${about}` })));
    listen();
    await fromLink();
    document.documentElement.dataset.ready = "true";
    stay();
  }

  start();
  return { linkOf };
})();
