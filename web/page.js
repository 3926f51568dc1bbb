/* page.js - files and controls become commands, their answers become results side by side. */
"use strict";

const playground = (() => {
  const { at, el, say, line, link, copy } = dom;
  const examples = JSON.parse(at("examples").textContent);
  let commands = {}, last = null, kept = null, running = false;

  /* What there is. */

  const command = () => at("command").value;

  /* The commands, those first that take the files. */
  function offer(chosen) {
    const option = (name) => el("option", { value: name, textContent: `${name}: ${commands[name]}`, selected: name === chosen });
    const names = Object.keys(commands), suit = names.filter(files.suits), rest = names.filter((name) => !suit.includes(name));
    at("command").replaceChildren(...(suit.length ? [el("optgroup", { label: "takes these files" }, ...suit.map(option))] : []),
      el("optgroup", { label: suit.length ? "takes others" : "all" }, ...rest.map(option)));
  }

  async function choose(name, wanted = { values: {}, policies: [] }) {
    offer(name);
    say("reading the tables of the tool ...");
    await controls.make(name, wanted);
    showLine();
    say("");
  }

  /* What suits the files, or what is chosen already when that takes them. */
  async function settle() {
    const found = files.suits(command()) ? command() : files.likeliest(Object.keys(commands));
    if (found && found !== command()) return choose(found);
    offer(command());
    return showLine();
  }

  async function takeFiles(list) {
    at("sent").replaceChildren();
    at("example").value = "";
    say("looking at it ...");
    for (const [index, given] of [...list].entries()) {
      const bytes = new Uint8Array(await given.arrayBuffer());
      if (given.name.endsWith(".cosched.json")) return takeSaved(given, bytes);
      await takeOne(given.name, bytes, index === 0);
    }
    say("");
    return settle();
  }

  /* A new file takes the place of the others, unless it goes with one of them, as a platform with graphs. */
  async function takeOne(name, bytes, first) {
    const before = Object.entries(files.bytes);
    if (first) files.clear();
    const told = await files.take(name, bytes);
    const goes = told && told.commands.some((use) => use.option && use.command === command());
    if (first && goes) for (const [other, content] of before) if (!(other in files.bytes)) await files.take(other, content);
  }

  async function takeExample(name) {
    const example = examples[name];
    if (!example) return;
    at("example").value = name;
    files.clear();
    for (const [file, text] of Object.entries(example.files)) await files.take(file, new TextEncoder().encode(text));
    await choose(example.command, example);
  }

  /* Commands. */

  function words(ways) {
    const { operands, options } = files.given(command());
    const lists = ways.filter(([, names]) => names.length).flatMap(([name, names]) => ["--" + name, names.join(",")]);
    const listed = ways.map(([name]) => name);
    const said = Object.entries({ ...options, ...controls.values() }).filter(([name]) => !listed.includes(name))
      .flatMap(([name, value]) => (value === true ? ["--" + name] : ["--" + name, value]));
    return [...command().split(" "), ...operands, ...said, ...lists];
  }

  function showLine() {
    const { unused } = files.given(command());
    at("line").textContent = line(words(controls.ways()));
    at("chosen").textContent = controls.chosen();
    at("unused").textContent = unused.length && files.suits(command()) ? `${unused.join(", ")}: not used by ${command()}` : "";
    at("run").disabled = running || !files.suits(command());
  }

  const file = (names) => names.join("-").replace(/[^\w-]/g, "_") + ".json";

  /* Each way of several, at most six of them. */
  function singles(ways) {
    let all = [[]];
    for (const [name, names] of ways) all = all.flatMap((one) => names.map((value) => [...one, [name, [value]]]));
    return all.slice(0, 6);
  }

  const report = (plans, given, title) => tool.run(["report", ...plans, "--output", "report.html", "--title", title], given);

  async function pageAlone(all) {
    const option = command() === "replay" ? "--report" : "--output";
    const told = await tool.run([...all, option, "report.html"], files.bytes);
    return { command: all, told, files: told.files, page: told.files["report.html"] };
  }

  async function judged(all) {
    const told = await tool.run(all, files.bytes);
    const page = await report(files.given(command()).operands, files.bytes, "check");
    return { command: all, told, files: {}, page: page.files["report.html"] };
  }

  /* What is printed, a schedule for each way, and a page of them. */
  async function planned(all, ways) {
    const each = singles(ways), one = each.length < 2;
    const told = await tool.run(one ? [...all, "--output", "result.json"] : all, files.bytes);
    const made = { ...told.files };
    for (const way of one || told.status ? [] : each) {
      const name = file(way.map(([, names]) => names[0]));
      const single = await tool.run([...words(way), "--output", name], files.bytes);
      Object.assign(made, single.files);
      if (single.status) break;
    }
    const plans = Object.keys(made).filter((name) => name.endsWith(".json"));
    const page = plans.length ? await report(plans, { ...files.bytes, ...made }, command()) : null;
    return { command: all, told, files: made, page: page && page.files["report.html"] };
  }

  function answer() {
    const ways = controls.ways(), all = words(ways);
    if (command() === "check") return judged(all);
    return command() === "replay" || command() === "report" ? pageAlone(all) : planned(all, ways);
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
    const inputs = { ...files.bytes };
    last = { ...(await limited(answer)), inputs };
    const said = last.told.status ? `ended with status ${last.told.status}` : `done in ${((performance.now() - started) / 1000).toFixed(2)} s`;
    showResults();
    await showDifferences();
    running = false;
    at("stop").disabled = true;
    at("run").disabled = !files.suits(command());
    at("keep").disabled = last.told.status !== 0;
    controls.point(last.told.status ? last.told.err : "");
    say(said);
  }

  function showResults() {
    at("results").replaceChildren(...(kept ? [results.article(kept, "kept")] : []), ...(last && last !== kept ? [results.article(last, "now")] : []));
  }

  async function showDifferences() {
    at("differences").replaceChildren();
    if (!kept || kept === last || last.told.status) return;
    say("comparing ...");
    try {
      await limited(() => results.showDifferences(kept, last));
    } catch (error) {
      at("differences").replaceChildren(el("p", { textContent: "the two are not compared: " + error.message }));
    }
  }

  /* Links. */

  const question = () => ({ command: command(), values: controls.values(), policies: controls.policies(), files: share.packed(files.bytes) });
  const linkOf = () => share.link(question());

  async function copyLink() {
    const made = await linkOf();
    if (!made) {
      const size = Object.values(files.bytes).reduce((sum, bytes) => sum + bytes.length, 0);
      at("sent").replaceChildren(link("question.cosched.json", new TextEncoder().encode(JSON.stringify({ v: 1, ...question() }))));
      return say(`${size.toLocaleString("en")} bytes of files are too many for a link; this file holds the question, send it instead (who gets it drops it here):`);
    }
    history.replaceState(null, "", made);
    await copy(location.href, "the link is copied, with the files in it");
  }

  /* The question of a link, which nothing runs; without one the first example, with its result. */
  async function fromLink() {
    const given = await share.open(location.hash).catch(() => null);
    if (given) return takeQuestion(given);
    if (location.hash.startsWith("#1=")) return say("this link is damaged");
    await takeExample(Object.keys(examples)[0]);
    return run();
  }

  async function takeQuestion(given) {
    const unpacked = share.unpacked(given.files);
    files.clear();
    at("example").value = "";
    for (const [name, bytes] of Object.entries(unpacked)) await files.take(name, bytes);
    return choose(given.command in commands ? given.command : Object.keys(commands)[0], { values: given.values, policies: given.policies });
  }

  async function takeSaved(given, bytes) {
    try {
      await takeQuestion(JSON.parse(tool.text(bytes)));
    } catch (error) {
      say(`${given.name} is no question that this page wrote: ${error.message}`);
    }
  }

  function listen() {
    at("choose").onchange = (event) => takeFiles(event.target.files);
    at("drop").ondragover = (event) => { event.preventDefault(); at("drop").classList.add("over"); };
    at("drop").ondragleave = () => at("drop").classList.remove("over");
    at("drop").ondrop = (event) => { event.preventDefault(); at("drop").classList.remove("over"); takeFiles(event.dataTransfer.files); };
    at("example").onchange = (event) => takeExample(event.target.value);
    at("take").onclick = () => takeFiles([new File([at("paste").value], "pasted.txt")]);
    at("command").onchange = () => choose(command(), { values: controls.values(), policies: [] });
    at("run").onclick = run;
    at("stop").onclick = () => tool.stop();
    at("keep").onclick = () => { kept = last; say("kept: the next result stands beside it"); };
    at("copy").onclick = () => copy(at("line").textContent, "the command is copied");
    at("link").onclick = copyLink;
    controls.changed = showLine;
    files.changed = settle;
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
    const known = await controls.asked("help");
    commands = Object.fromEntries(known.filter((row) => /^(plan|simulate|replay|check|report)\b/.test(row.command)).map((row) => [row.command, row.summary]));
    at("example").append(el("option", { value: "", textContent: "none of them" }), ...Object.keys(examples).map((name) => el("option", { value: name, textContent: name })));
    offer(null);
    listen();
    await fromLink();
    document.documentElement.dataset.ready = "true";
    stay();
  }

  start();
  return { linkOf };
})();
