/* files.js - the files that are there, and what the tool says of each.
 *
 *   files.bytes                 {name: bytes}
 *   files.take(name, bytes)     asks "cosched inspect"; a promise of {words, commands} or {error}
 *   files.suits(command)        can it do something with what is there?
 *   files.given(command)        {operands: [name], options: {option: name}, unused: [name]}
 *   files.likeliest()           the command for what came last; null when nothing can be read
 */
"use strict";

const files = (() => {
  const { el, at, say } = dom;
  const LIMIT = 64 * 1024 * 1024;
  const all = { bytes: {}, told: {} };
  let changed = () => {};

  function words(name) {
    const { words: said, error } = all.told[name] || {};
    const size = `${all.bytes[name].length.toLocaleString("en")} bytes`;
    return error ? el("span", { className: "wrong", textContent: error }) : el("span", { textContent: `${name}: ${said || "..."} (${size}) ` });
  }

  function show() {
    at("files").replaceChildren(...Object.keys(all.bytes).map((name) => el("li", {}, words(name), " ",
      el("button", { type: "button", textContent: "remove", ariaLabel: "remove " + name, onclick: () => { drop(name); changed(); } }))));
  }

  function drop(name) {
    delete all.bytes[name];
    delete all.told[name];
    show();
  }

  function clear() {
    all.bytes = {};
    all.told = {};
    show();
  }

  const without = (text) => text.replace(/^cosched: /, "").trim();

  async function ask(name) {
    const answer = await tool.run(["what", name, "--format", "json"], { [name]: all.bytes[name] });
    return answer.status ? { error: without(wrong(answer.err)), commands: [] } : JSON.parse(answer.out)[0];
  }

  /* An error is one line of JSON, where JSON was asked for. */
  function wrong(text) {
    try {
      return JSON.parse(text).error;
    } catch (error) {
      return text;
    }
  }

  async function take(given, bytes) {
    const name = given.replace(/[^\w.+-]/g, "_").replace(/^-+/, "") || "file";
    if (bytes.length > LIMIT) return say(`${name} has ${bytes.length.toLocaleString("en")} bytes, more than the 64 MB that this page takes: run the tool itself on it`);
    all.bytes[name] = bytes;
    show();
    const told = await ask(name);
    if (all.bytes[name] === bytes) all.told[name] = told;
    show();
    return told;
  }

  const uses = (name, command) => ((all.told[name] || {}).commands || []).find((use) => use.command === command);

  function given(command) {
    const operands = [], options = {}, unused = [];
    for (const name of Object.keys(all.bytes)) {
      const use = uses(name, command);
      if (!use) unused.push(name);
      else if (use.option) options[use.option] = name;
      else operands.push(name);
    }
    return { operands, options, unused };
  }

  function suits(command) {
    const { operands, options } = given(command);
    return operands.length > 0 || Object.keys(options).length > 0;
  }

  function likeliest(known) {
    const commands = Object.keys(all.bytes).reverse().map((name) => (all.told[name] || {}).commands || []);
    const as = (operand) => commands.flatMap((list) => list.filter((use) => known.includes(use.command) && !use.option === operand));
    const found = as(true)[0] || as(false)[0];
    return found ? found.command : null;
  }

  return { get bytes() { return all.bytes; }, take, clear, show, suits, given, likeliest, wrong, set changed(f) { changed = f; } };
})();
