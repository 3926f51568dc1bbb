#!/usr/bin/env python3
"""plan pack --write-lp: the optimum of the file, by enumeration, is the cost of the policy `exact`.

usage: pack_lp.py COSCHED
"""

import csv
import io
import itertools
import os
import re
import sys
import tempfile

from kit import cosched, finish, ok, refused, write

ROW = re.compile(r"^ (\w+): (.*?) (<=|=) (\S+)$")
TERM = re.compile(r"([+-]?) ?((?:\d[0-9.]*(?:e\+?\d+)?)?) ?([xy][0-9_]+)")


def read_lp(path):
    """(names in the objective, [({name: value}, sense, rhs)], binaries)."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\n  ", " ", "".join(line for line in file if not line.startswith("\\")))
    head, rest = text.split("Subject To\n")
    rows, binaries = rest.split("Binary\n")
    found = []
    for line in rows.splitlines():
        _, terms, sense, rhs = ROW.match(line).groups()
        found.append(({name: (-1 if sign == "-" else 1) * float(value or 1) for sign, value, name in TERM.findall(terms)},
                      sense, float(rhs)))
    ok(head.startswith("Minimize\n cost:") and binaries.endswith("\nEnd\n"), "the parts of the LP format")
    return re.findall(r"y\d+", head), found, binaries.split()[:-1]


def least(objective, rows, binaries):
    """Every task takes one (processors, pack): the least cost over all choices."""
    by_task = {}
    for name in binaries:
        by_task.setdefault(name.split("_")[0], []).append(name)
    best = float("inf")
    for choice in itertools.product(*by_task.values()):
        value = dict.fromkeys(binaries, 0) | dict.fromkeys(choice, 1) | dict.fromkeys(objective, 0)
        for terms, _, _ in rows:  # the time of a pack is the least that its rows allow
            for name in terms:
                if name.startswith("y"):
                    value[name] = max(value[name], sum(terms[x] * value[x] for x in terms if x != name))
        if all(abs(total - rhs) < 1e-9 if sense == "=" else total <= rhs + 1e-9 for total, sense, rhs in
               ((sum(terms[name] * value[name] for name in terms), sense, rhs) for terms, sense, rhs in rows)):
            best = min(best, sum(value[name] for name in objective))
    return best


def compare(folder, name, apps, *words):
    path = os.path.join(folder, name + ".lp")
    out = cosched("plan", "pack", apps, *words, "--policy", "exact,one-by-one", "--format", "csv", "--write-lp", path)[0]
    cost = float(next(csv.DictReader(io.StringIO(out)))["cost"])
    found = least(*read_lp(path))
    ok(abs(found - cost) <= 1e-6 * cost, "%s: %g by enumeration, %g by exact" % (name, found, cost))


def main(folder):
    apps = write(folder, "apps.csv", "app,procs,seconds\n=a,1,10\n=a,2,6\n=a,3,5\nb,1,7\nb,2,4\nc,2,9\n")
    compare(folder, "minima", apps, "--procs", 3)
    compare(folder, "pairs", apps, "--procs", 3, "--pack-size", 2)
    for seed in range(1, 4):
        made = os.path.join(folder, "made%d.json" % seed)
        cosched("generate", "pack", "--workload", "random", "--tasks", 3, "--procs", 4, "--seed", seed, "-o", made)
        compare(folder, "random%d" % seed, made, "--procs", 4, "--pack-size", 2)
    with open(os.path.join(folder, "minima.lp"), encoding="utf-8") as file:
        text = file.read()
    ok('\\ task 0: "=a"\n' in text and max(map(len, text.splitlines())) < 255, "names are comments, lines are short")
    refused("it is the input", "plan", "pack", apps, "--procs", 3, "--write-lp", apps)
    refused("--write-lp writes FILE.lp", "plan", "pack", apps, "--procs", 3, "--write-lp", os.path.join(folder, "x.json"), status=2)
    refused("--write-lp: found 2000 tasks on 1000 processors", "plan", "pack", "--procs", 1000, "--policy", "one-by-one", "--write-lp",
            os.path.join(folder, "large.lp"), write(folder, "many.csv", "app,procs,seconds\n" + "".join("t%d,1,1\n" % i for i in range(2000))))
    ok(not os.path.exists(os.path.join(folder, "large.lp")), "nothing is written then")


with tempfile.TemporaryDirectory() as top:
    main(top)
finish()
