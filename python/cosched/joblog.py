"""Job logs of batch systems, as columns."""

from __future__ import annotations

from typing import Any

from cosched import columns
from cosched._core import ffi, lib, text, watching
from cosched.inputs import Given, log_text
from cosched._types import Arrays, Columns, Frame, Inputs, Json

_OPTIONS = {"unit", "procs", "by_submit", "zone", "speed", "lookahead", "strict"}
_COLUMNS = ("id", "submit", "seconds", "procs", "requested", "start", "user", "account", "partition")


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
        self._count = columns.length(self._stream(again=False))

    @classmethod
    def from_frame(cls, jobs: Columns, procs: int | None = None) -> JobLog:
        """A log of the rows of a frame (or a dict of columns), which may be replayed, simulated and converted.

        Columns: submit (seconds, or dates), seconds, procs; and if they are there id, requested, start (as submit), user,
        account and partition, which become numbers in the order in which they appear. procs: of the machine. Times may
        have fractions of a second.
        """
        return cls(log_text({name: jobs[name] for name in _COLUMNS if name in jobs}, procs))

    def _stream(self, again=True):
        paths = [text(path) for path in self._given.paths]
        texts = {name: text(value) if isinstance(value, str) else value for name, value in self._options.items()}
        how = ffi.new("struct cs_convert_options *", {"size": ffi.sizeof("struct cs_convert_options"), **texts})
        with watching(None) as watch:
            made = columns.stream(lib.cs_joblog_arrow, ffi.new("char *[]", paths), len(paths), how, watch.c)
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
