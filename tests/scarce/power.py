#!/usr/bin/env python3
"""A power cut at any point of a command: every output is the old one whole, or the new one whole, and every store opens and is whole.

usage: tests/scarce/power.py COSCHED EXAMPLES PRELOADED [MOST]

The calls of a command that change files are recorded (record.c) and played again up to every point.  What a disk may hold then:
bytes that no fsync() of their file has followed may be there, missing, or cut anywhere, each write for itself (zeros, where there was nothing); names that no fsync()
of their folder has followed may have changed or not.  When the command has ended well, only the new outputs will do.
At most MOST (100) different states of a store are opened, evenly chosen; states of other outputs are compared, all of them.
"""

import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile

from disk import calls, can_be_recorded, Disk, tell

COSCHED, EXAMPLES, PRELOADED = (os.path.abspath(word) for word in sys.argv[1:4])
MOST = int(sys.argv[4]) if len(sys.argv) > 4 else 100

COMMANDS = {
    "plan pack": "plan pack {e}/quickstart.csv --procs 8 -o out.json --gantt out.svg",
    "plan moldable": "plan moldable {e}/quickstart.csv --procs 8 --schedule out.json",
    "plan ptg": "plan ptg {e}/graphs.json --platform {e}/clusters.json --schedule out.json",
    "simulate malleable": "simulate malleable {e}/applications.csv --procs 16 --mtbf 400d -n 2 --schedule out.json --per-scenario out.csv",
    "simulate rigid": "simulate rigid {e}/monday.swf --arrivals --jobs out.csv",
    "simulate volatile": "simulate volatile {e}/hosts.json -n 2 --schedule out.json",
    "generate": "generate rigid --jobs 30 -o out.csv",
    "fit": "fit {e}/scaling.csv -o out.json",
    "convert": "convert {e}/monday.swf --to swf -o out.swf",
    "replay": "replay {e}/monday.swf --policy easy,fcfs --jobs out.csv --series series.csv --report out.html",
    "replay, a schedule": "replay {e}/monday.swf -o out.json --gantt out.svg",
    "run, a dry one": "run queue.csv --slots 8 --dry-run --output out.json -- true",
    "campaign run": "campaign run sweep.json --store out.db",
    "campaign run, on": "campaign run sweep.json --store whole.db",
    "campaign merge": "campaign merge whole.db other.db -o out.db",
    "campaign merge, into": "campaign merge other.db -o whole.db",
    "campaign export": "campaign export full.db -o out.csv",
    "report": "report full.db -o out.html",
}
SWEEP = '{"problem": "malleable", "replicates": 3, "set": {"tasks": 3, "procs": 12}, "vary": {"checkpoint_factor": [0.5, 1]}}'
JOBS = "name,procs,seconds\na,4,10\nb,8,20\nc,2,5\n"


def run(folder, words, **more):
    environment = {**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0", **more}
    return subprocess.run([COSCHED, *words.format(e=EXAMPLES).split()], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)


def content(folder):
    files = {}
    for name in os.listdir(folder):
        if os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
    return files


def is_store(name):
    return ".db" in name


def compare(files, before, after, ended):
    """What is wrong with outputs that are no stores; None: nothing."""
    for name, new in after.items():
        allowed = [new] if ended else [new, before.get(name)]
        if not is_store(name) and files.get(name) not in allowed:
            return "%s %s" % (name, "is missing" if name not in files else "has %d of %d bytes" % (len(files[name]), len(new)))
    return None


def lay(folder, files, source):
    os.mkdir(folder)
    for name, data in {**{name: data for name, data in source.items() if not is_store(name)}, **files}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def open_store(top, number, name, files, source, want):
    """The stores of a state are whole, and the same command goes on to the same store."""
    folder = os.path.join(top, "state-%d" % number)
    lay(folder, {**source, **files}, source)
    for file in [file for file in source if is_store(file) and file not in files]:
        os.unlink(os.path.join(folder, file))
    wrong = None
    for store in sorted(file for file, data in files.items() if file.endswith(".db") and data):
        done = run(folder, "campaign verify " + store)
        if done.returncode and not (store not in source and b"an empty store" in done.stdout):
            wrong = "verify %s: %s" % (store, done.stdout.decode(errors="replace"))
    target = COMMANDS[name].split()[-1]
    if not wrong and all(file in files for file in source):
        done = run(folder, COMMANDS[name])
        wrong = "does not go on: " + done.stdout.decode(errors="replace") if done.returncode else None
        if not wrong and run(folder, "campaign export %s -o -" % target).stdout != want:
            wrong = "goes on to other rows"
    shutil.rmtree(folder)
    return wrong


def judge(top, source, name):
    """(states, what is wrong with them, those of stores)"""
    folder, record = os.path.join(top, "work"), os.path.join(top, "record")
    shutil.copytree(source, folder)
    before = content(folder)
    disk, dice = Disk(folder, before), random.Random(name)
    done = run(folder, COMMANDS[name], LD_PRELOAD=PRELOADED, RECORD=record)
    assert done.returncode == 0, name + done.stdout.decode()
    after = content(folder)
    made = {file: data for file, data in after.items() if data != before.get(file)}
    seen, wrong, stores = set(), [], []
    steps = list(calls(record))
    for at, step in enumerate(steps):
        disk.take(*step)
        for files in disk.states(dice):
            key = hash(frozenset(files.items()))
            if key not in seen:
                why = compare(files, before, made, False)
                wrong += ["call %d (%s): %s" % (at + 1, step[0], why)] if why else []
                stores += [(at + 1, files)] if any(map(is_store, made)) else []
            seen.add(key)
    live = disk.state(lambda changes: changes, lambda changes, _: changes)
    wrong += [] if live == after else ["not every call that changes files is recorded: %s" % [
        file for file in {**live, **after} if live.get(file) != after.get(file)]]
    why = compare(disk.state(lambda _: [], lambda *_: []), before, made, True)
    wrong += ["at the end: " + why] if why else []
    if stores:
        want = run(folder, "campaign export %s -o -" % COMMANDS[name].split()[-1]).stdout
        chosen = stores if len(stores) <= MOST else [stores[k * len(stores) // MOST] for k in range(MOST)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            told = pool.map(lambda k: open_store(top, k, name, chosen[k][1], before, want), range(len(chosen)))
            wrong += ["call %d (%s): %s" % (at, steps[at - 1][0], why) for (at, _), why in zip(chosen, told) if why]
    shutil.rmtree(folder)
    os.unlink(record)
    return len(steps), len(seen), wrong


def main():
    failed = 0
    if not can_be_recorded(COSCHED, PRELOADED):
        return 0
    with tempfile.TemporaryDirectory() as top:
        source = os.path.join(top, "source")
        os.mkdir(source)
        for name, text in {"sweep.json": SWEEP, "queue.csv": JOBS}.items():
            with open(os.path.join(source, name), "w", encoding="utf-8") as file:
                file.write(text)
        for words in "campaign run sweep.json --shard 1/2 --store whole.db", "campaign run sweep.json --shard 2/2 --store other.db", \
                "campaign run sweep.json --store full.db":
            assert run(source, words).returncode == 0
        for name in "out.json", "out.csv":
            with open(os.path.join(source, name), "w", encoding="utf-8") as file:
                file.write("the old one\n")
        for number, name in enumerate(COMMANDS):
            steps, states, wrong = judge(top, source, name)
            failed += tell(number + 1, name, steps, states, wrong)
    print("1..%d" % len(COMMANDS))
    return failed > 0


sys.exit(main())
