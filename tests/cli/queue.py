#!/usr/bin/env python3
"""`cosched simulate queue` and `generate queue`: the numbers of `cosched replay`, in every way of asking.

usage: tests/cli/queue.py COSCHED EXAMPLES
"""

import csv
import io
import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, refused, results, write

EXAMPLES = os.path.abspath(sys.argv[2])
SACCT = os.path.join(EXAMPLES, "sacct.txt")
CONF = os.path.join(EXAMPLES, "slurm.conf")


def table(*words):
    return list(csv.DictReader(io.StringIO(cosched(*words, "--format", "csv")[0])))


def same(ours, theirs):
    """Every measure that both rows have, to the last digit; how many are compared."""
    keys = [key for key in ours if key in theirs and key not in ("policy", "priority", "scenario")]
    return len(keys) if all(ours[key] == theirs[key] or float(ours[key]) == float(theirs[key]) for key in keys) else 0


def has_the_numbers_of_replay(*options):
    ours, theirs = table("simulate", "queue", SACCT, *options), table("replay", SACCT, *options)
    ok([row["policy"] for row in ours] == [row["policy"] for row in theirs] and ours[0]["policy"] == "recorded",
       "the same rows, what was recorded first")
    ok(ours[0]["remark"] == "" and sum(row["remark"] == "best" for row in ours) >= 1, "a policy is best, what was recorded never")
    ok(all(same(a, b) >= 13 for a, b in zip(ours, theirs)), "the same numbers: %s" % " ".join(map(str, options)))


def drawn_jobs(folder):
    log = os.path.join(folder, "drawn.swf")
    cosched("generate", "queue", "--jobs", 200, "--arrivals", "10min", "--set", 2, "-o", log)
    lines = [line.split() for line in open(log) if not line.startswith(";")]
    submit = [int(line[1]) for line in lines]
    ok(len(lines) == 200 and submit == sorted(submit) and submit[0] == 0 and submit[-1] > 0, "jobs that arrive one after the other")
    ok(all(50 <= int(line[4]) <= 2000 and 100 <= int(line[3]) <= 20000 for line in lines), "with the widths and times of the paper")
    ok(abs(submit[-1] / 199 / 600 - 1) < 0.3, "ten minutes apart on average: %g" % (submit[-1] / 199))
    more = cosched("generate", "queue", "--jobs", 300, "--arrivals", "10min", "--set", 2)[0].splitlines()
    ok(more[:203] == open(log).read().splitlines(), "more jobs begin with the same ones")
    ok(set(int(line.split()[1]) for line in cosched("generate", "queue", "--jobs", 5, "--arrivals", 0)[0].splitlines()[3:]) == {0},
       "without a gap all arrive at 0")
    rows = table("simulate", "queue", log, "--policy", "easy,fcfs")
    ok([row["policy"] for row in rows] == ["easy", "fcfs"], "nothing was recorded, so there is no such row")
    ok([row["remark"] for row in rows] == ["best", ""], "the least mean wait is best")
    sweep = write(folder, "sweep.json", json.dumps({
        "title": "drawn", "problem": "queue", "seed": 1, "replicates": 1, "set": {"jobs": 200, "arrivals": "10min", "set": 2},
        "vary": {"policy": ["easy", "fcfs"]}, "metrics": ["mean_wait_of_jobs", "utilisation", "jobs"]}))
    cells = table("campaign", "run", sweep, "--store", sweep + ".db")
    ok([cell["policy"] for cell in cells] == ["easy", "fcfs"] and
       all(float(cell["jobs_mean"]) == 200 for cell in cells), "an experiment draws its jobs: %s" % cells[0])
    return log


def an_experiment_has_the_same_numbers(folder):
    sweep = write(folder, "site.json", json.dumps({
        "title": "site", "problem": "queue", "set": {"input": SACCT, "machine": CONF, "overrun": "kill", "fairness": 20},
        "vary": {"policy": ["slurm", "easy"]}, "metrics": ["mean_wait_of_jobs", "killed_jobs", "unfair_jobs", "utilisation"]}))
    cells = table("campaign", "run", sweep, "--store", sweep + ".db")
    rows = table("replay", SACCT, "--machine", CONF, "--overrun", "kill", "--fairness", 20, "--policy", "slurm,easy")[1:]
    ok(len(cells) == 2 and all(float(cell[name + "_mean"]) == float(row[name])
                               for cell, row in zip(cells, rows) for name in ("mean_wait_of_jobs", "killed_jobs", "unfair_jobs", "utilisation")),
       "experiments: %s" % cells)


def one_policy_is_kept(folder, log):
    out, jobs, svg = (os.path.join(folder, name) for name in ("s.json", "jobs.csv", "s.svg"))
    cosched("simulate", "queue", log, "--policy", "conservative", "-o", out, "--jobs", jobs, "--gantt", svg)
    theirs, rows = os.path.join(folder, "r.json"), os.path.join(folder, "r.csv")
    cosched("replay", log, "--policy", "conservative", "-o", theirs, "--jobs", rows)
    ok(json.load(open(out))["bars"] == json.load(open(theirs))["bars"], "the schedule of replay")
    ok(open(jobs).read() == open(rows).read() and "<svg" in open(svg).read(), "its table of jobs, and a picture")
    ok("valid" in cosched("check", out)[0] and "valid" in cosched("check", "--against", log, out)[0], "it is valid, also for its log")
    wrong = os.path.join(folder, "wrong.swf")
    cosched("generate", "queue", "--jobs", 200, "--arrivals", "10min", "--set", 3, "-o", wrong)
    cosched("check", "--against", wrong, out, status=1)
    batsim = os.path.join(folder, "batsim.csv")
    cosched("simulate", "queue", SACCT, "--nodes", 16, "--jobs", batsim, "--jobs-format", "batsim")
    ok(open(batsim).read().startswith("job_id,workload_name,profile"), "beside a recorded row, and for Batsim")
    refused("--output is for one policy and one priority: name them", "simulate", "queue", SACCT, "--nodes", 16,
            "--policy", "easy,fcfs", "-o", os.path.join(folder, "t.json"), status=2)


def tables_and_page_of_replay(folder):
    page, theirs = os.path.join(folder, "page.html"), os.path.join(folder, "theirs.html")
    said = (SACCT, "--nodes", 16, "--policy", "easy,fcfs", "--by", "user,week", "--top", 5)
    out = cosched("simulate", "queue", *said, "--report", page)[0]
    whole = cosched("replay", *said, "--report", theirs)[0]
    tables = [text[text.index("\nby user"):] for text in (out, whole)]
    ok(tables[0].split() == tables[1].split() and "\nby week" in tables[0], "the tables of replay")
    data = lambda path: [line for line in open(path) if '{"name": "easy"' in line]
    ok(data(page) == data(theirs) and len(data(page)) == 1, "the numbers of its page")
    refused("--by is for one run of the log", "simulate", "queue", SACCT, "--nodes", 16, "--by", "user", "--by-day", status=2)
    refused("--report is for one run of the log", "simulate", "queue", SACCT, "--nodes", 16, "--report", page, "--bound", "plain", status=2)


def scenarios_of_failures(folder, log):
    runs = os.path.join(folder, "runs.csv")
    cosched("simulate", "queue", log, "--mtbe", "20000h", "--scenarios", 3, "--policy", "easy,fcfs", "--per-scenario", runs)
    rows = list(csv.DictReader(open(runs)))
    theirs = table("replay", log, "--mtbe", "20000h", "--scenarios", 3, "--policy", "easy,fcfs")
    ok(len(rows) == 6 and all(same(a, b) >= 13 for a, b in zip(rows, theirs)), "the scenarios of replay")
    ok(len(set(row["failed_attempts"] for row in rows[:3])) > 1 and
       [row["failed_attempts"] for row in rows[:3]] == [row["failed_attempts"] for row in rows[3:]], "the same for both policies")


def refusals(folder, log):
    refused("expected one of them", "simulate", "queue", log, "--procs", 8, "--nodes", 8, status=2)
    refused("expected one of them", "simulate", "queue", log, "--mtbe", 8, "-q", 0.1, status=2)
    refused("there is no priority", "simulate", "queue", log, "--priority", "fastest")
    refused("--grace is for --overrun", "simulate", "queue", log, "--grace", 5, status=2)
    refused("there is no scenario 4", "simulate", "queue", log, "--scenario", 4, "--gantt", os.path.join(folder, "x.svg"))
    out, told = cosched("simulate", "queue", SACCT, "--nodes", 16)
    ok("the log has 4 partitions and no --machine" in told, "what makes the results doubtful is named")
    ok("no --machine" in " ".join(results("simulate", "queue", SACCT, "--nodes", 16)["warnings"]), "also for programs")


def sets_of_a_log(folder):
    """Each set finds the machine empty: as if its jobs were a log of their own."""
    head, lines = [], []
    for line in open(os.path.join(EXAMPLES, "monday.swf")):
        (head if line.startswith(";") else lines).append(line)
    said = ("--policy", "easy,fcfs", "--bound", "strong", "--by-count", 40)
    rows, one, four = (os.path.join(folder, name) for name in ("sets.csv", "one.csv", "four.csv"))
    cosched("simulate", "queue", os.path.join(EXAMPLES, "monday.swf"), *said, "--per-scenario", rows)
    sets = list(csv.DictReader(open(rows)))
    count = -(-len(lines) // 40)
    names = [row["set"] for row in sets if row["policy"] == "easy"]
    ok(names == [str(s + 1) for s in range(count)], "sets have numbers: %s" % names)
    for s in range(count):
        part = write(folder, "part%d.swf" % s, "".join(head + lines[40 * s:40 * s + 40]))
        alone = table("simulate", "queue", part, "--policy", "easy,fcfs")
        ours = [row for row in sets if row["set"] == str(s + 1)]
        ok([row["policy"] for row in ours] == [row["policy"] for row in alone] and all(same(a, b) >= 13 for a, b in zip(ours, alone)),
           "set %d is as alone" % (s + 1))
    for threads, path in ((1, one), (4, four)):
        cosched("simulate", "queue", os.path.join(EXAMPLES, "monday.swf"), *said, "--mtbe", "100d", "--scenarios", 3, "--threads", threads,
                "--per-scenario", path)
    ok(open(one).read() == open(four).read(), "for any number of threads")
    sweep = write(folder, "sets.json", json.dumps({
        "title": "sets", "problem": "queue", "replicates": 1,
        "set": {"input": os.path.join(EXAMPLES, "monday.swf"), "mtbe": "100d", "scenarios": 5, "by_count": 40},
        "vary": {"bound": ["plain", "strong"], "policy": ["easy", "shelf"]},
        "metrics": ["ratio", "ratio_max", "lower_bound", "waste", "whole_utilisation", "max_bounded_slowdown", "makespan", "jobs_excluded"]}))
    cells = table("campaign", "run", sweep, "--store", sweep + ".db")
    ok(len(cells) == 4 and all(float(cell["ratio_mean"]) >= 1 and float(cell["waste_mean"]) > 0 and 0 < float(cell["whole_utilisation_mean"]) <= 1
                               for cell in cells), "bounds, waste and utilisation until the end: %s" % cells)
    ok(all(float(strong["lower_bound_mean"]) >= float(plain["lower_bound_mean"]) for plain, strong in zip(cells[:2], cells[2:])), "the strong bound is not lower")
    attempts = os.path.join(folder, "attempts.csv")
    cosched("simulate", "queue", os.path.join(EXAMPLES, "monday.swf"), "--mtbe", "100d", "--jobs", attempts, "--jobs-format", "attempts", "-o",
            os.path.join(folder, "attempts.json"))
    kinds = [bar["kind"] for bar in json.load(open(os.path.join(folder, "attempts.json")))["bars"]]
    done = [row["success"] for row in csv.DictReader(open(attempts))]
    ok(len(done) == len(kinds) and done.count("0") == kinds.count("lost") > 0, "a row for each attempt")
    refused("there is no day 400: ", "simulate", "queue", SACCT, "--nodes", 16, "--day", 400)
    refused("both cut the log", "simulate", "queue", SACCT, "--nodes", 16, "--by-day", "--by-count", 3, status=2)
    refused("expected one of them", "simulate", "queue", SACCT, "--nodes", 16, "--month", "2026-01", "--from", "2026-01-06")


def the_former_spelling_runs_the_same(folder):
    """`simulate rigid --arrivals`: one warning, the numbers of queue under their former names."""
    log = os.path.join(EXAMPLES, "monday.swf")
    said = ("--policy", "easy,conservative", "--mtbe", "100d", "--scenarios", 4, "--seed", 3, "--verification", 20)
    out, told = cosched("simulate", "rigid", log, "--arrivals", *said, "--format", "csv")
    ok(told.count("\n") == 1 and "is the problem queue now ('cosched simulate queue')" in told, "one warning names the spelling: %r" % told)
    theirs = [row for row in table("simulate", "queue", log, *said) if row["policy"] != "recorded"]
    pairs = {"mean_wait": "mean_wait_of_jobs", "max_wait": "longest_wait_of_jobs", "mean_bounded_slowdown": "mean_bounded_slowdown",
             "makespan": "makespan", "failures": "failed_attempts", "largest_queue": "longest_queue"}
    for ours, row in zip(csv.DictReader(io.StringIO(out)), theirs):
        ok(all(abs(float(ours[a + "_mean"]) / float(row[b + "_mean"]) - 1) < 1e-12 for a, b in pairs.items()), "%s: %s" % (ours["policy"], ours))


# A value of each parameter, and what it goes with; the log is that of sacct on 16 nodes unless it says how large the machine is.
SAID = {
    "procs": ("2048", {}), "nodes": ("20", {}), "machine": (CONF, {}), "alloc": ("node", {"machine": CONF}), "assume-up": (True, {"machine": CONF}),
    "unit": ("nodes", {"procs": "16"}), "outages": ("outages.csv", {"nodes": "16"}), "policy": ("conservative", {}), "priority": ("wfp3", {}),
    "estimates": ("last2", {}), "overrun": ("kill", {}), "grace": ("1h", {"overrun": "kill"}), "default-request": ("2h", {}),
    "user-jobs": ("3", {}), "user-procs": ("8", {}), "mean-failure-probability": ("0.2", {}), "mtbe": ("1000h", {}),
    "failures": ("failures.txt", {}), "verification": ("60", {}), "scenarios": ("2", {"mean-failure-probability": "0.2"}),
    "watts": ("busy=350,idle=100,off-after=1h", {}), "procs-per-node": ("2", {"watts": "busy=350,idle=100"}),
    "arrive": ("submit", {}), "zone": ("Europe/Berlin", {}), "from": ("2026-01-06", {}), "to": ("2026-01-12", {}),
    "partition-field": ("queue", {}), "lookahead": ("100", {}), "strict": (True, {}), "warmup": ("1d", {}), "cooldown": ("1d", {}), "fairness": ("30", {}),
}
METRICS = ["mean_wait_of_jobs", "utilisation", "makespan", "mean_bounded_slowdown"]


def words_of(options):
    return [word for name, value in options.items() for word in (["--" + name] if value is True else ["--" + name, value])]


def means(rows):
    return [sum(float(row[metric]) for row in rows) / len(rows) for metric in METRICS]


def every_parameter_is_for_every_way(folder):
    """A parameter is one row of src/problems/queue/problem.c: simulate, replay and experiments take it and agree, or all refuse."""
    jobs = int(float(table("replay", SACCT, "--nodes", 16)[0]["jobs"]))
    write(folder, "outages.csv", "start,end,count,kind\n2026-01-07T00:00:00,2026-01-08T00:00:00,4,maintenance\n")
    write(folder, "failures.txt", " ".join(str(int(job % 7 == 0)) for job in range(jobs)) + "\n")
    listed = json.loads(cosched("list", "queue", "--parameters", "--format", "json")[0])
    names = {row["name"] for row in listed if "simulate" in row["verbs"] and ("experiment" in row["verbs"] or row["scope"])} - {
        "policy-program", "seed", "by-day", "day", "by-count", "month", "bound", "set",  # sets_of_a_log
        "sequences", "length", "workload", "draw-jobs", "arrivals", "gap-factor", "start-hour", "requests", "largest-request"}
    ok(names - {"policy-timeout"} == set(SAID), "each has a value here: %s" % sorted(names ^ set(SAID)))
    for name, (value, company) in sorted(SAID.items()):
        options = {**company, name: os.path.join(folder, value) if value in ("outages.csv", "failures.txt") else value}
        if not {"procs", "nodes", "machine"} & set(options):
            options["nodes"] = "16"
        options.setdefault("policy", "easy")
        if name == "strict":
            texts = [refused("16 columns, not 15", verb, *words, SACCT, *words_of(options)) for verb, *words in (("simulate", "queue"), ("replay",))]
            ok(texts[0] == texts[1], "--strict is refused in the same words")
        else:
            ours = table("simulate", "queue", SACCT, *words_of(options))
            runs = [row for row in table("replay", SACCT, *words_of(options)) if row["policy"] != "recorded"]
            ok(len(ours) == 2 and all(abs(float(ours[1].get(m, ours[1].get(m + "_mean"))) - mean) <= 1e-12 * abs(mean)
                                      for m, mean in zip(METRICS, means(runs))), "--%s: simulate queue and replay agree" % name)
        sweep = write(folder, name + ".json", json.dumps({
            "title": name, "problem": "queue", "replicates": 1, "vary": {"policy": [options["policy"]]}, "metrics": METRICS,
            "set": {"input": SACCT, **{key.replace("-", "_"): option for key, option in options.items() if key != "policy"}}}))
        command = ("campaign", "run", sweep, "--store", sweep + ".db", "--format", "csv")
        if name == "strict":
            cosched(*command, status=1)
            continue
        cells = list(csv.DictReader(io.StringIO(cosched(*command)[0])))
        drawn = {"mean-failure-probability", "mtbe"} & set(options)  # with the seed of the cell
        ok(len(cells) == 1 and (drawn or all(abs(float(cells[0].get(m, cells[0].get(m + "_mean"))) - mean) <= 1e-12 * abs(mean)
                                             for m, mean in zip(METRICS, means(runs)))), "--%s: an experiment agrees" % name)


def replays_of_drawn_jobs(folder, log, model):
    options = "--policy", "easy,fcfs", "--estimates", "last2", "--by", "width"
    files = [[os.path.join(folder, "%s.%s" % (way, ending)) for ending in ("csv", "json", "html", "svg")] for way in ("read", "made")]
    texts, documents, plans, notes = [], [], [], []
    for (jobs, plan, page, picture), words in zip(files, ((log,), (*model, "--draw-jobs", 3000))):
        text, said = cosched("replay", *words, *options, "--jobs", jobs, "--report", page, "--draw", picture)
        texts.append(text), notes.append(said)
        documents.append(json.loads(cosched("replay", *words, *options, "--format", "json")[0]))
        cosched("replay", *words, "--policy", "easy", "-o", plan)
        plans.append(json.load(open(plan)))
        ok(": valid" in cosched("check", plan)[0], "a valid schedule")
    name = "workload lublin, gap factor 1, start hour 0, seed 1, set 0, requests exact"
    ok(texts[1].startswith("3,000 jobs of 3,000 drawn jobs (%s) on 256 processors\n" % name), texts[1])
    ok(texts[0].split("\n", 1)[1] == texts[1].split("\n", 1)[1] and notes[0] == notes[1], "drawn or read, the tables are the same")
    ok("there is no row of what was recorded" in notes[1] and "\nrecorded" not in texts[1], "without a record")
    ok(open(files[0][0]).read() == open(files[1][0]).read(), "and the jobs")
    ok([plan["jobs"] == plans[0]["jobs"] and plan["tasks"] == plans[0]["tasks"] for plan in plans] == [True, True], "and schedules")
    ok(documents[0]["rows"] == documents[1]["rows"] and documents[1]["input"]["files"] == []
       and documents[1]["input"]["drawn"] == name, "rows and input as JSON")
    ok(name in open(files[1][2]).read() and "jobs that are drawn, replayed" in open(files[1][3]).read(), "page and picture name them")
    rows = [cosched("replay", *model[2:], "--workload", "lublin", "--draw-jobs", 300, *other)[0].split("\n", 1)[1] for other in (
        (), ("--seed", 2), ("--set", 1), ("--gap-factor", 0.8), ("--start-hour", 9), ("--requests", "tsafrir"))]
    ok(len(set(rows)) == len(rows), "each option draws other jobs")
    for verb in ("replay",), ("simulate", "queue"):
        for status, message, *words in ((2, "--gap-factor is for --workload, which is not given", log, "--gap-factor", 2),
                                        (2, "--draw-jobs is for --workload, which is not given", log, "--draw-jobs", 2),
                                        (1, "--procs is missing: --workload lublin", "--workload", "lublin"),
                                        (1, "--procs is missing: --workload lublin", "--workload", "lublin-batch", "--nodes", 8),
                                        (1, "--procs: 1 is less than 2", "--workload", "lublin", "--procs", 1),
                                        (1 if verb[0] == "simulate" else 2, "LOG is missing: a job log, or --workload"),
                                        (2, "--workload: jobs are drawn or read from a log: give one", log, *model)):
            refused(message, *verb, *words, status=status)
    refused("--arrivals is for --workload uniform", "replay", *model, "--arrivals", 60)
    ok("(workload uniform, mean gap 60 s, seed 1," in cosched("replay", "--workload", "uniform", "--draw-jobs", 9, "--arrivals", 60)[0], "uniform")


def jobs_of_models(folder):
    log = os.path.join(folder, "lublin.swf")
    model = ("--workload", "lublin", "--procs", 256)
    cosched("generate", "jobs", *model, "--jobs", 3000, "-o", log)
    head, jobs = open(log).read().split("; UnixStartTime: 0\n")
    ok(head.splitlines()[1] == "; Note: workload lublin, gap factor 1, start hour 0, seed 1, set 0, requests exact",
       "the header gives model, parameters and seed: %s" % head)
    ok(jobs.startswith("1 607 -1 20 2 -1 -1 2 20 -1 1 ") and len(jobs.splitlines()) == 3000, "jobs of the model")
    drawn = table("simulate", "queue", *model, "--draw-jobs", 3000, "--policy", "easy,fcfs")
    ok(drawn == table("simulate", "queue", log, "--policy", "easy,fcfs"), "drawn or read, the results are the same")
    replays_of_drawn_jobs(folder, log, model)
    asked = cosched("generate", "jobs", *model, "--jobs", 500, "--requests", "tsafrir", "--largest-request", "12h")
    times = [(int(line.split()[3]), int(line.split()[8])) for line in asked[0].splitlines() if line[0] != ";"]
    ok(all(time <= request <= 43200 for time, request in times) and len({request for _, request in times}) < 40,
       "few different requests, none below the run time")
    ok("1 of 500 drawn jobs ran longer than the largest request and end at it, 43200 s" in asked[1], "cut: %s" % asked[1])
    bag = write(folder, "bag.json", cosched("generate", "jobs", *model, "--jobs", 10, "--speedup", "downey")[0])
    tasks = json.load(open(bag))["tasks"]
    ok([task["release"] for task in tasks[:3]] == [607, 634, 652] and set(tasks[0]["downey"]) == {"seq_time", "parallelism", "sigma"},
       "moldable jobs arrive at the same times")
    plan = os.path.join(folder, "plan.json")
    cosched("plan", "moldable", bag, "--procs", 256, "-o", plan)
    ok(": valid" in cosched("check", plan)[0], "which can be planned")
    sweep = write(folder, "model.json", json.dumps({
        "title": "drawn", "problem": "queue", "seed": 1, "replicates": 1, "set": {"jobs": 3000, "workload": "lublin", "procs": 256},
        "vary": {"policy": ["easy", "fcfs"], "gap_factor": [1, 2]}, "metrics": ["mean_wait_of_jobs"]}))
    cells = table("campaign", "run", sweep, "--store", sweep + ".db")
    waits = {(cell["policy"], cell["gap_factor"]): float(cell["mean_wait_of_jobs_mean"]) for cell in cells}
    ok(len(waits) == 4 and waits["fcfs", "1"] > 2 * waits["fcfs", "2"], "an experiment varies the load: %s" % waits)
    refused("--largest-request: 1800 s is less than an hour, for which the model is not made",
            "generate", "jobs", "--requests", "tsafrir", "--largest-request", "30min")
    refused("--jobs is for one set of jobs, not for the 3 sets of the jobs that are drawn", "simulate", "queue", "--workload", "lublin", "--procs", 16,
            "--draw-jobs", 40, "--sequences", 3, "--length", 8, "--jobs", "x.csv", "--policy", "easy")
    refused("--procs: 1 is less than 2", "generate", "jobs", "--workload", "lublin", "--procs", 1)
    for message, *options in (("--gap-factor and --start-hour are for --workload lublin", "--gap-factor", 2),
                              ("--gap-factor and --start-hour are for --workload lublin", "--start-hour", 3),
                              ("--arrivals is for --workload uniform", "--workload", "lublin", "--arrivals", 60),
                              ("--largest-request is for --requests tsafrir", "--largest-request", "9h")):
        refused(message, "generate", "jobs", *options, status=2)
    refused("raise --largest-request", "generate", "jobs", *model, "--requests", "tsafrir", "--largest-request", "1h")
    refused("LOG is missing", "simulate", "queue", status=1)
    refused("--workload: jobs are drawn or read from a log: give one", "simulate", "queue", log, "--workload", "uniform", status=2)
    return log


def sequences_of_a_log(folder, log):
    some = "simulate", "queue", log, "--procs", 256, "--policy", "easy"
    rows = [row for row in table(*some, "--sequences", 3, "--length", 64) if row["set"]]
    jobs = [line.split() for line in open(log) if line[0] != ";"]
    shift = write(folder, "tail.swf", "; MaxProcs: 256\n" + "".join(" ".join(job) + "\n" for job in jobs))
    ok([row["jobs"] for row in rows] == ["64"] * 3, "sets of 64 jobs")
    ok(table(*some, "--sequences", 3, "--length", 64) == table("simulate", "queue", shift, "--procs", 256, "--policy", "easy",
                                                              "--sequences", 3, "--length", 64), "the same each time")
    other = [row for row in table(*some, "--sequences", 3, "--length", 64, "--seed", 2) if row["set"]]
    ok(other != rows, "another seed, other sequences")
    plain = [(job, 100, 1, 1, 200) for job in (1, 2, 3, 7, 8)]
    lines = ["%d %d -1 %d %d -1 -1 %d %d -1 1" % (job, 10 * job, *rest) for job, *rest in
             sorted(plain + [(4, -1, 1, 2, -1), (5, 0, 1, 1, 9), (6, 30, 3, 1, -1)])]
    tiny = write(folder, "tiny.swf", "; MaxProcs: 4\n" + "\n".join(lines) + "\n")
    path = os.path.join(folder, "one.csv")
    cosched("simulate", "queue", tiny, "--sequences", 1, "--length", 3, "--policy", "fcfs", "--jobs", path)
    kept = [(row["procs"], row["submit"], row["start"], row["end"], row["request"])
            for row in csv.DictReader(open(path))]
    ok(kept == [("2", "0", "0", "10", "10"), ("3", "20", "20", "50", "30")],
       "run time 0 is left out, -1 is 10 s, the larger width counts, a missing request is the run time: %s" % kept)
    refused("--length: 3000 jobs are too few for sequences of 1500; 3002 or more", *some, "--sequences", 2, "--length", 1500)
    refused("all cut the log", *some, "--sequences", 2, "--by-day", status=2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        has_the_numbers_of_replay("--nodes", 16, "--policy", "fcfs,easy,conservative,greedy", "--priority", "fcfs,wfp3")
        has_the_numbers_of_replay("--machine", CONF, "--policy", "slurm,easy", "--overrun", "kill", "--user-jobs", 3, "--warmup", "1d")
        has_the_numbers_of_replay("--nodes", 16, "--estimates", "last2", "--overrun", "extend", "--from", "2026-01-06", "--arrive", "submit")
        log = drawn_jobs(folder)
        sequences_of_a_log(folder, jobs_of_models(folder))
        an_experiment_has_the_same_numbers(folder)
        one_policy_is_kept(folder, log)
        scenarios_of_failures(folder, log)
        refusals(folder, log)
        sets_of_a_log(folder)
        tables_and_page_of_replay(folder)
        the_former_spelling_runs_the_same(folder)
        every_parameter_is_for_every_way(folder)
    finish()


main()
