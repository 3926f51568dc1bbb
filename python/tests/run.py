#!/usr/bin/env python3
"""Run the tests of the Python package, and say TAP.

usage: PYTHONPATH=BUILD/python run.py COSCHED EXAMPLES
"""

import os
import sys

try:
    import pytest
except ImportError:
    print("1..0 # SKIP pytest is not installed (python3-pytest)")
    sys.exit(0)


class Tap:
    """One line a test."""

    def __init__(self):
        self.count = 0
        self.out = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)

    def say(self, line):
        print(line, file=self.out, flush=True)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or (report.when == "setup" and not report.passed):
            self.count += 1
            note = " # SKIP" if report.skipped else ""
            self.say("%sok %d - %s%s" % ("not " if report.failed else "", self.count, report.nodeid.split("::", 1)[-1], note))


os.environ["COSCHED_TOOL"], os.environ["COSCHED_EXAMPLES"] = map(os.path.abspath, sys.argv[1:3])
tap = Tap()
folder = os.path.dirname(os.path.abspath(__file__))
status = pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short", "--rootdir", folder, folder], plugins=[tap])
tap.say("1..%d" % tap.count)
sys.exit(int(status))
