"""Stores of campaigns and papers, as frames."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import Any, Dict, List, Literal, Mapping, Sequence

from cosched import columns
from cosched._core import Error, InputError, describe, ffi, lib, needed, taken, text, warn, watching
from cosched.own import Policy
from cosched._types import Arrays, Frame, Json, Path, Progress


def _conditions(where):
    """ "NAME=VALUE" of a list of them, or of a dict of values or lists of values."""
    if not isinstance(where, dict):
        return [where] if isinstance(where, str) else list(where)
    return ["%s=%s" % (name, value) for name, values in where.items()
            for value in (values if isinstance(values, (list, tuple)) else [values])]


def _told(value):
    """What JSON has no words for."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Policy) or (isinstance(value, type) and issubclass(value, Policy)):
        raise InputError("a campaign may be gone on with elsewhere and asks a policy of yours as a program: end a file with cosched.serve(%s()), "
                         "and say policy_program, such as python3 FILE" % getattr(value, "__name__", type(value).__name__))
    raise InputError("a sweep cannot hold %r" % (value,))


class Comparison(List[Dict[str, Any]]):
    """The rows of Campaign.compare(), with what they have in common."""

    def __init__(self, found: Json) -> None:
        super().__init__({"metric": metric["metric"], **row} for metric in found["metrics"] for row in metric["rows"])
        self.by: str = found["by"]
        self.reference: Any = found["reference"]
        self.notes: list[str] = found["notes"]

    def to_frame(self) -> Frame:
        """A row each; the parameters of the condition are columns."""
        pandas = needed("pandas", "frames")
        return pandas.DataFrame([{"metric": row["metric"], **row["condition"],
                                  **{key: value for key, value in row.items() if key not in ("metric", "condition")}}
                                 for row in self])


class Campaign:
    """A store that this, `cosched campaign run` or `cosched paper run` fills; it may be read meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path: str = os.fspath(path)
        self._found = None

    def run(self, sweep: Path | Mapping[str, Any], where: Mapping[str, Any] | str | Sequence[str] = (), shard: tuple[int, int] | None = None, *,
            threads: int = 0, foreign: bool = False, other_build: bool = False, progress: Progress = None) -> Campaign:
        """Run what the store lacks of a sweep: a path, or its content as a dict.

        where: only some runs, such as {"policy": ["easy", "greedy"], "replicate": 0}, or "policy=easy", or a list of
        these. shard: (2, 8) is the second of eight shares. foreign: the store may hold another campaign, other_build:
        and runs of another build. progress: True, or a function of a share. Stopped by Ctrl-C it goes on where it was
        when it is called again.
        """
        given = json.dumps(sweep, default=_told) if isinstance(sweep, dict) else None
        conditions = [text(condition) for condition in _conditions(where)]
        alive = [ffi.new("char *[]", conditions), text(given), text("cosched.Campaign.run")]
        options = ffi.new("struct cs_campaign_run_options *", {
            "size": ffi.sizeof("struct cs_campaign_run_options"), "where": alive[0], "conditions": len(conditions),
            "text": alive[1], "command": alive[2], "threads": threads, "foreign": foreign, "other_build": other_build})
        options.shard, options.shards = shard or (0, 0)
        err = ffi.new("struct cs_error *")
        with watching(progress) as watch:
            made = lib.cs_campaign_run(text("sweep" if given else os.fspath(sweep)), text(self.path), options, watch.c, ffi.NULL, err)
        self._found = json.loads(taken(made, err))
        for sentence in self._found["warnings"]:
            warn(sentence)
        return self

    def means(self) -> Frame:
        """What the last run() found: a row a combination, with the mean of each metric and its confidence."""
        pandas = needed("pandas", "frames")
        if self._found is None:
            raise Error("%s: run() has not been called here" % self.path)
        return pandas.DataFrame(self._found["rows"], columns=[column["name"] for column in self._found["columns"]])

    def status(self) -> Frame:
        """How far each sweep and paper has come: a row each."""
        pandas = needed("pandas", "frames")
        err, path = ffi.new("struct cs_error *"), text(self.path)
        return pandas.DataFrame(json.loads(taken(lib.cs_campaign_status(ffi.new("char *[]", [path]), 1, err), err)))

    def verify(self, again: int = 0, threads: int = 0) -> Json:
        """Read all of the store and run so many cells of each campaign once more: what `campaign verify` says, as a dict."""
        err = ffi.new("struct cs_error *")
        with watching() as watch:
            return json.loads(taken(lib.cs_campaign_verify(text(self.path), again, threads, watch.c, err), err))

    def _rows(self, question):
        self.status()  # a file that is no store
        verified = self.verify()
        if verified["verdict"] != "whole":
            raise Error(verified["why"])
        with sqlite3.connect("file:%s?mode=ro" % self.path, uri=True) as store:
            store.row_factory = sqlite3.Row
            return store.execute(question).fetchall()

    def __fspath__(self) -> str:
        return self.path

    def frame(self, problem: str | None = None) -> Frame:
        """A row a run: its parameters, its seed, when it was run, and its metrics."""
        pandas = needed("pandas", "frames")
        tables = {row[0] for row in self._rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        problems = [known["name"] for known in describe()["problems"] if known["name"] in tables]
        if problem is None and len(problems) == 1:
            problem = problems[0]
        if problem not in problems:
            raise Error("%s: which problem? It has runs of %s" % (self.path, ", ".join(problems) or "none"))
        rows = [dict(row) for row in self._rows('SELECT * FROM "%s"' % problem)]
        runs = [{**json.loads(row.pop("parameters")), **row} for row in rows]
        return pandas.DataFrame(runs).drop(columns=["digest", "head"], errors="ignore")

    def _stream(self, document=None, metrics=None, partial=False):
        how = ffi.new("struct cs_campaign_export_options *", {"size": ffi.sizeof("struct cs_campaign_export_options"), "partial": partial})
        how.document, how.metrics = kept = text(document), text(",".join(metrics) if metrics else None)
        with watching(None) as watch:
            return columns.stream(lib.cs_campaign_arrow, text(self.path), how, watch.c), kept

    def to_frame(self, document: str | None = None, metrics: Sequence[str] | None = None, partial: bool = False) -> Frame:
        """The table of `cosched campaign export`: a row a run of a sweep or paper, parameters, replicate, seed, metrics."""
        return columns.frame(self._stream(document, metrics, partial)[0])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return columns.capsule(self._stream()[0], requested_schema)

    def _compared(self, options):
        where = [text(condition) for condition in _conditions(options.pop("where", ()))]
        metrics, taken_words = options.pop("metrics", None), {}
        for name in ("by", "reference", "better", "document"):
            value = options.pop(name, None)
            taken_words[name] = text(None if value is None else str(value))
        taken_words["metrics"] = text(",".join([metrics] if isinstance(metrics, str) else metrics) if metrics else None)
        conditions, err = ffi.new("char *[]", where), ffi.new("struct cs_error *")
        how = ffi.new("struct cs_campaign_compare_options *", {
            "size": ffi.sizeof("struct cs_campaign_compare_options"), "where": conditions, "conditions": len(where),
            **taken_words, **options})
        return json.loads(taken(lib.cs_campaign_compare(text(self.path), how, err), err))

    def compare(self, by: str | None = None, reference: Any = None, metrics: str | Sequence[str] | None = None, *,
                better: Literal["smaller", "larger"] | None = None, confidence: float = 0.95, all_pairs: bool = False,
                where: Mapping[str, Any] | str | Sequence[str] = (), document: str | None = None, partial: bool = False,
                other_instances: bool = False) -> Comparison:
        """Test whether policies (or the values of `by`) differ, replicate by replicate.

        Returns a list of dicts, a row for each metric, condition and value, with to_frame() and notes: mean, difference and
        ratio to the reference with confidence intervals, wins, ties and losses, the p of Wilcoxon's signed ranks, p_holm
        (Holm's adjustment over the rows of a metric) and verdict. reference: a value of `by`; the first by default.
        metrics: names; those of the sweep by default. better: "smaller" or "larger"; that of the metric by default.
        where: only some runs, as in run(). other_instances: runs on different random input may be compared.
        """
        return Comparison(self._compared({
            "by": by, "reference": reference, "metrics": metrics, "better": better, "confidence": confidence, "all_pairs": all_pairs,
            "where": where, "document": document, "partial": partial, "other_instances": other_instances}))

    def ranks(self, by: str | None = None, metrics: str | Sequence[str] | None = None, *, better: Literal["smaller", "larger"] | None = None,
              confidence: float = 0.95, where: Mapping[str, Any] | str | Sequence[str] = (), document: str | None = None,
              partial: bool = False, other_instances: bool = False) -> Json:
        """Friedman's test of three or more values of `by`: a dict of the metrics, None for one without ranks.

        Each has blocks, values, ranks (averages, 1 is best), chi2 and p, F and p_F (Iman and Davenport), critical_difference
        (Nemenyi), order, and groups of values that are not distinguished. Arguments as in compare().
        """
        found = self._compared({
            "by": by, "metrics": metrics, "better": better, "confidence": confidence, "where": where, "document": document,
            "partial": partial, "other_instances": other_instances})
        return {metric["metric"]: metric["ranks"] for metric in found["metrics"]}

    def documents(self) -> Frame:
        """What was asked for: a row a sweep or paper."""
        pandas = needed("pandas", "frames")
        return pandas.DataFrame([dict(row) for row in self._rows("SELECT * FROM document")])

    def __repr__(self) -> str:
        return "<cosched.Campaign: %s>" % self.path
