#!/usr/bin/env python3
"""What check must reject, accept, and call incomplete: plans of packs and bags, failures at one time, logs.

usage: tests/cli/check.py COSCHED EXAMPLES
"""

import copy
import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, read, write

EXAMPLES = os.path.abspath(sys.argv[2])


def judged(what, document, status, *told):
    """The verdict on a document."""
    shown = cosched("check", write(".", "forged.json", json.dumps(document)), status=status)[0]
    for text in told:
        ok(text in shown, "%s: the verdict has: %s" % (what, text))


def one_by_one(plan):
    """The plan of the same tasks one after the other on all processors: 540 s where 365 s is possible."""
    slow, now = copy.deepcopy(plan), 0
    slow["bars"], slow["packs"] = [], []
    for k, task in enumerate(slow["instance"]["tasks"]):
        seconds = dict(map(tuple, task["points"]))[8]
        slow["bars"].append({"task": k, "group": k, "procs": "0-7", "start": now, "end": now + seconds})
        entry = {"name": slow["tasks"][k], "procs": 8, "launched": 8, "seconds": seconds}
        slow["packs"].append({"cost": seconds, "tasks": [entry]})
        now += seconds
    slow["makespan"] = now
    for key in ("cost", "one_pack_cost", "relative_cost", "packing_ratio", "relative_response_time", "packing_ratio_used",
                "packing_ratio_minimal", "smith_response_time", "gap", "lower_bound", "certificate", "optimal"):
        slow.pop(key, None)
    return slow


def packs():
    cosched("plan", "pack", EXAMPLES + "/quickstart.csv", "--procs", 8, "-o", "pack.json")
    plan = json.loads(read("pack.json"))
    slow = one_by_one(plan)
    judged("one by one", slow, 0)
    judged("optimal without a cost", {**slow, "optimal": True}, 1, "another plan costs 365")
    judged("a bound without a cost", {**slow, "lower_bound": 1e9}, 1, "the declared lower bound is 1000000000")
    judged("a bound and no cost", {**plan, "cost": None, "lower_bound": 1e9}, 1, "the declared lower bound is 1000000000")
    judged("a gap without a bound", {**slow, "gap": 0}, 1, "the file has no lower bound")
    late = copy.deepcopy(plan)
    for bar in late["bars"]:
        for key in ("start", "end"):
            bar[key] += 1e6 * (bar["group"] + 1)
    late["makespan"] = max(bar["end"] for bar in late["bars"])
    judged("idle and optimal", late, 1, "no pack runs during the difference")
    judged("idle", {key: late[key] for key in late if key not in ("optimal", "gap")}, 1, "no pack runs during the difference")


def limits():
    """Limits hold for repaired times, too; the margin of a walltime holds for bags."""
    cosched("plan", "pack", EXAMPLES + "/quickstart.csv", "--procs", 8, "-o", "pack.json")
    slow = one_by_one(json.loads(read("pack.json")))
    slow["instance"]["tasks"] = [{"name": name, "amdahl": {"seq_time": 80, "seq_fraction": 0}} for name in slow["tasks"]]
    for k, bar in enumerate(slow["bars"]):
        bar["start"], bar["end"] = 10 * k, 10 * k + 10
        slow["packs"][k] = {"cost": 10, "tasks": [{"name": slow["tasks"][k], "procs": 8, "seconds": 10}]}
    slow.update(times="repaired", makespan=10 * len(slow["bars"]))
    judged("repaired", slow, 0)
    for limit, told in (({"max_procs": 1}, "max_procs does not allow that"), ({"counts": [1, 4]}, "its list of counts"),
                        ({"walltime": 9}, "its walltime of 9 s"), ({"walltime": 15, "margin": 2}, "with the margin 2"),
                        ({"release": 1000}, "its release is 1000 s")):
        forged = copy.deepcopy(slow)
        forged["instance"]["tasks"][0].update(limit)
        judged("repaired, %s" % limit, forged, 1, told)
    cosched("plan", "moldable", EXAMPLES + "/quickstart.csv", "--procs", 8, "-o", "bag.json")
    bag = json.loads(read("bag.json"))
    for task in bag["instance"]["tasks"]:
        task.update(walltime=2000, margin=100)
    judged("a margin", bag, 1, "its walltime is 2000 s, with the margin 100")
    cosched("plan", "moldable", EXAMPLES + "/quickstart.csv", "--procs", 8, "--walltime", 2000, "--margin", 2, "-o", "bag.json")
    cosched("check", "bag.json")


def incomplete():
    """What was not checked ends with 5."""
    cosched("plan", "moldable", EXAMPLES + "/quickstart.csv", "--procs", 8, "-o", "bag.json")
    bag = json.loads(read("bag.json"))
    judged("a key of another problem", {**bag, "cost": 1}, 5, 'but its "cost" belongs to another problem')
    cosched("generate", "moldable", "-n", 40, "--seed", 1, "--procs", 20, "-o", "large.json")
    cosched("plan", "moldable", "large.json", "--procs", 20, "--policy", "search:moves=20000", "-o", "bag.json")
    bag = json.loads(read("bag.json"))
    ok(bag["lower_bound"] < bag["makespan"] * (1 - 1e-6), "the plan is not proven")
    low = bag["makespan"] * (1 - 1e-10)
    bag.update(lower_bound=low, gap=bag["makespan"] / low - 1, certificate={"search": True})
    judged("a bound of a search", bag, 5, "comes from a search and was not certified")
    bag.update(optimal=True)
    judged("optimal by a search", bag, 5, "was not certified")
    shown = cosched("check", "forged.json", "--format", "json", status=5)[0]
    ok(json.loads(shown) == [], "and nothing is wrong")
    cosched("check", "forged.json", "pack.json", status=5)
    slow = copy.deepcopy(bag)
    for bar in slow["bars"]:
        bar["start"] += slow["makespan"]
        bar["end"] = bar["start"] + (bar["end"] - (bar["start"] - slow["makespan"]))
    slow.update(makespan=2 * low, lower_bound=2 * low)
    judged("a search that found too much", slow, 1)


def malleable(tasks, procs, faults, *options):
    """A simulation with these failures is valid."""
    write(".", "f.csv", "".join("%r,%d\n" % fault for fault in faults))
    write(".", "w.json", json.dumps({"format": "cosched-workload-1", "tasks": [
        {"name": "t%d" % k, "communication": {"seq_time": seconds, "seq_fraction": 0, "overhead": 0},
         "checkpoint": checkpoint, "data": data} for k, (seconds, checkpoint, data) in enumerate(tasks)]}))
    cosched("simulate", "malleable", "w.json", "-p", procs, *options, "--faults", "f.csv", "-o", "s.json")
    cosched("check", "s.json")
    return json.loads(read("s.json"))


def one_time():
    """Failures at time 0 and several at one time happen in the order of the list."""
    none = "--on-end", "none", "--on-failure", "none"
    greedy = "--on-end", "none", "--on-failure", "iterated-greedy"
    malleable([(1000, 10, 5)], 2, [(0.0, 0)], "--mtbf", 1e6, *none)
    malleable([(1000, 10, 5)], 2, [(0.0, 0), (0.0, 1)], "--mtbf", 1e6, *none)
    malleable([(1000, 10, 5), (100, 10, 0)], 8, [(0.0, 0), (0.0, 3)], "--mtbf", 1e5, "--downtime", 5, *greedy)
    both = malleable([(100, 1, 1), (10000, 1, 1)], 4, [(500.0, 0), (500.0, 2)], "--mtbf", 1e6, "--downtime", 60, *greedy)
    ok([fault["effect"] for fault in both["faults"]] == ["idle", "rollback-redistributed"], "idle, and then given away")
    both["faults"].reverse()
    judged("the other way round it is not idle", both, 1, "is declared with the effect idle")
    both["faults"] = both["faults"][1:]
    judged("nothing gives it away", both, 1)
    del both["on_end"]
    judged("nothing gives it away, by no policy", both, 1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        packs()
        limits()
        incomplete()
        one_time()
    finish()


main()
