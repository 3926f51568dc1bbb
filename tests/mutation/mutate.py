#!/usr/bin/env python3
"""Valid schedules of every problem, changed for the worse in every way their rules name: does check notice?

usage: tests/mutation/mutate.py COSCHED [MUTANTS]

Schedules are made with COSCHED, changed (in all MUTANTS times, 2400), and judged by it. Prints the mutants that pass as
valid, by problem and kind of change, and fails when a kind passes more often than is known (KNOWN): those changes give
another schedule that is valid too, or need what the file does not say.
"""

import collections
import concurrent.futures
import copy
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COSCHED = os.path.abspath(sys.argv[1])
MUTANTS = int(sys.argv[2]) if len(sys.argv) > 2 else 2400

# What passes, in hundredths of the mutants of the kind: no more than that.
KNOWN = {
    # Bars of one width that change places are another valid schedule.
    ("pack", "swap_procs"): 50,
    ("pack-wide", "swap_procs"): 30,
    ("pack-prices", "swap_procs"): 30,
    ("ptg", "swap_procs"): 30,
    # A bar that moves into free time, or to other free processors, is another valid plan: nothing holds it.
    ("moldable", "earlier"): 50,
    ("moldable", "swap_procs"): 30,
    ("moldable-contiguous", "earlier"): 30,
    ("moldable-contiguous", "swap_procs"): 30,
    ("moldable-run", "swap_procs"): 30,
    ("moldable-stopped", "swap_procs"): 30,
    # Where tasks may be stopped check proves up to 7 % more than the run has told: so much more is true.
    ("moldable-stopped", "bound_high"): 60,
}

# Nothing else in these files names the jobs; --against does.
for source in ("rigid", "rigid-shelf"):
    for kind in ("renamed", "names_swapped", "names_turned"):
        KNOWN[source, kind] = 100

# What ran was watched: the expected duration is unknown, or where; attempts that never began have no bar.
FREE = 100
for kind in ("scale_times", "longer", "shorter", "earlier", "swap_procs", "another_attempt", "drop_bar", "renamed",
             "names_swapped", "names_turned"):
    KNOWN["observed", kind] = FREE

# How many of the usual mutants pass in all, beside those that are free to: this must not grow.
USUAL, UNNOTICED = 2400, 10

MADE = {
    "pack": "plan pack {top}/examples/quickstart.csv --procs 8 -o {out}",
    "pack-wide": "plan pack {top}/examples/archer2.csv --procs 32 --pack-size 3 -o {out}",
    "pack-prices": "plan pack formulas.json --procs 16 -o {out}",
    "moldable": "plan moldable {top}/examples/archer2.csv --procs 40 -o {out}",
    "moldable-contiguous": "plan moldable {top}/examples/archer2.csv --procs 40 --contiguous -o {out}",
    "moldable-pairs": "plan moldable bag.json --procs 33 -o {out}",
    "moldable-run": "simulate moldable {top}/examples/archer2.csv --procs 40 --sigma 0.3 --qbar 0.1 --seed 2 -o {out}",
    "moldable-stopped": "simulate moldable {top}/examples/archer2.csv --procs 40 --sigma 0.4 --walltime 40min --margin 1 -o {out}",
    "malleable": "simulate malleable {top}/examples/applications.csv --procs 64 --mtbf 60d --schedule {out}",
    "rigid": "simulate rigid rigid.csv --procs 3000 -q 0.2 --scenario 3 --schedule {out}",
    "rigid-shelf": "simulate rigid rigid.csv --procs 3000 -q 0.2 --scenario 3 --policy shelf --schedule {out}",
    "rigid-against": "simulate rigid rigid.csv --procs 3000 -q 0.2 --scenario 3 --schedule {out}",
    "ptg-twins": "plan ptg {top}/examples/graphs.json {top}/examples/graphs.json --platform {top}/examples/clusters.json --schedule {out}",
    "ptg": "plan ptg {top}/examples/graphs.json --platform {top}/examples/clusters.json --schedule {out}",
    "volatile": "simulate volatile {top}/examples/hosts.json -n 1 --schedule {out}",
    "spot": "simulate spot {top}/examples/spot.csv --work 6h --deadline 8h --change-over 20min --policy uniform -n 5 --scenario 3 -o {out}",
    "spot-against": "simulate spot {top}/examples/spot.csv --work 6h --deadline 8h --change-over 20min --instances 12 --policy table -n 5 --scenario 2 -o {out}",
    "observed": "run schedule ran -o {out}",
    "volatile-many": "simulate volatile hosts.json -n 1 --schedule {out}",
    "volatile-saves": "simulate volatile {top}/examples/hosts.json -n 1 --save-every 20 --schedule {out}",
}


QUEUE = "name,procs,seconds\na,2,0.1\nb,1,0.1\nc,3,0.1\nd,1,0.2\ne,2,0.1\nf,4,0.1\n"


LOG = TOP + "/examples/monday.swf"
TABLES = ("easy", "fcfs")
AGAINST = {"table-" + policy: ["--log", LOG, "--rule", policy] for policy in TABLES}
AGAINST["rigid-against"] = ["--against", "rigid.csv"]
AGAINST["spot-against"] = ["--against", TOP + "/examples/spot.csv"]
AGAINST["moldable-run"] = ["--against", TOP + "/examples/archer2.csv"]


def run(*words):
    return subprocess.run([COSCHED, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def bar(d, r):
    return r.choice(d["bars"])


def first_proc(text):
    return int(text.replace("-", " ").replace(",", " ").split()[0])


def drop_section(key):
    def change(d, r):
        del d[key]
    return change


def scale_times(d, r):
    by = r.choice([0.001, 0.5, 0.9, 1.1, 2, 1000])
    for b in d["bars"]:
        b["start"] *= by
        b["end"] *= by
    d["makespan"] *= by


def keep_some(d, r):
    d["bars"] = d["bars"][:r.randrange(1, len(d["bars"]))]
    d["makespan"] = max(b["end"] for b in d["bars"])


def drop_bar(d, r):
    d["bars"].remove(bar(d, r))


def repeat_bar(d, r):
    d["bars"].append(dict(bar(d, r)))


def longer(d, r):
    b = bar(d, r)
    b["end"] += (b["end"] - b["start"]) * r.choice([1e-3, 0.1, 1])


def shorter(d, r):
    b = bar(d, r)
    b["end"] -= (b["end"] - b["start"]) * r.choice([1e-3, 0.1, 0.9])


def backwards(d, r):
    b = bar(d, r)
    b["start"], b["end"] = b["end"] + 1, b["start"]


def earlier(d, r):
    b = r.choice([b for b in d["bars"] if b["start"] > 0])
    by = r.choice([1e-3, 0.5, 1]) * b["start"]
    b["start"] -= by
    b["end"] -= by


def wider(d, r):
    b = bar(d, r)
    b["procs"] = "0-%d" % (d["procs"] - 1) if b["procs"] != "0-%d" % (d["procs"] - 1) else "0"


def narrower(d, r):
    b = r.choice([b for b in d["bars"] if not b["procs"].isdigit()])
    b["procs"] = str(first_proc(b["procs"]))


def beyond(d, r):
    bar(d, r)["procs"] = "%d" % (d["procs"] + r.randrange(5))


def another_task(d, r):
    b = bar(d, r)
    b["task"] = (b["task"] + 1 + r.randrange(len(d["tasks"]) - 1)) % len(d["tasks"])


def another_attempt(d, r):
    bar(d, r)["attempt"] += r.choice([-1, 1, 5])


def another_kind(d, r):
    b = bar(d, r)
    b["kind"] = r.choice([k for k in ("work", "lost", "checkpoint", "recovery", "downtime", "move", "program") if k != b["kind"]])


def another_group(d, r):
    b = r.choice([b for b in d["bars"] if "group" in b])
    b["group"] += r.choice([1, 2, 7])


def makespan(d, r):
    d["makespan"] *= r.choice([0.5, 0.999, 1.001, 3])


def bound_negative(d, r):
    d["lower_bound"] = -d["lower_bound"] - 1


def bound_high(d, r):
    d["lower_bound"] *= r.choice([1.001, 1.3, 2, 100])
    if "gap" in d:
        d["gap"] = (d.get("cost", d["makespan"]) - d["lower_bound"]) / d["lower_bound"]


def said_optimal(d, r):
    if d.get("lower_bound", 0) >= d.get("cost", d["makespan"]) * (1 - 1e-9):
        raise ValueError
    d["optimal"] = True


def scattered(d, r):
    """Another processor, free or not, instead of the last of a block."""
    b = r.choice([b for b in d["bars"] if d["contiguous"] and "-" in b["procs"]])
    first, last = map(int, b["procs"].split("-"))
    other = r.choice([q for q in range(d["procs"]) if q < first - 1 or q > last])
    b["procs"] = " ".join(sorted(("%d-%d" % (first, last - 1), str(other)), key=first_proc))


def case_gone(d, r):
    del d["certificate"]["cases"][-1]


def pairs_less(d, r):
    pairs = d["certificate"]["cases"][-1]["pairs"]
    for pair in pairs[:len(pairs) // 2]:
        pair["weight"] *= r.choice([0, 0.5, 100])


def prices_gone(d, r):
    del d["certificate"]["prices"]


def prices_less(d, r):
    prices = d["certificate"]["prices"]
    prices[:len(prices) // 2] = [price * r.choice([0, 0.5, 100]) for price in prices[:len(prices) // 2]]


def simple_bound(d, r):
    d["bounds"][r.choice(sorted(d["bounds"]))] = r.choice([-1, 2 * d["lower_bound"], 1e300])


def far_away(d, r):
    bar(d, r)[r.choice(["start", "end"])] = r.choice([1e300, -1e300, 1e19])


def renamed(d, r):
    """Another name, which may be that of a task that is gone."""
    k = r.randrange(len(d["tasks"]))
    d["tasks"][k] = r.choice([d["tasks"][k] + "x", d["tasks"][k][:-1] or "x", "0", "t0", d["tasks"][k].upper()])


def names_swapped(d, r):
    a, b = r.sample(range(len(d["tasks"])), 2)
    d["tasks"][a], d["tasks"][b] = d["tasks"][b], d["tasks"][a]


def names_twice(d, r):
    a, b = r.sample(range(len(d["tasks"])), 2)
    d["tasks"][a] = d["tasks"][b]


def names_turned(d, r):
    by = r.randrange(1, len(d["tasks"]))
    d["tasks"] = d["tasks"][by:] + d["tasks"][:by]


def swap_procs(d, r):
    a, b = r.sample(d["bars"], 2)
    while a["procs"] == b["procs"]:
        a, b = r.sample(d["bars"], 2)
    a["procs"], b["procs"] = b["procs"], a["procs"]


def number(way, by=(0.5, 0.9, 1.1, 2, -1)):
    """Change one number in a list of objects: way is (list, key)."""
    def change(d, r):
        rows = [row for row in d[way[0]] if row.get(way[1])]
        row = r.choice(rows)
        row[way[1]] = type(row[way[1]])(row[way[1]] * r.choice(by)) if not isinstance(row[way[1]], int) else row[way[1]] + r.choice([1, 3])
    return change


def figure(key):
    def change(d, r):
        d[key] = (d[key] or 1) * r.choice([0.5, 0.9, 1.1, 2])
    return change


def number_in(key):
    def change(d, r):
        d[key][r.randrange(len(d[key]))] += 1
    return change


def drop_of(key):
    def change(d, r):
        d[key].pop(r.randrange(len(d[key])))
    return change


def failures(d, r):
    j = r.randrange(len(d["failures"]))
    d["failures"][j] += 1


def origin(d, r):
    j = r.randrange(len(d["origin"]))
    d["origin"][j] = r.choice([word for word in ("measured", "modelled", "interpolated", "scaled") if word != d["origin"][j]])


def areas(d, r):
    key = r.choice([k for k, v in d["areas"].items() if v])
    d["areas"][key] *= r.choice([0.9, 1.1, 2])


def pack_entry(d, r):
    pack = r.choice(d["packs"])
    task = r.choice(pack["tasks"])
    if r.random() < 0.5:
        task["procs"] += 1
    else:
        task["seconds"] *= r.choice([0.9, 1.1])


def pack_moved(d, r):
    source, target = r.sample(d["packs"], 2) if len(d["packs"]) > 1 else (d["packs"][0], {"tasks": []})
    target["tasks"].append(source["tasks"].pop())


def not_optimal(d, r):
    later = max(b["group"] for b in d["bars"])
    shift = 1 + r.random()
    for b in d["bars"]:
        if b["group"] == later:
            b["start"] += shift
            b["end"] += shift
    d["makespan"] += shift
    d["cost"] += shift


def watched_failure(d, r):
    failed = d["observed"]["failed"]
    if r.random() < 0.5:
        failed.pop()
    else:
        failed.append(r.choice([name for name in d["tasks"] if name not in failed]))


def trace(d, r):
    host = r.choice(d["hosts"])
    busy = [b for b in d["bars"] if first_proc(b["procs"]) == d["hosts"].index(host)]
    if not busy:
        raise ValueError
    b = r.choice(busy)
    at = r.randrange(int(b["start"]), int(b["end"]))
    host["trace"] = host["trace"][:at] + r.choice("rd") + host["trace"][at + 1:]


def configuration(d, r):
    c = r.choice(d["configurations"])
    way = r.randrange(3)
    if way == 0:
        c["slot"] += 1
    elif way == 1:
        c["iteration"] += 1
    else:
        q = r.randrange(len(c["tasks"]))
        c["tasks"][q] += 1


def application(d, r):
    key = r.choice(["tasks", "program", "data"])
    d["application"][key] += 1


def spot_lost(d, r):
    """Spot is not available in a tick that is used."""
    market = d["market"]
    b = r.choice([b for b in d["bars"] if first_proc(b["procs"]) == 0])
    at = r.randrange(round(b["start"] / market["tick"]), round(b["end"] / market["tick"]))
    market["available"] = market["available"][:at] + "0" + market["available"][at + 1:]


def spot_job(d, r):
    d["job"][r.choice(["work", "change_over", "instances"])] += r.choice([1, 2])


def spot_price(d, r):
    used = {first_proc(b["procs"]) for b in d["bars"]}
    d["market"]["spot_price" if used == {0} else "demand_price" if 0 not in used else r.choice(["spot_price", "demand_price"])] *= r.choice([0.5, 1.01, 2])


def spot_starts(d, r):
    d[r.choice(["starts", "late"])] += r.choice([1, 3])


def alpha_or_flops(d, r):
    task = r.choice(r.choice(d["graphs"])["tasks"])
    key = next(k for k in ("flops", "work", "flop") if k in task)
    task[key] = (task[key] or 1e9) * r.choice([0.5, 2])


def in_row(key):
    """Another value in one row of a table of jobs: that of another job, or one that is not far."""
    def change(d, r):
        row, other = r.sample(d["rows"], 2)
        row[key] = other[key] if r.random() < 0.3 else "%.17g" % (float(row[key]) + r.choice([-100, -1, 0.001, 1, 1e300]))
    return change


def row_gone(d, r):
    d["rows"].remove(r.choice(d["rows"]))


def row_twice(d, r):
    d["rows"].append(dict(r.choice(d["rows"])))


def row_later(d, r):
    row, by = r.choice(d["rows"]), r.choice([0.001, 1, 3600])
    for key in ("start", "end", "wait"):
        row[key] = "%.17g" % (float(row[key]) + by)


def row_held(d, r):
    row, other = r.sample(d["rows"], 2)
    row["allocated"] = r.choice([other["allocated"], "0", "60-70", "3-1", ""])


def graph_renamed(d, r):
    graph = r.choice(d["graphs"])
    graph["name"] = r.choice([graph["name"] + "x", "fft", "a/b", "0"])


def task_renamed(d, r):
    task = r.choice(r.choice(d["graphs"])["tasks"])
    task["name"] = r.choice([task["name"] + "x", "x", "0"])


def release(d, r):
    d["release"] = [max(b["end"] for b in d["bars"])] * len(d["graphs"])


TABLE_KEYS = ["number", "user", "procs", "submit", "start", "end", "estimate", "request", "wait", "bounded_slowdown"]
COMMON = [scale_times, keep_some, drop_bar, repeat_bar, longer, shorter, backwards, earlier, wider, narrower, beyond,
          another_task, another_attempt, another_kind, makespan, bound_negative, bound_high, said_optimal, swap_procs, far_away, renamed, names_swapped,
          names_twice, names_turned]
OWN = {
    "pack": [drop_section("instance"), drop_section("packs"), another_group, pack_entry, pack_moved, not_optimal, figure("cost"),
             figure("relative_cost"), figure("packing_ratio"), figure("packing_ratio_used"),
             figure("packing_ratio_minimal"), figure("relative_response_time"), figure("smith_response_time"), figure("gap"),
             figure("one_pack_cost"), prices_gone, prices_less],
    "moldable": [drop_section("instance"), number_in("counts"), number_in("factors"), failures, origin, figure("gap"), case_gone, pairs_less, simple_bound, scattered],
    "malleable": [drop_section("instance"), drop_section("faults"), drop_of("faults"), areas, figure("mtbf"), figure("downtime"),
                  figure("period_factor")],
    "rigid": [drop_section("jobs"), drop_section("failures"), number(("jobs", "seconds"), (0.5, 0.9, 1.1, 2)), number(("jobs", "procs")), failures],
    "ptg": [drop_section("graphs"), drop_section("platform"), graph_renamed, task_renamed, another_group, alpha_or_flops, release],
    "observed": [watched_failure],
    "table": [row_gone, row_twice, row_later, row_held, *map(in_row, TABLE_KEYS)],
    "volatile": [drop_section("configurations"), drop_section("hosts"), drop_section("application"), drop_of("configurations"),
                 configuration, application, trace, another_group],
    "spot": [drop_section("job"), drop_section("market"), drop_section("cost"), drop_section("starts"), figure("cost"), spot_lost, spot_job, spot_price, spot_starts],
}


def name_of(change):
    cells = [str(c.cell_contents) for c in change.__closure__ or () if not callable(c.cell_contents)]
    return change.__qualname__.split(".")[0] + ("(%s)" % ", ".join(cells) if cells else "")


def meaning(document):
    """The order of the bars says nothing."""
    return {**document, "bars": sorted(json.dumps(b, sort_keys=True) for b in document.get("bars", []))}


def mutant(document, change, seed):
    for again in range(20):
        other = copy.deepcopy(document)
        try:
            change(other, random.Random("%d %d" % (seed, again)))
        except (IndexError, KeyError, ValueError, StopIteration, ZeroDivisionError):
            continue
        if meaning(other) != meaning(document):
            return other
    return None


def judge(task):
    folder, source, change, document, number_of = task
    other = mutant(document, change, number_of)
    if other is None:
        return None
    path = os.path.join(folder, "mutant-%d.json" % number_of)
    with open(path, "w", encoding="utf-8") as file:
        if "rows" in other:
            table = csv.DictWriter(file, other["rows"][0].keys(), lineterminator="\n")
            table.writeheader()
            table.writerows(other["rows"])
        else:
            json.dump(other, file)
    status = run("check", path, *AGAINST.get(source, [])).returncode
    if status != 0:
        os.remove(path)
    return source, name_of(change), status


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run("generate", "rigid", "--jobs", "20", "--seed", "8", "-o", "rigid.csv")
        run("generate", "pack", "--workload", "formula", "--tasks", "30", "--seed", "3", "-o", "formulas.json")
        run("generate", "volatile", "--hosts", "24", "--seed", "2", "-o", "hosts.json")
        run("generate", "moldable", "-n", "16", "--model", "mix", "--set", "1", "--procs", "33", "-o", "bag.json")
        work = []
        with open("queue.csv", "w", encoding="utf-8") as file:
            file.write(QUEUE)
        run("run", "queue.csv", "--slots", "4", "--oversubscribe", "--into", "ran", "--set", "retries=1", "--", "/bin/sh", "-c", "sleep 0.{procs}; test {name} != c")
        for source, command in MADE.items():
            path = os.path.join(folder, source + ".json")
            told = run(*command.format(top=TOP, out=path).split())
            assert run("check", path, *AGAINST.get(source, [])).returncode == 0, source + " is not valid: " + told.stdout + run("check", path).stdout
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            work += [(source, change, document) for change in COMMON + OWN[source.split("-")[0]]]
        for policy in TABLES:
            run("replay", LOG, "--policy", policy, "--jobs", policy + ".csv")
            assert run("check", policy + ".csv", *AGAINST["table-" + policy]).returncode == 0, policy
            with open(policy + ".csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            work += [("table-" + policy, change, {"rows": rows}) for change in OWN["table"]]
        tasks = [(folder, *work[k % len(work)], k) for k in range(MUTANTS)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [verdict for verdict in pool.map(judge, tasks) if verdict]
    return report(found)


def report(found):
    made = collections.Counter((source, change) for source, change, _ in found)
    passed = collections.Counter((source, change) for source, change, status in found if status == 0)
    strange = [verdict for verdict in found if verdict[2] not in (0, 1, 5)]
    bad = len(strange)
    for verdict in strange:
        print("not ok - %s, %s: check ended with %d" % verdict)
    for kind, count in sorted(passed.items()):
        known = KNOWN.get(kind, 0)
        most = -(-known * made[kind] // 100)  # rounded up: few mutants of a kind are made
        bad += count > most
        print("%s - %s, %s: %d of %d pass as valid (known: %d of 100)" % (
            "not ok" if count > most else "ok", *kind, count, made[kind], known))
    unnoticed = sum(count for kind, count in passed.items() if KNOWN.get(kind, 0) < FREE)
    bad += MUTANTS == USUAL and unnoticed > UNNOTICED
    print("%d mutants in %d kinds, %d unnoticed (of the usual %d at most %d)" % (len(found), len(made), unnoticed, USUAL, UNNOTICED))
    return 1 if bad else 0


sys.exit(main())
