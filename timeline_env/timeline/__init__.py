"""The hexagonal game: its rules (one file a chapter) and its registration with the engine."""

from __future__ import annotations

from timeline_env.engine import questions, verbs
from timeline_env.timeline import actions, determinize, estimate, numbers, observe, play, score, state
from timeline_env.timeline.text import notation

RULES_VERSION = 1
"""Goes up with every change of rules, actions or observation that a trained agent would notice."""

GAME = verbs.Game(
    name="timeline",
    rules_version=RULES_VERSION,
    state=state.STATE,
    rules=numbers.RULES,
    codec=actions.CODEC,
    rewards=score.REWARDS,
    players=range(state.MIN_PLAYERS, state.MAX_PLAYERS + 1),
    usual_players=4,
    load_rules=numbers.load_rules,
    num_actions=actions.num_actions,
    layout=observe.layout,
    seat_names=state.SEAT_NAMES,
    places=observe.places,
    verbs={
        "deal": play.deal,
        "play": play.play,
        "legal": questions.legal,
        "to_act": play.to_act,
        "observe": observe.observe,
        "rewards": score.rewards,
        "standings": score.standings,
        "estimate": estimate.estimate,
        "hide": observe.hide,
        "determinize": determinize.determinize,
    },
    notation=notation,
    baselines={
        "random": "timeline_env.players.random:Random",
        "greedy": "timeline_env.players.timeline.lookahead:Greedy",
        "projector": "timeline_env.players.timeline.lookahead:Projector",
        "planner": "timeline_env.players.timeline.planner:Planner",
    },
    nodes=observe.nodes,
    candidates=observe.candidates,
    view="timeline_env.view.timeline",
    page="timeline_env.play.timeline",
    rule_numbers="timeline_env.timeline.text.rule_numbers",
    switches={"pledges": {"agreements": {"pledges": 0}}},
)
verbs.register(GAME)
