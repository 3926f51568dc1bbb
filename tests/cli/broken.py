#!/usr/bin/env python3
"""Folders of runs whose journal or records were damaged: a sentence, or the run goes on; never a crash, and what the
journal knew as done is never done again.

usage: tests/cli/broken.py COSCHED [ROUNDS]

Values of random rows are replaced, rows removed or copied, bytes of the files changed. Half of the journals have no digests,
so that what they say is believed. COSCHED_DAMAGE_SEED repeats it.
"""

import collections
import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from kit import COSCHED, PATIENCE, cosched, finish, ok, read, wait_for
from runs import in_background, make_old, outcomes

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
SEED = int(os.environ.get("COSCHED_DAMAGE_SEED", "1"))
VALUES = [None, -1, 0, 1, 7, 1 << 31, -(1 << 63), (1 << 63) - 1, 0.5, -1e300, 1e300, float("inf"), "", "x", "0-3", "ok", "ended",
          "started", "[[\"a\",\"b\"]]", "{}", b"\xff\x00", "9" * 400]
TABLES = ["run", "input", "task", "executor", "round", "event", "action", "attempt", "attempt_end"]


def change_rows(path, dice):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db, contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        table = dice.choice(TABLES)
        columns = [row[1] for row in db.execute("PRAGMA table_info(%s)" % table)]
        rows = db.execute("SELECT * FROM %s" % table).fetchall()
        if not rows:
            return "nothing"
        row = dice.choice(rows)
        where = " AND ".join("%s IS ?" % column for column in columns)
        column = dice.choice(columns)
        value = dice.choice(VALUES + [other[columns.index(column)] for other in rows])
        what = dice.choice(["set", "set", "set", "remove"])
        if what == "remove":
            db.execute("DELETE FROM %s WHERE %s" % (table, where), row)
        else:
            db.execute("UPDATE %s SET %s = ? WHERE %s" % (table, column, where), (value, *row))
        return "%s %s.%s = %.30r of %.60s" % (what, table, column, value, row)
    return "rows that could not be changed"


def change_bytes(path, dice):
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        for _ in range(dice.randint(1, 8)):
            if data:
                data[dice.randrange(len(data))] = dice.randrange(256)
        data = data[:dice.randrange(len(data) + 1)] if dice.random() < 0.2 else data
        file.seek(0)
        file.write(data)
        file.truncate()
    return "bytes of " + os.path.basename(path)


def change(folder, dice):
    records = [os.path.join(folder, "a", "000", name) for name in os.listdir(folder + "/a/000") if name.endswith(".rec")]
    kind = dice.random()
    if kind < 0.7 or not records:
        return change_rows(folder + "/journal.db", dice)
    return change_bytes(folder + "/journal.db" if kind < 0.9 else dice.choice(records), dice)


def sentences(told, words):
    """The lines that it says; with --format json the error is an object, and its sentence is one."""
    lines = told.decode("utf-8", "replace").splitlines()
    if "json" in words:
        lines = ["cosched: " + json.loads(line)["error"] if line.startswith("{") else line for line in lines]
    return lines


def try_one(whole, folder, dice):
    """What is wrong, or None."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("control"))
    if dice.random() < 0.5:
        make_old(folder)
    done = "; ".join(change(folder, dice) for _ in range(dice.randint(1, 2)))
    for words in (("run", "status"), ("run", "schedule"), ("run", "status", "--format", "json"), ("run", "--resume")):
        try:
            told = subprocess.run([COSCHED, *words, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE,
                                  check=False)
        except subprocess.TimeoutExpired:
            return "%s: %s does not end" % (done, " ".join(words))
        lines = sentences(told.stderr, words)
        if told.returncode not in (0, 1, 3) or any(not line.startswith("cosched: ") for line in lines):
            return "%s: %s: %d %s" % (done, " ".join(words), told.returncode, lines[:3])
        if told.returncode == 1 and len([line for line in lines if not line.startswith("cosched: task ")]) != 1:
            return "%s: %s: not one sentence: %s" % (done, " ".join(words), lines)
    again = collections.Counter(name for name in log_of(folder) if name in log_of(whole))
    twice = [name for name, _, outcome in outcomes(whole) if outcome == "ok" and again[name] > 1]
    return "%s: done again: %s" % (done, twice) if twice else None


def log_of(folder):
    return read(folder + "/log").split() if os.path.exists(folder + "/log") else []


def make(folder):
    """A run that was killed: some have ended well, failed, been tried again, run, wait."""
    child, into = in_background(folder, "whole", ["a,1,1,x", "b,2,1,y", "c,1,1,z", "d,1,1,x", "e,2,1,y"], "/bin/sh", "-c",
                                'test $COSCHED_NAME != c || sleep 0.3; test $COSCHED_TRY = 2 || test $COSCHED_NAME != a || exit 1; '
                                'echo $COSCHED_NAME >> $COSCHED_RUN/log',
                                options=("--set", "retries=1"))
    wait_for(lambda: len([o for o in outcomes(into) if o[2]]) >= 3)
    child.kill()
    child.wait()
    wait_for(lambda: all("closed" in open(into + "/a/000/" + name, encoding="utf-8").read()
                         for name in os.listdir(into + "/a/000")
                         if name.endswith(".rec") and os.path.getsize(into + "/a/000/" + name)))
    return into


with tempfile.TemporaryDirectory() as top:
    whole, rng = make(top), random.Random(SEED)
    cosched("run", "status", whole)
    with contextlib.closing(sqlite3.connect(whole + "/journal.db", isolation_level=None)) as journal:
        journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for number in range(ROUNDS):
        wrong = try_one(whole, os.path.join(top, "damaged"), rng)
        if wrong or number == ROUNDS - 1:
            ok(not wrong, "damage %d: %s" % (number, wrong or "survived"))
print("# seed %d" % SEED)
finish()
