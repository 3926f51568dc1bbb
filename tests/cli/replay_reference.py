#!/usr/bin/env python3
"""`cosched replay` against first come, first served, EASY and conservative backfilling written anew, start by start.

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


def fits(taken, procs, job, now):
    """Whether the job could run from now on beside what is taken: (from, to, procs)."""
    end = now + job["told"]
    instants = {now} | {start for start, _, _ in taken if now < start < end}
    return all(procs - sum(width for start, stop, width in taken if start <= at < stop) >= job["procs"] for at in instants)


def earliest(taken, procs, job, now):
    return next(at for at in sorted({now} | {end for _, end, _ in taken if end > now}) if fits(taken, procs, job, at))


def conservative(procs, jobs, compress, kill):
    """{id: (start, end)} where everybody has a reservation; (first, others) are moved to the earliest, to now."""
    first, others = compress
    coming = [{"id": number, "arrival": arrival, "procs": width,
               "told": request if kill else max(request, run), "runs": min(run, request) if kill else run}
              for number, arrival, run, width, request in jobs]
    queue, running, ran = [], [], {}

    def taken(but=None):
        return [(job["begin"], job["begin"] + job["told"], job["procs"])
                for job in running + queue if job is not but and "begin" in job]
    while coming or queue or running:
        now = min([job["arrival"] for job in coming[:1]] + [job["begin"] + job["runs"] for job in running] +
                  [job["begin"] for job in queue])
        over = [job for job in running if job["begin"] + job["runs"] == now]
        running = [job for job in running if job not in over]
        if any(job["told"] > job["runs"] for job in over):
            for place, job in enumerate(queue):
                if job["begin"] > now and place < first:
                    job["begin"] = earliest(taken(job), procs, job, now)
                elif job["begin"] > now and others and fits(taken(job), procs, job, now):
                    job["begin"] = now
        while coming and coming[0]["arrival"] == now:
            queue.append(coming.pop(0))
            queue[-1]["begin"] = earliest(taken(queue[-1]), procs, queue[-1], now)
        started = [job for job in queue if job["begin"] == now]
        queue = [job for job in queue if job["begin"] > now]
        running += started
        ran.update({job["id"]: (now, now + job["runs"]) for job in started})
    return ran


COMPRESS = {"full": (10 ** 9, False), "2": (2, True), "5": (5, True), "now": (0, True), "none": (0, False)}


def judge(ran, want, what, jobs):
    wrong = [(number, ran.get(number), want[number]) for number in want if ran.get(number) != want[number]]
    ok(not wrong and len(ran) == len(jobs),
       "%s: %d jobs start and end when they should%s" % (
           what, len(jobs), ", but for job %d: %s, not %s" % wrong[0] if wrong else ""))


def compare(folder, seed, kill):
    procs, jobs = draw(seed)
    log = write(folder, "log.swf", "; MaxProcs: %d\n" % procs + "".join(
        "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 1 1 -1 -1\n" % (number, arrival, run, width, width, request)
        for number, arrival, run, width, request in jobs))
    table = os.path.join(folder, "jobs.csv")
    policies = ["fcfs", "easy"] + ["conservative" + ":compress=" * (word != "full") + word * (word != "full") for word in COMPRESS]
    cosched("replay", log, "--policy", ",".join(policies), "--overrun", "kill" if kill else "raise", "--jobs", table)
    with open(table) as file:
        got = list(csv.DictReader(file))
    for policy in policies:
        word = policy.partition("=")[2] or "full"
        want = (conservative(procs, jobs, COMPRESS[word], kill) if "conservative" in policy
                else reference(procs, jobs, policy == "easy", kill))
        ran = {int(row["job_id"]): (int(row["start"]), int(row["end"])) for row in got if row["policy"] == policy}
        judge(ran, want, "log %d, %s%s" % (seed, policy, ", killed at the request" if kill else ""), jobs)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(16):
            compare(folder, seed, seed % 2 == 1)
    finish()


main()
