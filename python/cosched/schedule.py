"""Schedules: who runs where and when."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Literal, overload

from cosched import axes, columns
from cosched._core import InputError, fail, ffi, lib, needed, taken, text, watching
from cosched.inputs import Given
from cosched.picture import Picture, Style, length_of, plot
from cosched._types import Axes, Frame, Inputs, Json, Length, Path, Records

KINDS: list[str] = ["work", "checkpoint", "recovery", "downtime", "verify", "move", "lost", "program"]


class Check:
    """What the independent checker found: true if the schedule is valid and all of it was checked.

    `verdict` is "valid", "general" (only the rules of every schedule were checked, `missing` is the reason), "incomplete"
    (`note` names what was not checked) or "not valid".
    """

    def __init__(self, found: Json) -> None:
        self.verdict: str = found["verdict"]
        self.total: int = found["total"]
        self.missing: str | None = found["missing"]
        self.note: str | None = found["note"]
        self._violations = found["violations"]

    @property
    def violations(self) -> Frame:
        """A frame (kind, task, time, text)."""
        pandas = needed("pandas", "frames")
        return pandas.DataFrame(self._violations, columns=["kind", "task", "time", "text"])

    def __bool__(self) -> bool:
        return self.verdict == "valid"

    def __repr__(self) -> str:
        return "<cosched.Check: %s%s>" % (self.verdict, ", %d violations" % self.total if self.total else "")


def _intervals(procs):
    """ "0-3 7" as [(0, 3), (7, 7)]."""
    return [(int(one.partition("-")[0]), int(one.rpartition("-")[2])) for one in procs.split()]


def _numbers(bar):
    """The lowest processor of a bar, -1 if it has only a count, and how many processors there are."""
    if "procs" not in bar:
        return -1, bar["count"]
    intervals = _intervals(bar["procs"])
    return min((first for first, _ in intervals), default=-1), sum(last - first + 1 for first, last in intervals)


class Schedule:
    """A schedule file (cosched-schedule-1, docs/formats.md)."""

    def __init__(self, content: str) -> None:
        self._text = content
        try:
            self.document: Json = json.loads(content)
        except ValueError as error:
            raise InputError("not a schedule of cosched: this is no JSON: %s" % error) from None
        if not isinstance(self.document, dict) or self.document.get("format") != "cosched-schedule-1":
            raise InputError("not a schedule of cosched: the key format is not cosched-schedule-1")

    @classmethod
    def read(cls, path: Path) -> Schedule:
        """A schedule that a command or a program wrote."""
        try:
            with open(path, encoding="utf-8") as file:
                return cls(file.read())
        except InputError as error:
            raise InputError("%s: %s" % (os.fspath(path), error)) from None
        except UnicodeDecodeError:
            raise InputError("%s: not a schedule of cosched: this is no text" % os.fspath(path)) from None

    @staticmethod
    def is_one(path: Path) -> bool:
        """Does the file say so?"""
        try:
            with open(path, encoding="utf-8") as file:
                return json.load(file).get("format") == "cosched-schedule-1"
        except (OSError, ValueError, AttributeError):
            return False

    def energy(self, watts: str, procs_per_node: int = 1, until: float = math.nan) -> dict[str, Any]:
        """Joules from the power of a node, such as "busy=350,idle=120,off=15,off-after=20": joules, in all and busy, idle, off, wake."""
        err = ffi.new("struct cs_error *")
        file = lib.cs_schedule_file_read_memory(text("schedule"), *self._c(), err)
        if file == ffi.NULL:
            fail(err)
        try:
            return json.loads(taken(lib.cs_schedule_energy(file.schedule, text(watts), procs_per_node, until, err), err))
        finally:
            lib.cs_schedule_file_destroy(file)

    def write(self, path: Path) -> None:
        """Write the file; the same bytes as the tool's."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self._text)

    @property
    def problem(self) -> str:
        """The name of its problem."""
        return self.document.get("problem", "")

    @property
    def procs(self) -> int:
        """The processors of the machine."""
        return self.document["procs"]

    @property
    def makespan(self) -> float:
        """Seconds (slots in the problem volatile)."""
        return self.document["makespan"]

    @property
    def tasks(self) -> list[str]:
        """The names of the tasks."""
        return self.document["tasks"]

    @property
    def bars(self) -> Records:
        """A structured array (task, attempt, group, kind, start, end, first, count); kind is an index into cosched.KINDS.

        first is the lowest processor, -1 where the file has only counts; count is the number of processors.
        """
        numpy = needed("numpy", "arrays")
        kind = numpy.dtype([("task", "i4"), ("attempt", "i4"), ("group", "i4"), ("kind", "i4"),
                            ("start", "f8"), ("end", "f8"), ("first", "i8"), ("count", "i8")])
        return numpy.array([(b["task"], b.get("attempt", 1), b.get("group", 0), KINDS.index(
            b.get("kind", "work")), b["start"], b["end"], *_numbers(b)) for b in self.document["bars"]], dtype=kind)

    def to_frame(self, lists: bool = False) -> Frame:
        """A pandas frame, a row a bar: task, name, attempt, group, kind, start, end, procs, first, count.

        procs is a text such as "0-3 7", first the lowest processor, count how many there are. A file may have only counts;
        procs and first are missing then. lists=True adds `processors`, a list of all processors of each bar.
        """
        pandas = needed("pandas", "frames")
        tasks, bars = self.tasks, self.document["bars"]
        frame = pandas.DataFrame(
            [(b["task"], tasks[b["task"]], b.get("attempt", 1), b.get("group", 0), b.get("kind", "work"),
              b["start"], b["end"], b.get("procs"), *_numbers(b)) for b in bars],
            columns=["task", "name", "attempt", "group", "kind", "start", "end", "procs", "first", "count"])
        if any("procs" not in b for b in bars):
            frame["first"] = frame["first"].astype("Int64").mask(frame["procs"].isna())
        if lists:
            frame["processors"] = [[p for first, last in _intervals(b["procs"]) for p in range(first, last + 1)] if "procs" in b else None for b in bars]
        return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return columns.capsule(columns.stream(lib.cs_schedule_text_arrow, *self._c()), requested_schema)

    def check(self, against: Inputs = ()) -> Check:
        """Judge it by the rules of its problem; also by the files that it was made from (a path, bytes, or a list of them)."""
        given = Given(against)
        paths = [text(path) for path in given.paths]
        err = ffi.new("struct cs_error *")
        said = lib.cs_check_text(*self._c(), ffi.new("char *[]", paths), len(paths), err)
        return Check(json.loads(taken(said, err)))

    @overload
    def gantt(self, width: Length = 0, title: str | None = None, *, ax: None = None, **look: Any) -> Picture: ...

    @overload
    def gantt(self, width: Length = 0, title: str | None = None, *, ax: Axes, unit: Literal["s", "min", "h", "d"] | None = None, style: Style | None = None) -> Axes: ...

    def gantt(self, width: Length = 0, title: str | None = None, *, ax: Any = None, **look: Any) -> Any:
        """The picture that suits its problem; width is "8.5cm" or so many pixels. With style="grey" or another option of
        cosched.plot it is the picture for a paper, which that makes.

        ax: axes of matplotlib, into which the bars are drawn and which are returned: time in `unit` ("s", "min", "h" or "d";
        by default the longest of which there are two) and processors, in the colours of the picture.
        """
        if ax is not None:
            return self._draw(ax, title=title, **look)
        if look:
            return plot(self, width=width, title=title, **look)
        width = length_of("width", width)
        err = ffi.new("struct cs_error *")
        length = ffi.new("size_t *")
        return Picture(taken(lib.cs_schedule_text_svg(*self._c(), width, text(title), length, err), err, length))

    def _draw(self, ax, style=None, **options):
        bars = self.document["bars"]
        if any("procs" not in bar for bar in bars):
            raise InputError("the schedule has counts of processors, which have no place in axes: gantt() without ax draws it")
        pieces = [(bar, first, last - first + 1) for bar in bars for first, last in _intervals(bar["procs"])]
        return axes.draw(ax, self, pieces, hues=axes.colors(self._text.encode("utf-8"), style), **options)

    def _source(self):
        return "schedule", self._text

    def _c(self):
        content = self._text.encode("utf-8")
        return content, len(content)

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle, sizes = self.gantt(width=800)._repr_mimebundle_()
        return {**bundle, "text/plain": repr(self)}, sizes

    def __repr__(self) -> str:
        return "<cosched.Schedule: %s, %d tasks on %d processors, makespan %.6g>" % (
            self.problem, len(self.tasks), self.procs, self.makespan)


def check(path: Path, against: Inputs = ()) -> Check:
    """Judge a schedule file, and the schedule by the files that it was made from if they are given (`against`)."""
    return Schedule.read(path).check(against)


def check_jobs(table: Inputs, logs: Inputs, **options: Any) -> dict[tuple[str | None, str | None], Check]:
    """Judge the table of jobs that a replay wrote, or one in the form of Batsim, by the logs that they came from.

    table and logs: paths, or bytes; options such as rule="easy", nodes=16, tolerance=0.001.
    A Check for each policy and priority: {("easy", "fcfs"): ...}; in the form of Batsim {(None, None): ...}.
    """
    given, judged = Given(logs), Given(table)
    keep = [text(path) for path in given.paths]
    how = ffi.new("struct cs_check_options *", {"size": ffi.sizeof("struct cs_check_options"), "grace": float("nan")})
    known = {field[0] for field in ffi.typeof("struct cs_check_options").fields} - {"size"}
    for name, value in options.items():
        if name not in known:
            raise TypeError("check_jobs() has no option %s; it has %s" % (name, ", ".join(sorted(known))))
        if isinstance(value, (str, os.PathLike)):
            keep.append(text(os.fspath(value)))
            value = keep[-1]
        setattr(how, name, value)
    err = ffi.new("struct cs_error *")
    with watching() as watch:
        found = lib.cs_check_jobs(text(judged.paths[0]), keep[:len(given.paths)], len(given.paths), how, watch.c, err)
    return {(one["policy"], one["priority"]): Check(one) for one in json.loads(taken(found, err))}


def run_schedule(folder: Path) -> Schedule:
    """What has run so far in the folder of a run, as a Schedule."""
    err = ffi.new("struct cs_error *")
    story = lib.cs_run_history_read(text(os.fspath(folder)), err)
    if story == ffi.NULL:
        fail(err)
    try:
        length = ffi.new("size_t *")
        return Schedule(taken(lib.cs_run_history_text(story, length, err), err, length))
    finally:
        lib.cs_run_history_destroy(story)


__all__ = ["KINDS", "Check", "Picture", "Schedule", "check", "check_jobs", "run_schedule"]
