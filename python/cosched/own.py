"""Policies in Python for the problems beside rigid jobs: what they are told and what they answer (docs/policies.md)."""

import collections

Times = collections.namedtuple("Times", "name counts seconds")
Times.__doc__ = "An application: its name, the processors where its time falls, the seconds that it takes there."
Share = collections.namedtuple("Share", "task procs left finish")
Share.__doc__ = "An application that runs: number, processors, share of its work that is left, when it is expected to end."
Host = collections.namedtuple("Host", "name slots capacity chain state program data part tasks since")
Host.__doc__ = "A host: what is known of it, and what it is in this slot; since is None unless it is up."
Graph = collections.namedtuple("Graph", "name critical_path width work tasks arcs")
Graph.__doc__ = "What is left of a graph: critical path in seconds, tasks of the widest level, flop; tasks and arcs are lists of dicts."
Instance = collections.namedtuple("Instance", "procs pack_size seed tasks")
Instance.__doc__ = "Processors, most tasks of a pack, the seed, a list of cosched.own.Times by number."
Task = collections.namedtuple("Task", "name release counts seconds")
Task.__doc__ = "A moldable task: its name, its earliest start, the processors that it may have, the seconds that it takes on them."
Bag = collections.namedtuple("Bag", "procs contiguous seed tasks")
Bag.__doc__ = "Processors, whether tasks hold consecutive ones, the seed, a list of cosched.own.Task by number."
Scene = collections.namedtuple("Scene", "clusters graphs")
Scene.__doc__ = "A list of clusters (dicts: name, procs, speed) and of cosched.own.Graph; None has nothing left to place."
View = collections.namedtuple("View", "slot running elapsed saved done workload hosts")
View.__doc__ = "The slot; whether something runs, since how many slots its iteration, what of it is safe, slots computed of so many; hosts."


class Policy:
    """What all have in common: self.machine is what was said of the machine, as in docs/policies.md."""

    machine, problem = {}, None
    option = ("policy",)
    limits = {"threads": 1}

    def begin(self):
        """From the beginning."""

    def _answer(self, message, ask):
        """What is answered to a message, or None; ask(answer) asks back."""
        if message["event"] == "machine":
            self.machine = message
        elif message["event"] == "begin":
            self.begin()
        else:
            return self._decide(message, ask)
        return None

    def _decide(self, message, ask):
        raise NotImplementedError


def _must(policy, method):
    raise NotImplementedError("%s has no %s" % (type(policy).__name__, method))


class PackPolicy(Policy):
    """Packs of applications: override plan."""

    problem = "pack"

    def plan(self, instance):
        """A list of packs, each a list of (task, procs); instance is a cosched.own.Instance."""
        _must(self, "plan(instance)")

    def _decide(self, message, ask):
        told = self.machine
        tasks = [Times(task["name"], task["counts"], task["seconds"]) for task in told["tasks"]]
        packs = self.plan(Instance(told["procs"], told["pack_size"], told["seed"], tasks))
        return {"packs": [[[int(task), int(procs)] for task, procs in pack] for pack in packs]}


class MoldablePolicy(Policy):
    """A plan of a bag without barriers, for the policy of plan_moldable and the planner of simulate_moldable: override plan."""

    problem, option = "moldable", ("policy", "planner")

    def plan(self, bag):
        """The tasks, each as (task, procs), in the order in which they start as soon as they fit; or each as (task, procs, start), with
        the lowest of its processors where bag.contiguous. bag is a cosched.own.Bag."""
        _must(self, "plan(bag)")

    def _decide(self, message, ask):
        told = self.machine
        tasks = [Task(**{name: task[name] for name in Task._fields}) for task in told["tasks"]]
        rows = [tuple(row) for row in self.plan(Bag(told["procs"], told["contiguous"], told["seed"], tasks))]
        if all(len(row) == 2 for row in rows):
            return {"list": [[int(task), int(procs)] for task, procs in rows]}
        return {"plan": [[int(task), int(procs), float(start), *map(int, first)] for task, procs, start, *first in rows]}


class PtgStrategy(Policy):
    """Shares of the clusters for graphs: override shares."""

    problem, limits = "ptg", {}

    def shares(self, scene):
        """A share above 0 and at most 1 for each of scene.graphs; scene is a cosched.own.Scene."""
        _must(self, "shares(scene)")

    def _decide(self, message, ask):
        graphs = [graph and Graph(**{name: graph[name] for name in Graph._fields}) for graph in message["graphs"]]
        return {"shares": [float(share) for share in self.shares(Scene(self.machine["clusters"], graphs))]}


class VolatilePolicy(Policy):
    """Tasks for hosts that come and go: override decide."""

    problem = "volatile"

    def decide(self, view):
        """The tasks of each of view.hosts, or None to keep what runs; view is a cosched.own.View."""
        _must(self, "decide(view)")

    def _decide(self, message, ask):
        hosts = [Host(**{name: {**known, **now}.get(name) for name in Host._fields}) for known, now in zip(self.machine["hosts"], message["hosts"])]
        tasks = self.decide(View(hosts=hosts, **{name: message[name] for name in View._fields if name != "hosts"}))
        return {"tasks": None if tasks is None else [int(count) for count in tasks]}


class Plan:
    """What is known when processors may move: why ("end" or "failure"), now, free processors, failed (a number or None), tasks
    (a list of cosched.own.Share)."""

    def __init__(self, message, ask):
        self.why, self.now, self.free, self.failed = message["why"], message["now"], message["free"], message.get("failed")
        self.tasks = [Share(task["task"], task["procs"], task["left"], task["finish"]) for task in message["tasks"]]
        self._ask = ask

    def finish(self, task, counts):
        """When a task would be expected to end with so many processors, a list for each of counts (even numbers)."""
        counts = [int(procs) for procs in counts]
        return self._ask({"finish": [[int(task), procs] for procs in counts]})["seconds"] if counts else []


class MalleablePolicy(Policy):
    """Processors for applications that run, for on_end and on_failure: override decide."""

    problem, option = "malleable", ("on_end", "on_failure")

    def decide(self, plan):
        """{task: procs} for those whose processors change, even numbers; plan is a cosched.own.Plan."""
        _must(self, "decide(plan)")

    def _decide(self, message, ask):
        changes = self.decide(Plan(message, ask))
        return {"procs": [[int(task), int(procs)] for task, procs in dict(changes).items()]}
