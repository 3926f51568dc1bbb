"""Plans and simulations: options in, metrics of all runs out."""

from __future__ import annotations

import functools
import json
import keyword
import math
import os
import string
import tempfile
import warnings
import weakref
from typing import Any, Callable, Literal, Mapping, NoReturn, Sequence, TypeVar, cast, overload

from cosched import columns
from cosched._parameters import check_names, document, generator_signature, kept, runner_signature
from cosched._core import InputError, UsageError, describe, fail, ffi, lib, needed, taken, text, warn, watching
from cosched.inputs import Given
from cosched.foreign import served
from cosched.picture import ColorBy, Picture, Strips, Style, length_of, options_of
from cosched.schedule import Check, Schedule
from cosched._types import Arrays, Axes, Floats, Frame, Inputs, Json, Length, Path, Progress, Seconds, Variant

_Method = TypeVar("_Method", bound=Callable[..., Any])
_PLAIN = set(string.ascii_letters + string.digits + "_-+=./,:@%")


def _plain(value):
    """A value as JSON has it: times may be timedelta, numbers those of numpy."""
    if hasattr(value, "total_seconds"):
        return value.total_seconds()
    if hasattr(value, "dtype") and hasattr(value, "item"):  # a scalar of numpy
        return float(value / type(value)(1, "s")) if value.dtype.kind == "m" else value.item()
    if isinstance(value, range) and value:
        return "%d..%d" % (value[0], value[-1]) + (":%d" % value.step if value.step != 1 else "")
    if isinstance(value, dict):
        return ["%s=%s" % one for one in value.items()]
    if isinstance(value, (list, tuple)) and value and all(type(one) is int for one in value):
        return ",".join(map(str, value))  # sizes, counts
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _spelt(value):
    """The same, with the bytes of texts that are not UTF-8, as paths may be."""
    if isinstance(value, list):
        return [_spelt(one) for one in value]
    letters = ffi.string(text(value)) if isinstance(value, str) else b""
    try:
        letters.decode("utf-8")
        return value
    except UnicodeDecodeError:
        return {"bytes": list(letters)}


def options_text(options: Mapping[str, Any], paths: list[str] | None = None) -> str:
    """Options as the JSON that C reads; what is None is not said."""
    given = {name[:-1] if keyword.iskeyword(name[:-1]) else name: _plain(value) for name, value in options.items() if value is not None}
    if paths is not None:
        given["input"] = paths
    for name, value in given.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError("%s cannot be %s" % (name, value))
        if callable(value) or any(map(callable, value if isinstance(value, list) else [])):
            raise InputError("%s cannot be a function: a policy of your own is a class, such as one that derives from cosched.RigidPolicy" % name)
    return json.dumps({name: _spelt(value) for name, value in given.items()})


def _quoted(word):
    """As a shell, and the judge of schedules, reads it."""
    return word if word and not set(word) - _PLAIN else "'%s'" % word.replace("'", "'\\''")


def _command(problem, verb, options, paths):
    """The command of the tool that does the same: what schedules say made them, and what judges read again."""
    times = {p["key"] for one in describe()["problems"] if one["name"] == problem for p in one["parameters"] if p["values"].startswith("a time")}
    words = ["cosched", verb, problem, *paths]
    for name, value in options.items():
        key = name[:-1] if keyword.iskeyword(name[:-1]) else name
        value = _plain(value)
        if value is None or value is False:
            continue
        words.append("--" + key.replace("_", "-"))
        if value is not True:
            number = isinstance(value, (int, float)) and key in times
            words.append(",".join(map(str, value)) if isinstance(value, list) else "%r%s" % (value, "s" if number else "") if isinstance(value, float) or number else str(value))
    return " ".join(map(_quoted, words))


def renamed(old: str, new: str) -> None:
    """One warning where a program uses a former name, which stays for one release."""
    warnings.warn("%s is called %s now" % (old, new), DeprecationWarning, stacklevel=3)


def _old_arguments(method: _Method) -> _Method:
    """A method that also takes the former names of its arguments."""
    @functools.wraps(method)
    def function(self: Any, *args: Any, **named: Any) -> Any:
        for old, new in (("way", "variant"), ("value", "metric")):
            if old in named:
                renamed(old, new)
                named[new] = named.pop(old)
        return method(self, *args, **named)
    return cast(_Method, function)


class Case:
    """A problem with its options, and the metrics of every run of every variant.

    A variant is a policy, or a policy with an order of jobs; run r of all variants has the same scenario.
    """

    def __init__(self, problem: str, verb: str, inputs: Inputs | None, options: Mapping[str, Any], progress: Progress = None) -> None:
        options, self._served = served(options, problem)
        end = weakref.finalize(self, self._served.close) if self._served else lambda: None
        self._given = Given(inputs) if inputs is not None else None
        self.problem: str = problem
        self.verb: str = verb
        self._case, self._options = ffi.NULL, options
        try:
            self._run(progress)
        except BaseException:
            end()
            raise
        if verb == "plan":
            self._tell_failed()

    def _run(self, progress):
        err = ffi.new("struct cs_error *")
        words = options_text(self._options, self._given.paths if self._given else None)
        with watching(progress) as watch:
            case = lib.cs_case_open(text(self.problem), text(self.verb), text(words), watch.c, err)
            if case == ffi.NULL:
                fail(err, self._served)
            self._case = ffi.gc(case, lib.cs_case_close)
            if lib.cs_case_run(self._case, watch.c, err):
                fail(err, self._served)

    def _tell_failed(self):
        """Ways that have no plan beside others that have one: why."""
        metrics = self.metrics[:1]
        for variant, words in enumerate(self.variants if metrics else []):
            err = ffi.new("struct cs_error *")
            if self.runs and not math.isnan(self._first(metrics[0], variant)):
                continue
            with watching() as watch:
                made = lib.cs_case_schedule(self._case, variant, 0, watch.c, ffi.NULL, err)
            sentence = ffi.string(err.text).decode("utf-8", "replace")
            if made != ffi.NULL:
                lib.cs_free(made)
            elif self._served and self._served.error and err.kind == lib.CS_ERROR_POLICY:
                fail(err, self._served)
            else:
                warn("%s: there is no plan: %s" % (" ".join(words), sentence))

    def _texts(self, count, get):
        return [ffi.string(get(i)).decode("utf-8") for i in range(count)]

    @property
    def keys(self) -> list[str]:
        """The names of the labels of variants, such as ["policy", "priority"]."""
        return self._texts(lib.cs_case_keys(self._case), lambda i: lib.cs_case_key(self._case, i))

    @property
    def variants(self) -> list[tuple[str, ...]]:
        """A tuple of labels for each variant, such as ("easy", "lpt")."""
        keys = lib.cs_case_keys(self._case)
        return [tuple(self._texts(keys, lambda k, variant=variant: lib.cs_case_label(self._case, variant, k)))
                for variant in range(lib.cs_case_variants(self._case))]

    @property
    def ways(self) -> list[tuple[str, ...]]:
        """The former name of variants."""
        renamed("ways", "variants")
        return self.variants

    @property
    def values(self) -> list[str]:
        """The former name of metrics."""
        renamed("values", "metrics")
        return self.metrics

    @property
    def runs(self) -> int:
        """How many scenarios each variant has."""
        return lib.cs_case_runs(self._case)

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics that some run has; cosched.metrics() describes them."""
        return self._texts(lib.cs_case_metrics(self._case), lambda i: lib.cs_case_metric(self._case, i))

    def _variant(self, variant):
        if variant is None and lib.cs_case_variants(self._case) == 1:
            return 0
        if isinstance(variant, int) and not isinstance(variant, bool):
            return variant
        wanted = (variant,) if isinstance(variant, str) else variant
        found = [i for i, words in enumerate(self.variants) if wanted is not None and words[:len(wanted)] == tuple(wanted)]
        if len(found) == 1:
            return found[0]
        variants = ", ".join(repr(words[0] if len(words) == 1 else words) for words in self.variants)
        if variant is None:
            raise InputError("there are several variants, and one is wanted: %s" % variants)
        raise InputError("%r is %s: %s" % (variant, "more than one of the variants" if found else "not one of the variants", variants))

    def _metric(self, name):
        """Its name of today."""
        for problem in describe()["problems"]:
            for one in problem["metrics"] if problem["name"] == self.problem else []:
                if one["old"] == name and one["name"] in self.metrics:
                    warn("the metric '%s' is now called '%s'" % (name, one["name"]))
                    return one["name"]
        return name

    @_old_arguments
    def array(self, metric: str, variant: Variant = None) -> Floats:
        """A metric of every run of a variant, NaN for a run without it; C fills it in place."""
        out = needed("numpy", "arrays").empty(self.runs)
        self._fill(ffi.from_buffer("double[]", out), self._metric(metric), self._variant(variant))
        return out

    def _fill(self, out, metric, variant):
        err = ffi.new("struct cs_error *")
        if lib.cs_case_column(self._case, variant, text(metric), out, len(out), err):
            fail(err)

    def _column(self, metric):
        runs, variants = self.runs, len(self.variants)
        out = needed("numpy", "arrays").empty(variants * runs)
        for variant in range(variants):
            self._fill(ffi.from_buffer("double[]", out[variant * runs:(variant + 1) * runs]), metric, variant)
        return out

    def _first(self, metric, variant=0):
        """The metric of the first run, a float."""
        out = ffi.new("double[]", self.runs)
        self._fill(out, metric, variant)
        return out[0]

    def arrays(self) -> Arrays:
        """A dict of numpy arrays, an element a run, variant after variant: the labels of the variant, scenario, every metric.

        C fills each metric in place, and nothing is copied after that; pandas.DataFrame(..., copy=False) keeps it so.
        """
        numpy, runs, variants = needed("numpy", "arrays"), self.runs, self.variants
        words = {key: numpy.repeat(numpy.array([variant[k] for variant in variants]), runs) for k, key in enumerate(self.keys)}
        return {**words, "scenario": numpy.tile(numpy.arange(runs), len(variants)),
                **{metric: self._column(metric) for metric in self.metrics}}

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name not in self.metrics:
            name = self._metric(name)
        if name.startswith("_") or name not in self.metrics:
            raise AttributeError("%s has no metric %s; there are %s" % (self, name, ", ".join(self.metrics)))
        if lib.cs_case_variants(self._case) == 1:
            return self._first(name) if self.runs == 1 else self.array(name, 0)
        return {variant: self.array(name, i) for i, variant in enumerate(self.variants)}

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.metrics]

    @property
    def outcomes(self) -> Frame:
        """A pandas frame of all metrics, indexed by the labels of the variant and the scenario; its columns are filled by C in place."""
        pandas = needed("pandas", "frames")
        variants, runs = self.variants, self.runs
        index = pandas.MultiIndex.from_tuples([(*variant, run) for variant in variants for run in range(runs)],
                                              names=[*self.keys, "scenario"])
        return pandas.DataFrame({metric: self._column(metric) for metric in self.metrics}, index=index, copy=False)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A row a run, variant after variant: for pyarrow.table(case), polars, DuckDB."""
        return columns.capsule(columns.stream(lib.cs_case_arrow, self._case), requested_schema)

    @_old_arguments
    def figures(self, metric: str, variant: Variant = None) -> dict[str, float]:
        """A dict of figures over the runs of a variant: mean, confidence95 (half the width of the interval), ..., max."""
        names = []
        while lib.cs_case_figure(len(names)) != ffi.NULL:
            names.append(ffi.string(lib.cs_case_figure(len(names))).decode())
        out, err = ffi.new("double[]", len(names)), ffi.new("struct cs_error *")
        if lib.cs_case_figures(self._case, self._variant(variant), text(self._metric(metric)), out, len(names), err):
            fail(err)
        return dict(zip(names, out))

    @_old_arguments
    def compare(self, metric: str, variant: Variant = None, reference: Variant = None) -> dict[str, float] | Frame:
        """A metric of a variant against the reference's (the first variant when not said), run by run.

        A dict: pairs of runs in which both have it, over (the geometric mean of the ratio), over_low and over_high (its
        95 % confidence interval), wins (the share of pairs in which it is at most 1). Without a variant a frame, a row a variant.
        """
        against, metric = 0 if reference is None else self._variant(reference), self._metric(metric)
        if variant is not None:
            return self._against(metric, self._variant(variant), against)
        pandas = needed("pandas", "frames")
        rows = [self._against(metric, i, against) for i in range(len(self.variants))]
        return pandas.DataFrame(rows, index=pandas.MultiIndex.from_tuples(self.variants, names=self.keys))

    def _against(self, metric, variant, reference):
        out, err = ffi.new("double[]", 5), ffi.new("struct cs_error *")
        if lib.cs_case_compare(self._case, text(metric), variant, reference, out, len(out), err):
            fail(err)
        return {"pairs": int(out[0]), **dict(zip(("over", "over_low", "over_high", "wins"), list(out)[1:]))}

    def summary(self, figures: Sequence[str] | None = None) -> Frame:
        """A frame: figures of each metric over the runs, a row a variant. Not said they are the mean and, where there are several
        runs, "confidence95", half the width of its 95 % confidence interval; figures() names all."""
        pandas = needed("pandas", "frames")
        figures = figures or (("mean", "confidence95") if self.runs > 1 else ("mean",))
        rows = [{metric if figure == "mean" else "%s_%s" % (metric, figure): self.figures(metric, variant)[figure]
                 for metric in self.metrics for figure in figures} for variant in range(len(self.variants))]
        return pandas.DataFrame(rows, index=pandas.MultiIndex.from_tuples(self.variants, names=self.keys))

    def plan_of(self) -> Schedule:
        """The schedule of a plan, for pictures and pages."""
        if self.verb != "plan" and self.runs * len(self.variants) > 1:
            raise InputError("%r has many runs: take the schedule of one, schedule(variant, scenario=0)" % self)
        return self.schedule()

    @_old_arguments
    def schedule(self, variant: Variant = None, scenario: int = 0) -> Schedule:
        """One run, kept: who ran where and when. The variant may be left out when there is one; its first word will do where it
        is the only one with that."""
        err, length, number = ffi.new("struct cs_error *"), ffi.new("size_t *"), self._variant(variant)
        self._name(number, scenario)
        with watching() as watch:
            made = lib.cs_case_schedule(self._case, number, scenario, watch.c, length, err)
            if made == ffi.NULL:
                fail(err, self._served)
        content = taken(made, err, length)
        return Schedule(self._given.told(content) if self._given else content)

    def _name(self, variant, scenario):
        """Schedules say which command makes this one; none does when a policy is in Python."""
        if self._served or not 0 <= variant < len(self.variants):
            return
        several = {key: word for key, word in zip(self.keys, self.variants[variant]) if isinstance(self._options.get(key), (list, tuple)) or self._options.get(key) == "all"}
        one = {**self._options, **several, **({"scenario": scenario} if self.verb == "simulate" else {})}
        err = ffi.new("struct cs_error *")
        if lib.cs_case_set_command(self._case, text(_command(self.problem, self.verb, one, self._given.paths if self._given else [])), err):
            fail(err)

    @_old_arguments
    def check(self, variant: Variant = None, scenario: int = 0) -> Check:
        """Judge one run by the rules of its problem and by what it was made from, whether that came as files or not."""
        return self.schedule(variant, scenario).check(self._given.paths if self._given else ())

    @overload
    def gantt(self, variant: Variant = None, scenario: int = 0, *, ax: None = None, width: Length = 0, height: Length = 0, style: Style | None = None,
              title: str | None = None, subtitle: str | None = None, color_by: ColorBy | None = None, strips: Strips | None = None) -> Picture: ...

    @overload
    def gantt(self, variant: Variant = None, scenario: int = 0, *, ax: Axes, unit: Literal["s", "min", "h", "d"] | None = None, style: Style | None = None,
              title: str | None = None) -> Axes: ...

    @_old_arguments
    def gantt(self, variant: Variant = None, scenario: int = 0, *, ax: Any = None, width: Length = 0, height: Length = 0, style: Style | None = None,
              title: str | None = None, subtitle: str | None = None, unit: Any = None, color_by: ColorBy | None = None,
              strips: Strips | None = None) -> Any:
        """The picture of one run; lengths are "8.5cm" or so many 1/96 inch, style is "color", "dark" or "grey".

        ax: axes of matplotlib to draw into, as in Schedule.gantt; they are returned. color_by and strips are as in cosched.plot.
        """
        if ax is not None and (color_by or strips):
            raise InputError("color_by and strips are for pictures: axes of matplotlib have a colour for each task")
        if ax is not None:
            return self.schedule(variant, scenario).gantt(title=title, ax=ax, style=style, unit=unit)
        if title is None and self._given and self._given.made:
            title = self.problem
        err, length = ffi.new("struct cs_error *"), ffi.new("size_t *")
        how, alive = options_of("cs_chart_options", {"style": style, "title": title, "subtitle": subtitle, "color_by": color_by, "strips": strips},
                                {"width": length_of("width", width), "height": length_of("height", height)})
        with watching() as watch:
            made = lib.cs_case_svg(self._case, self._variant(variant), scenario, how, watch.c, length, err)
            del alive
            if made == ffi.NULL:
                fail(err, self._served)
        return Picture(taken(made, err, length))

    def _frontier(self):
        found = json.loads(self.text("json"))
        if "answers" not in found:
            raise UsageError("%r is of one size; procs=range(8, 257) plans several" % self)
        return found

    @property
    def advice(self) -> Json | None:
        """Of a plan: its limit, and the smallest machine that was found with the same makespan (docs/formats.md); or None."""
        return json.loads(self.text("json")).get("advice") if self.verb == "plan" and len(self.variants) == 1 else None

    @property
    def rows(self) -> Frame:
        """Of plans of several sizes, procs=range(8, 257): a frame, a row a size."""
        return needed("pandas", "frames").DataFrame(self._frontier()["rows"])

    @property
    def answers(self) -> dict[str, Json]:
        """Of plans of several sizes: those to request, by "within", "same_makespan" and "deadline"."""
        return self._frontier()["answers"]

    @property
    def curve(self) -> Picture:
        """Of plans of several sizes: the makespan over the processor hours."""
        self._frontier()
        return Picture(self.text("curve"))

    def text(self, form: Literal["table", "json", "csv", "runs", "curve"] = "table", columns: int = 0) -> str:
        """What the tool prints: "table", in so many columns (0: as wide as it gets), "json", "csv", or a row a run: "runs"."""
        err, length = ffi.new("struct cs_error *"), ffi.new("size_t *")
        printed = taken(lib.cs_case_text(self._case, text(form), columns, length, err), err, length)
        return self._given.told(printed) if self._given else printed

    @_old_arguments
    def jobs(self, variant: Variant = None, scenario: int = 0) -> str:
        """One run of rigid jobs that arrive: a row for every attempt, CSV in the form of Batsim."""
        err, length = ffi.new("struct cs_error *"), ffi.new("size_t *")
        with watching() as watch:
            return taken(lib.cs_case_jobs(self._case, self._variant(variant), scenario, watch.c, length, err), err, length)

    @property
    def groups(self) -> dict[str, int]:
        """What the runs of a variant come in, the same number in each: {name: how much is in it}; {"": 0} where they are one."""
        size, made = ffi.new("long *"), {}
        for group in range(lib.cs_case_groups(self._case)):
            name = lib.cs_case_group(self._case, group, size)
            made[ffi.string(name).decode("utf-8")] = size[0]
        return made

    def to_frame(self) -> Frame:
        """Of a plan its bars, else the metrics of all runs."""
        return self.schedule().to_frame() if self.verb == "plan" and len(self.variants) == 1 else self.outcomes

    def write(self, path: Path, inputs: Path | Sequence[Path] | None = None) -> None:
        """Write the schedule of the only variant there is.

        inputs: where to write what it was made from too, when that came as a dict, a frame or bytes: a path, or as many as
        there are inputs. `cosched.check(path, against=inputs)` judges the one by the other.
        """
        if inputs is not None:
            (self._given or Given([])).write(inputs)
        self.schedule().write(path)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a cosched.Case cannot be pickled: take arrays(), outcomes or schedule(), which can")

    def _repr_mimebundle_(self, include=None, exclude=None):
        if self.verb != "plan" or len(self.variants) != 1:
            return {"text/plain": repr(self), "text/html": self.summary().to_html(max_rows=50)}
        bundle, sizes = self.schedule()._repr_mimebundle_()
        return {**bundle, "text/plain": repr(self)}, sizes

    def __repr__(self) -> str:
        variants = ", ".join(" ".join(variant) for variant in self.variants[:4]) + (", ..." if len(self.variants) > 4 else "")
        if self.runs > 1 or len(self.variants) > 1 or not self.metrics:
            return "<cosched.Case: %s %s, %s, %d run%s each>" % (self.verb, self.problem, variants, self.runs, "s" if self.runs != 1 else "")
        metric = self.metrics[0]
        return "<cosched.Case: %s %s, %s, %s %.6g>" % (self.verb, self.problem, variants, metric, self._first(metric))


def _document(problem, verb, parameters, first):
    command = "`cosched %s %s`" % (verb, problem["name"])
    return document(problem["summary"], first, parameters, command + ("; source: " + problem["source"] if problem["source"] else ""))


# (problem, parameter) of cosched 0.2, and the problem that this is by now; for one release.
_FORMER = {("volatile", "deadline"): "spot"}


def _former(problem, options):
    return next((now for (then, key), now in _FORMER.items() if then == problem and key in options), None)


def _runner(problem, verb):
    name, parameters = "%s_%s" % (verb, problem["name"]), kept(problem, verb)

    def function(inputs: Any, procs: Any = None, *, progress: Progress = None, **options: Any) -> Case:
        now = _former(problem["name"], options)
        if not now:
            check_names(name, parameters, options)
        case = Case(problem["name"], verb, inputs, {"procs": procs, **options}, progress)
        case.problem = now or case.problem
        return case

    function.__signature__ = runner_signature(problem, verb)
    function.__doc__ = _document(problem, verb, parameters, "inputs: a path, a list of paths, bytes, a dict "
                                 "{name: {procs: seconds}} or a frame (app, procs, seconds).\nReturns a cosched.Case.")
    function.__name__ = function.__qualname__ = name
    return function


def _generator(problem):
    name, parameters = "generate_" + problem["name"], kept(problem, "generate")

    def function(path: Path, **options: Any) -> Path:
        check_names(name, parameters, options)
        err = ffi.new("struct cs_error *")
        words = text(options_text(options))
        with watching() as watch:
            if lib.cs_case_generate(text(problem["name"]), words, text(os.fspath(path)), watch.c, err):
                fail(err)
        return path

    function.__signature__ = generator_signature(problem)
    function.__doc__ = _document(problem, "generate", parameters, "Writes a file, whose path is returned.")
    function.__name__ = function.__qualname__ = name
    return function


def generate(problem: str, path: Path | None = None, **options: Any) -> Any:
    """As generate_PROBLEM. Without a path the content is returned: a dict of JSON, or bytes."""
    known = {p["name"]: p for p in describe()["problems"] if any("generate" in row["verbs"] for row in p["parameters"])}
    if problem not in known:
        raise InputError("there is no generator of %r; there are %s" % (problem, ", ".join(known)))
    if path is not None:
        return _generator(known[problem])(path, **options)
    with tempfile.TemporaryDirectory() as folder:
        with open(_generator(known[problem])(os.path.join(folder, "made"), **options), "rb") as file:
            made = file.read()
    return json.loads(made) if made.startswith(b"{") else made


def functions() -> dict[str, Callable[..., Any]]:
    """plan_PROBLEM, simulate_PROBLEM and generate_PROBLEM, made from the descriptions of the problems."""
    made = {}
    for problem in describe()["problems"]:
        verbs = {verb for p in problem["parameters"] for verb in p["verbs"]}
        for verb in sorted(verbs & {"plan", "simulate"}):
            made["%s_%s" % (verb, problem["name"])] = _runner(problem, verb)
        if "generate" in verbs:
            made["generate_" + problem["name"]] = _generator(problem)
    return made


def _frame(key, problem):
    pandas = needed("pandas", "frames")
    known = [p["name"] for p in describe()["problems"]]
    if problem not in (None, *known):
        raise InputError("there is no problem %r; there are %s" % (problem, ", ".join(known)))
    rows = [row for p in describe()["problems"] if problem in (None, p["name"]) for row in p[key]]
    return pandas.DataFrame(rows)


def policies(problem: str | None = None) -> Frame:
    """A frame of the policies of a problem, or of all: name, summary, parameters, source."""
    return _frame("policies", problem)


def parameters(problem: str | None = None) -> Frame:
    """A frame of what can be said of a problem, or of all: key, values, default, summary."""
    return _frame("parameters", problem)


def metrics(problem: str | None = None) -> Frame:
    """A frame of the metrics of a problem, or of all: name, kind, summary."""
    return _frame("metrics", problem)
