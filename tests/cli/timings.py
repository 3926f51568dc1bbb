#!/usr/bin/env python3
"""Timings of the tools that people measure with, as `inspect`, `plan moldable` and `fit` read them.

usage: tests/cli/timings.py COSCHED EXAMPLES
"""

import json
import os
import re
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, write

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../formats/timings")

# The file, what inspect calls it, and (application, count, seconds) of its runs; or the error.
READ = {
    "hyperfine.json": ("hyperfine", [("cfd", 1, 12.3), ("cfd", 2, 6.5)]),
    "hyperfine.csv": ("hyperfine table", [("cfd", 1, 12.3), ("cfd", 2, 6.5)]),
    "reframe-perflog.log": ("ReFrame perflog", [("cfd_check", 1, 912.4), ("cfd_check", 2, 502.1)]),
    "reframe-report.json": ("ReFrame report", None),
    "ramble.json": ("Ramble results", [("lammps.lj", 1, 12)]),
    "extrap.txt": ("Extra-P text", None),
    "extrap-points.txt": ("Extra-P text", [("solve n=10", 4, 8), ("solve n=10", 8, 4.4), ("solve n=20", 4, 16), ("solve n=20", 8, 8.5)]),
    "parallel.joblog": ("joblog of GNU parallel", None),
    "sacct-mine.txt": ("sacct", [("cfd", 1, 912), ("cfd", 2, 502), ("cfd", 4, 301), ("md", 1, 600), ("md", 2, 360)]),
    "lammps.log": ("LAMMPS log", None),
    "md.log": ("GROMACS log", None),
    "jube.csv": ("CSV", [("cfd", 1, 912.4), ("cfd", 2, 502.1)]),
    "jube-result.dat": ("JUBE table", [("cfd", 1, 912.4), ("cfd", 2, 502.1)]),
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
    for name in "mdbenchmark.csv", "trace.txt", "columns-in-comment.dat":
        refused("the header lacks the column", "inspect", os.path.join(FILES, name))
    log = ("JobID|JobName|State|Submit|Start|End|Elapsed|NNodes\n7|cfd|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:00|"
           "2026-01-01T00:10:00|00:10:00|2\n")
    found = json.loads(cosched("inspect", write(".", "sacct.txt", log), "--format", "json")[0])[0]
    ok("job log, with timings" in found["words"] and {"replay", "plan moldable"} <= {use["command"] for use in found["commands"]},
       "a log that holds timings too: " + found["words"])


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


def joblog(count, seconds):
    return ("Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
            "1\t:\t1\t%s\t0\t0\t0\t0\t./cfd -n %d\n2\t:\t1\t0.1\t0\t0\t1\t0\t./cfd -n 4\n" % (seconds, count))


def several():
    """Several files and directories: rows of one application belong together; what is no file of timings is named."""
    os.makedirs("times/b")
    write("times", "one.joblog", joblog(1, 12))
    write("times/b", "two.joblog", joblog(2, 7))
    write("times", "three.csv", "app,procs,seconds\nmd,1,30\ncfd,4,4\n")
    write("times", ".hidden", "app,procs,seconds\nx,1,0\n")
    every = [("cfd", 2, 7), ("cfd", 1, 12), ("md", 1, 30), ("cfd", 4, 4)]
    ok(sorted(points("times")) == sorted(every), "every file of a directory: %s" % points("times"))
    ok(sorted(points_of("plan", "moldable", "times/three.csv", "times/b", "times/one.joblog", "--procs", 8)) == sorted(every),
       "files and directories")
    for words, text in (("plan", "pack"), "2 tasks"), (("simulate", "moldable"), "2 tasks"):
        ok(text in cosched(*words, "times", "--procs", 8)[0], "%s %s reads a directory" % words)
    out, err = cosched("fit", "times")
    ok("cfd" in out and "times: joblog of GNU parallel: read 4 runs; left out: 2 failed" in err, "runs left out are counted: " + err)
    found = json.loads(cosched("inspect", "times", "--format", "json")[0])[0]
    ok(found["words"] == "workload (directory), 2 tasks, 4 runs, 3 counts, 3 files", found["words"])
    one = json.loads(cosched("inspect", os.path.join(FILES, "md.log"), "--format", "json")[0])[0]
    ok("1 task, 1 run, 1 count, one count for each" in one["words"], one["words"])
    cosched("plan", "moldable", "times", "--procs", 8, "-o", "plan.json")
    first = json.loads(read("plan.json"))["inputs"][0]["sha256"]
    write("times", "notes.txt", "these are not times\n")
    cosched("plan", "moldable", "times", "--procs", 8, "-o", "plan.json")
    ok(len(first) == 64 and json.loads(read("plan.json"))["inputs"][0]["sha256"] not in ("", first), "the digest is that of all files")
    ok("times: 1 of 4 files hold no timings: times/notes.txt:1: the header lacks" in cosched("fit", "times")[1], "which is named")
    refused("left out: 2 failed", "fit", "times", "--strict")
    refused("notes.txt:1: the header lacks", "fit", "times/three.csv", "times/notes.txt")
    write("times", "bad.csv", "app,procs,seconds\nmd,2,12x\n")
    refused("times/bad.csv:2: seconds: found", "plan", "moldable", "times", "--procs", 8)
    write("times", "bad.csv", "app,nodes,seconds\nmd,2,12\n")
    refused("times/bad.csv:2: some rows count nodes, others processors (times/b/two.joblog counts", "fit", "times/b", "times/bad.csv")
    os.makedirs("none/deep")
    refused("none: a directory without a file", "fit", "none")
    write("none", "notes.txt", "these are not times\n")
    write("none/deep", "notes.txt", "nor these\n")
    refused("none: none of 2 files holds timings: none/deep/notes.txt:1:", "plan", "moldable", "none", "--procs", 8)
    refused("cosched: --decimal: found \"x\"", "plan", "moldable", "none", "--procs", 8, "--decimal", "x")


def nodes():
    """Logs of one node and of several in one directory: the hint of inspect, and the option."""
    os.mkdir("water")
    for count, wall in (1, 100), (2, 60):
        write("water", "md_%d.log" % count, "GROMACS version:    2022.5\nRunning on %d node%s with total %d cores\nUsing %d MPI processes\n"
              "               Core t (s)   Wall t (s)        (%%)\n       Time:    1.0      %d.0    1.0\n"
              % (count, "s" if count > 1 else "", 8 * count, 8 * count, wall))
    refused("water/md_2.log:5: some rows count nodes, others processors (water/md_1.log counts processors): select one with --count-unit",
            "plan", "moldable", "water", "--procs", 8)
    ok(points_of("plan", "moldable", "water", "--procs", 8, "--count-unit", "node") == [("water", 1, 100), ("water", 2, 60)], "nodes")
    ok("2 counts, 2 files, with --count-unit node" in cosched("inspect", "water")[0], "inspect names the option")


def convert():
    """Timings of every tool become our table, with which everything is as with the files themselves."""
    for name, (_, rows) in READ.items():
        path = os.path.join(FILES, name)
        cosched("convert", path, "--to", "timings", "-o", "again.csv")
        head = read("again.csv").splitlines()[0]
        ok(head in ("app,procs,seconds,source", "app,nodes,seconds,source"), head)
        ok(sorted(points("again.csv")) == sorted(points(path)), "%s as a table" % name)
        plans = [cosched("fit", file, "--format", "csv")[0] for file in (path, "again.csv")]
        ok(plans[0] == plans[1], "%s: the same fit" % name)
    out = cosched("convert", os.path.join(FILES, "gnu-time.txt"), "--to", "timings", "--app", "a, b", "--count", "2")[0]
    ok(out.splitlines()[1].startswith('"a, b",2,'), out)
    out = cosched("convert", os.path.join(FILES, "nc.csv"), os.path.join(FILES, "jube.csv"), "--to", "timings", "--count-unit", "node")[0]
    ok(out.splitlines()[0].startswith("app,nodes,") and "jube.csv:2" in out and len(out.splitlines()) == 7, out)
    refused("--region goes with --to timings", "convert", os.path.join(FILES, "nc.csv"), "--to", "swf", "--region", "x", status=2)
    refused("--to timings writes FILE.csv", "convert", os.path.join(FILES, "nc.csv"), "--to", "timings", "-o", "x.json", status=2)


def shown():
    """`report` and `plot` take files and directories of times."""
    cosched("report", os.path.join(FILES, "hyperfine.json"), "-o", "times.html")
    html = read("times.html")
    ok("Speedup" in html and "Efficiency" in html, "sections of time, speedup, efficiency")
    data = [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', html, re.S)]
    ok(data[0]["apps"][0]["app"] == "cfd" and [row["procs"] for row in data[0]["rows"]] == [1, 2], "the rows")
    ok(abs(data[0]["rows"][1]["speedup"] - 12.3 / 6.5) < 1e-9 and len(data) == 4, "the speedup, and three pictures")
    cosched("report", "times/one.joblog", "times/b", "-o", "both.html")
    ok("b: Speedup" in read("both.html") and "one.joblog: Measured times" in read("both.html"), "two inputs")
    refused("notes.txt:1: the header lacks the column", "report", "times/notes.txt", "-o", "x.html")
    refused("notes.txt:1: the header lacks the column", "plot", "times/notes.txt", "-o", "x.svg")
    ok(cosched("plot", "times/b", "--format", "csv")[0].startswith("app,procs,seconds,speedup"), "a directory is plotted")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in files, warnings, options, bytes_of_all_kinds, several, nodes, convert, shown:
        part()
finish()
