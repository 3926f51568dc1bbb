"""Policies in Python, asked by the library over a socket in the words of docs/policies.md."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import socket
import sys
import tempfile
import threading
from typing import IO, Any, Mapping, NamedTuple, Sequence

from cosched._core import InputError, PolicyError, needed
from cosched._types import Frame
from cosched.own import MalleablePolicy, MoldablePolicy, PackPolicy, Policy, PtgStrategy, VolatilePolicy


class Job(NamedTuple):
    """What a job needs: processors, expected seconds; jobs queue by rank."""

    procs: int
    seconds: float
    rank: tuple[float, ...]


class Attempt(NamedTuple):
    """What runs: a job, its processors, when it is expected to end."""

    job: int
    procs: int
    end: float


class View(NamedTuple):
    """The machine now: the time, free processors, a list of attempts by their ends."""

    now: float
    free: int
    running: list[Attempt]



class RigidPolicy(Policy):
    """A policy of the problem rigid: override what you need, decide at least.

    self.jobs is a dict of cosched.foreign.Job by number, self.procs the size of the machine, self.verification what an
    attempt takes longer than its seconds, self.waiting the numbers of the jobs that wait, the most urgent first.
    """

    problem: str | None = "rigid"
    procs: int = 0
    verification: float = 0.0
    jobs: dict[int, Job] = {}
    batch: dict[int, Job] = {}
    waiting: list[int] = []

    def begin(self) -> None:
        """From the beginning: nothing runs; in a batch every job waits."""

    def arrived(self, job: int) -> None:
        """The job is new, and waits."""

    def failed(self, job: int) -> None:
        """Its attempt ended with an error: it waits again."""

    def succeeded(self, job: int) -> None:
        """It is done."""

    def withdrawn(self, job: int) -> None:
        """It waits no more."""

    def decide(self, view: View) -> Sequence[int]:
        """The jobs that start now: a list of those that wait, which fit on view.free processors together."""
        raise NotImplementedError("%s has no decide(view)" % type(self).__name__)

    def _answer(self, message, ask):
        if message["event"] == "decide":
            return {"start": _decide(self, message)}
        _EVENTS[message["event"]](self, message)
        return None


def _queue(policy, job):
    policy.waiting.append(job)
    policy.waiting.sort(key=lambda one: policy.jobs[one].rank)


def _machine(policy, message):
    policy.machine, policy.procs, policy.verification = message, message["procs"], message["verification"]
    policy.batch = {job["job"]: Job(job["procs"], job["seconds"], (job["job"],)) for job in message["jobs"]}


def _begin(policy, _message):
    policy.jobs = dict(policy.batch)
    policy.waiting = sorted(policy.jobs)
    policy.begin()


def _arrived(policy, message):
    policy.jobs[message["job"]] = Job(message["procs"], message["seconds"], tuple(message["rank"]))
    _queue(policy, message["job"])
    policy.arrived(message["job"])


def _failed(policy, message):
    _queue(policy, message["job"])
    policy.failed(message["job"])


def _withdrawn(policy, message):
    if message["job"] in policy.waiting:
        policy.waiting.remove(message["job"])
    policy.withdrawn(message["job"])


def _decide(policy, message):
    running = [Attempt(one["job"], one["procs"], one["end"]) for one in message["running"]]
    start = [int(job) for job in policy.decide(View(message["now"], message["free"], running))]
    for job in start:
        if job in policy.waiting:
            policy.waiting.remove(job)
    return start


_EVENTS = {"machine": _machine, "begin": _begin, "arrived": _arrived, "failed": _failed, "withdrawn": _withdrawn,
           "succeeded": lambda policy, message: policy.succeeded(message["job"])}


def serve(policy: Policy, given: IO[str] | None = None, answers: IO[str] | None = None) -> None:
    """Answer as the policy does until there are no more questions: the program of a policy of the tool is
    `cosched.serve(MyPolicy())`."""
    given, answers = given or sys.stdin, answers or sys.stdout

    def say(answer):
        print(json.dumps(answer), file=answers, flush=True)

    def ask(answer):
        say(answer)
        line = given.readline()
        if not line:
            raise EOFError("nobody answers: the run is over")
        return json.loads(line)

    for line in iter(given.readline, ""):
        answer = policy._answer(json.loads(line), ask)  # pylint: disable=protected-access
        if answer is not None:
            say(answer)


class _Served:
    """A policy, and a thread that answers for it."""

    def __init__(self, policy):
        self.policy = policy() if isinstance(policy, type) else policy
        self.error = None
        self.theirs, self.ours = socket.socketpair()
        self.command = "fd:%d" % self.theirs.fileno()
        self.thread = threading.Thread(target=self._run, name="cosched policy", daemon=True)
        self.thread.start()

    def _run(self):
        with contextlib.suppress(OSError), self.ours, self.ours.makefile("r", encoding="utf-8") as given, self.ours.makefile("w", encoding="utf-8") as answers:
            try:
                serve(self.policy, given, answers)
            except BaseException as error:  # pylint: disable=broad-except
                self.error = error
                print(json.dumps({"error": "%s: %s" % (type(error).__name__, error)}), file=answers, flush=True)

    def close(self):
        """No more questions; a policy that still thinks about the last one is ended in its next line of Python."""
        try:
            self.theirs.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.theirs.close()
        if self.thread.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread.ident), ctypes.py_object(SystemExit))


def _is_policy(one):
    return isinstance(one, Policy) or (isinstance(one, type) and issubclass(one, Policy))


def served(options: Mapping[str, Any], problem: str) -> tuple[Mapping[str, Any], Any]:
    """The options of a run of that problem, with "program" where a policy in Python stands, and who serves it; None when there is none."""
    listed = {key: list(given) if isinstance(given, (list, tuple)) else [given] for key, given in options.items()}
    listed = {key: given for key, given in listed.items() if any(map(_is_policy, given))}
    mine = {id(one): one for given in listed.values() for one in given if _is_policy(one)}
    if not mine:
        return options, None
    if len(mine) > 1 or any(sum(map(_is_policy, given)) > 1 for given in listed.values()):
        raise InputError("one policy in Python at a time: %d are given" % sum(sum(map(_is_policy, given)) for given in listed.values()))
    (given,) = mine.values()
    if given.problem != problem or not set(listed) <= set(given.option):
        raise InputError("a policy of this kind is for %s of %s, not for %s of %s" % (" and ".join(given.option), given.problem, " and ".join(listed), problem))
    one = _Served(given)
    words = {key: ["program" if _is_policy(word) else word for word in given] for key, given in listed.items()}
    return {**options, **words, "policy_program": one.command, **given.limits}, one


def _rigid(folder, seed, size):
    import cosched
    path = cosched.generate_rigid(os.path.join(folder, "jobs.csv"), jobs=size or 30, seed=seed)
    return lambda policy, options: cosched.simulate_rigid(path, 5000, policy=policy, seed=seed, **{"mean_failure_probability": 0.3, "scenarios": 2, **options})


def _pack(folder, seed, size):
    import cosched
    path = cosched.generate_pack(os.path.join(folder, "tasks.json"), workload="random", tasks=size or 12, procs=32, seed=seed)
    return lambda policy, options: cosched.plan_pack(path, 32, policy=policy, seed=seed, **options)


def _moldable(folder, seed, size):
    import cosched
    path = cosched.generate_moldable(os.path.join(folder, "tasks.json"), tasks=size or 12, procs=32, seed=seed)
    return lambda policy, options: cosched.plan_moldable(path, 32, policy=policy, seed=seed, **options)


def _malleable(folder, seed, size):
    import cosched
    path = cosched.generate_malleable(os.path.join(folder, "tasks.json"), tasks=size or 8, seed=seed)
    return lambda policy, options: cosched.simulate_malleable(path, 40, on_end=policy, on_failure=policy, seed=seed, **{"mtbf": "1y", "scenarios": 2, **options})


def _ptg(folder, seed, size):
    import cosched
    path = cosched.generate_ptg(os.path.join(folder, "graphs.json"), count=size or 4, seed=seed)
    return lambda policy, options: cosched.plan_ptg(path, policy=policy, **{"platform": "grid5000-lille", **options})


def _volatile(folder, seed, size):
    import cosched
    path = cosched.generate_volatile(os.path.join(folder, "hosts.json"), hosts=size or 6, tasks=3, wmin=1, seed=seed)
    return lambda policy, options: cosched.simulate_volatile(path, policy=policy, seed=seed, **{"scenarios": 2, **options})


# What is tried, its main value; a value that is at least so much, and what that is held against.
_TRIALS = ((RigidPolicy, _rigid, "makespan", ("ratio", 1, "lower_bound")), (PackPolicy, _pack, "cost", ("gap", 0, None)), (MoldablePolicy, _moldable, "makespan", ("ratio", 1, "lower_bound")), (MalleablePolicy, _malleable, "makespan", ("ratio", 1, "lower_bound")),
           (PtgStrategy, _ptg, "makespan", ("gap", 0, None)), (VolatilePolicy, _volatile, "makespan", None))


def _trial(policy):
    for kind, make, value, bound in _TRIALS:
        if isinstance(policy, kind) or (isinstance(policy, type) and issubclass(policy, kind)):
            return make, value, bound
    raise InputError("a policy is a class of cosched, such as cosched.RigidPolicy, or an object of one")


def _same(one, other):
    return all(a == b or (a != a and b != b) for a, b in zip(one, other))


def test_policy(policy: Policy | type[Policy], instances: int = 10, jobs: int | None = None, **options: Any) -> Frame:
    """Put a policy through random instances of its problem: its schedules are valid, the same when it is asked again, and not
    better than the bound. jobs is how many jobs (tasks, graphs, hosts) each has, options are those of the run. Raises
    PolicyError, else returns a frame of seed, makespan (or cost) and lower_bound where there is one."""
    pandas = needed("pandas", "frames")

    make, value, bound = _trial(policy)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(instances):
            run = make(folder, seed, jobs)
            first, again = (run(policy, options) for _ in range(2))
            if not _same(first.array(value), again.array(value)):
                raise PolicyError("with seed %d the policy decides otherwise when it is asked again" % seed)
            verdict = first.schedule().check()
            if verdict.total:
                raise PolicyError("with seed %d its schedule is not valid: %s" % (seed, verdict.violations))
            if bound and min(first.array(bound[0])) < bound[1] - 1e-12:
                raise PolicyError("with seed %d it is better than the lower bound" % seed)
            row = {"seed": seed, value: first.figures(value)["mean"]}
            if bound and bound[2]:
                row[bound[2]] = first.figures(bound[2])["mean"]
            rows.append(row)
    return pandas.DataFrame(rows)
