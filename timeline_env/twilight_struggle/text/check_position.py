"""Whether the tokens of a position agree with each other. Each check raises a ValueError that names a token."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine.jit import entry
from timeline_env.twilight_struggle import board, cards, frames, numbers, state, tracks
from timeline_env.twilight_struggle.card_play import ARMED, rounds_left
from timeline_env.twilight_struggle.determinize import count_fitting
from timeline_env.twilight_struggle.events import words
from timeline_env.twilight_struggle.text import names

HEADLINE_STAGES = (state.FIRST_HEADLINE, state.SECOND_HEADLINE)
STAGES_WITHOUT_QUESTION = (state.SET_UP_USSR, state.CHOOSE_HEADLINES, state.BEGIN_ROUND, state.END_TURN)
"""Stages that are left at once: what they ask is asked in the next one."""


def check_whole(S: Any, given: dict[str, str]) -> None:
    """Raises ValueError unless the position as it was read (a record array [1]) is one that can be played on; `given` are its tokens."""
    s = S[0]
    check_unknown(S, given)
    check_seen(given)
    check_game(s)
    if s.over:
        return
    check_running(S, given)
    check_stage(s)
    check_headlines(s, given)
    check_lasting(s)
    for place in range(s.depth):
        check_frame(s, place)
    check_china(s)
    check_chosen(s)


@entry
def rounds_left_one(S):
    """`rounds_left` of the side that is phasing, for Python to call."""
    return rounds_left(S[0], S[0].phasing)


@entry
def count_fitting_one(S, place, named):
    """`count_fitting`, for Python to call."""
    return count_fitting(S[0], place, named)


def check_unknown(S: Any, given: dict[str, str]) -> None:
    """Raises ValueError if more cards of a hand or headline are unknown than could lie there, or fewer than none (R4.5)."""
    s = S[0]
    unseen = int(np.count_nonzero(s.place == state.DRAW_PILE))
    for seat, side in enumerate(board.SEAT_NAMES):
        laid = int(s.headline[seat] == state.UNKNOWN)
        missing = (
            int(s.held[seat])
            - int(np.count_nonzero(s.place == state.HANDS + seat))
            + int(s.place[cards.CHINA] == state.HANDS + seat)
        )
        named = (
            laid and int(count_fitting_one(S, state.HEADLINES + seat, True)) > 0
        )  # the headline may be one of the cards that are named
        if missing < 0 and not (named and missing == -1):
            raise ValueError(
                f"position token 'hand.{side}:{given[f'hand.{side}']}': a hand may have one card less than it names only with "
                f"headline.{side}:? and a card that may be it"
            )
        unknown = (("headline", state.HEADLINES + seat, laid - named), ("hand", state.HANDS + seat, missing + named))
        for name, place, count in unknown:
            fitting = min(unseen, int(count_fitting_one(S, place, False))) if count else 0
            if count > fitting:
                token = f"{name}.{side}:{given[f'{name}.{side}']}"
                raise ValueError(
                    f"position token {token!r}: {count} unknown{' with the headline' * (named and name == 'hand')}; at most {fitting} of the cards unseen may be there"
                )
            unseen -= count


def check_seen(given: dict[str, str]) -> None:
    """Raises ValueError for unknown cards of the side whose cards the viewer sees, or of any side if there is no viewer."""
    for seat, side in enumerate(board.SEAT_NAMES):
        for name in (f"hand.{side}", f"headline.{side}"):
            if names.UNKNOWN_WORD in given.get(name, "") and given.get("seen") in (None, side):
                raise ValueError(
                    f"position token '{name}:{given[name]}': cards are unknown to the other side alone, which looks by "
                    f"seen:{board.SEAT_NAMES[1 - seat]}"
                )


def check_running(S: Any, given: dict[str, str]) -> None:
    """Raises ValueError for a game that goes on although it is over (R8.1, R10.3), or in a round that does not exist (R4.6)."""
    s = S[0]
    for name, ended in (("vp", abs(s.vp) == tracks.MOST_VP), ("defcon", s.defcon == 1)):
        if ended:
            raise ValueError(f"position token '{name}:{given[name]}': the game has ended, so 'over' must say how")
    # An eighth round goes on when the other side comes to box 8, too: then only the next one is lost (trap 30).
    is_eighth_under_way = s.stage == state.END_ROUND and s.action_round == 8 and s.space[s.phasing] == 8
    if s.action_round and rounds_left_one(S) < 1 and not is_eighth_under_way:
        raise ValueError(
            f"position token 't{s.turn}.r{s.action_round}': the {board.SEAT_NAMES[s.phasing]} has no such action round in this turn"
        )


def check_game(s: Any) -> None:
    """Raises ValueError for a question of a card that is not in the game (R4.4), or a headline asked for at another time than its own (R4.5)."""
    for kind, _, card in s.question[: s.depth, : frames.LEFT]:
        if card and s.place[card] == state.BOX:
            raise ValueError(
                f"position token 'ask': {frames.KIND_NAMES[int(kind)]}: card {card} is not in the game, or not yet"
            )
        if kind == frames.HEADLINE and s.stage != state.FIRST_HEADLINE:
            stage = state.STAGE_NAMES[state.FIRST_HEADLINE]
            raise ValueError(f"position token 'ask': headlines are asked for with stage:{stage}")


def check_stage(s: Any) -> None:
    """Raises ValueError for a stage at another time than its own (R3, R4)."""
    name = f"position token 'stage:{state.STAGE_NAMES[s.stage]}'"
    in_round = s.stage in (state.BEGIN_ROUND, state.END_ROUND)
    if in_round != (s.action_round > 0):
        where = "an action round, such as t5.r3" if in_round else f"no action round: t{s.turn}.r0"
        raise ValueError(f"{name}: it needs {where}")
    if s.stage <= state.SET_UP_BONUS and s.turn > 1:
        raise ValueError(f"{name}: the game is set up in turn 1")
    if s.stage == state.BEGIN_TURN and s.turn in (numbers.MID_WAR, numbers.LATE_WAR):
        raise ValueError(
            f"{name}: the cards that turn {s.turn} brings are in the game already; begin with choose-headlines"
        )
    if s.depth and s.stage in STAGES_WITHOUT_QUESTION:
        raise ValueError(f"{name}: nobody is asked then; with 'ask' it is what comes next, such as end-round")


def check_headlines(s: Any, given: dict[str, str]) -> None:
    """Raises ValueError for a headline outside its phase, or a side that is to lay a second one (R4.5)."""
    asked = [int(seat) for kind, seat in s.question[: s.depth, : frames.VALUE] if kind == frames.HEADLINE]
    for seat, side in enumerate(board.SEAT_NAMES):
        name = f"headline.{side}"
        if name in given and s.stage not in HEADLINE_STAGES and (s.depth or s.headline[seat] != state.UNKNOWN):
            raise ValueError(
                f"position token '{name}:{given[name]}': headlines lie with stage:first-headline and stage:second-headline"
            )
        if asked.count(seat) > 1 or (seat in asked and name in given):
            raise ValueError(f"position token 'ask': {name}: a side has one headline")


def check_lasting(s: Any) -> None:
    """Raises ValueError for an event in effect whose card is not where it must be."""
    for card in np.flatnonzero(s.lasting):
        if s.place[card] == state.BOX:
            raise ValueError(f"position token 'lasting': card {card} is not in the game, or not yet")
    if s.lasting[cards.MISSILE_ENVY] and s.place[cards.MISSILE_ENVY] not in (state.HANDS, state.HANDS + 1):
        raise ValueError("position token 'lasting': 49 is in effect while the side that owes it has it in hand")
    if s.lasting[cards.WE_WILL_BURY_YOU] == ARMED and (s.phasing != board.US or not s.action_round):
        raise ValueError("position token 'lasting': 50=2 is for an action round of the us")


def is_about_countries(kind: int) -> bool:
    """Whether a question asks for countries for an event."""
    return bool(frames.ADD <= kind <= frames.DOUBLE)


def check_frame(s: Any, place: int) -> None:
    """Raises ValueError for a frame without the card, the number or the frame below it that it needs."""
    row = s.question[place]
    kind, seat, card = (int(part) for part in row[: frames.LEFT])
    name = f"position token 'ask': {frames.KIND_NAMES[kind]}.{board.SEAT_NAMES[seat]}" + f".{card}" * (card > 0)
    if is_about_countries(kind) and row[frames.LEFT] < 1:
        raise ValueError(f"{name}: it needs how many choices are left, such as /left=1")
    if kind == frames.WAR and words.PROGRAM[card, 0, 0] != words.WAR:
        raise ValueError(f"{name}: it needs a war card, such as war.{board.SEAT_NAMES[seat]}.24")
    if kind == frames.USE and s.place[card] != (state.TABLE if row[frames.FREE] else state.HANDS + seat):
        raise ValueError(f"{name}: it needs a card of the hand, or with /bare=1 one on the table")
    if kind == frames.PLAY:
        drawn = int(row[frames.LEFT])
        if (card, drawn) != (0, 0) and (card != cards.GRAIN_SALES or s.place[drawn] != state.HANDS + board.US):
            raise ValueError(f"{name}: it needs no card, or 67 with /drawn= and a card of the us hand")
    if kind == frames.YES_NO and not (place and is_at_choice(s.question[place - 1], card)):
        raise ValueError(f"{name}: it needs the event before it, such as run.{board.SEAT_NAMES[seat]}.{card}/step=1")


def is_at_choice(row: Any, card: int) -> bool:
    """Whether a frame is this card's event, which has just asked for a choice."""
    step = int(row[frames.STEP])
    is_event = tuple(row[[frames.KIND, frames.VALUE]]) == (frames.RUN, card)
    return bool(is_event and 0 < step <= len(words.PROGRAM[card]) and words.PROGRAM[card, step - 1, 0] == words.CHOICE)


def check_china(s: Any) -> None:
    """Raises ValueError if the China Card lies on the table and nothing will pass it on."""
    pending = s.question[:, [frames.KIND, frames.VALUE]].tolist()
    if s.place[cards.CHINA] == state.TABLE and [frames.DISPOSE, cards.CHINA] not in pending:
        raise ValueError(
            "position token 'table': card 6 lies there while it is played, with dispose.us.6 or dispose.ussr.6"
        )


def check_chosen(s: Any) -> None:
    """Raises ValueError for countries that were chosen if none are being chosen."""
    top = int(s.question[s.depth - 1, frames.KIND]) if s.depth else 0
    if s.chosen.any() and not is_about_countries(top) and top != frames.COUP:
        raise ValueError("position token 'chosen': countries are chosen in a question about them, the last of 'ask'")
