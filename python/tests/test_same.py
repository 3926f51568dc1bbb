"""The package gives the numbers of the tool, to the last bit."""

import json
import math
import os
import subprocess

import pytest

import cosched

EXAMPLES, TOOL = os.environ["COSCHED_EXAMPLES"], os.environ["COSCHED_TOOL"]
HOSTS, CLUSTERS = os.path.join(EXAMPLES, "hosts.json"), os.path.join(EXAMPLES, "clusters.json")


def words_of(options):
    for name, value in options.items():
        yield "--" + name.replace("_", "-")
        yield str(value)


CASES = [
    ("plan", "pack", "quickstart.csv", {"procs": 8}),
    ("plan", "pack", "archer2.csv", {"procs": 32, "effort": "fast"}),
    ("plan", "moldable", "archer2.csv", {"procs": 32, "effort": "fast"}),
    ("plan", "ptg", "graphs.json", {"platform": CLUSTERS}),
    ("simulate", "malleable", "applications.csv", {"procs": 64, "mtbf": "30d", "scenarios": 20, "seed": 4}),
    ("simulate", "rigid", "jobs.csv", {"procs": 5000, "mean_failure_probability": 0.3, "scenarios": 20}),
    ("simulate", "queue", "queue.swf", {"policy": "conservative", "mtbe": "20000h", "scenarios": 3}),
    ("simulate", "volatile", "hosts.json", {"scenarios": 10}),
    ("simulate", "spot", "spot.csv", {"work": "6h", "deadline": "8h", "change_over": "20min", "policy": "table", "scenarios": 10}),
    ("simulate", "moldable", "quickstart.csv", {"procs": 8, "scenarios": 10, "sigma": 0.2}),
]


@pytest.mark.parametrize("verb,problem,name,options", CASES, ids=["%s %s %s" % case[:3] for case in CASES])
def test_same_schedule_and_same_runs(verb, problem, name, options, tmp_path):
    source = os.path.join(EXAMPLES, name)
    if name == "jobs.csv":
        source = str(cosched.generate_rigid(tmp_path / name, jobs=30, seed=2))
    if name == "queue.swf":
        source = str(cosched.generate_queue(tmp_path / name, jobs=30, arrivals="5min", seed=2))
    table = {p["key"] for d in cosched.describe()["problems"] if d["name"] == problem for p in d["parameters"]
             if verb in p["verbs"]}
    plan, rows = tmp_path / "schedule.json", tmp_path / "rows.csv"
    line = [TOOL, verb, problem, source, *words_of(options)]
    line += ["--schedule" if "schedule" in table else "--output", str(plan), "--gantt", str(tmp_path / "plan.svg")]
    if "per_scenario" in table:
        line += ["--per-scenario", str(rows)]
    printed = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    function = getattr(cosched, "%s_%s" % (verb, problem))
    study = function(source, **options)
    told, ours = json.loads(plan.read_text()), json.loads(study.schedule()._text)
    told.pop("command")
    ours.pop("command", None)
    assert told == ours
    assert study.gantt().svg == (tmp_path / "plan.svg").read_text(encoding="utf-8")
    if verb == "simulate":
        assert study.text() == printed
        assert study.text("json") == subprocess.run([TOOL, verb, problem, source, *words_of(options), "--format", "json"],
                                                    check=True, capture_output=True, text=True).stdout
    if rows.exists():
        assert study.text("runs") == rows.read_text()
        head, *lines = rows.read_text().split()
        for row, line in enumerate(lines):
            for key, cell in zip(head.split(",")[1:], line.split(",")[1:]):
                value = study.array(key)[row]
                assert (cell == "" and math.isnan(value)) or float(cell) == value, (key, row)


def test_same_comparison_run_by_run():
    source = os.path.join(EXAMPLES, "applications.csv")
    options = {"procs": 64, "mtbf": "30d", "scenarios": 20, "seed": 4, "on_end": "none,local", "on_failure": "none,stf"}
    told = json.loads(subprocess.run([TOOL, "simulate", "malleable", source, *words_of(options), "--format", "json"],
                                     check=True, capture_output=True).stdout)
    study = cosched.simulate_malleable(source, **options)
    reference = tuple(told["reference"].split(", "))
    assert len(study.variants) == len(told["results"]) == 4
    for row in told["results"]:
        ours = study.compare("makespan", variant=(row["on_end"], row["on_failure"]), reference=reference)
        assert ours == {key: row[key] for key in ("pairs", "over", "over_low", "over_high", "wins")}
    frame = study.compare("makespan")
    assert list(frame["over"])[0] == 1 and len(frame) == 4
    with pytest.raises(cosched.InputError, match="no run has the metric"):
        study.compare("beauty")


def test_same_jobs_and_groups(tmp_path):
    source, jobs = os.path.join(EXAMPLES, "monday.swf"), tmp_path / "jobs.csv"
    options = {"arrivals": True, "policy": "strict-easy"}
    subprocess.run([TOOL, "simulate", "rigid", source, "--arrivals", "--policy", "strict-easy", "--jobs", str(jobs)],
                   check=True, capture_output=True)
    study = cosched.simulate_rigid(source, **options)
    assert study.jobs() == jobs.read_text()
    assert study.groups == {"": study.groups[""]}
    days = cosched.simulate_rigid(source, by_count=40)
    assert len(days.groups) > 1 and days.runs % len(days.groups) == 0 and min(days.groups.values()) > 0
    with pytest.raises(cosched.InputError, match="there is a table of jobs where they arrive"):
        days.jobs()
    with pytest.raises(cosched.InputError, match="the form of a text"):
        days.text("prose")
