#!/usr/bin/env python3
"""Kill the executor of a run with SIGKILL at random moments, and some keepers, and go on.

usage: tests/run/kill.py COSCHED JOB [points]

COSCHED_KILLS says how often (12; a few minutes for 1,000), COSCHED_KILL_SEED repeats the moments.
COSCHED_KILL_STRAYS (1): how many of the ten or so kinds of jobs start a process without mark, environment, session and
parent, and a chain of such processes, each of which starts the next one and ends. Every second run makes no cgroups.
With `points` it is done at the points of death of a run, so often at each of them (2), several points at a time;
COSCHED_KILL_POINT names one of them.  By strace at certain calls of the executor, or when its folder shows that the
moment has come.  The keeper is killed, or both, or all with another boot afterwards and perhaps an earlier journal,
where that is the point.
Every job must end well exactly once, no attempt run twice, none that is void at all, no process be
left, no two attempts of a task run at the same time (tests/run/job.c), and what ran be valid.  Some resume with
more slots than the run began with, or fewer.
"""

import collections
import concurrent.futures
import glob
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

COSCHED, JOB = map(os.path.abspath, sys.argv[1:3])
AT_POINTS = sys.argv[3:] == ["points"]
KILLS = int(os.environ.get("COSCHED_KILLS", "2" if AT_POINTS else "12"))
STRAYS = int(os.environ.get("COSCHED_KILL_STRAYS", "1"))
SEED = int(os.environ.get("COSCHED_KILL_SEED", "0")) or random.randrange(1 << 30)
KINDS = ["well", "well", "well", "crash", "corrupt", "hang", "deaf", "family", "flood", *["stray", "chain"] * STRAYS]
COUNT = 16 if AT_POINTS else 40
CALLS = {
    "K0": ("bind", 1, "the socket of a run that is about to begin"),
    "K1": ("pwrite64", 80, "within a round"),
    "K2": ("statfs", 8, "after a round, before its starts"),
    "K2, at the start of a keeper": ("?vfork,clone,clone3", 8, "the decision is there, and no keeper"),
    "K5": ("poll", 8, "programs run"),
    "K7": ("wait4", 8, "an attempt has ended, and is not journaled"),
    "K8": ("truncate", 8, "it is journaled, its record still there"),
    "K9": ("unlink", 8, "records are removed"),
    "K13": ("kill,pidfd_send_signal", 1, "a stop is journaled, and nobody was told"),
    "K14": ("openat", 60, "a record is read, or made on resume"),
    "K14, at adoption": ("pidfd_open", 2, "a keeper is found again"),
}
MOMENTS = {
    "K3": "the keeper has not made its claim",
    "K4": "a program has just begun",
    "K6": "a verification runs",
    "K10": "the keeper, not the executor",
    "K11": "both",
    "K12": "both, and the machine has begun anew",
    "K15": "the power fails, and the journal has lost its last rounds",
    "K16": "somebody else resumes while it lives",
}
LOSE = ("K10", "K11", "K12", "K15")
POINTS = sorted([*CALLS, *MOMENTS], key=lambda name: (int(re.search(r"\d+", name)[0]), name))


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


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def value(into, key):
    try:
        with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True, timeout=20) as db:
            return next(db.execute("SELECT value FROM run WHERE key = ?", (key,)), [None])[0]
    except sqlite3.Error:
        return None


def has_round(into):
    """Whether anything was decided: what was killed before that begins again in the same folder."""
    try:
        with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True, timeout=20) as db:
            return next(db.execute("SELECT count(*) FROM round"))[0] > 0
    except sqlite3.Error:
        return False


def keepers(into, late=False):
    """The processes that watch attempts; or those that are yet to become such."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                words = file.read().split(b"\0")[late:]
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
    lines = [line.split() for line in read(os.path.join(log_folder, "log")).splitlines()]
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
    for words in (["run", "schedule", into, "--output", into + ".json"], ["check", into + ".json"]):
        done = subprocess.run([COSCHED, *words], text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            wrong.append("what ran is not valid: " + done.stderr)
    return wrong


def at_call(point, dice, line):
    """The words before a command that is killed at its so-manieth call."""
    if point not in CALLS or point.startswith("K14") and "--resume" not in line:
        return []
    call, last, _ = CALLS[point]
    return ["strace", "-o", "/dev/null", "-e", "trace=" + call, "-e",
            "inject=%s:signal=KILL:when=%d" % (call, dice.randint(1, last))]


def records(into):
    """What the records say."""
    for path in glob.glob(into + "/a/*/*.rec"):
        try:
            yield path, read(path)
        except OSError:
            pass


def has_come(point, into):
    if point == "K3":
        return len(keepers(into, late=True)) > 0
    if point == "K4":
        return any(text.count("\n") == 2 for _, text in records(into))
    if point == "K6":
        return any("\nverify " in text and "\nverified " not in text for _, text in records(into))
    return len(keepers(into)) > 0


def strike(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def begin_anew(into):
    """As if the machine had: nobody lives, and records are of another boot."""
    run_id = value(into, "id")
    while True:
        alive = keepers(into) + (with_mark(run_id) if run_id else [])
        if not alive:
            break
        for pid in alive:
            strike(pid)
    for path, text in records(into):
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(r"boot=\S+", "boot=0-0", text))


def copy_journal(into):
    """As it is now."""
    with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True, timeout=20) as db, \
            sqlite3.connect(into + ".before") as copy:
        db.backup(copy)


def lose_rounds(into):
    """Of the journal; what was written to other files stays."""
    for ending in ("-wal", "-shm"):
        if os.path.exists(into + "/journal.db" + ending):
            os.remove(into + "/journal.db" + ending)
    os.chmod(into + ".before", 0o600)
    os.rename(into + ".before", into + "/journal.db")


def has_lock(child, into):
    try:
        return "process %d" % child.pid in read(into + "/lock")
    except OSError:
        return False


def refuses_another(child, into):
    """Whoever resumes is told who is there; or that nothing is, before the journal is made."""
    if not wait(child, 300, lambda: has_lock(child, into)):
        return True
    done = subprocess.run([COSCHED, "run", "--resume", into], text=True, stderr=subprocess.PIPE, check=False)
    told = str(child.pid) in done.stderr or "there is no run here" in done.stderr
    return child.poll() is not None or done.returncode == 1 and told


def kill_here(point, child, into, dice):
    """The executor, or who is meant by the point."""
    found = keepers(into)
    if point == "K15":
        copy_journal(into)
        wait(child, dice.random() * 0.5)
    if point in ("K10", "K11") and found:
        strike(dice.choice(found))
    if point != "K10":
        child.kill()
        child.wait()
    if point in ("K12", "K15"):
        begin_anew(into)
    if point == "K15":
        lose_rounds(into)


def late_keeper(top):
    """One that is late, but has its name and its mark."""
    path = os.path.join(top, "keeper")
    real = os.environ.get("COSCHED_KEEPER") or next(
        found for found in (os.path.join(os.path.dirname(COSCHED), place, "keeper") for place in
                            ("../keeper", "../libexec/cosched")) if os.path.exists(found))
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n(unset COSCHED_MARK; exec sleep 0.4)\nexec '%s' \"$@\"\n" % os.path.realpath(real))
    os.chmod(path, 0o700)
    return path


def command(top, number, dice, log_folder, into, point):
    """The command line of a run of jobs, most of them nasty."""
    jobs = os.path.join(top, "jobs%d.csv" % number)
    with open(jobs, "w", encoding="utf-8") as file:
        file.write("name,procs,seconds,kind,length\n")
        for k in range(COUNT):
            kind = dice.choice(KINDS)
            file.write("%s%d,%d,1,%s,%.3f\n" % (kind, k, dice.randint(1, 3), kind, dice.random() * 0.2))
    verify = '["%s","%s","{name}","verify","%s"]' % (JOB, log_folder, "0.05" if point == "K6" else "0")
    return [COSCHED, "run", jobs, "--slots", "4", "--oversubscribe", "--into", into, "--set", "timeout=0.6", "--set",
            "grace=0.2", "--set", "retries=50", "--set", "verify=" + verify, "--policy",
            dice.choice(["easy", "greedy", "strict-easy", "shelf"]), "--", JOB, log_folder, "{name}",
            "{kind}", "{length}"]


def wait(child, seconds, what=lambda: False):
    """Whether it still runs when that is, or the time is over."""
    end = time.monotonic() + seconds
    while child.poll() is None and time.monotonic() < end and not what():
        time.sleep(0.004)
    return child.poll() is None


def kill_at_random(child, into, dice):
    """The executor, in a tenth with a keeper; was there one?"""
    found = keepers(into)[:1] if dice.random() < 0.1 else []
    for pid in found:
        strike(pid)
    child.kill()
    return bool(found)


def at_moment(child, point, into, dice):
    """Kill, or ask to stop, when the moment has come.  Whether it has."""
    if not wait(child, dice.random() * 0.3) or not wait(child, 300, lambda: has_come(point, into)):
        return False
    if point == "K13":
        subprocess.run([COSCHED, "run", "stop", into, "--now"], stderr=subprocess.DEVNULL, check=False)
        return False
    kill_here(point, child, into, dice)
    return point in MOMENTS


def one_run(top, number, dice, point=None, most=20):
    """Kill until it has ended.  How many kills, and what was wrong."""
    log_folder, into = os.path.join(top, "log%d" % number), os.path.join(top, "run%d" % number)
    os.mkdir(log_folder)
    line = first = command(top, number, dice, log_folder, into, point)
    env = {**os.environ, **({"COSCHED_KEEPER": late_keeper(top)} if point == "K3" else {}),
           **({"COSCHED_CGROUP": "none"} if number % 2 == 0 else {})}
    kills, lost, status = 0, point in LOSE, None
    while status != 0:
        wants = kills < most
        before = at_call(point, dice, line) if wants else []
        with open(os.path.join(log_folder, "said"), "wb") as said:
            child = subprocess.Popen(before + line, stdout=subprocess.DEVNULL, stderr=said, env=env)
        if point == "K16" and not refuses_another(child, into):
            return kills, ["two at once"]
        if wants and point and (not before or point == "K13"):
            kills += at_moment(child, point, into, dice)
        elif wants and not point and wait(child, dice.random() * 0.6):
            lost = kill_at_random(child, into, dice) or lost
            kills += 1
        if wait(child, 300):
            return kills, ["it does not end"]
        status = child.returncode
        kills += bool(before) and status == -9
        if has_round(into):
            line = [COSCHED, "run", "--resume", into, *dice.choice([[], ["--slots", str(dice.randint(3, 7))]])]
        else:
            line = first
        if status not in (0, -9) and (status, point) != (4, "K13"):
            return kills, ["status %s: %s" % (status, read(os.path.join(log_folder, "said")))]
    return kills, judge(into, log_folder, lost) + left_behind(into)


def left_behind(into):
    """A keeper that is late has nothing to do, but needs its time to see it, also as the real keeper."""
    run_id, patience = value(into, "id"), time.monotonic() + 60
    while (keepers(into, late=True) or keepers(into)) and time.monotonic() < patience:
        time.sleep(0.01)
    left = with_mark(run_id)
    return ["left behind: %s" % left] if left else []


def at_point(top, point):
    """How many kills there, and what was wrong; a run that ends before its moment is followed by another."""
    top, dice = os.path.join(top, point), random.Random("%d %s" % (SEED, point))
    os.mkdir(top)
    kills, runs, idle, wrong = 0, 0, 0, []
    while kills < KILLS and idle < 20 and not wrong:
        more, wrong = one_run(top, runs, dice, point, min(KILLS - kills, 2 if point in LOSE else 20))
        kills, runs, idle = kills + more, runs + 1, 0 if more else idle + 1
    return kills, wrong + ([] if kills >= KILLS or wrong else ["its moment did not come"])


def at_points(top):
    names = [os.environ["COSCHED_KILL_POINT"]] if "COSCHED_KILL_POINT" in os.environ else POINTS
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        results = pool.map(lambda point: at_point(top, point), names)
        for number, (point, (kills, wrong)) in enumerate(zip(names, results), 1):
            what = MOMENTS.get(point) or CALLS[point][2]
            bad += bool(wrong)
            print("%sok %d - %s: %s (%d kills)%s" % ("not " if wrong else "", number, point, what, kills,
                                                     ": " + "; ".join(wrong) if wrong else ""))
            sys.stdout.flush()
    print("# seed %d\n1..%d" % (SEED, len(names)))
    return bad > 0


def main():
    dice, kills, runs, bad = random.Random(SEED), 0, 0, 0
    if AT_POINTS:
        if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
            print("1..0 # SKIP strace does not work here")
            return 0
        with tempfile.TemporaryDirectory() as top:
            return at_points(top)
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
