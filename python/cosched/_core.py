"""Calls of the library: its errors as exceptions, its texts, and who watches what takes long."""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
import warnings
from typing import Any

from cosched import _built

try:
    from cosched._cosched import ffi, lib
except ImportError as _error:
    _this = "this is %s (Python %d.%d)" % (sys.executable, *sys.version_info[:2])
    raise ImportError("cosched was built for %s%s; %s: %s" % (
        _built.PYTHON + " " if _built.PYTHON else "", "(Python %s)" % _built.VERSION if _built.PYTHON else "Python " + _built.VERSION,
        _this, _error)) from _error


class Error(Exception):
    """Something the library refused; str(error) is its own sentence. `file` and `line` are those that it is about, or None."""

    file: str | None = None
    line: int | None = None


class InputError(Error, ValueError):
    """A file, an option or a value is wrong."""


class UsageError(Error, ValueError):
    """A call makes no sense."""


class SystemFault(Error, OSError):
    """The operating system said no: there is no such file, the disk is full."""


class MissingPart(Error, ImportError):
    """This build lacks a library, or this machine does."""


class Stopped(Error, KeyboardInterrupt):
    """Stopped by the user before it was done."""


class PolicyError(Error, RuntimeError):
    """A policy failed; its __cause__ is the exception that it raised, if it did."""


class OutOfMemory(Error, MemoryError):
    """There is no memory left."""


class Warning(UserWarning):  # pylint: disable=redefined-builtin
    """Results should be taken with care."""


def warn(sentence: str) -> None:
    """A warning at the line that called this package."""
    frame, level = sys._getframe(1), 2  # pylint: disable=protected-access
    while frame and frame.f_globals.get("__name__", "").split(".")[0] == __name__.split(".", maxsplit=1)[0]:
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, DeprecationWarning if "' is now called '" in sentence else Warning, stacklevel=level)


_KINDS = {lib.CS_ERROR_USAGE: UsageError, lib.CS_ERROR_SYSTEM: SystemFault, lib.CS_ERROR_MISSING: MissingPart,
          lib.CS_ERROR_STOPPED: Stopped, lib.CS_ERROR_POLICY: PolicyError, lib.CS_ERROR_MEMORY: OutOfMemory}


def fail(err, served=None):
    """An error of C as an exception; `served` has the exception of a policy."""
    sentence = ffi.string(err.text).decode("utf-8", "replace")
    kind = _KINDS.get(err.kind, InputError)
    error = kind(sentence or "the call failed")
    error.file = ffi.string(err.where).decode("utf-8", "surrogateescape") or None
    error.line = err.line or None
    raise error from (served.error if served and kind is PolicyError else None)


def needed(name: str, what: str) -> Any:
    """The module that `what` is made with, imported on first use."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingPart("%s need %s, which cannot be imported: install it, for example by pip install %s (%s)" % (
            what, package, package, error)) from None


def text(value):
    """A text for C, or NULL; paths may have any bytes but 0."""
    if value is None:
        return ffi.NULL
    if "\0" in value:
        raise InputError("%r has a 0 in it, which no text may have" % value)
    return ffi.new("char[]", value.encode("utf-8", "surrogateescape"))


def taken(pointer, err, length=None):
    """The text that C made, which is freed."""
    if pointer == ffi.NULL:
        fail(err)
    try:
        return (ffi.buffer(pointer, length[0])[:] if length else ffi.string(pointer)).decode("utf-8")
    finally:
        lib.cs_free(pointer)


class Watch:
    """Looks every 50 ms whether Ctrl-C was pressed, passes on progress and warnings.

    Python handles signals in its main thread, when that runs Python code: this is such code, as the thread that
    called the library asks too, many times a second.
    """

    def __init__(self, progress=None):
        self.progress = progress
        self.stopped = False
        self.next = time.monotonic() + 0.05
        self.error = None
        self.sentences = []
        self.thread = threading.get_ident()
        self.handle = ffi.new_handle(self)
        self.c = ffi.new("struct cs_watch *", {
            "size": ffi.sizeof("struct cs_watch"), "stop": lib.cs_python_stop, "warn": lib.cs_python_warn,
            "progress": lib.cs_python_progress if progress else ffi.NULL, "who": self.handle})

    def look(self):
        """Runs Python code now and then, in which a pending Ctrl-C is raised."""
        if threading.get_ident() == self.thread and time.monotonic() >= self.next:
            self.next = time.monotonic() + 0.05
            time.sleep(0)
        return self.stopped

    def end(self):
        """After the call: what came up on the way."""
        for sentence in self.sentences:
            warn(sentence)
        if self.error:
            raise self.error


def _interrupted(kind, value, _trace):
    """An exception in a callback: Ctrl-C, or a mistake in the caller's function for progress."""
    watch = _watches.get(threading.get_ident())
    if watch:
        watch.stopped = True
        watch.error = value if not issubclass(kind, KeyboardInterrupt) else None
    return True


def _failed(kind, value, trace):
    """The same, of callbacks that return nothing."""
    _interrupted(kind, value, trace)


_watches = {}


@ffi.def_extern(name="cs_python_stop", onerror=_interrupted, error=True)
def _stop(who):
    return ffi.from_handle(who).look()


@ffi.def_extern(name="cs_python_progress", onerror=_failed)
def _progress(who, share):
    ffi.from_handle(who).progress(share)


@ffi.def_extern(name="cs_python_warn", onerror=_failed)
def _warn(who, sentence):
    ffi.from_handle(who).sentences.append(ffi.string(sentence).decode("utf-8", "replace"))


class watching:
    """with watching(progress) as watch: a call that may take long."""

    def __init__(self, progress=None):
        self.watch = Watch(bar() if progress is True else progress or None)

    def __enter__(self):
        _watches[self.watch.thread] = self.watch
        return self.watch

    def __exit__(self, kind, value, trace):
        _watches.pop(self.watch.thread, None)
        self.watch.end()
        if kind is KeyboardInterrupt or (self.watch.stopped and kind is None):
            raise Stopped("stopped") from None


def bar():
    """A function that shows a share as a line on standard error."""
    import sys

    def show(share):
        sys.stderr.write("\r%3d %%" % (100 * share) + ("\n" if share >= 1 else ""))
        sys.stderr.flush()
    return show


def installed(tail, built):
    """A file or folder of the installation that this package is in, such as share/cosched/papers; else that of the build, or None."""
    here = os.path.dirname(os.path.abspath(__file__))
    for _ in range(5):
        here = os.path.dirname(here)
        if os.path.exists(os.path.join(here, tail)):
            return os.path.join(here, tail)
    return built if built and os.path.exists(built) else None


def describe() -> dict[str, Any]:
    """Every problem as data: parameters, values and policies (docs/parameters.md)."""
    err = ffi.new("struct cs_error *")
    return json.loads(taken(lib.cs_case_describe(ffi.NULL, err), err))


def pattern(**options: float) -> dict[str, Any]:
    """A pattern of verified checkpoints: options of `cosched pattern` with underscores, in seconds and errors a second."""
    err = ffi.new("struct cs_error *")
    return json.loads(taken(lib.cs_pattern(text(json.dumps(options)), err), err))


def version() -> str:
    """The version of the library."""
    return ffi.string(lib.cs_version()).decode()
