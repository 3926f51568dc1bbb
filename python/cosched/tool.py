"""The state of runs; files for other programs."""

from __future__ import annotations

import inspect
import io
import json
import os
from typing import Any, Callable, Literal

from cosched import parquet
from cosched._core import InputError, describe, ffi, lib, needed, taken, text, watching
from cosched._parameters import check_names, document, kept, signature
from cosched.inputs import Given
from cosched.joblog import JobLog
from cosched._types import Frame, Inputs, Json, Path, Seconds


def run_status(folder: Path) -> Frame:
    """How far the run in a folder has come: a frame, a row a task."""
    pandas = needed("pandas", "frames")
    err = ffi.new("struct cs_error *")
    told = json.loads(taken(lib.cs_run_status(text(os.fspath(folder)), err), err))
    return pandas.DataFrame(told["tasks"]).convert_dtypes()


def what(path: Path) -> Json:
    """What a file or a directory holds, and which commands of the tool take it: `cosched inspect`. A dict with kind, form, words and commands."""
    if not isinstance(path, (str, os.PathLike)):
        raise InputError("what takes the path of one file or directory, not %r" % (path,))
    err = ffi.new("struct cs_error *")
    return json.loads(taken(lib.cs_what(text(os.fspath(path)), ffi.NULL, err), err))


def _log(inputs, unit, procs, zone, speed, lookahead, strict, arrive):  # pylint: disable=too-many-arguments,too-many-positional-arguments
    options = {"unit": unit, "procs": procs, "zone": zone, "speed": speed, "lookahead": lookahead, "strict": strict, "by_submit": arrive == "submit"}
    return JobLog(inputs, **{name: value for name, value in options.items() if value})


def _converted(inputs, how, words):
    """The text of a file of another program."""
    given, alive = Given(inputs), {name: text(word) for name, word in words.items()}
    paths = [text(one) for one in given.paths]
    c = ffi.new("struct cs_convert_options *", {"size": ffi.sizeof("struct cs_convert_options"), **alive, **how})
    err, length = ffi.new("struct cs_error *"), ffi.new("size_t *")
    with watching() as watch:
        made = lib.cs_convert(ffi.new("char *[]", paths), len(paths), c, watch.c, length, err)
        return taken(made, err, length)


def _convert(inputs: Inputs, path: Path, to: str, *, unit: Literal["cpus", "nodes"] | None = None, procs: int = 0,  # pylint: disable=too-many-arguments,too-many-locals
             arrive: Literal["eligible", "submit"] = "eligible", zone: str | None = None, speed: float = 0, lookahead: int = 0, strict: bool = False,
             tracks: str | None = None, program: str | None = None, margin: float = 0, **readers: Any) -> Path:
    others = {"unit": unit, "procs": procs, "zone": zone, "speed": speed, "lookahead": lookahead, "strict": strict, "tracks": tracks,
              "program": program, "margin": margin, "arrive": arrive != "eligible"}
    readers = _readers("convert", readers)
    for name in [name for name, value in (others if to == "timings" else readers).items() if value]:
        raise InputError("%s is %s timings" % (name, "not for" if to == "timings" else "only for"))
    if to in ("parquet", "arrow"):
        parquet.write(inputs if hasattr(inputs, "__arrow_c_stream__") else _log(inputs, unit, procs, zone, speed, lookahead, strict, arrive), to, path)
        return path
    if arrive not in ("eligible", "submit"):
        raise InputError("arrive cannot be %r: eligible or submit is wanted" % (arrive,))
    made = _converted(inputs, {"procs": procs, "by_submit": arrive == "submit", "speed": speed, "lookahead": lookahead, "strict": strict, "margin": margin},
                      {"to": to, "unit": unit, "zone": zone, "tracks": tracks, "program": program, "command": "cosched.convert", **readers})
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(made)
    return path


# Options for timings: those of plans that conversions have too.
_MOLDABLE = next(one for one in describe()["problems"] if one["name"] == "moldable")
_READERS = [one for one in kept(_MOLDABLE, "plan") if one["key"] in dict(ffi.typeof("struct cs_convert_options").fields)
            and one["key"] not in inspect.signature(_convert).parameters]


def _readers(function, given):
    """Options for timings as texts; a count may be a number."""
    check_names(function, _READERS, given)
    for name, value in given.items():
        if value is not None and type(value) not in (str, int):
            raise InputError("%s cannot be %r: a text is wanted" % (name, value))
    return {name: value if value is None else str(value) for name, value in given.items()}


def timings_text(inputs: Inputs, **readers: Any) -> str:
    """The table that `cosched convert` makes of timings."""
    return _converted(inputs, {}, {"to": "timings", **_readers("timings", readers)})


def _timings(inputs: Inputs, **readers: Any) -> Frame:
    pandas = needed("pandas", "frames")
    return pandas.read_csv(io.StringIO(timings_text(inputs, **readers)), float_precision="round_trip", dtype={"app": str, "source": str},
                           keep_default_na=False)


def _described(function, name, summary, first, last):
    """A function whose further options are those for timings."""
    own = [one for one in inspect.signature(function).parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    more = signature(_MOLDABLE, "plan", _READERS, [], "").parameters.values()
    function.__signature__ = inspect.Signature([*own, *(one.replace(annotation="str | None") for one in more)],
                                               return_annotation=inspect.signature(function).return_annotation)
    function.__doc__ = document(summary, first, _READERS, last)
    function.__name__ = function.__qualname__ = name
    return function


convert: Callable[..., Path] = _described(
    _convert, "convert", "Write job logs, a schedule or timings as a file of another program, and return its path",
    'to: a form of `cosched convert`, whose options these are; also "parquet" and "arrow", for what has columns (a JobLog,\n'
    "Schedule, Replay, Case or Campaign, or paths of logs); pyarrow, polars or DuckDB writes them. The following options are\n"
    'for to="timings", which reads several files and directories together.', "`cosched convert`; docs/formats.md")
timings: Callable[..., Frame] = _described(
    _timings, "timings", "The measured times of files and directories as a frame, a row for each run: app, procs (or nodes), seconds, source",
    "inputs: a path, a list of paths, bytes, a dict or a frame; files of a directory that hold no timings are named in a\n"
    "warning. The frame is an input of plans, cosched.plot and cosched.report.", "`cosched convert`; docs/formats.md")
