#!/usr/bin/env python3
"""A disk that is full (where one can be mounted) or after so many bytes, and folders that nobody may write to: a sentence, nothing left, the same bytes afterwards.

usage: tests/cli/no_room.py COSCHED EXAMPLES
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

from kit import COSCHED, cosched, finish, ok, write

EXAMPLES = os.path.abspath(sys.argv[2])
NOBODY = 65534
PAGE, DISK = 4096, 1 << 26
SWEEP = {"problem": "malleable", "replicates": 2, "set": {"tasks": 3, "procs": 12}, "vary": {"checkpoint_factor": [0.5, 1]}}
COMMANDS = [
    "plan pack {e}/quickstart.csv --procs 8 -o o.json --gantt o.svg",
    "plan moldable {e}/quickstart.csv --procs 8 --schedule o.json",
    "plan ptg {e}/graphs.json --platform {e}/clusters.json -o o.json",
    "plan volatile {e}/hosts-free.json -o o.json",
    "simulate moldable {e}/quickstart.csv --procs 8 --sigma 0.1 -n 2 --per-scenario o.csv",
    "simulate malleable {e}/applications.csv --procs 16 --mtbf 400d -n 2 --schedule o.json",
    "simulate rigid {e}/monday.swf --arrivals --jobs o.csv",
    "simulate volatile {e}/hosts.json -n 2 --per-scenario o.csv",
    "replay {e}/monday.swf --policy easy,fcfs --series o.csv --report o.html",
    "generate pack --workload random --tasks 100 -o o.json",
    "generate moldable --tasks 100 --procs 8 -o o.json",
    "generate malleable -o o.json",
    "generate rigid -o o.csv",
    "generate ptg --count 2 -o o.dot",
    "generate volatile -o o.json",
    "convert {e}/monday.swf --to batsim -o o.json",
    "convert plan.json --to trace -o o.json",
    "report whole.db -o o.html",
    "campaign run sweep.json --store o.db",
    "campaign export whole.db -o o.csv",
    "campaign merge whole.db -o o.db",
    "fit {e}/scaling.csv -o o.json",
    "fit availability {e}/spot.csv -o o.json",
]


def run(command, folder, most=None, **who):
    def limit():
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return subprocess.run([COSCHED, *command.format(e=EXAMPLES).split()], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, preexec_fn=limit, check=False, **who)


def fresh():
    shutil.rmtree("w", ignore_errors=True)
    shutil.copytree("source", "w")
    return "w"


def made():
    files = {}
    for name in sorted(set(os.listdir("w")) - set(os.listdir("source"))):
        with open(os.path.join("w", name), "rb") as file:
            files[name] = file.read()
    return files


def is_store(name):
    return name.startswith("o.db")


def told(done):
    return done.returncode == 1 and len(done.stderr.split()) > 3 and ": -" not in done.stderr


def full(command):
    fresh()
    done = run(command, "w")
    whole = made()
    ok(done.returncode == 0 and whole, "%s: %s" % (command[:40], done.stderr.strip()))
    longest = max(map(len, whole.values()))
    for most in 0, 1, longest // 2, longest - 1:
        fresh()
        done = run(command, "w", most)
        left = [name for name, text in made().items() if not is_store(name) and text != whole.get(name)]
        ok(told(done) and not left, "%s, %d bytes: %d %s %s" % (command[:40], most, done.returncode, done.stderr.strip(), left))
        again = run(command, "w")
        same = [name for name in whole if not is_store(name) and made().get(name) != whole[name]] == []
        ok(again.returncode == 0 and same and set(made()) == set(whole), "and with room it comes out the same: %s" % again.stderr.strip())


def mounted(size):
    """A disk of so many bytes, in memory, at w; False where it cannot be had."""
    shutil.rmtree("w", ignore_errors=True)
    os.mkdir("w")
    return subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % size, "none", "w"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def fill(but):
    """Until nothing but so many bytes fits."""
    room = os.statvfs("w")
    with open("w/ballast", "wb") as file:
        file.write(b"x" * max(0, room.f_bavail * room.f_bsize - but))


def really_full(command):
    """With some pages left it may just fit."""
    fresh()
    run(command, "w")
    whole = made()
    for free in sorted({0, PAGE, max(map(len, whole.values())) // PAGE * PAGE}):
        mounted(DISK)
        try:
            shutil.copytree("source", "w", dirs_exist_ok=True)
            fill(free)
            done = run(command, "w")
            left = [name for name, text in made().items() if name != "ballast" and not is_store(name) and text != whole.get(name)]
            ok((told(done) or (free and done.returncode == 0)) and not left,
               "%s, a disk with %d bytes: %d %s %s" % (command[:40], free, done.returncode, done.stderr.strip(), left))
            os.remove("w/ballast")
            again = run(command, "w")
            same = [name for name in whole if not is_store(name) and made().get(name) != whole[name]] == []
            ok(again.returncode == 0 and same and set(made()) == set(whole), "and with room on it the same: %s" % again.stderr.strip())
        finally:
            subprocess.run(["umount", "w"], check=True)


def may_not_write(command):
    """As somebody who may not: root writes everywhere."""
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    fresh()
    for part in os.listdir("w"):
        os.chmod(os.path.join("w", part), 0o644)
    os.chmod("w", 0o555)
    done = run(command, "w", **who)
    ok(told(done) and not made(), "%s, may not write: %d %s" % (command[:40], done.returncode, done.stderr.strip()))
    os.chmod("w", 0o755)


def is_open_to_others():
    try:
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        return run("check plan.json --against {e}/quickstart.csv", "source", **who).returncode == 0
    except OSError:
        return False


with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    os.chdir(folder)
    os.mkdir("source")
    write("source", "sweep.json", json.dumps(SWEEP))
    cosched("plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", 8, "-o", "source/plan.json")
    cosched("campaign", "run", "source/sweep.json", "--store", "source/whole.db")
    readable = is_open_to_others()
    print("# folders that nobody may write to: %s" % ("tried" if readable else "skipped, others cannot run %s" % COSCHED))
    disks = mounted(DISK) and subprocess.run(["umount", "w"], check=True).returncode == 0
    print("# disks that are full: %s" % ("tried" if disks else "skipped, nothing can be mounted here"))
    for line in COMMANDS:
        full(line)
        if disks:
            really_full(line)
        if readable:
            may_not_write(line)
    os.chdir("/")
finish()
