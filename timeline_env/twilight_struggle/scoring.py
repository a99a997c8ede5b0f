"""R10: scoring a region, the end of the game, points, ranks and rewards."""

from __future__ import annotations

from typing import Any

import numpy as np

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


def _lay_out_counts() -> tuple[Any, Any, int, Any]:
    """How one int64 holds all that is counted of a side, each count in as many bits as its greatest value takes.

    Counted are, for each region, countries, battlegrounds, and countries next to the enemy superpower; last the points for
    Southeast Asia. Return int64 [3, region], the first bit of each; int64 [3, region], the mask of its bits; the first bit of
    Southeast Asia; and int64 [side, country], what a country adds for the side that controls it.
    """
    ones = np.ones_like(board.NEXT_TO_SUPERPOWER)
    each = np.array([ones, ones * board.BATTLEGROUND, board.NEXT_TO_SUPERPOWER[::-1]], np.int64)
    southeast_asia = board.IN_SET[board.SOUTHEAST_ASIA] * (1 + (np.arange(board.COUNTRIES) == THAILAND))
    first, mask = np.zeros((2, len(each), len(board.REGION_NAMES)), np.int64)
    added = np.zeros_like(board.NEXT_TO_SUPERPOWER)
    at = 0
    for what, region in np.ndindex(first.shape):
        counted = each[what] * board.IN_SET[region]
        width = int(counted.sum(axis=1).max()).bit_length()
        first[what, region], mask[what, region] = at, 2**width - 1
        added += counted << at
        at += width
    added += southeast_asia << at
    assert at + int(southeast_asia.sum()).bit_length() < 64, "the counts of all regions do not fit into an int64"
    return first, mask, at, added


COUNT_AT, COUNT_MASK, SOUTHEAST_ASIA_AT, ADDED = _lay_out_counts()


@rule
def count_held(s):
    """R10.1, 7.2: what the USSR and what the US controls on the whole map, counted, each as one number.

    `count_region` and `southeast_asia_points` read it.
    """
    ussr = 0
    us = 0
    for c in range(board.COUNTRIES):
        # Without "if", so that the compiler does many countries at once.
        ussr += controls(s, USSR, c) * ADDED[USSR, c]
        us += controls(s, US, c) * ADDED[US, c]
    return ussr, us


@rule
def count_region(held, region):
    """R10.1: how many countries, battlegrounds and countries next to the enemy superpower a side controls in a region.

    `held`: the side's number from `count_held`.
    """
    return (
        (held >> COUNT_AT[0, region]) & COUNT_MASK[0, region],
        (held >> COUNT_AT[1, region]) & COUNT_MASK[1, region],
        (held >> COUNT_AT[2, region]) & COUNT_MASK[2, region],
    )


@rule
def has_taiwan(s, region, formosan):
    """35, trap 19: if `formosan`, Taiwan counts as a battleground while it is US-controlled."""
    return (region == board.ASIA) & (formosan != 0) & controls(s, US, TAIWAN)


@rule
def standing_of(countries, battlegrounds, other_countries, other_battlegrounds, all_battlegrounds):
    """R10.1.1, trap 32: presence, domination (needs both kinds of country) or control."""
    more = countries > other_countries
    control = more & (battlegrounds == all_battlegrounds)
    domination = more & (battlegrounds > other_battlegrounds) & (countries > battlegrounds)
    # Each standing is 1 more than the one before it.
    return (countries > 0) * 1 + (domination | control) * 1 + control * 1


@rule
def standings_in(s, held, region, shuttled):
    """`standings_with`, as the region is scored now: under 35, if that is in effect."""
    return standings_with(s, held, region, shuttled, s.lasting[cards.FORMOSAN])


@rule
def standings_with(s, held, region, shuttled, formosan):
    """R10.1.1: what the USSR and the US have in a region, and the points that make the difference, the US's as positive.

    `held`: from `count_held`. 73, trap 20: if `shuttled`, the USSR counts one battleground less. `formosan`: see `has_taiwan`.
    """
    ussr, ussr_battlegrounds, ussr_neighbours = count_region(held[USSR], region)
    us, us_battlegrounds, us_neighbours = count_region(held[US], region)
    taiwan = has_taiwan(s, region, formosan) * 1
    us_battlegrounds += taiwan
    less = shuttled & (ussr_battlegrounds > 0)
    ussr -= less
    ussr_battlegrounds -= less
    total = board.BATTLEGROUNDS[region] + taiwan
    ussr_has = standing_of(ussr, ussr_battlegrounds, us, us_battlegrounds, total)
    us_has = standing_of(us, us_battlegrounds, ussr, ussr_battlegrounds, total)
    points = us_battlegrounds + us_neighbours - ussr_battlegrounds - ussr_neighbours
    points += numbers.REGION_POINTS[region, us_has] - numbers.REGION_POINTS[region, ussr_has]
    return ussr_has, us_has, points


@rule
def worth_now(s, held, region, shuttled):
    """`standings_in`, with Control of Europe worth all the points there are."""
    ussr_has, us_has, points = standings_in(s, held, region, shuttled)
    if region == board.EUROPE and us_has == CONTROL:
        points = tracks.MOST_VP
    elif region == board.EUROPE and ussr_has == CONTROL:
        points = -tracks.MOST_VP
    return ussr_has, us_has, points


@rule
def is_shuttled(s, region):
    """73: true if the next scoring of this region is without one of the USSR's battlegrounds."""
    return (s.lasting[cards.SHUTTLE_DIPLOMACY] != 0) & ((region == board.ASIA) | (region == board.MIDDLE_EAST))


@rule
def do_score(s, region):
    """R10.1: a region's scoring card: only the difference is awarded; Control of Europe wins the game."""
    if region == board.SOUTHEAST_ASIA:
        award(s, US, southeast_asia_points(count_held(s)))
        return
    shuttled = is_shuttled(s, region)
    ussr_has, us_has, points = standings_in(s, count_held(s), region, shuttled)
    if shuttled:
        s.lasting[cards.SHUTTLE_DIPLOMACY] = 0
        put(s, cards.SHUTTLE_DIPLOMACY, state.DISCARDS)
    winner = winner_by_control(region, ussr_has, us_has)
    if winner >= 0:
        end_game(s, winner, state.BY_EUROPE)
    else:
        award(s, US, points)


@rule
def winner_by_control(region, ussr_has, us_has):
    """Who wins the game by Control of Europe, given what both have in a region; -1 for nobody."""
    if region != board.EUROPE or max(ussr_has, us_has) != CONTROL:
        return -1
    return US if us_has == CONTROL else USSR


@rule
def southeast_asia_points(held):
    """7.2: 1 for each country controlled, 2 for Thailand; the US's as positive. `held`: from `count_held`."""
    return (held[US] >> SOUTHEAST_ASIA_AT) - (held[USSR] >> SOUTHEAST_ASIA_AT)


@rule
def score_at_the_end(s):
    """R10.3.2, trap 32: every region, 1 for the China Card; reaching 20 stops nothing, Control of Europe wins whatever else."""
    held = count_held(s)
    total = total_at_the_end(s, held)
    ussr_has, us_has, _ = standings_in(s, held, board.EUROPE, False)
    winner = winner_by_control(board.EUROPE, ussr_has, us_has)
    if winner >= 0:
        end_game(s, winner, state.BY_EUROPE)
    move_vp(s, total - s.vp)
    end_game(s, US if total > 0 else (USSR if total < 0 else -1), state.BY_FINAL_SCORING)


@rule
def total_at_the_end(s, held):
    """Where the marker would come to if the game ended now, above 0 for the US; it may be beyond 20. `held`: from `count_held`."""
    total = s.vp + (1 if s.china == US else -1)
    for region in range(6):
        total += standings_in(s, held, region, False)[2]
    return total


@rule
def points_of_us(s):
    """The US's lead in victory points; a side that has won otherwise than by the final scoring leads by all 20."""
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
    gained or lost, whenever that happens, and a win otherwise than by the final scoring brings their total to 20; the two
    add up to 0.
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
