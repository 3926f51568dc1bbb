#!/usr/bin/env python3
"""Programs that plan packs and bags, share clusters, choose hosts and move processors: the same answers as ours, campaigns, and every failure
in a sentence (those for rigid jobs: policies.py).

usage: programs.py COSCHED EXAMPLES
"""

import csv
import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, refused, write

EXAMPLES = os.path.abspath(sys.argv[2])
ANSWER = "while read line; do case $line in *decide*) echo '%s';; esac; done"
POLICIES = os.path.join(EXAMPLES, "policies")


def table(problem, *words):
    """What is said of each way: columns but for the words that name it."""
    rows = json.loads(cosched("plan", problem, *words, "--format", "json")[0])["results"]
    return [{key: value for key, value in row.items() if key not in ("policy", "milliseconds", "note", "remark")} for row in rows]


def judged(folder, verb, problem, *words):
    plan = os.path.join(folder, "plan.json")
    cosched(verb, problem, *words, "-o", plan)
    ok(": valid" in cosched("check", plan)[0], "the checker judges a program for %s as ours" % problem)


def experiment(folder, problem, command, vary, settings):
    """A sweep of a policy of ours and its twin: the same values, cell by cell."""
    store = os.path.join(folder, problem + ".db")
    plan = write(folder, problem + ".json", json.dumps({"problem": problem, "replicates": 1, "metrics": ["makespan" if problem != "pack" else "cost"],
                                                        "vary": [vary], "set": {**settings, "policy_program": command}}))
    refused("policy_program is a command", "campaign", "run", plan, "--store", store)
    os.environ["COSCHED_PROGRAMS"] = "run"
    cosched("campaign", "run", plan, "--store", store)
    del os.environ["COSCHED_PROGRAMS"]
    (name, words), = vary.items()
    values = {word: [] for word in words}
    for row in csv.DictReader(cosched("campaign", "export", store)[0].splitlines()):
        values[row[name]].append(row["cost" if problem == "pack" else "makespan"])
    return values


def packs(folder):
    jobs, program = os.path.join(folder, "packs.json"), os.path.join(POLICIES, "packs.py")
    cosched("generate", "pack", "-w", "i", "-o", jobs)
    ours, theirs = table("pack", jobs, "--policy", "one-by-one,program", "--policy-program", ANSWER.replace("decide", "plan") % json.dumps(
        {"packs": [[[task, 16]] for task in range(10)]}))
    ok(ours["cost"] == theirs["cost"] > 0, "packs of a program cost what ours do")
    judged(folder, "plan", "pack", jobs, "--policy", "program", "--policy-program", program)
    values = experiment(folder, "pack", program, {"policy": ["pack-by-pack", "program"]}, {"input": jobs})
    ok(len(set(values["program"])) == 1 and float(values["program"][0]) > 0, "a campaign runs it")

    def fails(message, answer):
        refused("policy program: " + message, "plan", "pack", jobs, "--policy", "program", "--policy-program",
                ANSWER.replace("decide", "plan") % answer)

    refused("policy program asks a program of yours", "plan", "pack", jobs, "--policy", "program")
    fails('it answers "{}", expected {"packs": [[[TASK, PROCS], ...], ...]}', "{}")
    fails("task 1 (vasp-like-2) is in no pack", '{"packs": [[[0, 1]]]}')
    fails("it has task 0 (vasp-like-1) twice", '{"packs": [[[0, 1]], [[0, 1]]]}')
    fails("task 1 (vasp-like-2) has 16 processors in pack 0, of which 15 are free", '{"packs": [[[0, 1], [1, 16]]]}')
    fails("it has task 0 (vasp-like-1) on a number of processors where it cannot run", '{"packs": [[[0, 17]]]}')
    fails("in pack 0 it names a task that is not there", '{"packs": [[[10, 1]]]}')
    fails("in pack 0 it names a task that is not there", '{"packs": [[0]]}')
    fails("pack 0 has 0 tasks, expected 1 to 16", '{"packs": [[]]}')


def plans(folder):
    jobs, program = os.path.join(folder, "bag.json"), os.path.join(POLICIES, "bag.py")
    cosched("generate", "moldable", "--tasks", 12, "--procs", 30, "-o", jobs)
    bag = [jobs, "--procs", 30]
    asked = ANSWER.replace("decide", "plan")
    ours, theirs = table("moldable", *bag, "--policy", "turek-wolf-yu,program", "--policy-program", program)
    ok({**ours, "seconds": 0} == {**theirs, "seconds": 0} and ours["makespan"] > 0, "a plan of a program is ours")
    judged(folder, "plan", "moldable", *bag, "--policy", "program", "--policy-program", program)
    judged(folder, "plan", "moldable", *bag, "--contiguous", "--policy", "program", "--policy-program", program)
    judged(folder, "simulate", "moldable", *bag, "--qbar", 0.2, "-n", 3, "--planner", "program", "--policy-program", program)
    rows = [[line.split(",")[3:] for line in cosched("simulate", "moldable", *bag, "--qbar", 0.2, "-n", 3, "--planner", planner, "--policy-program", program,
                                                     "--format", "csv")[0].splitlines()] for planner in ("turek-wolf-yu", "program")]
    ok(rows[0] == rows[1], "and is carried out alike")
    ok("\nprogram" not in cosched("plan", "moldable", *bag, "--policy", "all", "--format", "csv")[0], "it is not among all")
    values = experiment(folder, "moldable", program, {"planner": ["turek-wolf-yu", "program"]}, {"input": jobs, "procs": 30})
    ok(values["program"] == values["turek-wolf-yu"] != [], "and in a campaign")
    told = cosched("plan", "moldable", *bag, "--contiguous", "--policy", "program", "--format", "csv", "--policy-program", asked % json.dumps(
        {"plan": [[task, 1, 5e9 * (task // 4), 7 * (task % 4)] for task in range(12)]}))[0]
    ok([row["start"] for row in csv.DictReader(told.splitlines())] == [str(5000000000 * (task // 4)) for task in range(12)], "a plan may say which processors, and when")
    refused("policy program asks a program of yours", "plan", "moldable", *bag, "--policy", "program")
    refused("policy program asks a program of yours", "simulate", "moldable", *bag, "--planner", "program")

    def fails(message, answer, *words):
        refused("policy program: " + message, "plan", "moldable", *bag, *words, "--policy", "program", "--policy-program", asked % json.dumps(answer))

    late = {"plan": [[task, 1, 5e9 * task] for task in range(12)]}
    fails('it answers "{}", expected {"list": [[TASK, PROCS], ...]} or {"plan": [[TASK, PROCS, START], ...]}', {})
    fails('it answers "{}", expected {"list": [[TASK, PROCS], ...]} or {"plan": [[TASK, PROCS, START, FIRST], ...]}', {}, "--contiguous")
    fails("task 1 (task1) is not in its plan", {"list": [[0, 1]]})
    fails("task 1 (task1) is not in its plan", {"plan": late["plan"][:1]})
    fails("it has task 0 (task0) twice", {"list": [[0, 1], [0, 1]]})
    fails("it has task 0 (task0) on a number of processors that is not one of its counts", {"list": [[0, 31]]})
    fails("it has task 0 (task0) on a number of processors that is not one of its counts", {"list": [[0, 0]]})
    fails("it names a task that is not there: expected [TASK, PROCS]", {"list": [[12, 1]]})
    fails("it names a task that is not there: expected [TASK, PROCS, START]", {"plan": [[0, 1]]})
    fails("it names a task that is not there: expected [TASK, PROCS, START, FIRST]", {"plan": [[0, 1, 0]]}, "--contiguous")
    fails("task 0 (task0) has no start, or one before its release", {"plan": [[0, 1, -1]]})
    fails("task 0 (task0) has no start, or one before its release", {"plan": [[0, 1, "soon"]]})
    fails("task 0 (task0) has no start, or one before its release", {"plan": [[0, 1, 1e200]]})
    fails("task 0 (task0) has processors that are not there", {"plan": [[0, 2, 0, 29]]}, "--contiguous")
    fails("at 0 s it starts task 2 (task2) on 15 processors, which are not free", {"plan": [[task, 15, 0] for task in range(12)]})
    fails("at 0 s it starts task 1 (task1) on 2 processors, which are not free", {"plan": [[task, 2, 0, min(task, 1)] for task in range(12)]}, "--contiguous")


def shares(folder):
    graphs = [os.path.join(EXAMPLES, "graphs.json"), "--platform", "grid5000-lille"]
    program = os.path.join(POLICIES, "shares.py")
    for words in ([], ["--online", "full", "--release", "0,10,20"]):
        ours, theirs = table("ptg", *graphs, *words, "--policy", "ps-work,program", "--policy-program", program)
        ok(ours == theirs and len(ours) > 3, "shares of a program are ours, %s" % (" ".join(words) or "all at 0"))
    judged(folder, "plan", "ptg", *graphs, "--policy", "program", "--policy-program", program)
    values = experiment(folder, "ptg", program, {"policy": ["ps-work", "program"]}, {"graphs": 3, "platform": "grid5000-lille"})
    ok(values["program"] == values["ps-work"] != [], "and in a campaign")

    def fails(message, answer):
        refused("policy program: " + message, "plan", "ptg", *graphs, "--policy", "program", "--policy-program",
                ANSWER.replace("decide", "graphs") % answer)

    refused("policy program asks a program of yours", "plan", "ptg", *graphs, "--policy", "program")
    fails('it answers "[]", expected {"shares": [SHARE, ...]}', "[]")
    fails("it answers with 1 shares, expected one for each of 3 graphs", '{"shares": [1]}')
    fails("the share of graph 1 is 2, it must be above 0 and at most 1", '{"shares": [1, 2, 1]}')


def hosts(folder):
    fleet, program = os.path.join(EXAMPLES, "hosts.json"), os.path.join(POLICIES, "hosts.py")
    judged(folder, "simulate", "volatile", fleet, "-n", 2, "--policy", "program", "--policy-program", program)
    outs = [cosched("simulate", "volatile", fleet, "-n", 2, "--policy", "ie,program", "--policy-program", program, "--threads", threads,
                    "--format", "csv")[0] for threads in (1, 2)]
    ok(outs[0] == outs[1] and "program" in outs[0], "hosts of a program, with any number of threads")
    values = experiment(folder, "volatile", program, {"policy": ["ie", "program"]}, {"hosts": 6, "tasks": 3, "scenarios": 2, "iterations": 3})
    ok(len(values["program"]) == 1, "and in a campaign")

    def fails(message, answer):
        refused("policy program: " + message, "simulate", "volatile", fleet, "-n", 1, "--policy", "program", "--policy-program",
                ANSWER % answer)

    refused("policy program asks a program of yours", "simulate", "volatile", fleet, "--policy", "program")
    fails('it answers "{}", expected {"tasks": [TASKS OF HOST 0, ...]} or {"tasks": null}', "{}")
    fails("in slot 0 it answers for 1 hosts, there are %d" % COUNT_OF_HOSTS, '{"tasks": [4]}')
    fails("in slot 0 it gives hosts 0 tasks, an iteration has 4", json.dumps({"tasks": [0] * COUNT_OF_HOSTS}))
    fails("in slot 0 host 0 gets a number of tasks that is not 0 to 4", json.dumps({"tasks": [5] * COUNT_OF_HOSTS}))
    fails("in slot 0 host 0 gets 1 tasks, but it is not up", json.dumps({"tasks": [1] * COUNT_OF_HOSTS}))


def processors(folder):
    jobs, program = os.path.join(folder, "applications.json"), os.path.join(POLICIES, "local.py")
    cosched("generate", "malleable", "--tasks", 8, "-o", jobs)
    words = [jobs, "--procs", 40, "--mtbf", "1y", "-n", 2]
    out = os.path.join(folder, "rows.csv")
    cosched("simulate", "malleable", *words, "--on-end", "local,program", "--on-failure", "none,ig", "--policy-program", program,
            "--per-scenario", out)
    with open(out, encoding="utf-8") as file:
        found = list(csv.reader(file))
    ours, theirs = ([row[1:] for row in found if row[0] == name] for name in ("local", "program"))
    ok(ours == theirs and len(ours) == 4, "end-local in Python is end-local")
    judged(folder, "simulate", "malleable", *words, "--on-end", "program", "--on-failure", "program", "--policy-program", program)
    ok("\nprogram" not in cosched("simulate", "malleable", *words, "--on-end", "all", "--format", "csv")[0], "it is not among all")
    outs = [cosched("simulate", "malleable", *words, "--on-failure", "program", "--policy-program", program, "--threads", threads)[0] for threads in (1, 2)]
    ok(outs[0] == outs[1], "with any number of threads")
    values = experiment(folder, "malleable", program, {"on_end": ["local", "program"]}, {"input": jobs, "procs": 40, "mtbf": "1y", "scenarios": 1})
    ok(values["program"] == values["local"] != [], "and in a campaign")

    def fails(message, answer):
        told = cosched("simulate", "malleable", *words, "--on-end", "program", "--policy-program", ANSWER % answer, status=1)[1]
        ok(told.startswith("cosched: policy program: ") and message in told, "says: %s (%s)" % (message, told.strip()))

    refused("policy program asks a program of yours", "simulate", "malleable", *words, "--on-end", "program")
    fails('it answers "{}", expected {"procs": [[TASK, PROCS], ...]}', "{}")
    fails("it speaks of a task that is not asked about", '{"procs": [[8, 2]]}')
    fails("it speaks of a task that is not asked about", '{"finish": [[-1, 2]]}')
    told = [cosched("simulate", "malleable", *words, "--on-end", "program", "--policy-program", ANSWER % json.dumps({"procs": [[task, 3]]}), status=1)[1]
            for task in (0, 1)]
    ok(any("is to have a number of processors that is not even, or not 2 to 40" in one for one in told), "processors come in pairs")
    told = cosched("simulate", "malleable", *words, "--on-end", "program", "--policy-program", ANSWER % '{"procs": [[0, 40], [1, 40]]}', status=1)[1]
    ok("processors more than available" in told or "not asked about" in told, "and are not made")


COUNT_OF_HOSTS = len(json.load(open(os.path.join(EXAMPLES, "hosts.json"), encoding="utf-8"))["hosts"])

with tempfile.TemporaryDirectory() as folder:
    packs(folder)
    plans(folder)
    shares(folder)
    hosts(folder)
    processors(folder)
finish()
