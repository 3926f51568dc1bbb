/* schedule_model.js - a schedule in memory: columns of bars, sets of processors, what is where.
 *
 * Bars keep their places in the file.  `order` lists them by start; blocks of it know
 * the latest end, so that what is seen between two times is found without looking at all.
 */
"use strict";

cosched.schedule = {};

cosched.schedule.model = (data) => {
  const BLOCK = 256;
  const LOST = data.kinds.indexOf("lost"), MOVE = data.kinds.indexOf("move");
  const WORK = data.kinds.indexOf("work"), CHECKPOINT = data.kinds.indexOf("checkpoint");
  const column = data.bars, count = column.start.length;
  for (const [name, values] of Object.entries(column))
    if (!Array.isArray(values)) column[name] = new Array(count).fill(values);
  const start = Float64Array.from(column.start), end = Float64Array.from(column.end);
  const task = Int32Array.from(column.task), kind = Uint8Array.from(column.kind);
  const app = data.owner ? Int32Array.from(column.task, (t) => data.owner[t]) : task;
  const names = data.owners || data.tasks;

  /* By start, then by number. */
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => start[a] - start[b] || a - b);
  const place = new Uint32Array(count);
  const latest = new Float64Array(Math.ceil(count / BLOCK)).fill(-Infinity);
  order.forEach((bar, i) => {
    place[bar] = i;
    latest[Math.floor(i / BLOCK)] = Math.max(latest[Math.floor(i / BLOCK)], end[bar]);
  });

  /* Processors, as the edges of blocks: first, last, first, last, ... */
  const parse = (text) => text.split(" ").filter(Boolean).flatMap((part) => {
    const [first, last] = part.split("-").map(Number);
    return [first, last === undefined ? first : last];
  });
  const size = (set) => { let sum = 0; for (let i = 0; i < set.length; i += 2) sum += set[i + 1] - set[i] + 1; return sum; };
  const sets = (column.sets || []).map(parse), sizes = sets.map(size);
  const number = column.count && cosched.schedule.numbers({ start, end, task, count: column.count, group: column.group }, order, data.procs);
  const blocksOf = number ? (bar) => number(place[bar]) : (bar) => sets[column.set[bar]];
  const sizeOf = number ? (bar) => column.count[bar] : (bar) => sizes[column.set[bar]];
  const procsOf = (bar) => { const set = blocksOf(bar), list = []; for (let i = 0; i < set.length; i += 2) list.push([set[i], set[i + 1]]); return list; };
  const holds = (bar, proc) => procsOf(bar).some(([first, last]) => first <= proc && proc <= last);
  const setText = (bar) => (number ? procsOf(bar).map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(" ") : column.sets[column.set[bar]]);

  /* How many places in the order start before a time. */
  function before(time) {
    let low = 0, high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start[order[middle]] < time) low = middle + 1; else high = middle;
    }
    return low;
  }

  /* Calls see(bar) for the bars that touch from .. to, by start. */
  function each(from, to, see) {
    const stop = before(to);
    for (let i = 0; i < stop; i++) {
      if (i % BLOCK === 0 && latest[i / BLOCK] < from) { i += BLOCK - 1; continue; }
      if (end[order[i]] >= from) see(order[i]);
    }
  }

  /* Processor time by application and kind, and numbers of bars. */
  const apps = names.map(() => ({ bars: 0, area: 0 }));
  const kinds = data.kinds.map(() => ({ bars: 0, area: 0 }));
  let busy = 0;
  for (let bar = 0; bar < count; bar++) {
    const area = sizeOf(bar) * (end[bar] - start[bar]);
    for (const sum of [apps[app[bar]], kinds[kind[bar]]]) { sum.bars++; sum.area += area; }
    busy += area;
  }

  /* The bars of each task by start; a checkpoint before any work of its attempt follows a move. */
  const byTask = new Map();
  order.forEach((bar) => {
    if (!byTask.has(task[bar])) byTask.set(task[bar], []);
    byTask.get(task[bar]).push(bar);
  });
  const fresh = new Uint8Array(count);
  if (data.ribbons)
    for (const bars of byTask.values())
      bars.forEach((bar, i) => {
        const last = bars[i - 1];
        fresh[bar] = kind[bar] === CHECKPOINT && last !== undefined && kind[last] === MOVE;
      });

  /* Which failure hit a bar: it held the processor, and ended or was cut then. */
  const faultOf = new Map();
  data.faults.forEach((fault, i) => {
    fault.bar = -1;
    for (let at = before(fault.time) - 1; at >= 0 && fault.bar < 0; at--) {
      if (at % BLOCK === BLOCK - 1 && latest[(at - BLOCK + 1) / BLOCK] < fault.time) { at -= BLOCK - 1; continue; }
      const bar = order[at];
      if (end[bar] >= fault.time && holds(bar, fault.processor)) fault.bar = bar;
    }
    if (fault.bar >= 0) faultOf.set(fault.bar, i);
  });

  /* The bar on a processor at a time, the nearest within `slack` seconds if there is none; -1. */
  function at(time, proc, slack, seen) {
    let best = -1, distance = Infinity;
    each(time - slack, time + slack, (bar) => {
      const away = Math.max(start[bar] - time, time - end[bar], 0);
      if ((away < distance || (away === distance && end[bar] - start[bar] < end[best] - start[best])) &&
          seen(bar) && holds(bar, proc)) {
        best = bar;
        distance = away;
      }
    });
    return best;
  }

  /* Busy processors over time, as means over `columns` equal stretches. */
  function load(columns, from, to) {
    const sum = new Float64Array(columns), slope = new Float64Array(columns + 2), scale = columns / (to - from);
    for (let bar = 0; bar < count; bar++) {
      const a = (start[bar] - from) * scale, b = (end[bar] - from) * scale, size = sizeOf(bar);
      const first = Math.min(columns - 1, Math.floor(a)), last = Math.min(columns - 1, Math.floor(b));
      if (first === last) { sum[first] += size * (b - a); continue; }
      sum[first] += size * (first + 1 - a);
      sum[last] += size * (b - last);
      slope[first + 1] += size;
      slope[last] -= size;
    }
    let level = 0;
    for (let i = 0; i < columns; i++) { level += slope[i]; sum[i] += level; }
    return sum;
  }

  const hosts = (data.hosts || []).map((host) => {
    const states = [];
    let slot = 0;
    for (const [, letter, run] of host.states.matchAll(/([urd])(\d+)/g)) {
      states.push({ state: letter, from: slot, to: slot + Number(run) });
      slot += Number(run);
    }
    return states;
  });

  /* Where each iteration that ended did so. */
  const iterations = [];
  if (data.slots)
    for (let bar = 0; bar < count; bar++)
      if (kind[bar] === WORK && task[bar] < data.completed)
        iterations[task[bar]] = Math.max(iterations[task[bar]] || 0, end[bar]);

  /* Hosts that are up over time, like load(). */
  function upLoad(columns, from, to) {
    const sum = new Float64Array(columns), width = (to - from) / columns;
    for (const runs of hosts)
      for (const run of runs)
        if (run.state === "u")
          for (let i = Math.floor((run.from - from) / width); i < columns && from + i * width < run.to; i++)
            sum[i] += Math.max(0, Math.min(run.to, from + (i + 1) * width) - Math.max(run.from, from + i * width)) / width;
    return sum;
  }

  return {
    upLoad, data, count, start, end, task, kind, app, names, column, order, place, byTask, fresh, faultOf, hosts, iterations,
    apps, kinds, busy, procsOf, blocksOf, sizeOf, holds, each, at, before, load, WORK, LOST, MOVE, CHECKPOINT,
    setText,
    from: data.begin,
    to: data.last_slot || data.end,
  };
};
