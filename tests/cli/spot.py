#!/usr/bin/env python3
"""`cosched simulate spot` as a user meets it, and the spelling of 0.2, `simulate volatile --deadline`.

usage: tests/cli/spot.py COSCHED EXAMPLES
"""

import gzip
import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, results, write

EXAMPLES = os.path.abspath(sys.argv[2])
SIM = ("simulate", "spot")
TRACE = os.path.join(EXAMPLES, "spot.csv")
FORMER = "cosched: warning: 'simulate volatile --deadline' is 'simulate spot' now\n"


def priced(folder):
    return write(folder, "prices.json", json.dumps({
        "metadata": {"gap_seconds": 3600}, "data": [1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1],
        "prices": [0.1] * 6 + [0.2] * 6}))


def by_hand(folder):
    """Spot is available in hours 4 to 7 of 8: two hours at 0.1 and one at 0.2."""
    job = [*SIM, priced(folder), "--history", 4, "-n", 1, "--work", "3h"]
    found = results(*job, "--deadline", "8h")
    ok([r["policy"] for r in found["results"]] == ["greedy", "uniform", "table"] and
       found["promised"] is True and found["slot"] == 3600 and found["reference"] == "uniform", "three policies are compared")
    ok(all(abs(r["cost"]["mean"] - 0.4) < 1e-12 and r["over_clairvoyant"]["mean"] == 1
           for r in found["results"]), "all have the least cost: %s" % [r["cost"]["mean"] for r in found["results"]])
    two = results(*job, "--deadline", "8h", "--policy", "table,greedy")
    ok([r["policy"] for r in two["results"]] == ["table", "greedy"] and two["reference"] == "table", "a list of policies")


def lateness(folder):
    job = [*SIM, priced(folder), "--history", 4, "--deadline", "2h", "--work", "4h", "--change-over", "1h"]
    late = results(*job, "--demand-price", 2, "--policy", "uniform")
    ok(late["promised"] is False and late["results"][0]["late"]["mean"] == 1, "a deadline that no plan can meet is reported")
    late = results(*job, "--policy", "table")["results"][0]
    ok(late["cost"]["mean"] == 5 and "over_clairvoyant" not in late and "expected" not in late,
       "then there is no clairvoyant cost in time, and none is expected")
    ok("no plan can promise the deadline: on demand from the beginning the job is 3 h late" in cosched(*job)[0], "with how late")


def traces(folder):
    job = [*SIM, TRACE, "--work", "3h", "--deadline", "5h", "--change-over", "10min", "--instances", 9, "-n", 20]
    found = results(*job)
    over = {r["policy"]: r["over_clairvoyant"] for r in found["results"]}
    ok(all(o["min"] >= 1 - 1e-9 for o in over.values()) and
       all(r["late"]["max"] == 0 for r in found["results"]), "no run is late, none below the clairvoyant cost")
    ok(over["table"]["mean"] < over["uniform"]["mean"], "the history helps: %s" % {k: o["mean"] for k, o in over.items()})
    ok(results(*job, "--threads", 1) == found, "any number of threads")
    rows = os.path.join(folder, "rows.csv")
    cosched(*job, "--per-scenario", rows)
    ok(len(read(rows).splitlines()) == 61, "a row for each policy and scenario")
    both = results(*SIM, TRACE, TRACE, "--work", "3h", "--deadline", "5h", "-n", 4)
    ok(both["markets"] == 2, "each file is a market")


def former(folder):
    """Both spellings give the same bytes; the former one gives one warning."""
    job = ["--work", "3h", "--change-over", "10min", "--instances", 9, "-n", 5, "--young", 4]
    for spelling, more in ((["--trace", TRACE, "--deadline", "5h"], []), (["--trace=" + TRACE, "--dead=5h"], []),
                           (["--deadline=5h", "--trace", TRACE, "--trace", TRACE], [TRACE]),
                           (["--trace", TRACE, "--deadline", "5h", "--buyer", "table"], ["--policy", "table"])):
        for form in ("table", "json", "csv"):
            then, now = os.path.join(folder, "then.csv"), os.path.join(folder, "now.csv")
            old = cosched("simulate", "volatile", *job, *spelling, "--format", form, "--per-scenario", then)
            new = cosched(*SIM, TRACE, *more, *job, "--deadline", "5h", "--format", form, "--per-scenario", now)
            ok(old[0] == new[0] and read(then) == read(now), "the same results: %s %s" % (" ".join(spelling), form))
            ok(old[1] == FORMER and not new[1], "one warning: %r" % old[1])
    refused("there is no option --work", "simulate", "volatile", "--work", "3h", status=2)
    refused("TRACE is missing", "simulate", "volatile", "--deadline", "5h", "--work", "3h", status=2)
    refused("there is no option --hosts", "simulate", "volatile", "--trace", TRACE, "--deadline", "5h", "--hosts", 3, status=2)


def sweeps(folder):
    """Experiments of both spellings have the same numbers."""
    axes = {"change_over": ["5min", "20min"]}
    job = {"slot": "5min", "work": "3h", "deadline": "5h", "scenarios": 3}
    now = {"problem": "spot", "set": {"input": TRACE, **job}, "vary": {"policy": ["uniform", "table"], **axes},
           "metrics": ["clairvoyant_cost", "over_clairvoyant", "elapsed", "cost"]}
    then = {"problem": "volatile", "set": {"trace": TRACE, **job}, "vary": {"buyer": ["uniform", "table"], **axes},
            "metrics": ["least", "over_least", "took", "cost"]}
    tables = []
    for name, sweep, warnings in (("now", now, 0), ("then", then, 1)):
        path, store = write(folder, name + ".json", json.dumps(sweep)), os.path.join(folder, name + ".db")
        told = cosched("campaign", "run", path, "--store", store)[1]
        ok(told.count("warning") == warnings, "%d warnings: %r" % (warnings, told))
        tables.append(cosched("campaign", "export", store)[0].splitlines())
    ok(tables[0] == tables[1] and len(tables[0]) == 5, "the same table")
    ok(tables[1][0].endswith("cost") and "clairvoyant_cost,over_clairvoyant,elapsed" in tables[1][0], "under the new names")
    refused("deadline is missing", "campaign", "run", write(folder, "bad.json", json.dumps(
        {**now, "set": {"input": TRACE, "work": "3h"}})), "--store", ":memory:")
    refused("'iterations' is not a parameter", "campaign", "run", write(folder, "bad.json", json.dumps(
        {**then, "set": {**then["set"], "iterations": 3}})), "--store", ":memory:")


def merges(folder):
    """A store in which 0.2 has run, and one of today, are one; nothing is run again."""
    fixtures = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "compat", "0.2")
    for name in ("spot.db", "spot.trace.json"):
        with gzip.open(os.path.join(fixtures, name + ".gz")) as file, open(name, "wb") as copy:
            copy.write(file.read())
    before = cosched("campaign", "export", "spot.db")[0]
    cosched("campaign", "merge", "spot.db", "-o", "all.db", "--allow-other-build")
    ok(cosched("campaign", "export", "all.db")[0] == before, "merged with the same numbers")
    found = results("campaign", "verify", "spot.db", "--recheck", 6)
    ok(json.dumps(found).count("whole") == 1, "verified again: %s" % found)


def schedules(folder):
    """A scenario as a schedule: valid, also against the trace, drawn and reported; forged ones are not valid."""
    made = os.path.join(folder, "run.json")
    job = [*SIM, TRACE, "--work", "6h", "--deadline", "8h", "--change-over", "20min", "--policy", "uniform", "-n", 5, "--scenario", 3]
    cosched(*job, "-o", made, "--gantt", os.path.join(folder, "run.svg"))
    ok("valid: problem spot, 1 task, 11 bars, makespan 8 h" in cosched("check", made)[0], "valid")
    ok("valid" in cosched("check", made, "--against", TRACE)[0], "valid against the trace")
    ok("uniform" in read(os.path.join(folder, "run.svg")), "drawn")
    cosched("report", made, "-o", os.path.join(folder, "run.html"))
    ok("Deadline" in read(os.path.join(folder, "run.html")), "reported")
    valid = json.loads(read(made))
    changes = {
        "in which spot is not available": lambda d: d["market"].update(available="0" + d["market"]["available"][1:]),
        "before the end of a change-over": lambda d: d["job"].update(change_over=21),
        "ticks of work, it must be": lambda d: d["job"].update(work=361),
        "the declared cost is": lambda d: d.update(cost=d["cost"] * 1.01),
        "declared starts, the bars have": lambda d: d.update(starts=5),
        "after its deadline, which": lambda d: (d["job"].update(deadline=479), d.update(late=1)),
        "it must be whole ticks": lambda d: d["bars"][0].update(start=30),
        "must be all 1 instances": lambda d: d["bars"][0].update(procs="0-1"),
        "of kind checkpoint": lambda d: d["bars"][0].update(kind="checkpoint"),
        "it belongs to start": lambda d: d["bars"][2].update(attempt=7),
        "the tasks must be one": lambda d: d.update(tasks=["task"]),
        "each 0 or 1": lambda d: d["market"].update(available=d["market"]["available"] + "1"),
        "2 processors, it must be 4": lambda d: d["job"].update(instances=2),
    }
    for message, change in changes.items():
        other = json.loads(json.dumps(valid))
        change(other)
        found = cosched("check", write(folder, "other.json", json.dumps(other)), status=1)[0]
        ok("not valid" in found and message in found, "says: %s (%s)" % (message, found[:200]))
    late = os.path.join(folder, "late.json")
    cosched(*SIM, priced(folder), "--history", 4, "--deadline", "2h", "--work", "4h", "--change-over", "1h", "--policy", "greedy", "-n", 1, "-o", late)
    ok("valid: problem spot" in cosched("check", late)[0] and json.loads(read(late))["late"] == 3, "late, where no plan can be in time, is valid")


def refuses(folder):
    job = [*SIM, priced(folder), "--history", 4, "-n", 1, "--work", "3h"]
    refused("--deadline is missing", *job, status=2)
    refused("--work is missing", *SIM, priced(folder), "--deadline", "5h", status=2)
    refused("TRACE is missing", *SIM, "--deadline", "5h", "--work", "3h", status=2)
    refused("never more than 1", *job, "--deadline", "5h", "--instances", 2)
    refused("are too few for a history", *job, "--deadline", "9h")
    refused("nope", *job, "--deadline", "5h", "--policy", "nope")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (by_hand, lateness, traces, former, sweeps, merges, schedules, refuses):
            part(folder)
    finish()


main()
