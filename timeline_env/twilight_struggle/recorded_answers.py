"""What a player of a recorded game chose: each of the engine's questions, answered from the lines of the phase.

`answer_to` gives the action, or None where the lines do not tell. Lines that only tell a choice are closed here.
"""

from __future__ import annotations

from timeline_env.twilight_struggle import actions, frames
from timeline_env.twilight_struggle import recorded_entries as entries
from timeline_env.twilight_struggle.board import REGION_NAMES
from timeline_env.twilight_struggle.cards import (
    CHE,
    MISSILE_ENVY,
    NO_CARD,
    OLYMPIC_GAMES,
    SALT,
    STAR_WARS,
    STOP_WORRYING,
    SUMMIT,
    UN_INTERVENTION,
    WARGAMES,
    WARSAW_PACT,
)
from timeline_env.twilight_struggle.recorded_comparison import SIDES
from timeline_env.twilight_struggle.recorded_page import Page
from timeline_env.twilight_struggle.recorded_table import Draw, RecordedTable, die

USES = {"influence": actions.INFLUENCE, "coup": actions.COUP, "realignment": actions.REALIGN}
REMOVES = (frames.TAKE, frames.TAKE_ALL)


def answer_to(table: RecordedTable, page: Page) -> int | None:
    """The action chosen for the question on top, with the dice it will roll; None if the lines do not tell."""
    kind = table.top(frames.KIND)
    if kind in ANSWERS:
        return ANSWERS[kind](table, page)
    return country_chosen(table, page)


def card_action(card: int | None) -> int | None:
    return None if card is None else actions.CARD + card - 1


def stopped(table: RecordedTable) -> int | None:
    """No more, if the question may be left."""
    return actions.STOP if table.s.legal[actions.STOP] else None


def headline(table: RecordedTable, page: Page) -> int | None:
    side = SIDES[table.top(frames.SEAT)]
    for entry in page.every(entries.Headline):
        if entry.side == side:
            page.close(entry)
            return card_action(entry.card)
    return None


def card_to_play(table: RecordedTable, page: Page) -> int | None:
    """The card of the round; of 67's, what the US plays, or nothing if it gives it back."""
    if table.top(frames.LEFT) == NO_CARD:
        assert isinstance(page.header, entries.ActionRound)
        return stopped(table) if page.header.card is None else card_action(page.header.card)
    if page.take(entries.Returns):
        return stopped(table)
    played = page.take(entries.Plays)
    return card_action(played.card) if played else None


def use_of_card(table: RecordedTable, page: Page) -> int | None:
    """Whichever comes first, the event or the operations; no line at all if neither did anything."""
    act = page.next_act()
    while again := page.take(entries.Plays) if table.top(frames.VALUE) != UN_INTERVENTION else None:
        assert again.card == table.top(frames.VALUE), again
    if isinstance(act, entries.Operations):
        return actions.USE + (space(table, page, act) if act.use == "space" else actions.OPERATIONS)
    if act is not None or table.s.legal[actions.USE + actions.EVENT]:
        return actions.USE + actions.EVENT
    return None


def space(table: RecordedTable, page: Page, act: entries.Operations) -> int:
    page.close(act)
    roll(table, page.take(entries.SpaceDie))
    return actions.SPACE


def operation(table: RecordedTable, page: Page) -> int | None:
    """Influence, coup or realignment; what may be left is left if its lines are owed to somebody else."""
    act = page.next_act()
    if table.s.legal[actions.STOP] and is_owed(table, page):
        return actions.STOP
    if not isinstance(act, entries.Operations) or act.use not in USES:
        return None
    page.close(act)
    return actions.OPERATION + USES[act.use]


def coup(table: RecordedTable, page: Page) -> int | None:
    """107 asks for the country at once, and the coup may be left."""
    if table.top(frames.VALUE) == CHE and table.top(frames.OPTIONAL):
        act = page.next_act()
        if not (isinstance(act, entries.Operations) and act.use == "coup") or is_owed(table, page):
            return stopped(table)
        page.close(act)
    target = page.take(entries.Target)
    roll(table, page.take(entries.Coup))
    return actions.COUNTRY + target.country if target else None


def is_owed(table: RecordedTable, page: Page) -> bool:
    """True if the operations ahead are those of the questions below."""
    owed = sum(int(row[frames.KIND]) == frames.OPERATION for row in table.s.question[: table.s.depth - 1])
    return page.operations_ahead() <= owed


def realign(table: RecordedTable, page: Page) -> int | None:
    target = page.take(entries.Target)
    if target is None:
        return stopped(table)
    roll(table, page.take(entries.Roll), page.take(entries.Roll))
    return actions.COUNTRY + target.country


def war(table: RecordedTable, page: Page) -> int | None:
    target = page.take(entries.War)
    roll(table, page.take(entries.WarDie))
    return actions.COUNTRY + target.country if target else None


Rolled = entries.Coup | entries.Roll | entries.WarDie | entries.SpaceDie | entries.TrapDie


def roll(table: RecordedTable, *lines: Rolled | None) -> None:
    """The next dice are those of the lines."""
    draws: list[Draw] = [die(line.die) for line in lines if line]
    table.draw_next(*draws)


def country_chosen(table: RecordedTable, page: Page) -> int | None:
    """A country whose line is not yet true; where several are, one with the least influence (the set-up's are summed)."""
    kind, side = table.top(frames.KIND), table.top(frames.SIDE)
    if kind == frames.PLACE:
        side = table.top(frames.SEAT)
    told = [
        entry.country
        for entry in page.block(entries.Influence)
        if entry.side == SIDES[side] and (entry.change < 0) == (kind in REMOVES)
    ]
    rows = [country for country in told if table.s.legal[actions.COUNTRY + country]]
    if not rows:
        return actions.COUNTRY + told[0] if told and stopped(table) is None else stopped(table)
    if table.top(frames.VALUE) == NO_CARD and kind == frames.ADD:
        rows.sort(key=lambda country: int(table.s.influence[side, country]))
    return actions.COUNTRY + rows[0]


def choice(table: RecordedTable, page: Page) -> int | None:
    """16: removes or adds; 20: takes part or boycotts; 53: 2 in one country or about; 100: ends the game or not."""
    card = table.top(frames.VALUE)
    lines = page.block(entries.Influence)
    if card == WARSAW_PACT:
        second = any(line.side == "USSR" for line in lines)
    elif card == OLYMPIC_GAMES:
        answer = page.take(entries.Boycott)
        second = answer is not None and answer.boycotts
    elif card == WARGAMES:
        second = page.next_act() is not None
    else:
        second = lines[0].change < 2
    return actions.OPTION + second


def picked(table: RecordedTable, page: Page) -> int | None:
    """A card for an event."""
    source = table.top(frames.VALUE)
    if source == STAR_WARS:
        act = page.next_act()
        return card_action(act.card) if isinstance(act, entries.Event) else None
    kind: type[entries.Reveal] | type[entries.Plays] | type[entries.Discard] = entries.Discard
    if source == UN_INTERVENTION:
        page.begin_event(UN_INTERVENTION)
        kind = entries.Plays
    elif source in (SALT, MISSILE_ENVY):
        kind = entries.Reveal
    line = page.take(kind)
    return card_action(line.card) if line else stopped(table)


def level(table: RecordedTable, page: Page) -> int | None:
    """45: down, up or as it is; 46: a level; 94: a region."""
    source = table.top(frames.VALUE)
    if source in (SUMMIT, STOP_WORRYING):
        lines = page.block(entries.Defcon)
        wanted = lines[0].level if lines else int(table.s.defcon)
        if source == STOP_WORRYING:
            return actions.OPTION + wanted - 1
        return actions.OPTION + (2 if wanted == table.s.defcon else int(wanted > table.s.defcon))
    named = page.take(entries.RegionChoice)
    if named is None:
        return None
    return actions.OPTION + (REGION_NAMES.index(named.region) if named.region else 0)


def trap(table: RecordedTable, page: Page) -> int | None:
    discarded = page.take(entries.Discard)
    roll(table, page.take(entries.TrapDie))
    return card_action(discarded.card) if discarded else None


def left_over(table: RecordedTable, page: Page) -> int | None:
    """Box 6 of the space race."""
    discarded = page.take(entries.Discard)
    return card_action(discarded.card) if discarded else stopped(table)


ANSWERS = {
    frames.HEADLINE: headline,
    frames.PLAY: card_to_play,
    frames.USE: use_of_card,
    frames.OPERATION: operation,
    frames.COUP: coup,
    frames.REALIGN: realign,
    frames.WAR: war,
    frames.YES_NO: choice,
    frames.PICK: picked,
    frames.LEVEL: level,
    frames.TRAP: trap,
    frames.ESCAPE: lambda table, page: stopped(table),
    frames.LEAVE_HAND: left_over,
}
