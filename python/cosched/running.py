"""Real programs: a run is begun, gone on with, or only shown."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
import warnings
from typing import Any, Mapping, Sequence

from cosched import _built
from cosched._core import Stopped, Warning, bar, fail, ffi, installed, lib, needed, taken, text, watching
from cosched.inputs import Given
from cosched.schedule import Schedule
from cosched._types import Frame, Inputs, Json, Path, Progress

_runners = {}


class _Runner:
    """Who watches a run: Ctrl-C stops it, once more stops what runs too."""

    def __init__(self, progress):
        self.progress, self.wanted, self.error, self.sentences = bar() if progress is True else progress, 0, None, []
        self.handle = ffi.new_handle(self)
        self.c = ffi.new("struct cs_run_watch *", {
            "size": ffi.sizeof("struct cs_run_watch"), "stop": lib.cs_python_run_stop, "say": lib.cs_python_run_say,
            "show": lib.cs_python_run_show if self.progress else ffi.NULL, "who": self.handle})

    def trouble(self, kind, value):
        self.wanted = min(self.wanted + 1, 2)
        if not issubclass(kind, KeyboardInterrupt):
            self.error, self.wanted = value, 2


def _wanted(kind, value, _trace):
    runner = _runners[threading.get_ident()]
    runner.trouble(kind, value)
    return runner.wanted


def _failed(kind, value, trace):
    _wanted(kind, value, trace)


@ffi.def_extern(name="cs_python_run_stop", onerror=_wanted, error=2)
def _stop(who):
    time.sleep(0)
    return ffi.from_handle(who).wanted


@ffi.def_extern(name="cs_python_run_show", onerror=_failed)
def _show(who, view):
    state = ffi.new("struct cs_run_state *", {"size": ffi.sizeof("struct cs_run_state")})
    if not lib.cs_run_view_state(view, state):
        ffi.from_handle(who).progress((state.done + state.failed + state.skipped) / state.tasks)


@ffi.def_extern(name="cs_python_run_say", onerror=_failed)
def _say(who, sentence):
    ffi.from_handle(who).sentences.append(ffi.string(sentence).decode("utf-8", "replace"))


class Run:
    """A run on which nobody works any more: true when every task has succeeded."""

    def __init__(self, ended: Any) -> None:
        self.folder: str = ffi.string(ended.folder).decode("utf-8", "replace")
        self.tasks: int = ended.tasks
        self.done: int = ended.done
        self.failed: int = ended.failed
        self.skipped: int = ended.skipped

    def __bool__(self) -> bool:
        return self.done == self.tasks

    def __repr__(self) -> str:
        return "<cosched.Run: %d of %d tasks done, %d failed, %s>" % (self.done, self.tasks, self.failed, self.folder)


class DryRun:
    """What would happen: makespan (seconds), slots, schedule."""

    def __init__(self, told: Json) -> None:
        self.makespan: float = told["makespan"]
        self.slots: int = told["slots"]
        self._starts = told["starts"]
        self.schedule: Schedule = Schedule(told["schedule"])

    @property
    def starts(self) -> Frame:
        """A frame, a row a start: task, start, end, slots, cores, command (a list of words)."""
        pandas = needed("pandas", "frames")
        return pandas.DataFrame(self._starts)


def _options(command, settings, options):
    """The options of a run, and what keeps their texts alive."""
    how = ffi.new("struct cs_run_options *")
    lib.cs_run_defaults(how)
    words = [text(os.fspath(word)) for word in command]
    sets = [text("%s=%s" % (key, json.dumps(value))) for key, value in (settings or {}).items()]
    keep = [words, sets, ffi.new("char *[]", words), ffi.new("char *[]", sets)]
    how.command, how.words, how.set, how.settings = keep[2], len(words), keep[3], len(sets)
    known = {field[0] for field in ffi.typeof("struct cs_run_options").fields} - {"size", "command", "words", "set", "settings", "signals"}
    for name, value in options.items():
        if name not in known:
            raise TypeError("there is no option %s; there are %s" % (name, ", ".join(sorted(known))))
        if isinstance(value, str):
            keep.append(text(value))
            value = keep[-1]
        if value is not None:
            setattr(how, name, value)
    return how, keep


@contextlib.contextmanager
def _keeper():
    """Tell the library where the keeper is: it looks for one near the program that runs, which is Python here."""
    found = installed("libexec/cosched/keeper", _built.KEEPER) if "COSCHED_KEEPER" not in os.environ else None
    if found:
        os.environ["COSCHED_KEEPER"] = found
    try:
        yield
    finally:
        if found:
            del os.environ["COSCHED_KEEPER"]


def _work(call, progress):
    runner, ended, err = _Runner(progress), ffi.new("struct cs_run_ended *"), ffi.new("struct cs_error *")
    _runners[threading.get_ident()] = runner
    try:
        with _keeper():
            status = call(runner.c, ended, err)
    finally:
        _runners.pop(threading.get_ident(), None)
    for sentence in runner.sentences:
        warnings.warn(sentence, Warning, stacklevel=4)
    if runner.error:
        raise runner.error
    if status:
        fail(err)
    made = Run(ended)
    if runner.wanted and made.done + made.failed + made.skipped < made.tasks:
        raise Stopped("stopped: %d of %d tasks done; cosched.run_resume(%r) goes on" % (made.done, made.tasks, made.folder))
    return made


def run(input: Inputs, folder: Path, command: Sequence[str] = (), *, settings: Mapping[str, Any] | None = None, progress: Progress = None, **options: Any) -> Run:  # pylint: disable=redefined-builtin
    """Run a plan, a table of jobs or a run file for real, in a new folder.

    command: words, in which {name}, {procs} and others stand for values of the task. settings: of all tasks, such as {"retries": 0}.
    progress: a function of the share of tasks that is over, or True. Options: engine, policy, priority, barrier, slots, oversubscribe, ...
    Ctrl-C: nothing more starts, what runs may end; once more: it is stopped. Tasks that fail are warnings.
    """
    given, (how, keep) = Given(input), _options(command, settings, options)
    path, into = text(given.paths[0]), text(os.fspath(folder))
    made = _work(lambda watch, ended, err: lib.cs_run_start(path, into, how, watch, ended, err), progress)
    del keep
    return made


def run_resume(folder: Path, *, progress: Progress = None, **options: Any) -> Run:
    """Go on with a run after a stop, a kill or a reboot. Options: slots, kill, retry_failed, ..."""
    (how, keep), path = _options((), None, options), text(os.fspath(folder))
    made = _work(lambda watch, ended, err: lib.cs_run_resume(path, how, watch, ended, err), progress)
    del keep
    return made


def run_dry(input: Inputs, command: Sequence[str] = (), *, settings: Mapping[str, Any] | None = None, **options: Any) -> DryRun:  # pylint: disable=redefined-builtin
    """What `run` would do, by a virtual clock: nothing is started and nothing written."""
    given, (how, keep) = Given(input), _options(command, settings, options)
    err = ffi.new("struct cs_error *")
    with watching() as watch:
        told = taken(lib.cs_run_dry(text(given.paths[0]), how, watch.c, err), err)
    del keep
    return DryRun(json.loads(told))
