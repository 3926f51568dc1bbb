#!/usr/bin/env python3
"""Stores that were damaged at random: whoever reads one says so, or what it says is right.

usage: tests/cli/damage.py COSCHED [DAMAGES]

COSCHED_DAMAGES is their number, COSCHED_DAMAGE_SEED chooses others.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import harm
from kit import COSCHED, cosched, finish, ok, write

SWEEP = {"problem": "malleable", "seed": 4, "replicates": 8,
         "set": {"tasks": 5, "procs": 40, "mtbf_years": 10},
         "vary": {"on_failure": ["none", "shortest-tasks-first"], "checkpoint_factor": [0.5, 1, 2]},
         "metrics": ["ratio", "procs_moved"]}
DAMAGES = int(os.environ.get("COSCHED_DAMAGES", sys.argv[2] if len(sys.argv) > 2 else 40))
SEED = os.environ.get("COSCHED_DAMAGE_SEED", "1")
PAGE = 4096


def remove_row(base, r):
    base.execute("DROP TRIGGER malleable_DELETE")
    base.execute("DELETE FROM malleable WHERE seed = (SELECT seed FROM malleable ORDER BY random() LIMIT 1)")


def swap_rows(base, r):
    base.execute("DROP TRIGGER malleable_UPDATE")
    keys = base.execute("SELECT parameters, seed, ratio, moved, digest FROM malleable ORDER BY parameters, seed").fetchall()
    a, b = r.sample(keys, 2)
    for (parameters, seed, *_), (_, _, *values) in ((a, b), (b, a)):
        base.execute("UPDATE malleable SET ratio = ?, moved = ?, digest = ? WHERE parameters = ? AND seed = ?", (*values, parameters, seed))


def change_value(base, r):
    base.execute("UPDATE malleable SET ratio = ratio * 1.0001 WHERE seed = (SELECT max(seed) FROM malleable)")


def change_document(base, r):
    base.execute("UPDATE document SET text = replace(text, '0.5', '0.25')")


def change_run(base, r):
    base.execute("UPDATE run SET command = 'cosched campaign run other.json'")


def change_time(base, r):
    base.execute("UPDATE malleable SET finished = finished + 3600 WHERE seed = (SELECT max(seed) FROM malleable)")


def change_head(base, r):
    base.execute("UPDATE malleable SET head = head + 1 WHERE seed = (SELECT min(seed) FROM malleable)")


ROWS = [remove_row, swap_rows, change_value, change_document, change_run, change_time, change_head]


def damage(kind, r):
    shutil.copy("whole.db", "store.db")
    if kind in ROWS:
        base = sqlite3.connect("store.db")
        kind(base, r)
        base.commit()
        base.close()
    else:
        harm.damage("store.db", kind, PAGE, r)


def read(*words):
    return subprocess.run([COSCHED, "campaign", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def status_of(text):
    return [{k: row[k] for k in ("document", "runs", "done", "state", "times_started")} for row in json.loads(text)]


def wrong(done, wanted, view=lambda text: text):
    """What it printed with status 0 although it is not so; or it died, or says nothing."""
    if done.returncode == 0:
        return view(done.stdout) != wanted
    return done.returncode != 1 or len(done.stderr.split()) < 3 or b": -" in done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sweep = write(".", "trial.json", json.dumps(SWEEP))
        table = cosched("campaign", "run", sweep, "--store", "whole.db", "--format", "csv")[0].encode()
        rows, state = read("export", "whole.db").stdout, status_of(read("status", "whole.db", "--format", "json").stdout)
        told = 0
        for number in range(DAMAGES):
            r = random.Random("%s %d" % (SEED, number))
            kind = (harm.KINDS + ROWS)[number % len(harm.KINDS + ROWS)]
            damage(kind, r)
            what = "%d, %s" % (number, kind.__name__)
            exported, shown, verified = read("export", "store.db"), read("status", "store.db", "--format", "json"), read("verify", "store.db")
            ok(not wrong(exported, rows), "export of damage " + what)
            ok(not wrong(shown, state, status_of), "status of damage " + what)
            ok(exported.returncode == 0 or verified.returncode == 1, "verify sees what export sees of damage " + what)
            ok(kind in harm.KINDS or verified.returncode == 1, "verify sees a row of damage " + what)
            ok(not wrong(read("run", sweep, "--store", "store.db", "--format", "csv"), table), "going on with damage " + what)
            told += verified.returncode == 1
        print("# %d of %d damages are told" % (told, DAMAGES))
        os.chdir("/")
    finish()


main()
