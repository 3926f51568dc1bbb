"""The folder below a prefix in which this Python looks for packages, if there is one.

usage: where.py PREFIX
"""

import os
import re
import site
import sys

FOLDERS = [os.path.relpath(folder, sys.argv[1]) for folder in site.getsitepackages()]
print(next((folder for folder in FOLDERS if re.match(r"lib[^/]*/python[^/]*/", folder)), ""))
