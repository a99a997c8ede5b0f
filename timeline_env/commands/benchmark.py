"""The benchmark suite: a function for each of its commands."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Iterable
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from timeline_env import cli, configs
from timeline_env.arena import page, population, tables
from timeline_env.arena.deals import SEEDS
from timeline_env.arena.estimates import FEWEST_DEALS
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.figures import figures, png
from timeline_env.arena.markdown import markdown_table
from timeline_env.arena.population import Against, PopulationPlan
from timeline_env.arena.records import NUMBERS, TABLES, join_tables, measure_all, write_tables
from timeline_env.arena.strength import curves, draw_strength
from timeline_env.arena.summary import SAMPLES, Summary, summarize
from timeline_env.arena.tables import TextTable
from timeline_env.arena.tournament import GAMES_FILE, PLAN_FILE, describe_time, run
from timeline_env.commands import options
from timeline_env.engine.variants import changes
from timeline_env.extras import extra, require
from timeline_env.failures import PlayerFailed
from timeline_env.files import write_bytes, write_json, write_text
from timeline_env.players import load_player
from timeline_env.players.registry import find_game
from timeline_env.reading import quote, read_json, unknown_name

if TYPE_CHECKING:
    from timeline_env.arena.suite import Suite, Tournament

PLAYING = "timeline-env benchmark playing"
SUITE = typer.Option(help="a folder like configs/benchmark; else that one")
Entrants = Annotated[
    list[str] | None,
    typer.Option(
        help="your players, who enter every tournament: module:Class, process:COMMAND, a trained agent's path, …"
    ),
]


def playing(
    out: Annotated[Path, typer.Option(help="where the games and the report go; if begun there, it goes on")] = Path(
        "runs/benchmark"
    ),
    only: Annotated[
        list[str] | None, typer.Option(help="tournaments of the suite, by the names of their files")
    ] = None,
    player: Entrants = None,
    final: Annotated[
        bool,
        typer.Option("--final", help="also against the players that are held out, where a tournament has such a table"),
    ] = False,
    suite: Annotated[Path | None, SUITE] = None,
    processes: options.Processes = options.CORES,
    ray: Annotated[
        str | None, typer.Option(help="a Ray cluster that plays instead: HOST:PORT, or auto for this machine's")
    ] = None,
) -> None:
    """Play every tournament of the playing track, or what is left of it, and write one report of those that were asked for.

    examples:
      timeline-env benchmark playing --only timeline_2_0ms --out runs/benchmark
      timeline-env benchmark playing --only timeline_4_0ms timeline_4_25 --player mine:Player runs/four --out runs/mine
      timeline-env benchmark playing --final --ray auto
    """
    require("matplotlib", "eval")  # before the games, not after them
    if ray:
        require("ray", "rllib")
    with extra("eval"):
        from timeline_env.arena.suite import HELD_OUT, VERSION, choose

    all_of_it = load(suite)
    chosen = choose(all_of_it, only or [])
    if final and not any(tournament.is_final for tournament in chosen.values()):
        raise ValueError(f"--final: {quote(' '.join(chosen))} has no table against the players that are held out")
    wanted = [
        (name + HELD_OUT * held_out, tournament.entry.title + ", held-out players" * held_out, held_out, tournament)
        for name, tournament in chosen.items()
        for held_out in ((False, True) if final and tournament.is_final else (False,))
    ]
    plans = [tournament.plan(player or (), held_out) for _, _, held_out, tournament in wanted]
    given = [*(["--player", *player] if player else []), *(["--suite", str(suite)] if suite else [])]
    parts = []
    for (name, title, held_out, _), plan in zip(wanted, plans, strict=True):
        summary, found = play(name, plan, out / name, processes, ray)
        words = ["--only", name.removesuffix(HELD_OUT), *given, *(["--final"] if held_out else [])]
        command = f"{PLAYING} {shlex.join(words)}"
        parts += chapter(name, title, plan, summary, found, out / name, command)
        lines = [f"### {title}", tables.caption(summary) + ".", "", *markdown(against_table(found)), ""]
        write_text(out / name / TABLES, "\n".join([*lines, *markdown(tables.standings(summary))]) + "\n")
    title = f"Benchmark suite, version {VERSION}: playing"
    heads = {name: title for name, title, _, _ in wanted}
    write_text(out / "report.html", page.document(title, [f"<h1>{title}</h1>", *contents(heads), *parts]))
    there = [out / (name + held_out) / TABLES for name in all_of_it for held_out in ("", HELD_OUT)]
    write_text(out / TABLES, join_tables(filter(Path.exists, there)))
    for name, *_ in wanted:
        if took := describe_time(out / name):
            print(f"{name}: {took}")
    print(f"report: {out}/report.html; the tables of all that was played there, in Markdown: {out}/{TABLES}")


def submit(
    folder: Annotated[Path, typer.Argument(help="what timeline-env benchmark playing wrote")],
    player: Entrants = None,
    sample: Annotated[
        int,
        typer.Option(
            min=1,
            help="parts of your tables of each tournament, and of the others', that are played again: some deals each",
        ),
    ] = 40,
    seed: Annotated[int | None, typer.Option(min=0, help="draws the parts; else they are drawn anew each time")] = None,
    suite: Annotated[Path | None, SUITE] = None,
    processes: options.Processes = options.CORES,
) -> int:
    """Check an entry: it played what the suite asks for, its games are legal, and a sample is the same when played again.

    Games in which somebody thinks for a time depend on the machine: those are not played again, and all else is checked of
    them too. The exit code is 0 if all is well, else 1.

    examples:
      timeline-env benchmark submit runs/mine --player mine:Player
      timeline-env benchmark submit runs/mine --player mine:Player --sample 4 --seed 1
    """
    begun, played = tournaments_in(folder)
    there = load(suite)
    drawn = secrets.randbelow(SEEDS) if seed is None else seed
    wrong = [f"{cli.flatten_text(name)}: it was not played to its end" for name in begun if name not in played]
    print("\n".join(wrong), end="\n" * bool(wrong))
    for name in played:
        wrong += check_tournament(folder / name, there, tuple(player or ()), sample, drawn, processes)
    print(f"verdict: {'refused: ' + wrong[0] if wrong else 'accepted'} (sample drawn by --seed {drawn})")
    return 1 if wrong else 0


def tournaments_in(folder: Path) -> tuple[list[str], list[str]]:
    """The names of the tournaments that were begun in the folder of an entry, and of those that were played to their ends.

    Raises ValueError if there are none of the latter.
    """
    begun = {file.parent.name for kind in (GAMES_FILE, PLAN_FILE, "parts") for file in folder.glob(f"*/{kind}")}
    played = sorted(name for name in begun if (folder / name / GAMES_FILE).exists())
    if played:
        return sorted(begun), played
    if not folder.is_dir():
        raise ValueError(f"there is no folder {quote(str(folder))}")
    if (folder / PLAN_FILE).exists():
        raise ValueError(
            f"{quote(str(folder))} is the folder of one tournament; give that of the entry, which holds it"
        )
    raise ValueError(f"{quote(str(folder))} holds no tournament that was played to its end")


def check_tournament(
    folder: Path, there: Suite, entrants: tuple[str, ...], sample: int, seed: int, processes: int
) -> list[str]:
    """Check a tournament of an entry, and print what was found; gives what is wrong with it: nothing, or one reason."""
    from timeline_env.arena.submission import check

    entered = entrants_in(folder)
    try:
        plan, tournament = plan_of_entry(folder.name, there, entrants, entered)
    except (ValueError, PlayerFailed) as error:
        reason = f"{cli.flatten_text(folder.name)}: {error}"
        print(reason)
        return [reason]
    with cli.progress(f"{folder.name}: games played again, at most", 2 * sample * plan.size(0)) as advance:
        who = entrants or plan.entrants
        found = check(plan, tournament.is_timed, folder, who, sample, seed, processes, advance)
    print(
        f"{folder.name}: {found.games:,} of {plan.games:,} games replayed to their results, "
        f"{found.again:,} played again to the same bytes ({found.parts} of your {found.theirs} parts that can be), "
        f"{found.timed:,} not to be repeated, since somebody thinks for a time{'; ' * bool(found.reason)}{found.reason}"
    )
    if found.reason:
        return [f"{folder.name}: {found.reason}"]
    print("\n".join(["", *markdown(against_table([*found.against])), ""]))
    return []


def plan_of_entry(
    name: str, there: Suite, entrants: tuple[str, ...], entered: list[str]
) -> tuple[PopulationPlan, Tournament]:
    """What was to be played in the tournament of this name, by the suite and the `entrants` that are given.

    Raises:
        ValueError: the suite has no such tournament, somebody `entered` who is not given, or as `Tournament.plan` does.
        PlayerFailed: a player's own code failed as it was made.
    """
    from timeline_env.arena.suite import HELD_OUT

    known = name.removesuffix(HELD_OUT)
    if known not in there:
        raise unknown_name("tournament", name, there)
    plan = there[known].plan(sort_entrants(entrants, entered), name.endswith(HELD_OUT))
    if unnamed := next((one for one in entered if one not in plan.entrants), ""):
        raise ValueError(f"{quote(unnamed)} entered; give it as --player")
    return plan, there[known]


def sort_entrants(given: Iterable[str], entered: list[str]) -> tuple[str, ...]:
    """The players that are given, in the order in which they entered; then those that did not."""
    return tuple(sorted(given, key=lambda name: entered.index(name) if name in entered else len(entered)))


def entrants_in(folder: Path) -> list[str]:
    """Who entered a tournament, in order; nobody if its plan cannot be read."""
    try:
        told = read_json(folder / PLAN_FILE, PLAN_FILE)
    except ValueError:
        return []
    entered = told.get("entrants") if isinstance(told, dict) else None
    return list(map(str, entered)) if isinstance(entered, list) else []


def load(folder: Path | None) -> Suite:
    """The tournaments of a suite."""
    with extra("eval"):
        from timeline_env.arena.suite import load_suite

    return load_suite(folder or configs.FOLDER / "benchmark")


def play(
    name: str, plan: PopulationPlan, folder: Path, processes: int, ray: str | None
) -> tuple[Summary, list[Against]]:
    """Play one tournament into its folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with cli.progress(f"{name}: games", plan.games) as advance:
        played = run(plan, folder, processes, advance, ray)
    with cli.progress(f"{name}: bootstrap samples", SAMPLES) as advance:
        return summarize(played, advance), population.against(plan, played)


def chapter(
    name: str, title: str, plan: PopulationPlan, summary: Summary, found: list[Against], folder: Path, command: str
) -> list[str]:
    """Write a tournament's numbers and pictures; gives its part of the page."""
    drawn, lines = figures(summary), curves(summary)
    if lines:
        drawn["strength"] = png(draw_strength(summary, lines))
    for picture, content in drawn.items():
        write_bytes(folder / f"{picture}.png", content)
    write_json(folder / "summary.json", summary.as_dict() | {"against": [row.as_dict() for row in found]})
    strength = [page.section("Strength over simulations", STRENGTH, page.picture(drawn, "strength"))] if lines else []
    return [
        f'<h1 id="{name}">{escape(title)}</h1>',
        page.section("Against the population", AGAINST, page.table(against_table(found))),
        *page.body(summary, plan.descriptions(), drawn, command),
        *strength,
    ]


def contents(titles: dict[str, str]) -> list[str]:
    """The page's introduction, and links to its parts."""
    lines = [f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in titles.items()]
    return [f"<p>{escape(INTRODUCTION)}</p><ul>", *lines, "</ul>"]


def against_table(found: list[Against]) -> TextTable:
    """The entrants' two numbers."""
    return population.against_table(found, "Return against the population; in brackets 95 % intervals")


def markdown(content: TextTable) -> list[str]:
    """A table, line by line, the players' names as code."""
    return markdown_table(content.header, [(f"`{row[0]}`", *row[1:]) for row in content.rows])


INTRODUCTION = (
    "Each tournament is fixed by a file of the suite: the population, the deals, the entrants and their budgets. Every entrant meets "
    "every player of the population, alone among copies of it; entrants do not meet each other. docs/benchmark.md says how a row is "
    "added."
)
AGAINST = (
    "The return is 1 for the first place, evenly spaced down to -1 for the last, in the mean over the players of the population, each "
    "counting alike. The worst opponent is the one against whom the return was lowest; its interval is of the games against it alone, and "
    "being the lowest of several it is a little too low. The ratings below are of all who sat at a table: players of the population have "
    "met the entrants alone."
)
STRENGTH = "The ratings above over the simulations that the search may spend on a decision; dashed, the players that do not search or have one budget."


def learning(
    out: Annotated[Path, typer.Option(help="where runs, games and tables go; if begun there, it goes on")] = Path(
        "runs/learning"
    ),
    only: Annotated[
        str | None, typer.Option(help="one entry, by the name of its file; else those of the fewest decisions")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="train by your configuration, a name or a file, in the place of the entry's")
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            help="agents that you have trained, one of each seed: run folders or files; then nothing is trained"
        ),
    ] = None,
    track: Annotated[Path | None, typer.Option(help="a folder of files like the track's; else the track")] = None,
    processes: options.Processes = options.CORES,
) -> None:
    """Train agents of several seeds with a fixed number of decisions, and measure them by others and by each other.

    examples:
      timeline-env benchmark learning --only timeline_2_1m --out runs/learning
      timeline-env benchmark learning --only timeline_2_1m --config mine.yaml --out runs/mine
      timeline-env benchmark learning --only timeline_2_1m --agents runs/a runs/b runs/c runs/d runs/e --out runs/mine
    """
    with extra("train"):
        from training.learners.rllib.python import run_where_ray_is
        from training.tracks import learning as track_of
        from training.tracks.entries import LearningEntry, choose, load_entries, with_config

    if agents and (config or only is None):
        raise ValueError("--agents: name their entry with --only; and they are trained already, so leave --config out")
    entries = choose(load_entries(track or configs.FOLDER / "benchmark" / "learning", LearningEntry), only)
    entries = with_config(entries, config)
    given = agents or ()
    for entry in entries.values() if not given else ():
        run_where_ray_is(entry.configs()[0])
    measure_all(
        out,
        entries,
        lambda name, entry: track_of.learn(entry, out / name, given, sys.argv, processes),
        track_of.markdown,
    )


def responses(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="baselines, module:Class or trained agents' paths; each is frozen and meets a challenger of its own",
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="where the challengers and the table go; if begun there, it goes on")
    ] = Path("runs/responses"),
    game: options.GameName = None,
    players: options.Players = None,
    decisions: Annotated[
        int, typer.Option(min=1, help="from which each challenger learns, rounded up to whole updates")
    ] = 10_000_000,
    games: Annotated[
        int, typer.Option(help="final games of each, rounded up to whole deals, each played once for every seat")
    ] = 4000,
    config: options.ChallengerConfig = None,
    rules: options.Rules = None,
    seed: options.TrainingSeed = 0,
    processes: options.Processes = options.CORES,
) -> None:
    """Train a best response to each of several players with a fixed number of decisions, and say how far each gets.

    The table holds the players that are named, those trained before among them.

    examples:
      timeline-env benchmark responses random greedy projector shipped --players 2 --out runs/responses
      timeline-env benchmark responses heuristic shipped --game twilight_struggle --out runs/responses_ts
    """
    played, players = find_game(names, game, players)
    players = played.usual_players if players is None else players
    for name in names:
        load_player(name, played, seed, players, rules)
    if games < FEWEST_DEALS * players:
        raise ValueError(f"--games {games} must be at least {FEWEST_DEALS * players}: {FEWEST_DEALS} deals, every seat")
    deals_for(games, players)
    with extra("train"):
        from training.best_response import challenger_config
        from training.learners.rllib.python import run_where_ray_is
        from training.tracks import responses as track_of
    changed = changes(rules) or None
    wanted = [
        (name, challenger_config(name, played, None, decisions, config, num_players=players, rules=changed, seed=seed))
        for name in names
    ]
    run_where_ray_is(wanted[0][1])
    found = track_of.respond_to_all(wanted, out, games, sys.argv, processes)
    lines = track_of.markdown(wanted[0][1], found, games)
    write_tables(out, {row.player: asdict(row) for row in found}, lines)
    print(f"the table in Markdown: {out}/{TABLES}; its numbers: {out}/{NUMBERS}")


def generalisation(
    out: Annotated[Path, typer.Option(help="where runs, games and tables go; if begun there, it goes on")] = Path(
        "runs/generalisation"
    ),
    only: Annotated[
        str | None, typer.Option(help="one entry, by the name of its file; else those of the fewest decisions")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="train by your configuration, a name or a file, in the place of the entries'")
    ] = None,
    track: Annotated[Path | None, typer.Option(help="a folder of files like the track's; else the track")] = None,
    processes: options.Processes = options.CORES,
) -> None:
    """Train agents in one setting and play them in others: as they are, adapted, and beside agents trained there.

    examples:
      timeline-env benchmark generalisation --only timeline_players --out runs/generalisation
      timeline-env benchmark generalisation --only timeline_cards --config mine.yaml --out runs/mine
    """
    with extra("train"):
        from training.tracks import generalisation as track_of
        from training.tracks.entries import GeneralisationEntry, choose, load_entries, with_config

    entries = choose(load_entries(track or configs.FOLDER / "benchmark" / "generalisation", GeneralisationEntry), only)
    entries = with_config(entries, config)
    measure_all(
        out, entries, lambda name, entry: track_of.generalise(entry, out / name, sys.argv, processes), track_of.markdown
    )
