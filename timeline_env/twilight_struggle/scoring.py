"""R10: scoring a region, the end of the game, points, ranks and rewards."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import board, cards, numbers, state, tracks
from timeline_env.twilight_struggle.board import US, USSR, country
from timeline_env.twilight_struggle.countries import controls
from timeline_env.twilight_struggle.hands import put
from timeline_env.twilight_struggle.tracks import award, end_game, move_vp

REWARDS = ("rank", "score", "win")
RANK, SCORE, WIN = range(3)
TAIWAN, THAILAND = country("Taiwan"), country("Thailand")
NONE, PRESENCE, DOMINATION, CONTROL = range(4)


@rule
def has_taiwan(s, region, formosan):
    """35, trap 19: if `formosan`, Taiwan counts as a battleground while it is US-controlled."""
    return region == board.ASIA and formosan != 0 and controls(s, US, TAIWAN)


@rule
def count_region(s, side, region):
    """R10.1: how many countries, battlegrounds and countries next to the enemy superpower a side controls in a region."""
    countries = 0
    battlegrounds = 0
    neighbours = 0
    for c in range(board.REGION_START[region], board.REGION_END[region]):
        # Without "if", which the processor would guess wrong half of the time.
        held = controls(s, side, c) * 1
        countries += held
        battlegrounds += held * board.BATTLEGROUND[c]
        neighbours += held * board.NEXT_TO_SUPERPOWER[1 - side, c]
    return countries, battlegrounds, neighbours


@rule
def standing_of(countries, battlegrounds, other_countries, other_battlegrounds, all_battlegrounds):
    """R10.1.1, trap 32: presence, domination (needs both kinds of country) or control."""
    if countries == 0:
        return NONE
    if countries <= other_countries:
        return PRESENCE
    if battlegrounds == all_battlegrounds:
        return CONTROL
    if battlegrounds > other_battlegrounds and countries > battlegrounds:
        return DOMINATION
    return PRESENCE


@rule
def standings_in(s, region, shuttled):
    """`standings_with`, as the region is scored now: under 35, if that is in effect."""
    return standings_with(s, region, shuttled, s.lasting[cards.FORMOSAN])


@rule
def standings_with(s, region, shuttled, formosan):
    """R10.1.1: what the USSR and the US have in a region, and the points that make the difference, the US's as positive.

    73, trap 20: if `shuttled`, the USSR counts one battleground less. `formosan`: see `has_taiwan`.
    """
    ussr, ussr_battlegrounds, ussr_neighbours = count_region(s, USSR, region)
    us, us_battlegrounds, us_neighbours = count_region(s, US, region)
    taiwan = has_taiwan(s, region, formosan) * 1
    us_battlegrounds += taiwan
    if shuttled and ussr_battlegrounds > 0:
        ussr -= 1
        ussr_battlegrounds -= 1
    total = board.BATTLEGROUNDS[region] + taiwan
    ussr_has = standing_of(ussr, ussr_battlegrounds, us, us_battlegrounds, total)
    us_has = standing_of(us, us_battlegrounds, ussr, ussr_battlegrounds, total)
    points = us_battlegrounds + us_neighbours - ussr_battlegrounds - ussr_neighbours
    if ussr_has > NONE:
        points -= numbers.REGION_POINTS[region, ussr_has - 1]
    if us_has > NONE:
        points += numbers.REGION_POINTS[region, us_has - 1]
    return ussr_has, us_has, points


@rule
def worth_now(s, region, shuttled):
    """`standings_in`, with Control of Europe worth all the points there are."""
    ussr_has, us_has, points = standings_in(s, region, shuttled)
    if region == board.EUROPE and us_has == CONTROL:
        points = tracks.MOST_VP
    elif region == board.EUROPE and ussr_has == CONTROL:
        points = -tracks.MOST_VP
    return ussr_has, us_has, points


@rule
def is_shuttled(s, region):
    """73: true if the next scoring of this region is without one of the USSR's battlegrounds."""
    return s.lasting[cards.SHUTTLE_DIPLOMACY] != 0 and (region in (board.ASIA, board.MIDDLE_EAST))


@rule
def do_score(s, region):
    """R10.1: a region's scoring card: only the difference is awarded; Control of Europe wins the game."""
    if region == board.SOUTHEAST_ASIA:
        award(s, US, southeast_asia_points(s))
        return
    shuttled = is_shuttled(s, region)
    ussr_has, us_has, points = standings_in(s, region, shuttled)
    if shuttled:
        s.lasting[cards.SHUTTLE_DIPLOMACY] = 0
        put(s, cards.SHUTTLE_DIPLOMACY, state.DISCARDS)
    if region == board.EUROPE and max(ussr_has, us_has) == CONTROL:
        end_game(s, US if us_has == CONTROL else USSR, state.BY_EUROPE)
    else:
        award(s, US, points)


@rule
def southeast_asia_points(s):
    """7.2: 1 for each country controlled, 2 for Thailand; the US's as positive."""
    points = 0
    for c in range(board.COUNTRIES):
        if board.IN_SET[board.SOUTHEAST_ASIA, c]:
            worth = 2 if c == THAILAND else 1
            if controls(s, US, c):
                points += worth
            elif controls(s, USSR, c):
                points -= worth
    return points


@rule
def score_at_the_end(s):
    """R10.3.2, trap 32: every region, 1 for the China Card; reaching 20 stops nothing, Control of Europe wins whatever else."""
    total = s.vp + (1 if s.china == US else -1)
    for region in range(6):
        ussr_has, us_has, points = standings_in(s, region, False)
        total += points
        if region == board.EUROPE and max(ussr_has, us_has) == CONTROL:
            end_game(s, US if us_has == CONTROL else USSR, state.BY_EUROPE)
    move_vp(s, total - s.vp)
    end_game(s, US if total > 0 else (USSR if total < 0 else -1), state.BY_FINAL_SCORING)


@rule
def points_of_us(s):
    """The US's lead in victory points; a side that wins otherwise than by points has won by as much as there is."""
    if s.over and s.winner >= 0 and s.ending != state.BY_FINAL_SCORING:
        return tracks.MOST_VP if s.winner == US else -tracks.MOST_VP
    return s.vp


@rule
def standings(rules, s, points, rank):
    """Each seat's lead in points, see `points_of_us`, and its rank (1 is best, 1.5 in a draw); float32 [2], in place.

    While the game is on, who leads in victory points counts as first.
    """
    points[US] = points_of_us(s)
    points[USSR] = -points[US]
    first = s.winner if s.over else (US if s.vp > 0 else (USSR if s.vp < 0 else -1))
    for seat in range(2):
        rank[seat] = 1.5 if first < 0 else (1.0 if first == seat else 2.0)


@rule
def rewards(rules, s, kind, out):
    """What the last decision earned each seat; float32 [2], written in place.

    ``rank``: at the end of the game 1 for the winner and -1 for the loser, 0 in a draw. ``score``: the victory points
    gained or lost, whenever that happens, with the other ends of the game paid as in `points_of_us`; the two add up to 0.
    ``win``: at the end 1 for the winner, a half in a draw.
    """
    gained = points_of_us(s) - (s.vp - s.gained)
    for seat in range(2):
        if kind == SCORE:
            out[seat] = gained if seat == US else -gained
        elif not s.over:
            out[seat] = 0.0
        elif kind == RANK:
            out[seat] = 0.0 if s.winner < 0 else (1.0 if s.winner == seat else -1.0)
        else:
            out[seat] = 0.5 if s.winner < 0 else (1.0 if s.winner == seat else 0.0)
