/* compare.js - the numbers of a result, and how those of two results differ.
 *
 *   compare.figures(text)          what --format json prints, as {way: {name: number}}; a way is "easy, lpt" or "fcfs"
 *   compare.rows(before, after)    [{name, before, after, difference, share}] of what two ways both have
 *   compare.pair(before, after)    the ways of two results that are best compared: of the same name, else the first of each
 *
 * Of values over scenarios it is their mean; times that were measured are left out.
 */
"use strict";

const compare = (() => {
  const WORDS = ["policy", "priority", "on_end", "on_failure", "set"];
  const MEASURED = /^(milliseconds|seconds_of_work)$/;

  const number = (value) => (value && typeof value === "object" ? value.mean : value);

  function numbers(row) {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, number(value)])
      .filter(([name, value]) => typeof value === "number" && !MEASURED.test(name)));
  }

  function way(row) {
    const words = WORDS.map((name) => row[name]).filter((word) => word !== null && word !== undefined);
    return words.length ? words.join(", ") : row.name || "result";
  }

  function figures(text) {
    const document = JSON.parse(text);
    return Object.fromEntries((document.results || document.rows || [document]).map((row) => [way(row), numbers(row)]));
  }

  function rows(before, after) {
    return Object.keys(before).filter((name) => name in after).map((name) => {
      const difference = after[name] - before[name];
      return { name, before: before[name], after: after[name], difference, share: before[name] ? difference / Math.abs(before[name]) : null };
    });
  }

  function pair(before, after) {
    const common = Object.keys(before).find((name) => name in after);
    return common ? [common, common] : [Object.keys(before)[0], Object.keys(after)[0]];
  }

  return { figures, rows, pair };
})();
