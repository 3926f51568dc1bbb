"""Every snippet of docs/python.md runs, in the order of the page."""

import json
import os
import re

import pytest
import test_parquet

import cosched

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/python.md")


pyarrow = test_parquet.fixture_pyarrow


@pytest.mark.filterwarnings("ignore::cosched.Warning")
def test_snippets_of_the_page(pyarrow, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
    assert pyarrow.is_dir()
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(os.environ["COSCHED_TOOL"]) + ":" + os.environ["PATH"])
    with open(os.path.join(os.environ["COSCHED_EXAMPLES"], "sacct.txt"), encoding="utf-8") as log:
        (tmp_path / "log.txt").write_text(log.read())
    (tmp_path / "examples").symlink_to(os.environ["COSCHED_EXAMPLES"])
    (tmp_path / "papers").symlink_to(os.path.join(os.environ["COSCHED_EXAMPLES"], "../papers"))
    (tmp_path / "bag.csv").write_text("app,procs,seconds\na,1,640\na,2,340\nb,1,500\n")
    (tmp_path / "perflogs").mkdir()
    (tmp_path / "perflogs" / "times.csv").write_text("app;nodes;seconds\ncfd;1;1,234\ncfd;2;0,821\n")
    (tmp_path / "sweep.json").write_text(json.dumps({"problem": "pack", "set": {"input": "bag.csv", "procs": 2}, "vary": [
        {"policy": ["pack-by-pack", "pack-approx"]}], "metrics": ["cost"]}))
    with open(PAGE, encoding="utf-8") as page:
        snippets = re.findall(r"```python\n(.*?)```", page.read(), re.S)
    assert len(snippets) == 11
    names = {}
    for number, snippet in enumerate(snippets):
        exec(compile(snippet, "docs/python.md, snippet %d" % (number + 1), "exec"), names)
    assert names["plan"].makespan > 0 and os.path.exists("plan.svg") and names["case"].runs == 200
    assert cosched.check("plan.json")
    assert os.path.exists("waits.svg") and os.path.exists("speedup.svg") and os.path.exists("page.html") and os.path.exists("axes.png") and os.path.exists("jobs.parquet")
    assert len(names["store"].frame()) == 2
    assert set(names["found"].claims.verdict) <= {"agrees", "agrees in part"} and os.path.exists("fig1.pdf")
    assert set(names["moves"].outcomes.reset_index()["on_end"]) == {"none", "local", "program"}
