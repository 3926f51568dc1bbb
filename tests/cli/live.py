#!/usr/bin/env python3
"""The table of `cosched run` on a terminal: what stands on the screen, whatever size it has.

usage: tests/cli/live.py COSCHED
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

from kit import COSCHED, finish, ok, write

PATIENCE = 60
JOB = """#!/bin/sh
test "$COSCHED_NAME" = bad && exit 7
while ! test -e "$1"; do sleep 0.1; done
"""


class Screen:
    """So much of a terminal as is used: rows grow at the bottom, none is ever lost."""

    def __init__(self):
        self.rows, self.y, self.x, self.left, self.strange = [""], 0, 0, b"", set()

    def put(self, text):
        row = self.rows[self.y].ljust(self.x)
        self.rows[self.y] = row[:self.x] + text + row[self.x + len(text):]
        self.x += len(text)

    def escape(self, count, letter):
        if letter == "A":
            self.y = max(0, self.y - int(count or 1))
        elif letter == "K":
            self.rows[self.y] = self.rows[self.y][:self.x]
        elif letter == "J":
            self.rows[self.y] = self.rows[self.y][:self.x]
            del self.rows[self.y + 1:]
        else:
            self.strange.add(letter)

    def fold(self, wide):
        """Narrower: what is too long goes on in the next row."""
        below = self.rows[self.y:]
        self.rows = [row[k:k + wide] for row in self.rows[:self.y] for k in range(0, max(len(row), 1), wide)]
        self.y = len(self.rows)
        self.rows += below

    def feed(self, data):
        for part in re.findall(r"\x1b\[([0-9]*)([A-Za-z])|([\r\n])|([^\x1b\r\n]+)|(\x1b)", data):
            if part[1]:
                self.escape(part[0], part[1])
            elif part[2] == "\r":
                self.x = 0
            elif part[2]:
                self.y += 1
                self.rows += [""] * (self.y + 1 - len(self.rows))
            elif part[3]:
                self.put(part[3])
            else:
                self.strange.add(part[4])

    def text(self):
        return "\n".join(self.rows)


class Session:
    """A command on a terminal of its own."""

    def __init__(self, words, wide=100, high=24, term="xterm", errors_only=True):
        self.master, slave = pty.openpty()
        self.screen, self.raw = None, ""
        self.size(wide, high)
        self.screen = Screen()
        self.child = subprocess.Popen(
            words, stdin=slave, stdout=subprocess.DEVNULL if errors_only else slave, stderr=slave,
            env={**os.environ, "TERM": term, "NO_COLOR": "1"}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)

    def size(self, wide, high):
        if self.screen:
            self.screen.fold(wide)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))

    def take(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536).decode("utf-8", "replace")
        except OSError:
            return False
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def until(self, what):
        end = time.time() + PATIENCE
        while not what(self.screen.text()) and time.time() < end and self.take(0.05):
            pass
        return what(self.screen.text())

    def end(self):
        while self.take(PATIENCE):
            pass
        return self.child.wait()


def table_of(text):
    """The lines of the table: from the last line of counts to the end."""
    rows = text.rstrip("\n").split("\n")
    first = max((k for k, row in enumerate(rows) if " done, " in row and "cosched:" not in row), default=0)
    return rows[first:]


def command(folder, name, rows, *options):
    jobs = write(folder, name + ".csv", "name,procs,seconds\n" + "".join("%s\n" % row for row in rows))
    job = write(folder, "job", JOB)
    os.chmod(job, 0o755)
    return [COSCHED, "run", jobs, "--slots", "30", "--oversubscribe", "--into", os.path.join(folder, name), "--set", "retries=0",
            *options, "--", job, os.path.join(folder, name + ".go")]


def plain(text):
    """Without the line that a machine with fewer cores than slots prints at the start."""
    return re.sub(r"cosched: 30 slots on \d+ cores?: not pinned, times mean little\r?\n?", "", text)


def go(folder, name):
    write(folder, name + ".go", "")


def shows(folder):
    rows = ["job%d,2,%d" % (k, 1000 + k) for k in range(20)] + ["bad,1,5000"]
    s = Session(command(folder, "shown", rows))
    ok(s.until(lambda t: "15 running on 30 of 30" in t and "job5 " in t and "for good" in t), "who runs, who failed")
    lines = table_of(s.screen.text())
    ok(re.match("0 of 21 done, 15 running on 30 of 30 slots, 5 waiting, 1 failed . ", lines[0]), "counts: " + lines[0])
    ok(lines[1].startswith("makespan: planned 1 h 23 min, now about 3"), "makespan: " + lines[1])
    ok(lines[2].split() == ["task", "slots", "procs", "try", "running", "ends", "done"], "heading: " + lines[2])
    ok(re.match(r"job19 +1-2 +2 +1 +\d+ s +in 1[56] min \d\d s +[.#]{10} ~\d+ %$", lines[4]), "a row: " + lines[4])
    ok(len(lines) == 19, "all that run: %d lines" % len(lines))
    s.size(40, 9)
    ok(s.until(lambda t: "and 12 more" in t), "smaller: " + s.screen.text().replace("\n", "|"))
    lines = table_of(s.screen.text())
    ok(len(lines) <= 8 and max(map(len, lines)) < 40, "it fits: %s" % lines)
    s.size(20, 2)
    ok(s.until(lambda t: len(table_of(t)) == 1 and len(table_of(t)[0]) < 20), "one line, short")
    s.size(100, 24)
    ok(s.until(lambda t: len(table_of(t)) == 19), "as before")
    go(folder, "shown")
    ok(s.end() == 3, "ends with 3")
    left = plain("".join(s.screen.rows))
    ok(re.match("cosched: task bad: failed .status 7., for good after 1 try; its output: [^ ]*out and .err"
                "cosched: 20 of 21 tasks done, 1 failed, 0 skipped; see cosched run status [^ ]*$", left),
       "nothing of it stays: %s" % left)
    ok(not s.screen.strange, "no other escapes: %s" % s.screen.strange)


def interrupted(folder):
    s = Session(command(folder, "stopped", ["a,1,5", "b,30,5"]))
    ok(s.until(lambda t: "1 running" in t or "30 of 30" in t), "runs")
    os.write(s.master, b"\x03")
    ok(s.until(lambda t: ", stopping" in t), "^C is seen")
    os.write(s.master, b"\x03")
    ok(s.end() == 130, "ends with 130")
    left = [row for row in map(plain, s.screen.rows) if row and row != "^C"]
    ok(len(left) == 1 and "to continue: cosched run --resume" in left[0], "clean: %s" % left)


def quiet(folder):
    go(folder, "plain")
    s = Session(command(folder, "plain", ["a,1,1"]), term="dumb")
    ok(s.end() == 0 and "\x1b" not in s.raw and not plain(s.raw), "no escapes on a terminal that has none: %r" % s.raw)
    go(folder, "none")
    s = Session(command(folder, "none", ["a,1,1"], "--progress", "none"))
    ok(s.end() == 0 and not plain(s.raw), "--progress none: %r" % s.raw)
    go(folder, "line")
    s = Session(command(folder, "line", ["a,1,1"], "--progress", "line"))
    ok(s.end() == 0 and "\n" not in plain(s.raw) and "task" not in s.raw and "0 of 1 done" in s.raw, "one line: %r" % s.raw)
    go(folder, "file")
    done = subprocess.run(command(folder, "file", ["a,1,1"]), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    ok(done.returncode == 0 and not plain(done.stdout + done.stderr), "no terminal: nothing")


def in_background(folder):
    """Who is not in the foreground of a terminal does not draw on it."""
    s = Session(["/bin/sh", "-c", "set -m; \"$@\" & wait", "sh", *command(folder, "behind", ["a,1,1"])])
    end = time.time() + PATIENCE
    while not os.path.exists(os.path.join(folder, "behind", "a", "000", "000001.rec")) and time.time() < end:
        time.sleep(0.01)
    go(folder, "behind")
    s.end()
    ok("done," not in s.raw, "in the background: %r" % s.raw[:200])


signal.signal(signal.SIGTTOU, signal.SIG_IGN)
with tempfile.TemporaryDirectory() as top:
    shows(top)
    interrupted(top)
    quiet(top)
    in_background(top)
finish()
