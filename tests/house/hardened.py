#!/usr/bin/env python3
"""What is installed is hardened: position-independent, read-only after relocation, with stack protectors and the
checks of _FORTIFY_SOURCE.

usage: hardened.py FORTIFIED BUILD FILE...

FORTIFIED is yes, given (by the compiler or the packager) or no.  FILE: programs and shared libraries of BUILD.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

FORTIFIED, BUILD, FILES = sys.argv[1], sys.argv[2], sys.argv[3:]
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what), flush=True)


def readelf(*words):
    return subprocess.run(["readelf", "-W", *words], env={**os.environ, "LC_ALL": "C"}, text=True, check=True,
                          stdout=subprocess.PIPE).stdout


def check_file(path):
    name = os.path.basename(path)
    header, segments, dynamic = readelf("-h", path), readelf("-l", path), readelf("-d", path)
    program = "libcosched" not in name and not name.startswith("_")
    ok(re.search(r"Type: +DYN ", header), name + ": position-independent")
    ok(not program or re.search(r"\(FLAGS_1\) .*\bPIE\b", dynamic), name + ": a program says so, too")
    ok("GNU_RELRO" in segments, name + ": relocated data become read-only")
    ok(re.search(r"\(BIND_NOW\)|\(FLAGS\) .*BIND_NOW|\(FLAGS_1\) .*\bNOW\b", dynamic), name + ": all of them, before it starts")
    stack = re.search(r"GNU_STACK.* (R?W?E?) +0x", segments)
    ok(stack and "E" not in stack[1], name + ": no executable stack")
    ok("(TEXTREL)" not in dynamic, name + ": no relocations in the code")


def undefined(pattern):
    """What the objects of a part of the source want of others."""
    found = set()
    for path in glob.glob(os.path.join(BUILD, pattern)):
        found |= set(re.findall(r"\bUND (\w+)", readelf("-s", path)))
    return found


def main():
    if not shutil.which("readelf"):
        print("1..0 # SKIP there is no readelf")
        return 0
    for path in FILES:
        check_file(path)
    for part, pattern in (("library", "src/libcosched.*.p/*.o"), ("keeper", "src/keeper/keeper.p/*.o"),
                          ("tool", "src/cli/libcosched_cli.a.p/*.o")):
        wants = undefined(pattern)
        ok(wants, "%s: there are objects" % part)
        ok({"__stack_chk_fail", "__stack_chk_guard"} & wants, "%s: stack protector" % part)
        fortified = sorted(name for name in wants if re.fullmatch(r"__\w+_chk", name))
        if FORTIFIED == "yes":
            ok(fortified, "%s: _FORTIFY_SOURCE: %s" % (part, " ".join(fortified[:4])))
    print("1..%d" % count)
    return 1 if failed else 0


sys.exit(main())
