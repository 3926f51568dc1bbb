#!/usr/bin/env python3
"""What the portfolio of task graphs gains over the strategies of the paper, and at what cost in fairness.

usage: bench/portfolio.py COSCHED [--draws N] [--seed S] [--graphs N[,N...]] [--on NAME[,NAME...]] [WORKFLOW.json...]

Graphs of the paper's three families are drawn N times and planned on the four sites of the paper and on two platforms of
unequal clusters, workflows (WfCommons, alpha between 0 and 0.25) on two sites and one such platform. Every plan is checked,
and carried out with contention (--replay fluid). A cell is the geometric mean of the makespan over the lower bound and, with
several graphs, of the largest stretch: a graph's time over what it takes alone by the portfolio, the same for all policies.

--on names the columns: sites and unequal (the default), or mixture: Lille, Sophia and 64 processors of 1 GFlop/s beside 64 of 3
as one column, which is what the specification of the portfolio measured. Means of several graphs are also given as arithmetic
means, and behind them in how many of the single plans a policy ends before the paper's shortest strategy for the same graphs with a
smaller largest stretch than that one has, and in how many it does so and is also fairer than the paper's fairest.
"""

import argparse
import json
import math
import os
import subprocess
import tempfile

POLICIES = ["s", "es", "ps-work", "wps-width", "wps-work", "widen", "joint", "joint-level", "portfolio:objective=makespan",
            "portfolio:objective=makespan,moves=1000", "portfolio:objective=trade", "portfolio:objective=trade,moves=1000",
            "portfolio:objective=stretch"]
PAPER = ["s", "ps-work", "wps-width", "wps-work"]
MIXED = PAPER + ["portfolio:objective=makespan", "portfolio:objective=trade", "portfolio:objective=trade,moves=1000",
                 "portfolio:objective=stretch"]
SITES = ["grid5000-" + site for site in ("lille", "nancy", "rennes", "sophia")]
UNEQUAL = {"two": [(64, 1e9), (64, 3e9)], "three": [(128, 2e9), (32, 8e9), (16, 16e9)]}


def write_platform(folder, name):
    path = os.path.join(folder, name + ".json")
    clusters = [{"name": "c%d" % k, "procs": procs, "speed": speed} for k, (procs, speed) in enumerate(UNEQUAL[name])]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"name": name, "shared_switch": True, "clusters": clusters}, file)
    return path


def plan(cosched, folder, policy, platform, words):
    path = os.path.join(folder, "plan.json")
    said = subprocess.run([cosched, "plan", "ptg", *words, "--platform", platform, "--policy", policy, "--replay", "fluid",
                           "--format", "json", "--output", path], check=True, stdout=subprocess.PIPE).stdout
    subprocess.run([cosched, "check", path], check=True, stdout=subprocess.DEVNULL)
    found = json.loads(said)
    return found["lower_bound"], found["results"][0]


def compare(cosched, folder, platforms, words, cells):
    """One more value of each policy in cells: (over the bound, largest stretch)."""
    for platform in platforms:
        rows = {policy: plan(cosched, folder, policy, platform, words) for policy in cells}
        alone = [graph["alone"] for graph in rows["portfolio:objective=makespan"][1]["graphs"]]
        for policy, (bound, row) in rows.items():
            stretch = max(graph["contended"] / own if own else 1 for graph, own in zip(row["graphs"], alone))
            cells[policy].append((row["contended_makespan"] / bound, stretch))


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def put(title, cells, several):
    count = len(cells["s"])
    if not count:
        return
    print("\n%s, %d plans of each\n" % (title, count))
    print("%-42s%12s%s" % ("policy", "over bound", "  largest stretch" if several else ""))
    for policy, values in cells.items():
        stretch = "%17.2f" % mean([value[1] for value in values]) if several else ""
        print("%-42s%12.3f%s" % (policy, mean([value[0] for value in values]), stretch))


def arithmetic(values):
    return sum(values) / len(values)


def beside_paper(cells):
    """The second table of several graphs: arithmetic means, and how often one plan is better on both axes."""
    plans = range(len(cells["s"]))
    shortest = [min((cells[policy][i] for policy in PAPER), key=lambda cell: cell[0]) for i in plans]
    fairest = [min(cells[policy][i][1] for policy in PAPER) for i in plans]
    print("\n%-42s%12s%17s%12s%12s" % ("arithmetic means", "over bound", "largest stretch", "both", "and fairest"))
    for policy, values in cells.items():
        both = [values[i][0] < shortest[i][0] and values[i][1] < shortest[i][1] for i in plans]
        least = [both[i] and values[i][1] < fairest[i] for i in plans]
        print("%-42s%12.3f%17.2f%12d%12d" % (policy, arithmetic([value[0] for value in values]),
                                             arithmetic([value[1] for value in values]), sum(both), sum(least)))


def columns(on, unequal):
    """The columns that were asked for: title, platforms, policies."""
    known = {"sites": ("sites", SITES, POLICIES), "unequal": ("unequal clusters", unequal, POLICIES),
             "mixture": ("Lille, Sophia and hetero", [SITES[0], SITES[3], unequal[0]], MIXED)}
    return [known[name] for name in on.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cosched")
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--graphs", default="1,4")
    parser.add_argument("--on", default="sites,unequal")
    parser.add_argument("workflow", nargs="*")
    given = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        unequal = [write_platform(folder, name) for name in UNEQUAL]
        graphs = os.path.join(folder, "graphs.json")
        for n in map(int, given.graphs.split(",") if given.graphs else []):
            for family in ("random", "fft", "strassen"):
                for kind, platforms, policies in columns(given.on, unequal):
                    cells = {policy: [] for policy in policies}
                    for draw in range(given.draws):
                        subprocess.run([given.cosched, "generate", "ptg", "--family", family, "--count", str(n), "--set",
                                        str(draw), "--seed", given.seed, "--output", graphs], check=True)
                        compare(given.cosched, folder, platforms, [graphs], cells)
                    put("%d %s, %s" % (n, family, kind), cells, n > 1)
                    if n > 1:
                        beside_paper(cells)
        for kind, platforms in (("sites", [SITES[0], SITES[3]]), ("unequal clusters", unequal[:1])):
            cells = {policy: [] for policy in POLICIES}
            for path in given.workflow:
                compare(given.cosched, folder, platforms, [path, "--alpha", "0:0.25", "--speed", "3e9"], cells)
            put("workflows, %s" % kind, cells, False)


if __name__ == "__main__":
    main()
