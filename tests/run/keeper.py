#!/usr/bin/env python3
"""The keeper of an attempt by itself: programs that leave families behind, stop, close everything, are
gone at once, are deaf, or cannot be started; records that are there already or cannot be written; clocks
that somebody sets.

usage: tests/run/keeper.py KEEPER DYNAMIC_KEEPER CLOCK.so JOB
"""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))

from kit import PATIENCE, finish, ok, read, wait_for, write  # noqa: E402

KEEPER, DYNAMIC, CLOCK, JOB = map(os.path.abspath, sys.argv[1:5])
NEVER = "100000"


class Attempt:
    """One keeper with its record, and what has its mark."""

    numbers = 0

    def __init__(self, folder, program, timeout=0, grace=0.3, flags="k", cpus="-", verify=(), record=None,
                 files=None, cwd=None, keeper=KEEPER, env=None, **more):
        Attempt.numbers += 1
        self.mark = "COSCHED_MARK=keeper-%d/%d" % (os.getpid(), Attempt.numbers)
        self.record = record or os.path.join(folder, "%d.rec" % Attempt.numbers)
        self.out = os.path.join(folder, "%d.out" % Attempt.numbers)
        program = ["/bin/sh", "-c", program] if isinstance(program, str) else program
        line = [keeper, self.record, *(files or ("/dev/null", self.out, self.out)), cwd or folder, cpus, timeout,
                grace, flags, len(program), *program, *verify]
        self.child = subprocess.Popen(list(map(str, line)), env={
            **os.environ, **(env or {}), **dict([self.mark.split("=")])}, **more)

    def wait(self):
        self.child.wait(PATIENCE)
        return self

    def line(self, word):
        """The values of a line of the record; {} when it is not there."""
        lines = [text.split() for text in read(self.record).splitlines()] if os.path.exists(self.record) else []
        found = [words[1:] for words in lines if words and words[0] == word]
        return {key: value for key, value in (text.split("=", 1) for text in found[0])} if found else {}

    def began(self):
        return wait_for(lambda: "pid" in self.line("app"))

    def closed(self):
        return read(self.record).endswith("\nclosed\n")

    def status(self):
        return int(self.line("end").get("status", -1))

    def said(self):
        return read(self.out) if os.path.exists(self.out) else ""

    def alive(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % pid, "rb") as file:
                    if self.mark.encode() in file.read().split(b"\0"):
                        found.append(int(pid))
            except OSError:
                pass
        return found


def in_time(attempt, is_so):
    """An attempt whose timeout comes after what it has to come after: on a busy machine a longer one."""
    for timeout in (0.3, 3, 30, 300):
        a = attempt(timeout).wait()
        if is_so(a):
            break
    return a


def state_of(pid):
    """The letter that /proc has for it, or none."""
    try:
        return read("/proc/%s/stat" % pid).rsplit(")", 1)[1].split()[0]
    except OSError:
        return None


def families(folder):
    there = "while [ ! -e there ]; do sleep 0.01; done; rm there; exit 3"
    for what, program, least in (
            ("a child in the background", "sleep %s & exit 3" % NEVER, 0),
            ("a child in a session of its own", "setsid sh -c 'touch there; exec sleep %s' & %s" % (NEVER, there), 1),
            ("a double fork", "( (sleep %s &) & ); exit 3" % NEVER, 0),
            ("a double fork into a session of its own", "(setsid sh -c 'sleep %s & touch there; sleep %s' &); %s" %
             (NEVER, NEVER, there), 1),
            ("one that is deaf to SIGTERM", "(setsid sh -c 'trap \"\" TERM; touch there; while :; do sleep %s; done' &); "
             "%s" % (NEVER, there), 1),
            ("one that has stopped", "(setsid sh -c 'touch there; kill -STOP $$' &); " + there, 1)):
        a = Attempt(folder, program).wait()
        ok(a.closed() and a.status() == 3 << 8 and not a.alive(), what + " is gone with its program")
        ok(int(a.line("end")["left"]) >= least, "and counted")
    a = Attempt(folder, "i=0; while [ $i -lt 1000 ]; do sleep %s & i=$((i + 1)); done; exit 3" % NEVER).wait()
    ok(a.closed() and a.status() == 3 << 8 and not a.alive(), "1,000 children are gone with theirs")
    a = Attempt(folder, "(setsid sh -c 'while [ ! -e go ]; do sleep 0.02; done; echo late' &); exit 3", flags="-")
    a.began()
    wait_for(lambda: state_of(a.line("app")["pid"]) is None)  # its keeper knows that it has ended
    write(folder, "go", "")
    ok(a.wait().said() == "late\n" and a.line("end")["left"] != "0", "or are waited for")
    a = Attempt(folder, "(setsid sh -c 'sleep %s' &); exit 0" % NEVER, flags="-", timeout=0.3).wait()
    ok(a.closed() and a.line("end")["timeout"] == "1" and not a.alive(), "within the timeout")


def programs(folder):
    a = Attempt(folder, "kill -STOP $$; exit 4", timeout=0.2).wait()
    ok(a.closed() and a.line("end")["timeout"] == "1" and not a.alive(), "one that has stopped itself ends at its timeout")
    a = Attempt(folder, "trap 'exit 4' TERM; kill -STOP $$; while :; do sleep 0.05; done", grace=PATIENCE)
    a.began()
    wait_for(lambda: state_of(a.line("app")["pid"]) == "T")
    os.kill(a.child.pid, signal.SIGTERM)
    ok(a.wait().closed() and a.line("end")["asked"] == "1" and a.status() == 4 << 8, "or goes on when it is asked to end")
    a = Attempt(folder, "exec 0<&- 1>&- 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; sleep 0.1; exit 5").wait()
    ok(a.closed() and a.status() == 5 << 8, "one that closes all its files: its status")
    gone = [Attempt(folder, [path]).wait() for path in ("/bin/true", "/bin/false") for _ in range(20)]
    ok([a.status() for a in gone] == [0] * 20 + [1 << 8] * 20 and all(a.closed() for a in gone),
       "those that are gone before anybody waits")
    a = Attempt(folder, "kill -9 $$").wait()
    ok(a.closed() and a.status() == signal.SIGKILL, "one that kills itself: by which signal")
    a = Attempt(folder, "kill -9 0").wait()
    ok(a.closed() and a.status() == signal.SIGKILL, "its process group is not the keeper's")
    a = Attempt(folder, "kill -9 $PPID; exec sleep %s" % NEVER)
    ok(a.wait().child.returncode == -9 and wait_for(lambda: not a.alive()), "one that kills its keeper dies with it")
    ok(not a.closed(), "and the record does not end")
    read_end, write_end = os.pipe()
    a = Attempt(folder, ["/bin/sleep", NEVER], stdout=write_end, stderr=write_end)
    os.close(write_end)
    ok(a.began() and os.read(read_end, 1) == b"", "who waits for what the keeper says does not wait for the program")
    os.close(read_end)
    os.kill(a.child.pid, signal.SIGKILL)
    ok(a.wait().child.returncode == -9 and wait_for(lambda: not a.alive()), "nor outlives it")


def timeouts(folder):
    a = in_time(lambda timeout: Attempt(folder, "trap 'exit 7' TERM; while :; do sleep 0.05; done", timeout=timeout,
                                        grace=PATIENCE), lambda a: a.status() == 7 << 8)
    ok(a.closed() and a.status() == 7 << 8 and a.line("end")["timeout"] == "1" and a.line("end")["asked"] == "0",
       "a timeout asks first")
    a = in_time(lambda timeout: Attempt(folder, "trap '' TERM; while :; do sleep 0.05; done", timeout=timeout),
                lambda a: a.status() == signal.SIGKILL)
    ok(a.closed() and a.status() == signal.SIGKILL and a.line("end")["timeout"] == "1", "and then kills")
    a = in_time(lambda timeout: Attempt(folder, "exit 0", timeout=timeout, verify=["/bin/sleep", NEVER]),
                lambda a: a.status() == 0)
    ok(a.closed() and a.status() == 0 and a.line("verified")["timeout"] == "1", "a verification has one of its own")
    a = Attempt(folder, "exit 0", verify=["/bin/sh", "-c", "(setsid sleep %s &); sleep 0.05; exit 9" % NEVER]).wait()
    ok(a.line("verified")["status"] == str(9 << 8) and not a.alive(), "and leaves nothing behind either")
    a = Attempt(folder, "exit 1", verify=["/bin/true"]).wait()
    ok(a.closed() and not a.line("verify"), "what has failed is not verified")


class Value(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("pointer", ctypes.c_void_p)]


def requests(folder):
    catch = "trap 'echo %s' %s; touch ready; while :; do sleep 0.05; done"
    for name in ("USR1", "USR2"):
        a = Attempt(folder, "trap 'echo caught; exit 6' %s; touch ready; while :; do sleep 0.05; done" % name)
        wait_for(lambda: os.path.exists(folder + "/ready"))
        os.remove(folder + "/ready")
        os.kill(a.child.pid, getattr(signal, "SIG" + name))
        ok(a.wait().said() == "caught\n" and a.line("end")["asked"] == "0", "SIG%s goes on to the program" % name)
    for number, grace, caught in ((signal.SIGINT, PATIENCE, "INT"), (0, 0, None)):
        a = Attempt(folder, (catch % ("asked; exit 8", caught)) if caught else (catch % ("no", "TERM")))
        wait_for(lambda: os.path.exists(folder + "/ready"))
        os.remove(folder + "/ready")
        ctypes.CDLL(None).sigqueue(a.child.pid, signal.SIGRTMIN, Value(number=int(number) + 256 * grace))
        a.wait()
        ok(a.line("end")["asked"] == "1" and not a.alive(), "a request is noted: signal %d" % number)
        ok(a.status() == (8 << 8 if caught else signal.SIGKILL), "and its grace is its own")


def starts(folder):
    """Why a program cannot be started: stage and errno, and never a guess."""
    plain = write(folder, "plain", "no program\n")
    closed = write(folder, "closed", "#!/bin/sh\n")
    lonely = write(folder, "lonely", "#!/no/such/interpreter\n")
    busy = os.path.join(folder, "busy")
    with open("/bin/true", "rb") as source, open(busy, "wb") as copy:
        copy.write(source.read())
    for path in (plain, lonely, busy):
        os.chmod(path, 0o755)
    os.chmod(closed, 0o644)
    os.symlink("loop", folder + "/loop")
    os.symlink(plain, folder + "/link")
    with open(busy, "r+b"):
        for what, stage, errno, more in (
                ("no such program", 6, 2, {"program": [folder + "/none"]}),
                ("no right to execute", 6, 13, {"program": [closed]}),
                ("a folder", 6, 13, {"program": [folder]}),
                ("no program at all", 6, 8, {"program": [plain]}),
                ("its interpreter is not there", 6, 2, {"program": [lonely]}),
                ("a path through a file", 6, 20, {"program": [plain + "/x"]}),
                ("links in a circle", 6, 40, {"program": [folder + "/loop"]}),
                ("a name that is too long", 6, 36, {"program": ["/" + "x" * 300]}),
                ("somebody writes to it", 6, 26, {"program": [busy]}),
                ("no such folder", 1, 2, {"cwd": folder + "/none"}),
                ("no such input", 2, 2, {"files": (folder + "/none", "/dev/null", "/dev/null")}),
                ("no output", 3, 2, {"files": ("/dev/null", folder + "/none/x", "/dev/null")}),
                ("a link as output", 3, 40, {"files": ("/dev/null", folder + "/link", "/dev/null"), "flags": "kn"}),
                ("no standard error", 4, 21, {"files": ("/dev/null", "/dev/null", folder)}),
                ("no such core", 5, 22, {"cpus": "8191"})):
            a = Attempt(folder, **{"program": ["/bin/true"], **more}).wait()
            told = a.line("end")
            ok(a.closed() and (told["stage"], told["errno"]) == (str(stage), str(errno)) and told["status"] == str(127 << 8),
               "%s: stage %s, errno %s" % (what, told["stage"], told["errno"]))
    a = Attempt(folder, ["/bin/true"], verify=[folder + "/none"]).wait()
    ok(a.line("verified")["errno"] == "2" and a.line("end")["errno"] == "0", "a verification that cannot be started")
    a = Attempt(folder, ["/bin/echo", "a b", "$(id)", "", "-n", "\n"]).wait()
    ok(a.said() == "a b $(id)  -n \n\n", "arguments arrive as they are")


def records(folder):
    there = write(folder, "there.rec", "")
    a = Attempt(folder, "echo ran", record=there).wait()
    ok(a.child.returncode == 125 and not a.said() and read(there) == "", "who finds a record starts nothing")
    race = [Attempt(folder, "echo ran >>race", record=folder + "/race.rec") for _ in range(12)]
    ended = sorted(a.wait().child.returncode for a in race)
    ok(ended == [0] + [125] * 11 and read(folder + "/race") == "ran\n", "of twelve for one record one runs: %s" % ended)
    a = Attempt(folder, "echo ran", record=folder + "/none/x.rec").wait()
    ok(a.child.returncode == 126 and not a.said(), "no place for a record")
    for limit in (0, 40, 150, 180):
        a = Attempt(folder, "echo began >/dev/null; sleep 0.2; exit 0", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (limit, limit))).wait()
        ok(a.child.returncode == 126 and not a.closed() and not a.alive(),
           "no room after %d bytes: everything is ended" % limit)
        os.remove(a.record)


def own_group():
    """A cgroup in which groups may be made, as the executor finds it; None: there is none."""
    for line in read("/proc/self/mountinfo").splitlines():
        if " - cgroup2 " in line:
            below = next((text[3:] for text in read("/proc/self/cgroup").splitlines() if text.startswith("0::")), "/")
            path = (line.split()[4] + below).rstrip("/")
            try:
                os.mkdir(path + "/cs-keeper-test")
                os.rmdir(path + "/cs-keeper-test")
                return path
            except OSError:
                return None
    return None


def chains(folder):
    """Processes each of which starts the next one, in a session of its own, and ends."""
    groups = [None, own_group()]
    for group in groups:
        name = "%s/cs-keeper-%d" % (group, os.getpid())
        if group is None and groups.index(group):
            print("# no cgroup may be made here")
            continue
        env = {"COSCHED_CGROUP": name} if group else None
        for what, program in (
                ("a chain of sessions", [JOB, folder, "-", "chain", "30"]),
                ("one that outlives its program", "%s %s - chain 30; exit 3" % (JOB, folder)),
                ("one without environment", "env -i %s %s - chain 30; exit 3" % (JOB, folder))):
            began = time.monotonic()
            a = Attempt(folder, program, timeout=2, grace=1, env=env).wait()
            took = time.monotonic() - began
            ok(a.closed() and took < 20 and not running(JOB),
               "%s ends%s: %.1f s" % (what, " with its cgroup" if group else "", took))
        a = Attempt(folder, "exit 0", env=env, verify=["/bin/sh", "-c", "(setsid sleep %s &); cat /proc/self/cgroup" % NEVER])
        a.wait()
        ok(a.closed() and a.line("verified")["status"] == "0" and not a.alive(), "a verification is of the same attempt")
        if group:
            ok("0::" in a.said() and name.rsplit("/", 1)[1] in a.said() and not os.path.exists(name),
               "and of its cgroup, which is gone in the end")
            a = Attempt(folder, "(setsid sleep %s &); exit 0" % NEVER, env=env,
                        verify=["/bin/sh", "-c", "sleep 0.2; exit 0"]).wait()
            ok(a.line("verified")["status"] == "0", "also when what the program left there was killed")


def running(program):
    """Processes that execute it."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/exe" % pid) == os.path.realpath(program):
                found.append(int(pid))
        except OSError:
            pass
    return found


def shortages(folder):
    """What a machine lacks for a moment is told, and nothing is started."""
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
    a = Attempt(folder, "echo ran", preexec_fn=few).wait()
    ok(a.closed() and (a.line("end")["errno"], a.line("app")["pid"]) == ("24", "0") and not a.said(), "no more files")
    if os.getuid() == 0:
        os.chmod(os.path.dirname(folder), 0o711)
        os.chmod(folder, 0o777)
        copy, few = shutil.copy(KEEPER, folder), os.path.join(folder, "few")
        subprocess.run(["/bin/sh", "-c", 'ulimit -p 0 2>/dev/null || ulimit -u 0; exec "$@"', "sh", copy, few + ".rec",
                        "/dev/null", few + ".out", few + ".out", folder, "-", "0", "1", "k", "1", "/bin/true"],
                       user=65534, check=True)
        ok("errno=11 stage=6" in read(few + ".rec"), "no more processes")
    else:
        print("# too few processes: only root can be another user")
    a = Attempt(folder, "ulimit -n 4 2>/dev/null; exit 0", verify=["/bin/echo", "verified"])
    a.wait()
    ok(a.closed() and a.said() == "verified\n", "limits of the program are its own")
    a = Attempt(folder, "touch there; until [ -e go ]; do sleep 0.02; done", verify=["/bin/echo", "verified"])
    wait_for(lambda: os.path.exists(folder + "/there"))
    before = resource.prlimit(a.child.pid, resource.RLIMIT_NOFILE, (4, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    write(folder, "go", "")
    wait_for(lambda: "status" in a.line("end"))
    time.sleep(0.5)
    ok(not a.closed() and not a.line("verify"), "a verification waits for files")
    resource.prlimit(a.child.pid, resource.RLIMIT_NOFILE, before)
    ok(a.wait().closed() and a.said() == "verified\n" and a.line("verified")["errno"] == "0", "and is tried again")
    os.remove(folder + "/there")
    os.remove(folder + "/go")
    a = Attempt(folder, "touch there; until [ -e go ]; do sleep 0.02; done", verify=["/bin/echo", "verified"])
    wait_for(lambda: os.path.exists(folder + "/there"))
    resource.prlimit(a.child.pid, resource.RLIMIT_NOFILE, (4, before[1]))
    write(folder, "go", "")
    wait_for(lambda: "status" in a.line("end"))
    os.kill(a.child.pid, signal.SIGTERM)
    ok(a.wait().closed() and a.line("verified")["asked"] == "1" and not a.said(), "unless it is asked to end")


def full_disks(folder):
    """A file system without room, or without room for another file."""
    if os.getuid() or subprocess.run(["unshare", "-m", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        print("# a full disk: only root can mount one")
        return
    place = os.path.join(folder, "disk")
    os.mkdir(place)
    for options, fill, inside, status, errno in (
            ("size=64k", "dd if=/dev/zero of=%s/x bs=4k count=64 2>/dev/null", "record", 126, None),
            ("size=1m,nr_inodes=2", "touch %s/x", "out", 0, "28")):
        record = os.path.join(place if inside == "record" else folder, inside + ".rec")
        out = os.path.join(place if inside == "out" else folder, inside + ".out")
        told = os.path.join(folder, inside + ".told")
        line = " ".join([KEEPER, record, "/dev/null", out, out, folder, "- 0 1 k 2 /bin/touch", folder + "/" + inside])
        done = subprocess.run(["unshare", "-m", "sh", "-c", "mount -t tmpfs -o %s none %s; %s; %s; e=$?; cp %s %s; exit $e" % (
            options, place, fill % place, line, record, told)], check=False)
        ok(done.returncode == status and not os.path.exists(folder + "/" + inside), "no room for %s: status %d" % (
            inside, done.returncode))
        ok(read(told) == "" if errno is None else "errno=%s stage=3" % errno in read(told), "and nothing ran")


def moved(a):
    """By how much the clock has been set in between, and what the attempt took."""
    return float(a.line("end")["at"]) - float(a.line("claim")["at"])


def when_set(folder, step, env, timeout):
    """An attempt that is deaf, while whose program runs somebody sets the clock."""
    write(folder, "off", "0")
    began = time.monotonic()
    a = Attempt(folder, "trap '' TERM; while :; do sleep 0.05; done", keeper=DYNAMIC, env=env, timeout=timeout, grace=0.4)
    a.began()
    write(folder, "off", str(step))
    a.wait()
    a.took, a.least = time.monotonic() - began, timeout
    return a


def clocks(folder):
    """Timeouts and graces are counted by a clock that nobody sets."""
    off = write(folder, "off", "0")
    env = {"LD_PRELOAD": CLOCK, "TEST_CLOCK": off, "ASAN_OPTIONS": "verify_asan_link_order=0"}
    for step in (-86400, 86400):
        a = in_time(lambda timeout: when_set(folder, step, env, timeout), lambda a: abs(moved(a) - step) < PATIENCE)
        ok(a.closed() and a.line("end")["timeout"] == "1" and a.took >= a.least,
           "a clock that is set by %d s ends nothing early: %.2f s" % (step, a.took))
        ok(abs(moved(a) - step) < PATIENCE, "nor late, although it was: by %.0f s" % moved(a))


with tempfile.TemporaryDirectory() as top:
    for case in (families, programs, chains, timeouts, requests, starts, shortages, full_disks, records, clocks):
        here = os.path.join(os.path.realpath(top), case.__name__)
        os.mkdir(here)
        case(here)
finish()
