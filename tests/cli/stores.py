#!/usr/bin/env python3
"""`cosched campaign status`, `export` and `merge` as a user meets them.

usage: tests/cli/stores.py COSCHED EXAMPLES
"""

import csv
import io
import itertools
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from kit import COSCHED, cosched, finish, ok, refused, results, write

EXAMPLES = os.path.abspath(sys.argv[2])
SWEEP = {"problem": "malleable", "seed": 4, "replicates": 6,
         "set": {"tasks": 10, "procs": 100, "mtbf_years": 10},
         "vary": {"on_failure": ["none", "shortest-tasks-first"], "checkpoint_factor": [0.5, 1, 2]},
         "metrics": ["ratio", "procs_moved"]}


def export(store, *more):
    return cosched("campaign", "export", store, *more)[0]


def start(*words):
    return subprocess.Popen([COSCHED, *map(str, words)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def shards(sweep, count):
    names = ["%d-of-%d.db" % (s, count) for s in range(1, count + 1)]
    for s, name in enumerate(names, 1):
        cosched("campaign", "run", sweep, "--shard", "%d/%d" % (s, count), "--store", name)
    return names


def same_bytes():
    sweep = write(".", "trial.json", json.dumps(SWEEP))
    cosched("campaign", "run", sweep, "--threads", 1)
    wanted = export("trial.db")
    rows = list(csv.DictReader(io.StringIO(wanted)))
    ok(len(rows) == 36 and list(rows[0]) == ["on_failure", "checkpoint_factor", "replicate", "seed",
                                             "instance", "ratio", "procs_moved"], "a row for each run")
    ok(len({(row["checkpoint_factor"], row["replicate"]) for row in rows}) ==
       len({row["instance"] for row in rows}), "policies met the same instances")
    cosched("campaign", "run", sweep, "--threads", 3, "--store", "threads.db")
    ok(export("threads.db") == wanted, "the same bytes with three threads")
    for count in 2, 3:
        for order in itertools.permutations(shards(sweep, count)):
            cosched("campaign", "merge", *order, "-o", "merged.db")
            ok(export("merged.db") == wanted, "the same bytes from shards %s" % " ".join(order))
            os.remove("merged.db")
    random.seed(1)
    for kill in range(8):
        run = start("campaign", "run", sweep, "--threads", 2, "--store", "killed.db")
        time.sleep(random.uniform(0.005, 0.06))
        run.send_signal(signal.SIGKILL)
        run.wait()
    cosched("campaign", "run", sweep, "--store", "killed.db")
    ok(export("killed.db") == wanted, "the same bytes after it was killed eight times")
    cosched("campaign", "export", "trial.db", "-o", "table.csv")
    refused("--format csv writes FILE.csv, and table.pdf has the ending", "campaign", "export", "trial.db", "-o", "table.pdf", status=2)
    refused("--format json writes FILE.json, and x.csv has the ending", "campaign", "export", "trial.db", "--format", "json", "-o", "x.csv", status=2)
    refused("--format csv writes FILE.csv, and x.json has the ending", "campaign", "export", "trial.db", "--format", "csv", "-o", "x.json", status=2)
    cosched("campaign", "export", "trial.db", "-o", "x.JSON")
    with open("x.JSON") as file:
        ok(file.read() == export("trial.db", "--format", "json"), "-o FILE.json writes JSON")
    refused("--store writes FILE.db, and trial.pdf has the ending", "campaign", "run", "trial.json", "--store", "trial.pdf", status=2)
    with open("table.csv") as file:
        ok(file.read() == wanted, "-o writes it to a file")
    listed = json.loads(export("trial.db", "--format", "json", "--metrics", "procs_moved"))
    ok([str(row["procs_moved"]) for row in listed] == [row["procs_moved"] for row in rows], "JSON too")


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def refused_to(target, message, *words):
    """Not a byte of the store changes, a counter of SQLite neither."""
    before = bytes_of(target)
    refused(message, *words)
    ok(bytes_of(target) == before and not [name for name in os.listdir(".") if name.startswith(target + "-")],
       "%s is as it was, and alone" % target)


def several_documents():
    other = write(".", "other.json", json.dumps({**SWEEP, "seed": 5}))
    refused_to("trial.db", "trial.db: holds another campaign", "campaign", "run", other, "--store", "trial.db")
    cosched("campaign", "run", other, "--store", "foreign.db")
    refused_to("trial.db", "trial.db: holds another campaign", "campaign", "merge", "foreign.db", "-o", "trial.db")
    refused("trial.db: holds another campaign (sweep trial) and not sweep other; take another --store, or add it with --allow-other-campaign",
            "campaign", "run", other, "--store", "trial.db")
    told = cosched("campaign", "run", other, "--store", "trial.db", "--foreign")[1]
    ok(told.count("--foreign is now called --allow-other-campaign") == 1, "the option of 0.2 works, with one warning")
    refused("trial.db: has several documents, choose one with --document: trial (", "campaign",
            "export", "trial.db")
    refused("trial.db: has no document 'tria'; there are trial (", "campaign", "export", "trial.db",
            "--document", "tria")
    ok(export("trial.db", "--document", "other") != export("trial.db", "--document", "trial"),
       "one of two documents by its name")
    listed = results("campaign", "status", "trial.db")
    ok([row["document"] for row in listed] == ["trial", "other"], "status has a row for each")
    ok(export("trial.db", "--document", listed[1]["sha256"][:12]) ==
       export("trial.db", "--document", "other"), "or by the beginning of its SHA-256")
    refused("is of sweep other (", "campaign", "merge", "1-of-2.db", "2-of-2.db", "trial.db", "-o",
            "x.db")
    ok(not os.path.exists("x.db"), "a merge that is refused leaves nothing behind")


def unfinished():
    refused("trial are missing (of shards 2 of 3); finish them first", "campaign", "merge",
            "1-of-3.db", "3-of-3.db", "-o", "x.db")
    out, told = cosched("campaign", "merge", "1-of-3.db", "nowhere.db", "3-of-3.db", "-o", "x.db",
                        "--partial")
    ok("nowhere.db: there is no such store" in told and "(of shards 2 of 3)" in told,
       "--partial says what is missing")
    refused("runs of trial are missing; finish them first", "campaign", "export", "x.db")
    refused_to("x.db", "trial are missing", "campaign", "merge", "1-of-3.db", "-o", "x.db")
    out, told = cosched("campaign", "export", "x.db", "--partial")
    ok("warning: x.db: " in told and 1 < len(out.splitlines()) < 37, "or takes what is there")
    row = results("campaign", "status", "x.db")[0]
    ok(row["state"] == "stopped" and row["done"] == len(out.splitlines()) - 1 and
       row["runs"] == 36 and row["seconds_left"] is None, "status says how many: %s" % row)
    cosched("campaign", "merge", "2-of-3.db", "-o", "x.db")
    ok(export("x.db") == export("threads.db"), "the missing shard can come later")


def going_on():
    sweep = write(".", "long.json", json.dumps({**SWEEP, "set": {"tasks": 100, "procs": 1000},
                                                "replicates": 1000}))
    run = start("campaign", "run", sweep, "--threads", 1)
    row = None
    for _ in range(100):
        time.sleep(0.1)
        if os.path.exists("long.db"):
            done = subprocess.run([COSCHED, "campaign", "status", "long.db", "--format", "json"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            row = json.loads(done.stdout)[0] if done.stdout else None
        if row and row["done"] > 2:
            break
    ok(row["state"] == "running" and row["times_killed"] == 0, "a campaign is running")
    ok(row["runs_per_hour"] > 0 and row["seconds_left"] > 0, "and has a pace: %s" % row)
    ok(abs(row["seconds_left"] * row["runs_per_hour_recently"] / 3600 - 6000 + row["done"]) < 1,
       "from which the time left follows")
    out, told = cosched("campaign", "export", "long.db", "--partial")
    ok(len(out.splitlines()) > row["done"], "what is there can be exported meanwhile")
    refused("is writing it", "campaign", "merge", "1-of-2.db", "-o", "long.db", "--partial")
    run.send_signal(signal.SIGKILL)
    run.wait()
    row = results("campaign", "status", "long.db")[0]
    ok(row["state"] == "killed" and row["times_killed"] == 1, "a killed one is told from it")


def runs_in(store):
    return set(export(store, "--partial").splitlines())


def at_once():
    """Merges into one store, new or there: whoever says that it is done has lost nothing, the others say why not."""
    write(".", "elsewhere.json", json.dumps({**SWEEP, "seed": 6}))
    cosched("campaign", "run", "elsewhere.json", "--store", "elsewhere.db")
    shard = ["%d-of-3.db" % s for s in (1, 2, 3)]
    for turn in range(6):
        wanted = runs_in(shard[0]) if turn % 2 else set()
        if turn % 2:
            cosched("campaign", "merge", shard[0], "-o", "once.db", "--partial")
        mergers = [(part, subprocess.Popen([COSCHED, "campaign", "merge", *part, "-o", "once.db", "--partial"],
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
                   for part in (shard, shard[:1], shard[1:2], shard[2:], ["elsewhere.db", shard[0]], shard[::-1])]
        for part, merger in mergers:
            told = merger.communicate()[1]
            if merger.returncode == 0:
                wanted = wanted.union(*map(runs_in, part))
            else:
                ok(merger.returncode == 1 and len(told.split()) > 4, "a merge at once says why not: %s" % told.strip())
        if not wanted:
            ok(not os.path.exists("once.db"), "merges at once, turn %d: none was done" % turn)
            continue
        ok(wanted <= runs_in("once.db"), "merges at once, turn %d: nothing is lost" % turn)
        ok(json.loads(cosched("campaign", "verify", "once.db", "--format", "json")[0]), "and it is whole")
        left = [name for name in os.listdir(".") if name.startswith("once.db")]
        ok(left == ["once.db"], "and nothing is left behind: %s" % left)
        os.remove("once.db")


def files():
    """The same sweep from two places, and a file that changes between them."""
    os.mkdir("there")
    shutil.copy(os.path.join(EXAMPLES, "quickstart.csv"), "there/apps.csv")
    sweep = {"problem": "pack", "set": {"input": "apps.csv", "procs": 8},
             "vary": {"policy": ["one-by-one", "pack-approx"], "pack_size": [2, 3, 4]}}
    write("there", "files.json", json.dumps(sweep))
    cosched("campaign", "run", "there/files.json", "--shard", "1/2", "--store", "f1.db")
    cosched("campaign", "run", os.path.abspath("there/files.json"), "--shard", "2/2", "--store",
            "f2.db")
    cosched("campaign", "merge", "f1.db", "f2.db", "-o", "f.db")
    ok(len(export("f.db").splitlines()) == 7, "however the sweep was named")
    def inputs():
        row = json.loads(cosched("campaign", "verify", "f1.db", "--format", "json")[0])[0]
        return row["inputs"], row["inputs_changed"], row["inputs_missing"]
    ok(inputs() == (1, 0, 0), "verify finds files from the folder of the sweep on")
    with open("there/apps.csv", "a") as file:
        file.write("more,1,5\n")
    ok(inputs() == (1, 1, 0), "and what changed in them")
    os.rename("there/apps.csv", "there/else.csv")
    ok(inputs() == (1, 0, 1), "and that they are gone")
    os.rename("there/else.csv", "there/apps.csv")
    os.remove("f2.db")
    cosched("campaign", "run", "there/files.json", "--shard", "2/2", "--store", "f2.db")
    refused("apps.csv", "campaign", "merge", "f1.db", "f2.db", "-o", "g.db")


def older():
    """A store that was begun before some columns were known goes on, and has them from then on."""
    sweep = {"problem": "rigid", "set": {"jobs": 20, "procs": 4000}, "vary": {"policy": ["easy"]}, "metrics": ["ratio"]}
    cosched("campaign", "run", write(".", "older.json", json.dumps(sweep)))
    wanted, status = export("older.db"), cosched("campaign", "status", "older.db")
    db = sqlite3.connect("older.db")
    for name in ("p99_wait_of_jobs", "overtakes", "mean_unfairness", "head"):
        db.execute('ALTER TABLE rigid DROP COLUMN "%s"' % name)
    db.commit()
    db.close()
    ok(export("older.db") == wanted and cosched("campaign", "status", "older.db") == status, "an older store is read")
    cosched("campaign", "verify", "older.db", "--recheck", 1)
    sweep["set"] = {"arrivals": True, "input": os.path.join(EXAMPLES, "monday.swf")}
    sweep["metrics"] = ["mean_wait", "overtakes"]
    cosched("campaign", "run", write(".", "newer.json", json.dumps(sweep)), "--store", "older.db", "--allow-other-campaign")
    found = list(csv.DictReader(io.StringIO(export("older.db", "--document", "newer"))))
    ok(len(found) == 1 and float(found[0]["overtakes"]) > 0, "and has what is new from then on")
    cosched("campaign", "verify", "older.db", "--recheck", 2)
    ok(export("older.db", "--document", "older") == wanted, "beside what it had")


def wrong_requests():
    refused("nowhere.db: there is no such store", "campaign", "status", "nowhere.db")
    refused("trial.json: not a store of cosched", "campaign", "export", "trial.json")
    for part in ("trial.db", "trial.db-wal", "trial.db-lock"):
        refused("cannot write %s: it is a " % part, "campaign", "export", "trial.db", "-o", part)
    refused("cannot write 1-of-2.db: it is a store that is read", "campaign", "merge", "1-of-2.db",
            "2-of-2.db", "-o", "1-of-2.db")
    refused("give --output STORE.db", "campaign", "merge", "1-of-2.db", status=2)
    refused("'ration' is not a metric; there are", "campaign", "export", "1-of-2.db", "--metrics",
            "ration")


with tempfile.TemporaryDirectory() as top:
    os.chdir(top)
    parts = [same_bytes, several_documents, unfinished, going_on, at_once, files, wrong_requests]
    if sqlite3.sqlite_version_info >= (3, 35):
        parts.append(older)
    for part in parts:
        part()
    os.chdir("/")
finish()
