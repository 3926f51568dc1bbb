"""Replays of job logs under other policies, as frames."""

from __future__ import annotations

import io
import json
import os
from typing import Any, Callable, Mapping, NoReturn

from cosched import columns
from cosched._core import InputError, describe, fail, ffi, lib, needed, taken, text, watching
from cosched.foreign import served
from cosched.inputs import Given
from cosched.picture import Picture, plot
from cosched.schedule import Schedule
from cosched._parameters import check_names, document, signature
from cosched.case import options_text
from cosched._types import Arrays, Frame, Inputs, Json, Progress

# What methods ask for.
_KEPT = {"full", "keep", "keep_jobs", "jobs", "jobs_format"}


class Replay:
    """What other policies would have done with a job log, beside what the log recorded."""

    def __init__(self, logs: Inputs | None, options: Mapping[str, Any], progress: Progress = None) -> None:
        if hasattr(logs, "replay_options"):
            told = logs.replay_options()
            if options.get("nodes") is not None or options.get("machine") is not None:
                told.pop("procs", None)
            options = {**told, **{name: value for name, value in options.items() if value is not None}}
        options, self._served = served(options, "rigid")
        self._given, self._options = Given([] if logs is None else logs), options
        try:
            self._c = self._run({"full": True}, progress, again=False)
            self._text = self._told("json")
        except BaseException:
            self.close()
            raise
        self.result: Json = json.loads(self._text)

    def _run(self, more, progress=None, again=True):
        paths = [text(path) for path in self._given.paths]
        err = ffi.new("struct cs_error *")
        words = options_text({**self._options, **more})
        with watching(progress) as watch:
            made = lib.cs_replay_run_json(ffi.new("char *[]", paths), len(paths), text(words), watch.c, err)
            if made == ffi.NULL:
                fail(err, self._served)
            if again:
                watch.sentences.clear()
        return ffi.gc(made, lib.cs_replay_destroy)

    def _told(self, form, replay=None):
        err, length, command = ffi.new("struct cs_error *"), ffi.new("size_t *"), text("cosched.replay")
        look = ffi.new("struct cs_replay_style *", {"size": ffi.sizeof("struct cs_replay_style"), "command": command})
        return self._given.told(taken(lib.cs_replay_text(replay or self._c, text(form), look, length, err), err, length))

    def close(self) -> None:
        """A policy in Python is asked no more."""
        if self._served:
            self._served.close()

    def __del__(self) -> None:
        self.close()

    @property
    def warnings(self) -> list[str]:
        """What makes the numbers doubtful: sentences."""
        return self.result["input"]["warnings"]

    @property
    def rules(self) -> dict[str, int]:
        """How many lines of the log each rule left out or noticed."""
        return {rule: count for rule, count in self.result["input"]["rules"].items() if count}

    @property
    def rows(self) -> Frame:
        """A frame: what was recorded, then each policy with each priority, and every measure (seconds)."""
        pandas = needed("pandas", "frames")
        return pandas.DataFrame([{key: value for key, value in row.items() if not isinstance(value, (dict, list))}
                                 for row in self.result["rows"]]).set_index(["policy", "priority"])

    def table(self, by: str) -> Frame:
        """A frame of waits by "width", "time", "class", "user", "account", "partition", "qos" or "week"."""
        pandas = needed("pandas", "frames")
        known = self.result["rows"][0].get("tables", {})
        if by not in known:
            raise InputError("there is no table by %s: there are %s" % (by, ", ".join(known)))
        return pandas.DataFrame([{"policy": row["policy"], "priority": row["priority"], **one}
                                 for row in self.result["rows"] for one in row["tables"][by]])

    def _jobs(self):
        """The stream of all jobs; they are replayed once more, since most want no more than the rows."""
        return columns.stream(lib.cs_replay_arrow, self._run({"keep_jobs": True}))

    def jobs(self) -> Frame:
        """A frame: every job of every policy, when it started and ended; numbers are views of what C made. Replays once more."""
        return columns.frame(self._jobs())

    def arrays(self) -> Arrays:
        """The same as a dict of numpy arrays."""
        return columns.arrays(self._jobs())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The same for pyarrow.table(replayed), polars, DuckDB."""
        return columns.capsule(self._jobs(), requested_schema)

    def series(self) -> Frame:
        """A frame: the queue and what was in use, over calendar time."""
        pandas = needed("pandas", "frames")
        return pandas.read_csv(io.StringIO(self._told("series")), float_precision="round_trip")

    def schedule(self, policy: str | None = None, priority: str | None = None) -> Schedule:
        """Who ran where and when under one policy: a Schedule to check, draw and write. Replays that policy once more."""
        ways = self._ways()
        found = sorted({way for way in ways if policy in (None, way[0]) and priority in (None, way[1])})
        if len(found) != 1 or len(ways) != len(set(ways)):
            raise InputError("a schedule is of one row: which of %s?" % ", ".join(map(" ".join, ways)))
        return Schedule(self._told("schedule", self._run({"keep": "schedule", "policy": found[0][0], "priority": found[0][1]})))

    def _ways(self):
        """The rows that are no record."""
        return [(row["policy"], row["priority"]) for row in self.result["rows"] if row["policy"] != "recorded"]

    def _source(self):
        return "replay", self._text

    def picture(self, figure: str | None = None, **options: Any) -> Picture:
        """All policies over calendar time ("time"), how many jobs waited how long ("shares"), or both; options as in plot."""
        files = self.result["input"]["files"]
        title = (os.path.basename(files[0]) if files else "jobs that are drawn") + (" and %d more" % (len(files) - 1) if len(files) > 1 else "") + ", replayed"
        return plot(self, figure, **{"title": title, **options})

    def to_frame(self) -> Frame:
        """The rows."""
        return self.rows

    def __reduce__(self) -> NoReturn:
        raise TypeError("a cosched.Replay cannot be pickled: take rows, jobs() or schedule(), which can")

    def _repr_html_(self):
        return self.rows.to_html(max_rows=50)

    def __repr__(self) -> str:
        return "<cosched.Replay: %d jobs, %s>" % (self.result["input"]["jobs"], ", ".join(way[0] for way in self._ways()))


def _parameters():
    err = ffi.new("struct cs_error *")
    told = json.loads(taken(lib.cs_replay_describe(err), err))
    return [one for one in told["parameters"] if one["key"] not in _KEPT]


def _make():
    parameters = _parameters()

    def replay(logs=None, procs=None, *, progress=None, **options):
        check_names("replay", parameters, options)
        return Replay(logs, {"procs": procs, **options}, progress)

    leads = [("logs", "Inputs | None", None), ("procs", "int | None", None), ("progress", "Progress", None)]
    rigid = next(one for one in describe()["problems"] if one["name"] == "rigid")
    replay.__signature__ = signature(rigid, "simulate", [one for one in parameters if one["key"] != "procs"], leads, "Replay")
    replay.__doc__ = document(
        "What another policy would have done with a job log, beside what it recorded",
        "logs: a path, a list of paths, bytes or a cosched.JobLog; without them workload draws the jobs. Of a policy it takes a word, a list of words, or a\n"
        "cosched.RigidPolicy among them. Returns a cosched.Replay.", parameters, "`cosched replay`; docs/replays.md")
    replay.__qualname__ = "replay"
    return replay


replay: Callable[..., Replay] = _make()
