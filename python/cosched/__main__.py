"""python3 -m cosched convert LOG... --to parquet|arrow|csv --output FILE: job logs, stores and schedules as tables.

Files of Arrow are written by pyarrow, polars or DuckDB, whichever is installed. A file that ends in .db is a store of a campaign, one in .json a schedule, others are job logs.
"""

from __future__ import annotations

import argparse
import sys

import cosched
from cosched import parquet


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
            parquet.write(table, given.to, given.output)
    except cosched.Error as error:
        print("cosched: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
