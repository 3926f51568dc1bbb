/* worker.js - runs commands of the tool, each in an instance of its own, where the page stays free.
 *
 * Asked {module} once (the bytes of the WebAssembly), then {id, words, files: {name: bytes}};
 * answers {id, status, out, err, files: {name: bytes}} with what the command wrote.
 */
"use strict";

let compiled = null;

async function execute({ words, files }) {
  const out = [], err = [], decoder = new TextDecoder();
  const tool = await createCosched({
    instantiateWasm(imports, done) {
      compiled.then((module) => WebAssembly.instantiate(module, imports)).then(done);
      return {};
    },
    preRun: [(module) => {
      Object.assign(module.ENV, { TERM: "dumb", NO_COLOR: "1", COLUMNS: "100", LC_ALL: "C.UTF-8" });
      module.FS.init(() => null, (byte) => out.push(byte & 255), (byte) => err.push(byte & 255));
    }],
    noInitialRun: true,
  });
  tool.FS.mkdir("/work");
  tool.FS.chdir("/work");
  for (const [name, bytes] of Object.entries(files)) tool.FS.writeFile(name, bytes);
  let status;
  try {
    status = tool.callMain(words);
  } catch (error) {
    if (error.name !== "ExitStatus") throw error;
    status = error.status;
  }
  const made = {};
  for (const name of tool.FS.readdir("/work"))
    if (name !== "." && name !== ".." && !(name in files)) made[name] = tool.FS.readFile(name);
  const text = (bytes) => decoder.decode(new Uint8Array(bytes));
  return { status, out: text(out), err: text(err), files: made };
}

self.onmessage = async ({ data }) => {
  try {
    if (data.module) compiled = WebAssembly.compile(data.module);
    else self.postMessage({ id: data.id, ...(await execute(data)) });
  } catch (error) {
    self.postMessage({ id: data.id, status: 134, out: "", err: "the tool broke off: " + error.message + "\n", files: {} });
  }
};
