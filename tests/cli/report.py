#!/usr/bin/env python3
"""cosched report: what it writes, and what it refuses.

usage: report.py COSCHED EXAMPLES
"""

import json
import os
import re
import sqlite3
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, write

EXAMPLES = sys.argv[2]


def schedule(**more):
    return json.dumps({"format": "cosched-schedule-1", "problem": "rigid", "procs": 4, "tasks": ["one"],
                       "bars": [{"task": 0, "procs": "0-1", "start": 0, "end": 2.5}], **more})


def parts(html):
    return [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', html, re.S)]


def writes(folder):
    plan, page = os.path.join(folder, "plan.json"), os.path.join(folder, "plan.html")
    cosched("plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", 8, "--output", plan)
    out, told = cosched("report", plan, "-o", page)
    ok(not out and not told, "a report that is written says nothing")
    html = read(page)
    ok(html.startswith("<!DOCTYPE html>") and html.endswith("</html>\n"), "it is one page")
    ok("default-src 'none'" in html and not re.search(r'(?:src|href)="(?!data:|#)', html), "which refers to nothing")
    ok("<title>plan.json</title>" in html, "its title is the name of the input")
    data, given = parts(html)[0], json.loads(read(plan))
    ok(data["tasks"] == given["tasks"] and data["bars"]["end"] == [bar["end"] for bar in given["bars"]], "all bars are in it")
    ok([data["bars"]["sets"][i] for i in data["bars"]["set"]] == [bar["procs"] for bar in given["bars"]], "their processors too")
    ok(data["check"]["total"] == 0, "the checker was asked")
    quick = os.path.join(EXAMPLES, "quickstart.csv")
    ok(data["command"] == "cosched plan pack %s --procs 8 --output %s" % (quick, plan), "so was the file for its command")
    jobs, drawn = os.path.join(folder, "jobs.csv"), os.path.join(folder, "drawn.json")
    cosched("generate", "rigid", "-n", 5, "--output", jobs)
    for threads in (["--threads", 2], ["--thr=1"], []):
        cosched("simulate", "rigid", jobs, "-p", 2000, *threads, "-n", 3, "--policy", "list", "--priority", "lpt",
                "--schedule", drawn)
        ok(json.loads(read(drawn))["command"] == "cosched simulate rigid %s -p 2000 -n 3 --policy list --priority lpt "
           "--schedule %s" % (jobs, drawn), "which leaves out the threads: %s" % threads)
    cosched("plan", "moldable", quick, "--procs", 8, "-o", drawn)
    lead = parts(cosched("report", drawn)[0])[0]["lead"]
    ok(lead.startswith("Applications without barriers: 6 tasks in 6 bars on 8 processors"), "what it is about: " + lead)
    facts = {fact["name"]: fact["value"] for fact in data["facts"]}
    ok(facts["Packs"] == "2" and "Makespan" in facts and "Utilisation" in facts, "facts are told: %s" % facts)
    cosched("plan", "moldable", os.path.join(EXAMPLES, "gpus.csv"), "--procs", 40, "--resource", "gpus=4,memory=256G,abaqus=2",
            "-o", drawn)
    facts = {fact["name"]: fact["value"] for fact in parts(cosched("report", drawn)[0])[0]["facts"]}
    ok(facts["gpus"] == "91.2 %" and facts["memory"] == "32.1 %" and "procs" not in facts, "and the use of resources: %s" % facts)
    cosched("simulate", "queue", os.path.join(EXAMPLES, "monday.swf"), "--procs", 64, "--policy", "easy", "-o", drawn)
    data = parts(cosched("report", drawn)[0])[0]
    ok(data["lead"].startswith("Jobs that arrive: 120 tasks") and "Failures" not in [fact["name"] for fact in data["facts"]],
       "jobs that arrive and never fail: " + data["lead"])
    ok(cosched("report", plan)[0] == html.replace(" --output " + page, ""), "standard output gets the same")
    cosched("report", plan, "-o", page, "--title", "A & B")
    ok("<title>A &amp; B</title>" in read(page) and "--title &apos;A &amp; B&apos;" in read(page).replace("'", "&apos;"),
       "--title is the title, and the command is told")
    first = read(page)
    cosched("report", plan, "-o", page, "--title", "A & B")
    ok(read(page) == first, "the same input makes the same bytes")


def takes_several(folder):
    one = write(folder, "one.json", schedule())
    cosched("report", one, "-", "-o", os.path.join(folder, "two.html"), given=schedule(problem="volatile"))
    html = read(os.path.join(folder, "two.html"))
    ok(len(parts(html)) == 2 and "standard input" in html, "two schedules, one from standard input")
    wrong = write(folder, "wrong.json", schedule(makespan=7))
    cosched("report", wrong, "-o", os.path.join(folder, "wrong.html"))
    check = parts(read(os.path.join(folder, "wrong.html")))[0]["check"]
    ok(any("declared makespan" in text for text in check["violations"]), "a schedule that is not valid says why")
    empty = write(folder, "empty.json", schedule(tasks=[], bars=[]))
    cosched("report", empty, "-o", os.path.join(folder, "empty.html"))


def is_safe(folder):
    names = ["</script><script>", "<!--", "a\u2028b", "\u00e2\u20ac"]
    nasty = write(folder, "nasty.json", schedule(tasks=names))
    html = cosched("report", nasty)[0]
    data = re.search(r'<script type="application/json">(.*?)</script>', html, re.S).group(1)
    ok("<" not in data and ">" not in data and "\u2028" not in data, "no name can end the data")
    ok(json.loads(data)["tasks"] == names, "and each arrives as it was")


def refuses(folder):
    page = os.path.join(folder, "page.html")
    good = write(folder, "good.json", schedule())
    refused("none.json", "report", os.path.join(folder, "none.json"), "-o", page)
    refused("found \"x\", expected \"cosched-schedule-1\"", "report", write(folder, "x.json", '{"format": "x"}'), "-o", page)
    refused("late.json: bar 0 (one): it ends at 1, before its start at 2", "report",
            write(folder, "late.json", schedule(bars=[{"task": 0, "procs": "0", "start": 2, "end": 1}])), "-o", page)
    refused("but the schedule only 0-3", "report",
            write(folder, "wide.json", schedule(bars=[{"task": 0, "procs": "4", "start": 0, "end": 1}])), "-o", page)
    refused("odd.json: command: ", "report", write(folder, "odd.json", schedule(command=5)), "-o", page)
    refused("it is an input", "report", good, "-o", good)
    refused("standard input: found - 2 times, expected once", "report", "-", "-", "-o", page)
    refused("there is no folder", "report", good, "-o", os.path.join(folder, "no", "page.html"))
    refused("good.json", "report", good, os.path.join(folder, "good.json.gz"), "-o", page)
    refused("INPUT", "report", status=2)
    ok(not os.path.exists(page), "and nothing is written")


def shows_stores(folder):
    """The numbers of a page are those that the campaign tells."""
    page, store = os.path.join(folder, "store.html"), os.path.join(folder, "store.db")
    sweep = write(folder, "sweep.json", json.dumps({
        "title": "T", "problem": "rigid", "replicates": 3, "set": {"jobs": 5, "scenarios": 2, "procs": 4000},
        "vary": {"policy": ["greedy", "shelf"]}, "metrics": ["ratio"]}))
    told = cosched("campaign", "run", sweep, "--store", store, "--format", "csv")[0].splitlines()
    cosched("report", store, "-o", page)
    document, origin = parts(read(page))
    mean = document["figures"].index("mean")
    means = [group["v"][0][mean] for group in document["groups"]]
    ok(len(told) == 3 and all(any(float(cell) == value for cell in row.split(",")[1:]) for row, value in zip(told[1:], means)),
       "a store: the means of 'campaign run'")
    ok(document["cells"] == document["done"] == 6, "all of its runs")
    ok("campaign run" in origin["runs"][0]["command"], "and where they come from")
    first = read(page)
    cosched("report", store, "-o", page)
    ok(read(page) == first, "the same store makes the same page")
    other = os.path.join(folder, "other.db")
    sqlite3.connect(other).executescript("create table t(x)")
    refused("other.db", "report", other, "-o", os.path.join(folder, "no.html"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        writes(folder)
        takes_several(folder)
        is_safe(folder)
        refuses(folder)
        shows_stores(folder)
    finish()


main()
