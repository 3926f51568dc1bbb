#!/usr/bin/env python3
"""Files that version 0.2 wrote are read, judged and continued.

usage: tests/cli/compat.py COSCHED FIXTURES

FIXTURES (tests/compat/0.2) were written by the build of commit 059bb32e: schedules of each problem, the JSON of a
replay, and stores of campaigns with the tables that 0.2 exported.  Names of columns may change between versions, the
numbers may not.
"""

import csv
import glob
import gzip
import io
import json
import os
import sqlite3
import sys
import tempfile

from kit import cosched, finish, ok

FIXTURES = os.path.abspath(sys.argv[2])
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


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    schedules()
    stores()
    replays()
finish()
