#!/usr/bin/env python3
"""Kill the executor of a run with SIGKILL at random moments, and some keepers, and go on.

usage: tests/run/kill.py COSCHED JOB [points]

COSCHED_KILLS says how often (12; a few minutes for 1,000), COSCHED_KILL_SEED repeats the moments.
With `points` strace does it at certain calls of the executor, so often at each of them (2): before its first
round is written, within one, after it and before a start, at the start, when an attempt has ended and is not
journaled, when it is journaled and its record still there, while records are removed, and while it resumes.
Every job must end well exactly once, no attempt run twice, none that is void at all, no process be
left, and no two attempts of a task run at the same time (tests/run/job.c).
"""

import collections
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

COSCHED, JOB = map(os.path.abspath, sys.argv[1:3])
KILLS = int(os.environ.get("COSCHED_KILLS", "2" if "points" in sys.argv else "12"))
SEED = int(os.environ.get("COSCHED_KILL_SEED", "0")) or random.randrange(1 << 30)
KINDS = ["well", "well", "well", "crash", "corrupt", "hang", "deaf", "family", "flood"]
COUNT = 40
POINTS = {
    "bind": "the socket of a run that is about to begin",
    "pwrite64": "within a round",
    "statfs": "after a round, before its starts",
    "clone,clone3": "at the start of a keeper",
    "wait4": "an attempt has ended",
    "truncate": "it is journaled, its record still there",
    "unlink": "records are removed",
    "openat": "a record is read, or made on resume",
}


def with_mark(run_id):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as file:
                if ("COSCHED_MARK=" + run_id).encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def value(into, key):
    try:
        with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True, timeout=20) as db:
            return next(db.execute("SELECT value FROM run WHERE key = ?", (key,)), [None])[0]
    except sqlite3.Error:
        return None


def keepers(into):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                words = file.read().split(b"\0")
            if words[0].endswith(b"/keeper") and words[1].startswith(into.encode()):
                found.append(int(pid))
        except (OSError, IndexError):
            pass
    return found


def judge(into, log_folder, lost):
    """What is wrong, as sentences."""
    wrong = []
    with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True) as db:
        rows = list(db.execute("SELECT a.id, a.task, a.try, e.outcome, a.slots, a.start, e.ended FROM "
                               "attempt a LEFT JOIN attempt_end e ON e.attempt = a.id"))
        if next(db.execute("PRAGMA integrity_check"))[0] != "ok":
            wrong.append("the journal is damaged")
    well = collections.Counter(row[1] for row in rows if row[3] == "ok")
    if sorted(well) != list(range(COUNT)) or set(well.values()) != {1}:
        wrong.append("ended well: %s" % well)
    if any(row[3] is None for row in rows):
        wrong.append("an attempt without an end")
    with open(os.path.join(log_folder, "log"), encoding="utf-8") as file:
        lines = [line.split() for line in file]
    starts = collections.Counter(int(number) for word, number in lines if word == "start")
    if starts and max(starts.values()) > 1:
        wrong.append("ran twice: %s" % [n for n, c in starts.items() if c > 1])
    void = [row[0] for row in rows if row[3] == "void" and row[0] in starts]
    if void:
        wrong.append("void, but ran: %s" % void)
    if not lost and any(row[3] == "lost" for row in rows):
        wrong.append("lost without a reason: %s" % [r[0] for r in rows if r[3] == "lost"])
    if os.path.exists(os.path.join(log_folder, "overlap")):
        wrong.append("two at once, or a process left behind")
    return wrong


def at_point(point, dice):
    """The words before a command that is killed at its so-manieth call."""
    last = {"bind": 1, "openat": 90, "pwrite64": 200}.get(point, 20)
    return ["strace", "-o", "/dev/null", "-e", "trace=" + point, "-e",
            "inject=%s:signal=KILL:when=%d" % (point, dice.randint(1, last))]


def one_run(top, number, dice, point=None, most=KILLS):
    """Kill until it has ended.  How many kills, and what was wrong."""
    log_folder, into = os.path.join(top, "log%d" % number), os.path.join(top, "run%d" % number)
    os.mkdir(log_folder)
    jobs = os.path.join(top, "jobs%d.csv" % number)
    with open(jobs, "w", encoding="utf-8") as file:
        file.write("name,procs,seconds,kind,length\n")
        for k in range(COUNT):
            kind = dice.choice(KINDS)
            file.write("%s%d,%d,1,%s,%.3f\n" % (kind, k, dice.randint(1, 3), kind, dice.random() * 0.2))
    verify = '["%s","%s","{name}","verify"]' % (JOB, log_folder)
    line = [COSCHED, "run", jobs, "--slots", "4", "--into", into, "--set", "timeout=0.6", "--set",
            "grace=0.2", "--set", "retries=50", "--set", "verify=" + verify, "--policy",
            dice.choice(["easy", "greedy", "strict-easy", "shelf"]), "--", JOB, log_folder, "{name}",
            "{kind}", "{length}"]
    kills, lost, status = 0, False, None
    while status != 0:
        before = at_point(point, dice) if point and kills < most else []
        child = subprocess.Popen(before + line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        patience = time.time() + (dice.random() * 0.6 if kills < 20 and not point else 300)
        while child.poll() is None and time.time() < patience:
            time.sleep(0.002)
        if child.poll() is None:
            if dice.random() < 0.1:
                for pid in keepers(into)[:1]:
                    lost = True
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            child.kill()
            kills += 1
        said = child.communicate()[1]
        status = child.returncode
        kills += bool(point) and status == -9
        if value(into, "id"):
            line = [COSCHED, "run", "--resume", into]
        elif os.path.isdir(into):
            subprocess.run(["rm", "-rf", into], check=True)
        if status not in (0, -9):
            return kills, ["status %s: %s" % (status, said)]
    wrong = judge(into, log_folder, lost)
    left = with_mark(value(into, "id"))
    if left:
        wrong.append("left behind: %s" % left)
    return kills, wrong


def at_points(top, dice):
    bad = runs = 0
    for number, point in enumerate(POINTS):
        kills, more, wrong = 0, 1, []
        while kills < KILLS and more and not wrong:
            more, wrong = one_run(top, runs, dice, point, KILLS - kills)
            kills, runs = kills + more, runs + 1
        wrong += [] if kills else ["it was never killed there"]
        bad += bool(wrong)
        print("%sok %d - %d kills: %s%s" % ("not " if wrong else "", number + 1, kills, POINTS[point],
                                           ": " + "; ".join(wrong) if wrong else ""))
        sys.stdout.flush()
    print("# seed %d\n1..%d" % (SEED, len(POINTS)))
    return bad > 0


def main():
    dice, kills, runs, bad = random.Random(SEED), 0, 0, 0
    if sys.argv[3:] == ["points"]:
        if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
            print("1..0 # SKIP strace does not work here")
            return 0
        with tempfile.TemporaryDirectory() as top:
            return at_points(top, dice)
    with tempfile.TemporaryDirectory() as top:
        while kills < KILLS:
            more, wrong = one_run(top, runs, dice)
            kills += more
            runs += 1
            bad += bool(wrong)
            print("%sok %d - run %d after %d kills%s" % (
                "not " if wrong else "", runs, runs, more, ": " + "; ".join(wrong) if wrong else ""))
            sys.stdout.flush()
    print("# %d kills, seed %d" % (kills, SEED))
    print("1..%d" % runs)
    return bad > 0


sys.exit(main())
