#!/usr/bin/env python3
"""Journals of runs that have lost rounds with their write-ahead log: what has ended is taken from the records, or the
resume is rejected; no ended task runs again. Runs that were killed before their first round begin again.

usage: tests/cli/lost.py COSCHED
"""

import contextlib
import glob
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

from kit import COSCHED, cosched, finish, ok, read, refused, wait_for, write
from runs import began, in_background, jobs, make_old, outcomes, record, script, text_of

FRAME = 1024 + 24


def records(into):
    return {path: read(path) for path in glob.glob(into + "/a/*/*.rec")}


def log_of(into):
    path = into + ".log"
    return sorted(read(path).split()) if os.path.exists(path) else []


LOG = 'echo $COSCHED_NAME >> "$COSCHED_RUN.log"; '


def gate(least):
    """From so many lines on tasks wait until the executor has been killed, however busy the machine is."""
    return ('while [ $(wc -l < "$COSCHED_RUN.log") -ge %d ] && [ ! -e "$COSCHED_RUN.go" ]; do sleep 0.02; done; ' % least)


def killed(folder, name, rows, command, least, options=(), slots=2):
    """A run that was killed when so many lines were logged, and all its attempts have ended."""
    child, into = in_background(folder, name, rows, "sh", "-c", LOG + gate(least) + command, slots=slots, options=options)
    wait_for(lambda: len(log_of(into)) >= least or child.poll() is not None)
    child.kill()
    child.wait()
    write(folder, name + ".go", "")
    wait_for(lambda: all(text.endswith("closed\n") for text in records(into).values() if text))
    return into


def turn_bit(into, share):
    with open(into + "/journal.db-wal", "r+b") as file:
        data = bytearray(file.read())
        frames = (len(data) - 32) // FRAME
        data[32 + int(frames * share) * FRAME + 524] ^= 1
        file.seek(0)
        file.write(data)


def remove_log(into, _):
    os.remove(into + "/journal.db-wal")


ROWS = ["t%d,%d,1,x" % (k, 1 + k % 2) for k in range(12)]


def queues(folder):
    """A damaged log, a log that is gone; failed attempts count, and what is left runs."""
    for number, (damage, share) in enumerate([(turn_bit, 0), (turn_bit, 0.4), (turn_bit, 0.8), (remove_log, 0)]):
        into = killed(folder, "run%d" % number, ROWS,
                      "sleep 0.05; test $COSCHED_NAME$COSCHED_TRY != t21", 9)
        before = log_of(into)
        starts = records(into)
        ok(all(re.search(r"^claim .* round=\d+ task=\d+ try=\d+ slots=\S+\n", text) for text in starts.values()),
           "each claim names its round")
        shutil.rmtree(into + ".copy", ignore_errors=True)
        shutil.copytree(into, into + ".copy", ignore=shutil.ignore_patterns("control"))
        damage(into, share)
        told = cosched("run", "--resume", into)[1]
        ok(share > 0.5 or "the journal had lost" in told and "taken from" in told, "one line: " + told)
        ok(len(log_of(into)) == 13 and sorted(set(log_of(into))) == sorted("t%d" % k for k in range(12)),
           "%d had run, and %s in all" % (len(before), log_of(into)))
        ok(not os.path.exists(into + "/orphans"), "nothing is set aside")
        well = [name for name, _, outcome in outcomes(into) if outcome == "ok"]
        ok(sorted(well) == sorted("t%d" % k for k in range(12)), "each has ended well once")
        cosched("check", into)
        cosched("run", "schedule", into)
        ok("12 of 12 done" in cosched("run", "status", into)[0], "its status")
        cosched("run", "--resume", into)
        ok(len(log_of(into)) == 13, "and nothing runs again after that")


def plans(folder):
    """The same of a plan with barriers of slots."""
    write(folder, "bag.csv", "app,procs,seconds\n" + "".join("%s,1,2\n%s,2,1.2\n" % (2 * (name,)) for name in "abcdef"))
    plan, into = folder + "/plan.json", folder + "/followed"
    cosched("plan", "pack", folder + "/bag.csv", "--procs", 2, "--output", plan)
    child = subprocess.Popen([COSCHED, "run", plan, "--into", into, "--slots", "2", "--", "sh", "-c",
                              LOG + gate(4) + "sleep 0.1"],
                             stderr=subprocess.DEVNULL)
    wait_for(lambda: len(log_of(into)) >= 4 or child.poll() is not None)
    child.kill()
    child.wait()
    write(folder, "followed.go", "")
    wait_for(lambda: all(text.endswith("closed\n") for text in records(into).values()))
    remove_log(into, 0)
    ok("the journal had lost" in cosched("run", "--resume", into)[1], "a plan that is followed")
    ok(log_of(into) == list("abcdef"), "each has run once: %s" % log_of(into))
    cosched("check", into)


def power(folder):
    """Records of another boot: what ended well is taken in, the rest goes to RUN/orphans and runs again."""
    into = killed(folder, "power", ["a,1,1,x", "b,1,1,x", "c,1,1,x"],
                  "test $COSCHED_NAME != b || test $(grep -c b $COSCHED_RUN.log) -gt 1", 3, slots=1)
    for path, text in records(into).items():
        write("/", path, re.sub(r"boot=\S+", "boot=0-0", text))
    remove_log(into, 0)
    told = cosched("run", "--resume", into)[1]
    ok("in a power cut that did not end well: its record is in RUN/orphans" in told, told)
    ok(log_of(into) == ["a", "b", "b", "c"] and len(os.listdir(into + "/orphans")) == 1, "one runs again: %s" % log_of(into))


def alive_still(folder):
    """What still runs is neither started again nor killed."""
    child, into = in_background(folder, "alive", ["a,1,1,x", "b,1,1,x"], "sh", "-c",
                                LOG + "while [ ! -e %s/go ]; do sleep 0.02; done" % folder)
    wait_for(lambda: began(into, 1, 2))
    child.kill()
    child.wait()
    remove_log(into, 0)
    refused("which still runs", "run", "--resume", into)
    write(folder, "go", "")
    wait_for(lambda: all(text.endswith("closed\n") for text in records(into).values()))
    cosched("run", "--resume", into)
    ok(log_of(into) == ["a", "b"], "each has run once: %s" % log_of(into))


def forget_new(into):
    """As cosched 0.2 left it: no digests, records without the round, emptied when journaled."""
    make_old(into)
    with contextlib.closing(sqlite3.connect(into + "/journal.db", isolation_level=None)) as db:
        db.execute("DELETE FROM run WHERE key = 'records'")
        ended = [number for number, in db.execute("SELECT attempt FROM attempt_end")]
    for path, text in records(into).items():
        write("/", path, re.sub(r" round=.*", "", text))
    return ended


def old_runs(folder):
    """Runs of 0.2 are resumed; where they have lost what ended, that is rejected."""
    into = killed(folder, "old", ROWS, "sleep 0.05", 5)
    shutil.copytree(into, into + "2", ignore=shutil.ignore_patterns("control"))
    shutil.copy(into + ".log", into + "2.log")
    lost = into + "2"
    for number in forget_new(into):
        write("/", record(into, number), "")
    cosched("run", "--resume", into)
    ok(log_of(into) == sorted("t%d" % k for k in range(12)), "gone on with: %s" % log_of(into))
    remove_log(lost, 0)
    forget_new(lost)
    before, kept = log_of(lost), records(lost)
    told = refused("its record does not name its task", "run", "--resume", lost)
    ok("remove" not in told and log_of(lost) == before and records(lost) == kept, "nothing runs, nothing is moved")
    write("/", record(lost, 1), "")
    refused("which has ended", "run", "--resume", lost)


def begins_again(folder):
    """Nothing has run: --into begins, --resume says so."""
    file, into = jobs(folder, ["a,1,1,x"]), folder + "/new"
    line = ["run", file, "--slots", 1, "--into", into, "--", "sh", "-c", LOG]
    for left in ([], ["lock"], ["journal.db", "lock"], ["journal.db", "journal.db-wal", "lock", "control"]):
        shutil.rmtree(into, ignore_errors=True)
        os.makedirs(into + "/a", mode=0o700)
        os.chmod(into, 0o700)
        for name in left:
            write(into, name, "")
        for words in (("run", "--resume"),) + ((("run", "status"),) if "journal.db" in left else ()):
            refused("no run in it: start with --into", *words, into)
        cosched(*line)
        ok(outcomes(into) == [("a", 1, "ok")], "begins where %s was left" % (left or "a folder"))
    with contextlib.closing(sqlite3.connect(into + "/journal.db", isolation_level=None)) as db:
        for table in ("round", "event", "action", "attempt", "attempt_end", "seal"):
            db.execute("DELETE FROM " + table)
    refused("is not empty; to resume it", *line)
    shutil.rmtree(into + "/a/000")
    refused("no run in it: start with --into", "run", "--resume", into)
    write(into, "mine", "precious")
    refused("is not empty", *line)
    os.remove(into + "/mine")
    cosched(*line)
    write(into, "journal.db", "")
    told = refused("an empty journal: nothing to resume; outputs of what has run stay", "run", "--resume", into)
    ok("remove" not in told, "no advice that loses outputs")
    refused("is not empty", *line)


def own_directories(folder):
    """Names never share a directory."""
    names = ["a b", "task-0", "task-1", "~0", "\u00e4", "x" * 101, ".", "a/b"]
    path = write(folder, "names.csv", "name,procs,seconds\n" + "".join("%s,1,1\n" % name for name in names))
    into = folder + "/names"
    cosched("run", path, "--slots", 2, "--into", into, "--", "sh", "-c", 'test ! -e "$1/mine" && echo > "$1/mine"', "x", "{dir}")
    ok(sorted(os.listdir(into + "/t")) == sorted(["~0", "task-0", "task-1", "~3", "~4", "~5", "~6", "~7"]),
       "directories: %s" % os.listdir(into + "/t"))
    plan = write(folder, "apps.csv", "app,procs,seconds\na b,1,5\ntask-0,1,4\n")
    cosched("plan", "moldable", plan, "--procs", 2, "--sbatch", folder + "/plan.sh")
    steps = re.findall(r"^step (\S+) ", read(folder + "/plan.sh"), re.M)
    ok(sorted(steps) == ["'~0'", "task-0"], "outputs of steps: %s" % steps)


def paths(folder):
    """A value with "/", or that is "." or "..", does not stand within a path, unless the run file allows it."""
    os.mkdir(folder + "/bin")
    os.mkdir(folder + "/deep")
    into, number = folder + "/paths", 0
    tool = script(folder, "bin/tool", "echo it ran\n")
    for key, value, template in (("command", "../bin/tool", ["./deep/{input}"]), ("command", "..", ["true", "x/{input}"]),
                                 ("command", ".", ["true", "./{input}"]), ("command", "a/b", ["true", "--in={{/}}/{input}"]),
                                 ("command", "", ["true", "{input}/etc/passwd"]), ("verify", "a/b", ["true", "./{input}"]),
                                 ("launcher", "a/b", ["env", "X=/{input}"]), ("out", "../x", "{input}.out"),
                                 ("err", "../x", "{input}.err"), ("cwd", "..", "{input}"), ("stdin", "/etc/passwd", "{input}"),
                                 ("produces", "a/b", ["{input}"]), ("env", "../x", {"DATA": "/data/{input}"})):
        number += 1
        jobs(folder, ['a,1,1,"%s"' % value])
        task = {"command": ["true"], key: template}
        file = write(folder, "run%d.json" % number, json.dumps({
            "format": "cosched-run-1", "input": "jobs.csv", "slots": {"count": 1}, "task": task}))
        os.chmod(file, 0o600)
        told = refused('found "%s" for {input}, expected a value without "/"' % value, "run", file, "--into", into)
        ok("task a: %s " % key in told and not os.path.exists(into), "%s %s: %s" % (key, template, told))
        refused('"paths": "allow" in the run file permits it', "run", file, "--dry-run")
    for name in ("../../../usr/bin/id", ".."):
        file = write(folder, "names.csv", "name,procs,seconds\n%s,1,1\n" % name)
        refused('found "%s" for {name}' % name, "run", file, "--into", into, "--", "./bin/{name}")
    jobs(folder, ["a,1,1,../bin/tool"])
    for number, where in enumerate(({"paths": "allow"}, {"task": {"paths": "allow"}}, {"tasks": {"a": {"paths": "allow"}}})):
        document = {"format": "cosched-run-1", "input": "jobs.csv", "slots": {"count": 1}, **where}
        document["task"] = {"command": ["./deep/{input}"], **where.get("task", {})}
        file = write(folder, "allowed.json", json.dumps(document))
        os.chmod(file, 0o600)
        cosched("run", file, "--into", into + str(number))
        ok(text_of(into + str(number), ".out") == "it ran\n", "allowed by %s" % where)
    cosched("run", folder + "/jobs.csv", "--into", into + "4", "--set", "paths=allow", "--", folder + "/deep/{input}")
    cosched("run", folder + "/jobs.csv", "--into", into + "5", "--", tool, "{input}", "--in={input}", "{dir}/x")
    ok(text_of(into + "5", ".out") == "it ran\n", "a value that is all of an argument, or has no slash beside it")
    file = write(folder, "bad.json", '{"format": "cosched-run-1", "input": "jobs.csv", "paths": "yes", "task": {"command": ["true"]}}')
    os.chmod(file, 0o600)
    refused('paths: found "yes", expected "allow" or "reject"', "run", file, "--into", into)


def comments(folder):
    """'#' begins a comment as the first byte of a line; one that could be a job is counted."""
    file = write(folder, "jobs.csv", '# jobs\nname,procs,seconds\na,1,1\n#b,1,1\n"#c",1,1\n #d,1,1\n#e,1,1\n  # a, note\n')
    told = cosched("run", file, "--slots", 1, "--into", folder + "/run", "--", "echo", "{name}")[1]
    ok(text_of(folder + "/run", ".out") == "a\n#c\n#d\n", "its jobs: %s" % text_of(folder + "/run", ".out").split())
    ok(told.count('2 lines with "#" in front and as many fields as the header are read as comments') == 1, told)
    for words in (("run", file, "--dry-run", "--", "true"), ("simulate", "rigid", file, "--procs", 4, "-n", 1)):
        told = cosched(*words)[1]
        ok(told.count('2 lines with "#"') == 1, told)
    file = write(folder, "fine.csv", "# a, b\nname,procs,seconds\na,1,1\n# note\n")
    ok("#" not in cosched("run", file, "--dry-run", "--", "true")[1], "no warning for notes")


with tempfile.TemporaryDirectory() as top:
    for case in (queues, plans, power, alive_still, old_runs, begins_again, own_directories, paths, comments):
        here = os.path.join(top, case.__name__)
        os.mkdir(here)
        case(here)
finish()
