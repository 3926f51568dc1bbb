#!/usr/bin/env python3
"""The static tool (script/static) plans, checks, replays and runs where there is no other file, and as the ordinary tool.

usage: tests/house/static.py COSCHED STATIC [EMULATOR]

STATIC runs in an empty directory as its root (chroot; for this root, or a user namespace, is needed), or, if it is for
another processor, by EMULATOR (qemu-aarch64), which cannot start its keeper without binfmt_misc: no run then.
"""

import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COSCHED, STATIC, EMULATOR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
INPUTS = ["archer2.csv", "quickstart.csv", "sacct.txt"]
SAME = [
    (["plan", "moldable", "archer2.csv", "--procs", "40", "--unit", "node", "-o", "moldable.json", "--gantt", "moldable.svg"],
     ["moldable.json", "moldable.svg"]),
    (["plan", "pack", "quickstart.csv", "--procs", "8", "--policy", "pack-by-pack", "-o", "pack.json"], ["pack.json"]),
    (["check", "moldable.json", "pack.json"], []),
    (["replay", "sacct.txt", "--nodes", "16", "--policy", "easy,conservative", "--format", "csv", "--jobs", "jobs.csv"], ["jobs.csv"]),
    (["simulate", "rigid", "pack.csv", "--procs", "2000", "-q", "0.3", "--threads", "2", "--per-scenario", "runs.csv"], ["runs.csv"]),
]
failed = 0


def ok(good, what):
    global failed
    failed += not good
    print("%s  %s" % ("ok    " if good else "FAILED", what))


def fill(folder):
    for name in INPUTS:
        shutil.copy(os.path.join(TOP, "examples", name), folder)
    subprocess.run([COSCHED, "generate", "rigid", "-n", "20", "--output", os.path.join(folder, "pack.csv")], check=True)


def alone(root):
    """A root with the tool and /dev/null; the command that runs the tool in it."""
    shutil.copy(STATIC, os.path.join(root, "cosched"))
    for name in "dev", "proc", "tmp":
        os.mkdir(os.path.join(root, name))
    open(os.path.join(root, "dev/null"), "w", encoding="ascii").close()
    mounts = 'mount --bind /dev/null "$0/dev/null" && mount --rbind /proc "$0/proc" && exec chroot "$0" /cosched "$@"'
    return ["unshare", "-m" if os.geteuid() == 0 else "-rm", "sh", "-c", mounts, root]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout + done.stderr


def compare(tool, folder, other):
    for words, files in SAME:
        ours, theirs = run([*tool, *words], folder), run([COSCHED, *words], other)
        same = ours[0] == theirs[0] == 0 and all(
            open(os.path.join(folder, name), "rb").read() == open(os.path.join(other, name), "rb").read() for name in files)
        ok(same, "%s: status 0, the same files" % " ".join(words[:3]) if same else "%s: %s" % (" ".join(words), ours[1][-300:]))


def runs(tool, folder):
    status, told = run([*tool, "run", "pack.json", "--oversubscribe", "--into", "run1", "--progress", "none", "--",
                        "/cosched", "--version"], folder)
    ok(status == 0, "run: six tasks with the keeper that is the tool itself %s" % told[-300:])
    status, told = run([*tool, "run", "status", "run1"], folder)
    ok("6 of 6 done" in told, "run status: %s" % told.split("\n")[0])
    status, told = run([*tool, "check", "run1"], folder)
    ok(status == 0, "check of the run: %s" % told.split("\n")[0])


def main():
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        fill(folder)
        for name in os.listdir(folder):
            shutil.copy(os.path.join(folder, name), other)
        tool = [*EMULATOR, STATIC] if EMULATOR else alone(folder)
        status, told = run([*tool, "--version"], folder)
        if "unshare" in told:
            print("static: skipped, %s" % told.strip())
            return 0
        ok(status == 0, "it starts: %s" % told.split("\n")[0])
        compare(tool, folder, other)
        if not EMULATOR:
            runs(tool, folder)
    return failed > 0


sys.exit(main())
