"""A second, slow reading of T4–T30, written from the rules page alone: coordinates, dicts and a generator for the course.

It shares nothing with the engine but the table of cards and the wording of moves, so that the two can be compared.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import timeline_env

CARDS = Path(timeline_env.__file__).parent / "data" / "timeline" / "cards.csv"
COMPASS = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
NAMES = list(COMPASS)
COLOURS = ("yellow", "orange", "blue", "purple", "grey", "turquoise")
CENTRE = (0, 0)
FLEXIBLE = {"atk": "B..f..", "sup": "b..F..", "log": "......"}
IMPACTS, REINFORCEMENTS = {1: 2, 2: 5, 3: 9}, {1: 3, 2: 7}


def radius(node):
    q, r = node
    return max(abs(q), abs(r), abs(q + r))


def time(node):
    """T1–T3: sorts nodes by time; what lies beyond the edge comes last."""
    q, r = node
    angle = math.degrees(math.atan2(1.5 * q, -math.sqrt(3) * (r + q / 2))) % 360
    return (radius(node), round(angle, 3)) if radius(node) <= 4 else (5, 0)


def towards(node, direction):
    dq, dr = COMPASS[direction]
    return (node[0] + dq, node[1] + dr)


def back(direction):
    return NAMES[NAMES.index(direction) - 3]


def table(players):
    """T7: the rows that this number of players can use."""
    with CARDS.open(newline="") as file:
        rows = list(csv.DictReader(file))

    def offsets(row):
        return [{"i": 0, "-": None}.get(arc, int(arc[2:] or 0) if "+" in arc else 0) for arc in row["arcs"].split("/")]

    for row in rows:
        row["offsets"] = offsets(row)
    return [row for row in rows if all(offset is None or offset < players for offset in row["offsets"])]


class Referee:
    """One game.

    Args:
        players: 2 to 6.
        deck: names of cards such as ``7o``, in the order in which they are drawn from before the deal on.
        bag: names of tokens in the order in which they are drawn.
        stance: 1 or -1, the neutral token's side.
    """

    def __init__(self, players, deck, bag, stance):
        self.players, self.deck, self.bag = players, list(deck), list(bag)
        self.rows = table(players)
        self.rounds = [3] * 5 if players == 5 else [2, 2, 2, 3, 3]
        self.pawn, self.energy, self.points = (
            [CENTRE] * players,
            [4 if players in (3, 4) else 13] * players,
            [0] * players,
        )
        self.hand = [[self.deck.pop(0) for _ in range(3)] for _ in range(players)]
        self.flexible = [["atk", "sup", "log"] if players > 2 else ["sup", "log"] for _ in range(players)]
        self.artifacts = [Counter() for _ in range(players)]
        self.notes, self.replaced, self.au, self.winged = [], [], 0, False
        marks = {name: 1 - 2 * (i % 2) for i, name in enumerate(NAMES)}
        self.events = {CENTRE: self.event("org", marks, ({}, {}), stance, None)}
        self.realized, self.reinforced = {}, {}

    @staticmethod
    def event(card, marks, arcs, stance, organizer):
        return SimpleNamespace(
            card=card, marks=marks, yes=arcs[0], no=arcs[1], stance=stance, organizer=organizer, impacts={}
        )

    # The course of the game (T4, T8, T9a). Yields (seat, legal moves) and is sent a move.

    def game(self):
        first = 0
        for self.phase in range(5):
            for lap in range(self.rounds[self.phase]):
                self.last_round = lap == self.rounds[self.phase] - 1
                for step in range(self.players):
                    yield from self.turn((first + step) % self.players)
                first = (first + 1) % self.players
            yield from self.realization((first - 1) % self.players)

    def ask(self, seat, options):
        move = next(iter(options)) if len(options) == 1 else (yield seat, list(options))
        done = options[move]()
        if done is not None:
            yield from done
        return move

    def turn(self, seat):
        self.energy[seat] = min(39, self.energy[seat] + 10)
        self.au, self.winged = 4, False
        if len(self.hand[seat]) < 5 and self.deck:
            self.hand[seat].append(self.deck.pop(0))
        while (yield from self.ask(seat, self.actions(seat))) != "pass":
            pass
        self.au, self.winged = 0, False

    def actions(self, seat):
        options = {"pass": lambda: None}
        event = self.events.get(self.pawn[seat])
        self.offer_moves(seat, options)
        self.offer_replacing(seat, options)
        self.offer_artifacts(seat, event, options)
        if event:
            self.offer_impacts(seat, event, options)
            self.offer_reinforcing(seat, event, options)
        elif self.au >= 2 and self.energy[seat] >= 13:
            self.offer_organizing(seat, options)
        return options

    def pay(self, seat, au, energy, then):
        self.au -= au
        self.energy[seat] -= energy
        return then()

    def offer(self, options, move, seat, au, energy, then):
        if self.au >= au and self.energy[seat] >= energy:
            options[move] = partial(self.pay, seat, au, energy, then)

    # T9, T23

    def exits(self, seat):
        for name in NAMES:
            node = towards(self.pawn[seat], name)
            if radius(node) <= 4 and node not in self.realized:
                yield name, partial(self.pawn.__setitem__, seat, node)

    def offer_moves(self, seat, options):
        for name, go in self.exits(seat):
            self.offer(options, f"move {name}", seat, 1, 0 if self.winged else 2, go)

    def label(self, seat, place):
        card = self.hand[seat][place]
        return f"{card}@{place + 1}" if self.hand[seat].count(card) > 1 else card

    def offer_replacing(self, seat, options):
        for place in range(len(self.hand[seat]) if self.deck else 0):
            self.offer(options, f"replace {self.label(seat, place)}", seat, 1, 0, partial(self.replace, seat, place))

    def replace(self, seat, place):
        self.replaced.append(self.hand[seat][place])
        self.hand[seat][place] = self.deck.pop(0)

    def offer_impacts(self, seat, event, options):
        for value, energy in IMPACTS.items():
            for sign, side in (("+", 1), ("-", -1)):
                if seat not in event.impacts:
                    put = partial(event.impacts.__setitem__, seat, side * value)
                    self.offer(options, f"impact {sign}{value}", seat, 1, energy, put)

    def may_be_reinforced(self, node, name):
        other = towards(node, name)
        return radius(other) <= 4 and self.realized.get(other) != 0 and frozenset((node, other)) not in self.reinforced

    def offer_reinforcing(self, seat, event, options):
        node = self.pawn[seat]
        for name in NAMES:
            other = towards(node, name)
            marked = name in event.marks or (other in self.events and back(name) in self.events[other].marks)
            for strength, energy in REINFORCEMENTS.items():
                if marked and self.may_be_reinforced(node, name):
                    put = partial(self.reinforced.__setitem__, frozenset((node, other)), strength)
                    self.offer(options, f"reinforce {name} +{strength}", seat, 1, energy, put)

    # T26

    def offer_artifacts(self, seat, event, options):
        kept = self.artifacts[seat]
        for kind in ("surge", "cell", "wings"):
            if kept[kind]:
                options[f"use {kind}"] = partial(getattr(self, kind), seat)
        if kept["switch"] and event:
            options["use switch"] = partial(self.switch, seat, event)
        if kept["amplifier"] and event and seat not in event.impacts:
            for sign, side in (("+", 1), ("-", -1)):
                options[f"amplify {sign}"] = partial(self.amplify, seat, event, 3 * side)

    def surge(self, seat):
        self.artifacts[seat]["surge"] -= 1
        self.au += 2

    def cell(self, seat):
        self.artifacts[seat]["cell"] -= 1
        self.energy[seat] = min(39, self.energy[seat] + 13)

    def wings(self, seat):
        self.artifacts[seat]["wings"] -= 1
        self.winged = True

    def switch(self, seat, event):
        self.artifacts[seat]["switch"] -= 1
        event.stance = -event.stance

    def amplify(self, seat, event, impact):
        self.artifacts[seat]["amplifier"] -= 1
        event.impacts[seat] = impact

    # T10–T14

    def offer_organizing(self, seat, options):
        for place, card in enumerate(self.hand[seat]):
            row = self.rows[int(card[:-1])]
            if row["end_of_round_sign"] == "1" and self.last_round and radius(self.pawn[seat]) == self.phase:
                continue
            self.offer_turns(seat, options, self.label(seat, place), row["radii"], row["marks"], place, 6)
        for card in self.flexible[seat]:
            radii = "1234" if card == "log" else "123"
            self.offer_turns(seat, options, card, radii, FLEXIBLE[card], card, 1 if card == "log" else 6)

    def offer_turns(self, seat, options, label, radii, letters, place, turns):
        node = self.pawn[seat]
        if str(radius(node)) not in radii:
            return
        for turn in range(turns):
            marks = {NAMES[(edge + turn) % 6]: letter for edge, letter in enumerate(letters) if letter != "."}
            if all((letter in "Ff") == (time(towards(node, name)) > time(node)) for name, letter in marks.items()):
                for side, stance in (("yes", 1), ("no", -1)):
                    then = partial(self.organize, seat, place, marks, stance)
                    options[f"organize {label} turn {turn} {side}"] = partial(self.pay, seat, 2, 13, then)

    def organize(self, seat, place, marks, stance):
        colours = {name: 1 if letter.isupper() else -1 for name, letter in marks.items()}
        if place in FLEXIBLE:
            self.flexible[seat].remove(place)
            self.events[self.pawn[seat]] = event = self.event(place, colours, ({}, {}), stance, seat)
            return {"atk": self.attack, "sup": self.support, "log": self.link}[place](seat, event)
        card = self.hand[seat].pop(place)
        row = self.rows[int(card[:-1])]
        points = int(row["points"]) * (1 if row["gain"] == "gain" else -1)
        of = [COLOURS[player][0] for player in range(6)].index(card[-1])
        arcs = [{(of + o) % self.players: points} if o is not None else {} for o in row["offsets"]]
        self.events[self.pawn[seat]] = self.event(card, colours, arcs, stance, seat)
        if row["artifact"] == "1" and self.bag:
            token = self.bag.pop(0)
            if token != "blank" and self.artifacts[seat].total() < 3:
                self.artifacts[seat][token] += 1
        return None

    # T27–T29

    def others(self, seat):
        return [(seat + step) % self.players for step in range(1, self.players)]

    def attack(self, seat, event):
        for side, arc in (("yes", event.yes), ("no", event.no)):
            yield from self.ask(
                seat,
                {
                    f"arc {side} {COLOURS[player]}": partial(arc.__setitem__, player, -1)
                    for player in self.others(seat)
                    if player not in event.yes
                },
            )

    def support(self, seat, event):
        yield from self.ask(
            seat,
            {
                f"arc {side} {COLOURS[player]}": partial(arc.__setitem__, player, 1)
                for player in self.others(seat)
                for side, arc in (("yes", event.yes), ("no", event.no))
            },
        )

    def link(self, seat, event):
        node = self.pawn[seat]

        def strength(name):
            return 2 + self.reinforced.get(frozenset((node, towards(node, name))), 0)

        def put(name, colour, extra):
            event.marks[name] = colour
            if extra:
                self.reinforced[frozenset((node, towards(node, name)))] = extra

        while True:
            options = {"done": lambda: None} if event.marks else {}
            total = sum(strength(name) for name in event.marks)
            for name in set(NAMES) - set(event.marks):
                if not event.marks and time(towards(node, name)) > time(node):
                    continue
                for extra in (0, 1, 2) if self.may_be_reinforced(node, name) else (0,):
                    new = strength(name) + extra
                    if new <= 4 and total + new <= 8:
                        for word, colour in (("cause", 1), ("hindrance", -1)):
                            ending = f" +{extra}" if extra else ""
                            options[f"link {name} {word}{ending}"] = partial(put, name, colour, extra)
            if (yield from self.ask(seat, options)) == "done":
                return

    # T15–T25

    def realization(self, first):
        if self.phase > 0:
            self.notes.append(list(self.points))
        span = range(-self.phase, self.phase + 1)
        ring = [(q, r) for q in span for r in span if radius((q, r)) == self.phase]
        for node in sorted(ring, key=time):
            event = self.events.get(node)
            self.realized[node] = self.decide(node, event) if event else 0
            for step in range(self.players if self.phase < 4 else 0):
                seat = (first + step) % self.players
                if self.pawn[seat] == node:
                    yield from self.ask(seat, {f"move {name}": go for name, go in self.exits(seat)})
            self.clean(node, event)

    def decide(self, node, event):
        total = sum(event.impacts.values())
        for name in NAMES:
            other = towards(node, name)
            if self.realized.get(other, 0) == 0:
                continue
            theirs, mine = self.events[other].marks.get(back(name)), event.marks.get(name)
            colour = theirs if theirs is not None else mine
            if colour is not None:
                strength = 2 + self.reinforced.get(frozenset((node, other)), 0)
                total += strength if colour == self.realized[other] else -strength
        outcome = event.stance if total == 0 else (1 if total > 0 else -1)
        for seat, points in (event.yes if outcome > 0 else event.no).items():
            self.points[seat] += points
        return outcome

    def clean(self, node, event):
        for name in NAMES:
            other = towards(node, name)
            if time(other) < time(node):
                self.reinforced.pop(frozenset((node, other)), None)
                if event and event.card == "log":
                    event.marks.pop(name, None)
        if event:
            event.impacts, event.stance, event.organizer = {}, 0, None
            if event.card in FLEXIBLE:
                event.yes, event.no = {}, {}

    def winners_first(self):
        """T25: seats by points and notes; seats that share a place stand together."""
        keys = {
            seat: (self.points[seat], *(note[seat] for note in reversed(self.notes))) for seat in range(self.players)
        }
        return [[seat for seat in keys if keys[seat] == key] for key in sorted(set(keys.values()), reverse=True)]
