"""What the tests of commands share: run the tool, say TAP.

The first argument of a test is the tool.  At the end it calls finish().
"""

import json
import os
import subprocess
import sys

COSCHED = os.path.abspath(sys.argv[1])
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what.replace("#", "")))


def cosched(*words, status=0, given=None):
    done = subprocess.run(
        [COSCHED, *map(str, words)], text=True, input=given or "",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
    )
    ok(done.returncode == status, "%s: status %d %s" % (
        " ".join(map(str, words))[:90], done.returncode, " ".join(done.stderr.split())[:150]))
    return done.stdout, done.stderr


def refused(message, *words, status=1, given=None):
    out, told = cosched(*words, status=status, given=given)
    ok(message in told and not out, "says: %s (%s)" % (message, " ".join(told.split())))


def results(*words, **more):
    return json.loads(cosched(*words, "--format", "json", **more)[0])


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def finish():
    print("1..%d" % count)
    sys.exit(failed > 0)
