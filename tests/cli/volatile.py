#!/usr/bin/env python3
"""`cosched simulate volatile`, `generate volatile` and `fit availability` as a user meets them.

usage: tests/cli/volatile.py COSCHED EXAMPLES
"""

import csv
import io
import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, results, write

EXAMPLES = sys.argv[2]
SIM = ("simulate", "volatile")
CHAIN = [[0.9, 0.05, 0.05], [0.2, 0.7, 0.1], [0.3, 0, 0.7]]


def scenario(folder, name="scenario.json", hosts=None, **more):
    document = {
        "format": "cosched-volatile-1",
        "application": {"tasks": 2, "iterations": 2, "program": 2, "data": 1, "transfers": 1,
                        "cap": 1000},
        "hosts": hosts or [{"name": "P%d" % q, "slots": q + 1, "chain": CHAIN} for q in range(4)],
    }
    document.update(more)
    return write(folder, name, json.dumps(document))


def traced(folder, *traces, **more):
    return scenario(folder, hosts=[{"name": "P%d" % (q + 1), "slots": 2, "capacity": 1, "trace": t}
                                   for q, t in enumerate(traces)], **more)


def by_hand(folder):
    """Two hosts of capacity 1, one transfer at a time: program 2, data 1, work 2 slots.

    P1 receives in slots 0 to 2, P2 in 3 to 5, both compute in 6 and 7; the second iteration needs
    data only: P1 in 8, P2 in 9, both compute in 10 and 11."""
    calm = traced(folder, "u" * 24, "u" * 24)
    run = [*SIM, calm, "--model", "fitted", "--history", 4, "-n", 1, "--policy", "ie"]
    found = results(*run)["results"][0]
    ok(found["failed"]["mean"] == 0 and found["makespan"]["mean"] == 12, "twelve slots, as by hand")
    ok(found["ratio"]["mean"] >= 1, "not below the bound")
    ok(found["aborts"]["mean"] == 0 and found["installed"]["mean"] == 2, "two configurations")
    made, picture = (os.path.join(folder, name) for name in ("s.json", "s.svg"))
    cosched(*run, "--schedule", made, "--gantt", picture)
    ok("valid: problem volatile, 2 tasks, 10 bars, makespan 12 slots" in cosched("check", made)[0],
       "its schedule is valid, and counted in slots")
    svg = read(picture)
    ok("iteration 2" in svg and "P2 receives the program, iteration 1" in svg, "and drawn")
    document = json.loads(read(made))
    ok(document["hosts"][0]["trace"] == "u" * 12, "the states that were met are in it")
    hurt = traced(folder, "uuuu" + "uuuuuurd" + "u" * 20, "uuuu" + "u" * 28)
    found = results(*SIM, hurt, "--model", "fitted", "--history", 4, "-n", 1, "--policy", "ie")
    ok(found["results"][0]["aborts"]["mean"] == 1, "a host that is down ends a configuration")


def optima(folder):
    """Three hosts of capacity 1 and two slots a task, nothing transferred: the case that is worked
    out in tests/property/volatile_optimum.c ends after 8 slots."""
    free = {"tasks": 2, "iterations": 2, "program": 0, "data": 0, "transfers": 1, "cap": 1000}
    states = ("uurduuuuuu", "urduuuduuu", "ruuuuruuuu")
    calm = traced(folder, *states, application=free, name="free.json")
    rows = os.path.join(folder, "bounds.csv")
    run = [*SIM, calm, "--model", "fitted", "--history", 1, "-n", 1, "--policy", "ie"]
    out = results(*run, "--per-scenario", rows)
    ok(out["offline"] == "offline-1" and out["optima"] == 1, "the paper's problem, solved")
    row = next(csv.DictReader(io.StringIO(read(rows))))
    ok(row["lower_bound"] == "7" and row["optimum"] == "1", "the optimum by hand, a slot later")
    told = cosched(*run)[0]
    ok("bound: the optimum of who knows all states (offline-1)" in told and
       "makespan / bound" in told, "people are told what the ratio is to")
    out = results(*run, "--bound", "clairvoyant", "--per-scenario", rows)
    row = next(csv.DictReader(io.StringIO(read(rows))))
    ok("offline" not in out and out["optima"] == 0 and row["optimum"] == "0" and
       int(row["lower_bound"]) <= 7, "a bound when that is asked for")
    made = json.loads(cosched("generate", "volatile", "--hosts", 9)[0])
    made["application"].update(program=0, data=0)
    made = write(folder, "any.json", json.dumps(made))
    part = [*SIM, made, "-n", 12, "--policy", "ie,y-ie", "--search-limit", 5000]
    out, whole = results(*part), results(*SIM, made, "-n", 12, "--bound", "optimum")
    ok(out["offline"] == "offline" and 0 < out["optima"] < 12, "patience ends in %d of 12" %
       (12 - out["optima"]))
    ok(whole["optima"] == 12, "and without end it finds them all")
    told = cosched(*part)[0]
    ok("(offline) in %d scenario" % out["optima"] in told and
       "a bound on it (clairvoyant) in %d" % (12 - out["optima"]) in told and
       "over bound" in told, "a mixture is called one")
    ok("bound that is the optimum (%)" in cosched(*part[:5], "--search-limit", 5000)[0], "in detail too")
    cosched(*part, "--per-scenario", rows)
    kinds = [r["optimum"] for r in csv.DictReader(io.StringIO(read(rows)))]
    ok(kinds.count("1") == 2 * out["optima"] and kinds.count("0") == 2 * (12 - out["optima"]),
       "scenario by scenario")
    table = next(csv.DictReader(io.StringIO(cosched(*part, "--format", "csv")[0])))
    ok(abs(float(table["optimum_mean"]) - out["optima"] / 12) < 1e-12, "and in CSV")
    never = traced(folder, "uuuuuuuu", "dddddddd", application=free, name="never.json")
    told = cosched(*SIM, never, "-n", 1)[0]
    ok("in 1 scenario no policy could have ended in time" in told, "nobody could have ended")
    refused("--bound optimum: the off-line problem knows no transfers, and the program takes 2 "
            "slots, the data 1", *SIM, scenario(folder), "--bound", "optimum")


def plans(folder):
    """The shortest schedule when all states are known, for the same three hosts."""
    free = {"tasks": 2, "iterations": 2, "program": 0, "data": 0, "transfers": 1, "cap": 1000}
    states = ("uurduuuuuu", "urduuuduuu", "ruuuuruuuu")
    calm = traced(folder, *states, application=free, name="free.json")
    made, picture = (os.path.join(folder, name) for name in ("best.json", "best.svg"))
    plan = ("plan", "volatile")
    out = json.loads(cosched(*plan, calm, "--format", "json", "--schedule", made, "--gantt",
                             picture)[0])
    ok(out["makespan"] == 8 and out["problem"] == "offline-1" and out["possible"], "as by hand")
    ok(out["iterations"] == [{"from": 3, "to": 4, "workload": 2, "tasks": [0, 1, 1]},
                             {"from": 6, "to": 7, "workload": 2, "tasks": [1, 0, 1]}], "and how")
    ok("valid: problem volatile, 2 tasks, 4 bars, makespan 8 slots" in cosched("check", made)[0],
       "its schedule is valid")
    ok("offline-1" in read(picture) and "iteration 2" in read(picture), "and drawn")
    told = cosched(*plan, calm)[0]
    ok("problem offline-1: 8 slots, no schedule is shorter" in told and "P1 P3" in told, "in words")
    rows = list(csv.DictReader(io.StringIO(cosched(*plan, calm, "--format", "csv")[0])))
    ok([r["hosts"] for r in rows] == ["P2 P3", "P1 P3"], "and in CSV")
    chains = scenario(folder, application=free, name="chains.json")
    table = os.path.join(folder, "scenarios.csv")
    cosched(*SIM, chains, "-n", 4, "--seed", 5, "--per-scenario", table)
    bounds = [int(r["lower_bound"]) for r in csv.DictReader(io.StringIO(read(table)))]
    for scenario_, bound in enumerate(bounds):
        out = json.loads(cosched(*plan, chains, "--seed", 5, "--scenario", scenario_, "--format", "json",
                                 "--schedule", made)[0])
        ok(out["makespan"] == bound, "the optimum of scenario %d is its bound" % scenario_)
        ok("not valid" not in cosched("check", made)[0], "and a schedule")
    never = traced(folder, "uuuuuuuu", "dddddddd", application=free, name="never.json")
    out = json.loads(cosched(*plan, never, "--format", "json")[0])
    ok(not out["possible"] and out["makespan"] == -1 and not out["iterations"], "or not at all")
    ok("no policy can end in time: 0 of 2 iterations can end" in cosched(*plan, never)[0], "in words")
    refused("no schedule ends in time, so no file is written", *plan, never,
            "--schedule", made)
    refused("the off-line problem knows no transfers, and the program takes 2 slots, the data 1",
            *plan, scenario(folder))
    refused("leave --law and --shape out", *plan, calm, "--shape", 2)
    refused("--shape is for --law weibull", *plan, chains, "--shape", 2)
    refused("scenario has 4 hosts", *plan, chains, "--trace",
            write(folder, "t.csv", "0,add,a\n900000,remove,a\n"))
    refused("a picture is written as .svg, .pdf or .png", *plan, calm, "--gantt", "x.gif", status=2)


def broken_schedules(folder):
    made = os.path.join(folder, "made.json")
    cosched(*SIM, os.path.join(EXAMPLES, "hosts.json"), "-n", 1, "--schedule", made)
    document = json.loads(read(made))

    def judged(what, change, words=""):
        other = json.loads(json.dumps(document))
        change(other)
        told, _ = cosched("check", write(folder, "broken.json", json.dumps(other)), status=1)
        ok(words in told, "says: %s (%s)" % (words, " ".join(told.split())[:200]))
        ok("not valid" in told or "violation" in told, "%s is seen (%s)" % (
            what, " ".join(told.split())[:100]))

    far = {"format": "cosched-schedule-1", "problem": "volatile", "procs": 1, "tasks": ["1"], "observed": {},
           "bars": [{"task": 0, "procs": "0", "start": 0, "end": 1e300}]}
    ok("makespan 1e+300 slots" in cosched("check", write(folder, "far.json", json.dumps(far)))[0], "slots beyond all numbers of slots")

    def down(other):
        bar = next(b for b in other["bars"] if b.get("kind", "work") == "work")
        host = other["hosts"][int(bar["procs"])]
        at = int(bar["start"])
        host["trace"] = host["trace"][:at] + "d" + host["trace"][at + 1:]

    def fewer(other):
        other["configurations"][0]["tasks"] = [0] * len(other["hosts"])

    def twice(other):
        other["bars"].append(dict(other["bars"][0], start=0, end=2))

    last = document["makespan"]
    judged("another makespan", lambda d: d.update(makespan=last + 1),
           "the declared makespan is %d slots: the last bar ends at %d slots" % (last + 1, last))
    judged("a host that is used twice", twice, "on processor %s" % document["bars"][0]["procs"] + ", which task \"1\" holds until")
    judged("work on a host that is down", down)
    judged("a configuration without tasks", fewer)
    judged("an iteration too many", lambda d: d.update(completed=d["completed"] - 1))
    judged("a transfer bound of one less than used",
           lambda d: d["application"].update(program=d["application"]["program"] + 1))


def failures(folder):
    dead = traced(folder, "d" * 40, "u" * 40)
    out = results(*SIM, dead, "-n", 3, "--policy", "ie,random")["results"]
    ok([r["failed"]["mean"] for r in out] == [1, 1], "the share of scenarios that fail")
    ok(out[0]["makespan"]["mean"] is None, "and have no makespan")
    ok("3 scenarios failed" in cosched(*SIM, dead, "-n", 3, "--policy", "ie")[0], "people are told")
    rows = os.path.join(folder, "rows.csv")
    cosched(*SIM, dead, "-n", 3, "--policy", "ie,random", "--per-scenario", rows)
    table = list(csv.DictReader(io.StringIO(read(rows))))
    ok(len(table) == 6 and all(r["failed"] == "1" and not r.get("makespan") for r in table),
       "a row for each policy and scenario, failed ones too")


def same_bytes(folder):
    made = cosched("generate", "volatile", "--wmin", 2, "--seed", 3)[0]
    ok(made == cosched("generate", "volatile", "--wmin", 2, "--seed", 3)[0], "the same seed")
    ok(made != cosched("generate", "volatile", "--wmin", 2, "--set", 1)[0], "another scenario")
    rows = [os.path.join(folder, "rows%d.csv" % t) for t in (1, 2)]
    one, two = (cosched(*SIM, "-", "-n", 6, "--policy", "all", "--threads", t, "--format", "csv",
                        "--per-scenario", rows[t - 1], given=made)[0] for t in (1, 2))
    ok(one == two and read(rows[0]) == read(rows[1]), "the same bytes with two threads")
    table = list(csv.DictReader(io.StringIO(read(rows[0]))))
    ok(all(int(r["makespan"]) >= int(r["lower_bound"]) for r in table), "nothing beats the bound")
    table = list(csv.DictReader(io.StringIO(one)))
    ok(len(table) == 21 and float(next(
        r for r in table if r["policy"] == "ie")["over"]) == 1, "ie is compared with ie")


def laws_and_models(folder):
    made = write(folder, "made.json", cosched("generate", "volatile", "--hosts", 8, "--law",
                                              "weibull", "--shape", 0.6, "--slots", 500)[0])
    document = json.loads(read(made))
    ok(document["law"] == "weibull" and
       sum(int(run[1:]) for run in document["hosts"][7]["trace"].split()) == 500,
       "a law, and traces of it")
    out = results(*SIM, made, "-n", 4, "--model", "fitted", "--policy", "ie,y-ie")
    ok(out["states"] == "traces" and out["history"] == 250, "half of the traces for fitting")
    bare = scenario(folder)
    out = results(*SIM, bare, "-n", 4, "--law", "lognormal", "--model", "fitted", "--history", 400)
    ok(out["states"] == "lognormal" and out["history"] == 400, "a law rules, a chain is believed")
    one = results(*SIM, bare, "-n", 20, "--policy", "y-ie", "--estimate", "conditional")
    two = results(*SIM, bare, "-n", 20, "--policy", "y-ie:estimate=conditional")
    ok(one["results"][0]["makespan"] == two["results"][0]["makespan"], "an option or a parameter")
    out = results(*SIM, bare, "-n", 20, "--prefetch", "data")["results"][0]
    ok(out["prefetched"]["mean"] > 0, "idle transfers prefetch")


def joined(folder):
    """Traces side by side, and what a sweep makes of the same hosts."""
    made = write(folder, "twelve.json", cosched("generate", "volatile", "--hosts", 4)[0])
    counts = write(folder, "counts.json", json.dumps(
        {"metadata": {"gap_seconds": 300}, "data": [2, 1, 0, 2, 2, 1, 2, 0, 2, 2]}))
    run = (*SIM, made, "-n", 4, "--policy", "ie,y-ie", "--model", "fitted", "--trace", counts)
    refused("2 machines, but the scenario has 4 hosts", *run)
    ok(results(*run, "--trace", counts)["states"] == "traces", "two files are four machines")
    hosts = os.path.join(EXAMPLES, "hosts.json")
    seen = results(*SIM, hosts, "-n", 4, "--policy", "y-ie", "--estimate", "conditional")
    store, out = (os.path.join(folder, name) for name in ("s.db", "s.csv"))
    cosched("campaign", "run", write(folder, "sweep.json", json.dumps({
        "problem": "volatile", "set": {"input": os.path.abspath(hosts), "scenarios": 4,
                                       "estimate": "conditional"},
        "vary": {"policy": ["ie", "y-ie"]}})), "--store", store)
    cosched("campaign", "export", store, "-o", out)
    rows = list(csv.DictReader(io.StringIO(read(out))))
    ok([r["policy"] for r in rows] == ["ie", "y-ie"] and
       all(0 < float(r["over_ie"]) < 10 and float(r["ratio"]) >= 1 and r["failed"] == "0"
           for r in rows), "a sweep over what was simulated: %s" % rows)
    fastest = min(json.loads(read(hosts))["hosts"], key=lambda host: host["slots"])
    ok(all(abs(float(r["fastest_up"]) * (1 - fastest["chain"][0][0]) - 1) < 1e-9 for r in rows),
       "how long its fastest host is up at a time")
    ok(set(rows[0]) >= set(seen["results"][0]) - {"policy", "pairs", "over", "over_low",
                                                   "over_high", "wins"}, "with the same names")


def fits(folder):
    counts = write(folder, "counts.json", json.dumps(
        {"metadata": {"gap_seconds": 300}, "data": [2, 1, 0, 2, 2, 1, 2, 0]}))
    rows = list(csv.DictReader(io.StringIO(
        cosched("fit", "availability", counts, "--each", "--format", "csv")[0])))
    ok([float(r["up"]) for r in rows] == [0.75, 0.5], "host i is up while there are more than i")
    ok([r["intervals"] for r in rows] == ["1", "2"], "complete times up")
    chain = [float(rows[0]["p_" + k]) for k in ("uu", "ur", "ud")]
    ok(abs(sum(chain) - 1) < 1e-12 and abs(chain[0] - 4.01 / 6.03) < 1e-12, "counts plus 0.01")
    table = write(folder, "event_trace.tab", "".join("\t".join(map(str, row)) + "\n" for row in (
        ("#event_id", "component_id", "node_id", "platform_id", "node_name", "event_type",
         "event_start_time", "event_stop_time", "event_end_reason"),
        (0, 0, 7, 1, "a", 1, 1000, 1300, "NULL"), (1, 0, 7, 1, "a", 0, 1300, 1310, "NULL"),
        (2, 0, 7, 1, "a", 1, 1310, 1600, "NULL"), (3, 0, 9, 1, "b", 1, 1060, 1480, "NULL"))))
    hosts = os.path.join(folder, "hosts.json")
    told = cosched("fit", "availability", table, "-o", hosts)[0]
    ok("2 hosts (event table), 10 slots of 1 min" in told, "an event table in minutes")
    traces = {h["name"]: h["trace"] for h in json.loads(read(hosts))["hosts"]}
    ok(traces == {"7": "u5 d1 u4", "9": "?1 u7 ?2"}, "the worst of a slot; nothing is unknown")
    lines = ["\t".join(map(str, row)) for row in (
        (0, 0, 12, 1, "host 12.nd.edu", 1, "1167627600.0", "1167627720.5", 0),
        (1, 0, 12, 1, "host 12.nd.edu", 2, "1167627720.5", 1167627840, "NULL"),
        (2, 0, 12, 1, "host 12.nd.edu", 3, 1167627840, 1167627900, 3),
        (3, 1, 12, 1, "host 12.nd.edu", 1, 1167627600, 1167627960, 0),
        (4, 0, 12, 1, "host 12.nd.edu", 1, 1167627900, 1167627960, 0),
        (5, 0, 3, 1, "c", 0, 1167627600, 1167627660, 1),
        (6, 0, 3, 1, "c", 1, 1167627660, 1167627960, 1), (7, 0, 3, 1, "c", 1, "NULL", "NULL", 0))]
    names = ["event_id", "component_id", "node_id", "platform_id", "node_name", "event_type",
             "event_start_time", "event_stop_time", "event_end_reason"]
    for head in ([], ["#" + "\t".join(names)], ["\t".join(names)],
                 ["# The Failure Trace Archive", "# " + "\t".join(names)]):
        table = write(folder, "nd.tab", "\r\n".join([*head, *lines, ""]))
        cosched("fit", "availability", table, "-o", hosts)
        traces = {h["name"]: h["trace"] for h in json.loads(read(hosts))["hosts"]}
        ok(traces == {"12": "u2 r3 u1", "3": "d1 u5"}, "the archive's form, %s: %r" % (
            "a header" if head else "no header", traces))
    spot = os.path.join(EXAMPLES, "spot.csv")
    out = results("fit", "availability", spot, "--each")
    ok(len(out) == 12 and out[0]["best"] in ("geometric", "weibull", "log-normal"), "spot events")
    pools(spot, counts)
    made = cosched("generate", "volatile", "--hosts", 12)[0]
    out = results(*SIM, "-", "--trace", spot, "--model", "fitted", "-n", 4, given=made)
    ok(out["states"] == "traces", "a simulation on a trace")
    both = results("fit", "availability", counts, counts, "--each")
    ok([r["host"] for r in both] == ["counts 0", "counts 1", "counts 0", "counts 1"],
       "files side by side")


def pools(spot, counts):
    told = results("fit", "availability", spot)
    pool, = told["pools"]
    loss = {b["lifetime_model"]: b["log_loss"] for b in told["lifetime_models"]}
    ok(pool["hosts"] == told["hosts"] == 12 and pool["ended"] == 135 and pool["lives"] == 144,
       "a zone is a pool: %s" % {k: pool[k] for k in ("hosts", "lives", "ended")})
    ok([law["law"] for law in pool["laws"]] == ["exponential", "weibull", "log-normal",
                                                "kaplan-meier"] and
       pool["laws"][1]["shape"] < 1, "four laws; lives get longer with age")
    ok(loss["log-normal"] < loss["chain"] and loss["log-normal"] < loss["pooled-chain"],
       "age foretells better than chains do: %s" % loss)
    one = [f for f in pool["forecasts"] if f["hosts"] == 1 and f["slots"] > 40]
    ok(all(abs(f["log-normal"] - f["found"]) < abs(f["chain"] - f["found"]) for f in one),
       "of one host too")
    ok([f["slots"] for f in one] == [round(part * pool["mean_life_before"]) for part in (0.5, 1)] and
       pool["mean_life_before"] < pool["mean_life"],
       "asked for parts of the mean life that the first half tells")
    ok(len(results("fit", "availability", counts, counts)["pools"]) == 2 and
       len(results("fit", "availability", counts, counts, "--pool", "fleet")["pools"]) == 1 and
       len(results("fit", "availability", counts, counts, "--pool", "host")["pools"]) == 4,
       "pools are zones, the fleet, hosts")
    text = cosched("fit", "availability", spot, "--lifetime-model", "weibull")[0]
    ok("weibull" in text.split("log loss")[0] and "W, that" not in text, "the lifetime model of the option")


def saves(folder):
    """Checkpoints, warm spares and beliefs, on spot instances."""
    spot, hosts = os.path.join(EXAMPLES, "spot.csv"), os.path.join(folder, "twelve.json")
    cosched("generate", "volatile", "--hosts", 12, "--wmin", 4, "-o", hosts)
    base = [*SIM, hosts, "--trace", spot, "--model", "fitted", "--policy", "y-ie,proactive-rate",
            "-n", 8]
    plain, saved = results(*base), results(*base, "--save-every", 5, "--save-cost", 1)
    failed = [sum(r["failed"]["mean"] for r in out["results"]) for out in (plain, saved)]
    ok(saved["save_every"] == 5 and failed[1] < failed[0],
       "with checkpoints fewer fail: %s" % failed)
    ok(all(r["saves"]["mean"] > 0 and 0 < r["saving"]["mean"] < 0.5 and r["ratio"]["min"] >= 1
           for r in saved["results"]), "saves are counted, and nobody beats the bound")
    ok("saves" not in plain["results"][0], "without checkpoints nothing is said of saves")
    ok(plain["lifetime_model"] == "log-normal", "hosts with few lives: laws of pools")
    ok(results(*base, "--lifetime-model", "chain")["lifetime_model"] == "chain", "the lifetime model of the option")
    ok(results(*base, "--spares", 2)["results"][1]["prefetched"]["mean"] > 0, "warm spares get something")
    life = os.path.join(folder, "life.json")
    for policy in ("y-ie", "rate", "proactive-rate"):
        for more in (["--save-every", 5, "--save-cost", 2], ["--save-every", 3], ["--spares", 2],
                     ["--save-every", 7, "--save-cost", 1, "--spares", 3]):
            cosched(*base[:-4], "--policy", policy, "-n", 1, *more, "--schedule", life)
            told = json.loads(cosched("check", life, "--format", "json")[0])
            ok(told == [], "%s %s is valid: %s" % (policy, more, told[:1]))
    spoilt = json.loads(read(life))
    spoilt["application"]["save_every"] = 8
    told = cosched("check", write(folder, "x.json", json.dumps(spoilt)), status=1)[0]
    ok("save" in told, "a save that comes too early is seen: %s" % told[:200])
    spoilt["application"].update(save_every=7, spares=1)
    told = cosched("check", write(folder, "x.json", json.dumps(spoilt)), status=1)[0]
    ok("there are 1 spares" in told, "a spare too many is seen: %s" % told[:200])
    refused("take one of the two", *base[:-4], "--policy", "y-ie", "--prefetch", "program",
            "--spares", 1)
    refused("--save-cost is for --save-every", *base, "--save-cost", 2)
    refused("the off-line problem knows no checkpoints", *SIM,
            os.path.join(EXAMPLES, "hosts-free.json"), "--save-every", 2, "--bound", "optimum")


def refuses(folder):
    bare, calm = scenario(folder), traced(folder, "uuuu", "uuuu", name="calm.json")
    refused("there is no policy \"nope\"", *SIM, bare, "--policy", "nope")
    refused("did you mean", *SIM, bare, "--policy", "y-ei")
    refused("--output is for one policy", *SIM, bare, "--policy", "ie,ip", "--schedule", "x.json",
            status=2)
    refused("--slot is for --trace", *SIM, bare, "--slot", 5, status=2)
    refused("there is no scenario 7", *SIM, bare, "-n", 3, "--scenario", 7, "--gantt",
            os.path.join(folder, "x.svg"))
    refused("--shape is for --law weibull", *SIM, bare, "--shape", 2)
    refused("leave --law and --shape out", *SIM, calm, "--law", "weibull")
    refused("--model given has nothing to believe", *SIM, calm, "--model", "given")
    refused("--history is for --model fitted", *SIM, bare, "--model", "given", "--history", 7)
    refused("of which some must be left", *SIM, calm, "--history", 4)
    refused("scenario has 4 hosts", *SIM, bare, "--trace",
            write(folder, "t.csv", "0,add,a\n900000,remove,a\n"))
    refused("add up to 1.1, they must add up to 1", *SIM, scenario(
        folder, hosts=[{"chain": [[0.9, 0.1, 0.1], [0, 1, 0], [0, 0, 1]]}]))
    refused("the probability of down after up must be from 0 to 1", *SIM, scenario(
        folder, hosts=[{"chain": [[0.9, 0.1, -0.1], [0, 1, 0], [0, 0, 1]]}]))
    refused("slot 2 is \"x\", expected u (up), r (reclaimed), d (down) or ? (unknown)", *SIM,
            traced(folder, "uux"))
    refused("all must be as long", *SIM, traced(folder, "uu", "uuu"))
    refused("give \"chain\" or \"trace\"", *SIM, scenario(folder, hosts=[{"slots": 1}]))
    refused("expected cosched-volatile-1", *SIM, scenario(folder, format="cosched-workload-1"))
    refused("expected a whole number from 1", *SIM, scenario(folder, application={"tasks": 0}))
    refused("hold", *SIM, scenario(folder, hosts=[{"capacity": 1, "chain": CHAIN}]))
    refused("means nothing without \"law\"", *SIM, scenario(folder, shape=2))
    refused("expected 3: ", "fit", "availability", write(folder, "x.csv", "1,2\n"))
    refused("earlier than the line before", "fit", "availability",
            write(folder, "x.csv", "60000,add,a\n0,add,b\n"))
    refused("nothing in it", "fit", "availability", write(folder, "x.csv", "\n\n"))
    refused("before it starts", "fit", "availability",
            write(folder, "x.tab", "0\t0\t1\t1\tn\t1\t50\t20\tNULL\n"))
    refused("expected at least 3 separated by tabs", "fit", "availability",
            write(folder, "x.tab", "0\t0\n"))
    refused("trace: found 1 slot, expected at least 2", "fit", "availability",
            write(folder, "x.csv", "0,add,a\n1000,remove,a\n"))
    long = write(folder, "x.csv", "0,add,a\n99999999999,remove,a\n")
    ok("99,999,999,999 slots of 1 ms" in cosched("fit", "availability", "--slot", "1ms", long)[0],
       "slots may be short")
    ok(not os.path.exists(os.path.join(folder, "x.svg")), "nothing was written")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for part in (by_hand, optima, plans, broken_schedules, failures, same_bytes, laws_and_models,
                     joined, fits, saves, refuses):
            part(folder)
    finish()


main()
