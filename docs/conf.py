"""How Sphinx builds the site: ``sphinx-build -W --keep-going docs site``, see CONTRIBUTING.md."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = html_title = PROJECT["name"]
version = release = PROJECT["version"]
author = PROJECT["authors"][0]["name"]
copyright = author
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "tools.site.directives",
    "tools.site.repository",
]
exclude_patterns = [
    "results/benchmark",  # its tables are those of results/benchmark.md
    "search.md",  # in searching.md
]

myst_heading_anchors = 4
highlight_language = "text"
default_role = "code"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_use_rtype = False
viewcode_line_numbers = True

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}


def setup(app):
    """Called by Sphinx."""
    for language in ("position", "twilight", "perft"):  # of docs/notation.md: they have no colours
        app.add_lexer(language, TextLexer)
    app.connect("autodoc-process-docstring", escape_stars, priority=900)


def escape_stars(app, what, name, obj, options, lines):
    """In a shape such as [k, *shape] the star is Python's, not the beginning of emphasis."""
    lines[:] = [re.sub(r"(?<=, )\*(?=\w+\])", r"\\*", line) for line in lines]
