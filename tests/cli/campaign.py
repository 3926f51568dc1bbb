#!/usr/bin/env python3
"""`cosched campaign run` as a user meets it.

usage: tests/cli/campaign.py COSCHED EXAMPLES
"""

import contextlib
import csv
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from kit import COSCHED, cosched, finish, ok, read, refused, results, row_digest, write

EXAMPLES = os.path.abspath(sys.argv[2])
SWEEPS = sorted(os.listdir(os.path.join(EXAMPLES, "sweeps")))


def sweep_of(problem):
    return os.path.join(EXAMPLES, "sweeps", problem)


def opened(store, mode="ro"):
    return contextlib.closing(sqlite3.connect("file:%s?mode=%s" % (store, mode), uri=True))


def rows_of(store, problem):
    """Key and the rest, measured times apart."""
    with opened(store) as db:
        cursor = db.execute('SELECT * FROM "%s" ORDER BY parameters, seed' % problem)
        names = [column[0] for column in cursor.description]
        keep = [i for i, name in enumerate(names)
                if name not in ("seconds", "finished", "run", "milliseconds", "head", "digest")]
        return [tuple(row[i] for i in keep) for row in cursor]


def run_of(store, problem):
    with opened(store) as db:
        return dict(((p, s), (run, finished)) for p, s, run, finished in db.execute(
            'SELECT parameters, seed, run, finished FROM "%s"' % problem))


def examples_run():
    for name in SWEEPS:
        problem, store = json.loads(read(sweep_of(name)))["problem"], name[:-5] + ".db"
        told = cosched("campaign", "run", sweep_of(name))[0]
        ok(("runs in %s\n" % store) in told, "%s: says where the runs are" % name)
        first, before = rows_of(store, problem), run_of(store, problem)
        again = cosched("campaign", "run", sweep_of(name), "--threads", 1)[0]
        ok(again == told, "%s: the same table again" % name)
        ok(run_of(store, problem) == before, "%s: nothing was run twice" % name)
        other = name[:-5] + ".other.db"
        cosched("campaign", "run", sweep_of(name), "--threads", 1, "--store", other)
        ok(rows_of(other, problem) == first, "%s: one thread, the same results" % name)


def shards_share_out_the_work():
    whole, parts = rows_of("rigid.db", "rigid"), []
    for shard in (1, 2, 3):
        store = "shard%d.db" % shard
        told = cosched("campaign", "run", sweep_of("rigid.json"), "--store", store, "--shard",
                       "%d/3" % shard)[0]
        ok("of shard %d of 3 in %s" % (shard, store) in told, "says which shard it was")
        parts += rows_of(store, "rigid")
        with opened(store) as db:
            ok(list(db.execute("SELECT shard, shards FROM run")) == [(shard, 3)], "the run knows it")
    ok(sorted(parts, key=lambda row: row[:2]) == whole, "the shards together are the campaign")


def some_runs_are_chosen():
    rows = results("campaign", "run", sweep_of("rigid.json"), "--store", ":memory:", "--where",
                   "way=R-LIST-0", "--where", "procs=5000", "--where", "procs=1e4", "--where",
                   "replicate=0")
    ok(len(rows) == 6 and all(row["way"] == "R-LIST-0" for row in rows), "two sizes, three q")
    ok(all(row["runs"] == 1 for row in rows), "one replicate")
    table = list(csv.DictReader(cosched(
        "campaign", "run", sweep_of("rigid.json"), "--format", "csv")[0].splitlines()))
    ok(list(table[0]) == ["way", "mean_failure_probability", "procs", "runs", "ratio_mean",
                          "ratio_confidence95", "failures_mean", "failures_confidence95"],
       "columns of the CSV")
    ok(len(table) == 27 and {row["runs"] for row in table} == {"5"}, "a row for each combination")
    refused("'prok' does not vary in", "campaign", "run", sweep_of("rigid.json"), "--where", "prok=1")
    refused("procs has no value '7'; there are 5000, 10000, 20000", "campaign", "run",
            sweep_of("rigid.json"), "--where", "procs=7")
    refused("no run meets all conditions", "campaign", "run", sweep_of("pack.json"), "--store",
            ":memory:", "--where", "policy=one-by-one", "--where", "pack_size=2")


def usage():
    for shard in ("0/3", "4/3", "1", "a/b", "1/", "/3", "1/3/3", "1/99999999"):
        refused("expected I/N, such as 3/8", "campaign", "run", sweep_of("rigid.json"), "--shard",
                shard, status=2)
    out, told = cosched("campaign", "run", "missing.json", status=1)
    ok("missing.json" in told and not out, "a file that is missing: %s" % told.strip())
    ok(not os.path.exists("missing.db"), "and no store is made")


def from_standard_input():
    text = read(sweep_of("malleable.json"))
    told = cosched("campaign", "run", "-", given=text)[0]
    ok("runs in sweep.db" in told, "a sweep from standard input")
    ok(rows_of("sweep.db", "malleable") == rows_of("malleable.db", "malleable"), "the same runs")


def a_cell_that_fails():
    write(".", "bad.json", json.dumps({
        "problem": "rigid", "replicates": 3, "set": {"jobs": 5, "scenarios": 2},
        "vary": {"mean_failure_probability": [0.1, 1]}}))
    for threads in (1, 3):
        refused("jobs=5 mean_failure_probability=1 scenarios=2 replicate=", "campaign", "run",
                "bad.json", "--threads", threads)
    kept = len(rows_of("bad.db", "rigid"))
    ok(0 < kept <= 3, "what was finished stays: %d" % kept)
    write(".", "bad.json", json.dumps({
        "problem": "rigid", "replicates": 3, "set": {"jobs": 5, "scenarios": 2},
        "vary": {"mean_failure_probability": [0.1]}}))
    before = run_of("bad.db", "rigid")
    cosched("campaign", "run", "bad.json")
    ok(before.items() <= run_of("bad.db", "rigid").items(), "and is used once the file is mended")


def what_no_run_could_do():
    """Policies, their parameters and orders are met before the first run, and no store is made."""
    for setting, why in (('{"policy": "nope"}', 'there is no policy "nope"'),
                         ('{"policy": "easy:reservations=x"}', 'reservations cannot be "x"'),
                         ('{"priority": "nope"}', 'there is no priority "nope"'),
                         ('{"by_day": true, "by_count": 3}', "both cut the log")):
        write(".", "never.json", '{"problem": "rigid", "set": {"jobs": 5}, "vary": {"way": [{"procs": '
              '9, "label": "fine"}, %s}]}}' % (setting[:-1] + ', "label": "bad"'))
        refused("never.json: vary: ", "campaign", "run", "never.json")
        refused(why, "campaign", "run", "never.json")
    ok(not os.path.exists("never.db"), "nothing was run")


def several_files():
    """What may be given several times may be a list; each file is looked at."""
    machines = read(os.path.join(EXAMPLES, "spot.csv"))
    write(".", "one.csv", machines)
    write(".", "two.csv", machines)
    sweep = {"problem": "volatile", "set": {"hosts": 20, "model": "fitted", "scenarios": 2},
             "vary": {"trace": [["one.csv", "two.csv"]]}}
    write(".", "several.json", json.dumps(sweep))
    cosched("campaign", "run", "several.json")
    with opened("several.db") as db:
        ok([path for path, in db.execute("SELECT path FROM input ORDER BY path")] ==
           ["one.csv", "two.csv"], "both were read")
    for traces, why in ((["one.csv"], "12 machines"), (["one.csv", "three.csv"], "three.csv"),
                        ([], "the list is empty"), (["one.csv", 2], "a text is wanted"),
                        (["one.csv", "-"], "standard input")):
        sweep["vary"] = {"trace": [traces]}
        write(".", "several.json", json.dumps(sweep))
        refused(why, "campaign", "run", "several.json", "--store", "no.db")
    sweep["vary"] = {"hosts": [[12, 13]]}
    write(".", "several.json", json.dumps(sweep))
    refused("vary.hosts[0]: hosts: a number is wanted", "campaign", "run", "several.json")
    for name in "ab":
        write(".", f"{name}.csv", f"task,procs,seconds\n{name},1,100\n{name},2,60\n")
    for problem, more in (("pack", {}), ("malleable", {"checkpoint": 60, "data": 10, "scenarios": 1})):
        write(".", f"two-{problem}.json", json.dumps(
            {"problem": problem, "set": {"input": ["a.csv", "b.csv"], "procs": 8, **more}}))
        cosched("campaign", "run", f"two-{problem}.json")
        with opened(f"two-{problem}.db") as db:
            ok([path for path, in db.execute("SELECT path FROM input ORDER BY path")] == ["a.csv", "b.csv"],
               f"{problem}: both tables were read")
    graphs = [os.path.join(EXAMPLES, name) for name in ("graphs.json", "workflow.json")]
    write(".", "graphs.json", json.dumps({
        "problem": "ptg", "set": {"input": graphs, "platform": "grid5000-lille", "policy": "es"}}))
    swept = results("campaign", "run", "graphs.json", "--store", ":memory:")
    planned = results("plan", "ptg", *graphs, "--platform", "grid5000-lille", "--policy", "es")
    ok(swept[0]["makespan_mean"] == planned["results"][0]["makespan"], "graphs of both files")


def what_belongs_together():
    write(".", "exact.json", json.dumps({
        "problem": "rigid", "set": {"input": os.path.join(EXAMPLES, "monday.swf"),
                                    "estimates": "exact"}, "vary": {"arrivals": [True, False]}}))
    refused("estimates is for arrivals, which is not given", "campaign", "run", "exact.json")


def change(store, sql):
    with opened(store, "rwc") as db:
        db.execute(sql)
        db.commit()


def stores_that_are_none():
    sweep = sweep_of("pack.json")
    os.mkdir("folder")
    write(".", "text.db", "hello")
    change("foreign.db", "CREATE TABLE t(a)")
    shutil.copy("pack.db", "older.db")
    with opened("older.db", "rw") as db, db:
        db.create_function("row_digest", -1, row_digest)
        db.execute("UPDATE run SET build = '0.0.7 (x)', digest = row_digest('run', id, version, '0.0.7 (x)', command, documents, "
                   "host, threads, started, ended, shard, shards)")
    shutil.copy("pack.db", "format.db")
    change("format.db", "PRAGMA user_version = 99")
    shutil.copy("pack.db", "lesser.db")
    change("lesser.db", "ALTER TABLE pack DROP COLUMN gap")
    for store, why in (
        ("folder", "folder: a folder, not a store"),
        ("text.db", "text.db: not a store of cosched"),
        ("foreign.db", "foreign.db: a database of something else, not a store of cosched"),
        ("older.db", "older.db: has runs of cosched 0.0.7 (x), and this is"),
        ("format.db", "format.db: a store of format 99"),
        ("lesser.db", "lesser.db: no such column: pack.gap"),
        ("no/such/folder.db", "no/such/folder.db: "),
    ):
        before = read(store) if store == "text.db" else None
        refused(why, "campaign", "run", sweep, "--store", store)
        ok(before is None or read(store) == before, "%s is as it was" % store)
        ok(not os.path.exists(store + "-lock"), "no lock is left")
    cosched("campaign", "run", sweep, "--store", "older.db", "--allow-other-build")
    write(".", "empty.db", "")
    cosched("campaign", "run", sweep, "--store", "empty.db")
    ok(rows_of("empty.db", "pack") == rows_of("pack.db", "pack"), "an empty file becomes a store")


def an_input_that_has_changed():
    os.makedirs("moved/sweeps")
    shutil.copy(os.path.join(EXAMPLES, "quickstart.csv"), "moved/quickstart.csv")
    shutil.copy(sweep_of("pack.json"), "moved/sweeps/pack.json")
    cosched("campaign", "run", "moved/sweeps/pack.json", "--store", "moved.db")
    ok(rows_of("moved.db", "pack") == rows_of("pack.db", "pack"),
       "files are named from the folder of the sweep on")
    with open("moved/quickstart.csv", "a", encoding="utf-8") as file:
        file.write("late,1,5\n")
    refused("moved.db: has results from another ../quickstart.csv (SHA-256", "campaign", "run",
            "moved/sweeps/pack.json", "--store", "moved.db")
    os.remove("moved/quickstart.csv")
    for store in ("moved.db", "none.db"):
        refused("moved/sweeps/../quickstart.csv", "campaign", "run", "moved/sweeps/pack.json",
                "--store", store)
    with opened("moved.db") as db:
        ok(db.execute("SELECT count(*) FROM run").fetchone() == (1,), "what is refused is no run")
    ok(not os.path.exists("none.db"), "and makes no store")


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))


def a_disk_that_is_full():
    command = [COSCHED, "campaign", "run", sweep_of("rigid.json"), "--store", "full.db"]
    done = subprocess.run(command, preexec_fn=limit_files, capture_output=True, text=True)
    ok(done.returncode == 1 and "full.db: " in done.stderr
       and "what was stored before is safe" in done.stderr, "full: %s" % done.stderr.strip())
    before = run_of("full.db", "rigid")
    ok(0 < len(before) < 135, "some runs are stored: %d" % len(before))
    with opened("full.db") as db:
        ok(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the store is sound")
    cosched("campaign", "run", sweep_of("rigid.json"), "--store", "full.db")
    ok(before.items() <= run_of("full.db", "rigid").items(), "with room it goes on")
    ok(rows_of("full.db", "rigid") == rows_of("rigid.db", "rigid"), "to the same results")


LONG = {"problem": "volatile", "replicates": 100, "set": {"trials": 2, "iterations": 2},
        "vary": {"policy": ["ie", "y-ie"]}}


def begin(*words):
    return subprocess.Popen([COSCHED, "campaign", "run", "long.json", *words], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_rows(run, store, many):
    """Until there are more than so many."""
    while run.poll() is None:
        try:
            if len(rows_of(store, "volatile")) > many:
                return
        except sqlite3.Error:
            pass
        time.sleep(0.005)


def a_stop_in_between():
    write(".", "long.json", json.dumps(LONG))
    kept = []
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        run = begin("--threads", "2")
        wait_for_rows(run, "long.db", len(kept))
        run.send_signal(number)
        told = run.communicate(timeout=60)[1]
        ok(run.returncode == status, "stopped: status %d" % run.returncode)
        ok("To continue: cosched campaign run long.json\n" in told, "says how: %s" % " ".join(told.split()))
        ok(not os.path.exists("long.db-wal") and not os.path.exists("long.db-lock"), "tidy")
        kept = run_of("long.db", "volatile")
        ok(0 < len(kept) < 200, "some are stored: %d" % len(kept))
        ok("after %d of 200 runs" % len(kept) in told, "and it knows how many")
        ok("stopped" in cosched("campaign", "status", "long.db")[0], "status says so too")


def one_at_a_time():
    before = run_of("long.db", "volatile")
    run = begin("--threads", "1")
    wait_for_rows(run, "long.db", len(before))
    refused("long.db: process %d is writing it; one at a time can" % run.pid, "campaign", "run",
            "long.json")
    ok(run.wait(timeout=60) == 0, "the first one is not disturbed")
    run.communicate()
    after = run_of("long.db", "volatile")
    ok(len(after) == 200 and before.items() <= after.items(), "and goes on where it was")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        examples_run()
        shards_share_out_the_work()
        some_runs_are_chosen()
        usage()
        from_standard_input()
        a_cell_that_fails()
        what_no_run_could_do()
        several_files()
        what_belongs_together()
        stores_that_are_none()
        an_input_that_has_changed()
        a_disk_that_is_full()
        a_stop_in_between()
        one_at_a_time()
        os.chdir("/")
    finish()


main()
