#!/usr/bin/env python3
"""Put the playground into one file: page, style, scripts, examples, and the tool as WebAssembly.

usage: pack.py BUILD OUTPUT.html

BUILD is a build folder for WebAssembly.  No script but those that are put in can run in the page, nothing can be asked of
a network: the content security policy names their hashes.  Beside the page goes playground-offline.js, by which a browser
that has it from a server keeps it; without that file, or from a disk, it lacks nothing else.
"""

import base64
import gzip
import hashlib
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../examples")
SCRIPTS = ["tool.js", "dom.js", "share.js", "compare.js", "files.js", "controls.js", "results.js", "page.js"]
SHOWN = {
    "Nine applications on 40 nodes": ("plan moldable", ["archer2.csv"], {"procs": "40"}, []),
    "Five tasks that share GPUs, memory and licences": ("plan moldable", ["gpus.csv"],
                                                        {"procs": "40", "resource": "gpus=4,memory=256G,abaqus=2"}, []),
    "Six applications, in packs": ("plan pack", ["quickstart.csv"], {"procs": "8"}, ["pack-by-pack", "exact"]),
    "Three task graphs on two clusters": ("plan ptg", ["graphs.json", "clusters.json"], {}, ["wps-width"]),
    "Six applications that widen and narrow": ("simulate malleable", ["applications.csv"],
                                               {"procs": "64", "mtbf": "30d", "scenarios": "20"}, []),
    "A day of jobs that may fail": ("simulate rigid", ["monday.swf"],
                                    {"procs": "64", "scenarios": "50", "mean-failure-probability": "0.2"}, ["easy", "shelf"]),
    "The same day under other policies": ("replay", ["monday.swf"], {"nodes": "64"}, ["fcfs", "easy", "conservative"]),
    "Eight hosts that come and go": ("simulate volatile", ["hosts.json"], {"scenarios": "20"}, ["ie", "y-ie"]),
}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def binary(path):
    with open(path, "rb") as file:
        return file.read()


def guarded(text, name):
    for forbidden in ("</script", "<!--"):
        if forbidden in text.lower():
            sys.exit(f"pack.py: {name} holds {forbidden}")
    return text


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def examples():
    made = {name: {"command": command, "values": values, "policies": policies,
                   "files": {file: read(EXAMPLES, file) for file in files}}
            for name, (command, files, values, policies) in SHOWN.items()}
    return json.dumps(made, ensure_ascii=True).replace("<", "\\u003c")


def main():
    build, output = sys.argv[1:]
    script = guarded("".join(read(HERE, name) for name in SCRIPTS), "a script")
    report = re.search(r'cs_page_script_hash = "([^"]+)"', read(build, "src/page_parts.c"))[1]
    policy = (f"default-src 'none'; script-src {digest(script)} '{report}' 'wasm-unsafe-eval'; worker-src blob: 'self'; "
              "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'")
    parts = {
        "POLICY": policy, "STYLE": read(HERE, "page.css"), "SCRIPT": script, "EXAMPLES": examples(),
        "VERSION": re.search(r'CS_VERSION "([^"]+)"', read(build, "config.h"))[1],
        "GLUE": guarded(read(build, "src/cli/cosched.js"), "what emcc made"), "WORKER": guarded(read(HERE, "worker.js"), "the worker"),
        "WASM": base64.b64encode(gzip.compress(binary(os.path.join(build, "src/cli/cosched.wasm")), 9, mtime=0)).decode(),
    }
    page = re.sub(r"@([A-Z]+)@", lambda found: parts[found[1]], read(HERE, "page.html"))
    with open(output, "w", encoding="utf-8") as file:
        file.write(page)
    with open(os.path.join(os.path.dirname(os.path.abspath(output)), "playground-offline.js"), "w", encoding="utf-8") as file:
        file.write(read(HERE, "offline.js"))
    print(f"{output}: {os.path.getsize(output):,} bytes")


main()
