#!/usr/bin/python3
"""The schemas of docs/schema against what is written, read and shown in docs/formats.md.

usage: formats.py PROGRAM COSCHED SOURCE

PROGRAM is formats.c, built; COSCHED is the tool.  Written files and the examples of docs/formats.md must fit their
schema and be read and found valid; broken ones must be refused by the schema and by the
reader or the checker.  Skipped (status 77) without the Python module jsonschema.
"""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("formats: skipped, the Python module jsonschema is missing")
    sys.exit(77)

program, cosched, source = sys.argv[1:]
schemas = os.path.join(source, "docs", "schema")
failures = 0


def ok(condition, what):
    global failures
    if not condition:
        failures += 1
        print("not ok -", what)


def validator(name):
    path = os.path.join(schemas, name + ".schema.json")
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    resolver = jsonschema.RefResolver("file://" + os.path.abspath(path), schema)
    return jsonschema.Draft7Validator(schema, resolver=resolver)


KINDS = ("workload", "schedule", "pack-plan", "graph", "scenario", "experiment", "run", "frontier")
VALIDATORS = {name: validator(name) for name in KINDS}
VALIDATORS["malleable"] = VALIDATORS["schedule"]
READERS = {"graph": "graph", "scenario": "scenario", "experiment": "experiment", "workload": "workload", "schedule": "check",
           "pack-plan": "check", "malleable": "check"}


def run(command, path):
    done = subprocess.run([program, command, path], capture_output=True, text=True, check=False)
    ok(done.returncode in (0, 1), f"{command} {path} ended with {done.returncode}: {done.stderr}")
    return done.returncode == 0, done.stderr.strip()


def accept(kind, path, what):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    errors = [error.message for error in VALIDATORS[kind].iter_errors(document)]
    ok(not errors, f"{what} does not fit the schema: {errors[:1]}")
    fine, message = run(READERS[kind], path)
    ok(fine, f"{what} is refused: {message}")
    return document


def refuse(kind, document, path, what):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    ok(not VALIDATORS[kind].is_valid(document), f"the schema accepts {what}")
    fine, _ = run(READERS[kind], path)
    ok(not fine, f"cosched accepts {what}")


def changed(document, way, value):
    """A copy with the value at the way, or without it."""
    new = copy.deepcopy(document)
    at = new
    for step in way[:-1]:
        at = at[step]
    if value is None:
        del at[way[-1]]
    else:
        at[way[-1]] = value
    return new


BROKEN = {
    "workload": [
        (["format"], "cosched-workload-9"), (["format"], None), (["tasks"], None), (["tasks"], {}),
        (["procs"], 0), (["procs"], 2.5), (["pack_size"], -1), (["task"], []),
        (["tasks", 0, "name"], None), (["tasks", 0, "name"], ""), (["tasks", 0, "name"], "a\nb"),
        (["tasks", 0, "table"], []), (["tasks", 0, "table"], ["x"]),
        (["tasks", 0, "table", 1], 0), (["tasks", 0, "table", 1], -1),
        (["tasks", 0, "points"], [[1, 1]]), (["tasks", 0, "colour"], 1),
        (["tasks", 1, "points"], []), (["tasks", 1, "points", 0], [1]),
        (["tasks", 1, "points", 0, 0], 0), (["tasks", 1, "points", 0, 1], 0),
        (["tasks", 1, "fill"], "spline"), (["tasks", 1, "fewer"], "never"),
        (["tasks", 2, "amdahl", "seq_time"], 0), (["tasks", 2, "amdahl", "seq_fraction"], 1.5),
        (["tasks", 2, "amdahl", "overhead"], 1), (["tasks", 2, "amdahl", "seq_time"], None),
        (["tasks", 3, "overhead", "overhead"], -1), (["tasks", 3, "overhead", "overhead"], None),
        (["tasks", 5, "universal", "exponent"], 1), (["tasks", 6, "power", "exponent"], None),
        (["tasks", 6, "power", "exponent"], 11), (["tasks", 6, "power", "exponent"], -1.5),
    ],
    "schedule": [
        (["format"], "cosched-workload-1"), (["problem"], ""), (["procs"], 0), (["procs"], None),
        (["makespan"], "3"), (["tasks"], ["a", "a"]), (["tasks", 0], ""), (["bars"], None),
        (["instance"], {}), (["bars", 0, "task"], -1), (["bars", 0, "task"], None),
        (["bars", 0, "attempt"], 0), (["bars", 0, "kind"], "sleep"), (["bars", 0, "procs"], ""),
        (["bars", 0, "procs"], "1-"), (["bars", 0, "procs"], 3), (["bars", 0, "procs"], "0,1"),
        (["bars", 0, "start"], -1), (["bars", 0, "end"], None), (["bars", 0, "end"], 0),
        (["bars", 0, "color"], "red"),
    ],
    "malleable": [
        (["mtbf"], 0), (["downtime"], -1), (["fault_free"], 0), (["wake"], "no"), (["layout"], "long"),
        (["period_factor"], 0), (["kappa"], -1), (["faults", 0, "time"], -1),
        (["faults", 0, "processor"], 0.5), (["faults", 0, "effect"], "sad"),
        (["faults", 0, "effect"], None), (["faults", 0, "task"], 1), (["fatal"], -1),
        (["areas", "work"], None), (["areas", "sleep"], 1), (["areas", "idle"], "0"),
    ],
    "pack-plan": [
        (["pack_size"], None), (["pack_size"], 0), (["packs"], None), (["cost"], "8"),
        (["packs", 0, "cost"], None), (["packs", 0, "cost"], 0), (["packs", 0, "tasks"], []),
        (["packs", 0, "tasks", 0, "name"], None), (["packs", 0, "tasks", 0, "procs"], 0),
        (["packs", 0, "tasks", 0, "seconds"], -1), (["relative_cost"], "small"),
        (["lower_bound"], -1), (["instance", "tasks", 0, "name"], ""), (["instance"], None),
    ],
}  # fmt: skip


def check_written(folder):
    fine, message = run("write", folder)
    ok(fine, message)
    for name in sorted(os.listdir(folder)):
        kind = name.split(".")[-2]
        document = accept(kind, os.path.join(folder, name), "the written " + name)
        if name.count(".") > 1:
            continue
        for number, (way, value) in enumerate(BROKEN[kind]):
            path = os.path.join(folder, f"broken-{kind}-{number}")
            refuse(kind, changed(document, way, value), path, f"a {kind} with {way} = {value!r}")


def kind_of(document):
    if "vary" in document:
        return "experiment"
    if document["format"] in ("cosched-workload-1", "cosched-graph-1"):
        return document["format"].split("-")[1]
    if document["format"] == "cosched-volatile-1":
        return "scenario"
    return "pack-plan" if document["problem"] == "pack" else "schedule"


def check_examples(folder):
    with open(os.path.join(source, "docs", "formats.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```(json|csv)\n(.*?)```", file.read(), re.S)
    ok(len(blocks) == 13, f"docs/formats.md has {len(blocks)} examples, not 13")
    for number, (kind, text) in enumerate(blocks):
        path = os.path.join(folder, f"example{number}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if kind == "csv":
            fine, message = run("workload", path)
            ok(fine, message)
        else:
            accept(kind_of(json.loads(text)), path, f"example {number} of docs/formats.md")


def tool(*arguments):
    done = subprocess.run([cosched, *arguments], capture_output=True, text=True, check=False)
    ok(done.returncode == 0, f"cosched {arguments} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def check_tool(folder):
    timings = os.path.join(source, "examples", "archer2.csv")
    formulas, drawn, plan = (os.path.join(folder, name) for name in ("formulas", "drawn", "plan"))
    tool("fit", timings, "--output", formulas)
    accept("workload", formulas, "the workload of fit")
    tool("generate", "pack", "--workload", "i", "--output", drawn)
    accept("workload", drawn, "the workload of generate")
    for given, procs in ((timings, "32"), (formulas, "20"), (drawn, "16")):
        tool("plan", "pack", given, "--procs", procs, "--interpolate", "measured", "--output", plan)
        document = accept("pack-plan", plan, "the plan of " + given)
        printed = tool("plan", "pack", plan, "--procs", procs, "--format", "json")
        again = json.loads(printed)
        ok(again["cost"] == document["cost"], "a plan's instance gives another plan")
        ok(tool("check", plan).find("not valid") < 0, "check refuses the plan of " + given)


BROKEN_SIZES = [
    (["format"], None), (["rows"], None), (["rows", 0, "procs"], 0), (["rows", 0, "frontier"], "*"), (["rows", 0, "limit"], "none"),
    (["rows", 0, "cost"], 1), (["answers", "within"], None), (["answers", "deadline"], 7), (["advice", "enough"], None),
]  # fmt: skip


def check_sizes(_):
    """Plans on several sizes of the machine."""
    for more in ([], ["--deadline", "33min"], ["--deadline", "1s"]):
        document = json.loads(tool("plan", "moldable", os.path.join(source, "examples", "archer2.csv"), "--procs", "8,46,50", "--format", "json", *more))
        errors = [error.message for error in VALIDATORS["frontier"].iter_errors(document)]
        ok(not errors, f"several sizes with {more}: {errors[:1]}")
    for way, value in BROKEN_SIZES:
        ok(not VALIDATORS["frontier"].is_valid(changed(document, way, value)), f"the schema accepts sizes with {way} = {value!r}")


def dry_run(path):
    done = subprocess.run([cosched, "run", path, "--dry-run", "--allow-group"], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr.strip()


RUN = {"format": "cosched-run-1", "input": "jobs.csv", "slots": {"count": 2, "oversubscribe": True}, "paths": "reject",
       "policy": "easy", "halt": {"failed": 1, "when": "now"},
       "task": {"command": ["true", "{name}"], "timeout": "3x", "env": {"A": "1", "B": None}, "retries": 0, "paths": "allow"},
       "tasks": {"a": {"verify": ["true"], "grace": 2.5}}}
BROKEN_RUN = [
    (["format"], None), (["input"], 1), (["paths"], "yes"), (["paths"], True), (["task", "paths"], "never"), (["comand"], 1),
    (["slots", "count"], 0), (["slots", "speed"], 1), (["halt", "when"], "later"), (["halt", "failed"], 0),
    (["task", "command"], []), (["task", "command"], "true"), (["task", "timeout"], 0), (["task", "timeout"], "3"),
    (["task", "retries"], -1), (["task", "env", "A"], 1), (["task", "leftovers"], "stay"), (["tasks", "a", "grace"], "x"),
    (["tasks", "a", "colour"], 1), (["engine"], "cloud"), (["decide"], "guess"),
]  # fmt: skip


def check_runs(folder):
    """Run files: those of the examples fit, and one that does not is rejected by the tool too."""
    with open(os.path.join(folder, "jobs.csv"), "w", encoding="utf-8") as file:
        file.write("name,procs,seconds\na,1,1\n")
    path = os.path.join(folder, "run.json")
    for number, (way, value) in enumerate([([], None), *BROKEN_RUN]):
        document = changed(RUN, way, value) if way else RUN
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        fits, (fine, message) = VALIDATORS["run"].is_valid(document), dry_run(path)
        ok(fits == fine == (number == 0), f"run file with {way} = {value!r}: schema {fits}, cosched {fine} {message}")
    for name in ("stencil/run", "stencil/run-mpi", "molecules/waters", "molecules/melts"):
        with open(os.path.join(source, "examples", name + ".json"), encoding="utf-8") as file:
            errors = [error.message for error in VALIDATORS["run"].iter_errors(json.load(file))]
        ok(not errors, f"examples/{name}.json: {errors[:1]}")


def check_graphs(folder):
    """Graphs that are made, and a plan of the example's."""
    made = os.path.join(folder, "made-graph")
    for family in ("random", "fft", "strassen"):
        tool("generate", "ptg", "--family", family, "--output", made)
        accept("graph", made, "a generated graph of the family " + family)
    for more in ([], ["--release", "0,5,10", "--online", "full", "--network", "plain"]):
        tool("plan", "ptg", os.path.join(source, "examples", "graphs.json"), "--platform",
             os.path.join(source, "examples", "clusters.json"), "--schedule", made, *more)
        accept("schedule", made, f"the plan of graphs with {more}")
    check_empty_task(folder)


def check_empty_task(folder):
    """A task without work at time 0 has a bar of no length; nothing else may have one."""
    graph, made = (os.path.join(folder, name) for name in ("graph", "made"))
    with open(graph, "w", encoding="utf-8") as file:
        json.dump({"format": "cosched-graph-1", "name": "g", "tasks": [
            {"name": "begin", "flops": 0}, {"name": "work", "flops": 1e9}],
            "arcs": [[0, 1, 0]]}, file)
    tool("plan", "ptg", graph, "--platform", os.path.join(source, "examples", "clusters.json"),
         "--schedule", made)
    document = accept("schedule", made, "a task without work")
    ok(document["bars"][0]["end"] == 0, f"it ends at {document['bars'][0]['end']}, not at 0")
    refuse("schedule", changed(document, ["bars", 0, "end"], -1), made, "an end before 0")
    for key in ("graphs", "release"):
        document.pop(key, None)
    refuse("schedule", document, made, "a bar of no length without the graphs")


LOG = """; MaxProcs: 4
1 100 -1 10 3 -1 -1 3 20 -1 1 1 1 -1 1 -1 -1 -1
2 101 -1 5 4 -1 -1 4 5 -1 1 1 1 -1 1 -1 -1 -1
"""


def check_replay(folder):
    """A schedule of jobs that arrive over time."""
    log, made = (os.path.join(folder, name) for name in ("log.swf", "made"))
    with open(log, "w", encoding="utf-8") as file:
        file.write(LOG)
    tool("simulate", "rigid", log, "--arrivals", "--schedule", made)
    document = accept("schedule", made, "the schedule of a replay")
    ok(document["jobs"] == [{"procs": 3, "seconds": 10, "submit": 0, "estimate": 20},
                            {"procs": 4, "seconds": 5, "submit": 1, "estimate": 5}],
       "submit times and estimates are written")
    for key in ("submit", "estimate"):
        for value in (-1, "1", []):
            broken = copy.deepcopy(document)
            broken["jobs"][1][key] = value
            refuse("schedule", broken, made, f"{key} {value} of a job")


BROKEN_SCENARIO = [
    (["format"], "x"), (["application"], None), (["application", "tasks"], 0),
    (["application", "cap"], 0), (["application", "transfers"], 0), (["application", "data"], -1),
    (["hosts"], []), (["hosts", 0, "slots"], 0), (["hosts", 0, "chain"], None),
    (["hosts", 0, "chain", 0], [1, 0]), (["hosts", 0, "chain", 0], [2, -1, 0]),
    (["hosts", 0, "trace"], "x"), (["hosts", 0, "more"], 1), (["law"], "uniform"), (["slot"], 0),
]  # fmt: skip

BROKEN_TRIAL = [
    (["application"], None), (["application", "tasks"], 0), (["prefetch"], "all"),
    (["slots"], -1), (["completed"], "1"), (["hosts", 0, "trace"], None),
    (["hosts", 0, "trace"], "x"), (["configurations", 0, "tasks"], None),
    (["configurations", 0, "slot"], -1),
]  # fmt: skip


def check_volatile(folder):
    """Scenarios, and a trial as a schedule."""
    made, trial, path = (os.path.join(folder, name) for name in ("made", "trial", "broken"))
    tool("generate", "volatile", "--hosts", "6", "--wmin", "2", "--output", made)
    scenario = accept("scenario", made, "the scenario of generate")
    for way, value in BROKEN_SCENARIO:
        refuse("scenario", changed(scenario, way, value), path, f"a scenario, {way} = {value!r}")
    tool("simulate", "volatile", made, "--scenarios", "1", "--schedule", trial)
    document = accept("schedule", trial, "the schedule of a trial")
    for way, value in BROKEN_TRIAL:
        refuse("schedule", changed(document, way, value), path, f"a trial, {way} = {value!r}")


BROKEN_JOB = [
    (["job"], None), (["job", "work"], 0), (["job", "deadline"], None), (["job", "instances"], 1.5), (["market", "tick"], 0),
    (["market", "available"], None), (["market", "available"], "u"), (["market", "ticks"], 0), (["cost"], -1), (["cost"], None),
    (["starts"], "2"), (["late"], -1),
]  # fmt: skip


def check_spot(folder):
    """A job with a deadline as a schedule."""
    made, path = (os.path.join(folder, name) for name in ("made", "broken"))
    trace = os.path.join(source, "examples", "spot.csv")
    tool("simulate", "spot", trace, "--work", "6h", "--deadline", "8h", "--policy", "table", "-n", "1", "--output", made)
    document = accept("schedule", made, "the schedule of a job on spot instances")
    for way, value in BROKEN_JOB:
        refuse("schedule", changed(document, way, value), path, f"a job on spot instances, {way} = {value!r}")


BROKEN_SWEEP = [
    (["problem"], None), (["problem"], "chess"), (["title"], 1), (["seed"], -1), (["seed"], 1.5),
    (["replicates"], 0), (["replicates"], 1000001), (["set", "jobs"], []),
    (["vary"], 1), (["vary"], []), (["vary", "way"], []), (["vary", "way"], "easy"),
    (["vary", "way", 0], {}), (["vary", "way", 0], {"label": "x"}), (["vary", "way", 0, "label"], ""),
    (["vary", "way", 0, "policy"], []), (["vary", "procs", "by"], 1),
    (["vary", "procs", "times"], None), (["vary", "procs", "times"], 1), (["vary", "procs", "times"], -2),
    (["vary", "procs", "step"], 1000), (["vary", "procs", "scale"], "log"), (["vary", "procs", "from"], None),
    (["vary", "procs", "to"], "8000"), (["vary", "procs"], {"from": 1, "to": 3, "step": 0}),
    (["vary", "procs"], {"from": 1, "to": 3, "count": 1}), (["vary", "a=b"], [{"jobs": 2}]),
    (["metrics"], []), (["metrics"], ["ratio", "ratio"]), (["figure", "y"], "procs"), (["more"], 1),
]  # fmt: skip


def check_sweeps(folder):
    """The sweeps of examples/, and mistakes in one."""
    place, path = os.path.join(source, "examples", "sweeps"), os.path.join(folder, "broken")
    names = sorted(os.listdir(place))
    ok(len(names) == 8, f"examples/sweeps has {names}")
    for name in names:
        document = accept("experiment", os.path.join(place, name), name)
        about = {"arrivals.json": "rigid"}.get(name, name[:-5])
        ok(document["problem"] == about, f"{name} is about {document['problem']}")
    with open(os.path.join(place, "rigid.json"), encoding="utf-8") as file:
        document = json.load(file)
    for way, value in BROKEN_SWEEP:
        refuse("experiment", changed(document, way, value), path, f"a sweep with {way} = {value!r}")


BROKEN_KNOWN = [(["known", "at_least"], None), (["known", "why"], None), (["known", "trap", "name"], None), (["known", "procs"], 0),
                (["known", "optimum"], "4"), (["known", "at_most"], -1), (["known", "best"], 4)]  # fmt: skip
BROKEN_ENERGY = [(["energy", "joules"], None), (["energy", "watts", "idle"], -1), (["energy", "watts", "asleep"], 1),
                 (["energy", "procs_per_node"], 0), (["energy", "until"], "day"), (["energy", "best"], 4)]  # fmt: skip


def check_traps(folder):
    """What is known of an optimum, with and without the members that may be null, in all files that have it."""
    path, plan = os.path.join(folder, "trap"), os.path.join(folder, "plan")
    for kind, trap, *words in (("workload", "pack"), ("workload", "malleable", "--numbers", "5,5,5,5,6,8"), ("graph", "ptg"), ("scenario", "volatile")):
        name = "biclique" if trap == "volatile" else "three-partition"
        subprocess.run([cosched, "generate", trap, "--trap", name, *words, "-o", path], check=True)
        document = accept(kind, path, f"the trap of {trap}")
        for way, value in BROKEN_KNOWN:
            refuse(kind, changed(document, way, value), path, f"a trap of {trap} with {way} = {value!r}")
    subprocess.run([cosched, "generate", "volatile", "--trap", "biclique", "-o", path], check=True)
    subprocess.run([cosched, "plan", "volatile", path, "-o", plan], check=True, capture_output=True)
    accept("schedule", plan, "the plan of a trap")
    quick = os.path.join(source, "examples", "quickstart.csv")
    for watts in ("busy=350,idle=100", "busy=350,idle=100,off-after=9"):
        subprocess.run([cosched, "plan", "moldable", quick, "--procs", "8", "--watts", watts, "-o", plan], check=True, capture_output=True)
        document = accept("schedule", plan, f"a plan with {watts}")
        for way, value in BROKEN_ENERGY:
            refuse("schedule", changed(document, way, value), path, f"a plan with {way} = {value!r}")


with tempfile.TemporaryDirectory() as temporary:
    for part in (check_written, check_examples, check_tool, check_replay, check_graphs,
                 check_volatile, check_spot, check_sweeps, check_traps, check_runs, check_sizes):
        place = os.path.join(temporary, part.__name__)
        os.mkdir(place)
        part(place)
print("formats:", "ok" if failures == 0 else f"{failures} failures")
sys.exit(failures != 0)
