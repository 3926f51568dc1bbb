#!/usr/bin/env python3
"""The same bytes from every compiler: run one list of commands with each build, and compare.

usage: tests/house/same.py BUILD BUILD... [--comma]

With --comma the first build runs once more, in programs that have set a locale with a decimal comma.
Each build runs every command in an empty folder of its own.  Output, messages, exit status and the
files written must be the same to the byte, but for commands of what a build lacks: those are compared
among the builds that have it.
"""

import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEASURED = re.compile(rb', in [0-9.]+ (?:\xc2\xb5s|ms|s|min)$', re.M)
COMMA = os.path.join(TOP, "tests/house/comma.sh")
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what.replace("#", "")))


def names(listing, problem, kind):
    """All but the policy that asks a program of the user's own."""
    return [row["name"] for row in listing
            if (row["problem"], row["kind"]) == (problem, kind) and row["name"] != "program"]


def pack(listing):
    yield "generate pack --workload random --tasks 65 --procs 64 --seed 3 -o pack65.json"
    yield "generate pack --workload formula --tasks 24 --seed 5 -o formula.json"
    for workload in ("i", "ii-a", "ii-b", "iii-a", "iii-b"):
        yield f"generate pack --workload {workload}"
    for policy in sorted(set(names(listing, "pack", "policy")) - {"ilp"}):
        small = {"exact": "--procs 8 --pack-size 3", "matching": "--procs 8 --pack-size 2"}
        source = "examples/quickstart.csv " + small[policy] if policy in small else "pack65.json --procs 64"
        yield f"plan pack {source} --policy {policy} --bound cheap --format json"
    for seed in range(1, 4):
        yield f"plan pack pack65.json --procs 48 --policy pair-search:kicks=60 --seed {seed} --bound cheap --format json"
        yield f"plan pack pack65.json --procs 48 --policy random-proc --seed {seed} --bound cheap"
    yield "plan pack pack65.json --procs 64 --effort high"
    yield "generate pack --workload random --tasks 100 --procs 32 --seed 1 -o pack100.json"
    yield "plan pack pack100.json --procs 32 --policy pair-search:kicks=200 --bound cheap --format json"
    yield "plan pack formula.json --procs 64 --effort high --bound strong --format csv"
    yield "plan pack examples/archer2.csv --procs 32 --gantt pack.svg -o pack.json"
    yield "check pack.json"
    yield "report pack.json -o pack.html"


def malleable(listing):
    yield "generate malleable --tasks 12 --seed 4 -o apps.json"
    yield "plan malleable apps.json --procs 120 --mtbf 10y --format json"
    common = "apps.json --procs 120 --mtbf 2y --scenarios 6 --seed 9"
    for law in ("exponential", "weibull --shape 0.7", "lognormal --shape 1.2"):
        yield f"simulate malleable {common} --law {law} --on-end all --on-failure all --format json"
    yield f"simulate malleable {common} --rules paper --format csv --per-scenario malleable.csv"
    yield f"simulate malleable {common} --tune 6 --schedule malleable.json --gantt malleable.svg"
    yield "check malleable.json"


def rigid(listing):
    yield "generate rigid --jobs 60 --seed 8 -o rigid.csv"
    yield "simulate rigid rigid.csv --procs 5000 -q 0.3 --policy all --priority all --scenarios 12 --seed 2 --format json"
    yield "simulate rigid rigid.csv --procs 3000 -q 0.2 --scenarios 5 --per-scenario rigid-runs.csv --bound strong"
    yield "simulate rigid rigid.csv --procs 3000 -q 0.2 --scenario 3 --schedule rigid.json --gantt rigid.svg"
    yield "check rigid.json"


def ptg(listing):
    for family in ("random", "fft", "strassen"):
        yield f"generate ptg --family {family} --count 4 --seed 6 -o {family}.json"
    strategies = ",".join(name for name in names(listing, "ptg", "policy") if name != "bicpa")  # it takes one graph
    for family, platform in (("random", "grid5000-lille"), ("fft", "grid5000-sophia"), ("strassen", "grid5000-nancy")):
        yield f"plan ptg {family}.json --platform {platform} --policy {strategies} --replay fluid --format json"
    yield "plan ptg random.json --platform examples/clusters.json --release 0,60,90,100 --online full --schedule ptg.json --gantt ptg.svg"
    yield "check ptg.json"
    yield "plan ptg examples/workflow.json --platform grid5000-sophia --alpha 0:0.25 --seed 5"


def volatile(listing):
    yield "generate volatile --hosts 12 --seed 4 -o hosts.json"
    for more in ("", "--estimate conditional", "--law weibull --shape 0.5 --model fitted", "--prefetch data --aware yes"):
        yield f"simulate volatile hosts.json --policy all -n 4 --seed 3 {more} --format json"
    yield "simulate volatile examples/hosts.json -n 1 --schedule volatile.json --gantt volatile.svg"
    yield "check volatile.json"
    yield "fit availability examples/spot.csv -o fitted.json"
    yield "plan volatile examples/hosts-free.json --format json"


def others(listing):
    yield "fit examples/archer2.csv --format json"
    yield "list --format json"
    yield "help plan pack"
    yield "completion bash"
    yield "paper run pack/fig2 --quick --papers papers --out paper"
    for sweep in sorted(os.listdir(os.path.join(TOP, "examples/sweeps"))):
        yield f"campaign run examples/sweeps/{sweep} --format csv"
        yield f"campaign run examples/sweeps/{sweep} --store {sweep}.db"
        yield f"campaign export {sweep}.db -o {sweep}.csv"


def files(folder):
    """What was written there: digests by name; stores know when they were written, so they are left out."""
    found = {}
    for place, _, here in os.walk(folder):
        for path in (os.path.join(place, name) for name in here if ".db" not in name):
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(MEASURED.sub(b"", file.read())).hexdigest()
    return found


class Build:
    def __init__(self, path, folder, before=()):
        self.path, self.folder = path + (", comma" if before else ""), tempfile.mkdtemp(dir=folder)
        self.tool = os.path.abspath(os.path.join(path, "src/cli/cosched"))
        self.before = before
        for name in ("examples", "papers"):
            os.symlink(os.path.join(TOP, name), os.path.join(self.folder, name))
        self.written = files(self.folder)
        self.parts = self.run("--version")[1]  # what is optional in this build

    def run(self, command):
        """Status, what was printed, and the files that it wrote."""
        done = subprocess.run(
            [*self.before, self.tool, *command.split()], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        told = MEASURED.sub(b"", done.stdout + done.stderr).replace(self.tool.encode(), b"cosched")
        before, self.written = self.written, files(self.folder)
        return done.returncode, told, {name: digest for name, digest in self.written.items() if before.get(name) != digest}


def difference(name, one, two):
    if one[0] != two[0]:
        return f"status {one[0]} and {two[0]}"
    for a, b in itertools.zip_longest(one[1].split(b"\n"), two[1].split(b"\n")):
        if a != b:
            return f"{a} and {b}"
    changed = [name for name in one[2].keys() | two[2].keys() if one[2].get(name) != two[2].get(name)]
    return "files " + ", ".join(sorted(changed))


def quiet_about_others():
    """What libraries of others keep until the end is no leak of ours, here as in meson's tests."""
    os.environ.setdefault("LSAN_OPTIONS", "print_suppressions=0:suppressions=" + os.path.join(TOP, "tests/lsan.supp"))


def main():
    quiet_about_others()
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if "--help" in sys.argv else 2
    with tempfile.TemporaryDirectory() as folder:
        paths = [path for path in sys.argv[1:] if path != "--comma"]
        builds = [Build(path, folder) for path in paths]
        if "--comma" in sys.argv:
            builds.append(Build(paths[0], folder, [COMMA, os.path.abspath(os.path.join(paths[0], "comma"))]))
            subprocess.run([*builds[-1].before, "true"], check=True)
        listing = json.loads(builds[0].run("list --format json")[1])
        commands = [command for problem in (pack, malleable, rigid, ptg, volatile, others) for command in problem(listing)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda build: [build.run(command) for command in commands], builds[::-1]))[::-1]
        for at, command in enumerate(commands):
            first = results[0][at]
            for build, result in zip(builds[1:], results[1:]):
                other = result[at]
                what = f"{build.path}: {command}"
                if build.parts != builds[0].parts and other != first:
                    print(f"# not compared, as this build has other parts: {what}")
                    continue
                ok(other == first, what + ("" if other == first else ": " + difference(command, first, other)))
            ok(first[0] == 0, f"status 0: {command}" + ("" if first[0] == 0 else ": " + first[1].decode()[-300:]))
    print(f"1..{count}")
    return 1 if failed else 0


sys.exit(main())
