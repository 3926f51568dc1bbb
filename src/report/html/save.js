/* save.js - the figure as one SVG file that needs no style sheet.
 *
 *   cosched.saveFigure(grid, name)   all panels of a figure as they stand, with their titles and a legend
 */
"use strict";

(() => {
  const STYLES = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linejoin", "font-size", "font-weight",
    "opacity", "visibility",
  ];
  const PLAIN = { "fill-opacity": "1", "stroke-opacity": "1", "opacity": "1", "visibility": "visible" };
  const GAP = 20, TITLE = 22, LEGEND = 26;

  /* What style sheets say, said by attributes. */
  function inline(from, to) {
    const style = getComputedStyle(from);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && value !== PLAIN[name]) to.setAttribute(name, value);
    }
    for (const name of ["class", "style", "tabindex", "role", "aria-label", "aria-hidden"]) to.removeAttribute(name);
    [...from.children].forEach((child, c) => inline(child, to.children[c]));
  }

  function copyOf(node, x, y) {
    const copy = node.cloneNode(true);
    inline(node, copy);
    copy.setAttribute("x", x);
    copy.setAttribute("y", y);
    return copy;
  }

  function words(text, x, y, weight) {
    const color = cosched.color("text");
    return cosched.svg("text", { x, y, fill: color, "font-size": "13px", "font-weight": weight, text });
  }

  /* The buttons of the lines that are shown, as a row under the title; gives back the lower end. */
  function addLegend(root, legend, width) {
    let x = 10, y = 10;
    for (const button of legend.querySelectorAll("button[aria-pressed=true]")) {
      const room = button.getBoundingClientRect().width + 10;
      if (x > 10 && x + room > width) { x = 10; y += LEGEND; }
      root.append(copyOf(button.querySelector("svg"), x, y), words(button.textContent, x + 36, y + 12, null));
      x += room;
    }
    return x > 10 || y > 10 ? y + LEGEND : 0;
  }

  function build(grid, legend) {
    const place = grid.getBoundingClientRect(), width = Math.round(place.width) + GAP;
    const root = cosched.svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": "system-ui, sans-serif" });
    root.append(cosched.svg("rect", { width: "100%", height: "100%", fill: cosched.color("background") }));
    const top = addLegend(root, legend, width);
    let bottom = top;
    for (const figure of grid.querySelectorAll("figure")) {
      const chart = figure.querySelector("svg"), box = chart.getBoundingClientRect();
      const title = figure.querySelector("figcaption");
      const x = Math.round(box.x - place.x) + GAP / 2, y = Math.round(box.y - place.y) + top + GAP;
      if (title) root.append(words(title.textContent, x + 40, y - TITLE / 3, "600"));
      root.append(copyOf(chart, x, y));
      bottom = Math.max(bottom, y + box.height);
    }
    root.setAttribute("width", width);
    root.setAttribute("height", Math.ceil(bottom) + GAP / 2);
    return root;
  }

  cosched.saveFigure = (grid, legend, name) => {
    const text = new XMLSerializer().serializeToString(build(grid, legend));
    const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    const link = cosched.el("a", { href: url, download: name.replace(/\W+/g, "-").replace(/^-|-$/g, "") + ".svg" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
    return text;
  };
})();
