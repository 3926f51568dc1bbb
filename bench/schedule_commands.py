#!/usr/bin/env python3
"""What each command that writes or reads a schedule costs, by two builds of the tool in turns.

usage: bench/schedule_commands.py [--jobs N,...] [--small TURNS] [--memory MB] OLD NEW

OLD and NEW are cosched programs.  For each N (10000, 100000, 1000000) both simulate the jobs of `generate rigid -n N`
on 10,000 processors and replay the same jobs from a log, and run every command on the file that they wrote: CPU
seconds, the most memory and the size of the written file.  A command of OLD that needs more than MB (6000) of memory,
or fails, is -.  Then TURNS (101; 0: none) runs of each command on 100 jobs, in turns: medians of CPU time and their
ratio, NEW to OLD.
"""

import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys
import tempfile

PROCS = 10000
SIMULATE = "-p", str(PROCS), "--policy", "greedy", "--scenarios", "1", "--scenario", "0"
WORK = (  # name, words, the file that is written
    ("simulate -o", ("simulate", "rigid", "jobs.csv", *SIMULATE, "-o", "s.json"), "s.json"),
    ("check", ("check", "s.json"), None),
    ("report", ("report", "s.json", "-o", "s.html"), "s.html"),
    ("plot", ("plot", "s.json", "-o", "s.svg"), "s.svg"),
    ("convert --to bars", ("convert", "s.json", "--to", "bars", "-o", "s.csv"), "s.csv"),
    ("convert --to trace", ("convert", "s.json", "--to", "trace", "-o", "t.json"), "t.json"),
    ("convert --to paje", ("convert", "s.json", "--to", "paje", "-o", "s.paje"), "s.paje"),
    ("inspect", ("inspect", "s.json"), None),
    ("replay -o", ("replay", "log.swf", "--procs", str(PROCS), "--policy", "easy", "-o", "r.json"), "r.json"),
)


class Build:
    def __init__(self, tool, folder):
        self.tool, self.folder = os.path.abspath(tool), folder
        words = subprocess.run([self.tool, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.inspect = "inspect" if "  inspect" in words else "what"  # its name in 0.2

    def cost(self, words, most=None):
        """CPU seconds and MB, or None."""
        words = [self.inspect if word == "inspect" else word for word in words]
        limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (most << 20, most << 20))) if most else None
        child = subprocess.Popen([self.tool, *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 preexec_fn=limit)
        _, status, used = os.wait4(child.pid, 0)
        return None if status else (used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3)


def write_inputs(build, count):
    """Jobs, and a log in which they arrive as fast as they can run."""
    subprocess.run([build.tool, "generate", "rigid", "-n", str(count), "-o", "jobs.csv"], cwd=build.folder, check=True)
    with open(os.path.join(build.folder, "jobs.csv"), encoding="utf-8", newline="") as file:
        jobs = [(int(row["procs"]), float(row["seconds"])) for row in csv.DictReader(file)]
    now = 0.0
    with open(os.path.join(build.folder, "log.swf"), "w", encoding="utf-8") as file:
        for i, (procs, seconds) in enumerate(jobs):
            file.write("%d %d 0 %d %d -1 -1 %d %d -1 1 1 1 -1 1 -1 -1 -1\n" % (i + 1, now, seconds, procs, procs, 2 * seconds))
            now += 1.05 * procs * seconds / PROCS


def share_inputs(builds):
    for name in "jobs.csv", "log.swf":
        path = os.path.join(builds[1].folder, name)
        if os.path.lexists(path):
            os.remove(path)
        os.symlink(os.path.join(builds[0].folder, name), path)


def cell(found, build, written):
    if not found:
        return "- | - | -"
    size = "%.1f" % (os.path.getsize(os.path.join(build.folder, written)) / 1e6) if written else ""
    return "%.2f | %.0f | %s" % (*found, size)


def large(builds, count, most):
    write_inputs(builds[0], count)
    share_inputs(builds)
    for name, words, written in WORK:
        cells = []
        for build in builds:
            found = build.cost(words, most if build is builds[0] else None)
            cells.append(cell(found, build, written))
            if written and not found and os.path.exists(os.path.join(build.folder, written)):
                os.remove(os.path.join(build.folder, written))
            if written and not written.endswith("s.json") and os.path.exists(os.path.join(build.folder, written)):
                os.remove(os.path.join(build.folder, written))
        print("| %s | %s | %s | %s |" % (format(count, ","), name, *cells), flush=True)


def small(builds, turns):
    write_inputs(builds[0], 100)
    share_inputs(builds)
    for build in builds:
        build.cost(WORK[0][1])
    print("\n| command on 100 jobs | old ms | new ms | ratio |\n| --- | ---: | ---: | ---: |")
    for name, words, _ in WORK:
        took = [[], []]
        for turn in range(turns):
            for side in (0, 1) if turn % 2 else (1, 0):
                took[side].append(builds[side].cost(words)[0])
        old, new = map(statistics.median, took)
        print("| %s | %.2f | %.2f | %.2f |" % (name, 1e3 * old, 1e3 * new, new / old), flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", default="10000,100000,1000000")
    parser.add_argument("--small", type=int, default=101)
    parser.add_argument("--memory", type=int, default=6000)
    parser.add_argument("old")
    parser.add_argument("new")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in "old", "new":
            os.mkdir(os.path.join(folder, name))
        builds = [Build(tool, os.path.join(folder, name)) for tool, name in ((given.old, "old"), (given.new, "new"))]
        print("| jobs | command | old s | MB | file MB | new s | MB | file MB |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for count in map(int, filter(None, given.jobs.split(","))):
            large(builds, count, given.memory)
        if given.small:
            small(builds, given.small)


sys.exit(main())
