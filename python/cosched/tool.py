"""Replays of job logs, by the installed tool, as frames; the state of runs; files for other programs."""

import json
import os
import subprocess
import tempfile
import warnings

from cosched._core import Error, InputError, Stopped, Warning, ffi, lib, taken, text, watching
from cosched.foreign import PolicyError, served
from cosched.inputs import Given
from cosched.picture import plot
from cosched.study import _plain


def words_of(options):
    """Options of the tool: mean_wait=3 is --mean-wait 3, True a flag, a list is joined by commas."""
    words = []
    for name, value in options.items():
        value = _plain(value)
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value))
    return words


def _sentence(told):
    """What the tool said of its error: a sentence, or the object of --format json."""
    lines = [line for line in told.strip().splitlines() if not line.startswith("cosched: warning: ")]
    if lines and lines[-1].startswith('{"error": '):
        return json.loads(lines[-1])["error"]
    return next((line for line in lines if line.startswith("cosched: ")), "\n".join(lines)).removeprefix("cosched: ")


def run_tool(words, tool, policy=None, given=None):
    """What it prints. Its error is an exception with the same sentence."""
    try:
        done = subprocess.run([tool, *words], input=given, text=True, capture_output=True, check=False,
                              pass_fds=[policy.theirs.fileno()] if policy else [])
    except KeyboardInterrupt:
        raise Stopped("stopped") from None
    except FileNotFoundError:
        raise Error("the tool %s is not installed: cosched.%s needs it" % (tool, words[0])) from None
    if done.returncode:
        sentence = _sentence(done.stderr)
        if policy and sentence.startswith("policy program: "):
            raise PolicyError(sentence) from policy.error
        raise InputError(sentence)
    return done


class Replay:
    """What other policies would have done with a job log, beside what the log recorded."""

    def __init__(self, logs, options, tool):
        options, self._served = served(options, "rigid")
        self._given, self._tool = Given(logs), tool
        self._words = ["replay", *self._given.paths, *words_of(options)]
        try:
            self._text = self._run("--format", "json").stdout
            self.result = json.loads(self._text)
        except BaseException:
            self.close()
            raise
        for sentence in self.warnings:
            warnings.warn(sentence, Warning, stacklevel=3)

    def _run(self, *more):
        return run_tool([*self._words, *more], self._tool, self._served)

    def close(self):
        """A policy in Python is asked no more."""
        if self._served:
            self._served.close()

    __del__ = close

    @property
    def warnings(self):
        """What makes the numbers doubtful: sentences."""
        return self.result["input"]["warnings"]

    @property
    def rules(self):
        """How many lines of the log each rule left out or noticed."""
        return {rule: count for rule, count in self.result["input"]["rules"].items() if count}

    @property
    def rows(self):
        """A frame: what was recorded, then each policy with each priority, and every measure (seconds)."""
        import pandas
        return pandas.DataFrame([{key: value for key, value in row.items() if not isinstance(value, (dict, list))}
                                 for row in self.result["rows"]]).set_index(["policy", "priority"])

    def table(self, by):
        """A frame of waits by "width", "time", "user", "account", "partition", "qos" or "week"."""
        import pandas
        known = self.result["rows"][0].get("tables", {})
        if by not in known:
            raise InputError("there is no table by %s: there are %s" % (by, ", ".join(known)))
        return pandas.DataFrame([{"policy": row["policy"], "priority": row["priority"], **one}
                                 for row in self.result["rows"] for one in row["tables"][by]])

    def _file(self, option, ending):
        with tempfile.TemporaryDirectory(prefix="cosched-") as folder:
            path = os.path.join(folder, "out" + ending)
            self._run(option, path)
            with open(path, encoding="utf-8", newline="") as file:
                return file.read()

    def jobs(self):
        """A frame: every job of every policy, when it started and ended. Replays once more."""
        import io

        import pandas
        return pandas.read_csv(io.StringIO(self._file("--jobs", ".csv")))

    def series(self):
        """A frame: the queue and what was in use, over calendar time. Replays once more."""
        import io

        import pandas
        return pandas.read_csv(io.StringIO(self._file("--series", ".csv")))

    def _source(self):
        return "replay", self._text

    def picture(self, figure=None, **options):
        """All policies over calendar time ("time"), how many jobs waited how long ("shares"), or both; options as in plot."""
        files = self.result["input"]["files"]
        title = os.path.basename(files[0]) + (" and %d more" % (len(files) - 1) if len(files) > 1 else "") + ", replayed"
        return plot(self, figure, **{"title": title, **options})

    def to_frame(self):
        """The rows."""
        return self.rows

    def _repr_html_(self):
        return self.rows.to_html(max_rows=50)

    def __repr__(self):
        return "<cosched.Replay: %d jobs, %s>" % (self.result["input"]["jobs"], ", ".join(row["policy"] for row in self.result["rows"][1:]))


def replay(logs, *, tool="cosched", **options):
    """Play a job log again under other policies: `cosched replay`, whose options these are.

    logs: a path, a list of paths, or bytes. policy is a word, a list of words, or a cosched.RigidPolicy among them.
    """
    return Replay(logs, options, tool)


def run_status(folder):
    """How far a run (`cosched run --into FOLDER`) has come: a frame, a row a task."""
    import pandas
    err = ffi.new("struct cs_error *")
    told = json.loads(taken(lib.cs_run_status(text(os.fspath(folder)), err), err))
    return pandas.DataFrame(told["tasks"]).convert_dtypes()


def convert(inputs, path, to, *, unit=None, procs=0, arrive="eligible", zone=None, speed=0, lookahead=0, strict=False,  # pylint: disable=too-many-arguments,too-many-locals
            tracks=None, program=None, margin=0):
    """Write job logs or a schedule as a file of another program: `cosched convert`, whose options these are. Returns the path."""
    given = Given(inputs)
    paths = [text(one) for one in given.paths]
    words = {"to": to, "unit": unit, "zone": zone, "tracks": tracks, "program": program, "command": "cosched.convert"}
    alive = {name: text(word) for name, word in words.items()}
    if arrive not in ("eligible", "submit"):
        raise InputError("arrive cannot be %r: eligible or submit is wanted" % (arrive,))
    how = ffi.new("struct cs_convert_options *", {
        "size": ffi.sizeof("struct cs_convert_options"), **alive, "procs": procs, "by_submit": arrive == "submit",
        "speed": speed, "lookahead": lookahead, "strict": strict, "margin": margin})
    err, length = ffi.new("struct cs_error *"), ffi.new("size_t *")
    with watching() as watch:
        made = taken(lib.cs_convert(ffi.new("char *[]", paths), len(paths), how, watch.c, length, err), err, length)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(made)
    return path
