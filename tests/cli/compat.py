#!/usr/bin/env python3
"""Files that version 0.2 wrote are read, judged and continued.

usage: tests/cli/compat.py COSCHED FIXTURES [--update]

FIXTURES (tests/compat/0.2) were written by the build of commit 059bb32e: schedules of each problem, the JSON of a
replay, stores of campaigns with the tables that 0.2 exported, and runs.txt, the results of 40 commands, which --update
writes.  Names of columns may change between versions, the numbers may not.
"""

import csv
import glob
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile

from kit import cosched, finish, ok

FIXTURES = os.path.abspath(sys.argv[2])
TOP = os.path.join(FIXTURES, "..", "..", "..")
INPUTS = ["tests/golden-cli/inputs/jobs.csv", "tests/golden-cli/inputs/log.swf"] + ["examples/" + name for name in (
    "sacct.txt", "slurm.conf", "quickstart.csv", "archer2.csv", "scaling.csv", "applications.csv", "graphs.json")]
PROBLEMS = ["pack", "moldable", "malleable", "ptg", "rigid", "volatile", "spot"]
TABLE = {"spot": "volatile"}  # of 0.2, in which jobs with a deadline were a part of the problem volatile
GONE = ["cost", "least", "over_least", "expected", "took", "late", "on_spot", "starts"]  # of volatile: metrics of spot


def unpack(path, to):
    with gzip.open(path) as source, open(to, "wb") as target:
        target.write(source.read())
    return to


def schedules():
    paths = sorted(glob.glob(os.path.join(FIXTURES, "schedules", "*.json.gz")))
    ok(len(paths) == 8, "there are eight schedules")
    for path in paths:
        name = unpack(path, os.path.basename(path)[:-3])
        ok(": valid: " in cosched("check", name)[0], "valid: " + name)
        cosched("report", name, "-o", name + ".html")
        ok(os.path.getsize(name + ".html") > 10000, "a report of " + name)


def numbers(text, gone=()):
    """The rows, without the columns that are gone."""
    head, *rows = csv.reader(io.StringIO(text))
    return [[value for name, value in zip(head, row) if name not in gone] for row in rows]


def exported(problem):
    with open(os.path.join(FIXTURES, problem + ".csv"), encoding="utf-8") as file:
        return numbers(file.read(), GONE if problem == "volatile" else ())


def stores():
    unpack(os.path.join(FIXTURES, "spot.trace.json.gz"), "spot.trace.json")
    for problem in PROBLEMS:
        table = TABLE.get(problem, problem)
        wanted = exported(problem)
        store = unpack(os.path.join(FIXTURES, problem + ".db.gz"), problem + ".db")
        ok(numbers(cosched("campaign", "export", store)[0]) == wanted, "the numbers of 0.2: " + problem)
        sweep = problem + ".sweep.json"
        with open(os.path.join(FIXTURES, sweep), encoding="utf-8") as file, open(sweep, "w", encoding="utf-8") as copy:
            copy.write(file.read())
        status = json.loads(cosched("campaign", "status", store, "--format", "json")[0])
        ok(json.dumps(status).count('"done"') > 0, "the state of the store: " + problem)
        with sqlite3.connect(store) as db:
            kept = db.execute('SELECT count(*) FROM "%s"' % table).fetchone()[0]
            db.execute('DELETE FROM "%s" WHERE (parameters, seed) IN (SELECT parameters, seed FROM "%s" LIMIT %d)'
                       % (table, table, kept // 2))
        db.close()
        partial = numbers(cosched("campaign", "export", store, "--partial")[0])
        ok(0 < len(partial) < len(wanted), "half of the rows are gone: " + problem)
        cosched("campaign", "run", sweep, "--store", store, "--allow-other-build")
        ok(numbers(cosched("campaign", "export", store)[0]) == wanted, "continued with the same numbers: " + problem)


def replays():
    name = unpack(os.path.join(FIXTURES, "replay.json.gz"), "replay.json")
    cosched("report", name, "-o", "replay.html")
    ok(os.path.getsize("replay.html") > 10000, "a report of a replay of 0.2")


def width(procs):
    ends = [[int(number) for number in part.split("-")] for part in procs.split()]
    return sum(part[-1] - part[0] + 1 for part in ends)


def attempts(path):
    """The attempts of a schedule or a table of jobs: what 0.3 has to repeat, without numbers of processors."""
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            return [[bar.get(key) for key in ("task", "attempt", "kind", "group", "start", "end")] + [width(bar["procs"])]
                    for bar in json.load(file)["bars"]]
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    keys = [[key for key in keys if key in rows[0]][0] for keys in (("starting_time", "start"), ("finish_time", "end"))]
    return [[row[key] for key in ("job_id", *keys)] for row in rows]


def placement(update=False):
    """40 runs of 0.2: attempts (a digest) and a sample of the metrics are equal to the last bit."""
    path = os.path.join(FIXTURES, "runs.txt")
    for name in INPUTS:
        shutil.copy(os.path.join(TOP, name), os.path.basename(name))
    cosched("generate", "rigid", "-n", 400, "-o", "drawn.csv")
    with open(path, encoding="utf-8") as file:
        runs = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
    ok(len(runs) == 40, "there are 40 runs")
    for run in runs:
        words = run[-1].split()
        printed = cosched(*words, "--format", "json")[0]
        digest = hashlib.sha256(json.dumps(attempts(words[-1])).encode()).hexdigest()[:16]
        numbers = list(dict.fromkeys(re.findall(r'(?<![\w."-])-?\d+\.\d+(?:e[+-]?\d+)?(?![\w."])', printed)))
        if update:
            run[:-1] = digest, " ".join(numbers[::len(numbers) // 6 + 1])
        ok(digest == run[0], "the attempts of 0.2: " + run[-1])
        ok(not set(run[1].split()) - set(numbers), "the metrics of 0.2: " + run[-1])
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines("\t".join(run) + "\n" for run in runs)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    if sys.argv[3:] == ["--update"]:  # by the tool of 0.2
        placement(True)
        finish()
    placement()
    schedules()
    stores()
    replays()
finish()
