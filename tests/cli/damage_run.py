#!/usr/bin/env python3
"""Journals of runs that were damaged at random: whoever reads one says so, or what it says is right, and no finished job
runs again.

usage: tests/cli/damage_run.py COSCHED [DAMAGES]

COSCHED_DAMAGES is their number, COSCHED_DAMAGE_SEED chooses others.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import harm
from kit import COSCHED, cosched, finish, ok, write
from runs import make_old

DAMAGES = int(os.environ.get("COSCHED_DAMAGES", sys.argv[2] if len(sys.argv) > 2 else 40))
SEED = os.environ.get("COSCHED_DAMAGE_SEED", "1")
PAGE = 1024
JOURNAL = "run/journal.db"
JOBS = "name,procs,seconds\n" + "".join("job%d,%d,1\n" % (j, 1 + j % 2) for j in range(40))
COMMAND = 'echo $COSCHED_NAME >> $COSCHED_RUN/log; test $COSCHED_NAME != job7'


CHANGES = ["attempt_end SET ended = ended + 1 WHERE attempt = 5", "attempt_end SET cpu = cpu * 1.001 WHERE attempt = 6",
           "attempt SET start = start + 0.01 WHERE id = 9", "round SET time = time + 0.01 WHERE id = 4",
           "event SET status = 1 WHERE round = 5", "task SET expected = 2 WHERE id = 7", "run SET value = '0' WHERE key = 'began'",
           "executor SET began = began - 1"]


def change_value(base, r):
    base.execute("UPDATE " + r.choice(CHANGES))


def change_outcome(base, r):
    base.execute("UPDATE attempt_end SET outcome = 'ok' WHERE outcome != 'ok'")
    base.execute("UPDATE event SET outcome = 'ok' WHERE outcome = 'failed' AND round > ?", (r.randrange(3),))


def remove_row(base, r):
    table = r.choice(["event", "action", "attempt", "attempt_end", "round", "input", "run", "task"])
    key = {"event": "round", "action": "round", "attempt_end": "attempt", "input": "name", "run": "key"}.get(table, "id")
    base.execute("DELETE FROM %s WHERE %s = (SELECT %s FROM %s ORDER BY random() LIMIT 1)" % (table, key, key, table))


def remove_last_round(base, _):
    for table in ("event", "action", "attempt"):
        base.execute("DELETE FROM %s WHERE round = (SELECT max(id) FROM round)" % table)
    base.execute("DELETE FROM attempt_end WHERE attempt NOT IN (SELECT attempt FROM event WHERE kind = 'ended')")
    base.execute("DELETE FROM round WHERE id = (SELECT max(id) FROM round)")


def claim_old_format(base, _):
    base.execute("PRAGMA user_version = 1")


def swap_names(base, _):
    base.execute("UPDATE task SET name = 'x' WHERE id = 3")
    base.execute("UPDATE task SET name = 'job3' WHERE id = 4")
    base.execute("UPDATE task SET name = 'job4' WHERE id = 3")


ROWS = [change_value, change_outcome, remove_row, remove_last_round, claim_old_format, swap_names]


def damage(kind, r):
    shutil.rmtree("run", ignore_errors=True)
    shutil.copytree("whole", "run")
    if kind in ROWS:
        base = sqlite3.connect(JOURNAL)
        kind(base, r)
        base.commit()
        base.close()
    else:
        harm.damage(JOURNAL, kind, PAGE, r)


def ask(*words):
    return subprocess.run([COSCHED, "run", *words, "run"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def wrong(done, wanted):
    """It printed with status 0 what is not so; or it died, or says nothing."""
    if done.returncode == 0:
        return done.stdout != wanted
    return done.returncode != 1 or len(done.stderr.split()) < 3 or b": -" in done.stderr


def log():
    with open("run/log", encoding="utf-8") as file:
        return sorted(file.read().split())


QUESTIONS = [("status", "--format", "json"), ("schedule", "--format", "json"), ("schedule", "--format", "csv")]


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        jobs = write(".", "jobs.csv", JOBS)
        cosched("run", jobs, "--slots", "4", "--oversubscribe", "--into", "whole", "--", "/bin/sh", "-c", COMMAND, status=3)
        damage(lambda *_: None, None)
        right, done = [ask(*words).stdout for words in QUESTIONS], log()
        ok(ask("status").returncode == 0 and b"39 of 40 done" in ask("status").stdout, "the sound journal is read")
        told = 0
        for number in range(DAMAGES):
            r = random.Random("%s %d" % (SEED, number))
            kind = (harm.KINDS + ROWS)[number % len(harm.KINDS + ROWS)]
            damage(kind, r)
            answers = [ask(*words) for words in QUESTIONS]
            bad = [words for words, answer, want in zip(QUESTIONS, answers, right) if wrong(answer, want)]
            ok(not bad, "damage %d, %s: %s" % (number, kind.__name__, bad))
            ok(kind not in ROWS or answers[0].returncode == 1, "rows are told of in damage %d, %s" % (number, kind.__name__))
            resumed = ask("--resume")
            ok(resumed.returncode in (1, 3) and log() == done, "nothing runs again after damage %d, %s" % (number, kind.__name__))
            told += answers[0].returncode == 1
        print("# %d of %d damages are told" % (told, DAMAGES))
        damage(lambda *_: None, None)
        make_old("run")
        ok([ask(*words).stdout for words in QUESTIONS] == right, "a journal without digests is read as it was")
        resumed = ask("--retry-failed", "--resume")
        ok(resumed.returncode == 3 and sorted(set(log())) == sorted(set(done)), "and gone on with: " + resumed.stderr.decode())
        os.chdir("/")
    finish()


main()
