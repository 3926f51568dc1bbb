"""Columns of others and Parquet files as inputs and outputs. Debian has no pyarrow: a small package takes its place.

The columns are made and read by small_arrow.py through Arrow's C interface, as pyarrow's are; only the bytes of Parquet files
themselves are not tested here, which pyarrow writes and reads.
"""

import datetime
import os
import subprocess
import sys

import pandas
import pytest
import small_arrow

import cosched
from cosched import columns

EXAMPLES = os.environ["COSCHED_EXAMPLES"]
BAG = {"app": ("vu", ["an application with a long name", "an application with a long name", "b"]), "procs": ("l", [1, 2, 1]), "seconds": ("g", [64.5, 34.0, 9.0])}
PYARROW = '''
"""What cosched uses of pyarrow, with files of JSON in place of Parquet."""
import json, sys, types
sys.path.append(%r)
import small_arrow
from cosched import columns

class RecordBatchReader:
    @staticmethod
    def from_stream(table):
        made = RecordBatchReader()
        made.read_all = lambda: columns.lists(table)
        return made

def read(path):
    with open(path) as file:
        found = json.load(file)
    kind = lambda values: "l" if all(isinstance(v, int) for v in values) else "g" if all(isinstance(v, (int, float)) for v in values) else "d"
    return small_arrow.Table({name: (kind(values), values) for name, values in found.items()}, rows=7)

def write(table, path):
    with open(path, "w") as file:
        json.dump(table, file)

for name, named in (("parquet", {"read_table": read, "write_table": write}), ("feather", {"read_table": read, "write_feather": write})):
    sys.modules["pyarrow." + name] = globals()[name] = types.SimpleNamespace(**named)
__path__ = []
'''


@pytest.fixture(name="pyarrow")
def fixture_pyarrow(tmp_path, monkeypatch):
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "pyarrow.py").write_text(PYARROW % os.path.dirname(os.path.abspath(__file__)))
    monkeypatch.syspath_prepend(tmp_path / "packages")
    yield tmp_path / "packages"
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        del sys.modules[name]


def test_every_type_of_columns_is_read():
    when = datetime.datetime(2026, 3, 1, 12, 0, 1, 500000, tzinfo=datetime.timezone.utc)
    micros = int(when.timestamp() * 1e6)
    given = {"l": ("l", [1, None, -3]), "g": ("g", [0.1, 2.5, None]), "u": ("u", ["a", None, "\u00e9"]), "U": ("U", ["x", "", None]), "vu": ("vu", ["short", "a text of many letters", None]),
             "d": ("d", ["easy", None, "fcfs"]), "b": ("b", [True, False, None]), "tsu:UTC": ("tsu:UTC", [micros, None, 0])}
    found = columns.lists(small_arrow.Table(given))
    assert found.pop("tsu:UTC") == [when, None, datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)]
    assert found == {name: values for name, (_, values) in given.items() if name != "tsu:UTC"}
    with pytest.raises(cosched.InputError, match="the column age has the type 'tdD' of Arrow"):
        columns.lists(small_arrow.Table({"age": ("tdD", [1])}))


def test_columns_of_others_are_inputs():
    plan = cosched.plan_moldable(small_arrow.Table(BAG), 2)
    assert plan.makespan == 43 and plan.schedule().tasks == ["an application with a long name", "b"] and plan.check()
    with pytest.raises(cosched.InputError, match="^the table:2: column seconds: found \"-1"):
        cosched.plan_pack(small_arrow.Table({**BAG, "seconds": ("g", [-1.0, 2.0, 3.0])}), 2)
    with pytest.raises(cosched.InputError, match="the table has no column app: it has procs"):
        cosched.plan_pack(small_arrow.Table({"procs": ("l", [1])}), 2)
    jobs = {"submit": ("tss:", [1000, 1060, 1030]), "seconds": ("g", [50.5, 20.0, 9.0]), "procs": ("l", [2, 1, 1]), "user": ("d", ["ann", "bob", "ann"])}
    log = cosched.JobLog(small_arrow.Table(jobs))
    assert list(log.to_frame()["submit"]) == [0, 30, 60] and list(log.to_frame()["seconds"]) == [50.5, 9.0, 20.0]
    assert cosched.simulate_rigid(small_arrow.Table({"name": ("u", ["a"]), "procs": ("l", [1]), "seconds": ("g", [4.0])}), 2, policy="easy", scenarios=1,
                                  mean_failure_probability=0.1).runs == 1


@pytest.mark.filterwarnings("ignore::cosched.Warning")
def test_parquet_files_are_written_and_read(pyarrow, tmp_path):
    log = cosched.JobLog(os.path.join(EXAMPLES, "monday.swf"))
    for name in ("jobs.parquet", "jobs.arrow"):
        path = cosched.convert(log, tmp_path / name, name.partition(".")[2])
        again = cosched.JobLog(path)
        mine, theirs = log.to_frame(), again.to_frame()
        assert len(mine) == 120 and all(list(mine[key]) == list(theirs[key]) for key in ("submit", "seconds", "procs"))
        rows = [[{key: value for key, value in row.items() if key != "tables"} for row in cosched.replay(one, 64).result["rows"]] for one in (str(path), log)]
        assert rows[0] == rows[1] and rows[0][0]["mean_wait_of_jobs"] > 0  # tables name users, which are numbers in a log of columns
    pyarrow_table = {name: values for name, (_, values) in BAG.items()}
    sys.modules["pyarrow.parquet"].write_table(pyarrow_table, tmp_path / "bag.parquet")
    assert cosched.plan_moldable(tmp_path / "bag.parquet", 2).makespan == 43
    plan = cosched.plan_moldable(tmp_path / "bag.parquet", 2)
    assert cosched.convert(plan.schedule(), tmp_path / "bars.parquet", "parquet") and set(sys.modules["pyarrow.parquet"].read_table(tmp_path / "bars.parquet").columns) >= {"start", "end", "name"}
    done = subprocess.run([sys.executable, "-m", "cosched", "convert", os.path.join(EXAMPLES, "monday.swf"), "--to", "parquet", "--output", tmp_path / "tool.parquet"],
                          env={**os.environ, "PYTHONPATH": "%s:%s" % (pyarrow, os.environ["PYTHONPATH"])}, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tool.parquet").read_text() == (tmp_path / "jobs.parquet").read_text()


def test_without_a_package_for_them_it_is_named(tmp_path):
    for name in ("pyarrow", "polars", "duckdb"):
        if name in sys.modules:
            pytest.skip("%s is installed" % name)
    log = cosched.JobLog(os.path.join(EXAMPLES, "monday.swf"))
    with pytest.raises(cosched.MissingPart, match="jobs.parquet: parquet files are written by pyarrow, polars or DuckDB: install"):
        cosched.convert(log, tmp_path / "jobs.parquet", "parquet")
    (tmp_path / "bag.parquet").write_bytes(b"PAR1")
    with pytest.raises(cosched.MissingPart, match="bag.parquet: such files are read by pyarrow or polars: install"):
        cosched.plan_pack(tmp_path / "bag.parquet", 2)
    assert [path.name for path in tmp_path.iterdir()] == ["bag.parquet"]


def test_frames_of_jobs_are_logs():
    frame = pandas.DataFrame({"submit": pandas.to_datetime(["2024-05-01 10:00:01", "2024-05-01 10:00:00"]), "seconds": [5, 7.5], "procs": [1, 2]})
    assert list(cosched.JobLog(frame).to_frame()["submit"]) == [0, 1]
