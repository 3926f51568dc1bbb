#!/usr/bin/env python3
"""Times so far apart that a short one added to a long one is lost: what is planned and simulated passes, spoilt it does not.

usage: tests/cli/far_apart.py COSCHED
"""

import json
import os
import random
import tempfile

from kit import cosched, finish, ok, read, write

POLICIES = "easy", "shelf", "slurm", "list", "conservative", "easy:reservations=2", "list:reservations=2", "shelf-fill", "conservative:compress=none"
POWERS = 0, 3, 9, 12, 17


def seconds(r):
    power = r.choice(POWERS)
    return r.uniform(1, 10) * 10 ** r.uniform(-power, power)


def tasks(r, procs):
    rows = ["app,procs,seconds"]
    for i in range(r.choice([3, 6, 13, 20])):
        alone = seconds(r)
        for count in sorted({1, *r.sample(range(1, procs + 1), 2)}):
            rows.append("a%d,%d,%r" % (i, count, alone / count ** r.uniform(0, 1.1)))
    return "\n".join(rows)


def jobs(r, procs):
    return "\n".join(["name,procs,seconds"] + ["j%d,%d,%r" % (i, r.randint(1, procs), seconds(r)) for i in range(20)])


def spoilt(plan):
    shorter = [{**bar, "start": bar["start"] / 1000, "end": bar["end"] / 1000} for bar in plan["bars"]]
    yield {**plan, "bars": shorter, "makespan": plan["makespan"] / 1000}
    yield {**plan, "bars": plan["bars"][:-1]}
    yield {**plan, "lower_bound": -1e-300}
    yield {**plan, "lower_bound": plan["makespan"] * 1.3}


def judged(*command):
    cosched(*command)
    cosched("check", "plan.json")
    for plan in spoilt(json.loads(read("plan.json"))):
        cosched("check", write(".", "spoilt.json", json.dumps(plan)), status=1)


def overflowing(told, *command):
    """Times are put in the plan with which its sums are no numbers: what it says of them is refused."""
    cosched(*command)
    write(".", "spoilt.json", read("plan.json").replace("700", "1.5e308"))
    out, _ = cosched("check", "spoilt.json", status=1)
    ok(told in out, "check says: %s (%s)" % (told, " ".join(out.split())))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for seed in range(3):
        draw = random.Random("tasks %d" % seed)
        procs = draw.choice([2, 5, 100])
        bag = write(".", "bag.csv", tasks(draw, procs))
        judged("plan", "pack", bag, "--procs", procs, "-o", "plan.json")
        judged("plan", "moldable", bag, "--procs", procs, "-o", "plan.json")
        judged("simulate", "moldable", bag, "--procs", procs, "--sigma", "0.3", "--schedule", "plan.json")
        rigid = write(".", "jobs.csv", jobs(draw, procs))
        for policy in POLICIES[seed::3]:
            judged("simulate", "rigid", rigid, "--procs", procs, "-q", "0.001", "--policy", policy, "--schedule", "plan.json")
    write(".", "tenths.csv", "name,procs,seconds\na,2,2.1\nb,2,4.2\nc,1,0.7\nd,2,9\ne,1,0.35\n")
    cosched("simulate", "rigid", "tenths.csv", "--procs", 2, "-q", "0.5", "-n", 2, "--policy", "slurm:interval=0.7")
    bag = write(".", "alike.csv", "app,procs,seconds\na,1,700\nb,1,700\nc,1,700\n")
    overflowing("the declared one_pack_cost is 2100", "plan", "pack", bag, "--procs", 3, "-o", "plan.json")
    lone = write(".", "lone.csv", "app,seconds,seq_fraction,overhead,checkpoint,data\na,700,1,0,60,300\n")
    overflowing('the declared area "work" is 1400', "simulate", "malleable", lone, "--procs", 64, "--fault-free", "--schedule", "plan.json")
    os.chdir("/")
finish()
