/* guess.js - which command a file is for, by how it begins; the user may choose another. */
"use strict";

const guess = (() => {
  const json = [
    [/"format"\s*:\s*"cosched-volatile-1"/, "simulate volatile"],
    [/"format"\s*:\s*"cosched-graphs?-1"|"workflow"|"specification"/, "plan ptg"],
    [/"clusters"/, "platform"],
    [/"format"\s*:\s*"cosched-workload-1"/, "plan moldable"],
  ];
  const lines = [
    [/^\s*;/, "replay"],
    [/^[^\n]*\|/, "replay"],
    [/^[^\n]*\b(submit|qtime)/i, "replay"],
    [/checkpoint/i, "simulate malleable"],
    [/^name,procs,(seconds|time)\s/, "simulate rigid"],
    [/^\s*(di)?graph\b/, "plan ptg"],
  ];

  function command(name, bytes) {
    if (/\.swf(\.gz|\.xz)?$/i.test(name)) return "replay";
    if (/\.(dax|dot)$/i.test(name)) return "plan ptg";
    const text = tool.text(bytes.subarray(0, 4096));
    const told = text.split("\n").filter((line) => !line.startsWith("#")).join("\n");
    const found = (told.trimStart().startsWith("{") ? json : lines).find(([pattern]) => pattern.test(told));
    return found ? found[1] : "plan moldable";
  }

  return { command };
})();
