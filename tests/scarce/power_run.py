#!/usr/bin/env python3
"""A power cut at any point of a run: its journal is whole, what it knows as done never runs again, and the rest is done.

usage: tests/scarce/power_run.py COSCHED KEEPER PRELOADED [MOST]

The calls of the executor, its keepers and its programs are recorded and played again up to every point (disk.py); KEEPER is one
that can be recorded (the installed one is linked statically). With --durable also: what the journal knew for certain at a point is
in each state that the disk may have from there on, and no program has started whose attempt is not among it.
At most MOST (100) different states of a run are gone on with, evenly chosen, one after the other: they are copies of one run, and each
ends what it finds of that run's processes.
"""

import collections
import contextlib
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from disk import calls, can_be_recorded, Disk, tell

COSCHED, KEEPER, PRELOADED = (os.path.abspath(word) for word in sys.argv[1:4])
MOST = int(sys.argv[4]) if len(sys.argv) > 4 else 100
NAMES = "abcdef"
JOBS = "name,procs,seconds\n" + "".join("%s,%d,1\n" % (name, 1 + k % 2) for k, name in enumerate(NAMES))
BEGIN = ["jobs.csv", "--slots", "2", "--oversubscribe", "--into", "run"]
PROGRAM = ["--", "/bin/sh", "-c", "echo $COSCHED_NAME >> $COSCHED_RUN/log; test $COSCHED_NAME$COSCHED_TRY != c1"]
RECORD = re.compile(r"a/000/0*(\d+)\.rec$")


def run(folder, *words, **more):
    environment = {**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0", "COSCHED_KEEPER": KEEPER, **more}
    return subprocess.run([COSCHED, "run", *words], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)


def content(folder):
    files = {}
    for top, _, names in os.walk(folder):
        for path in (os.path.join(top, name) for name in names):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    files[os.path.relpath(path, folder)] = file.read()
    return files


def lay(folder, files):
    os.makedirs(os.path.join(folder, "a", "000"), 0o700)
    os.chmod(folder, 0o700)
    for name, data in files.items():
        if not name.endswith("-shm") and name not in ("log", "control"):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.write(data)


def known(files):
    """(outcomes by task, numbers of attempts) that a journal knows; None: it was not made."""
    with tempfile.TemporaryDirectory() as folder:
        lay(folder + "/run", {name: data for name, data in files.items() if name.startswith("journal.db")})
        if not files.get("journal.db"):
            return None
        with contextlib.closing(sqlite3.connect(folder + "/run/journal.db")) as base:
            if not list(base.execute("SELECT 1 FROM sqlite_schema")) or not list(base.execute("SELECT 1 FROM run")):
                return None
            rows = base.execute("SELECT t.name, e.outcome, a.id FROM attempt a JOIN task t ON t.id = a.task LEFT JOIN attempt_end e "
                                "ON e.attempt = a.id ORDER BY a.id").fetchall()
        return {name for name, outcome, _ in rows if outcome == "ok"}, {number for _, _, number in rows}


def go_on(top, number, files, certain):
    """What is wrong with a state, or None; certain is what the journal has to know."""
    folder = os.path.join(top, "state-%d" % number)
    now = known(files)
    if certain and (not now or not certain[0] <= now[0] or not certain[1] <= now[1]):
        return "the journal has forgotten: %s, and knew %s" % (now, certain)
    lay(folder + "/run", files)
    done = run(folder, "--resume", "run")
    ran = collections.Counter(content(folder + "/run").get("log", b"").decode().split())
    last = known(content(folder + "/run")) if now else None
    shutil.rmtree(folder)
    if not now:
        return None if done.returncode == 1 and done.stdout else "no journal: %d %s" % (done.returncode, done.stdout)
    if not now[1] and not ran and b"no run in it: start with --into" in done.stdout:
        return None
    if done.returncode or last[0] != set(NAMES):
        return "does not go on: %d %s" % (done.returncode, done.stdout.decode(errors="replace"))
    twice = [name for name in ran if name in now[0] or ran[name] > 1 + (name == "c")]
    return "runs again: %s of %s" % (twice, now[0]) if twice else None


def lines(data):
    """In order: programs that run side by side write to the log in another one than that of their records."""
    return sorted(data.splitlines()) if data else data


def cut(top, source, words, durable):
    """(calls, states, what is wrong with them)"""
    work, record = os.path.join(top, "work"), os.path.join(top, "record")
    shutil.copytree(source, work)
    before = content(work + "/run") if os.path.isdir(work + "/run") else {}
    disk, dice = Disk(work + "/run", before), random.Random(" ".join(words))
    done = run(work, *words, LD_PRELOAD=PRELOADED, RECORD=record)
    assert done.returncode == 0, done.stdout.decode()
    seen, states, wrong, certain, steps = set(), [], [], None, list(calls(record))
    for at, step in enumerate(steps):
        disk.take(*step)
        if step[0] in ("sync", "folder") and durable:
            certain = known(disk.state(lambda _: [], lambda *_: []))
        if durable and step[0] == "open" and step[2] == 1 and RECORD.search(step[3].decode()):
            started = int(RECORD.search(step[3].decode())[1])
            wrong += [] if certain and started in certain[1] else ["attempt %d starts before it is certain" % started]
        for files in disk.states(dice):
            key = hash(frozenset(files.items()))
            states += [] if key in seen else [(at + 1, files, certain)]
            seen.add(key)
    live, after = disk.state(lambda changes: changes, lambda changes, _: changes), content(work + "/run")
    wrong += ["not every call that changes files is recorded: %s" % name for name in {**live, **after}
              if lines(live.get(name)) != lines(after.get(name)) and not name.endswith(("-shm", ".out", ".err", "control"))]
    chosen = states if len(states) <= MOST else [states[k * len(states) // MOST] for k in range(MOST)]
    for number, (at, *state) in enumerate(chosen):
        why = go_on(top, number, *state)
        wrong += ["call %d (%s): %s" % (at, steps[at - 1][0], why)] if why else []
    shutil.rmtree(work)
    os.unlink(record)
    return len(steps), states, wrong


def half_done(states):
    """The first state of a run of which three tasks are done, or four: the journal may take two ends at once."""
    return next(files for _, files, _ in states if len((known(files) or [()])[0]) >= 3)


def main():
    failed = 0
    if not can_be_recorded(COSCHED, PRELOADED):
        return 0
    with tempfile.TemporaryDirectory() as top:
        new, half = os.path.join(top, "new"), os.path.join(top, "half")
        os.mkdir(new)
        with open(new + "/jobs.csv", "w", encoding="utf-8") as file:
            file.write(JOBS)
        cases = [("a durable run", new, [*BEGIN, "--durable", *PROGRAM], True), ("a run", new, [*BEGIN, *PROGRAM], False),
                 ("a durable resume", half, ["--resume", "run", "--durable"], True), ("a resume", half, ["--resume", "run"], False)]
        for number, (what, source, words, durable) in enumerate(cases):
            steps, states, wrong = cut(top, source, words, durable)
            if not os.path.isdir(half):
                lay(half + "/run", half_done(states))
            failed += tell(number + 1, what, steps, len(states), wrong)
    print("1..%d" % len(cases))
    return failed > 0


sys.exit(main())
