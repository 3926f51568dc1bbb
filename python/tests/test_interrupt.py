"""Ctrl-C in the middle of what takes long: it ends within a moment, nothing half is left, and the next call works."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

EXAMPLES = os.environ["COSCHED_EXAMPLES"]

# A program that prints when the library asks for the first time whether to stop, is interrupted, and prints the result and
# when it came. Where short calls are repeated, a signal in between waits for the next time that the library asks.
CHILD = """
import signal, sys, threading, time, warnings
import cosched
warnings.simplefilter("ignore")
repeated, folder, example = sys.argv[1] == "repeated", *sys.argv[2:]
asked, pending, look = [], [], cosched._core.Watch.look

def ask(watch):
    if asked == ["wanted"]:
        asked.append("done")
        print("begun", flush=True)
    if pending and threading.get_ident() == watch.thread:
        raise KeyboardInterrupt
    return look(watch)

cosched._core.Watch.look = ask
TIMES = {"t%%d" %% i: {p: (1000 + 37 * i %% 991) / p + 3.3 * p for p in (1, 2, 3, 4, 6, 8, 12, 16, 24)} for i in range(60)}

def jobs(count):
    return {"submit": [37 * i // 9 for i in range(count)], "seconds": [10 + 7919 * i %% 50000 for i in range(count)], "procs": [1 + 31 * i %% 60 for i in range(count)]}

def table(count):
    return b"name,procs,seconds\\n" + b"".join(b"j%%d,%%d,%%d\\n" %% (i, 1 + 31 * i %% 60, 10 + 7919 * i %% 50000) for i in range(count))

class Endless(cosched.RigidPolicy):
    def decide(self, view):
        while True:
            pass

class Asleep(cosched.PackPolicy):
    def plan(self, instance):
        time.sleep(1000)

log = cosched.JobLog.from_frame(jobs(20000), procs=64)
if repeated:
    signal.signal(signal.SIGINT, lambda number, frame: pending.append(number))

try:
    asked.append("wanted")
    %s
    print("ended")
except KeyboardInterrupt as stop:
    ended = time.time()
    pending.clear()
    print(type(stop).__module__, type(stop).__name__, ended)
    print(len(cosched.replay(cosched.JobLog.from_frame(jobs(50), procs=64)).rows))
"""

LONG = {
    "a replay of one policy": "cosched.replay(log, policy='slurm', fairness=1, threads=1)",
    "a replay that another thread works on": "cosched.replay(log, policy='slurm', fairness=1, threads=2)",
    "a replay under a policy in Python that never answers": "cosched.replay(log, policy=['fcfs', Endless])",
    "a policy in Python that sleeps": "cosched.plan_pack(TIMES, 64, policy=Asleep)",
    "another program that never answers": "cosched.simulate_rigid(example, 64, policy='program', policy_program='exec sleep 1000', mean_failure_probability=0.3)",
    "logs that are read": "[cosched.JobLog(many) for many in [cosched.JobLog.from_frame(jobs(200000))] for _ in range(1000)]",
    "logs that are converted": "[cosched.convert(many, folder + '/all.swf', 'swf') for many in [cosched.JobLog.from_frame(jobs(200000))] for _ in range(1000)]",
    "plans of graphs by all strategies": "cosched.plan_ptg([cosched.generate_ptg(folder + '/graphs.json', count=1500)], platform='grid5000-lille', policy='all')",
    "an exact plan": "cosched.plan_pack(TIMES, 64, policy='exact', time_limit=1000)",
    "an exact plan of tasks in a row": "[cosched.plan_moldable(TIMES, 64, policy='exact', time_limit=1000) for _ in range(1000)]",
    "a dry run": "[cosched.run_dry(table(50000), ('true',), slots=64, policy='conservative') for _ in range(1000)]",
    "a campaign": "cosched.Campaign(folder + '/store.db').run({'problem': 'rigid', 'set': {'input': example, 'procs': 64, 'mean_failure_probability': 0.3, "
                  "'scenarios': 1000000}, 'vary': [{'policy': ['easy', 'greedy']}], 'metrics': ['makespan']}, threads=2)",
    "jobs that are generated": "[cosched.generate_rigid(folder + '/jobs.csv', jobs=2000000) for _ in range(1000)]",
    "tasks that are generated": "[cosched.generate_pack(folder + '/tasks.json', workload='random', tasks=100000, procs=100) for _ in range(1000)]",
    "one run of many, kept": "[s.schedule(way % 2) for s in [cosched.simulate_rigid(table(5000), 64, policy='easy,greedy', mean_failure_probability=0.3)] for way in range(100000)]",
    "a store that is verified by running again": "[campaign.verify(again=2, threads=2) for campaign in [cosched.Campaign(folder + '/verified.db')] if campaign.run({'problem': 'rigid', "
                  "'set': {'input': example, 'procs': 64, 'mean_failure_probability': 0.3, 'scenarios': 3000}, 'vary': [{'policy': ['easy', 'greedy']}], 'metrics': ['makespan']}) for _ in range(1000)]",
    "runs of one scenario": "cosched.simulate_rigid(example, 64, policy='all', scenarios=50000, mean_failure_probability=0.3)",
}


def interrupted(words):
    """What a child prints that is interrupted while the library works, and how long it took to end."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.3)
        assert child.poll() is None
        sent = time.time()
        child.send_signal(signal.SIGINT)
        try:
            told = child.communicate(timeout=120)[0].split()
        except subprocess.TimeoutExpired:
            child.kill()
            raise
    assert child.returncode == 0 and told[3] in "123"
    return told[:2], float(told[2]) - sent


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_ends_what_takes_long(what, tmp_path):
    told, seconds = interrupted([sys.executable, "-c", CHILD % LONG[what], "repeated" if LONG[what].startswith("[") else "once",
                                 str(tmp_path), os.path.abspath(os.path.join(EXAMPLES, "monday.swf"))])
    assert told == ["cosched", "Stopped"]
    print("%s: %.2f s" % (what, seconds))  # pytest -s shows it
    for path in tmp_path.glob("store.db"):
        with sqlite3.connect(path) as store:
            tables = [name for name, in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            assert "rigid" not in tables or not store.execute("SELECT count(*) FROM rigid").fetchone()[0]
        store.close()
