#!/usr/bin/env python3
"""End-local once more, for `cosched simulate malleable --on-end program --policy-program examples/policies/local.py`: free processors
go, two by two, to the task that is expected to end last, as long as it ends earlier with them.

When a task would end with other processors it asks back: {"finish": [[TASK, PROCS], ...]}."""

import json
import sys


def say(**answer):
    print(json.dumps(answer), flush=True)


def finishes(task, counts):
    say(finish=[[task, procs] for procs in counts])
    return json.loads(sys.stdin.readline())["seconds"]


def deal(tasks, free):
    """Tasks by number: those that get more have their new processors."""
    known = {}
    while free >= 2 and tasks:
        last = max(tasks.values(), key=lambda task: (task["finish"], -task["task"]))
        number, procs = last["task"], last["procs"]
        if number not in known:
            counts = range(procs + 2, procs + free // 2 * 2 + 1, 2)
            known[number] = dict(zip(counts, finishes(number, counts)))
        better = [more for more in known[number] if procs < more <= procs + free and known[number][more] < last["finish"]]
        if not better:
            yield number, procs
            del tasks[number]
            continue
        free -= better[0] - procs
        last["procs"], last["finish"] = better[0], known[number][better[0]]
    yield from ((number, task["procs"]) for number, task in tasks.items())


def main():
    while line := sys.stdin.readline():
        event = json.loads(line)
        if event["event"] == "decide":
            before = {task["task"]: task["procs"] for task in event["tasks"]}
            after = deal({task["task"]: task for task in event["tasks"]}, event["free"])
            say(procs=[[task, procs] for task, procs in after if procs != before[task]])


main()
