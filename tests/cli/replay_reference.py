#!/usr/bin/env python3
"""`cosched replay` against first come, first served and EASY written anew, start by start.

usage: tests/cli/replay_reference.py COSCHED

The reference below looks at every job at every event and knows nothing of the tool. Logs are
small and random: many jobs of one instant, requests too short and too long, full machines.
"""

import csv
import os
import random
import tempfile

import kit
from kit import cosched, finish, ok, write


def draw(seed):
    """Jobs (id, arrival, run, procs, request), in the order of their arrival, and a machine."""
    r = random.Random(seed)
    procs, jobs, now = r.choice((4, 16, 100)), [], 0
    for number in range(1, r.randrange(2, 120)):
        now += r.choice((0, 0, 1, r.randrange(60)))
        run = r.choice((1, 60, r.randrange(1, 400)))
        request = r.choice((run, 60, run * r.randrange(1, 5), r.randrange(1, 400)))
        jobs.append((number, now, run, r.choice((1, procs, r.randrange(1, procs + 1))), request))
    return procs, jobs


def start_in_order(queue, free):
    """All that fit until one does not."""
    started = []
    while queue and queue[0]["procs"] <= free:
        started.append(queue.pop(0))
        free -= started[-1]["procs"]
    return started


def backfill(queue, running, free, now):
    """Who starts behind the first in line, which does not fit and must not start later for that."""
    head, started, there = queue[0], [], free
    for end in sorted({job["expected"] for job in running}):
        there = free + sum(job["procs"] for job in running if job["expected"] <= end)
        if there >= head["procs"]:
            shadow = end
            break
    spare = there - head["procs"]
    for job in list(queue[1:]):
        beyond = now + job["told"] > shadow
        if job["procs"] <= free and (not beyond or job["procs"] <= spare):
            started.append(job)
            queue.remove(job)
            free -= job["procs"]
            spare -= job["procs"] if beyond else 0
    return started


def reference(procs, jobs, easy, kill):
    """{id: (start, end)}"""
    coming = [{"id": number, "arrival": arrival, "procs": width,
               "told": request if kill else max(request, run), "runs": min(run, request) if kill else run}
              for number, arrival, run, width, request in jobs]
    queue, running, ran = [], [], {}
    while coming or queue or running:
        now = min([job["arrival"] for job in coming[:1]] + [job["end"] for job in running])
        running = [job for job in running if job["end"] > now]
        while coming and coming[0]["arrival"] == now:
            queue.append(coming.pop(0))
        free = procs - sum(job["procs"] for job in running)
        started = start_in_order(queue, free)
        free -= sum(job["procs"] for job in started)
        for job in started:
            job.update(end=now + job["runs"], expected=now + job["told"])
        if easy and queue:
            more = backfill(queue, running + started, free, now)
            for job in more:
                job.update(end=now + job["runs"], expected=now + job["told"])
            started += more
        running += started
        ran.update({job["id"]: (now, job["end"]) for job in started})
    return ran


def compare(folder, seed, kill):
    procs, jobs = draw(seed)
    log = write(folder, "log.swf", "; MaxProcs: %d\n" % procs + "".join(
        "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 1 1 -1 -1\n" % (number, arrival, run, width, width, request)
        for number, arrival, run, width, request in jobs))
    table = os.path.join(folder, "jobs.csv")
    cosched("replay", log, "--policy", "fcfs,easy", "--overrun", "kill" if kill else "raise", "--jobs", table)
    with open(table) as file:
        got = list(csv.DictReader(file))
    for policy in ("fcfs", "easy"):
        want = reference(procs, jobs, policy == "easy", kill)
        ran = {int(row["job_id"]): (int(row["start"]), int(row["end"])) for row in got if row["policy"] == policy}
        wrong = [(number, ran.get(number), want[number]) for number in want if ran.get(number) != want[number]]
        ok(not wrong and len(ran) == len(jobs),
           "log %d, %s%s: %d jobs start and end when they should%s" % (
               seed, policy, ", killed at the request" if kill else "", len(jobs),
               ", but for job %d: %s, not %s" % wrong[0] if wrong else ""))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(16):
            compare(folder, seed, seed % 2 == 1)
    finish()


main()
