"""Policies in Python, asked by the library over a socket in the words of docs/policies.md."""

import collections
import json
import os
import socket
import sys
import tempfile
import threading

from cosched._core import Error, InputError

Job = collections.namedtuple("Job", "procs seconds place")
Job.__doc__ = "What a job wants: processors, expected seconds; jobs queue by place."
Attempt = collections.namedtuple("Attempt", "job procs end")
Attempt.__doc__ = "What runs: a job, its processors, when it is expected to end."
View = collections.namedtuple("View", "now free running")
View.__doc__ = "The machine now: the time, free processors, a list of attempts by their ends."


class PolicyError(Error, RuntimeError):
    """A policy failed; its __cause__ is the exception that it raised, if it did."""


class RigidPolicy:
    """A policy of the problem rigid: override what you need, decide at least.

    self.jobs is a dict of cosched.foreign.Job by number, self.procs the size of the machine, self.verification what an
    attempt takes longer than its seconds, self.waiting the numbers of the jobs that wait, the most urgent first.
    """

    procs, verification = 0, 0.0
    jobs, batch, waiting = {}, {}, []

    def begin(self):
        """From the beginning: nothing runs; in a batch every job waits."""

    def arrived(self, job):
        """The job is new, and waits."""

    def failed(self, job):
        """Its attempt ended with an error: it waits again."""

    def succeeded(self, job):
        """It is done."""

    def withdrawn(self, job):
        """It waits no more."""

    def decide(self, view):
        """The jobs that start now: a list of those that wait, which fit on view.free processors together."""
        raise NotImplementedError("%s has no decide(view)" % type(self).__name__)


def _queue(policy, job):
    policy.waiting.append(job)
    policy.waiting.sort(key=lambda one: policy.jobs[one].place)


def _machine(policy, message):
    policy.procs, policy.verification = message["procs"], message["verification"]
    policy.batch = {job["job"]: Job(job["procs"], job["seconds"], (job["job"],)) for job in message["jobs"]}


def _begin(policy, _message):
    policy.jobs = dict(policy.batch)
    policy.waiting = sorted(policy.jobs)
    policy.begin()


def _arrived(policy, message):
    policy.jobs[message["job"]] = Job(message["procs"], message["seconds"], tuple(message["place"]))
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


def serve(policy, given=None, answers=None):
    """Answer as the policy does until there are no more questions: a program for --policy-program is
    `cosched.serve(MyPolicy())`."""
    given, answers = given or sys.stdin, answers or sys.stdout
    for line in given:
        message = json.loads(line)
        if message["event"] == "decide":
            print(json.dumps({"start": _decide(policy, message)}), file=answers, flush=True)
        else:
            _EVENTS[message["event"]](policy, message)


class Served:
    """A policy, and a thread that answers for it."""

    def __init__(self, policy):
        self.policy = policy() if isinstance(policy, type) else policy
        self.error = None
        self.theirs, self.ours = socket.socketpair()
        self.command = "fd:%d" % self.theirs.fileno()
        threading.Thread(target=self._run, name="cosched policy", daemon=True).start()

    def _run(self):
        with self.ours, self.ours.makefile("r", encoding="utf-8") as given, self.ours.makefile("w", encoding="utf-8") as answers:
            try:
                serve(self.policy, given, answers)
            except Exception as error:  # pylint: disable=broad-except
                self._tell(error, answers)

    def _tell(self, error, answers):
        self.error = error
        try:
            print(json.dumps({"error": "%s: %s" % (type(error).__name__, error)}), file=answers, flush=True)
        except OSError:
            pass

    def close(self):
        """No more questions."""
        try:
            self.theirs.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.theirs.close()


def _is_policy(one):
    return isinstance(one, RigidPolicy) or (isinstance(one, type) and issubclass(one, RigidPolicy))


def served(options):
    """The options with "program" where a policy in Python stands, and who serves it; None when there is none."""
    given = options.get("policy")
    listed = list(given) if isinstance(given, (list, tuple)) else [given]
    mine = [one for one in listed if _is_policy(one)]
    if not mine:
        return options, None
    if len(mine) > 1:
        raise InputError("one policy in Python at a time: %d are given" % len(mine))
    one = Served(mine[0])
    words = ["program" if _is_policy(word) else word for word in listed]
    return {**options, "policy": words, "policy_program": one.command, "threads": 1}, one


def test_policy(policy, instances=10, jobs=30, **options):
    """Put a policy through random jobs that fail: its schedules are valid, the same when it is asked again, and not
    better than the bound. Raises PolicyError, else returns a frame of seed, makespan and lower_bound."""
    import pandas

    import cosched

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(instances):
            path = cosched.generate_rigid(os.path.join(folder, "jobs.csv"), jobs=jobs, seed=seed)
            first, again = (cosched.simulate_rigid(path, 5000, policy=policy, mean_failure_probability=0.3, scenarios=2, seed=seed, **options)
                            for _ in range(2))
            if list(first.array("makespan")) != list(again.array("makespan")):
                raise PolicyError("with seed %d the policy decides otherwise when it is asked again" % seed)
            verdict = first.schedule().check()
            if not verdict:
                raise PolicyError("with seed %d its schedule is not valid: %s" % (seed, verdict.violations))
            if min(first.array("ratio")) < 1 - 1e-12:
                raise PolicyError("with seed %d it is better than the lower bound" % seed)
            rows.append({"seed": seed, "makespan": first.figures("makespan")["mean"], "lower_bound": first.figures("lower_bound")["mean"]})
    return pandas.DataFrame(rows)
