#!/usr/bin/env python3
"""`cosched replay` as an operator meets it: the same bytes however a log comes, rules, messages.

usage: tests/cli/replay.py COSCHED EXAMPLES [check]

With `check`, what `cosched check --log` finds in tables of jobs, and nothing else.
"""

import csv
import gzip
import json
import lzma
import os
import random
import subprocess
import sys
import tempfile

import kit
from kit import cosched, finish, ok, write

EXAMPLES = os.path.abspath(sys.argv[2])
SACCT = os.path.join(EXAMPLES, "sacct.txt")
CONF = os.path.join(EXAMPLES, "slurm.conf")


def rows(*words, **more):
    """The rows of the JSON by policy and priority, and all of it."""
    found = kit.results("replay", *words, **more)
    return {(row["policy"], row["priority"]): row for row in found["rows"]}, found


def refused(message, *words, **more):
    kit.refused(message, "replay", *words, **more)


def table(*words, **more):
    return cosched("replay", *words, "--format", "csv", **more)[0]


def however_it_comes(folder):
    """One file, pieces, packed, on standard input, shuffled within the lookahead."""
    head, *lines = open(SACCT).read().splitlines()
    options = ("--nodes", 16, "--policy", "easy,conservative")
    want = table(SACCT, *options)
    pieces = [write(folder, "piece%d" % i, "\n".join([head, *lines[i * 40:(i + 1) * 40]]) + "\n")
              for i in range((len(lines) + 39) // 40)]
    ok(table(*pieces, *options) == want, "in %d pieces" % len(pieces))
    ok(table(*reversed(pieces), *options) == want, "in pieces the other way round")
    with gzip.open(os.path.join(folder, "log.gz"), "wt") as out:
        out.write(open(SACCT).read())
    with lzma.open(os.path.join(folder, "log.xz"), "wt") as out:
        out.write(open(SACCT).read())
    ok(table(out_of(folder, "log.gz"), *options) == want, "as gzip")
    ok(table(out_of(folder, "log.xz"), *options) == want, "as xz")
    ok(table("-", *options, given=open(SACCT).read()) == want, "from standard input")
    submit = head.split("|").index("Submit")
    groups = {}
    for line in lines:
        groups.setdefault(line.split("|")[submit], []).append(line)
    mixed = list(groups.values())
    random.Random(7).shuffle(mixed)
    shuffled = write(folder, "shuffled", "\n".join([head, *(line for group in mixed for line in group)]) + "\n")
    ok(table(shuffled, *options) == want, "in any order of its lines, but for those of one instant")
    refused("give --lookahead more", shuffled, "--nodes", 16, "--lookahead", 3)
    ok(table(SACCT, *options, "--threads", 1) == want, "with one thread")


def out_of(folder, name):
    return os.path.join(folder, name)


def columns_in_any_order(folder):
    head, *lines = open(SACCT).read().splitlines()
    names = head.split("|")
    order = list(range(len(names)))
    random.Random(3).shuffle(order)
    kept = [line.split("|") for line in lines if line.count("|") == head.count("|")]
    moved = [[names[i].upper() + "%30" for i in order]] + [[line[i] for i in order] for line in kept]
    other = write(folder, "moved", "\n".join("|".join(["x", *line, ""]) for line in moved) + "\n")
    ok(table(other, "--nodes", 16) == table(SACCT, "--nodes", 16), "columns in another order, and more of them")


def what_is_left_out():
    found = rows(SACCT, "--nodes", 16)[1]["input"]
    rules = {name: count for name, count in found["rules"].items() if count}
    ok(rules == {"malformed": 1, "steps": 110, "array_remainders": 1, "not_ended": 1, "never_started": 1,
                 "no_time": 1, "too_wide": 1, "duplicates": 1, "no_limit": 20, "request_below_run": 11,
                 "array_tasks": 3, "het_parts": 2, "repeated_ids": 1}, "every rule has its count: %s" % rules)
    left_out = sum(found["rules"][name] for name in
                   "malformed steps array_remainders not_ended never_started no_time too_wide duplicates".split())
    ok(left_out + found["jobs"] == found["lines"], "lines are jobs, or left out")
    ok(found["malformed_lines"] == [SACCT + ":170: 16 columns, not 15"], "the malformed line is named")


SWF = """; MaxProcs: 10
; UnixStartTime: 1767600000
1 0 5 100 6 -1 -1 6 100 -1 1 1 1 -1 1 1 -1 -1
2 10 90 50 8 -1 -1 8 60 -1 1 20190612345678 1 -1 1 1 -1 -1
3 20 0 30 4 x y 4 30 z q w v u t s r p
"""


def by_hand(folder):
    """EASY: 3 starts at 20 beside 1, as it ends before 2 can start at 100."""
    log = write(folder, "small.swf", SWF)
    jobs = os.path.join(folder, "jobs.csv")
    link, other = os.path.join(folder, "link.csv"), write(folder, "link.csv.part", "mine\n")
    os.symlink(write(folder, "linked.csv", ""), link)
    found = rows(log, "--jobs", jobs, "--policy", "fcfs,easy")[0]
    cosched("replay", log, "--jobs", link, "--policy", "fcfs,easy")
    ok(os.path.islink(link) and kit.read(link) == kit.read(jobs), "a link stays a link, and what it names is written")
    ok(kit.read(other) == "mine\n", "no file of the user's is used on the way")
    ok(found["recorded", None]["mean_wait_of_jobs"] == 95 / 3, "what was recorded is the first row")
    ok(found["fcfs", "fcfs"]["longest_wait_of_jobs"] == 130 and found["easy", "fcfs"]["longest_wait_of_jobs"] == 90,
       "fcfs lets nobody pass, EASY does")
    ran = {(row["policy"], row["job_id"]): (row["start"], row["end"]) for row in csv.DictReader(open(jobs))}
    ok(ran["easy", "3"] == ("20", "50") and ran["fcfs", "3"] == ("150", "180"), "the table of jobs says when")
    ok(found["easy", "fcfs"]["makespan"] == 150, "the makespan counts from the first arrival")
    garbage = write(folder, "garbage.swf", SWF.replace("-1 1 1 -1 1 1 -1 -1", "- nan 1e999 # ? ! 0x7 ~ -"))
    ok(table(garbage, "--policy", "easy").splitlines()[1:] == table(log, "--policy", "easy").splitlines()[1:],
       "unused fields may hold anything")


def fairness(folder):
    """Greedy lets 3 start before 2, which would have started at 100 without it."""
    late = SWF.replace("3 20 0 30", "3 20 0 200")
    log = write(folder, "fair.swf", late)
    found = rows(log, "--policy", "fcfs,greedy", "--fairness", 3)[0]
    fcfs, greedy = found["fcfs", "fcfs"], found["greedy", "fcfs"]
    ok((fcfs["fairness_jobs"], fcfs["unfair_jobs"], fcfs["mean_unfairness"]) == (3, 0, 0), "fcfs is fair")
    ok((greedy["fairness_jobs"], greedy["unfair_jobs"], greedy["mean_unfairness"]) == (3, 1, 40), "greedy is not")
    ok(found["recorded", None]["mean_unfairness"] is None, "nobody knows what the site would have done")
    ok(rows(log, "--fairness", 2)[0]["easy", "fcfs"]["fairness_jobs"] == 1, "at most so many jobs, evenly")
    ok("unfair" in cosched("replay", log, "--fairness", 2)[0] and "unfair" not in cosched("replay", log)[0],
       "it is a column when it is asked for")
    want = table(SACCT, "--nodes", 16, "--policy", "slurm,conservative")
    ok([line.split(",")[:34] for line in table(SACCT, "--nodes", 16, "--policy", "slurm,conservative", "--fairness",
       500).splitlines()] == [line.split(",")[:34] for line in want.splitlines()], "asking changes nothing else")


def errors(folder):
    """Attempts that fail run again, those of the first scenario of `simulate rigid`."""
    log = os.path.join(EXAMPLES, "tuesday.swf")
    for words in (("-q", 0.3, "--seed", 5), ("--mtbe", "30d", "--verification", 100), ("-q", 0)):
        jobs = os.path.join(folder, "failed.csv")
        found = rows(log, "--policy", "easy,conservative", *words, "--jobs", jobs)[0]
        other = kit.results("simulate", "rigid", log, "--arrivals", "--policy", "easy,conservative", "--priority", "fcfs", *words)
        for run in other["results"]:
            row = found[run["policy"], "fcfs"]
            ok(row["failed_attempts"] == run["failures"]["mean"], "%s: as many attempts fail" % (words,))
            ok(row["mean_wait_of_jobs"] > 0 and row["makespan"] == run["makespan"]["mean"], "%s: and when" % (words,))
        verification = words[2:] if "--verification" in words else ()
        cosched("check", jobs, "--log", log, *verification)
    refused("found several, expected one of them", log, "-q", 0.1, "--mtbe", "1d")
    refused("it must be below 1", log, "-q", 1)
    refused("errors are too frequent", log, "--mtbe", "1ms")


def scenarios(folder):
    """Several draws, or those of a file: a row each, as in `simulate rigid`."""
    log = os.path.join(EXAMPLES, "tuesday.swf")
    jobs = rows(log)[1]["input"]["jobs"]
    given = write(folder, "failures.txt", "".join(
        " ".join(str((job * (scenario + 3)) % 7 // 5) for job in range(jobs)) + "\n" for scenario in range(3)))
    for words in (("-q", 0.3, "--seed", 5, "--scenarios", 3), ("--failures", given), ("--failures", given, "-n", 2)):
        found = kit.results("replay", log, "--policy", "fcfs,easy", *words)["rows"]
        found = [row for row in found if row["policy"] != "recorded"]
        each = os.path.join(folder, "each.csv")
        cosched("simulate", "rigid", log, "--arrivals", "--policy", "fcfs,strict-easy", "--per-scenario", each, *words)
        with open(each) as file:
            want = list(csv.DictReader(file))
        ok([row["scenario"] for row in found] == [int(row["scenario"]) for row in want], "%s: scenarios" % (words,))
        ok([row["failed_attempts"] for row in found] == [float(row["failures"]) for row in want], "%s: failures" % (words,))
        ok(all(abs(row["mean_wait_of_jobs"] - float(other["mean_wait"])) < 1e-6 for row, other in zip(found, want)),
           "%s: waits" % (words,))
    lines = table(log, "-q", 0.3, "-n", 2).splitlines()
    ok([line.split(",")[:3] for line in lines[-2:]] == [["easy", "fcfs", "0"], ["easy", "fcfs", "1"]], "scenarios in CSV")
    refused("found 3 scenarios, expected 4", log, "--failures", given, "-n", 4)
    refused("found 2 numbers, expected one for each of the %d jobs" % jobs, log, "--failures", write(folder, "few.txt", "1 2\n"))
    refused("--jobs is for one scenario, not for 3", log, "--failures", given, "--jobs", os.path.join(folder, "never.csv"))
    refused("--mean-failure-probability, --mtbe, --failures: found several, expected one of them", log, "--failures", given, "-q", 0.1)
    refused("--grace is for --overrun", log, "--grace", 60, status=2)


def schedules(folder):
    """The schedule of one policy, judged by `check` from its bars."""
    log = os.path.join(EXAMPLES, "tuesday.swf")
    path = os.path.join(folder, "schedule.json")
    for words in ((log, "--policy", "conservative", "-q", 0.3, "--verification", 20), (log, "--policy", "shelf"),
                  (log, "--overrun", "kill", "--grace", "1min", "--failures", write(
                      folder, "one.txt", "1 " * rows(log)[1]["input"]["jobs"])),
                  (SACCT, "--nodes", 16), (SACCT, "--machine", CONF, "--alloc", "node", "--policy", "slurm")):
        found = [row for row in kit.results("replay", *words, "-o", path)["rows"] if row["policy"] != "recorded"]
        cosched("check", path)
        with open(path) as file:
            made = json.load(file)
        ok(len(made["bars"]) == len(made["tasks"]) + found[0]["failed_attempts"], "%s: a bar for every attempt" % (words[1:],))
        ok(made["makespan"] == found[0]["makespan"], "%s: it ends as the row says" % (words[1:],))
        ok(made["inputs"][0]["file"] == words[0], "%s: it says what it was made from" % (words[1:],))
    picture = os.path.join(folder, "schedule.svg")
    cosched("replay", SACCT, "--nodes", 16, "--gantt", picture)
    with open(picture) as file:
        ok("sacct.txt" in file.read(), "the picture has a title")
    halves = write(folder, "halves.csv", "job_id,submission_time,requested_number_of_resources,requested_time,execution_time\n"
                   "1,0.5,2,10,0.3\n2,0.7,3,10,1.1\n3,1000.1,1,10,2.7\n")
    cosched("replay", halves, "--procs", 3, "-o", path)
    cosched("check", path)
    refused("not for 2 rows", log, "--policy", "fcfs,easy", "-o", path)
    refused("not for 2 rows", log, "-q", 0.1, "-n", 2, "--gantt", picture)
    refused("nodes are shared: --jobs needs no names", SACCT, "--machine", CONF, "--alloc", "pooled", "-o", path)
    refused("nodes are shared: --jobs needs no names", SACCT, "--machine", CONF, "--alloc", "packed", "-o", path)
    down = write(folder, "down.csv", "start,end,count,kind\n2026-01-07T00:00:00,2026-01-08T00:00:00,8,down\n")
    refused("an outage ended attempts", SACCT, "--nodes", 16, "--outages", down, "-o", path)


def sweeps(folder):
    """What a cell of a sweep measures is what `cosched replay` says, in its words and under its names."""
    outages = write(folder, "away.csv", "start,end,count,kind\n2026-01-07T00:00:00,2026-01-08T00:00:00,4,down\n")
    names = ["p95_wait_of_jobs", "p99_wait_of_jobs", "area_weighted_wait", "loss_of_capacity", "median_bounded_slowdown",
             "p95_bounded_slowdown", "mean_queue", "overtakes", "raised_estimates", "killed_jobs",
             "processor_seconds_not_done", "extensions", "requeued_attempts", "reservations_delayed", "fairness_jobs",
             "unfair_jobs", "mean_unfairness", "mean_bounded_slowdown", "mean_wait", "max_wait", "failures", "window_utilisation"]
    renamed = {"window_utilisation": "utilisation", "mean_wait": "mean_wait_of_jobs", "max_wait": "longest_wait_of_jobs", "failures": "failed_attempts"}
    for given in ({"machine": CONF, "estimates": "last2", "overrun": "extend"}, {"machine": CONF, "policy": "slurm"},
                  {"machine": CONF, "alloc": "pooled", "policy": "conservative", "user_jobs": 5},
                  {"nodes": 16, "outages": outages, "priority": "wfp3", "fairness": 40},
                  {"nodes": 16, "overrun": "kill", "grace": 60, "warmup": "1d", "cooldown": "1d", "arrive": "submit"},
                  {"procs": 512, "from": "2026-01-08", "to": "2026-01-12", "zone": "Europe/Berlin"},
                  {"procs": 512, "overrun": "kill", "mtbe": "3000d", "verification": 60}, {"procs": 512}):
        words = [str(word) for name, value in given.items() for word in ("--" + name.replace("_", "-"), value)]
        path = write(folder, "sweep.json", json.dumps({
            "title": "one", "problem": "rigid", "seed": 7, "set": {"arrivals": True, "input": SACCT, **given},
            "vary": {"bound": ["plain"]}, "metrics": names}))
        found = json.loads(cosched("campaign", "run", path, "--store", ":memory:", "--format", "json")[0])
        ok(len(found) == 1, "one cell")
        if "mtbe" not in given:
            row = [row for row in kit.results("replay", SACCT, *words)["rows"] if row["policy"] != "recorded"][0]
        else:
            ok(found[0]["failures_mean"] > 0, "attempts fail in sweeps")
            continue
        for name in names:
            want = row[renamed.get(name, name)]
            got = found[0][name + "_mean"]
            ok(got is None and want is None or abs(got - want) <= 1e-9 * abs(want), "%s: %s is %s, %s" % (given, name, got, want))
    for given, message in (({"machine": CONF, "arrivals": False}, "machine is for arrivals"),
                           ({"nodes": 16, "machine": CONF}, "found the machine size in --nodes and --machine, expected one of them"),
                           ({"grace": 60}, "grace is for overrun"),
                           ({"nodes": 16, "priority": "fast"}, "priority"),
                           ({"machine": "nothing.conf"}, "nothing.conf")):
        path = write(folder, "never.json", json.dumps({
            "title": "one", "problem": "rigid", "set": {"arrivals": True, "input": SACCT, **given},
            "vary": {"policy": ["easy"]}, "metrics": ["mean_wait"]}))
        kit.refused(message, "campaign", "run", path, "--store", ":memory:")


def units_and_machines(folder):
    cores = rows(SACCT, "--procs", 512)[0]["easy", "fcfs"]
    nodes = rows(SACCT, "--nodes", 16)[0]["easy", "fcfs"]
    whole = rows(SACCT, "--machine", write(folder, "m.json", '{"alloc": "node", "groups": '
                 '[{"name": "all", "nodes": 16, "cores": 32}]}'))[0]["easy", "fcfs"]
    ok(cores["mean_wait_of_jobs"] == nodes["mean_wait_of_jobs"] == whole["mean_wait_of_jobs"],
       "whole nodes are the same counted as cores, as nodes, and in a file")
    ours, found = rows(SACCT, "--machine", CONF, "--policy", "slurm,easy")
    ok(("slurm:interval=60,depth=500,window=172800", "slurm") in ours and ("easy", "fcfs") in ours,
       "slurm.conf has parameters and the priority of the policy slurm")
    ok([group["nodes"] for group in found["machine"]["groups"]] == [14, 2], "and groups of nodes")
    for words, told in (([], True), (["--overrun", "extend"], True), (["--overrun", "kill"], False)):
        done = subprocess.run([kit.COSCHED, "replay", SACCT, "--machine", CONF, *words], text=True, capture_output=True)
        ok(("slurm.conf: OverTimeLimit counts with --overrun kill only: 11 jobs that ran longer" in done.stderr) == told,
           "%s: OverTimeLimit is not passed over in silence: %s" % (words, done.stderr))
    refused("found the machine size in --procs and --machine, expected one of them", SACCT, "--procs", 3, "--machine", CONF)
    away = write(folder, "away.csv", "start,end,count,kind,group\n0,1,1,down,thin\n")
    refused("away.csv:2: column group: there is no group \"thin\"; the machine has g0 (from ", SACCT, "--machine", CONF,
            "--outages", away)
    refused("there is no group \"b\"", SACCT, "--machine", write(folder, "bad.json",
            '{"alloc": "node", "groups": [{"name": "a", "nodes": 1}], "partitions": [{"name": "p", "groups": ["b"]}]}'))


def who_may_never_run():
    """A job that is alone above the limit of its user is left out, and counted for each policy."""
    found, whole = rows(SACCT, "--nodes", 16, "--policy", "easy,conservative", "--user-procs", 4)
    easy = found["easy", "fcfs"]
    ok(easy["jobs_over_limit"] > 0 and easy["jobs"] + easy["jobs_over_limit"] == whole["input"]["jobs"], "over the limit: %s of %s" % (
        easy["jobs_over_limit"], whole["input"]["jobs"]))
    ok(found["conservative", "fcfs"]["jobs_over_limit"] == easy["jobs_over_limit"], "under any policy")
    ok(found["recorded", None]["jobs_over_limit"] == 0, "what happened has happened")
    done = subprocess.run([kit.COSCHED, "replay", SACCT, "--nodes", "4", "--zone", "Europe/Berlin"], text=True, capture_output=True)
    ok("; the first is on 2026-01-" in done.stderr, "instants have dates where the log has: %s" % done.stderr)


ONE_POOL = """; MaxProcs: 10
; UnixStartTime: 0
1 0 -1 1000 6 -1 -1 6 1000 -1 1 1 1 1 1 1 -1 -1
2 1 -1 500 8 -1 -1 8 500 -1 1 1 1 1 1 1 -1 -1
3 2 -1 500 9 -1 -1 9 500 -1 1 1 1 1 1 1 -1 -1
4 3 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
5 4 -1 100 4 -1 -1 4 100 -1 1 2 1 1 1 1 -1 -1
6 5 -1 2000 1 -1 -1 1 2000 -1 1 2 1 1 1 1 -1 -1
7 6 -1 50 3 -1 -1 3 50 -1 1 3 1 1 1 1 -1 -1
"""
OVERTAKEN = """JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|NNodes|AllocCPUS|State
1|u|x|a|n|0|0|100|100|10|1|1|COMPLETED
2|u|x|a|n|1|100|110|10|1|1|1|COMPLETED
3|u|x|ab|n|2|110|120|10|1|2|2|COMPLETED
4|u|x|b|n|3|120|130|10|1|1|1|COMPLETED
"""
TWO_NODES = {"format": "cosched-machine-1", "alloc": "node", "groups": [{"name": name, "nodes": 1, "cores": 1} for name in "ab"],
             "partitions": [{"name": "a", "groups": ["a"]}, {"name": "b", "groups": ["b"]}, {"name": "ab", "groups": ["a", "b"]}]}


def spans(path):
    with open(path) as file:
        return {row["job_id"]: (float(row["start"]), float(row["end"])) for row in csv.DictReader(file)}


def users_on_one_pool(folder):
    """user=N of slurm counts the jobs of a user also where processors are all there is."""
    log, jobs = write(folder, "one-pool.swf", ONE_POOL), os.path.join(folder, "one-pool.csv")
    cosched("replay", log, "--policy", "slurm:user=1", "--jobs", jobs)
    seen = spans(jobs)
    ok([seen[job] for job in "4567"] == [(2000, 2100), (30, 130), (150, 2150), (150, 200)], "user=1: %s" % seen)
    cosched("replay", log, "--policy", "slurm", "--jobs", jobs)
    ok(spans(jobs)["4"] == (30, 130), "without it the job of the busy user is backfilled")


def pools_in_common(folder):
    """fcfs: no job starts past one that waits for the same nodes, whatever their partitions; the checker agrees."""
    log, jobs = write(folder, "over.txt", OVERTAKEN), os.path.join(folder, "over.csv")
    machine = write(folder, "two.json", json.dumps(TWO_NODES))
    cosched("replay", log, "--machine", machine, "--policy", "fcfs", "--jobs", jobs)
    seen = spans(jobs)
    ok(seen["3"] == (110, 120) and seen["4"] == (120, 130), "a job that waits behind another one holds its nodes: %s" % seen)
    cosched("check", jobs, "--log", log, "--machine", machine, "--rule", "fcfs")
    cosched("replay", log, "--machine", machine, "--policy", "greedy", "--jobs", jobs)
    told = cosched("check", jobs, "--log", log, "--machine", machine, "--rule", "fcfs", status=1)[0]
    ok("job 4 starts at 3 s, before job 3, which was submitted earlier, waits for the same nodes and starts at 110 s" in told, told)
    tiers = dict(TWO_NODES, partitions=[*TWO_NODES["partitions"][:2], {"name": "ab", "groups": ["a", "b"], "tier": 2}])
    machine = write(folder, "tiers.json", json.dumps(tiers))
    cosched("replay", log, "--machine", machine, "--policy", "fcfs", "--jobs", jobs)
    seen = spans(jobs)
    ok((seen["2"], seen["3"], seen["4"]) == ((110, 120), (100, 110), (110, 120)), "tiers come first: %s" % seen)
    cosched("check", jobs, "--log", log, "--machine", machine, "--rule", "fcfs")
    cosched("replay", log, "--machine", write(folder, "two.json", json.dumps(TWO_NODES)), "--policy", "fcfs", "--jobs", jobs)
    told = cosched("check", jobs, "--log", log, "--machine", machine, "--rule", "fcfs", status=1)[0]
    ok("which waits in a partition of a higher tier and starts at" in told, told)


def sacct_with_tres(*jobs):
    """A job of a node and 4 cores each: id, submit, run, TRES."""
    head = "JobID|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|AllocCPUS|AllocTRES|State\n"
    return head + "".join("%d|u%d|a|p|%d|%d|%d|%d|%d|120|1|4|billing=4,cpu=4,mem=4000M,node=1%s|COMPLETED\n" % (
        number, number, 1000 + submit, 1000 + submit, 1000 + submit, 1000 + submit + run, run, tres) for number, submit, run, tres in jobs)


def conf_of(folder, nodes, select="CR_Core_Memory", partition=""):
    return write(folder, "machine.conf", "ClusterName=x\nSelectType=select/cons_tres\nSelectTypeParameters=%s\n%s\n"
                 "PartitionName=p Nodes=ALL Default=YES %s\n" % (select, "\n".join(nodes), partition))


def memory_that_does_not_count(folder):
    log = write(folder, "memory.txt", sacct_with_tres((1, 0, 100, ""), (2, 10, 100, "")))
    for select, nodes, jobs in (("CR_Core", ["NodeName=c[1-4] CPUs=4"], 2), ("CR_CPU", ["NodeName=c[1-4] CPUs=4 RealMemory=10"], 2),
                                ("CR_Core_Memory", ["NodeName=c[1-4] CPUs=4 RealMemory=4000"], 2),
                                ("CR_Core_Memory", ["NodeName=c[1-4] CPUs=4"], 2)):
        out, told = cosched("replay", log, "--machine", conf_of(folder, nodes, select), "--policy", "slurm")
        ok("2 jobs of 2 lines" in out, "%s, %s: memory counts only with *_Memory" % (select, nodes))
        ok(("no node has a RealMemory" in told) == (select == "CR_Core_Memory" and "RealMemory" not in nodes[0]), told)
    refused("no job is left: 2 lines, of which 2 wider than the machine", log, "--machine",
            conf_of(folder, ["NodeName=c1 CPUs=4 RealMemory=3999"]))
    machine = {"alloc": "pooled", "groups": [{"name": "g", "nodes": 4, "cores": 4}]}
    ok(rows(log, "--machine", write(folder, "plain.json", json.dumps(machine)))[1]["input"]["jobs"] == 2, "nor where JSON has none")


def types_of_gpus(folder):
    """Each type is a resource; who names none takes them in the order of the node's list. The checker knows them too."""
    jobs = os.path.join(folder, "types.csv")

    def starts(log, nodes, *words, partition="", policy="greedy"):
        path, conf = write(folder, "types.txt", sacct_with_tres(*log)), conf_of(folder, nodes, partition=partition)
        out, told = cosched("replay", path, "--machine", conf, "--policy", policy, "--priority", "fcfs", "--jobs", jobs, *words)
        rule = {"easy": "easy", "conservative": "conservative-exact", "fcfs": "fcfs"}.get(policy, "valid")
        verdict = cosched("check", jobs, "--log", path, "--machine", conf, "--rule", rule, *words)[0]
        ok(": valid" in verdict, "%s %s: %s" % (policy, words, verdict))
        return {int(job): int(begin - 1000) for job, (begin, _) in spans(jobs).items()}, out, told
    apart = ["NodeName=a1 CPUs=32 RealMemory=120000 Gres=gpu:a100:2(S:0-1)", "NodeName=v1 CPUs=32 RealMemory=120000 Gres=gpu:v100:2"]
    log = [(1, 0, 3600, ",gres/gpu:a100=2"), (2, 10, 3600, ",gres/gpu:a100=1,gres/gpu=1"), (3, 20, 3600, ",gres/gpu:v100=2,gres/gpu=2"),
           (4, 30, 3600, ",gres/gpu:h100=1"), (5, 40, 3600, "")]
    for words in ((), ("--alloc", "packed")):
        seen, out, told = starts(log, apart, *words)
        ok(seen == {1: 0, 2: 3600, 3: 20, 5: 40}, "types are not mixed: %s" % seen)
        ok("1 job left out: no node has what it asks for, gpu:h100" in told and "left out: 1 wider than the machine" in out, told)
        found, all_of_it = rows(os.path.join(folder, "types.txt"), "--machine", os.path.join(folder, "machine.conf"), *words)
        ok([group["gres"] for group in all_of_it["machine"]["groups"]] == [{"gpu:a100": 2}, {"gpu:v100": 2}], "groups show their types")
    seen = starts(log[:3] + log[4:], apart, partition="OverSubscribe=EXCLUSIVE")[0]
    ok(seen == {1: 0, 2: 3600, 3: 20, 5: 3620}, "whole nodes have to have the type: %s" % seen)
    mixed = ["NodeName=m1 CPUs=32 RealMemory=120000 Gres=gpu:a100:2,gpu:v100:2,shard:4"]
    log = [(1, 0, 1000, ",gres/gpu=3"), (2, 10, 1000, ",gres/gpu:a100=1"), (3, 20, 1000, ",gres/gpu:v100=1"), (4, 30, 1000, ",gres/gpu=2"),
           (5, 40, 100, ",gres/shard=4"), (6, 50, 100, ",gres/shard=1")]
    for words in ((), ("--alloc", "packed")):
        for policy, want in (("greedy", {1: 0, 2: 1000, 3: 20, 4: 1000, 5: 40, 6: 140}), ("fcfs", {1: 0, 2: 1000, 3: 1000, 4: 1000, 5: 1000, 6: 1100}),
                             ("easy", {1: 0, 2: 1000, 3: 20, 4: 1000, 5: 40, 6: 140}), ("conservative", {1: 0, 2: 1000, 3: 20, 4: 1000, 5: 40, 6: 140})):
            seen, _, told = starts(log, mixed, *words, policy=policy)
            ok(seen == want, "%s %s: any type in the order of the list: %s" % (policy, words, seen))
            ok(told.count("shard and mps are counted as separate resources, not tied to GPUs") == 1, "once")
    table = open(jobs).read()
    ok(",2,1,u2,p,4,1010,2000,3000" in table, "row of job 2")
    worse = write(folder, "worse.csv", table.replace("1010,2000,3000", "1010,1010,2010").replace(",990,1.99,", ",0,1,"))
    told = cosched("check", worse, "--log", os.path.join(folder, "types.txt"), "--machine", os.path.join(folder, "machine.conf"), status=1)[0]
    ok("gpu of g0 are in use from" in told or "gpu:a100" in told or "has wait" in told, told)
    told = starts([(1, 0, 100, "")], apart)[2]
    ok("the log records no GPUs (AccountingStorageTRES without gres/gpu); waiting for GPUs cannot be replayed" in told, told)
    ok("records no GPUs" not in starts([(1, 0, 100, ",gres/gpu=1")], apart)[2], "not where a job asks for one")


def random_types(folder):
    """The checker, which counts types by itself, finds nothing wrong on random machines and logs."""
    jobs = os.path.join(folder, "random.csv")
    for seed in range(6):
        rng = random.Random(seed)
        lists = [",".join(rng.sample(["gpu:a100:2", "gpu:v100:1", "gpu:4", "shard:4", "gpu:1g.5gb:3"], rng.randint(0, 3))) for _ in range(3)]
        nodes = ["NodeName=%s[1-2] CPUs=8 RealMemory=16000 %s" % (name, "Gres=" + gres if gres else "") for name, gres in zip("abc", lists)]
        conf = conf_of(folder, nodes, partition=rng.choice(["", "OverSubscribe=EXCLUSIVE"]))
        submit, log = 0, []
        for number in range(1, 41):
            submit += rng.randint(0, 60)
            wanted = rng.sample(["gpu=1", "gpu=2", "gpu:a100=1", "gpu:a100=2", "gpu:v100=1", "shard=3", "gpu:1g.5gb=2"], rng.choice([0, 1, 1, 2]))
            log.append((number, submit, rng.randint(1, 500), "".join(",gres/" + one for one in wanted)))
        path = write(folder, "random.txt", sacct_with_tres(*log))
        for words in ((), ("--alloc", "packed")):
            for policy, rule in (("fcfs", "fcfs"), ("easy", "easy"), ("conservative", "conservative-exact"), ("slurm", "valid")):
                cosched("replay", path, "--machine", conf, "--policy", policy, "--priority", "fcfs", "--jobs", jobs, *words)
                cosched("check", jobs, "--log", path, "--machine", conf, "--rule", rule, *words)


def nodes_and_keys(folder):
    """What is out of service, what raises and bounds jobs, what is named, files that are included."""
    log = write(folder, "nodes.txt", sacct_with_tres((1, 0, 100, ""), (2, 10, 100, "")))
    conf = write(folder, "keys.conf", "CompleteWait=60\nSchedulerParameters=defer,bf_max_time=30\nInclude parts.conf\n"
                 "PartitionName=p Nodes=ALL Default=YES MinNodes=2 MaxNodes=2 LLN=YES OverSubscribe=EXCLUSIVE\n")
    write(folder, "parts.conf", "NodeName=n[1-4] CPUs=4\nNodeName=n[5-6] CPUs=4 State=DOWN\nDownNodes=n4\nEpilog=/e\n")
    out, told = cosched("replay", log, "--machine", conf, "--policy", "slurm")
    ok(told.count("not modelled") == 1 and "not modelled, and it changes scheduling: CompleteWait (line 1), defer (line 2), bf_max_time (line 2), "
       "Epilog (%s:4), LLN (line 4)" % os.path.join(folder, "parts.conf") in told, told)
    ok("on 3 nodes" in out and "out of service: 3 nodes with 12 processors (3 down)" in out, "what is down is not there: %s" % out)
    found, all_of_it = rows(log, "--machine", conf)
    ok(all_of_it["machine"]["out_of_service"] == {"down": 3, "drained": 0, "future": 0, "procs": 12}, "JSON has it too")
    ok(found["easy", "fcfs"]["mean_wait_of_jobs"] == 45, "MinNodes raises a job to two of the three nodes: %s" % found["easy", "fcfs"])
    out = cosched("replay", write(folder, "wide.txt", open(log).read().replace("node=1", "node=3", 1)), "--machine", conf)[0]
    ok("left out: 1 wider than the machine" in out, "MaxNodes bounds them")
    jobs = os.path.join(folder, "up.csv")
    out = cosched("replay", log, "--machine", conf, "--assume-up", "--jobs", jobs)[0]
    ok("on 6 nodes" in out and "out of service" not in out, "--assume-up counts them all the same: %s" % out)
    cosched("check", jobs, "--log", log, "--machine", conf, "--assume-up")
    os.remove(os.path.join(folder, "parts.conf"))
    refused("keys.conf:3: Include parts.conf: %s" % os.path.join(folder, "parts.conf"), log, "--machine", conf)
    shown = write(folder, "shown.txt", "Configuration data as of 2026-01-05T08:00:00\nSelectTypeParameters    = CR_CORE\nEpilog   = /e\n"
                  "CompleteWait            = 0 sec\n\nNodeName=n1 Arch=x86_64 CoresPerSocket=4 \n   CPUAlloc=0 CPUTot=8\n   State=IDLE+DRAIN\n\n"
                  "NodeName=n2 Arch=x86_64 CoresPerSocket=4 \n   CPUAlloc=0 CPUTot=8\n   State=IDLE\n\n"
                  "PartitionName=p\n   AllowGroups=ALL\n   Default=YES Nodes=n[1-2]\n   State=UP\n\n")
    ok("machine (scontrol), 1 partition" in cosched("what", shown)[0], "what scontrol shows is a machine")
    out, told = cosched("replay", log, "--machine", shown)
    ok("on 8 processors" in out and "1 drained" in out and "changes scheduling: Epilog (line 3)" in told, "and replayed on: %s %s" % (out, told))
    conf = write(folder, "set.conf", "NodeName=n[1-2] CPUs=4\nNodeSet=big Nodes=n[1-2]\nPartitionName=p Nodes=big Default=YES DefaultTime=1\n")
    ok("on 8 processors" in cosched("replay", log, "--machine", conf)[0], "sets of nodes")
    open_end = write(folder, "open.txt", open(log).read().replace("|120|", "||"))
    cosched("replay", open_end, "--machine", conf, "--jobs", os.path.join(folder, "usual.csv"), "--overrun", "kill")
    with open(os.path.join(folder, "usual.csv")) as file:
        ok([row["request"] for row in csv.DictReader(file)] == ["60", "60"], "DefaultTime is used by jobs without a request")
    cosched("check", os.path.join(folder, "usual.csv"), "--log", open_end, "--machine", conf, "--overrun", "kill")


def no_job_is_left(folder):
    """A replay of nothing is an error, and nothing is written."""
    jobs = os.path.join(folder, "none.csv")
    log = write(folder, "wide.swf", "\n".join(line for line in ONE_POOL.splitlines() if not line.startswith(("6", "7"))))
    refused("wide.swf: no job is left: 5 lines, of which 5 wider than the machine (the first is line 3)", log, "--procs", 3, "--jobs", jobs)
    ok(not os.path.exists(jobs), "nothing is written")
    log = write(folder, "mixed.swf", ONE_POOL.replace(" 500 8", " 0 8").replace(" 50 3", " -1 3"))
    refused("mixed.swf: no job is left: 7 lines, of which 5 outside the dates (the first is line 3), 2 runtime missing or <= 0", log,
            "--from", "1980-01-01")
    refused("standard input: no job is left: 0 lines", "-", given="; MaxProcs: 4\n")
    refused("no job is left: each wants more than the 1 processors of --user-procs",
            write(folder, "limit.swf", ONE_POOL.replace(" 2000 1 ", " 2000 2 ")), "--user-procs", 1)


def promises(folder):
    for compress in ("full", "20", "now", "none"):
        row = rows(SACCT, "--nodes", 16, "--policy", "conservative:compress=" + compress)[0]
        row = row["conservative:compress=" + compress, "fcfs"]
        ok(row["reservations_delayed"] == 0 and row["latest_after_promise"] <= 0, "conservative keeps its promises: " + compress)


def second_opinions(folder):
    """The checker knows nothing of the driver."""
    log = os.path.join(EXAMPLES, "tuesday.swf")
    jobs = os.path.join(folder, "judged.csv")
    for policy, rules in (("fcfs", ("fcfs", "easy")), ("easy", ("easy",)), ("conservative", ("conservative", "conservative-exact"))):
        for overrun in (("raise",), ("kill", "--grace", 60), ("kill",), ("extend",)):
            cosched("replay", log, "--policy", policy, "--jobs", jobs, "--overrun", *overrun)
            for rule in rules:
                cosched("check", jobs, "--log", log, "--rule", rule, "--overrun", *overrun)
    cosched("replay", log, "--policy", "greedy", "--jobs", jobs)
    told = cosched("check", jobs, "--log", log, "--rule", "fcfs", status=1)[0]
    ok("which was submitted earlier and starts at" in told, "greedy overtakes")


def opinions_of_a_site(folder):
    """Tables of sacct's logs: nodes, partitions, limits of users, outages, promises computed again."""
    jobs, outages = os.path.join(folder, "site.csv"), write(folder, "outages.csv", OUTAGES)
    own = write(folder, "own.json", json.dumps({
        "alloc": "pooled", "groups": [{"name": "thin", "nodes": 14, "cores": 32, "memory": 122880},
                                      {"name": "gpu", "nodes": 2, "cores": 32, "memory": 245760, "gpus": 2}],
        "partitions": [{"name": "batch", "groups": ["thin", "gpu"], "default": True}, {"name": "gpu", "groups": ["gpu"]},
                       {"name": "debug", "groups": ["gpu", "thin"], "tier": 2}]}))
    for words in (("--nodes", 16, "--overrun", "kill", "--user-jobs", 4), ("--machine", CONF, "--user-procs", 6),
                  ("--machine", own, "--outages", outages, "--estimates", "exact"), ("--machine", own, "--alloc", "packed"),
                  ("--machine", own, "--outages", outages, "--alloc", "packed")):
        limited = 5 if words[-2] in ("--user-jobs", "--user-procs") else 0
        unknown = 5 if "packed" in words and outages in words else 0
        for policy, rule, status in (("fcfs", "fcfs", limited or unknown), ("easy", "easy", unknown),
                                     ("conservative", "conservative", unknown), ("greedy", "valid", unknown), ("conservative:compress=2", "conservative-exact", unknown)):
            cosched("replay", SACCT, *words, "--policy", policy, "--priority", "fcfs", "--jobs", jobs)
            told = cosched("check", jobs, "--log", SACCT, *words, "--rule", rule, status=status)[0]
            ok(("not judged" if unknown else "general rules only" if status else ": valid") in told and ": 0 jobs" not in told,
               "%s is %s: %s" % (policy, rule, told[-80:]))
    cosched("check", jobs, "--log", SACCT, *words, "--user-jobs", 20, "--rule", "limits", status=5)
    told = cosched("check", jobs, "--log", SACCT, *words, "--user-jobs", 2, "--rule", "limits", status=1)[0]
    ok("as number 3 of its user's running jobs: 2 are allowed" in told, "limits of users are seen")


OUTAGES = """start,end,count,kind,group,announced
2026-01-08T06:00:00,2026-01-08T18:00:00,2,maintenance,thin,
2026-01-12T00:00:00,2026-01-13T00:00:00,1,maintenance,gpu,
"""


def damage(rows, at, **changes):
    return [dict(row, **changes) if i == at else row for i, row in enumerate(rows)]


def damaged_tables(folder):
    """Every violation of a table has its sentence."""
    jobs, bad = os.path.join(folder, "good.csv"), os.path.join(folder, "bad.csv")
    words = ("--log", SACCT, "--nodes", 16)
    cosched("replay", SACCT, "--nodes", 16, "--policy", "conservative,greedy", "--jobs", jobs)
    told = cosched("check", jobs, *words)[0]
    ok("(conservative, fcfs): valid" in told and "(greedy, fcfs): valid" in told, "each policy has its verdict")
    kit.refused("is for the policy conservative, the table has greedy", "check", jobs, *words, "--rule", "conservative-exact")
    with open(jobs) as file:
        table = [row for row in csv.DictReader(file) if row["policy"] == "conservative"]
    late = next(i for i, row in enumerate(table) if float(row["wait"]) > 3600)
    row = table[late]
    after = {"start": str(float(row["start"]) + 1), "end": str(float(row["end"]) + 1)}
    before = {"start": str(float(row["submit"]) - 1), "end": str(float(row["end"]) - float(row["start"]) + float(row["submit"]) - 1)}
    beside = next(other for other in table if other is not row and float(other["start"]) < float(row["end"]) <= float(other["end"]))
    for rule, rows, message in (
            ("valid", table[1:], "of the log never runs"), ("valid", table + table[:1], "is in the table twice"),
            ("valid", damage(table, late, end=after["end"]), "it must end at"),
            ("valid", damage(table, late, **before), ", it arrives at"),
            ("valid", damage(table, late, procs="99"), "has 99 processors in the table"),
            ("valid", damage(table, late, killed="1"), "is declared as killed"),
            ("valid", damage(table, late, user="none"), 'has the user "none" in the table'),
            ("valid", damage(table, late, partition="none"), 'has the partition "none" in the table'),
            ("valid", damage(table, late, request="1"), "asks for 1 s in the table"),
            ("valid", damage(table, late, estimate="1"), "has the estimate 1 s in the table"),
            ("valid", damage(table, late, promise="0"), "before it arrives"),
            ("valid", damage(table, late, allocated=""), "the table has those of other jobs"),
            ("valid", damage(table, late, job_id="x"), "is job x in the table"),
            ("valid", damage(table, late, number="9999"), "the log has 332 jobs"),
            ("valid", damage(table, late, submit="1"), "arrives at 1 s in the table"),
            ("valid", damage(table, late, allocated="16"), "the machine has 16, from 0 on"),
            ("valid", damage(table, late, allocated="0-15"), "holds 16"),
            ("valid", damage(table, late, allocated=beside["allocated"]), "both hold number"),
            ("conservative", damage(table, late, promise=row["submit"]), "it was promised to start by"),
            ("conservative", [dict(row, promise="") for row in table], "the table has no promises"),
            ("conservative-exact", damage(table, late, promise=str(float(row["promise"]) + 1)), "the textbook promises")):
        with open(bad, "w", newline="") as file:
            out = csv.DictWriter(file, table[0])
            out.writeheader()
            out.writerows(rows)
        told = cosched("check", bad, *words, "--rule", rule, status=1)[0]
        ok(message in told, "%s: %s" % (message, told[:200]))
    told = cosched("check", jobs, *words, "--rule", "easy", status=1)[0]
    ok("it delays a job that is first in line" in told, "greedy does not keep the reservations of EASY")
    told = cosched("check", jobs, *words, "--rule", "fcfs", status=1)[0]
    ok("which was submitted earlier and starts at" in told, "and it overtakes")
    out = write(folder, "away.csv", OUTAGES.replace("thin", "").replace("gpu", "").replace(",2,", ",15,"))
    told = cosched("check", jobs, *words, "--outages", out, status=1)[0]
    ok("are in use from" in told and "there are 1" in told, "what is away cannot be used")
    cosched("replay", SACCT, "--nodes", 16, "--priority", "wfp3", "--jobs", jobs)
    kit.refused("is for the priority fcfs, the table has wfp3", "check", jobs, *words, "--rule", "easy")
    kit.refused("wants --user-jobs or --user-procs", "check", jobs, *words, "--rule", "limits")
    batsim = os.path.join(folder, "batsim.csv")
    cosched("replay", write(folder, "small.swf", SWF), "--jobs", batsim, "--jobs-format", "batsim")
    kit.refused("--nodes is for tables that 'replay --jobs' writes", "check", batsim, *words)


def doubts(folder):
    told = cosched("replay", SACCT, "--nodes", 16)[1]
    ok("the site did something else than this replay. Likely: " in told and "% of the recorded waiting" in told,
       "a replay that is far from the log says so, and why")
    shares = "3 partitions have 5 % of the processor time or more"
    mixed = SWF.replace("1 1 1 -1 1 1 -1 -1", "1 1 1 -1 1 2 -1 -1").replace("1 0 5 ", "1 0 900 ")
    for out in ((), ("--by", "user"), ("--format", "csv"), ("--format", "json")):
        told = cosched("replay", write(folder, "mixed.swf", mixed), *out)[1]
        ok(shares in told and "the log has" not in told, "partitions are a reason whatever comes out: %s" % (out,))
    told = cosched("replay", SACCT, "--nodes", 16)[1]
    ok(told.count("the log has 4 partitions and no --machine defines their nodes") == 1,
       "a log with several partitions is warned about once")
    ok("partitions and no" not in cosched("replay", SACCT, "--machine", CONF)[1], "not when a machine says what they are")
    few = write(folder, "few.swf", SWF.replace(" 5 100 ", " -1 100 ").replace(" 90 50 ", " -1 50 "))
    out, told = cosched("replay", few)
    ok("recorded" not in out and "fewer than half of the jobs have a recorded start" in told, "no row without starts")
    refused("none.swf: no job is left: 0 lines", write(folder, "none.swf", "; MaxProcs: 4\n"))
    log = write(folder, "names.swf", SWF)
    told = cosched("replay", log, "--policy", "r-list-1,list,greedy,easy", "--priority", "slurm")[1]
    ok(told.count("list:reservations=1 is R-LIST-1") == 1 and told.count("reservations=all renews reservations") == 1,
       "fresh rounds are not what their names were taken for")
    ok("the priority slurm has no weights" in told, "an order without weights is told")
    ok("has no weights" not in cosched("replay", SACCT, "--machine", CONF, "--policy", "slurm")[1], "not where there are some")
    ok("reservations" not in cosched("replay", log, "--policy", "greedy,easy,conservative")[1], "other policies are what they say")


def pages_of_what_was_kept(folder):
    """`report` and `plot` draw from the JSON what `replay` drew."""
    page, drawn, again = (os.path.join(folder, name) for name in ("page.html", "drawn.svg", "again.svg"))
    words = (SACCT, "--nodes", 16, "--policy", "fcfs,easy", "--zone", "Europe/Berlin")
    cosched("replay", *words, "--report", page, "--draw", drawn)
    text = cosched("replay", *words, "--format", "json")[0]
    kept = write(folder, "kept.json", text)

    def body(html):
        return html[html.index("<section"):html.index("<p>Made by")]
    found = cosched("report", kept)[0]
    ok(body(found) == body(open(page).read()) and "replay %s --nodes 16" % SACCT in found,
       "the page of the JSON is that of the replay, and says how it was made")
    ok(body(cosched("report", "-", given=text)[0]) == body(found), "from standard input too")
    cosched("plot", kept, "-o", again, "--width", "960px", "--title", "sacct.txt, replayed")
    ok(open(again).read() == open(drawn).read(), "the picture is the same, too")
    both = cosched("report", kept, kept)[0]
    ok(both.count(">kept.json: Policies<") == 2, "several replays on a page have their names: %d" % both.count("kept.json: Policies"))
    one = json.loads(text)
    cells = {cell["class"]: cell["jobs"] for cell in one["rows"][1]["tables"]["user"]}
    ok(sum(one["rows"][1]["series"]["arrivals"]) == sum(cells.values()) == 332, "curves and tables count every job")
    kit.refused("did you mean \"time\"", "plot", kept, "times", "-o", again)
    kit.refused("--metric is for stores", "plot", kept, "--metric", "wait", "-o", again)
    del one["time"]
    kit.refused("older version", "report", write(folder, "old.json", json.dumps(one)))


def places(value, way=()):
    """Every place in a document, those of long arrays by their first element."""
    yield way
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*way, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*way, 0))


def damaged_replays(folder):
    """Whatever stands where: a picture, or a sentence that names the place."""
    log = write(folder, "small.swf", SWF)
    text = cosched("replay", log, "--format", "json")[0]
    picture = os.path.join(folder, "damaged.svg")
    rng = random.Random(5)
    for way in rng.sample([way for way in places(json.loads(text)) if way], 60):
        damaged = json.loads(text)
        at = damaged
        for key in way[:-1]:
            at = at[key]
        at[way[-1]] = rng.choice([None, "x", -1, 1e300, -1e300, [], {}, [1], True])
        path = write(folder, "damaged.json", json.dumps(damaged))
        done = subprocess.run([kit.COSCHED, "plot", path, "-o", picture], text=True, capture_output=True)
        ok(done.returncode == 0 or (done.returncode == 1 and done.stderr.count("\n") == 1), "%s: %d %s" % (
            way, done.returncode, done.stderr[:200]))


def messages(folder):
    away = write(folder, "away.csv", "start,end,count,kind\n0,3600,99,down\n")
    refused("away.csv:2: column count: found \"99\", expected a whole number from 1 to 10", write(folder, "small.swf", SWF),
            "--outages", away)
    refused("--jobs-format batsim is for one policy", write(folder, "small.swf", SWF), "--policy", "easy,fcfs", "--jobs",
            os.path.join(folder, "j.csv"), "--jobs-format", "batsim")
    refused("this looks like JSON", write(folder, "plan.json", "{}"), "--procs", 4)
    refused("this looks like sacct without --parsable2", write(folder, "wide", "JobID    State\n------ -----\n"), "--procs", 4)
    refused("leave --noheader away", write(folder, "bare", "12|COMPLETED|3\n"), "--procs", 4)
    refused("is empty", write(folder, "empty", ""), "--procs", 4)
    bad = SWF + "".join("%d broken\n" % i for i in range(11))
    refused("11 of 14 lines are malformed, more than 1 %; the first is", write(folder, "bad.swf", bad))


def main():
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[3:] == ["check"]:
            errors(folder)
            second_opinions(folder)
            opinions_of_a_site(folder)
            damaged_tables(folder)
            types_of_gpus(folder)
        else:
            however_it_comes(folder)
            columns_in_any_order(folder)
            what_is_left_out()
            by_hand(folder)
            fairness(folder)
            scenarios(folder)
            schedules(folder)
            sweeps(folder)
            units_and_machines(folder)
            who_may_never_run()
            users_on_one_pool(folder)
            pools_in_common(folder)
            memory_that_does_not_count(folder)
            random_types(folder)
            nodes_and_keys(folder)
            no_job_is_left(folder)
            promises(folder)
            doubts(folder)
            pages_of_what_was_kept(folder)
            damaged_replays(folder)
            messages(folder)
    finish()


main()
