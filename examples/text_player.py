"""A player that is asked in words, as a language model is: one question per line comes in, one move per line goes out (docs/text.md).

``python examples/text_player.py`` answers at random; with ``--player NAME`` as a player of the package would, from what the
question says; with ``--malformed 0.1`` one answer in ten is not a move. A program around a model replaces `choose`.
"""

import argparse
import json
import random
import sys

MALFORMED = (b"I would rather not say.", b"0", b"1 or 2", b'{"move": NaN}', b'{"move": [1]}', b"{", b"", b"\xff\xfe")


def choose_random(question, rng):
    """One of the question's moves, at random."""
    return rng.choice(question["moves"])


def choice_of(name):
    """A function that chooses as the player of this name does, made anew each time: the same question gets the same answer."""
    from timeline_env.engine.batch import Batch
    from timeline_env.engine.setting import Setting
    from timeline_env.games import game_named
    from timeline_env.players import Decisions, load_player

    made = {}

    def choose(question, rng):
        game, count, variant = game_named(question["game"]), question["num_players"], question["variant"] or None
        key = json.dumps([game.name, count, variant])
        # A variant with a table of cards of its own cannot be made: the question does not say where that is.
        if key not in made:
            made[key] = Batch(Setting(game, count, variant), 1)
        batch, player = made[key], load_player(name, game, num_players=count, rules=variant)
        batch.states[:] = game.notation.from_text(batch.rules, question["position"])
        batch.refresh()
        action = player.act(Decisions.of(batch, [0]))[0]
        return game.notation.action_to_text(batch.rules, batch.states[0], int(action))

    return choose


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--player")
    parser.add_argument("--malformed", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    choose = choice_of(given.player) if given.player else choose_random
    for line in sys.stdin:
        answer = choose(json.loads(line), rng).encode()
        if rng.random() < given.malformed:
            answer = rng.choice(MALFORMED)
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
