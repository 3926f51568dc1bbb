"""The state of runs; files for other programs."""

from __future__ import annotations

import json
import os
from typing import Literal

from cosched import parquet
from cosched._core import InputError, ffi, lib, needed, taken, text, watching
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
    """What a file holds, and which commands of the tool take it: `cosched inspect`. A dict with kind, form, words and commands."""
    err = ffi.new("struct cs_error *")
    return json.loads(taken(lib.cs_what(text(os.fspath(path)), ffi.NULL, err), err))


def _log(inputs, unit, procs, zone, speed, lookahead, strict, arrive):  # pylint: disable=too-many-arguments,too-many-positional-arguments
    options = {"unit": unit, "procs": procs, "zone": zone, "speed": speed, "lookahead": lookahead, "strict": strict, "by_submit": arrive == "submit"}
    return JobLog(inputs, **{name: value for name, value in options.items() if value})


def convert(inputs: Inputs, path: Path, to: str, *, unit: Literal["cpus", "nodes"] | None = None, procs: int = 0,  # pylint: disable=too-many-arguments,too-many-locals
            arrive: Literal["eligible", "submit"] = "eligible", zone: str | None = None, speed: float = 0, lookahead: int = 0, strict: bool = False,
            tracks: str | None = None, program: str | None = None, margin: float = 0) -> Path:
    """Write job logs or a schedule as a file of another program: `cosched convert`, whose options these are. Returns the path.

    to: also "parquet" and "arrow", for what has columns (a JobLog, Schedule, Replay, Case or Campaign, or paths of logs);
    pyarrow, polars or DuckDB writes them.
    """
    if to in ("parquet", "arrow"):
        parquet.write(inputs if hasattr(inputs, "__arrow_c_stream__") else _log(inputs, unit, procs, zone, speed, lookahead, strict, arrive), to, path)
        return path
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
