"""What the installed tool does, as frames: replays of job logs, the state of runs, files for other programs."""

import csv
import json
import os
import subprocess
import tempfile
import warnings

from cosched._core import Error, InputError, Stopped, Warning
from cosched.foreign import PolicyError, served
from cosched.inputs import Given
from cosched.schedule import Picture
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
            self.result = json.loads(self._run("--format", "json").stdout)
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

    def picture(self):
        """All policies over calendar time. Replays once more."""
        return Picture(self._file("--draw", ".svg"))

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


def run_status(folder, *, tool="cosched"):
    """How far a run (`cosched run --into FOLDER`) has come: a frame, a row a task."""
    import io

    import pandas
    return pandas.DataFrame(list(csv.DictReader(io.StringIO(
        run_tool(["run", "status", os.fspath(folder), "--format", "csv"], tool).stdout)))).convert_dtypes()


def convert(inputs, path, to, *, tool="cosched", **options):
    """Write job logs or a schedule as a file of another program: `cosched convert`. Returns the path."""
    given = Given(inputs)
    done = run_tool(["convert", *given.paths, "--to", to, "--output", os.fspath(path), *words_of(options)], tool)
    for line in done.stderr.splitlines():
        warnings.warn(line.removeprefix("cosched: warning: "), Warning, stacklevel=2)
    return path
