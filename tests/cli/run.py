#!/usr/bin/env python3
"""`cosched run` as a user meets it: jobs that fail, hang, corrupt, ignore SIGTERM and leave children.

usage: tests/cli/run.py COSCHED
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from kit import COSCHED, PATIENCE, cosched, finish, ok, read, refused, wait_for, write
from runs import alive, began, executors, in_background, jobs, outcomes, run, script, text_of


def simple(folder):
    into = run(folder, "simple", ["a,1,1,x", "b,2,1,y"], "/bin/sh", "-c",
               "echo $COSCHED_NAME $COSCHED_PROCS $COSCHED_TRY $COSCHED_COL_INPUT; echo e >&2")
    ok(sorted(outcomes(into)) == [("a", 1, "ok"), ("b", 1, "ok")], "each ends well once")
    ok(sorted(text_of(into, ".out").split("\n")) == ["", "a 1 1 x", "b 2 1 y"], "environment, output")
    ok(text_of(into, ".err") == "e\ne\n", "standard error apart")
    ok(oct(os.stat(into).st_mode)[-3:] == "700" and
       oct(os.stat(into + "/journal.db").st_mode)[-3:] == "600", "nobody else looks in")
    refused("is not empty; to resume it, run cosched run --resume ", "run", os.path.join(folder, "jobs.csv"), "--slots", 2,
            "--oversubscribe", "--into", into, "--", "true")
    refused("is not empty; a run wants a folder that is new or empty", "run", os.path.join(folder, "jobs.csv"), "--slots", 2,
            "--oversubscribe", "--into", folder, "--", "true")
    cosched("run", "--resume", into)
    ok(len(outcomes(into)) == 2, "what has ended is not run again")


def arguments(folder):
    nasty = ["a b", "q\"'`", "$(id);|&", "-rf", "*", "{x}", "back\\slash", "\u00e4\u20ac"]
    rows = ['j%d,1,1,"%s"' % (k, value.replace('"', '""')) for k, value in enumerate(nasty)]
    into = run(folder, "arguments", rows, "/usr/bin/printf", "%s|%s|%s\\n", "{name}",
               "<{input}>", "{{x}}")
    said = sorted(text_of(into, ".out").strip().split("\n"))
    ok(said == sorted("j%d|<%s>|{x}" % pair for pair in enumerate(nasty)), "one argument each: %s" % said)
    dashes = ["run", jobs(folder, ["a,1,1,-n", "b,1,1,-e", "c,1,1,x"], "dashes.csv"), "--into"]
    told = [cosched(*dashes, folder + word, "--", "echo", word.strip("/"))[1] for word in ("/{input}", "/in={input}")]
    ok(["task a (and 1 other): the value of {input} begins with '-'" in text for text in told] == [True, False],
       "what may be taken for an option: %s" % told)
    refused("there is no word {nam}; there are {name}", "run", os.path.join(folder, "jobs.csv"),
            "--into", os.path.join(folder, "no"), "--", "echo", "{nam}")
    refused("a brace that is not closed", "run", os.path.join(folder, "jobs.csv"),
            "--into", os.path.join(folder, "no"), "--", "echo", "{name")
    refused("no such program in PATH", "run", os.path.join(folder, "jobs.csv"),
            "--into", os.path.join(folder, "no"), "--", "nosuchprogram")
    within = script(folder, "within", "echo there: $*\n")
    told = cosched("run", jobs(folder, ["a,1,1,x"], "one.csv"), "--into", folder + "/within.run", "--set",
                   'launcher=["%s"]' % within, "--", "/nowhere/program", "{name}")[1]
    ok("the program /nowhere/program is not on this host; it must be where its launcher starts it" in told,
       "what a launcher starts may be elsewhere: %s" % told)
    ok(text_of(folder + "/within.run", ".out") == "there: /nowhere/program a\n", "and is started there")
    refused("the program is not there", "run", folder + "/one.csv", "--into", folder + "/no", "--set",
            'launcher=["/nowhere/launcher"]', "--", "true")
    refused("wants 2 slots, and there are 1", "run", jobs(folder, ["w,2,1,x"]), "--slots", 1,
            "--into", os.path.join(folder, "no"), "--", "true")
    ok(not os.path.exists(os.path.join(folder, "no")), "what is refused leaves no folder")


def until(folder, name="go"):
    """A program that runs until this file is there: what has to run meanwhile does, however busy the machine is."""
    return "while [ ! -e '%s/%s' ]; do sleep 0.02; done" % (folder, name)


def too_few_slots(folder):
    """What is too wide for the slots of a resume waits for another one."""
    child, into = in_background(folder, "wide", ["a,1,1,x", "b,2,1,x"], "sh", "-c", until(folder), slots=2)
    wait_for(lambda: began(into, 1))
    child.kill()
    child.wait()
    write(folder, "go", "")
    told = cosched("run", "--resume", into, "--slots", 1, status=4)[1]
    ok("the remaining tasks need slots that are lost" in told and "1 left; to continue: cosched run --resume" in told, told)
    cosched("run", "--resume", into, "--slots", 2)
    ok(outcomes(into) == [("a", 1, "ok"), ("b", 1, "ok")], "and then all is done: %s" % outcomes(into))


def values(folder):
    """Whatever bytes a value has, they arrive as one argument."""
    nasty, path, into = [b"x" * 100000, b"\xff\xfe\xc3", b"two\nlines", b"-"], folder + "/values.csv", folder + "/values"
    with open(path, "wb") as file:
        file.write(b"name,procs,seconds,input\n" + b"".join(b'j%d,1,1,"%s"\n' % pair for pair in enumerate(nasty)))
    cosched("run", path, "--into", into, "--", "/usr/bin/printf", "%s", "{input}")
    for number, value in enumerate(nasty, 1):
        with open("%s/a/000/%06d.out" % (into, number), "rb") as file:
            ok(file.read() == value, "%d bytes, %s" % (len(value), value[:9]))
    write(folder, "nul.csv", "name,procs,seconds,input\na,1,1,x\0y\n")
    refused("nul.csv:2: found a NUL byte", "run", folder + "/nul.csv", "--into", folder + "/no", "--", "true")


def failures(folder):
    into = run(folder, "failing", ["a,1,1,x"], "false", status=3)
    ok([o for _, _, o in outcomes(into)] == ["failed"] * 3, "three tries")
    into = run(folder, "once", ["a,1,1,x"], "false", status=3, options=("--set", "retries=0"))
    ok([o for _, _, o in outcomes(into)] == ["failed"], "retries=0: one")
    into = run(folder, "third", ["a,1,1,x"], "/bin/sh", "-c", 'test "$COSCHED_TRY" = 3')
    ok([o for _, _, o in outcomes(into)] == ["failed", "failed", "ok"], "well at the third")
    into = run(folder, "corrupt", ["a,1,1,x"], "/bin/sh", "-c", "echo $COSCHED_TRY", options=(
        "--set", 'verify=["/bin/sh","-c","test $COSCHED_TRY = 4"]'))
    ok([o for _, _, o in outcomes(into)] == ["corrupt"] * 3 + ["ok"], "verified")
    into = run(folder, "slow", ["a,1,1,x"], "sleep", "100000", status=3, options=(
        "--set", "timeout=0.2", "--set", "retries=1"))
    ok([o for _, _, o in outcomes(into)] == ["timeout"] * 2, "timeouts")
    into = run(folder, "deaf", ["a,1,1,x"], "/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done",
               status=3, options=("--set", "timeout=0.2", "--set", "retries=0", "--set", "grace=0.2"))
    ok([o for _, _, o in outcomes(into)] == ["timeout"], "deaf to SIGTERM")
    into = run(folder, "product", ["a,1,1,x"], "true", status=3, options=(
        "--set", 'produces=["{name}.none"]', "--set", "retries=0"))
    ok([o for _, _, o in outcomes(into)] == ["failed"], "a product that is not made")
    into = os.path.join(folder, "long")
    told = cosched("run", jobs(folder, ["a,1,1,x", "b,1,1," + "y" * 200000]), "--into", into, "--", "true", "{input}",
                   status=3)[1]
    ok(sorted(o for _, _, o in outcomes(into)) == ["cannot-start", "ok"], "an argument that no system takes")
    ok("the longest 200018 (" in told and "put what is long into a file" in told, "and what to do: %s" % told)
    into = run(folder, "delayed", ["a,1,1,x"], "/bin/sh", "-c", 'test "$COSCHED_TRY" = 2',
               options=("--set", "delay=0.3"))
    ok([o for _, _, o in outcomes(into)] == ["failed", "ok"], "after a delay")
    gone = script(folder, "gone", "exit 0\n")
    os.chmod(gone, 0o644)
    refused("cannot be executed", "run", jobs(folder, ["a,1,1,x"]), "--into", folder + "/no", "--", gone)


def leftovers(folder):
    mark = "31%d" % os.getpid()
    family = script(folder, "family", "(setsid sleep %s &) ; setsid sh -c '(sleep %s &)'; sleep %s &\n" % (
        (mark,) * 3))
    into = run(folder, "family-run", ["a,1,1,x", "b,1,1,y"], family)
    ok(not alive(mark), "nothing is left behind")
    with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True, timeout=PATIENCE) as db:
        ok(min(left for left, in db.execute("SELECT leftovers FROM attempt_end")) >= 2, "and counted")


def stops(folder):
    mark = "32%d" % os.getpid()
    child, into = in_background(folder, "stopped", ["a,2,1,x", "b,2,1,y"], "/bin/sh", "-c", until(folder))
    wait_for(lambda: began(into, 1))
    cosched("run", "stop", into)
    write(folder, "go", "")
    ok(child.wait(PATIENCE) == 4, "status 4")
    ok([o for _, _, o in outcomes(into)] == ["ok"], "what ran has ended, nothing more has started")
    goes_on = "\n\nto continue: cosched run --resume %s\n" % into
    ok(cosched("run", "status", into)[0].endswith(goes_on), "the status says how to go on")
    cosched("run", "--resume", into)
    ok([o for _, _, o in outcomes(into)] == ["ok", "ok"], "and goes on")
    ok("to go on" not in cosched("run", "status", into)[0], "what is done does not go on")
    child, into = in_background(folder, "now", ["a,1,1,x", "b,1,1,y"], "sleep", mark)
    wait_for(lambda: len(alive(mark)) >= 4)
    refused("another process works on this run", "run", "--resume", into)
    cosched("run", "stop", into, "--now")
    ok(child.wait(PATIENCE) == 4 and not alive(mark), "stopped at once")
    ok([o for _, _, o in outcomes(into)] == ["stopped"] * 2, "outcome stopped")
    refused("no executor works on this run", "run", "stop", into)
    refused("--dry-run shows what a new run would do", "run", "--resume", into, "--dry-run", status=2)
    child, into = in_background(folder, "killed", ["a,1,1,x"], "sleep", mark)
    wait_for(lambda: alive(mark))
    child.send_signal(signal.SIGSTOP)
    asks = subprocess.Popen([COSCHED, "run", "stop", into], stderr=subprocess.PIPE, text=True)
    time.sleep(0.2)
    child.kill()
    ok("no executor works on this run" in asks.communicate()[1], "killed while it was asked: nobody")
    subprocess.run(["pkill", "-f", "sleep " + mark], check=False)
    child, into = in_background(folder, "int", ["a,1,1,x"], "sleep", mark)
    wait_for(lambda: alive(mark))
    while child.poll() is None:
        child.send_signal(signal.SIGINT)
        time.sleep(0.1)
    ok(child.returncode in (130, -signal.SIGINT) and not alive(mark), "Ctrl-C twice: 130, also when one comes at its very end")


def adopted(folder):
    child, into = in_background(folder, "adopted", ["a,1,1,x", "b,1,1,y", "c,1,1,z"], "/bin/sh", "-c",
                                until(folder) + "; echo $COSCHED_NAME")
    wait_for(lambda: began(into, 1, 2))
    child.kill()
    child.wait()
    ok("\nto continue: cosched run --resume " in cosched("run", "status", into)[0], "who was killed did not say how to go on")
    write(folder, "go", "")
    cosched("run", "--resume", into)
    ok(sorted(outcomes(into)) == [(n, 1, "ok") for n in "abc"], "what ran is adopted, nothing twice")
    ok(sorted(text_of(into, ".out").split()) == ["a", "b", "c"], "each has said so once")


def security(folder):
    path = jobs(folder, ["../x,1,1,x", "$(id),1,1,x"])
    into = os.path.join(folder, "names")
    cosched("run", path, "--into", into, "--", "/bin/sh", "-c", "echo hi > \"$1/file\"", "sh", "{dir}")
    ok(sorted(os.listdir(into + "/t")) == ["~0", "~1"], "names are no paths")
    file = write(folder, "run.json", json.dumps({
        "format": "cosched-run-1", "input": "jobs.csv", "slots": {"count": 2, "oversubscribe": True},
        "task": {"command": ["true"]}}))
    os.chmod(file, 0o666)
    refused("all users may write to it", "run", file, "--into", folder + "/no")
    os.chmod(file, 0o664)
    refused("its group may write to it", "run", file, "--into", folder + "/no")
    cosched("run", file, "--into", folder + "/group", "--allow-group")
    os.chmod(file, 0o600)
    os.chmod(into, 0o777)
    refused("all users may write to it", "run", "--resume", into)
    plan = write(folder, "plan.json", json.dumps({
        "format": "cosched-schedule-1", "problem": "pack", "procs": 1, "tasks": ["a"],
        "bars": [{"task": 0, "start": 0, "end": 1, "procs": "0"}], "command": ["rm", "-rf"]}))
    refused("\"command\" is not the line that made the plan", "run", plan, "--into", folder + "/no", "--", "true")
    bad = write(folder, "bad.json", '{"format": "cosched-run-1", "input": "jobs.csv", "comand": 1}')
    os.chmod(bad, 0o600)
    refused("comand", "run", bad, "--into", folder + "/no")


PLAN = {
    "format": "cosched-schedule-1", "problem": "ptg", "procs": 4, "tasks": ["a", "b", "c", "d"],
    "bars": [{"task": 0, "start": 0, "end": 2, "procs": "0-1", "kind": "work", "attempt": 1},
             {"task": 1, "start": 0, "end": 1, "procs": "2-3", "kind": "work", "attempt": 1},
             {"task": 2, "start": 1, "end": 2, "procs": "2", "kind": "work", "attempt": 1},
             {"task": 3, "start": 2, "end": 3, "procs": "0-3", "kind": "work", "attempt": 1}]}


def follows(folder):
    plan = write(folder, "plan.json", json.dumps(PLAN))
    into = os.path.join(folder, "run")
    out = cosched("run", plan, "--dry-run", "--output", folder + "/dry.json", "--", "echo", "{name}")[0]
    ok("echo d" in out and not os.path.exists(into), "a dry run shows the commands")
    bars = json.loads(read(folder + "/dry.json"))["bars"]
    ok([(b["task"], b["start"], b["end"], b["procs"]) for b in bars] ==
       [(b["task"], b["start"], b["end"], b["procs"]) for b in PLAN["bars"]], "and the plan")
    cosched("run", plan, "--oversubscribe", "--into", into, "--", "sh", "-c", "sleep 0.1; echo $COSCHED_SLOTS")
    told = json.loads(cosched("run", "status", into, "--format", "json")[0])
    ok(told["state"] == "done" and told["done"] == 4, "status says done")
    ok([t["slots"] for t in told["tasks"]] == ["0-1", "2-3", "2", "0-3"], "on the slots of the plan")
    start, end = ([t[key] for t in told["tasks"]] for key in ("start", "end"))
    ok(start[2] >= end[1] and start[3] >= max(end[0], end[2]), "in its order")
    out = cosched("run", "schedule", into, "--output", folder + "/ran.json", "--gantt", folder + "/ran.svg",
                  "--timings", folder + "/times.csv")[0]
    ok("4 of 4 done" in out and re.search(r"planned 3 s: [0-9.]+ times that\n", out), "achieved beside planned")
    ok(read(folder + "/ran.svg").count('class="outline"') == 4, "with outlines")
    ok(read(folder + "/times.csv").startswith("app,procs,seconds\na,2,"), "timings")
    cosched("run", "schedule", into, "--timings", folder + "/times.csv")
    ok(len(read(folder + "/times.csv").split()) == 9, "are appended")
    ok("valid" in cosched("check", folder + "/ran.json")[0], "what ran is valid")
    ran = json.loads(read(folder + "/ran.json"))
    ran["bars"].append(dict(ran["bars"][0], attempt=2, start=100, end=101))
    ran["makespan"] = 101
    out = cosched("check", write(folder, "twice.json", json.dumps(ran)), status=1)[0]
    ok("although it had ended well" in out, "twice is not")
    refused("task d wants 4 slots, and there are 2", "run", plan, "--slots", 2, "--oversubscribe", "--into", folder + "/no",
            "--", "true")


def shortages(folder):
    """A keeper that may open no more files starts nothing, and costs no try: the next one comes after 1 s, then 2 s."""
    real = os.environ.get("COSCHED_KEEPER") or next(
        found for found in (os.path.join(os.path.dirname(COSCHED), place, "keeper") for place in
                            ("../keeper", "../libexec/cosched")) if os.path.exists(found))
    few = script(folder, "keeper", "n=$(cat %s/count 2>/dev/null); echo x$n >%s/count; [ ${#n} -ge 2 ] || ulimit -n 4\nexec %s "
                 '"$@"\n' % (folder, folder, os.path.realpath(real)))
    into, began = folder + "/run", time.monotonic()
    told = cosched("run", jobs(folder, ["a,1,1,x"]), "--into", into, "--set", "retries=0", "--", "/bin/sh", "-c", "echo ran",
                   env={"COSCHED_KEEPER": few})[1]
    took = time.monotonic() - began
    ok(outcomes(into) == [("a", 1, "void"), ("a", 1, "void"), ("a", 1, "ok")], "no try is counted: %s" % outcomes(into))
    ok(3 <= took, "pauses of 1 and 2 s: %.1f s" % took)
    # Sanitizers and gcov, which can open no files either, print that as well.
    told = "".join(line for line in told.splitlines(True) if line.startswith("cosched: "))
    ok(told == "cosched: task a cannot be started for now (the program: Too many open files): tried again after 1, 2, 4 .. 60 "
       "seconds, and no try is counted\n", told)
    ok(text_of(into, ".out") == "ran\n", "and it ran once")
    cosched("run", "schedule", into, "--output", folder + "/ran.json")
    cosched("check", folder + "/ran.json")


def engines(folder):
    """Which engine a run has where none is given, and how many slots this machine allows."""
    cores, no = len(os.sched_getaffinity(0)), folder + "/no"
    plain, nodes = (write(folder, "%s.json" % unit, json.dumps({**PLAN, "platform": {
        "unit": unit, "clusters": [{"name": "all", "procs": 4}]}})) for unit in ("processor", "node"))
    table = jobs(folder, ["a,1,1,x"])
    outside = {name: None for name in os.environ if name.startswith(("SLURM_", "PBS_", "LSB_", "FLUX_"))}
    within = {**outside, "SLURM_JOB_ID": "123", "SLURM_NNODES": "40"}
    for env, path, says in (
            (outside, nodes, "the plan counts nodes and this is no allocation; run it inside one, or use --engine local (its "
             "nodes are then slots of this machine)"),
            (within, plain, "this is allocation 123 with 40 nodes and the plan counts processors; use --engine slurm or --engine "
             "local"),
            (within, table, "this is allocation 123 with 40 nodes and the jobs count processors; use --engine slurm or --engine "
             "local"),
            ({**within, "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_NODES": "3"}, table, "this is allocation 123 with 3 nodes and the "
             "jobs count processors; use --engine slurm or --engine local"),
            ({**within, "SLURM_JOB_NODELIST": "", "SLURM_NNODES": "1"}, nodes, "engine slurm works inside an allocation only")):
        told = cosched("run", path, "--oversubscribe", "--into", no, "--", "true", env=env, status=1)[1]
        ok(told.startswith("cosched: " + says) and told.count("\n") == 1 and not os.path.exists(no), told)
        ok(cosched("run", path, "--dry-run", "--", "true", env={**env, "SLURM_NNODES": "2"} if path == table else outside)[0],
           "a dry run checks none of it")
    for env in (outside, {**within, "SLURM_NNODES": "1"}, {**within, "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_NODES": "1"}):
        into = folder + "/%d" % len(os.listdir(folder))
        cosched("run", table, "--into", into, "--", "true", env=env)
        ok(outcomes(into) == [("a", 1, "ok")], "on one node it is this machine")
    many = write(folder, "many.json", json.dumps({**PLAN, "procs": 5000}))
    for path, options, says in (
            (many, (), "5000 slots on %d core%s; plan for %d (-p %d), or use --oversubscribe"),
            (table, ("--slots", 5000), "5000 slots on %d core%s; use --slots %d or --oversubscribe"),
            (nodes, ("--engine", "local", "--slots", 5000), "5000 slots on %d core%s; plan for %d (-p %d), or use --oversubscribe")):
        told = cosched("run", path, *options, "--into", no, "--", "true", env=outside, status=1)[1]
        there = int(re.search(r"on (\d+) core", told)[1])
        words = (there, "" if there == 1 else "s", there, there)
        ok(there <= cores and told == "cosched: " + says % words[:says.count("%")] + "\n" and not os.path.exists(no), told)
        into = folder + "/%d" % len(os.listdir(folder))
        told = cosched("run", path, *options, "--oversubscribe", "--into", into, "--", "true", env=outside)[1]
        ok("5000 slots on %d core%s: not pinned, times mean little" % words[:2] in told, told)
    told = cosched("run", "--resume", into)[1]
    ok("5000 slots on" in told, "a run that has begun so goes on so")
    file = write(folder, "over.json", json.dumps({"format": "cosched-run-1", "input": "jobs.csv", "task": {"command": ["true"]},
                                                  "slots": {"count": 5000, "oversubscribe": True}}))
    cosched("run", file, "--into", folder + "/file", env=outside)
    write(folder, "one", "a\na\n")
    write(folder, "two", "a\na\nb\n")
    hosts = "the allocation of %s has more than one host: only this one is used"
    for name, env, says in (
            ("PBS", {"PBS_JOBID": "1", "PBS_NODEFILE": folder + "/two"}, True), ("PBS", {"PBS_JOBID": "1", "PBS_NODEFILE": folder + "/one"}, False),
            ("LSF", {"LSB_JOBID": "1", "LSB_MCPU_HOSTS": "a 4 b 4 "}, True), ("LSF", {"LSB_JOBID": "1", "LSB_MCPU_HOSTS": "a 4 a 4"}, False),
            ("LSF", {"LSB_JOBID": "1", "LSB_HOSTS": "a a b"}, True), ("Flux", {"FLUX_JOB_NNODES": "2"}, True),
            ("Flux", {"FLUX_JOB_NNODES": "1"}, False)):
        into = folder + "/%d" % len(os.listdir(folder))
        told = cosched("run", table, "--into", into, "--", "true", env={**outside, **env})[1]
        ok((hosts % name in told) == says and told.count(hosts[-20:]) == says, "%s: %s" % (env, told))


def meant_elsewhere(folder):
    """What means nothing to this kind of run, or to one that has begun, is refused, not passed over."""
    plan, queue, no = write(folder, "plan.json", json.dumps(PLAN)), jobs(folder, ["a,1,1,x"]), folder + "/no"
    for option in (("--policy", "easy"), ("--policy", "nosuch"), ("--priority", "lpt")):
        refused("command line: %s: means something only where jobs are queued; here a plan is followed" % option[0][2:],
                "run", plan, *option, "--into", no, "--", "true")
    refused("command line: barrier: means something only where a plan is followed; here jobs are queued", "run", queue,
            "--barrier", "--into", no, "--", "true")
    file = write(folder, "run.json", json.dumps({"format": "cosched-run-1", "input": "jobs.csv", "pairs": False}))
    refused(file + ": pairs: means something only where applications are resized; here jobs are queued", "run", file,
            "--into", no, "--", "true")
    for cpus, says in (("0-8191", "is not among the "), ("all", 'found "all", expected a list such as "0-3,6"')):
        write(folder, "run.json", json.dumps({"format": "cosched-run-1", "input": "jobs.csv", "slots": {"cpus": cpus},
                                              "task": {"command": ["true"]}}))
        ok(says in cosched("run", file, "--into", no, status=1)[1], "cores that are not there: %s" % cpus)
    for wrong, says in (("nosuch", 'there is no policy "nosuch"; the policies are list'), ("prograM", "policy program is for simulations"),
                        ("progran", 'there is no policy "progran"; the policies are list')):
        told = cosched("run", queue, "--policy", wrong, "--into", no, "--", "true", status=1)[1]
        ok(says in told and told.count("\n") == 1 and "slurm, program" not in told and "--policy-program" not in told, "%s: %s" % (wrong, told))
    for key in ("policy", "priority"):
        refused("command line: %s: there is no %s \"nosuch\"" % (key, key), "run", queue, "--" + key, "nosuch", "--into", no,
                "--", "true")
        write(folder, "run.json", json.dumps({"format": "cosched-run-1", "input": "jobs.csv", key: "nosuch",
                                              "task": {"command": ["true"]}}))
        refused("%s: %s: there is no %s" % (file, key, key), "run", file, "--into", no)
    into = run(folder, "queue", ["a,1,1,x"], "true")
    for option in (("--policy", "fcfs"), ("--priority", "lpt"), ("--barrier",), ("--set", "retries=0"), ("--into", no),
                   ("--engine", "local"), ("--allow-group",)):
        refused("%s is for a new run; a resumed run keeps its settings" % option[0], "run",
                "--resume", into, *option, status=2)
    ok(not os.path.exists(no) and executors(into) == 1, "and nobody has worked")


def breaks(folder):
    """A task that fails for good: who needs it is skipped, who only had its slots goes on."""
    graphs = write(folder, "g.dot", "digraph g { a [size=1e9]; b [size=1e9]; c [size=1e9]; a -> b }\n")
    plan = os.path.join(folder, "plan.json")
    platform = write(folder, "p.json", json.dumps({"clusters": [{"name": "one", "procs": 1, "speed": 1e9}]}))
    cosched("plan", "ptg", graphs, "--platform", platform, "--schedule", plan)
    into = os.path.join(folder, "run")
    name = "case $COSCHED_NAME in *a) exit 1; esac"
    cosched("run", plan, "--into", into, "--set", "retries=0", "--", "sh", "-c", name, status=3)
    tasks = json.loads(cosched("run", "status", into, "--format", "json")[0])["tasks"]
    ok([t["state"] for t in tasks] == ["failed", "skipped", "done"], "%s" % [t["state"] for t in tasks])
    cosched("run", "schedule", into, "-o", folder + "/ran.json")
    ok("valid: problem ptg, 3 tasks (2 did not end well), " in cosched("check", folder + "/ran.json")[0],
       "valid, and what did not end well is told")
    page = cosched("report", folder + "/ran.json")[0]
    ok('"1 of 3"' in page and '"2 tasks did not"' in page and "\u00b7 observed" in page, "the report tells it too")


def plans(folder):
    """What pack, moldable and ptg plan runs as it is, and is drawn beside what was planned."""
    examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
    apps, graphs = (os.path.join(examples, name) for name in ("quickstart.csv", "graphs.json"))
    plan, ran, picture = (os.path.join(folder, name) for name in ("plan.json", "ran.json", "ran.svg"))
    for words in (("pack", apps, "--procs", 8, "--output", plan),
                  ("moldable", apps, "--procs", 8, "--schedule", plan),
                  ("ptg", graphs, "--platform", "grid5000-lille", "--schedule", plan)):
        cosched("plan", *words)
        into = os.path.join(folder, words[0])
        cosched("run", plan, "--dry-run", "--output", ran, "--", "true")
        ok("valid: problem %s" % words[0] in cosched("check", ran)[0], "what a dry run foretells of it is valid")
        ok(json.loads(read(ran))["observed"] == {"engine": "dry"}, "and does not pretend that it ran")
        ok("\u00b7 observed" not in cosched("report", ran)[0], "nor does its report")
        cosched("run", plan, "--oversubscribe", "--into", into, "--", "true")
        cosched("run", "schedule", into, "--output", ran, "--gantt", picture)
        told = cosched("check", ran)[0]
        ok("valid: problem %s" % words[0] in told, "a plan of %s runs" % words[0])
        ok("; observed: the expected duration is unknown" in told, "and the verdict says what was not judged")
        ok('class="planned"' in read(picture), "and is drawn beside what was planned")


def width(procs):
    ends = [[int(number) for number in part.split("-")] for part in procs.split()]
    return sum(part[-1] - part[0] + 1 for part in ends)


def dry(folder):
    rows = ["j%d,%d,%d,x" % (k, 1 + k * 7 % 4, 1 + k * 5 % 9) for k in range(30)]
    path = jobs(folder, rows)
    cosched("simulate", "rigid", path, "--procs", 8, "--policy", "easy", "-o", folder + "/sim.json")
    cosched("run", path, "--slots", 8, "--policy", "EASY", "--priority", "LPT", "--dry-run", "--output", folder + "/dry.json", "--", "true")
    bars = [[(b["task"], b["start"], b["end"], width(b["procs"])) for b in json.loads(read(folder + name))["bars"]]
            for name in ("/sim.json", "/dry.json")]
    ok(sorted(bars[0]) == sorted(bars[1]), "the dry run is the simulation, on as many slots")
    ok("valid: problem rigid" in cosched("check", folder + "/dry.json")[0], "judged by its jobs")
    wrong = json.loads(read(folder + "/dry.json"))
    wrong["jobs"][0]["seconds"] += 1
    cosched("check", write(folder, "wrong.json", json.dumps(wrong)), status=1)


def retried(folder):
    """Tasks that failed for good get new tries, when that is asked for."""
    go = os.path.join(folder, "go")
    text = script(folder, "later", "[ $COSCHED_NAME != a ] || [ -e %s ]\n" % go)
    into = run(folder, "queue", ["a,1,1,x", "b,1,1,y"], text, options=("--set", "retries=1"), status=3)
    cosched("run", "--resume", into, status=3)
    ok(len(outcomes(into)) == 3, "a resume alone tries nothing again")
    cosched("run", "--resume", into, "--retry-failed", status=3)
    ok([row[2] for row in outcomes(into) if row[0] == "a"] == ["failed"] * 4, "as often as at first")
    write(folder, "go", "")
    cosched("run", "--resume", into, "--retry-failed")
    ok(outcomes(into)[-1] == ("a", 5, "ok") and len(outcomes(into)) == 6, "then it ends well")
    os.remove(go)
    apps = write(folder, "apps.csv", "app,procs,seconds\na,1,2\na,2,1\nb,1,2\nb,2,1\n")
    plan = os.path.join(folder, "plan.json")
    cosched("plan", "moldable", apps, "--procs", 2, "--schedule", plan)
    into = os.path.join(folder, "plan")
    cosched("run", plan, "--oversubscribe", "--into", into, "--set", "retries=0", "--", text, status=3)
    write(folder, "go", "")
    cosched("run", "--resume", into, "--retry-failed")
    ok(sorted(outcomes(into))[:2] == [("a", 1, "failed"), ("a", 2, "ok")], "the same under a plan")
    cosched("run", "schedule", into, "--output", into + ".json")
    cosched("check", into + ".json")


def scripts(folder):
    """Plans as batch scripts are plain sh; what they do on a Slurm is tests/slurm/run.py."""
    examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
    apps, graphs = (os.path.join(examples, name) for name in ("quickstart.csv", "graphs.json"))
    path = os.path.join(folder, "plan.sh")
    for words in (("pack", apps, "--procs", 6, "--unit", "node"), ("pack", apps, "--procs", 5),
                  ("moldable", apps, "--procs", 6), ("moldable", apps, "--procs", 4, "--unit", "nodes"),
                  ("ptg", graphs, "--platform", "grid5000-lille")):
        cosched("plan", *words, "--sbatch", path)
        checks = [["sh", "-n", path]] + ([["shellcheck", path]] if shutil.which("shellcheck") else [])
        for check in checks:
            done = subprocess.run(check, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            ok(done.returncode == 0, "%s of plan %s: %s" % (check[0], words[0], done.stdout))
    nasty = write(folder, "nasty.csv", 'app,procs,seconds\n"$(touch x)\'`;""",1,5\n"a/../%j",1,4\n-rf,1,3\n')
    cosched("plan", "moldable", nasty, "--procs", 2, "--sbatch", path)
    bin_ = os.path.join(folder, "bin")
    os.mkdir(bin_)
    script(bin_, "srun", 'while [ "$1" != say ]; do shift; done; line=$(printf "%s|" "$@"); '
           'printf "%s\\n" "$line" >>"$SAID"\n')
    done = subprocess.run(["sh", path, "say", "a b"], cwd=folder, check=False,
                          env={**os.environ, "PATH": bin_ + ":" + os.environ["PATH"], "SAID": folder + "/said"})
    said = sorted(read(folder + "/said").splitlines())
    ok(done.returncode == 0 and said == ["say|a b|$(touch x)'`;\"|1|", "say|a b|-rf|1|", "say|a b|a/../%j|1|"],
       "names are words and nothing else: %s" % said)
    done = subprocess.run(["sh", path], cwd=folder, stderr=subprocess.PIPE, text=True, check=False)
    ok(done.returncode == 2 and "usage: sbatch FILE COMMAND..." in done.stderr, "without a command: its usage")
    both = os.path.join(folder, "both")
    refused("it is the file of --output", "plan", "moldable", nasty, "--procs", 2, "--sbatch", both,
            "--schedule", both)


def slots_of(into):
    """By executor: the slots that its attempts had, and what has come and gone."""
    with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True, timeout=PATIENCE) as db:
        held = {}
        for executor, text in db.execute("SELECT r.executor, a.slots FROM attempt a JOIN round r ON r.id = a.round"):
            for part in text.split():
                first, last = (part.split("-") * 2)[:2]
                held.setdefault(executor, set()).update(range(int(first), int(last) + 1))
        return held, db.execute("SELECT kind, slot FROM event WHERE kind LIKE 'slot-%' ORDER BY round, seq").fetchall()


def holds(into, executor, count):
    """Whether it has had so many slots, and what was to run there runs."""
    try:
        has = len(slots_of(into)[0].get(executor, ())) >= count
        return has and all(row[2] or began(into, number) for number, row in enumerate(outcomes(into), 1))
    except sqlite3.Error:
        return False


def more_slots(folder):
    """A queue takes slots that it did not begin with, and can do without again; a plan has its own."""
    go, wait = folder + "/go", until(folder)
    for policy in ("easy", "list"):
        into = folder + "/" + policy
        table = jobs(folder, ["w%d,%d,1,x" % (k, k % 2 + 1) for k in range(12)])
        for slots, new in ((2, True), (5, False), (3, False)):
            words = [COSCHED, "run", *(["--resume", into] if not new else [table, "--oversubscribe", "--into", into, "--policy", policy]),
                     "--slots", str(slots), *(["--", "/bin/sh", "-c", wait] if new else [])]
            if slots == 3:
                write(folder, "go", "")
                cosched(*words[1:])
                continue
            child = subprocess.Popen(words, stderr=subprocess.DEVNULL)
            wait_for(lambda: holds(into, 1 if new else 2, 2 if new else 1))
            child.kill()
            child.wait()
        held, told = slots_of(into)
        ok(held[1] == {0, 1} and max(held[2]) > 1 and max(held.get(3, {0})) < 3, "%s: each has its slots: %s" % (policy, held))
        ok(told == [("slot-up", 2), ("slot-up", 3), ("slot-up", 4), ("slot-down", 3), ("slot-down", 4)],
           "%s: who comes and goes: %s" % (policy, told))
        well = [name for name, _, outcome in outcomes(into) if outcome == "ok"]
        ok(sorted(well) == sorted("w%d" % k for k in range(12)), "%s: each ends well once: %s" % (policy, well))
        cosched("run", "schedule", into, "--output", into + ".json")
        cosched("check", into + ".json")
        os.remove(go)


def plan_slots(folder):
    """A plan has no use for slots that it did not begin with; what is left is planned again for fewer."""
    wait = until(folder)
    plan, into = folder + "/plan.json", folder + "/followed"
    write(folder, "bag.csv", "app,procs,seconds\n" + "".join("%s,1,2\n%s,2,1.2\n" % (2 * (name,)) for name in "abcdef"))
    cosched("plan", "pack", folder + "/bag.csv", "--procs", 4, "--output", plan)
    for words, count in ((["run", plan, "--oversubscribe", "--into", into, "--slots", "4", "--", "/bin/sh", "-c", wait], 1),
                         (["run", "--resume", into, "--slots", "7"], 2),
                         (["run", "--resume", into, "--slots", "2"], 3)):
        if count == 3:
            write(folder, "go", "")
            cosched(*words)
            continue
        child = subprocess.Popen([COSCHED, *words], stderr=subprocess.DEVNULL)
        wait_for(lambda: holds(into, 1, 4) and executors(into) == count)
        child.kill()
        child.wait()
    held, told = slots_of(into)
    ok(told == [("slot-down", 2), ("slot-down", 3)], "a plan never has more slots than it began with: %s" % told)
    ok(max(held[1]) == 3 and max(held[3]) == 1, "what is left is planned for those that are left: %s" % held)
    ok(sorted(name for name, _, outcome in outcomes(into) if outcome == "ok") == list("abcdef"), "each ends well once")


def observed(folder):
    """Every violation of what a run is said to have done has its message."""
    bars = [{"task": task, "attempt": attempt, "kind": kind, "procs": procs, "start": start, "end": start + 1}
            for task, attempt, kind, procs, start in ((0, 1, "work", "0-1", 0), (1, 1, "work", "2", 0), (2, 1, "lost", "3", 0), (2, 2, "lost", "0", 2))]
    good = {"format": "cosched-schedule-1", "problem": "rigid", "policy": "easy", "procs": 4, "makespan": 3,
            "observed": {"run": 32 * "e", "began": "2026-11-28T09:45:33Z", "engine": "local", "slots": 4 * ["vm"], "failed": ["c"]},
            "planned": [{"start": 0, "end": 1, "procs": procs} for procs in (2, 1, 1)], "tasks": ["a", "b", "c"], "bars": bars}
    path = write(folder, "observed.json", json.dumps(good))
    ok(": valid: " in cosched("check", path)[0], "what is right is valid")
    for number, change, message in (
            (1, {"kind": "recovery"}, "has a bar of kind recovery at 0 s: work, lost or verify are observed"),
            (1, {"kind": "verify"}, "is verified at 0 s in attempt 1, which did not run before"),
            (3, {"attempt": 1}, "has attempt 1 at 2 s after attempt 1"),
            (3, {"task": 1}, "runs at 2 s although it had ended well"),
            (0, {"procs": "0"}, "has 1 processors at 0 s: requested 2"),
            (1, {"kind": "lost"}, "never ended successfully, and is not declared as failed"),
            (3, {"kind": "work"}, "is declared as failed, and ended successfully")):
        wrong = [{**bar, **(change if at == number else {})} for at, bar in enumerate(bars)]
        told = cosched("check", write(folder, "observed.json", json.dumps({**good, "bars": wrong})), status=1)[0]
        ok(message in told, "%s: %s" % (message, told[:300]))


with tempfile.TemporaryDirectory() as top:
    for case in (observed, more_slots, plan_slots, simple, arguments, too_few_slots, values, failures, leftovers, stops, adopted, security, follows, shortages, engines, meant_elsewhere, breaks, plans, dry, retried, scripts):
        here = os.path.join(top, case.__name__)
        os.mkdir(here)
        case(here)
finish()
