#!/usr/bin/env python3
"""Files that version 0.2 wrote are read, judged and continued.

usage: tests/cli/compat.py COSCHED FIXTURES [--update]

FIXTURES (tests/compat/0.2) were written by the build of commit 059bb32e: schedules of each problem, the JSON of a
replay, stores of campaigns with the tables that 0.2 exported, and runs.txt, the results of 40 commands, which --update
writes.  Names of columns may change between versions, the numbers may not.  Parameters and choices under
their names in 0.2 give the same bytes, with one warning.
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

from kit import cosched, finish, ok, refused, results

FIXTURES = os.path.abspath(sys.argv[2])
TOP = os.path.join(FIXTURES, "..", "..", "..")
INPUTS = ["tests/golden-cli/inputs/jobs.csv", "tests/golden-cli/inputs/log.swf"] + ["examples/" + name for name in (
    "sacct.txt", "slurm.conf", "quickstart.csv", "archer2.csv", "scaling.csv", "applications.csv", "graphs.json")]
EXAMPLES = os.path.join(TOP, "examples")
PROBLEMS = ["pack", "moldable", "malleable", "ptg", "rigid", "volatile", "spot"]
TABLE = {"spot": "volatile"}  # of 0.2, in which jobs with a deadline were a part of the problem volatile
GONE = ["cost", "least", "over_least", "expected", "took", "late", "on_spot", "starts"]  # of volatile: metrics of spot
NEW = ["known_gap", "iterations", "planning_seconds", "optimum_gap", "silent_errors", "disk_recoveries", "expected_shelf", "expected_optimum",  # columns that 0.2 did not have
       *("energy" + part for part in ("", "_busy", "_idle", "_off", "_wake", "_bound")),
       *("planned_" + name for name in ("unfairness", "average_slowdown", "makespan", "relative_makespan", "average_makespan"))]
CHANGED = ["ratio"]  # of malleable: over a lower bound that is larger now


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
    """The rows, without the columns that are gone or new."""
    head, *rows = csv.reader(io.StringIO(text))
    return [[value for name, value in zip(head, row) if name not in (*gone, *NEW)] for row in rows]


def exported(problem, changed=()):
    with open(os.path.join(FIXTURES, problem + ".csv"), encoding="utf-8") as file:
        return numbers(file.read(), GONE if problem == "volatile" else changed)


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
        changed = CHANGED if problem == "malleable" else ()
        ok(numbers(cosched("campaign", "export", store)[0], changed) == exported(problem, changed),
           "continued with the same numbers: " + problem)


TIMES = ["quickstart.csv", "--procs", 12, "--extrapolate", "scale"]
BASE = {  # of each problem, the command or commands that take the parameters, without those
    "pack": [["plan", "pack", *TIMES]],
    "moldable": [["plan", "moldable", *TIMES], ["simulate", "moldable", *TIMES, "-n", 2, "--sigma", 0.2]],
    "malleable": [["plan", "malleable", *TIMES, "--mtbf", "3d", "--checkpoint", 30, "--data", 10],
                  ["simulate", "malleable", *TIMES, "--mtbf", "3d", "--checkpoint", 30, "--data", 10, "-n", 2]],
    "volatile": [["simulate", "volatile", "hosts.json", "-n", 2, "--model", "fitted", "--history", 300, "--policy", "rate"]],
    "ptg": [["generate", "ptg"], ["plan", "ptg", "graphs.json", "--platform", "clusters.json"]],
    "rigid": [["simulate", "rigid", "jobs.csv", "--procs", 3000, "-n", 2]],
    "queue": [["simulate", "queue", "jobs.swf", "--procs", 3000]],
}
SETS = {  # the same as sweeps
    "pack": {"input": "quickstart.csv", "procs": 12, "extrapolate": "scale"},
    "moldable": {"input": "quickstart.csv", "procs": 12, "extrapolate": "scale", "scenarios": 2, "sigma": 0.2},
    "malleable": {"input": "quickstart.csv", "procs": 12, "extrapolate": "scale", "mtbf": "3d", "checkpoint": 30, "data": 10},
    "volatile": {"input": "hosts.json", "scenarios": 2, "model": "fitted", "history": 300, "policy": "rate"},
    "ptg": {"platform": "grid5000-lille", "family": "strassen", "graphs": 2},
    "rigid": {"jobs": 20, "scenarios": 2},
    "queue": {"input": "jobs.swf", "procs": 3000},
}
PATIENCE = ("policy-patience", "7s", "policy-timeout", "7s")
RENAMED = {  # name and value in 0.2, name and value of today
    "pack": [("fill", "power", "interpolate", "power"), ("fill", "step", "interpolate", "measured"),
             ("fewer", "refuse", "extrapolate", "refuse"), ("hand-out", "all", "assign", "all"), PATIENCE],
    "moldable": [("fill", "power", "interpolate", "power"), ("fewer", "refuse", "extrapolate", "refuse"), PATIENCE],
    "malleable": [("fill", "step", "interpolate", "measured"), ("fewer", "refuse", "extrapolate", "refuse"), PATIENCE],
    "volatile": [("singles", "yes", "single-hosts", "yes"), ("belief", "product-limit", "lifetime-model", "kaplan-meier"),
                 ("patience", 7, "search-limit", 7), PATIENCE],
    "ptg": [("combination", 3, "set", 3), PATIENCE],
    "rigid": [PATIENCE],
    "queue": [PATIENCE],
}
EARLIER = {"mtbf_years", "at_days", "strategy", "scenario", "trials", "per-trial", "trial", "schedule",  # names of 0.1
           "trace", "buyer"}  # of spot, see tests/cli/spot.py


def key(name):
    return name.replace("-", "_")


def without(words, name):
    at = words.index("--" + name) if "--" + name in words else len(words)
    return words[:at] + words[at + 2:]


def steady(text):
    """Without what is measured, and without the command."""
    return re.sub(r"[0-9.]+ (\u00b5s|ms|s)\b|\"(milli)?seconds\": [0-9.e-]+|\"command\": .*", "", text)


def options(problem, row):
    """The commands with one renamed option: same bytes, one warning; both names are an error."""
    old, then, new, now = row
    more = ["--policy-program", "cat"] if row == PATIENCE else []
    for base in BASE[problem]:
        known = {option["name"] for option in results("help", *base[:2])["options"]}
        if new not in known or more and "policy-program" not in known:
            continue
        words = [*without(base, new), *more]
        for form in ("table", "json", "csv") if "format" in known else (None,):
            shown = ["--format", form] if form else []
            before = cosched(*words, "--" + old, then, *shown)
            after = cosched(*words, "--" + new, now, *shown)
            ok(steady(before[0]) == steady(after[0]) and before[1].endswith(after[1]), "%s: --%s gives the same %s" % (problem, old, form))
            ok(before[1].count("warning") == after[1].count("warning") + 1 and "--%s is now called --%s" % (old, new) in before[1]
               and (then == now or "%s is now called --%s %s" % (then, new, now) in before[1]), "one warning: " + before[1])
        ok("--%s is given twice" % new in cosched(*words, "--" + old, then, "--" + new, now, status=2)[1], "not under both names")


VARIED = {"ptg": {"policy": ["s"]}, "rigid": {"procs": [3000]}, "volatile": {"iterations": [2]}}


def sweep(problem, name, chosen, vary):
    with open(name + ".json", "w", encoding="utf-8") as file:
        json.dump({"problem": problem, "set": {**SETS[problem], **chosen}, "vary": vary}, file)
    return name + ".json"


def cells(store, problem):
    with sqlite3.connect(store) as db:
        found = db.execute('SELECT parameters, seed FROM "%s"' % problem).fetchall()
    db.close()
    return found


def sweeps(problem, row):
    """As a fixed and as a varied parameter of a sweep: same table, one warning, the same cells of the store."""
    old, then, new, now = key(row[0]), row[1], key(row[2]), row[3]
    more = {"policy_program": "cat"} if row == PATIENCE else {}
    fixed, SETS[problem] = SETS[problem], {name: value for name, value in SETS[problem].items() if name != new}
    others = VARIED.get(problem, {"policy": ["easy"]} if problem == "queue" else {"procs": [12]})
    for form in ("set", "vary"):
        tables, rows = [], []
        for word, value in ((old, then), (new, now)):
            path = sweep(problem, "part", {**more, **({word: value} if form == "set" else {})},
                         others if form == "set" else {word: [value]})
            store = "%s-%s-%s.db" % (problem, form, word)
            told = cosched("campaign", "run", path, "--store", store, env={"COSCHED_PROGRAMS": "run"})[1]
            ok(told.count("'%s' is now called '%s'" % (old, new)) == told.count("is now called '%s'" % new) == (word == old),
               "%s %s: one warning: %s" % (problem, old, told))
            tables.append(cosched("campaign", "export", store)[0])
            if form == "vary":
                ok(cosched("campaign", "run", path, "--store", store, "--where", "%s=%s" % (old, then), env={
                    "COSCHED_PROGRAMS": "run"})[0].count("\n") > 2, "chosen by the former name")
            rows.append(cells(store, problem))
            os.remove(store)
        ok(tables[0] == tables[1] and tables[0].count("\n") > 1, "%s %s: the same table" % (problem, old))
        ok(rows[0] == rows[1] and '"%s":' % old in rows[0][0][0], "%s: stored as in 0.2: %s" % (problem, rows[0][0][0]))
    both = sweep(problem, "both", {**more, old: then, new: now}, others)
    refused("%s and %s are the same" % (old, new), "campaign", "run", both, "--store", "both.db")
    SETS[problem] = fixed


def spellings():
    for name in ("quickstart.csv", "hosts.json", "graphs.json", "clusters.json"):
        with open(os.path.join(EXAMPLES, name), "rb") as file, open(name, "wb") as copy:
            copy.write(file.read())
    cosched("generate", "queue", "-n", 20, "-o", "jobs.swf")
    cosched("generate", "rigid", "-n", 20, "-o", "jobs.csv")
    known = {(row["problem"], row["old"]) for row in results("list", "--parameters") if row["old"] not in (None, *EARLIER)}
    ok(known == {(problem, row[0]) for problem, rows in RENAMED.items() for row in rows}, "all of them: %s" % sorted(known))
    for problem, rows in RENAMED.items():
        for row in rows:
            options(problem, row)
            sweeps(problem, row)


def policy_parameters():
    """A parameter of a policy under its name in 0.2: the same numbers, one warning, and stored as in 0.2."""
    note = "'singles' is now called 'single-hosts'"
    seen = [cosched("simulate", "volatile", "hosts.json", "-n", 2, "--policy", "ie:%s=yes,y-ie" % name, "--format", "csv")
            for name in ("singles", "single-hosts")]
    ok(seen[0][0].replace("singles=", "single-hosts=") == seen[1][0] and seen[1][0].count("\n") > 2, "the same numbers")
    ok(seen[0][1].count(note) == seen[0][1].count("is now called") == 1 and "is now called" not in seen[1][1], "one warning: " + seen[0][1])
    refused("single-hosts is given twice", "simulate", "volatile", "hosts.json", "--policy", "ie:single-hosts=no,singles=yes")
    tables, rows = [], []
    for name in ("singles", "single-hosts"):
        path = sweep("volatile", "policies", {"policy": "ie:prefetch=data,%s=yes" % name}, {"iterations": [2, 3]})
        told = cosched("campaign", "run", path, "--store", name + ".db")[1]
        ok(told.count(note) == told.count("is now called") == (name == "singles"), "%s: one warning: %s" % (name, told))
        tables.append(cosched("campaign", "export", name + ".db")[0])
        rows.append(cells(name + ".db", "volatile"))
        os.remove(name + ".db")
    ok(tables[0] == tables[1], "the same table")
    ok(rows[0] == rows[1] and any("singles=yes" in row[0] for row in rows[0]), "stored as in 0.2: %s" % rows[0])


METRICS = {  # name in 0.2, name of today
    "moldable": [("held", "allocated"), ("useful", "efficiency")],
    "malleable": [("struck", "failures_hit"), ("moved", "procs_moved")],
    "rigid": [("promises_broken", "reservations_delayed"), ("left_out", "jobs_excluded")],
    "queue": [("promises_broken", "reservations_delayed"), ("left_out", "jobs_excluded")],
}
EARLIER_METRICS = {"bound", "least", "over_least", "took"}  # of 0.1, and of spot


def metrics():
    """In files, exports and charts both names give the same bytes, with one warning; stores have the column of 0.2."""
    known = {(row["problem"], row["old"], row["name"]) for row in results("list", "--metrics") if row["old"] not in (None, *EARLIER_METRICS)}
    ok(known == {(problem, *pair) for problem, pairs in METRICS.items() for pair in pairs}, "all metrics: %s" % sorted(known))
    for problem, pairs in METRICS.items():
        for old, new in pairs:
            tables, told = [], "the metric '%s' is now called '%s'" % (old, new)
            for name in (new, old):
                with open("metric.json", "w", encoding="utf-8") as file:
                    json.dump({"problem": problem, "set": SETS[problem], "replicates": 2, "metrics": [name],
                               "vary": VARIED.get(problem, {"policy": ["easy"]} if problem == "queue" else {"procs": [12, 16]})}, file)
                store = "metric.db"
                found = cosched("campaign", "run", "metric.json", "--store", store)
                ok(found[1].count("warning") == found[1].count(told) == (name == old), "one warning: " + found[1])
                for word in (new, old):
                    listed = cosched("campaign", "export", store, "--metrics", word)
                    ok(listed[1].count("warning") == listed[1].count(told) == (word == old), "one warning: " + listed[1])
                    drawn = cosched("plot", store, "--metric", word, "-o", word + ".svg")
                    ok(drawn[1].count("warning") == drawn[1].count(told) == (word == old), "one warning: " + drawn[1])
                    with open(word + ".svg", encoding="utf-8") as file:
                        tables.append((found[0], listed[0], file.read()))
                with sqlite3.connect(store) as db:
                    columns = [row[1] for row in db.execute('PRAGMA table_info("%s")' % problem)]
                db.close()
                os.remove(store)
                ok(old in columns and new not in columns, "stored as in 0.2")
            ok(all(table == tables[0] for table in tables) and new in tables[0][1], "%s: the same under the name %s" % (problem, old))
            with open("metric.json", "w", encoding="utf-8") as file:
                json.dump({"problem": problem, "set": SETS[problem], "metrics": [old, new], "vary": {}}, file)
            refused("the same as metrics[0]", "campaign", "run", "metric.json", "--store", ":memory:")


def today(problem, document):
    """The sweep with the names of today."""
    names = {key(old): (key(new), {then: now}) for old, then, new, now in RENAMED[problem]}

    def value(name, one):
        word = names.get(name, (name, {}))[1]
        return [word.get(part, part) for part in one] if isinstance(one, list) else word.get(one, one)

    return {**document, **{part: {names.get(name, (name,))[0]: value(name, one) for name, one in document[part].items()}
                           for part in ("set", "vary")}}


def renamed_cells():
    """A store of 0.2 whose cells have renamed parameters is continued under either name, without running any again."""
    with open(os.path.join(FIXTURES, "renamed.times.csv"), "rb") as file, open("renamed.times.csv", "wb") as copy:
        copy.write(file.read())
    store = unpack(os.path.join(FIXTURES, "renamed.db.gz"), "renamed.db")
    for problem in ("pack", "malleable", "volatile", "ptg"):
        def rows():
            with sqlite3.connect(store) as db:
                names = [row[1] for row in db.execute('PRAGMA table_info("%s")' % problem)]
                first = ["parameters", "seed", "instance", "run"]  # without times and, since those are in it, the digest
                kept = [name for name in names if name not in (*first, "seconds", "finished", "head", "digest", *NEW)]
                found = db.execute('SELECT "%s" FROM "%s" ORDER BY parameters, seed' % ('", "'.join(first + kept), problem)).fetchall()
            db.close()
            return found

        name = problem + ".renamed"
        with open(os.path.join(FIXTURES, name + ".json"), encoding="utf-8") as file:
            document = json.load(file)
        for stem, text in ((name, document), (problem + ".today", today(problem, document))):
            with open(stem + ".json", "w", encoding="utf-8") as file:
                json.dump(text, file)
        before, wanted = rows(), cosched("campaign", "export", store, "--document", name)[0]
        for stem in (name, problem + ".today"):
            cosched("campaign", "run", stem + ".json", "--store", store, "--allow-other-build", "--allow-other-campaign")
            ok(rows() == before, "%s: no cell has run again" % stem)
        ok(cosched("campaign", "export", store, "--document", problem + ".today")[0] == wanted, "the same table: " + problem)
        with sqlite3.connect(store) as db:
            db.execute('DELETE FROM "%s" WHERE parameters = ?' % problem, (before[-1][0],))
        db.close()
        cosched("campaign", "run", problem + ".today.json", "--store", store, "--allow-other-build", "--allow-other-campaign")
        ok([row[:3] + row[4:] for row in rows()] == [row[:3] + row[4:] for row in before], "a lost cell is the same: " + problem)


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
    spellings()
    policy_parameters()
    metrics()
    renamed_cells()
    replays()
finish()
