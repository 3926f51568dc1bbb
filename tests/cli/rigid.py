#!/usr/bin/env python3
"""`cosched simulate rigid`, `generate rigid` and `check` as a user meets them.

usage: tests/cli/rigid.py COSCHED
"""

import csv
import json
import os
import re
import tempfile

import kit
from kit import cosched, finish, ok, read, write


def simulate(*words, **more):
    return cosched("simulate", "rigid", *words, **more)


def refused(message, *words, **more):
    kit.refused(message, "simulate", "rigid", *words, **more)


def results(*words, **more):
    return kit.results("simulate", "rigid", *words, **more)


POLICIES = {"greedy", "r-list-1", "r-list-q", "easy", "conservative", "fcfs", "slurm", "shelf",
            "shelf:backfill=no", "shelf-fill", "shelf-fill:backfill=no"}
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
STRANGE = "; MaxProcs: 4\n" + "".join("%d %d 0 5 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1\n" % job for job in ((1, 0), (2, -10), (1, 20)))
ALCF = ("COBALT_JOBID,QUEUED_TIMESTAMP,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED\n"
        "1,2019-06-01 00:00:00,3600.0,512.0,512.0\n2,2019-05-31 23:59:59,60,512,512\n")


SACCT = ("JobID|Submit|Start|End|State|NCPUS|Timelimit\n"
         "7|2026-01-01T00:00:00|2026-01-01T00:01:00|2026-01-01T01:01:00|COMPLETED|16|02:00:00\n"
         "8|2026-01-01T00:00:05|2026-01-01T00:01:00|2026-01-01T00:31:00|COMPLETED|32|02:00:00\n")


def by_hand(folder):
    jobs = write(folder, "two.csv", TWO)
    failures = write(folder, "failures", "# one a line\n0 0\n1 0\n0,2\n")
    rows = os.path.join(folder, "rows.csv")
    found = results(jobs, "--procs", 4, "--failures", failures, "--policy", "greedy",
                    "--per-scenario", rows)
    ok(found["results"][0]["makespan"]["max"] == 14, "the second scenario lasts 14 or the third")
    table = [[row[k] for k in ("scenario", "makespan", "lower_bound", "failures")]
             for row in csv.DictReader(read(rows).splitlines())]
    ok(table == [["0", "8", "5.25", "0"], ["1", "13", "10", "1"], ["2", "14", "9", "2"]],
       "makespans, bounds and failures by hand: %r" % table)
    ok("wait" not in read(rows) and "nan" not in read(rows), "nobody waits for arrivals in a batch")
    one = results(jobs, "--procs", 5)["results"][0]
    ok(one["makespan"]["mean"] == 5 and one["scenarios"] == 1, "without failures there is one scenario")
    ok(one["utilisation"]["mean"] == 21 / 25, "utilisation")
    verified = results(jobs, "--procs", 5, "--verification", 2)["results"][0]
    ok(verified["makespan"]["mean"] == 7, "verification is added to each attempt")


def kinds(folder):
    for name, text, kind, more in [
            ("two.csv", TWO, "CSV", ["--procs", 4]), ("sample.txt", SAMPLE, "sample", []),
            ("log", SWF, "SWF", []), ("alcf", ALCF, "ALCF", []), ("sacct", SACCT, "sacct", ["--procs", 64])]:
        path = write(folder, name, text)
        found = results(path, *more, "-n", 3)
        ok(found["kind"] == kind, "%s is %s" % (name, kind))
        again = results("-", *more, "-n", 3, given=text)
        ok(found["results"] == again["results"], "the same from standard input")
    found = results("-", "-n", 1, "-q", 0, given=SAMPLE)
    ok(found["results"][0]["makespan"]["mean"] == 10, "verification of a sample counts")
    found = results("-", given=SWF)
    ok(found["rules"]["too_wide"] == 1 and found["rules"]["partial"] == 1 and found["jobs"] == 3,
       "cleaning is counted")
    text = simulate("-", given=SWF)[0]
    ok("1 left out (wider than the machine)" in text, "for people too")
    text = simulate("-", given=STRANGE)[0]
    ok("3 lines of jobs: 1 submitted before time 0, 1 with the number of an earlier job" in text, "what is strange is told")
    told = cosched("convert", "-", "--to", "csv", given=STRANGE)[1]
    ok("1 job submitted before time 0 of the log" in told and "1 job with the number of an earlier one" in told, "by convert too")
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
                       ("r-list-1", "list:reservations=1"), ("r-list-q", "list"),
                       ("r-shelf-nb", "shelf:backfill=no"), ("r-shelffill-b", "shelf-fill"),
                       ("r-list-1e", "easy"), ("strict-easy", "easy")]:
        one, two = (results(*run, "--policy", p)["results"][0]["makespan"] for p in (name, same))
        ok(one == two, "%s is %s" % (name, same))
    one, two = (results(*run, "--priority", p)["results"][0]["makespan"] for p in ("LPT", "lpt"))
    ok(one == two, "priorities in capitals or not")
    text = simulate(*run, "--policy", "all", "--priority", "all", "--format", "csv")[0]
    rows = list(csv.DictReader(text.splitlines()))
    ok(len(rows) == len({(r["policy"], r["priority"]) for r in rows}) and
       {r["policy"] for r in rows} >= POLICIES and len({r["priority"] for r in rows}) >= 11,
       "all policies, 11 priorities")
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
    ok("easy" in listed and "lert" in listed and "greedy" in listed, "list rigid")


def scenes(folder):
    jobs = os.path.join(folder, "set.csv")
    made, picture = os.path.join(folder, "s.json"), os.path.join(folder, "s.svg")
    for policy in ("greedy", "easy", "r-list-1", "r-list-q", "conservative", "shelf", "r-shelf-nb",
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


# One processor and a half for everybody: 2 waits for 1, and 3 can go before 2 only without EASY.
LINE = """; UnixStartTime: 1559347200
; MaxProcs: 4
1 100 -1 10 3 -1 -1 3 20 -1 1 1 1 -1 1 -1 -1 -1
2 101 -1 5 4 -1 -1 4 5 -1 1 1 1 -1 1 -1 -1 -1
3 102 -1 30 1 -1 -1 1 30 -1 1 1 1 -1 1 -1 -1 -1
4 103 -1 6 1 -1 -1 1 7 -1 1 1 1 -1 1 -1 -1 -1
"""


def arrives(folder):
    log, table = write(folder, "log.swf", SWF), os.path.join(folder, "jobs.csv")
    whole = results(log, "--arrivals", "--jobs", table)
    one = whole["results"][0]
    ok(one["priority"] == "fcfs" and one["jobs"] == 3, "three jobs, first come first served")
    ok(one["makespan"]["mean"] == 90002 and one["mean_wait"]["max"] == 0, "by hand: nobody waits")
    ok(whole["estimates"] == {"requested": 3, "exceeded": 0, "unknown": 0}, "estimates are counted")
    ok(len(read(table).splitlines()) == 4, "a row for every job")
    rows = os.path.join(folder, "rows.csv")
    simulate(log, "--arrivals", "-q", 0.9, "--seed", 3, "--scenario", 2, "--jobs", table,
             "--per-scenario", rows)
    third = list(csv.DictReader(read(rows).splitlines()))[2]
    ok(len(read(table).splitlines()) == 4 + int(third["failures"]), "and for every failure")
    cosched("check", table, "--log", log)
    simulate(log, "--arrivals", "--policy", "easy", "--jobs", table)
    told = cosched("check", table, "--log", log, "--rule", "easy")[0]
    ok("3 jobs, 3 attempts, the reservations of EASY were kept" in told, "EASY is judged: " + told)
    late = write(folder, "late.csv", read(table).replace("3-3", "0-0").replace(",3,", ",4,"))
    told = cosched("check", late, "--log", log, status=1)[0]
    ok("not valid" in told, "and a table that is wrong")
    text = simulate(log, "--arrivals", "--policy", "conservative")[0]
    ok("mean bounded slowdown" in text and "requested times; the running time for 0 jobs" in text, "text")
    ok("as --estimates exact asks" in simulate(log, "--arrivals", "--estimates", "exact")[0], "exact")
    blind = SWF.replace(" 10 -1 ", " -1 -1 ")
    ok("the log has no requested times" in simulate("-", "--arrivals", given=blind)[0],
       "a log without estimates is told")
    refused("this is no job log", write(folder, "two.csv", TWO), "-p", 4, "--arrivals")
    refused("--jobs is for --arrivals", log, "--jobs", table, status=2)
    schedule = os.path.join(folder, "site.json")
    simulate(log, "--arrivals", "--priority", "slurm", "--schedule", schedule)
    ok(cosched("check", schedule)[0], "a log on the machine of a site has a schedule")
    refused("they are 0 to 0", log, "--arrivals", "--scenarios", 1, "--scenario", 1, "--jobs", table)
    refused("not for the 2 sets", log, "--arrivals", "--by-day", "--jobs", table)
    refused("name them", log, "--arrivals", "--policy", "easy,list", "--jobs", table, status=2)
    refused('there is no priority "x"', log, "--arrivals", "--priority", "fcfs,x")
    refused("they are fcfs", log, "--arrivals", "--priority", "x")
    refused('priority "FCFS" is for jobs that arrive: give --arrivals', log, "--priority", "FCFS", status=2)
    refused('there is no priority "lert-learnt"', log, "--arrivals", "--priority", "fcfs,lert-learnt")
    refused('there is no policy ""', log, "--arrivals", "--policy", "easy,,list")
    refused('there is no priority ""', log, "--arrivals", "--priority", "fcfs,")


def arrives_by_hand(folder):
    """Starts: easy 100 110 115 103; greedy 100 132 102 110; shelf 100 110 115 115."""
    log = write(folder, "line.swf", LINE)
    found = results(log, "--arrivals", "--policy", "easy,greedy,shelf,list:reservations=2")
    rows = {r["policy"]: r for r in found["results"]}
    for policy, waits, makespan in [("easy", (0, 9, 13, 0), 45), ("greedy", (0, 31, 0, 7), 37),
                                    ("shelf", (0, 9, 13, 12), 45),
                                    ("list:reservations=2", (0, 9, 13, 0), 45)]:
        row = rows[policy]
        ok(row["mean_wait"]["mean"] == sum(waits) / 4 and row["max_wait"]["mean"] == max(waits),
           "%s: waits by hand, %r" % (policy, row["mean_wait"]["mean"]))
        ok(row["makespan"]["mean"] == makespan, "%s: makespan %d" % (policy, makespan))
        ok(row["ratio"]["mean"] == makespan / 32, "%s: job 3 ends 32 s after the first submission "
           "at best" % policy)
        ok(row["jobs_per_hour"]["mean"] == 4 / (makespan / 3600), "%s: throughput" % policy)
    text = simulate(log, "--arrivals", "--policy", "strict-easy,greedy")[0]
    ok("best mean wait: strict-easy, fcfs" in text and "longest wait" in text, "side by side")
    rows = os.path.join(folder, "rows.csv")
    failures = write(folder, "failures", "0 0 0 0\n1 0 0 2\n")
    simulate(log, "--arrivals", "--policy", "strict-easy", "--failures", failures,
             "--per-scenario", rows)
    zero, one = csv.DictReader(read(rows).splitlines())
    keys = ("scenario", "makespan", "lower_bound", "failures", "mean_wait", "max_wait")
    ok([zero[k] for k in keys] == ["0", "45", "32", "0", "5.5", "13"], "scenario 0: %r" % zero)
    ok(float(zero["mean_bounded_slowdown"]) == (1 + 14 / 10 + 43 / 30 + 1) / 4 and
       float(zero["max_bounded_slowdown"]) == 43 / 30, "slowdowns of scenario 0")
    # 1 runs 100-110 and 110-120, 4 at 103, 109 and 115, always to be over before 1; so 2 at 121, 3 at 126.
    ok([one[k] for k in keys] == ["1", "56", "32", "3", "11", "24"], "scenario 1: %r" % one)
    ok(float(one["mean_bounded_slowdown"]) == (2 + 2.5 + 1.8 + 1.8) / 4 and
       float(one["max_bounded_slowdown"]) == 2.5, "and its slowdowns")


def arrives_often(folder):
    lines, random = ["; MaxProcs: 16"], 7
    for j in range(1, 121):
        random = (random * 1103515245 + 12345) % 2147483648
        seconds, procs = 1 + random // 65536 % 40, 1 + random // 2097152 % 16
        lines.append("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 1 -1 -1 -1" % (
            j, 1000 + 9 * j, seconds, procs, procs, seconds + random // 1024 % 30))
    log = write(folder, "many.swf", "\n".join(lines) + "\n")
    run = [log, "--arrivals", "-q", 0.2, "-n", 20]
    both = [simulate(*run, "--policy", "all", "--priority", "all", "--format", "csv",
                     "--threads", t)[0] for t in (1, 4)]
    ok(both[0] == both[1], "any number of threads")
    table = {(r["policy"], r["priority"]): r for r in csv.DictReader(both[0].splitlines())}
    ok(len(table) == 13 * 12, "13 policies, 12 priorities")
    ok(all(float(r["ratio_min"]) >= 1 for r in table.values()), "no makespan below the bound")
    for policy, priority in (("greedy", "fcfs"), ("easy", "lpt"), ("conservative", "random"),
                             ("shelf-fill:backfill=no", "sa")):
        one = list(csv.DictReader(simulate(*run, "--policy", policy, "--priority", priority,
                                           "--format", "csv")[0].splitlines()))
        ok(one == [table[policy, priority]], "the comparison has what %s alone has" % policy)
    rows, made, picture = (os.path.join(folder, n) for n in ("rows.csv", "made.json", "made.svg"))
    for policy in ("greedy", "easy", "r-list-1", "r-list-q", "conservative", "list:reservations=3", "shelf",
                   "shelf:backfill=no", "shelf-fill", "shelf-fill:backfill=no"):
        simulate(*run, "--policy", policy, "--scenario", 6, "--schedule", made, "--gantt", picture,
                 "--per-scenario", rows, "--verification", 2)
        document, row = json.loads(read(made)), list(csv.DictReader(read(rows).splitlines()))[6]
        ok(document["makespan"] == float(row["makespan"]) and
           document["lower_bound"] == float(row["lower_bound"]), "%s: scenario 6" % policy)
        ok(sum(bar["kind"] == "lost" for bar in document["bars"]) == int(row["failures"]), "failures")
        ok("valid" in cosched("check", made)[0] and "<svg" in read(picture), "valid, and drawn")
        document["jobs"][document["bars"][0]["task"]]["submit"] += 1
        ok("it is submitted at" in cosched("check", write(folder, "bad.json", json.dumps(document)),
                                           status=1)[0], "a start before the submission is seen")
    days = results(log, "--arrivals", "--by-count", 50, "-q", 0.2, "-n", 3)
    ok([r["jobs"] for r in days["results"]] == [50, 50, 20, 120], "sets are replayed on their own")
    ok(days["results"][3]["scenarios"] == 9, "and together")
    plain, strong = (results(*run, "--bound", b)["results"][0]["ratio"]["mean"]
                     for b in ("plain", "strong"))
    ok(1 <= strong <= plain, "the strong bound is no lower")


def sweeps(folder):
    """Three policies on two logs as they were submitted, through campaign run and report."""
    one, two = write(folder, "one.swf", LINE), write(folder, "two.swf", SWF)
    policies = ["strict-easy", "greedy", "shelf"]
    sweep = write(folder, "sweep.json", json.dumps({
        "title": "waits", "problem": "rigid", "set": {"arrivals": True},
        "vary": {"policy": policies, "input": [one, two]},
        "metrics": ["mean_wait", "max_wait", "makespan", "jobs", "ratio_max"]}))
    store = os.path.join(folder, "waits.db")
    cosched("campaign", "run", sweep, "--store", store)
    rows = list(csv.DictReader(cosched("campaign", "export", store)[0].splitlines()))
    ok(len(rows) == 6, "six cells")
    for row in rows:
        log = one if row["input"].endswith("one.swf") else two
        alone = results(log, "--arrivals", "--policy", row["policy"])["results"][0]
        for key in ("mean_wait", "max_wait", "makespan"):
            ok(float(row[key]) == alone[key]["mean"],
               "%s, %s: %s is that of simulate" % (row["policy"], row["input"], key))
        ok(float(row["jobs"]) == alone["jobs"] and
           float(row["ratio_max"]) == alone["ratio"]["max"], "jobs and ratio too")
    waits = {r["policy"]: float(r["mean_wait"]) for r in rows if r["input"].endswith("one.swf")}
    ok(waits == {"strict-easy": 5.5, "greedy": 9.5, "shelf": 8.5}, "waits by hand: %r" % waits)
    page = os.path.join(folder, "waits.html")
    cosched("report", store, "-o", page)
    ok("mean_wait" in read(page) and "strict-easy" in read(page), "and in a report")
    days = write(folder, "days.json", json.dumps({
        "title": "days", "problem": "rigid", "set": {"input": two, "by_day": True, "scenarios": 3,
                                                     "mtbe": "1d", "bound": "strong"},
        "vary": {"arrivals": [False, True]}, "metrics": ["ratio", "makespan", "jobs"]}))
    cosched("campaign", "run", days, "--store", store + "2")
    rows = list(csv.DictReader(cosched("campaign", "export", store + "2")[0].splitlines()))
    ok([float(r["jobs"]) for r in rows] == [1.5, 1.5], "sets of a day: %r" % rows)


def keeps_blocks_whole(folder):
    """179 intervals a bar when jobs took the lowest free numbers."""
    jobs, plan = os.path.join(folder, "many.csv"), os.path.join(folder, "many.json")
    cosched("generate", "rigid", "-n", 100000, "-o", jobs)
    simulate(jobs, "-p", 10000, "--policy", "greedy", "--scenarios", 1, "--processors", "numbers", "-o", plan)
    sets = re.findall('"procs": "([^"]+)"', read(plan))
    ok(len(sets) == 100000 and sum(procs.count(" ") + 1 for procs in sets) <= 20 * len(sets),
       "at most 20 intervals a bar: %d in %d" % (sum(procs.count(" ") + 1 for procs in sets), len(sets)))
    ok(": valid: problem rigid" in cosched("check", plan)[0], "and they are valid")


def refuses(folder):
    jobs = write(folder, "two.csv", TWO)
    failures = write(folder, "bad", "0 0\n1\n")
    refused("give --procs P", jobs)
    refused('job "a" wants 3 processors, the machine has 2', jobs, "-p", 2)
    refused("policy", jobs, "-p", 4, "--policy", "esay")
    refused('there is no priority "x"', jobs, "-p", 4, "--priority", "x", status=2)
    refused("bad:2: found 1 numbers, expected one for each of the 2 jobs", jobs, "-p", 4,
            "--failures", failures)
    refused("expected one of them", jobs, "-p", 4, "-q", 0.1, "--mtbe", "1d", status=2)
    refused("give one of them", "-", "--by-day", "--by-count", 2, status=2, given=SWF)
    refused("not a log", jobs, "-p", 4, "--by-day")
    refused("name them", jobs, "-p", 4, "--policy", "all", "--schedule", folder + "/x", status=2)
    refused("there is no scenario 5: they are 0 to 0", jobs, "-p", 4, "--scenario", 5,
            "--schedule", folder + "/x")
    refused("this is no job log", "-", given="hello\n")
    refused("the file is empty, expected a job log", "-", given="")
    refused("column seconds", "-", "-p", 4, given="name,procs,seconds\na,1,nan\n")
    refused("another job has it already", "-", "-p", 4, given="name,procs,seconds\na,1,1\na,1,2\n")
    refused('there is no column procs, only: name, seconds; a correct first line is name,procs,seconds', "-", "-p", 4,
            given="name,seconds\na,1\n")
    refused('job "x" is moldable', "-", given="0 4 0 length 0 0 0\nx mld 1 2\n")
    refused("found 3 words, a job has 4", "-", given="0 4 0 length 0 0 0\nx rgd 1\n")
    refused("the month is", "-", "--month", "June", given=ALCF)
    refused("no job of its 1 lines can be simulated; standard input:2: field 4 is missing", "-",
            given="; MaxProcs: 4\n1 2 3\n")
    refused("no job of its 3 lines can be simulated: 1 runtime missing or <= 0, 2 wider than the machine\n", "-", "-p", 4,
            given="1 0 0 9 8 -1 -1 8\n2 0 0 9 8 -1 -1 8\n3 0 0 -1 1 -1 -1 1\n")
    refused("must be at least 0 and less than 1", jobs, "-p", 4, "-q", 1)


with tempfile.TemporaryDirectory() as folder:
    by_hand(folder)
    kinds(folder)
    compares(folder)
    scenes(folder)
    arrives(folder)
    arrives_by_hand(folder)
    arrives_often(folder)
    sweeps(folder)
    keeps_blocks_whole(folder)
    refuses(folder)
finish()
