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
    # Their tables are those of results/arena.md, results/benchmark.md and results/learning.md.
    *("results/pools", "results/benchmark", "results/learning", "results/generalisation", "results/responses"),
    "search.md",  # in searching.md
]

myst_heading_anchors = 4
highlight_language = "text"
default_role = "code"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("ArrayLike", "DTypeLike", "Entrant")}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_numpy_docstring = napoleon_use_rtype = napoleon_attr_annotations = False
viewcode_line_numbers = True

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_use_index = html_domain_indices = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}


def write_aliases(app, what, name, obj, options, signature, returns):
    """Inside other types Sphinx writes the placeholder that it has for an alias, not its name."""
    return tuple(text and re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text) for text in (signature, returns))


def setup(app):
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", write_aliases)
    for language in ("position", "twilight", "perft"):  # of docs/notation.md: they have no colours
        app.add_lexer(language, TextLexer)
    app.connect("autodoc-process-docstring", as_meant, priority=400)  # before napoleon


def as_meant(app, what, name, obj, options, lines):
    """Docstrings as napoleon and reStructuredText would misread them."""
    if what in ("attribute", "data", "property") and lines:
        lines[0] = f": {lines[0]}"  # or the words before the first colon would be its type
    lines[:] = [re.sub(r"(?<=, )\*(?=\w+\])", r"\\*", line) for line in lines]  # [k, *shape] is no emphasis
