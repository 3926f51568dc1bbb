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


class Exits(Greedy):
    def decide(self, view):
        sys.exit(3)


class Endless(Greedy):
    def decide(self, view):
        while True:
            pass


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
    with pytest.raises(cosched.PolicyError, match="policy program: SystemExit: 3") as caught:
        cosched.simulate_rigid(jobs, 5000, policy=Exits, scenarios=2)
    assert isinstance(caught.value.__cause__, SystemExit)


def test_a_policy_that_never_answers_is_at_rest_afterwards(jobs):
    before = set(threading.enumerate())
    with pytest.raises(cosched.PolicyError, match="it has not answered for 0.2 s"):
        cosched.simulate_rigid(jobs, 5000, policy=Endless, policy_timeout=0.2, scenarios=2)
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
        assert not thread.is_alive()
    with pytest.raises(cosched.PolicyError, match="has no decide"):
        cosched.simulate_rigid(jobs, 5000, policy=cosched.RigidPolicy)


def test_the_machine_is_known(jobs):
    seen = []

    class Sees(Greedy):
        def begin(self):
            seen.append(self.machine)

    cosched.simulate_rigid(jobs, 5000, policy=Sees, verification=3, scenarios=1)
    assert seen[-1]["problem"] == "rigid" and seen[-1]["procs"] == 5000 and seen[-1]["verification"] == 3
    assert [job["job"] for job in seen[-1]["jobs"]] == list(range(25)) and {"procs", "seconds"} <= set(seen[-1]["jobs"][0])


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


def test_one_run_is_made_once_however_often_it_is_shown(jobs):
    asked = []

    class Counts(Greedy):
        def decide(self, view):
            asked.append(view.now)
            return super().decide(view)

    study = cosched.simulate_rigid(jobs, 5000, policy=Counts, scenarios=2, mean_failure_probability=0.3)
    before = len(asked)
    first = study.schedule(scenario=1)
    made = len(asked)
    assert made > before and study.gantt(scenario=1).svg and study.schedule(scenario=1).makespan == first.makespan
    assert len(asked) == made
    study.schedule(scenario=0)
    assert len(asked) > made


# ---- the other problems ----


class Packs(cosched.PackPolicy):
    """Every task alone, where it takes the least time."""

    def plan(self, instance):
        assert instance.procs == 32 and instance.pack_size >= 1 and len(instance.tasks[0].counts) == len(instance.tasks[0].seconds)
        return [[(number, task.counts[-1])] for number, task in enumerate(instance.tasks)]


class Widest(cosched.MoldablePolicy):
    """Every task where it takes the least time, the longest first."""

    def plan(self, bag):
        assert bag.procs == 32 and not bag.contiguous and bag.tasks[0].release == 0
        return [(task, bag.tasks[task].counts[-1]) for task in sorted(range(len(bag.tasks)), key=lambda task: (-bag.tasks[task].seconds[-1], task))]


class OneByOne(cosched.MoldablePolicy):
    """The tasks one after the other, with the time of each start, on the first processors."""

    def plan(self, bag):
        rows, now = [], 0
        for number, task in enumerate(bag.tasks):
            rows.append((number, task.counts[-1], now, 0) if bag.contiguous else (number, task.counts[-1], now))
            now += task.seconds[-1]
        return rows


class Work(cosched.PtgStrategy):
    def shares(self, scene):
        assert scene.clusters[0]["procs"] > 0 and len(scene.graphs[0].tasks) > 0
        work = [graph.work if graph else 0 for graph in scene.graphs]
        return [one / sum(work) for one in work]


class Local(cosched.MalleablePolicy):
    """End-local, in a few lines."""

    def decide(self, plan):
        free, now = plan.free, {task.task: [task.finish, task.procs] for task in plan.tasks}
        open_ = set(now)
        while free >= 2 and open_:
            last = max(open_, key=lambda task: (now[task][0], -task))
            finish, procs = now[last]
            counts = range(procs + 2, procs + free + 1, 2)
            better = [(end, k) for end, k in zip(plan.finish(last, counts), counts) if end < finish]
            if not better:
                open_.remove(last)
                continue
            now[last] = list(better[0])
            free -= better[0][1] - procs
        return {task.task: now[task.task][1] for task in plan.tasks if now[task.task][1] != task.procs}


class First(cosched.VolatilePolicy):
    """The first hosts that are up."""

    def decide(self, view):
        if view.running:
            return None
        left, tasks = self.machine["tasks"], []
        for host in view.hosts:
            tasks.append(min(left, host.capacity, 1) if host.state == "up" else 0)
            left -= tasks[-1]
        for number, host in enumerate(view.hosts):
            if host.state == "up":
                more = min(left, host.capacity - tasks[number])
                tasks[number] += more
                left -= more
        return tasks


@pytest.mark.parametrize("policy", [Packs, Widest, OneByOne, Work, Local, First])
def test_policies_of_every_problem_are_judged(policy):
    assert len(cosched.test_policy(policy, instances=2)) == 2


def test_packs_and_shares_are_those_of_c(tmp_path):
    tasks = cosched.generate_pack(str(tmp_path / "tasks.json"), workload="random", tasks=9, procs=32)
    plans = cosched.plan_pack(tasks, 32, policy=["one-by-one", Packs])
    assert plans.array("cost", "program")[0] == plans.array("cost", "one-by-one")[0] > 0
    graphs = os.path.join(os.environ["COSCHED_EXAMPLES"], "graphs.json")
    plans = cosched.plan_ptg(graphs, platform="grid5000-lille", policy=["ps-work", Work()])
    assert plans.array("makespan", "program")[0] == plans.array("makespan", "ps-work")[0] > 0


def test_bags_are_those_of_c(tmp_path):
    tasks = cosched.generate_moldable(str(tmp_path / "tasks.json"), tasks=9, procs=32)
    plans = cosched.plan_moldable(tasks, 32, policy=["sweep", Widest])
    assert plans.array("makespan", "program")[0] > plans.array("makespan", "sweep")[0]
    widest = [cosched.simulate_moldable(tasks, 32, policy=way, qbar=0.2, scenarios=3, planner=planner).array("makespan") for way, planner in (("mintime", None), ("list", Widest))]
    assert list(widest[0]) == list(widest[1])
    packs = cosched.plan_moldable(tasks, 32, policy=OneByOne, contiguous=True)
    assert packs.schedule().check() and packs.array("makespan")[0] == sum(bar["end"] - bar["start"] for bar in packs.schedule().bars)
    with pytest.raises(cosched.PolicyError, match="MoldablePolicy has no plan"):
        cosched.plan_moldable(tasks, 32, policy=cosched.MoldablePolicy)


def test_processors_move_as_in_c(tmp_path):
    tasks = cosched.generate_malleable(str(tmp_path / "tasks.json"), tasks=8)
    study = cosched.simulate_malleable(tasks, 40, mtbf="1y", on_end=["local", Local], scenarios=3)
    assert list(study.array("makespan", ("local", "shortest-tasks-first"))) == list(study.array("makespan", ("program", "shortest-tasks-first")))
    both = Local()
    assert cosched.simulate_malleable(tasks, 40, mtbf="1y", on_end=both, on_failure=both, scenarios=1).schedule().check()


def test_a_policy_is_for_its_problem():
    graphs = os.path.join(os.environ["COSCHED_EXAMPLES"], "graphs.json")
    with pytest.raises(cosched.InputError, match="a policy of this kind is for on_end and on_failure of malleable, not for policy of ptg"):
        cosched.plan_ptg(graphs, platform="grid5000-lille", policy=Local)
    with pytest.raises(cosched.InputError, match="is for policy of volatile, not for policy of ptg"):
        cosched.plan_ptg(graphs, platform="grid5000-lille", policy=First)
    with pytest.raises(cosched.PolicyError, match="PtgStrategy has no shares"):
        cosched.plan_ptg(graphs, platform="grid5000-lille", policy=cosched.PtgStrategy)
