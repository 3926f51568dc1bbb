/* tool.js - the tool in its worker.
 *
 *   tool.run(words, files)   a promise of {status, out, err, files}; files are {name: bytes}
 *   tool.stop(why)           ends what runs; its promise says why
 *   tool.unpack(text)        base64 of gzip, as bytes; tool.text(bytes)
 */
"use strict";

const tool = (() => {
  const waiting = new Map();
  let worker = null, next = 0;

  async function unpack(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  const module = unpack(document.getElementById("wasm").textContent);

  async function start() {
    const source = ["glue", "worker"].map((id) => document.getElementById(id).textContent).join("\n");
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const made = new Worker(address);
    made.onmessage = ({ data }) => {
      const answer = waiting.get(data.id);
      waiting.delete(data.id);
      if (answer) answer(data);
    };
    made.postMessage({ module: await module });
    return made;
  }

  async function run(words, files) {
    worker = worker || start();
    const id = ++next, here = await worker;
    return new Promise((answer) => {
      waiting.set(id, answer);
      here.postMessage({ id, words, files });
    });
  }

  async function stop(why = "stopped") {
    const old = worker, asked = [...waiting.values()];
    worker = null;
    waiting.clear();
    if (old) (await old).terminate();
    for (const answer of asked) answer({ status: 130, out: "", err: why + "\n", files: {} });
  }

  return { run, stop, unpack, text: (bytes) => new TextDecoder().decode(bytes) };
})();
