/* schedule_numbers.js - numbers of processors for bars that have only a count.
 *
 * The rule is that of the tool (src/model/blocks.h): by rising start a bar takes the smallest free block that
 * holds it, at the side whose neighbour ends nearest to its own end, else the largest ones; a bar that continues
 * one of its task and group keeps the processors.  Bars get numbers in chunks of the order by start.  The state
 * before each chunk is kept, so that what is seen is numbered again when it was dropped: memory holds KEPT chunks.
 */
"use strict";

cosched.schedule.numbers = (bars, order, procs) => {
  const CHUNK = 4096, KEPT = 64;
  const { start, end, task, count, group } = bars, total = order.length;
  const states = [], firsts = [0], kept = new Map();

  /* Which processors are free: a block has its other edge and its end (NaN: free) at both edges. */
  const other = new Int32Array(procs), until = new Float64Array(procs);
  let sizes = new Int32Array(64), starts = new Int32Array(64), frees = 0; /* free blocks by size, then first */
  let running = [], last = new Map(); /* bars by falling end; by task the bar before */
  let sets = new Map(); /* of running bars: edges of blocks */

  function placeOf(size, first) {
    let low = 0, high = frees;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sizes[middle] < size || (sizes[middle] === size && starts[middle] < first)) low = middle + 1; else high = middle;
    }
    return low;
  }
  function grow(list) { const more = new Int32Array(2 * list.length); more.set(list); return more; }
  function freeAdd(first, last) {
    const size = last - first + 1, place = placeOf(size, first);
    if (frees === sizes.length) { sizes = grow(sizes); starts = grow(starts); }
    sizes.copyWithin(place + 1, place, frees);
    starts.copyWithin(place + 1, place, frees++);
    sizes[place] = size;
    starts[place] = first;
  }
  function freeRemove(place) {
    sizes.copyWithin(place, place + 1, frees);
    starts.copyWithin(place, place + 1, frees--);
  }
  function mark(first, last, ends) {
    other[first] = last;
    other[last] = first;
    until[first] = until[last] = ends;
  }
  const distance = (a, b) => (a === b ? 0 : Math.abs(a - b));

  /* Puts a block where it belongs in the set. */
  function insert(set, length, from, to) {
    let at = length;
    for (; at > 0 && set[at - 2] > from; at -= 2) {
      set[at] = set[at - 2];
      set[at + 1] = set[at - 1];
    }
    set[at] = from;
    set[at + 1] = to;
    return length + 2;
  }

  let room = new Int32Array(64);

  function take(wanted, ends) {
    let length = 0;
    while (wanted > 0) {
      let place = placeOf(wanted, 0);
      if (place === frees) place = frees > 1 && sizes[frees - 2] === sizes[frees - 1] ? placeOf(sizes[frees - 1], 0) : frees - 1;
      const first = starts[place], stop = first + sizes[place] - 1, most = Math.min(wanted, sizes[place]);
      const before = first ? until[first - 1] : Infinity, after = stop + 1 < procs ? until[stop + 1] : Infinity;
      const low = distance(before, ends) <= distance(after, ends);
      const from = low ? first : stop - most + 1, to = from + most - 1;
      freeRemove(place);
      mark(from, to, ends);
      if (from > first) { mark(first, from - 1, NaN); freeAdd(first, from - 1); }
      if (to < stop) { mark(to + 1, stop, NaN); freeAdd(to + 1, stop); }
      if (length === room.length) room = grow(room);
      length = insert(room, length, from, to);
      wanted -= most;
    }
    return room.slice(0, length);
  }

  function release(set) {
    for (let i = 0; i < set.length; i += 2) {
      let first = set[i], stop = set[i + 1];
      if (stop + 1 < procs && Number.isNaN(until[stop + 1])) {
        const far = other[stop + 1];
        freeRemove(placeOf(far - stop, stop + 1));
        stop = far;
      }
      if (first && Number.isNaN(until[first - 1])) {
        const far = other[first - 1];
        freeRemove(placeOf(first - far, far));
        first = far;
      }
      mark(first, stop, NaN);
      freeAdd(first, stop);
    }
  }

  function releaseUntil(now) {
    while (running.length && end[running[running.length - 1]] <= now) {
      const bar = running.pop();
      release(sets.get(bar));
      sets.delete(bar);
      if (last.get(task[bar]) === bar) last.delete(task[bar]);
    }
  }

  function hold(bar, set) {
    let low = 0, high = running.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (end[running[middle]] > end[bar]) low = middle + 1; else high = middle;
    }
    running.splice(low, 0, bar);
    sets.set(bar, set);
    last.set(task[bar], bar);
  }

  /* The processors that a bar takes over from the one before of its task, or undefined. */
  function takeOver(bar) {
    const before = last.get(task[bar]);
    if (before === undefined || group[before] < 0 || group[before] !== group[bar] || count[before] !== count[bar] ||
        end[before] !== start[bar] || !sets.has(before)) return undefined;
    const set = sets.get(before);
    running.splice(running.indexOf(before), 1);
    sets.delete(before);
    return set;
  }

  function save() {
    const blocks = [];
    for (let at = 0; at < procs; at = other[at] + 1) blocks.push(at, other[at], until[at]);
    return { blocks, running: [...running], sets: [...sets], last: [...last] };
  }

  function restore(state) {
    frees = 0;
    for (let i = 0; i < state.blocks.length; i += 3) {
      mark(state.blocks[i], state.blocks[i + 1], state.blocks[i + 2]);
      if (Number.isNaN(state.blocks[i + 2])) freeAdd(state.blocks[i], state.blocks[i + 1]);
    }
    running = [...state.running];
    sets = new Map(state.sets);
    last = new Map(state.last);
  }

  /* Numbers the next chunk, which ends where a later start begins. */
  function run(first) {
    const found = [];
    let i = first;
    while (i < total && i - first < CHUNK) {
      const now = start[order[i]], over = new Map();
      let stop = i;
      while (stop < total && start[order[stop]] === now) stop++;
      for (let k = i; k < stop; k++) {
        const set = takeOver(order[k]);
        if (set) over.set(order[k], set);
      }
      releaseUntil(now);
      for (; i < stop; i++) {
        const bar = order[i];
        let set = over.get(bar);
        if (!set && !fits(bar)) releaseUntil(now);
        if (!set) set = take(count[bar], end[bar]);
        hold(bar, set);
        found.push(set);
      }
    }
    return { first, stop: i, sets: found };
  }

  function fits(bar) {
    let most = 0;
    for (let i = frees - 1; i >= 0 && most < count[bar]; i--) most += sizes[i];
    return most >= count[bar];
  }

  mark(0, procs - 1, NaN);
  freeAdd(0, procs - 1);
  states.push(save());
  let after = 0; /* the chunk for which the state is as it has to be */

  function chunkAt(number) {
    if (kept.has(number)) return kept.get(number);
    if (after !== number) restore(states[number]);
    const chunk = run(firsts[number]);
    after = number + 1;
    if (states.length === after && chunk.stop < total) { firsts.push(chunk.stop); states.push(save()); }
    kept.set(number, chunk);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    return chunk;
  }

  let now = null;

  /* Edges of the blocks of the bar at this place of the order: first, last, first, last, ... */
  return (place) => {
    if (now && now.first <= place && place < now.stop) return now.sets[place - now.first];
    let number = 0;
    while (number + 1 < firsts.length && firsts[number + 1] <= place) number++;
    now = chunkAt(number);
    while (place >= now.stop) now = chunkAt(++number);
    return now.sets[place - now.first];
  };
};
