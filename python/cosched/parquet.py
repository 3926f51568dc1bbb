"""Files of Arrow, Parquet and Feather: written and read by pyarrow, polars or DuckDB, whichever is installed."""

from __future__ import annotations

import os
from typing import Any

from cosched._core import MissingPart
from cosched._types import Path

ENDINGS = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}


def _write_pyarrow(table, to, path):
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet
    read = pyarrow.RecordBatchReader.from_stream(table).read_all()
    if to == "parquet":
        pyarrow.parquet.write_table(read, path)
    else:
        pyarrow.feather.write_feather(read, path)


def _write_polars(table, to, path):
    import polars
    read = polars.DataFrame(table)
    if to == "parquet":
        read.write_parquet(path)
    else:
        read.write_ipc(path)


def _write_duckdb(table, to, path):
    import duckdb
    if to != "parquet":
        raise ImportError("DuckDB writes no file of Arrow's")
    duckdb.connect().from_arrow(table).write_parquet(path)


def _read_pyarrow(form, path):
    import pyarrow.feather
    import pyarrow.parquet
    return pyarrow.parquet.read_table(path) if form == "parquet" else pyarrow.feather.read_table(path)


def _read_polars(form, path):
    import polars
    return polars.read_parquet(path) if form == "parquet" else polars.read_ipc(path)


def _first(functions, *arguments):
    """The result of the first function whose package is installed."""
    for function in functions:
        try:
            return True, function(*arguments)
        except ImportError:
            continue
    return False, None


def write(table: Any, to: str, path: Path) -> None:
    """Write what has __arrow_c_stream__ with the first package that is installed and can."""
    if not _first((_write_pyarrow, _write_polars, _write_duckdb), table, to, os.fspath(path))[0]:
        raise MissingPart("%s: %s files are written by pyarrow, polars or DuckDB%s: install one of them, or take csv" % (
            os.fspath(path), to, "" if to == "parquet" else " (the latter parquet only)"))


def is_one(path: str) -> bool:
    """Is it named like a file of these formats?"""
    return os.path.splitext(path)[1] in ENDINGS


def read(path: str) -> Any:
    """The table of such a file, with __arrow_c_stream__."""
    done, table = _first((_read_pyarrow, _read_polars), ENDINGS[os.path.splitext(path)[1]], path)
    if not done:
        raise MissingPart("%s: such files are read by pyarrow or polars: install one of them" % path)
    return table
