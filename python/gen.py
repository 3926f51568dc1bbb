#!/usr/bin/env python3
"""Write the C source of the extension cosched._cosched from the installed headers.

usage: gen.py INCLUDE-FOLDER OUTPUT.c

What Python sees of C is what the headers say: nothing is typed twice.
"""

import os
import re
import sys

from cffi import FFI

HEADERS = ["error.h", "watch.h", "workload.h", "schedule.h", "campaign.h", "case.h", "convert.h", "arrow.h", "check.h", "chart.h",
           "memory.h", "replay.h", "run.h"]
CALLBACKS = """
extern "Python" bool cs_python_stop(void *who);
extern "Python" void cs_python_progress(void *who, double share);
extern "Python" void cs_python_warn(void *who, const char *sentence);
extern "Python" enum cs_run_stopping cs_python_run_stop(void *who);
extern "Python" void cs_python_run_show(void *who, const struct cs_run_view *view);
extern "Python" void cs_python_run_say(void *who, const char *sentence);
"""


def declarations(folder):
    """The declarations of the headers, without comments, macros, and functions with variable arguments."""
    text = ""
    sizes = {}
    for name in HEADERS:
        with open(os.path.join(folder, "cosched", name), encoding="utf-8") as file:
            source = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
        sizes.update(re.findall(r"^#define (\w+) (\d+)$", source, re.M))
        source = re.sub(r"^\s*#.*$", "", source, flags=re.M)
        source = re.sub(r"\bCS_(BEGIN|END)_DECLS\b", "", source)
        source = re.sub(r"\bCS_API\b[^;]*\.\.\.[^;]*;", "", source)
        text += re.sub(r"\bCS_API\b|\bCS_PRINTF\([^)]*\)", "", source)
    for name, size in sizes.items():
        text = re.sub(r"\b%s\b" % name, size, text)
    return text


def main():
    ffi = FFI()
    ffi.cdef(declarations(sys.argv[1]) + CALLBACKS)
    ffi.set_source("cosched._cosched", "".join("#include <cosched/%s>\n" % name for name in HEADERS))
    ffi.emit_c_code(sys.argv[2])


main()
