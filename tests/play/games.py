"""Games that are over soon."""

from __future__ import annotations

from typing import Any

SHORT: dict[str, Any] = {"rounds": {str(players): [1, 1, 1, 1, 1] for players in range(2, 7)}}
"""A variant of Timeline of few rounds: a whole game in five turns for each player."""

LAST_ROUND = (
    "t10.r7 ussr stage:end-round vp:us4 milops:0/4 space:5/5 attempts:1/0 Canada:0/4 UK:0/4 Norway:0/3 Sweden:1/0 "
    "Finland:2/0 Greece:0/1 Turkey:0/3 Austria:1/0 Poland:0/5 Czechoslovakia:1/0 Hungary:3/0 Romania:2/1 Bulgaria:0/1 "
    "Syria:2/0 Israel:3/1 Iraq:2/0 Egypt:0/1 Jordan:0/2 Afghanistan:1/0 Australia:0/2 Japan:0/5 Taiwan:2/0 "
    "South_Korea:0/1 North_Korea:2/0 Burma:0/3 Vietnam:0/2 Philippines:0/3 El_Salvador:2/0 Costa_Rica:0/1 Panama:0/1 "
    "Nicaragua:0/1 Cuba:1/0 Venezuela:0/1 Brazil:0/2 Chile:4/0 Argentina:4/0 Paraguay:1/0 Uruguay:0/1 Tunisia:0/2 "
    "West_African_States:1/0 Ivory_Coast:3/0 Saharan_States:2/0 Nigeria:1/0 Cameroon:0/1 Zaire:2/0 Angola:2/1 "
    "Botswana:0/1 Zimbabwe:1/0 SE_African_States:2/0 Somalia:1/0 Ethiopia:1/0 Sudan:2/0 card:94 hand.ussr:94! "
    "hand.us:7!,104! "
    "discards:1,2,3,5,13,14,20,24,29,30,31,32,34,36,37,47,49,53,56,57,61,62,63,67,73,74,79,80,81,84,87,92,95,96,97,99,100,103,105,107,108 "
    "removed:8,9,10,11,12,15,16,17,18,19,21,22,25,26,27,28,33,35,38,41,42,43,44,46,48,50,51,52,54,55,58,59,60,64,65,66,68,70,71,72,76,77,78,83,85,86,88,89,90,91,93,101,102,106 "
    "front:98 china:ussr.down lasting:16,17,21,27,55,59,65,68,83,86,98 ask:use.ussr.94 tally:2 "
    "seed:7235116703822611636 rng:11325241670191594753"
)
"""Twilight Struggle in the last round of the last turn, of a game of random players: over after a few decisions, whatever they are."""
