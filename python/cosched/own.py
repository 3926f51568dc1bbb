"""Policies in Python for the problems beside rigid jobs: what they are told and what they answer (docs/policies.md)."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, NamedTuple, NoReturn, Sequence


class Times(NamedTuple):
    """An application: its name, the processors where its time falls, the seconds that it takes there."""

    name: str
    counts: list[int]
    seconds: list[float]


class Share(NamedTuple):
    """An application that runs: number, processors, share of its work that is left, when it is expected to end."""

    task: int
    procs: int
    left: float
    finish: float


class Host(NamedTuple):
    """A host: what is known of it, and what it is in this slot; since is None unless it is up."""

    name: str
    slots: float
    capacity: int
    chain: Any
    state: str
    program: float
    data: float
    part: float
    tasks: int
    since: int | None


class Graph(NamedTuple):
    """What is left of a graph: critical path in seconds, tasks of the widest level, flop; tasks and arcs are lists of dicts."""

    name: str
    critical_path: float
    width: int
    work: float
    tasks: list[dict[str, Any]]
    arcs: list[dict[str, Any]]


class Instance(NamedTuple):
    """Processors, most tasks of a pack, the seed, a list of cosched.own.Times by number."""

    procs: int
    pack_size: int
    seed: int
    tasks: list[Times]


class Task(NamedTuple):
    """A moldable task: its name, its earliest start, the processors that it may have, the seconds that it takes on them."""

    name: str
    release: float
    counts: list[int]
    seconds: list[float]


class Bag(NamedTuple):
    """Processors, whether tasks hold consecutive ones, the seed, a list of cosched.own.Task by number."""

    procs: int
    contiguous: bool
    seed: int
    tasks: list[Task]


class Scene(NamedTuple):
    """A list of clusters (dicts: name, procs, speed) and of cosched.own.Graph; None has nothing left to place."""

    clusters: list[dict[str, Any]]
    graphs: list[Graph | None]


class View(NamedTuple):
    """The slot; whether something runs, since how many slots its iteration, what of it is safe, slots computed of so many; hosts."""

    slot: int
    running: bool
    elapsed: int
    saved: int
    done: int
    workload: int
    hosts: list[Host]

class Policy:
    """What all have in common: self.machine is what was said of the machine, as in docs/policies.md."""

    machine: dict[str, Any] = {}
    problem: str | None = None
    option: tuple[str, ...] = ("policy",)
    limits: dict[str, int] = {"threads": 1}

    def begin(self) -> None:
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


def _must(policy: Policy, method: str) -> NoReturn:
    raise NotImplementedError("%s has no %s" % (type(policy).__name__, method))


class PackPolicy(Policy):
    """Packs of applications: override plan."""

    problem: str | None = "pack"

    def plan(self, instance: Instance) -> Sequence[Sequence[tuple[int, int]]]:
        """A list of packs, each a list of (task, procs); instance is a cosched.own.Instance."""
        _must(self, "plan(instance)")

    def _decide(self, message, ask):
        told = self.machine
        tasks = [Times(task["name"], task["counts"], task["seconds"]) for task in told["tasks"]]
        packs = self.plan(Instance(told["procs"], told["pack_size"], told["seed"], tasks))
        return {"packs": [[[int(task), int(procs)] for task, procs in pack] for pack in packs]}


class MoldablePolicy(Policy):
    """A plan of a bag without barriers, for the policy of plan_moldable and the planner of simulate_moldable: override plan."""

    problem: str | None = "moldable"
    option: tuple[str, ...] = ("policy", "planner")

    def plan(self, bag: Bag) -> Sequence[tuple[int, int] | tuple[int, int, float] | tuple[int, int, float, int]]:
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

    problem: str | None = "ptg"
    limits: dict[str, int] = {}

    def shares(self, scene: Scene) -> Sequence[float]:
        """A share above 0 and at most 1 for each of scene.graphs; scene is a cosched.own.Scene."""
        _must(self, "shares(scene)")

    def _decide(self, message, ask):
        graphs = [graph and Graph(**{name: graph[name] for name in Graph._fields}) for graph in message["graphs"]]
        return {"shares": [float(share) for share in self.shares(Scene(self.machine["clusters"], graphs))]}


class VolatilePolicy(Policy):
    """Tasks for hosts that come and go: override decide."""

    problem: str | None = "volatile"

    def decide(self, view: View) -> Sequence[int] | None:
        """The tasks of each of view.hosts, or None to keep what runs; view is a cosched.own.View."""
        _must(self, "decide(view)")

    def _decide(self, message, ask):
        hosts = [Host(**{name: {**known, **now}.get(name) for name in Host._fields}) for known, now in zip(self.machine["hosts"], message["hosts"])]
        tasks = self.decide(View(hosts=hosts, **{name: message[name] for name in View._fields if name != "hosts"}))
        return {"tasks": None if tasks is None else [int(count) for count in tasks]}


class Plan:
    """What is known when processors may move: why ("end" or "failure"), now, free processors, failed (a number or None), tasks
    (a list of cosched.own.Share)."""

    def __init__(self, message: dict[str, Any], ask: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.why: str = message["why"]
        self.now: float = message["now"]
        self.free: int = message["free"]
        self.failed: int | None = message.get("failed")
        self.tasks: list[Share] = [Share(task["task"], task["procs"], task["left"], task["finish"]) for task in message["tasks"]]
        self._ask = ask

    def finish(self, task: int, counts: Iterable[int]) -> list[float]:
        """When a task would be expected to end with so many processors, a list for each of counts (even numbers)."""
        counts = [int(procs) for procs in counts]
        return self._ask({"finish": [[int(task), procs] for procs in counts]})["seconds"] if counts else []


class MalleablePolicy(Policy):
    """Processors for applications that run, for on_end and on_failure: override decide."""

    problem: str | None = "malleable"
    option: tuple[str, ...] = ("on_end", "on_failure")

    def decide(self, plan: Plan) -> Mapping[int, int]:
        """{task: procs} for those whose processors change, even numbers; plan is a cosched.own.Plan."""
        _must(self, "decide(plan)")

    def _decide(self, message, ask):
        changes = self.decide(Plan(message, ask))
        return {"procs": [[int(task), int(procs)] for task, procs in dict(changes).items()]}
