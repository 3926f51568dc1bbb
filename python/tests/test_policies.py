"""Policies in Python: as good as those in C, and what goes wrong is one exception."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import cosched


class Greedy(cosched.RigidPolicy):
    def decide(self, view):
        start, free = [], view.free
        for job in self.waiting:
            if self.jobs[job].procs <= free:
                start.append(job)
                free -= self.jobs[job].procs
        return start


class Raises(Greedy):
    def decide(self, view):
        return [1 / 0]


class Wrong(Greedy):
    def decide(self, view):
        return [10 ** 6]


@pytest.fixture(name="jobs")
def _jobs(tmp_path):
    return cosched.generate_rigid(str(tmp_path / "jobs.csv"), jobs=25)


def test_python_is_as_good_as_c(jobs):
    for more in ({"mean_failure_probability": 0.3}, {"priority": "random", "verification": 3}):
        study = cosched.simulate_rigid(jobs, 5000, policy=["greedy", Greedy], scenarios=10, **more)
        ours, theirs = study.array("makespan", "greedy"), study.array("makespan", "program")
        assert list(ours) == list(theirs) and len(set(ours)) > 1
        assert study.schedule("program", 3).check()


def test_where_jobs_arrive():
    log = os.path.join(os.environ["COSCHED_EXAMPLES"], "monday.swf")
    study = cosched.simulate_rigid(log, policy=["greedy", Greedy()], arrivals=True, scenarios=3, mean_failure_probability=0.1)
    assert list(study.array("mean_wait", "greedy")) == list(study.array("mean_wait", "program"))


def test_an_exception_is_the_cause(jobs):
    with pytest.raises(cosched.PolicyError, match="policy program: ZeroDivisionError: division by zero") as caught:
        cosched.simulate_rigid(jobs, 5000, policy=Raises, scenarios=2)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(cosched.PolicyError, match="starts job 1000000, which does not wait"):
        cosched.simulate_rigid(jobs, 5000, policy=Wrong(), scenarios=2)
    with pytest.raises(cosched.InputError, match="one policy in Python at a time"):
        cosched.simulate_rigid(jobs, 5000, policy=[Greedy, Wrong])
    with pytest.raises(cosched.PolicyError, match="has no decide"):
        cosched.simulate_rigid(jobs, 5000, policy=cosched.RigidPolicy)


def test_policies_are_put_to_the_test():
    assert len(cosched.test_policy(Greedy, instances=3)) == 3

    class Fickle(Greedy):
        calls = 0

        def decide(self, view):
            Fickle.calls += 1
            start = super().decide(view)
            return start[:1] if Fickle.calls > 60 else start

    with pytest.raises(cosched.PolicyError, match="decides otherwise"):
        cosched.test_policy(Fickle, instances=10)


def test_threads_end(jobs):
    before = set(threading.enumerate())
    for _ in range(5):
        cosched.simulate_rigid(jobs, 5000, policy=Greedy, scenarios=1)
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
    assert set(threading.enumerate()) <= before


def test_a_file_is_a_program(jobs, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import cosched\nfrom test_policies import Greedy\ncosched.serve(Greedy())\n")
    command = "PYTHONPATH=%s:%s %s %s" % (os.path.dirname(__file__), os.path.dirname(os.path.dirname(cosched.__file__)), sys.executable, path)
    study = cosched.simulate_rigid(jobs, 5000, policy=["greedy", "program"], policy_program=command, scenarios=2, threads=1)
    assert list(study.array("makespan", "greedy")) == list(study.array("makespan", "program"))


def test_interrupt(jobs):
    code = ("import cosched, sys\nsys.path.insert(0, %r)\nfrom test_policies import Greedy\nprint('go', flush=True)\n"
            "try: cosched.simulate_rigid(%r, 5000, policy=Greedy, scenarios=100000)\n"
            "except KeyboardInterrupt: print('stopped', flush=True)\n" % (os.path.dirname(__file__), jobs))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "go\n"
        threading.Event().wait(0.5)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "stopped\n"
