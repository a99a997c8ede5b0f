"""Saved games."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from tests.games import each_table
from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.replay import (
    DIGEST_EVERY,
    SavedGame,
    deal_batch,
    follow,
    load,
    positions,
    record_game,
    replay,
    save,
)
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME


def played(players, seed, rules=None, most=10_000, game=GAME):
    """A random game: its actions, and the bytes after the deal and after each of them."""
    batch = deal_batch(Setting(game, players, rules), seed)
    generator = np.random.default_rng(seed)
    actions, states = [], [batch.states.tobytes()]
    while not batch.done[0] and len(actions) < most:
        actions.append(int(generator.choice(np.flatnonzero(batch.action_mask[0]))))
        batch.step([actions[-1]], restart=False)
        states.append(batch.states.tobytes())
    return actions, states


@pytest.fixture(scope="module")
def saved():
    return record_game(Setting(GAME, 3), 7, played(3, 7, most=DIGEST_EVERY + 5)[0])


@each_table
def test_a_saved_game_replays_to_the_same_bytes_at_every_move(tmp_path, table):
    players = table.num_players
    actions, states = played(players, seed=2**64 - players, game=table.game)
    save(tmp_path / "game.json", record_game(Setting(table.game, players), 2**64 - players, actions))
    again = load(tmp_path / "game.json")
    assert [position.tobytes() for position in positions(again)] == states
    assert replay(again).tobytes() == states[-1]
    assert again.seed == int(replay(again)[0].seed) == 2**64 - players


def test_a_variant_is_saved_with_its_numbers_not_with_its_file(tmp_path):
    rules, file = {"player": {"income": 3}}, tmp_path / "variant.toml"
    file.write_text("player.income = 3")
    actions, states = played(2, 5, rules, most=30)
    save(tmp_path / "game.json", record_game(Setting(GAME, 2, file), 5, actions))
    assert replay(load(tmp_path / "game.json")).tobytes() == states[-1]
    assert load(tmp_path / "game.json").rules == rules


def test_a_game_without_moves_is_the_deal():
    assert replay(record_game(Setting(GAME, 4), 1, [])).tobytes() == deal_batch(Setting(GAME, 4), 1).states.tobytes()


def test_digests_stand_at_regular_moves_and_at_the_end(saved):
    assert list(saved.digests) == [str(DIGEST_EVERY), str(DIGEST_EVERY + 5)]
    assert saved.digests[str(DIGEST_EVERY + 5)] == record.digest(replay(saved))


def test_an_illegal_action_is_not_recorded():
    with pytest.raises(ValueError, match=r"^move 1: action 999 is not legal; legal are "):
        record_game(Setting(GAME, 2), 0, [999])


def broken(saved, number, move):
    return replace(saved, moves=[*saved.moves[: number - 1], move, *saved.moves[number:]])


WRONG = {
    "unknown game": (
        lambda s: replace(s, game="chess"),
        r"game 'chess' is unknown, import its module first: those imported are .*timeline",
    ),
    "other rules": (
        lambda s: replace(s, rules_version=GAME.rules_version + 1),
        f"rules_version {GAME.rules_version + 1} of the saved game: only version {GAME.rules_version} of timeline",
    ),
    "illegal move": (
        lambda s: broken(s, 3, "fly"),
        r"move 3 of the saved game: move 'fly' is not legal; legal: .*move",
    ),
    "other move": (lambda s: broken(s, len(s.moves), "pass"), f"position after move {DIGEST_EVERY + 5} has the digest"),
    "other players": (lambda s: replace(s, num_players=9), "num_players 9 must be an integer from 2 to 6"),
    "other seed": (lambda s: replace(s, seed=-1), r"seed -1 must be an integer from 0 to 2\*\*64 - 1"),
    "unknown number": (lambda s: replace(s, rules={"speed": 1}), "key of the rules 'speed' is unknown"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_replayed_gives_one_line(saved, case):
    spoil, message = WRONG[case]
    assert saved.moves[-1] != "pass", "the last move must be another for the case 'other move'"
    with pytest.raises(ValueError, match=message) as raised:
        replay(spoil(saved))
    assert "\n" not in str(raised.value)


def test_moves_after_the_end_are_refused():
    actions, _ = played(2, 3)
    saved = record_game(Setting(GAME, 2), 3, actions)
    with pytest.raises(ValueError, match=f"move {len(actions) + 1} of the saved game: .* the game is over"):
        replay(replace(saved, moves=[*saved.moves, "pass"], digests={}))


def changed(saved, **keys):
    return json.dumps({**asdict(saved), **keys})


FILES = {
    "no JSON": (lambda s: "{", "Expecting property name"),
    "a list": (lambda s: "[]", "it must be an object with the keys game, rules_version, num_players"),
    "an unknown key": (lambda s: changed(s, colour="red"), "it must be an object with the keys"),
    "a seed as text": (lambda s: changed(s, seed="7"), "seed '7' must be an integer"),
    "a truth as number": (lambda s: changed(s, num_players=True), "num_players True must be an integer"),
    "moves as text": (lambda s: changed(s, moves="pass"), "moves 'pass' must be a list of texts"),
    "a move as number": (lambda s: changed(s, moves=[1]), "1 among the moves must be text"),
    "fewer moves than were saved": (lambda s: changed(s, moves=s.moves[:-1]), "with 54 moves they must be of 0 to 54"),
    "no digest of the end": (lambda s: changed(s, digests={}), "with 55 moves they must be of 0 to 55, the last one"),
    "a digest of no move": (lambda s: changed(s, digests=s.digests | {"zz": ""}), "after the moves '50 55 zz'"),
    "a digest as number": (lambda s: changed(s, digests={"55": 2}), "2 among the digests must be text"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_saved_game_gives_one_line(tmp_path, saved, case):
    write, message = FILES[case]
    path = tmp_path / "game.json"
    path.write_text(write(saved))
    with pytest.raises(ValueError) as raised:
        load(path)
    assert message in str(raised.value) and str(path) in str(raised.value) and "\n" not in str(raised.value)


def test_a_missing_file_gives_one_line(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        load(tmp_path / "none.json")


def test_saving_leaves_the_old_file_whole_if_it_cannot_write(tmp_path, saved):
    path = tmp_path / "game.json"
    save(path, saved)
    unwritable: SavedGame = replace(saved, rules={"player": np.int64})
    with pytest.raises(TypeError):
        save(path, unwritable)
    assert load(path) == saved
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_replaying_does_not_depend_on_the_batch_a_game_was_played_in(saved):
    batch = Batch(Setting(GAME, 3), 3)
    batch.deal(np.array([1, 7, 2], np.uint64))
    for position, action in follow(saved):
        if action is not None:
            actions = batch.action_mask.argmax(axis=1)
            actions[1] = action
            batch.step(actions)
        assert position.tobytes() == batch.states[1:2].tobytes()
