"""Games played by the engine and the referee side by side: at every decision the same moves and the same table."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tests.timeline.referee import COMPASS, NAMES, Referee, usual_numbers
from timeline_env import timeline_v0
from timeline_env.timeline.actions import LINK, ORGANIZE
from timeline_env.timeline.board import COORDINATES
from timeline_env.timeline.numbers import ARTIFACT_NAMES
from timeline_env.timeline.text.names import card_name
from timeline_env.timeline.text.notation import action_to_text, to_text

SHORT = {"atk": 0, "sup": 1, "log": 2}
JUNCTIONS = [
    [frozenset((place, (place[0] + dq, place[1] + dr))) for place in COORDINATES] for dq, dr in COMPASS.values()
]


class SideBySide:
    """The engine and the referee at one table.

    Args:
        players: 2 to 6.
        changes: what differs from the usual [C] numbers, by section and key; for both of them.
    """

    def __init__(self, players, changes=None):
        self.numbers = usual_numbers()
        for section, values in (changes or {}).items():
            self.numbers[section] |= values
        self.batch = timeline_v0.batch(1, players, rules=changes)
        self.rules = self.batch.rules[0]
        self.texts = {}

    @property
    def text(self):
        return to_text(self.batch.rules, self.batch.states[0])

    def play(self, seed, choose):
        """Play the game of this seed to its end.

        Args:
            choose: is given the legal moves and says which is played.

        Returns:
            How often a move of each kind was offered and played, as a Counter of ``("offered", kind)`` and ``("played", kind)``.

        Raises:
            AssertionError: they disagree; the message tells the position and what they disagree about.
        """
        self.batch.reset(seed)
        referee = self.referee()
        game, seen = referee.game(), Counter()
        asked = next(game)
        while not self.batch.done[0]:
            seat, moves = asked
            assert seat == self.batch.seat[0], f"{self.text}: the referee asks seat {seat}"
            self.compare(referee)
            actions = self.legal()
            legal = list(actions)
            assert sorted(moves) == sorted(legal), f"{self.text}: {difference(moves, legal)}"
            move = choose(legal)
            seen.update(("offered", kind) for kind in {kind_of(one, legal) for one in legal})
            seen["played", kind_of(move, legal)] += 1
            self.batch.step([actions[move]], restart=False)
            asked = next_of(game, move)
        assert asked is None, f"{self.text}: the referee goes on"
        self.compare(referee)
        assert referee.notes == self.batch.states[0].note[:, : referee.players].tolist(), self.text
        assert places(referee) == self.batch.rank[0].tolist(), self.text
        return seen

    def legal(self):
        """The engine's legal moves, each with its action."""
        seat = int(self.batch.seat[0])
        hand = self.batch.states["hand"][0, seat].tobytes()
        found = {}
        for action in np.flatnonzero(self.batch.action_mask[0]).tolist():
            key = (action, seat, hand if ORGANIZE <= action < LINK else b"")
            if key not in self.texts:
                self.texts[key] = action_to_text(self.batch.rules, self.batch.states[0], action)
            found[self.texts[key]] = action
        return found

    def compare(self, referee):
        ours, theirs = table_of(referee), as_referee(self.rules, np.asarray(self.batch.states)[0])
        for name, value in theirs.items():
            assert ours[name] == value, f"{self.text}: {name} is {ours[name]} to the referee and {value} to the engine"

    def referee(self):
        """The referee of the game that was just dealt; the first player's turn has begun."""
        s, rules, players = self.batch.states[0], self.rules, self.batch.num_players
        start = range(self.numbers["player"]["start_cards"])
        hands = [[int(card) for card in s.hand[seat] if card >= 0] for seat in range(players)]
        dealt = [hand[place] for hand in hands for place in start] + hands[0][len(start) :]
        deck = dealt + [int(card) for card in s.deck[s.drawn : rules.deck_size]]
        bag = [ARTIFACT_NAMES[token] for token in s.bag[: rules.bag_size]]
        return Referee(players, [card_name(card) for card in deck], bag, int(s.stance[0]), self.numbers)


def kind_of(move, legal):
    """What kind of move it is: its first word, what is organized, and tokens of a logistic event by themselves."""
    words = move.split()
    if words[0] == "organize":
        return f"organize {words[1] if words[1] in SHORT else 'card'}"
    return "token alone" if words[0] == "reinforce" and "done" in legal else words[0]


def difference(moves, legal):
    only = {"the referee": set(moves) - set(legal), "the engine": set(legal) - set(moves)}
    return "; ".join(f"only {who} has {', '.join(sorted(extra))}" for who, extra in only.items() if extra)


def table_of(referee):
    """The referee's table, as far as it is compared."""
    told = dict(vars(referee))
    told["artifacts"] = [{kind: n for kind, n in kept.items() if n} for kept in referee.artifacts]
    told["tokens"] = {place: n for place, n in referee.tokens.items() if n}
    told["events"] = {node: vars(one) for node, one in referee.events.items()}
    return told


def as_referee(rules, s):
    """The engine's position in the referee's words."""
    players = range(rules.num_players)
    planes = {name: s[name].T.tolist() for name in PLANES}
    return {
        "pawn": [COORDINATES[s["pawn"][seat]] for seat in players],
        "energy": s["energy"][: len(players)].tolist(),
        "points": s["points"][: len(players)].tolist(),
        "au": int(s["au"]),
        "winged": bool(s["winged"]),
        "pledge": [None if rival < 0 else rival for rival in s["pledge"][: len(players)].tolist()],
        "hand": [[card_name(card) for card in s["hand"][seat].tolist() if card >= 0] for seat in players],
        "flexible": [[name for name, kind in SHORT.items() if s["flexible"][seat, kind]] for seat in players],
        "artifacts": [
            {ARTIFACT_NAMES[kind]: n for kind, n in enumerate(s["artifact"][seat].tolist()) if n} for seat in players
        ],
        "deck": [card_name(card) for card in s["deck"][s["drawn"] : rules.deck_size].tolist()],
        "discarded": [card_name(card) for card in s["deck"][: s["discarded"]].tolist()],
        "bag": [ARTIFACT_NAMES[token] for token in s["bag"][s["bag_drawn"] : rules.bag_size].tolist()],
        "realized": {COORDINATES[node]: int(s["outcome"][node]) for node in np.flatnonzero(s["realized"])},
        "tokens": tokens(s["reinforcement"]),
        "events": {COORDINATES[node]: event(planes, node) for node in np.flatnonzero(s["event"])},
    }


PLANES = ("card", "mark", "if_yes", "if_no", "stance", "organizer", "impact")


def tokens(reinforcement):
    """By junction; both of its sides must tell the same."""
    found = {}
    for direction, node in np.argwhere(reinforcement):
        value = int(reinforcement[direction, node])
        assert found.setdefault(JUNCTIONS[direction][node], value) == value
    return found


def event(planes, node):
    def by_seat(field):
        return {seat: n for seat, n in enumerate(planes[field][node]) if n}

    return {
        "card": card_name(planes["card"][node]),
        "marks": {name: mark for name, mark in zip(NAMES, planes["mark"][node], strict=True) if mark},
        "yes": by_seat("if_yes"),
        "no": by_seat("if_no"),
        "stance": planes["stance"][node],
        "organizer": next(iter(by_seat("organizer")), None),
        "impacts": by_seat("impact"),
    }


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


# How moves are chosen


def evenly(generator):
    """Each legal move is as likely as the others."""
    return lambda legal: legal[generator.integers(len(legal))]


RARE = {
    "reinforce": 6.0,
    "token alone": 6.0,
    "link": 4.0,
    "organize atk": 6.0,
    "organize sup": 6.0,
    "organize log": 12.0,
    "use": 2.0,
    "amplify": 4.0,
    "pass": 0.2,
    "done": 0.5,
}


def rarely(generator):
    """First a kind of move, rare ones sooner than usual ones, then a move of it; every game likes some kinds better."""
    liked = {}

    def choose(legal):
        kinds = {}
        for move in legal:
            kinds.setdefault(kind_of(move, legal), []).append(move)
        for kind in kinds:
            liked.setdefault(kind, RARE.get(kind, 1.0) * 3.0 ** generator.normal())
        weights = np.array([liked[kind] for kind in kinds])
        moves = list(kinds.values())[generator.choice(len(kinds), p=weights / weights.sum())]
        return moves[generator.integers(len(moves))]

    return choose
