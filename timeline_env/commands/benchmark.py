"""The benchmark suite: a function for each of its commands."""

from __future__ import annotations

import secrets
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from timeline_env import cli, configs
from timeline_env.arena import page, population, tables
from timeline_env.arena.figures import figures, png
from timeline_env.arena.population import Against, PopulationPlan
from timeline_env.arena.strength import curves, draw_strength
from timeline_env.arena.summary import SAMPLES, Summary, summarize
from timeline_env.arena.tables import TextTable
from timeline_env.arena.tournament import GAMES_FILE, run
from timeline_env.commands import options
from timeline_env.extras import extra, require
from timeline_env.files import write_bytes, write_text
from timeline_env.reading import quote

if TYPE_CHECKING:
    from timeline_env.arena.suite import Suite

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
    final: Annotated[bool, typer.Option("--final", help="also against the players that are held out")] = False,
    suite: Annotated[Path | None, SUITE] = None,
    processes: options.Processes = options.CORES,
    ray: Annotated[
        str | None, typer.Option(help="a Ray cluster that plays instead: HOST:PORT, or auto for this machine's")
    ] = None,
) -> None:
    """Play every tournament of the playing track, or what is left of it, and write one report of all.

    examples:
      timeline-env benchmark playing --only timeline_2_0ms --out runs/benchmark
      timeline-env benchmark playing --only timeline_4_0ms timeline_4_25 --player mine:Player runs/four --out runs/mine
      timeline-env benchmark playing --final --ray auto
    """
    require("matplotlib", "eval")  # before the games, not after them
    chosen = load(suite, only or [])
    with extra("eval"):
        from timeline_env.arena.suite import HELD_OUT, VERSION

    wanted = [
        (name + HELD_OUT * held_out, tournament.entry.title + ", held-out players" * held_out, held_out, tournament)
        for name, tournament in chosen.items()
        for held_out in ((False, True) if final else (False,))
    ]
    plans = [tournament.plan(player or (), held_out) for _, _, held_out, tournament in wanted]
    parts, rows = [], []
    for (name, title, held_out, _), plan in zip(wanted, plans, strict=True):
        summary, found = play(name, plan, out / name, processes, ray)
        command = f"{PLAYING} --only {name.removesuffix(HELD_OUT)}" + " --final" * held_out
        parts += chapter(name, title, plan, summary, found, out / name, command)
        rows += ["", f"### {title}", tables.caption(summary) + ".", ""]
        rows += [*markdown(against_table(found)), "", *markdown(tables.standings(summary))]
    title = f"Benchmark suite, version {VERSION}: playing"
    heads = {name: title for name, title, _, _ in wanted}
    write_text(out / "report.html", page.document(title, [f"<h1>{title}</h1>", *contents(heads), *parts]))
    write_text(out / "tables.md", "\n".join(rows[1:]) + "\n")
    print(f"report: {out}/report.html; its tables in Markdown: {out}/tables.md")


def submit(
    folder: Annotated[Path, typer.Argument(help="what timeline-env benchmark playing wrote")],
    player: Entrants = None,
    sample: Annotated[
        int, typer.Option(min=1, help="parts of each tournament, of some deals each, that are played again")
    ] = 4,
    seed: Annotated[int | None, typer.Option(min=0, help="draws the parts; else they are drawn anew each time")] = None,
    suite: Annotated[Path | None, SUITE] = None,
    processes: options.Processes = options.CORES,
) -> int:
    """Check an entry: it played what the suite asks for, its games are legal, and a sample is the same when played again.

    Games in which somebody thinks for a time depend on the machine; of those, legality alone is checked. The exit code is 0
    if all is well, else 1.

    examples:
      timeline-env benchmark submit runs/mine --player mine:Player
      timeline-env benchmark submit runs/mine --player mine:Player --sample 40 --seed 1
    """
    with extra("eval"):
        from timeline_env.arena.submission import check
        from timeline_env.arena.suite import HELD_OUT

    played = sorted(file.parent.name for file in folder.glob(f"*/{GAMES_FILE}"))
    if not played:
        raise ValueError(f"{quote(str(folder))} holds no tournament that was played to its end")
    chosen = load(suite, [name.removesuffix(HELD_OUT) for name in played])
    entrants = tuple(player or ())
    drawn = secrets.randbelow(2**32) if seed is None else seed
    wrong = []
    for name in played:
        tournament = chosen[name.removesuffix(HELD_OUT)]
        plan = tournament.plan(entrants, name.endswith(HELD_OUT))
        with cli.progress(f"{name}: games played again, at most", sample * plan.size(0)) as advance:
            found = check(plan, folder / name, entrants or plan.entrants, sample, drawn, processes, advance)
        wrong += [f"{name}: {found.reason}"] * bool(found.reason)
        print(
            f"{name}: {found.games:,} of {plan.games:,} games replayed to their results, {found.again:,} played again to the same bytes, "
            f"{found.timed:,} not to be repeated, since somebody thinks for a time{'; ' * bool(found.reason)}{found.reason}"
        )
    print(f"verdict: {'refused: ' + wrong[0] if wrong else 'accepted'} (sample drawn by --seed {drawn})")
    return 1 if wrong else 0


def load(folder: Path | None, only: list[str]) -> Suite:
    """The tournaments of a suite, or those of these names."""
    with extra("eval"):
        from timeline_env.arena.suite import choose, load_suite

    return choose(load_suite(folder or configs.FOLDER / "benchmark"), only)


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
    cli.to_json(folder / "summary.json", summary.as_dict() | {"against": [row.as_dict() for row in found]})
    strength = [page.section("Strength over simulations", STRENGTH, page.picture(drawn, "strength"))] if lines else []
    return [
        f'<h1 id="{name}">{escape(title)}</h1>',
        page.section("Against the population", AGAINST, page.table(against_table(found))),
        *page.body(summary, plan.descriptions(), drawn, command),
        *strength,
    ]


def contents(titles: dict[str, str]) -> list[str]:
    """Where what is on the page."""
    lines = [f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in titles.items()]
    return [f"<p>{escape(INTRODUCTION)}</p><ul>", *lines, "</ul>"]


def against_table(found: list[Against]) -> TextTable:
    """The entrants' two numbers."""
    return population.against_table(found, "Return against the population; in brackets 95 % intervals")


def markdown(content: TextTable) -> list[str]:
    """A table, line by line."""
    rule = "|---|" + "---:|" * (len(content.header) - 1)
    rows = [f"| `{row[0]}` | " + " | ".join(row[1:]) + " |" for row in content.rows]
    return ["| " + " | ".join(content.header) + " |", rule, *rows]


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
