#!/usr/bin/env python3
"""A plan for `cosched plan moldable --policy program --policy-program examples/policies/bag.py`: for each time that a task can take,
every task gets the count of least work that ends within that time; then the longest start first, whenever they fit, and the
shortest of these plans is the answer."""

import heapq
import json
import sys


def thrifty(task, limit):
    """(seconds, processors, task) of least work that ends within the limit, else the fastest."""
    within = [(procs * seconds, procs, seconds) for procs, seconds in zip(task["counts"], task["seconds"]) if seconds <= limit]
    _, procs, seconds = min(within) if within else (0, task["counts"][-1], task["seconds"][-1])
    return seconds, procs, task["task"]


def start_all(machine, order):
    """When the last task ends, if at each event all that fit start, in this order; {task: start}."""
    release = [task["release"] for task in machine["tasks"]]
    comes, waiting, running, starts, free, now, last = sorted(release), list(order), [], {}, machine["procs"], 0, 0
    while waiting:
        for one in list(waiting):
            seconds, procs, task = one
            if procs <= free and release[task] <= now:
                waiting.remove(one)
                starts[task] = now
                free -= procs
                heapq.heappush(running, (now + seconds, procs))
                last = max(last, now + seconds)
        events = [running[0][0]] if running else []
        events += [time for time in comes if time > now][:1]
        now = min(events)
        while running and running[0][0] <= now:
            free += heapq.heappop(running)[1]
    return last, starts


def main():
    machine = None
    for line in sys.stdin:
        event = json.loads(line)
        if event["event"] == "machine":
            machine = event
        if event["event"] == "plan":
            limits = sorted({seconds for task in machine["tasks"] for seconds in task["seconds"]})
            orders = [sorted((thrifty(task, limit) for task in machine["tasks"]), key=lambda one: (-one[0], one[2])) for limit in limits]
            best = min(orders, key=lambda order: start_all(machine, order)[0])
            if machine["contiguous"]:
                answer = {"list": [[task, procs] for _, procs, task in best]}
            else:
                starts = start_all(machine, best)[1]
                answer = {"plan": [[task, procs, starts[task]] for _, procs, task in best]}
            print(json.dumps(answer), flush=True)


main()
