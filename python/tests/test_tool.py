"""Replays, files for other programs, the state of runs, pictures and pages: as the tool has them."""

import inspect
import json
import os
import re
import subprocess
import warnings

import numpy
import pandas
import pytest

import cosched
from test_policies import Greedy, Raises

TOOL = os.environ["COSCHED_TOOL"]
LOG = os.path.join(os.environ["COSCHED_EXAMPLES"], "sacct.txt")

pytestmark = pytest.mark.filterwarnings("ignore::cosched.Warning")


def test_a_replay_has_the_numbers_of_the_tool():
    replayed = cosched.replay(LOG, nodes=16, policy=["easy", "fcfs"], by="width")
    told = json.loads(subprocess.run([TOOL, "replay", LOG, "--nodes", "16", "--policy", "easy,fcfs", "--by", "width", "--format", "json"],
                                     capture_output=True, check=True).stdout)
    assert list(replayed.rows["mean_wait_of_jobs"]) == [row["mean_wait_of_jobs"] for row in told["rows"]]
    assert replayed.rules["steps"] == 110 and any("46 %" in sentence for sentence in replayed.warnings)
    assert set(replayed.table("width")["policy"]) == {"recorded", "easy", "fcfs"}
    assert len(replayed.series()) > 10
    assert replayed.picture().svg.startswith("<svg") and "easy" in repr(replayed) and "<table" in replayed._repr_html_()
    with pytest.raises(cosched.InputError, match="there is no table by age"):
        replayed.table("age")


def test_a_replay_draws_jobs_without_a_log(tmp_path):
    log = tmp_path / "drawn.swf"
    subprocess.run([TOOL, "generate", "jobs", "--workload", "lublin", "--procs", "64", "--jobs", "200", "-o", log], check=True)
    drawn, read = cosched.replay(workload="lublin", procs=64, draw_jobs=200, policy=["easy", "fcfs"]), cosched.replay(str(log), policy=["easy", "fcfs"])
    assert drawn.result["rows"] == read.result["rows"] and len(drawn.jobs()) == 400
    assert drawn.result["input"]["files"] == [] and drawn.result["input"]["drawn"].startswith("workload lublin, gap factor 1")
    assert "jobs that are drawn" in drawn.picture().svg and drawn.schedule("easy").check()
    with pytest.raises(cosched.InputError, match="LOG is missing"):
        cosched.replay(procs=64)
    with pytest.raises(cosched.InputError, match="give one"):
        cosched.replay(str(log), workload="lublin", procs=64)


def test_a_plan_is_judged_by_what_it_was_made_from(tmp_path):
    bag, plan = tmp_path / "bag.csv", tmp_path / "plan.json"
    bag.write_text("app,procs,seconds\na,1,10\na,2,6\nb,1,8\n")
    subprocess.run([TOOL, "plan", "pack", bag, "--procs", "2", "-o", plan], check=True, capture_output=True)
    assert cosched.check(plan) and cosched.check(plan, against=bag) and cosched.Schedule.read(plan).check([bag.read_bytes()])
    other = cosched.check(plan, against=b"app,procs,seconds\na,1,10\na,2,6\nb,1,9\n")
    assert not other and "made from another input" in other.violations["text"][0]
    with pytest.raises(cosched.InputError, match="was made from 1 file"):
        cosched.check(plan, against=[bag, bag])
    with pytest.raises(cosched.SystemFault, match="no-such.csv"):
        cosched.check(plan, against="no-such.csv")
    own = cosched.plan_pack(str(bag), procs=2).schedule()
    assert own.check() and own.document["command"] == "cosched plan pack %s --procs 2" % bag and own.check(against=bag)
    assert not own.check(against=b"app,procs,seconds\na,1,10\na,2,6\nb,1,9\n")


def test_tables_of_a_replay_are_those_of_the_tool(tmp_path):
    replayed = cosched.replay(LOG, nodes=16, policy=["easy", "fcfs"], overrun="kill", warmup="1d")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jobs, series, schedule = replayed.jobs(), replayed.series(), replayed.schedule("easy")
    subprocess.run([TOOL, "replay", LOG, "--nodes", "16", "--policy", "easy,fcfs", "--overrun", "kill", "--warmup", "1d",
                    "--jobs", tmp_path / "jobs.csv", "--series", tmp_path / "series.csv"], check=True, capture_output=True)
    subprocess.run([TOOL, "replay", LOG, "--nodes", "16", "--overrun", "kill", "--warmup", "1d", "-o", tmp_path / "easy.json"], check=True, capture_output=True)
    wanted = pandas.read_csv(tmp_path / "jobs.csv", float_precision="round_trip")
    numbers = [name for name in wanted if wanted[name].dtype.kind in "if" and jobs[name].dtype.kind in "if"]
    assert "promise" in numbers and list(jobs) == list(wanted) and len(jobs) >= 2 * 332
    assert all(numpy.array_equal(jobs[name], wanted[name], equal_nan=True) for name in numbers)
    assert series.equals(pandas.read_csv(tmp_path / "series.csv", float_precision="round_trip"))
    assert schedule.to_frame().equals(cosched.Schedule.read(tmp_path / "easy.json").to_frame()) and schedule.check()
    with pytest.raises(cosched.InputError, match="a schedule is of one row: which of easy fcfs, fcfs fcfs?"):
        replayed.schedule()


def test_options_of_replays_are_told():
    told = cosched.replay.__doc__
    assert "\nwarmup: seconds" in told and "default 'easy'" in told and "full" not in inspect.signature(cosched.replay).parameters
    with pytest.warns(cosched.Warning) as said:
        whole = cosched.replay(LOG, nodes=16)
        late = cosched.replay(LOG, nodes=16, from_="2026-01-12")
    assert 0 < late.result["input"]["jobs"] < whole.result["input"]["jobs"]
    assert {one.filename for one in said} == {__file__}


def test_a_replay_takes_a_policy_in_python():
    with open(LOG, "rb") as log:
        replayed = cosched.replay(log.read(), nodes=16, policy=["greedy", Greedy])
    waits = list(replayed.rows["mean_wait_of_jobs"])
    assert waits[1] == waits[2] != waits[0]
    with pytest.raises(cosched.PolicyError, match="division by zero") as caught:
        cosched.replay(LOG, nodes=16, policy=Raises)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_mistakes_are_sentences():
    with pytest.raises(cosched.InputError, match='there is no policy "fast"'):
        cosched.replay(LOG, nodes=16, policy="fast")
    with pytest.raises(TypeError, match=r"replay\(\) has no option node; there are alloc, arrivals, arrive, "):
        cosched.replay(LOG, node=16)
    with pytest.raises(cosched.InputError, match='warmup is "7 moons"; it must be a time'):
        cosched.replay(LOG, nodes=16, warmup="7 moons")
    with pytest.raises(cosched.InputError, match="grace is for overrun, which is not given"):
        cosched.replay(LOG, nodes=16, grace=5)


def test_what_a_file_holds(tmp_path):
    told = cosched.what(LOG)
    assert told["kind"] == "job log" and told["commands"][0] == {"command": "replay", "option": None}
    done = subprocess.run([TOOL, "what", LOG, "--format", "json"], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == [told]
    (tmp_path / "empty").write_text("")
    with pytest.raises(cosched.InputError, match="the file is empty"):
        cosched.what(tmp_path / "empty")


def test_convert_and_run_status(tmp_path):
    with pytest.warns(cosched.Warning, match="are left out"):
        path = cosched.convert(LOG, tmp_path / "log.swf", "swf", unit="nodes", procs=16)
    assert "; MaxProcs: 16" in path.read_text()
    plan = tmp_path / "plan.json"
    cosched.plan_moldable({"a": {1: 1.0}, "b": {1: 2.0}}, procs=2).write(str(plan))
    done = subprocess.run([TOOL, "run", plan, "--oversubscribe", "--into", tmp_path / "run", "--progress", "none", "--", "true"], check=False, capture_output=True, text=True)
    if "the program that watches attempts is not there" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    status = cosched.run_status(tmp_path / "run")
    assert len(status) == 2 and set(status["state"]) == {"done"}
    ran = cosched.run_schedule(tmp_path / "run")
    subprocess.run([TOOL, "run", "schedule", tmp_path / "run", "-o", tmp_path / "ran.json"], check=True, capture_output=True)
    assert ran.check() and len(ran.bars) == 2 and ran._text == (tmp_path / "ran.json").read_text()
    with pytest.raises(cosched.InputError, match="nosuch"):
        cosched.run_schedule(tmp_path / "nosuch")


def test_pictures_and_pages_are_those_of_the_tool(tmp_path):
    replayed = cosched.replay(LOG, nodes=16, policy=["easy", "fcfs"])
    told, plan = tmp_path / "replay.json", tmp_path / "plan.json"
    told.write_text(replayed._text, encoding="utf-8")
    cosched.plan_moldable({"a": {1: 1.0}, "b": {1: 2.0}}, procs=2).write(str(plan))
    for line in (["plot", told, "shares", "-o", "shares.svg", "--width", "640px", "--style", "grey", "--title", "Waits"],
                 ["plot", plan, "-o", "plan.svg", "--width", "8.5cm"],
                 ["replay", LOG, "--nodes", "16", "--policy", "easy,fcfs", "--draw", "all.svg"],
                 ["report", plan, told, "-o", "page.html"]):
        subprocess.run([TOOL, *line], check=True, capture_output=True, cwd=tmp_path)
    pictures = {"shares.svg": cosched.plot(replayed, "shares", width=640, style="grey", title="Waits", least_type=28 / 3),
                "plan.svg": cosched.plot(plan, width=321, least_type=28 / 3),
                "all.svg": replayed.picture()}
    for name, picture in pictures.items():
        assert picture.svg == (tmp_path / name).read_text(encoding="utf-8"), name
    page = cosched.report([plan, told], command="cosched report %s %s --output page.html" % (plan, told))
    assert page == (tmp_path / "page.html").read_text(encoding="utf-8")
    assert cosched.report(cosched.Schedule.read(plan), tmp_path / "one.html") == tmp_path / "one.html"
    assert "<title>schedule" in (tmp_path / "one.html").read_text(encoding="utf-8")


def test_pictures_are_written_as_their_names_end(tmp_path):
    picture = cosched.plan_moldable({"a": {1: 1.0}}, procs=2).gantt()
    picture.save(tmp_path / "plan.svg")
    assert (tmp_path / "plan.svg").read_text(encoding="utf-8") == picture.svg
    with pytest.raises(cosched.InputError, match="a picture is written as .svg, .pdf or .png"):
        picture.save(tmp_path / "plan.gif")
    try:
        picture.save(tmp_path / "plan.pdf")
    except cosched.InputError as error:
        pytest.skip(str(error))
    assert (tmp_path / "plan.pdf").read_bytes().startswith(b"%PDF")


def test_what_cannot_be_drawn_or_converted_is_a_sentence(tmp_path):
    with pytest.raises(cosched.SystemFault, match="nosuch.json"):
        cosched.plot(tmp_path / "nosuch.json")
    with pytest.raises(cosched.InputError, match='style cannot be "pink"'):
        cosched.plot(LOG, style="pink")
    with pytest.raises(cosched.UsageError, match="was called wrongly"):
        cosched.report([], tmp_path / "page.html")
    with pytest.raises(cosched.InputError, match="odt"):
        cosched.convert(LOG, tmp_path / "log.odt", "odt")
    with pytest.raises(cosched.InputError, match="arrive cannot be"):
        cosched.convert(LOG, tmp_path / "log.swf", "swf", arrive="late")
    assert not list(tmp_path.iterdir())


def test_tables_of_jobs_are_judged(tmp_path):
    table = tmp_path / "jobs.csv"
    subprocess.run([TOOL, "replay", LOG, "--nodes", "16", "--policy", "easy,fcfs", "--jobs", table], check=True, capture_output=True)
    found = cosched.check_jobs(table, LOG, nodes=16)
    assert found[("easy", "fcfs")] and found[("fcfs", "fcfs")].total == 0
    overtaken = cosched.check_jobs(table, [LOG], nodes=16, rule="fcfs")
    assert overtaken[("fcfs", "fcfs")] and not overtaken[("easy", "fcfs")]
    assert "earlier" in overtaken[("easy", "fcfs")].violations["text"][0]
    with pytest.raises(cosched.InputError, match="rule cannot be"):
        cosched.check_jobs(table, LOG, rule="lottery")
    with pytest.raises(TypeError, match="no option node; it has"):
        cosched.check_jobs(table, LOG, node=16)


def _timings(folder):
    """A directory with a table, one with decimal commas that may be signs of thousands, and a text."""
    (folder / "times").mkdir()
    (folder / "times" / "a.csv").write_text("app,procs,seconds\nNA,1,10\nNA,1,10.3\nNA,2,6.1\n")
    (folder / "times" / "b.csv").write_text("app;procs;seconds\nb;1;1,234\nb;2;0,821\n")
    (folder / "times" / "notes.txt").write_text("measured on Monday\n")
    return folder / "times"


def test_timings_are_those_of_the_tool(tmp_path):
    times = _timings(tmp_path)
    done = subprocess.run([TOOL, "convert", times, "--to", "timings", "--decimal", "comma"], check=True, capture_output=True, text=True)
    with pytest.warns(cosched.Warning, match="notes.txt"):
        path = cosched.convert(times, tmp_path / "times.csv", "timings", decimal="comma")
    assert path.read_text() == done.stdout
    rows = cosched.timings([times / "a.csv", times / "b.csv"], decimal="comma")
    assert list(rows) == ["app", "procs", "seconds", "source"] and list(rows["app"]) == ["NA"] * 3 + ["b"] * 2
    assert list(rows["seconds"]) == [10, 10.3, 6.1, 1.234, 0.821] and rows["source"][3] == "%s:2" % (times / "b.csv")
    assert rows.equals(cosched.timings(path)[rows.columns].assign(source=rows["source"])) and rows.equals(cosched.timings(times, decimal="comma"))
    assert list(cosched.timings(b"app,nodes,seconds\na,2,7\n")) == ["app", "nodes", "seconds", "source"]
    assert cosched.timings(b'{"results": [{"command": "./cfd", "times": [7.5]}]}', app="cfd", count=4).values[0][:3].tolist() == ["cfd", 4, 7.5]
    spans = [cosched.plan_moldable(given, procs=2, **more).makespan for given, more in (
        (times, {"decimal": "comma"}), ([times / "a.csv", times / "b.csv"], {"decimal": "comma"}), (rows, {}))]
    assert len(set(spans)) == 1 and spans[0] > 6
    planned = cosched.plan_moldable(times, procs=2, decimal="comma")
    assert planned.check()
    with pytest.raises(cosched.InputError, match="is a directory, whose files cannot be written as one"):
        planned.write(tmp_path / "plan.json", inputs=tmp_path / "copy")


def test_pictures_of_timings_are_those_of_the_tool(tmp_path):
    times = _timings(tmp_path)
    (times / "b.csv").write_text("app,procs,seconds\nb,1,8\nb,2,5\n")
    subprocess.run([TOOL, "plot", times, "speedup", "-o", "times.svg", "--width", "640px"], check=True, capture_output=True, cwd=tmp_path)
    wanted, files = (tmp_path / "times.svg").read_text(encoding="utf-8"), [times / "a.csv", times / "b.csv"]
    for given in (times, files, cosched.timings(files), [cosched.timings(files[0]), {"b": {1: 8, 2: 5}}]):
        assert cosched.plot(given, "speedup", width=640, least_type=28 / 3).svg == wanted
    assert cosched.what(times)["form"] == "directory" and cosched.what(files[1])["form"] == "CSV"
    page = cosched.report(cosched.timings(files))
    assert page == cosched.report(cosched.timings(files)) and "Speedup" in page and str(os.getpid()) + "/" not in page


def test_options_for_timings_are_those_of_the_tool(tmp_path):
    told = subprocess.run([TOOL, "convert", "--help"], check=True, capture_output=True, text=True).stdout
    names = re.findall(r"^  (?:-\w, )?--([a-z-]+) [A-Zacdnop]", told, re.M)
    limited = [name.replace("-", "_") for name in names if "goes with --to timings" in subprocess.run(
        [TOOL, "convert", LOG, "--to", "swf", "--" + name, "4"], check=False, capture_output=True, text=True, cwd=tmp_path).stderr]
    assert "decimal" in limited and list(inspect.signature(cosched.timings).parameters) == ["inputs", *limited]
    assert set(limited) < set(inspect.signature(cosched.convert).parameters) and "count_unit: " in cosched.convert.__doc__


def test_mistakes_with_timings_are_sentences(tmp_path):
    times = _timings(tmp_path)
    plan = cosched.plan_moldable({"a": {1: 1.0}}, procs=2)
    for call, sentence in ((lambda: cosched.convert(LOG, tmp_path / "log.swf", "swf", app="cfd"), "app is only for timings"),
                           (lambda: cosched.convert(times, tmp_path / "t.csv", "timings", zone="UTC"), "zone is not for timings"),
                           (lambda: cosched.timings(times / "b.csv", decimal="dot"), 'found "dot", expected comma or point'),
                           (lambda: cosched.timings(times / "b.csv", app=["b"]), "app cannot be"),
                           (lambda: cosched.what([times, times]), "what takes the path of one file or directory"),
                           (lambda: cosched.plot([plan, plan]), "plot draws one schedule, replay or store"),
                           (lambda: cosched.plot(times / "a.csv", "csv"), "is no picture"),
                           (lambda: cosched.report(5), "a path, a list of paths")):
        with pytest.raises(cosched.InputError, match=sentence):
            call()
    with pytest.raises(TypeError, match=r"timings\(\) has no option unit; there are app, count, "):
        cosched.timings(times, unit="node")
    assert [one.name for one in tmp_path.iterdir()] == ["times"]
