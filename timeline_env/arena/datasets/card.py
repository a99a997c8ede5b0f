"""The card of a data set: what it is, in the terms of Croissant 1.0, which catalogues of data sets read.

Source: the Croissant format's specification, version 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.arena.played import Played
from timeline_env.games import game_named

CARD_FILE = "croissant.json"
TERMS = (
    "citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes isLiveDataset "
    "jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate separator source "
    "subField transform"
)
"""The words of the format that stand for themselves."""
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
} | {term: f"cr:{term}" for term in TERMS.split()}
ARRAYS = {
    "about": "JSON text: game, rules version, seats, players, deals, seed, variant, package version, command",
    "game": "int32, a row for each seat of a game: the game's number",
    "table": "int32: always 0",
    "deal": "int32: the number of the game's deal; its seed is that of this stream of the seed",
    "seat": "int8: the seat",
    "player": "int16: who sat there, an index into the players that are named in about",
    "points": "float32: the seat's points at the end",
    "rank": "float32: the seat's place at the end, 1 is best, ties share the mean",
    "decisions": "int32: how many decisions the game had",
    "actions": "unsigned integers: what was chosen, game after game, as many as each game has decisions",
}
"""The arrays of the file, and what each holds."""


def card(played: Played, file: Path) -> dict[str, Any]:
    """The card of these games, which lie in this file, as JSON-LD."""
    about, content = played.about, file.read_bytes()
    game, count = game_named(about.game).title, int(played.decisions.sum())
    players = ", ".join(about.players)
    variant = f" by the variant {json.dumps(about.rules)}" if about.rules else ""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "-".join([about.game, str(len(about.seats)), *(name.replace("/", "-") for name in about.players)]),
        "description": f"{len(played.decisions):,} games of {game}{variant} with {len(about.seats)} players, {count:,} decisions, "
        f"each seat played by one of: {players}. The games are kept as seeds and moves; the package timeline-env "
        f"{about.version} replays them by version {about.rules_version} of the rules to the observations, masks and "
        f"returns of every decision. Made by: {about.command or 'a call from Python'}",
        "license": "https://spdx.org/licenses/MIT.html",
        "creator": {"@type": "sc:Organization", "name": "The timeline-env authors"},
        "citeAs": "@software{timeline_env, title = {timeline-env}, author = {The timeline-env authors}, "
        f"version = {{{about.version}}}}}",
        "version": about.version,
        "datePublished": datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat(),
        "isLiveDataset": False,
        "keywords": ["offline reinforcement learning", "imitation learning", "multi-agent", "board games", about.game],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "description": "numpy's arrays, compressed; the record set arrays says what each holds",
                "contentUrl": file.name,
                "contentSize": f"{len(content)} B",
                "encodingFormat": "application/zip",
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        ],
        "recordSet": [
            _records("arrays", "what the file holds", [{"name": name, "holds": text} for name, text in ARRAYS.items()]),
            _records(
                "players", "who played, in how many seats, and the means of what they achieved there",
                [player_row(played, who) for who in np.unique(played.seating)],
            ),
        ],
    }  # fmt: skip


def player_row(played: Played, who: int) -> dict[str, Any]:
    """The row of a player that took part: in how many seats it sat, and its means over them."""
    seats = played.seating == who
    values: dict[str, Any] = {"win": played.wins, "rank": played.rank, "points": played.points}
    means = {name: round(float(each[seats].mean(dtype=np.float64)), 4) for name, each in values.items()}
    return {"name": played.about.players[who], "seats": int(seats.sum())} | means


def _records(name: str, meaning: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A record set that lies in the card itself."""
    kinds = {str: "sc:Text", int: "sc:Integer", float: "sc:Float"}
    fields = [
        {"@type": "cr:Field", "@id": f"{name}/{key}", "name": key, "description": key, "dataType": kinds[type(value)]}
        for key, value in rows[0].items()
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": meaning,
        "key": {"@id": f"{name}/name"},
        "field": fields,
        "data": [{f"{name}/{key}": value for key, value in row.items()} for row in rows],
    }
