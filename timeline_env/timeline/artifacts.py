"""T14, T26: artifacts."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.timeline import actions, state
from timeline_env.timeline.impact import has_no_impact_here, lay_impact

AMPLIFIER_KIND, SWITCH_KIND = 3, 4
"""Places in the record's field ``artifact``; surge, cell and wings have the same numbers there as among the actions."""


@rule
def draw_artifact(rules, s, seat):
    """T14, R3: draw the bag's next token. A blank, or an artifact more than may be kept, leaves the game."""
    if s.bag_drawn == rules.bag_size:
        return
    token = s.bag[s.bag_drawn]
    s.bag[s.bag_drawn] = state.NO_CARD
    s.bag_drawn += 1
    if token != state.BLANK and artifacts_of(s, seat) < rules.most_kept:
        s.artifact[seat, token] += 1


@rule
def artifacts_of(s, seat):
    """T14: how many artifacts the player keeps."""
    count = 0
    for kind in range(state.ARTIFACT_KINDS):
        count += s.artifact[seat, kind]
    return count


@rule
def kind_of(use):
    """The artifact (place in the field ``artifact``) that an action of the range ``artifact`` uses."""
    return SWITCH_KIND if use == actions.SWITCH else use


@rule
def can_use(s, seat, use):
    """T26, R14: surge, cell and wings at any time; the switch needs an event in the pawn's node."""
    return s.artifact[seat, kind_of(use)] > 0 and (use != actions.SWITCH or s.event[s.pawn[seat]] == 1)


@rule
def do_use(rules, s, seat, use):
    """T26, R2: action units, energy (up to the maximum, T9), free moves, or the other stance."""
    s.artifact[seat, kind_of(use)] -= 1
    if use == actions.SURGE:
        s.au = min(s.au + rules.surge_au, state.MOST_AU)
    elif use == actions.CELL:
        s.energy[seat] = min(s.energy[seat] + rules.cell_energy, rules.most_energy)
    elif use == actions.WINGS:
        s.winged = 1
    else:
        s.stance[s.pawn[seat]] = -s.stance[s.pawn[seat]]


@rule
def can_amplify(s, seat):
    """T26, R14: an impact for nothing, where an impact is allowed."""
    return s.artifact[seat, AMPLIFIER_KIND] > 0 and has_no_impact_here(s, seat)


@rule
def do_amplify(rules, s, seat, side):
    """T26: an impact of value 3 beside the tick (side 0) or the cross (side 1)."""
    s.artifact[seat, AMPLIFIER_KIND] -= 1
    lay_impact(s, seat, side, rules.amplifier_impact)
