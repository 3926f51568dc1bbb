#!/usr/bin/env python3
"""Every paper, in full and quick, is what docs/schema/experiment.schema.json says, without numbers in its subtitle;
those of ptg are judged by dates with contention.

usage: tests/papers.py TOP
"""

import json
import os
import re
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

TOP = sys.argv[1]


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def merge(document, patch):
    """RFC 7386, written from its pseudocode."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def documents():
    """(name, document) of each paper and its quick run."""
    for folder, _, files in os.walk(os.path.join(TOP, "papers")):
        for file in sorted(files):
            if not file.endswith(".json") or file.startswith("_"):
                continue
            document = load(folder, file)
            if "base" in document:
                document = merge(load(folder, document["base"]), document)
            yield file, document
            yield file + " --quick", merge(document, document.get("quick", {}))


def main():
    schema = load(TOP, "docs", "schema", "experiment.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    wrong = 0
    for name, document in documents():
        errors = list(validator.iter_errors(document))
        wrong += len(errors)
        if re.search("[0-9]", document.get("subtitle", "")):
            print("%s: the subtitle has a digit, which another run may not have: %s" % (name, document["subtitle"]))
            wrong += 1
        if document.get("problem") == "ptg" and (document["set"].get("replay") != "fluid" or "second_column" not in document):
            print("%s: the graphs of ptg are replayed with contention, with the planned dates in a second column" % name)
            wrong += 1
        for error in errors:
            print("%s: %s: %s" % (name, error.json_path, error.message))
        if not errors:
            print("%s: as the schema says" % name)
    broken = {"title": "T"}
    if validator.is_valid(broken):
        print("the schema accepts a document with nothing in it")
        wrong += 1
    return wrong != 0


sys.exit(main())
