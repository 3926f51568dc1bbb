#!/usr/bin/env python3
"""cosched convert: what it writes is what others read, and reads back as the same jobs.

usage: convert.py COSCHED EXAMPLES LOGS

LOGS is a folder with a small log of each kind.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, results, write

EXAMPLES, LOGS = sys.argv[2:4]
SWF = """; MaxProcs: 64
; UnixStartTime: 1000000000
1 0 5 100 8 -1 -1 8 200 -1 1 3 1 -1 1 1 -1 -1
2 3 0 10 1 -1 -1 1 -1 -1 0 -1 -1 -1 -1 -1 -1 -1
2 10 7 300 16 -1 -1 16 400 -1 5 4 1 -1 2 1 -1 -1
"""
BATSIM = {"nb_res": 8, "jobs": [
    {"id": "w0!1", "subtime": 0, "res": 2, "walltime": 60, "profile": "d"},
    {"id": 2, "subtime": 1.5, "res": 1, "profile": "h", "walltime": -1},
    {"id": 3, "subtime": 2, "res": 1, "profile": "c"},
    {"id": 4, "subtime": 3, "res": 1, "profile": "self"},
    {"id": 5, "subtime": 3, "res": 1, "profile": "smpi"},
    {"id": 6, "subtime": 3, "res": 0, "profile": "d"},
    {"id": 7, "res": 1, "profile": "d"},
], "profiles": {
    "d": {"type": "delay", "delay": 30.5}, "h": {"type": "parallel_homogeneous", "cpu": 5e9, "com": 1},
    "c": {"type": "composed", "repeat": 3, "seq": ["d", "h"]}, "self": {"type": "composed", "seq": ["self"]}, "smpi": {"type": "smpi", "trace": "x"}}}


def jobs_of(swf):
    return [line.split() for line in swf.splitlines() if not line.startswith(";")]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))
PBS = """01/05/2026 09:00:00;Q;10.server;queue=batch
01/05/2026 09:00:10;E;10.server;user=ann queue="long jobs" qtime=1000 start=1010 end=1110 exec_host=n-1/0-3,8+n-2/0+n-2/1 Resource_List.walltime=300
01/05/2026 09:00:20;E;11[1].server;user=bob qtime=1000 start=1020 end=1120 exec_host=n1/0*16 Resource_List.walltime=00:05:00
01/05/2026 09:00:30;E;11[2].server;user=bob qtime=1000 start=1030 end=1130 exec_host=n1/1*16 Resource_List.walltime=00:05:00
01/05/2026 09:00:30;E;11[].server;user=bob qtime=1000 start=1020 end=1130 Resource_List.ncpus=16 Resource_List.walltime=00:05:00
01/05/2026 09:00:40;A;12.server;
"""


def swf_again(folder):
    first = cosched("convert", "-", "--to", "swf", given=SWF)[0]
    ok(jobs_of(first) == jobs_of(SWF), "SWF stays what it is, a repeated number too")
    ok("; MaxProcs: 64\n" in first and "; UnixStartTime: 1000000000\n" in first and "; MaxJobs: 3\n" in first, "so does its header")
    again = cosched("convert", write(folder, "again.swf", first), "--to", "swf")[0]
    ok(jobs_of(again) == jobs_of(first), "and what was written is read as the same")
    told = cosched("convert", "-", "--to", "swf", given=SWF.replace(" 100 8", " 99.5 8"))[1]
    ok("1 job rounded to whole seconds" in told, "rounding is told")


def every_log(folder):
    for name in sorted(os.listdir(LOGS)):
        swf = cosched("convert", os.path.join(LOGS, name), "--to", "swf", "--procs", 4096, "--speed", "1e9")[0]
        table = rows_of(cosched("convert", os.path.join(LOGS, name), "--to", "csv", "--procs", 4096, "--speed", "1e9")[0])
        work = json.loads(cosched("convert", os.path.join(LOGS, name), "--to", "batsim", "--procs", 4096, "--speed", "1e9")[0])
        ok(len(jobs_of(swf)) == len(table) == len(work["jobs"]) > 0, "%s: the same jobs in each form" % name)
        ok(all(len(fields) == 18 for fields in jobs_of(swf)), "%s: 18 fields" % name)
        ok(len({row["name"] for row in table}) == len(table), "%s: names are distinct" % name)
        ok(work["nb_res"] == 4096 and all(work["profiles"][job["profile"]]["delay"] == float(row["seconds"]) for job, row in zip(work["jobs"], table)),
           "%s: profiles last as long as the jobs" % name)
        back = rows_of(cosched("convert", write(folder, "w.json", json.dumps(work)), "--to", "csv")[0])
        keys = ["name", "procs", "seconds", "submit", "requested"]
        ok([[row[key] for key in keys] for row in back] == [[row[key] for key in keys] for row in table], "%s: Batsim's form reads back" % name)


def pbs():
    table, told = cosched("convert", "-", "--to", "csv", given=PBS)
    ok([(row["name"], row["procs"], row["requested"]) for row in rows_of(table)] == [("10", "7", "300"), ("11[1]", "16", "300"), ("11[2]", "16", "300")],
       "PBS: cores are counted from the hosts, and an array is its tasks, not one job more")
    ok("2 of 5 lines are left out: 1 array as a whole; 1 rerun, aborted or deleted (R, A, D)" in told, "PBS: what is no job is told: " + told)
    for procs, given in ((4, "exec_host=n404/2+n404/3+n404/4+n404/5 Resource_List.ncpus=1 Resource_List.nodes=1:ppn=4:avx"),
                         (8, "exec_host=n1/0-3+n2/0-3 Resource_List.ncpus=1"), (12, "exec_host=n1/0*4+n2/3*8 Resource_List.ncpus=2"),
                         (65, "exec_host=c1/0*13+c2/0*13+c3/0*13+c4/0*13+c5/0*13 exec_vnode=(c1:ncpus=13)+(c2:ncpus=13)+(c3:ncpus=13)+"
                              "(c4:ncpus=13)+(c5:ncpus=13) Resource_List.ncpus=65"),
                         (17, "exec_host=n1/0+n2/0 exec_vnode=(n1:ncpus=8:mem=4gb)+(n2[0]:ncpus=5+n2[1]:ncpus=4) Resource_List.ncpus=2"),
                         (6, "exec_vnode=(n1:ngpus=1) Resource_List.ncpus=6"), (3, "resources_used.ncpus=3")):
        line = "01/05/2026 09:00:10;E;10.server;user=ann qtime=1000 start=1010 end=1110 %s Resource_List.walltime=300\n" % given
        ok([row["procs"] for row in rows_of(cosched("convert", "-", "--to", "csv", given=line)[0])] == [str(procs)],
           "PBS: %d processors of %s" % (procs, given))


def sacct():
    """States as sacct cuts them where it was not told -P."""
    head, row = "JobID|Submit|Start|ElapsedRaw|AllocCPUS|State\n", "%d|1000|1010|100|2|%s\n"
    states = {"COMPLETED": "1", "CANCELLED+": "5", "CANCELLED by 7": "5", "OUT_OF_ME+": "0", "NODE_FAIL": "0", "timeout": "0", "PREEMPTED": "-1"}
    given = head + "".join(row % (100 + at, state) for at, state in enumerate([*states, "RUNNING", "COMPLETIN+", "COMPLETION"]))
    swf, told = cosched("convert", "-", "--to", "swf", given=given)
    ok([job[10] for job in jobs_of(swf)] == [*states.values(), "-1"] and "2 of 10 lines are left out: 2 had not ended" in told, "sacct: states %s" % told)


def batsim(folder):
    path = write(folder, "batsim.json", json.dumps(BATSIM, indent=1))
    refused("profile \"h\" is parallel_homogeneous", "convert", path, "--to", "csv")
    out, told = cosched("convert", path, "--to", "csv", "--speed", "1e9")
    rows = rows_of(out)
    ok([(row["name"], float(row["seconds"])) for row in rows] == [("w0!1", 30.5), ("2", 5.0), ("3", 106.5)], "times follow from profiles")
    ok("4 of 7 lines are left out: 1 malformed; 2 runtime missing or <= 0; 1 width missing or <= 0" in told, "what is left out is counted")
    ok("batsim.json: jobs[6] has no subtime" in told, "and named")
    del BATSIM["profiles"]["h"]
    path = write(folder, "batsim.json", json.dumps(BATSIM))
    ok("8 processors" in cosched("replay", path)[0], "a replay takes it as it is")
    for count, profile in enumerate(({"type": "DelayProfile", "delay": 20}, {"type": "delay", "delay": 20},
                                     {"type": "ParallelHomogeneousProfile", "cpu": 2e10, "com": 0},
                                     {"type": "ParallelTaskHomogeneousProfile", "computation_amount": 2e10},
                                     {"type": "ParallelTaskHomogeneousProfile", "computation_amount": 8e10,
                                      "generation_strategy": "DefinedAmountsSpreadUniformly"},
                                     {"type": "ParallelHomogeneousTotalProfile", "cpu": 8e10},
                                     {"type": "parallel_homogeneous_total", "cpu": 8e10},
                                     {"type": "ParallelTaskProfile", "computation_vector": [1e10, 2e10, 0, 1e9]},
                                     {"type": "parallel", "cpu": [2e10, 1, 1, 1], "com": []},
                                     {"type": "SequentialCompositionProfile", "repetition_count": 2, "profile_ids": ["half"]},
                                     {"type": "ComposedProfile", "repeat": 2, "seq": ["half"]})):
        path = write(folder, "b%d.json" % count, json.dumps({
            "nb_res": 4, "profiles": {"d": profile, "half": {"type": "DelayProfile", "delay": 10}},
            "jobs": [{"id": "1", "subtime": 0, "walltime": 100, "res": 4, "profile": "d"}]}))
        ok([float(row["seconds"]) for row in rows_of(cosched("convert", path, "--to", "csv", "--speed", "1e9")[0])] == [20],
           "a profile of type %s" % profile["type"])
        ok("1 job" in cosched("what", path)[0], "is counted")
        if "cpu" in profile or any("computation" in key for key in profile):
            refused("profile \"d\" is %s, whose time follows" % profile["type"], "replay", path)
        else:
            ok(results("replay", path)["input"]["jobs"] == 1, "and replayed")
    refused("this looks like JSON", "convert", "-", "--to", "swf", given='{"jobs": 3}')
    refused("']' expected", "convert", "-", "--to", "swf", given='{"jobs": [')


def slices_apart(events):
    last = {}
    for event in sorted((e for e in events if e["ph"] == "X"), key=lambda e: e["ts"]):
        if last.get(event["tid"], 0) > event["ts"] + 1e-3:
            return False
        last[event["tid"]] = event["ts"] + event["dur"]
    return True


def from_bars(bars):
    """What a trace by processor must have in it."""
    slices = []
    for bar in bars:
        for part in bar["procs"].split():
            first, _, last = part.partition("-")
            for proc in range(int(first), int(last or first) + 1):
                slices.append((proc, bar["name"], bar["kind"], round(float(bar["start"]) * 1e6), round(float(bar["end"]) * 1e6)))
    return sorted(slices)


def one_trace(path, bars):
    trace = json.loads(cosched("convert", path, "--to", "trace", "--tracks", "procs")[0])
    events = trace["traceEvents"]
    ok(all(isinstance(e.get("tid", 1), int) and isinstance(e["pid"], int) and e["ph"] in "XMC" for e in events), "tracks are whole numbers")
    of = {e["tid"]: e["args"]["sort_index"] for e in events if e["name"] == "thread_sort_index"}
    ok(sorted((of[e["tid"]], e["name"], e["cat"], round(e["ts"]), round(e["ts"] + e["dur"])) for e in events if e["ph"] == "X") == from_bars(bars),
       "every processor of every bar is a slice")
    ok(slices_apart(events), "slices of a track do not overlap")
    used = [e["args"]["processors"] for e in events if e["ph"] == "C"]
    ok(used[-1] == 0 and max(used) > 0 and min(used) >= 0, "the counter ends at 0")
    tasks = json.loads(cosched("convert", path, "--to", "trace", "--tracks", "tasks")[0])["traceEvents"]
    ok(sum(e["ph"] == "X" for e in tasks) == len(bars) and slices_apart(tasks), "by task, a slice for each bar")


def one_paje(path, bars):
    paje = cosched("convert", path, "--to", "paje", "--tracks", "procs")[0]
    ok(len(re.findall("^%EventDef ", paje, re.M)) == len(re.findall("^%EndEventDef$", paje, re.M)) == 10, "ten definitions")
    ok(all(line[0] in "%0123456789" and '""' not in line for line in paje.splitlines()), "no comments, for ViTE, and no empty fields, for pj_dump")
    if shutil.which("pj_dump"):
        dumped = subprocess.run(["pj_dump"], input=paje, text=True, stdout=subprocess.PIPE, check=False)
        ok(dumped.returncode == 0 and len(re.findall("^State", dumped.stdout, re.M)) >= len(bars), "pj_dump reads it")
    events = [line.split(" ", 5) for line in paje.splitlines() if line[0].isdigit()]
    times = [float(e[1]) for e in events if e[0] in "456"]
    ok(times == sorted(times), "events come by time")
    made = {e[2] for e in events if e[0] == "4"}
    ok(all(e[3] in made for e in events if e[0] == "6"), "states are those of containers")
    busy, since, area = {}, {}, {}
    for e in events:
        if e[0] == "6":
            track, time = e[3], float(e[1])
            if busy.get(track, "idle") != "idle":
                area[busy[track]] = area.get(busy[track], 0) + time - since[track]
            busy[track], since[track] = e[4], time
    wanted = {}
    for _, _, kind, start, end in from_bars(bars):
        wanted[kind] = wanted.get(kind, 0) + (end - start) / 1e6
    ok(all(abs(area.get(kind, 0) - value) < 1e-5 * value + 1e-5 for kind, value in wanted.items()) and set(busy.values()) == {"idle"},
       "states last as long as the bars: %s, %s" % (area, wanted))


def schedules(folder):
    made = os.path.join(folder, "made.json")
    for words in (["plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", 8, "-o", made],
                  ["simulate", "malleable", os.path.join(EXAMPLES, "applications.csv"), "--procs", 64, "--mtbf", "30d", "--scenarios", 1, "--schedule", made],
                  ["simulate", "volatile", os.path.join(EXAMPLES, "hosts.json"), "--scenarios", 1, "--schedule", made],
                  ["plan", "ptg", os.path.join(EXAMPLES, "graphs.json"), "--platform", os.path.join(EXAMPLES, "clusters.json"), "--schedule", made]):
        cosched(*words)
        with open(made, encoding="utf-8") as file:
            held = json.load(file)
        bars = rows_of(cosched("convert", made, "--to", "bars")[0])
        ok([(int(b["task"]), b["kind"], float(b["start"]), float(b["end"])) for b in bars]
           == [(b["task"], b["kind"], float(b["start"]), float(b["end"])) for b in held["bars"]], "%s: a row for each bar" % words[1])
        one_trace(made, bars)
        one_paje(made, bars)


def overlaps(folder):
    bar = {"kind": "work", "attempt": 1, "procs": "0"}
    path = write(folder, "over.json", json.dumps({"format": "cosched-schedule-1", "procs": 1, "tasks": ["a", "b\"c"], "bars": [
        {**bar, "task": 0, "start": 0, "end": 4}, {**bar, "task": 1, "start": 1, "end": 2}, {**bar, "task": 1, "start": 4, "end": 5}]}))
    one_trace(path, rows_of(cosched("convert", path, "--to", "bars")[0]))
    one_paje(path, rows_of(cosched("convert", path, "--to", "bars")[0]))
    names = [e["args"]["name"] for e in json.loads(cosched("convert", path, "--to", "trace")[0])["traceEvents"] if e["name"] == "thread_name"]
    ok(names == ["processor 0", "processor 0 (2)"], "a second track where bars overlap: %s" % names)


def jobspecs(folder):
    plan = os.path.join(folder, "plan.json")
    cosched("plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", 8, "-o", plan)
    bars = {bar["name"]: bar for bar in rows_of(cosched("convert", plan, "--to", "bars")[0])}
    specs = [json.loads(line) for line in cosched("convert", plan, "--to", "flux-jobspec", "--program", "run.sh -v", "--margin", 2)[0].splitlines()]
    ok(len(specs) == len(bars) and all(spec["version"] == 1 for spec in specs), "a job for each task")
    for spec in specs:
        name = spec["attributes"]["system"]["job"]["name"]
        node, bar = spec["resources"][0], bars[name]
        ok(spec["attributes"]["system"]["duration"] == 2 * (float(bar["end"]) - float(bar["start"])) and
           spec["tasks"][0]["command"] == ["run.sh", "-v", name, str(node["count"])] and node["type"] == "node" and
           spec["tasks"][0]["slot"] == node["with"][0]["label"], "%s: how long, what, where" % name)
    cores = json.loads(cosched("convert", plan, "--to", "flux-jobspec", "--unit", "cpus")[0].splitlines()[0])
    ok(cores["resources"][0]["type"] == "slot" and cores["tasks"][0]["command"] == [cores["attributes"]["system"]["job"]["name"]], "cores without nodes")


def refusals(folder):
    plan = os.path.join(folder, "plan.json")
    refused("--tracks goes with --to trace or --to paje", "convert", plan, "--to", "bars", "--tracks", "procs", status=2)
    refused("--procs is for job logs", "convert", plan, "--to", "paje", "--procs", 3, status=2)
    refused("--program goes with --to flux-jobspec", "convert", plan, "--to", "trace", "--program", "x", status=2)
    refused("one schedule makes one file, 2 are given", "convert", plan, plan, "--to", "trace")
    refused("this is no job log", "convert", plan, "--to", "swf")
    refused("cannot write %s: it is an input" % plan, "convert", plan, "--to", "trace", "-o", plan)
    refused("no job is left of 3 lines", "convert", "-", "--to", "swf", "--procs", 1, given=SWF.replace(" 10 1 -1", " 0 1 -1"))
    refused("--to trace writes FILE.json, and x.csv has the ending of something else", "convert", plan, "--to", "trace", "-o", "x.csv", status=2)
    refused("--output writes FILE.html, and x.pdf has", "report", plan, "-o", "x.pdf", status=2)
    refused("--output writes FILE.json, and x.json.gz has", "plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", 8, "-o", "x.json.gz", status=2)
    cosched("report", plan, "-o", os.path.join(folder, "x.HTM"))
    out = os.path.join(folder, "x.swf")
    cosched("convert", "-", "--to", "swf", "-o", out, given=SWF)
    ok(jobs_of(read(out)) == jobs_of(SWF), "-o writes the same")


with tempfile.TemporaryDirectory() as folder:
    swf_again(folder)
    every_log(folder)
    pbs()
    sacct()
    batsim(folder)
    schedules(folder)
    overlaps(folder)
    jobspecs(folder)
    refusals(folder)
finish()
