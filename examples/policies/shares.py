#!/usr/bin/env python3
"""Shares for `cosched plan ptg --policy program --policy-program examples/policies/shares.py`: ps-work once more, what is left of a
graph over what is left of all."""

import json
import sys

for line in sys.stdin:
    event = json.loads(line)
    if event["event"] == "shares":
        work = [graph["work"] if graph else 0 for graph in event["graphs"]]
        total = 0
        for one in work:
            total += one
        print(json.dumps({"shares": [one / total if total else 1 / len(work) for one in work]}), flush=True)
