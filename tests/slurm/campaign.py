#!/usr/bin/env python3
"""`cosched campaign slurm` on a real Slurm, which tests/slurm/up.sh starts on this machine.

usage: tests/slurm/campaign.py COSCHED

Skips, with a line that says why, where Slurm is not installed or this is not root.
"""

import glob
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))

from kit import COSCHED, cosched, finish, ok, read, refused, write  # noqa: E402

SWEEP = """{"problem": "rigid", "seed": 5, "replicates": %d,
 "set": {"jobs": 100, "scenarios": %d, "mean_failure_probability": 0.3},
 "vary": {"policy": ["easy", "list", "shelf"], "procs": [2000, 4000]}}
"""
PATIENCE = 90


def said(*words):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=30).stdout


def wait_for(condition, what, seconds=PATIENCE):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return
        time.sleep(0.2)
    ok(False, "%s within %d s" % (what, seconds))
    print(said("squeue"))


def is_over(*jobs):
    return not said("squeue", "--noheader", "--jobs", ",".join(jobs)).replace(
        "slurm_load_jobs error: Invalid job id specified", "").strip()


def state_of(job):
    return re.search(r"JobState=(\w+)", said("scontrol", "show", "job", job))[1]


def count(store):
    try:
        with sqlite3.connect("file:%s?mode=ro" % store.replace("?", "%3f"), uri=True) as db:
            return db.execute("SELECT count(*) FROM rigid").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


class Campaign:
    """A sweep in a folder whose name asks for care, with what a local run of it exports."""

    def __init__(self, folder, name, replicates, scenarios, tasks):
        self.folder = os.path.join(folder, name + " it's \"$here\" %a")
        os.mkdir(self.folder)
        self.sweep = write(self.folder, "a trial.json", SWEEP % (replicates, scenarios))
        self.store = os.path.join(self.folder, "all & sundry.db")
        self.shards = os.path.join(self.folder, "the shards")
        self.tasks = tasks
        local = os.path.join(self.folder, "local.db")
        cosched("campaign", "run", self.sweep, "--store", local)
        self.wanted = cosched("campaign", "export", local)[0]

    def words(self, *more):
        return ("campaign", "slurm", self.sweep, "--tasks", self.tasks, "--store", self.store,
                "--folder", self.shards, *more)

    def submit(self, *more):
        out = cosched(*self.words("--sbatch=--cpus-per-task=1", *more))[0]
        self.array = (re.search(r"^array job +(\d+)", out, re.M) or [None, None])[1]
        self.merge = re.search(r"^merge job +(\d+)", out, re.M)[1]
        return out

    def shard(self, number):
        return os.path.join(self.shards, "shard-%d-of-%d.db" % (number, self.tasks))

    def log(self, number):
        return read(os.path.join(self.shards, "shard-%d-of-%d.log" % (number, self.tasks)))

    def hold(self, number):
        """Stops the process that works on a shard, so that Slurm ends it before it is done, however late."""
        told = refused("is writing it; one at a time can", "campaign", "run", self.sweep, "--shard",
                       "%d/%d" % (number, self.tasks), "--store", self.shard(number))
        os.kill(int(re.search(r"process (\d+) is writing", told)[1]), signal.SIGSTOP)

    def wait(self):
        jobs = [job for job in (self.array, self.merge) if job]
        wait_for(lambda: is_over(*jobs), "jobs %s end" % " ".join(jobs))

    def exports_the_same(self):
        ok(cosched("campaign", "export", self.store)[0] == self.wanted,
           "the export is that of a local run")


def array_and_merge(folder):
    campaign = Campaign(folder, "plain", 4, 20, 5)
    out = campaign.submit()
    ok("5 of 5 shards of a trial" in out, "it says what was submitted")
    ok("squeue --jobs=%s,%s" % (campaign.array, campaign.merge) in out, "and how to watch it")
    campaign.wait()
    ok(state_of(campaign.merge) == "COMPLETED", "the merge is complete")
    ok(all("--threads" not in campaign.log(s) for s in range(1, 6)), "every element has its log")
    with sqlite3.connect(campaign.shard(1)) as db:
        ok(db.execute("SELECT shard, shards, threads FROM run").fetchall() == [(1, 5, 1)],
           "an element has its shard, and as many threads as processors")
    campaign.exports_the_same()
    out = cosched(*campaign.words())[0]
    ok("all 24 runs are stored, nothing was submitted" in out, "once more: nothing is left to do")
    status = cosched("campaign", "status", *sorted(glob.glob(
        glob.escape(campaign.shards) + "/shard-*.db")), "--format", "csv")[0].splitlines()
    ok(len(status) == 7 and ",all,,24,24,1,done," in status[-1], "the status of all shards")
    os.remove(campaign.store)
    out = campaign.submit()
    ok(campaign.array is None, "when only the merge is missing it is submitted alone")
    campaign.wait()
    campaign.exports_the_same()


def killed_elements(folder):
    campaign = Campaign(folder, "killed", 8, 4000, 3)
    campaign.submit()
    refused("of %s are still queued or run; wait for their end, or scancel them first" %
            campaign.shards, *campaign.words())
    wait_for(lambda: count(campaign.shard(1)) > 1, "the first shard has begun")
    campaign.hold(1)
    said("scancel", "--full", "--signal=KILL", campaign.array + "_1")
    wait_for(lambda: count(campaign.shard(2)) > 1, "the second shard has begun")
    campaign.hold(2)
    before = count(campaign.shard(2))
    said("scontrol", "requeue", campaign.array + "_2")
    campaign.wait()
    ended = state_of(campaign.array + "_1")
    ok(ended in ("FAILED", "CANCELLED"), "an element that is killed is no success: %s" % ended)
    ok(state_of(campaign.merge) == "FAILED", "then the merge ends as failed too")
    log = read(os.path.join(campaign.shards, "merge.log"))
    ok("(of shards 1 of 3)" in log, "and says which shard is not complete")
    ok("To submit the unfinished runs: " in log, "and how to go on")
    ok(0 < count(campaign.store) < 48, "what is there has been merged")
    with sqlite3.connect(campaign.shard(2)) as db:
        runs = db.execute("SELECT run, count(*) FROM rigid GROUP BY run ORDER BY run").fetchall()
    ok(len(runs) == 2 and runs[0][1] >= before, "a requeued element goes on where it was: %s" % runs)
    kept = count(campaign.shard(1))
    out = campaign.submit()
    ok("1 of 3 shards" in out, "again: only the unfinished shard is submitted")
    campaign.wait()
    with sqlite3.connect(campaign.shard(1)) as db:
        runs = db.execute("SELECT run, count(*) FROM rigid GROUP BY run ORDER BY run").fetchall()
    ok(len(runs) == 2 and runs[0][1] == kept, "it goes on where it was too: %s" % runs)
    ok(state_of(campaign.merge) == "COMPLETED", "now the merge is complete")
    campaign.exports_the_same()


def what_sbatch_refuses(folder):
    campaign = Campaign(folder, "refused", 1, 2, 2)
    refused("sbatch ended with status 1: sbatch: error: ", *campaign.words(
        "--sbatch", "--partition=nowhere"))
    refused("refuse/this: ", "campaign", "slurm", campaign.sweep, "--folder",
            "/proc/refuse/this", "--tasks", 2)
    ok(said("squeue", "--noheader") == "", "nothing is left in the queue")


def main():
    folder = tempfile.mkdtemp(prefix="cosched-slurm-")
    slurm = os.path.join(folder, "slurm")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        up = subprocess.run([os.path.join(HERE, "up.sh"), slurm, "3", "2"], text=True,
                            stdout=subprocess.PIPE)
        if up.returncode == 77:
            print("1..0 # SKIP " + up.stdout.strip())
            return
        ok(up.returncode == 0, "a Slurm of three nodes is up")
        os.environ["SLURM_CONF"] = os.path.join(slurm, "slurm.conf")
        array_and_merge(folder)
        killed_elements(folder)
        what_sbatch_refuses(folder)
    finally:
        if os.path.isdir(slurm):
            subprocess.run([os.path.join(HERE, "down.sh"), slurm], stdout=subprocess.DEVNULL)
        shutil.rmtree(folder)
    finish()


main()
