"""Columns that C hands over: the same numbers as the tool's tables, memory that lives as long as it is looked at."""

import ctypes
import gc
import io
import json
import os
import sqlite3
import subprocess
import sys

import numpy
import pandas
import pytest

import cosched
from cosched import columns
from cosched._cosched import ffi

TOOL = os.environ["COSCHED_TOOL"]
EXAMPLES = os.environ["COSCHED_EXAMPLES"]

pytestmark = pytest.mark.filterwarnings("ignore::cosched.Warning")


def example(name):
    return os.path.join(EXAMPLES, name)


def told(*words):
    return subprocess.run([TOOL, *words], capture_output=True, check=True, text=True).stdout


def taken(table):
    """What a consumer of Arrow's does: take the struct out of the capsule, and leave an empty one behind."""
    capsule = table.__arrow_c_stream__()
    address = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))(
        capsule, b"arrow_array_stream")
    theirs = ffi.cast("struct ArrowArrayStream *", address)
    mine = ffi.new("struct ArrowArrayStream *", theirs[0])
    theirs.release = ffi.NULL
    return mine


@pytest.mark.parametrize("log, words, options", [
    ("monday.swf", [], {}), ("sacct.txt", ["--unit", "nodes", "--zone", "Europe/Berlin"], {"unit": "nodes", "zone": "Europe/Berlin"})])
def test_a_job_log_is_what_convert_writes(log, words, options):
    frame = cosched.JobLog(example(log), **options).to_frame()
    wanted = pandas.read_csv(io.StringIO(told("convert", example(log), "--to", "csv", *words)), float_precision="round_trip")
    assert len(frame) == len(wanted) > 100
    for name in ("submit", "seconds", "procs"):
        assert numpy.array_equal(frame[name].to_numpy(float), wanted[name].to_numpy(float)), name
    assert list(frame["name"]) == [str(name) for name in wanted["name"]]
    assert [str(user) for user in frame["user"]] == [str(user) for user in wanted["user"]]
    assert str(frame["user"].dtype) == "category" and frame["id"].dtype == "i8"


def test_views_outlive_their_objects():
    wanted = cosched.JobLog(example("monday.swf")).to_frame()["submit"].sum()
    submit = cosched.JobLog(example("monday.swf")).arrays()["submit"]
    gc.collect()
    assert submit.sum() == wanted and not submit.flags.writeable
    with pytest.raises(ValueError):
        submit[0] = 1
    frame = cosched.JobLog([example("monday.swf"), example("tuesday.swf")]).to_frame()
    gc.collect()
    assert frame["submit"].is_monotonic_increasing and len(frame) > 120


def test_capsules_are_taken_or_not():
    study = cosched.simulate_rigid(example("monday.swf"), 64, policy=["easy", "greedy"], scenarios=30, mean_failure_probability=0.2)
    for _ in range(3):
        study.__arrow_c_stream__()
    frame = columns.frame(taken(study))
    assert numpy.array_equal(frame["makespan"], study.outcomes["makespan"])
    assert list(frame["policy"].cat.categories) == ["easy", "greedy"] and list(frame["scenario"]) == 2 * list(range(30))
    with pytest.raises(NotImplementedError):
        study.__arrow_c_stream__(object())
    assert not columns._streams


@pytest.mark.parametrize("log, options", [("monday.swf", {"mean_failure_probability": 0.2}), ("sacct.txt", {"nodes": 16, "unit": "nodes", "zone": "Europe/Berlin"})])
def test_the_jobs_of_a_replay_are_those_of_the_tool(log, options, tmp_path):
    words = [word for key, value in options.items() for word in ("--" + key.replace("_", "-"), str(value))]
    told("replay", example(log), "--policy", "easy,fcfs", "--jobs", str(tmp_path / "jobs.csv"), *words)
    replayed = cosched.replay(example(log), policy=["easy", "fcfs"], **options)
    wanted, frame = pandas.read_csv(tmp_path / "jobs.csv", float_precision="round_trip"), replayed.jobs()
    assert [name for name in frame if name != "scenario"] == list(wanted) and len(frame) == len(wanted) > 200
    for name in wanted:
        mine, theirs = frame[name], wanted[name]
        if theirs.dtype.kind in "if" and mine.dtype.kind in "if":
            assert numpy.array_equal(mine, theirs, equal_nan=True), name
        else:
            assert list(mine.astype(object).where(mine.notna(), "").astype(str)) == list(theirs.astype(object).where(theirs.notna(), "").map(
                lambda one: str(int(one)) if isinstance(one, float) else str(one))), name
    assert "scenario" not in frame and frame["policy"].dtype == "category"
    assert numpy.array_equal(columns.frame(taken(replayed))["wait"], frame["wait"], equal_nan=True)
    assert not replayed.arrays()["start"].flags.writeable
    several = cosched.replay(example(log), policy=["easy", "fcfs"], **{"mean_failure_probability": 0.2, **options, "scenarios": 3}).jobs()
    assert list(several["scenario"].unique()) == [0, 1, 2] and len(several) == 3 * len(frame)


def test_a_schedule_is_its_bars():
    schedule = cosched.plan_pack(example("quickstart.csv"), 8).schedule()
    mine, frame = columns.frame(taken(schedule)), schedule.to_frame()
    assert list(mine["name"]) == list(frame["name"]) and list(mine["procs"]) == list(frame["procs"])
    assert list(mine["kind"]) == list(frame["kind"]) and list(mine["kind"].cat.categories) == cosched.KINDS
    assert numpy.array_equal(mine["end"], frame["end"]) and list(mine["group"]) == list(frame["group"])
    assert list(mine["first"]) == list(frame["first"]) and list(mine["count"]) == list(frame["count"])
    assert sum(frame["count"] * (frame["end"] - frame["start"])) == pytest.approx(sum((b["end"] - b["start"]) * len(procs) for b, procs in zip(
        schedule.document["bars"], schedule.to_frame(lists=True)["processors"])))


def test_a_campaign_is_what_export_writes(tmp_path):
    sweep = {"problem": "pack", "replicates": 2, "set": {"input": os.path.abspath(example("quickstart.csv")), "procs": 8},
             "vary": [{"policy": ["one-by-one", "pack-by-pack"], "pack_size": [2, 3]}], "metrics": ["cost", "gap"]}
    (tmp_path / "sweep.json").write_text(json.dumps(sweep))
    store = cosched.Campaign(tmp_path / "s.db").run(tmp_path / "sweep.json")
    wanted = pandas.read_csv(io.StringIO(told("campaign", "export", str(tmp_path / "s.db"))), float_precision="round_trip")
    frame = store.to_frame()
    assert list(frame) == list(wanted) and len(frame) == len(wanted)
    for name in frame:
        assert list(frame[name].astype(str)) == list(wanted[name].astype(frame[name].dtype).astype(str)), name
    assert frame["pack_size"].dtype == "i8" and frame["cost"].dtype == "f8"
    assert list(columns.frame(taken(store))["cost"]) == list(wanted["cost"])
    assert list(store.to_frame(metrics=["gap"]))[-1] == "gap" and "cost" not in store.to_frame(metrics=["gap"])
    with pytest.raises(cosched.InputError, match="--metrics"):
        store.to_frame(metrics=["beauty"])
    assert sorted(store.frame()["cost"]) == sorted(frame["cost"]) and not {"head", "digest"} & set(store.frame())
    assert store.verify(again=1)["verdict"] == "whole"
    with sqlite3.connect(tmp_path / "s.db") as file:
        file.execute("UPDATE pack SET cost = cost * 1.01 WHERE seed = (SELECT max(seed) FROM pack)")
    file.close()
    assert store.verify()["verdict"] == "damaged"
    with pytest.raises(cosched.Error, match="the store is damaged"):
        store.frame()


def test_a_campaign_that_has_no_figure_says_so(tmp_path):
    sweep = {"problem": "pack", "set": {"input": os.path.abspath(example("quickstart.csv")), "procs": 8},
             "vary": [{"policy": ["exact", "pack-by-pack"]}, {"pack_size": [2, 3]}], "metrics": ["cost"]}
    store = cosched.Campaign(tmp_path / "s.db").run(sweep)
    with pytest.raises(cosched.InputError, match="has no figure: no parameter is in all lists of .vary."):
        cosched.plot(store)
    sweep["vary"] = {"policy": ["exact", "pack-by-pack"], "pack_size": [2, 3]}
    assert cosched.plot(cosched.Campaign(tmp_path / "t.db").run(sweep)).svg


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(cosched.SystemFault, match="^none.swf: cannot be opened"):
        cosched.JobLog("none.swf")
    with pytest.raises(TypeError, match="no option nodes"):
        cosched.JobLog(example("monday.swf"), nodes=4)
    with pytest.raises(cosched.InputError, match='"racks"'):
        cosched.JobLog(example("monday.swf"), unit="racks")
    plan = cosched.plan_malleable(example("applications.csv"), procs=64, mtbf="30d")
    with pytest.raises(cosched.UsageError, match="has no values"):
        plan.__arrow_c_stream__()


def converted(*words):
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    return subprocess.run([sys.executable, "-m", "cosched", "convert", *map(str, words)], capture_output=True, text=True, env=env, check=False)


def test_files_are_written_by_who_can(tmp_path):
    done = converted(example("monday.swf"), "--to", "csv", "--output", tmp_path / "jobs.csv")
    assert done.returncode == 0 and len(pandas.read_csv(tmp_path / "jobs.csv")) == 120
    done = converted(example("none.swf"), "--to", "csv", "--output", tmp_path / "none.csv")
    assert done.returncode == 1 and "none.swf: cannot be opened" in done.stderr and not (tmp_path / "none.csv").exists()
    done = converted(example("monday.swf"), "--to", "parquet", "--output", tmp_path / "jobs.parquet")
    if done.returncode:
        assert "pyarrow, polars or DuckDB" in done.stderr and not (tmp_path / "jobs.parquet").exists()
    else:
        assert (tmp_path / "jobs.parquet").read_bytes()[:4] == b"PAR1"


def test_arrows_own_library_takes_them():
    pyarrow = pytest.importorskip("pyarrow")
    log = cosched.JobLog(example("monday.swf"))
    table = pyarrow.table(log)
    table.validate(full=True)
    assert table.num_rows == 120 and table.column("procs").to_pylist() == list(log.arrays()["procs"])
