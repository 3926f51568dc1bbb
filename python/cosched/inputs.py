"""What a problem is given: files, texts, tables of measured times."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
import weakref

from cosched._core import InputError
from cosched._types import Inputs


_WANTED = "a path, a list of paths, bytes, an open file, a dict {name: {processors: seconds}} or a frame with a column app is wanted"


def _rows(times):
    """A header and rows: of a dict {"app": {procs: seconds}}, or of a frame, whose columns are those of CSV (docs/formats.md)."""
    if hasattr(times, "itertuples") and "app" in list(times):
        return [tuple(times), *(tuple(None if value != value else value for value in row) for row in times.itertuples(index=False, name=None))]
    if hasattr(times, "itertuples"):
        raise InputError("the frame has no column app: it has %s; app, procs and seconds are wanted, or app, seconds and seq_fraction" % ", ".join(map(str, times)))
    if not isinstance(times, dict):
        raise InputError("%s, not %r" % (_WANTED, times))
    for app, points in times.items():
        if not isinstance(points, dict):
            raise InputError("%s: %r is no dict {processors: seconds}" % (app, points))
    return [("app", "procs", "seconds"), *((app, procs, seconds) for app, points in times.items() for procs, seconds in points.items())]


class Given:
    """Inputs as paths; what is not a file is written to one that lasts as long as this object."""

    def __init__(self, inputs: Inputs) -> None:
        self._folder, self._called, self._logs = None, {}, []
        several = isinstance(inputs, (list, tuple))
        self.paths: list[str] = [path for one in (inputs if several else [inputs]) for path in self._paths(one)]

    def _paths(self, one):
        self._logs.append(one)  # a log lives as long as its files are wanted
        return one.paths if hasattr(one, "paths") else [self._path(one)]

    @property
    def made(self) -> bool:
        """Did any come without a file?"""
        return self._folder is not None

    def _path(self, one):
        if isinstance(one, (str, os.PathLike)):
            return os.fspath(one)
        if hasattr(one, "read"):
            return self._path(one.read() if "b" in getattr(one, "mode", "b") else one.read().encode("utf-8"))
        rows = None if isinstance(one, bytes) else _rows(one)
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="cosched-")
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        path = os.path.join(self._folder, "input%d" % len(self._called)) + ("" if rows is None else ".csv")
        self._called[path] = "the bytes" if rows is None else "the table" if isinstance(one, dict) else "the frame"
        if rows is None:
            with open(path, "wb") as file:
                file.write(one)
        else:
            with open(path, "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)
        return path

    def told(self, content: str) -> str:
        """A file that names inputs, without folders that are others in every call and gone after it."""
        for log in self._logs:
            content = log._given.told(content) if hasattr(log, "_given") else content  # pylint: disable=protected-access
        return content.replace(self._folder + os.sep, "") if self._folder else content

    def said(self, sentence: str) -> str:
        """What the library says of inputs, which only it calls by the paths of files that nobody else knows."""
        for path, name in self._called.items():
            sentence = sentence.replace(path, name)
        return sentence
