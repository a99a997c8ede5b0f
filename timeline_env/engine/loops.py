"""The compiled loops over many games: one function body for every game, buffers that the caller owns, written in place.

In all of them `rules` is the game's numbers (record array [1]), `S` the positions (record array [n]), and the buffers are
those of `timeline_env.engine.batch.Batch`. Nothing is checked here: an index out of range would write into another game.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine import rng
from timeline_env.engine.jit import entry, inlined_rule, rule, wrapping_rule
from timeline_env.engine.memory import row_at, word_of
from timeline_env.engine.verbs import deal, determinize, hide, legal, observe, play, rewards, standings, to_act

EACH, EVEN = np.uint64(0x0101010101010101), np.uint64(0x00FF00FF00FF00FF)
EACH_EVEN, TOP = np.uint64(0x0001000100010001), np.uint64(0x8080808080808080)
"""A 1 in each byte; every other byte; a 1 in each of these; the highest bit of each byte. See `pick`."""
BYTE, HIGHEST, HIGHEST_TWO, BELOW_TOP = (np.uint64(bits) for bits in (8, 56, 48, 7))
"""By how many bits a word is shifted: by a byte, down to its highest byte, to its highest two, from a byte's highest bit to its lowest."""


@inlined_rule
def ask(rules, S, i, mask, seat):
    """Write who is to act in game `i`, and what that seat may do."""
    seat[i] = to_act(S[i])
    legal(rules[0], S[i], row_at(mask, i))


@inlined_rule
def look(rules, S, i, observation, mask, seat):
    """Write what the seat to act of game `i` sees and may do; a finished game is seen from seat 0."""
    ask(rules, S, i, mask, seat)
    observe(rules[0], S[i], max(seat[i], 0), row_at(observation, i))


@rule
def next_seed(seed):
    """The seed of the game that is dealt after the one from this seed; uint64."""
    return rng.mix(rng.advance(seed))


@inlined_rule
def restart(rules, S, i):
    """Deal game `i` again. A game's seed follows from that of the game before, which `deal` has kept in the field `seed`."""
    deal(rules[0], S[i], next_seed(S[i].seed))


@entry
def deal_games(rules, S, games, seeds, observation, mask, seat):
    """Deal the chosen games, each from its seed (uint64 [len(games)])."""
    for k in range(games.shape[0]):
        deal(rules[0], S[games[k]], seeds[k])
        look(rules, S, games[k], observation, mask, seat)


@entry
def fill_streams(seed, start, out):
    """Seeds of independent games: the streams `start`, `start` + 1 … of one seed, into `out` (uint64 [n])."""
    for k in range(out.shape[0]):
        out[k] = rng.stream(seed, start + k)


@entry
def look_at_games(rules, S, games, observation, mask, seat):
    """Write the buffers of the chosen games again."""
    for k in range(games.shape[0]):
        look(rules, S, games[k], observation, mask, seat)


@entry
def judge_games(rules, S, games, points, rank):
    """Write how those of the chosen games that are over ended."""
    for k in range(games.shape[0]):
        i = games[k]
        if to_act(S[i]) < 0:
            standings(rules[0], S[i], row_at(points, i), row_at(rank, i))


@entry
def restart_games(rules, S, games, observation, mask, seat):
    """Deal the chosen games again, each from the seed that follows its own."""
    for k in range(games.shape[0]):
        restart(rules, S, games[k])
        look(rules, S, games[k], observation, mask, seat)


@entry
def observe_games(rules, S, games, seats, out):
    """Write what each game's seat, in the same row of `seats`, sees there into `out` (int8 [len(games), d])."""
    for k in range(games.shape[0]):
        observe(rules[0], S[games[k]], seats[k], row_at(out, k))


@entry
def first_bad_game(games, num_games, asked):
    """The first k for which `games[k]` is not a game or is a duplicate; -1 if there is none.

    `asked` (bool [num_games], all False) is scratch and left as it was.
    """
    bad = -1
    count = games.shape[0]
    for k in range(count):
        if not 0 <= games[k] < num_games or asked[games[k]]:
            bad = k
            count = k
            break
        asked[games[k]] = True
    for k in range(count):
        asked[games[k]] = False
    return bad


@entry
def first_illegal(mask, games, actions):
    """The first k for which `actions[k]` is not legal in game `games[k]`; -1 if all are."""
    for k in range(games.shape[0]):
        if not 0 <= actions[k] < mask.shape[1] or mask[games[k], actions[k]] == 0:
            return k
    return -1


@inlined_rule
def play_game(rules, S, i, action, kind, renew, mask, seat, reward, done, points, rank):
    """Take one decision in game `i`: `reward` and `done` get what came of it, `seat` and `mask` who decides next and what it may do.

    A game that ends is dealt again if `renew`, otherwise its seat is -1; `points` and `rank` tell how it ended.
    """
    # The end repeats `ask`, the loops below repeat `look`: numba makes slower code of calls inlined into one another.
    play(rules[0], S[i], action)
    rewards(rules[0], S[i], kind, row_at(reward, i))
    seat[i] = to_act(S[i])
    done[i] = seat[i] < 0
    if done[i]:
        standings(rules[0], S[i], row_at(points, i), row_at(rank, i))
        if renew:
            restart(rules, S, i)
            seat[i] = to_act(S[i])
    legal(rules[0], S[i], row_at(mask, i))


@entry
def step_games(rules, S, games, actions, kind, renew, observation, mask, seat, reward, done, points, rank):
    """Take one decision in each of the chosen games, and write what those who decide next see; see `play_game`."""
    for k in range(games.shape[0]):
        i = games[k]
        play_game(rules, S, i, actions[k], kind, renew, mask, seat, reward, done, points, rank)
        observe(rules[0], S[i], max(seat[i], 0), row_at(observation, i))


@rule
def pick_random_action(mask, pickers, i):
    """A legal action for game `i`, every one equally likely, chosen by its own generator, which moves on."""
    pickers[i] = rng.advance(pickers[i])
    return pick(row_at(mask, i), rng.mix(pickers[i]))


@entry
def play_random_games(rules, S, pickers, steps, kind, observation, mask, seat, reward, done, points, rank):
    """Take `steps` uniformly random legal decisions in every game, chosen by its own generator, and write all buffers after each."""
    for _ in range(steps):
        for i in range(S.shape[0]):
            action = pick_random_action(mask, pickers, i)
            play_game(rules, S, i, action, kind, True, mask, seat, reward, done, points, rank)
            observe(rules[0], S[i], max(seat[i], 0), row_at(observation, i))


@entry
def pick_random(mask, words, out):
    """For each row of `mask` (int8 [n, actions]) the legal action that its random word (uint64 [n]) chooses, into `out`."""
    for k in range(mask.shape[0]):
        out[k] = pick(row_at(mask, k), words[k])


@wrapping_rule
def pick(mask, word):
    """The legal action that the random `word` (uint64) chooses, every one equally likely; the last one if none is legal.

    At most 65,535 actions are legal.
    """
    # Eight bytes of the mask at a time, each 0 or 1: read as one number and multiplied by `EACH`, they give their sum
    # in the highest byte, and in every byte the sum up to it. Sums of all the mask may exceed 255: each has two bytes.
    size, total, action = mask.shape[0], np.uint64(0), 0
    for at in range(0, size - 7, 8):
        total += (word_of(mask, at) & EVEN) + ((word_of(mask, at) >> BYTE) & EVEN)
    count = np.int64((total * EACH_EVEN) >> HIGHEST_TWO)
    for at in range(size - size % 8, size):
        count += mask[at]
    skip = rng.bound_word(word, count)
    while action + 32 < size:
        words = word_of(mask, action) + word_of(mask, action + 8)
        words += word_of(mask, action + 16) + word_of(mask, action + 24)
        legal = np.int64((words * EACH) >> HIGHEST)
        if legal > skip:
            break
        skip -= legal
        action += 32
    while action + 8 < size:
        sums = word_of(mask, action) * EACH
        legal = np.int64(sums >> HIGHEST)
        if legal > skip:
            # The highest bit of a byte stays where its sum is not above `skip`: so many come before the one sought.
            before = ((np.uint64(skip) * EACH | TOP) - sums) & TOP
            return action + np.int64(((before >> BELOW_TOP) * EACH) >> HIGHEST)
        skip -= legal
        action += 8
    # Without a legal action, as in a game that is over, this must not run on beyond the mask.
    while action + 1 < size and (mask[action] == 0 or skip > 0):
        skip -= mask[action]
        action += 1
    return action


@entry
def hide_games(rules, S, seats):
    """Erase from each record what the seat in its row does not know."""
    for k in range(S.shape[0]):
        hide(rules[0], S[k], seats[k])


@entry
def determinize_games(rules, S, seats, seeds):
    """Deal again, in each game, what the seat in its row does not know, from its seed (uint64 [n])."""
    for k in range(S.shape[0]):
        determinize(rules[0], S[k], seats[k], seeds[k])
