"""Rate everybody of several tournaments in one pool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena import tables
from timeline_env.arena.pool import rate_pool, read_pool
from timeline_env.arena.summary import SAMPLES
from timeline_env.files import check_writable, write_json


def ratings(
    folders: Annotated[list[Path], typer.Argument(help="tournaments' folders, of the same game and number of players")],
    json: Annotated[Path | None, typer.Option(help="write the result here, too")] = None,
) -> None:
    """Rate everybody who played in one of the tournaments in FOLDERS in one pool, though not all of them met.

    Players who met common opponents can be compared: what each of them achieved against those says who is stronger. So a search
    that takes hours can be rated beside players that take seconds. The same name must mean the same player in all folders.

    examples:
      timeline-env ratings runs/no_search runs/search
      timeline-env ratings docs/results/benchmark/timeline_2_* --json ratings.json
    """
    if json is not None:
        check_writable("--json", json)
    pooled = read_pool(folders)
    with cli.progress("bootstrap samples", SAMPLES) as advance:
        found = rate_pool(pooled, advance)
    shown = tables.pool_ratings(found)
    cli.show_table(shown.title, shown.header, shown.rows)
    about = pooled.about
    caption = (
        f"{about.game}, {len(about.seats)} seats: {len(about.players)} players, {len(pooled.rank):,} games of {len(folders)} "
        f"tournaments, {about.deals:,} deals, rules version {about.rules_version}"
    )
    print("\n".join([caption, *tables.rated_by_prior(found.players, found.ahead)]))
    if json is not None:
        write_json(json, found.as_dict())
