#!/usr/bin/env python3
"""cosched inspect: every file is what its reader says, its name does not matter, and broken ones end in that reader's sentence.

usage: what.py COSCHED EXAMPLES LOGS

LOGS is a folder with a small log of each kind.
"""

import gzip
import json
import os
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, write

EXAMPLES, LOGS = map(os.path.abspath, sys.argv[2:4])

# Of each example what is said, and the command that takes it first.
KNOWN = {
    "quickstart.csv": ("workload (CSV), 6 tasks, 24 runs, 4 counts", "plan moldable", None),
    "formulas.json": ("workload (JSON), 7 tasks, 16 processors", "plan moldable", None),
    "applications.csv": ("workload with checkpoints (CSV), 6 tasks", "simulate malleable", None),
    "monday.swf": ("job log (SWF), 120 jobs, 64 processors", "replay", None),
    "sacct.txt": ("job log (sacct), 333 jobs", "replay", None),
    "graphs.json": ("task graph (JSON), 3 graphs, 52 tasks, 56 arcs", "plan ptg", None),
    "workflow.json": ("task graph (WfCommons), 1 graph, 6 tasks, 7 arcs", "plan ptg", None),
    "clusters.json": ("platform (JSON), 2 clusters, 40 processors", "plan ptg", "platform"),
    "hosts.json": ("hosts and an application (JSON), 8 hosts, 4 tasks", "simulate volatile", None),
    "spot.csv": ("trace of hosts (CSV), 12 hosts", "simulate volatile", "trace"),
    "faults.csv": ("list of failures (CSV), 7 failures", "simulate malleable", "faults"),
    "slurm.conf": ("machine (slurm.conf), 3 partitions", "replay", "machine"),
}
TEXTS = {
    "jobs of fixed width": ("name,procs,seconds\na,2,10\nb,1,20\n", "list of jobs (CSV), 2 jobs", "simulate rigid"),
    "the same columns, a name twice": ("name,procs,seconds\na,1,20\na,2,10\n", "workload (CSV), 1 task, 2 runs, 2 counts", "plan moldable"),
    "DOT": ('// made by hand\ndigraph g { a [size="1e9", alpha="0.1"]; b [size="2e9", alpha="0"]; a -> b [size="8"]; }\n',
            "task graph (DOT), 1 graph, 2 tasks, 1 arc", "plan ptg"),
    "the sample of a simulator": ("1e-6 8 0 0 0 0 0\nj1 rgd 10 2\n", "list of jobs (sample), 1 job, 8 processors", "simulate rigid"),
    "a machine": ('{"format": "cosched-machine-1", "processors": 8}', "machine (JSON), 1 partition", "replay"),
    "a sweep": ('{"problem": "pack", "vary": {}}', "sweep (JSON)", "campaign run"),
}
LINES = {
    "nothing at all": ("", "the file is empty"),
    "blanks and comments": ("# one\n\n  # two\n", "the file is empty"),
    "prose": ("Dear reader\nhow are you\n", "unknown format"),
    "JSON of somebody else": ('{"a": 1}', "unknown JSON format"),
    "broken JSON": ('{"a": ', "1:6"),
    "a time below 0": ("app,procs,seconds\na,1,-5\n", "wrong:2: column seconds"),
    "sacct without a header": ("1|2024-01-01T00:00:00|COMPLETED\n", "--noheader"),
    "an arc to nowhere": ("digraph g { a -> b; }\n", "nowhere declared"),
}


def told(path):
    return json.loads(cosched("what", path, "--format", "json")[0])[0]


def takes(path):
    return [use["command"] for use in told(path)["commands"] if not use["option"]]


def examples():
    for name, (words, command, option) in KNOWN.items():
        found = told(os.path.join(EXAMPLES, name))
        use = found["commands"][0]
        ok((found["words"], use["command"], use["option"]) == (words, command, option), f"{name}: {found['words']}, {use}")
        ok(found["words"].startswith(f"{found['kind']} ({found['form']})"), f"{name}: kind and form make the words")


def texts():
    for name, (text, words, command) in TEXTS.items():
        write(".", "nameless", text)
        found = told("nameless")
        ok((found["words"], found["commands"][0]["command"]) == (words, command), f"{name}: {found['words']}")


def logs():
    kinds = set()
    for name in sorted(os.listdir(LOGS)):
        done = os.path.join(LOGS, name)
        found = told(done)
        ok(found["kind"] == "job log", f"{name}: {found['words']}")
        kinds.add(found["form"])
    ok(len(kinds) == 6, f"logs of each kind are known: {sorted(kinds)}")


def made():
    cosched("plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", 8, "-o", "plan.json")
    found = told("plan.json")
    ok(found["words"] == "schedule (JSON), 6 tasks" and found["commands"][0]["command"] == "report", found["words"])
    ok("run" in takes("plan.json"), "a plan can be run")
    cosched("plan", "ptg", os.path.join(EXAMPLES, "graphs.json"), "--platform", "grid5000-lille", "-o", "graphs")
    ok("run" in takes("graphs"), "one of graphs too, with its transfers")
    write(".", "jobs.csv", "name,procs,seconds\na,2,10\nb,1,20\n")
    ok(takes("jobs.csv") == ["simulate rigid", "run"], "and so can a list of jobs")
    cosched("simulate", "rigid", "jobs.csv", "--procs", 2, "--mean-failure-probability", 0.9, "-o", "life")
    bars = len(json.loads(read("life"))["bars"])
    ok(bars > 2 and "run" not in takes("life"), f"what ran again is no plan: {bars} bars, {takes('life')}")
    write(".", "sample", "1e-6 8 0 0 0 0 0\nj1 rgd 10 2\n")
    ok(takes("sample") == ["simulate rigid"], "jobs in the form of a simulator are for simulations")


def runs():
    """The folder of a run: what it is, and what judges, shows and draws what ran there."""
    cosched("run", "jobs.csv", "--slots", 2, "--oversubscribe", "--into", "run1", "--progress", "none", "--", "true")
    found = told("run1")
    ok((found["kind"], found["words"]) == ("run", "run (folder), 2 tasks, 2 slots, done"), found["words"])
    ok(takes("run1") == ["run status", "run schedule", "report", "check", "plot"], f"{takes('run1')}")
    ok("  cosched run status run1\n" in cosched("what", "run1")[0], "a line for each")
    for command in takes("run1")[:2]:
        cosched(*command.split(), "run1")
    cosched("run", "schedule", "run1", "-o", "ran.json", "--format", "json")
    ok(cosched("check", "run1")[0] == cosched("check", "ran.json")[0].replace("ran.json", "run1"), "check judges what ran")
    cosched("check", "ran.json", "run1/")
    cosched("report", "run1", "-o", "run.html")
    cosched("report", "ran.json", "-o", "ran.html")
    ok(read("run.html").replace("run1", "X").replace("run.html", "X") == read("ran.html").replace("ran.json", "X").replace("ran.html", "X"),
       "report shows the same page of the run as of the file")
    cosched("plot", "run1", "-o", "run.svg")
    cosched("plot", "ran.json", "-o", "ran.svg")
    ok(read("run.svg") == read("ran.svg"), "and plot draws the same")
    os.mkdir("other")
    refused("other: is a directory, expected a file", "check", "other")
    for command in (("what", "other"), ("report", "other"), ("plot", "other", "-o", "x.svg")):
        refused("other: a directory without a file", *command)
    os.mkdir("damaged")
    write("damaged", "journal.db", "nothing\n")
    for command in (("what", "damaged"), ("check", "damaged"), ("report", "damaged")):
        refused("damaged/journal.db", *command)


def packed_and_piped():
    text = read(os.path.join(EXAMPLES, "monday.swf"))
    with gzip.open("log", "wb") as file:
        file.write(text.encode())
    ok(told("log")["words"] == KNOWN["monday.swf"][0], "packed, and under another name")
    out = cosched("what", "-", given=text)[0]
    ok(out.startswith("standard input: job log (SWF)") and "  cosched replay -\n" in out, out)
    write(".", "my log", text)
    ok("  cosched replay 'my log'\n" in cosched("what", "my log")[0], "a name with a blank is quoted")


def people():
    out = cosched("what", os.path.join(EXAMPLES, "clusters.json"), os.path.join(EXAMPLES, "hosts.json"))[0]
    ok("  cosched plan ptg ... --platform " in out and "  cosched simulate volatile " in out, "a line for each command")


def broken():
    for name, (text, says) in LINES.items():
        write(".", "wrong", text)
        found = cosched("what", "wrong", status=1)
        ok(says in found[1] and found[1].count("\n") == 1 and not found[0], f"{name}: {found[1]}")
    write(".", "bag.csv", "app,procs,seconds\na,1,-5\n")
    sentences = [cosched(*words, status=1)[1] for words in (("what", "bag.csv"), ("plan", "pack", "bag.csv", "--procs", 2))]
    ok(sentences[0] == sentences[1], "the sentence of the reader: " + sentences[0])
    refused("/nosuch/file", "what", "/nosuch/file")
    good = os.path.join(EXAMPLES, "monday.swf"), os.path.join(EXAMPLES, "hosts.json")
    out, err = cosched("what", "/nosuch/file", good[0], "bag.csv", good[1], status=1)
    ok(out == cosched("what", *good)[0], "bad files do not hide what is known of the good ones")
    ok(err.count("\n") == 2 and err.startswith("cosched: /nosuch/file: ") and "\ncosched: bag.csv:2: " in err, "a sentence for each bad one: " + err)
    out, err = cosched("what", good[0], "/nosuch/file", good[1], "bag.csv", "--format", "json", status=1)
    ok(json.loads(out) == [told(path) for path in good], "JSON has the good ones")
    lines = [json.loads(line) for line in err.splitlines()]
    ok([(line["file"], line["kind"], line.get("line")) for line in lines] == [("/nosuch/file", "system", None), ("bag.csv", "input", 2)],
       "and an object for each bad one: " + err)
    ok(cosched("what", "/nosuch/file", "--format", "json", status=1)[0] == "", "nothing where nothing is known")
    refused("FILE", "what", status=2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in (examples, texts, logs, made, runs, packed_and_piped, people, broken):
            test()
        os.chdir("/")
    finish()


main()
