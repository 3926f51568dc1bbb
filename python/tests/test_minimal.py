"""What works without numpy, pandas and a place for temporary files."""

import subprocess
import sys
import warnings

import pytest

import cosched

BLOCK = """
import sys
for name in {names!r}:
    sys.modules[name] = None
import cosched
"""


def run(code, names=("numpy", "pandas", "matplotlib"), **options):
    """The output of a program in which these packages cannot be imported."""
    done = subprocess.run([sys.executable, "-c", BLOCK.format(names=list(names)) + code], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_plan_needs_neither_numpy_nor_pandas():
    said = run("""
plan = cosched.plan_moldable({"a": {1: 640, 2: 340}, "b": {1: 500, 4: 150}}, procs=4)
print(plan.makespan, plan, plan.check(), plan.schedule().tasks, len(plan.gantt().svg) > 1000, "memory:" in plan.text(), plan._repr_mimebundle_()[0].keys() >= {"image/svg+xml"})
assert "numpy" not in [name for name, module in sys.modules.items() if module]
""")
    assert said == "490.0 <cosched.Case: plan moldable, default effort, makespan 490> <cosched.Check: valid> ['a', 'b'] True False True\n"


def test_replays_logs_and_sweeps_need_none_of_them():
    assert run("""
log = cosched.JobLog.from_frame({"submit": [0, 1.5, 3], "seconds": [10, 20, 5], "procs": [1, 2, 1], "user": ["a", None, "a"]}, procs=2)
import warnings
warnings.simplefilter("ignore")
print(len(log), cosched.replay(log, policy=["easy", "fcfs"]).result["rows"][1]["jobs"])
case = cosched.simulate_rigid(log, 2, policy=["easy", "fcfs"], scenarios=3)
print(case.figures("makespan", "easy")["mean"], case.compare("makespan", 1)["pairs"], case)
""") == "3 3\n30.0 3 <cosched.Case: simulate rigid, easy lpt, fcfs lpt, 3 runs each>\n"


@pytest.mark.parametrize("code, says", [
    ("case.outcomes", "frames need pandas"), ("case.summary()", "frames need pandas"), ("case.array('makespan')", "arrays need numpy"),
    ("case.arrays()", "arrays need numpy"), ("case.schedule().to_frame()", "frames need pandas"), ("case.schedule().bars", "arrays need numpy"),
    ("cosched.policies('pack')", "frames need pandas"), ("cosched.run_status('x')", "frames need pandas")])
def test_what_needs_them_names_the_package(code, says):
    said = run("""
case = cosched.simulate_rigid(b"name,procs,seconds\\na,1,10\\n", 2, policy="easy", scenarios=2, mean_failure_probability=0.1)
try:
    %s
except cosched.MissingPart as error:
    assert isinstance(error, ImportError)
    print(error)
""" % code)
    assert said.startswith(says + ", which cannot be imported: install it, for example by pip install " + says.split()[-1])


def test_inputs_in_memory_need_no_temporary_file(tmp_path):
    strace = """
import builtins, tempfile, os
def refuse(*words, **named):
    raise AssertionError("a temporary file")
tempfile.mkdtemp = tempfile.mkstemp = tempfile.NamedTemporaryFile = os.mkdir = refuse
plan = cosched.plan_pack({"a": {1: 640, 2: 340}}, procs=2)
bytes_ = cosched.plan_pack(b"app,procs,seconds\\na,1,640\\na,2,340\\n", procs=2)
print(plan.cost, bytes_.cost, plan.check(), cosched.simulate_moldable([{"a": {1: 640}}], 2, scenarios=2).runs)
"""
    assert run(strace, cwd=tmp_path, env={"TMPDIR": "/nowhere", "PYTHONPATH": ":".join(sys.path)}) == "340.0 340.0 <cosched.Check: valid> 2\n"
    assert not list(tmp_path.iterdir())


GARBAGE = [b"", b"{}", b"[1", b"a,b\n1,2\n", b"app,procs,seconds\na,1,x\n", b"name,procs,seconds\na,0,1\n", b"; MaxProcs: 4\n1 2 x\n", b"\x1f\x8bbroken",
           b'{"format": "cosched-schedule-1", "bars": 3}', b'{"format": "cosched-workload-1", "tasks": [{}]}', b'{"format": "cosched-hosts-1"}', b'{"format": "cosched-run-1"}',
           b"JobID|User\n1|ann|x\n", b"digraph { a -> b }", b"<platform/>", b"PAR1"]
CALLS = {
    **{name: getattr(cosched, name) for name in cosched.__all__ if name.startswith(("plan_", "simulate_"))}, "replay": lambda one: cosched.replay(one, 4), "log": cosched.JobLog,
    "convert": lambda one: cosched.convert(one, "/nowhere/x.swf", "swf"), "dry": lambda one: cosched.run_dry(one, ("true",), slots=2),
    "jobs": lambda one: cosched.check_jobs(one, b"; MaxProcs: 4\n"), "against": lambda one: cosched.plan_pack({"a": {1: 2.0}}, 1).schedule().check(one)}


@pytest.mark.parametrize("call", CALLS)
def test_messages_have_no_paths_of_documents_in_memory(call):
    for garbage in GARBAGE:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            try:
                said = repr(CALLS[call](garbage))
            except cosched.Error as error:
                said = "%s %s" % (error, error.file)
        assert "memory:" not in said + " ".join(str(one.message) for one in found), garbage
