#!/usr/bin/env python3
"""`cosched plan malleable`, `simulate malleable` and `generate malleable` as a user meets them.

usage: tests/cli/malleable.py COSCHED EXAMPLES
"""

import csv
import io
import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, results, write

EXAMPLES = sys.argv[2]

# Three tasks of golden case s10 of the specification: they end at 963, 992 and 762.
THREE = ("app,seconds,seq_fraction,overhead,checkpoint,data\n"
         "a,6000,0,0,8,60\nb,4000,0,0,8,60\nc,1500,0,0,8,60\n")
MACHINE = ["--procs", 12, "--mtbf", 10000, "--downtime", 10, "--rules", "paper"]
AREAS = ["work", "checkpoint", "lost", "down", "move", "idle"]


def knows_old_names(folder):
    three = os.path.join(folder, "three.csv")
    sim = ["simulate", "malleable", three, "--procs", 12, "--scenarios", 2, "--format", "json"]
    new, told = cosched(*sim, "--mtbf", "5y")
    ok(not told, "nothing is said of a new name")
    for name in "--mtbf-years", "--mtbf_years":
        old, told = cosched(*sim, name, 5)
        ok(old == new, name + " has its old unit")
        ok(told == "cosched: warning: %s is now called --mtbf\n" % name, "and is told: " + told)
    cosched(*sim, "--mtbf-years=5")
    refused("--mtbf is given twice", *sim, "--mtbf-years", 5, "--mtbf", "5y", status=2)
    refused("there is no option --mtbf-year", *sim, "--mtbf-year", 5, status=2)


def plans(folder):
    three = write(folder, "three.csv", THREE)
    plan = results("plan", "malleable", three, *MACHINE)
    ok([task["procs"] for task in plan["plan"]] == [6, 4, 2], "Algorithm 1 gives 6, 4 and 2")
    finish = [task["expected_finish"] for task in plan["plan"]]
    ok(abs(finish[0] - 1046.7809194858576) < 1e-9 * finish[0], "the expected time is Equation (4)")
    ok(plan["expected_makespan"] == max(finish), "the longest counts")
    out = cosched("plan", "malleable", os.path.join(EXAMPLES, "applications.csv"), "--procs", 64)[0]
    ok("climate" in out and "6 applications on 64 processors" in out, "people read a table")
    rows = list(csv.DictReader(io.StringIO(
        cosched("plan", "malleable", three, *MACHINE, "--format", "csv")[0])))
    ok([row["procs"] for row in rows] == ["6", "4", "2"], "programs read CSV")


def simulates(folder):
    three = write(folder, "three.csv", THREE)
    empty = write(folder, "none.csv", "time,processor\n")
    greedy = [three, *MACHINE, "--faults", empty, "--on-end", "greedy", "--on-failure", "none"]
    found = results("simulate", "malleable", *greedy)["results"][0]
    ok(abs(found["makespan"]["mean"] - 992) < 1e-9, "the golden case ends at 992 s")
    ok(found["procs_moved"]["mean"] == 2, "two allocations changed")
    rows = os.path.join(folder, "rows.csv")
    cosched("simulate", "malleable", three, *MACHINE, "-n", 40, "--per-scenario", rows)
    table = list(csv.DictReader(io.StringIO(read(rows))))
    ok(len(table) == 40 and any(int(row["failures_hit"]) for row in table), "forty rows, some with failures that hit")
    ok(all(abs(sum(float(row[a]) for a in AREAS) - 1) < 1e-9 for row in table),
       "six shares are all of the time")
    ok(all(float(row["makespan"]) >= float(row["lower_bound"]) for row in table),
       "nothing beats the bound")
    one, two = (cosched("simulate", "malleable", three, *MACHINE, "-n", 40, "--threads", t,
                        "--on-end", "all", "--on-failure", "all", "--format", "csv")[0]
                for t in (1, 2))
    ok(one == two and one.count("\n") == 13, "twelve ways, the same bytes with two threads")


def bears_tiny_times(folder):
    """Seconds that are lost when they are multiplied with the rate of failures."""
    tiny = write(folder, "tiny.json", json.dumps({"format": "cosched-workload-1", "tasks": [
        {"name": name, "communication": {"seq_time": seconds, "seq_fraction": 1, "overhead": 0}, "checkpoint": 8, "data": 100}
        for name, seconds in (("a", 5e-324), ("b", 600))]}))
    cosched("simulate", "malleable", tiny, "--procs", 16, "--mtbf", 10000, "-n", 2)


def writes_schedules(folder):
    three = write(folder, "three.csv", THREE)
    faults = write(folder, "faults.csv", "400,3\n401,2\n500,11\n")
    plan, picture = (os.path.join(folder, name) for name in ("s.json", "s.svg"))
    for end in ("none", "local", "greedy"):
        for failure in ("none", "shortest-tasks-first", "shortest-tasks-first-printed",
                        "iterated-greedy"):
            cosched("simulate", "malleable", three, *MACHINE, "--faults", faults, "--on-end", end,
                    "--on-failure", failure, "--schedule", plan, "--gantt", picture)
            ok("valid" in cosched("check", plan)[0], "%s, %s is valid" % (end, failure))
            ok("cs-stream" in read(picture), "and drawn")
    drawn = read(picture)
    ok(drawn.count('class="application"') == 3, "a ribbon for each application")
    ok("on end greedy · on failure iterated-greedy · makespan " in drawn, "policies and makespan")
    ok('class="failure"' in drawn and "lower bound" in drawn, "failures and the bound are marked")
    cosched("simulate", "malleable", three, *MACHINE, "--faults", faults, "--gantt", picture,
            "--gantt-view", "processors", "--dark")
    ok("cs-gantt dark" in read(picture) and 'class="failure"' in read(picture), "by processor")
    refused("--gantt-view is for --gantt", "simulate", "malleable", three, *MACHINE,
            "--gantt-view", "processors", status=2)
    broken = json.loads(read(plan))
    broken["makespan"] += 1
    cosched("check", write(folder, "broken.json", json.dumps(broken)), status=1)
    again = results("plan", "malleable", plan, *MACHINE)
    ok([task["procs"] for task in again["plan"]] == [6, 4, 2], "a schedule is an input too")


def generates(folder):
    made = cosched("generate", "malleable", "--tasks", 5, "--seed", 3)[0]
    ok(made == cosched("generate", "malleable", "--tasks", 5, "--seed", 3)[0], "the same seed")
    ok(made != cosched("generate", "malleable", "--tasks", 5, "--seed", 4)[0], "another seed")
    out = cosched("simulate", "malleable", "-", "--procs", 60, "--tune", 2, "-n", 3, given=made)[0]
    ok("the best of 30 variants in 2 other scenarios" in out, "tuning says what it did")


def lays_patterns(folder):
    """Patterns of verified checkpoints: expectation, simulation, checker."""
    one = ("app,seconds,seq_fraction,overhead,checkpoint,data,verification,disk\n"
           "a,%s,0,0,%s,0,%s,%s\n")
    case = write(folder, "case.csv", one % ("8e6", 400, 40, 4000))
    machine = ["--procs", 8, "--mtbf", 1e8, "--silent-mtbf", 2e7, "--layout", "pattern"]
    expected = results("plan", "malleable", case, *machine)["plan"][0]
    ok(abs(expected["expected_finish"] / 1009480.6916920496 - 1) < 1e-9, "the expectation of golden case 31")
    ok(expected["checkpoints"] == 68, "a pattern of 68 segments")
    often = write(folder, "often.csv", one % ("4e5", 80, 20, 2400))
    for downtime, silent in ((60, ["--silent-mtbf", 2e5]), (30000, ["--silent-mtbf", 1e5]), (50000, [])):
        machine = ["--procs", 4, "--mtbf", 2e5, "--downtime", downtime, *silent, "--layout", "pattern"]
        expected = results("plan", "malleable", often, *machine)["expected_makespan"]
        mean = results("simulate", "malleable", often, *machine, "-n", 4000)["results"][0]["makespan"]
        ok(abs(mean["mean"] - expected) < 4 / 1.96 * mean["confidence95"],
           "downtime %d: the mean, %s s, is that expected, %s s" % (downtime, mean["mean"], expected))
    drawn = os.path.join(folder, "patterns.json")
    table = os.path.join(EXAMPLES, "patterns.csv")
    moves = ["--procs", 24, "--mtbf", "6d", "--downtime", 20000, "--silent-mtbf", "8d", "--layout", "pattern"]
    for end, failure in (("none", "none"), ("local", "shortest-tasks-first"), ("greedy", "iterated-greedy")):
        cosched("simulate", "malleable", table, *moves, "--on-end", end, "--on-failure", failure, "-n", 4, "--scenario", 3,
                "--seed", 3, "--schedule", drawn)
        ok("valid" in cosched("check", drawn)[0], "%s, %s is valid" % (end, failure))
    head = cosched("simulate", "malleable", table, *moves, "-n", 4)[0]
    ok("mean time between silent errors 8 d," in head and "recoveries from disk" in head, "silent errors are in head and summary")
    breaks_patterns(folder, drawn)
    three = write(folder, "three.csv", THREE)
    refused("silent_mtbf: silent errors need --layout pattern", "simulate", "malleable", three, *MACHINE, "--silent-mtbf", "1d")
    refused("--optimum", "simulate", "malleable", three, *MACHINE, "--layout", "pattern", "--optimum")
    refused("given up after 10000000 silent errors; they occur too often", "simulate", "malleable",
            write(folder, "hopeless.csv", one % (1e3, 10, 0, 0)), "--procs", 2, "--silent-mtbf", "1ms",
            "--layout", "pattern", "-n", 1)
    endless = write(folder, "endless.csv", one % (1e300, 10, 1, 100))
    ok("-9," not in cosched("plan", "malleable", endless, "--procs", 2)[0], "more checkpoints than a count can hold")


def breaks_patterns(folder, path):
    """Every false bar of a pattern is found."""
    def spoilt(what, change):
        broken = json.loads(read(path))
        change(broken)
        cosched("check", write(folder, "broken.json", json.dumps(broken)), status=1)
        ok(True, what)

    def bars(schedule, kind):
        return [bar for bar in schedule["bars"] if bar["kind"] == kind]

    def without_disk(schedule):
        next(fault for fault in schedule["faults"] if fault.get("disk")).pop("disk")

    ok(any(fault.get("disk") for fault in json.loads(read(path))["faults"]), "a failure goes back to the disk")
    spoilt("work that is lost", lambda s: bars(s, "lost")[0].update(kind="work"))
    spoilt("lost work that counts", lambda s: bars(s, "work")[5].update(kind="lost"))
    spoilt("a verification that is none", lambda s: bars(s, "verify")[7].update(kind="checkpoint"))
    spoilt("no silent errors", lambda s: s.pop("silent_mtbf"))
    spoilt("another rate of silent errors", lambda s: s.update(silent_mtbf=s["silent_mtbf"] * 2))
    spoilt("another layout", lambda s: s.update(layout="young"))
    spoilt("dearer disks", lambda s: [task.update(disk=task["disk"] * 2) for task in s["instance"]["tasks"]])
    spoilt("no verification", lambda s: [task.pop("verification") for task in s["instance"]["tasks"]])
    spoilt("a recovery from memory", without_disk)


def refuses(folder):
    three = write(folder, "three.csv", THREE)
    sim = ["simulate", "malleable", three]
    bare = write(folder, "bare.csv", "app,seconds,seq_fraction\na,10,0\n")
    refused("give --procs P", *sim)
    refused("--mtbf must be longer than 0 s", *sim, "--procs", 12, "--mtbf", 0)
    refused("checkpoint", "simulate", "malleable", bare, "--procs", 4)
    refused("processors", *sim, "--procs", 5)
    refused("nope", *sim, "--procs", 12, "--on-end", "nope")
    refused("did you mean", *sim, "--procs", 12, "--on-failure", "iterated-gredy")
    refused("name them", *sim, "--procs", 12, "--on-end", "all", "--gantt", "x.svg", status=2)
    refused("--tune chooses", *sim, "--procs", 12, "--tune", 2, "--on-end", "local", status=2)
    refused("--system is for --faults", *sim, "--procs", 12, "--system", 2, status=2)
    refused("--shape is for", *sim, "--procs", 12, "--shape", 2)
    refused("there is no scenario 7", *sim, "--procs", 12, "-n", 3, "--scenario", 7, "--gantt",
            os.path.join(folder, "x.svg"))
    refused("makes no progress", "simulate", "malleable", three, "--procs", 12, "--mtbf", "1s",
            "-n", 1)
    ok(not os.path.exists(os.path.join(folder, "x.svg")), "nothing was written")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for part in (plans, simulates, bears_tiny_times, knows_old_names, writes_schedules, generates, lays_patterns, refuses):
            part(folder)
    finish()


main()
