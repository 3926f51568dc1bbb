"""The state of runs; files for other programs."""

import json
import os

from cosched._core import InputError, ffi, lib, taken, text, watching
from cosched.inputs import Given


def run_status(folder):
    """How far a run (`cosched run --into FOLDER`) has come: a frame, a row a task."""
    import pandas
    err = ffi.new("struct cs_error *")
    told = json.loads(taken(lib.cs_run_status(text(os.fspath(folder)), err), err))
    return pandas.DataFrame(told["tasks"]).convert_dtypes()


def what(path):
    """What a file holds, and which commands of the tool take it: `cosched inspect`. A dict with kind, form, words and commands."""
    err = ffi.new("struct cs_error *")
    return json.loads(taken(lib.cs_what(text(os.fspath(path)), ffi.NULL, err), err))


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
