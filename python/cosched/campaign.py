"""Stores of campaigns and papers, as frames."""

import json
import os
import sqlite3
import subprocess

from cosched._core import Error, describe


class Campaign:
    """A store that `cosched campaign run` or `cosched paper run` fills; it may be read meanwhile."""

    def __init__(self, path):
        self.path = os.fspath(path)

    def run(self, sweep, *options, tool="cosched"):
        """Run what is missing of a sweep (a path, or its content as a dict) with the installed tool."""
        given = json.dumps(sweep) if isinstance(sweep, dict) else None
        done = subprocess.run([tool, "campaign", "run", "-" if given else os.fspath(sweep), "--store", self.path, *options],
                              input=given, text=True, capture_output=True, check=False)
        if done.returncode:
            raise Error(done.stderr.strip())
        return self

    def _rows(self, question):
        with sqlite3.connect("file:%s?mode=ro" % self.path, uri=True) as store:
            store.row_factory = sqlite3.Row
            return store.execute(question).fetchall()

    def frame(self, problem=None):
        """A row a run: its parameters, its seed and its metrics."""
        import pandas
        tables = {row[0] for row in self._rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        problems = [known["name"] for known in describe()["problems"] if known["name"] in tables]
        if problem is None and len(problems) == 1:
            problem = problems[0]
        if problem not in problems:
            raise Error("%s: which problem? It has runs of %s" % (self.path, ", ".join(problems) or "none"))
        rows = [dict(row) for row in self._rows('SELECT * FROM "%s"' % problem)]
        return pandas.DataFrame([{**json.loads(row.pop("parameters")), **row} for row in rows])

    def documents(self):
        """What was asked for: a row a sweep or paper."""
        import pandas
        return pandas.DataFrame([dict(row) for row in self._rows("SELECT * FROM document")])

    def __repr__(self):
        return "<cosched.Campaign: %s>" % self.path
