#!/usr/bin/env python3
"""How many of the hard instances of pack are proven in a minute, and the times that docs/spec/science.md limits.

usage: bench/hard.py COSCHED [--limit SECONDS] [--triples M[,M...]] [--pack-size K[,K...]] [--answer yes|no]
       bench/hard.py COSCHED --times

3-PARTITION, yes (B = 40) and certified no (spread 4), M = 2, 3, 4, 6, 8, 12, 16 and k = 3, 4, 5: 42 instances of
`generate pack --trap three-partition --seed 1 --set M`, each by `plan pack --policy exact` with the limit (60 s). An
instance is proven if the plan is optimal, and costs M for a yes, more for a no. User seconds are those of the plan.

--times prints user seconds of the commands whose time section 15 of the specification limits, with the limit.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile

TRIPLES, SIZES = [2, 3, 4, 6, 8, 12, 16], [3, 4, 5]


def run(*words):
    """Its output and user seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE).stdout
    return out, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def prove(cosched, answer, triples, size, limit):
    """Is the instance proven, its cost and bound, and user seconds."""
    sums = ["--bound", 40] if answer == "yes" else ["--answer", "no", "--spread", 4]
    run(cosched, "generate", "pack", "--trap", "three-partition", "--triples", triples, *sums, "--seed", 1, "--set", triples,
        "--pack-size", size, "--output", "hard.json")
    out, seconds = run(cosched, "plan", "pack", "hard.json", "--pack-size", size, "--policy", "exact", "--time-limit", limit,
                       "--format", "json")
    plan = json.loads(out)
    proven = plan["optimal"] and (plan["cost"] == triples) == (answer == "yes")
    return proven, plan["cost"], plan["lower_bound"], seconds


def hard(cosched, given):
    print("answer   M   k  proven        cost       bound   user s", flush=True)
    proofs = count = 0
    for answer in [given.answer] if given.answer else ["yes", "no"]:
        for triples in given.triples:
            for size in given.pack_size:
                proven, cost, bound, seconds = prove(cosched, answer, triples, size, given.limit)
                proofs, count = proofs + proven, count + 1
                print("%-6s %3d %3d  %-6s %11.8g %11.8g %8.2f" % (answer, triples, size, "yes" if proven else "no", cost, bound,
                                                                seconds), flush=True)
    print("%d of %d proven in %g s" % (proofs, count, given.limit))


def store_of(cosched, vary, replicates, name):
    with open("sweep.json", "w", encoding="utf-8") as file:
        json.dump({"problem": "pack", "set": {"workload": "i", "procs": 16, "pack_size": 4}, "replicates": replicates,
                   "vary": vary, "metrics": ["cost"]}, file)
    run(cosched, "campaign", "run", "sweep.json", "--store", name)
    return name


def times(cosched):
    def row(what, seconds, limit):
        print("%-66s %8.3f %8.3f" % (what, seconds, limit), flush=True)

    print("%-66s %8s %8s" % ("", "user s", "limit"))
    policies = ["random-%s:runs=%d" % (kind, runs) for kind in ("pack", "proc") for runs in range(1, 6)]
    store = store_of(cosched, {"policy": policies}, 10000, "many.db")
    row("campaign compare, 100,000 runs, ten values", run(cosched, "campaign", "compare", store)[1], 1)
    store = store_of(cosched, {"policy": policies, "pack_size": [2, 4, 6, 8, 10]}, 100, "pairs.db")
    seconds = run(cosched, "campaign", "compare", store, "--pairs", "all")[1]
    row("exact signed ranks of 100 pairs (compare, a 225th), ms", seconds / 225 * 1e3, 1)
    row("generate jobs, a million with estimates",
        run(cosched, "generate", "jobs", "--workload", "lublin", "--jobs", 1000000, "--procs", 256, "--requests", "tsafrir",
            "--output", "jobs.swf")[1], 3)
    planned = run(cosched, "paper", "run", "ptg", "--set", "replay=no", "--out", "planned", "--threads", 1)[1]
    row("paper run ptg, fluid replay", run(cosched, "paper", "run", "ptg", "--out", "fluid", "--threads", 1)[1], 2.2 * planned)


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cosched", type=os.path.abspath)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--triples", type=numbers, default=TRIPLES)
    parser.add_argument("--pack-size", type=numbers, default=SIZES)
    parser.add_argument("--answer", choices=["yes", "no"])
    parser.add_argument("--times", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if given.times:
            times(given.cosched)
        else:
            hard(given.cosched, given)


if __name__ == "__main__":
    main()
