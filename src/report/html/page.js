/* page.js - what all sections of a report share.
 *
 *   cosched.section(kind, draw)      draw(body, data, section) for each section of that kind
 *   cosched.el(name, attributes, children)  an element; "text", "on" ({event: function}) and "data"
 *                                    are not attributes; children are elements or texts
 *   cosched.svg(name, attributes, children) the same for SVG
 *   cosched.color(name)              the value of --name in the theme that is seen now
 *   cosched.dark()                   is that theme dark?
 *   cosched.onTheme(draw)            call draw whenever the theme has changed
 *   cosched.still()                  should nothing move (prefers-reduced-motion)?
 *   cosched.tooltip.show(node, x, y), .hide()   one box at a point of the window
 *   cosched.announce(text)           to screen readers
 *   cosched.copy(text)               to the clipboard; a promise of true or false
 *   cosched.human                    duration, count, units, percent, fixed, digits: as in human.h
 *   cosched.ticks                    linear, whole, time: [{at, label}, ...], as in axis.h
 */
"use strict";

const cosched = (() => {
  const kinds = new Map();
  const listeners = [];

  /* Elements. */

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "text") element.textContent = value;
      else if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      else if (name === "data") Object.assign(element.dataset, value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    for (const child of [].concat(children === undefined ? [] : children))
      if (child !== null && child !== undefined) element.append(child);
    return element;
  }

  const el = (name, attributes, children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

  /* Themes. */

  const wantsDark = matchMedia("(prefers-color-scheme: dark)");
  const wantsStill = matchMedia("(prefers-reduced-motion: reduce)");

  function remembered() {
    try { return localStorage.getItem("cosched-theme"); } catch (e) { return null; }
  }

  function remember(theme) {
    try { localStorage.setItem("cosched-theme", theme); } catch (e) { /* a page may have no storage */ }
  }

  const theme = () => document.documentElement.dataset.theme || "auto";
  const dark = () => theme() === "dark" || (theme() === "auto" && wantsDark.matches);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const changed = () => listeners.forEach((draw) => draw());

  function choose(name) {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
  }

  function addThemes() {
    const group = el("fieldset", { class: "themes" }, el("legend", { class: "unseen", text: "Theme" }));
    const stored = remembered();
    choose(stored === "light" || stored === "dark" ? stored : "auto");
    for (const [name, words] of [["light", "Light"], ["auto", "Auto"], ["dark", "Dark"]]) {
      const input = el("input", {
        type: "radio", name: "theme", value: name, id: "theme-" + name,
        on: { change: () => { choose(name); remember(name); changed(); } },
      });
      input.checked = theme() === name;
      group.append(input, el("label", { for: "theme-" + name, text: words }));
    }
    document.getElementById("tools").append(group);
    wantsDark.addEventListener("change", changed);
    matchMedia("(forced-colors: active)").addEventListener("change", changed);
  }

  /* Words for everybody and for screen readers. */

  let voice = null, box = null, waiting = 0;

  function announce(text) {
    clearTimeout(waiting);
    waiting = setTimeout(() => { voice.textContent = text; }, 60);
  }

  const tooltip = {
    show(node, x, y) {
      const margin = 12, gap = 14;
      box.replaceChildren(node);
      box.hidden = false;
      const width = box.offsetWidth, height = box.offsetHeight;
      const right = x + gap + width + margin <= innerWidth;
      const below = y + gap + height + margin <= innerHeight;
      const left = right ? x + gap : Math.max(margin, x - gap - width);
      const top = below ? y + gap : Math.max(margin, y - gap - height);
      box.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
    },
    hide() { box.hidden = true; },
  };

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (e) {
      const area = el("textarea", { class: "unseen", "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  }

  /* Numbers as people read them; the same words as human.c. */

  const grouped = (digits) => {
    const [whole, part] = digits.split(".");
    const commas = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return part === undefined ? commas : commas + "." + part;
  };
  const unbounded = (value) => (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");

  function power(value, digits) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return short + "e" + Number(exponent);
  }

  function fixed(value, digits) {
    if (!Number.isFinite(value)) return unbounded(value);
    if (Math.abs(value) >= 1e15) return value.toExponential(digits);
    const text = Math.abs(value).toFixed(digits);
    return (value < 0 && /[1-9]/.test(text) ? "-" : "") + grouped(text);
  }

  function digits(value, wanted) {
    if (!Number.isFinite(value)) return unbounded(value);
    const size = Number(Math.abs(value).toExponential(wanted - 1).split("e")[1]);
    if (value !== 0 && (size < -4 || size >= 15)) return power(value, wanted);
    const text = grouped(Math.abs(value).toFixed(Math.max(0, wanted - 1 - size)));
    return (value < 0 ? "-" : "") + (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  }

  const pad = (number) => String(number).padStart(2, "0");
  const two = (whole, big, rest, small) => whole + " " + big + (rest ? " " + rest + " " + small : "");

  function short(seconds) {
    for (const [size, unit] of [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]])
      if (seconds >= 0.9995 * size) return digits(seconds / size, 3) + " " + unit;
    return digits(seconds / 1e-9, 3) + " ns";
  }

  function long(seconds) {
    const s = Math.round(seconds), m = Math.round(seconds / 60), h = Math.round(seconds / 3600);
    if (seconds < 3599.5) return two(Math.floor(s / 60), "min", s % 60 && pad(s % 60), "s");
    if (seconds < 86370) return two(Math.floor(m / 60), "h", m % 60 && pad(m % 60), "min");
    if (seconds < 8640000) return two(Math.floor(h / 24), "d", h % 24, "h");
    return digits(seconds / 86400, 3) + " d";
  }

  function duration(seconds) {
    if (!Number.isFinite(seconds)) return seconds === Infinity ? "never" : "?";
    if (seconds < 0) return "-" + duration(-seconds);
    return seconds === 0 ? "0 s" : seconds < 59.95 ? short(seconds) : long(seconds);
  }

  const count = (value) => grouped(String(value));
  const units = (value, unit) => count(value) + " " + unit + (value === 1 ? "" : "s");
  const percent = (part, places) => (Number.isFinite(part) ? fixed(100 * part, places) + " %" : "?");

  /* Round numbers along axes; the same choices as axis.c. */

  function roundStep(least) {
    let exponent = Math.floor(Math.log10(least));
    for (const mantissa of [1, 2, 5]) if (mantissa * 10 ** exponent >= least * (1 - 1e-9)) return { mantissa, exponent };
    return { mantissa: 1, exponent: exponent + 1 };
  }

  const multiple = (step, times) =>
    step.exponent < 0 ? (times * step.mantissa) / 10 ** -step.exponent : times * step.mantissa * 10 ** step.exponent;

  function places(step) {
    const whole = Math.max(0, -step.exponent);
    for (const more of [0, 1, 2]) if (Number.isInteger(step.mantissa * [1, 2, 4][more])) return whole + more;
    return whole + 2;
  }

  function tickLabel(value, after) {
    const size = Math.abs(value);
    if (size > 0 && (size < 1e-4 || size >= 1e7)) return power(value, 4);
    return fixed(value, after > 4 && value === 0 ? 0 : after);
  }

  function along(low, high, step, scale) {
    const size = multiple(step, 1), slack = 1e-9 * (high - low), ticks = [];
    const last = Math.floor((high + slack) / size);
    for (let i = Math.ceil((low - slack) / size); i <= last && ticks.length < 64; i++) {
      const value = i === 0 ? 0 : multiple(step, i);
      ticks.push({ at: value * scale, label: tickLabel(value, places(step)) });
    }
    return ticks;
  }

  const least = (low, high, wanted) => (high - low) / Math.min(Math.max(wanted, 1), 63);
  const timeUnits = [[2e-6, "ns", 1e-9], [2e-3, "µs", 1e-6], [2, "ms", 1e-3], [120, "s", 1], [7200, "min", 60], [172800, "h", 3600]];
  const timeSteps = {
    min: [0.25, 0.5, 1, 2, 5, 10, 15, 20, 30, 60],
    h: [0.25, 0.5, 1, 2, 3, 4, 6, 12, 24],
    d: [0.25, 0.5, 1, 2, 5, 7, 10, 14, 20, 30, 50],
  };

  function timeUnit(span) {
    for (const [longest, name, seconds] of timeUnits) if (span < longest) return { name, seconds };
    return { name: "d", seconds: 86400 };
  }

  function timeStep(smallest, unit) {
    for (const step of timeSteps[unit.name] || [])
      if (step >= smallest * (1 - 1e-9)) return { mantissa: step, exponent: 0 };
    return roundStep(smallest);
  }

  const ticks = {
    linear: (low, high, wanted) => along(low, high, roundStep(least(low, high, wanted)), 1),
    whole: (low, high, wanted) => along(low, high, roundStep(Math.max(1, least(low, high, wanted))), 1),
    unit: timeUnit,
    time(low, high, wanted, unit) {
      const from = low / unit.seconds, to = high / unit.seconds;
      return along(from, to, timeStep(least(from, to, wanted), unit), unit.seconds);
    },
  };

  /* Sections. */

  function drawSection(section) {
    const body = section.querySelector(".body");
    const draw = kinds.get(section.dataset.kind);
    try {
      if (!draw) throw new Error("nothing draws sections of the kind " + section.dataset.kind);
      draw(body, JSON.parse(section.querySelector("script").textContent), section);
    } catch (error) {
      body.append(el("p", { class: "notice", role: "alert", text: "This part cannot be shown: " + error.message }));
      console.error(error);
    }
  }

  function addContents(sections) {
    const list = el("ul");
    for (const section of sections)
      list.append(el("li", {}, el("a", { href: "#" + section.id, text: section.querySelector("h2").textContent })));
    document.getElementById("main").before(el("nav", { "aria-label": "Sections" }, list));
  }

  /* The heading of the only section says nothing new when it is that of the page. */
  function alone(section) {
    const heading = section.querySelector("h2");
    section.classList.add("alone");
    heading.classList.toggle("unseen", heading.textContent === document.querySelector("h1").textContent);
  }

  function start() {
    const sections = [...document.querySelectorAll("section[data-kind]")];
    document.documentElement.classList.add("live");
    voice = el("div", { class: "unseen", "aria-live": "polite", id: "voice" });
    box = el("div", { id: "tooltip", "aria-hidden": "true" });
    box.hidden = true;
    document.body.append(voice, box);
    addThemes();
    if (sections.length > 1) addContents(sections);
    else sections.forEach(alone);
    sections.forEach(drawSection);
    document.documentElement.dataset.ready = "true";
  }

  document.addEventListener("DOMContentLoaded", start);

  return {
    section: (kind, draw) => kinds.set(kind, draw),
    el, svg, color, dark, tooltip, announce, copy, ticks,
    onTheme: (draw) => listeners.push(draw),
    still: () => wantsStill.matches,
    human: { duration, count, units, percent, fixed, digits },
  };
})();
