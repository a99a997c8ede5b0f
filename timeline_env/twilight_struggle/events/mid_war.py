"""The mid war: cards 36 to 81, 107 and 108."""

from timeline_env.twilight_struggle import actions, board, cards, countries
from timeline_env.twilight_struggle.board import US, USSR, country
from timeline_env.twilight_struggle.events.words import (
    OPPONENT,
    PLAYER,
    add,
    advance,
    card,
    choice,
    defcon,
    ends,
    free,
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
    vp,
    war,
)

card(36, "Brush War", "War on a country of stability 1 or 2: the player wins on 3-6.", war(board.WEAK, 3, 1, 3))
card(37, "Central America Scoring", "Central America is scored.", score(board.CENTRAL_AMERICA))
card(
    38,
    "Southeast Asia Scoring",
    "1 VP for each country controlled there, 2 for Thailand. Once a game.",
    score(board.SOUTHEAST_ASIA),
)
card(
    39,
    "Arms Race",
    "With more military operations than the opponent: 1 VP, or 3 if the requirement is met as well.",
    special(),
)
card(
    40,
    "Cuban Missile Crisis",
    "DEFCON is 2. A coup by the opponent this turn loses them the game, unless they take 2 influence from Cuba "
    "(USSR) or from West Germany or Turkey (US).",
    special(),
)
card(41, "Nuclear Subs", "This turn US coups paid by Ops do not lower DEFCON.", lasts())
card(
    42,
    "Quagmire",
    "The US may only discard a card worth 2 Ops or more each round and roll: 1-4 frees it. Ends NORAD.",
    ends(cards.NORAD),
    lasts(),
)
card(
    43,
    "SALT Negotiations",
    "DEFCON rises by 2. Coups this turn at -1. The player may take back a card from the discards, no scoring card.",
    defcon(2),
    lasts(),
    pick(PLAYER, may_stop=True),
)
card(
    44,
    "Bear Trap",
    "The USSR may only discard a card worth 2 Ops or more each round and roll: 1-4 frees it.",
    lasts(),
)
card(
    45,
    "Summit",
    "Both roll, adding 1 for each region they dominate or control. The higher gains 2 VP and may move DEFCON by 1.",
    special(),
)
card(
    46,
    "How I Learned to Stop Worrying",
    "The player sets DEFCON to any level; military operations are 5.",
    special(),
)
card(
    47,
    "Junta",
    "The player adds 2 in one country of Central or South America, then may coup or realign in one of them for free.",
    place(PLAYER, 1, board.LATIN_AMERICA, each=2),
    free(PLAYER, 2, actions.COUP_OR_REALIGN, board.LATIN_AMERICA),
)
card(48, "Kitchen Debates", "The US gains 2 VP if it controls more battlegrounds than the USSR.", vp(US, 2))
card(
    49,
    "Missile Envy",
    "The opponent gives up the card of the highest Ops and takes this one, to be used for Ops next. An own or neutral "
    "event happens, an opponent's card is used for Ops.",
    pick(OPPONENT),
)
card(
    50,
    "We Will Bury You",
    "DEFCON falls by 1. Unless the US plays UN Intervention in its next round, the USSR gains 3 VP.",
    defcon(-1),
    lasts(),
)
card(51, "Brezhnev Doctrine", "USSR Ops are worth 1 more this turn, at most 4.", lasts())
card(
    52,
    "Portuguese Empire Crumbles",
    "The USSR adds 2 in Angola and 2 in the SE African States.",
    add(USSR, country("Angola"), 2),
    add(USSR, country("SE African States"), 2),
)
card(
    53,
    "South African Unrest",
    "The USSR adds 2 in South Africa, or 1 there and 2 in the countries next to it.",
    choice(USSR, 3),
    add(USSR, country("South Africa"), 2),
    stop(),
    add(USSR, country("South Africa"), 1),
    place(USSR, 2, board.NEAR_SOUTH_AFRICA),
)
card(54, "Allende", "The USSR adds 2 in Chile.", add(USSR, country("Chile"), 2))
card(
    55,
    "Willy Brandt",
    "The USSR gains 1 VP and adds 1 in West Germany, which NATO protects no longer. Not after Tear Down this Wall.",
    vp(USSR, 1),
    add(USSR, country("West Germany"), 1),
    lasts(),
)
card(
    56,
    "Muslim Revolution",
    "All US influence leaves two of Sudan, Iran, Iraq, Egypt, Libya, Saudi Arabia, Syria, Jordan.",
    take_all(USSR, US, 2, board.REVOLUTION),
)
card(
    57, "ABM Treaty", "DEFCON rises by 1. The player may conduct operations of 4 Ops.", defcon(1), operations(PLAYER, 4)
)
card(
    58,
    "Cultural Revolution",
    "The US passes the China Card to the USSR, face up; if the USSR has it, it gains 1 VP.",
    special(),
)
card(
    59,
    "Flower Power",
    "The USSR gains 2 VP whenever the US plays a war card, but not for space. Not after An Evil Empire.",
    lasts(),
)
card(
    60,
    "U2 Incident",
    "The USSR gains 1 VP, and 1 more if UN Intervention is played as an event this turn.",
    vp(USSR, 1),
    lasts(),
)
card(
    61,
    "OPEC",
    "The USSR gains 1 VP for each of Egypt, Iran, Libya, Saudi Arabia, Iraq, Gulf States, Venezuela it controls.",
    special(),
)
card(
    62, "Lone Gunman", "The US shows its hand. The USSR may conduct operations of 1 Op.", show(US), operations(USSR, 1)
)
card(
    63,
    "Colonial Rear Guards",
    "The US adds 1 in each of four countries of Africa or Southeast Asia.",
    place(US, 4, board.AFRICA_AND_SOUTHEAST_ASIA, cap=1),
)
card(
    64,
    "Panama Canal Returned",
    "The US adds 1 in Panama, Costa Rica and Venezuela.",
    add(US, country("Panama"), 1),
    add(US, country("Costa Rica"), 1),
    add(US, country("Venezuela"), 1),
)
card(
    65,
    "Camp David Accords",
    "The US gains 1 VP and adds 1 in Israel, Jordan and Egypt. No more Arab-Israeli War.",
    vp(US, 1),
    add(US, country("Israel"), 1),
    add(US, country("Jordan"), 1),
    add(US, country("Egypt"), 1),
    lasts(),
)
card(
    66,
    "Puppet Governments",
    "The US may add 1 in each of three countries without influence.",
    place(US, 3, board.EVERYWHERE, cap=1, sieve=countries.EMPTY, may_stop=True),
)
card(
    67,
    "Grain Sales to Soviets",
    "The US takes a random USSR card and plays it, or gives it back and conducts operations of 2 Ops.",
    special(),
)
card(
    68,
    "John Paul II Elected Pope",
    "The USSR loses 2 in Poland, the US adds 1. Allows Solidarity.",
    remove(USSR, country("Poland"), 2),
    add(US, country("Poland"), 1),
    lasts(),
)
card(
    69,
    "Latin American Death Squads",
    "This turn the player's coups in Central and South America are at +1, the opponent's at -1.",
    lasts(on=PLAYER),
)
card(70, "OAS Founded", "The US adds 2 in Central or South America.", place(US, 2, board.LATIN_AMERICA))
card(
    71,
    "Nixon Plays the China Card",
    "The US gains 2 VP if it has the China Card; otherwise it receives it, face down.",
    special(),
)
card(
    72,
    "Sadat Expels Soviets",
    "All USSR influence leaves Egypt; the US adds 1.",
    remove(USSR, country("Egypt")),
    add(US, country("Egypt"), 1),
)
card(
    73,
    "Shuttle Diplomacy",
    "At the next scoring of Asia or the Middle East the USSR counts one battleground less.",
    lasts(),
)
card(
    74,
    "The Voice of America",
    "The US removes 4 USSR influence outside Europe, at most 2 from a country.",
    take(US, USSR, 4, board.OUTSIDE_EUROPE, cap=2),
)
card(
    75,
    "Liberation Theology",
    "The USSR adds 3 in Central America, at most 2 in a country.",
    place(USSR, 3, board.CENTRAL_AMERICA, cap=2),
)
card(
    76,
    "Ussuri River Skirmish",
    "The US receives the China Card, face up; if it has it, it adds 4 in Asia, at most 2 in a country.",
    special(),
)
card(
    77,
    "Ask Not What Your Country Can Do For You",
    "The US discards any cards and draws as many.",
    special(),
)
card(
    78,
    "Alliance for Progress",
    "The US gains 1 VP for each battleground it controls in Central and South America.",
    special(),
)
card(79, "Africa Scoring", "Africa is scored.", score(board.AFRICA))
card(
    80, "One Small Step", "If behind in the space race the player advances two boxes; only the second pays.", advance(2)
)
card(81, "South America Scoring", "South America is scored.", score(board.SOUTH_AMERICA))
card(
    107,
    "Che",
    "The USSR may coup with 3 Ops a country of Central or South America or Africa that is no battleground; "
    "if US influence went, it may coup another.",
    special(),
)
card(
    108,
    "Our Man in Tehran",
    "If the US controls a Middle Eastern country: it looks at five cards of the draw pile and discards any; the rest go back.",
    special(),
)
