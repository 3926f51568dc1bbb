#!/usr/bin/env python3
"""Real applications: LAMMPS and GROMACS, measured, planned, run and resized by cosched.

usage: tests/run/molecules.py COSCHED EXAMPLES

Skips what is not installed: lmp and mpirun, gmx.
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from kit import COSCHED, cosched, finish, ok, read, write  # noqa: E402

EXAMPLES = os.path.abspath(os.path.join(sys.argv[2], "molecules"))
MPIRUN = ["mpirun", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-np"]
os.environ.update(OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def attempts(run):
    with sqlite3.connect("file:%s/journal.db?mode=ro" % run, uri=True) as db:
        return list(db.execute("SELECT t.name, a.slots, e.outcome FROM attempt a JOIN task t ON "
                               "t.id = a.task LEFT JOIN attempt_end e ON e.attempt = a.id ORDER BY "
                               "a.id"))


def shows_progress(run, task, slots):
    """Has an attempt of the task on these slots shown progress, so that it can be stopped?"""
    try:
        with sqlite3.connect("file:%s/journal.db?mode=ro" % run, uri=True) as db:
            return db.execute("SELECT 1 FROM event e JOIN attempt a ON a.id = e.attempt JOIN task t ON "
                              "t.id = a.task WHERE e.kind = 'progress' AND t.name = ? AND a.slots = ?",
                              (task, slots)).fetchone()
    except sqlite3.Error:
        return None


def copy(folder, *names):
    for name in names:
        shutil.copy(os.path.join(EXAMPLES, name), folder)


def with_steps(folder, name, short, long):
    """The example, with as many steps as a test has time for."""
    path = os.path.join(folder, name)
    text = read(path).replace('"100"', '"%d"' % short).replace('"400"', '"%d"' % long)
    write(folder, name, text.replace('"of": 400', '"of": %d' % long))
    return path


class TooBusy(Exception):
    """The long one ended before it could be seen, and stopped, on two processes; it needs more steps."""


def stop_in_time(executor, into, name):
    """Ask the run to stop; it may have ended by itself meanwhile."""
    asked = subprocess.run([COSCHED, "run", "stop", into], stderr=subprocess.PIPE, text=True)
    if executor.wait() == 0:
        raise TooBusy(name)
    ok(asked.returncode == 0, "%s: is asked to stop %s" % (name, asked.stderr))


def there_and_back(folder, path, name):
    """One process, two when the other has ended, one again when a core is gone: a resume."""
    into = os.path.join(folder, name)
    executor = subprocess.Popen([COSCHED, "run", path, "--into", into, "--poll", "0.1"],
                                preexec_fn=lambda: os.sched_setaffinity(0, {0, 1}))
    until = time.monotonic() + 500
    while not shows_progress(into, "long", "0-1") and executor.poll() is None:
        if time.monotonic() > until:
            executor.kill()
            break
        time.sleep(0.05)
    if executor.poll() is not None:
        raise TooBusy(name)
    ok(True, "%s: the long one goes on, on two processes" % name)
    stop_in_time(executor, into, name)
    ok(executor.returncode == 4, "%s: stopped, saved" % name)
    os.sched_setaffinity(0, {0})
    cosched("run", "--resume", into, "--poll", "0.1", given="")
    os.sched_setaffinity(0, {0, 1})
    long = [a for a in attempts(into) if a[0] == "long"]
    ok([(len(a[1]) > 1, a[2]) for a in long][-3:] == [(False, "stopped"), (True, "stopped"),
                                                    (False, "ok")],
       "%s: one process, two, one: %s" % (name, long))
    achieved = os.path.join(folder, name + ".ran.json")
    cosched("run", "schedule", into, "--output", achieved, "--gantt", achieved + ".svg")
    ok("valid" in cosched("check", achieved)[0], "%s: what ran is valid" % name)


def lammps(folder, times):
    copy(folder, "melt.in", "melts.json", "melts.csv")
    melt = os.path.join(folder, "melt.in")
    line = [*MPIRUN, "{procs}", "lmp", "-in", melt, "-screen", "none", "-log", "none", "-var", "name",
            "{name}", "-var", "steps", "50"]
    for procs in (1, 2):
        jobs = write(folder, "jobs.csv", "name,procs,seconds\nmelt,%d,2\nmolt,%d,2\n" % (procs, procs))
        run = os.path.join(folder, "measured%d" % procs)
        cosched("run", jobs, "--slots", 2, "--oversubscribe", "--into", run, "--set", 'cwd="{dir}"', "--", *line)
        cosched("run", "schedule", run, "--timings", os.path.join(folder, "times.csv"))
    measured = os.path.join(folder, "times.csv")
    ok(read(measured).count("\n") == 5, "timings are measured by running")
    cosched("fit", measured)
    cosched("plan", "moldable", measured, "--procs", 2, "--schedule", os.path.join(folder, "plan.json"))
    cosched("run", os.path.join(folder, "plan.json"), "--oversubscribe", "--into", os.path.join(folder, "planned"),
            "--set", 'cwd="{dir}"', "--", *line)
    ok({a[2] for a in attempts(os.path.join(folder, "planned"))} == {"ok"}, "and planned by them")
    subprocess.run(["lmp", "-in", "melt.in", "-screen", "none", "-log", "none", "-var", "name", "alone",
                    "-var", "steps", str(400 * times)], cwd=folder, check=True)
    there_and_back(folder, with_steps(folder, "melts.json", 30, 400 * times), "melts")
    ok(read(os.path.join(folder, "long.end")) == read(os.path.join(folder, "alone.end")),
       "the energies of an unbroken run, in all 8 digits")


def conserved(path):
    """The last conserved energy of a log."""
    heads = re.findall(r"Conserved En\..*\n(.*)", read(path))
    column = re.search(r"^.*Conserved En\..*$", read(path), re.M).group(0).index("Conserved En.") // 15
    return float(heads[-2][15 * column:15 * column + 15])


def gromacs(folder, times):
    copy(folder, "waters.json", "waters.csv", "water.sh")
    steps = {"short": 30, "long": 800 * times}
    for name, count in steps.items():
        subprocess.run(["sh", "-e", "water.sh", name, "2", str(count)], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copy(os.path.join(folder, "long.tpr"), os.path.join(folder, "alone.tpr"))
    subprocess.run(["gmx", "-quiet", "mdrun", "-s", "alone.tpr", "-deffnm", "alone", "-ntmpi", "1",
                    "-ntomp", "1", "-pin", "off"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    there_and_back(folder, with_steps(folder, "waters.json", steps["short"], steps["long"]), "waters")
    ok(os.path.exists(os.path.join(folder, "long.gro")), "all steps are done")
    here, there = (conserved(os.path.join(folder, name)) for name in ("long.log", "alone.log"))
    ok(abs(here - there) < 1e-3 * abs(there), "the conserved energy of an unbroken run: %g, %g" %
       (here, there))


def behind_mpirun(folder, times):
    """A signal to the ranks themselves: mpirun would pass it on and kill them a second later."""
    copy(folder, "water.sh")
    steps = 800 * times
    subprocess.run(["sh", "-e", "water.sh", "m", "2", str(steps)], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    write(folder, "m.csv", "name,procs,seconds\nm,1,60\n")
    path = write(folder, "m.json", json.dumps({
        "format": "cosched-run-1", "input": "m.csv", "slots": {"count": 1, "pin": False},
        "task": {"command": [*MPIRUN, "2", "gmx_mpi", "-quiet", "mdrun", "-s", "m.tpr", "-deffnm", "m",
                             "-cpi", "m.cpt", "-pin", "off"],
                 "checkpoint": {"stop": {"signal": "TERM", "to": "gmx_mpi"}, "saved": "m.cpt",
                                "restart": [], "done": {"file": "m.gro"}, "grace": 120,
                                "progress": {"file": "m.log", "last": "Step +Time\n +([0-9]+)",
                                             "of": steps}}}}))
    into = os.path.join(folder, "mpi")
    executor = subprocess.Popen([COSCHED, "run", path, "--into", into, "--poll", "0.1"],
                                stderr=subprocess.DEVNULL)
    while not shows_progress(into, "m", "0") and executor.poll() is None:
        time.sleep(0.02)
    if executor.poll() is not None:
        raise TooBusy("mpi")
    stop_in_time(executor, into, "mpi")
    ok(executor.returncode == 4 and [a[2] for a in attempts(into)] == ["stopped"] and
       os.path.exists(os.path.join(folder, "m.cpt")), "behind mpirun: the ranks save and end")
    cosched("run", "--resume", into)
    ok([a[2] for a in attempts(into)] == ["stopped", "ok"], "behind mpirun: goes on")


def main():
    some = False
    if len(os.sched_getaffinity(0)) < 2:
        print("1..0 # SKIP two cores are needed")
        return
    for programs, case in ((("lmp", "mpirun"), lammps), (("gmx",), gromacs),
                           (("gmx_mpi", "gmx", "mpirun"), behind_mpirun)):
        if not all(map(shutil.which, programs)):
            print("# %s: not installed" % programs[0])
            continue
        some = True
        for times in (1, 2, 4, 8):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    case(folder, times)
                    break
                except TooBusy as name:
                    ok(times < 8, "%s: with %d times the steps it ended before it could be stopped" % (name, times))
    if not some:
        print("1..0 # SKIP neither LAMMPS nor GROMACS is installed")
        return
    finish()


main()
