"""The generator against its published reference, and what is built on it."""

from __future__ import annotations

import numpy as np

from timeline_env.engine import record, rng

HOLDER = record.record(("rng", "u8", (), "the generator"), ("cards", "i1", 4, "something to shuffle"))


def holder(seed):
    states = record.new(HOLDER)
    states[0].rng = seed
    return states


def test_splitmix64_gives_its_published_reference_outputs():
    state, outputs = np.uint64(1234567), []
    for _ in range(5):
        state = np.uint64(rng.advance(state))
        outputs.append(int(rng.mix(state)))
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_bounded_cuts_the_low_32_bits_into_equal_parts():
    third = 2**32 // 3
    words = [0, third, third + 1, 2 * third, 2 * third + 1, 2**32 - 1, 2**63]
    assert [rng.bound_word(np.uint64(word), 3) for word in words] == [0, 0, 1, 1, 2, 2, 0]


def test_draw_moves_the_generator_by_one_step():
    states = holder(1234567)
    drawn = rng.draw(states[0], 1000)
    assert drawn == ((6457827717110365317 & 0xFFFFFFFF) * 1000) >> 32
    assert int(states[0].rng) == int(rng.advance(np.uint64(1234567)))


def test_shuffle_makes_every_order_equally_often_and_leaves_the_rest_alone():
    states, seen = holder(0), {}
    for _ in range(6000):
        states[0].cards = [1, 2, 3, 9]
        rng.shuffle(states[0], states[0].cards, 3)
        order = tuple(int(card) for card in states[0].cards)
        seen[order] = seen.get(order, 0) + 1
    assert sorted(seen) == [(*order, 9) for order in [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]]
    # 1000 each is expected, with a standard deviation of 29.
    assert all(abs(count - 1000) < 145 for count in seen.values())


def test_streams_of_one_seed_are_all_different():
    seeds = {int(rng.stream(np.uint64(seed), index)) for seed in (0, 1, 2**64 - 1) for index in range(1000)}
    assert len(seeds) == 3000


def test_draws_are_counted_also_where_the_state_passes_its_largest():
    for before in (np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)):
        after = before
        for draws in range(8):
            assert int(rng.draws_between(before, after)) == draws
            after = np.uint64(rng.advance(after))
