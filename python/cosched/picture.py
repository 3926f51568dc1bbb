"""Pictures and pages of schedules, replays and results."""

from __future__ import annotations

import base64
import os
import re
from typing import Any, Literal, Mapping

from cosched._core import Error, InputError, fail, ffi, lib, taken, text
from cosched.inputs import Given
from cosched.tool import timings_text
from cosched._types import Length, Path

Style = Literal["color", "dark", "grey"]
ColorBy = Literal["task", "user", "width", "wait", "kind", "state", "problem"]
Strips = Literal["auto", "on", "off"]
_UNITS = {"cm": 96 / 2.54, "mm": 9.6 / 2.54, "in": 96.0, "pt": 96 / 72.27, "px": 1.0}
LEAST_TYPE: float = 7 / 72 * 96  # 7 pt, as `cosched plot` has it


def length_of(name: str, value: Length) -> int:
    """A length in units of SVG, 1/96 inch: a number of them, or "8.5cm"."""
    found = re.fullmatch(r"([0-9.]+) ?(cm|mm|in|pt|px)", value) if isinstance(value, str) else None
    if found:
        return int(float(found[1]) * _UNITS[found[2]] + 0.5)
    if isinstance(value, str) or value is None or value != value or not 0 <= value < 1e6:
        raise InputError("%s cannot be %r: a length is wanted, such as 8.5cm, 85mm, 3.35in, 246pt or 640px, or a number of pixels" % (name, value))
    return int(value + 0.5)


class Picture:
    """A picture as SVG; notebooks show it."""

    def __init__(self, svg: str) -> None:
        self.svg: str = svg

    def image(self, form: Literal["png", "pdf"] = "png", dpi: float = 192) -> bytes:
        """The picture as the bytes of a PNG (of so many dots an inch) or a PDF."""
        err, length = ffi.new("struct cs_error *"), ffi.new("size_t *")
        made = lib.cs_chart_image(text(self.svg), text(form), dpi, length, err)
        if made == ffi.NULL:
            fail(err)
        try:
            return ffi.buffer(made, length[0])[:]
        finally:
            lib.cs_free(made)

    def save(self, path: Path, dpi: float = 192) -> None:
        """Write it as its name ends: .svg, .pdf or .png (of so many dots an inch)."""
        err = ffi.new("struct cs_error *")
        if lib.cs_chart_write(text(os.fspath(path)), text(self.svg), dpi, err):
            fail(err)

    def _repr_mimebundle_(self, include=None, exclude=None):
        """SVG, and PNG where this machine makes it; also as HTML, since exports of notebooks prefer SVG and may strip it."""
        bundle, size = {"text/plain": repr(self), "image/svg+xml": self.svg}, re.match(r'<svg [^>]*width="(\d+)" height="(\d+)"', self.svg)
        try:
            bundle["image/png"] = base64.b64encode(self.image(dpi=144)).decode("ascii")
        except Error:  # no librsvg, no font, or too large
            return bundle, {}
        width, height = (int(size[1]), int(size[2])) if size else (None, None)
        bundle["text/html"] = '<img src="data:image/png;base64,%s"%s>' % (bundle["image/png"], ' width="%d" height="%d"' % (width, height) if size else "")
        return bundle, {"image/png": {"width": width, "height": height}} if size else {}

    def __repr__(self) -> str:
        return "<cosched.Picture: %d bytes of SVG>" % len(self.svg)


class _Sources:
    """Paths, schedules and replays as C has them, as long as this object."""

    def __init__(self, what):
        self._alive, self._given = [], []
        self.count = len(what)
        self.c = ffi.new("struct cs_chart_source[]", [self._one(one) for one in what])

    def _keep(self, value):
        self._alive.append(value)
        return value

    def _one(self, one):
        if hasattr(one, "plan_of"):
            one = one.plan_of()
        if not hasattr(one, "_source"):
            self._given.append(Given(one))
            return {"name": self._keep(text(self._given[-1].paths[0]))}
        name, content = one._source()
        content = content.encode("utf-8")
        return {"name": self._keep(text(name)), "bytes": self._keep(ffi.from_buffer(content)), "length": len(content)}

    def told(self, content):
        """Without the part of paths in memory that differs in every call."""
        for given in self._given:
            content = given.told(content)
        return content


def options_of(kind: str, words: Mapping[str, str | None], numbers: Mapping[str, float]) -> tuple[Any, Any]:
    """A struct of options, and what its texts live in."""
    alive = {name: text(value) for name, value in words.items()}
    return ffi.new("struct %s *" % kind, {"size": ffi.sizeof("struct " + kind), **alive, **numbers}), alive


def plot(what: Any, figure: str | None = None, *, width: Length = 0, height: Length = 0, style: Style | None = None, title: str | None = None,
         metric: str | None = None, least_type: float = LEAST_TYPE, color_by: ColorBy | None = None,
         strips: Strips | None = None) -> Picture:
    """The picture that `cosched plot` makes of a schedule, a replay, a store or measured times.

    what: a path, a plan, a Schedule, a Replay or a Campaign; or measured times: a dict, a frame, bytes, the path of a
    directory, or a list of all these, which are read together. figure: of a store the name of a figure or a sweep, of a
    replay "time" or "shares", of times "time", "speedup" or "efficiency". width and height are "8.5cm", "3.35in", "246pt" (of TeX), or so many pixels, 1/96 inch each;
    0 is what suits. style is "color", "dark" or "grey"; metric chooses panels of a store; type smaller than least_type
    pixels (7 pt) is left out. Of a schedule color_by is "task", a colour for each, or a class of tasks or bars: "user",
    "width", "wait", "kind", "state", "problem"; strips shows utilisation and waiting tasks below the bars: "on", "off",
    or "auto", of more than 15 tasks.
    """
    if figure == "csv":
        raise InputError('figure cannot be "csv", which is no picture: cosched.timings returns measured times as a frame')
    if isinstance(what, (list, tuple)):
        if len(what) > 1 and any(hasattr(one, "plan_of") or hasattr(one, "_source") for one in what):
            raise InputError("plot draws one schedule, replay or store, or several inputs of measured times; cosched.report takes several of all")
        what = timings_text(what).encode("utf-8") if len(what) != 1 else what[0]
    err, length, sources = ffi.new("struct cs_error *"), ffi.new("size_t *"), _Sources([what])
    how, alive = options_of("cs_chart_options", {"style": style, "title": title, "metric": metric, "color_by": color_by, "strips": strips},
                          {"width": length_of("width", width), "height": length_of("height", height), "least_type": least_type})
    made = Picture(sources.told(taken(lib.cs_chart_svg(sources.c, text(figure), how, length, err), err, length)))
    del alive
    return made


def report(what: Any, path: Path | None = None, *, title: str | None = None, command: str | None = None, papers: Path | None = None) -> str | Path:
    """The page that `cosched report` makes: one HTML file with schedules, replays, stores and measured times to look around in.

    what: a path, a plan, a Schedule, a Replay, a Campaign, measured times (a dict, a frame, bytes), or a list of them, each
    with sections of its own. Returns the HTML, or writes it to a path.
    command: what the page says that made it. papers: a folder of papers that commands on the page need not name.
    """
    sources = _Sources(list(what) if isinstance(what, (list, tuple)) else [what])
    err, length = ffi.new("struct cs_error *"), ffi.new("size_t *")
    how, alive = options_of("cs_report_options", {"title": title, "command": command, "papers": papers and os.fspath(papers)}, {})
    html = sources.told(taken(lib.cs_report_html(sources.c, sources.count, how, length, err), err, length))
    del alive
    if path is None:
        return html
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(html)
    return path
