"""What a seat knows: the observation, its pieces, and the wiping of everything else (R4.2: hands are secret)."""

from __future__ import annotations

from functools import cache

import numpy as np

from timeline_env.engine.graph import Nodes, no_edges, one_hot
from timeline_env.engine.jit import rule
from timeline_env.engine.memory import BLOCK, block_start, clear_run, copy_run, count_blocks
from timeline_env.engine.pieces import Layout
from timeline_env.twilight_struggle import board, cards, frames, state, tracks
from timeline_env.twilight_struggle.actions import COUNTRY
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.countries import lead
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.lasting import acts_on, is_closed_by_defcon, is_protected
from timeline_env.twilight_struggle.scoring import CONTROL, count_held, is_shuttled, southeast_asia_points, worth_now

MUCH_INFLUENCE = 20
"""Influence of one side in one country that hardly any game exceeds."""
MUCH_NEEDED = MUCH_INFLUENCE + int(board.STABILITY.max())
"""Influence that it takes to control a country where the other side has that much."""
TRACKS = {
    "the viewer is the US": 1,
    "turn": 10,
    "action round": 8,
    "viewer phasing": 1,
    "victory points for the viewer": 20,
    "DEFCON": 5,
    "military operations of the viewer": 5,
    "military operations of the opponent": 5,
    "space box of the viewer": 8,
    "space box of the opponent": 8,
    "attempts this turn of the viewer": 2,
    "attempts this turn of the opponent": 2,
    "extra round of the viewer": 1,
    "extra round of the opponent": 1,
    "cards in the viewer's hand": 10,
    "cards in the opponent's hand": 10,
    "China Card with the viewer": 1,
    "China Card face up": 1,
    "cards to draw": cards.CARDS - 1,
    "DEFCON moved to 2": 1,
    "headline laid by the viewer": 1,
    "headline laid by the opponent": 1,
    "region of Chernobyl plus 1": 6,
    "game over": 1,
}
"""The numbers of the piece ``tracks``, with the scale of each."""
NUMBERS = {
    "choices left, or Ops, or the card drawn (67)": cards.CARDS - 1,
    "side, or operations allowed": 7,
    "set of countries": board.SETS - 1,
    "filter, or free of limits": 5,
    "most choices a country, or Ops used": 6,
    "influence a choice, or regions left": state.MOST_INFLUENCE,  # which stands for all influence
    "may be declined": 2,
    "choices made": 7,
}
"""The numbers of the piece ``numbers``, which tells of the pending question, with the scale of each."""
OF_REGION = {
    "points for the viewer": tracks.MOST_VP,
    "standing of the viewer": CONTROL,
    "standing of the opponent": CONTROL,
}
"""What is told of each of the six regions, with the scale of each number."""
A_REGION = len(OF_REGION)
REGIONS = {
    **{f"{region}: {name}": scale for region in board.REGION_NAMES for name, scale in OF_REGION.items()},
    "southeast_asia: points for the viewer": int(board.IN_SET[board.SOUTHEAST_ASIA].sum()) + 1,  # Thailand counts twice
}
"""The numbers of the piece ``regions``, with the scale of each."""
KINDS = len(frames.QUESTIONS)
LAYOUT = Layout(
    ("own_influence", (board.COUNTRIES,), "the viewer's influence", MUCH_INFLUENCE),
    ("other_influence", (board.COUNTRIES,), "the opponent's influence", MUCH_INFLUENCE),
    ("control", (board.COUNTRIES,), "1 controlled by the viewer, -1 by the opponent", 1),
    (
        "reach",
        (board.COUNTRIES,),
        "1 where the viewer's Ops may place influence: as it was at the start of the action round or headline",
        1,
    ),
    ("chosen", (board.COUNTRIES,), "how often the country was chosen in the question pending", 7),
    (
        "needed",
        (board.COUNTRIES,),
        "influence that the viewer lacks to control the country; 0 with control",
        MUCH_NEEDED,
    ),
    ("other_needed", (board.COUNTRIES,), "influence that the opponent lacks to control it", MUCH_NEEDED),
    (
        "target",
        (board.COUNTRIES,),
        "1 where a coup or realignment by the viewer's Ops would be allowed: the opponent's influence, not closed by DEFCON, not protected",
        1,
    ),
    (
        "regions",
        (len(REGIONS),),
        "if the region were scored now: points (20 for Control of Europe), and 0 nothing, 1 presence, 2 domination, 3 control; "
        + "; ".join(REGIONS),
        list(REGIONS.values()),
        tuple(REGIONS),
    ),
    ("hand", (cards.CARDS - 1,), "1 in the viewer's hand; 2 if the opponent knows it", 2),
    (
        "known",
        (cards.CARDS - 1,),
        "1 in the opponent's hand, and the viewer knows it; or its headline, not shown yet",
        1,
    ),
    ("unseen", (cards.CARDS - 1,), "1 in the draw pile or in the opponent's hand, the viewer does not know where", 1),
    ("discards", (cards.CARDS - 1,), "1 in the discard pile", 1),
    ("removed", (cards.CARDS - 1,), "1 out of the game", 1),
    (
        "table",
        (cards.CARDS - 1,),
        "1 being played, lying before a player or looked at (108); 2 headlined by the viewer; -2 by the opponent, and shown",
        2,
    ),
    (
        "lasting",
        (cards.CARDS - 1,),
        "7.3: 1 in effect; where it acts on a side: 1 on the viewer, -1 on the opponent",
        1,
    ),
    ("source", (cards.CARDS - 1,), "1 for the card that the pending question comes from", 1),
    ("tracks", (len(TRACKS),), "; ".join(TRACKS), list(TRACKS.values()), tuple(TRACKS)),
    ("to_act", (1,), "1 if the viewer decides", 1),
    (
        "question",
        (KINDS,),
        "one-hot kind of the pending question: " + "; ".join(frames.KIND_NAMES[kind] for kind in frames.QUESTIONS),
        1,
    ),
    (
        "numbers",
        (len(NUMBERS),),
        "of the pending question: " + "; ".join(NUMBERS),
        list(NUMBERS.values()),
        tuple(NUMBERS),
    ),
)


@cache
def layout(num_players: int) -> Layout:
    """The observation's pieces."""
    return LAYOUT


@cache
def nodes(num_players: int) -> tuple[Nodes, ...]:
    """The countries, with the map's edges; and the cards. Every single one is known by its number and by what is printed on it."""
    own = np.eye(board.COUNTRIES, dtype=np.float32)
    printed = np.stack([board.STABILITY / 5, board.BATTLEGROUND, *board.NEXT_TO_SUPERPOWER], axis=1)
    countries = np.concatenate([printed, one_hot(board.REGION), own], axis=1, dtype=np.float32)
    features = np.concatenate([np.eye(cards.CARDS - 1), one_hot(cards.SIDE[1:])], axis=1, dtype=np.float32)
    return (
        Nodes(
            ("own_influence", "other_influence", "control", "reach", "chosen", "needed", "other_needed", "target"),
            board.NEIGHBOURS[None],
            countries,
            actions=COUNTRY + np.arange(board.COUNTRIES)[:, None],
        ),
        Nodes(
            ("hand", "known", "unseen", "discards", "removed", "table", "lasting", "source"),
            no_edges(cards.CARDS - 1),
            features,
        ),
    )


def candidates(num_players: int) -> tuple[Nodes, ...]:
    """The countries, each with the action that names it."""
    return nodes(num_players)[:1]


OWN, OTHER, CONTROLLED, REACH, CHOSEN, NEEDED, OTHER_NEEDED, TARGET, OF_REGIONS = (
    LAYOUT[name].start
    for name in (
        "own_influence", "other_influence", "control", "reach", "chosen", "needed", "other_needed", "target", "regions",
    )
)  # fmt: skip
HAND, KNOWN, UNSEEN, DISCARD, GONE, OPEN, LASTING, SOURCE = (
    LAYOUT[name].start for name in ("hand", "known", "unseen", "discards", "removed", "table", "lasting", "source")
)
SOUTHEAST_ASIA = LAYOUT.index("regions", "southeast_asia: points for the viewer")
ACTING, QUESTION, NUMBER = (LAYOUT[name].start for name in ("to_act", "question", "numbers"))
CHOICES_MADE = LAYOUT.index("numbers", "choices made")
(
    IS_US, TURN, ACTION_ROUND, PHASING, VICTORY_POINTS, DEFCON, MILOPS, OTHER_MILOPS, SPACE, OTHER_SPACE,
    ATTEMPTS, OTHER_ATTEMPTS, EXTRA_ROUND, OTHER_EXTRA_ROUND, HELD, OTHER_HELD, HAS_CHINA, CHINA_UP,
    TO_DRAW, FELL, HEADLINE, OTHER_HEADLINE, CHERNOBYL, OVER,
) = (LAYOUT.index("tracks", name) for name in TRACKS)  # fmt: skip
SECRET = (np.arange(cards.CARDS) != cards.CHINA).astype(np.int8)
"""[card]: 1 if it is secret in a hand: all but the China Card. Bytes, as in `board.STABILITY_BYTE`."""
BLOCKS_OF_COUNTRIES, BLOCKS_OF_CARDS = count_blocks(board.COUNTRIES), count_blocks(cards.CARDS - 1)


@rule
def observe(rules, s, seat, out):
    """Write what `seat` may know into `out` (int8 [layout size]); every byte is written."""
    observe_map(s, seat, out)
    observe_regions(s, seat, out)
    observe_cards(s, seat, out)
    observe_tracks(s, seat, out)
    observe_question(s, seat, out)


@rule
def observe_map(s, seat, out):
    """Influence, control and what is missing for control, the viewer's side first; where Ops may attack."""
    copy_run(s.influence[seat], 0, board.COUNTRIES, out, OWN)
    copy_run(s.influence[1 - seat], 0, board.COUNTRIES, out, OTHER)
    copy_run(s.reach[seat], 0, board.COUNTRIES, out, REACH)
    copy_run(s.chosen, 0, board.COUNTRIES, out, CHOSEN)
    for block in range(BLOCKS_OF_COUNTRIES):
        first = block_start(block, board.COUNTRIES)
        for c in range(first, first + BLOCK):
            # In bytes and without "if", so that the compiler does many countries at once.
            ahead = np.int8(lead(s, seat, c))
            missing, other_missing = np.int8(board.STABILITY_BYTE[c] - ahead), np.int8(board.STABILITY_BYTE[c] + ahead)
            out[CONTROLLED + c] = (missing <= 0) * 1 - (other_missing <= 0) * 1
            out[NEEDED + c] = (missing > 0) * missing
            out[OTHER_NEEDED + c] = (other_missing > 0) * other_missing
            out[TARGET + c] = (s.influence[1 - seat, c] > 0) & (not is_closed_by_defcon(s, c))
    if seat == USSR and (s.lasting[cards.NATO] or s.lasting[cards.JAPAN_PACT]):
        for c in range(board.COUNTRIES):
            out[TARGET + c] &= not is_protected(s, seat, c)


@rule
def observe_regions(s, seat, out):
    """R10.1: what every region would score now, and who has what there."""
    sign = 1 if seat == US else -1
    held = count_held(s)
    for region in range(len(board.REGION_NAMES)):
        ussr_has, us_has, points = worth_now(s, held, region, is_shuttled(s, region))
        at = OF_REGIONS + A_REGION * region
        out[at] = sign * points
        out[at + 1] = us_has if seat == US else ussr_has
        out[at + 2] = ussr_has if seat == US else us_has
    out[SOUTHEAST_ASIA] = sign * southeast_asia_points(held)


@rule
def knows_place(s, seat, card):
    """True if `seat` knows where a card is: it does not if the card is in the draw pile, in the other's hand or headline without
    having been shown, or, for the USSR, among those that the US looks at. Everybody knows where the China Card is."""
    place = s.place[card]
    # Compared as bytes and without "and", so that the compiler does many cards at once.
    in_hand = (place == np.int8(state.HANDS + 1 - seat)) & (s.known[seat, card] == 0) & (SECRET[card] != 0)
    looked_at = (place == state.LOOKED_AT) & (seat != US)
    return not ((place == state.DRAW_PILE) | in_hand | is_secret_headline(s, seat, card) | looked_at)


@rule
def is_secret_headline(s, seat, card):
    """R4.5: true if the other side has headlined the card, and has not shown it."""
    return (s.place[card] == np.int8(state.HEADLINES + 1 - seat)) & (s.open_headline[1 - seat] == 0)


@rule
def is_known_headline(s, seat, card):
    """R4.5: true of a secret headline that `seat` knew in the other's hand: for `seat` it is still there, or the headline."""
    return is_secret_headline(s, seat, card) & (s.known[seat, card] != 0)


@rule
def observe_cards(s, seat, out):
    """Where each card is, as far as the viewer knows."""
    other = 1 - seat
    hand, other_hand = np.int8(state.HANDS + seat), np.int8(state.HANDS + other)
    headline, other_headline = np.int8(state.HEADLINES + seat), np.int8(state.HEADLINES + other)
    for block in range(BLOCKS_OF_CARDS):
        first = block_start(block, cards.CARDS - 1)
        for k in range(first, first + BLOCK):
            place, knows = s.place[k + 1], knows_place(s, seat, k + 1)
            out[HAND + k] = (place == hand) * (1 + s.known[other, k + 1])
            laid = is_known_headline(s, seat, k + 1)
            out[KNOWN + k] = (knows & (place == other_hand)) | laid
            out[UNSEEN + k] = not (knows | laid)
            out[DISCARD + k] = place == state.DISCARDS
            out[GONE + k] = place == state.REMOVED
            lies = (place == state.TABLE) | (place == state.IN_FRONT) | (place == state.LOOKED_AT)
            out[OPEN + k] = knows * (2 * (place == headline) - 2 * (place == other_headline) + 1 * lies)
            out[LASTING + k] = s.lasting[k + 1] != 0
    for card in cards.SIDED:
        if s.lasting[card]:
            out[LASTING + card - 1] = 1 if acts_on(s, card, seat) else -1
    clear_run(out, SOURCE, cards.CARDS - 1)
    source = cards.NO_CARD if reveals_hand(s, s.depth - 1, seat) else top(s, frames.VALUE)
    if source > cards.NO_CARD:
        out[SOURCE + source - 1] = 1


@rule
def cards_to_draw(s):
    """How many cards are in the draw pile or looked at (108): everybody can count.

    After `hide`, some cards of hands and headlines lie among those of the draw pile.
    """
    count = np.int8(0)
    for card in range(1, cards.CARDS):
        place = s.place[card]
        in_a_hand = (place >= state.HANDS) & (place < state.HANDS + 2) & (SECRET[card] != 0)
        count = np.int8(count + ((place == state.DRAW_PILE) | (place == state.LOOKED_AT) | in_a_hand))
    total = int(count)
    for seat in range(2):
        total -= s.held[seat] + (1 if s.headline[seat] == state.UNKNOWN else 0)
    return total


@rule
def observe_tracks(s, seat, out):
    """What stands beside the map: the piece ``tracks``."""
    other = 1 - seat
    out[IS_US] = seat
    out[TURN] = s.turn
    out[ACTION_ROUND] = s.action_round
    out[PHASING] = s.phasing == seat
    out[VICTORY_POINTS] = s.vp if seat == US else -s.vp
    out[DEFCON] = s.defcon
    out[MILOPS] = s.milops[seat]
    out[OTHER_MILOPS] = s.milops[other]
    out[SPACE] = s.space[seat]
    out[OTHER_SPACE] = s.space[other]
    out[ATTEMPTS] = s.attempts[seat]
    out[OTHER_ATTEMPTS] = s.attempts[other]
    out[EXTRA_ROUND] = s.extra_round[seat]
    out[OTHER_EXTRA_ROUND] = s.extra_round[other]
    out[HELD] = s.held[seat]
    out[OTHER_HELD] = s.held[other]
    out[HAS_CHINA] = s.china == seat
    out[CHINA_UP] = s.china_up
    out[TO_DRAW] = cards_to_draw(s)
    out[FELL] = s.fell
    out[HEADLINE] = s.headline[seat] != cards.NO_CARD
    out[OTHER_HEADLINE] = s.headline[other] != cards.NO_CARD
    out[CHERNOBYL] = s.lasting[cards.CHERNOBYL]
    out[OVER] = s.over


@rule
def observe_question(s, seat, out):
    """What is asked, and of whom; of a question that reveals the other hand only that a card is asked for."""
    out[ACTING] = s.over == 0 and top(s, frames.SEAT) == seat
    veiled = reveals_hand(s, s.depth - 1, seat)
    asked = frames.PLAY if veiled else top(s, frames.KIND)
    clear_run(out, QUESTION, KINDS)
    if asked >= frames.FIRST_QUESTION:
        out[QUESTION + asked - frames.FIRST_QUESTION] = 1
    if veiled or s.depth == 0:
        clear_run(out, NUMBER, CHOICES_MADE - NUMBER)
    else:
        copy_run(s.question[s.depth - 1], frames.LEFT, CHOICES_MADE - NUMBER, out, NUMBER)
        if ending_is_secret(s, s.depth - 1, seat):
            out[NUMBER + frames.OPTIONAL - frames.LEFT] = 1
    out[CHOICES_MADE] = s.tally


@rule
def reveals_hand(s, at, seat):
    """True if what frame `at` asks reveals the other's hand to `seat`: whether a trapped player has a card to discard (trap 5),
    whether the eighth round may be declined (trap 27)."""
    if at < 0 or s.question[at, frames.SEAT] == seat:
        return False
    kind = s.question[at, frames.KIND]
    return (
        kind == frames.TRAP
        or kind == frames.ROUND
        or (kind == frames.PLAY and s.question[at, frames.VALUE] == cards.NO_CARD)
    )


@rule
def ending_is_secret(s, at, seat):
    """True if frame `at`, by whether the other may stop, would tell `seat` how many scoring cards the other keeps (77, trap 27)."""
    return (
        s.question[at, frames.SEAT] != seat
        and s.question[at, frames.KIND] == frames.PICK
        and s.question[at, frames.VALUE] == cards.ASK_NOT
    )


@rule
def hide(rules, s, seat):
    """Erase from the record what `seat` does not know: unknown cards go to the draw pile, and ``held`` still gives their number.

    A card that it knows to be in the other's hand or its headline goes to the hand, which then has one more than ``held`` says.

    A question that reveals the other's hand becomes the frame ROUND, which asks it again once the hand is known. Where the
    only secret is whether it may be ended, it may.
    """
    s.seed = 0
    s.rng = 0
    for card in range(1, cards.CARDS):
        if is_known_headline(s, seat, card):
            s.place[card] = state.HANDS + 1 - seat
        elif not knows_place(s, seat, card):
            s.place[card] = state.DRAW_PILE
    if s.headline[1 - seat] != cards.NO_CARD and s.open_headline[1 - seat] == 0:
        s.headline[1 - seat] = state.UNKNOWN
    for at in range(s.depth):
        if reveals_hand(s, at, seat):
            s.question[at, frames.KIND] = frames.ROUND
            for part in range(frames.VALUE, frames.COLUMNS):
                s.question[at, part] = 0
        elif ending_is_secret(s, at, seat):
            s.question[at, frames.OPTIONAL] = 1
    if top(s, frames.SEAT) != seat:
        s.legal[:] = 0
