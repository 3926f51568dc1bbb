"""What a problem is given: files, texts, tables of measured times."""

import csv
import os
import tempfile


def _rows(times):
    """(app, procs, seconds) of a dict {"app": {procs: seconds}} or a frame with these columns."""
    if isinstance(times, dict):
        return [(app, procs, seconds) for app, points in times.items() for procs, seconds in points.items()]
    return list(times[["app", "procs", "seconds"]].itertuples(index=False, name=None))


class Given:
    """Inputs as paths; what is not a file is written to one that lasts as long as this object."""

    def __init__(self, inputs):
        self._folder = None
        several = isinstance(inputs, (list, tuple))
        self.paths = [self._path(one) for one in (inputs if several else [inputs])]

    @property
    def made(self):
        """Did any come without a file?"""
        return self._folder is not None

    def _path(self, one):
        if isinstance(one, (str, os.PathLike)):
            return os.fspath(one)
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="cosched-")
        path = os.path.join(self._folder.name, "input%d" % len(os.listdir(self._folder.name)))
        if isinstance(one, bytes):
            with open(path, "wb") as file:
                file.write(one)
        elif hasattr(one, "read"):
            return self._path(one.read() if "b" in getattr(one, "mode", "b") else one.read().encode("utf-8"))
        else:
            with open(path + ".csv", "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([("app", "procs", "seconds"), *_rows(one)])
            return path + ".csv"
        return path
