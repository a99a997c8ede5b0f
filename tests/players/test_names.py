"""Players' names: what they are cut into, and what a mistyped one is answered with."""

from __future__ import annotations

import pytest

from timeline_env.players import load_player
from timeline_env.players.names import Budget, PlayerName
from timeline_env.timeline import GAME


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("random", {"agent": "random"}),
        ("shipped@sampled", {"agent": "shipped", "sampled": True}),
        ("runs/a@b/agent.npz@sampled", {"agent": "runs/a@b/agent.npz", "sampled": True}),
        ("mcts:200", {"search": "mcts", "budget": Budget(200, float("inf"))}),
        ("flat:50ms", {"search": "flat", "budget": Budget(2**62, 0.05)}),
        ("puct:9@runs/a:b@sampled", {"search": "puct", "budget": Budget(9, float("inf")), "agent": "runs/a:b@sampled"}),
        ("mine:Cautious", {"place": "mine:Cautious"}),
        (":x", {"agent": ":x"}),
        ("mcts200", {"agent": "mcts200"}),
    ],
)
def test_a_name_is_cut_into_its_parts(text: str, parts: dict) -> None:
    assert PlayerName.read(text) == PlayerName(text, **parts)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("projektor", "'projector'"),
        ("Shipped", "'shipped'"),
        ("random@sampled", "'random'"),
        ("mcts200", "'mcts:200'"),
        ("mcst:50ms", "'mcts:50ms'"),
        ("puct:9@projectr", "'projector'"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_nearest_known_one(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=rf"\(did you mean {meant}\?\)") as refusal:
        load_player(name, GAME)
    assert name in str(refusal.value) and "\n" not in str(refusal.value)


def test_a_name_like_no_other_is_answered_with_all_that_are_allowed() -> None:
    known = (
        "random, greedy, projector, shipped, flat:200, mcts:200, puct:200@GUIDE, module:Class, the path of a trained"
    )
    with pytest.raises(ValueError, match=f"^player 'nobody' is unknown; allowed: {known} agent$"):
        load_player("nobody", GAME)
