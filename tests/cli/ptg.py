#!/usr/bin/env python3
"""`cosched plan ptg` and `generate ptg` as a user meets them.

usage: tests/cli/ptg.py COSCHED EXAMPLES
"""

import csv
import io
import json
import os
import re
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, results, write

EXAMPLES = sys.argv[2]
GRAPHS = os.path.join(EXAMPLES, "graphs.json")
CLUSTERS = os.path.join(EXAMPLES, "clusters.json")
PAPER = ["s", "es", "ps-cp", "ps-width", "ps-work", "wps-cp", "wps-width", "wps-work"]

# A task of 100 flop on processors of 1 flop/s, then another; nothing to send.
CHAIN = json.dumps({"name": "chain", "arcs": [[0, 1, 0]],
                    "tasks": [{"name": "a", "flops": 100, "alpha": 0},
                              {"name": "b", "flops": 60, "alpha": 1}]})
FOUR = json.dumps({"name": "four", "clusters": [{"name": "c", "procs": 4, "speed": 1}]})

# Two sequential tasks of 10 s and 20 s, as WfCommons writes them.
WORKFLOW = json.dumps({"name": "w", "schemaVersion": "1.5", "workflow": {
    "specification": {"tasks": [
        {"name": "x", "id": "x", "parents": [], "children": ["y"]},
        {"name": "y", "id": "y", "parents": ["x"], "children": []}]},
    "execution": {"tasks": [{"id": "x", "runtimeInSeconds": 10},
                            {"id": "y", "runtimeInSeconds": 20}]}}})


def plans(folder):
    chain, four = write(folder, "chain.json", CHAIN), write(folder, "four.json", FOUR)
    found = results("plan", "ptg", chain, "--platform", four, "-s", "s")
    one = found["results"][0]
    ok(one["makespan"] == 85 and one["graphs"][0]["slowdown"] == 1, "25 s on four, 60 s on one")
    ok(one["unfairness"] == 0 and one["relative_makespan"] == 1, "alone is fair")
    ok(found["lower_bound"] <= 85 and abs(one["gap"] - (85 / found["lower_bound"] - 1)) < 1e-12,
       "the gap is that to the bound")
    single = [results("plan", "ptg", GRAPHS.replace("graphs", "workflow"), "-p", CLUSTERS, "--alpha",
                      0.1, "--replay", "fluid", "-s", names)["results"] for names in ("s,es", "es,s")]
    ok(single[0] == single[1][::-1] and single[0][0]["graphs"] == single[0][1]["graphs"],
       "one graph has all of the platform with every strategy")
    two = results("plan", "ptg", chain, chain, "-p", four, "-s", "es")["results"][0]
    ok([g["graph"] for g in two["graphs"]] == ["chain#0", "chain#1"], "twins are told apart")
    ok([g["share"] for g in two["graphs"]] == [0.5, 0.5], "equal shares")
    late = results("plan", "ptg", chain, chain, "-p", four, "-s", "s", "--release", "0,2min")
    ok([g["shared"] for g in late["results"][0]["graphs"]] == [85, 85], "who comes later is alone")
    times = write(folder, "times", "# two\n0\n 2min \n")
    ok(late == results("plan", "ptg", chain, chain, "-p", four, "-s", "s", "--release", times),
       "times may stand in a file")
    out = cosched("plan", "ptg", GRAPHS, "-p", CLUSTERS, "--replay", "fluid")[0]
    ok("3 graphs of 52 tasks on two-halls: 40 processors in 2 clusters" in out, "what was planned")
    ok("with contention: makespan" in out and "strassen" in out, "people read a table")
    rows = list(csv.DictReader(io.StringIO(
        cosched("plan", "ptg", GRAPHS, "-p", CLUSTERS, "--format", "csv")[0])))
    ok([row["graph"] for row in rows] == ["fft", "strassen", "random"] and
       float(rows[0]["release"]) == 0, "programs read CSV")


def limits(folder):
    """Memory and cores of a workflow bound the processors of its tasks."""
    text = json.loads(WORKFLOW)
    text["workflow"]["execution"]["tasks"][0].update(memoryInBytes=3e9, coreCount=2)
    flow = write(folder, "flow.json", json.dumps(text))
    platform = json.loads(FOUR)
    platform["clusters"][0]["memory"] = 1e9
    roomy = write(folder, "roomy.json", json.dumps(platform))
    plan = ["plan", "ptg", flow, "-p", roomy, "--alpha", 0.1]
    schedule = os.path.join(folder, "limits.json")
    cosched(*plan, "-s", "joint", "--cores", "exact", "--schedule", schedule)
    bars = json.loads(read(schedule))["bars"]
    ok([bar["procs"] for bar in bars if bar["task"] == 0] == ["0-2"], "as many as its memory fills")
    ok("valid" in cosched("check", schedule)[0], "which the checker agrees to")
    refused("s knows no limits", *plan, "-s", "s")
    platform["clusters"][0]["memory"] = 5e8
    small = write(folder, "small.json", json.dumps(platform))
    refused("task x of graph w needs 3000000000 bytes of memory", "plan", "ptg", flow, "-p", small)


def compares():
    lille = ["plan", "ptg", GRAPHS, "-p", "grid5000-lille", "--network", "plain"]
    rows = results(*lille, "-s", "all", "--replay", "fluid")["results"]
    names = [row["policy"] for row in rows]
    listed = [row["name"] for row in json.loads(cosched("list", "ptg", "--format", "json")[0])]
    ok([*names, "bicpa", "program"] == listed and names[:8] == PAPER,
       "all strategies but those of one cluster and of the user, the paper's first")
    refused("bicpa plans one graph on one cluster; this platform has 3 clusters", *lille, "-s", "bicpa")
    ok(min(row["relative_makespan"] for row in rows) == 1, "relative to the best")
    ok(all(row["gap"] >= 0 for row in rows), "nothing beats the bound")
    ok(all(row["contention"]["makespan"] > 0 for row in rows), "each replayed")
    fair = {row["policy"]: row["unfairness"] for row in rows}
    ok(fair["feedback-fair"] <= fair["wps-width"] < fair["s"], "feedback is fairer, s is selfish")
    out = cosched(*lille, "-s", "es,wps-work:mu=1,wps-cp", "--mu", 1)[0]
    spans = re.findall(r"^\S+ +(\d\.\d+) +(\d\.\d+) ", out, re.M)
    ok(len(spans) == 3 and len(set(spans)) == 1, "mu 1 is es, whatever the measure")
    online = results(*lille, "-s", "all", "--online", "full", "--release", "0,10,20")["results"]
    ok(len(online) == 12 and online[-1]["policy"] == "dispatch" and
       all(row["recomputations"] >= 3 for row in online[:-1]),
       "strategies that need all graphs at once stay at home when they arrive")
    best = results(*lille)["results"][0]
    ok(best["policy"] == "portfolio" and best["rounds"] == 28 and best["member"],
       "without a strategy the portfolio, which says whose plan it took")


def writes_schedules(folder):
    plan, picture = (os.path.join(folder, name) for name in ("s.json", "s.svg"))
    for more in ([], ["--network", "plain"], ["--release", "0,5,1min", "--online", "arrival"],
                 ["--allocation", "scrap", "--efficiency", 0.3], ["--order", "global"],
                 ["--packing", "no", "--largest", "platform", "--gain", "time", "--batch", 0.01],
                 ["--reference", "fastest", "-s", "feedback-trade:on=fluid"]):
        cosched("plan", "ptg", GRAPHS, "-p", CLUSTERS, "--schedule", plan, "--gantt", picture, *more)
        ok("valid" in cosched("check", plan)[0], "%s is valid" % more)
    drawn = read(picture)
    ok(all(">%s<" % word in drawn for word in ("old", "new", "strassen")), "lanes, applications")
    ok("<title>fft/t7\n" in drawn, "tooltips name the task")
    cosched("plan", "ptg", GRAPHS, "-p", CLUSTERS, "--schedule", plan)
    good = json.loads(read(plan))
    ok(len(good["graphs"]) == 3 and len(good["shares"]) == 3, "the graphs are inside")
    for bar in good["bars"]:
        bar["start"], bar["end"] = bar["start"] / 2, bar["end"] / 2
    out = cosched("check", write(folder, "broken.json", json.dumps(good)), status=1)[0]
    ok("it must take" in out, "the checker says why")


def reads_workflows(folder):
    workflow, four = write(folder, "w.json", WORKFLOW), write(folder, "four.json", FOUR)
    out, told = cosched("plan", "ptg", workflow, "-p", four, "--format", "json")
    ok(json.loads(out)["results"][0]["makespan"] == 30, "measured times are the slowest cluster's")
    ok("all tasks are sequential" in told, "and a word on what that means")
    wide = results("plan", "ptg", workflow, "-p", four, "--alpha", 0, "-s", "s")
    ok(wide["results"][0]["makespan"] == 7.5, "perfectly parallel on four processors")
    ok(results("plan", "ptg", workflow, "-p", four, "--speed", 2)["results"][0]["makespan"] == 60,
       "measured on faster processors")
    drawn = [results("plan", "ptg", workflow, "-p", four, "--alpha", "0:0.5", "-s", "s", "--seed",
                     seed)["results"][0]["makespan"] for seed in (1, 1, 2)]
    ok(7.5 < drawn[0] < 18.75 and drawn[0] == drawn[1] != drawn[2], "or drawn between")


def examples_work():
    text = cosched("help", "plan", "ptg")[0]
    lines = re.findall(r"^      cosched (plan ptg .*)$", text, re.M)
    ok(len(lines) == 4, "four examples")
    for line in lines:
        words = [os.path.join(EXAMPLES, word[9:]) if word.startswith("examples/") else word
                 for word in line.replace("--gantt plan.svg", "").split()]
        ok("above the bound" in " ".join(cosched(*words)[0].split()).replace("above bound", "above the bound"), line)


def generates(folder):
    made = cosched("generate", "ptg", "-n", 3, "--seed", 3)[0]
    ok(made == cosched("generate", "ptg", "-n", 3, "--seed", 3)[0], "the same seed")
    ok(made != cosched("generate", "ptg", "-n", 3, "--seed", 4)[0], "another seed")
    ok(made != cosched("generate", "ptg", "-n", 3, "--seed", 3, "--set", 1)[0],
       "another combination")
    out = cosched("plan", "ptg", "-", "-p", "grid5000-nancy", given=made)[0]
    ok("3 graphs" in out, "several graphs in one file are planned")
    for family, tasks in (("fft", [15]), ("strassen", [25]), ("random", [30])):
        more = {"fft": ["--points", 4], "strassen": ["--cost", "sort"],
                "random": ["--tasks", 30, "--width", 0.3]}[family]
        graph = json.loads(cosched("generate", "ptg", "--family", family, *more)[0])
        ok([len(graph["tasks"])] == tasks and graph["format"] == "cosched-graph-1", family)
    dot = os.path.join(folder, "g.dot")
    cosched("generate", "ptg", "--family", "fft", "-n", 2, "-o", dot)
    files = [os.path.join(folder, "g%d.dot" % i) for i in range(2)]
    ok("2 graphs" in cosched("plan", "ptg", *files, "-p", CLUSTERS)[0], "a file of DOT each")


def refuses(folder):
    chain, four = write(folder, "chain.json", CHAIN), write(folder, "four.json", FOUR)
    plan = ["plan", "ptg", chain, "-p", four]
    refused("which platform?", "plan", "ptg", chain, status=2)
    refused("grid5000-lille", "plan", "ptg", chain, "-p", "grid5000-paris")
    refused("grid5000-lille", "plan", "ptg", chain, "-p", "lille")
    refused("read once only", "plan", "ptg", "-", "-", "-p", four, status=2)
    refused("is for one strategy: name it", *plan, "-s", "all", "--gantt", "x.svg", status=2)
    refused("--mu is for the wps strategies", *plan, "-s", "es", "--mu", 0.5)
    refused("did you mean \"wps-width\"", *plan, "-s", "wps-widht")
    refused("expected a number from 0 to 1", *plan, "--alpha", "0.5:0.2")
    refused("expected one for each of 1 graphs", *plan, "--release", "0,1")
    refused("found \"-5\", expected a time", *plan, "--release", "0,-5")
    refused("no-such-file", *plan, "--release", "no-such-file")
    refused("there are more times", *plan, "--release", write(folder, "t", "1\n2\n"))
    refused("t:1: found \"soon\"", *plan, "--release", write(folder, "t", "soon\n"))
    refused("needs all graphs in advance", *plan, "-s", "feedback-fair", "--online", "full")
    refused("SimGrid is now in a test of the source only, ptg_simgrid", *plan, "--replay", "simgrid", status=2)
    refused("--density is for --family random", "generate", "ptg", "--family", "fft", "--density",
            0.2, status=2)
    refused("draws shapes and costs", "generate", "ptg", "--tasks", 9, "--set", 3, status=2)
    refused("not a power of two", "generate", "ptg", "--family", "fft", "--points", 6)
    cycle = json.dumps({"tasks": [{"flops": 1}, {"flops": 1}], "arcs": [[0, 1], [1, 0]]})
    refused("cycle", "plan", "ptg", write(folder, "cycle.json", cycle), "-p", four)
    several = json.dumps({"graphs": [json.loads(CHAIN), {"tasks": [], "arcs": []}]})
    refused("graphs[1]", "plan", "ptg", write(folder, "several.json", several), "-p", four)
    refused("found no graph", "plan", "ptg", write(folder, "none.json", '{"graphs": []}'), "-p",
            four)
    refused("it is the input", *plan, "--schedule", chain)
    slow = json.dumps({"clusters": [{"name": "c", "procs": 4}]})
    refused("has no speed", "plan", "ptg", chain, "-p", write(folder, "slow.json", slow))


def main():
    with tempfile.TemporaryDirectory() as folder:
        plans(folder)
        limits(folder)
        compares()
        examples_work()
        for part in (writes_schedules, reads_workflows, generates, refuses):
            part(folder)
    finish()


main()
