#!/usr/bin/env python3
"""Write LANL's failure log (LA-UR-05-7318, a CSV, also packed by xz) as an event table of hosts.

usage: bench/lanl.py FAILURES.csv[.xz] > event_trace.tab

A node is a system and its node number; a row is down from "Prob Started" to "Prob Fixed".
`cosched fit availability event_trace.tab --slot 1h` reads the table.
"""

import csv
import lzma
import sys
from datetime import datetime, timezone

SYSTEM, NODE, STARTED, FIXED = 0, 5, 16, 17


def seconds(text):
    when = datetime.strptime(text.strip(), "%m/%d/%Y %H:%M")
    return int(when.replace(tzinfo=timezone.utc).timestamp())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    unpack = lzma.open if sys.argv[1].endswith(".xz") else open
    with unpack(sys.argv[1], "rt", encoding="latin-1", newline="") as file:
        rows = list(csv.reader(file))[2:]
    down = sorted(
        (seconds(row[STARTED]), seconds(row[FIXED]), (row[SYSTEM], row[NODE])) for row in rows
    )
    nodes = {}
    for number, (start, stop, node) in enumerate(down):
        index = nodes.setdefault(node, len(nodes))
        print(number, 0, index, 0, "n", 0, start, stop, "NULL", sep="\t")


if __name__ == "__main__":
    main()
