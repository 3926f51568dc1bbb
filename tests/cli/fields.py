#!/usr/bin/env python3
"""Every field of every problem, of commands and of sweeps, with numbers that nobody means: work, or a sentence.

usage: tests/cli/fields.py COSCHED EXAMPLES

Each command has 4 GB of memory, with which nothing runs under a sanitizer.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

from kit import COSCHED, finish, ok, results

EXAMPLES = os.path.abspath(sys.argv[2])
VALUES = ("1000000000", "1e308", "-1", "nan")
PROBLEMS = ("pack", "moldable", "malleable", "rigid", "ptg", "volatile", "spot")
GIVEN = {
    "pack": ["quickstart.csv", "--procs", "8"],
    "moldable": ["quickstart.csv", "--procs", "8"],
    "malleable": ["applications.csv", "--procs", "64"],
    "ptg": ["graphs.json", "--platform", "clusters.json"],
    "volatile": ["hosts.json"],
    "spot": ["spot.csv", "--work", "2h", "--deadline", "4h"],
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def sanitized():
    with open(COSCHED, "rb") as file:
        return b"__asan_init" in file.read()


def without(words, option):
    at = words.index(option) if option in words else len(words)
    return words[:at] + words[at + 2:]


def commands(problem, field):
    """What takes the field, without a value for it."""
    option = "--" + field["key"]
    for verb in set(field["verbs"]) - {"experiment"}:
        yield [verb, problem]
        if verb != "generate" and problem in GIVEN:
            yield [verb, problem, *without(GIVEN[problem], option)]
        if verb == "simulate" and problem == "rigid":
            yield [verb, problem, *without(["--procs", "3000"], option)]


def sweeps(problem, field):
    """Of the numbers that JSON has."""
    for value in (10**9, 1e308, -1):
        with open("sweep-%s.json" % value, "w", encoding="utf-8") as file:
            json.dump({"problem": problem, "set": {field["name"]: value}, "vary": {"seed": [1]}}, file)
        yield "sweep: set %s" % value, ["campaign", "run", file.name, "--store", ":memory:"]


def wrong(words):
    done = subprocess.run([COSCHED, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=limit, check=False)
    told = " ".join(done.stderr.split())
    if done.returncode in (0, 3) or done.returncode in (1, 2) and told and "memory" not in told:
        return None
    return "status %d: %s" % (done.returncode, told[:200])


def judge(problem, field):
    tries = [("%s=%s" % (" ".join(words), value), [*words, "--%s=%s" % (field["key"], value)])
             for words in commands(problem, field) for value in VALUES]
    if "experiment" in field["verbs"] and field["kind"] in ("integer", "real", "time"):
        tries = [*tries, *sweeps(problem, field)]
    found = [(what, told) for what, words in tries for told in [wrong(words)] if told]
    ok(not found, "%s, %s: %d commands %s" % (problem, field["name"], len(tries), found[:3] or ""))


if sanitized():
    print("1..0 # SKIP a sanitizer wants more memory than that")
    sys.exit(0)
with tempfile.TemporaryDirectory() as top:
    for name in ("quickstart.csv", "archer2.csv", "applications.csv", "graphs.json", "clusters.json", "hosts.json"):
        os.symlink(os.path.join(EXAMPLES, name), os.path.join(top, name))
    os.chdir(top)
    for each in PROBLEMS:
        for one in results("list", each, "--parameters"):
            judge(each, one)
    os.chdir("/")
finish()
