"""python3 -m cosched convert LOG... --to parquet|arrow|csv --output FILE: job logs, stores and schedules as tables.

The library hands over columns and writes no file of Arrow's: that is done by whichever of pyarrow, polars and DuckDB is
installed. A file that ends in .db is a store of a campaign, one in .json a schedule, others are job logs.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import cosched
from cosched._types import Path


def _by_pyarrow(table, to, path):
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet
    read = pyarrow.RecordBatchReader.from_stream(table).read_all()
    if to == "parquet":
        pyarrow.parquet.write_table(read, path)
    else:
        pyarrow.feather.write_feather(read, path)


def _by_polars(table, to, path):
    import polars
    read = polars.DataFrame(table)
    if to == "parquet":
        read.write_parquet(path)
    else:
        read.write_ipc(path)


def _by_duckdb(table, to, path):
    import duckdb
    if to != "parquet":
        raise ImportError("DuckDB writes no file of Arrow's")
    duckdb.connect().from_arrow(table).write_parquet(path)


def write(table: Any, to: str, path: Path) -> None:
    """Write what has __arrow_c_stream__ with the first library that is there and can."""
    for way in (_by_pyarrow, _by_polars, _by_duckdb):
        try:
            return way(table, to, path)
        except ImportError:
            continue
    raise cosched.Error("%s: %s files are written by pyarrow, polars or DuckDB%s: install one of them, or take --to csv" % (
        path, to, "" if to == "parquet" else " (the latter parquet only)"))


def _table(paths, options):
    if paths[0].endswith(".db"):
        return cosched.Campaign(paths[0])
    if paths[0].endswith(".json") and cosched.Schedule.is_one(paths[0]):
        return cosched.Schedule.read(paths[0])
    return cosched.JobLog(paths, **options)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m cosched", description=__doc__.split(":")[1].strip())
    convert = parser.add_subparsers(dest="command", required=True).add_parser("convert", help="job logs, stores and schedules as tables")
    convert.add_argument("input", nargs="+")
    convert.add_argument("--to", required=True, choices=["parquet", "arrow", "csv"])
    convert.add_argument("--output", "-o", required=True)
    convert.add_argument("--procs", type=int, help="of the machine; wider jobs are left out")
    convert.add_argument("--unit", choices=["cpus", "nodes"])
    convert.add_argument("--zone", help='of stamps without one, such as "Europe/Berlin"')
    given = parser.parse_args(words)
    options = {name: value for name in ("procs", "unit", "zone") if (value := getattr(given, name)) is not None}
    try:
        table = _table(given.input, options)
        if given.to == "csv":
            table.to_frame().to_csv(given.output, index=False, lineterminator="\n")
        else:
            write(table, given.to, given.output)
    except cosched.Error as error:
        print("cosched: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
