/* share.js - a question as the part of a link behind "#", and back; no server sees that part.
 *
 *   share.link(question)    a promise of "#1=...", or of null when it is too long for a link
 *   share.open(fragment)    a promise of the question, or of null
 *
 * A question is {command, values, policies, files: {name: text}}.
 */
"use strict";

const share = (() => {
  const LONGEST = 8000;

  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  async function link(question) {
    const packed = await through(new TextEncoder().encode(JSON.stringify(question)), new CompressionStream("deflate-raw"));
    const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
    const made = "#1=" + text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    return made.length <= LONGEST ? made : null;
  }

  async function open(fragment) {
    if (!fragment.startsWith("#1=")) return null;
    const text = atob(fragment.slice(3).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return JSON.parse(tool.text(await through(bytes, new DecompressionStream("deflate-raw"))));
  }

  return { link, open };
})();
