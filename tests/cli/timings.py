#!/usr/bin/env python3
"""Timings of the tools that people measure with, as `inspect`, `plan moldable` and `fit` read them.

usage: tests/cli/timings.py COSCHED EXAMPLES
"""

import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, refused, write

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../formats/timings")

# The file, what inspect calls it, and (application, count, seconds) of its runs; or the error.
READ = {
    "hyperfine.json": ("hyperfine", [("cfd", 1, 12.3), ("cfd", 2, 6.5)]),
    "hyperfine.csv": ("hyperfine table", [("cfd", 1, 12.3), ("cfd", 2, 6.5)]),
    "reframe-perflog.log": ("ReFrame perflog", [("cfd_check", 1, 912.4), ("cfd_check", 2, 502.1)]),
    "reframe-report.json": ("ReFrame report", None),
    "ramble.json": ("Ramble results", [("lammps.lj", 1, 12)]),
    "extrap.txt": ("Extra-P text", None),
    "parallel.joblog": ("joblog of GNU parallel", None),
    "sacct-mine.txt": ("sacct", [("cfd", 1, 912), ("cfd", 2, 502), ("cfd", 4, 301), ("md", 1, 600), ("md", 2, 360)]),
    "lammps.log": ("LAMMPS log", None),
    "md.log": ("GROMACS log", None),
    "jube.csv": ("CSV", [("cfd", 1, 912.4), ("cfd", 2, 502.1)]),
    "sheet.csv": ("CSV", None),
    "nc.csv": ("CSV", [("A", 1, 100), ("A", 2, 60), ("B", 1, 80), ("B", 2, 45)]),
}
REJECTED = {
    "bash-time.txt": "bash-time.txt:2: a time without its command",
    "gnu-time.txt": "gnu-time.txt:1: a time without its command",
    "gnu-time-v.txt": 'gnu-time-v.txt:1: "./cfd" has no number of processors',
    "mdbenchmark.csv": "the header lacks the column app",
    "trace.txt": "the header lacks the column procs",
    "smk.dot": "the header lacks the columns app, procs and seconds",
    "columns-in-comment.dat": "the header lacks the columns app, procs and seconds",
}


def points(path):
    return points_of("plan", "moldable", path, "--procs", 256)


def points_of(*words):
    """The least time of each application and count in a plan."""
    ok(bool(json.loads(cosched(*words, "--format", "json", "-o", "plan.json")[0])), "%s is planned" % words[2])
    with open("plan.json", encoding="utf-8") as file:
        tasks = json.load(file)["instance"]["tasks"]
    best = {}
    for task in tasks:
        for procs, seconds in task["points"]:
            best[task["name"], procs] = min(seconds, best.get((task["name"], procs), seconds))
    return [(*key, seconds) for key, seconds in best.items()]


def files():
    for name, (kind, rows) in READ.items():
        path = os.path.join(FILES, name)
        found = json.loads(cosched("inspect", path, "--format", "json")[0])[0]
        ok(kind in found["words"], "%s: %s" % (name, found["words"]))
        if rows:
            ok(points(path) == rows, "%s: its runs: %s" % (name, points(path)))
    for name, message in REJECTED.items():
        refused(message, "plan", "moldable", os.path.join(FILES, name), "--procs", 8)


def warnings():
    """What is not read, left out or understood in one of several ways is named."""
    out = write(".", "joblog", "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
                "1\t:\t1\t12.3\t0\t0\t0\t0\t./cfd -n 1\n2\t:\t1\t0.1\t0\t0\t1\t0\t./cfd -n 4\n")
    err = cosched("plan", "moldable", out, "--procs", 4)[1]
    ok("joblog of GNU parallel: read 1 runs; left out: 1 failed" in err, "runs that failed")
    err = cosched("plan", "moldable", os.path.join(FILES, "sheet.csv"), "--procs", 4)[1]
    ok("sheet.csv: decimal comma" in err, "a decimal comma")
    err = cosched("plan", "moldable", write(".", "min.csv", "app,nodes,cores,time (min)\na,1,8,2\n"), "--procs", 4)[1]
    ok("nodes is the number of processors; cores left aside" in err, "the count of several")
    err = cosched("plan", "moldable", write(".", "limits.csv", "app;nodes;time (min);min_nodes;gpus\na;1;2,5;1;4\n"), "--procs", 4)[1]
    ok("not read: column min_nodes, column gpus" in err, "requirements and limits that this reader does not keep: " + err)
    refused("left out: 1 failed", "plan", "moldable", out, "--procs", 4, "--strict")


def options():
    """What a file lacks is given by options, also to fit."""
    def plan(name, *more):
        return points_of("plan", "moldable", os.path.join(FILES, name), "--procs", 64, *more)

    ok(plan("gnu-time.txt", "--app", "cfd", "--count", 2)[0][:2] == ("cfd", 2), "application and count of a time")
    ok(plan("gnu-time-v.txt", "--count", 4)[0][:2] == ("cfd", 4), "the count of a command")
    ok(plan("extrap.txt", "--region", "solver")[0][0] == "solver", "a region")
    ok(points_of("plan", "moldable", os.path.join(FILES, "nc.csv"), "--procs", 256, "--count-unit", "processor")[0][1] == 128, "cores")
    write(".", "both.csv", "app;procs;seconds\na;1;1,234\n")
    for sign, seconds in ("comma", 1.234), ("point", 1234):
        ok(points_of("plan", "moldable", "both.csv", "--procs", 2, "--decimal", sign) == [("a", 1, seconds)], "a decimal %s" % sign)
    refused("--count-unit: found", "plan", "moldable", "both.csv", "--procs", 2, "--decimal", "comma", "--count-unit", "socket")
    refused("--decimal: found", "plan", "moldable", "both.csv", "--procs", 2, "--decimal", "dot")
    refused("--region: \"x\" is not a region of", "fit", os.path.join(FILES, "extrap.txt"), "--region", "x")


def bytes_of_all_kinds():
    """Empty files, binary files, marks, ends of lines."""
    refused("empty", "inspect", write(".", "empty.csv", ""))
    write(".", "mark.csv", "\ufeffapp,procs,time [h]\r\na,1,0.5\r\n")
    ok(points("mark.csv") == [("a", 1, 1800)], "a byte order mark, CRLF, and hours")
    refused("may be 1234 or 1.234", "plan", "moldable", write(".", "both.csv", "app;procs;seconds\na;1;1,234\n"), "--procs", 2)
    refused("decimal commas and decimal points", "plan", "moldable",
            write(".", "mixed.csv", "app;procs;seconds\na;1;12,5\na;2;6.25\n"), "--procs", 2)
    deep = '{"results": ' + "[" * 3000 + "]" * 3000 + "}"
    ok(cosched("plan", "moldable", write(".", "deep.json", deep), "--procs", 2, status=1)[1] != "", "3,000 levels of JSON")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in files, warnings, options, bytes_of_all_kinds:
        part()
finish()
