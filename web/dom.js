/* dom.js - what every part of the page does with elements and words. */
"use strict";

const dom = (() => {
  const at = (id) => document.getElementById(id);

  function el(name, attributes, ...children) {
    const element = Object.assign(document.createElement(name), attributes);
    element.append(...children);
    return element;
  }

  const say = (text) => { at("state").textContent = text; };
  const quoted = (word) => (/^[\w.,:=\/+-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'");
  const line = (words) => ["cosched", ...words].map(quoted).join(" ");

  function link(name, bytes) {
    return el("a", { href: URL.createObjectURL(new Blob([bytes])), download: name, textContent: name });
  }

  async function copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch (error) {
      say("this browser lets nobody copy; take it from the address, or by hand");
    }
  }

  return { at, el, say, quoted, line, link, copy };
})();
