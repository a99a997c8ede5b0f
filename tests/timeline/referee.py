"""A second, slow reading of T1–T30 and R1–R18, written from the rules page alone: coordinates, dicts, a generator for the course.

It shares nothing with the engine but the [C] numbers, the table of cards and the wording of moves, so that the two can be compared.
"""

from __future__ import annotations

import csv
import math
import tomllib
from collections import Counter
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import timeline_env

DATA = Path(timeline_env.__file__).parent / "data" / "timeline"
COMPASS = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
NAMES = list(COMPASS)
COLOURS = ("yellow", "orange", "blue", "purple", "grey", "turquoise")
SIDES = {"yes": 1, "no": -1}
SIGNS = {"+": 1, "-": -1}
CAUSES = {"cause": 1, "hindrance": -1}
CENTRE = (0, 0)
EDGE = 4
ORGANIZING = (2, 13)
LINK, STRONGEST_LINK, STRONGEST_LINKS = 2, 4, 8
TOKENS, MOST_TOKENS = (1, 2), 4


@cache
def radius(node):
    q, r = node
    return max(abs(q), abs(r), abs(q + r))


@cache
def time(node):
    """T1–T3: sorts nodes by time; what lies beyond the edge comes last."""
    q, r = node
    angle = math.degrees(math.atan2(1.5 * q, -math.sqrt(3) * (r + q / 2))) % 360
    return (radius(node), round(angle, 3)) if radius(node) <= EDGE else (EDGE + 1, 0)


@cache
def towards(node, direction):
    dq, dr = COMPASS[direction]
    return (node[0] + dq, node[1] + dr)


@cache
def back(direction):
    return NAMES[NAMES.index(direction) - 3]


@cache
def junction(node, direction):
    return frozenset((node, towards(node, direction)))


@cache
def is_forward(node, direction):
    return time(towards(node, direction)) > time(node)


def turned(letters, turn):
    """Letters of marks by direction, after so many sixths clockwise."""
    return {NAMES[(edge + turn) % 6]: letter for edge, letter in enumerate(letters) if letter != "."}


def colours(letters):
    """1 a cause, -1 a hindrance."""
    return {name: 1 if letter.isupper() else -1 for name, letter in letters.items()}


def usual_numbers():
    """The [C] numbers, by section and key."""
    return tomllib.loads((DATA / "numbers.toml").read_text())


def table(players):
    """T7, R7: the rows that this number of players can use; `rivals` tells how many seats on the players of the arcs sit."""
    with (DATA / "cards.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["rivals"] = [None if arc == "-" else int(arc.partition("+")[2] or 0) for arc in row["arcs"].split("/")]
    return [row for row in rows if all(step is None or step < players for step in row["rivals"])]


def whole_deck(players, numbers):
    """T7: names of all cards, sorted."""
    seats = [COLOURS[seat][0] for seat in range(players)]
    cards = [f"{row}{seat}" for row in range(len(table(players))) for seat in seats]
    return sorted(cards * numbers["copies"][str(players)])


class Referee:
    """One game.

    Args:
        players: 2 to 6.
        deck: names of cards such as ``7o``, in the order in which they are drawn from before the deal on.
        bag: names of tokens in the order in which they are drawn.
        stance: 1 or -1, the neutral token's side.
        numbers: the [C] numbers, as `usual_numbers` has them.
    """

    def __init__(self, players, deck, bag, stance, numbers):
        self.players, self.deck, self.bag, self.numbers = players, list(deck), list(bag), numbers
        self.rows = table(players)
        self.pawn, self.points = [CENTRE] * players, [0] * players
        self.energy = [numbers["start_energy"][str(players)]] * players
        cards = range(numbers["player"]["start_cards"])
        self.hand = [[self.deck.pop(0) for _ in cards] for _ in range(players)]
        self.flexible = [["atk", "sup", "log"] if players > 2 else ["log"] for _ in range(players)]
        self.artifacts = [Counter() for _ in range(players)]
        self.pledge = [None] * players
        self.notes, self.discarded, self.au, self.winged = [], [], 0, False
        marks = colours(turned(numbers["original"]["marks"], 0))
        self.events = {CENTRE: self.event("org", marks, ({}, {}), stance, None)}
        self.realized, self.tokens = {}, Counter()

    @staticmethod
    def event(card, marks, arcs, stance, organizer):
        yes, no = arcs
        return SimpleNamespace(card=card, marks=marks, yes=yes, no=no, stance=stance, organizer=organizer, impacts={})

    # The course of the game (T4, T8, T9a). Yields (seat, legal moves) and is sent a move.

    def game(self):
        first = 0
        for phase, rounds in enumerate(self.numbers["rounds"][str(self.players)]):
            self.phase = phase
            for lap in range(1, rounds + 1):
                self.last_round = lap == rounds
                for seat in self.seats_from(first):
                    yield from self.turn(seat)
                first = (first + 1) % self.players
            yield from self.realization(first - 1)

    def seats_from(self, first):
        return [(first + step) % self.players for step in range(self.players)]

    def others(self, seat):
        return self.seats_from(seat)[1:]

    def ask(self, seat, options):
        move = next(iter(options)) if len(options) == 1 else (yield seat, list(options))
        done = options[move]()
        if done is not None:
            yield from done
        return move

    # A turn (T9)

    def turn(self, seat):
        self.pledge[seat] = None
        self.bring_energy(seat, self.numbers["player"]["income"])
        self.bring_card(seat)
        self.au = self.numbers["player"]["action_units"]
        while (yield from self.ask(seat, self.actions(seat))) != "pass":
            pass
        self.au, self.winged = 0, False

    def bring_energy(self, seat, energy):
        self.energy[seat] = min(self.numbers["player"]["most_energy"], self.energy[seat] + energy)

    def bring_card(self, seat):
        """R1: the oldest card of a full hand makes room."""
        if not self.deck:
            return
        if len(self.hand[seat]) == self.numbers["player"]["most_cards"]:
            self.discarded.append(self.hand[seat].pop(0))
        self.hand[seat].append(self.deck.pop(0))

    def actions(self, seat):
        options = {"pass": lambda: None}
        event = self.events.get(self.pawn[seat])
        self.offer_moves(seat, options)
        self.offer_pledges(seat, options)
        self.offer_artifacts(seat, event, options)
        if event:
            self.offer_impacts(seat, event, options)
            self.offer_reinforcing(seat, options)
        else:
            self.offer_organizing(seat, options)
        return options

    def offer(self, options, move, seat, price, then):
        au, energy = price
        if self.au >= au and self.energy[seat] >= energy:
            options[move] = partial(self.pay, seat, price, then)

    def pay(self, seat, price, then):
        au, energy = price
        self.au -= au
        self.energy[seat] -= energy
        return then()

    # Moves (T9, T23)

    def exits(self, seat):
        for name in NAMES:
            node = towards(self.pawn[seat], name)
            if radius(node) <= EDGE and node not in self.realized:
                yield name, partial(self.pawn.__setitem__, seat, node)

    def offer_moves(self, seat, options):
        prices = self.numbers["prices"]
        for name, go in self.exits(seat):
            energy = 0 if self.winged else prices["move_energy"]
            self.offer(options, f"move {name}", seat, (prices["move_au"], energy), go)

    # Pledges (T28, R18)

    def offer_pledges(self, seat, options):
        if self.numbers["agreements"]["pledges"] and self.players > 2 and self.au > 0 and self.pledge[seat] is None:
            for rival in self.others(seat):
                options[f"pledge {COLOURS[rival]}"] = partial(self.pledge.__setitem__, seat, rival)

    # Impacts and reinforcements (T9)

    def offer_impacts(self, seat, event, options):
        if seat in event.impacts:
            return
        prices = self.numbers["prices"]
        energies = prices["own_impact_energy" if event.organizer == seat else "impact_energy"]
        for value, energy in enumerate(energies, start=1):
            for sign, side in SIGNS.items():
                put = partial(event.impacts.__setitem__, seat, side * value)
                self.offer(options, f"impact {sign}{value}", seat, (prices["impact_au"], energy), put)

    def bears_mark(self, node, name):
        """Whether either side of the junction bears one."""
        other = towards(node, name)
        sides = ((node, name), (other, back(name)))
        return any(place in self.events and edge in self.events[place].marks for place, edge in sides)

    def takes_token(self, node, name, token):
        """T9, R17: whether the token may lie on the junction, if that bears a mark."""
        other = towards(node, name)
        bounded = radius(other) <= EDGE and self.realized.get(other) != 0
        return bounded and self.tokens[junction(node, name)] + token <= MOST_TOKENS

    def put_token(self, node, name, token):
        self.tokens[junction(node, name)] += token

    def offer_reinforcing(self, seat, options):
        prices, node = self.numbers["prices"], self.pawn[seat]
        for name in NAMES:
            for token, energy in zip(TOKENS, prices["reinforce_energy"], strict=True):
                if self.bears_mark(node, name) and self.takes_token(node, name, token):
                    put = partial(self.put_token, node, name, token)
                    self.offer(options, f"reinforce {name} +{token}", seat, (prices["reinforce_au"], energy), put)

    # Artifacts (T14, T26)

    def draw_artifact(self, seat):
        """R3: every token drawn has left the bag, kept or not."""
        token = self.bag.pop(0) if self.bag else "blank"
        if token != "blank" and self.artifacts[seat].total() < self.numbers["artifacts"]["most_kept"]:
            self.artifacts[seat][token] += 1

    def offer_artifacts(self, seat, event, options):
        kept = self.artifacts[seat]
        for kind in ("surge", "cell", "wings"):
            if kept[kind]:
                options[f"use {kind}"] = partial(getattr(self, kind), seat)
        if kept["switch"] and event:
            options["use switch"] = partial(self.switch, seat, event)
        if kept["amplifier"] and event and seat not in event.impacts:
            for sign, side in SIGNS.items():
                options[f"amplify {sign}"] = partial(self.amplify, seat, event, side)

    def surge(self, seat):
        self.artifacts[seat]["surge"] -= 1
        self.au += self.numbers["artifacts"]["surge_au"]

    def cell(self, seat):
        self.artifacts[seat]["cell"] -= 1
        self.bring_energy(seat, self.numbers["artifacts"]["cell_energy"])

    def wings(self, seat):
        self.artifacts[seat]["wings"] -= 1
        self.winged = True

    def switch(self, seat, event):
        self.artifacts[seat]["switch"] -= 1
        event.stance = -event.stance

    def amplify(self, seat, event, side):
        self.artifacts[seat]["amplifier"] -= 1
        event.impacts[seat] = side * self.numbers["artifacts"]["amplifier_impact"]

    # Organizing (T10–T14)

    def offer_organizing(self, seat, options):
        for place, card in enumerate(self.hand[seat]):
            row = self.rows[int(card[:-1])]
            if row["end_of_round_sign"] == "1" and self.last_round and radius(self.pawn[seat]) == self.phase:
                continue
            label = f"{card}@{place + 1}" if self.hand[seat].count(card) > 1 else card
            radii = [int(number) for number in row["radii"]]
            self.offer_turns(seat, options, label, radii, row["marks"], partial(self.organize_card, seat, place, row))
        words = self.numbers["flexible"]
        for card, kind in (("atk", "attacking"), ("sup", "supporting")):
            if card in self.flexible[seat]:
                then = partial(self.organize_flexible, seat, card, bool(words[f"{kind}_artifact"]))
                self.offer_turns(seat, options, card, words[f"{kind}_radii"], words[f"{kind}_marks"], then)
        if "log" in self.flexible[seat] and self.can_link_backward(self.pawn[seat]):
            self.offer_stances(seat, options, "log turn 0", {}, partial(self.organize_flexible, seat, "log", False))

    def offer_turns(self, seat, options, label, radii, letters, then):
        """T11, T13."""
        node = self.pawn[seat]
        for turn in range(6 if radius(node) in radii else 0):
            marks = turned(letters, turn)
            if all((letter in "Ff") == is_forward(node, name) for name, letter in marks.items()):
                self.offer_stances(seat, options, f"{label} turn {turn}", colours(marks), then)

    def offer_stances(self, seat, options, label, marks, then):
        """T10, T12."""
        for word, side in SIDES.items():
            self.offer(options, f"organize {label} {word}", seat, ORGANIZING, partial(then, dict(marks), side))

    def organize_card(self, seat, place, row, marks, stance):
        card = self.hand[seat].pop(place)
        maker = [colour[0] for colour in COLOURS].index(card[-1])
        points = int(row["points"]) * (1 if row["gain"] == "gain" else -1)
        arcs = [{} if step is None else {(maker + step) % self.players: points} for step in row["rivals"]]
        self.events[self.pawn[seat]] = self.event(card, marks, arcs, stance, seat)
        if row["artifact"] == "1":
            self.draw_artifact(seat)

    def organize_flexible(self, seat, card, artifact, marks, stance):
        self.flexible[seat].remove(card)
        self.events[self.pawn[seat]] = event = self.event(card, marks, ({}, {}), stance, seat)
        if artifact:
            self.draw_artifact(seat)
        return {"atk": self.attack, "sup": self.support, "log": self.link}[card](seat, event)

    # Flexible events (T27–T29)

    def attack(self, seat, event):
        """R15: the arc under ✓ first."""
        for word, arc in (("yes", event.yes), ("no", event.no)):
            rivals = [rival for rival in self.others(seat) if rival not in event.yes]
            yield from self.ask(
                seat, {f"arc {word} {COLOURS[rival]}": partial(arc.__setitem__, rival, -1) for rival in rivals}
            )

    def support(self, seat, event):
        options = {}
        for rival in self.others(seat):
            options[f"arc yes {COLOURS[rival]}"] = partial(event.yes.__setitem__, rival, 1)
            options[f"arc no {COLOURS[rival]}"] = partial(event.no.__setitem__, rival, 1)
        yield from self.ask(seat, options)

    def strength(self, node, name):
        """T18."""
        return LINK + self.tokens[junction(node, name)]

    def can_link_backward(self, node):
        """R6: whether some backward link is weak enough for a mark."""
        return any(not is_forward(node, name) and self.strength(node, name) <= STRONGEST_LINK for name in NAMES)

    def link(self, seat, event):
        """R6: one edge after the other, each once, a backward mark first; then done at any time."""
        node, edges = self.pawn[seat], []
        while (yield from self.ask(seat, self.edges_to_set(node, event, edges))) != "done":
            pass

    def edges_to_set(self, node, event, edges):
        """R4, R5: a mark, a mark with a token, or a token alone where the neighbour's mark lies."""
        options = {"done": lambda: None} if edges else {}
        total = sum(self.strength(node, name) for name in edges)
        for name in NAMES:
            if name in edges or (not edges and is_forward(node, name)):
                continue
            for token in (0, *TOKENS):
                strength = self.strength(node, name) + token
                if strength > STRONGEST_LINK or total + strength > STRONGEST_LINKS:
                    continue
                if token and not self.takes_token(node, name, token):
                    continue
                put = partial(self.set_edge, node, event, edges, name, token)
                ending = f" +{token}" if token else ""
                for word, colour in CAUSES.items():
                    options[f"link {name} {word}{ending}"] = partial(put, colour)
                if edges and token and self.bears_mark(node, name):
                    options[f"reinforce {name}{ending}"] = partial(put, None)
        return options

    def set_edge(self, node, event, edges, name, token, colour):
        edges.append(name)
        if colour is not None:
            event.marks[name] = colour
        self.put_token(node, name, token)

    # Realization (T15–T25)

    def realization(self, first):
        if self.phase > 0:
            self.notes.append(list(self.points))
        span = range(-self.phase, self.phase + 1)
        ring = [(q, r) for q in span for r in span if radius((q, r)) == self.phase]
        for node in sorted(ring, key=time):
            event = self.events.get(node)
            self.realized[node] = self.decide(node, event) if event else 0
            if self.phase < EDGE:
                yield from self.step_aside(node, first)
            self.clean(node, event)

    def step_aside(self, node, first):
        """T23, R11."""
        for seat in self.seats_from(first):
            if self.pawn[seat] == node:
                yield from self.ask(seat, {f"move {name}": go for name, go in self.exits(seat)})

    def decide(self, node, event):
        """T17–T22."""
        total = sum(event.impacts.values())
        for name in NAMES:
            other = towards(node, name)
            if self.realized.get(other, 0) == 0:
                continue
            colour = self.events[other].marks.get(back(name), event.marks.get(name))
            if colour is not None:
                strength = self.strength(node, name)
                total += strength if colour == self.realized[other] else -strength
        outcome = event.stance if total == 0 else (1 if total > 0 else -1)
        for seat, points in (event.yes if outcome > 0 else event.no).items():
            self.points[seat] += points
        return outcome

    def clean(self, node, event):
        """T24, R9, R12."""
        for name in NAMES:
            if not is_forward(node, name):
                self.tokens.pop(junction(node, name), None)
                if event and event.card == "log":
                    event.marks.pop(name, None)
        if event:
            event.impacts, event.stance, event.organizer = {}, 0, None
            if event.card in ("atk", "sup"):
                event.yes, event.no = {}, {}

    def winners_first(self):
        """T25: seats by points and notes; seats that share a place stand together."""
        keys = {
            seat: (self.points[seat], *(note[seat] for note in reversed(self.notes))) for seat in range(self.players)
        }
        return [[seat for seat in keys if keys[seat] == key] for key in sorted(set(keys.values()), reverse=True)]
