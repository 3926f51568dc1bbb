"""The notebooks of examples/ run from top to bottom, and show pictures and tables."""

import glob
import os

import pytest

nbformat = pytest.importorskip("nbformat", reason="python3-nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="python3-nbclient is not installed")
pytest.importorskip("ipykernel", reason="python3-ipykernel is not installed")
pytest.importorskip("pandas", reason="python3-pandas is not installed")

NOTEBOOKS = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/notebooks/*.ipynb")))


def shown(book):
    """What the cells of a notebook show, by kind: {"image/svg+xml": [...], "text/html": [...]}."""
    found = {}
    for cell in book.cells:
        for output in cell.get("outputs", []):
            for kind, content in output.get("data", {}).items():
                found.setdefault(kind, []).append(content)
    return found


def test_there_are_two():
    assert len(NOTEBOOKS) == 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=os.path.basename)
def test_runs_and_shows(path):
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "is kept without outputs"
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": os.path.dirname(path)}}).execute()
    found = shown(book)
    assert any("<svg" in picture for picture in found["image/svg+xml"])
    assert any("<table" in table for table in found["text/html"])
