"""The rules of Kuhn poker: H. W. Kuhn, "Simplified two-person poker", Contributions to the Theory of Games 1, 1950.

Each seat antes a chip and is dealt one of three cards. They pass or bet a chip in turn: after two passes or two bets in a
row the higher card wins the pot; whoever passes after a bet gives it up.
"""

from timeline_env.engine import record, rng
from timeline_env.engine.codec import Codec
from timeline_env.engine.jit import rule
from timeline_env.engine.pieces import Layout
from timeline_env.engine.questions import legal as legal  # copies the record's field of that name

HIDDEN, PASS, BET = -1, 0, 1
STATE = record.record(
    ("rng", "u8", (), "the generator"),
    ("seed", "u8", (), "of the deal"),
    ("card", "i1", (2,), "each seat's, 0 to 2; -1 if it is not known"),
    ("done", "i1", (3,), "the actions so far; -1 for none yet"),
    ("count", "i1", (), "how many there are"),
    ("won", "i1", (), "chips that the first seat has won; 0 until the end, for there is no draw"),
    ("legal", "i1", (2,), "1 for each legal action"),
)
RULES = record.record(("num_players", "i8", (), "2"))
CODEC = Codec(("pass", (), "no chip: to check, or to give the pot up"), ("bet", (), "a chip: to bet, or to call"))
LAYOUT = Layout(
    ("card", (3,), "1 for the viewer's card", 1),
    ("done", (3, 2), "of each action so far: 1 for a pass, 1 for a bet", 1),
)


@rule
def deal(rules, s, seed):
    s.rng, s.seed, s.count, s.won = seed, seed, 0, 0
    s.card[:], s.done[:], s.legal[:] = HIDDEN, HIDDEN, 1
    draw_card(s, 0)
    draw_card(s, 1)


@rule
def draw_card(s, seat):
    while s.card[seat] == HIDDEN or s.card[seat] == s.card[1 - seat]:
        s.card[seat] = rng.draw(s, 3)


@rule
def play(rules, s, action):
    s.done[s.count] = action
    s.count += 1
    higher = 1 if s.card[0] > s.card[1] else -1
    if s.count > 1 and s.done[s.count - 2] == BET:
        s.won = 2 * higher if action == BET else 1 if s.count == 2 else -1
    elif s.count == 2 and action == PASS:
        s.won = higher
    s.legal[:] = s.won == 0


@rule
def to_act(s):
    return s.count % 2 if s.won == 0 else -1


@rule
def observe(rules, s, seat, out):
    out[:] = 0
    out[s.card[seat]] = 1
    for i in range(s.count):
        out[3 + 2 * i + s.done[i]] = 1


@rule
def rewards(rules, s, kind, out):
    out[0] = s.won if kind == 1 else (s.won > 0) - (s.won < 0)
    out[1] = -out[0]


@rule
def standings(rules, s, points, rank):
    points[0], points[1] = s.won, -s.won
    rank[0], rank[1] = 1 + (s.won < 0), 1 + (s.won > 0)


@rule
def estimate(rules, s, values):
    values[0], values[1] = (1, -1) if s.card[0] > s.card[1] else (-1, 1)


@rule
def hide(rules, s, seat):
    s.rng, s.seed, s.card[1 - seat] = 0, 0, HIDDEN


@rule
def determinize(rules, s, seat, seed):
    s.rng, s.seed, s.card[1 - seat] = seed, 0, HIDDEN
    draw_card(s, 1 - seat)
