#!/usr/bin/env python3
"""`cosched paper list` and `cosched paper run` as a user meets them.

usage: tests/cli/paper.py COSCHED PAPERS
"""

import csv
import glob
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import kit
from kit import cosched, finish, ok, results, write

PAPERS = sys.argv[2]
HEADER = ["panel", "series", "x", "replicate", "metric", "value"]


def read(*path):
    return kit.read(os.path.join(*path))


def lists():
    listed = results("paper", "list", "--papers", PAPERS)
    names = [row["name"] for row in listed]
    here = sorted(
        os.path.relpath(os.path.join(folder, file), PAPERS)[:-5]
        for folder, _, files in os.walk(PAPERS)
        for file in files
        if file.endswith(".json") and not file.startswith("_")
    )
    ok(names == here, "every paper is listed: %s" % " ".join(names))
    for path in glob.glob(os.path.join(PAPERS, "**", "*.json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            subtitle = json.load(file).get("subtitle", "")
        ok(not re.search(r"\d", subtitle), "%s: numbers of subtitles are those of the run: %s" % (path, subtitle))
    text = cosched("paper", "list", "--papers", PAPERS)[0]
    ok(all(name in text for name in names), "for people too")


def runs(folder):
    out = os.path.join(folder, "one")
    run = ["paper", "run", "pack/fig2", "--quick", "--papers", PAPERS, "--threads"]
    told = cosched(*run, "1", "--out", out)[0]
    ok("pack/fig2: 9 claims:" in told, "it tells how many claims agree")
    rows = list(csv.reader(read(out, "pack-fig2.csv").splitlines()))
    ok(rows[0] == HEADER, "header of the CSV")
    ok(all(len(row) == 6 and float(row[5]) >= 0 for row in rows[1:]), "its rows")
    cells = {tuple(row[:4]) for row in rows[1:]}
    listed = int(re.search(r"([\d,]+) runs", read(out, "pack-fig2.md"))[1].replace(",", ""))
    ok(len(cells) == listed, "one row for every run and metric")
    markdown = read(out, "pack-fig2.md")
    verdicts = re.findall(
        r"^\*\*(\d+)\. (agrees|agrees in part \(\d+ of \d+\)|does not agree|undecided \(\d+ agree, \d+ open\)|not checked)(?:, stand-in)?\*\* “", markdown, re.M)
    ok([int(number) for number, _ in verdicts] == list(range(1, 10)), "a verdict for every claim")
    ok("cosched paper run pack/fig2 --quick --papers" in markdown, "the command to run it again")
    ok("stand-in" in markdown, "workloads are called stand-ins")
    ok(read(out, "pack-fig2.svg").startswith("<"), "a figure")
    other = os.path.join(folder, "two")
    cosched(*run, "3", "--out", other)
    for file in sorted(os.listdir(out)):
        if not file.endswith(".png"):
            ok(read(out, file) == read(other, file), "%s: the same with three threads" % file)
    third = os.path.join(folder, "three")
    cosched(*run, "2", "--out", third, "--seed", "77")
    ok(read(out, "pack-fig2.csv") != read(third, "pack-fig2.csv"), "another seed, other values")


def some_of_each(folder):
    """Quick papers of most problems, goes_on() has another; script/test runs all of them."""
    run = ["paper", "run", "--quick", "--papers", PAPERS, "--out", folder]
    claims = (results(*run, "pack", "malleable/fig8", "moldable/guarantees", "rigid/fig4b") +
              results(*run, "volatile/table1", "--set", "cap=2000", "--set", "scenarios=1"))
    problems = {claim["paper"].split("/")[0] for claim in claims}
    ok(problems == {"malleable", "moldable", "pack", "rigid", "volatile"}, "claims as JSON")
    ok({"pack-fig5.csv", "volatile-table1.md"} <= set(os.listdir(folder)), "files of all papers")
    ok("| PACK-BY-PACK-9 |" in read(folder, "pack-table1.md"), "Table 1 as a table")
    results(*run, "rigid/open", "rigid/fig5f", "rigid/fig6f", "--set", "scenarios=2")
    results(*run, "malleable/theorem2")
    results(*run, "volatile/flawed", "--set", "cap=2000", "--set", "scenarios=1")
    cut = [name for name in sorted(os.listdir(folder)) if name.endswith(".svg") and "…<" in read(folder, name)]
    ok(not cut, "no figure cuts its words: %s" % " ".join(cut))


def goes_on(folder):
    """Killed again and again, the command ends with the files of one that was left alone."""
    run = ["paper", "run", "ptg/fig2", "ptg/fig3", "--quick", "--papers", PAPERS]
    whole, parts = os.path.join(folder, "whole"), os.path.join(folder, "parts")
    store = os.path.join(folder, "ptg.db")
    cosched(*run, "--out", whole)
    kills, wait = 0, 0.05
    while kills < 40:
        process = subprocess.Popen(
            [kit.COSCHED, *run, "--out", parts, "--store", store],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            told, _ = process.communicate(timeout=wait)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills, wait = kills + 1, wait * 1.2
    ok(process.returncode == 0, "it ends after %d kills" % kills)
    ok(kills >= 2, "which came in the middle of it")
    for file in sorted(os.listdir(whole)):
        with open(os.path.join(whole, file), "rb") as one, open(os.path.join(parts, file), "rb") as two:
            ok(one.read() == two.read(), "%s: the same bytes" % file)
    last = int(re.search(r"^([\d,]+) new runs? in .*ptg.db$", told, re.M)[1].replace(",", ""))
    with sqlite3.connect(store) as base:
        cells = base.execute("SELECT count(*) FROM ptg").fetchone()[0]
        papers = base.execute("SELECT kind, name, quick FROM document ORDER BY id").fetchall()
        runs = base.execute("SELECT count(ended), max(command) FROM run").fetchone()
    ok(last < cells, "the last run had %d of %d left to do" % (last, cells))
    ok(papers == [("paper", "ptg/fig2", 1), ("paper", "ptg/fig3", 1)], "the store holds the papers")
    ok(runs[0] >= 1 and "paper run ptg/fig2 ptg/fig3 --quick" in runs[1], "and who worked on it")
    ok("\n0 new runs in " in cosched(*run, "--out", parts, "--store", store)[0], "nothing is done twice")
    waits(run, os.path.join(folder, "stopped.db"), parts, whole)
    timed = ["paper", "run", "pack/table1", "--quick", "--papers", PAPERS, "--out", parts]
    cosched("paper", "run", "pack/fig5", "--quick", "--papers", PAPERS, "--out", parts, "--store", store)
    ok("\n0 new runs in " not in cosched(*timed, "--store", store)[0], "what is timed is run on its own")
    ok("\n0 new runs in " in cosched(*timed, "--store", store)[0], "and then kept as well")
    kit.refused("no.db: not a store of cosched", *run, "--out", parts, "--store", write(folder, "no.db", "text"))


def pools_seeds(folder):
    """Several seeds are one experiment, whose store grows with them; each alone is what it is alone."""
    run = ["paper", "run", "ptg/fig4", "--quick", "--papers", PAPERS, "--out", folder]
    store = ["--store", os.path.join(folder, "seeds.db")]
    alone = [results(*run, "--seed", str(seed)) for seed in (3, 4, 5)]
    first = read(folder, "ptg-fig4.csv").splitlines()
    ok("seeds" not in alone[0][0], "one seed needs no column")
    pooled = results(*run, "--seed", "3", "--seeds", "3")
    for claim, singles in zip(pooled, zip(*alone)):
        same = sum(single["verdict"] == claim["verdict"] for single in singles)
        ok(claim["seeds"] == "%d of 3" % same, "claim %d: %s, not %d" % (claim["claim"], claim["seeds"], same))
    rows = set(read(folder, "ptg-fig4.csv").splitlines())
    moved = {",".join([*row.split(",")[:3], str(8 + int(row.split(",")[3])), *row.split(",")[4:]]) for row in first[1:]}
    ok(len(rows) == 1 + 3 * len(moved) and moved <= rows, "the third seed's replicates follow those of two others")
    ok("seed 3 to 5, " in read(folder, "ptg-fig4.md") and "--seed 3 --seeds 3" in read(folder, "ptg-fig4.md"), "the seeds are stated")
    ok("quick look: 12 of 75 replicates" in read(folder, "ptg-fig4.svg"), "and the replicates")
    cosched(*run, "--seed", "3", *store)
    told = cosched(*run, "--seed", "3", "--seeds", "3", *store)[0]
    ok("\n%d new runs in " % (2 * 8 * 4 * 3) in told, "a store adds the runs of two seeds")
    ok(set(read(folder, "ptg-fig4.csv").splitlines()) == rows, "to the same values")
    fresh = os.path.join(folder, "fresh.db")
    cosched(*run, "--seeds", "3", "--store", fresh)
    exported = cosched("campaign", "export", fresh, "--format", "csv")[0]
    ok(len(exported.splitlines()) == 1 + 3 * 8 * 4 * 3, "which an export has too")
    kit.refused('--seeds is "0"; it must be a whole number from 1 to 1000', *run, "--seeds", "0", status=2)


SMALL = {
    "problem": "pack", "set": {"workload": "i", "procs": 16}, "x": {"parameter": "pack_size", "values": [2, 4]},
    "panels": {"i": {}}, "metrics": {"cost": {"title": "cost"}},
    "series": {name: {"set": {"policy": "random-pack:runs=%d" % runs}, "replicates": 20}
               for name, runs in (("one", 1), ("nine", 9), ("same", 1))}}


def compares(one, op, other):
    return {"text": "-", "checks": [{"value": {"metric": "cost", "series": one}, "op": op,
                                     "than": {"metric": "cost", "series": other}}]}


def asks(op, than, answer):
    return {"text": "-", "kind": "question", "answer": answer,
            "checks": [{"value": {"metric": "cost", "series": "nine"}, "op": op, "than": than}]}


def kinds(folder):
    """Series compared by signed ranks, and questions of papers."""
    claims = [compares("nine", "better", "one"), compares("one", "better", "nine"), compares("one", "no difference", "same"),
              compares("one", "no difference", "nine"), asks("<", 1e9, "no"), asks("<", 1e9, "yes"), asks(">", 1e9, "no")]
    write(folder, "kinds.json", json.dumps({**SMALL, "claims": claims}))
    run = ["paper", "run", "kinds", "--papers", folder, "--out", os.path.join(folder, "out")]
    found = [claim["verdict"] for claim in results(*run)]
    ok(found == ["agrees", "does not agree", "agrees", "does not agree", "answered: no", "answered: yes", "undecided"], "verdicts: %s" % found)
    told = cosched(*run)[0]
    ok("7 claims: 2 agree, 2 do not agree, 2 answered, 1 unanswered; checks: 2 of 4 agree" in told, "questions are counted apart")
    ok(re.search(r"better than [\d,]+, p [\d.e-]+ \| agrees", read(folder, "out", "kinds.md")), "p is stated")
    for words, claim in (("kind question needs answer", {"text": "-", "kind": "question", "checks": []}),
                         ("kind question needs answer", {"text": "-", "answer": "no", "checks": []}),
                         ("than: expected another value", {"text": "-", "checks": [{"value": {"metric": "cost", "series": "one"}, "op": "better", "than": 3}]}),
                         ("value and than name one each", compares(["one", "same"], "better", "nine"))):
        write(folder, "bad.json", json.dumps({**SMALL, "claims": [claim]}))
        kit.refused(words, "paper", "run", "bad", "--papers", folder, "--out", folder)


def draws(folder):
    """Dashes, clipped and logarithmic axes, ranges that panels share."""
    def paper(**changes):
        write(folder, "drawn.json", json.dumps({**SMALL, **changes}))
        cosched("paper", "run", "drawn", "--papers", folder, "--out", folder)
        return read(folder, "drawn.svg")

    series = {**SMALL["series"], "same": {**SMALL["series"]["same"], "dash": True}}
    plain, dashed = paper(), paper(series=series)
    ok("stroke-dasharray" not in plain and dashed.count("stroke-dasharray") == 2, "dash: a line and its mark in the legend")
    clipped = paper(metrics={"cost": {"title": "cost", "clip": [0, 1200]}})
    ok('class="clipped"' not in plain and clipped.count('class="clipped"') >= 2, "clip: numbers on the border")
    ok(">1,300<" not in clipped and ">1,200<" in clipped, "and an axis that ends there")
    paper(metrics={"gap": {"title": "gap", "scale": "log"}}, series={"exact": {"set": {"policy": "exact"}}})
    ok("2 values of gap are not above 0 and are not drawn (scale log)" in read(folder, "drawn.md"), "log: what it cannot show")
    panels = {"few": {"x": [2]}, "more": {"x": [2, 10]}}

    def ticks(svg):
        return [float(tick.replace(",", "")) for tick in re.findall(r'class="tick-label"[^>]*text-anchor="end"[^>]*>([\d,.]+)<', svg)]

    shared, own = ticks(paper(panels=panels)), ticks(paper(panels=panels, metrics={"cost": {"title": "cost", "range": "own"}}))
    ok(shared and shared[:len(shared) // 2] == shared[len(shared) // 2:], "panels side by side have one range: %s" % shared)
    ok(own[:len(own) // 2] != own[len(own) // 2:], "unless each has its own: %s" % own)
    for words, metric in (("clip: expected two numbers that ascend", {"clip": [2, 1]}), ("clip: expected two numbers", {"clip": [1]}),
                          ("clip: goes without from and to", {"clip": [1, 2], "from": 0}), ("clip[0]", {"clip": ["a", 2]}),
                          ("expected two numbers above 0 that ascend", {"clip": [0, 1], "scale": "log"}),
                          ("scale: goes without log", {"scale": "log", "log": True}), ("scale", {"scale": "cubic"}), ("range", {"range": "all"})):
        write(folder, "bad.json", json.dumps({**SMALL, "metrics": {"cost": metric}}))
        kit.refused(words, "paper", "run", "bad", "--papers", folder, "--out", folder)
    for words, key in (("judged_in", {"judged_in": "table"}), ("dash", {"dash": 1})):
        write(folder, "bad.json", json.dumps({**SMALL, "series": {"one": {**SMALL["series"]["one"], **key}}}))
        kit.refused(words, "paper", "run", "bad", "--papers", folder, "--out", folder)
    for words, key in (("seeds", {"seeds": 0}), ("subtitle: {word} is not known", {"subtitle": "{word}"})):
        write(folder, "bad.json", json.dumps({**SMALL, **key}))
        kit.refused(words, "paper", "run", "bad", "--papers", folder, "--out", folder)


def waits(run, store, out, whole):
    """Ctrl-C ends it with a word on how to go on."""
    process = subprocess.Popen([kit.COSCHED, *run, "--out", out, "--store", store],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not os.path.exists(store):
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1]
    ok(process.returncode in (0, 130, -signal.SIGINT), "status 130, or it was quicker: %d" % process.returncode)
    ok(process.returncode != 130 or "finished runs are in %s. To continue: cosched paper run" % store in told,
       "it says how to continue: " + " ".join(told.split())[:200])
    cosched(*run, "--out", out, "--store", store)
    for file in sorted(os.listdir(whole)):
        with open(os.path.join(whole, file), "rb") as one, open(os.path.join(out, file), "rb") as two:
            ok(one.read() == two.read(), "%s: the same bytes after Ctrl-C" % file)


def write_log(path):
    """Three days with five to seven jobs each on 64 processors."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("; MaxProcs: 64\n; UnixStartTime: 1654041600\n")
        for job in range(18):
            day, seconds, procs = job % 3, 600 + 977 * job % 5000, 1 + 37 * job % 60
            file.write("%d %d 0 %d %d -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                       % (job, 86400 * day + job, seconds, procs))


def on_a_log(folder):
    log, out = os.path.join(folder, "a log.swf"), os.path.join(folder, "log")
    write_log(log)
    listed = {row["name"]: row["needs"] for row in results("paper", "list", "--papers", PAPERS)}
    ok(listed["rigid/fig7"].startswith("input: a job log"), "the list says what a paper needs")
    ok(listed["pack/fig2"] == "", "and that others need nothing")
    run = ["paper", "run", "--quick", "--papers", PAPERS, "--out", out]
    told = cosched(*run, "rigid/fig7", "rigid/fig8", "rigid/table1", "--input", log,
                   "--set", "month=2022-06", "--set", "scenarios=5")[0]
    ok(all("rigid/%s: " % name in told for name in ("fig7", "fig8", "table1")), "three on a log")
    days = {row["x"] for row in csv.DictReader(read(out, "rigid-fig7.csv").splitlines())}
    ok(days == {"1", "2", "3"}, "a day a value: %s" % days)
    jobs = [float(row["value"]) for row in csv.DictReader(read(out, "rigid-table1.csv").splitlines())
            if row["metric"] == "jobs"]
    ok(set(jobs) == {6.0}, "the mean number of jobs in a day")
    markdown = read(out, "rigid-table1.md")
    ok("--quick --input '%s' --set month=2022-06 --set scenarios=5" % log in markdown,
       "the command tells what was given")
    stdout, stderr = cosched(*run, "rigid", "--set", "scenarios=3", "--set", "jobs=7")
    ok("warning: skipped: rigid/table1 needs a job log" in stderr, "a folder skips what it lacks")
    ok("rigid/fig4a: " in stdout and "rigid/fig7" not in stdout, "and runs the others")
    machine = [row["value"] for row in csv.DictReader(read(out, "rigid-fig4a.csv").splitlines())]
    cosched(*run, "rigid/fig4a", "--set", "scenarios=3")
    ok(machine != [row["value"] for row in csv.DictReader(
        read(out, "rigid-fig4a.csv").splitlines())], "--set has an effect")


def refuses(folder):
    kit.refused('there is no paper "pack/fig22"; did you mean "pack/fig2"?',
                "paper", "run", "pack/fig22", "--papers", PAPERS)
    kit.refused("/none: there is no such folder of papers",
                "paper", "list", "--papers", os.path.join(folder, "none"))
    kit.refused("NAME is missing", "paper", "run", status=2)
    kit.refused("--output is a folder, and fig2.csv has the ending of a file", "paper", "run", "pack/fig2", "-o", "fig2.csv", status=2)
    run = ["paper", "run", "--papers", PAPERS, "--out", folder]
    kit.refused("rigid/fig7 needs a job log (SWF, sacct, PBS, ALCF): give --input FILE", *run, "rigid/fig7")
    kit.refused("rigid/fig5 takes no file as 'input'", *run, "rigid/fig5", "--input", "log.swf")
    kit.refused("rigid/fig5: its series set 'priority', it cannot be given",
                *run, "rigid/fig5", "--set", "priority=lpt")
    kit.refused("--set scenarios: NAME=VALUE is wanted", *run, "rigid/fig5", "--set", "scenarios")
    kit.refused("none of these papers takes 'input'", *run, "pack", "--input", "log.swf")
    kit.refused("no-such.swf", *run, "rigid/fig7", "--input", os.path.join(folder, "no-such.swf"))
    write(folder, "bad.json", '{"title": "T", "plaice": "here"}')
    kit.refused('/bad.json: unknown key "plaice"', "paper", "run", "bad", "--papers", folder)
    kit.refused('/bad.json: unknown key "plaice"', "paper", "list", "--papers", folder)


with tempfile.TemporaryDirectory() as folder:
    lists()
    runs(folder)
    some_of_each(os.path.join(folder, "all"))
    goes_on(folder)
    os.mkdir(os.path.join(folder, "kinds"))
    kinds(os.path.join(folder, "kinds"))
    draws(os.path.join(folder, "kinds"))
    pools_seeds(os.path.join(folder, "pooled"))
    on_a_log(folder)
    refuses(folder)
finish()
