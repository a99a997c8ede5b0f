"""The other end of `timeline_env.bridges.struggler`: it runs in struggler's own process and imports nothing of this package.

``python struggler_side.py FOLDER`` reads a JSON object a line and answers each with one. FOLDER is a checkout of
github.com/alekpinel/struggler. All chance comes with the requests: dice, the hands after a draw, the cards that were
taken at random. Words: sides are ``USSR`` and ``US``, countries and cards have struggler's names.

=============  ======================================================================================================
``names``      the cards by number, and the names of the countries
``new``        a game before the set-up
``force``      set what is on the table; with ``at`` also what is asked: ``round``, ``headline``
``load``       the chance of the sender's next step: ``dice``, ``hands`` afterwards, ``gone`` at random, ``looked`` at
``step``       the option of the decision pending with this value
``drop``       leave the decision pending
``choose``     what `GreedyPlayer` chooses of the options given; the table is set for it, and a game in progress is lost
=============  ======================================================================================================

``names`` and ``choose`` are answered with what they ask for, the others with the table; or, where struggler fails or needs chance that was not sent, ``{"error": …}``.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

SIDES = ("USSR", "US")
TRACKS = ("defcon", "vp", "turn", "action_round", "china_card_owner", "china_card_available")
TABLES = ("space_race", "space_race_attempts", "military_ops", "turn_effects", "game_effects", "hands")
PILES = ("draw_pile", "discard_pile", "removed_cards")
MOST_ADVANCES = 100
"""Steps between two questions: more than a turn has rounds."""


class Chance:
    """Stands in for struggler's random numbers."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    def shuffle(self, pile: list[str]) -> None:
        """Do nothing: the order of a pile never matters, since the cards that are drawn are sent."""

    def randrange(self, count: int) -> int:
        """The place, in its owner's hand, of a card that went at random."""
        hand, gone = self.engine.hands[self.engine.owner], self.engine.gone[self.engine.owner]
        for card in gone:
            if card in hand:
                gone.remove(card)
                return hand.index(card)
        raise LookupError("a random card that did not come with the request")

    def randint(self, low: int, high: int) -> int:
        """The next die."""
        if not self.engine.dice:
            raise LookupError("a die that did not come with the request")
        return self.engine.dice.pop(0)


def mirror(core: Any, types: Any) -> Any:
    """A class of struggler's engine whose chance is what was loaded."""

    class Mirror(core.Engine):
        def __init__(self, seed: int, board: Any = None) -> None:
            super().__init__(seed, board)
            self.dice: list[int] = []
            self.after: dict[str, list[str]] = {side: [] for side in SIDES}
            self.gone: dict[str, list[str]] = {side: [] for side in SIDES}
            self.owner = ""
            self.advances = 0

        def _advance_once(self) -> None:
            """Advance, but stop a game in which nothing is asked any more, as with empty hands: it would go on for ever."""
            self.advances += 1
            if self.advances > MOST_ADVANCES:
                raise RecursionError("it goes on without asking anything")
            super()._advance_once()
            self._rng = Chance(self)

        def push_random_discard(self, owner: Any, purpose: str, count: int = 1) -> None:
            self.owner = owner.value
            super().push_random_discard(owner, purpose, count)

        def draw_cards_to_hand(self, side: Any, n: int) -> None:
            self.draw_for(side.value, len(self.hands[side.value]) + n)

        def _deal_to_limit(self) -> None:
            limit = core.hand_limit(self.turn)
            if self.after["US"] or self.after["USSR"]:  # before the first message there is nothing to deal
                for side in SIDES:
                    self.draw_for(side, limit, False)
                for side in SIDES:
                    self.draw_for(side, limit, True)

        def draw_for(self, side: str, until: int, shuffled: bool = True) -> None:
            """Move cards that the side is to hold from the pile to its hand, until it has `until`; if `shuffled`, from the discards too."""
            for card in self.after[side]:
                if len(self.hands[side]) < until and card not in self.hands[side]:
                    if shuffled and card in self.discard_pile and not self.draw_pile:
                        self._reshuffle_discard_into_draw()
                    if card in self.draw_pile:
                        self.draw_pile.remove(card)
                        self.hands[side].append(card)
                    elif shuffled:
                        raise LookupError("a card is drawn that is not in the draw pile")

        def _push(self, actor: Any, kind: Any, options: Any, context: Any) -> None:
            """Where both roll, the first die is the USSR's."""
            rolls, payload = types.DecisionKind, dict(options[0].payload) if options else {}
            if kind is rolls.REALIGNMENT_ACTOR_ROLL and context["side"] == "US":
                mine = self._roll_d6()
                self.dice.insert(0, payload["value"])
                options = (types.Action(kind, {"value": mine}),)
            elif kind is rolls.CONTEST_ROLL and context["event"] == "Summit" and context["sponsor"] == "US":
                swapped = {"sponsor_roll": payload["defender_roll"], "defender_roll": payload["sponsor_roll"]}
                options = (types.Action(kind, swapped),)
            super()._push(actor, kind, options, context)

    return Mirror


class Server:
    """Answers the requests."""

    def __init__(self, folder: Path) -> None:
        sys.path[0] = str(folder / "src")  # in the place of this file's folder, where another struggler.py lies
        self.core = importlib.import_module("struggler.engine.core")
        self.types = importlib.import_module("struggler.engine.types")
        self.greedy = importlib.import_module("struggler.bots.greedy").GreedyPlayer()
        self.kind = mirror(self.core, self.types)
        self.engine = self.kind(0)

    def names(self, request: dict[str, Any]) -> dict[str, Any]:
        """Cards by number; countries by the name that is printed."""
        cards = {card.number: name for name, card in self.engine.cards.items()}
        return {"cards": cards, "countries": list(self.engine.board.countries)}

    def new(self, request: dict[str, Any]) -> dict[str, Any]:
        self.engine = self.kind.new_game(0, include_optional=True)
        return self.table()

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        engine = self.engine
        engine.dice, engine.after, engine.gone = request["dice"], request["hands"], request["gone"]
        for card in request["looked"]:
            if card in engine.draw_pile:
                engine.draw_pile.remove(card)
                engine.draw_pile.append(card)
        return self.table()

    def step(self, request: dict[str, Any]) -> dict[str, Any]:
        for option in self.engine.legal_actions():
            if value_of(option.payload) == request["value"]:
                self.engine.step(option)
                return self.table()
        raise LookupError(f"no option {request['value']}")

    def drop(self, request: dict[str, Any]) -> dict[str, Any]:
        """Leave the question pending, as if it had been answered."""
        self.engine._decision_stack.pop()
        self.engine._ops_round_snapshot = None
        self.engine._advance()
        return self.table()

    def force(self, request: dict[str, Any]) -> dict[str, Any]:
        engine = self.engine
        for name, both in request["influence"].items():
            engine.board.influence[name] = dict(both)
        for name in (*TRACKS, *TABLES, *PILES):
            setattr(engine, name, request[name])
        if request["at"]:
            engine._decision_stack, engine._winner, engine._ops_round_snapshot = [], None, None
            engine._headline, engine._headline_resolving, engine._headline_pending = request["headline"], False, []
            engine._ars_played = request["ars_played"]
            engine.phase = "headline" if request["at"] == "headline" else "action_rounds"
            if request["at"] == "headline":
                engine._advance()
            else:
                engine._dispatch_action_round(self.types.Side(request["side"]))
                engine._advance()
        return self.table()

    def choose(self, request: dict[str, Any]) -> dict[str, Any]:
        types, engine = self.types, self.engine
        self.force(request | {"at": ""})
        kind, side = types.DecisionKind(request["kind"]), types.Side(request["side"])
        options = tuple(types.Action(kind, option) for option in request["options"])
        engine._decision_stack = [types.Decision(0, side, kind, options, request["context"])]
        chosen = self.greedy.choose_action(engine.observe(side), ())
        return {"chosen": options.index(chosen)}

    def table(self) -> dict[str, Any]:
        """What lies on the table, and what is asked."""
        engine, pending = self.engine, self.engine.pending_decision
        told: dict[str, Any] = {name: getattr(engine, name) for name in (*TRACKS, *TABLES, *PILES)}
        told["influence"] = engine.board.influence
        told["dice"] = len(engine.dice)
        told["over"], told["reason"] = engine.is_terminal, engine._game_over_reason
        told["winner"] = engine.winner.value if engine.winner else None
        told["pending"] = pending and {
            "actor": pending.actor.value,
            "kind": pending.kind.value,
            "context": {key: pending.context.get(key) for key in ("event", "card", "ops", "setup", "purpose")},
            "options": [value_of(option.payload) for option in pending.options],
        }
        return told


def value_of(payload: Any) -> Any:
    """The one value of an option; both dice where there are two."""
    values = list(payload.values())
    return values[0] if len(values) == 1 else values


def main() -> None:
    """Answer requests until the input ends."""
    server = Server(Path(sys.argv[1]))
    for line in sys.stdin:
        request = json.loads(line)
        server.engine.advances = 0
        try:
            answer = getattr(server, request["do"])(request)
        except Exception as error:  # whatever goes wrong in the other engine is a finding
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
