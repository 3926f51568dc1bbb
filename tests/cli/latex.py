#!/usr/bin/env python3
"""examples/latex/paper.tex, by the commands that stand in it: three figures on a page, of the width they were asked for, none scaled.

usage: latex.py COSCHED EXAMPLES PAPERS

Skipped where pdflatex or pdftotext (poppler-utils) is missing, or where the build draws no PDF.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

COSCHED, EXAMPLES, PAPERS = map(os.path.abspath, sys.argv[1:4])
SMALLEST = 7 * 1.16  # a box of DejaVu is 1.16 times as high as its type
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what), flush=True)


def skip(why):
    print("1..0 # SKIP " + why)
    sys.exit(0)


def commands():
    with open(os.path.join(EXAMPLES, "latex", "paper.tex"), encoding="utf-8") as file:
        return [line.strip("% \n") for line in file if line.startswith("%   ")]


def run(command, folder):
    env = dict(os.environ, LC_ALL="C.UTF-8", COSCHED_PAPERS=PAPERS)
    words = command.split()
    if words[0] == "cosched":
        words[0] = COSCHED
    if words[:3] == [COSCHED, "paper", "run"]:
        words += ["--papers", PAPERS]
    if words[0] == "pdflatex":
        words[1:1] = ["-interaction=nonstopmode", "-halt-on-error"]
    return subprocess.run(words, cwd=folder, env=env, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)


def heights(folder, name):
    """How high the boxes of the words of a PDF are, in points, the lowest first; words that stand upright only."""
    text = subprocess.run(["pdftotext", "-bbox", name, "-"], cwd=folder, text=True, stdout=subprocess.PIPE, check=True).stdout
    boxes = [tuple(map(float, found)) for found in re.findall(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">', text)]
    return sorted(y1 - y0 for x0, y0, x1, y1 in boxes), len(boxes)


def main():
    for program in ("pdflatex", "pdftotext"):
        if not shutil.which(program):
            skip(program + " is not installed")
    with tempfile.TemporaryDirectory() as top:
        shutil.copytree(EXAMPLES, os.path.join(top, "examples"))
        folder = os.path.join(top, "examples", "latex")
        for command in commands():
            done = run(command, folder)
            if done.returncode and "build" in done.stdout and "PDF" in done.stdout:
                skip("this build draws no PDF")
            ok(done.returncode == 0, command + ("" if done.returncode == 0 else ": " + done.stdout[-300:]))
        run("pdflatex paper.tex", folder)
        with open(os.path.join(folder, "paper.log"), encoding="utf-8", errors="replace") as file:
            log = file.read()
        bad = re.findall(r"Overfull.*|LaTeX Warning.*undefined.*", log)
        ok(not bad, f"no figure is wider than its column {bad}")
        for name, width in (("plan", 246), ("life", 510), ("fig4a", 246)):
            found = re.search(r"<%s\.pdf, id=\d+, ([\d.]+)pt x" % name, log)
            ok(found and abs(float(found[1]) - width) < 1, f"{name}.pdf is {width} points wide: {found and found[1]}")
            sizes, words = heights(folder, name + ".pdf")
            ok(words > 5 and sizes[0] >= SMALLEST, f"{name}.pdf: {words} words, the lowest {sizes[:1]} points high")
        if len(sys.argv) > 4:
            shutil.copy(os.path.join(folder, "paper.pdf"), sys.argv[4])
    print("1..%d" % count)
    return 1 if failed else 0


sys.exit(main())
