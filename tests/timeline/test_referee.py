"""Whole random games, the engine beside a second reading of the rules: at every decision the same moves and the same table."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conftest import Position
from tests.timeline.referee import COMPASS, Referee
from timeline_env.timeline.board import COORDINATES
from timeline_env.timeline.names import card_name
from timeline_env.timeline.numbers import ARTIFACT_NAMES

GAMES = 8
SHORT = {"atk": 0, "sup": 1, "log": 2}


def referee_of(batch):
    """The referee of the game that was just dealt; the first player's turn has begun."""
    s, rules = np.asarray(batch.states)[0], np.asarray(batch.rules)[0]
    hands = [[int(card) for card in s["hand"][seat] if card >= 0] for seat in range(batch.num_players)]
    dealt = [card for hand in hands for card in hand[:3]] + hands[0][3:]
    deck = dealt + [int(card) for card in s["deck"][s["drawn"] : rules["deck_size"]]]
    bag = [ARTIFACT_NAMES[token] for token in s["bag"][: rules["bag_size"]]]
    return Referee(batch.num_players, [card_name(card) for card in deck], bag, int(s["stance"][0]))


def as_referee(batch):
    """The engine's position in the referee's words."""
    s, rules, players = np.asarray(batch.states)[0], np.asarray(batch.rules)[0], range(batch.num_players)
    nodes = [node for node in range(61) if s["event"][node]]
    return {
        "pawn": [COORDINATES[s["pawn"][seat]] for seat in players],
        "energy": s["energy"][: len(players)].tolist(),
        "points": s["points"][: len(players)].tolist(),
        "au": int(s["au"]),
        "winged": bool(s["winged"]),
        "hand": [[card_name(card) for card in s["hand"][seat] if card >= 0] for seat in players],
        "flexible": [[name for name, kind in SHORT.items() if s["flexible"][seat, kind]] for seat in players],
        "artifacts": [{ARTIFACT_NAMES[k]: int(n) for k, n in enumerate(s["artifact"][seat]) if n} for seat in players],
        "deck": [card_name(card) for card in s["deck"][s["drawn"] : rules["deck_size"]]],
        "replaced": [card_name(card) for card in s["deck"][: s["discarded"]]],
        "bag": [ARTIFACT_NAMES[token] for token in s["bag"][s["bag_drawn"] : rules["bag_size"]]],
        "realized": {COORDINATES[node]: int(s["outcome"][node]) for node in range(61) if s["realized"][node]},
        "reinforced": reinforced(s),
        "events": {COORDINATES[node]: event(s, node) for node in nodes},
    }


def reinforced(s):
    found = {}
    for node, place in enumerate(COORDINATES):
        for direction, (dq, dr) in enumerate(COMPASS.values()):
            if s["reinforcement"][direction, node]:
                found[frozenset((place, (place[0] + dq, place[1] + dr)))] = int(s["reinforcement"][direction, node])
    return found


def event(s, node):
    def by_seat(field):
        return {seat: int(n) for seat, n in enumerate(s[field][:, node]) if n}

    organizers = np.flatnonzero(s["organizer"][:, node]).tolist()
    return {
        "card": card_name(s["card"][node]),
        "marks": {name: int(mark) for name, mark in zip(COMPASS, s["mark"][:, node], strict=True) if mark},
        "yes": by_seat("if_yes"),
        "no": by_seat("if_no"),
        "stance": int(s["stance"][node]),
        "organizer": organizers[0] if organizers else None,
        "impacts": by_seat("impact"),
    }


def table_of(referee):
    told = {name: value for name, value in vars(referee).items() if name in as_told}
    told["artifacts"] = [{kind: n for kind, n in kept.items() if n} for kept in referee.artifacts]
    told["events"] = {node: vars(one) for node, one in referee.events.items()}
    return told


as_told = (
    *("pawn", "energy", "points", "au", "winged", "hand", "flexible", "deck", "replaced", "bag"),
    *("realized", "reinforced"),
)


@pytest.mark.parametrize("players", range(2, 7))
def test_the_engine_and_the_referee_agree_on_every_decision_of_random_games(players):
    generator = np.random.default_rng(players)
    for seed in range(GAMES):
        p = Position.dealt(players, seed)
        referee = referee_of(p.batch)
        game = referee.game()
        asked = next(game)
        while p.turn != "nobody":
            seat, moves = asked
            assert seat == p.batch.seat[0]
            legal = p.legal()
            assert sorted(moves) == sorted(legal)
            assert table_of(referee) == as_referee(p.batch)
            move = legal[generator.integers(len(legal))]
            p.play(move)
            asked = next_of(game, move)
        assert asked is None
        assert table_of(referee)["points"] == as_referee(p.batch)["points"]
        assert referee.notes == p.s.note[:, :players].tolist()
        assert places(referee) == p.batch.rank[0].tolist()


def next_of(game, move):
    """What the referee asks after the move; None when the game is over."""
    try:
        return game.send(move)
    except StopIteration:
        return None


def places(referee):
    """T25, R13: ranks by seat; who shares places has their mean."""
    rank, place = [0.0] * referee.players, 1
    for level in referee.winners_first():
        for seat in level:
            rank[seat] = place + (len(level) - 1) / 2
        place += len(level)
    return rank
