"""Games as one HTML file: small, whole, and with no more in them than was asked for."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.play.test_table import played as table_played
from tests.players.agents import an_agent
from timeline_env.engine.replay import SavedGame, save
from timeline_env.play import replays
from timeline_env.timeline import GAME as TIMELINE

MOST = 2**20
"""Bytes of a game's file."""


@pytest.fixture(scope="module")
def saved() -> SavedGame:
    """A short game of Timeline."""
    return table_played(TIMELINE, 2, 12).as_saved()


def content(page: str) -> dict[str, Any]:
    """What a file holds."""
    packed = re.search(r'id="content"[^>]*>([^<]*)<', page)
    assert packed is not None
    return json.loads(zlib.decompress(base64.b64decode(packed[1])))


def test_a_position_is_put_together_again_from_its_lines() -> None:
    lines = replays.Lines()
    texts = ["a\nb\nc\nb", "a\nx\nc", "a\nb\nc"]
    kept = [lines.add(text) for text in texts]
    for text, stretches in zip(texts, kept, strict=True):
        parts = []
        for start, count in zip(stretches[::2], stretches[1::2], strict=True):
            parts += lines.texts[start : start + count]
        assert "\n".join(parts) == text
    assert kept[2] == [0, 3] and len(lines.texts) == 4


def test_a_replay_holds_every_position_and_only_the_views_asked_for(saved: SavedGame) -> None:
    public = content(replays.page(replays.replay_saved(saved)))
    assert [len(view["frames"]) for view in public["views"]] == [len(saved.moves) + 1]
    assert all(frame["hands"] == [] and frame["position"] == "" for frame in public["views"][0]["frames"])
    assert str(saved.seed) not in json.dumps(public)
    both = content(replays.page(replays.replay_saved(saved), [0, replays.EVERYTHING]))
    assert [len(view["frames"][0]["hands"]) for view in both["views"]] == [1, 2]
    with pytest.raises(ValueError, match="viewer 2 must be"):
        replays.page(replays.replay_saved(saved), [2])


def test_a_players_thoughts_are_given_where_the_seats_view_is(saved: SavedGame) -> None:
    shown = replays.replay_saved(saved)
    advanced: list[int] = []
    thoughts = content(replays.page(shown, [None, 0], "greedy", advanced.append))["mind"]["thoughts"]
    assert sum(advanced) == len(thoughts) == len(shown.line)
    seats = [int(s.question[s.depth - 1, 1]) for s, _ in shown.line]
    assert [thought is not None for thought in thoughts] == [seat == 0 for seat in seats] and 0 in seats
    with pytest.raises(ValueError, match="thoughts tell of a hand"):
        replays.page(shown, [None], "greedy")


def test_what_an_agent_expects_is_told_of_every_seat(saved: SavedGame, tmp_path: Path) -> None:
    an_agent(2, reward="rank").save(tmp_path / "agent.npz")
    shown = replays.replay_saved(saved)
    told = [content(replays.page(shown, [0], f"{kind}{tmp_path}"))["mind"]["thoughts"] for kind in ("", "puct:2@")]
    expected = [[thought and thought["expected"] for thought in thoughts] for thoughts in told]
    assert expected[0] == expected[1] and len({str(each) for each in expected[0]}) > 2
    assert all(len(each) == 2 and max(map(abs, each)) <= 1 for each in expected[0] if each)


def test_a_name_cannot_become_a_part_of_the_page(saved: SavedGame) -> None:
    hostile = "</script><script>alert(1)</script>"
    page = replays.page(replays.replay_saved(saved, hostile, [hostile, hostile]))
    assert hostile not in page and html.escape(hostile) in page
    assert content(page)["seats"][0]["player"] == hostile
    title = "{style} {script} {content} {title}"
    assert f"<title>{title}</title>" in replays.page(replays.replay_saved(saved, title))


def test_a_replay_opens_from_disk_and_in_a_notebook(saved: SavedGame, browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(replays.page(replays.replay_saved(saved), [None, 0]), encoding="utf-8")
    assert path.stat().st_size < MOST
    notebook = tmp_path / "notebook.html"
    notebook.write_text(
        f"<!doctype html><title>notebook</title>{saved._repr_mimebundle_()['text/html']}", encoding="utf-8"
    )
    page = browser.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for address, place in ((path, page), (notebook, page.frame_locator("iframe"))):
        page.goto(address.as_uri())
        expect(place.locator("body")).to_have_attribute("data-ready", "yes")
        expect(place.locator("#number")).to_have_text(f"0 of {len(saved.moves)}")
        place.locator("#forth").click()
        page.keyboard.press("ArrowRight")
        expect(place.locator("#number")).to_have_text(f"2 of {len(saved.moves)}")
        page.keyboard.press("End")
        expect(place.locator("#told p").first).to_be_visible()
    page.goto(path.as_uri())
    page.locator("#view").select_option("1")
    expect(page.locator("#hands h2")).to_have_text("Hand of yellow")
    assert wrong == []
    page.close()


def test_a_notebook_without_scripts_shows_the_last_position(saved: SavedGame) -> None:
    shown = saved._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg") and shown["text/plain"] == "Timeline, 2 seats, 12 decisions"


def test_a_file_of_any_kind_is_read(saved: SavedGame, tmp_path: Path) -> None:
    save(tmp_path / "saved.json", saved)
    found = replays.read(tmp_path / "saved.json")
    assert len(found.line) == len(saved.moves) and found.title == "saved"
    (tmp_path / "list.json").write_text('{"moves": 1}')
    (tmp_path / "log.txt").write_text("no log at all")
    for name in ("list.json", "log.txt", "none.json"):
        with pytest.raises(ValueError, match=name):
            replays.read(tmp_path / name)


def test_a_number_is_of_a_tournaments_games_alone(saved: SavedGame, tmp_path: Path) -> None:
    save(tmp_path / "saved.json", saved)
    with pytest.raises(ValueError, match=r"number 5: .* holds a single game"):
        replays.read(tmp_path / "saved.json", 5)


def test_a_recorded_game_is_read_with_the_cards_as_they_were(tmp_path: Path) -> None:
    source = Path(__file__).parents[1] / "twilight_struggle" / "games"
    path = next(iter(sorted(source.glob("*.json"))))
    whole = json.loads(path.read_text())
    (tmp_path / path.name).write_text(json.dumps(whole | {"decisions": whole["decisions"][:12]}))
    found = replays.read(tmp_path / path.name)
    assert (len(found.line), found.seats) == (12, ("USSR", "US"))
    frames = content(replays.page(found))["views"][0]["frames"]
    assert any("(now 1)" in sentence for frame in frames for sentence in frame["told"])
