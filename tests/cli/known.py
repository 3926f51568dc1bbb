#!/usr/bin/env python3
"""Instances with known optima (`generate --trap`), `check --watts`, `simulate malleable --optimum` and `pattern`.

usage: tests/cli/known.py COSCHED EXAMPLES
"""

import csv
import itertools
import json
import math
import os
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, results, write


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)


def known_of(path):
    """Of a workload, or of a table of jobs."""
    text = read(path)
    return json.loads(text.split("\n", 1)[0][len("# known: "):]) if text.startswith("# known: ") else json.loads(text)["known"]


def splits(numbers, bound):
    """Can they be split into triples of this sum?  By brute force."""
    if not numbers:
        return True
    first, rest = numbers[0], numbers[1:]
    return any(first + a + b == bound and splits([n for i, n in enumerate(rest) if i not in (x, y)], bound)
               for (x, a), (y, b) in itertools.combinations(enumerate(rest), 2))


def workloads():
    for answer, problem, triples in itertools.product(("yes", "no"), ("pack", "moldable", "malleable"), (2, 3)):
        cosched("generate", problem, "--trap", "three-partition", "--answer", answer, "--triples", triples, "-o", "w.json")
        known = known_of("w.json")
        trap = known["trap"]
        title = "%s %s %d" % (problem, answer, triples)
        ok(sum(trap["numbers"]) == triples * trap["bound"], title + ": the sum")
        ok(splits(trap["numbers"], trap["bound"]) == (answer == "yes"), title + ": the answer")
        ok((known.get("optimum") is None) == (answer == "no"), title + ": an optimum only for a yes")
    cosched("generate", "pack", "--trap", "parallel", "--tasks", 5, "--procs", 2, "-o", "w.json")
    ok(known_of("w.json")["optimum"] == 2.5, "five tasks on two processors")
    rows = results("plan", "pack", "w.json", "--pack-size", 1, "--policy", "pack-approx:mode=printed,one-by-one")["results"]
    ok(near(rows[0]["cost"], 5) and near(rows[0]["known_gap"], 1), "the distance to the optimum is a result: %s" % rows[0])


def changes_are_noticed():
    """Plans with another `known` than that of the trap."""
    cosched("generate", "pack", "--trap", "three-partition", "--triples", 2, "--bound", 17, "-o", "w.json")
    cosched("plan", "pack", "w.json", "--policy", "exact", "-o", "plan.json")
    ok(": valid: " in cosched("check", "plan.json")[0], "the plan is valid")
    plan = json.loads(read("plan.json"))
    for change, sentence in [
            (lambda k: k.update(at_least=3, at_most=3, optimum=3), "which is proven to be needed"),
            (lambda k: k.update(at_least=1), "the trap shows 2"),
            (lambda k: k["trap"].update(bound=18), "the numbers are not those"),
            (lambda k: k["trap"].update(triples=[[0, 1, 2], [3, 4, 5]]), "the triples are not a partition"),
            (lambda k: k["trap"].update(answer=None), "at_most is 2, and the trap shows no schedule"),
            (lambda k: k["trap"].update(answer="no"), "is not shown")]:
        spoilt = json.loads(json.dumps(plan))
        change(spoilt["instance"]["known"])
        write(".", "spoilt.json", json.dumps(spoilt))
        out, _ = cosched("check", "spoilt.json", status=1)
        ok(sentence in out, "check says: %s (%s)" % (sentence, " ".join(out.split())))
    # Thirty equal numbers: a search that tries equal ones one by one does not end.
    cosched("generate", "pack", "--trap", "three-partition", "--numbers", ",".join(["17"] * 30 + ["15"] * 4 + ["18", "24"]), "-o", "equal.json")
    ok(known_of("equal.json")["trap"]["answer"] == "no", "a triple with 24 is missing")
    cosched("plan", "pack", "equal.json", "-o", "equal-plan.json")
    ok(": valid: " in cosched("check", "equal-plan.json")[0], "the no of equal numbers is verified")
    for problem, other in itertools.permutations(("pack", "moldable", "malleable"), 2):
        if other != "malleable":  # which needs tasks with data
            cosched("generate", problem, "--trap", "three-partition", "--triples", 2, "--bound", 17, "-o", "other.json")
            _, told = cosched("plan", other, "other.json", "-o", "plan.json")
            ok("the optimum is that of the problem %s, not of %s: ignored" % (problem, other) in told, "%s in %s: %s" % (problem, other, told))
            ok("not valid" not in cosched("check", "plan.json")[0], "%s in %s: the plan is valid" % (problem, other))
    _, told = cosched("plan", "pack", "w.json", "--procs", 16)
    ok("the optimum is that of 17 processors, not of 16: ignored" in told, "another machine has another optimum")


def jobs():
    cosched("generate", "rigid", "--trap", "ljf", "--groups", 2, "--slots", 8, "-o", "jobs.csv", "--failures-output", "fail")
    row = results("simulate", "rigid", "jobs.csv", "--failures", "fail", "--policy", "list:reservations=all",
                  "--priority", "ljf-given", "--schedule", "run.json")["results"][0]
    ok(near(row["makespan"]["mean"], 162) and near(row["known_gap"]["mean"], 162 / 66 - 1), "a large ratio: %s" % row["makespan"])
    ok(": valid: " in cosched("check", "run.json")[0], "its schedule is valid")
    write(".", "spoilt.json", read("run.json").replace('"at_least": 66', '"at_least": 60'))
    ok("the trap shows 66" in cosched("check", "spoilt.json", status=1)[0], "a forged bound is noticed")
    cosched("generate", "rigid", "--trap", "greedy", "--procs", 4, "-o", "jobs.csv")
    row = results("simulate", "rigid", "jobs.csv", "--policy", "list:reservations=0", "--priority", "spt")["results"][0]
    ok(near(row["makespan"]["mean"], 7), "Proposition 2 is reached")


def graphs():
    """A graph whose tasks are the numbers, on a processor of 1 flop/s for each triple."""
    made = ("-o", "graph.json", "--platform-output", "machine.json")
    for answer, triples in itertools.product(("yes", "no"), (2, 3)):
        cosched("generate", "ptg", "--trap", "three-partition", "--answer", answer, "--triples", triples, *made)
        graph, machine = json.loads(read("graph.json")), json.loads(read("machine.json"))
        known = graph["known"]
        title = "ptg %s %d" % (answer, triples)
        ok([task["flops"] for task in graph["tasks"]] == known["trap"]["numbers"] and not graph["arcs"] and
           all(task["alpha"] == 1 for task in graph["tasks"]), title + ": the tasks are the numbers")
        ok([(c["procs"], c["speed"]) for c in machine["clusters"]] == [(triples, 1)], title + ": the processors")
        ok(splits(known["trap"]["numbers"], known["trap"]["bound"]) == (answer == "yes"), title + ": the answer")
        ok(known["at_least"] == known["trap"]["bound"] + (answer == "no"), title + ": the least makespan")
        row = results("plan", "ptg", "graph.json", "--platform", "machine.json", "--policy", "s")["results"][0]
        want = row["makespan"] / known["at_most"] - 1 if answer == "yes" else None
        ok("known_gap" not in row if want is None else near(row["known_gap"], want), "%s: the distance: %s" % (title, row))
    cosched("generate", "ptg", "--trap", "three-partition", "--numbers", "5,6,5,5,6,7", *made)
    cosched("plan", "ptg", "graph.json", "--platform", "machine.json", "-o", "plan.json")
    ok(": valid: " in cosched("check", "plan.json")[0], "the plan of the graph is valid")
    plan = json.loads(read("plan.json"))
    ok("known" in plan and "known" not in plan["graphs"][0], "the schedule has what is known once")
    for change, sentence in [(lambda p: p["known"].update(at_least=16), "the trap shows 17"),
                             (lambda p: p["known"]["trap"].update(numbers=[5, 6, 6, 5, 5, 7]), "are not those of the trap"),
                             (lambda p: p["platform"]["clusters"][0].update(speed=2), "are not those of the trap")]:
        spoilt = json.loads(json.dumps(plan))
        change(spoilt)
        write(".", "spoilt.json", json.dumps(spoilt))
        out, _ = cosched("check", "spoilt.json", status=1)
        ok(sentence in out, "check of a graph says: %s (%s)" % (sentence, " ".join(out.split())))
    write(".", "fast.json", read("machine.json").replace('"speed": 1,', '"speed": 2,'))
    for words, sentence in [(["graph.json", "--platform", "fast.json"], "of processors of 1 flop/s: ignored"),
                            (["graph.json", "graph.json", "--platform", "machine.json"], "of one graph on one platform: ignored"),
                            (["graph.json", "--platform", "machine.json", "--release", 5], "of a graph that is there from the start: ignored")]:
        _, told = cosched("plan", "ptg", *words, "-o", "plan.json")
        ok(sentence in told and '"known"' not in read("plan.json"), "%s: %s" % (sentence, told))
        ok(": valid: " in cosched("check", "plan.json")[0], "a plan without what is known is valid: %s" % sentence)
    for supplied in ({"trap": "three-partition", "triples": 3, "triple_sum": 17}, {"input": "graph.json", "platform": "machine.json"}):
        write(".", "ptg.exp", json.dumps({"problem": "ptg", "set": supplied, "vary": {"policy": ["s", "wps-width"]}, "metrics": ["makespan", "known_gap"]}))
        cosched("campaign", "run", "ptg.exp", "--store", "%d.db" % len(supplied))
        head, *lines = [line.split(",") for line in cosched("campaign", "export", "%d.db" % len(supplied))[0].split()]
        ok(len(lines) == 2 and all(near(float(line[head.index("known_gap")]), float(line[head.index("makespan")]) / 17 - 1) for line in lines),
           "experiments with graphs have the distance: %s" % lines)
    refused("--family: the trap is one graph", "generate", "ptg", "--trap", "three-partition", "--family", "fft")
    refused("--tasks: the trap is one graph", "generate", "ptg", "--trap", "three-partition", "--tasks", 9)
    refused("--output: found g.dot, expected JSON", "generate", "ptg", "--trap", "three-partition", "-o", "g.dot")
    refused('there is no trap "greedy" for ptg: three-partition', "generate", "ptg", "--trap", "greedy")
    refused("--procs: the trap shelf is for 1 to 10000 processors, not for 0", "generate", "rigid", "--trap", "shelf")


def bicliques():
    """Hosts that are up together in the planted slots; plans find them, or better ones."""
    line = ["generate", "volatile", "--trap", "biclique", "--hosts", 8, "--slots", 20, "--planted-hosts", 3, "--planted-slots", 5]
    for seed, name in itertools.product((1, 2, 3), ("biclique", "biclique-free")):
        line[3] = name
        cosched(*line, "--seed", seed, "-o", "hosts.json")
        made = json.loads(read("hosts.json"))
        known, trap = made["known"], made["known"]["trap"]
        states = ["".join(run[0] * int(run[1:]) for run in host["trace"].split()) for host in made["hosts"]]
        title = "%s %d" % (name, seed)
        free = name == "biclique-free"
        ok(len(trap["hosts"]) == made["application"]["tasks"] == 3 and len(trap["slots"]) == 5, title + ": as many as planted")
        ok(all(states[q][t] == "u" for q in trap["hosts"] for t in trap["slots"]), title + ": up in the planted slots")
        ok(all(state[20:] == "u" * (21 if free else 0) for state in states), title + ": the slots after them")
        ok(all(host["slots"] == known["at_least"] == 5 + 21 * free for host in made["hosts"]), title + ": the work")
        ok(known["at_most"] == (41 if free else trap["slots"][-1] + 1), title + ": a schedule of this length")
        groups = itertools.combinations(range(8), 3)
        together = ([t for t in range(20) if all(states[q][t] == "u" for q in group)] for group in groups)
        least = min(slots[4] + 1 for slots in together if len(slots) >= 5)
        cosched("plan", "volatile", "hosts.json", "-o", "plan.json")
        plan = json.loads(read("plan.json"))
        made = results("plan", "volatile", "hosts.json")
        ok(near(made["known_gap"], plan["makespan"] / known["at_most"] - 1), title + ": a plan has its gap: %s" % made["known_gap"])
        if not free:
            ok(plan["makespan"] == least, "%s: the optimum is %s: %s" % (title, least, plan["makespan"]))
        ok(known["at_least"] <= plan["makespan"] <= known["at_most"] and plan["known"] == known, title + ": the plan has what is known")
        ok(": valid: " in cosched("check", "plan.json")[0], title + ": the plan is valid")
        for change, sentence in [(lambda k: k.update(at_most=k["at_most"] + 1), "and the trap shows"),
                                 (lambda k: k["trap"].update(hosts=[0, 1]), "the hosts are not those of the trap"),
                                 (lambda k: k["trap"].update(slots=list(range(5))), "the hosts are not those of the trap")]:
            spoilt = json.loads(json.dumps(plan))
            change(spoilt["known"])
            write(".", "spoilt.json", json.dumps(spoilt))
            out, _ = cosched("check", "spoilt.json", status=1)
            ok(sentence in out, "%s: check says: %s (%s)" % (title, sentence, " ".join(out.split())))
    line[3] = "biclique"
    cosched(*line, "--density", 1, "-o", "hosts.json")
    row = results("simulate", "volatile", "hosts.json", "-n", 1)["results"][0]
    want = row["makespan"]["mean"] / json.loads(read("hosts.json"))["known"]["at_most"] - 1
    ok(near(row["known_gap"]["mean"], want), "a simulation has the distance %s: %s" % (want, row["known_gap"]))
    _, told = cosched("simulate", "volatile", "hosts.json", "-n", 2)
    ok("known: the optimum is that of one scenario" in told, "other scenarios have other states")
    refused("--planted-hosts: 5 of 4 hosts", "generate", "volatile", "--trap", "biclique", "--hosts", 4, "--planted-hosts", 5)
    refused("--planted-slots: 9 of 8 slots", "generate", "volatile", "--trap", "biclique", "--slots", 8, "--planted-slots", 9)
    refused("--law: the trap decides it", "generate", "volatile", "--trap", "biclique", "--law", "weibull")
    bicliques_in_experiments()


def bicliques_in_experiments():
    """With density 1 all hosts are up, so each policy ends with its B slots; what is known depends on the planted slots."""
    def experiment(**change):
        given = {"trap": "biclique", "hosts": 8, "slots": 30, "planted_hosts": 3, "planted_slots": 5, "density": 1, **change}
        write(".", "b.exp", json.dumps({"problem": "volatile", "set": given, "vary": {"policy": ["ie", "y-ie"]},
                                        "metrics": ["makespan", "known_gap"], "replicates": 4}))
        return ["campaign", "run", "b.exp", "--store", "b%d.db" % len(change)]
    for change, least, most in (({}, 5, lambda: range(5, 31)), ({"trap": "biclique-free"}, 36, lambda: [61])):
        _, told = cosched(*experiment(**change))
        ok("known:" not in told, "one scenario of a trap: no warning (%s)" % told)
        table = [line.split(",") for line in cosched("campaign", "export", "b%d.db" % len(change), "--format", "csv")[0].split()]
        rows = [dict(zip(table[0], row)) for row in table[1:]]
        ends = [float(row["makespan"]) / (1 + float(row["known_gap"])) for row in rows]
        ok(len(rows) == 8 and all(float(row["makespan"]) == least for row in rows), "all hosts are up: %s" % rows)
        ok(all(near(end, round(end)) and round(end) in most() for end in ends) and ends[:4] == ends[4:], "what is known: %s" % ends)
        ok(change or len(set(ends)) > 1, "each replicate has its own trap: %s" % ends)
    for change, sentence in [({"input": "hosts.json"}, "found input and trap, expected one of them"), ({"tasks": 7}, "--tasks: the trap decides it"),
                             ({"scenarios": 5}, "--scenarios: the trap decides it"), ({"planted_hosts": 9}, "--planted-hosts: 9 of 8 hosts"),
                             ({"trap": "ljf"}, 'there is no trap "ljf" for volatile: biclique or biclique-free')]:
        refused(sentence, *experiment(**change))
    write(".", "b.exp", json.dumps({"problem": "volatile", "set": {"slots": 40}, "vary": {"policy": ["ie", "y-ie"]}, "metrics": ["makespan"]}))
    refused("--slots: experiments draw the states of a trap only", "campaign", "run", "b.exp", "--store", "b3.db")


def known_elsewhere():
    """Plans for people state the gap; where the optimum does not hold, one warning, and a schedule that check accepts."""
    for problem, *words in (("pack", "--pack-size", 3), ("moldable",)):
        cosched("generate", problem, "--trap", "three-partition", "-o", "k.json")
        out, _ = cosched("plan", problem, "k.json", "--procs", 40, "--policy", "exact", *words)
        ok("above the optimum" in out, problem + ": a plan for people has its gap")
    ok("known_gap" in cosched("simulate", "moldable", "k.json", "--procs", 40, "--format", "json")[0], "a certain simulation has it too")
    _, told = cosched("simulate", "moldable", "k.json", "--procs", 40, "--sigma", 0.1)
    ok("known: the optimum is that of plans without deviations" in told, "uncertain times: %s" % told)
    for trap, holds in (("ljf", False), ("greedy", True), ("three-partition", True)):
        words = ["--procs", 4] if trap == "greedy" else ["--groups", 4, "--slots", 4] if trap == "ljf" else []
        cosched("generate", "rigid", "--trap", trap, *words, "-o", "k.csv", "--failures-output", "k.fail")
        line = ["simulate", "rigid", "k.csv", "--procs", {"ljf": 28, "greedy": 4}.get(trap, 40)]
        _, told = cosched(*line, "-o", "k.json")
        ok(("known" in json.loads(read("k.json"))) == holds == ("known:" not in told), "%s: without failures: %s" % (trap, told))
        ok(": valid" in cosched("check", "k.json")[0], trap + ": check accepts the schedule")
        ok("known:" not in cosched(*line, "--failures", "k.fail")[1], trap + ": with its own failures")
        ok("known: the optimum is that of one set of jobs" in cosched(*line, "-q", 0.3, "-n", 2)[1], trap + ": with others")


def wrong_words():
    for sentence, problem, *words in [
            ("--triples: 0 is not a whole number from 1 on", "pack", "--triples", 0),
            ("--triples: a certified no needs 2 or more, not 1", "pack", "--answer", "no", "--triples", 1),
            ("--bound: 7 is not a whole number from 9 on", "malleable", "--bound", 7),
            ("--spread: 0 makes all numbers equal, which is a yes; 1 or more", "moldable", "--answer", "no", "--spread", 0),
            ("--pack-size: 2 is not enough for triples; 3 or more", "pack", "--pack-size", 2),
            ("--numbers: 5 numbers are not triples", "rigid", "--numbers", "5,5,5,5,6"),
            ("--numbers: the sum 35 is not 2 times a whole number", "rigid", "--numbers", "5,5,5,5,6,9"),
            ("--numbers: 4 is not above a quarter of the bound 17", "rigid", "--numbers", "4,5,5,6,6,8"),
            ("--numbers: 9 is not below half of the bound 17", "pack", "--numbers", "4,5,5,5,6,9"),
            ("--numbers: \"x\" is not a whole number", "rigid", "--numbers", "5,x,5"),
            ("--spread: only for --answer no", "rigid", "--spread", 3)]:
        refused(sentence, "generate", problem, "--trap", "three-partition", *words)
    refused("--tasks: 16 tasks on 16 processors show nothing; more than the processors",
            "generate", "pack", "--trap", "parallel", "--tasks", 16, "--procs", 16)
    refused('there is no trap "ljf" for pack: three-partition or parallel', "generate", "pack", "--trap", "ljf")
    refused("--procs: the trap ljf is for 8 Q - 4 processors with Q groups, not for 13", "generate", "rigid", "--trap", "ljf", "--procs", 13)
    refused("--procs: the trap ljf is for 8 Q - 4", "generate", "rigid", "--trap", "ljf", "--groups", 3, "--procs", 28)
    refused("--groups: 1 is not enough; 2 or more", "generate", "rigid", "--trap", "ljf", "--groups", 1)
    refused("--slots: groups times slots must be even, 3 times 3 is not", "generate", "rigid", "--trap", "ljf", "--groups", 3, "--slots", 3)


def time_of_policies():
    cosched("generate", "malleable", "-n", 10, "-o", "ten.json")
    sweep = {"problem": "malleable", "serial": True, "set": {"input": "ten.json", "procs": 100, "mtbf": "10y", "scenarios": 2, "time_planning": True},
             "vary": {"on_end": ["none", "greedy"]}, "metrics": ["makespan", "planning_seconds"]}
    for timed in True, False:
        sweep["set"]["time_planning"] = timed
        write(".", "time.exp", json.dumps(sweep))
        cosched("campaign", "run", "time.exp", "--store", "time%d.db" % timed)
        head, *lines = [line.split(",") for line in cosched("campaign", "export", "time%d.db" % timed)[0].split()]
        found = [line[head.index("planning_seconds")] for line in lines]
        ok(len(found) == 2 and all(0 < float(value) < 5 if timed else value in ("", "NaN") for value in found), "time of policies: %s" % found)


def optimum():
    cosched("generate", "malleable", "--trap", "three-partition", "--numbers", "5,5,5,5,6,8", "-o", "hole.json")
    line = ["simulate", "malleable", "hole.json", "--fault-free", "--on-end", "all", "--on-failure", "none", "--rules", "paper", "--optimum"]
    refused("optimum: 8 tasks on 8 pairs of processors are more than 6 on 12; --effort exact searches more", *line)
    rows = {row["on_end"]: row["makespan"]["mean"] for row in results(*line, "--effort", "exact")["results"]}
    ok(near(rows["optimum"], 9) and near(rows["none"], 19), "the optimum is 9: %s" % rows)
    ok(near(rows["local"], 331 / 36) and near(rows["greedy"], 82 / 9), "the policies end later: %s" % rows)
    cosched(*line, "--effort", "exact", "-o", "decided.json", "--gantt", "decided.svg")
    plan = json.loads(read("decided.json"))
    ok(near(plan["makespan"], 9) and "optimum" in read("decided.svg"), "the schedule is that of the optimum: %s" % plan["makespan"])
    refused("--tune chooses the policies: leave --optimum out", "simulate", "malleable", "hole.json", "--tune", 2, "--optimum", status=2)
    decisions_of_the_optimum()
    decisions_after_each_other()


def decisions_after_each_other():
    """Thousands of failures are as many decisions: up to 20,000 are searched, and more are stated."""
    write(".", "one.csv", "app,seconds,seq_fraction,overhead,checkpoint,data\na,1e6,0,0,1,10\n")
    line = ["simulate", "malleable", "one.csv", "-p", 2, "--downtime", 0, "--on-end", "none", "--on-failure", "none", "-n", 1, "--optimum", "--mtbf"]
    rows = results(*line, 200)["results"]
    ok(rows[0]["failures_hit"]["mean"] > 5000 and rows[0]["makespan"]["mean"] == rows[1]["makespan"]["mean"], "one task on one pair has no choice")
    ok(rows[1]["optimum_gap"]["mean"] == 0 and "not proven" not in cosched(*line, 200)[0], "5,000 decisions are proven")
    cosched(*line, 200, "-o", "decided.json")
    ok("optimality not re-proven" in cosched("check", "decided.json", status=5)[0], "and replayed")
    ok("the optimum is not proven in 1 of 1 scenarios" in cosched(*line, 60)[0], "more than 20,000 are stated")


def decisions_of_the_optimum():
    """The decisions as a schedule: as long as the row, replayed by check, which refuses changed bars."""
    cosched("generate", "malleable", "-n", 3, "--size-low", 1500, "--size-high", 4000, "--checkpoint-factor", 0.1, "-o", "three.json")
    for scenario, rules in itertools.product(range(3), (["--rules", "paper"], ["--layout", "tail", "--wake", "no"], [])):
        line = ["simulate", "malleable", "three.json", "-p", 9, "--mtbf", "1d", *rules, "--optimum", "--on-end", "all", "-n", 3]
        cosched(*line, "--scenario", scenario, "-o", "decided.json")
        cosched(*line, "--per-scenario", "rows.csv")
        rows = list(csv.DictReader(open("rows.csv")))
        row = [float(row["makespan"]) for row in rows if row["on_end"] == "optimum"][scenario]
        plan = json.loads(read("decided.json"))
        title = "%s, scenario %d" % (" ".join(rules), scenario)
        ok(near(row, plan["makespan"]), title + ": %s is not %s" % (row, plan["makespan"]))
        ok((plan["on_end"], plan["on_failure"]) == ("optimum", "optimum") and plan["faults"], title + ": names and failures")
        for more in [], ["--against", "three.json"]:
            ok("valid, but optimality not re-proven" in cosched("check", "decided.json", *more, status=5)[0], title + ": the decisions are replayed")
        last = max(range(len(plan["bars"])), key=lambda b: plan["bars"][b]["end"])
        moved = [b for b, bar in enumerate(plan["bars"]) if bar["kind"] in ("move", "work")][-1]
        for spoil in (lambda p: p.update(makespan=p["makespan"] * 0.99), lambda p: p["bars"][last].update(end=p["bars"][last]["end"] * 0.999),
                      lambda p: p["bars"][moved].update(procs="0-1" if p["bars"][moved]["procs"] != "0-1" else "2-3"),
                      lambda p: p["bars"].pop(0)):
            spoilt = json.loads(json.dumps(plan))
            spoil(spoilt)
            write(".", "spoilt.json", json.dumps(spoilt))
            cosched("check", "spoilt.json", status=1)


WATTS = {"busy": 350, "idle": 120, "off": 15, "off_after": 40, "wake": 5000}


def joules(plan, watts, per_node, until=None):
    """By nodes: the stretches in which some processor is busy, merged, and the gaps between them."""
    until = plan["makespan"] if until is None else until
    sums = dict.fromkeys(("busy", "idle", "off", "wake"), 0.0)
    first = 0
    for cluster in plan.get("platform", {"clusters": [{"procs": plan["procs"]}]})["clusters"]:
        w = {**watts, **cluster.get("watts", {})}
        for low in range(first, first + cluster["procs"], per_node):
            node = set(range(low, min(low + per_node, first + cluster["procs"])))
            busy = [(bar["start"], bar["end"], len(node & set(numbers(bar["procs"])))) for bar in plan["bars"] if bar.get("kind") != "downtime"]
            busy = sorted(bar for bar in busy if bar[2])
            sums["busy"] += sum((w["busy"] - w["idle"]) * count / per_node * (end - start) for start, end, count in busy)
            reached = 0
            for start, end, _ in [*busy, (until, until, 0)]:
                gap = max(start - reached, 0)
                rest = max(gap - w["off_after"], 0) if w["off_after"] is not None else 0
                sums["idle"] += w["idle"] * (gap - rest + max(end - max(start, reached), 0))
                sums["off"] += w["off"] * rest
                sums["wake"] += w["wake"] if rest and start < until else 0
                reached = max(reached, end)
        first += cluster["procs"]
    return sums


VOLATILE = "volatile.json"


def energy_of_runs():
    """Every problem whose schedules have seconds: the file, the table and the metrics, computed here from the bars."""
    words = ["--watts", "busy=350,idle=120,off=15,off-after=40,wake=5000", "--procs-per-node", 3]
    platform = {"shared_switch": True, "clusters": [{"name": "a", "procs": 10, "speed": 1e9, "watts": {"busy": 500, "idle": 200, "off": 9}},
                                                    {"name": "b", "procs": 7, "speed": 2e9}]}
    write(".", "platform.json", json.dumps(platform))
    cosched("simulate", "volatile", os.path.join(EXAMPLES, "hosts.json"), "-n", 1, "-o", VOLATILE)
    cosched("generate", "rigid", "-n", 20, "-o", "jobs.csv")
    cosched("generate", "malleable", "-n", 4, "-o", "apps.json")
    quick = os.path.join(EXAMPLES, "quickstart.csv")
    for line in [["plan", "pack", quick, "--procs", 8], ["plan", "moldable", quick, "--procs", 8],
                 ["simulate", "moldable", quick, "--procs", 8, "-n", 2, "--sigma", 0.3], ["simulate", "rigid", "jobs.csv", "--procs", 3000, "-q", 0.3, "-n", 2],
                 ["simulate", "malleable", "apps.json", "--procs", 20, "--mtbf", "10y", "-n", 2], ["simulate", "queue", os.path.join(EXAMPLES, "monday.swf")],
                 ["plan", "ptg", os.path.join(EXAMPLES, "graphs.json"), "--platform", "platform.json", "--replay", "fluid"]]:
        title = " ".join(str(word) for word in line[:2])
        cosched(*line, *words, "-o", "e.json")
        plan = json.loads(read("e.json"))
        want = joules(plan, WATTS, 3)
        ok(all(near(plan["energy"][part], want[part]) for part in want) and near(plan["energy"]["joules"], sum(want.values())),
           "%s: %s is %s" % (title, plan["energy"], want))
        ok(": valid" in cosched("check", "e.json")[0], title + ": check computes the same")
        plan["energy"]["idle"] *= 1.001
        write(".", "spoilt.json", json.dumps(plan))
        ok("energy: idle is" in cosched("check", "spoilt.json", status=1)[0], title + ": a changed part is noticed")
        made = results(*line, *words)
        got = made["results"][-1]["energy"] if "results" in made and "-n" not in line and line[1] != "queue" else made.get("energy")
        ok(got is None or near(got["joules"], sum(want.values())), title + ": JSON has the energy: %s" % got)
    cosched("simulate", "queue", os.path.join(EXAMPLES, "monday.swf"), *words, "-o", "e.json")
    plan = json.loads(read("e.json"))
    got = results("replay", os.path.join(EXAMPLES, "monday.swf"), *words)["rows"][0]
    plan["bars"] = [{**bar, "end": min(bar["end"], got["energy"]["until"])} for bar in plan["bars"] if bar["start"] < got["energy"]["until"]]
    want = joules(plan, WATTS, 3, got["energy"]["until"])
    ok(want["off"] > 0 and all(near(got["energy"][part], want[part]) for part in want), "replay: the window: %s is %s" % (got["energy"], want))
    ok(near(got["energy_kwh"], sum(want.values()) / 3.6e6) and near(got["idle_kwh"], want["idle"] / 3.6e6), "replay: kWh")
    energy_of_replays(os.path.join(EXAMPLES, "monday.swf"), words)
    refused("has no seconds in which nodes of a machine draw power", "check", VOLATILE, *words)
    rows = results("simulate", "moldable", quick, "--procs", 8, "-n", 2, "--sigma", 0.3, *words, "--per-scenario", "rows.csv")["results"][0]
    head, *lines = [line.split(",") for line in read("rows.csv").split()]
    mean = sum(float(line[head.index("energy")]) for line in lines) / len(lines)
    ok(near(mean, rows["energy"]["mean"]) and rows["energy"]["confidence95"] > 0, "scenarios have their energy: %s" % rows["energy"])
    ok(near(rows["energy"]["mean"], sum(rows["energy_" + part]["mean"] for part in ("busy", "idle", "off", "wake"))), "the parts add up")
    cosched("plan", "pack", quick, "--procs", 8, "--watts", "busy=350,idle=120", "--energy-until", 1000, "-o", "e.json")
    plan = json.loads(read("e.json"))
    ok(near(plan["energy"]["idle"], 120 * 8 * 1000), "idle until the end that is given")
    refused("--watts: idle 120 is more than busy 100", "simulate", "moldable", quick, "--procs", 8, "--watts", "busy=100,idle=120")
    refused("--energy-until: 5 s is before the makespan", "plan", "pack", quick, "--procs", 8, *words, "--energy-until", 5)
    work = {}
    for line in read(quick).split()[1:]:
        app, count, seconds = line.split(",")
        work[app] = min(work.get(app, math.inf), int(count) * float(seconds))
    for problem in ("pack", "moldable"):
        made = results("plan", problem, quick, "--procs", 8, "--policy", "all", "--watts", "busy=350,idle=120", "--procs-per-node", 4)
        rows = made["results"]
        least = 230 / 4 * sum(work.values()) + 120 * 2 * made["lower_bound"]
        ok(all(near(row["energy_bound"], least) and row["energy"]["joules"] >= least * (1 - 1e-9) for row in rows if row["energy"]),
           "%s: no plan needs less energy than %s: %s" % (problem, least, [row["energy_bound"] for row in rows]))
    write(".", "e.exp", json.dumps({"problem": "pack", "set": {"input": quick, "procs": 8, "watts": "busy=350,idle=120", "pack_size": 8},
                                    "vary": {"policy": ["pack-by-pack", "pack-approx"]}, "metrics": ["cost", "energy", "energy_idle", "iterations"]}))
    cosched("campaign", "run", "e.exp", "--store", "e.db")
    table = cosched("campaign", "export", "e.db", "--format", "csv")[0].split()
    head, first, second = [line.split(",") for line in table]
    noted = results("plan", "pack", quick, "--procs", 8, "--policy", "pack-approx")["notes"]["iterations"]
    ok(first[head.index("iterations")] in ("", "NaN") and float(second[head.index("iterations")]) == noted, "iterations of PACK-APPROX: %s" % second)
    plan = results("plan", "pack", quick, "--procs", 8, "--policy", "pack-by-pack", "--watts", "busy=350,idle=120")["energy"]
    ok(near(float(first[head.index("energy")]), plan["joules"]), "experiments have the metric: %s" % first)


def energy_of_replays(log, words):
    """Page and file show the energy; check computes each part of a file again."""
    cosched("replay", log, "--policy", "easy", *words, "-o", "r.json", "--report", "r.html", "--processors", "numbers")
    plan = json.loads(read("r.json"))
    ok(near(plan["energy"]["until"], plan["makespan"]), "the file has the whole schedule: %s" % plan["energy"])
    page = read("r.html")
    ok('"energy":{"joules":' in page.replace(" ", "") and "waking nodes" in page, "the page has the energy of each row")
    for program in ("replay", "simulate"):
        line = [program] + ["queue"] * (program == "simulate") + [log, "--policy", "easy"]
        cosched(*line, *words, "-o", "r.json", "--processors", "numbers")
        plan = json.loads(read("r.json"))
        want = joules(plan, WATTS, 3, plan["makespan"])
        ok(want["off"] > 0 and all(near(plan["energy"][part], want[part]) for part in want), "%s: the file: %s is %s" % (program, plan["energy"], want))
        for part in (*want, "joules"):
            write(".", "spoilt.json", json.dumps({**plan, "energy": {**plan["energy"], part: plan["energy"][part] * 1.001 + 1}}))
            ok("energy: %s is" % part in cosched("check", "spoilt.json", status=1)[0], "%s: a changed %s is noticed" % (program, part))
        refused("there is no option --energy-until", *line, *words, "--energy-until", 5, status=2)
    cosched("generate", "rigid", "--jobs", 10001, "-o", "many.csv")
    for powers, has in (("busy=350,idle=120", "count"), ("busy=350,idle=120,off-after=40", "procs")):
        cosched("simulate", "rigid", "many.csv", "--procs", 20000, "-n", 1, "--watts", powers, "-o", "many.json")
        text = read("many.json")
        ok(has in json.loads(text)["bars"][0] and '"energy"' in text, "%s: more than 10,000 bars have %s" % (powers, has))
        ok(": valid" in cosched("check", "many.json")[0], powers + ": check computes the same")
    cosched("replay", log, "--policy", "easy", "--watts", "busy=350,idle=120", "--processors", "counts", "-o", "r.json")
    plan = json.loads(read("r.json"))
    ok(": valid" in cosched("check", "r.json")[0], "counts of processors: check computes the same")
    for part in ("busy", "idle", "joules"):
        write(".", "spoilt.json", json.dumps({**plan, "energy": {**plan["energy"], part: plan["energy"][part] * 1.001}}))
        ok("energy: %s is" % part in cosched("check", "spoilt.json", status=1)[0], "counts: a changed %s is noticed" % part)


def energy():
    cosched("plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", 8, "-o", "plan.json")
    plan = json.loads(read("plan.json"))
    busy = sum(len(numbers(bar["procs"])) * (bar["end"] - bar["start"]) for bar in plan["bars"])
    kwh = (250 * busy + 100 * 8 * plan["makespan"]) / 3.6e6
    out, _ = cosched("check", "plan.json", "--watts", "busy=350,idle=100")
    ok("energy %.3f kWh (" % kwh in out, "energy: %s" % out)
    refused("--watts: idle 120 is more than busy 100", "check", "plan.json", "--watts", "busy=100,idle=120")
    refused("s is before the makespan,", "check", "plan.json", "--watts", "busy=100,idle=20", "--energy-until", 1)
    refused("--watts: wake needs off-after", "check", "plan.json", "--watts", "busy=100,idle=20,wake=5")


def numbers(text):
    ends = [[int(end) for end in part.split("-")] for part in text.split()]
    return [p for part in ends for p in range(part[0], part[-1] + 1)]


def pattern():
    line = ["pattern", "--verification", 15.4, "--memory-checkpoint", 15.4, "--disk-checkpoint", 300, "--downtime", 0,
            "--silent-rate", 3.38e-6, "--fail-stop-rate", 9.46e-7, "--fatal-share", 1]
    found = results(*line, "-n", 2000)
    ok(found["first_order"]["segments"] == 8 and near(found["first_order"]["overhead"], 0.04424030741303681), "first order")
    ok(abs(found["best"]["chunk"] - 3035.958885) < 1e-3 and abs(found["best"]["overhead"] - 0.04555082330467974) < 1e-9, "best")
    ok(abs(found["simulated"]["mean"] - found["best"]["expected"]) < 2 * found["simulated"]["confidence95"], "simulated")
    young = results("pattern", "--memory-checkpoint", 60, "--fail-stop-rate", 1e-4, "--memory-recovery", 45, "--downtime", 30,
                    "--segments", 1, "--chunks", 1, "--work", 1000)
    ok(near(young["first_order"]["work"], math.sqrt(2 * 60 / 1e-4)), "Young's period")
    ok(near(young["best"]["expected"], (1e4 + 75) * math.expm1(0.106)), "the expectation of one segment")
    ok("first order" in cosched(*line)[0], "a table for people")
    refused("--fatal-share: 1.5 is not between 0 and 1", "pattern", "--memory-checkpoint", 5, "--silent-rate", 1, "--fatal-share", 1.5)
    refused("--memory-checkpoint: a pattern needs a verification, memory or disk cost above 0", "pattern", "--silent-rate", 1)
    refused("--silent-rate: a pattern needs a rate of errors above 0", "pattern", "--memory-checkpoint", 5)


EXAMPLES = os.path.abspath(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    workloads()
    changes_are_noticed()
    jobs()
    graphs()
    bicliques()
    known_elsewhere()
    wrong_words()
    time_of_policies()
    optimum()
    energy()
    energy_of_runs()
    pattern()
finish()
