"""Kuhn poker, a game of one's own: positions as text, registration, environments. How it is made: docs/own_game.md."""

import re
import sys

import numpy as np

from examples.kuhn_poker import rules as kuhn
from timeline_env.engine import record, verbs
from timeline_env.engine.notation import action_from_text, copy_for_viewer
from timeline_env.wrappers.module import Environments


def load_rules(num_players=2, source=None):
    if num_players != 2 or source:
        raise ValueError(f"num_players {num_players!r}, rules {source!r}: Kuhn poker is for 2, and has no variants")
    return record.make_readable(np.array([(2,)], kuhn.RULES))


def to_text(rules, s, viewer=None):
    """``20 pass,bet 1f:2a``: the cards, the actions, seed and generator."""
    s = s if viewer is None else copy_for_viewer(rules, s, viewer)
    done = ",".join(action_to_text(rules, s, action) for action in s.done[: s.count])
    return f"{''.join('012?'[card] for card in s.card)} {done or '-'} {int(s.seed):x}:{int(s.rng):x}"


def from_text(rules, text):
    S = record.new(kuhn.STATE)
    if not (found := re.fullmatch(r"([012?])(?!\1)([012?]) (\S+) ([\da-f]{1,16}):([\da-f]{1,16})", text)):
        raise ValueError(f"position {text!r} must be as in 20 pass,bet 1f:2a or ?1 - 0:0, with two different cards")
    kuhn.deal(rules[0], S[0], np.uint64(0))
    S["card"][0] = [kuhn.HIDDEN if card == "?" else int(card) for card in found[1] + found[2]]
    for move in found[3].split(",") if found[3] != "-" else ():
        kuhn.play(rules[0], S[0], action_from_text(rules, S[0], move))
    S["seed"][0], S["rng"][0] = int(found[4], 16), int(found[5], 16)
    return S


def num_players_in(text):
    return 2


def action_to_text(rules, s, action):
    return kuhn.CODEC.decode(action)[0]


GAME = verbs.Game(
    name="kuhn_poker", rules_version=0, state=kuhn.STATE, rules=kuhn.RULES, codec=kuhn.CODEC, rewards=("rank", "score"),
    players=range(2, 3), usual_players=2, load_rules=load_rules, num_actions=lambda players: kuhn.CODEC.size,
    layout=lambda players: kuhn.LAYOUT, seat_names=("first", "second"), notation=sys.modules[__name__],
    verbs={verb: getattr(kuhn, verb) for verb in verbs.VERBS},
    baselines={"random": "timeline_env.players.random:Random"},
)  # fmt: skip
verbs.register(GAME)
environments = Environments(GAME, "kuhn_poker_v0")
