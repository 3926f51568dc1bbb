#!/usr/bin/env python3
"""Large schedules: counts of processors, files in pieces, files that end early or twice, bombs, full disks.

usage: tests/cli/stream.py COSCHED
"""

import gzip
import json
import os
import resource
import signal
import struct
import subprocess
import tempfile

from kit import COSCHED, cosched, finish, ok, read, refused, write

JOBS, PROCS = 12000, 10000


def simulated(name, *more, policy="greedy"):
    cosched("simulate", "rigid", "jobs.csv", "--procs", PROCS, "--scenarios", 1, "--policy", policy, "-q", 1e-6, *more, "-o", name)
    return json.loads(read(name))


def bars(name):
    return cosched("convert", name, "--to", "bars")[0]


def numbers_and_counts():
    numbers, counts, auto = (simulated(mode + ".json", "--processors", mode) for mode in ("numbers", "counts", "auto"))
    ok(all("procs" in bar and "count" not in bar for bar in numbers["bars"]), "bars have numbers of processors")
    ok(all("count" in bar and "procs" not in bar for bar in counts["bars"]), "or counts")
    ok(counts["bars"] == auto["bars"] and len(counts["bars"]) >= JOBS, "auto: counts above 10,000 bars")
    ok(len(read("counts.json")) < 0.75 * len(read("numbers.json")), "which are smaller")
    ok(bars("numbers.json") == bars("counts.json"), "a reader numbers them as the simulation does")
    few = simulated("few.json", "--processors", "auto", policy="shelf")["bars"]
    ok("count" in few[0] and "group" in few[0], "also on shelves")
    ok(bars("few.json") == bars("few.json"), "the same each time")
    for name in "numbers.json", "counts.json", "few.json":
        ok(": valid" in cosched("check", name)[0], "%s is valid" % name)
    write(".", "few.csv", "name,procs,seconds\na,3,10\nb,2,5\nc,4,6\n")
    cosched("simulate", "rigid", "few.csv", "--procs", 6, "--scenarios", 1, "--policy", "greedy", "-o", "small.json")
    small = json.loads(read("small.json"))
    ok("procs" in small["bars"][0], "auto: numbers in small files")
    refused("--processors", "simulate", "rigid", "jobs.csv", "--procs", PROCS, "--processors", "none", "-o", "x.json", status=2)
    write(".", "tasks.csv", "app,procs,seconds\n" + "".join("t%d,%d,%d\n" % (t, p, 100 // p + t) for t in range(9) for p in (1, 2, 4)))
    cosched("plan", "pack", "tasks.csv", "--procs", 8, "--processors", "counts", "-o", "pack.json")
    pack = json.loads(read("pack.json"))
    ok("count" in pack["bars"][0] and ": valid" in cosched("check", "pack.json")[0], "a plan of packs has counts where they are asked for")
    for command in ("plot", "counts.json", "-o", "c.svg"), ("report", "counts.json", "-o", "c.html"), ("convert", "counts.json", "--to", "paje", "-o", "c.paje"):
        cosched(*command)
    numbers["bars"], counts["bars"][5]["count"] = counts["bars"], PROCS
    write(".", "crowded.json", json.dumps(numbers))
    out = cosched("check", "crowded.json", status=1)[0]
    ok("processors: %d" % PROCS not in out and "are held then, the platform has %d" % PROCS in out, "check adds counts up: %s" % out[:300])
    for command in ("plot", "crowded.json", "-o", "x.svg"), ("report", "crowded.json", "-o", "x.html"), ("convert", "crowded.json", "--to", "bars"):
        refused("crowded.json: its bars hold more processors than there are: see 'cosched check'", *command)
    ok(not os.path.exists("x.svg") and not os.path.exists("x.html"), "and nothing is written")


def every_writer():
    """Each command that gives interchangeable processors takes --processors; those of nodes or blocks have numbers."""
    write(".", "log.swf", "; MaxProcs: 64\n" + "".join(
        "%d %d 0 %d %d -1 -1 %d %d -1 1 1 1 -1 1 -1 -1 -1\n" % (i + 1, 7 * i, 50 + i % 90, 1 + i % 30, 1 + i % 30, 200) for i in range(300)))
    nodes = json.dumps({"format": "cosched-machine-1", "alloc": "node", "groups": [{"name": "n", "nodes": 64, "cores": 1}]})
    write(".", "nodes.json", nodes)
    replay = "replay", "log.swf", "--policy", "easy"
    plan = "plan", "moldable", "tasks.csv", "--procs", 8, "--effort", "fast"
    simulate = "simulate", "moldable", "tasks.csv", "--procs", 8, "--effort", "fast", "--scenarios", 1, "--sigma", 0.3
    queue = "simulate", "queue", "log.swf", "--policy", "easy"
    for words in replay, plan, simulate, queue:
        for mode, key in ("numbers", "procs"), ("counts", "count"), ("auto", "procs"):
            cosched(*words, "--processors", mode, "-o", mode + "_.json")
            ok(all(key in bar for bar in json.loads(read(mode + "_.json"))["bars"]), "%s %s, --processors %s" % (*words[:2], mode))
            ok(": valid" in cosched("check", mode + "_.json")[0], "and is valid")
        cosched(*words, "-o", "default.json")
        ok([bar["start"] for bar in json.loads(read("counts_.json"))["bars"]] == [bar["start"] for bar in json.loads(read("default.json"))["bars"]],
           "with the same starts")
    refused("--processors is for --output", *replay, "--processors", "counts", status=2)
    refused("found counts, expected numbers", *replay, "--machine", "nodes.json", "--processors", "counts", "-o", "no.json")
    refused("found counts, expected numbers", *plan, "--contiguous", "--processors", "counts", "-o", "no.json")
    ok(not os.path.exists("no.json"), "and nothing is written")
    cosched(*plan, "--processors", "counts", "-o", "plan.json")
    forged = json.loads(read("plan.json"))
    write(".", "forged.json", json.dumps({**forged, "contiguous": True}))
    refused('bars[0]: found "count", expected "procs", since "contiguous" is true', "check", "forged.json")
    write(".", "many.swf", "".join("%d %d 0 60 2 -1 -1 2 60 -1 1 1 1 -1 1 -1 -1 -1\n" % (i + 1, 3 * i) for i in range(10001)))
    cosched("replay", "many.swf", "--procs", 64, "--policy", "easy", "-o", "many.json")
    ok("count" in json.loads(read("many.json"))["bars"][0], "auto: counts above 10,000 bars, in replays too")
    cosched("replay", "many.swf", "--machine", "nodes.json", "--policy", "easy", "-o", "many.json")
    ok("procs" in json.loads(read("many.json"))["bars"][0], "but not on nodes with names")


def inspected():
    out = cosched("inspect", "numbers.json", "few.json", "small.json")[0]
    ok("10,000 processors" not in out or "only its beginning was read" not in out, "small schedules are read completely: %s" % out[:200])
    text = read("counts.json")
    head, tail = text.split('"bars": [\n')
    many = head + '"bars": [\n' + ",\n".join([tail.rsplit("\n  ]", 1)[0]] * 8) + "\n  ]" + tail.rsplit("\n  ]", 1)[1]
    ok(len(many) > 4 << 20, "a file of more than 4 MiB")
    write(".", "many.json", many)
    with gzip.open("many.json.gz", "wt") as file:
        file.write(many)
    write(".", "cut.json", many[:5 << 20])
    for name in "many.json", "many.json.gz", "cut.json":
        out = cosched("inspect", name)[0]
        ok("schedule (JSON), 10,000 processors, only its beginning was read" in out, "what its beginning shows: %s" % out[:100])
    ok("violations" in cosched("check", "many.json", status=1)[0], "all of it is read by check")
    cosched("check", "many.json.gz", status=1)


def damaged():
    """A file that ends early or twice is refused, with the place, and nothing is written."""
    text = read("counts.json")
    at = text.index('"bars"')
    for cut in 1, at, at + 6, at + 10, at + 300000, len(text) - 100, len(text) - 4, len(text) - 2:
        write(".", "cut.json", text[:cut])
        line = text.count("\n", 0, cut) + 1
        for command in ("check", "cut.json"), ("plot", "cut.json", "-o", "x.svg"), ("report", "cut.json", "-o", "x.html"), ("convert", "cut.json", "--to", "bars"):
            refused("cut.json:%d:" % line, *command)
    for twice in text + text, text + "{}", text.rstrip()[:-1] + ', "bars": []}':
        write(".", "twice.json", twice)
        refused("twice.json:%d:" % (text.count("\n") + (1 if twice[len(text.rstrip()) - 1] == "}" else 0)), "check", "twice.json")
    ok(not os.path.exists("x.svg") and not os.path.exists("x.html"), "and nothing is written")


def large_page():
    """Above 20,000 bars the still picture of a page shows density, if bars have numbers of processors."""
    cosched("generate", "rigid", "-n", 20001, "-o", "many.csv")
    cosched("simulate", "rigid", "many.csv", "-p", 2000, "--policy", "greedy", "--scenarios", 1, "-o", "many.json")
    cosched("report", "many.json", "-o", "many.html")
    with open("many.html", encoding="utf-8") as file:
        page = file.read()
    ok("This chart of 20001 bars needs scripts" in page and 'viewBox="0 0 900' not in page, "no still picture")
    ok('"count":[' in page and '"sets"' not in page.split("</script>")[0], "bars have counts")
    ok(len(page) < 90 * 20001, "bytes a bar: %d" % (len(page) / 20001))
    cosched("simulate", "rigid", "many.csv", "-p", 2000, "--policy", "greedy", "--scenarios", 1, "--processors", "numbers", "-o", "numbers.json")
    cosched("report", "numbers.json", "-o", "numbers.html")
    with open("numbers.html", encoding="utf-8") as file:
        page = file.read()
    ok('class="density"' in page and 'viewBox="0 0 900' in page, "a still picture of density")


def zstd(head, byte, times, tail):
    """A frame with blocks of 128 KiB that take four bytes."""
    block = lambda last, kind, size: struct.pack("<I", last | kind << 1 | size << 3)[:3]
    return (struct.pack("<IBB", 0xFD2FB528, 0, 7 << 3) + block(0, 0, len(head)) + head +
            (block(0, 1, 1 << 17) + byte) * times + block(1, 0, len(tail)) + tail)


def bombs():
    """Small files that unpack to a lot: gzip to 100 MB, 32 KB of zstd to 1 GB."""
    with open(COSCHED, "rb") as file:
        if b"__asan_init" in file.read():
            return  # a sanitizer needs more memory than the limit
    start = b'{"format": "cosched-schedule-1", "procs": 4, "tasks": ["a"], "bars": ['
    files = []
    for name, middle in ("blanks", b" "), ("brackets", b"["), ("bars", b'{"task":0,"count":1,"start":0,"end":1},'), ("string", b"x"):
        files.append(name + ".json.gz")
        with gzip.open(files[-1], "wb", 9) as file:
            file.write(start + (b'"' if name == "string" else b""))
            for _ in range(400):
                file.write(middle * ((1 << 18) // len(middle)))
    for name, head, byte in (("blanks", b"", b" "), ("brackets", b"", b"["), ("digits", b'{"task":0,"count":', b"1"),
                             ("kind", b'{"task":0,"kind":"', b"x"), ("behind", b'],"jobs":[', b" "), ("policy", b'],"policy":"', b"x")):
        files.append(name + ".json.zst")
        with open(files[-1], "wb") as file:
            file.write(zstd(start + head, byte, 8192, b"]}"))
    for path in files:
        others = ("report", "-o", "x.html"), ("plot", "-o", "x.svg"), ("convert", "--to", "bars", "-o", "x.csv"), ("inspect",)
        for command in ("check",), *(others if "blanks" in path or "digits" in path else ()):
            done = subprocess.run([COSCHED, *command, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
            ok(done.returncode == 1 and (b"MiB" in done.stderr or path.encode() + b":" in done.stderr),
               "%s %s of %d bytes: %s" % (command[0], path, os.path.getsize(path), done.stderr.decode()[:120]))
    ok(not any(os.path.exists("x." + ending) for ending in ("html", "svg", "csv")), "and nothing is written")


def full_disk():
    """What does not fit leaves no file, and an older one as it was."""
    os.mkdir("disk")
    cosched("simulate", "rigid", "many.csv", "-p", 2000, "--policy", "greedy", "--scenarios", 1, "-o", "page.json")
    for words in (("simulate", "rigid", "jobs.csv", "--procs", PROCS, "--scenarios", 1, "--policy", "greedy", "-q", 1e-6),
                  ("replay", "many.swf", "--procs", 64, "--policy", "easy"), ("report", "page.json"),
                  ("convert", "counts.json", "--to", "bars"), ("convert", "counts.json", "--to", "trace", "--tracks", "tasks"),
                  ("convert", "counts.json", "--to", "paje"), ("convert", "counts.json", "--to", "flux-jobspec")):
        words = [COSCHED, *map(str, words)]
        output = "o.html" if "report" in words else "o.csv" if "bars" in words else "o.paje" if "paje" in words else "o.jsonl" if "flux-jobspec" in words else "o.json"
        cosched(*words[1:], "-o", "disk/" + output)
        whole = os.path.getsize("disk/" + output)
        os.remove("disk/" + output)
        for most in (0, 1, 300000, whole // 2, whole - 1000) if "simulate" in words else (300000, whole - 1000):
            for old in None, "old":
                if old:
                    write("disk", output, old)
                done = subprocess.run([*words, "-o", "disk/" + output], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
                left = {name: read(os.path.join("disk", name)) for name in os.listdir("disk")}
                ok(done.returncode == 1 and "disk/%s: cannot be written: File too large" % output in done.stderr and left == ({output: old} if old else {}),
                   "%s, %d bytes of a disk: %d %s %s" % (words[1], most, done.returncode, done.stderr[-100:], list(left)))
            os.remove("disk/" + output)


def interrupted():
    """A command that is killed while it writes leaves no file under the final name, and an older one as it was."""
    os.mkdir("killed")
    for words, name in ((("report", "page.json"), "o.html"), (("convert", "page.json", "--to", "bars"), "o.csv"),
                        (("simulate", "rigid", "many.csv", "-p", "2000", "--policy", "greedy", "--scenarios", "1"), "o.json")):
        cosched(*words, "-o", "killed/" + name)
        whole = {name: read(os.path.join("killed", name))}
        for how in signal.SIGKILL, signal.SIGTERM, signal.SIGINT:
            for old in None, "old":
                before = {name: old} if old else {}
                for _ in range(40):  # until it is caught in between: the signal may come after the file is complete
                    for file in os.listdir("killed"):
                        os.remove(os.path.join("killed", file))
                    if old:
                        write("killed", name, old)
                    child = subprocess.Popen([COSCHED, *words, "-o", "killed/" + name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    while child.poll() is None and not any(file.endswith(".tmp") for file in os.listdir("killed")):
                        pass
                    child.send_signal(how)
                    caught = child.wait() != 0
                    left = {file: read(os.path.join("killed", file)) for file in os.listdir("killed") if not file.endswith(".tmp")}
                    if left != whole:
                        break
                ok(caught and left == before, "%s, signal %d: %s is left" % (words[0], how, list(left)))
                for file in os.listdir("killed"):
                    os.remove(os.path.join("killed", file))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    cosched("generate", "rigid", "-n", JOBS, "-o", "jobs.csv")
    numbers_and_counts()
    every_writer()
    inspected()
    damaged()
    large_page()
    bombs()
    full_disk()
    interrupted()
    os.chdir("/")
finish()
