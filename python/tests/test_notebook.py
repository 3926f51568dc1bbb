"""What a notebook meets: frames of other shapes, plans as pictures, mistakes as sentences."""

import os
import pickle
import subprocess
import warnings

import numpy
import pandas
import pytest

import cosched

EXAMPLES = os.environ["COSCHED_EXAMPLES"]
BAG = {"a": {1: 640, 2: 340}, "b": {1: 500, 4: 150}}


def example(name):
    return os.path.join(EXAMPLES, name)


def test_frames_have_the_columns_of_files():
    formula = pandas.DataFrame({"app": ["a", "b", "c"], "seconds": [1000.0, 500.0, 90.0], "seq_fraction": [0.1, 0.05, None]})
    with_gap = formula.assign(seq_fraction=[0.1, 0.05, 0.0])
    assert cosched.plan_pack(with_gap, 4).cost == pytest.approx(cosched.plan_pack(
        b"app,seconds,seq_fraction\na,1000.0,0.1\nb,500.0,0.05\nc,90.0,0.0\n", 4).cost, rel=0)
    with pytest.raises(cosched.InputError):
        cosched.plan_pack(formula, 4)


@pytest.mark.filterwarnings("ignore::cosched.Warning")
def test_missing_values_and_lists_are_written_as_in_files(tmp_path):
    frame = pandas.DataFrame({"app": ["a", "a", "b", "c"], "procs": [1, 2, 1, 1], "seconds": [10.5, 6.0, 4.0, 2.0], "gpus": [1, 2, None, None], "memory": ["2G", "2G", None, "1G"],
                              "after": [None, None, ["a"], ["a", "b"]]}).astype({"procs": "Int64"})
    plan = cosched.plan_moldable(frame, 2, resource={"gpus": 2, "memory": "4G"})
    assert plan.check() and plan.schedule().document["command"].endswith("--resource gpus=2,memory=4G")
    starts = plan.schedule().to_frame().set_index("name")
    assert starts.start["b"] >= starts.end["a"] and starts.start["c"] >= starts.end["b"] and cosched.plan_moldable(frame[["app", "procs", "seconds"]], 2).makespan < plan.makespan
    plan.write(tmp_path / "plan.json", inputs=tmp_path / "bag.csv")
    assert (tmp_path / "bag.csv").read_text() == "app,procs,seconds,gpus,memory,after\na,1,10.5,1,2G,\na,2,6.0,2,2G,\nb,1,4.0,,,a\nc,1,2.0,,1G,a;b\n"


def test_a_document_may_be_a_dict():
    document = {"format": "cosched-workload-1", "tasks": [{"name": "a", "points": [[1, 640], [2, 340]]}, {"name": "b", "points": [[1, 500], [4, 150]]}]}
    assert cosched.plan_moldable(document, 4).makespan == cosched.plan_moldable(BAG, 4).makespan == 490
    with pytest.raises(cosched.InputError, match="^the table: "):
        cosched.plan_moldable({**document, "tasks": [{"name": "a"}]}, 4)


@pytest.mark.parametrize("wrong, says", [
    (pandas.DataFrame({"name": ["a"], "time": [3]}), "the frame has no column app: it has name, time"),
    (pandas.DataFrame({"app": ["a"], "time_of_it": [3]}), "^the frame:1: the header lacks the column"), (b"app,procs\n", "^the bytes:1: "),
    ({"a": {0: 5.0}}, "^the table:2: "),
    ({"a": 5.0}, "a: 5.0 is no dict {processors: seconds}"), (42, "a path, a list of paths, bytes.* is wanted, not 42"),
    ([None], "not None")])
def test_what_is_no_input_is_told(wrong, says):
    with pytest.raises(cosched.InputError, match=says):
        cosched.plan_pack(wrong, 4)


def test_a_plan_says_what_it_costs_and_draws_itself(tmp_path):
    plan = cosched.plan_moldable(example("quickstart.csv"), 8)
    assert repr(plan) == "<cosched.Case: plan moldable, default effort, makespan %.6g>" % plan.makespan
    assert plan.gantt(width="8.5cm", style="grey").svg == plan.gantt(width=321, style="grey").svg != plan.gantt(width=321).svg
    for picture in (cosched.plot(plan, width="8.5cm", style="grey"), plan.schedule().gantt(width="8.5cm", style="grey"),
                    cosched.plot(plan.schedule(), width=321, style="grey")):
        assert picture.svg == cosched.plot(plan, width=321, style="grey").svg and 'width="321"' in picture.svg
    assert "</html>" in cosched.report([plan]) and not [name for name in plan.summary() if "confidence" in name]
    for wrong in ("8.5 furlong", float("nan"), -1, None):
        with pytest.raises(cosched.InputError, match="width cannot be .*: a length is wanted"):
            cosched.plot(plan, width=wrong)
    study = cosched.simulate_malleable(example("applications.csv"), 64, mtbf="5y", scenarios=2)
    with pytest.raises(cosched.InputError, match="has many runs"):
        cosched.plot(study)


def test_variants_are_distinguished():
    study = cosched.simulate_malleable(example("applications.csv"), 64, mtbf="100d", scenarios=4, on_end=["none", "local"], on_failure=["none", "stf"])
    assert list(study.array("makespan", ("local", "none"))) == list(study.arrays()["makespan"][8:12])
    with pytest.raises(cosched.InputError, match="'none' is more than one of the variants"):
        study.compare("makespan", reference="none")
    with pytest.raises(cosched.InputError, match="there are several variants, and one is wanted"):
        study.gantt()
    assert "4 runs each" in repr(study)


def test_a_policy_that_has_no_plan_is_told():
    with pytest.warns(cosched.Warning, match="ilp: there is no plan: .*too many"):
        made = cosched.plan_pack(example("archer2.csv"), 40, policy=["exact", "ilp"])
    assert numpy.isnan(made.cost[("ilp",)][0]) and made.cost[("exact",)][0] > 0

    class Fails(cosched.PackPolicy):
        def plan(self, instance):
            raise ZeroDivisionError("hm")

    with pytest.raises(cosched.PolicyError, match="hm") as caught:
        cosched.plan_pack(example("quickstart.csv"), 8, policy=["exact", Fails])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(cosched.InputError, match="policy cannot be a function"):
        cosched.plan_pack(example("quickstart.csv"), 8, policy=lambda instance: [])


def test_plans_are_judged_by_what_they_were_made_from(tmp_path):
    times = {"a b's": {1: 640.0, 2: 340.0}, "c": {1: 500.0, 4: 150.0}}
    for plan in (cosched.plan_pack(times, 4), cosched.plan_moldable(times, 4, policy="exact")):
        assert plan.check().verdict == "valid"
        plan.write(tmp_path / "plan.json", inputs=tmp_path / "times.csv")
        assert cosched.check(tmp_path / "plan.json", against=tmp_path / "times.csv").verdict == "valid"
        (tmp_path / "times.csv").write_text((tmp_path / "times.csv").read_text().replace("640", "641"))
        assert not cosched.check(tmp_path / "plan.json", against=tmp_path / "times.csv")
        done = subprocess.run([os.environ["COSCHED_TOOL"], "check", str(tmp_path / "plan.json"), "--against", str(tmp_path / "times.csv")], capture_output=True, check=False)
        assert done.returncode == 1
        with pytest.raises(cosched.InputError, match="inputs: 2 given, it was made from 1"):
            plan.write(tmp_path / "plan.json", inputs=["a.csv", "b.csv"])
    several = cosched.plan_pack(times, 4, policy=["exact", "pack-by-pack"])
    assert several.check("exact") and several.check("pack-by-pack") and " --policy exact" in several.schedule("exact").document["command"]
    study = cosched.simulate_malleable(example("applications.csv"), 64, mtbf=86400.0 * 365, scenarios=3, on_end=["none", "local"])
    assert study.check("local", scenario=2) and "31536000.0s" in study.schedule(1).document["command"]


def test_a_log_is_replayed_as_it_was_read():
    with pytest.warns(cosched.Warning):
        log = cosched.JobLog(example("sacct.txt"), unit="nodes", zone="Europe/Berlin")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        log.to_frame(), log.arrays()
    assert "<table" in log._repr_html_()
    with pytest.warns(cosched.Warning, match="recorded|mean wait"):
        mine, theirs = cosched.replay(log, nodes=16), cosched.replay(example("sacct.txt"), nodes=16, unit="nodes", zone="Europe/Berlin")
    assert mine.result["rows"] == theirs.result["rows"]


@pytest.mark.filterwarnings("ignore::cosched.Warning")
def test_a_frame_becomes_a_log():
    frame = cosched.JobLog(example("sacct.txt"), zone="UTC").to_frame()
    frame["seconds"] = frame["seconds"] + 0.25
    again = cosched.JobLog.from_frame(frame, procs=512).to_frame()
    for name in ("id", "submit", "seconds", "requested", "procs"):
        assert numpy.array_equal(again[name], frame[name], equal_nan=name == "requested"), name
    assert numpy.allclose(again["start"], frame["start"], rtol=0, atol=1e-6)
    assert len(set(zip(frame["user"], again["user"]))) == frame["user"].nunique() == again["user"].nunique()
    assert cosched.replay(cosched.JobLog.from_frame(frame, procs=512)).rows["mean_wait_of_jobs"].notna().all()
    dated = pandas.DataFrame({"submit": pandas.to_datetime(["2024-05-01 10:00:01", "2024-05-01 10:00:00"]), "seconds": [5, 7.5], "procs": [1, 2]})
    assert list(cosched.JobLog.from_frame(dated).to_frame()["submit"]) == [0, 1] and cosched.replay(cosched.JobLog.from_frame(dated, procs=2)).rows is not None
    assert len(cosched.JobLog.from_frame({"submit": [0], "seconds": [1], "procs": [1]})) == 1
    for wrong, says in (({"submit": [0]}, "no column seconds"), ({"submit": [0], "seconds": [0], "procs": [1]}, "job 0: .* seconds 0.0"),
                        ({"submit": [0], "seconds": [1], "procs": [1.5]}, "procs 1.5"), ({"submit": ["x"], "seconds": [1], "procs": [1]}, "are numbers")):
        with pytest.raises(cosched.InputError, match=says):
            cosched.JobLog.from_frame(wrong)


def test_a_log_without_starts_has_no_row_of_them():
    with pytest.warns(cosched.Warning, match="no row of what was recorded"):
        replayed = cosched.replay(example("monday.swf"), policy=["easy", "fcfs"])
    assert repr(replayed) == "<cosched.Replay: 120 jobs, easy, fcfs>" and replayed.schedule("fcfs").check()


def test_files_that_are_none_are_told(tmp_path):
    with pytest.raises(cosched.InputError, match="quickstart.csv: not a schedule of cosched: this is no JSON"):
        cosched.check(example("quickstart.csv"))
    with pytest.raises(cosched.InputError, match="clusters.json: not a schedule of cosched: the key format"):
        cosched.Schedule.read(example("clusters.json"))
    for ask in (cosched.Campaign.frame, cosched.Campaign.documents, cosched.Campaign.to_frame, cosched.Campaign.status):
        with pytest.raises(cosched.SystemFault, match="there is no such store"):
            ask(cosched.Campaign(tmp_path / "none.db"))
    with pytest.raises(cosched.InputError, match="there is no problem 'rgid'; there are pack"):
        cosched.policies("rgid")
    assert cosched.InputError.__module__ == "cosched"


def test_paths_may_have_any_bytes_but_zero(tmp_path):
    odd = os.fsdecode(bytes(tmp_path) + b"/caf\xe9.csv")
    with open(example("quickstart.csv"), "rb") as file, open(odd, "wb") as copy:
        copy.write(file.read())
    plan = cosched.plan_pack(odd, 8)
    assert plan.cost == cosched.plan_pack(example("quickstart.csv"), 8).cost
    plan.write(os.fsdecode(bytes(tmp_path) + b"/plan\xe9.json"))
    assert cosched.what(odd)["kind"] and plan.check() and plan.schedule().makespan > 0
    for call in (lambda: cosched.plan_pack("a\0b", 8), lambda: cosched.what(example("monday.swf") + "\0.txt"), lambda: cosched.plan_pack(BAG, 4, policy="exact\0")):
        with pytest.raises(cosched.InputError, match="has a 0 in it"):
            call()


def test_the_same_dict_gives_the_same_bytes(tmp_path):
    texts = set()
    for path in ("one.json", "two.json"):
        cosched.plan_pack(BAG, 4).write(tmp_path / path, inputs=tmp_path / "bag.csv")
        texts.add((tmp_path / path).read_bytes())
    replays = {cosched.replay(cosched.JobLog.from_frame({"submit": [0.0], "seconds": [9.0], "procs": [4]}), 4)._source()[1] for _ in range(2)}
    assert len(replays) == 1 and "/cosched-" not in "".join(replays | {one.decode() for one in texts})
    assert len(texts) == 1 and cosched.check(tmp_path / "one.json", against=tmp_path / "bag.csv")


def test_what_cannot_be_pickled_says_what_can():
    plan, log = cosched.plan_pack(BAG, 4), cosched.JobLog(example("monday.swf"))
    with pytest.raises(TypeError, match="schedule.., which can"):
        pickle.dumps(plan)
    with pytest.raises(TypeError, match="jobs.. or schedule.., which can"):
        pickle.dumps(cosched.replay(log))
    assert pickle.loads(pickle.dumps(plan.schedule())).makespan == plan.schedule().makespan
    assert len(pickle.loads(pickle.dumps(log))) == len(log)


class Mine(cosched.PackPolicy):
    def plan(self, instance):
        return [[(task, 1)] for task in range(len(instance.tasks))]


def test_a_sweep_may_have_numbers_of_numpy_and_says_where_policies_go(tmp_path):
    sweep = {"problem": "pack", "set": {"input": tmp_path / "bag.csv", "procs": numpy.int64(2)}, "vary": [{"policy": ["one-by-one"]}], "metrics": ["cost"]}
    (tmp_path / "bag.csv").write_text("app,procs,seconds\na,1,640\nb,1,500\n")
    assert len(cosched.Campaign(":memory:").run(sweep).means()) == 1
    with pytest.raises(cosched.InputError, match=r"end a file with cosched.serve\(Mine\(\)\)"):
        cosched.Campaign(":memory:").run({**sweep, "vary": [{"policy": ["one-by-one", Mine]}]})
    with pytest.raises(cosched.InputError, match="a sweep cannot hold"):
        cosched.Campaign(":memory:").run({**sweep, "metrics": {1, 2}})
