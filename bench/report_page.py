#!/usr/bin/env python3
"""How long a report of many bars takes to open and to move, in headless Chromium.

usage: bench/report_page.py COSCHED [BARS [PROCS]]      (100000, 512)

Prints what the page needs to be written and to open, and the milliseconds of the script for one picture at
several zooms (medians of 9).
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "browser"))
import kit  # noqa: E402


def schedule(bars, procs):
    """Jobs of 1 to 16 processors wherever they fit."""
    draw = random.Random(3)
    free, rows = [0.0] * procs, []
    for job in range(bars):
        width = draw.choice([1, 1, 2, 3, 4, 8, 16])
        first = draw.randrange(0, procs - width + 1)
        start = max(free[first:first + width])
        end = start + draw.expovariate(1 / 300) + 5
        free[first:first + width] = [end] * width
        rows.append({"task": job, "kind": draw.choice(["work"] * 8 + ["lost", "checkpoint"]),
                     "procs": "%d-%d" % (first, first + width - 1) if width > 1 else str(first), "start": start, "end": end})
    return {"format": "cosched-schedule-1", "problem": "rigid", "procs": procs, "tasks": ["job %d" % i for i in range(bars)],
            "bars": rows}


def main():
    cosched, bars, procs = sys.argv[1], int((sys.argv + [100000])[2]), int((sys.argv + [0, 512])[3])
    browser = kit.start()
    with tempfile.TemporaryDirectory() as folder:
        given, page = os.path.join(folder, "many.json"), os.path.join(folder, "many.html")
        with open(given, "w", encoding="utf-8") as file:
            json.dump(schedule(bars, procs), file)
        began = time.monotonic()
        subprocess.run([cosched, "report", given, "-o", page], check=True)
        print("%d bars, page of %.1f MB, written in %.2f s" % (bars, os.path.getsize(page) / 1e6, time.monotonic() - began))
        began = time.monotonic()
        browser.open(page)
        browser.wait("return document.querySelector('.gantt').dataset.took")
        print("opened in %.2f s" % (time.monotonic() - began))
        for part in (0.99, 0.3, 0.1, 0.03, 0.01):
            took = []
            for i in range(9):
                browser.js("const c = cosched.schedule.chart.all[0], w = arguments[0] * c.full.to, f = (0.4 + arguments[1] / 1000) * (c.full.to - w);"
                           "c.show({...c.full, from: f, to: f + w})", part, i)
                browser.settle()
                took.append(float(browser.js("return document.querySelector('.gantt').dataset.took")))
            print("%5.1f %% of the time: %6d bars, %6.1f ms" % (
                100 * part, browser.js("return cosched.schedule.chart.all[0].shown"), statistics.median(took)))
    browser.driver.quit()


main()
