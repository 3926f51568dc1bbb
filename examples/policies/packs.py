#!/usr/bin/env python3
"""Packs for `cosched plan pack --policy program --policy-program examples/policies/packs.py`: for each time that a task can take,
every task gets the fewest processors with which it ends within that time, the longest first go into the first pack with room, and
the cheapest of all these plans is the answer."""

import json
import sys


def fewest(task, limit):
    """(seconds, processors, task) on the fewest processors that end within the limit, else on those that end first."""
    for procs, seconds in zip(task["counts"], task["seconds"]):
        if seconds <= limit:
            return seconds, procs, task["task"]
    return task["seconds"][-1], task["counts"][-1], task["task"]


def fill(machine, limit):
    """First fit decreasing; (cost, packs)."""
    packs = []
    for seconds, procs, task in sorted((fewest(task, limit) for task in machine["tasks"]), key=lambda one: (-one[0], one[2])):
        for pack in packs:
            if pack["free"] >= procs and len(pack["tasks"]) < machine["pack_size"]:
                break
        else:
            pack = {"free": machine["procs"], "tasks": [], "seconds": seconds}
            packs.append(pack)
        pack["free"] -= procs
        pack["tasks"].append([task, procs])
    return sum(pack["seconds"] for pack in packs), [pack["tasks"] for pack in packs]


def main():
    machine = None
    for line in sys.stdin:
        event = json.loads(line)
        if event["event"] == "machine":
            machine = event
        if event["event"] == "plan":
            limits = sorted({seconds for task in machine["tasks"] for seconds in task["seconds"]})
            print(json.dumps({"packs": min(fill(machine, limit) for limit in limits)[1]}), flush=True)


main()
