#!/usr/bin/env python3
"""Do what the README or another page says, as somebody would who has just installed cosched.

usage: tests/cli/docs.py PREFIX FILE.md...

For each page, in a folder of its own that holds only examples/, does what the fenced blocks say, in order:

* console: runs the lines that begin with `$ `; what stands below such a line has to be what it
  prints, where a line `...` stands for any number of lines, and `...` in a line for anything.  All
  have to succeed, but for one that `timeout` is told to kill, and one with `# status N` at its end.
* sh: runs the lines that begin with `cosched`.
* python, r, gnuplot: given to that program.
* LANGUAGE FILE, such as ```json sweep.json: writes the block into that file.
* c: compiled with pkg-config against the installed library, as the file that its first line
  names, and linked as `./NAME` for the commands after it.

The block behind the comment <!-- needs NAME... --> is left out, and said so, where one of these programs or modules of
Python is missing.  A command of ours that stands outside of a block, which nobody would run, is a mistake.

Behind the comment <!-- in the source --> the folder is a copy of the source with a build folder, in
which nothing is optimized so that it is quickly there, and cosched is the one that is built in it.

A picture that is drawn has to be the one of that name in docs/images.
"""

import filecmp
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
IN_THE_SOURCE = "<!-- in the source -->"
NEEDS = re.compile(r"<!-- needs (.*) -->")
READS = {"r": ["Rscript", "-"], "gnuplot": ["gnuplot", "-e", "set terminal dumb", "-"]}


def blocks(text):
    """(line number, what stands behind the fence, lines) of each fenced block; "" for the comment."""
    number, language, lines, needs = 0, None, [], ""
    for at, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                number, language, lines = at, line[3:].strip(), []
            else:
                missing = [word for word in needs.split() if not shutil.which(word) and not importlib.util.find_spec(word)]
                if missing:
                    print(f"line {number}: left out, {missing[0]} is not installed")
                else:
                    yield number, language, lines
                language, needs = None, ""
        elif language is not None:
            lines.append(line)
        elif NEEDS.fullmatch(line.strip()):
            needs = NEEDS.fullmatch(line.strip())[1]
        elif line.strip() == IN_THE_SOURCE:
            yield at, IN_THE_SOURCE, []


def commands(number, language, lines):
    """(line number, command, expected output or None) of each command of a block."""
    found = []
    for at, line in enumerate(lines, number + 1):
        if line.startswith("$ "):
            found.append([at, line[2:], []])
        elif found and found[-1][1].endswith("\\"):
            found[-1][1] = found[-1][1][:-1] + line.strip().removeprefix("> ")
        elif language == "sh" and re.match(r"cosched\b", line):
            found.append([at, line, None])
        elif found and found[-1][2] is not None:
            found[-1][2].append(line)
    return [tuple(command) for command in found]


def matches(expected, printed):
    pattern = "\n".join(
        r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*")
        for line in expected
    )
    printed = "\n".join(line.rstrip() for line in printed.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, printed) is not None


def run(command, folder, env, given=""):
    done = subprocess.run(
        command, shell=isinstance(command, str), cwd=folder, env=env, text=True, timeout=1200,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, input=given,
    )
    return done.returncode, done.stdout


def python():
    """A Python that has the modules that the package needs: this one, or that of the system."""
    return next((one for one in (sys.executable, "/usr/bin/python3")
                 if subprocess.run([one, "-c", "import cffi, numpy"], stderr=subprocess.DEVNULL).returncode == 0), sys.executable)


def environment(prefix):
    env = dict(os.environ, LC_ALL="C.UTF-8")
    env["PYTHONPATH"] = os.pathsep.join(glob.glob(os.path.join(prefix, "**", "python3*", "*-packages"), recursive=True))
    if os.geteuid() == 0:  # whom Open MPI wants to say so
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    env["PATH"] = os.path.join(prefix, "bin") + os.pathsep + env["PATH"]
    for folder in glob.glob(os.path.join(prefix, "lib*", "**", "pkgconfig"), recursive=True):
        env["PKG_CONFIG_PATH"] = folder
        env["LD_LIBRARY_PATH"] = os.path.dirname(folder)
    return env


def compile_block(lines, folder, env):
    name = re.search(r"([\w-]+)\.c\b", lines[0]).group(1)
    write(os.path.join(folder, name + ".c"), lines)
    flags = "-std=c17 -Wall -Wextra"
    if subprocess.run(["cc", "-dumpversion"], text=True, stdout=subprocess.PIPE, check=False).stdout.strip() == "12":
        flags += " -Werror"  # later compilers find more to warn of
    return run(f"cc {flags} {name}.c -o {name} $(pkg-config --cflags --libs cosched)", folder, env)


def write(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def copy_source(folder):
    """What git knows, as it is now."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           cwd=TOP, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if os.path.isfile(os.path.join(TOP, name)):
            os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
            shutil.copy2(os.path.join(TOP, name), os.path.join(folder, name))


class Page:
    def __init__(self, path, env):
        self.path, self.env = path, env
        self.good = self.bad = 0

    def complain(self, at, command, words, printed):
        self.bad += 1
        print(f"{os.path.basename(self.path)}:{at}: {command}\n{words}\n{printed}")

    def do(self, at, command, expected, folder):
        status, printed = run(command, folder, self.env)
        wanted = re.search(r"# status (\d+)$", command)
        killed = re.match(r"timeout -s KILL\b", command) and status in (-9, 137)
        if status != (int(wanted[1]) if wanted else 0) and not killed:
            self.complain(at, command, f"ended with status {status}:", printed)
        elif expected and any(line.strip() for line in expected) and not matches(expected, printed):
            self.complain(at, command, "printed something else:", printed)
        else:
            self.good += 1

    def block(self, number, language, lines, folder):
        words = language.split()
        if language == "c":
            status, printed = compile_block(lines, folder, self.env)
            self.good += status == 0
            if status != 0:
                self.complain(number, "the C program", "does not compile:", printed)
        elif language == "python" or language in READS:
            status, printed = run(READS.get(language) or [python(), "-"], folder, self.env, "\n".join(lines) + "\n")
            self.good += status == 0
            if status != 0:
                self.complain(number, "what is for " + language, f"ended with status {status}:", printed)
        elif len(words) == 2:
            write(os.path.join(folder, words[1]), lines)
        elif language in ("console", "sh"):
            for at, command, expected in commands(number, language, lines):
                self.do(at, command, expected, folder)

    def pictures(self, folder):
        for picture in glob.glob(os.path.join(TOP, "docs/images/*")):
            drawn = os.path.join(folder, os.path.basename(picture))
            if os.path.exists(drawn) and not filecmp.cmp(picture, drawn, shallow=False):
                self.complain(0, os.path.relpath(picture, TOP), "is not what the command draws now", "")

    def read(self):
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            shutil.copytree(os.path.join(TOP, "examples"), os.path.join(first, "examples"))
            folder = first
            with open(self.path, encoding="utf-8") as file:
                text = file.read()
            for at, line in enumerate(text.splitlines(), 1):
                if re.match(r"(?: {4}|\t)(?:\$ )?cosched [a-z]", line):
                    self.complain(at, line.strip(), "stands outside of a block:", "")
            for number, language, lines in blocks(text):
                if language == IN_THE_SOURCE:
                    folder = second
                    copy_source(folder)
                    run("meson setup build -Doptimization=0", folder, self.env)
                    self.env["PATH"] = (os.path.join(folder, "build", "src", "cli") + os.pathsep +
                                        self.env["PATH"])
                    self.env["LD_LIBRARY_PATH"] = os.path.join(folder, "build", "src")
                else:
                    self.block(number, language, lines, folder)
            self.pictures(first)
            self.pictures(second)
        print(f"{os.path.basename(self.path)}: {self.good} commands did what it says, {self.bad} did not")
        return self.bad == 0


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip())
        return 2
    fine = [Page(page, environment(os.path.abspath(sys.argv[1]))).read() for page in sys.argv[2:]]
    return 0 if all(fine) else 1


sys.exit(main())
