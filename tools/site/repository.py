"""Links from the manuals to what lies beside docs/. On a Git host they lead to the file; in the site to a page that shows it.

A page of the site may also be such a file: ``{include} ../README.md`` puts its text there, with its links as they are meant.
"""

from __future__ import annotations

import html
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "docs/search.md": "searching.md",  # the site's own page for searching is search.html
}
"""Files whose text a page of another name includes."""
FOLDER = "code"
"""The folder of the site with the pages of all other files."""
LINK = re.compile(r"\]\(([^()\s#:]+)(#[^()\s]*)?\)")
INCLUDED = re.compile(r"^```\{include\} (\S+)\n```$", re.MULTILINE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("source-read", read)
    app.connect("doctree-read", link_files, priority=400)  # before Sphinx takes the links for downloads
    app.connect("html-collect-pages", file_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """Rewrite a page's text before it is parsed."""
    folder = (DOCS / page).parent

    def included(match: re.Match[str]) -> str:
        file = (folder / match[1]).resolve()
        app.env.note_dependency(file)
        return links_from(file.read_text(encoding="utf-8"), file.parent, app)

    source[0] = with_one_title(INCLUDED.sub(included, links_from(source[0], folder, app)))


def with_one_title(text: str) -> str:
    """The text with every title after the first, and what is below it, one level lower."""
    lines, titles, code = text.split("\n"), 0, False
    for number, line in enumerate(lines):
        code ^= line.startswith("```")
        if line.startswith("#") and not code:
            titles += line.startswith("# ")
            lines[number] = "#" * (titles > 1) + line
    return "\n".join(lines)


def links_from(text: str, folder: Path, app: Sphinx) -> str:
    """The text with its links to files, which are relative to `folder`, as the site needs them."""

    def link(match: re.Match[str]) -> str:
        path, anchor = (folder / match[1]).resolve(), match[2] or ""
        if not path.is_relative_to(ROOT) or not path.exists():
            return match[0]  # no file: code, or a link that Sphinx will warn of
        name = path.relative_to(ROOT).as_posix()
        if name in PAGES:
            return f"](/{PAGES[name]}{anchor})"
        if path.is_relative_to(DOCS) and (path.suffix != ".md" or app.project.path2doc(path) in app.project.docnames):
            return f"](/{path.relative_to(DOCS).as_posix()}{anchor})" if path.is_file() else f"](path:{path})"
        return f"](path:{path})"

    return LINK.sub(link, text)


def link_files(app: Sphinx, tree: nodes.document) -> None:
    """Make links to files lead to their pages, and note which pages there must be."""
    noted = app.env.metadata[app.env.docname].setdefault(FOLDER, [])
    for node in list(tree.findall(addnodes.download_reference)):
        path = Path(node["reftarget"])
        if not path.is_relative_to(ROOT):
            continue  # a picture in docs/, which Sphinx copies
        name = path.relative_to(ROOT).as_posix()
        if not is_text(path):
            raise ExtensionError(f"{app.env.docname}: {name} cannot be shown as text; link its folder")
        noted.append(name)
        target = app.builder.get_relative_uri(app.env.docname, f"{FOLDER}/{name}")
        node.replace_self(nodes.reference("", "", *node.children, refuri=target, internal=True))


def file_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for every file and folder that is linked, and for the files in such folders."""
    linked = {name for page in app.env.all_docs for name in app.env.metadata[page].get(FOLDER, [])}
    within = {file for name in linked for file in files_in(ROOT / name)}
    for name in sorted(linked | within):
        path = ROOT / name
        if path.is_dir() or is_text(path):
            body = folder_body(path) if path.is_dir() else file_body(app, path)
            yield f"{FOLDER}/{name}", {"title": name, "body": f"<h1>{html.escape(name)}</h1>\n{body}"}, "page.html"
        else:
            copy = Path(app.outdir, FOLDER, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def files_in(path: Path) -> list[str]:
    """Names of the files of a folder and of its folders, without what Python leaves there; none for a file."""
    found = [file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    return sorted(file.relative_to(ROOT).as_posix() for file in found)


def folder_body(path: Path) -> str:
    """A list of links to the files of a folder."""
    rows = []
    for name in files_in(path):
        target = os.path.relpath(ROOT / name, path.parent) + (".html" if is_text(ROOT / name) else "")
        shown = (ROOT / name).relative_to(path).as_posix()
        rows.append(f'<li><a href="{html.escape(target)}"><code>{html.escape(shown)}</code></a></li>')
    return f"<ul>{''.join(rows)}</ul>"


def file_body(app: Sphinx, path: Path) -> str:
    """A file's text, highlighted."""
    try:
        language = get_lexer_for_filename(path.name).aliases[0]
    except ClassNotFound:
        language = "text"
    text = path.read_text(encoding="utf-8")
    assert isinstance(app.builder, StandaloneHTMLBuilder)  # which alone asks for such pages
    return app.builder.highlighter.highlight_block(text, language, location=str(path))


def is_text(path: Path) -> bool:
    """Whether this is a folder, or a file that can be shown as text."""
    return path.is_dir() or path.suffix not in (".npz", ".png")
