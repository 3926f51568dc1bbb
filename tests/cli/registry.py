#!/usr/bin/env python3
"""Every policy and priority that is listed runs under every driver that takes it, and its schedules are valid.

usage: registry.py COSCHED EXAMPLES

What is listed, `cosched list` states. A driver may reject one with a message of REJECTED; a new policy needs no line here.
"""

import json
import os
import subprocess
import sys
import tempfile

from kit import COSCHED, cosched, finish, ok, write

EXAMPLES = os.path.abspath(sys.argv[2])
FEW = "app,procs,seconds\n" + "".join("%s,%d,%d\n" % (app, procs, work // procs + 3)
                                    for app, work in (("a", 60), ("b", 90), ("c", 30), ("d", 45)) for procs in (1, 2, 4))
QUEUE = "name,procs,seconds\na,2,10\nb,1,20\nc,3,5\nd,1,40\n"
BATCH = "simulate rigid rigid.csv --procs 3000 -q 0.2 -n 2 --schedule {out}"
ARRIVALS = "simulate rigid {x}/monday.swf --arrivals -n 2"
EVENTS = "simulate queue {x}/monday.swf --schedule {out}"
REPLAY = "replay {x}/monday.swf"
RUN = "run queue.csv --slots 4 --oversubscribe --dry-run -o {out} -- true"

# The commands that take the policies of a problem, by what they choose; {out} is a schedule.
DRIVERS = {
    ("pack", "policy"): ["plan pack few.csv --procs 4 -o {out}"],
    ("moldable", "policy"): ["plan moldable {x}/quickstart.csv --procs 8 -o {out}",
                             "simulate moldable {x}/quickstart.csv --procs 8 --sigma 0.3 --qbar 0.2 -n 2 -o {out}"],
    ("malleable", "on-end"): ["simulate malleable {x}/applications.csv --procs 64 --mtbf 60d -n 2 --schedule {out}"],
    ("malleable", "on-failure"): ["simulate malleable {x}/applications.csv --procs 64 --mtbf 60d -n 2 --schedule {out}"],
    ("ptg", "policy"): ["plan ptg {x}/graphs.json --platform {x}/clusters.json --schedule {out}",
                        "plan ptg graph.json --platform cluster.json --schedule {out}"],
    ("rigid", "policy"): [BATCH, ARRIVALS + " --schedule {out}", RUN],
    ("rigid", "priority"): [BATCH, ARRIVALS, RUN],
    ("queue", "policy"): [EVENTS, REPLAY],
    ("queue", "priority"): [EVENTS, REPLAY],
    ("volatile", "policy"): ["simulate volatile {x}/hosts.json -n 2 --schedule {out}"],
    ("spot", "policy"): ["simulate spot {x}/spot.csv --deadline 6h --work 3h --history 180"],
}
PROGRAMS = {"pack": "packs.py", "moldable": "bag.py", "malleable": "local.py", "ptg": "shares.py", "rigid": "easy.py",
            "queue": "easy.py", "volatile": "hosts.py"}

# What a driver may state instead: the beginning of its command, and a part of the message.
REJECTED = [
    ("plan moldable", "there is no policy"), ("simulate moldable", "there is no policy"),
    ("simulate rigid rigid.csv", "is for jobs that arrive: give --arrivals"),
    ("simulate rigid rigid.csv", "this is no job log"),
    ("simulate rigid", "there is no priority \"lert-learnt\""),
    ("plan ptg", "plans one graph on one cluster"),
    ("run", "there is no option --policy-program"), ("run", "there is no priority"),
]


def runs(command, listed, words, out):
    """Status 0, with a valid schedule if it makes one; None: it is rejected."""
    done = subprocess.run([COSCHED, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        expected = any(command.startswith(start) and part in done.stderr for start, part in REJECTED)
        if not expected or done.returncode < 0:
            ok(False, "%s: status %d %s" % (" ".join(words), done.returncode, done.stderr))
        return None
    if "{out}" in command:
        told = cosched("check", out)[0]
        ok(": valid" in told, "%s %s: %s" % (command.split()[:2], listed["name"], told))
    return True


def test_all(folder):
    listed = json.loads(cosched("list", "--format", "json")[0])
    ok({(row["problem"], row["kind"]) for row in listed} == set(DRIVERS), "every problem and kind has drivers here")
    for row in listed:
        ran = 0
        for command in DRIVERS[row["problem"], row["kind"]]:
            out = os.path.join(folder, "out.json")
            head, _, tail = command.partition(" -- ")
            words = head.format(x=EXAMPLES, out=out).split() + ["--" + row["kind"], row["name"]]
            if row["name"] == "program":
                words += ["--policy-program", os.path.join(EXAMPLES, "policies", PROGRAMS[row["problem"]])]
            ran += runs(command, row, words + (["--", *tail.split()] if tail else []), out) is True
        ok(ran > 0 or bool(row.get("missing")), "%s %s %s runs under %d drivers" % (row["problem"], row["kind"], row["name"], ran))


# Problems whose experiments vary the policy: the parameters that make them small.
EXPERIMENTS = {
    "pack": {"workload": "formula", "tasks": 4, "procs": 4}, "malleable": {"tasks": 4, "procs": 16, "mtbf": "400d", "scenarios": 2},
    "rigid": {"jobs": 10, "procs": 3000, "mean_failure_probability": 0.2, "scenarios": 2},
    "volatile": {"hosts": 5, "tasks": 3, "scenarios": 2},
}


def test_experiments(folder):
    listed = json.loads(cosched("list", "--format", "json")[0])
    for problem, parameters in EXPERIMENTS.items():
        for kind in sorted({row["kind"] for row in listed if row["problem"] == problem}):
            names = [row["name"] for row in listed if (row["problem"], row["kind"]) == (problem, kind)
                     and row["name"] != "program" and not (problem, kind) == ("rigid", "priority")]
            if not names:
                continue
            sweep = {"problem": problem, "replicates": 1, "set": parameters, "vary": {kind.replace("-", "_"): names}}
            path = write(folder, problem + ".json", json.dumps(sweep))
            store = os.path.join(folder, "%s-%s.db" % (problem, kind))
            cosched("campaign", "run", path, "--store", store)
            rows = cosched("campaign", "export", store)[0].splitlines()
            ok(len(rows) == 1 + len(names), "an experiment runs all %d of %s %s" % (len(names), problem, kind))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write(folder, "queue.csv", QUEUE)
        write(folder, "few.csv", FEW)
        write(folder, "cluster.json", json.dumps({"clusters": [{"name": "c", "procs": 8, "speed": 1e9}]}))
        cosched("generate", "ptg", "--family", "fft", "-o", "graph.json")
        cosched("generate", "rigid", "--jobs", 20, "--seed", 8, "-o", "rigid.csv")
        test_all(folder)
        test_experiments(folder)
    finish()


main()
