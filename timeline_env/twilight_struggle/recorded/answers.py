"""What a player of a recorded game chose: each of the engine's questions, answered from the lines of the phase.

`answer_to` gives the action, or None where the lines do not say. Lines that only give a choice or a die are closed here;
what else they say (operations, and what is added to dice) must be as the engine has it.
"""

from __future__ import annotations

from timeline_env.engine.dice import die
from timeline_env.twilight_struggle import actions, board, cards, frames, numbers, turn
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.recorded import comparison, entries
from timeline_env.twilight_struggle.recorded.page import Page
from timeline_env.twilight_struggle.recorded.table import RecordedTable

USES = {"influence": actions.INFLUENCE, "coup": actions.COUP, "realignment": actions.REALIGN}
REMOVES = (frames.TAKE, frames.TAKE_ALL)
CHANGES_INFLUENCE = (frames.PLACE, *range(frames.ADD, frames.DOUBLE + 1))
BOYCOTT_OPS = 4
"""20: what a boycott gives the sponsor; all other events grant as many Ops as are printed on their card."""
BUY_OFFS = {turn.CUBA: 0, turn.WEST_GERMANY: 1, turn.TURKEY: 2}
"""Where the Cuban Missile Crisis is bought off -> the place among the actions."""


def answer_to(table: RecordedTable, page: Page) -> int | None:
    """The action chosen for the question on top, with the dice it will roll; None if the lines do not say."""
    bought = buy_off(table, page)
    if bought is not None:
        return bought
    kind = table.top(frames.KIND)
    if kind in ANSWERS:
        return ANSWERS[kind](table, page)
    return choose_country(table, page)


def seat_asked(table: RecordedTable) -> str:
    return comparison.SIDES[table.top(frames.SEAT)]


def card_action(card: int | None) -> int | None:
    return None if card is None else actions.CARD + card - 1


def stop(table: RecordedTable) -> int | None:
    """The action that stops, if the question may be declined; else None."""
    return actions.STOP if table.s.legal[actions.STOP] else None


def buy_off(table: RecordedTable, page: Page) -> int | None:
    """40: whenever the marked side is asked anything, two points and the end of the crisis may come first."""
    match page.first_entries(2):
        case [entries.Influence(change=-2) as paid, entries.InPlay(cards.CUBAN_MISSILES, begins=False)]:
            return action_if_legal(table, paid)
        case [entries.Influence(change=-2) as paid] if table.top(frames.KIND) not in CHANGES_INFLUENCE:
            return action_if_legal(table, paid)  # the log breaks off there
    return None


def action_if_legal(table: RecordedTable, paid: entries.Influence) -> int | None:
    """The buy-off that this line pays for; None if it is not one, or not a legal one."""
    if paid.country not in BUY_OFFS or paid.side != seat_asked(table):
        return None
    action = actions.BUY_OFF + BUY_OFFS[paid.country]
    return action if table.s.legal[action] else None


def headline(table: RecordedTable, page: Page) -> int | None:
    """The headline of the side asked, which is the next that the header names."""
    shown = next(iter(page.open_entries(entries.Headline)), None)
    if shown is None or not isinstance(page.header, entries.HeadlinePhase):
        return None
    page.close(shown)
    is_first = table.s.depth > 1 and table.s.question[table.s.depth - 2, frames.KIND] == frames.HEADLINE
    named = page.header.first_card if is_first else page.header.second_card
    page.require(shown, entries.Headline(seat_asked(table), shown.card if named is None else named))
    return card_action(shown.card)


def card_to_play(table: RecordedTable, page: Page) -> int | None:
    """The card of the round; for the card drawn by 67, what the US plays, or the action that stops if it gives it back."""
    drawn = table.top(frames.LEFT)
    if drawn == cards.NO_CARD:
        if not isinstance(page.header, entries.ActionRound):
            return None
        return stop(table) if page.header.card is None else card_action(page.header.card)
    returned = page.take(entries.Returns)
    if returned:
        page.require(returned, entries.Returns(comparison.SIDES[US], drawn, comparison.SIDES[USSR]))
        return stop(table)
    return card_played(table, page)


def card_played(table: RecordedTable, page: Page) -> int | None:
    """A card that the side asked plays inside another's event."""
    played = page.take(entries.Plays)
    if played is None:
        return None
    page.require(played, entries.Plays(seat_asked(table), played.card))
    return card_action(played.card)


def use_of_card(table: RecordedTable, page: Page) -> int | None:
    """Whichever comes first, the event or the operations; no line at all if neither did anything. 67 writes its card twice."""
    card = table.top(frames.VALUE)
    if page.act() == entries.Event(cards.GRAIN_SALES):
        again = page.take(entries.Plays)
        if again is None:
            return None
        page.require(again, entries.Plays(seat_asked(table), card))
    act = page.next_act()
    if isinstance(act, entries.Operations):
        return actions.USE + (space(table, page, act) if act.use == "space" else actions.OPERATIONS)
    if act is not None or (table.s.legal[actions.USE + actions.EVENT] and not page.is_at_end):
        return actions.USE + actions.EVENT
    return None


def space(table: RecordedTable, page: Page, act: entries.Operations) -> int:
    """R6.4: the die against the next box's number."""
    page.close(act)
    seat = table.top(frames.SEAT)
    page.require(act, entries.Operations("space", table.ops_of(seat, int(cards.OPS[table.top(frames.VALUE)]))))
    rolled = page.take(entries.SpaceDie)
    if rolled is not None:
        needed = int(numbers.SPACE_DIE[min(table.s.space[seat] + 1, len(numbers.SPACE_DIE) - 1)])
        page.require(rolled, entries.SpaceDie(rolled.die <= needed, rolled.die, needed))
        table.draw_next(die(rolled.die))
    return actions.SPACE


def operation(table: RecordedTable, page: Page) -> int | None:
    """Influence, coup or realignment; what may be declined is declined if the lines are owed to a question below (`is_owed`)."""
    act = page.next_act()
    if not isinstance(act, entries.Operations) or act.use not in USES or is_owed(table, page):
        return stop(table)
    close_operations(table, page, act)
    return actions.OPERATION + USES[act.use]


def close_operations(table: RecordedTable, page: Page, act: entries.Operations) -> None:
    """The Ops of a coup include the changes by 25, 31 and 51; all others are as printed or granted."""
    page.close(act)
    card, below = table.top(frames.VALUE), table.s.question[table.s.depth - 2, frames.KIND]
    printed = BOYCOTT_OPS if card == cards.OLYMPIC_GAMES and below == frames.RUN else int(cards.OPS[card])
    page.require(act, entries.Operations(act.use, table.top(frames.OPS) if act.use == "coup" else printed))


def coup(table: RecordedTable, page: Page) -> int | None:
    """107 asks for the country at once, and the coup may be declined: not announced, or announced without a target."""
    if is_coup_of_che(table):
        declined, act = close_declined(table, page), page.next_act()
        if declined and page.is_at_end:
            return None  # the log may break off before the target
        if declined or not isinstance(act, entries.Operations) or not is_aimed(page) or is_owed(table, page):
            return stop(table)
        close_operations(table, page, act)
    target = page.take(entries.Target)
    return roll_coup(table, page, target) if target else None


def is_coup_of_che(table: RecordedTable) -> bool:
    return (
        table.top(frames.KIND) == frames.COUP
        and table.top(frames.VALUE) == cards.CHE
        and bool(table.top(frames.OPTIONAL))
    )


def is_aimed(page: Page) -> bool:
    """True if the first open lines announce a coup, and its target."""
    match page.first_entries(2):
        case [entries.Operations(use="coup"), entries.Target()]:
            return True
    return False


def close_declined(table: RecordedTable, page: Page) -> bool:
    """107: a coup that is announced and has no target is not made, by choice or for lack of a country; True if so."""
    first = next(iter(page.first_entries(1)), None)
    if not is_coup_of_che(table) or not isinstance(first, entries.Operations) or first.use != "coup" or is_aimed(page):
        return False
    close_operations(table, page, first)
    return True


def roll_coup(table: RecordedTable, page: Page, target: entries.Target) -> int | None:
    """A coup and its die; in the Cuban Missile Crisis none is rolled."""
    c = target.country
    rolled = page.take(entries.Coup) if is_allowed(table, target) else None
    if rolled is not None:
        (ops, modifier), stability = table.coup_terms(c), int(board.STABILITY[c])
        result = rolled.die + ops + modifier - 2 * stability
        page.require(rolled, entries.Coup(result > 0, rolled.die, ops, modifier, stability, result))
        table.draw_next(die(rolled.die))
    elif is_allowed(table, target) and table.s.lasting[cards.CUBAN_MISSILES] != table.top(frames.SEAT) + 1:
        return None
    return actions.COUNTRY + c


def is_allowed(table: RecordedTable, target: entries.Target | entries.War) -> bool:
    """True if the country may be chosen; if not, what is rolled there need not be looked at."""
    return bool(table.s.legal[actions.COUNTRY + target.country])


def is_owed(table: RecordedTable, page: Page) -> bool:
    """True if the question may be declined, and the operations ahead are those of the questions below it."""
    owed = sum(int(row[frames.KIND]) == frames.OPERATION for row in table.s.question[: table.s.depth - 1])
    return bool(table.s.legal[actions.STOP]) and page.operations_ahead() <= owed


def realign(table: RecordedTable, page: Page) -> int | None:
    """R6.2: a target and both dice, the USSR's first."""
    target = page.take(entries.Target)
    if target is None:
        return stop(table)
    if not is_allowed(table, target):
        return actions.COUNTRY + target.country
    rolls = [page.take(entries.Roll), page.take(entries.Roll)]
    draws = []
    for seat, rolled in enumerate(rolls):
        if rolled is None:
            return None
        bonus = table.realign_bonus(seat, target.country)
        page.require(rolled, entries.Roll(comparison.SIDES[seat], rolled.die, bonus, rolled.die + bonus))
        draws.append(die(rolled.die))
    table.draw_next(*draws)
    return actions.COUNTRY + target.country


def war(table: RecordedTable, page: Page) -> int | None:
    """7.6: a target and the die."""
    target = page.take(entries.War)
    if target is None or not is_allowed(table, target):
        return actions.COUNTRY + target.country if target else None
    rolled = page.take(entries.WarDie)
    if rolled is None:
        return None
    modifier, needed = table.war_terms(target.country)
    page.require(rolled, entries.WarDie(rolled.die + modifier >= needed, rolled.die, modifier, needed))
    table.draw_next(die(rolled.die))
    return actions.COUNTRY + target.country


def choose_country(table: RecordedTable, page: Page) -> int | None:
    """A country whose line is not yet true; in the set-up, whose lines are summed, the one with the least influence."""
    kind, side = table.top(frames.KIND), table.top(frames.SIDE)
    if kind == frames.PLACE:
        side = table.top(frames.SEAT)
    told = [
        entry.country
        for entry in page.block(entries.Influence)
        if entry.side == comparison.SIDES[side] and (entry.change < 0) == (kind in REMOVES)
    ]
    rows = [country for country in told if table.s.legal[actions.COUNTRY + country]]
    if not rows:
        return actions.COUNTRY + told[0] if told and stop(table) is None else stop(table)
    if table.top(frames.VALUE) == cards.NO_CARD and kind == frames.ADD:
        rows.sort(key=lambda country: int(table.s.influence[side, country]))
    return actions.COUNTRY + rows[0]


def choice(table: RecordedTable, page: Page) -> int | None:
    """16: removes or adds; 20: takes part or boycotts; 53: 2 in one country, or 1 there and 2 around it; 100: ends the game or not."""
    card = table.top(frames.VALUE)
    lines = page.block(entries.Influence)
    if card == cards.WARSAW_PACT:
        second = any(line.side == "USSR" for line in lines)
    elif card == cards.OLYMPIC_GAMES:
        answer = page.take(entries.Boycott)
        if answer is None:
            return None
        page.require(answer, entries.Boycott(seat_asked(table), answer.boycotts))
        second = answer.boycotts
    elif card == cards.WARGAMES:
        second = page.next_act() is not None or page.game_goes_on
    elif lines:
        second = lines[0].change < 2
    else:
        return None
    return actions.OPTION + second


def pick(table: RecordedTable, page: Page) -> int | None:
    """A card for an event."""
    source = table.top(frames.VALUE)
    if source == cards.STAR_WARS:
        act = page.next_act()
        return card_action(act.card) if isinstance(act, entries.Event) else None
    if source == cards.UN_INTERVENTION:
        page.begin_event(cards.UN_INTERVENTION)
        return card_played(table, page)
    if source in (cards.SALT, cards.MISSILE_ENVY):
        line = page.take(entries.Reveal)
        if line is None:
            return stop(table)
        page.require(line, entries.Reveal(seat_asked(table), line.card, drawn=False))
        return card_action(line.card)
    return discard(table, page)


def discard(table: RecordedTable, page: Page) -> int | None:
    """A card that the side asked gives up, for an event or at the end of the turn (98 takes it from the US)."""
    line = page.take(entries.Discard)
    if line is None:
        return stop(table)
    owner = comparison.SIDES[US] if table.top(frames.KIND) == frames.PICK else seat_asked(table)
    page.require(line, entries.Discard(owner, line.card))
    return card_action(line.card)


def level(table: RecordedTable, page: Page) -> int | None:
    """45: down, up or as it is; 46: a level; 94: a region."""
    source = table.top(frames.VALUE)
    if source in (cards.SUMMIT, cards.STOP_WORRYING):
        lines = page.block(entries.Defcon)
        wanted = lines[0].level if lines else int(table.s.defcon)
        if source == cards.STOP_WORRYING:
            return actions.OPTION + wanted - 1
        return actions.OPTION + (2 if wanted == table.s.defcon else int(wanted > table.s.defcon))
    named = page.take(entries.RegionChoice)
    if named is None:
        return stop(table)
    page.require(named, entries.RegionChoice(seat_asked(table), named.region))
    return actions.OPTION + (board.REGION_NAMES.index(named.region) if named.region else 0)


def trap(table: RecordedTable, page: Page) -> int | None:
    """42, 44: the card given up, which the header names, and the die."""
    if not isinstance(page.header, entries.ActionRound):
        return None
    line = page.take(entries.Discard)
    if line is None:
        return stop(table) if page.header.card is None else None
    page.require(line, entries.Discard(seat_asked(table), page.header.card or cards.NO_CARD))
    rolled = page.take(entries.TrapDie)
    if rolled is None:
        return None
    page.require(rolled, entries.TrapDie(rolled.die <= turn.ESCAPE_DIE, rolled.die))
    table.draw_next(die(rolled.die))
    return card_action(line.card)


ANSWERS = {
    frames.HEADLINE: headline,
    frames.PLAY: card_to_play,
    frames.USE: use_of_card,
    frames.OPERATION: operation,
    frames.COUP: coup,
    frames.REALIGN: realign,
    frames.WAR: war,
    frames.YES_NO: choice,
    frames.PICK: pick,
    frames.LEVEL: level,
    frames.TRAP: trap,
    frames.ESCAPE: lambda table, page: stop(table),
    frames.LEAVE_HAND: discard,
}
