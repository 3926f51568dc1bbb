"""Gantt charts in axes of matplotlib."""

from __future__ import annotations

import json
from typing import Any, Sequence

from cosched._core import InputError, ffi, lib, needed, taken, text
from cosched._types import Json

_UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
_HATCHES = {"lost": "xxx", "checkpoint": "///", "recovery": "\\\\\\", "verify": "...", "downtime": "---", "move": "|||", "program": "+++"}
_INK = 0.179  # black and white have the same contrast on this luminance
_MOST_PATCHES = 5000
_TYPE = 7  # points
_WIDTH_OF_LETTER = 0.6  # of the size of type


def colors(content: bytes, style: str | None) -> list[str]:
    """The colours of the tasks of a schedule file in its Gantt chart."""
    err = ffi.new("struct cs_error *")
    return json.loads(taken(lib.cs_schedule_text_colors(content, len(content), text(style), err), err))


def _ink(color):
    """Black or white, whichever is easier to read on the colour."""
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return "black" if 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] > _INK else "white"


def _unit(makespan):
    """The longest unit of which there are two."""
    return next((unit for unit in ("d", "h", "min") if makespan >= 2 * _UNITS[unit]), "s")


def _label(ax, size, name, patch, color):
    """The name of a task in a bar that has room for it."""
    x, y, width, height = *patch.get_xy(), patch.get_width(), patch.get_height()
    (left, low), (right, high) = ax.transData.transform([(x, y), (x + width, y + height)])
    dots = size * ax.figure.dpi / 72
    if right - left > _WIDTH_OF_LETTER * dots * len(name) and high - low > dots:
        ax.text(x + width / 2, y + height / 2, name, ha="center", va="center", fontsize=size, clip_on=True, color=_ink(color))


def _frame(ax, schedule, unit, title):
    """Limits and names of the axes."""
    ax.set_xlim(0, max(schedule.makespan / _UNITS[unit], 1e-9))
    ax.set_ylim(0, schedule.procs)
    ax.set_xlabel("time (slots)" if schedule.problem == "volatile" else "time (%s)" % unit)
    ax.set_ylabel("%ss" % schedule.document.get("platform", {}).get("unit", "processor"))
    if title:
        ax.set_title(title)


def draw(ax: Any, schedule: Any, pieces: Sequence[tuple[Json, int, int]], *, hues: Sequence[str], title: str | None = None, unit: str | None = None) -> Any:
    """Draw pieces of bars (the bar, its first processor, how many) as rectangles into axes, which are returned."""
    patches = needed("matplotlib.patches", "axes")
    unit = unit or ("s" if schedule.problem == "volatile" else _unit(schedule.makespan))
    if unit not in _UNITS:
        raise InputError("unit cannot be %r: s, min, h or d is wanted" % (unit,))
    scale, drawn = _UNITS[unit], []
    for bar, first, count in pieces:
        kind = bar.get("kind", "work")
        drawn.append(patches.Rectangle((bar["start"] / scale, first), (bar["end"] - bar["start"]) / scale, count, facecolor=hues[bar["task"]],
                                       edgecolor="white", linewidth=0.4, hatch=_HATCHES.get(kind), alpha=None if kind == "work" else 0.6))
    _frame(ax, schedule, unit, title)
    if len(drawn) > _MOST_PATCHES:
        ax.add_collection(needed("matplotlib.collections", "axes").PatchCollection(drawn, match_original=True))
        return ax
    for (bar, _, _), patch in zip(pieces, drawn):
        ax.add_patch(patch)
        if bar.get("kind", "work") == "work":
            _label(ax, _TYPE, schedule.tasks[bar["task"]], patch, hues[bar["task"]])
    return ax
