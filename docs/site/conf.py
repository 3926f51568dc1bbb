"""The site of the documentation, as Sphinx makes it; script/site puts the pages together and calls it."""

import os
import re
import sys

import pygments.lexers
import sphinx.highlighting

sys.path.insert(0, os.environ["COSCHED_PYTHON"])

project = "cosched"
author = "the authors of cosched"
version = release = os.environ["COSCHED_VERSION"]
root_doc = "index"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4

breathe_projects = {"cosched": os.environ["COSCHED_DOXYGEN"]}
breathe_default_project = "cosched"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"

smartquotes = False
highlight_language = "none"
sphinx.highlighting.lexers["csv"] = pygments.lexers.TextLexer()
html_theme = "alabaster"
html_title = f"cosched {release}"
html_theme_options = {"description": "plans, simulates and runs co-schedules of parallel applications",
                      "fixed_sidebar": True, "page_width": "min(1240px, 100%)", "code_font_size": "0.8em", "font_family": "sans-serif"}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_static_path = ["custom.css"]
html_copy_source = False
html_show_sourcelink = False
html_use_index = True


def marked_up(line):
    """`Words` are code, and a word that ends in _ is no reference."""
    parts = re.split(r"`([^`]+)`", line)
    return "".join("``%s``" % part if at % 2 else re.sub(r"(\w)_(?!\w)", r"\1\\_", part) for at, part in enumerate(parts))


def docstring(app, what, name, thing, options, lines):
    """Docstrings are plain text: an indented paragraph keeps its lines, `words` are code."""
    told, code = [], False
    for at, line in enumerate(lines):
        if not line.startswith(" "):
            code = code and not line
        elif not code and (at == 0 or not lines[at - 1]):
            told += ["::", ""]
            code = True
        told.append(line if code else marked_up(line))
    lines[:] = told


def setup(app):
    app.connect("autodoc-process-docstring", docstring)
