"""Figures and tables of papers, computed again, and what the papers state beside what we find.

    cosched.papers.list()
    found = cosched.papers.run("rigid/fig1", quick=True)
    found.claims, found.checks, found.frame(), found.pictures["rigid/fig1"]

Papers are those that are installed with cosched, or those below a folder.
"""

from __future__ import annotations

import io
import json
import os
from typing import Any, List, Mapping, Sequence

from cosched import _built
from cosched._core import ffi, installed, lib, needed, taken, text, watching
from cosched.picture import Picture
from cosched._types import Frame, Json, Path, Progress


def _read(made, err):
    return json.loads(taken(made, err))


def _folder(folder):
    return installed("share/cosched/papers", _built.PAPERS) if folder is None else os.fspath(folder)


def list(folder: Path | None = None) -> Frame:  # pylint: disable=redefined-builtin
    """What can be computed again: a row a figure or table, with what it needs."""
    pandas = needed("pandas", "frames")
    err = ffi.new("struct cs_error *")
    return pandas.DataFrame(_read(lib.cs_paper_list(text(_folder(folder)), False, err), err))


class Papers:
    """What came out of run(): tables over all papers that were computed."""

    def __init__(self, found: List[Json], output: Path | None) -> None:
        self.found: List[Json] = found  #: what the library tells of each paper, a dict each
        self.output: str | None = os.fspath(output) if output else None

    @property
    def claims(self) -> Frame:
        """A row a sentence of a paper: paper, claim (its number), verdict, words, counts of checks, text, reading, remark, unchecked."""
        pandas = needed("pandas", "frames")
        rows = [{name: value for name, value in claim.items() if name != "checks"} for paper in self.found for claim in paper["claims"]]
        return pandas.DataFrame(rows)

    @property
    def checks(self) -> Frame:
        """A row a number of a claim: what was found beside what is wanted."""
        pandas = needed("pandas", "frames")
        return pandas.DataFrame([{"paper": claim["paper"], "claim": claim["claim"], **check}
                                 for paper in self.found for claim in paper["claims"] for check in claim["checks"]])

    def _text(self, paper, key, ending):
        if not self.output:
            return paper[key]
        with open(os.path.join(self.output, "%s.%s" % (paper["stem"], ending)), encoding="utf-8") as file:
            return file.read()

    def frame(self) -> Frame:
        """A row a value: paper, panel, series, x, replicate, metric, value."""
        pandas = needed("pandas", "frames")
        parts = [pandas.read_csv(io.StringIO(self._text(paper, "csv", "csv"))).assign(paper=paper["name"]) for paper in self.found]
        every = pandas.concat(parts, ignore_index=True)
        return every[["paper", *(name for name in every.columns if name != "paper")]]

    @property
    def pictures(self) -> dict[str, Picture]:
        """The figures, by the names of the papers."""
        return {paper["name"]: Picture(self._text(paper, "svg", "svg")) for paper in self.found}

    @property
    def pages(self) -> dict[str, str]:
        """What each paper states beside what we find, as Markdown, by the names of the papers."""
        return {paper["name"]: self._text(paper, "markdown", "md") for paper in self.found}

    def __repr__(self) -> str:
        return "<cosched.Papers: %s>" % "; ".join("%s: %s" % (paper["name"], paper["summary"]) for paper in self.found)


def run(names: str | Sequence[str], quick: bool = False, store: Path | None = None, output: Path | None = None, *, folder: Path | None = None,
        input: Path | None = None, give: Mapping[str, Any] | None = None, seed: int | None = None, seeds: int = 1,  # pylint: disable=redefined-builtin
        threads: int = 0, foreign: bool = False, other_build: bool = False, progress: Progress = None) -> Papers:
    """Compute papers again: one, several, the papers of a problem ("rigid"), or "all".

    quick: fewer values and replicates, a first look. store: a file that keeps every run, so that a call which was
    stopped goes on where it was; foreign: it may hold another campaign, other_build: and runs of another build.
    output: a folder for files. input: a file that papers need which cannot come along. give: other values of
    parameters, such as {"scenarios": 100}. seeds: so many from the seed on, pooled. progress: True, or a function of a share.
    """
    words = [text(name) for name in ([names] if isinstance(names, str) else names)]
    gifts = [text("%s=%s" % gift) for gift in (give or {}).items()]
    alive = {"folder": text(_folder(folder)), "input": text(input and os.fspath(input)), "store": text(store and os.fspath(store)),
             "output": text(output and os.fspath(output)), "command": text("cosched.papers.run"), "give": ffi.new("char *[]", gifts)}
    options = ffi.new("struct cs_paper_run_options *", {
        "size": ffi.sizeof("struct cs_paper_run_options"), "quick": quick, "supplied": len(gifts), "seeded": seed is not None,
        "seed": seed or 0, "seeds": seeds, "threads": threads, "foreign": foreign, "other_build": other_build, **alive})
    err = ffi.new("struct cs_error *")
    with watching(progress) as watch:
        made = lib.cs_paper_run(ffi.new("char *[]", words), len(words), options, watch.c, ffi.NULL, err)
    return Papers(_read(made, err)["papers"], output)
