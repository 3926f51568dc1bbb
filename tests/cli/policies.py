#!/usr/bin/env python3
"""Policies that are programs: the same answers as ours, in a batch and where jobs arrive, and every failure in a sentence.

usage: policies.py COSCHED EXAMPLES
"""

import csv
import json
import os
import shutil
import sys
import tempfile

from kit import cosched, finish, ok, refused, write

EXAMPLES = os.path.abspath(sys.argv[2])
EASY = os.path.join(EXAMPLES, "policies", "easy.py")
FCFS = os.path.join(EXAMPLES, "policies", "fcfs.pl")
ANSWER = "while read line; do case $line in *decide*) echo '%s';; esac; done"


def rows(folder, command, policy, *words):
    """What a run says of each scenario, without the name of the policy."""
    out = os.path.join(folder, "rows.csv")
    words = words if "--threads" in words else (*words, "--threads", 1)
    cosched("simulate", "rigid", *words, "--policy", policy, "--policy-program", command, "--per-scenario", out)
    with open(out, encoding="utf-8") as file:
        return [list(row.values())[1:] for row in csv.DictReader(file)]


def same_as_ours(folder, jobs):
    batch = [jobs, "--procs", 5000, "-q", 0.3, "-n", 3]
    for priority in ("lpt", "random"):
        more = [*batch, "--priority", priority]
        ok(rows(folder, EASY, "program", *more) == rows(folder, EASY, "easy", *more) != [], "EASY in Python is EASY, a batch by %s" % priority)
    ok(rows(folder, EASY, "program", *batch, "--threads", 4) == rows(folder, EASY, "program", *batch, "--threads", 1), "with any number of threads")
    log = [os.path.join(EXAMPLES, "monday.swf"), "--arrivals", "-q", 0.2, "-n", 3]
    ok(rows(folder, EASY, "program", *log) == rows(folder, EASY, "easy", *log) != [], "and where jobs arrive")
    replayed = json.loads(cosched("replay", os.path.join(EXAMPLES, "sacct.txt"), "--nodes", 16, "--policy", "easy,program", "--policy-program", EASY,
                                  "--format", "json")[0])["rows"]
    ours, theirs = ({key: value for key, value in row.items() if key not in ("policy", "row", "name", "memory")} for row in replayed[1:3])
    ok(ours == theirs and len(ours) > 10, "and in a replay")
    plan = os.path.join(folder, "plan.json")
    cosched("simulate", "rigid", *batch, "--policy", "program", "--policy-program", EASY, "--schedule", plan)
    ok(": valid" in cosched("check", plan)[0], "the checker judges its schedules as ours")
    if shutil.which("perl"):
        ok(rows(folder, FCFS, "program", *batch[:3], "-n", 2, "--priority", "lpt") == rows(folder, FCFS, "fcfs", *batch[:3], "-n", 2, "--priority", "lpt"),
           "FCFS in Perl is FCFS")


def sweep(folder, jobs):
    store = os.path.join(folder, "store.db")
    plan = write(folder, "sweep.json", json.dumps({
        "problem": "rigid", "replicates": 2, "metrics": ["makespan"], "vary": [{"policy": ["easy", "program"]}],
        "set": {"input": jobs, "procs": 5000, "scenarios": 3, "policy_program": EASY, "mean_failure_probability": 0.2}}))
    consent = ("policy_program is a command, and commands of experiments are run only with permission: set COSCHED_PROGRAMS=run in the "
               'environment if you trust "%s"' % EASY)
    refused(consent, "campaign", "run", plan, "--store", store)
    refused(consent, "campaign", "slurm", plan, "--dry-run", "--tasks", 2, "--folder", os.path.join(folder, "slurm"))
    ok(not os.path.exists(store) and not os.path.exists(os.path.join(folder, "slurm")), "nothing is written then")
    os.environ["COSCHED_PROGRAMS"] = "run"
    cosched("campaign", "run", plan, "--store", store)
    out = list(csv.DictReader(cosched("campaign", "export", store)[0].splitlines()))
    ok(len(out) == 4 and [row["makespan"] for row in out if row["policy"] == "easy"] == [row["makespan"] for row in out if row["policy"] == "program"],
       "a campaign runs it")
    ok("whole" in cosched("campaign", "verify", store, "--recheck", 4)[0], "and once more")
    del os.environ["COSCHED_PROGRAMS"]
    ok("whole" in cosched("campaign", "verify", store)[0], "a store is read without consent")
    ok(list(csv.DictReader(cosched("campaign", "export", store)[0].splitlines())) == out, "and exported")
    cosched("report", store, "-o", os.path.join(folder, "store.html"))
    told = cosched("campaign", "verify", store, "--recheck", 1, status=1)
    ok("not run" in told[0] and consent in told[1], "but nothing is run again")


def failures(folder, jobs):
    def fails(message, command, *words):
        refused("policy program: " + message, "simulate", "rigid", jobs, "--procs", 5000, "-n", 2, "--policy", "program",
                "--policy-program", command, *words)

    refused("policy program asks a program of yours", "simulate", "rigid", jobs, "--procs", 5000, "--policy", "program")
    fails("it ended with status 127", "nosuchprogram 2>/dev/null")
    fails("it ended with status 0", "true")
    fails("it ended with status 3", "read line; exit 3")
    fails("it was ended by signal 9", "kill -9 $$")
    fails("it answers \"hello\", expected", "echo hello; cat >/dev/null")
    fails("it answers \"[1]\", expected", ANSWER % "[1]")
    fails("I do not like it", ANSWER % '{"error": "I do not like it"}')
    fails("at 0 s it starts job 99, which does not wait", ANSWER % '{"start": [99]}')
    fails("at 0 s it starts job 0, which does not wait", ANSWER % '{"start": [0, 0]}')
    fails("at 0 s it starts job -1, which does not wait", ANSWER % '{"start": ["a"]}')
    fails("at 0 s it starts job 4 on 1577 processors, of which 1450 are free", ANSWER % json.dumps({"start": list(range(20))}))
    fails("at 0 s it starts nothing, though nothing runs and 20 jobs wait", ANSWER % '{"start": []}')
    fails("it has not answered for 0.2 s", "sleep 1000", "--policy-timeout", "200ms")
    refused("--fairness goes back in time", "replay", os.path.join(EXAMPLES, "sacct.txt"), "--nodes", 16, "--policy", "program",
            "--policy-program", EASY, "--fairness", 10)
    refused("policy program knows one pool of processors", "replay", os.path.join(EXAMPLES, "sacct.txt"), "--machine", os.path.join(EXAMPLES, "slurm.conf"),
            "--policy", "program", "--policy-program", EASY)


with tempfile.TemporaryDirectory() as folder:
    jobs = os.path.join(folder, "jobs.csv")
    cosched("generate", "rigid", "--jobs", 20, "-o", jobs)
    same_as_ours(folder, jobs)
    sweep(folder, jobs)
    failures(folder, jobs)
finish()
