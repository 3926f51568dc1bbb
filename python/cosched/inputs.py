"""The input of a call: files, texts, tables of measured times, job logs as columns."""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import os
from typing import Any, Mapping, Sequence

from cosched import columns, parquet
from cosched._core import InputError, fail, ffi, lib, text
from cosched._types import Inputs, Path

_WANTED = "a path, a list of paths, bytes, an open file, a dict {name: {processors: seconds}} or a frame with a column app is wanted"
_LOG = ("submit", "seconds", "procs")


def _missing(value):
    """None, NaN, and what pandas has for them."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)


def _csv(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8")


def _values(column):
    """A column as a list; dates of numpy and pandas as objects with a timestamp."""
    if getattr(getattr(column, "dtype", None), "kind", "") == "M" and not hasattr(column, "dt"):
        column = column.astype("M8[us]")
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _seconds(value):
    """A number or a date (without a zone: UTC) as seconds; NaN for none."""
    if _missing(value):
        return math.nan
    if hasattr(value, "timestamp"):
        return (value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)).timestamp()
    return float(value)


def _numbers(column):
    """1, 2, ... in the order of appearance."""
    known: dict[Any, int] = {}
    return [-1 if _missing(one) else known.setdefault(one, len(known) + 1) for one in column]


def _number(value):
    return "-1" if value != value else "%d" % value if value == int(value) else repr(float(value))


def _times(table, name, count, zero=0.0):
    return [_seconds(one) - zero for one in _values(table[name])] if name in table else [math.nan] * count


def _zero(submit):
    """Unix seconds of the first date; 0 where submit times are numbers."""
    dates = [_seconds(one) for one in submit if hasattr(one, "timestamp")]
    return float(math.floor(min(one for one in dates if one == one))) if dates else 0.0


def log_text(table: Mapping[str, Any], procs: int | None = None) -> bytes:
    """Columns of jobs in the Standard Workload Format, with fractions of seconds, which its readers here accept."""
    for name in _LOG:
        if name not in table:
            raise InputError("jobs have no column %s: submit, seconds and procs are wanted" % name)
    try:
        count, zero = len(table["submit"]), _zero(_values(table["submit"]))
        submit, start = (_times(table, name, count, zero) for name in ("submit", "start"))
        seconds, wide, requested = (_times(table, name, count) for name in ("seconds", "procs", "requested"))
    except (TypeError, ValueError) as error:
        raise InputError("jobs: times and processors are numbers: %s" % error) from None
    for i in range(count):
        if not (math.isfinite(submit[i]) and 0 < seconds[i] < math.inf and wide[i] >= 1 and wide[i] == int(wide[i])):
            raise InputError("job %d: submit is %s, seconds %s, procs %s: a time, a time above 0 and a whole number from 1 are wanted" % (
                i, submit[i], seconds[i], wide[i]))
    names = [_numbers(_values(table[name])) if name in table else [-1] * count for name in ("user", "account", "partition")]
    ids = _values(table["id"]) if "id" in table else range(1, count + 1)
    lines = ["; MaxProcs: %d" % procs] if procs else []
    lines += ["; UnixStartTime: %d" % zero] if zero else []
    rows = zip(ids, submit, start, seconds, wide, requested, *names)
    for job, at, begin, run, width, asked, user, account, partition in sorted(rows, key=lambda row: row[1]):
        lines.append("%d %s %s %s %d -1 -1 %d %s -1 1 %d %d -1 -1 %d -1 -1" % (
            job, _number(at), _number(begin - at), _number(run), width, width, _number(asked), user, account, partition))
    return "\n".join([*lines, ""]).encode()


def _cells(column):
    """A column as CSV has it: lists with ; between, whole numbers that pandas made real because some are missing as they were."""
    values = [None if _missing(value) else ";".join(map(str, value)) if isinstance(value, (list, tuple)) else value for value in _values(column)]
    if None in values and all(isinstance(value, float) and value.is_integer() for value in values if value is not None):
        return [value if value is None else int(value) for value in values]
    return values


def _table(what, table):
    """Columns, of a frame or of Arrow: those of a CSV file of times (docs/formats.md), or of jobs."""
    names = [str(name) for name in table]
    if "app" in names or ("name" in names and "submit" not in names and "procs" in names):
        return ".csv", _csv([names, *zip(*(_cells(table[name]) for name in table))])
    if all(name in names for name in _LOG):
        return ".swf", log_text(table)
    raise InputError("%s has no column app: it has %s; app, procs and seconds are wanted, or app, seconds and seq_fraction; "
                     "of jobs submit, seconds and procs" % (what, ", ".join(names)))


def _dict(times):
    """{name: {processors: seconds}}, or a document of JSON with its format."""
    if isinstance(times.get("format"), str):
        return ".json", json.dumps(times).encode("utf-8")
    for app, points in times.items():
        if not isinstance(points, dict):
            raise InputError("%s: %r is no dict {processors: seconds}" % (app, points))
    return ".csv", _csv([("app", "procs", "seconds"), *((app, procs, seconds) for app, points in times.items() for procs, seconds in points.items())])


class _Document:
    """A document in memory, which the library reads like a file as long as this object exists."""

    def __init__(self, name, title, content):
        self._made, err = (name, title, content), ffi.new("struct cs_error *")
        self._buffer = ffi.from_buffer(content)
        made = lib.cs_memory_file_create(text(name), text(title), self._buffer, len(content), err)
        if made == ffi.NULL:
            fail(err)
        self._file = ffi.gc(made, lib.cs_memory_file_destroy)
        self.paths = [ffi.string(lib.cs_memory_file_path(made)).decode("utf-8", "surrogateescape")]

    def __reduce__(self):
        return _Document, self._made

    def contents(self):
        return [self._made[2]]

    def told(self, content):
        """Without the part of the path that differs in every call."""
        return content.replace(self.paths[0], self._made[0])


class _File:
    """A file, or "-"."""

    def __init__(self, path):
        self.paths = [path]

    def contents(self):
        if os.path.isdir(self.paths[0]):
            raise InputError("%s: is a directory, whose files cannot be written as one: give a list of files" % self.paths[0])
        with open(self.paths[0], "rb") as file:
            return [file.read()]

    def told(self, content):
        return content


class Given:
    """Inputs as paths; what is not a file is a document in memory that lasts as long as this object."""

    def __init__(self, inputs: Inputs) -> None:
        self._documents, several = 0, isinstance(inputs, (list, tuple))
        self._parts = [self._part(one) for one in (inputs if several else [inputs])]

    @property
    def paths(self) -> list[str]:
        """The paths, for functions of the library."""
        return [path for part in self._parts for path in part.paths]

    @property
    def made(self) -> bool:
        """Are there documents in memory?"""
        return self._documents > 0

    def _document(self, title, ending, content):
        self._documents += 1
        return _Document("input%d%s" % (self._documents - 1, ending), title, content)

    def _part(self, one: Any) -> Any:
        if hasattr(one, "replay_options"):  # a job log
            return one._given
        one = one.plan_of() if hasattr(one, "plan_of") else one
        if hasattr(one, "_source"):  # a schedule or a replay
            name, content = one._source()
            return self._document("the " + name, ".json", content.encode("utf-8"))
        if isinstance(one, (str, os.PathLike)):
            path = os.fspath(one)
            return self._document(path, *_table(path, columns.lists(parquet.read(path)))) if parquet.is_one(path) else _File(path)
        if hasattr(one, "read"):
            return self._part(one.read() if "b" in getattr(one, "mode", "b") else one.read().encode("utf-8"))
        if isinstance(one, bytes):
            return self._document("the bytes", "", one)
        if isinstance(one, dict):
            return self._document("the table", *_dict(one))
        if hasattr(one, "itertuples"):
            return self._document("the frame", *_table("the frame", one))
        if hasattr(one, "__arrow_c_stream__"):
            return self._document("the table", *_table("the table", columns.lists(one)))
        raise InputError("%s, not %r" % (_WANTED, one))

    def told(self, content: str) -> str:
        """A file that names inputs, without numbers that differ in every call."""
        for part in self._parts:
            content = part.told(content)
        return content

    def contents(self) -> list[bytes]:
        """The bytes of each path."""
        return [content for part in self._parts for content in part.contents()]

    def write(self, paths: Path | Sequence[Path]) -> None:
        """Write the inputs to as many paths."""
        targets = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        if len(targets) != len(self.paths):
            raise InputError("inputs: %d given, it was made from %d" % (len(targets), len(self.paths)))
        for content, target in zip(self.contents(), targets):
            with open(target, "wb") as file:
                file.write(content)
