#!/usr/bin/env python3
"""A log of many jobs in Standard Workload Format, for `cosched replay`: 1000 processors that are busy
nine tenths of the time, widths from 1 to 128, minutes to hours, requests up to three times too long.

usage: bench/log.py JOBS > log.swf
"""

import random
import sys

WIDTHS = (1, 1, 1, 2, 4, 8, 16, 32, 64, 128)
SECONDS = (60, 120, 300, 600, 1800, 3600, 7200)
GAP = sum(WIDTHS) / len(WIDTHS) * sum(SECONDS) / len(SECONDS) / 1000 / 0.9


def main():
    draw = random.Random(1).random
    now, lines = 0, ["; MaxProcs: 1000\n; UnixStartTime: 1000000000\n"]
    for number in range(1, int(sys.argv[1]) + 1):
        now += int(2 * GAP * draw())
        run = int(SECONDS[int(7 * draw())] * (0.5 + draw()))
        procs = WIDTHS[int(10 * draw())]
        lines.append("%d %d 0 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1\n" % (
            number, now, run, procs, procs, run * (1 + int(3 * draw())), int(200 * draw())))
        if len(lines) > 100000:
            sys.stdout.write("".join(lines))
            lines.clear()
    sys.stdout.write("".join(lines))


main()
