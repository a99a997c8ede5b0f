"""The late war: cards 82 to 102, 109 and 110."""

from timeline_env.twilight_struggle import actions, board, cards
from timeline_env.twilight_struggle.board import US, USSR, country
from timeline_env.twilight_struggle.events.words import (
    PLAYER,
    add,
    card,
    choice,
    defcon,
    ends,
    free,
    lasts,
    level,
    only_if,
    only_if_controlled,
    operations,
    pick,
    remove,
    show,
    special,
    stop,
    take,
    vp,
    war,
)

card(
    82,
    "Iranian Hostage Crisis",
    "All US influence leaves Iran; the USSR adds 2. Terrorism against the US takes two cards.",
    remove(US, country("Iran")),
    add(USSR, country("Iran"), 2),
    lasts(),
)
card(
    83,
    "The Iron Lady",
    "The US gains 1 VP. The USSR adds 1 in Argentina and loses all in the UK. No more Socialist Governments.",
    vp(US, 1),
    add(USSR, country("Argentina"), 1),
    remove(USSR, country("UK")),
    lasts(),
)
card(84, "Reagan Bombs Libya", "The US gains 1 VP for every 2 USSR influence in Libya.", special())
card(
    85,
    "Star Wars",
    "If the US is ahead in the space race, it carries out the event of a discarded card, no scoring card.",
    pick(US),
)
card(
    86,
    "North Sea Oil",
    "The US may play eight action rounds this turn. No more OPEC.",
    lasts(),
    special(),
)
card(
    87,
    "The Reformer",
    "The USSR adds 4 in Europe, 6 if it leads in VP, at most 2 in a country. It may coup in Europe no longer.",
    lasts(),
    special(),
)
card(
    88,
    "Marine Barracks Bombing",
    "All US influence leaves Lebanon; the USSR removes 2 more in the Middle East.",
    remove(US, country("Lebanon")),
    take(USSR, US, 2, board.MIDDLE_EAST),
)
card(
    89,
    "Soviets Shoot Down KAL-007",
    "DEFCON falls by 1, the US gains 2 VP; if it controls South Korea, it may place influence or realign with 4 Ops.",
    defcon(-1),
    vp(US, 2),
    only_if_controlled(US, country("South Korea")),
    operations(US, 4, actions.INFLUENCE_OR_REALIGN),
)
card(
    90,
    "Glasnost",
    "The USSR gains 2 VP, DEFCON rises by 1; after The Reformer it may place influence or realign with 4 Ops.",
    vp(USSR, 2),
    defcon(1),
    only_if(cards.REFORMER),
    operations(USSR, 4, actions.INFLUENCE_OR_REALIGN),
)
card(
    91,
    "Ortega Elected in Nicaragua",
    "All US influence leaves Nicaragua; the USSR may coup next to it for free.",
    remove(US, country("Nicaragua")),
    free(USSR, 2, actions.COUP_ONLY, board.NEAR_NICARAGUA),
)
card(
    92,
    "Terrorism",
    "The opponent discards a random card; the US two after the Iranian Hostage Crisis.",
    special(),
)
card(93, "Iran-Contra Scandal", "US realignment rolls are at -1 this turn.", lasts())
card(
    94,
    "Chernobyl",
    "The US may name a region: the USSR places no influence there by Ops this turn.",
    level(US, may_stop=True),
)
card(
    95,
    "Latin American Debt Crisis",
    "The US discards a card worth 3 Ops or more, or the USSR doubles its influence in two countries of South America.",
    pick(US, may_stop=True),
)
card(
    96,
    "Tear Down this Wall",
    "The US adds 3 in East Germany, and may coup or realign in Europe for free. Ends Willy Brandt.",
    ends(cards.WILLY_BRANDT),
    lasts(),
    add(US, country("East Germany"), 3),
    free(US, 3, actions.COUP_OR_REALIGN, board.EUROPE),
)
card(97, "An Evil Empire", "The US gains 1 VP. Ends Flower Power.", ends(cards.FLOWER_POWER), lasts(), vp(US, 1))
card(
    98,
    "Aldrich Ames Remix",
    "The US hand lies open this turn; the USSR discards one card of it.",
    lasts(),
    show(US),
    pick(USSR),
)
card(
    99,
    "Pershing II Deployed",
    "The USSR gains 1 VP and removes 1 US influence from each of up to three Western European countries.",
    vp(USSR, 1),
    take(USSR, US, 3, board.WESTERN_EUROPE, cap=1, may_stop=True),
)
card(
    100,
    "Wargames",
    "At DEFCON 2 the player may give the opponent 6 VP and end the game.",
    choice(PLAYER, 2),
    special(),
    stop(),
)
card(101, "Solidarity", "The US adds 3 in Poland. Only after John Paul II.", add(US, country("Poland"), 3))
card(102, "Iran-Iraq War", "Iran and Iraq fight: the player wins on 4-6.", war(board.IRAN_IRAQ, 4, 2, 2))
card(109, "Yuri and Samantha", "The USSR gains 1 VP for each US coup this turn.", lasts())
card(
    110,
    "AWACS Sale to Saudis",
    "The US adds 2 in Saudi Arabia. No more Muslim Revolution.",
    add(US, country("Saudi Arabia"), 2),
    lasts(),
)
