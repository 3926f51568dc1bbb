#!/usr/bin/env python3
"""A campaign that is killed again and again, at any moment, ends as one that nobody disturbed.

usage: tests/cli/kill.py COSCHED

After each kill -9 the store is sound, and what was there before is there still, row by row, with
the run that found it: nothing that was finished is lost or done again.  At the end the export has
the same bytes as that of a campaign which ran through.  All five problems, several threads, both
journals; papers too.

    COSCHED_KILLS=N      kills of each problem (5)
    COSCHED_KILL_SEED=S  of the moments (new each time; it is printed)
"""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from kit import COSCHED, cosched, finish, ok

KILLS = int(os.environ.get("COSCHED_KILLS", "5"))
SEED = int(os.environ.get("COSCHED_KILL_SEED", str(random.randrange(10**6))))
DICE = random.Random(SEED)

# Some hundred runs of a few milliseconds each.
SWEEPS = {
    "pack": {
        "replicates": 6, "set": {"tasks": 40, "procs": 64},
        "vary": {"policy": ["pack-by-pack", "pack-approx", "local-search"],
                 "pack_size": {"from": 2, "to": 12, "step": 2}, "workload": ["random"]}},
    "malleable": {
        "replicates": 10, "set": {"tasks": 30, "procs": 300},
        "vary": {"on_end": ["none", "local", "greedy"], "mtbf_years": [5, 20, 80]}},
    "rigid": {
        "replicates": 8, "set": {"jobs": 60, "scenarios": 30},
        "vary": {"policy": ["greedy", "easy", "shelf"],
                 "mean_failure_probability": {"from": 0, "to": 0.6, "step": 0.2}}},
    "ptg": {
        "replicates": 8, "set": {"platform": "grid5000-lille", "family": "strassen"},
        "vary": {"strategy": ["s", "es", "wps-work"], "graphs": [2, 4, 6]}},
    "volatile": {
        "replicates": 12, "set": {"trials": 2, "iterations": 2},
        "vary": {"policy": ["ie", "y-ie", "iay"], "wmin": [1, 3]}},
}


def opened(store):
    return contextlib.closing(sqlite3.connect("file:%s?mode=rw" % store, uri=True, timeout=30))


def rows_of(store, problem):
    """Everything that is known of each cell."""
    if not os.path.exists(store) or not os.path.getsize(store):
        return {}
    with opened(store) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (problem,)).fetchone():
            return {}
        return {row[:2]: row[2:] for row in db.execute('SELECT * FROM "%s"' % problem)}


def is_sound(store):
    if not os.path.exists(store) or not os.path.getsize(store):
        return True
    with opened(store) as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


class Campaign:
    def __init__(self, problem, words, length):
        self.problem, self.words, self.length = problem, words, length
        self.kills = self.hits = self.rounds = 0
        self.faults = []

    def fault(self, what):
        self.faults.append("%s after %d kills" % (what, self.kills))

    def command(self, store, threads):
        return [COSCHED, *self.words, "--store", store, "--threads", str(threads)]

    def delay(self):
        """Also while the store is made, and at the very end."""
        return DICE.choice((
            DICE.uniform(0, 0.02), DICE.uniform(0, 0.2 * self.length),
            DICE.uniform(0, 0.6 * self.length), DICE.uniform(0, 1.2 * self.length)))

    def wait_for_more(self, run, store, many):
        """Until something new has been stored."""
        while run.poll() is None:
            with contextlib.suppress(sqlite3.Error):
                if len(rows_of(store, self.problem)) > many:
                    return
            time.sleep(0.002)

    def step(self, store, environment, known):
        """Run and perhaps kill; what is stored then, and whether it came to its end."""
        run = subprocess.Popen(
            self.command(store, DICE.randint(1, 4)), env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        if DICE.random() < 0.5:
            self.wait_for_more(run, store, len(known))
        time.sleep(self.delay())
        seen = {}
        if DICE.random() < 0.3:
            with contextlib.suppress(sqlite3.Error):  # it is just being made
                seen = rows_of(store, self.problem)
        run.send_signal(signal.SIGKILL)
        told = run.communicate()[1]
        if run.returncode not in (0, -signal.SIGKILL):
            self.fault("status %d: %s" % (run.returncode, told.strip()))
        if run.returncode == -signal.SIGKILL:
            self.kills += 1
        if DICE.random() < 0.2:
            return known, run.returncode == 0  # the next one mends it, and not this test
        if DICE.random() < 0.3:
            self.read_first(store)
        if not is_sound(store):
            self.fault("the store is damaged")
        rows = rows_of(store, self.problem)
        if not known.items() <= rows.items() or not seen.items() <= rows.items():
            self.fault("rows have changed or vanished")
        self.hits += len(rows) > len(known)
        return rows, run.returncode == 0

    def read_first(self, store):
        """A reader is the first to see what was left."""
        run = subprocess.run([COSCHED, "campaign", "status", store], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True, check=False)
        if run.returncode and "there is no such store" not in run.stderr \
                and "an empty store" not in run.stderr:
            self.fault("status cannot be read: " + run.stderr.strip())

    def round(self, folder, wanted):
        """One campaign until it has come to its end."""
        self.rounds += 1
        store = os.path.join(folder, "%s-%d.db" % (self.problem, self.rounds))
        environment = dict(os.environ)
        if DICE.random() < 0.3:
            environment["COSCHED_STORE_JOURNAL"] = "delete"
        known, over = {}, False
        while not over and not self.faults:
            known, over = self.step(store, environment, known)
            if not over and self.kills >= KILLS:
                subprocess.run(self.command(store, 2), env=environment, check=False,
                               stdout=subprocess.DEVNULL)
                over = True
        rows = rows_of(store, self.problem)
        if not known.items() <= rows.items():
            self.fault("rows have changed or vanished at the end")
        if export(store) != wanted:
            self.fault("another export")


def export(store):
    return subprocess.run([COSCHED, "campaign", "export", store], stdout=subprocess.PIPE,
                          check=False).stdout


def try_to_kill(problem, words, folder):
    store = os.path.join(folder, problem + ".db")
    start = time.monotonic()
    cosched(*words, "--store", store, "--threads", 2)
    campaign = Campaign(problem, words, time.monotonic() - start)
    wanted = export(store)
    ok(wanted.count(b"\n") == len(rows_of(store, problem)) + 1, "%s: %d runs in %.2f s" % (
        " ".join(words[:3]), len(rows_of(store, problem)), campaign.length))
    while campaign.kills < KILLS and not campaign.faults:
        campaign.round(folder, wanted)
    ok(not campaign.faults, "%s: %d kills in %d campaigns, %d between two results%s" % (
        words[2].split("/")[-1], campaign.kills, campaign.rounds, campaign.hits,
        "".join("; " + fault for fault in campaign.faults)))


def main():
    print("# COSCHED_KILL_SEED=%d COSCHED_KILLS=%d" % (SEED, KILLS))
    with tempfile.TemporaryDirectory() as folder:
        for problem, sweep in SWEEPS.items():
            path = os.path.join(folder, problem + ".json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"problem": problem, **sweep}, file)
            try_to_kill(problem, ["campaign", "run", path], folder)
    finish()


main()
