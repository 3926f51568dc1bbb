"""What the tests of commands share: run the tool, say TAP.

The first argument of a test is the tool.  At the end it calls finish().
"""

import json
import os
import struct
import subprocess
import sys
import time

COSCHED = os.path.abspath(sys.argv[1])
PATIENCE = 1800  # seconds for what comes in a moment, unless the machine is busy or this stands still
failed = count = 0
os.environ["TERM"] = "dumb"  # colours on a terminal are asked for by the tests of them
for name in "COSCHED_PROCS", "NO_COLOR":
    os.environ.pop(name, None)


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    words = " ".join(what.replace("#", "").split())
    print("%sok %d - %s" % ("" if condition else "not ", count, "".join(c if c.isprintable() else "?" for c in words)))


def cosched(*words, status=0, given=None, env=None):
    """status None: a result or a message. env: variables of the environment that are set, or removed where they are None."""
    both = {**os.environ, **(env or {})}
    done = subprocess.run(
        [COSCHED, *map(str, words)], text=True, input=given or "",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={name: value for name, value in both.items() if value is not None},
    )
    ok(done.returncode in ((0, 1, 5) if status is None else (status,)), "%s: status %d %s" % (
        " ".join(map(str, words))[:90], done.returncode, " ".join(done.stderr.split())[:150]))
    return done.stdout, done.stderr


def refused(message, *words, status=1, given=None):
    out, told = cosched(*words, status=status, given=given)
    ok(message in told and not out, "says: %s (%s)" % (message, " ".join(told.split())))
    return told


def results(*words, **more):
    return json.loads(cosched(*words, "--format", "json", **more)[0])


def row_digest(*values):
    """The digest of a row of a store, as src/campaign/store.c has it."""
    mask, digest = (1 << 64) - 1, 0

    def mix(x):
        x = (x + 0x9e3779b97f4a7c15) & mask
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & mask
        x = (x ^ x >> 27) * 0x94d049bb133111eb & mask
        return x ^ x >> 31
    for value in values:
        kind = 5 if value is None else 1 if isinstance(value, int) else 2 if isinstance(value, float) else 3
        digest = mix(digest ^ kind)
        if kind == 1:
            digest = mix(digest ^ value & mask)
        elif kind == 2:
            digest = mix(digest ^ (struct.unpack("<Q", struct.pack("<d", value))[0] if value else 0))
        elif kind == 3:
            data = value.encode()
            digest = mix(digest ^ len(data))
            for at in range(0, len(data), 8):
                digest = mix(digest ^ int.from_bytes(data[at:at + 8], "little"))
    return digest - (1 << 64) if digest >> 63 else digest


def wait_for(what, pause=0.01):
    """Until that is so; what it says in the end."""
    end = time.monotonic() + PATIENCE
    while not (so := what()) and time.monotonic() < end:
        time.sleep(pause)
    return so


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
