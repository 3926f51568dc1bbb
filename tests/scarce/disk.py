"""What a disk may hold after a power cut at any point of a command whose calls record.c has written down.

Bytes that no fsync() of their file has followed may be there, missing, or cut anywhere, each write for itself (zeros, where there was nothing);
names that no fsync() of their folder has followed may have changed or not. Folders are there.
"""

import os
import struct
import subprocess
import sys

ENTRY = struct.Struct("=8sQqQ")
CUTS = 20  # random states at each point


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


def is_in(folder, change):
    return (os.path.dirname(change[1]) or ".") == folder


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
        """A path from the folder on; None: it is elsewhere."""
        path = os.path.relpath(os.path.realpath(os.path.join(self.folder, os.fsdecode(path))), os.path.realpath(self.folder))
        return None if path.startswith("..") else path

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
        elif what == "folder" and self.name(data):
            folder = os.path.normpath(self.name(data))
            for change in self.changes:
                if is_in(folder, change):
                    move(self.names, change)
            self.changes = [change for change in self.changes if not is_in(folder, change)]
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


def can_be_recorded(program, preloaded):
    """Else says that the test is skipped."""
    if subprocess.run([program, "--version"], env={**os.environ, "LD_PRELOAD": preloaded, "ASAN_OPTIONS": "verify_asan_link_order=0"},
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        print("1..0 # SKIP nothing can be loaded before this program")
        return False
    return True


def tell(number, what, steps, states, wrong):
    """Was anything wrong?"""
    print("%sok %d - %s: %d calls, %d states" % ("not " if wrong else "", number, what, steps, states))
    for why in wrong[:5]:
        print("#   %s" % " ".join(why.split())[:300])
    sys.stdout.flush()
    return bool(wrong)
