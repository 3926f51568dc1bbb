/* share.js - a question as the part of a link behind "#", and back; no server sees that part.
 *
 *   share.packed(files)     bytes as what JSON can hold: a text, or {base64} where they are none
 *   share.unpacked(files)   and back
 *
 *   share.link(question)    a promise of "#1=...", or of null when it is too long for a link
 *   share.open(fragment)    a promise of the question, or of null
 *
 * A question is {command, values, policies, files: {name: text or {base64}}}.
 */
"use strict";

const share = (() => {
  const LONGEST = 8000;

  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  const letters = (bytes) => { let text = ""; for (const byte of bytes) text += String.fromCharCode(byte); return text; };

  function one(bytes) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      return { base64: btoa(letters(bytes)) };
    }
  }

  const back = (value) => (typeof value === "string" ? new TextEncoder().encode(value)
    : Uint8Array.from(atob(value.base64), (letter) => letter.charCodeAt(0)));
  const each = (files, change) => Object.fromEntries(Object.entries(files).map(([name, content]) => [name, change(content)]));
  const packed = (files) => each(files, one), unpacked = (files) => each(files, back);

  async function link(question) {
    const small = await through(new TextEncoder().encode(JSON.stringify(question)), new CompressionStream("deflate-raw"));
    const text = btoa(letters(small));
    const made = "#1=" + text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    return made.length <= LONGEST ? made : null;
  }

  async function open(fragment) {
    if (!fragment.startsWith("#1=")) return null;
    const text = atob(fragment.slice(3).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return JSON.parse(tool.text(await through(bytes, new DecompressionStream("deflate-raw"))));
  }

  return { link, open, packed, unpacked };
})();
