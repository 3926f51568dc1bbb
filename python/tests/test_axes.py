"""Gantt charts in axes of matplotlib: bars where the schedule has them, in the colours of the picture."""

import os
import re

import pytest

import cosched

matplotlib = pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
matplotlib.use("Agg")
from matplotlib import colors, pyplot  # noqa: E402 after the backend

EXAMPLES = os.environ["COSCHED_EXAMPLES"]


@pytest.fixture(name="ax")
def fixture_ax():
    figure, ax = pyplot.subplots(figsize=(8, 5))
    yield ax
    pyplot.close(figure)


def test_bars_and_labels_are_those_of_the_schedule(ax):
    plan = cosched.plan_moldable(os.path.join(EXAMPLES, "archer2.csv"), procs=40, unit="node")
    assert plan.gantt(ax=ax, title="ARCHER2") is ax
    bars = plan.schedule().to_frame(lists=True)
    drawn = {}
    for patch in ax.patches:
        x, y = patch.get_xy()
        drawn.setdefault(round(x * 60, 6), set()).update(range(int(y), int(y + patch.get_height())))
    for start, same in bars.groupby("start"):
        assert drawn[round(start, 6)] == {p for procs in same["processors"] for p in procs}
    assert max(patch.get_x() + patch.get_width() for patch in ax.patches) * 60 == pytest.approx(plan.makespan)
    assert {"VASP-CdTe", "GROMACS-1400k-1ns"} <= {text.get_text() for text in ax.texts} <= set(bars["name"])
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("time (min)", "nodes", "ARCHER2") and ax.get_ylim() == (0, 40)
    ax.figure.canvas.draw()


@pytest.mark.parametrize("style", [None, "dark", "grey"])
def test_colours_are_those_of_the_picture(ax, style):
    plan = cosched.plan_moldable(os.path.join(EXAMPLES, "quickstart.csv"), procs=8)
    plan.gantt(ax=ax, style=style, unit="s")
    svg = cosched.plot(plan, style=style).svg
    fills = dict(re.findall(r'<g class="work"><title>(\w+)\n.*?<rect [^>]*fill="(#[0-9a-f]{6})"', svg, re.S))
    names = plan.schedule().to_frame()["name"]
    assert len(fills) == 6 and ax.get_xlabel() == "time (s)"
    assert {name: colors.to_hex(patch.get_facecolor()) for name, patch in zip(names, ax.patches)} == fills


def test_attempts_that_failed_are_hatched_and_many_bars_are_one_collection(ax):
    jobs = b"name,procs,seconds\n" + b"".join(b"j%d,%d,%d\n" % (i, 1 + i % 7, 100 + i) for i in range(40))
    case = cosched.simulate_rigid(jobs, 16, policy="easy", scenarios=1, mean_failure_probability=0.5, seed=3)
    case.gantt(ax=ax)
    assert {patch.get_hatch() for patch in ax.patches} == {None, "xxx"}
    many = cosched.plan_pack({"t%d" % i: {1: 1.0 + i % 5} for i in range(6000)}, 4, policy="one-by-one").schedule()
    figure, other = pyplot.subplots()
    many.gantt(ax=other)
    assert not other.patches and len(other.collections) == 1 and len(other.collections[0].get_paths()) == 6000
    pyplot.close(figure)


def test_mistakes_are_sentences(ax):
    plan = cosched.plan_pack({"a": {1: 1.0}}, 2)
    with pytest.raises(cosched.InputError, match="unit cannot be 'y'"):
        plan.gantt(ax=ax, unit="y")
    with pytest.raises(cosched.InputError, match='style cannot be "pink"'):
        plan.gantt(ax=ax, style="pink")
    counts = cosched.Schedule('{"format": "cosched-schedule-1", "problem": "pack", "procs": 2, "makespan": 1, "tasks": ["a"], '
                              '"bars": [{"task": 0, "count": 2, "start": 0, "end": 1, "group": 0}]}')
    with pytest.raises(cosched.InputError, match="counts of processors"):
        counts.gantt(ax=ax)
    frame = counts.to_frame(lists=True)
    assert list(frame["count"]) == [2] and frame["first"].isna().all() and frame["procs"].isna().all() and list(frame["processors"]) == [None]
    assert list(counts.bars["count"]) == [2] and list(counts.bars["first"]) == [-1]
