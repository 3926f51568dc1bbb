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
DARK = {  # the colours of Furo, which Debian's copy of its style lacks; brighter where contrast was below 4.5
    "color-problematic": "#ff8080",
    "color-foreground-primary": "#ffffffcc",
    "color-foreground-secondary": "#9ca0a5",
    "color-foreground-muted": "#9ca0a5",
    "color-foreground-border": "#666666",
    "color-background-primary": "#131416",
    "color-background-secondary": "#1a1c1e",
    "color-background-hover": "#1e2124ff",
    "color-background-hover--transparent": "#1e212400",
    "color-background-border": "#303335",
    "color-background-item": "#444",
    "color-announcement-background": "#000000dd",
    "color-announcement-text": "#eeebee",
    "color-brand-primary": "#6db3ff",
    "color-brand-content": "#6db3ff",
    "color-highlighted-background": "#083563",
    "color-guilabel-background": "#08356380",
    "color-guilabel-border": "#13395f80",
    "color-api-keyword": "var(--color-foreground-secondary)",
    "color-highlight-on-target": "#333300",
    "color-admonition-background": "#18181a",
    "color-card-border": "var(--color-background-secondary)",
    "color-card-background": "#18181a",
    "color-card-marginals-background": "var(--color-background-hover)",
}
html_theme = "furo"
html_title = f"cosched {release}"
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True, "dark_css_variables": DARK}
pygments_style, pygments_dark_style = "xcode", "github-dark"
html_static_path = ["custom.css"]
html_css_files = ["custom.css"]
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
