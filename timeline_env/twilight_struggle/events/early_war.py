"""The early war: cards 1 to 35 and 103 to 106."""

from timeline_env.twilight_struggle import board, cards, countries
from timeline_env.twilight_struggle.board import US, USSR, country
from timeline_env.twilight_struggle.events.words import (
    OPPONENT,
    PLAYER,
    add,
    advance,
    card,
    choice,
    control,
    defcon,
    lasts,
    operations,
    pick,
    place,
    remove,
    score,
    show,
    special,
    stop,
    take,
    take_all,
    war,
)

card(1, "Asia Scoring", "Asia is scored.", score(board.ASIA))
card(2, "Europe Scoring", "Europe is scored; Control wins the game.", score(board.EUROPE))
card(3, "Middle East Scoring", "The Middle East is scored.", score(board.MIDDLE_EAST))
card(
    4,
    "Duck and Cover",
    "DEFCON falls by 1. The US gains 5 VP less the new DEFCON.",
    defcon(-1),
    special(),
)
card(5, "Five Year Plan", "The USSR discards a random card; if its event is the US's, it happens.", special())
card(6, "The China Card", "No event. Worth 5 if all is used in Asia; passes to the opponent face down.")
card(
    7,
    "Socialist Governments",
    "The USSR removes 3 US influence in Western Europe, at most 2 from a country. Not after The Iron Lady.",
    take(USSR, US, 3, board.WESTERN_EUROPE, cap=2),
)
card(
    8,
    "Fidel",
    "All US influence leaves Cuba; the USSR gains control there.",
    remove(US, country("Cuba")),
    control(USSR, country("Cuba")),
)
card(
    9,
    "Vietnam Revolts",
    "The USSR adds 2 in Vietnam. This turn its Ops are worth 1 more if all are used in Southeast Asia.",
    add(USSR, country("Vietnam"), 2),
    lasts(),
)
card(
    10,
    "Blockade",
    "The US discards a card worth 3 Ops or more, or loses all influence in West Germany.",
    pick(US, may_stop=True),
)
card(11, "Korean War", "North Korea invades South Korea: the USSR wins on 4-6.", war(board.KOREA, 4, 2, 2))
card(
    12,
    "Romanian Abdication",
    "All US influence leaves Romania; the USSR gains control there.",
    remove(US, country("Romania")),
    control(USSR, country("Romania")),
)
card(
    13,
    "Arab-Israeli War",
    "Arab states invade Israel: the USSR wins on 4-6; the target counts if the US controls it. Not after Camp David.",
    war(board.ISRAEL, 4, 2, 2),
)
card(
    14,
    "Comecon",
    "The USSR adds 1 in each of four Eastern European countries that the US does not control.",
    place(USSR, 4, board.EASTERN_EUROPE, cap=1, sieve=countries.NOT_ENEMY_CONTROLLED),
)
card(
    15,
    "Nasser",
    "The USSR adds 2 in Egypt. The US loses half its influence there, rounded up.",
    add(USSR, country("Egypt"), 2),
    special(),
)
card(
    16,
    "Warsaw Pact Formed",
    "The USSR removes all US influence from four Eastern European countries, or adds 5 there, at most 2 in a country. Allows NATO.",
    lasts(),
    choice(USSR, 4),
    take_all(USSR, US, 4, board.EASTERN_EUROPE),
    stop(),
    place(USSR, 5, board.EASTERN_EUROPE, cap=2),
)
card(
    17,
    "De Gaulle Leads France",
    "The US loses 2 in France, the USSR adds 1. NATO protects France no longer.",
    remove(US, country("France"), 2),
    add(USSR, country("France"), 1),
    lasts(),
)
card(18, "Captured Nazi Scientist", "The player advances one box in the space race.", advance(1))
card(
    19,
    "Truman Doctrine",
    "The US removes all USSR influence from a European country that neither side controls.",
    take_all(US, USSR, 1, board.EUROPE, sieve=countries.UNCONTROLLED),
)
card(
    20,
    "Olympic Games",
    "The opponent takes part: each rolls, the sponsor adds 2, the higher gains 2 VP, ties again. Or boycotts: "
    "DEFCON falls by 1 and the sponsor may conduct operations of 4 Ops.",
    choice(OPPONENT, 3),
    special(),
    stop(),
    defcon(-1),
    operations(PLAYER, 4),
)
card(
    21,
    "NATO",
    "US-controlled countries of Europe are safe from USSR coups, realignments and Brush War. "
    "Only after Marshall Plan or Warsaw Pact.",
    lasts(),
)
card(
    22,
    "Independent Reds",
    "The US draws level with the USSR in Yugoslavia, Romania, Bulgaria, Hungary or Czechoslovakia.",
    special(),
)
card(
    23,
    "Marshall Plan",
    "The US adds 1 in each of seven Western European countries that the USSR does not control. Allows NATO.",
    lasts(),
    place(US, 7, board.WESTERN_EUROPE, cap=1, sieve=countries.NOT_ENEMY_CONTROLLED),
)
card(24, "Indo-Pakistani War", "India and Pakistan fight: the player wins on 4-6.", war(board.INDIA_PAKISTAN, 4, 2, 2))
card(25, "Containment", "US Ops are worth 1 more this turn, at most 4.", lasts())
card(
    26,
    "CIA Created",
    "The USSR shows its hand. The US may conduct operations of 1 Op.",
    show(USSR),
    operations(US, 1),
)
card(
    27,
    "US/Japan Mutual Defense Pact",
    "The US gains control of Japan, which the USSR may no longer coup or realign.",
    control(US, country("Japan")),
    lasts(),
)
card(
    28,
    "Suez Crisis",
    "The USSR removes 4 US influence from France, the UK and Israel, at most 2 from a country.",
    take(USSR, US, 4, board.SUEZ, cap=2),
)
card(
    29,
    "East European Unrest",
    "The US removes 1 USSR influence from each of three Eastern European countries; in the late war 2 from each.",
    special(),
)
card(
    30,
    "Decolonization",
    "The USSR adds 1 in each of four countries of Africa or Southeast Asia.",
    place(USSR, 4, board.AFRICA_AND_SOUTHEAST_ASIA, cap=1),
)
card(31, "Red Scare/Purge", "The opponent's Ops are worth 1 less this turn, at least 1.", lasts(on=OPPONENT))
card(
    cards.UN_INTERVENTION,
    "UN Intervention",
    "Played with an opponent's card: its Ops are used and its event does not happen. Not in the headline.",
)
card(
    33,
    "De-Stalinization",
    "The USSR moves up to 4 of its influence to countries the US does not control, at most 2 to each.",
    special(0),
    special(1),
)
card(34, "Nuclear Test Ban", "The player gains VP of DEFCON less 2; then DEFCON rises by 2.", special(), defcon(2))
card(
    35,
    "Formosan Resolution",
    "Taiwan counts as a battleground in scoring while the US controls it, until the US plays the China Card.",
    lasts(),
)
card(
    103,
    "Defectors",
    "As the US's headline it cancels the USSR's. Played by the USSR in its action round it gives the US 1 VP.",
    special(),
)
card(
    104,
    "The Cambridge Five",
    "The US shows its scoring cards; the USSR may add 1 in a country of one of those regions. Not in the late war.",
    special(),
)
card(
    105,
    "Special Relationship",
    "If the US controls the UK: it adds 1 next to the UK; with NATO instead 2 in Western Europe, and gains 2 VP.",
    special(),
)
card(
    cards.NORAD,
    "NORAD",
    "At the end of an action round in which DEFCON moved to 2 the US may add 1 where it has influence, if it controls Canada.",
    lasts(),
)
