#!/usr/bin/env python3
"""What a job of no work costs under cosched run, xargs -P and GNU parallel --joblog, in turns.

usage: bench/run.py COSCHED [JOBS [TURNS [FOLDER]]]

Each runs JOBS (1,000) times /bin/true on two slots, TURNS (5) times; CPU (user and system, of all processes)
and wall time are medians.  Compare the ratios, which hold on a busy machine.  FOLDER: where the runs are
written (a temporary folder), on whose file system it depends how much making files costs.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = "/bin/true"


def cost(words, given=None):
    """CPU and wall seconds of a program and all its children."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(words, input=given, text=True, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    tool, (jobs, turns) = sys.argv[1], (int(word) for word in (sys.argv[2:4] + ["1000", "5"][len(sys.argv[2:4]):]))
    lines = "".join("%d\n" % k for k in range(jobs))
    ways = {"cosched run": None, "xargs -P": ["xargs", "-P2", "-n1", PROGRAM]}
    if shutil.which("parallel"):
        ways["parallel --joblog"] = ["parallel", "-j2", "--joblog", "/dev/null", PROGRAM]
    spent = {name: [] for name in ways}
    with tempfile.TemporaryDirectory(dir=sys.argv[4] if len(sys.argv) > 4 else None) as folder:
        table = os.path.join(folder, "jobs.csv")
        with open(table, "w", encoding="utf-8") as file:
            file.write("name,procs,seconds\n" + "".join("j%d,1,1\n" % k for k in range(jobs)))
        for turn in range(turns):
            for name, words in ways.items():
                spent[name].append(cost(words or [tool, "run", table, "--slots", "2", "--oversubscribe", "--policy", "greedy", "--into",
                                                  os.path.join(folder, str(turn)), "--progress", "none", "--",
                                                  PROGRAM], lines if words else None))
    own = [statistics.median(column) for column in zip(*spent["cosched run"])]
    print("%d jobs of %s on two slots, medians of %d turns\n" % (jobs, PROGRAM, turns))
    print("%-18s %12s %12s %14s %14s" % ("", "CPU ms/job", "wall ms/job", "our CPU ratio", "our wall ratio"))
    for name, values in spent.items():
        cpu, wall = (statistics.median(column) for column in zip(*values))
        print("%-18s %12.3f %12.3f %14.2f %14.2f" % (name, cpu / jobs * 1e3, wall / jobs * 1e3, own[0] / cpu, own[1] / wall))


main()
