#!/usr/bin/env python3
"""A program that is not cosched runs others through the library: in a folder of its own, with the keeper of the build.

usage: tests/run/foreign.py PROGRAM KEEPER [WORD...]
"""

import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory(prefix="cosched-") as folder:
    done = subprocess.run([os.path.abspath(sys.argv[1]), folder, *sys.argv[3:]], env=dict(os.environ, COSCHED_KEEPER=os.path.abspath(sys.argv[2])),
                          stdin=subprocess.DEVNULL, check=False)
sys.exit(done.returncode)
