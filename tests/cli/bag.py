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
    out, told = cosched("plan", "moldable", *args, "-o", path, status=status)
    return out, told, json.loads(read(path)) if status == 0 else None


def valid(folder, plan, status=0):
    """What the checker says of a plan."""
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


# ---- small bags against all modes and orders ----

def drawn(rng):
    tasks = []
    for i in range(rng.randint(1, 4)):
        tasks.append({"name": "t%d" % i, "after": [j for j in range(i) if rng.random() < 0.3],
                      "modes": [(rng.randint(1, 4), rng.randint(0, 2), rng.randint(0, 3), rng.randint(1, 9)) for _ in range(rng.randint(1, 3))]})
    return tasks


def best_of(tasks, procs, gpus, memory):
    """The least makespan of all modes and orders, each task at the earliest date; None: a task cannot run."""
    fits = [[m for m in t["modes"] if m[0] <= procs and m[1] <= gpus and m[2] <= memory] for t in tasks]
    if not all(fits):
        return None
    best = float("inf")
    for modes in itertools.product(*fits):
        for order in itertools.permutations(range(len(tasks))):
            if any(order.index(j) > order.index(i) for i, t in enumerate(tasks) for j in t["after"]):
                continue
            start, end = {}, {}
            for i in order:
                ready = max([end[j] for j in tasks[i]["after"]], default=0)
                for date in sorted({ready} | {end[j] for j in end if end[j] > ready}):
                    ends = date + modes[i][3]
                    held = [[modes[j][k] for j in start if start[j] < ends and end[j] > date] for k in range(3)]
                    points = [date] + [start[j] for j in start if date < start[j] < ends]
                    if all(sum(modes[j][k] for j in start if start[j] <= p < end[j]) + modes[i][k] <= (procs, gpus, memory)[k]
                           for p in points for k in range(3)) or not any(held):
                        start[i], end[i] = date, ends
                        break
            best = min(best, max(end.values()))
    return best


def small_bags(folder):
    rng = random.Random(7)
    for case in range(40):
        tasks, procs, gpus, memory = drawn(rng), rng.randint(2, 5), rng.randint(0, 2), rng.randint(1, 4)
        rows = ["app,procs,mode,gpus,memory,after,seconds"]
        for task in tasks:
            for k, (p, g, m, s) in enumerate(task["modes"]):
                rows.append("%s,%d,m%d,%d,%s,%s,%d" % (
                    task["name"], p, k, g, "%dG" % m if m else "0", ";".join("t%d" % j for j in task["after"]) if k == 0 else "", s))
        bag = write(folder, "small.csv", "\n".join(rows) + "\n")
        want = best_of(tasks, procs, gpus, memory)
        out, told, plan = plan_of(folder, bag, "-p", procs, "--resource", "gpus=%d" % gpus, "--resource", "memory=%dG" % memory,
                                  "--effort", "exact", status=1 if want is None else 0)
        if want is None:
            ok("needs" in told, "bag %d: a task cannot run" % case)
        else:
            ok(plan["makespan"] == want and plan["lower_bound"] == want and plan["gap"] == 0, "bag %d: %g is proven, the optimum is %g" % (
                case, plan["makespan"], want))
            ok("valid" in valid(folder, plan), "bag %d: valid" % case)


with tempfile.TemporaryDirectory() as scratch:
    for part in plans, planners, sizes, pictures, projects, plain_bags, bad_input, windows_and_budgets, shared_nodes, forged, small_bags:
        part(scratch)
finish()
