"""Twilight Struggle: its rules (one file a chapter) and its registration with the engine."""

from __future__ import annotations

from timeline_env.engine import questions, verbs
from timeline_env.twilight_struggle import (
    actions,
    board,
    determinize,
    estimate,
    numbers,
    observe,
    play,
    scoring,
    state,
)
from timeline_env.twilight_struggle.text import notation

RULES_VERSION = 1
"""Goes up with every change of rules, actions or observation that a trained agent would notice."""

GAME = verbs.Game(
    name="twilight_struggle",
    rules_version=RULES_VERSION,
    state=state.STATE,
    rules=numbers.RULES,
    codec=actions.CODEC,
    rewards=scoring.REWARDS,
    players=range(2, 3),
    usual_players=2,
    load_rules=numbers.load_rules,
    num_actions=actions.num_actions,
    layout=observe.layout,
    seat_names=board.SEAT_NAMES,
    verbs={
        "deal": play.deal,
        "play": play.play,
        "legal": questions.legal,
        "to_act": play.to_act,
        "observe": observe.observe,
        "rewards": scoring.rewards,
        "standings": scoring.standings,
        "estimate": estimate.estimate,
        "hide": observe.hide,
        "determinize": determinize.determinize,
    },
    nodes=observe.nodes,
    candidates=observe.candidates,
    notation=notation,
    baselines={
        "random": "timeline_env.players.random:Random",
        "cautious": "timeline_env.players.twilight_struggle.cautious:Cautious",
        "ladder_bot": "timeline_env.players.twilight_struggle.ladder_bot:LadderBot",
        "heuristic": "timeline_env.players.twilight_struggle.heuristic:Heuristic",
    },
    rollout="timeline_env.players.twilight_struggle.rollout:finish_round",
    guard="timeline_env.players.twilight_struggle.fates:Guard",
    view="timeline_env.view.twilight_struggle",
    page="timeline_env.play.twilight_struggle",
    rule_numbers="timeline_env.twilight_struggle.text.rule_numbers",
)
verbs.register(GAME)
