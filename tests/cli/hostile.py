#!/usr/bin/env python3
"""Files that another person made to do harm: bombs, databases with programs in them, escape sequences, formulas.

usage: tests/cli/hostile.py COSCHED EXAMPLES
"""

import csv
import gzip
import io
import json
import lzma
import os
import pty
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from kit import COSCHED, cosched, finish, ok, refused, write

EXAMPLES = os.path.abspath(sys.argv[2])
SWEEP = {"problem": "rigid", "set": {"jobs": 20, "procs": 4000}, "vary": {"policy": ["easy"]}, "metrics": ["makespan"]}
LARGEST = 1 << 20  # KiB that a file of 40 KB may take, with the memory that sanitizers add


def packed(name, text, *kinds):
    """The files in which it is packed: as gzip (0) and xz (1), or as one of them."""
    packers = (lambda d: gzip.compress(d, 6), ".gz"), (lambda d: lzma.compress(d, preset=1), ".xz")
    for pack, ending in [packers[kind] for kind in kinds or (0, 1)]:
        with open(name + ending, "wb") as file:
            file.write(pack(text.encode()))
    return [name + packers[kind][1] for kind in kinds or (0, 1)]


def bombs():
    """Small packed files never become large texts or large trees."""
    million = 10**6
    nested = '{"\\u0061":[' + "[]," * (13 * million) + "[]]}"
    texts = {"nested.json": nested, "deep.json": "[" * (20 * million), "text.json": '{"\\u0061":"' + "x" * (40 * million) + '"}',
             "whole.json": '{"tasks":[' + "0," * (20 * million) + "0]}",
             "keys.json": '{"a":{' + '"":{},' * (7 * million) + '"":0}}'}
    for number, (name, text) in enumerate(texts.items()):
        for path in packed(name, text, number % 2):
            size = os.path.getsize(path)
            for words in ("what",), ("check",), ("plan", "moldable", "--procs", 8):
                told = refused("too much for a packed file of %d bytes: unpack it first" % size, *words[:2], path, *words[2:])
                ok(told.count("\n") == 1, "in one message")
    for path in packed("rows.csv", "app,procs,seconds\n" + "a,1,1\n" * (6 * million), 1):
        refused("unpacks to more than", "plan", "moldable", path, "--procs", 8)
    for path in packed("log.swf", "; MaxProcs: 8\n" + "1 1 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n" * million, 1):
        refused("unpacks to more than", "replay", path)
    with open("twice.json.gz", "wb") as file:
        file.write(gzip.compress(gzip.compress(nested.encode())))
    refused("is packed twice: unpack it first", "what", "twice.json.gz")
    ok(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < LARGEST, "and no more memory than that is used")


def large_files():
    """Large files of regular lines, packed as well as they can be, are read."""
    lines = "; MaxProcs: 64\n" + "".join("%d %d 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 -1 -1 -1\n" % (i + 1, 20 * i) for i in range(100000))
    for path in packed("regular.swf", lines):
        ok(os.path.getsize(path) < len(lines) / 5, "well packed")
        ok("100,000 jobs" in cosched("what", path)[0], "%s is read" % path)
    bars = ",".join('{"task":0,"attempt":0,"kind":"work","procs":[[0,7]],"start":%d,"end":%d}' % (i, i + 1) for i in range(300000))
    text = '{"format":"cosched-schedule-1","problem":"rigid","procs":8,"tasks":[],"note\\u0061":"","bars":[' + bars + "]}"
    for path in packed("bars.json", text, 0):
        told = cosched("check", path, status=1)[1]
        ok("too much" not in told, "a schedule of %d bytes in %d is looked at (%s)" % (len(text), os.path.getsize(path), told[:99]))


def change(path, copy, sql):
    if os.path.isdir(path):
        shutil.copytree(path, copy)
        copy = os.path.join(copy, "journal.db")
    else:
        shutil.copy(path, copy)
    with sqlite3.connect(copy) as db:
        db.executescript(sql)
    db.close()


ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r"


def databases():
    """What a store or a journal has besides the tables of cosched is not run."""
    sweep = write(".", "sweep.json", json.dumps(SWEEP))
    cosched("campaign", "run", sweep, "--store", "good.db")
    cosched("run", write(".", "jobs.csv", "name,procs,seconds\na,1,1\n"), "--slots", 1, "--into", "good", "--", "true")
    of_store = [("view", "document", "ALTER TABLE document RENAME TO d; CREATE VIEW document AS " + ENDLESS), ("view", "rigid", "DROP TABLE rigid; CREATE VIEW rigid AS " + ENDLESS),
                ("trigger", "t", "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM document; END"),
                ("trigger", "run_INSERT", "DROP TRIGGER run_INSERT; CREATE TRIGGER run_INSERT AFTER INSERT ON run BEGIN DELETE FROM document; END"),
                ("table", "more", "CREATE TABLE more(x)"), ("index", "i", "CREATE INDEX i ON run(abs(host))"),
                ("table", "input", "DROP TABLE input; CREATE TABLE input(path, sha256, digest AS (abs(path)))")]
    for n, (kind, name, sql) in enumerate(of_store):
        path = "store%d.db" % n
        change("good.db", path, sql)
        for words in ("campaign", "run", sweep, "--store"), ("campaign", "verify"):
            ok("is not one that cosched creates: not read" in cosched(*words, path, status=1)[1], "%s is not used" % name)
        for words in ("campaign", "status"), ("campaign", "export"), ("report",):
            told = refused("is not one that cosched creates: not read", *words, path)
            ok('the %s "%s"' % (kind, name) in told or name == "document" or name == "rigid", "names %s" % name)
    of_run = ["CREATE TRIGGER t AFTER INSERT ON round BEGIN DELETE FROM task; END", "ALTER TABLE round RENAME TO r; CREATE VIEW round AS " + ENDLESS,
              "DROP VIEW slot_now; CREATE VIEW slot_now AS " + ENDLESS, "CREATE TABLE more(x CHECK (x > 1))"]
    for n, sql in enumerate(of_run):
        change("good", "run%d" % n, sql)
        for words in ("run", "status"), ("run", "--resume"), ("what",), ("report",):
            refused("is not one that cosched creates: not read", *words, "run%d" % n)
    cosched("campaign", "verify", "good.db")
    cosched("run", "status", "good")


NASTY = "n\x1b[31m\x07\x7f\u009b2J\u202ec"
NAME = "n\u202ec"  # names have no controls
SHOWN = "n\\u202ec"


def is_harmless(text):
    return not any(c in text for c in "\x1b\x07\x7f\u009b\u202e\r")


def escapes():
    """What controls a terminal is escaped in what people read, and kept in files and in output for programs."""
    table = write(".", "names.csv", "app,procs,seconds\n%s,1,9\n%s,2,5\n" % (NASTY, NASTY))
    head = write(".", "head.csv", "%s,procs,seconds\na,1,1\n" % NASTY)
    plain = {"format": "cosched-schedule-1", "problem": NASTY, "procs": 1, "tasks": [], "bars": []}
    files = [write(".", "problem.json", json.dumps(plain)), write(".", "format.json", json.dumps({"format": NASTY})), write(".", NASTY + ".csv", "x\n"),
             write(".", "log.sacct", "JobID|%s\n1|2\n" % NASTY), write(".", "slurm2.conf", "%s=1\n" % NASTY), head, table]
    with open("bytes.csv", "wb") as file:
        file.write(b"\x9b31mapp,procs,\xc2\x9bseconds\n")
    for path in [*files, "bytes.csv"]:
        for words in ("what", path), ("check", path), ("plan", "pack", path, "--procs", 2), ("replay", path), ("replay", "monday.swf", "--machine", path), (
                "plan", "ptg", path, "--platform", path), ("simulate", "volatile", path), ("campaign", "run", path), ("fit", path):
            told = subprocess.run([COSCHED, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            text = told.stdout.decode(errors="surrogateescape")
            ok(is_harmless(text) and not any("\udc80" <= c <= "\udcff" for c in text), "%s of %s: %s" % (words[0], path.encode()[-20:], ascii(text)[:90]))
    write(".", table, "app,procs,seconds\n%s,1,9\n%s,2,5\n" % (NAME, NAME))
    out = cosched("plan", "pack", table, "--procs", 2, "-o", "plan.json")[0]
    ok(is_harmless(out), "a table of names")
    with open("plan.json", encoding="utf-8") as file:
        ok(NAME in json.dumps(json.load(file), ensure_ascii=False), "a file has the name as it is")
    jobs = write(".", "nasty.csv", "name,procs,seconds\n%s,1,1\n" % NAME)
    told = cosched("run", jobs, "--slots", 1, "--into", "nasty", "--", "false", status=3)
    ok(is_harmless(told[0] + told[1]), "messages of a run")
    for words in ("status",), ("schedule",), ("status", "--follow"):
        ok(is_harmless("".join(cosched("run", words[0], "nasty", *words[1:]))), "and its %s" % words[0])
    told = cosched("run", "schedule", "nasty", "--format", "csv")[0]
    ok(NAME in told and is_harmless(cosched("run", "schedule", "nasty")[0]), "a table for programs keeps it")
    policy = write(".", "policy.py", "#!%s\nimport sys\nprint(%r)\nsys.stderr.write(%r)\n" % (sys.executable, NASTY, NASTY))
    os.chmod(policy, 0o755)
    told = cosched("plan", "pack", table, "--procs", 2, "--policy", "./policy.py", status=1)
    ok(is_harmless(told[0] + told[1]), "what a policy printed: %s" % ascii(told[1])[:99])
    told = cosched("plan", "pack", NASTY, "--" + NASTY, status=2)[1]
    ok(is_harmless(told), "words of the command line")
    ends, end = pty.openpty()
    subprocess.run([COSCHED, "run", "schedule", "nasty", "--format", "csv"], stdout=end, stderr=end, check=True)
    os.close(end)
    shown = b""
    while SHOWN.encode() not in shown and len(shown) < 9999:
        shown += os.read(ends, 4096)
    ok(is_harmless(shown.decode().replace("\r\n", "\n")), "but not on a terminal")


DOUBTS = {
    "dep.csv": ("name,procs,seconds,after\nA,1,1,\nB,1,1,A\nC,1,1,A\n", ["after is not read: the tasks count as independent"]),
    "depm.csv": ("app,procs,seconds,depends\nA,1,1,\nA,2,0.6,\nB,1,1,A\nB,2,0.6,A\n", ["depends is not read: the tasks count as independent"]),
    "mem.csv": ("name,procs,seconds,memory,gpus\nA,1,1,8G,1\nB,1,1,8G,1\n",
                ["memory is not read: only processors are limited", "gpus is not read: only processors are limited"]),
    "odd.csv": ("name,procs,seconds,GRES,Max RSS,licences,Deadline,budget:h,constraint\nA,1,1,,,,,,\n",
                ["GRES is not read", "Max RSS is not read", "licences is not read", "Deadline is not read: no deadline is kept", "budget:h is not read", "constraint is not read"]),
    "gpu.csv": ("name,procs,seconds\nA,1,1\nB,1,1\nC,2,1\n", []),
    "weird.csv": ("app,procs,seconds\nA,1,100\nA,2,0.2\nB,1,100\nB,2,51\nC,1,100\nC,2,100\nC,4,400\n", ["A is 500.0 times faster on 2 than on 1: a failed run?"]),
    "worst.csv": ("app,procs,seconds,size\nwat,1,3.35,3\nwat,2,0.224,3\nwat,4,0.05,3\nbox,4,100,1M\nbox,4,245,2M\n",
                  ["wat is 15.0 times faster on 2 than on 1: a failed run?", "box on 4: 100 s and 245 s: two inputs? the column size differs"]),
    "limit.csv": ("app,procs,seconds\na,1,100\na,2,25\nb,1,100\nb,2,50\nb,2,25\n", []),
    "nc.csv": ("application,nodes,cores,seconds\nA,1,128,100\nA,2,256,60\nB,1,128,80\nB,2,256,45\n", ["nodes is the number of processors; cores left aside"]),
}


# What moldable reads, and what it does not.
READ = {"dep.csv": [], "depm.csv": [], "mem.csv": None, "odd.csv": ["GRES is not read: did you mean gpus", "licences is not read", "constraint is not read"]}


def doubts():
    """Columns that look like requirements, and times that cannot be: a warning each, and an error with --strict."""
    for name, (text, wanted) in DOUBTS.items():
        write(".", name, text)
        commands = [("plan", "moldable", name, "-p", 8), ("plan", "pack", name, "-p", 8), ("simulate", "moldable", name, "-p", 8), ("fit", name),
                    ("simulate", "malleable", name, "-p", 8, "--checkpoint", 1, "--data", 1)]
        if text.startswith("name"):
            commands = [commands[0], ("simulate", "rigid", name, "--procs", 8), ("run", name, "--slots", 2, "--dry-run", "--", "true")]
        for n, words in enumerate(commands):
            wanted = DOUBTS[name][1] if words[1] != "moldable" else READ.get(name, DOUBTS[name][1])
            if wanted is None or (words[:2] == ("simulate", "moldable") and name in READ):
                continue    # such bags need resources, and are only planned
            done = subprocess.run([COSCHED, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            lines = [line for line in done.stderr.splitlines() if name + ": " in line and "fit" not in line]
            for want in wanted:
                ok(sum("%s: %s" % (name, want) in line for line in lines) == 1, "%s warns: %s (%s)" % (words[0], want, done.stderr[:200]))
            ok(len(lines) == len(wanted) or n == 4, "and of nothing else: %s" % done.stderr[:200])
            at = words.index("--") if "--" in words else len(words)
            strict = [*words[:at], "--strict", *words[at:]]
            if wanted:
                refused("%s: %s" % (name, wanted[0]), *strict)


def formulas():
    """CSV for spreadsheets: no cell is taken for a formula, and numbers stay numbers."""
    names = ["=1+2", "+cmd", "-x", "@a", "plain", '=a,"b"', "-5", "1=2"]
    rows = "".join('"%s",1,1\n' % name.replace('"', '""') for name in names)
    cosched("run", write(".", "formulas.csv", "name,procs,seconds\n" + rows), "--slots", 1, "--into", "sums", "--", "true")
    for words in ("schedule", "sums", "--format", "csv"), ("status", "sums", "--format", "csv", ):
        plain = list(csv.reader(io.StringIO(cosched("run", *words)[0])))
        safe = list(csv.reader(io.StringIO(cosched("run", *words, "--csv-safe")[0])))
        for before, after in zip(plain, safe):
            for a, b in zip(before, after):
                formula = a[:1] in ("=", "+", "-", "@") and a != "-5" and not a.lstrip("-").replace(".", "", 1).replace("e-", "", 1).isdigit()
                ok(b == ("'" + a if formula else a), "%r becomes %r" % (a, b))
        ok(len(safe) == len(plain) and any("'=1+2" in row for row in safe), "all rows are there")
    cosched("run", "schedule", "sums", "-o", "sums.json")
    cosched("convert", "sums.json", "--to", "bars", "--csv-safe", "-o", "bars.csv")
    with open("bars.csv", encoding="utf-8") as file:
        text = file.read()
    ok("'=1+2" in text and ",'-5" not in text and '"\'=a,""b"""' in text, "a file of bars")
    log = write(".", "formulas.txt", "JobID|User|Partition|Submit|Start|End|State|NCPUS|Timelimit\n1|=cmd|+p|2024-01-01T00:00:00|"
                "2024-01-01T00:00:00|2024-01-01T01:00:00|COMPLETED|4|02:00:00\n")
    for words in ("replay", log), ("simulate", "queue", log, "--policy", "easy"):
        cosched(*words, "-p", 8, "--jobs", "jobs.csv", "--format", "csv", "--csv-safe")
        with open("jobs.csv", encoding="utf-8") as file:
            ok(",'=cmd,'+p," in file.read(), "%s: the table of jobs" % words[0])
    bag = ("plan", "moldable", write(".", "bag.csv", "task,procs,seconds\n=1+2,1,5\n=1+2,2,3\n"), "-p", 4, "--format", "csv")
    plain, safe = cosched(*bag)[0], cosched(*bag, "--csv-safe")[0]
    ok("\n=1+2," in plain and safe == plain.replace("\n=1+2,", "\n'=1+2,"), "a plan")
    out = cosched("campaign", "export", "good.db", "--csv-safe")[0]
    ok(out == cosched("campaign", "export", "good.db")[0], "an export without formulas is the same")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    shutil.copy(os.path.join(EXAMPLES, "monday.swf"), ".")
    for part in bombs, large_files, databases, escapes, doubts, formulas:
        part()
    os.chdir("/")
finish()
