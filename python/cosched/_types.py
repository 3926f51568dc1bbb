"""Types of arguments and results, for type checkers and help()."""

from __future__ import annotations

import datetime
import os
from typing import IO, TYPE_CHECKING, Any, Callable, Dict, Mapping, Protocol, Sequence, Union

if TYPE_CHECKING:
    import numpy
    from pandas import DataFrame as Frame

    from cosched.joblog import JobLog

    from matplotlib.axes import Axes as Axes

    Floats = numpy.ndarray[Any, numpy.dtype[numpy.float64]]
    Records = numpy.ndarray[Any, numpy.dtype[numpy.void]]
    Arrays = Dict[str, numpy.ndarray[Any, numpy.dtype[Any]]]
else:
    Frame = Floats = Records = Arrays = Axes = Any  # pandas, numpy and matplotlib are imported on first use


class FrameLike(Protocol):
    """A frame that comes in; without types pandas selects rows of a frame as what may be a series."""

    def __getitem__(self, key: Any) -> Any:
        """A column."""


class ArrowTable(Protocol):
    """Columns of pyarrow, polars and others."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The columns, as a capsule."""


Path = Union[str, "os.PathLike[str]"]
Seconds = Union[float, str, datetime.timedelta, "numpy.timedelta64"]  # "30d"
Length = Union[float, str]  # a number of pixels, or "8.5cm"
Json = Dict[str, Any]  # a document, as json.loads returns it
Progress = Union[bool, Callable[[float], object], None]
Times = Mapping[str, Mapping[int, float]]  # {"solver": {1: 640, 2: 340}}
Input = Union[Path, bytes, IO[bytes], IO[str], Times, Json, FrameLike, ArrowTable, "JobLog"]
Inputs = Union[Input, Sequence[Input]]
Variant = Union[int, str, Sequence[str], None]
Columns = Union[FrameLike, Mapping[str, Sequence[Any]]]
Texts = Union[str, Sequence[str]]


class PolicyText(str):
    """A policy with values of its parameters, such as PolicyText("pack-by-pack:epsilon=0.5"), or several with commas.

    A plain text does the same; type checkers accept only names of policies as plain texts.
    """
