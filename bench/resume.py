#!/usr/bin/env python3
"""What it takes to go on with a run of many ended attempts, which is played again from its journal.

usage: bench/resume.py COSCHED [JOBS [SLOTS [TURNS]]]

JOBS (100,000) times /bin/true on SLOTS (8) slots, and a last job that hangs.  The executor is stopped for a moment
again and again, so that as many jobs end in a round as there are slots.  It is killed when the last job runs; so is
the keeper of that.  Copies of the run are resumed, TURNS (5) times: the job that is left is lost, runs again and ends.
Prints how many attempts and rounds are played again, and of the resume, with what it starts, CPU seconds, seconds by
the clock and the executor's memory at the peak: medians.
"""

import contextlib
import glob
import os
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

PAUSE = 0.03


def ask(run, sql):
    with contextlib.closing(sqlite3.connect("file:%s/journal.db?mode=ro" % run, uri=True, timeout=60)) as db:
        return db.execute(sql).fetchone()[0]


def last_runs(executor, run):
    """Has the last job begun?  Some that run have a moment to end before the executor looks again."""
    executor.send_signal(signal.SIGSTOP)
    time.sleep(PAUSE)
    executor.send_signal(signal.SIGCONT)
    time.sleep(PAUSE / 6)
    if executor.poll() is not None:
        sys.exit("status %d" % executor.returncode)
    return os.path.exists(os.path.join(run, "last"))


def make(tool, folder, jobs, slots):
    """A run of which one job is left; what makes that end is a file."""
    run, go = os.path.join(folder, "run"), os.path.join(folder, "go")
    with open(os.path.join(folder, "jobs.csv"), "w", encoding="utf-8") as file:
        file.write("name,procs,seconds\n" + "".join("j%d,1,1\n" % k for k in range(jobs)) + "left,%d,2\n" % slots)
    with open(os.path.join(folder, "run.json"), "w", encoding="utf-8") as file:
        file.write('{"format": "cosched-run-1", "input": "jobs.csv", "policy": "greedy", "priority": "spt", '
                   '"slots": {"count": %d, "oversubscribe": true}, "task": {"command": ["/bin/true"]}, "tasks": {"left": '
                   '{"shell": "touch %s/last; [ -e %s ] || exec sleep 1000000"}}}' % (slots, run, go))
    with subprocess.Popen([tool, "run", os.path.join(folder, "run.json"), "--into", run, "--progress",
                           "none"]) as executor:
        while not last_runs(executor, run):
            pass
        executor.kill()
    with open(go, "w", encoding="utf-8"):
        pass
    for path in glob.glob(run + "/a/*/*.rec"):
        with open(path, encoding="utf-8") as file:
            keeper = re.search(r"pid=(\d+)", file.read())
        if keeper:
            os.kill(int(keeper[1]), signal.SIGKILL)
    return run


def resume(tool, run):
    """CPU seconds, seconds by the clock, MB."""
    began = time.monotonic()
    executor = subprocess.Popen([tool, "run", "--resume", run, "--progress", "none"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(executor.pid, 0)
    executor.returncode = status
    if status:
        sys.exit("status %d" % status)
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    jobs, slots, turns = (int(word) for word in (sys.argv[2:] + ["100000", "8", "5"][len(sys.argv[2:]):]))
    with tempfile.TemporaryDirectory() as folder:
        run, copy = make(sys.argv[1], folder, jobs, slots), os.path.join(folder, "copy")
        print("%d attempts in %d rounds; journal %.0f MB" % (
            ask(run, "SELECT count(*) FROM attempt_end"), ask(run, "SELECT count(*) FROM round"),
            os.path.getsize(run + "/journal.db") / 1e6))
        told = []
        for _ in range(turns):
            shutil.rmtree(copy, ignore_errors=True)
            subprocess.run(["cp", "-a", run, copy], check=True)
            told.append(resume(sys.argv[1], copy))
        print("resume: %.2f s of CPU, %.2f s by the clock, %.0f MB" % tuple(map(statistics.median, zip(*told))))


main()
