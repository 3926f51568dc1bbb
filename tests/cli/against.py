#!/usr/bin/env python3
"""`cosched check SCHEDULE --against INPUT...`: schedules that agree with themselves and not with what they were made from.

usage: tests/cli/against.py COSCHED EXAMPLES
"""

import json
import os
import shutil
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, write

EXAMPLES = sys.argv[2]
# The schedule, how it is made, from what.
MADE = [
    ("pack.json", "plan pack bag.csv --procs 8 -o pack.json", "bag.csv"),
    ("moldable.json", "plan moldable bag.csv --procs 8 --schedule moldable.json", "bag.csv"),
    ("drawn.json", "simulate moldable bag.csv --procs 8 --sigma 0.4 --qbar 0.3 -n 2 --scenario 1 --schedule drawn.json", "bag.csv"),
    ("malleable.json", "simulate malleable applications.csv --procs 16 --mtbf 400d -n 2 --scenario 1 --schedule malleable.json", "applications.csv"),
    ("struck.json", "simulate malleable applications.csv --procs 64 --faults faults.csv --schedule struck.json", "applications.csv faults.csv"),
    ("rigid.json", "simulate rigid jobs.csv --procs 3000 -q 0.3 -n 3 --scenario 2 --schedule rigid.json", "jobs.csv"),
    ("told.json", "simulate rigid jobs.csv --procs 3000 --failures failed.txt --schedule told.json", "jobs.csv failed.txt"),
    ("replay.json", "simulate rigid log.swf --arrivals --schedule replay.json", "log.swf"),
    ("ptg.json", "plan ptg graphs.json --platform clusters.json --release 0,5,10 --schedule ptg.json", "graphs.json clusters.json"),
    ("volatile.json", "simulate volatile hosts.json -n 2 --scenario 1 --schedule volatile.json", "hosts.json"),
]
LOG = "; MaxProcs: 64\n" + "".join("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 -1 -1 -1 -1\n" % (
    j, 40 * j, 100 + 7 * j, 1 + 5 * j % 40, 1 + 5 * j % 40, 200 + 7 * j) for j in range(1, 30))


def scale(value, by, keys):
    """All numbers below these keys, times `by`."""
    if isinstance(value, dict):
        return {k: v * by if k in keys and isinstance(v, (int, float)) else scale(v, by, keys) for k, v in value.items()}
    return [scale(v, by, keys) for v in value] if isinstance(value, list) else value


def faster(document):
    """The same schedule of tasks that take a sixteenth of the time, which the file says too."""
    made = scale(document, 1 / 16, {"start", "end", "makespan", "seconds", "lower_bound", "critical", "area", "knapsack", "width", "cost",
                                    "one_pack_cost", "submit", "estimate"})
    for task in made.get("instance", {}).get("tasks", []):
        task["points"] = [[procs, seconds / 16] for procs, seconds in task["points"]]
    return made


def without_last_job(document):
    last = len(document["tasks"]) - 1
    bars = [b for b in document["bars"] if b["task"] != last]
    made = {**document, "tasks": document["tasks"][:-1], "jobs": document["jobs"][:-1], "failures": document["failures"][:-1], "bars": bars,
            "makespan": max(b["end"] for b in bars)}
    del made["lower_bound"]
    return made


def never_failed(document):
    bars = [{**b, "attempt": 1} for b in document["bars"] if b["kind"] != "lost"]
    made = {**document, "failures": [0] * len(document["failures"]), "bars": bars, "makespan": max(b["end"] for b in bars)}
    del made["lower_bound"]
    return made


def of_another_seed(document):
    """A run that fared otherwise, said to be this one."""
    cosched("simulate", "moldable", "bag.csv", "--procs", 8, "--sigma", 0.4, "--qbar", 0.3, "--seed", 2, "--schedule", "seed2.json")
    made = json.loads(read("seed2.json"))
    return {**made, "command": document["command"], "seed": document["seed"]}


def half_the_time(document):
    """A plan, told as a run in which all went twice as fast."""
    made = scale(document, 1 / 2, {"start", "end", "makespan"})
    for key in ("lower_bound", "gap", "bounds", "optimal", "certificate"):
        made.pop(key, None)
    return {**made, "factors": [0.5] * len(made["tasks"])}


def made_from():
    for name, command, inputs in MADE:
        cosched(*command.split())
        ok(len(json.loads(read(name))["inputs"]) == len(inputs.split()), name + " says what it was made from")
        ok(": valid: " in cosched("check", name, "--against", *inputs.split())[0], name + " is what its inputs ask for")
    cosched("check", "ptg.json", "--against", "clusters.json", "graphs.json")
    shutil.copy("graphs.json", "renamed.json")
    cosched("check", "ptg.json", "--against", "clusters.json", "renamed.json")


def judged(name, change, *inputs):
    path = write(".", "changed.json", json.dumps(change(json.loads(read(name)))))
    cosched("check", path)
    out = cosched("check", path, "--against", *inputs, status=1)[0]
    ok("not valid" in out, "%s, %s, is judged by what it was made from" % (name, change.__name__))


def agrees_with_itself_only():
    judged("pack.json", faster, "bag.csv")
    judged("moldable.json", faster, "bag.csv")
    judged("moldable.json", half_the_time, "bag.csv")
    judged("drawn.json", of_another_seed, "bag.csv")
    judged("rigid.json", faster, "jobs.csv")
    judged("replay.json", faster, "log.swf")
    judged("rigid.json", without_last_job, "jobs.csv")
    judged("rigid.json", never_failed, "jobs.csv")
    judged("told.json", never_failed, "jobs.csv", "failed.txt")


BOUNDS = ("lower_bound", "gap", "certificate")


def said_to_be_observed():
    """What was watched is judged by no model: a plan that says so is not what its inputs ask for."""
    document = {**faster(json.loads(read("moldable.json"))), "observed": {"engine": "local"}}
    path = write(".", "observed.json", json.dumps(document))
    refused('"lower_bound" cannot be combined with "observed"', "check", path)
    path = write(".", "observed.json", json.dumps({k: v for k, v in document.items() if k not in BOUNDS}))
    cosched("check", path, status=5)
    refused("observed, and not made of its inputs", "check", path, "--against", "bag.csv")


def other_bytes():
    write(".", "other.csv", read("bag.csv") + "\n")
    out = cosched("check", "pack.json", "--against", "other.csv", status=1)[0]
    ok("made from another input" in out, "another file is not the one that it was made from")
    document = json.loads(read("pack.json"))
    document["inputs"][0]["sha256"] = "0" * 64
    out = cosched("check", write(".", "forged.json", json.dumps(document)), "--against", "bag.csv", status=1)[0]
    ok("made from another input" in out, "a digest that was changed")
    out = cosched("plan", "pack", "-", "--procs", 8, "--format", "json", given=read("bag.csv"))[0]
    cosched("check", write(".", "piped.json", out), "--against", "bag.csv")


def refusals():
    refused("was made from 2 files (graphs.json, clusters.json): --against names 1", "check", "ptg.json", "--against", "graphs.json")
    refused("was made from 1 file (bag.csv): --against names 2", "check", "pack.json", "--against", "bag.csv", "jobs.csv")
    refused("no-such.csv", "check", "pack.json", "--against", "no-such.csv")
    document = json.loads(read("ptg.json"))
    document["inputs"].pop()
    path = write(".", "fewer.json", json.dumps(document))
    refused("its command reads clusters.json (platform)", "check", path, "--against", "graphs.json")
    for command in ("", "rm -rf .", "cosched plan pack bag.csv --procs 8", "cosched plan ptg graphs.json --nonsense"):
        path = write(".", "odd.json", json.dumps({**json.loads(read("ptg.json")), "command": command}))
        told = cosched("check", path, "--against", "graphs.json", "clusters.json", status=1)[1]
        ok("command" in told, "a command that makes no such schedule: " + command)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for source, name in (("quickstart.csv", "bag.csv"), ("applications.csv",) * 2, ("faults.csv",) * 2, ("graphs.json",) * 2,
                             ("clusters.json",) * 2, ("hosts.json",) * 2):
            shutil.copy(os.path.join(EXAMPLES, source), name)
        cosched("generate", "rigid", "--jobs", 12, "-o", "jobs.csv")
        write(".", "failed.txt", "0 1 0 2 0 0 1 0 0 0 0 1\n")
        write(".", "log.swf", LOG)
        for part in made_from, agrees_with_itself_only, said_to_be_observed, other_bytes, refusals:
            part()
        os.chdir("/")
    finish()


main()
