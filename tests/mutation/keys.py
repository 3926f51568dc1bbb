#!/usr/bin/env python3
"""Every key of every schedule: deleted, nulled, of a wrong type, forged, alone and in pairs. Does check notice?

usage: tests/mutation/keys.py COSCHED [SCHEDULE...]

The keys are the rows of src/model/keys, which name the function that checks each. Schedules are made with COSCHED. A
key that is in a schedule, in the schemas or in the writers, and not in the table, is an error; so is one in the table
that no schedule here has.
"""

import collections
import copy
import glob
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
import types

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COSCHED = os.path.abspath(sys.argv[1])
ONLY = sys.argv[2:]
EXAMPLES = TOP + "/examples/"
KEYS = types.SimpleNamespace(**runpy.run_path(TOP + "/script/keys"))

MADE = {
    "pack": "plan pack {x}quickstart.csv --procs 8 -o {out}",
    "pack-prices": "plan pack formulas.json --procs 16 -o {out}",
    "pack-limits": "plan pack limits.csv --procs 8 --margin 1.2 -o {out}",
    "moldable": "plan moldable {x}quickstart.csv --procs 8 -o {out}",
    "moldable-energy": "plan moldable {x}quickstart.csv --procs 8 --watts busy=350,idle=120,off=15,off-after=5,wake=5000 --procs-per-node 2 -o {out}",
    "rigid-energy": "replay {x}monday.swf --policy easy --watts busy=350,idle=120,off=15,off-after=40,wake=5000 -o {out}",
    "moldable-contiguous": "plan moldable {x}quickstart.csv --procs 8 --contiguous -o {out}",
    "moldable-pairs": "plan moldable bag.json --procs 33 -o {out}",
    "moldable-limits": "plan moldable released.csv --procs 8 --margin 1.2 -o {out}",
    "moldable-run": "simulate moldable {x}quickstart.csv --procs 8 --sigma 0.3 --qbar 0.3 --seed 2 -o {out}",
    "moldable-stopped": "simulate moldable {x}archer2.csv --procs 40 --sigma 0.8 --walltime 40min --scenario 4 -n 10 -o {out}",
    "moldable-bag": "plan moldable due.csv --procs 40 --resource gpus=8,memory=256G,abaqus=1 --budget 5 -o {out}",
    "moldable-nodes": "plan moldable {x}gpus.csv --procs 64 --nodes 2 --resource gpus=4/node,memory=128G/node,abaqus=1 -o {out}",
    "malleable": "simulate malleable {x}applications.csv --procs 64 --mtbf 60d --schedule {out}",
    "malleable-tail": "simulate malleable {x}applications.csv --procs 64 --mtbf 60d --layout tail --kappa 0.7 --schedule {out}",
    "malleable-pattern": "simulate malleable {x}patterns.csv --procs 24 --mtbf 6d --downtime 20000 --silent-mtbf 8d --layout pattern -n 1 --seed 3 --schedule {out}",
    "ptg": "plan ptg {x}graphs.json --platform {x}clusters.json --schedule {out}",
    "ptg-known": "plan ptg traps.json --platform trap-platform.json --schedule {out}",
    "ptg-released": "plan ptg {x}graphs.json --platform {x}clusters.json --release 0,100,200 --schedule {out}",
    "rigid-counts": "simulate rigid rigid.csv --procs 3000 --processors counts --schedule {out}",
    "rigid": "simulate rigid rigid.csv --procs 3000 -q 0.2 --scenario 3 --verification 5 --schedule {out}",
    "rigid-shelf": "simulate rigid rigid.csv --procs 3000 -q 0.2 --scenario 3 --policy shelf --schedule {out}",
    "rigid-known": "simulate rigid known.csv --procs 40 --schedule {out}",
    "pack-known": "plan pack known.json --procs 40 --pack-size 3 -o {out}",
    "rigid-arrivals": "simulate rigid {x}monday.swf --arrivals --schedule {out}",
    "rigid-replay": "replay {x}monday.swf --policy easy -o {out}",
    "volatile": "simulate volatile {x}hosts.json -n 1 --schedule {out}",
    "volatile-known": "plan volatile planted.json --schedule {out}",
    "volatile-saves": "simulate volatile {x}hosts.json -n 1 --save-every 5 --save-cost 2 --spares 1 --schedule {out}",
    "spot": "simulate spot {x}spot.csv --work 6h --deadline 8h --change-over 20min --policy uniform -n 5 --scenario 3 -o {out}",
    "spot-prices": "simulate spot prices.json --work 3h --deadline 5h --change-over 5min --policy greedy -n 1 -o {out}",
    "observed": "run schedule ran -o {out}",
}
QUEUE = "name,procs,seconds\na,2,0.05\nb,1,0.05\nc,3,0.05\nd,1,0.1\n"
LIMITS = "app,procs,seconds,min_procs,max_procs,walltime%s\n" + "".join(
    "%s,%d,%d,2,4,%d%s\n" % (app, procs, seconds * 8 // procs, seconds * 4, "%s")
    for app, seconds in (("a", 60), ("b", 90), ("c", 30)) for procs in (1, 2, 4, 8))


def run(*words):
    return subprocess.run([COSCHED, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def table():
    """(problem, key, function, without) of every row."""
    return [(row.problem, row.name, row.check, row.without) for row in KEYS.table()]


TABLE = table()
PROBLEMS = {problem for problem, _, _, _ in TABLE}


def problem_of(name):
    return name.split("-")[0]


def row_of(problem, key):
    """(function, without), of the problem, or of all."""
    rows = {row[0]: row[2:] for row in TABLE if row[1] == key}
    return rows.get(problem) or rows.get("every")


# Objects whose keys are names of resources or budgets.
NAMED = ("bars.uses", "bounds.area", "resources", "use", "budgets", "instance.machine.resources", "instance.machine.budgets",
         "certificate.prices", "certificate.budgets", "known.trap", "instance.known", "energy.watts")


def keys_of(document, prefix=""):
    """All keys of a document, with dots; those of workloads, graphs and notes belong to other formats."""
    for key, value in document.items():
        name = prefix + key
        yield name
        if name in ("notes", "graphs", "instance.tasks", "certificate.cases", "certificate.steps", *NAMED):
            inner = []
        else:
            inner = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
        for one in inner:
            if isinstance(one, dict):
                yield from keys_of(one, name + ".")


def places(document, key):
    """The objects that have the key, and its last part: at most the first, the middle and the last of each list."""
    objects = [document]
    *above, last = key.split(".")
    for part in above:
        found = []
        for one in objects:
            value = one.get(part)
            rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else [value]
            rows = [row for row in rows if isinstance(row, dict)]
            found += rows
        objects = found
    objects = [one for one in objects if last in one]
    picked = {0, len(objects) // 2, len(objects) - 1} if objects else set()
    return [objects[k] for k in sorted(picked)], last


def changed(document, key, change):
    """Copies of the document with the change made at each of some places; a change may give up with None."""
    for k in range(3):
        other = copy.deepcopy(document)
        found, last = places(other, key)
        if k < len(found) and change(found[k], last) is not None:
            yield other


def delete(row, last):
    del row[last]
    return True


def null(row, last):
    if row[last] is None:
        return None
    row[last] = None
    return True


# ---- forged values ----

def other_value(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * 1.01 + 1e-3
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list) and value and isinstance(value[-1], dict):
        return value[:-1]
    if isinstance(value, list):
        return value[:-1] + [other_value(value[-1])] if value else None
    return None


def to(value):
    return lambda now: value if now != value else None


def halved(now):
    return now / 2 if now else None


def raised(now):
    """Of an object by names: its first value."""
    name = next(iter(now))
    value = now[name]
    return {**now, name: {**value, next(iter(value)): 0.5} if isinstance(value, dict) else "7-9" if isinstance(value, str) else value * 1.5 + 1}


# Values that are wrong where the usual other value is not, or is a weaker claim.
FORGED = {
    "procs": lambda now: now // 2 or None,
    "bars.attempt": lambda now: now + 1,
    "bars.kind": lambda now: "verify",
    "bars.procs": lambda now: "999999",
    "bars.group": lambda now: now + 7,
    "makespan": lambda now: now * 2,
    "lower_bound": lambda now: now * 3 + 1,
    "certificate": None, "certificate.search": None, "certificate.cases": None, "certificate.prices": None,
    "certificate.steps": None,     # in pairs with the bound, below
    "certificate.clique": None, "certificate.flow": None, "certificate.budgets": None,
    "bars.uses": raised, "bounds.area": lambda now: raised(now) if isinstance(now, dict) else now * 1.01 + 1e-3, "resources": raised, "use": raised, "budgets": raised,
    "bounds.prices": lambda now: now * 3 + 1, "bounds.disjunctive": lambda now: now * 3 + 1, "bounds.relaxation": lambda now: now * 3 + 1,
    "instance.machine": None, "instance.machine.resources": lambda now: {**now, "gpus": 1}, "instance.machine.budgets": lambda now: {name: 0.01 for name in now},
    "instance.machine.nodes": lambda now: now * 2 + 1,
    "instance.tasks.after": None, "instance.tasks.deadline": to(1), "bars.nodes": lambda now: "7",
    "instance.tasks.modes": lambda now: [{**mode, "seconds": mode["seconds"] / 2} for mode in now],
    "platform.name": to("other"),
    "energy": lambda now: {**now, "joules": 0}, **{"energy." + part: lambda now: now * 1.01 + 1 for part in ("joules", "busy", "idle", "off", "wake")}, "energy.watts": lambda now: {**now, "busy": 500},
    "times": to("repaired"),
    "pack_size": to(1),
    "stopped": lambda now: [(now[0] + 1) % 9] if now else None,
    "on_end": to("none"),
    "on_failure": to("none"),
    "kappa": halved,
    "layout": lambda now: "tail" if now == "young" else "young",
    "fault_free": to(True),
    "wake": None,
    "faults.processor": lambda now: now + 1000000,
    "hosts.slots": None,
    "optimal": lambda now: not now,
    "instance.tasks.release": lambda now: now + 1e6,
    "instance.tasks.walltime": to(1),
    "instance.tasks.margin": to(1000),
    "instance.tasks.max_procs": None,
    "instance.tasks.min_procs": None,
    "network": to("fan"),
    "release": lambda now: [value + 1e6 for value in now],
    "shares": lambda now: [value + 2 for value in now],
    "platform.clusters.bandwidth": lambda now: now / 1e6,
    "platform.backbone.bandwidth": lambda now: now / 1e6,
    "platform.backbone.latency": lambda now: now + 1e6,
    "platform.clusters.latency": lambda now: now + 1e6,
    "platform.backbone": None,
    "platform.shared_switch": None,
    "verification": lambda now: now + 1,
    "shelves": to(True),
    "jobs.submit": lambda now: now + 1e9,
    "jobs.estimate": None,
    "jobs.user": None,
    "observed.failed": lambda now: now + ["a"],
    "observed.saves": None,
    "planned": None,
    "observed": None,
    "application.spares": None,
    "application.save_every": lambda now: now + 1,
    "hosts.capacity": to(0),
    "inputs.sha256": lambda now: "0" * 64,
    "instance.format": to("cosched-workload-2"),
    "graphs.format": to("cosched-graph-2"),
    "problem": to("packs"),
    "graphs": lambda now: now[:-1],
    "graphs.arcs": None,
    "graphs.tasks": lambda now: now[:-1],
    "tasks": lambda now: ["other"] + now[1:],
    "prefetch": None,
    "job.deadline": to(1),
}

# Another value is a weaker claim, or has no effect on this schedule: not an error.
WEAKER = {
    ("optimal", "pack"), ("optimal", "pack-limits"), ("optimal", "pack-known"), ("times", "pack-prices"), ("times", "pack-known"), ("contiguous", "moldable-contiguous"),
    ("kappa", "malleable"), ("mtbf", "malleable-tail"), ("period_factor", "malleable-tail"),
    ("kappa", "malleable-pattern"), ("period_factor", "malleable-pattern"),
    ("market.demand_price", "spot-prices"), ("known.procs", "rigid-known"), ("known.procs", "ptg-known"), ("known.procs", "volatile-known"), ("application.transfers", "volatile-known"), ("platform.clusters.bandwidth", "ptg-known"),
    ("platform.clusters.latency", "ptg-known"), ("market.spot_price", "spot-prices"),
    *((key, "observed") for key in ("bars.start", "bars.end", "bars.attempt")),
}


def forge(key):
    special = FORGED.get(key, other_value)
    if special is None:
        return None

    def change(row, last):
        value = special(row[last])
        if value is None:
            return None
        row[last] = value
        return True
    return change


# ---- judging many files ----

class Judge:
    """Collects documents, and judges them a few hundred in one call."""

    def __init__(self, folder):
        self.folder, self.waiting, self.count = folder, [], 0
        self.bad = 0
        self.tally = collections.Counter()

    def add(self, text, allowed, what):
        path = os.path.join(self.folder, "k%d.json" % (self.count + len(self.waiting)))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.waiting.append((path, allowed, what))
        if len(self.waiting) >= 400:
            self.judge()

    def judge(self):
        at = 0
        while at < len(self.waiting):
            told = subprocess.run([COSCHED, "check", *[path for path, _, _ in self.waiting[at:]]], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
            heads = [line for line in told.stdout.splitlines() if line.startswith(self.folder) and ": " in line]
            last = None
            for line in told.stdout.splitlines():
                found = re.match(re.escape(self.folder) + r"/k(\d+)\.json: (valid|not valid)(.*)", line)
                if found and at < len(self.waiting) and self.waiting[at][0].endswith("/k%s.json" % found.group(1)):
                    rest = found.group(3)
                    status = 1 if found.group(2) == "not valid" else \
                        5 if rest.startswith(" by the general rules") or rest.startswith(", but") or "; the file has no" in rest else 0
                    self.note(self.waiting[at], status, line)
                    at += 1
            if at < len(self.waiting):
                last = heads[-1] if heads else told.stdout[-200:]
                assert told.returncode == 1, (told.returncode, told.stdout[-400:])
                self.note(self.waiting[at], 1, last)
                at += 1
        for path, _, _ in self.waiting:
            os.remove(path)
        self.count += len(self.waiting)
        self.waiting = []

    def note(self, waiting, status, line):
        _, allowed, what = waiting
        self.tally[what[0], status] += 1
        if status not in allowed:
            self.bad += 1
            print("not ok - %s: status %d, expected %s: %s" % (" ".join(what), status, sorted(allowed), line[:160]), flush=True)


STATUS = {"FINE": {0}, "DEFAULT": {0, 1}, "INCOMPLETE": {0, 5, 1}, "WRONG": {1}}
STRANGE = [[], {}, "x", True, -3, 1e308]


def single(judge, name, document):
    """Each key alone; what is wrong of it, for pairs."""
    wrong = []
    for key in sorted(set(keys_of(document))):
        row = row_of(problem_of(name), key)
        if not row:
            judge.bad += 1
            print("not ok - %s has the key %s, which is not in src/model/keys" % (name, key))
            continue
        allowed = STATUS[row[1]]
        for other in changed(document, key, delete):
            judge.add(json.dumps(other), allowed, ("delete", name, key))
        for other in changed(document, key, null):
            judge.add(json.dumps(other), allowed | {1}, ("null", name, key))
        for value in STRANGE:
            for other in list(changed(document, key, lambda r, last: r.update({last: value}) or True))[:1]:
                now = places(document, key)[0][0][key.split(".")[-1]]
                if type(value) is not type(now) and not (isinstance(value, (int, float)) and isinstance(now, (int, float))) \
                        and not isinstance(value, bool) and now is not None:
                    judge.add(json.dumps(other), {1} if row[0] != "NOT_CHECKED" else {0, 1}, ("type", name, key))
        if forge(key) and (key, name) not in WEAKER:
            forged = list(changed(document, key, forge(key)))
            for other in forged:
                judge.add(json.dumps(other), {0} if row[0] == "NOT_CHECKED" else {1}, ("forge", name, key))
            if forged and row[0] != "NOT_CHECKED":
                wrong.append((key, forged[0]))
    return wrong


def pairs(judge, name, document, wrong):
    """A key that is gone hides no other that is wrong."""
    keys = [key for key in document if key not in ("format", "problem", "bars", "tasks", "procs")]
    for gone in keys:
        if STATUS[row_of(problem_of(name), gone)[1]] == {1}:
            continue
        for k, (key, other) in enumerate(wrong):
            if key.split(".")[0] == gone or gone in HIDES.get(key, ()):
                continue
            both = dict(other)
            if k % 2:
                both[gone] = None
            else:
                both.pop(gone, None)
            judge.add(json.dumps(both), {1, 5}, ("pair", name, key, "without", gone))


PAIRED = ("pack", "moldable", "moldable-run", "malleable", "ptg", "rigid", "rigid-shelf", "volatile", "spot")

# What a key is compared with; without that, the claim is another one, or none.
HIDES = {}


def twice(judge, name, document):
    """A key that is there twice is no key."""
    text = json.dumps(document)
    for key in document:
        judge.add(text[:-1] + ", %s: %s}" % (json.dumps(key), json.dumps(document[key])), {1}, ("twice", name, key))


def strange_keys(judge, name, document):
    """Keys of other problems are claims that are not checked."""
    for problem, key, _, _ in TABLE:
        if "." not in key and problem != "every" and problem != problem_of(name) and key not in document and \
                not row_of(problem_of(name), key) and key != "observed":
            other = dict(document)
            other[key] = [] if key in ("packs", "jobs", "faults", "graphs", "hosts", "configurations") else 1
            judge.add(json.dumps(other), {5, 1}, ("stray", name, key))


def schema_keys():
    """(file, key) of all keys at the top of the schemas of schedules."""
    for name in ("schedule", "pack-plan"):
        with open(TOP + "/docs/schema/%s.schema.json" % name, encoding="utf-8") as file:
            schema = json.load(file)
        for key, value in schema["properties"].items():
            yield key
            inner = value.get("items", value)
            for sub in inner.get("properties", {}):
                yield key + "." + sub
    for key in schema_bar():
        yield "bars." + key


def schema_bar():
    with open(TOP + "/docs/schema/schedule.schema.json", encoding="utf-8") as file:
        return json.load(file)["definitions"]["bar"]["properties"]


def writer_keys():
    """Keys that the writers of schedules have, wherever they stand in a file."""
    for path in glob.glob(TOP + "/src/io/schedule_*.c") + [TOP + "/src/problems/" + p for p in ("pack/problem.c", "ptg/case.c")]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "/src/problems/" in path:
            text = "".join(re.findall(r"^(?:static )?void cs_\w+_case_put\(.*?^}", text, re.M | re.S))
        yield from re.findall(r'cs_jsonw_(?:put_\w+|key)\(w, "(\w+)"', text)


def complete(judge, documents):
    """The table has every key, and nothing that is nowhere."""
    known = {key for _, key, _, _ in TABLE}
    last = {key.split(".")[-1] for key in known}
    inner = {"weight", "task", "count", "time", "width", "most", "then", "pairs", "scales",    # of certificates
             "limit", "spent", "per_node"}    # behind names of budgets and resources
    for key in schema_keys():
        if key not in known and key.split(".")[0] not in ("certificate", "release"):
            judge.bad += 1
            print("not ok - the schemas have the key %s, which is not in src/model/keys" % key)
    for key in writer_keys():
        if key not in last | inner:
            judge.bad += 1
            print("not ok - a writer has the key %s, which is not in src/model/keys" % key)
    sources = "".join(open(path, encoding="utf-8").read() for path in glob.glob(TOP + "/src/check/*.c") + glob.glob(TOP + "/src/io/*.c"))
    for _, key, function, _ in TABLE:
        if function != "NOT_CHECKED" and not re.search(r"^[\w \*]*\b%s\(" % function, sources, re.M):
            judge.bad += 1
            print("not ok - %s is checked by %s, which is nowhere" % (key, function))
    there = collections.defaultdict(set)
    for name, document in documents.items():
        there[problem_of(name)] |= set(keys_of(document))
        there["every"] |= set(keys_of(document))
        for group in ("instance.tasks", "graphs"):
            objects, last_part = places(document, group)
            for one in objects:
                for row in one[last_part]:
                    there[problem_of(name)] |= {group + "." + key for key in row}
    for problem, key, _, _ in TABLE:
        if key not in there[problem] and (problem, key) not in ABSENT:
            judge.bad += 1
            print("not ok - no schedule of %s here has the key %s" % (problem, key))


# Keys that no command of the tool writes for the schedules here; tests/unit has them.
ABSENT = {("pack", "instance.tasks.counts"), ("moldable", "instance.tasks.counts"), ("pack", "instance.tasks.release"),
          ("pack", "certificate.steps"), ("pack", "certificate.steps.seconds"), ("pack", "certificate.steps.price"), ("pack", "instance.pack_size"), ("pack", "instance.note"),
          ("moldable", "instance.machine.windows"), ("moldable", "certificate.prices"), ("moldable", "certificate.budgets"),
          ("moldable", "certificate.flow"), ("moldable", "instance.note"), ("ptg", "platform.clusters.memory"), ("observed", "observed.saves")}


def make(folder):
    run("generate", "rigid", "--jobs", "20", "--seed", "8", "-o", "rigid.csv")
    run("generate", "rigid", "--trap", "three-partition", "-o", "known.csv")
    run("generate", "pack", "--trap", "three-partition", "-o", "known.json")
    run("generate", "ptg", "--trap", "three-partition", "-o", "traps.json", "--platform-output", "trap-platform.json")
    run("generate", "volatile", "--trap", "biclique", "-o", "planted.json")
    run("generate", "pack", "--workload", "formula", "--tasks", "30", "--seed", "3", "-o", "formulas.json")
    with open("prices.json", "w", encoding="utf-8") as file:
        json.dump({"metadata": {"gap_seconds": 300}, "data": [int(k % 17 < 12) for k in range(200)],
                   "prices": [0.2 + k % 7 / 50 for k in range(200)]}, file)
    with open(EXAMPLES + "gpus.csv") as source, open("due.csv", "w") as due:
        for line in source:
            due.write(line.rstrip("\n") + (",deadline" if line.startswith("app") else ",25min" if line.startswith("train,4,1") else ",") + "\n")
    run("generate", "moldable", "-n", "16", "--model", "mix", "--set", "1", "--procs", "33", "-o", "bag.json")
    for path, text in (("queue.csv", QUEUE), ("limits.csv", LIMITS % (("",) * 13)),
                       ("released.csv", LIMITS % ((",release",) + (",10",) * 12))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    run("run", "queue.csv", "--slots", "4", "--oversubscribe", "--into", "ran", "--set", "retries=1", "--", "/bin/sh", "-c", "sleep 0.05; test {name} != c")
    documents = {}
    for name, command in MADE.items():
        path = os.path.join(folder, name + ".json")
        told = run(*command.format(x=EXAMPLES, out=path).split())
        assert os.path.exists(path), (name, told.stdout)
        judged = run("check", path)
        assert judged.returncode == 0, (name, judged.stdout)
        with open(path, encoding="utf-8") as file:
            documents[name] = json.load(file)
    return documents


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        documents = make(folder)
        judge = Judge(folder)
        complete(judge, documents)
        for name, document in documents.items():
            if ONLY and name not in ONLY:
                continue
            wrong = single(judge, name, document)
            if name in PAIRED:
                pairs(judge, name, document, wrong)
            twice(judge, name, document)
            strange_keys(judge, name, document)
        judge.judge()
        for what, status in sorted(judge.tally):
            print("%s: %d with status %d" % (what, judge.tally[what, status], status))
        print("%d files, %d not as expected" % (judge.count, judge.bad))
        return 1 if judge.bad else 0


sys.exit(main())
