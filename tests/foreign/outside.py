#!/usr/bin/env python3
"""The tool linked as a foreign program says and writes what the tool does.

usage: tests/foreign/outside.py COSCHED-OUTSIDE COSCHED SOURCE

Both run the same commands, each in a folder of its own: output, messages, status and files are the same to the byte.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

OUTSIDE, COSCHED, SOURCE = map(os.path.abspath, sys.argv[1:])
COMMANDS = """
list
list rigid
list moldable --format json
list --parameters pack
list nosuch
fit examples/scaling.csv
fit examples/scaling.csv --format json -o fitted.json
fit nosuch.csv
fit availability examples/spot.csv
convert examples/monday.swf --to csv -o jobs.csv
convert examples/monday.swf --to odt
convert plan.json --to trace -o trace.json
replay examples/monday.swf --policy easy,fcfs --jobs replayed.csv
replay examples/monday.swf --policy easy --by width --format csv
replay examples/monday.swf --policy nosuch
check plan.json
check replayed.csv --log examples/monday.swf
check plan.json --against examples/quickstart.csv
check examples/monday.swf
plot plan.json -o plan.svg
plot plan.json -o plan.odt
report plan.json -o plan.html
campaign run one.json --threads 2
campaign run one.json --where policy=nosuch
campaign run one.json --format json
campaign export one.db --format csv
campaign verify one.db
campaign slurm nosuch.json --dry-run
campaign status nosuch.db
paper list --papers papers
paper run one --papers papers -o out
paper run one --papers papers -o out --set jobs=3 --format csv
paper run two --papers papers
paper run one --papers papers --set nosuch=1
run plan.json --dry-run -o dry.json -- true
run plan.json --dry-run --set x -- true
run nosuch.csv --into run1 -- true
run --resume nosuch
run status nosuch
run stop nosuch
campaign run --help
help check
list --nosuch
plan pack examples/quickstart.csv -p 8 --effort fast --format csv -o pack.json --sbatch pack.sh
plan moldable examples/quickstart.csv -p 8 --format csv --gantt bag.svg
plan malleable examples/applications.csv -p 64 --mtbf 5y
plan volatile examples/hosts-free.json --format json
plan ptg examples/graphs.json --platform grid5000-lille --policy all
plan pack nosuch.csv
plan pack --help
simulate malleable examples/applications.csv --procs 64 --mtbf 5y -n 3
simulate rigid examples/monday.swf --arrivals --policy strict-easy --jobs jobs2.csv --per-scenario runs.csv
simulate rigid examples/monday.swf --policy nosuch
generate volatile -o hosts.json
""".strip().split("\n")
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, " ".join(what.replace("#", "").split())), flush=True)


def libraries(program):
    lines = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split("[")[1].rstrip("]") for line in lines if "(NEEDED)" in line]


def furnish(folder):
    os.symlink(os.path.join(SOURCE, "examples"), os.path.join(folder, "examples"))
    os.symlink(os.path.join(SOURCE, "tests/foreign/papers"), os.path.join(folder, "papers"))
    with open(os.path.join(folder, "one.json"), "w", encoding="utf-8") as sweep:
        sweep.write('{"problem": "rigid", "replicates": 2, "set": {"jobs": 5, "procs": 9000, "scenarios": 2},'
                    ' "vary": {"policy": ["easy", "greedy"]}, "metrics": ["makespan"]}')
    subprocess.run([COSCHED, "plan", "pack", "examples/quickstart.csv", "-p", "8", "-o", "plan.json"],
                   cwd=folder, stdout=subprocess.DEVNULL, check=True)


def said(program, command, folder):
    done = subprocess.run([program, *command.split()], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout, done.stderr


def content(path):
    """Of a store the values: it knows when each was computed."""
    if not path.endswith(".db"):
        with open(path, "rb") as file:
            return file.read()
    with sqlite3.connect(path) as store:
        return store.execute("SELECT parameters, seed, makespan FROM rigid ORDER BY parameters, seed").fetchall()


def files(folder):
    return {os.path.relpath(os.path.join(below, name), folder): content(os.path.join(below, name))
            for below, _, names in os.walk(folder) for name in names}


def main():
    if shutil.which("readelf"):
        ok("libcosched.so.1" in libraries(OUTSIDE), "linked with the shared library: " + " ".join(libraries(OUTSIDE)))
    with tempfile.TemporaryDirectory() as top:
        folders = [os.path.join(top, name) for name in ("outside", "tool")]
        for folder in folders:
            os.mkdir(folder)
            furnish(folder)
        for command in COMMANDS:
            one, other = (said(program, command, folder) for program, folder in zip((OUTSIDE, COSCHED), folders))
            ok(one == other, "%s: %d, %d bytes%s" % (command, one[0], len(one[1]), "" if one == other else " %r %r" % (one, other)))
            ok(one[0] in (0, 1, 2), command + " ends with a status")
        ok(files(folders[0]) == files(folders[1]), "%d files are the same" % len(files(folders[0])))
        ok({"out/one.md", "plan.svg", "plan.html", "one.db", "fitted.json"} <= set(files(folders[0])), "and they are there")
    print("1..%d" % count)
    return failed > 0


sys.exit(main())
