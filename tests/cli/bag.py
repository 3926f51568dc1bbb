#!/usr/bin/env python3
"""`cosched plan moldable` on bags with GPUs, memory, licences, budgets, windows and `after`.

usage: tests/cli/bag.py COSCHED EXAMPLES
"""

import csv
import io
import itertools
import json
import os
import random
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, write

EXAMPLES = sys.argv[2]
GPUS = os.path.join(EXAMPLES, "gpus.csv")
MACHINE = "--procs", 40, "--resource", "gpus=4,memory=256G", "--resource", "abaqus=2"


def plan_of(folder, *args, status=0):
    path = os.path.join(folder, "plan.json")
    if status is None and os.path.exists(path):
        os.remove(path)
    out, told = cosched("plan", "moldable", *args, "-o", path, status=status)
    return out, told, json.loads(read(path)) if status == 0 or (status is None and out) else None


def valid(folder, plan, status=0):
    """The verdict of the checker on a plan."""
    path = write(folder, "judged.json", json.dumps(plan))
    searched = plan.get("certificate", {}).get("search")
    return "".join(cosched("check", path, status=5 if searched and status == 0 else status))


def plans(folder):
    out, told, plan = plan_of(folder, GPUS, *MACHINE)
    ok(not told, "nothing to warn of")
    ok("gap                 none" in out and "after" in out and "gpus 4: 91 % in use, peak 4" in out, "the table")
    ok("memory 256G: 32 % in use, peak 92G" in out and "92G" in out, "memory has units")
    ok(plan["makespan"] == 800 and plan["lower_bound"] == 800 and plan["gap"] == 0, "800 s, proven")
    ok(plan["resources"] == {"procs": 40, "gpus": 4, "memory": 256 << 30, "abaqus": 2}, "capacities")
    bars = {plan["tasks"][bar["task"]]: bar for bar in plan["bars"]}
    ok(bars["train"]["uses"]["gpus"] == "0-1" and bars["train"]["uses"]["memory"] == 32 << 30, "a bar has numbers and amounts")
    ok(bars["post"]["start"] >= max(bars["solve-a"]["end"], bars["solve-b"]["end"]), "post waits for both")
    ok("valid" in valid(folder, plan), "the checker accepts it")
    rows = list(csv.DictReader(io.StringIO(cosched("plan", "moldable", GPUS, *MACHINE, "--format", "csv")[0])))
    ok(rows[0]["gpus"] == "0" and {row["mode"] for row in rows} == {"", "gpu 2"}, "CSV has the resources")
    fast = cosched("plan", "moldable", GPUS, *MACHINE, "--effort", "fast", "--format", "json")[0]
    ok(json.loads(fast)["makespan"] >= 800, "no effort is below the bound")
    same = {cosched("plan", "moldable", GPUS, *MACHINE, "--threads", t, "--format", "json")[0].replace("--threads %d " % t, "")
            for t in (1, 2)}
    ok(len(same) == 1, "the same plan for any number of threads")
    again = write(folder, "plan.json", json.dumps(plan))
    ok("800 s" in cosched("plan", "moldable", again, "--procs", 40)[0], "a plan's instance is a bag too")


def planners(folder):
    for policy in "list", "search", "exact":
        out, _, plan = plan_of(folder, GPUS, *MACHINE, "--policy", policy)
        ok("valid" in valid(folder, plan), "%s makes valid plans" % policy)
    refused("sweep knows one resource: the tasks need gpus", "plan", "moldable", GPUS, *MACHINE, "--policy", "sweep")
    refused("exact:method=branch knows one resource", "plan", "moldable", GPUS, *MACHINE, "--policy", "exact:method=branch")
    bag = write(folder, "ten.csv", "app,procs,seconds\n" + "".join(
        "t%d,%d,%g\n" % (i, p, (40 + 7 * i) * (0.1 + 0.9 / p)) for i in range(11) for p in (1, 2, 4, 8)))
    gap = {}
    for method in "branch", "learn", "both":
        out, _, plan = plan_of(folder, bag, "-p", 12, "--policy", "exact:nodes=1000,method=%s" % method)
        gap[method] = plan["gap"]
        ok("valid" in valid(folder, plan), "%s makes a valid plan" % method)
    ok(gap["both"] <= min(gap.values()) + 1e-12 and gap["learn"] < gap["branch"], "learning closes gaps: %s" % gap)
    budget = write(folder, "hours.json", json.dumps({"format": "cosched-workload-1", "procs": 4, "machine": {"budgets": {"procs": 1.1}},
                                                     "tasks": [{"name": "a", "points": [[1, 3600], [4, 1200]]}]}))
    _, _, plan = plan_of(folder, budget)
    ok(plan["budgets"]["procs"]["spent"] == 1 and plan["makespan"] == 3600, "a budget of processor hours in JSON is spent")
    budget = write(folder, "idle.json", read(budget).replace("procs\": 1.1", "node_hours\": 1.1"))
    ok("no mode consumes the budget node_hours" in cosched("plan", "moldable", budget)[1], "a budget without effect is named")
    told = cosched("plan", "pack", budget)[1]
    ok("budgets" in told and "are not read: only processors are limited" in told and told.count("warning") == 1, "pack knows processors only")
    refused("--contiguous is not possible: the tasks need gpus", "plan", "moldable", GPUS, *MACHINE, "--contiguous")
    refused("no policy carries out such a bag: the tasks need gpus", "simulate", "moldable", GPUS, *MACHINE, "--policy", "order")
    refused("no policy carries out such a bag: the tasks need gpus", "simulate", "moldable", GPUS, *MACHINE, "--sigma", "0.1")
    ok("800" in cosched("simulate", "moldable", GPUS, *MACHINE, "--format", "json")[0], "without uncertainty it runs as planned")


def sizes(folder):
    """Several sizes of a general bag (spec/bag.md 7): rows are the plans of each size, the answer is a valid plan."""
    machine, path = MACHINE[2:], os.path.join(folder, "answer.json")
    ranged = "plan", "moldable", GPUS, "-p", "4..40:4", *machine, "--effort", "exact"
    rows = list(csv.DictReader(io.StringIO(cosched(*ranged, "--format", "csv")[0])))
    least = None
    ok(rows[0]["procs"] == "4" and not rows[0]["makespan"], "on 4 processors solve-a has no mode")
    for row in rows[1:]:
        alone = json.loads(cosched("plan", "moldable", GPUS, "-p", row["procs"], *machine, "--effort", "exact", "--format", "json")[0])
        least = min(least or alone["makespan"], alone["makespan"])
        ok(float(row["makespan"]) == float(row["bound"]) == least, "%s processors: %s, not %g" % (row["procs"], row["makespan"], least))
    ok([row["procs"] for row in rows if row["frontier"] == "true"] == ["8", "12"], "a larger machine gains nothing: gpus limit")
    ok({row["limit"] for row in rows[2:]} == {"gpus"}, "and the rows say so")
    out = cosched(*ranged, "--deadline", "30min", "-o", path)[0]
    ok("12 processors: 13 min 20 s" in out and "8 processors: 19 min 30 s" in out, "the answers")
    plan = json.loads(read(path))
    ok(plan["procs"] == 12 and plan["makespan"] == 800 and "valid" in valid(folder, plan), "the plan of the answer")
    out = cosched("plan", "moldable", GPUS, "-p", 40, *machine)[0]
    ok("12 processors are enough for this makespan" in out, "the same by bisection")
    windows = write(folder, "w.csv", "from,to,resource,less\n100,400,procs,20\n300,,gpus,1\n")
    rows = list(csv.DictReader(io.StringIO(cosched(*ranged, "--capacity", windows, "--format", "csv")[0])))
    spans = [float(row["makespan"]) for row in rows if row["makespan"]]
    ok(spans == sorted(spans, reverse=True) and len(spans) == 9 and spans[-1] > 800, "windows on each size: %s" % spans)
    # With a node a processor, memory of each node decides which modes a size has.
    rows = cosched("plan", "moldable", GPUS, "-p", "4..16:4", "--unit", "node", "--resource", "gpus=1/node,memory=32G/node,abaqus=1", "--format", "csv")[0]
    ok(len(rows.splitlines()) == 5, "node by node")
    refused("--nodes 2 is one size: use --unit node", "plan", "moldable", GPUS, "-p", "8..40:8", "--nodes", 2, *machine)
    refused("gpus.csv: mesh cannot run", "plan", "moldable", GPUS, "-p", "1..3", *machine)
    refused("sweep knows one resource: the tasks need gpus", "plan", "moldable", GPUS, "-p", "30..40", *machine, "--policy", "sweep")


def pictures(folder):
    """Resources under the chart: GPUs in lanes, others as curves, windows hatched, lines from task to task (spec/bag.md 9.3)."""
    windows = write(folder, "w.csv", "from,to,resource,less\n100,400,procs,20\n300,,gpus,1\n")
    svg, page, plan = (os.path.join(folder, name) for name in ("p.svg", "p.html", "p.json"))
    cosched("plan", "moldable", GPUS, *MACHINE, "--capacity", windows, "--gantt", svg, "-o", plan)
    again = os.path.join(folder, "q.svg")
    cosched("plot", plan, "-o", again)
    for picture in read(svg), read(again):
        for title in "processors, mean 73.6 %", "gpus, mean 53.5 %", "memory, mean 40.0 %", "abaqus, mean 46.8 %":
            ok(">%s<" % title in picture, title)
        ok(picture.count('class="away"') == 2, "windows of processors and of GPUs")
        ok(picture.count('class="arc"') == 4 and ">256G<" in picture, "precedence, capacity")
    cosched("plot", plan, "--strips", "off", "-o", again)
    ok("gpus, mean" not in read(again), "none by --strips off")
    cosched("report", plan, "-o", page)
    ok("gpus, mean 53.5 %" in read(page), "the report has them")
    plain = write(folder, "plain.csv", PLAIN)
    cosched("plan", "moldable", plain, "-p", 8, "--gantt", svg)
    ok("resources" not in read(svg) and 'class="arc"' not in read(svg), "a plain bag has none")


PROJECT = """jobs (incl. supersource/sink ):  4
RESOURCES
  - renewable                 :  1   R
  - nonrenewable              :  1   N
  - doubly constrained        :  0   D
PRECEDENCE RELATIONS:
jobnr. #modes #successors successors
 1 1 1 2
 2 2 1 3
 3 1 1 4
 4 1 0
REQUESTS/DURATIONS:
jobnr. mode duration R 1 N 1
 1 1 0 0 0
 2 1 3 2 4
   2 5 1 1
 3 1 4 3 2
 4 1 0 0 0
RESOURCEAVAILABILITIES:
 R 1 N 1
 4 %d
"""


def projects(folder):
    """Files of PSPLIB and MMLIB (spec/bag.md 2.4)."""
    for budget, makespan in ((9, 7), (4, 9)):
        path = write(folder, "p.mm", PROJECT % budget)
        out, told, plan = plan_of(folder, path)
        ok(plan["makespan"] == makespan and plan["gap"] == 0 and not told, "budget %d: %g" % (budget, plan["makespan"]))
        ok("valid" in valid(folder, plan), "and valid")
    refused("the least that all tasks consume of N1 is 3, the budget is 2", "plan", "moldable", write(folder, "p.mm", PROJECT % 2))
    write(folder, "p.mm", PROJECT % 9)
    ok("PSPLIB), 2 tasks, 3 modes, 1 predecessor" in cosched("inspect", path)[0], "inspect names it")
    paper = cosched("paper", "run", "moldable/psplib", "--quick", "--input", path, "--papers", os.path.join(EXAMPLES, "../papers"), "-o", folder)
    ok("moldable/psplib" in paper[0], "the paper file")


PLAIN = "app,procs,seconds\na,1,60\na,2,40\nb,2,50\nb,4,30\n"


def plain_bags(folder):
    """What a machine has beside processors changes nothing where tasks do not need it."""
    bag = write(folder, "plain.csv", PLAIN)
    want = cosched("plan", "moldable", bag, "-p", 4, "--format", "csv")[0]
    memory = write(folder, "memory.csv", "app,procs,memory,seconds\na,1,4G,60\na,2,4G,40\nb,2,8G,50\nb,4,9G,30\n")
    got, told = cosched("plan", "moldable", memory, "-p", 4, "--format", "csv")
    ok(got == want and "memory is not limited: --resource memory=AMOUNT[/node]" in told, "memory that is not limited")
    got, told = cosched("plan", "moldable", memory, "-p", 4, "--unit", "node", "--resource", "memory=8G/node", "--format", "csv")
    ok(got == want and not told, "nodes that are not shared only decide which counts are allowed")
    got, told = cosched("plan", "moldable", memory, "-p", 4, "--unit", "node", "--resource", "memory=3G/node", "--format", "csv")
    ok([row.split(",")[:2] for row in got.splitlines()[1:]] == [["a", "2"], ["b", "4"]], "counts that have too little are left out")
    got, told = cosched("plan", "moldable", memory, "-p", 4, "--resource", "memory=4G/proc", "--format", "csv")
    ok(got == want, "memory of each processor")
    out, _, plan = plan_of(folder, memory, "-p", 4, "--resource", "memory=12G")
    ok("memory 12G" in out and "valid" in valid(folder, plan), "memory of the whole machine makes it general")


def bad_input(folder):
    def table(text):
        return write(folder, "t.csv", text)

    bag = table("app,procs,gpus,memory,seconds\nsolve,4,8,1G,9\nsolve,8,1,512G,9\nsolve,128,1,1G,5\n")
    refused("solve needs gpus, and the machine has none: --resource gpus=N", "plan", "moldable", bag, "-p", 64)
    refused("solve cannot run: each of its 3 modes needs more than there is (gpus 8 of 4; memory 512G of 256G; 128 processors of 64)",
            "plan", "moldable", bag, "-p", 64, "--resource", "gpus=4,memory=256G")
    refused("t.csv: 64 processors do not divide evenly over 3 nodes", "plan", "moldable", bag, "-p", 64, "--nodes", 3)
    refused("expected NAME=AMOUNT", "plan", "moldable", bag, "-p", 64, "--resource", "gpus")
    refused("--resource gpus: found \"0.5\", expected a whole number from 0 on: to share a GPU, count shares", "plan", "moldable",
            bag, "-p", 64, "--resource", "gpus=0.5")
    refused("found \"/core\", expected /node or /proc", "plan", "moldable", bag, "-p", 64, "--resource", "gpus=1/core")
    refused("the number of processors is --procs", "plan", "moldable", bag, "-p", 64, "--resource", "procs=1")
    refused("no task consumes \"hours\"", "plan", "moldable", bag, "-p", 64, "--budget", "hours=1")
    bag = table("app,procs,seconds,budget:node_hours\na,1,60,20\nb,1,60,32\n")
    refused("the least that all tasks consume of node_hours is 52, the budget is 40", "plan", "moldable", bag, "-p", 4,
            "--budget", "node_hours=40")
    bag = write(folder, "t.json", json.dumps({"format": "cosched-workload-1", "tasks": [
        {"name": "a", "points": [[1, 9]], "resources": {"memory": "1G", "procs": 3}}]}))
    refused("found \"procs\", expected other resources", "plan", "moldable", bag, "-p", 4, "--resource", "memory=4G")
    bag = table("app,procs,seconds,after\na,1,5,\nb,1,5,a\n")
    ok("\n\n\n" not in cosched("plan", "moldable", bag, "-p", 4)[0], "one blank line before the advice of a bag without resources")
    bag = table("app,procs,seconds,after\na,1,5,c\nb,1,5,a\nc,1,5,b\n")
    refused("t.csv: after: a -> c -> b -> a is a circle", "plan", "moldable", bag, "-p", 4)
    bag = table("app,procs,seconds,deadline\na,1,22200,\nb,2,22200,5h\n")
    ok("b cannot end before 6:10, its deadline is 5:00" in cosched("plan", "moldable", bag, "-p", 4)[1], "an impossible deadline is named")
    bag = write(folder, "t.json", json.dumps({"format": "cosched-workload-1", "procs": 1, "machine": {"resources": {"gpus": 1}}, "tasks": [
        {"name": "a", "modes": [{"procs": 1, "seconds": 1, "gpus": 1}]},
        {"name": "b", "modes": [{"procs": 1, "seconds": 8}], "after": ["a"], "deadline": 12},
        {"name": "c", "modes": [{"procs": 1, "seconds": 6, "gpus": 1}], "deadline": 1},
        {"name": "d", "modes": [{"procs": 1, "seconds": 7, "gpus": 1}]},
        {"name": "e", "modes": [{"procs": 1, "seconds": seconds, "gpus": gpus} for seconds, gpus in ((3, 1), (7, 0), (4, 1))], "after": ["d"], "deadline": 5}]}))
    ok(plan_of(folder, bag)[2]["late"] == 28, "the least lateness of a bag whose search ends at 29")
    bag = table("app,procs,gres,seconds\na,1,gpu:2,5\n")
    ok("gres is not read: did you mean gpus, memory or resource:NAME?" in cosched("plan", "moldable", bag, "-p", 4)[1], "a misspelt column")
    refused("gres is not read", "plan", "moldable", bag, "-p", 4, "--strict")
    bag = table("app,procs,seconds\nsolve,32,60\n")
    away = write(folder, "away.csv", "from,to,resource,less\n0,,procs,48\n")
    refused("no plan: from 0:00 on 16 of 64 processors are left, solve needs 32", "plan", "moldable", bag, "-p", 64, "--capacity", away)
    away = write(folder, "away.csv", "from,to,resource,less\n5,5,procs,48\n")
    refused("away.csv:2: column to: found 5, expected a time after from, 5", "plan", "moldable", bag, "-p", 64, "--capacity", away)
    away = write(folder, "away.csv", "from,to,resource,less\n5,9,power,48\n")
    refused("the machine has no \"power\"", "plan", "moldable", bag, "-p", 64, "--capacity", away)
    bag = table("app,procs,span,seconds\nwide,100,1,60\n")
    refused("span 1: 100 processors need 2 nodes of 64", "plan", "moldable", bag, "-p", 128, "--nodes", 2)


def windows_and_budgets(folder):
    bag = write(folder, "w.csv", "app,procs,seconds\na,4,3600\nb,4,3600\n")
    away = write(folder, "away.csv", "from,to,resource,less\n30min,2h,procs,4\n")
    out, _, plan = plan_of(folder, bag, "-p", 8, "--capacity", away)
    ok(plan["makespan"] == 7200 and "valid" in valid(folder, plan), "tasks run one after the other, beside the window")
    bag = write(folder, "b.csv", "app,procs,seconds\na,1,3600\na,4,1200\n")
    out, _, plan = plan_of(folder, bag, "-p", 4, "--budget", 1.1)
    ok(plan["makespan"] == 3600 and plan["budgets"] == {"procs": {"limit": 1.1, "spent": 1}}, "processor hours are kept")
    ok("budget procs: 1 of 1.1" in out, "and shown")


def shared_nodes(folder):
    out, _, plan = plan_of(folder, GPUS, "--procs", 64, "--nodes", 2, "--resource", "gpus=2/node,memory=128G/node,abaqus=2")
    ok(plan["nodes"] == 2 and plan["resources"]["gpus"] == {"capacity": 4, "per_node": 2}, "two nodes")
    ok(all("nodes" in bar for bar in plan["bars"]) and "valid" in valid(folder, plan), "bars name their nodes")
    wrong = json.loads(json.dumps(plan))
    for bar in wrong["bars"]:
        bar["nodes"] = "0"
    ok("node" in valid(folder, wrong, status=1), "all on one node is too much")
    rng = random.Random(27)
    for case in range(15):
        rows = ["app,procs,mode,gpus,memory,after,seconds"]
        for i in range(10):
            rows += ["t%d,%d,m%d,%d,%dG,%s,%s" % (i, rng.choice((1, 2, 4, 8)), m, rng.randint(0, 1), rng.randint(1, 4), "", rng.choice(("3", "4.5", "7", "10.1")))
                     for m in range(2)]
        _, _, plan = plan_of(folder, write(folder, "n.csv", "\n".join(rows) + "\n"), "-p", 8, "--nodes", 2, "--resource", "gpus=1/node,memory=8G/node")
        ok("valid" in valid(folder, plan), "bag %d on two nodes" % case)


def forged(folder):
    """Every number of a plan that is changed for the worse is found."""
    _, _, plan = plan_of(folder, GPUS, *MACHINE)
    names = plan["tasks"]
    bar = {names[b["task"]]: k for k, b in enumerate(plan["bars"])}

    def changed(what, change):
        copy = json.loads(json.dumps(plan))
        change(copy)
        ok("not valid" in valid(folder, copy, status=1), "found: " + what)

    def move(copy, name, by):
        copy["bars"][bar[name]]["start"] += by
        copy["bars"][bar[name]]["end"] += by

    changed("a task before its predecessor", lambda p: move(p, "post", -700))
    changed("GPUs held twice", lambda p: p["bars"][bar["solve-b"]]["uses"].update(gpus="0-1"))
    changed("a GPU that is not there", lambda p: p["bars"][bar["solve-b"]]["uses"].update(gpus="3-4"))
    changed("too few GPUs", lambda p: p["bars"][bar["solve-b"]]["uses"].update(gpus="2"))
    changed("GPUs without numbers", lambda p: p["bars"][bar["train"]].pop("uses"))
    changed("another amount of memory", lambda p: p["bars"][bar["train"]]["uses"].update(memory=1))
    changed("another mode", lambda p: p["modes"].__setitem__(names.index("train"), 0))
    changed("no such mode", lambda p: p["modes"].__setitem__(names.index("train"), 9))
    changed("a shorter bar", lambda p: p["bars"][bar["train"]].update(end=700))
    changed("fewer GPUs in the machine", lambda p: p["instance"]["machine"]["resources"].update(gpus=3))
    changed("less memory", lambda p: p["instance"]["machine"]["resources"].update(memory=60 << 30))
    changed("a lower bound above the plan", lambda p: p.update(lower_bound=801))
    changed("a shorter makespan", lambda p: p.update(makespan=790))
    changed("lateness", lambda p: p.update(late=5))
    changed("another share in use", lambda p: p["use"].update(gpus=0.5))
    changed("another capacity", lambda p: p["resources"].update(gpus=5))
    changed("another area", lambda p: p["bounds"]["area"].update(gpus=799))
    _, _, plan = plan_of(folder, write(folder, "b.csv", "app,procs,seconds\na,1,3600\na,4,1200\n"), "-p", 4, "--budget", 1.1)
    bar = {"a": 0}
    names = ["a"]
    changed("what is spent", lambda p: p["budgets"]["procs"].update(spent=0.5))
    changed("a smaller budget", lambda p: p["instance"]["machine"]["budgets"].update(procs=0.9))
    lost = json.loads(json.dumps(plan))
    del lost["modes"]
    ok("modes" in valid(folder, lost, status=5), "without modes the check is incomplete")


# ---- small bags with every feature against all modes and orders ----
#
# COSCHED_BAGS and COSCHED_SEED: how many, and which.

def drawn(rng):
    """A workload of a few tasks; each feature is there or not."""
    on = lambda share=0.4: rng.random() < share
    resources = {name: rng.randint(1, most) for name, most in (("gpus", 3), ("gpus:a100", 2), ("abaqus", 2)) if on()}
    if on():
        resources["memory"] = "%dG" % rng.randint(1, 4)
    machine = {"resources": resources}
    procs, nodes = rng.randint(2, 5), 1
    if on(0.15):
        nodes, procs = 2, 2 * rng.randint(2, 3)
        machine["nodes"] = 2
        for name in list(resources):
            if on():
                resources[name] = {"per_node": resources[name]}
    seconds = rng.choice([lambda: rng.randint(1, 9), lambda: rng.randint(1, 90) / 10, lambda: 9 * rng.random() + 0.1])
    if on(0.3):
        machine["windows"] = [{"from": rng.randint(0, 8), "less": {rng.choice(["procs", *resources]): 1}} for _ in range(rng.randint(1, 2))]
        for window in machine["windows"]:
            name = next(iter(window["less"]))
            window["less"][name] = "1G" if name == "memory" else rng.randint(1, 2)
            if on(0.9):
                window["to"] = window["from"] + rng.randint(1, 6)
    if on(0.25):
        machine["budgets"] = {"energy": rng.randint(3, 12)}
    if on(0.15):
        machine.setdefault("budgets", {})["procs"] = rng.randint(2, 30) / 1000
    tasks = []
    for i in range(rng.choice([1, 2, 2, 3, 3, 3, 4])):
        task = {"name": "t%d" % i, "modes": []}
        for _ in range(rng.randint(1, 3 if i < 3 else 2)):
            uses = {name: rng.randint(0, 2) for name in resources if name not in ("memory", "gpus") and on(0.6)}
            mode = {"procs": rng.randint(1, 4), "seconds": seconds(), "resources": uses, "budgets": {"energy": rng.randint(0, 5)}}
            if "gpus" in resources and on(0.6):
                mode["gpus"] = rng.randint(0, 2)
            if "memory" in resources and on(0.7):
                mode["memory"] = "%dG" % rng.randint(1, 3)
            if nodes > 1 and on(0.2):
                mode["span"] = rng.randint(1, 2)
            task["modes"].append(mode)
        task["after"] = ["t%d" % j for j in range(i) if on(0.25)]
        if on(0.2):
            task["release"] = rng.randint(0, 6)
        if on(0.2):
            task["deadline"] = rng.randint(5, 30)
        tasks.append(task)
    return {"format": "cosched-workload-1", "procs": procs, "machine": machine, "tasks": tasks}


def amount(value):
    return int(value[:-1]) if isinstance(value, str) else value


class Small:
    """The bag by the rules of the specification, without any cleverness."""

    def __init__(self, doc):
        machine, self.tasks = doc["machine"], doc["tasks"]
        self.nodes = machine.get("nodes", 1)
        self.each = {"procs": doc["procs"] // self.nodes}
        self.whole = {"procs": doc["procs"]}
        for name, value in machine["resources"].items():
            node = isinstance(value, dict)
            one = amount(value["per_node"] if node else value)
            self.whole[name] = one * self.nodes if node else one
            if node:
                self.each[name] = one
        self.windows = machine.get("windows", [])
        self.budgets = machine.get("budgets", {})
        self.index = {task["name"]: i for i, task in enumerate(self.tasks)}

    def use(self, mode):
        return {"procs": mode["procs"], "gpus": mode.get("gpus", 0), "memory": amount(mode.get("memory", 0)), **mode["resources"]}

    def spend(self, mode):
        hours = -(-mode["procs"] * mode["seconds"] * 1000 // 3600) / 1000
        return {"energy": mode["budgets"]["energy"], "procs": hours}

    def allowed(self, mode):
        need = max(-(-value // self.each[name]) for name, value in self.use(mode).items() if name in self.each)
        return (all(value <= self.whole.get(name, 0) for name, value in self.use(mode).items())
                and all(self.spend(mode)[name] <= limit for name, limit in self.budgets.items())
                and (not mode.get("span") or need <= mode["span"] <= self.nodes))

    def away(self, name, date):
        taken = sum(amount(w["less"].get(name, 0)) for w in self.windows if w["from"] <= date < w.get("to", float("inf")))
        return min(taken, self.whole[name])

    def fits(self, placed, mode, date):
        """Beside what is placed, on the machine as a whole; placed: (start, mode)."""
        end = date + mode["seconds"]
        points = [date] + [s for s, _ in placed if date < s < end] + [w["from"] for w in self.windows if date < w["from"] < end]
        return all(sum(self.use(m).get(name, 0) for s, m in placed if s <= p < s + m["seconds"]) + self.use(mode).get(name, 0)
                   <= total - self.away(name, p) or not self.use(mode).get(name, 0) for p in points for name, total in self.whole.items())

    def plans(self):
        """(late, makespan) of all modes and orders, each task at the earliest date; shared nodes are one machine here."""
        choices = [[m for m in task["modes"] if self.allowed(m)] for task in self.tasks]
        for modes in itertools.product(*choices):
            if any(sum(round(1000 * self.spend(m)[name]) for m in modes) > round(1000 * limit) for name, limit in self.budgets.items()):
                continue
            for order in itertools.permutations(range(len(modes))):
                if not any(order.index(self.index[j]) > order.index(i) for i in order for j in self.tasks[i]["after"]):
                    yield self.earliest(modes, order)

    def earliest(self, modes, order):
        end, placed, late = {}, [], 0
        for i in order:
            ready = max([end[self.index[j]] for j in self.tasks[i]["after"]] + [self.tasks[i].get("release", 0)])
            dates = {ready} | {d for d in [*end.values(), *(w.get("to", ready) for w in self.windows)] if d > ready}
            date = next((d for d in sorted(dates) if self.fits(placed, modes[i], d)), None)
            if date is None:
                return None
            placed.append((date, modes[i]))
            end[i] = date + modes[i]["seconds"]
            due = self.tasks[i].get("deadline", float("inf"))
            late += end[i] - due if end[i] > due * (1 + 1e-9) else 0
        return late, max(end.values())

    def broken(self, plan):
        """Does a plan break a rule of the machine as a whole?"""
        bars = {b["task"]: b for b in plan["bars"]}
        if sorted(bars) != list(range(len(self.tasks))) or len(plan["bars"]) != len(bars):
            return True
        placed = []
        for i, task in enumerate(self.tasks):
            modes = [mode for mode in task["modes"] if self.allowed(mode)]
            if "modes" in plan and not 0 <= plan["modes"][i] < len(modes):
                return True
            mode = modes[plan["modes"][i]] if "modes" in plan else next(m for m in modes if m["procs"] == plan["counts"][i])
            bar = bars[i]
            if bar["end"] != bar["start"] + mode["seconds"] or bar["start"] < task.get("release", 0):
                return True
            if any(bar["start"] < bars[self.index[j]]["end"] for j in task["after"]):
                return True
            placed.append((bar["start"], mode))
        return not all(self.fits(placed[:k] + placed[k + 1:], m, s) for k, (s, m) in enumerate(placed))


def mutated(plan, rng):
    """A plan with a date, a mode or a number changed."""
    copy = json.loads(json.dumps(plan))
    bar, kind = rng.choice(copy["bars"]), rng.randrange(4)
    if kind < 2:
        by = rng.choice([-2, -1, -0.5, 0.5, 1]) * (bar["end"] - bar["start"])
        bar["start"] += by
        bar["end"] += by
    elif kind == 2 and "modes" in copy:
        copy["modes"][bar["task"]] += rng.choice([-1, 1])
    else:
        bar["end"] -= 0.25 * (bar["end"] - bar["start"])
    return copy


def small_bags(folder):
    rng = random.Random(int(os.environ.get("COSCHED_SEED", 7)))
    kinds = dict.fromkeys(("none", "proven", "late", "nodes", "found"), 0)
    for case in range(int(os.environ.get("COSCHED_BAGS", 60))):
        doc = drawn(rng)
        small, bag = Small(doc), write(folder, "small.json", json.dumps(doc))
        best = min((plan for plan in small.plans() if plan), default=None)
        out, told, plan = plan_of(folder, bag, "--effort", "exact", status=None)
        if plan is None:
            ok(best is None or small.nodes > 1, "bag %d: no plan: %s" % (case, told))
            kinds["none"] += 1
            continue
        verdict = valid(folder, plan, status=None)
        ok("not valid" not in verdict and "valid" in verdict, "bag %d: valid: %s" % (case, verdict.strip()))
        ok(best and not small.broken(plan), "bag %d: by the rules" % case)
        ok(plan["lower_bound"] <= (best[1] if best[0] == 0 else plan["makespan"]) * (1 + 1e-9) or small.nodes > 1, "bag %d: the bound is one" % case)
        if small.nodes > 1:
            ok(plan["makespan"] >= best[1] * (1 - 1e-9) or best[0] > 0, "bag %d: not below one without nodes" % case)
            kinds["nodes"] += 1
        elif best[0] == 0:
            ok(abs(plan["makespan"] - best[1]) <= 1e-6 * best[1] and plan["gap"] == 0 and not plan.get("late"),
               "bag %d: %g is proven, the optimum is %g" % (case, plan["makespan"], best[1]))
            kinds["proven"] += 1
        else:
            ok(abs(plan["late"] - best[0]) <= 1e-9 * best[0], "bag %d: %g late, the least is %g" % (case, plan["late"], best[0]))
            kinds["late"] += 1
        for _ in range(2):
            worse = mutated(plan, rng)
            if small.broken(worse):
                verdict = valid(folder, worse, status=None)
                ok("not valid" in verdict or "expected" in verdict, "bag %d: a broken rule is found" % case)
                kinds["found"] += 1
    ok(all(kinds.values()), "bags of each kind: %s" % kinds)


with tempfile.TemporaryDirectory() as scratch:
    for part in plans, planners, sizes, pictures, projects, plain_bags, bad_input, windows_and_budgets, shared_nodes, forged, small_bags:
        part(scratch)
finish()
