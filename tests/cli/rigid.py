#!/usr/bin/env python3
"""`cosched simulate rigid`, `generate rigid` and `check` as a user meets them.

usage: tests/cli/rigid.py COSCHED
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

COSCHED = sys.argv[1]
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what))


def cosched(*words, status=0, given=None):
    done = subprocess.run(
        [COSCHED, *map(str, words)], text=True, input=given or "",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
    )
    ok(done.returncode == status, "%s: status %d %s" % (
        " ".join(map(str, words))[:70], done.returncode, " ".join(done.stderr.split())[:150]))
    return done.stdout, done.stderr


def simulate(*words, **more):
    return cosched("simulate", "rigid", *words, **more)


def refused(message, *words, status=1, given=None):
    told = simulate(*words, status=status, given=given)[1]
    ok(message in told, "says: %s (%s)" % (message, " ".join(told.split())))


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def results(*words, **more):
    return json.loads(simulate(*words, "--format", "json", **more)[0])


TWO = "name,procs,seconds\na,3,5\nb,2,3\n"
SAMPLE = "1e-9 4 1 length 0 0 0\nj1 rgd 5 3\nj2 rgd 3 2\n"
SWF = """; UnixStartTime: 1559347200
; MaxProcs: 4
1 0 0 5 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1
2 10 0 3 2 -1 -1 2 10 -1 1 1 1 -1 1 -1 -1 -1
3 20 0 3 9 -1 -1 2 10 -1 1 1 1 -1 1 -1 -1 -1
4 90000 0 2 2 -1 -1 2 10 -1 1 1 1 -1 1 -1 -1 -1
5 90001 0 2 2 -1 -1 2 10 -1 2 1 1 -1 1 -1 -1 -1
"""
ALCF = ("COBALT_JOBID,QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED\n"
        "1,2019-06-01 00:00:00,3600.0,512.0,512.0\n2,2019-05-31 23:59:59,60,512,512\n")


def by_hand(folder):
    jobs = write(folder, "two.csv", TWO)
    failures = write(folder, "failures", "# one a line\n0 0\n1 0\n0,2\n")
    rows = os.path.join(folder, "rows.csv")
    found = results(jobs, "--procs", 4, "--failures", failures, "--policy", "greedy",
                    "--per-scenario", rows)
    ok(found["results"][0]["makespan"]["max"] == 14, "the second scenario lasts 14 or the third")
    ok(read(rows) == "scenario,makespan,lower_bound,failures\n0,8,5.25,0\n1,13,10,1\n2,14,9,2\n",
       "makespans, bounds and failures by hand: %r" % read(rows))
    one = results(jobs, "--procs", 5)["results"][0]
    ok(one["makespan"]["mean"] == 5 and one["scenarios"] == 1, "without failures there is one scenario")
    ok(one["utilisation"]["mean"] == 21 / 25, "utilisation")
    verified = results(jobs, "--procs", 5, "--verification", 2)["results"][0]
    ok(verified["makespan"]["mean"] == 7, "verification is added to each attempt")


def kinds(folder):
    for name, text, kind, more in [
            ("two.csv", TWO, "CSV", ["--procs", 4]), ("sample.txt", SAMPLE, "sample", []),
            ("log", SWF, "SWF", []), ("alcf", ALCF, "ALCF", [])]:
        path = write(folder, name, text)
        found = results(path, *more, "-n", 3)
        ok(found["kind"] == kind, "%s is %s" % (name, kind))
        again = results("-", *more, "-n", 3, given=text)
        ok(found["results"] == again["results"], "the same from standard input")
    found = results("-", "-n", 1, "-q", 0, given=SAMPLE)
    ok(found["results"][0]["makespan"]["mean"] == 10, "verification of a sample counts")
    found = results("-", given=SWF)
    ok(found["skipped"]["wider than the machine"] == 1 and
       found["skipped"]["partial execution lines"] == 1 and found["jobs"] == 3, "cleaning is counted")
    text = simulate("-", given=SWF)[0]
    ok("1 left out (wider than the machine)" in text, "for people too")
    days = results("-", "--by-day", given=SWF)["results"]
    ok([row["set"] for row in days] == ["2019-06-01", "2019-06-02", None], "a set for each day")
    pairs = results("-", "--by-count", 2, given=SWF)["results"]
    ok([row["jobs"] for row in pairs] == [2, 1, 3], "sets of two")
    ok(results("-", "--month", "2019-06", given=ALCF)["jobs"] == 1, "one month of ALCF")
    ok(results("-", "--month", "2019-06", given=SWF)["jobs"] == 3, "one month of SWF")


def compares(folder):
    jobs = os.path.join(folder, "set.csv")
    cosched("generate", "rigid", "--jobs", 20, "--set", 3, "-o", jobs)
    ok(read(jobs) == cosched("generate", "rigid", "-n", 20, "--set", 3)[0], "the same set again")
    run = [jobs, "--procs", 5000, "-q", 0.3, "-n", 50]
    for name, same in [("greedy", "list:reservations=0"), ("r-list-0", "greedy"),
                       ("easy", "R-LIST-1".lower()), ("conservative", "list"), ("r-list-q", "list"),
                       ("r-shelf-nb", "shelf:backfill=no"), ("r-shelffill-b", "shelf-fill"),
                       ("r-list-1e", "strict-easy")]:
        one, two = (results(*run, "--policy", p)["results"][0]["makespan"] for p in (name, same))
        ok(one == two, "%s is %s" % (name, same))
    one, two = (results(*run, "--priority", p)["results"][0]["makespan"] for p in ("LPT", "lpt"))
    ok(one == two, "priorities in capitals or not")
    text = simulate(*run, "--policy", "all", "--priority", "all", "--format", "csv")[0]
    rows = list(csv.DictReader(text.splitlines()))
    ok(len(rows) == len({(r["policy"], r["priority"]) for r in rows}) == 88, "8 policies, 11 priorities")
    ok(all(float(r["ratio_min"]) >= 1 for r in rows), "no makespan below the bound")
    text = simulate(*run, "--policy", "all")[0]
    ok(text.count(" best") == 1, "the best is marked")
    for threads in (1, 3):
        text = simulate(*run, "--policy", "easy", "--priority", "random", "--threads", threads,
                        "--per-scenario", os.path.join(folder, "t%d" % threads))[0]
    ok(read(os.path.join(folder, "t1")) == read(os.path.join(folder, "t3")), "any number of threads")
    plain, strong = (results(*run, "--bound", b)["results"][0]["ratio"]["mean"]
                     for b in ("plain", "strong"))
    ok(1 <= strong <= plain, "the strong bound is no lower")
    listed = cosched("list", "rigid")[0]
    ok("strict-easy" in listed and "lert" in listed and "greedy" in listed, "list rigid")


def scenes(folder):
    jobs = os.path.join(folder, "set.csv")
    made, picture = os.path.join(folder, "s.json"), os.path.join(folder, "s.svg")
    for policy in ("greedy", "easy", "strict-easy", "conservative", "shelf", "r-shelf-nb",
                   "shelf-fill", "r-shelffill-nb"):
        rows = os.path.join(folder, "rows.csv")
        simulate(jobs, "-p", 5000, "-q", 0.5, "-n", 9, "--policy", policy, "--scenario", 7,
                 "--verification", 10, "--schedule", made, "--gantt", picture, "--per-scenario", rows)
        document = json.loads(read(made))
        row = list(csv.DictReader(read(rows).splitlines()))[7]
        ok(document["makespan"] == float(row["makespan"]), "%s: makespan of scenario 7" % policy)
        ok(sum(document["failures"]) == int(row["failures"]) ==
           sum(bar["kind"] == "lost" for bar in document["bars"]), "one lost bar for each failure")
        ok("valid" in cosched("check", made)[0], "it is valid")
        ok("<svg" in read(picture), "and drawn")
        document["bars"][-1]["end"] += 1
        document["makespan"] = max(bar["end"] for bar in document["bars"])
        cosched("check", write(folder, "bad.json", json.dumps(document)), status=1)


def arrives(folder):
    log, table = write(folder, "log.swf", SWF), os.path.join(folder, "jobs.csv")
    one = results(log, "--arrivals", "--jobs", table)[0]
    ok(one["priority"] == "fcfs" and one["jobs"] == 3, "three jobs, first come first served")
    ok(one["makespan"] == 90002 and one["mean_wait"] == 0, "by hand: nobody waits")
    ok(len(read(table).splitlines()) == 4, "a row for every job")
    two = results(log, "--arrivals", "-q", 0.9, "--seed", 3, "--scenario", 2, "--jobs", table)[0]
    ok(len(read(table).splitlines()) == 4 + two["failures"], "and for every failure")
    cosched("check", table, "--log", log)
    simulate(log, "--arrivals", "--policy", "strict-easy", "--jobs", table)
    told = cosched("check", table, "--log", log, "--rule", "easy")[0]
    ok("3 jobs, 3 attempts, the reservations of EASY were kept" in told, "EASY is judged: " + told)
    late = write(folder, "late.csv", read(table).replace("3-3", "0-0").replace(",3,", ",4,"))
    told = cosched("check", late, "--log", log, status=1)[0]
    ok("not valid" in told, "and a table that is wrong")
    rows = json.loads(cosched("check", late, "--log", log, "--format", "json", status=1)[0])
    ok(rows and rows[0]["file"] == late and rows[0]["task"] in ("1", "2", "3", "4") and
       all(row["violation"] and row["text"] in told for row in rows), "as JSON: " + str(rows))
    same = list(csv.DictReader(cosched("check", late, "--log", log, "--format", "csv",
                                       status=1)[0].splitlines()))
    ok([row["text"] for row in same] == [row["text"] for row in rows], "as CSV")
    ok(cosched("check", table, "--log", log, "--format", "json")[0] == "[]\n", "nothing is wrong")
    ok("mean bounded slowdown" in simulate(log, "--arrivals", "--policy", "conservative")[0], "text")
    ok(results(log, "--arrivals", "--policy", "shelf-fill")[0]["jobs"] == 3, "shelves")
    refused("cut into sets", log, "--arrivals", "--by-day")
    refused("--jobs is for --arrivals", log, "--jobs", table, status=2)


def refuses(folder):
    jobs = write(folder, "two.csv", TWO)
    failures = write(folder, "bad", "0 0\n1\n")
    refused("give --procs P", jobs)
    refused('job "a" wants 3 processors, the machine has 2', jobs, "-p", 2)
    refused("policy", jobs, "-p", 4, "--policy", "esay")
    refused('there is no priority "x"', jobs, "-p", 4, "--priority", "x")
    refused("bad:2: found 1 numbers, expected one for each of the 2 jobs", jobs, "-p", 4,
            "--failures", failures)
    refused("give one of them", jobs, "-p", 4, "-q", 0.1, "--mtbe", "1d", status=2)
    refused("give one of them", "-", "--by-day", "--by-count", 2, status=2, given=SWF)
    refused("not a log", jobs, "-p", 4, "--by-day")
    refused("name them", jobs, "-p", 4, "--policy", "all", "--schedule", folder + "/x", status=2)
    refused("there is no scenario 5: they are 0 to 0", jobs, "-p", 4, "--scenario", 5,
            "--schedule", folder + "/x")
    refused("this is no job log", "-", given="hello\n")
    refused("this is no job log", "-", given="")
    refused("column seconds", "-", "-p", 4, given="name,procs,seconds\na,1,nan\n")
    refused("another job has it already", "-", "-p", 4, given="name,procs,seconds\na,1,1\na,1,2\n")
    refused('there is no column procs', "-", "-p", 4, given="name,seconds\na,1\n")
    refused('job "x" is moldable', "-", given="0 4 0 length 0 0 0\nx mld 1 2\n")
    refused("found 3 words, a job has 4", "-", given="0 4 0 length 0 0 0\nx rgd 1\n")
    refused("the month is", "-", "--month", "June", given=ALCF)
    refused("found 3 fields, a line of the format has 18", "-", given="; MaxProcs: 4\n1 2 3\n")
    refused("succeeds", jobs, "-p", 4, "-q", 1)


with tempfile.TemporaryDirectory() as folder:
    by_hand(folder)
    kinds(folder)
    compares(folder)
    scenes(folder)
    arrives(folder)
    refuses(folder)
print("1..%d" % count)
sys.exit(failed > 0)
