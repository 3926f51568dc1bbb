#!/usr/bin/env python3
"""EASY backfilling as a program of its own: the first job that does not fit has a reservation, others may not delay it.

    cosched simulate rigid JOBS --procs 1000 --policy easy,program --policy-program examples/policies/easy.py

Reads events and answers with jobs to start, a line of JSON each: docs/policies.md.
"""

import bisect
import json
import sys


class Easy:
    def __init__(self, machine):
        self.verification = machine["verification"]
        self.jobs = {job["job"]: job for job in machine["jobs"]}
        self.queue = []  # (place, job), the most urgent first

    def wait(self, job):
        bisect.insort(self.queue, (self.jobs[job].get("place", [job]), job))

    def begin(self):
        self.queue = sorted((job.get("place", [number]), number) for number, job in self.jobs.items())

    def end(self, job, now):
        return now + self.jobs[job]["seconds"] + self.verification

    def shadow(self, running, free, procs):
        """When the first in line can start, and what it leaves then."""
        for k, (end, width) in enumerate(running):
            free += width
            if free >= procs and (k + 1 == len(running) or running[k + 1][0] > end):
                return end, free - procs
        raise ValueError("nothing that runs makes room")

    def decide(self, now, free, running):
        start = []
        while self.queue and self.jobs[self.queue[0][1]]["procs"] <= free:
            start.append(self.queue.pop(0)[1])
            free -= self.jobs[start[-1]]["procs"]
        if not self.queue or not free:
            return start
        ends = [(attempt["end"], attempt["procs"]) for attempt in running] + [(self.end(job, now), self.jobs[job]["procs"]) for job in start]
        at, extra = self.shadow(sorted(ends), free, self.jobs[self.queue[0][1]]["procs"])
        for place, job in self.queue[1:]:
            procs, within = self.jobs[job]["procs"], self.end(job, now) <= at
            if procs <= free and (within or procs <= extra):
                self.queue.remove((place, job))
                start.append(job)
                free -= procs
                extra -= 0 if within else procs
        return start


def main():
    policy = None
    for line in sys.stdin:
        message = json.loads(line)
        event = message["event"]
        if event == "machine":
            policy = Easy(message)
        elif event == "begin":
            policy.begin()
        elif event == "arrived":
            policy.jobs[message["job"]] = message
            policy.wait(message["job"])
        elif event == "failed":
            policy.wait(message["job"])
        elif event == "decide":
            start = policy.decide(message["now"], message["free"], message["running"])
            print(json.dumps({"start": start}), flush=True)


main()
