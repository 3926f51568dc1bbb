#!/usr/bin/env python3
"""A picture that cannot be made for want of librsvg is refused before anything is computed or written.

usage: tests/scarce/no_rsvg.py COSCHED EXAMPLES PRELOADED
"""

import os
import subprocess
import sys
import tempfile

from disk import can_be_recorded

COSCHED, EXAMPLES, PRELOADED = (os.path.abspath(word) for word in sys.argv[1:4])
PLAN = ["plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", "8", "--output", "plan.json", "--gantt"]


PAPER = ["paper", "run", "rigid/fig4a", "--quick", "--papers", os.path.join(EXAMPLES, "..", "papers"), "--output"]


def run(folder, words):
    environment = {**os.environ, "LD_PRELOAD": PRELOADED, "ASAN_OPTIONS": "verify_asan_link_order=0"}
    done = subprocess.run([COSCHED, *words], cwd=folder, env=environment, text=True, capture_output=True, check=False)
    return done, sorted(os.listdir(folder))


def tell(number, good, what, done):
    print("%sok %d - %s" % ("" if good else "not ", number, what))
    if not good:
        print("# %d: %s" % (done.returncode, " ".join(done.stderr.split())))
    return good


def main():
    good = True
    if not can_be_recorded(COSCHED, PRELOADED):
        return 0
    for number, name in enumerate(("plan.png", "plan.pdf")):
        with tempfile.TemporaryDirectory() as folder:
            done, files = run(folder, [*PLAN, name])
            refused = done.returncode == 2 and "or ask for .svg" in done.stderr and not files
            good &= tell(number + 1, refused, name + " is refused and nothing is written", done)
    with tempfile.TemporaryDirectory() as folder:
        done, files = run(folder, [*PLAN, "plan.svg"])
        good &= tell(3, done.returncode == 0 and files == ["plan.json", "plan.svg"], "plan.svg is written", done)
    with tempfile.TemporaryDirectory() as folder:
        done, _ = run(folder, ["--version"])
        good &= tell(4, any(line.split()[:2] == ["PNG", "no"] for line in done.stdout.splitlines()), "--version says so: " + done.stdout.replace("\n", "; "), done)
        done, _ = run(folder, [*PAPER, folder])
        made = {os.path.splitext(name)[1] for name in os.listdir(folder)}
        good &= tell(5, done.returncode == 0 and ".svg" in made and ".png" not in made, "figures of a paper are written as SVG: " + " ".join(sorted(made)), done)
    print("1..5")
    return 0 if good else 1


sys.exit(main())
