"""What pages of the site write as ``{environment} NAME`` and ``{position}``."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from timeline_env import view
from timeline_env.files import write_text
from timeline_env.games import game_named
from timeline_env.timeline.text.names import node_named
from timeline_env.view.timeline.geometry import SIZE, centre_of
from tools.site import environment_page, film, worked

ENVIRONMENT = re.compile(r"^```\{environment\} (\w+)\n```$", re.MULTILINE)
FRAME = re.compile(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"')
"""The attributes of an SVG that say what is seen of it."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("source-read", write_environments)
    app.add_directive("position", WorkedPosition)
    app.connect("env-before-read-docs", check)
    return {"parallel_read_safe": False, "parallel_write_safe": True}


def check(app: Sphinx, env: Any, names: list[str]) -> None:
    """Check that every game has its page."""
    environment_page.check_pages(name.partition("/")[2] for name in env.found_docs if name.startswith("environments/"))


def picture(env: Any, name: str) -> tuple[Path, str]:
    """A picture's file, in the folder where Sphinx keeps what it has read, and the path by which a page names it."""
    folder = Path(env.doctreedir, "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name, "/" + os.path.relpath(folder / name, env.srcdir)


def write_environments(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the text of environments where a page has ``{environment} timeline``."""

    def written(match: re.Match[str]) -> str:
        name = match[1]
        game = game_named(name)
        file, uri = picture(app.env, f"{name}.gif")
        film.make(game, file)
        told = f"A game of {game.usual_players} `{film.player_of(game)}`, to its end. No hand is shown."
        figure = f"```{{figure}} {uri}\n:alt: {told.replace('`', '')}\n\n{told}\n```"
        return f"{figure}\n\n{environment_page.page(name)}"

    source[0] = ENVIRONMENT.sub(written, source[0])


class WorkedPosition(SphinxDirective):
    """``{position}``: pictures of a position as `tools.site.worked` reads it, and its text.

    ``:show: 1.0 2.3`` cuts out these nodes; else all is shown, with the hand of whoever decides.
    """

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"show": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        try:
            position = worked.read("\n".join(self.content))
        except ValueError as error:
            raise self.error(str(error)) from None
        parts: list[nodes.Node] = [self.drawn(position.before, None, f"The position {position.line}")]
        if position.last:
            parts.append(self.drawn(position.after, position.last, "The position after these moves"))
        told = nodes.bullet_list("", *map(self.told, position.steps))
        text = nodes.literal_block(position.line, position.line, language="text")
        pictures = nodes.container("", *parts, classes=["pictures"])
        return [nodes.container("", pictures, *([told] if position.steps else []), text, classes=["position"])]

    def told(self, step: tuple[str, str]) -> nodes.list_item:
        """A move or a sentence as a row."""
        sign, text = step
        row = f"▸ `{text}`" if sign == worked.MOVE else text
        return nodes.list_item("", nodes.paragraph("", "", *self.parse_inline(row)[0]))

    def drawn(self, batch: Any, last: Any, alternative: str) -> nodes.image:
        """The picture of a position."""
        shown = self.options.get("show", "").split()
        viewer = None if shown or batch.seat[0] < 0 else int(batch.seat[0])
        svg: str = view.to_svg(batch.rules[0], batch.states[0], viewer, None if shown else last)
        if shown:
            svg, cuts = FRAME.subn(frame(shown), svg, count=1)
            assert cuts == 1, "the SVG's first line is not as expected"
        file, uri = picture(self.env, f"{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg")
        write_text(file, svg)
        return nodes.image(uri=uri, alt=alternative)


def frame(names: list[str]) -> str:
    """The attributes that show these nodes of an SVG: all of them, from corner to corner."""
    xs, ys = zip(*(centre_of(node_named(name)) for name in names), strict=True)
    left, top, right, bottom = min(xs) - SIZE - 4, min(ys) - SIZE, max(xs) + SIZE + 4, max(ys) + SIZE
    width, height = round(right - left), round(bottom - top)
    return f'viewBox="{left:.0f} {top:.0f} {width} {height}" width="{width}" height="{height}"'
