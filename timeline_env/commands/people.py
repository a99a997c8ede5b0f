"""Twilight Struggle: what players choose, how their games end and what they waste, beside people."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.twilight_struggle import endings as measured
from timeline_env.arena.twilight_struggle.agreement import CHANCE, Agreement, agreement
from timeline_env.arena.twilight_struggle.dominated import CRITERIA, people_counts, player_counts
from timeline_env.arena.twilight_struggle.people import PeopleGame, read_games
from timeline_env.commands import options
from timeline_env.commands.options import refuse_idle
from timeline_env.files import check_writable, write_json
from timeline_env.reading import check_players

Logs = Annotated[
    list[Path], typer.Option(help="recorded games: files, or folders of them (*.txt, or converted *.json)")
]
Names = typer.Argument(help="players: names, module:Class, trained agents' paths, searches", metavar="PLAYERS")
Json = Annotated[Path | None, typer.Option(help="write the result here, too")]


def agree(
    players: Annotated[list[str], Names],
    logs: Logs,
    seed: Annotated[int, typer.Option(help="of what players draw")] = 0,
    json: Json = None,
) -> None:
    """Put every decision of recorded games to PLAYERS, who know what the person's seat knew, and count how often they agree.

    Influence of one operation, and countries of one event, are compared without order: there a player is asked on along
    its own course. `chance` is what a uniformly random player is expected to reach. A game that breaks off is used up to
    there. Intervals are 95 %, over games.

    example:
      timeline-env people agree heuristic shipped --logs games
    """
    check_players(players, 1)
    games = _read(logs, json)
    decisions = sum(len(game.actions) for game in games)
    with cli.progress("decisions", decisions * len(players)) as advance:
        counts, found = agreement(games, players, seed, advance)
    rows = [
        (kind, f"{count:,}", *(_cell(each, each.by_kind[kind]) for each in found)) for kind, count in counts.items()
    ]
    rows.append(("all", f"{decisions:,}", *(_cell(each, each.overall) for each in found)))
    rows.append(("all, by plays", "", *(_cell(each, each.by_play) for each in found)))
    cli.show_table(
        f"{len(games)} games of people, {decisions:,} decisions: % on which a player chooses the same",
        ("decision", "number", *(each.player for each in found)),
        rows,
    )
    if json is not None:
        write_json(
            json, {"games": [game.name for game in games], "decisions": counts, "players": list(map(asdict, found))}
        )


def endings(
    players: Annotated[list[str], Names],
    against: Annotated[str | None, typer.Option(help="the other player; else each plays itself")] = None,
    games: Annotated[int, typer.Option(help="of each; against another rounded up to both sides of whole deals")] = 1000,
    seed: options.Seed = 0,
    json: Json = None,
) -> None:
    """Play games of PLAYERS and say how they end, beside 47,928 tournament games between people.

    examples:
      timeline-env people endings heuristic shipped
      timeline-env people endings shipped --against heuristic --games 400
    """
    check_players(players, 1)
    if json is not None:
        check_writable("--json", json)
    known = measured.people()
    with cli.progress("games", games * len(players)) as advance:
        found = [measured.endings(name, against, games, seed, advance) for name in players]
    rows = [
        (words, f"{100 * known.ends[key]:.4g}", *(each.ends[key].text(100) for each in found))
        for key, (words, _) in measured.ENDS.items()
    ]
    rows.append(("won by the USSR", f"{100 * known.ussr:.4g}", *(each.ussr.text(100) for each in found)))
    rows.append(("last turn, mean", f"{known.last_turn:.2f}", *(each.last_turn.text(1, 2) for each in found)))
    if against is not None:
        rows.append(("won by the player", "", *(each.won.text(100) for each in found)))
    cli.show_table(
        f"How games end, % ({found[0].games:,} games of each player against {against or 'itself'})",
        ("", "people", *(each.player for each in found)),
        rows,
    )
    print(f"people: {known.source}")
    if json is not None:
        write_json(json, {"people": vars(known), "players": [each.as_dict() for each in found]})


def dominated(
    players: Annotated[list[str] | None, Names] = None,
    logs: Annotated[
        list[Path] | None, typer.Option(help="recorded games, too: files, or folders of them (*.txt, *.json)")
    ] = None,
    against: Annotated[str | None, typer.Option(help="the other player; else each plays itself")] = None,
    games: Annotated[int | None, typer.Option(min=2, help="that each of PLAYERS plays; else 200")] = None,
    seed: Annotated[int | None, typer.Option(help="of these games; else 0")] = None,
    json: Json = None,
) -> None:
    """Count decisions that another legal one dominates, of people in recorded games and of PLAYERS in games of their own.

    Each cell is how often it was done, of how often it could be, with the share in % and its interval of 95 % over games.

    examples:
      timeline-env people dominated --logs games
      timeline-env people dominated cautious heuristic --games 400
    """
    if not players and not logs:
        raise ValueError("give PLAYERS, --logs, or both")
    if players:
        check_players(players, 1)
    else:
        refuse_idle("without PLAYERS", {"--against": against, "--games": games, "--seed": seed})
    games, seed = 200 if games is None else games, seed or 0
    recorded, found = _read(logs, json) if logs else [], []
    if logs:
        with cli.progress("games", len(recorded)) as advance:
            found.append(people_counts(recorded, advance))
    elif json is not None:
        check_writable("--json", json)
    with cli.progress("games", games * len(players or [])) as advance:
        found += [player_counts(name, against, games, seed, advance) for name in players or []]
    rows = [
        (
            criterion,
            *(
                f"{each.done[number]:,} of {each.chances[number]:,}" + (f": {told.text(100)}" if told else "")
                for each in found
                for told in [each.shares[number]]
            ),
        )
        for number, criterion in enumerate(CRITERIA)
    ]
    cli.show_table("Dominated decisions", ("", *(f"{each.name} ({each.games:,} games)" for each in found)), rows)
    if json is not None:
        write_json(json, [each.as_dict() for each in found])


def _cell(found: Agreement, share: Estimate) -> str:
    """A share in %; of chance, which is no sample, without an interval."""
    return f"{100 * share.mean:.1f}" if found.player == CHANCE else share.text(100)


def _read(logs: list[Path], json: Path | None) -> list[PeopleGame]:
    """The recorded games; prints what is left out of them."""
    if json is not None:
        check_writable("--json", json)
    return read_games(logs, lambda line: print(line, flush=True))
