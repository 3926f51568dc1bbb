#!/usr/bin/env python3
"""What reading and writing a schedule of many bars costs, by one build of the tool or several, in turns.

usage: bench/large_schedule.py [-n JOBS] [-t TURNS] COSCHED...

JOBS (1,000,000) jobs of four processors are simulated with and without --output, and what was written is
checked: CPU seconds (medians of TURNS, 3; writing is the difference) and the most memory, and ratios to the
first build.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile


def cost(words):
    """CPU seconds and MB of a program."""
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit("%s failed" % " ".join(words))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-n", type=int, default=1000000)
    parser.add_argument("-t", type=int, default=3)
    parser.add_argument("tool", nargs="+")
    given = parser.parse_args()
    draw = random.Random(1)
    seen = {tool: [] for tool in given.tool}
    with tempfile.TemporaryDirectory() as folder:
        table, plan = os.path.join(folder, "jobs.csv"), os.path.join(folder, "plan.json")
        with open(table, "w", encoding="utf-8") as file:
            file.write("name,procs,seconds\n")
            file.writelines("job%d,4,%.6f\n" % (i, draw.uniform(1, 1e4)) for i in range(given.n))
        for _ in range(given.t):
            for tool in given.tool:
                words = [tool, "simulate", "rigid", table, "-p", "4096", "--policy", "greedy", "--scenarios", "1",
                         "--scenario", "0"]
                without, _ = cost(words)
                total, most = cost(words + ["--output", plan])
                seen[tool].append((total - without, most) + cost([tool, "check", plan]))
        print("%d bars, %.0f MB" % (given.n, os.path.getsize(plan) / 1e6))
    first = None
    print("%12s %8s %8s %12s %8s %8s" % ("simulate s", "ratio", "MB", "check s", "ratio", "MB"))
    for tool, rows in seen.items():
        write, most, check, size = (statistics.median(column) for column in zip(*rows))
        first = first or (write, check)
        print("%12.2f %8.2f %8.0f %12.2f %8.2f %8.0f  %s" % (write, write / first[0], most, check, check / first[1],
                                                          size, tool))


main()
