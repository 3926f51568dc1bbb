"""The package as a user meets it: results, frames, pictures, mistakes."""

import datetime
import gc
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy
import pandas
import pytest

import cosched
from cosched._core import fail, ffi, lib, watching

EXAMPLES = os.environ["COSCHED_EXAMPLES"]
TOOL = os.environ["COSCHED_TOOL"]
BAG = {"a": {1: 640, 2: 340}, "b": {1: 500, 4: 150}}


def example(name):
    return os.path.join(EXAMPLES, name)


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    return cosched.generate_rigid(tmp_path_factory.mktemp("jobs") / "jobs.csv", jobs=40, seed=5)


def test_a_plan_has_numbers_a_schedule_a_frame_and_a_picture():
    plan = cosched.plan_moldable(BAG, procs=4)
    schedule = plan.schedule()
    assert plan.makespan == schedule.makespan == 490 and schedule.check()
    frame = schedule.to_frame()
    assert list(frame.columns) == ["task", "name", "attempt", "group", "kind", "start", "end", "procs", "first", "count"]
    assert list(frame.name) == ["a", "b"] and frame.end.max() == 490
    assert schedule.bars["end"].max() == 490 and cosched.KINDS[schedule.bars["kind"][0]] == "work"
    assert "<svg" in plan.gantt(width=400, title="a plan").svg and "a plan" in plan.gantt(title="a plan").svg
    bundle, sizes = plan._repr_mimebundle_()
    assert "<svg" in bundle["image/svg+xml"] and bundle["text/plain"] == repr(plan) and sizes["image/png"]["width"] == 800
    assert bundle["image/png"] in bundle["text/html"] and plan.gantt().image().startswith(b"\x89PNG") and plan.gantt().image("pdf").startswith(b"%PDF")
    assert repr(plan).startswith("<cosched.Case: plan moldable")


def test_the_same_from_a_dict_a_frame_a_file_and_bytes(tmp_path):
    import pandas
    rows = [(app, procs, seconds) for app, points in BAG.items() for procs, seconds in points.items()]
    frame = pandas.DataFrame(rows, columns=["app", "procs", "seconds"])
    path = tmp_path / "bag.csv"
    frame.to_csv(path, index=False)
    for given in (frame, path, str(path), path.read_bytes(), open(path, "rb")):
        assert cosched.plan_pack(given, 4).cost == cosched.plan_pack(BAG, 4).cost


def test_variants_are_compared_run_by_run(jobs):
    study = cosched.simulate_rigid(jobs, 5000, policy=["easy", "greedy"], mean_failure_probability=0.3, scenarios=50)
    assert study.keys == ["policy", "priority"] and study.variants == [("easy", "lpt"), ("greedy", "lpt")]
    assert list(study.outcomes.index.names) == ["policy", "priority", "scenario"] and len(study.outcomes) == 100
    assert numpy.array_equal(study.array("failures", "easy"), study.array("failures", "greedy"))
    mean = study.outcomes.groupby("policy").makespan.mean()
    assert study.summary().loc[("easy", "lpt"), "makespan"] == pytest.approx(mean["easy"], rel=1e-14)
    assert study.schedule("greedy", 7).makespan == study.array("makespan", "greedy")[7]
    assert study.schedule("greedy", 7).check().violations.empty


def test_columns_are_filled_in_place_and_not_copied(jobs, monkeypatch):
    study = cosched.simulate_rigid(jobs, 5000, policy=["easy", "greedy"], mean_failure_probability=0.3, scenarios=50)
    made, column = {}, cosched.Case._column
    monkeypatch.setattr(cosched.Case, "_column", lambda self, value: made.setdefault(value, column(self, value)))
    frame = study.outcomes
    assert sorted(made) == sorted(study.metrics) and all(numpy.shares_memory(frame[name].to_numpy(), made[name]) for name in made)
    arrays = study.arrays()
    assert list(arrays)[:3] == ["policy", "priority", "scenario"] and list(arrays["scenario"][48:52]) == [48, 49, 0, 1]
    assert set(arrays["policy"][:50]) == {"easy"} and set(arrays["policy"][50:]) == {"greedy"}
    assert numpy.array_equal(arrays["makespan"][50:], study.array("makespan", "greedy"))


def test_advice_names_the_smallest_machine():
    """ARCHER2: 46 nodes have the makespan of 256."""
    assert cosched.plan_moldable(example("archer2.csv"), procs=256).advice["enough"] == 46
    sizes = cosched.plan_moldable(example("archer2.csv"), procs=[256, 46, 45], deadline="33min")
    assert list(sizes.rows["procs"]) == [45, 46, 256] and sizes.answers["deadline"] == {"seconds": 1980, "procs": 46}
    assert [round(charged / 3600, 1) for charged in sizes.rows["charged"]][1:] == [22.8, 126.8]
    assert sizes.schedule().check()


def test_several_sizes_are_a_range():
    plans = cosched.plan_moldable(example("archer2.csv"), range(24, 49, 8))
    done = subprocess.run([TOOL, "plan", "moldable", example("archer2.csv"), "--procs", "24..48:8", "--format", "json"], check=True, capture_output=True, text=True)
    wanted = json.loads(done.stdout)
    assert list(plans.rows["procs"]) == [24, 32, 40, 48] == [row["procs"] for row in wanted["rows"]] and plans.answers == wanted["answers"]
    assert plans.curve.svg.startswith("<svg") and "int | str | range" in str(inspect.signature(cosched.plan_moldable).parameters["procs"])
    with pytest.raises(cosched.UsageError, match="is of one size"):
        getattr(cosched.plan_moldable(BAG, 4), "answers")


def test_times_are_seconds_texts_or_timedeltas():
    common = dict(procs=64, scenarios=5, seed=3)
    given = [cosched.simulate_malleable(example("applications.csv"), mtbf=mtbf, **common).makespan
             for mtbf in (30 * 86400, "30d", datetime.timedelta(days=30), numpy.timedelta64(30, "D"))]
    assert all(numpy.array_equal(one, given[0]) for one in given)


def test_functions_tell_what_they_take():
    signature = inspect.signature(cosched.simulate_rigid)
    assert list(signature.parameters)[:2] == ["inputs", "procs"] and "mtbe" in signature.parameters
    assert "format" not in signature.parameters and "gantt" not in signature.parameters
    assert "cosched simulate rigid" in cosched.simulate_rigid.__doc__
    assert {"plan_pack", "plan_moldable", "plan_ptg", "plan_malleable", "plan_volatile", "simulate_rigid",
            "simulate_malleable", "simulate_moldable", "simulate_volatile", "simulate_spot"} <= set(cosched.__all__)
    assert "pack-by-pack" in set(cosched.policies("pack").name)
    assert "pack_size" in set(cosched.parameters("pack").key) and "makespan" in set(cosched.metrics("rigid").name)


KINDS = {"INPUT": (cosched.InputError, ValueError), "USAGE": (cosched.UsageError, ValueError), "SYSTEM": (cosched.SystemFault, OSError), "MISSING": (cosched.MissingPart, ImportError),
         "STOPPED": (cosched.Stopped, KeyboardInterrupt), "POLICY": (cosched.PolicyError, RuntimeError), "MEMORY": (cosched.OutOfMemory, MemoryError)}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_error_is_an_exception_of_its_own_with_the_sentence_as_it_is(kind):
    err = ffi.new("struct cs_error *", {"text": b"f:1: it is so", "kind": getattr(lib, "CS_ERROR_" + kind)})
    with pytest.raises(cosched.Error) as caught:
        fail(err)
    assert type(caught.value) is KINDS[kind][0] and isinstance(caught.value, KINDS[kind][1]) and str(caught.value) == "f:1: it is so"
    assert (caught.value.file, caught.value.line) == (None, None)


def test_exceptions_say_in_which_file_and_line_it_is(tmp_path):
    (tmp_path / "bag.csv").write_text("app,procs,seconds\na,1,10\na,2,x\n")
    with pytest.raises(cosched.InputError) as caught:
        cosched.plan_pack(tmp_path / "bag.csv", 3)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "bag.csv"), 3)
    with pytest.raises(cosched.SystemFault) as caught:
        cosched.plan_pack("none.csv", 3)
    assert (caught.value.file, caught.value.line) == ("none.csv", None)
    with pytest.raises(cosched.InputError) as caught:
        cosched.plan_pack(b"app,procs,seconds\na,1,x\n", 3)
    assert str(caught.value).startswith("%s:2: " % caught.value.file) and caught.value.line == 2


def test_failures_have_the_kind_that_the_library_says(tmp_path):
    with pytest.raises(cosched.SystemFault, match="cannot be made|cannot be written|no such"):
        cosched.generate_pack(str(tmp_path / "no" / "where.json" / "at.json"), workload="random", tasks=3)
    (tmp_path / "jobs.swf").write_bytes(b"BZh91AY&SY")
    with pytest.raises(cosched.MissingPart, match="is packed with bzip2, which this build does not read"):
        cosched.JobLog(tmp_path / "jobs.swf")
    err = ffi.new("struct cs_error *")
    with pytest.raises(cosched.UsageError, match="was called wrongly"):
        lib.cs_case_arrow(ffi.NULL, ffi.NULL, err)
        fail(err)


def test_mistakes_are_exceptions_with_the_sentence_of_the_library(tmp_path):
    with pytest.raises(cosched.SystemFault, match="^none.csv: cannot be opened: No such file or directory$"):
        cosched.plan_pack("none.csv", 3)
    with pytest.raises(ValueError, match="pack-by-pack"):
        cosched.plan_pack(BAG, 4, policy="best")
    with pytest.raises(TypeError, match="no option prox"):
        cosched.plan_pack(BAG, prox=4)
    with pytest.raises(cosched.InputError, match="cannot be nan"):
        cosched.plan_pack(BAG, 4, time_limit=float("nan"))
    with pytest.raises(cosched.InputError):
        cosched.plan_pack({"a": {1: -5}}, 4)
    plan = cosched.plan_pack(BAG, 4)
    with pytest.raises(cosched.InputError, match="there is no variant 3"):
        plan.array("cost", 3)
    with pytest.raises(cosched.InputError, match="there is no run 9"):
        plan.schedule(0, 9)
    with pytest.raises(AttributeError, match="has no metric costs"):
        plan.costs
    with pytest.raises(ValueError, match="not a schedule"):
        cosched.Schedule("{}")
    broken = json.loads(plan.schedule()._text)
    broken["bars"][0]["procs"] = "0-99"
    assert not cosched.Schedule(json.dumps(broken)).check()
    broken["bars"][0]["procs"] = "0"
    path = tmp_path / "broken.json"
    cosched.Schedule(json.dumps(broken)).write(path)
    assert not cosched.check(path) and cosched.check(path).total > 0


def test_energy_and_patterns_are_those_of_the_tool():
    plan = cosched.plan_pack(BAG, 4).schedule()
    found = plan.energy("busy=350,idle=100")
    document = json.loads(plan._text)
    ends = [[int(end) for part in bar["procs"].split() for end in (part.split("-")[0], part.split("-")[-1])] for bar in document["bars"]]
    busy = sum((bar["end"] - bar["start"]) * sum(last - first + 1 for first, last in zip(end[::2], end[1::2]))
               for bar, end in zip(document["bars"], ends))
    assert found["joules"] == pytest.approx(250 * busy + 100 * 4 * document["makespan"])
    with pytest.raises(cosched.Error, match="idle 120 is more than busy 100"):
        plan.energy("busy=100,idle=120")
    priced = cosched.plan_pack(BAG, 4, watts="busy=350,idle=100").schedule()
    assert priced.document["energy"] == found
    young = cosched.pattern(memory_checkpoint=60, fail_stop_rate=1e-4, memory_recovery=45, downtime=30, segments=1, chunks=1)
    assert young["first_order"]["work"] == pytest.approx((2 * 60 / 1e-4) ** 0.5)
    with pytest.raises(cosched.Error, match="needs a rate of errors above 0"):
        cosched.pattern(memory_checkpoint=5)


def test_a_generator_returns_its_content_or_writes_a_file(tmp_path):
    bag = cosched.generate("pack", trap="three-partition", triples=2)
    assert bag["known"]["optimum"] == 2 and cosched.plan_pack(bag, procs=40, pack_size=3, policy="exact").cost == 2
    path = cosched.generate("volatile", tmp_path / "hosts.json", trap="biclique", planted_hosts=3, seed=2)
    assert json.loads(path.read_text()) == cosched.generate("volatile", trap="biclique", planted_hosts=3, seed=2)
    assert cosched.generate("rigid", trap="greedy", procs=4).startswith(b"# known: ")
    with pytest.raises(cosched.Error, match="^--triples: 0 is not a whole number from 1 on$"):
        cosched.generate("moldable", trap="three-partition", triples=0)
    with pytest.raises(cosched.Error, match="there is no generator of 'bags'; there are pack, "):
        cosched.generate("bags")


def test_warnings_are_warnings():
    with pytest.warns(cosched.Warning, match="nodes"):
        cosched.plan_pack(b"app,nodes,cores,seconds\na,1,4,100\na,2,8,60\n", 2)


@pytest.mark.filterwarnings("error")
def test_progress_is_told(jobs):
    seen = []
    cosched.simulate_rigid(jobs, 5000, scenarios=200, mean_failure_probability=0.3, threads=1, progress=seen.append)
    assert seen and all(0 <= share <= 1 for share in seen) and max(seen) == 1
    with pytest.raises(ZeroDivisionError):
        cosched.simulate_rigid(jobs, 5000, scenarios=200, threads=1, progress=lambda share: 1 / 0)


LONG = """
import sys, time, cosched
print("begun", flush=True)
try:
    cosched.simulate_rigid(sys.argv[1], 5000, policy="all", priority="all", scenarios=20000, mean_failure_probability=0.6)
except KeyboardInterrupt as stop:
    print(type(stop).__name__, cosched.simulate_rigid(sys.argv[1], 5000, scenarios=2).runs)
"""


def test_ctrl_c_stops_a_long_call(jobs):
    child = subprocess.Popen([sys.executable, "-c", LONG, str(jobs)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(2)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    assert child.communicate()[0] == "Stopped 2\n" and child.returncode == 0


def test_ctrl_c_that_comes_as_a_call_ends_is_stopped_too():
    with pytest.raises(cosched.Stopped):
        with watching():
            signal.raise_signal(signal.SIGINT)


def test_threads_run_beside_each_other(jobs):
    found = []

    def simulate(seed):
        found.append((seed, cosched.simulate_rigid(jobs, 5000, scenarios=2000, seed=seed, threads=1).makespan))

    threads = [threading.Thread(target=simulate, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, makespan in found:
        assert numpy.array_equal(makespan, cosched.simulate_rigid(jobs, 5000, scenarios=2000, seed=seed).makespan)


def test_the_interpreter_lock_is_released(jobs):
    """Another thread counts while a call runs; where the lock is held it can do so before and after it only."""
    call, ticks, done = [None], {}, threading.Event()

    def count():
        while not done.is_set():
            ticks[call[0]] = ticks.get(call[0], 0) + 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    for number in range(100):
        call[0] = number
        cosched.simulate_rigid(jobs, 5000, scenarios=20000, threads=1)
        call[0] = None
        if ticks.get(number, 0) > 10:
            break
    done.set()
    counter.join()
    assert max(ticks.get(number, 0) for number in range(100)) > 10, "the interpreter lock was released"


def test_arrays_outlive_their_study(jobs):
    column = cosched.simulate_rigid(jobs, 5000, scenarios=10).array("makespan")
    bars = cosched.plan_pack(BAG, 4).schedule().bars
    gc.collect()
    assert column.sum() > 0 and bars["end"].sum() > 0


def test_calls_leave_no_memory_behind():
    import resource
    for _ in range(300):
        cosched.plan_pack(BAG, 4, effort="fast").schedule().check()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1500):
        cosched.plan_pack(BAG, 4, effort="fast").schedule().check()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1500, "kilobytes"


def test_a_campaign_is_a_frame(tmp_path):
    sweep = {"problem": "pack", "replicates": 2, "set": {"input": os.path.abspath(example("quickstart.csv")), "procs": 8},
             "vary": [{"policy": ["one-by-one", "pack-by-pack"], "pack_size": [2, 3]}], "metrics": ["cost"]}
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(sweep))
    shares = []
    store = cosched.Campaign(tmp_path / "s.db").run(path, where={"replicate": [0, 1]}, threads=1, progress=shares.append)
    assert shares[0] == 0 and shares[-1] == 1 and shares == sorted(shares)
    told = json.loads(subprocess.run([TOOL, "campaign", "run", path, "--store", tmp_path / "s.db", "--format", "json"],
                                     capture_output=True, check=True).stdout)
    assert store.means().to_dict("records") == told and list(store.status().done) == [8]
    frame = store.frame()
    assert set(frame.policy) == {"one-by-one", "pack-by-pack"} and frame.cost.min() > 0
    assert list(store.documents().name) == ["sweep"]
    with pytest.raises(cosched.Error, match="which problem"):
        store.frame("rigid")
    sweep["replicates"] = 40
    with pytest.raises(ZeroDivisionError):
        store.run(sweep, foreign=True, progress=lambda share: 1 / 0)
    assert list(store.status().done)[1] < 160 and store.run(sweep).status().done[1] == 160
    assert len(cosched.Campaign(":memory:").run(sweep, "policy=one-by-one", shard=(1, 1)).means()) == 2
    with pytest.raises(cosched.InputError, match="nosuch"):
        store.run(sweep, ["policy=nosuch"])
    with pytest.raises(cosched.Error, match="has not been called"):
        cosched.Campaign(tmp_path / "s.db").means()


def test_papers_are_those_of_the_tool(tmp_path):
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/foreign/papers")
    listed = cosched.papers.list(folder)
    assert list(listed.name) == ["one"] and listed.runs[0] == 8
    shares = []
    found = cosched.papers.run("one", folder=folder, progress=shares.append)
    assert shares[0] == 0 and shares[-1] == 1 and shares == sorted(shares)
    out = tmp_path / "tool"
    told = json.loads(subprocess.run([TOOL, "paper", "run", "one", "--papers", folder, "-o", out, "--format", "json"],
                                     capture_output=True, check=True).stdout)
    assert told and found.claims[list(told[0])].to_dict("records") == told
    assert found.pictures["one"].svg == (out / "one.svg").read_text()
    page = (out / "one.md").read_text().replace("one.png", "one.svg")
    assert found.pages["one"] == page
    assert list(found.checks.relation) == ["<=", "between"] and "label" in found.checks and len(found.frame()) == 8 and "1 agree" in repr(found)
    kept = cosched.papers.run(["one"], folder=folder, output=tmp_path / "here", store=tmp_path / "s.db")
    assert kept.frame().equals(found.frame()) and kept.pages["one"].replace("one.png", "one.svg") == page
    assert list(cosched.Campaign(tmp_path / "s.db").status().done) == [8]
    other = cosched.papers.run("all", folder=folder, give={"jobs": 3}, seed=7).frame()
    assert not other.equals(found.frame())
    with pytest.raises(cosched.InputError, match='there is no paper "two"'):
        cosched.papers.run("two", folder=folder)
    with pytest.raises(cosched.InputError, match="none of these papers takes 'nosuch'"):
        cosched.papers.run("all", folder=folder, give={"nosuch": 1})
    with pytest.raises(ZeroDivisionError):
        cosched.papers.run("one", folder=folder, progress=lambda share: 1 / 0)


def test_former_names_stay_with_a_warning(tmp_path):
    """Study, ways, values, way= and value= of 0.2."""
    jobs = cosched.generate_rigid(tmp_path / "jobs.csv", jobs=20)
    case = cosched.simulate_rigid(jobs, 5000, policy=["easy", "greedy"], mean_failure_probability=0.3, scenarios=3)
    with pytest.warns(DeprecationWarning, match="ways is called variants now"):
        assert case.ways == case.variants
    with pytest.warns(DeprecationWarning, match="values is called metrics now"):
        assert case.values == case.metrics
    with pytest.warns(DeprecationWarning, match="way is called variant now"):
        assert case.schedule(way="greedy").makespan == case.schedule("greedy").makespan
    with pytest.warns(DeprecationWarning, match="value is called metric now"):
        assert numpy.array_equal(case.array(value="makespan", variant="easy"), case.array("makespan", "easy"))
    with pytest.warns(DeprecationWarning, match="cosched.Study is called cosched.Case now"):
        assert cosched.Study is type(case)
    with pytest.warns(DeprecationWarning, match="cosched.values is called cosched.metrics now"):
        assert cosched.values("rigid").equals(cosched.metrics("rigid"))
    with pytest.raises(AttributeError, match="no attribute 'Studies'"):
        cosched.Studies


@pytest.mark.parametrize("run, given, old, new", [
    ("plan_pack", {"inputs": BAG, "procs": 8}, {"hand_out": "all"}, {"assign": "all"}),
    ("plan_pack", {"inputs": BAG, "procs": 8}, {"fill": "step"}, {"interpolate": "measured"}),
    ("plan_moldable", {"inputs": BAG, "procs": 8}, {"fill": "power"}, {"interpolate": "power"}),
    ("plan_moldable", {"inputs": BAG, "procs": 8}, {"fewer": "scale"}, {"extrapolate": "scale"}),
    ("simulate_moldable", {"inputs": BAG, "procs": 8, "scenarios": 2}, {"fewer": "scale"}, {"extrapolate": "scale"}),
    ("simulate_malleable", {"inputs": BAG, "procs": 8, "mtbf": 1e6, "checkpoint": 9, "data": 1, "scenarios": 2},
     {"fill": "step"}, {"interpolate": "measured"}),
    ("simulate_volatile", {"inputs": example("hosts.json"), "policy": "ie", "scenarios": 2}, {"singles": "yes"}, {"single_hosts": "yes"}),
    ("simulate_volatile", {"inputs": example("hosts.json"), "policy": "ie", "scenarios": 2}, {"patience": 9}, {"search_limit": 9}),
    ("simulate_volatile", {"inputs": example("hosts.json"), "policy": "rate", "scenarios": 2, "model": "fitted", "history": 300},
     {"belief": "product-limit"}, {"lifetime_model": "kaplan-meier"}),
])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_former_names_of_parameters_give_the_same_with_a_warning(run, given, old, new):
    (name, value), (today, word) = *old.items(), *new.items()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        now = getattr(cosched, run)(**given, **new)
    with pytest.warns(DeprecationWarning, match="'%s' is now called '%s'" % (name.replace("_", "."), today)) as found:
        then = getattr(cosched, run)(**given, **old)
    assert len(found) == 1 and (value == word) == ("'%s' is now called '%s'" % (value, word) not in str(found[0].message))
    pandas.testing.assert_frame_equal(then.outcomes.drop(columns=["milliseconds", "seconds"], errors="ignore"),
                                      now.outcomes.drop(columns=["milliseconds", "seconds"], errors="ignore"))
    with pytest.raises(cosched.InputError, match="are the same: give one of them"):
        getattr(cosched, run)(**given, **old, **new)


@pytest.mark.parametrize("run, given, old, new", [
    ("simulate_moldable", {"inputs": BAG, "procs": 8, "scenarios": 3}, "held", "allocated"),
    ("simulate_moldable", {"inputs": BAG, "procs": 8, "scenarios": 3}, "useful", "efficiency"),
    ("simulate_malleable", {"inputs": BAG, "procs": 8, "mtbf": 1e6, "checkpoint": 9, "data": 1, "scenarios": 3}, "struck", "failures_hit"),
    ("simulate_malleable", {"inputs": BAG, "procs": 8, "mtbf": 1e6, "checkpoint": 9, "data": 1, "scenarios": 3}, "moved", "procs_moved"),
])
def test_former_names_of_metrics_give_the_same_with_a_warning(run, given, old, new):
    case = getattr(cosched, run)(**given)
    assert new in case.outcomes.columns and old not in case.outcomes.columns
    for read in (lambda name: case.array(name, 0), lambda name: list(case.figures(name, 0).values()),
                 lambda name: list(case.compare(name, 0).values()), lambda name: getattr(case, name)):
        with pytest.warns(DeprecationWarning, match="the metric '%s' is now called '%s'" % (old, new)) as found:
            then = read(old)
        assert len(found) == 1 and numpy.array_equal(then, read(new), equal_nan=True)


def test_a_former_name_generates_the_same(tmp_path):
    with pytest.warns(DeprecationWarning, match="'combination' is now called 'set'"):
        cosched.generate_ptg(tmp_path / "then.json", combination=3)
    assert (tmp_path / "then.json").read_bytes() == cosched.generate_ptg(tmp_path / "now.json", set=3).read_bytes()


def test_deadlines_by_the_spelling_of_0_2():
    """The same runs; metrics are read under both names; a warning."""
    job = dict(work="3h", deadline="5h", change_over="10min", scenarios=5)
    now = cosched.simulate_spot(example("spot.csv"), policy="table", **job)
    for inputs in (None, example("hosts.json")):
        with pytest.warns(UserWarning, match="is the problem spot now"):
            then = cosched.simulate_volatile(inputs, trace=example("spot.csv"), buyer="table", **job)
        assert then.problem == "spot" and then.text("runs") == now.text("runs")
        for old, new in (("least", "clairvoyant_cost"), ("over_least", "over_clairvoyant"), ("took", "elapsed")):
            assert list(then.array(old)) == list(now.array(new))
    with pytest.raises(cosched.InputError, match="iterations"):
        cosched.simulate_volatile(None, trace=example("spot.csv"), iterations=3, **job)
