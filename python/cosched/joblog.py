"""Job logs of batch systems, as columns."""

from cosched import columns
from cosched._core import ffi, lib, text, watching
from cosched.inputs import Given

_OPTIONS = {"unit", "procs", "by_submit", "zone", "speed", "lookahead", "strict"}


class JobLog:
    """The jobs of one or several logs, by submit time: SWF, `sacct -P`, PBS, Batsim, ALCF; packed or not.

    logs: a path, a list of paths, or bytes. Options are those of cosched.convert: procs (of the machine, wider jobs are left
    out), unit ("cpus" or "nodes"), zone, by_submit, speed, strict. Columns: id, name, submit, seconds, requested (NaN: none),
    start (NaN: unknown), procs, user, account, partition, qos.
    """

    def __init__(self, logs, **options):
        for name in options.keys() - _OPTIONS:
            raise TypeError("a job log has no option %s; there are %s" % (name, ", ".join(sorted(_OPTIONS))))
        self._given, self._options = Given(logs), options
        self._count = len(columns.arrays(self._stream(again=False))["id"])

    def _stream(self, again=True):
        paths = [text(path) for path in self._given.paths]
        texts = {name: text(value) if isinstance(value, str) else value for name, value in self._options.items()}
        how = ffi.new("struct cs_convert_options *", {"size": ffi.sizeof("struct cs_convert_options"), **texts})
        with watching(None) as watch:
            made = columns.stream(lib.cs_joblog_arrow, ffi.new("char *[]", paths), len(paths), how, watch.c)
            if again:
                watch.sentences.clear()
            return made

    def arrays(self):
        """A dict of numpy arrays; numbers are read-only views of what C read."""
        return columns.arrays(self._stream())

    def to_frame(self):
        """A pandas frame, a row a job."""
        return columns.frame(self._stream())

    def __arrow_c_stream__(self, requested_schema=None):
        return columns.capsule(self._stream(), requested_schema)

    @property
    def paths(self):
        """The files that it is in: what takes paths of logs takes a JobLog."""
        return self._given.paths

    def replay_options(self):
        """Its options, in the words of a replay."""
        words = {**self._options, **({"arrive": "submit"} if self._options.get("by_submit") else {})}
        return {name: value for name, value in words.items() if name not in ("by_submit", "speed") and value not in (None, 0, False)}

    def __len__(self):
        return self._count

    def _repr_html_(self):
        return self.to_frame().to_html(max_rows=20)

    def __repr__(self):
        return "<cosched.JobLog: %d jobs>" % self._count
