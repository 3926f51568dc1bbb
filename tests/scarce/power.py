#!/usr/bin/env python3
"""A power cut at any point of a command: every output is the old one whole, or the new one whole, and every store opens and is whole.

usage: tests/scarce/power.py COSCHED EXAMPLES PRELOADED [MOST]

The calls of a command that change files are recorded (record.c) and played again up to every point.  What a disk may hold then:
bytes that no fsync() of their file has followed may be there, missing, or cut anywhere, each write for itself (zeros, where there was nothing); names that no fsync()
of their folder has followed may have changed or not.  When the command has ended well, only the new outputs will do.
At most MOST (100) different states of a store are opened, evenly chosen; states of other outputs are compared, all of them.
"""

import concurrent.futures
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

COSCHED, EXAMPLES, PRELOADED = (os.path.abspath(word) for word in sys.argv[1:4])
MOST = int(sys.argv[4]) if len(sys.argv) > 4 else 100
CUTS = 20  # random states at each point
ENTRY = struct.Struct("=8sQqQ")

COMMANDS = {
    "plan pack": "plan pack {e}/quickstart.csv --procs 8 -o out.json --gantt out.svg",
    "plan moldable": "plan moldable {e}/quickstart.csv --procs 8 --schedule out.json",
    "plan ptg": "plan ptg {e}/graphs.json --platform {e}/clusters.json --schedule out.json",
    "simulate malleable": "simulate malleable {e}/applications.csv --procs 16 --mtbf 400d -n 2 --schedule out.json --per-scenario out.csv",
    "simulate rigid": "simulate rigid {e}/monday.swf --arrivals --jobs out.csv",
    "simulate volatile": "simulate volatile {e}/hosts.json -n 2 --schedule out.json",
    "generate": "generate rigid --jobs 30 -o out.csv",
    "fit": "fit {e}/scaling.csv -o out.json",
    "convert": "convert {e}/monday.swf --to swf -o out.swf",
    "replay": "replay {e}/monday.swf --policy easy,fcfs --jobs out.csv --series series.csv --report out.html",
    "replay, a schedule": "replay {e}/monday.swf -o out.json --gantt out.svg",
    "run, a dry one": "run queue.csv --slots 8 --dry-run --output out.json -- true",
    "campaign run": "campaign run sweep.json --store out.db",
    "campaign run, on": "campaign run sweep.json --store whole.db",
    "campaign merge": "campaign merge whole.db other.db -o out.db",
    "campaign merge, into": "campaign merge other.db -o whole.db",
    "campaign export": "campaign export full.db -o out.csv",
    "report": "report full.db -o out.html",
}
SWEEP = '{"problem": "malleable", "replicates": 3, "set": {"tasks": 3, "procs": 12}, "vary": {"checkpoint_factor": [0.5, 1]}}'
JOBS = "name,procs,seconds\na,4,10\nb,8,20\nc,2,5\n"


def run(folder, words, **more):
    environment = {**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0", **more}
    return subprocess.run([COSCHED, *words.format(e=EXAMPLES).split()], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)


def content(folder):
    files = {}
    for name in os.listdir(folder):
        if os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
    return files


def calls(path):
    """(what, file, number, bytes) of each call that was recorded."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        what, file, number, length = ENTRY.unpack_from(data, at)
        at += ENTRY.size
        yield what.rstrip(b"\0").decode(), file, number, data[at:at + length]
        at += length


def apply(data, change):
    """The bytes of a file after one change: (where, bytes), or (length, None)."""
    at, text = change
    if text is None:
        return data[:at] + b"\0" * (at - len(data))
    return data[:at] + b"\0" * (at - len(data)) + text + data[at + len(text):]


def move(names, change):
    """Names after one change: ("new", name, file), ("rename", from, to, file) or ("unlink", name)."""
    if change[0] == "new":
        names[change[1]] = change[2]
    elif change[0] == "rename":
        names.pop(change[1], None)
        names[change[2]] = change[3]
    else:
        names.pop(change[1], None)


class Disk:
    """What is on the disk for certain, and the changes since, of each file and of the names in the folder."""

    def __init__(self, folder, source):
        self.folder, self.count = folder, 0
        self.safe, self.since = {}, {}  # of files, by our own number
        self.names, self.changes = {}, []
        self.now, self.file = {}, {}  # names as the command sees them; our number of an inode
        for name, data in source.items():
            self.names[name] = self.now[name] = self.make(os.stat(os.path.join(folder, name)).st_ino, data)

    def make(self, inode, data=b""):
        self.count += 1
        self.file[inode] = self.count
        self.safe[self.count], self.since[self.count] = data, []
        return self.count

    def name(self, path):
        path = os.path.join(os.path.realpath(self.folder), os.fsdecode(path))
        return os.path.basename(path) if os.path.dirname(os.path.realpath(path)) == os.path.realpath(self.folder) else None

    def change(self, *what):
        move(self.now, what)
        self.changes.append(what)

    def take(self, what, inode, number, data):
        """Play one call."""
        if what == "open" and self.name(data):
            if number == 1:
                self.change("new", self.name(data), self.make(inode))
            elif number == 2:
                self.since[self.file[inode]].append((0, None))
        elif what in ("write", "size") and inode in self.file:
            self.since[self.file[inode]].append((number, data if what == "write" else None))
        elif what == "sync" and inode in self.file:
            file = self.file[inode]
            for change in self.since[file]:
                self.safe[file] = apply(self.safe[file], change)
            self.since[file] = []
        elif what == "folder" and os.fsdecode(data) == os.path.realpath(self.folder):
            for change in self.changes:
                move(self.names, change)
            self.changes = []
        elif what == "rename":
            old, new = (self.name(path) for path in data.split(b"\0"))
            if old in self.now:
                self.change("rename", old, new, self.now[old])
        elif what == "unlink" and self.name(data) in self.now:
            self.change("unlink", self.name(data))

    def state(self, of_names, of_bytes):
        """Files by name; the arguments choose which changes have happened."""
        names = dict(self.names)
        for change in of_names(self.changes):
            move(names, change)
        files = {}
        for name, file in names.items():
            data = self.safe[file]
            for change in of_bytes(self.since[file], data):
                data = apply(data, change)
            files[name] = data
        return files

    def states(self, dice):
        """Some of what the disk may hold now: all extremes, and random ones."""
        def none(*_):
            return []

        def every(changes, *_):
            return changes

        def some(changes):
            return [change for change in changes if dice.random() < 0.5]

        def first(changes):
            return changes[:dice.randint(0, len(changes))]

        def torn(changes, safe):
            kept = []
            for at, text in dice.choice((every, some, first))(changes):
                fate = dice.random()
                if text and fate < 0.3:
                    text = text[:dice.randrange(len(text))]
                elif text and fate < 0.4 and at >= len(safe):
                    text = b"\0" * len(text)
                kept.append((at, text))
            return kept
        for names in none, every:
            for data in none, every:
                yield self.state(names, data)
        for _ in range(CUTS):
            yield self.state(dice.choice((none, every, first, some)), torn)


def is_store(name):
    return ".db" in name


def compare(files, before, after, ended):
    """What is wrong with outputs that are no stores; None: nothing."""
    for name, new in after.items():
        allowed = [new] if ended else [new, before.get(name)]
        if not is_store(name) and files.get(name) not in allowed:
            return "%s %s" % (name, "is missing" if name not in files else "has %d of %d bytes" % (len(files[name]), len(new)))
    return None


def lay(folder, files, source):
    os.mkdir(folder)
    for name, data in {**{name: data for name, data in source.items() if not is_store(name)}, **files}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def open_store(top, number, name, files, source, want):
    """The stores of a state are whole, and the same command goes on to the same store."""
    folder = os.path.join(top, "state-%d" % number)
    lay(folder, {**source, **files}, source)
    for file in [file for file in source if is_store(file) and file not in files]:
        os.unlink(os.path.join(folder, file))
    wrong = None
    for store in sorted(file for file, data in files.items() if file.endswith(".db") and data):
        done = run(folder, "campaign verify " + store)
        if done.returncode and not (store not in source and b"an empty store" in done.stdout):
            wrong = "verify %s: %s" % (store, done.stdout.decode(errors="replace"))
    target = COMMANDS[name].split()[-1]
    if not wrong and all(file in files for file in source):
        done = run(folder, COMMANDS[name])
        wrong = "does not go on: " + done.stdout.decode(errors="replace") if done.returncode else None
        if not wrong and run(folder, "campaign export %s -o -" % target).stdout != want:
            wrong = "goes on to other rows"
    shutil.rmtree(folder)
    return wrong


def judge(top, source, name):
    """(states, what is wrong with them, those of stores)"""
    folder, record = os.path.join(top, "work"), os.path.join(top, "record")
    shutil.copytree(source, folder)
    before = content(folder)
    disk, dice = Disk(folder, before), random.Random(name)
    done = run(folder, COMMANDS[name], LD_PRELOAD=PRELOADED, RECORD=record)
    assert done.returncode == 0, name + done.stdout.decode()
    after = content(folder)
    made = {file: data for file, data in after.items() if data != before.get(file)}
    seen, wrong, stores = set(), [], []
    steps = list(calls(record))
    for at, step in enumerate(steps):
        disk.take(*step)
        for files in disk.states(dice):
            key = hash(frozenset(files.items()))
            if key not in seen:
                why = compare(files, before, made, False)
                wrong += ["call %d (%s): %s" % (at + 1, step[0], why)] if why else []
                stores += [(at + 1, files)] if any(map(is_store, made)) else []
            seen.add(key)
    live = disk.state(lambda changes: changes, lambda changes, _: changes)
    wrong += [] if live == after else ["not every call that changes files is recorded: %s" % [
        file for file in {**live, **after} if live.get(file) != after.get(file)]]
    why = compare(disk.state(lambda _: [], lambda *_: []), before, made, True)
    wrong += ["at the end: " + why] if why else []
    if stores:
        want = run(folder, "campaign export %s -o -" % COMMANDS[name].split()[-1]).stdout
        chosen = stores if len(stores) <= MOST else [stores[k * len(stores) // MOST] for k in range(MOST)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            told = pool.map(lambda k: open_store(top, k, name, chosen[k][1], before, want), range(len(chosen)))
            wrong += ["call %d (%s): %s" % (at, steps[at - 1][0], why) for (at, _), why in zip(chosen, told) if why]
    shutil.rmtree(folder)
    os.unlink(record)
    return len(steps), len(seen), wrong


def main():
    failed = 0
    if subprocess.run([COSCHED, "--version"], env={**os.environ, "LD_PRELOAD": PRELOADED, "ASAN_OPTIONS": "verify_asan_link_order=0"},
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        print("1..0 # SKIP nothing can be loaded before this program")
        return 0
    with tempfile.TemporaryDirectory() as top:
        source = os.path.join(top, "source")
        os.mkdir(source)
        for name, text in {"sweep.json": SWEEP, "queue.csv": JOBS}.items():
            with open(os.path.join(source, name), "w", encoding="utf-8") as file:
                file.write(text)
        for words in "campaign run sweep.json --shard 1/2 --store whole.db", "campaign run sweep.json --shard 2/2 --store other.db", \
                "campaign run sweep.json --store full.db":
            assert run(source, words).returncode == 0
        for name in "out.json", "out.csv":
            with open(os.path.join(source, name), "w", encoding="utf-8") as file:
                file.write("the old one\n")
        for number, name in enumerate(COMMANDS):
            steps, states, wrong = judge(top, source, name)
            failed += bool(wrong)
            print("%sok %d - %s: %d calls, %d states" % ("not " if wrong else "", number + 1, name, steps, states))
            for why in wrong[:5]:
                print("#   %s" % " ".join(why.split())[:300])
            sys.stdout.flush()
    print("1..%d" % len(COMMANDS))
    return failed > 0


sys.exit(main())
