#!/usr/bin/env python3
"""`pip install .` in a fresh environment, without network and with another Python first in PATH; the wheel and the archive
of the source; what the package says when that other Python imports it.

usage: pip.py BUILD [MESON-OPTION]

BUILD is a build folder of the same source.  The wheel is made in BUILD-wheel, so that the next one is made faster.  With
ccache in CC, and --werror if BUILD has it, most objects are those of BUILD.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(sys.argv[1])
SETTINGS = ["builddir=%s-wheel" % BUILD] + ["setup-args=" + option for option in sys.argv[2:3]]
PYTHON = "/usr/bin/python3"  # the one that Debian's meson builds for
USE = """
import os, cosched
plan = cosched.plan_moldable({"a": {1: 640, 2: 340}, "b": {1: 500, 4: 150}}, procs=4)
assert plan.makespan == 490 and plan.check() and plan.schedule().to_frame().shape[0] == 2
assert len(cosched.papers.list()) > 30 and cosched.papers.run("pack/fig2", quick=True).claims.shape[0]
assert cosched.run(b"name,procs,seconds\\na,1,10\\n", "run", ["/bin/true"], slots=1).done == 1
print(cosched.__file__)
"""
failed = count = 0


def ok(condition, what, *why):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what), *([] if condition else why), flush=True)


def run(*words, **options):
    """The status and output of a command."""
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    return done.returncode, done.stdout


def needs():
    """What is not installed here, a reason to skip."""
    lacking = [name for name in ("mesonpy", "build", "venv", "cffi", "numpy", "pandas") if run(PYTHON, "-I", "-c", "import " + name)[0]]
    return ", ".join(lacking)


def environment(folder, *options):
    status, said = run(PYTHON, "-m", "venv", *options, folder)
    if status:
        sys.exit("pip: %s" % said)
    return os.path.join(folder, "bin")


def check_wheel(path):
    """What a wheel of the package holds."""
    names = zipfile.ZipFile(path).namelist()
    data = os.path.basename(path).split("-cp")[0] + ".data/"
    ok("-abi3-linux_" in path, "the wheel is for every Python from that of the build on", path)
    for name in ("cosched/_cosched.abi3.so", "cosched/__init__.py", "cosched/py.typed", data + "scripts/cosched", data + "data/libexec/cosched/keeper",
                 data + "data/share/cosched/papers/pack/fig2.json", data + "data/share/doc/cosched/examples/archer2.csv"):
        ok(name in names, "the wheel has " + name.replace(data, ""))
    ok(not any(name.endswith((".so.2", ".h", ".a", ".pc")) for name in names), "the library is a part of its programs")


def check_archive(path):
    """The archive of the source is what git has."""
    names = {name.partition("/")[2] for name in tarfile.open(path).getnames()}
    status, listed = run("git", "ls-files", cwd=TOP)
    lacking = [name for name in listed.split("\n")[:-1] if os.path.isfile(os.path.join(TOP, name)) and name not in names]
    ok(status == 0 and not lacking and "PKG-INFO" in names, "the archive has every file of the source", *lacking[:5])


def check_use(python, folder, env):
    """The package, and the command cosched."""
    status, said = run(os.path.join(python, "python"), "-c", USE, cwd=folder, env=env)
    ok(status == 0 and said.startswith(os.path.dirname(python)), "the package works in it: a plan, papers, a run", said)
    tool = os.path.join(python, "cosched")
    ok(run(tool, "help", "plan", env=env) == run(os.path.join(BUILD, "src/cli/cosched"), "help", "plan"), "the command cosched is the tool")
    with open(os.path.join(folder, "jobs.csv"), "w", encoding="utf-8") as jobs:
        jobs.write("name,procs,seconds\na,1,10\n")
    ok(run(tool, "run", "jobs.csv", "--into", "run2", "--slots", "1", "--", "/bin/true", cwd=folder, env=env)[0] == 0, "the command finds the keeper")
    ok("malleable/fig10" in run(tool, "paper", "list", cwd=folder, env=env)[1], "the command finds the papers")


def check_other(folder, env):
    """Another Python without cffi, first in PATH, and the package of the build."""
    status, said = run("python3", "-c", "import cosched", cwd=folder, env={**env, "PYTHONPATH": os.path.join(BUILD, "python")})
    ok(status and "cosched was built for %s (Python 3." % PYTHON in said and "this is " + os.path.join(folder, "other/bin/python3") in said,
       "another Python is told which one it was built for", said)


def main(folder):
    other = environment(os.path.join(folder, "other"), "--without-pip")
    env = {**os.environ, "PATH": other + ":" + os.environ["PATH"], "PIP_NO_INDEX": "1", "PYTHONDONTWRITEBYTECODE": "1", "CC": os.environ.get("CC", "gcc"), "CXX": os.environ.get("CXX", "g++")}
    python = environment(os.path.join(folder, "new"), "--system-site-packages")
    os.makedirs(os.path.join(BUILD, "wheel"), exist_ok=True)
    status, said = run(os.path.join(python, "pip"), "install", *["--config-settings=" + word for word in SETTINGS], ".", cwd=TOP, env=env)
    ok(status == 0, "pip installs it without network", said)
    check_use(python, folder, env)
    status, said = run(PYTHON, "-m", "build", "--no-isolation", *["-C=" + word for word in SETTINGS], "--wheel", "--sdist", "--outdir", folder, TOP, env=env)
    ok(status == 0, "python3 -m build makes an archive and a wheel", said)
    made = sorted(name for name in os.listdir(folder) if name.startswith("cosched-"))
    ok(len(made) == 2, "one of each", made)
    check_wheel(os.path.join(folder, made[0]))
    check_archive(os.path.join(folder, made[1]))
    check_other(folder, env)
    print("1..%d" % count)


LACKING = needs()
if LACKING:
    print("pip: skipped, %s has no %s" % (PYTHON, LACKING))
    sys.exit(0)
FOLDER = tempfile.mkdtemp(prefix="cosched-pip-")
try:
    main(FOLDER)
finally:
    shutil.rmtree(FOLDER)
sys.exit(failed > 0)
