#!/usr/bin/env python3
"""What the executor itself takes for a job of no work: decision, journal, start, without keepers and programs.

usage: bench/executor.py JOBS TURNS COSCHED...

Each program runs JOBS times /bin/true on four slots, in turns, each TURNS times.  CPU is that of its own process
alone, in milliseconds a job, read when it has ended and before it is waited for (/proc/PID/stat): the medians of
all, of user and of system.  Compare programs of one call.
"""

import os
import statistics
import subprocess
import sys
import tempfile


def own_cpu(words):
    """User and system seconds of a process without its children."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with open("/proc/%d/stat" % process.pid, encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        if process.wait():
            sys.exit("%s: status %d" % (words[0], process.returncode))
    return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:13]]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.strip())
    jobs, turns, tools = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    spent = {tool: [] for tool in tools}
    for _ in range(turns):
        for tool in tools:
            with tempfile.TemporaryDirectory() as folder:
                table = os.path.join(folder, "jobs.csv")
                with open(table, "w", encoding="utf-8") as file:
                    file.write("name,procs,seconds\n" + "".join("j%d,1,1\n" % k for k in range(jobs)))
                spent[tool].append(own_cpu([tool, "run", table, "--slots", "4", "--oversubscribe", "--set", "retries=0", "--policy",
                                            "greedy", "--into", os.path.join(folder, "run"), "--progress", "none",
                                            "--", "/bin/true"]))
    for tool, values in spent.items():
        user, system = (statistics.median(column) / jobs * 1e3 for column in zip(*values))
        both = statistics.median(map(sum, values)) / jobs * 1e3
        print("%.3f ms a job (user %.3f, system %.3f): %s" % (both, user, system, tool))


main()
