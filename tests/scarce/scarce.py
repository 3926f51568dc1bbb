#!/usr/bin/env python3
"""The n-th malloc, write, read, fsync or rename fails, for every n: a sentence, no crash, no half file, and the same bytes afterwards.

usage: tests/scarce/scarce.py COSCHED EXAMPLES PRELOADED [MOST]

At most MOST (150) values of n for each command and kind: the first ones, then evenly chosen.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

COSCHED, EXAMPLES, PRELOADED = (os.path.abspath(word) for word in sys.argv[1:4])
MOST = int(sys.argv[4]) if len(sys.argv) > 4 else 150

COMMANDS = {
    "plan pack": "plan pack {e}/quickstart.csv --procs 8 -o out.json --gantt out.svg",
    "plan pack, PNG": "plan pack {e}/quickstart.csv --procs 8 --gantt out.png",
    "plan pack, PDF": "plan pack {e}/quickstart.csv --procs 8 --gantt out.pdf",
    "plan pack, high": "plan pack {e}/quickstart.csv --procs 8 --effort high --format json",
    "plan pack, many tasks": "plan pack bag.json --procs 16 -o out.json",
    "plan pack, exact": "plan pack bag.json --procs 16 --policy exact -o out.json",
    "plan pack, ilp": "plan pack few.json --procs 4 --policy ilp -o out.json",
    "plan pack, matching": "plan pack bag.json --procs 16 --pack-size 2 --policy matching -o out.json",
    "plan moldable": "plan moldable {e}/quickstart.csv --procs 8 --schedule out.json",
    "plan moldable, exact": "plan moldable {e}/quickstart.csv --procs 8 --policy exact --schedule out.json",
    "simulate malleable": "simulate malleable {e}/applications.csv --procs 16 --mtbf 400d -n 2 --schedule out.json --per-scenario out.csv",
    "simulate rigid": "simulate rigid jobs.csv --procs 3000 -q 0.2 -n 3 --schedule out.json --per-scenario out.csv",
    "plan ptg": "plan ptg {e}/graphs.json --platform {e}/clusters.json --schedule out.json",
    "simulate volatile": "simulate volatile {e}/hosts.json -n 2 --schedule out.json",
    "generate": "generate rigid --jobs 30 -o out.csv",
    "fit": "fit {e}/quickstart.csv",
    "check": "check plan.json --against {e}/quickstart.csv",
    "convert a log": "convert {e}/monday.swf --to batsim -o out.json",
    "convert a schedule": "convert plan.json --to trace -o out.json",
    "simulate, counts": "simulate rigid many.csv --procs 2000 --policy greedy --scenarios 1 -o out.json",
    "check, counts": "check many.json",
    "report, counts": "report many.json -o out.html",
    "plot, counts": "plot many.json -o out.svg",
    "convert, counts": "convert many.json --to bars -o out.csv",
    "replay, counts": "replay {e}/monday.swf --policy easy --processors counts -o out.json",
    "what, a log": "what {e}/monday.swf",
    "what, documents": "what {e}/graphs.json {e}/clusters.json {e}/hosts.json plan.json {e}/spot.csv --format json",
    "replay": "replay {e}/monday.swf --jobs out.csv --series series.csv --report out.html --draw out.svg -o out.json",
    "replay, policies": "replay {e}/sacct.txt --machine {e}/slurm.conf --policy easy,conservative --jobs out.csv --format json",
    "campaign run": "campaign run sweep.json --store out.db",
    "campaign export": "campaign export whole.db -o out.csv",
    "campaign merge": "campaign merge whole.db -o out.db",
    "campaign status": "campaign status whole.db",
    "campaign verify": "campaign verify whole.db",
    "report": "report whole.db -o out.html",
    "list": "list",
}
SWEEP = '{"problem": "malleable", "replicates": 2, "set": {"tasks": 3, "procs": 12}, "vary": {"checkpoint_factor": [0.5, 1]}}'
# The constructor of the Fortran library, which CLP brings, ends in exit() or calls itself until the stack is full.
SPARED = "libgfortran"
HANGS = 900  # seconds; a command takes a hundredth
KINDS = ["malloc", "write", "read", "fsync", "rename"]


def run(folder, command, **more):
    environment = {**os.environ, "LD_PRELOAD": PRELOADED, "OMP_NUM_THREADS": "2", "SCARCE_SPARED": SPARED, "ASAN_OPTIONS": "verify_asan_link_order=0", **more}
    words = [COSCHED, *command.format(e=EXAMPLES).split()]
    try:
        return subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, b"", b"it hangs")


def content(folder):
    files = {}
    for name in sorted(os.listdir(folder)):
        if name != "count":
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
    return files


def fresh(top, source, name):
    folder = os.path.join(top, name)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    return folder


def timeless(text):
    return re.sub(rb", in [0-9.,]+ \S+", b"", text)


def judge(top, source, whole, said, task):
    """What is wrong after that call has failed; None: nothing."""
    name, kind, at, on = task
    folder = fresh(top, source, "%s-%s-%d-%d" % (name.replace(" ", "-").replace(",", ""), kind, at, on))
    done = run(folder, COMMANDS[name], SCARCE=kind, SCARCE_AT=str(at), **({"SCARCE_ON": "1"} if on else {}))
    told = done.stderr.decode(errors="replace")
    wrong = None
    if done.returncode < 0 or done.returncode > 5:
        wrong = "ended with %d: %s" % (done.returncode, told[:200])
    elif done.returncode and (not told.strip() or ": -" in told or told.strip().endswith(":")):
        wrong = "no sentence: %r" % told[:200]
    elif name == "list" and b"NOT AVAILABLE HERE" in done.stdout:
        pass  # a library that cannot be read is reported as one that is not there
    elif not done.returncode and not told and timeless(done.stdout) != timeless(said):
        wrong = "it says something else: %r" % done.stdout[:200]
    for file, text in content(folder).items():
        if wrong or file.endswith((".db", "-wal", "-shm", "-lock", "-journal")):
            continue
        if file not in whole:
            wrong = "%s is left" % file
        elif text != whole[file] and not (done.returncode == 0 and "the bound is the cheap one" in told):
            wrong = "%s is not whole" % file
    if not wrong and done.returncode and "campaign run" in name:
        again = run(folder, COMMANDS[name])
        if again.returncode:
            wrong = "does not go on: %s" % again.stderr.decode()[:200]
    shutil.rmtree(folder)
    return (task, wrong) if wrong else None


def numbers(count):
    if count <= MOST:
        return range(1, count + 1)
    half = MOST // 2
    return sorted({*range(1, half + 1), *(half + 1 + (count - half - 1) * k // half for k in range(half))})


def main():
    failed = count = 0
    with tempfile.TemporaryDirectory() as top:
        source = os.path.join(top, "source")
        os.mkdir(source)
        with open(os.path.join(source, "sweep.json"), "w", encoding="utf-8") as file:
            file.write(SWEEP)
        for words in ("generate rigid --jobs 8 -o jobs.csv", "plan pack {e}/quickstart.csv --procs 8 -o plan.json",
                      "generate pack --workload random --tasks 17 --procs 16 --seed 3 -o bag.json",
                      "generate pack --workload random --tasks 3 --procs 4 --seed 3 -o few.json",
                      "generate rigid --jobs 20001 -o many.csv",
                      "simulate rigid many.csv --procs 2000 --policy greedy --scenarios 1 -o many.json",
                      "campaign run sweep.json --store whole.db"):
            assert run(source, words).returncode == 0
        for name, command in COMMANDS.items():
            for kind in KINDS:
                folder = fresh(top, source, "whole")
                done = run(folder, command, SCARCE=kind, SCARCE_COUNT="count")
                assert done.returncode == 0, name + done.stderr.decode()
                with open(os.path.join(folder, "count"), encoding="utf-8") as file:
                    calls = int(file.read())
                whole = content(folder)
                tasks = [(name, kind, at, on) for at in numbers(calls) for on in (0, 1)]
                with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                    wrong = [found for found in pool.map(lambda task: judge(top, source, whole, done.stdout, task), tasks) if found]
                count += 1
                failed += bool(wrong)
                print("%sok %d - %s: %d times no %s (of %d calls)" % ("not " if wrong else "", count, name, len(tasks), kind, calls))
                for task, why in wrong[:5]:
                    print("#   call %d%s: %s" % (task[2], " and all after it" if task[3] else "", why.replace("\n", " ")))
                sys.stdout.flush()
    print("1..%d" % count)
    return failed > 0


sys.exit(main())
