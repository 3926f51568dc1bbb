#!/usr/bin/env python3
"""What reading and writing a schedule of many bars costs, by one build of the tool or several, in turns.

usage: bench/large_schedule.py [-n JOBS] [-t TURNS] [--mixed] COSCHED...

JOBS (1,000,000) jobs of four processors on 4,096, or with --mixed those of `generate rigid` on 10,000, are
simulated with and without --output, and what each build wrote is checked: CPU seconds (medians of TURNS, 3;
writing is the difference) and the most memory, ratios to the first build, the size of the file and the mean
number of intervals of processors a bar.
"""

import argparse
import os
import random
import re
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


def write_jobs(given, path):
    if given.mixed:
        cost([given.tool[0], "generate", "rigid", "-n", str(given.n), "-o", path])
        return
    draw = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("name,procs,seconds\n")
        file.writelines("job%d,4,%.6f\n" % (i, draw.uniform(1, 1e4)) for i in range(given.n))


def intervals(path):
    """Of processors, in the mean of the bars; 0: they have counts."""
    bars = total = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            sets = re.findall('"procs": "([^"]*)"', line)
            bars += len(sets)
            total += sum(procs.count(" ") + 1 for procs in sets)
    return total / bars if bars else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-n", type=int, default=1000000)
    parser.add_argument("-t", type=int, default=3)
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("tool", nargs="+")
    given = parser.parse_args()
    seen, files = {tool: [] for tool in given.tool}, {}
    with tempfile.TemporaryDirectory() as folder:
        table, plan = os.path.join(folder, "jobs.csv"), os.path.join(folder, "plan.json")
        write_jobs(given, table)
        for _ in range(given.t):
            for tool in given.tool:
                words = [tool, "simulate", "rigid", table, "-p", "10000" if given.mixed else "4096", "--policy", "greedy",
                         "--scenarios", "1", "--scenario", "0"]
                without, _ = cost(words)
                total, most = cost(words + ["--output", plan])
                seen[tool].append((total - without, most) + cost([tool, "check", plan]))
                files[tool] = os.path.getsize(plan) / 1e6, intervals(plan)
    first = None
    print("%12s %8s %8s %12s %8s %8s %8s %10s" % ("simulate s", "ratio", "MB", "check s", "ratio", "MB", "file MB",
                                                  "intervals"))
    for tool, rows in seen.items():
        write, most, check, size = (statistics.median(column) for column in zip(*rows))
        first = first or (write, check)
        print("%12.2f %8.2f %8.0f %12.2f %8.2f %8.0f %8.0f %10.1f  %s" % (
            (write, write / first[0], most, check, check / first[1], size) + files[tool] + (tool,)))


main()
