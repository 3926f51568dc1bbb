#!/usr/bin/env python3
"""Hosts for `cosched simulate volatile --policy program --policy-program examples/policies/hosts.py`: when nothing runs, every task
goes to the host on which it is done first, as if all hosts stayed up."""

import json
import sys


def slots(app, host, state, tasks):
    """When a host with so many tasks has received what it lacks and computed them."""
    if not tasks:
        return 0
    return state["program"] + max(0, tasks - state["data"]) * app["data"] + tasks * host["slots"]


def deal(app, states):
    tasks = [0] * len(states)
    for _ in range(app["tasks"]):
        able = [q for q, state in enumerate(states) if state["state"] == "up" and tasks[q] < app["hosts"][q]["capacity"]]
        best = min(able, key=lambda q: (slots(app, app["hosts"][q], states[q], tasks[q] + 1), q))
        tasks[best] += 1
    return tasks


def main():
    app = None
    for line in sys.stdin:
        event = json.loads(line)
        if event["event"] == "machine":
            app = event
        elif event["event"] == "decide":
            print(json.dumps({"tasks": None if event["running"] else deal(app, event["hosts"])}), flush=True)


main()
