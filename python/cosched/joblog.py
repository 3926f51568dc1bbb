"""Job logs of batch systems, as columns."""

from __future__ import annotations

from typing import Any

import numpy

from cosched import columns
from cosched._core import InputError, ffi, lib, text, watching
from cosched.inputs import Given
from cosched._types import Arrays, Columns, Frame, Inputs, Json

_OPTIONS = {"unit", "procs", "by_submit", "zone", "speed", "lookahead", "strict"}


_COLUMNS = ("id", "submit", "seconds", "procs", "requested", "start", "user", "account", "partition")


def _seconds(column, zero):
    """Dates as seconds after `zero`; numbers as they are."""
    values = numpy.asarray(column)
    if values.dtype.kind == "O" and len(values) and hasattr(values[0], "timestamp"):
        values = numpy.array([one.timestamp() for one in values], float)
        return values - (values.min() if zero is None else zero), values.min() if zero is None else zero
    if values.dtype.kind != "M":
        return values.astype(float), zero
    values = numpy.where(numpy.isnat(values), numpy.nan, values.astype("M8[us]").astype("i8") / 1e6)
    zero = float(numpy.floor(values.min())) if zero is None else zero
    return values - zero, zero


def _numbers(column):
    """1, 2, ... in the order of appearance."""
    known = {}
    return [known.setdefault(one, len(known) + 1) if one is not None and one == one else -1 for one in column]


def _number(value):
    return "-1" if value != value else "%d" % value if value == int(value) else repr(float(value))


def _swf(columns_, procs):
    """Standard Workload Format, with fractions of seconds, which its readers here know."""
    for name in ("submit", "seconds", "procs"):
        if name not in columns_:
            raise InputError("jobs have no column %s: submit, seconds and procs are wanted" % name)
    try:
        submit, zero = _seconds(columns_["submit"], None)
        seconds, wide = (numpy.asarray(columns_[name], float) for name in ("seconds", "procs"))
        requested = numpy.asarray(columns_.get("requested", numpy.full(len(submit), numpy.nan)), float)
        start = _seconds(columns_["start"], zero)[0] if "start" in columns_ else numpy.full(len(submit), numpy.nan)
    except (TypeError, ValueError) as error:
        raise InputError("jobs: times and processors are numbers: %s" % error) from None
    bad = [i for i in range(len(submit)) if not (numpy.isfinite(submit[i]) and 0 < seconds[i] < numpy.inf and wide[i] >= 1 and wide[i] == int(wide[i]))]
    if bad:
        raise InputError("job %d: submit is %s, seconds %s, procs %s: a time, a time above 0 and a whole number from 1 are wanted" % (
            bad[0], submit[bad[0]], seconds[bad[0]], wide[bad[0]]))
    names = [_numbers(columns_[name]) if name in columns_ else [-1] * len(submit) for name in ("user", "account", "partition")]
    ids = columns_["id"] if "id" in columns_ else range(1, len(submit) + 1)
    lines = ["; MaxProcs: %d" % procs] if procs else []
    lines += ["; UnixStartTime: %d" % zero] if zero else []
    rows = list(zip(ids, submit, start - submit, seconds, wide, requested, *names))
    for job, at, wait, run, width, asked, user, account, partition in sorted(rows, key=lambda row: row[1]):
        lines.append("%d %s %s %s %d -1 -1 %d %s -1 1 %d %d -1 -1 %d -1 -1" % (
            job, _number(at), _number(wait), _number(run), width, width, _number(asked), user, account, partition))
    return "\n".join([*lines, ""])


class JobLog:
    """The jobs of one or several logs, by submit time: SWF, `sacct -P`, PBS, Batsim, ALCF; packed or not.

    logs: a path, a list of paths, or bytes. Options are those of cosched.convert: procs (of the machine, wider jobs are left
    out), unit ("cpus" or "nodes"), zone, by_submit, speed, strict. Columns: id, name, submit, seconds, requested (NaN: none),
    start (NaN: unknown), procs, user, account, partition, qos.
    """

    def __init__(self, logs: Inputs, **options: Any) -> None:
        for name in options.keys() - _OPTIONS:
            raise TypeError("a job log has no option %s; there are %s" % (name, ", ".join(sorted(_OPTIONS))))
        self._given, self._options = Given(logs), options
        self._count = len(columns.arrays(self._stream(again=False))["id"])

    @classmethod
    def from_frame(cls, jobs: Columns, procs: int | None = None) -> JobLog:
        """A log of the rows of a frame (or a dict of columns), which may be replayed, simulated and converted.

        Columns: submit (seconds, or dates), seconds, procs; and if they are there id, requested, start (as submit), user,
        account and partition, which become numbers in the order in which they appear. procs: of the machine. Times may
        have fractions of a second.
        """
        return cls(_swf({name: jobs[name] for name in _COLUMNS if name in jobs}, procs).encode())

    def _stream(self, again=True):
        paths = [text(path) for path in self._given.paths]
        texts = {name: text(value) if isinstance(value, str) else value for name, value in self._options.items()}
        how = ffi.new("struct cs_convert_options *", {"size": ffi.sizeof("struct cs_convert_options"), **texts})
        with watching(None) as watch:
            made = columns.stream(lib.cs_joblog_arrow, ffi.new("char *[]", paths), len(paths), how, watch.c, given=self._given)
            if again:
                watch.sentences.clear()
            return made

    def arrays(self) -> Arrays:
        """A dict of numpy arrays; numbers are read-only views of what C read."""
        return columns.arrays(self._stream())

    def to_frame(self) -> Frame:
        """A pandas frame, a row a job; its numbers are read-only views of what C read, to_frame().copy() can be written to."""
        return columns.frame(self._stream())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return columns.capsule(self._stream(), requested_schema)

    @property
    def paths(self) -> list[str]:
        """The files that it is in: what takes paths of logs takes a JobLog."""
        return self._given.paths

    def replay_options(self) -> Json:
        """Its options, in the words of a replay."""
        words = {**self._options, **({"arrive": "submit"} if self._options.get("by_submit") else {})}
        return {name: value for name, value in words.items() if name not in ("by_submit", "speed") and value not in (None, 0, False)}

    def __len__(self) -> int:
        return self._count

    def _repr_html_(self):
        return self.to_frame().to_html(max_rows=20)

    def __repr__(self) -> str:
        return "<cosched.JobLog: %d jobs>" % self._count
