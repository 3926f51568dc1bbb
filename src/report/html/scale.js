/* scale.js - logarithmic ticks, ends of axes, and means written with their intervals; the rest of numbers is page.js's. */
"use strict";

(() => {
  const digits = cosched.human.digits;

  /* A number for people; what there is none of is a dash. */
  const number = (value, wanted) => (value === null || value === undefined ? "–" : digits(value, wanted));

  /* A mean with the digits that its interval leaves, "5.02 ± 0.13"; a single run is only a number.  What is left by rounding
   * is no interval. */
  function interval(mean, half) {
    if (mean === null || mean === undefined) return "–";
    if (half === null || half === undefined) return digits(mean, 5);
    if (half <= 1e-12 * Math.abs(mean)) return digits(mean, 5) + " ± 0";
    const places = 1 - Math.floor(Math.log10(half));
    if (places > 9 || Math.abs(mean) >= 1e12) return digits(mean, 6) + " ± " + digits(half, 2);
    return cosched.human.fixed(mean, Math.max(places, 0)) + " ± " + cosched.human.fixed(half, Math.max(places, 0));
  }

  /* Powers of ten, with 2 and 5 times them when there are few, and fewer when there are many. */
  function logTicks(low, high, wanted) {
    const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
    const every = Math.max(1, Math.ceil((to - from) / wanted));
    const ticks = (factors) => {
      const found = [];
      for (let p = from; p <= to; p += every)
        for (const factor of factors) {
          const at = Number(factor + "e" + p);
          if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) found.push({ at, label: digits(at, 6) });
        }
      return found;
    };
    for (const factors of [[1], [1, 2, 5]])
      if (ticks(factors).length >= 3) return ticks(factors);
    return cosched.ticks.linear(low, high, wanted);
  }

  /* low .. high with some air; an axis of numbers that are not negative does not show less than 0. */
  function widen(low, high) {
    const air = low === high ? Math.abs(low) * 0.1 || 1 : (high - low) * 0.05;
    return [low >= 0 && low - air < 0 ? 0 : low - air, high + air];
  }

  function widenLog(low, high) {
    const air = low === high ? 1.5 : Math.pow(high / low, 0.05);
    return [low / air, high * air];
  }

  cosched.scale = { number, interval, logTicks, widen, widenLog };
})();
