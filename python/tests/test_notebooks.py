"""The notebooks of examples/ have the outputs that they make, and their pictures survive an export.

usage: PYTHONPATH=BUILD/python python3 test_notebooks.py     execute them and store the outputs
"""

import base64
import glob
import io
import os
import re
import sys

import pytest

nbformat = pytest.importorskip("nbformat", reason="python3-nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="python3-nbclient is not installed")
pytest.importorskip("ipykernel", reason="python3-ipykernel is not installed")
pytest.importorskip("pandas", reason="python3-pandas is not installed")

NOTEBOOKS = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/notebooks/*.ipynb")))
TEXTS = ("text/plain", "text/html")


def executed(path):
    """The notebook with new outputs."""
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", record_timing=False,
                            resources={"metadata": {"path": os.path.dirname(path)}}).execute()
    book.metadata["language_info"] = {"name": "python"}  # not the version of this Python
    return book


def texts(book):
    """The texts and tables that each cell shows; those of a picture change when charts are improved."""
    return [[output.get("text") or {kind: output["data"][kind] for kind in TEXTS if kind in output["data"] and "image/svg+xml" not in output["data"]}
             for output in cell.outputs] for cell in book.cells if cell.cell_type == "code"]


def pictures(book):
    """The MIME bundles with a picture."""
    return [output["data"] for cell in book.cells for output in cell.get("outputs", []) if "image/svg+xml" in output.get("data", {})]


def test_there_is_one_for_each_reader():
    assert [os.path.basename(path) for path in NOTEBOOKS] == ["bag.ipynb", "campaign.ipynb", "log.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=os.path.basename)
def test_stored_outputs_are_those_of_the_code(path):
    stored, book = nbformat.read(path, as_version=4), executed(path)
    assert texts(stored) == texts(book)
    assert any("<table" in output.get("text/html", "") for cell in texts(stored) for output in cell if isinstance(output, dict))
    for one, new in zip(pictures(stored), pictures(book)):
        assert "<svg" in one["image/svg+xml"] and "<svg" in new["image/svg+xml"]
        assert base64.b64decode(one["image/png"]).startswith(b"\x89PNG") and "image/png" in new
    assert len(pictures(stored)) == len(pictures(book)) > 0


def shares(png, colors):
    """The share of the pixels that have each colour."""
    image = pytest.importorskip("matplotlib.image", reason="python3-matplotlib is not installed").imread(io.BytesIO(png), format="png")
    pixels = (image[..., :3] * 255).round().astype(int)
    return [float((abs(pixels - [int(color[i:i + 2], 16) for i in (1, 3, 5)]).max(axis=-1) <= 2).mean()) for color in colors]


@pytest.mark.parametrize("priority", [None, ["text/html", "image/png"], ["image/png"]], ids=["default", "html", "png"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_pictures_survive_an_export(priority):
    exporters = pytest.importorskip("nbconvert.exporters", reason="python3-nbconvert is not installed")
    exporter = exporters.HTMLExporter()
    if priority:
        exporter.config.NbConvertBase.display_data_priority = [*priority, "text/plain"]
        exporter = exporters.HTMLExporter(config=exporter.config)
    html, _ = exporter.from_filename(NOTEBOOKS[0])
    png = re.findall(r'<img[^>]* src="data:image/png;base64,([A-Za-z0-9+/=\s]+)"', html.replace("<img src", "<img  src"))
    svg = pictures(nbformat.read(NOTEBOOKS[0], as_version=4))[0]["image/svg+xml"]
    fills = re.findall(r'<g class="work">.*?<rect [^>]*fill="(#[0-9a-f]{6})"', svg, re.S)
    assert len(png) == 1 and "<svg" not in html.partition("<body")[2]
    found = shares(base64.b64decode(png[0]), sorted(set(fills)))
    assert len(found) >= 8 and min(found) > 0.0002 and 0.3 < sum(found) < 1, found


if __name__ == "__main__":
    for name in NOTEBOOKS:
        nbformat.write(executed(name), name)
        print(name, os.path.getsize(name), file=sys.stderr)
