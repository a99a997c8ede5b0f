"""Positions to look at: random ones, the same with other hidden cards, the same with all seats turned."""

from __future__ import annotations

import numpy as np

from timeline_env import timeline_v0
from timeline_env.timeline.actions import CODEC
from timeline_env.timeline.state import ATTACKING


def random_batch(players, decisions, games=12, seed=0):
    """Games that are some random decisions old, each game another number."""
    batch = timeline_v0.batch(games, players, seed)
    generator = np.random.default_rng(seed)
    running = np.arange(games)
    for step in range(decisions):
        running = running[step < (running + 1) * decisions // games]
        actions = [generator.choice(np.flatnonzero(batch.action_mask[game])) for game in running]
        batch.step(np.array(actions, np.int64), running)
    return batch


def twin_batches(players, decisions, games=12):
    """`random_batch`, and the same games with other hidden cards, most of which differ in the hands."""
    batch, twin = random_batch(players, decisions, games), random_batch(players, decisions, games)
    generator, different = np.random.default_rng(0), 0
    for game, s in enumerate(np.asarray(batch.states)):
        world = other_world(np.asarray(batch.rules)[0], s, max(int(batch.seat[game]), 0), generator)
        different += world["hand"].tobytes() != s["hand"].tobytes()
        np.asarray(twin.states)[game] = world
    twin.refresh()
    assert different > games // 3
    return batch, twin


def other_world(rules, s, seat, generator):
    """A copy of the record in which everything differs that `seat` does not know."""
    players = int(rules["num_players"])
    world = s.copy()
    others = [player for player in range(players) if player != seat]
    places = [(player, place) for player in others for place in range(s["held"][player])]
    unseen = np.concatenate([[s["hand"][place] for place in places], s["deck"][s["drawn"] : rules["deck_size"]]])
    # What was put away is known to whose hand it was alone; nobody's observation may tell of it.
    unseen = generator.permutation(np.concatenate([unseen, s["deck"][: s["discarded"]]]))
    for place in places:
        world["hand"][place], unseen = unseen[0], unseen[1:]
    left = rules["deck_size"] - s["drawn"]
    world["deck"][s["drawn"] : rules["deck_size"]] = unseen[:left]
    world["deck"][: s["discarded"]] = unseen[left:]
    world["bag"][s["bag_drawn"] : rules["bag_size"]] = generator.permutation(
        s["bag"][s["bag_drawn"] : rules["bag_size"]]
    )
    world["seed"], world["rng"] = generator.integers(1, 2**63, 2)
    return world


SEAT_AXIS = ("pawn", "energy", "points", "gained", "hand", "held", "flexible", "artifact", "pledge")
SEAT_PLANES = ("organizer", "impact", "if_yes", "if_no")


def turned(rules, s):
    """A copy of the record in which everybody sits one seat further, and all cards are made for the next seat."""
    players = int(rules["num_players"])

    def cards(numbers):
        next_seat = 6 * (numbers // 6) + (numbers % 6 + 1) % players
        return np.where((numbers >= 0) & (numbers < ATTACKING), next_seat, numbers)

    def seats(named):
        return np.where(named >= 0, (named + 1) % players, named)

    world = s.copy()
    for name in ("hand", "deck", "card"):
        world[name] = cards(s[name])
    world["pledge"] = seats(s["pledge"])
    for name in (*SEAT_AXIS, *SEAT_PLANES):
        world[name][:players] = np.roll(world[name][:players], 1, axis=0)
    world["note"][:, :players] = np.roll(s["note"][:, :players], 1, axis=1)
    world["first"] = (s["first"] + 1) % players
    for i in range(s["depth"]):
        world["question"][i, 1] = (s["question"][i, 1] + 1) % players
    assert len(s["legal"]) == CODEC.size, "actions name seats relative to the one who acts, and stay as they are"
    return world
