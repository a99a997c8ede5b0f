"""Timeline: what a decision led to, in sentences, node by node where the past was settled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from timeline_env.engine import questions
from timeline_env.play.steps import Step, copy_position
from timeline_env.play.timeline import words
from timeline_env.timeline import actions, board, state
from timeline_env.timeline.legal import list_legal
from timeline_env.timeline.numbers import ARTIFACT_NAMES
from timeline_env.timeline.play import answer, carry_on
from timeline_env.timeline.text import names
from timeline_env.timeline.text.move_text import action_to_text
from timeline_env.view.timeline.face import pending_question

ALL_PUBLIC = True
"""Everybody sees all that is told here happen."""


def steps(rules: Any, s: Any, action: int) -> Iterator[Step]:
    """A decision and everything that then happened unasked, step by step; `play` does the same at once.

    Args:
        rules: record array [1].
        s: the position before, one record.
        action: a legal one.
    """
    now: Any = copy_position(s)
    now.gained[:] = 0
    taken: int | None = action
    while taken is not None or (now.over == 0 and now.depth == 0):
        before = copy_position(now)
        if taken is None:
            carry_on(rules[0], now)
        else:
            answer(rules[0], now, taken)
        done, taken = taken, None
        if now.over == 0 and now.depth > 0 and int(list_legal(rules[0], now)) == 1:
            taken = int(questions.only_legal_action(now))
        yield before, copy_position(now), done


def tell(rules: Any, step: Step, viewer: int | None) -> list[str]:
    """What happened in a step, in sentences.

    Args:
        rules: record array [1].
        step: the step, with positions as the viewer sees them.
        viewer: a seat, or None for what everybody knows.
    """
    before, after, action = step
    if action is not None:
        return [_decided(rules, before, after, action)]
    if before.realizing >= 0 or after.realizing >= 0 or after.over:
        return _settled(rules, before, after)
    if after.lap != before.lap:
        return [f"Round {int(after.lap) + 1} of phase {after.phase} begins."]
    return []


def _decided(rules: Any, before: Any, after: Any, action: int) -> str:
    """An action of a player, in the past tense."""
    seat = pending_question(before)[1]
    who, node = state.SEAT_NAMES[seat].capitalize(), int(before.pawn[seat])
    here = names.NODE_NAMES[node]
    name, indices = actions.CODEC.decode(action)
    if name == "pass":
        return f"{who} ends the turn."
    if name == "move":
        way = "moves" if pending_question(before)[0] == state.TURN else "steps aside"
        return f"{who} {way} from {here} to {names.NODE_NAMES[int(after.pawn[seat])]}."
    if name in ("impact", "amplifier"):
        value = abs(int(after.impact[seat, node]))
        by = " with an amplifier" if name == "amplifier" else ""
        return f"{who} lays an impact of {value} beside {'✓✗'[indices[0]]} at {here}{by}."
    if name == "artifact":
        return f"{who} uses {action_to_text(rules, before, action).removeprefix('use ')}."
    if name == "organize":
        card = int(after.card[node])
        drawn = int(after.artifact[seat].sum()) - int(before.artifact[seat].sum())
        more = ""
        if after.bag_drawn > before.bag_drawn:
            more = f" and draws {_artifact(before, after, seat)}" if drawn else " and draws nothing of use from the bag"
        side = "✓✗"[indices[2]]
        return f"{who} organizes {names.card_name(card)} at {here}, stance {side}{more}: {words.card(rules, card)}."
    if name in ("link", "reinforce"):
        return f"{who} sets the {_edge(node, indices[0])}: {_tokens(name, indices)}."
    if name == "done":
        return f"{who} has set all links at {here}."
    rival = state.SEAT_NAMES[(seat + 1 + indices[0]) % int(rules[0].num_players)]
    if indices[1] == actions.PLEDGE:
        return f"{who} pledges to name {rival}."
    points = "gains" if pending_question(before)[0] == state.SUPPORT else "loses"
    return f"{who} decides: {rival} {points} a point if {here} {words.HAPPENS[indices[1]]}."


def _artifact(before: Any, after: Any, seat: int) -> str:
    kind = int(np.flatnonzero(after.artifact[seat] > before.artifact[seat])[0])
    return f"a {ARTIFACT_NAMES[kind]}"


def _edge(node: int, direction: int) -> str:
    other = int(board.NEIGHBOUR[node, direction])
    return f"link of {names.NODE_NAMES[node]} with {'beyond the field' if other < 0 else names.NODE_NAMES[other]}"


def _tokens(name: str, indices: tuple[int, ...]) -> str:
    if name == "reinforce":
        return f"+{indices[1] + 1}"
    return ("a cause", "a hindrance")[indices[1]] + (f" with +{indices[2]}" if indices[2] else "")


def _settled(rules: Any, before: Any, after: Any) -> list[str]:
    """A node was realized, or the phase ended."""
    told = []
    if before.realizing < 0:
        told.append(f"Phase {before.phase} ends: its nodes are settled in the order of time.")
    if after.realizing >= 0 and after.realized[after.realizing] and not before.realized[after.realizing]:
        told += _realized(rules, before, after, int(after.realizing))
    if after.over:
        told.append(words.final(rules, after))
    elif after.realizing < 0:
        told.append(f"Phase {after.phase} begins.")
    return told


def _realized(rules: Any, before: Any, after: Any, node: int) -> list[str]:
    """One node: what it comes to, and who scores."""
    if not after.event[node]:
        return []
    # Tokens leave a node only in a later step, so what counted here still lies in the position `after`.
    parts = words.list_terms(rules, after, node)
    total = int(words.points_for(rules[0], after, node))
    occurs = after.outcome[node] > 0
    why = f"{', '.join(parts)}: {words.write_signed(total)}" if parts else "nothing pulls"
    tie = ", the stance decides" if total == 0 else ""
    points = [int(after.points[seat]) - int(before.points[seat]) for seat in range(int(rules[0].num_players))]
    scored = words.arcs(points, len(points))
    gains = "" if scored == "nobody" else f" {scored.capitalize()}."
    return [f"{names.NODE_NAMES[node]} {'occurs' if occurs else 'does not occur'} ({why}{tie}).{gains}"]
