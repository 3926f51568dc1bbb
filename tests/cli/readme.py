#!/usr/bin/env python3
"""Do what the README says, as somebody would who has just installed cosched.

usage: tests/cli/readme.py PREFIX [FILE.md]

In a folder that holds only examples/, runs every command of the fenced blocks that begins
with `$ cosched` or `cosched`, in order; all have to succeed.  What stands below a `$` line
has to be what the command prints; a line `...` there stands for any number of lines.  A
block that begins with ```c is compiled with pkg-config against the installed library, as
the file that its first line names, and linked as `./NAME` for the commands after it.  A
picture that they draw has to be the one of that name in docs/images.
"""

import filecmp
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def blocks(text):
    """(line number, language, lines) of each fenced block."""
    number, language, lines = 0, None, []
    for at, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                number, language, lines = at, line[3:].strip(), []
            else:
                yield number, language, lines
                language = None
        elif language is not None:
            lines.append(line)


def commands(number, lines):
    """(line number, command, expected output or None) of each command of a block."""
    found = []
    for at, line in enumerate(lines, number + 1):
        if line.startswith("$ "):
            found.append([at, line[2:], []])
        elif found and found[-1][1].endswith("\\"):
            found[-1][1] = found[-1][1][:-1] + line.strip().removeprefix("> ")
        elif re.match(r"cosched\b", line):
            found.append([at, line, None])
        elif found and found[-1][2] is not None:
            found[-1][2].append(line)
    return [tuple(command) for command in found if re.match(r"(cosched\b|\./)", command[1])]


def matches(expected, printed):
    pattern = "\n".join(
        r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line.rstrip()) for line in expected
    )
    printed = "\n".join(line.rstrip() for line in printed.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, printed) is not None


def run(command, folder, env):
    done = subprocess.run(
        command, shell=True, cwd=folder, env=env, text=True, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout


def environment(prefix):
    env = dict(os.environ, LC_ALL="C.UTF-8")
    env["PATH"] = os.path.join(prefix, "bin") + os.pathsep + env["PATH"]
    for folder in glob.glob(os.path.join(prefix, "lib*", "**", "pkgconfig"), recursive=True):
        env["PKG_CONFIG_PATH"] = folder
        env["LD_LIBRARY_PATH"] = os.path.dirname(folder)
    return env


def compile_block(lines, folder, env):
    name = re.search(r"([\w-]+)\.c\b", lines[0]).group(1)
    with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    flags = "-std=c17 -Wall -Wextra -Werror"
    return run(f"cc {flags} {name}.c -o {name} $(pkg-config --cflags --libs cosched)", folder, env)


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__.strip())
        return 2
    readme = sys.argv[2] if len(sys.argv) == 3 else os.path.join(TOP, "README.md")
    env, bad, good = environment(os.path.abspath(sys.argv[1])), 0, 0

    def complain(at, command, words, printed):
        print(f"{os.path.basename(readme)}:{at}: {command}\n{words}\n{printed}")
        return 1

    with tempfile.TemporaryDirectory() as folder, open(readme, encoding="utf-8") as file:
        shutil.copytree(os.path.join(TOP, "examples"), os.path.join(folder, "examples"))
        for number, language, lines in blocks(file.read()):
            if language == "c":
                status, printed = compile_block(lines, folder, env)
                good += status == 0
                if status != 0:
                    bad += complain(number, "the C program", "does not compile:", printed)
                continue
            for at, command, expected in commands(number, lines):
                status, printed = run(command, folder, env)
                if status != 0:
                    bad += complain(at, command, f"ended with status {status}:", printed)
                elif expected and any(line.strip() for line in expected) and not matches(expected, printed):
                    bad += complain(at, command, "printed something else:", printed)
                else:
                    good += 1
        for picture in glob.glob(os.path.join(TOP, "docs/images/*")):
            drawn = os.path.join(folder, os.path.basename(picture))
            if os.path.exists(drawn) and not filecmp.cmp(picture, drawn, shallow=False):
                bad += complain(0, os.path.relpath(picture, TOP), "is not what the command draws now", "")
    print(f"{os.path.basename(readme)}: {good} commands did what it says, {bad} did not")
    return 1 if bad or not good else 0


sys.exit(main())
