"""What the tests of runs share: jobs, what the journal says, who is alive."""

import contextlib
import os
import sqlite3
import subprocess

from kit import COSCHED, PATIENCE, cosched, read, wait_for, write

JOBS = "name,procs,seconds,input\n"


def jobs(folder, rows, name="jobs.csv"):
    return write(folder, name, JOBS + "".join("%s\n" % row for row in rows))


def script(folder, name, text):
    path = write(folder, name, "#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def outcomes(run):
    """(task, try, outcome) of every attempt that has ended, by number."""
    with sqlite3.connect("file:%s/journal.db?mode=ro" % run, uri=True, timeout=PATIENCE) as db:
        return list(db.execute("SELECT t.name, a.try, e.outcome FROM attempt a JOIN task t ON t.id = "
                               "a.task LEFT JOIN attempt_end e ON e.attempt = a.id ORDER BY a.id"))


def executors(into):
    """How many have worked on it."""
    with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True, timeout=PATIENCE) as db:
        return db.execute("SELECT count(*) FROM executor").fetchone()[0]


def make_old(run_folder):
    """Its journal as one of format 1, which has no digests."""
    with contextlib.closing(sqlite3.connect(os.path.join(run_folder, "journal.db"))) as db:
        db.executescript("DROP TABLE seal; ALTER TABLE round DROP COLUMN digest; PRAGMA user_version = 1")


def run(folder, name, rows, *command, slots=2, status=0, options=()):
    into = os.path.join(folder, name)
    cosched("run", jobs(folder, rows), "--slots", slots, "--oversubscribe", "--into", into, *options, "--", *command,
            status=status)
    return into


def record(run_folder, attempt):
    return os.path.join(run_folder, "a", "000", "%06d.rec" % attempt)


def began(run_folder, *attempts):
    """Whether the programs of these attempts have been started."""
    return all(os.path.exists(record(run_folder, a)) and "\napp pid=" in read(record(run_folder, a)) for a in attempts)


def text_of(run_folder, ending):
    folder = os.path.join(run_folder, "a", "000")
    return "".join(read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
                   if name.endswith(ending))


def alive(mark):
    """Processes whose command line has this text."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                if mark.encode() in file.read():
                    found.append(pid)
        except OSError:
            pass
    return found


def in_background(folder, name, rows, *command, slots=2, options=()):
    into = os.path.join(folder, name)
    child = subprocess.Popen([COSCHED, "run", jobs(folder, rows), "--slots", str(slots), "--oversubscribe", "--into", into,
                              *options, "--", *command], stderr=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists(os.path.join(into, "control")) or child.poll() is not None)
    return child, into
