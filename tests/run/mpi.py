#!/usr/bin/env python3
"""An application of MPI that saves its state (examples/stencil/stencil_mpi.c), resized while it runs: the
same temperatures as with threads, to the last bit.

usage: tests/run/mpi.py COSCHED STENCIL SOURCE

Skips where there is no mpicc or no mpirun that runs it.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from kit import cosched, finish, ok, write  # noqa: E402

STENCIL, SOURCE = map(os.path.abspath, sys.argv[2:4])
SIZE = "40"
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-np"]
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def quietly(words, folder):
    return subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode


def lacks(folder):
    """What is not here, or None; the program is built."""
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        return "there is no mpicc, or no mpirun"
    if quietly(["mpicc", "-O2", "-o", "stencil_mpi", SOURCE], folder):
        return "mpicc does not work here"
    if quietly([*MPIRUN, "2", "./stencil_mpi", "try", "10", "3"], folder):
        return "this mpirun does not run two processes here"
    return None


def bytes_of(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def unbroken(folder, steps):
    quietly([STENCIL, "alone", SIZE, str(steps), "1"], folder)
    return bytes_of(folder, "alone.heat")


def attempts(run):
    with sqlite3.connect("file:%s/journal.db?mode=ro" % run, uri=True) as db:
        return db.execute("SELECT t.name, a.slots, e.outcome, a.restart FROM attempt a JOIN task t ON t.id = a.task "
                          "JOIN attempt_end e ON e.attempt = a.id ORDER BY a.id").fetchall()


def run(folder, name, steps):
    """Two applications on two slots; by what is expected the second takes `steps`, the first a third of it."""
    steps = {"north": steps // 3, "south": steps}
    write(folder, name + ".csv", "app,procs,seconds,checkpoint\n" + "".join(
        "%s,%d,%g,0.02\n" % (task, k, steps[task] * 0.02 / k) for task in steps for k in (1, 2)))
    path = write(folder, name + ".json", json.dumps({
        "format": "cosched-run-1", "decide": "resize", "input": name + ".csv", "pairs": False,
        "slots": {"count": 2, "oversubscribe": True},
        "task": {"cwd": "{dir}", "launcher": [*MPIRUN, "{procs}"], "checkpoint": {
            "stop": {"signal": "TERM", "to": "stencil_mpi"}, "restart": [], "saved": "{dir}/{name}.state",
            "progress": "{dir}/{name}.progress", "done": {"file": "{dir}/{name}.heat"}, "grace": 60}},
        "tasks": {task: {"command": ["./stencil_mpi", "{name}", SIZE, str(steps[task]), "--pace", "20"]}
                  for task in steps}}))
    into = os.path.join(folder, name)
    cosched("run", path, "--into", into, "--poll", "0.1")
    ok(all(bytes_of(into, "t", task, task + ".heat") == unbroken(folder, steps[task]) for task in steps),
       "the same temperatures as with one thread, unbroken")
    return into


def resized(folder):
    """Where the machine is so busy that nothing is gained by a move, more steps are."""
    for steps in (90, 360, 1440):
        into = run(folder, "steps%d" % steps, steps)
        ran = [a[1:] for a in attempts(into) if a[0] == "south"]
        if len(ran) > 1:
            break
    ok(ran[0][:2] == ("0", "stopped") or ran[0][:2] == ("1", "stopped"), "asked through mpirun to save: %s" % ran)
    ok(ran[-1][:2] == ("0-1", "ok") and ran[-1][2] > 0, "and went on with two ranks, from what was saved: %s" % ran)


def main():
    with tempfile.TemporaryDirectory() as folder:
        reason = lacks(folder)
        if reason:
            print("1..0 # SKIP " + reason)
            return
        resized(folder)
    finish()


main()
