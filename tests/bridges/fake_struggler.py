"""Speaks the protocol of `timeline_env.bridges.struggler_side` without struggler: ``python fake_struggler.py``.

It has the board's names and answers ``choose`` with the last option, ``new``, ``force`` and the rest with what it was told. A
request ``step`` fails.
"""

import json
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "timeline_env" / "data" / "twilight_struggle"
CARDS = [line.split(",")[1].strip('"') for line in (DATA / "cards.csv").read_text(encoding="utf-8").splitlines()[1:]]
COUNTRIES = [line.split(",")[1] for line in (DATA / "countries.csv").read_text(encoding="utf-8").splitlines()[1:]]
asked = []

for text in sys.stdin:
    request = json.loads(text)
    asked.append(request)
    match request["do"]:
        case "names":
            answer = {
                "cards": {str(number): name.replace(" ", "_") for number, name in enumerate(CARDS, 1)},
                "countries": [name.replace(" ", "_").replace("/", "_") for name in COUNTRIES],
            }
        case "choose":
            answer = {"chosen": len(request["options"]) - 1}
        case "asked":
            answer = {"asked": asked[-2]}
        case "step":
            answer = {"error": "LookupError: no such option"}
        case "new":
            answer = {}
        case _:
            answer = request | {"over": False, "reason": None, "winner": None, "pending": None, "dice": 0}
    print(json.dumps(answer), flush=True)
