#!/usr/bin/env python3
"""What a run may meet: programs, files, clocks and other processes that misbehave.

usage: tests/cli/nasty.py COSCHED CLOCK.so
"""

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from kit import COSCHED, PATIENCE, cosched, finish, ok, read, refused, wait_for, write
from runs import began, executors, in_background, jobs, make_old, outcomes, record, run, script, text_of

CLOCK = os.path.abspath(sys.argv[2])


def marked(run_folder, attempt):
    """Processes that belong to an attempt."""
    with sqlite3.connect("file:%s/journal.db?mode=ro" % run_folder, uri=True, timeout=PATIENCE) as db:
        there = os.stat(run_folder)
        mark = "COSCHED_MARK=%s-%x.%x/%d\0" % (next(db.execute("SELECT value FROM run WHERE key = 'id'"))[0], there.st_dev,
                                               there.st_ino, attempt)
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as file:
                if mark.encode() in file.read() + b"\0":
                    found.append(int(pid))
        except OSError:
            pass
    return found


def killed(folder, name, rows, *command, **more):
    """A run whose executor is killed as soon as its first program runs."""
    child, into = in_background(folder, name, rows, *command, **more)
    wait_for(lambda: began(into, 1))
    child.kill()
    child.wait()
    return into


def programs(folder):
    file = write(folder, "file", "no program\n")
    lonely = script(folder, "lonely", "")
    write(folder, "lonely", "#!/no/such/interpreter\n")
    os.chmod(file, 0o755)
    for what, message in ((folder, "a folder, not a program"), (folder + "/none", "the program is not there")):
        refused(message, "run", jobs(folder, ["a,1,1,x"]), "--into", folder + "/no", "--", what)
    for name, what in (("file", file), ("lonely", lonely)):
        into = run(folder, name + "-run", ["a,1,1,x"], what, status=3)
        ok(outcomes(into) == [("a", 1, "cannot-start")], "%s cannot be started, and is not tried again" % name)
    gone = script(folder, "gone", "rm -f \"$0\"; exit 3\n")
    into = run(folder, "gone-run", ["a,1,1,x"], gone, status=3)
    ok([o for _, _, o in outcomes(into)] == ["failed", "cannot-start"], "a program that goes away")
    told = cosched("run", jobs(folder, ["a,1,1,x"]), "--into", folder + "/out", "--set", 'out="none/{name}"', "--set",
                   "retries=0", "--", "true", status=3)[1]
    ok("/none/a: No such file" in told and "its standard output" in told, "which file: " + told.split("\n")[0])
    into = run(folder, "closed", ["a,1,1,x"], "sh", "-c", "exec <&- >&- 2>&-; sleep 0.1; exit 5", status=3,
               options=("--set", "retries=0"))
    with sqlite3.connect(into + "/journal.db") as db:
        ok(next(db.execute("SELECT outcome, status FROM attempt_end")) == ("failed", 5 << 8), "all files closed: its status")
    into = run(folder, "stopped", ["a,1,1,x"], "sh", "-c", "kill -STOP $$; exit 0", status=3,
               options=("--set", "retries=0", "--set", "timeout=0.2"))
    ok(outcomes(into) == [("a", 1, "timeout")], "one that stops itself ends at its timeout")
    into = run(folder, "killer", ["a,1,1,x"], "sh", "-c", "kill -9 $PPID; sleep 100000", status=3)
    ok([o for _, _, o in outcomes(into)] == ["lost"] * 5, "one that kills its keeper is lost, but not for ever")
    into = run(folder, "stopper", ["a,1,1,x"], "sh", "-c", "kill -STOP $PPID; echo on")
    ok(outcomes(into) == [("a", 1, "ok")], "one that stops its keeper: it goes on")
    into = killed(folder, "late-stopper", ["a,1,1,x"], "sh", "-c",
                  "while [ ! -e %s/go ]; do sleep 0.02; done; kill -STOP $PPID; echo on" % folder)
    write(folder, "go", "")
    cosched("run", "--resume", into)
    ok(outcomes(into) == [("a", 1, "ok")], "also when it was adopted")
    told = cosched("run", jobs(folder, ["a,1,1,x", "b,1,1,x"]), "--slots", 1, "--into", folder + "/away", "--", "rm", "-rf",
                   folder + "/away", status=1)[1]
    ok("the directory of the run or its journal is missing" in told, "one that removes the folder of the run: %s" % told)


def families(folder):
    into = run(folder, "children", ["a,1,1,x"], "sh", "-c",
               "i=0; while [ $i -lt 300 ]; do setsid sleep 100000 & i=$((i + 1)); done; exit 0")
    ok(outcomes(into) == [("a", 1, "ok")] and not marked(into, 1), "300 children in sessions of their own are gone")
    into = run(folder, "waits", ["a,1,1,x"], "sh", "-c", "(setsid sh -c 'sleep 0.3; echo late' &); echo soon",
               options=("--set", "leftovers=wait"))
    ok(text_of(into, ".out") == "soon\nlate\n", "or waited for")


def reboots(folder):
    """The records say which boot they are of: nothing of another one is adopted, nor signalled."""
    into = killed(folder, "boot", ["a,1,1,x"], "sh", "-c", "sleep 100000")
    said, keeper = read(record(into, 1)), marked(into, 1)
    boot = said.split("boot=")[1].split()[0]
    ok(boot == read("/proc/sys/kernel/random/boot_id").strip(), "which boot")
    for pid in keeper:
        os.kill(pid, signal.SIGKILL)
    time.sleep(0.05)  # a process knows its start to a hundredth of a second
    bystander = subprocess.Popen(["sleep", "100000"], stdout=subprocess.DEVNULL)
    with open("/proc/%d/stat" % bystander.pid, encoding="utf-8") as file:
        start = file.read().rsplit(")", 1)[1].split()[19]
    words = said.split()
    claim = dict(word.split("=") for word in words[1:6])
    for name, change in (("another boot, the same number and start", {"boot": "0-0", "pid": str(bystander.pid), "start": start}),
                         ("this boot, a number that is somebody else's", {"pid": str(bystander.pid), "start": claim["start"]})):
        copy = os.path.join(folder, "copy")
        shutil.copytree(into, copy, ignore=shutil.ignore_patterns("control"))
        write(os.path.dirname(record(copy, 1)), "000001.rec", "claim " + " ".join(
            "%s=%s" % item for item in {**claim, **change}.items()) + "\napp pid=%d at=1\n" % bystander.pid)
        child = subprocess.Popen([COSCHED, "run", "--resume", copy], stderr=subprocess.PIPE, text=True)
        wait_for(lambda: len(outcomes(copy)) == 2 and os.path.exists(record(copy, 2)))
        ok(outcomes(copy)[0] == ("a", 1, "lost"), name + ": lost, and it runs again")
        cosched("run", "stop", copy, "--now")
        told = child.communicate()[1]
        ok(child.returncode == 4 and "its keeper has ended" in told, "says so: " + told.split("\n")[0])
        ok(bystander.poll() is None, "the other process is left alone")
        shutil.rmtree(copy)
    bystander.kill()
    bystander.wait()


def records(folder):
    """Records that are damaged or gone while their program runs: never two at once."""
    for name, change in (("gone", None), ("empty", ""), ("torn", "claim host="), ("strange", "\0\xff" * 2000)):
        into = killed(folder, name, ["a,1,1,x"], "flock", "-n", folder + "/" + name + ".held",
                      "sleep", "100000")
        if change is None:
            os.remove(record(into, 1))
        else:
            write(os.path.dirname(record(into, 1)), "000001.rec", change)
        child = subprocess.Popen([COSCHED, "run", "--resume", into], stderr=subprocess.DEVNULL)
        wait_for(lambda: len(outcomes(into)) > 1 and outcomes(into)[0][2])
        ok(outcomes(into)[0] == ("a", 1, "lost") and not marked(into, 1), name + ": what ran is killed, and lost")
        cosched("run", "stop", into, "--now")
        child.wait()
    into = killed(folder, "unmade", ["a,1,1,x"], "sh", "-c", "[ $COSCHED_ATTEMPT = 2 ] || sleep 100000")
    while marked(into, 1):
        for pid in marked(into, 1):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    shutil.rmtree(into + "/a/000")
    cosched("run", "--resume", into)
    ok([o for _, _, o in outcomes(into)] == ["void", "ok"], "no folder for records yet: what was to be first never began")


def journals(folder):
    child, into = in_background(folder, "copied", ["j%d,1,1,x" % k for k in range(20)], "sleep", "0.02")
    wait_for(lambda: len(outcomes(into)) > 5)
    copy = os.path.join(folder, "copy.db")
    with sqlite3.connect("file:%s/journal.db?mode=ro" % into, uri=True) as db, sqlite3.connect(copy) as to:
        db.backup(to)
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM event").fetchall()
        wait_for(lambda: child.poll() is not None)
        ok(child.returncode == 0, "a reader that sleeps within a transaction holds nobody up")
    os.mkdir(os.path.join(folder, "again"), 0o700)
    os.mkdir(os.path.join(folder, "again", "a"), 0o700)
    os.mkdir(os.path.join(folder, "again", "a", "000"), 0o700)
    shutil.copy(copy, os.path.join(folder, "again", "journal.db"))
    os.chmod(os.path.join(folder, "again", "journal.db"), 0o600)
    cosched("run", "--resume", folder + "/again")
    well = [name for name, _, outcome in outcomes(folder + "/again") if outcome == "ok"]
    ok(sorted(well) == sorted("j%d" % k for k in range(20)), "a copy taken at any moment goes on")
    whole = os.path.join(folder, "again", "journal.db")
    make_old(folder + "/again")
    with contextlib.closing(sqlite3.connect(whole, isolation_level=None)) as db:
        db.execute("UPDATE run SET value = '0.0.1' WHERE key = 'version'")
    refused("a run of cosched 0.0.1, and this is", "run", "--resume", folder + "/again")
    for text, message in (("", "an empty journal: nothing to resume; outputs of what has run stay where they are"), ("hello\n" * 100, "not a journal of a run")):
        for name in ("journal.db-wal", "journal.db-shm"):
            if os.path.exists(os.path.join(folder, "again", name)):
                os.remove(os.path.join(folder, "again", name))
        write(folder + "/again", "journal.db", text)
        for words in (("run", "--resume"), ("run", "status"), ("run", "schedule")):
            refused(message, *words, folder + "/again")


def second(folder):
    """Two executors on one folder, although somebody has removed the lock: the first to write goes on."""
    child, into = in_background(folder, "two", ["a,1,1,x", "b,1,1,x"], "sh", "-c",
                                "while [ ! -e %s/go ]; do sleep 0.02; done; echo $COSCHED_NAME" % folder, slots=1)
    wait_for(lambda: began(into, 1))
    refused("another process works on this run", "run", "--resume", into)
    os.remove(into + "/lock")
    other = subprocess.Popen([COSCHED, "run", "--resume", into], stderr=subprocess.DEVNULL)
    wait_for(lambda: executors(into) == 2 or other.poll() is not None)
    write(folder, "go", "")
    ok(other.wait(PATIENCE) == 0, "the other one goes on")
    ok(sorted(text_of(into, ".out").split()) == ["a", "b"], "each has run once")
    ok(child.wait(PATIENCE) == 1, "the first one gives up")


def processes_of(run_folder, attempt):
    """The keeper of an attempt and its program."""
    return [int(text) for text in re.findall(r"pid=(\d+)", read(record(run_folder, attempt)))]


def copies(folder):
    """A run that lives, and one whose folder is a copy of its: neither touches the processes of the other."""
    child, into = in_background(folder, "first", ["a,1,1,x", "b,1,1,x"], "sh", "-c", "while [ ! -e $COSCHED_RUN/go ]; do sleep 0.02; done")
    wait_for(lambda: began(into, 1, 2))
    other = folder + "/second"
    subprocess.run(["cp", "-a", into, other], check=True)
    mine = set(processes_of(into, 1) + processes_of(into, 2))
    again = subprocess.Popen([COSCHED, "run", "--resume", other, "--resume-with", "kill"], stderr=subprocess.DEVNULL)
    wait_for(lambda: marked(other, 3) and marked(other, 4))
    ok(child.poll() is None and len(mine) == 4 and mine <= set(marked(into, 1) + marked(into, 2)),
       "what runs for the first goes on: %s, %s" % (sorted(mine), outcomes(into)))
    ok(not marked(other, 1) and not marked(other, 2), "and is not taken for that of the copy")
    write(other, "go", "")
    ok(again.wait(PATIENCE) == 0 and [o for _, _, o in outcomes(other)] == ["lost", "lost", "ok", "ok"],
       "the copy runs on its own: %s" % outcomes(other))
    moved = folder + "/moved"
    child.kill()
    child.wait()
    os.rename(into, moved)
    os.symlink(moved, into)
    write(moved, "go", "")
    cosched("run", "--resume", moved)
    ok(outcomes(moved) == [("a", 1, "ok"), ("b", 1, "ok")], "one that was moved finds its own: %s" % outcomes(moved))


def disk(folder):
    small = os.path.join(folder, "small")
    os.mkdir(small, 0o700)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "none", small], check=False,
                      stderr=subprocess.DEVNULL).returncode:
        print("# a small disk cannot be mounted here")
        return
    try:
        child, into = in_background(small, "full", ["a,1,1,x", "b,1,1,x"], "sh", "-c",
                                    'test $COSCHED_NAME = b || head -c 9000000 /dev/zero', slots=1,
                                    options=("--set", "retries=0"))
        wait_for(lambda: os.statvfs(small).f_bavail == 0)
        time.sleep(0.3)
        ok(child.poll() is None, "a full disk: it waits")
        with open(into + "/a/000/000001.out", "w", encoding="utf-8"):
            pass
        ok(child.wait(PATIENCE) == 3, "and goes on when there is room")
        ok(sorted(o[2] for o in outcomes(into) if o[2] != "void") in (["failed", "ok"], ["lost", "ok", "ok"]),
           "each has an end: %s" % outcomes(into))
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def network(folder):
    """The journal as it is on file systems of networks, where no memory can be shared."""
    os.environ["COSCHED_STORE_JOURNAL"] = "delete"
    into = killed(folder, "far", ["a,1,1,x", "b,1,1,x"], "sh", "-c", "while [ ! -e %s/go ]; do sleep 0.02; done" % folder)
    ok(not {"journal.db-wal", "journal.db-shm"} & set(os.listdir(into)),
       "it stands alone: %s" % os.listdir(into))
    write(folder, "go", "")
    cosched("run", "--resume", into)
    del os.environ["COSCHED_STORE_JOURNAL"]
    ok(sorted(outcomes(into)) == [("a", 1, "ok"), ("b", 1, "ok")], "and a killed run goes on: %s" % outcomes(into))


def descriptors(folder):
    """Too few open files for a resume: it is refused, and nobody is taken for lost."""
    waiting = "while [ ! -e %s/go ]; do sleep 0.05; done" % folder
    child, into = in_background(folder, "few", ["%s,1,1,x" % name for name in "abcdefgh"], "sh", "-c", waiting, slots=8)
    wait_for(lambda: began(into, *range(1, 9)))
    child.kill()
    child.wait()
    told = []
    for most in (12, 13, 14):
        done = subprocess.run([COSCHED, "run", "--resume", into], stderr=subprocess.PIPE, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        ok(done.returncode == 1, "%d open files are too few: %s" % (most, done.stderr.strip()))
        told.append("cannot be waited for: Too many open files" in done.stderr)
    ok(any(told), "it says which attempt, and why")
    write(folder, "go", "")
    cosched("run", "--resume", into)
    ok(sorted(outcomes(into)) == [(name, 1, "ok") for name in "abcdefgh"], "nothing ran twice: %s" % outcomes(into))


def older_linux(folder):
    """Without descriptors of processes what is adopted is looked at now and then, and can be stopped."""
    env = {**os.environ, "LD_PRELOAD": CLOCK, "TEST_OLD_LINUX": "1", "ASAN_OPTIONS": "verify_asan_link_order=0"}
    waiting = "while [ ! -e %s/go ]; do sleep 0.02; done" % folder
    into = killed(folder, "adopted", ["a,1,1,x", "b,1,1,x"], "sh", "-c", waiting)
    child = subprocess.Popen([COSCHED, "run", "--resume", into], env=env)
    time.sleep(0.3)
    write(folder, "go", "")
    ok(child.wait(PATIENCE) == 0 and sorted(outcomes(into)) == [("a", 1, "ok"), ("b", 1, "ok")], "adopted: %s" % outcomes(into))
    os.unlink(folder + "/go")
    into = killed(folder, "ended", ["a,1,1,x"], "sh", "-c", "[ $COSCHED_TRY = 2 ] || " + waiting, slots=1)
    subprocess.run([COSCHED, "run", "--resume", into, "--resume-with", "kill"], env=env, check=True)
    ok([o for _, _, o in outcomes(into)] == ["stopped", "ok"], "and stopped: %s" % outcomes(into))


def clocks(folder):
    """A wall clock that somebody sets: times stay within the attempts, delays end."""
    off = os.path.join(folder, "off")
    env = {**os.environ, "LD_PRELOAD": CLOCK, "TEST_CLOCK": off, "ASAN_OPTIONS": "verify_asan_link_order=0"}
    write(folder, "off", "7200")
    if "2" not in subprocess.run(["date", "+%Y"], env=env, stdout=subprocess.PIPE, text=True, check=False).stdout:
        print("# nothing can be preloaded here")
        return
    for name, before, after in (("ahead", 3600, 3600), ("behind", -3600, -3600), ("back", 0, -86400), ("forth", 0, 86400)):
        write(folder, "off", str(before))
        into = os.path.join(folder, name)
        child = subprocess.Popen([COSCHED, "run", jobs(folder, ["a,1,1,x"]), "--slots", "1", "--into", into, "--set",
                                  "delay=0.2", "--", "sh", "-c", 'sleep 0.3; test "$COSCHED_TRY" = 2'], env=env)
        wait_for(lambda: os.path.exists(record(into, 1)))
        write(folder, "off", str(after))
        ok(child.wait(PATIENCE) == 0, "the clock %s" % name)
        told = json.loads(cosched("run", "status", into, "--format", "json")[0])["tasks"][0]
        ok(0.2 < told["end"] - told["start"] < PATIENCE and 0 < told["start"] < told["end"] < 2 * PATIENCE,
           "its times: %s to %s" % (told["start"], told["end"]))


with tempfile.TemporaryDirectory() as top:
    for case in (programs, families, reboots, records, journals, second, copies, disk, network, descriptors, older_linux, clocks):
        here = os.path.join(os.path.realpath(top), case.__name__)
        os.mkdir(here)
        case(here)
finish()
