#!/usr/bin/env python3
"""Numbers that would take for ever, or more memory than there is, are refused at once where they stand.

usage: tests/cli/limits.py COSCHED EXAMPLES
"""

import json
import os
import sys
import tempfile

from kit import finish, read, refused, write

EXAMPLES = os.path.abspath(sys.argv[2])
GRAPHS = os.path.join(EXAMPLES, "graphs.json")


def clusters(*kinds):
    link = {"bandwidth": 1e9, "latency": 1e-5}
    return json.dumps({"name": "x", "backbone": link,
                       "clusters": [{"name": "c%d" % k, "procs": procs, "speed": speed, **link} for k, (procs, speed) in enumerate(kinds)]})


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    slow = write(".", "slow.json", clusters((8, 0.1), (8, 1e9)))
    refused("8e+10 processors of its slowest cluster, c0 (0.1 flop/s)", "plan", "ptg", GRAPHS, "--platform", slow)
    large = write(".", "large.json", clusters((2000000000, 1e9)))
    refused("2e+09 processors of its slowest cluster", "plan", "ptg", GRAPHS, "--platform", large)
    hosts = json.loads(read(os.path.join(EXAMPLES, "hosts.json")))
    hosts["application"]["iterations"] = 10**9
    refused("must be from 1 to 1000000", "simulate", "volatile", write(".", "hosts.json", json.dumps(hosts)))
    jobs = write(".", "jobs.csv", "name,procs,seconds\na,3,1e308\nb,3,1e308\n")
    refused("are their times in seconds?", "simulate", "rigid", jobs, "--procs", 4)
    log = {"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "walltime": 60, "res": 1, "profile": "p"}], "profiles": {"p": {"type": "delay", "delay": 1e13}}}
    refused("more than a million extensions", "replay", write(".", "log.json", json.dumps(log)), "--overrun", "extend")
    for problem in "rigid", "pack", "malleable":
        sweep = {"problem": problem, "set": {"procs": 10**9}, "vary": {"seed": [1]}}
        refused("set.procs: ", "campaign", "run", write(".", "sweep.json", json.dumps(sweep)), "--store", ":memory:")
    os.chdir("/")
finish()
