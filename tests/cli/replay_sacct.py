#!/usr/bin/env python3
"""What Slurm prints, with every special case, and what `cosched replay` makes of it.

usage: tests/cli/replay_sacct.py COSCHED EXAMPLES
"""

import csv
import os
import re
import tempfile

import kit
from kit import cosched, finish, ok, write

COLUMNS = ("JobID JobIDRaw User Account Partition QOS Submit Eligible Start End ElapsedRaw Elapsed TimelimitRaw Timelimit NNodes "
           "AllocCPUS ReqMem AllocTRES State").split()
HOUR = 3600
MACHINE = """{"format": "cosched-machine-1", "alloc": "%s",
 "groups": [{"name": "thin", "nodes": 14, "cores": 32, "memory": 131072},
            {"name": "gpu", "nodes": 2, "cores": 32, "memory": 1048576, "gpus": 4}],
 "partitions": [{"name": "batch", "groups": ["thin", "gpu"], "max_seconds": 172800, "default": true},
                {"name": "gpu", "groups": ["gpu"]}]}
"""


def stamp(seconds):
    """Of the 24th of October 2025, so many seconds after eight."""
    hours, minutes = divmod(8 * 60 + seconds // 60, 60)
    return "2025-10-%02dT%02d:%02d:%02d" % (24 + hours // 24, hours % 24, minutes, seconds % 60)


EIGHT = 1761292800  # that second in UTC


def job(name, submit=0, wait=0, run=HOUR, nodes=1, **other):
    """A line; what is not said is as for an hour on a node."""
    fields = dict(JobID=name, User="ann", Account="phys", Partition="batch", QOS="normal", Submit=stamp(submit),
                  Eligible=stamp(submit), Start=stamp(submit + wait), End=stamp(submit + wait + run), ElapsedRaw=run,
                  Timelimit="02:00:00", NNodes=nodes, AllocCPUS=32 * nodes, State="COMPLETED")
    fields.update(other)
    return [str(fields.get(column, "")) for column in COLUMNS]


def text_of(lines, columns=COLUMNS, bar="|", end="\n"):
    kept = [COLUMNS.index(column) for column in columns]
    return end.join(bar.join(line[i] for i in kept) for line in [COLUMNS, *lines]) + end


def replayed(folder, text, *options):
    """The jobs of the table by their ids, the JSON, and what was told."""
    log, jobs = write(folder, "log.txt", text), os.path.join(folder, "jobs.csv")
    found = kit.results("replay", log, *options, "--jobs", jobs)
    return {row["job_id"]: row for row in csv.DictReader(open(jobs))}, found


# Every special case, and what is to come of it: (arrival after eight, run, nodes, request) or the rule that leaves it out.
CASES = [
    (job("100", nodes=4, run=7200, Timelimit="1-02:03:04"), (0, 7200, 4, 93784)),
    (job("100.batch", nodes=1, run=7200, Timelimit=""), "steps"),
    (job("100.extern", nodes=4, run=7200, Timelimit=""), "steps"),
    (job("100.0", nodes=4, run=7190, Timelimit=""), "steps"),
    (job("101_1", 600), (600, HOUR, 1, 7200)),
    (job("101_1.batch", 600, Timelimit=""), "steps"),
    (job("101_2", 600, run=7230, State="TIMEOUT"), (600, 7230, 1, 7200)),
    (job("101_[3-9%2]", 600, Start="Unknown", End="Unknown", ElapsedRaw=0, State="PENDING"), "array_remainders"),
    (job("110+0", 700, nodes=2), (700, HOUR, 2, 7200)),
    (job("110+1", 700, Partition="gpu", AllocTRES="cpu=8,gres/gpu:a100=2,mem=64G,node=1"), (700, HOUR, 1, 7200)),
    (job("120", 800, Timelimit="UNLIMITED", Partition="gpu", State="FAILED"), (800, HOUR, 1, HOUR)),
    (job("121", 900, Timelimit="Partition_Limit", Partition="batch,gpu", State="CANCELLED by 1003"), (900, HOUR, 1, HOUR)),
    (job("122", 1000, run=60, State="NODE_FAIL"), (1000, 60, 1, 7200)),
    (job("123", 1100, run=600, State="PREEMPTED"), (1100, 600, 1, 7200)),
    (job("124", 1100, run=600, State="OUT_OF_ME+"), (1100, 600, 1, 7200)),
    (job("125", 1100, run=600, State="BOOT_FAIL"), (1100, 600, 1, 7200)),
    (job("126", 1100, run=600, State="DEADLINE"), (1100, 600, 1, 7200)),
    (job("127", 1100, run=600, State="REQUEUED"), "not_ended"),
    (job("128", 1100, Start="None", ElapsedRaw=0, State="CANCELLED by 1004"), "never_started"),
    (job("129", 1100, run=0, State="FAILED"), "no_time"),
    (job("130", 1200, Eligible=stamp(3000), Start=stamp(3000)), (3000, HOUR, 1, 7200)),
    (job("131", 1200, Eligible="Unknown"), (1200, HOUR, 1, 7200)),
    (job("132", 1300, ElapsedRaw="", Elapsed="01:00:30.250"), (1300, 3630, 1, 7200)),
    (job("133", 1300, ElapsedRaw=""), (1300, HOUR, 1, 7200)),
    (job("134", 1300, TimelimitRaw=90, Timelimit="99:00:00"), (1300, HOUR, 1, 5400)),
    (job("135", 1400, AllocTRES="billing=64,cpu=64,mem=1.5T,node=2"), (1400, HOUR, 2, 7200)),
    (job("136", 1400, Submit=EIGHT + 1400, Eligible=EIGHT + 1400, Start=EIGHT + 1400), (1400, HOUR, 1, 7200)),
    (job("137", 1500, Submit="2025-10-24T10:25:00+02:00", Eligible="", Start="2025-10-24 08:25:00.75"), (1500, HOUR, 1, 7200)),
    (job("140", 1600, nodes=64), "too_wide"),
    (job("141", 1600, nodes=0, AllocCPUS=0), "no_width"),
    (job("142", 1700, End="Unknown", State="RUNNING"), "not_ended"),
    (job("143", 1800, Start="Unknown", End="Unknown", ElapsedRaw=0, State="PENDING"), "not_ended"),
    (job("101_1", 600), "duplicates"),
    (job("144", Submit="soon"), "malformed"),
    (job("145", QOS="no|rmal"), "malformed"),
]
TEXT = text_of([line for line, _ in CASES])


def every_special_case(folder):
    jobs, found = replayed(folder, TEXT, "--nodes", 16, "--overrun", "extend")
    want = {line[0]: what for line, what in CASES if not isinstance(what, str)}
    rules = {}
    for _, what in CASES:
        if isinstance(what, str):
            rules[what] = rules.get(what, 0) + 1
    ok(set(jobs) == set(want), "the jobs are those that ran: %s" % (set(jobs) ^ set(want)))
    for name, (arrival, run, nodes, request) in want.items():
        row = jobs[name]
        got = (int(row["submit"]) - EIGHT, int(row["end"]) - int(row["start"]), int(row["procs"]), int(row["request"]))
        ok(got == (arrival, run, nodes, request), "job %s: %s" % (name, got))
    told = found["input"]["rules"]
    ok({rule: told[rule] for rule in rules} == rules, "every line that is none is under its rule: %s" % rules)
    ok((told["array_tasks"], told["het_parts"], told["no_limit"]) == (2, 2, 2), "what is kept and special is counted")
    ok(sum(rules.values()) + len(want) == found["input"]["lines"], "nothing is lost")


def however_it_is_printed(folder):
    want = replayed(folder, TEXT, "--nodes", 16)[0]
    good = [line for line, what in CASES if what != "malformed"]
    for what, text in (("lines end as on Windows", TEXT.replace("\n", "\r\n")),
                       ("a bar at the end, sacct -p", TEXT.replace("\n", "|\n")),
                       ("a byte order mark", "\ufeff" + TEXT),
                       ("columns with widths", TEXT.replace("State\n", "State%30\n", 1)),
                       ("semicolons", text_of(good, bar=";")), ("tabs", text_of(good, bar="\t")), ("carets", text_of(good, bar="^")),
                       ("fewer columns", text_of(good, [c for c in COLUMNS if c not in ("JobIDRaw", "QOS", "ReqMem")]))):
        ok(replayed(folder, text, "--nodes", 16)[0] == want, what)
    comma = write(folder, "comma.txt", text_of(good, bar=","))
    kit.refused("this looks like sacct --delimiter=,", "replay", comma, "--nodes", 16)
    for gone, message in (("Submit", "of submit times: ask sacct for Submit"), ("Start", "of starts: ask sacct for Start"),
                          ("ElapsedRaw Elapsed End", "of run times: ask sacct for ElapsedRaw"),
                          ("NNodes AllocTRES", "of nodes: ask sacct for NNodes"),
                          ("NNodes AllocTRES AllocCPUS", "of nodes: ask sacct for NNodes")):
        log = write(folder, "few.txt", text_of(good, [c for c in COLUMNS if c not in gone.split()]))
        kit.refused("few.txt:1: there is no column " + message, "replay", log, "--nodes", 16)
    kit.refused("of sizes: ask sacct for AllocCPUS and NNodes", "replay", log, "--procs", 512)


def clocks(folder):
    """An hour that comes twice is the first; without a zone ten such jobs are told of."""
    twice = [job(str(i), Submit="2025-10-26T01:30:00", Eligible="", Start="2025-10-26T02:30:00", End="2025-10-26T02:30:00")
             for i in range(10)]
    log = write(folder, "clock.txt", text_of(twice))
    ok("10 jobs ended an hour off their elapsed time: the clock was changed in this log, give --zone" in
       cosched("replay", log, "--nodes", 16)[1], "a clock that was changed is seen")
    ok("clock" not in cosched("replay", log, "--nodes", 16, "--zone", "Europe/Berlin")[1], "not when the zone is told")
    jobs = replayed(folder, text_of(twice[:1]), "--nodes", 16, "--zone", "Europe/Berlin")[0]
    ok(jobs["0"]["submit"] == "1761435000", "stamps are read in the zone")
    log = write(folder, "all.txt", TEXT)
    kit.refused("--from 2025-10-25 is not before --to 2025-10-24", "replay", log, "--nodes", 16, "--from", "2025-10-25",
                "--to", "2025-10-24")


def what_still_runs(folder):
    """One node-hour of a hundred, in the unit of the machine, wherever the machine comes from."""
    lines = [job(str(i), 60 * i) for i in range(98)] + [job("running", 0, run=2 * HOUR, End="Unknown", State="RUNNING")]
    log = write(folder, "going.txt", text_of(lines))
    machine = write(folder, "m.json", MACHINE % "node")
    for options in (("--nodes", 16), ("--procs", 512), ("--machine", machine)):
        told = cosched("replay", log, *options)[1]
        share = re.search(r"([\d.]+) % of the processor time belongs to jobs that had not ended", told)
        ok(share and share[1] == "2.0", "a hundredth runs still: %s" % (options,))
    found = replayed(folder, text_of(lines), "--nodes", 16)[1]["input"]
    ok((found["processor_seconds"], found["not_ended_processor_seconds"]) == (98 * HOUR, 2 * HOUR), "node-hours stand in the JSON")
    told = cosched("replay", write(folder, "stateless.txt", text_of(lines, [c for c in COLUMNS if c != "State"])), "--nodes", 16)
    ok("98 jobs of 99 lines" in told[0] and "1 had not ended" in told[0] and "2.0 % of the processor time" in told[1],
       "without states, what has no end goes on")
    rest = [c for c in COLUMNS if c not in ("State", "End")]
    told = cosched("replay", write(folder, "stateless.txt", text_of(lines, rest)), "--nodes", 16)
    ok("99 jobs of 99 lines" in told[0] and "99 jobs have neither a State nor an End" in told[1], "and without ends that is told")
    log = write(folder, "less.txt", text_of(lines[:98] + [job("running", 0, run=1800, End="Unknown", State="RUNNING")]))
    ok("had not ended" not in cosched("replay", log, "--nodes", 16)[1], "up to one per cent is not told")


def units_of_a_node(folder):
    """Memory of sacct in K to T, GPUs by type: what of each a job needs of a machine that counts all three."""
    machine = write(folder, "m.json", MACHINE % "packed")
    cases = [("cpu=1,mem=131072M,node=1", True), ("cpu=1,mem=128G,node=1", True), ("cpu=1,mem=134217729K,node=1", False),
             ("cpu=1,mem=129G,node=1", False), ("cpu=1,mem=0.125T,node=1", True), ("cpu=64,mem=256G,node=2", True)]
    for tres, thin in cases:
        jobs = replayed(folder, text_of([job("1", AllocTRES=tres)]), "--machine", machine)[0]
        ok((jobs["1"]["allocated"].split("-")[0] == "0") == thin, "%s is on %s" % (tres, jobs["1"]["allocated"]))
    gpus = [job(str(i), Partition="gpu", AllocTRES="cpu=1,mem=1G,node=1,gres/gpu:a100=2,gres/gpu:h100=1") for i in range(3)]
    jobs = replayed(folder, text_of(gpus), "--machine", machine)[0]
    ok([jobs[str(i)]["wait"] for i in range(3)] == ["0", "0", "3600"], "GPUs of all types are counted together")
    cases = [("64Gn", 1, "0"), ("64Gn", 3, "0-2"), ("4Gc", 1, "0"), ("5Gc", 1, "14"), ("300G", 3, "0-2")]
    for memory, nodes, where in cases:
        jobs = replayed(folder, text_of([job("1", nodes=nodes, ReqMem=memory)]), "--machine", machine)[0]
        ok(jobs["1"]["allocated"] == where, "%s on %d nodes: %s" % (memory, nodes, jobs["1"]["allocated"]))


def words(folder):
    """One of a kind is told in the singular, nodes are called nodes."""
    lines = [job("1_1", run=8000), job("2+0", 60), job("3", 120, Timelimit="UNLIMITED"), job("3", 200), job("1.0"),
             job("1_[2-3]", State="PENDING")]
    out, told = cosched("replay", write(folder, "one.txt", text_of(lines)), "--nodes", 16, "--by", "user")
    ok("left out: 1 step of a job, 1 rest of an array that never started\n" in out, "what is left out, in the singular")
    ok("of those kept: 1 without a time limit, 1 ran longer than requested, 1 task of an array, 1 part of a heterogeneous job, "
       "1 with the number of an earlier job\n" in out, "what is kept, in the singular")
    ok("easy: 1 estimate raised to the run time\n" in out and "node hours" in out, "events in the singular, node hours")
    lines = [job(str(i), wait=HOUR * (i > 1)) for i in range(8)]
    told = cosched("replay", write(folder, "wait.txt", text_of(lines)), "--nodes", 16)[1]
    ok("no more than 6 of 16 nodes were in use" in told and "while the job's nodes were free" in told, "nodes are not processors")
    told = cosched("replay", write(folder, "wait.txt", text_of(lines)), "--procs", 512)[1]
    ok("no more than 192 of 512 processors were in use" in told, "processors are")


def main():
    with tempfile.TemporaryDirectory() as folder:
        every_special_case(folder)
        however_it_is_printed(folder)
        clocks(folder)
        what_still_runs(folder)
        units_of_a_node(folder)
        words(folder)
    finish()


main()
