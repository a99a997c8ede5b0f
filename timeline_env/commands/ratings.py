"""Rate the players of several tournaments in one pool."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena import tables
from timeline_env.arena.pool import rate_pool, read_pool
from timeline_env.arena.summary import SAMPLES
from timeline_env.files import check_writable, write_json


def ratings(
    folders: Annotated[
        list[Path],
        typer.Argument(help="at least two tournaments' folders, of one game and number of seats", metavar="FOLDERS"),
    ],
    json: Annotated[Path | None, typer.Option(help="write the result here, too")] = None,
) -> None:
    """Rate all players of the tournaments in FOLDERS on one scale, though not all of them met.

    Players who met the same opponents can be compared by how they did against them. So a search that takes hours plays a small
    tournament, and is still rated beside players that take seconds. A name must mean the same player in all folders.

    examples:
      timeline-env ratings runs/no_search runs/search
      timeline-env ratings docs/results/benchmark/timeline_2_* --json ratings.json
    """
    if json is not None:
        check_writable("--json", json)
    pool = read_pool(folders)
    with cli.progress("bootstrap samples", SAMPLES) as advance:
        found = rate_pool(pool, advance)
    shown, about = tables.pool_ratings(found), pool.played.about
    cli.show_table(shown.title, shown.header, shown.rows)
    caption = (
        f"{about.game}, {len(about.seats)} seats: {len(about.players)} players, {len(pool.played.rank):,} games of "
        f"{len(folders)} tournaments, {about.deals:,} deals, rules version {about.rules_version}"
    )
    notes = [*tables.note_rated_by_prior(found.players, found.ahead), *tables.note_processors(pool.processors)]
    print("\n".join(map(cli.escape_controls, [caption, *notes])))
    if json is not None:
        told = {name: getattr(about, name) for name in ("game", "rules_version", "seats", "rules")}
        write_json(json, {"folders": [*map(str, folders)], **told, "processors": pool.processors, **asdict(found)})
