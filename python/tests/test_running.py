"""Runs of real programs from Python: small ones, that really run."""

import os
import signal
import subprocess
import threading

import cosched
import pytest

JOBS = b"name,procs,seconds\na,1,10\nb,1,20\nc,2,5\n"


def test_a_dry_run_is_what_then_runs(tmp_path):
    line = ("/bin/sh", "-c", "echo I am $0", "{name}")
    dry = cosched.run_dry(JOBS, line, slots=2)
    assert dry.makespan == dry.schedule.makespan == 25 and dry.slots == 2
    assert dry.schedule.check()
    assert list(dry.starts["command"])[0][-1] in "abc" and set(dry.starts["task"]) == {"a", "b", "c"}
    shares = []
    done = cosched.run(JOBS, tmp_path / "run", line, slots=2, oversubscribe=True, progress=shares.append)
    assert done and done.done == done.tasks == 3 and done.folder == str(tmp_path / "run") and "3 of 3" in repr(done)
    assert shares[-1] == 1 and shares == sorted(shares)
    assert (tmp_path / "run/a/000/000001.out").read_text().startswith("I am ")
    assert set(cosched.run_status(tmp_path / "run")["state"]) == {"done"} and cosched.run_schedule(tmp_path / "run").check()


def test_a_run_file_may_be_a_dict(tmp_path, monkeypatch):
    (tmp_path / "jobs.csv").write_bytes(JOBS)
    monkeypatch.chdir(tmp_path)
    document = {"format": "cosched-run-1", "input": "jobs.csv", "task": {"command": ["/bin/true"]}}
    assert cosched.run_dry(document, slots=2).makespan == 25
    with pytest.raises(cosched.InputError, match="^the table: .*input") as caught:
        cosched.run_dry({**document, "input": 5}, slots=2)
    assert caught.value.file in (None, "the table")


def test_what_fails_is_told_and_tried_again(tmp_path):
    line = ("/bin/sh", "-c", "test -e ok || test $0 != b", "{name}")
    with pytest.warns(cosched.Warning, match=r"task b: failed \(status 1\), for good after 1 try"):
        run = cosched.run(JOBS, tmp_path / "run", line, slots=2, oversubscribe=True, settings={"retries": 0, "cwd": str(tmp_path)})
    assert not run and (run.done, run.failed) == (2, 1)
    (tmp_path / "ok").touch()
    assert cosched.run_resume(run.folder, retry_failed=True)


def test_ctrl_c_stops_and_a_child_of_ours_is_left_alone(tmp_path):
    child = subprocess.Popen(["/bin/sh", "-c", "exit 7"])
    timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(cosched.Stopped, match="goes on"):
        cosched.run(JOBS, tmp_path / "run", ("sleep", "2"), slots=2, oversubscribe=True)
    timer.join()
    assert child.wait() == 7 and "waiting" in set(cosched.run_status(tmp_path / "run")["state"])
    assert cosched.run_resume(tmp_path / "run")


def test_mistakes_are_told(tmp_path):
    with pytest.raises(TypeError, match="there is no option speed"):
        cosched.run_dry(JOBS, ("true",), speed=3)
    with pytest.raises(cosched.InputError, match="no such program"):
        cosched.run(JOBS, tmp_path / "run", ("no-such-program",))
    with pytest.raises(cosched.InputError, match="nothing to resume"):
        cosched.run_resume(tmp_path)
    with pytest.raises(ZeroDivisionError):
        cosched.run(JOBS, tmp_path / "other", ("true",), slots=2, oversubscribe=True, progress=lambda share: 1 / 0)
