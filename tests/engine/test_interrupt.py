"""Ctrl-C ends what runs in compiled code within about a second."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

LONG = {
    "a batch": "from timeline_env import timeline_v0; b = timeline_v0.batch(8); b.play_random(1)\n{}\nb.play_random(10**9)",
    "threads": "from timeline_env import timeline_v0; b = timeline_v0.batch(8, threads=2); b.play_random(1)\n{}\nb.play_random(10**9)",
    "perft": (
        "from timeline_env.timeline import GAME; from timeline_env.engine import perft\n"
        "from timeline_env.engine.setting import Setting\n"
        "start = perft.deal_position(Setting(GAME, 4), 1); perft.perft(GAME, *start, 2)\n{}\nperft.perft(GAME, *start, 30)"
    ),
    "a search": (
        "from timeline_env import timeline_v0; from timeline_env.players import Decisions, load_player; import numpy as np\n"
        "b = timeline_v0.batch(1); asked = Decisions.of(b, np.zeros(1, np.int64))\n"
        "load_player('mcts:1', b.game).act(asked); player = load_player('mcts:99999999', b.game)\n{}\nplayer.act(asked)"
    ),
}
HEARD = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""Who is started in the background, as tests may be, does not hear of Ctrl-C otherwise."""
PATIENCE = 30.0
"""Seconds: many times what it takes, on a machine that has other things to do."""


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_ends(what):
    program = HEARD + LONG[what].format("print('begun', flush=True)")
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    try:
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors and time.monotonic() - start < PATIENCE


OFTEN = {
    "perft": (
        "from timeline_env.timeline import GAME; from timeline_env.engine import perft\n"
        "from timeline_env.engine.setting import Setting\n"
        "start = perft.deal_position(Setting(GAME, 4), 1)\n"
        "perft.ACTIONS_A_CALL = 64  # so that most of the time lies between the calls\n"
        "def work(): perft.perft(GAME, *start, 4)\n"
    ),
    "a search": (
        "from timeline_env import timeline_v0; from timeline_env.players import Decisions, load_player; import numpy as np\n"
        "b = timeline_v0.batch(1); asked = Decisions.of(b, np.zeros(1, np.int64))\n"
        "player = load_player('mcts:400ms', b.game)\n"
        "def work(): player.act(asked)\n"
    ),
}
"""What calls compiled code in a loop; it works for some tenths of a second."""
LOSSES = (
    "import signal\nlost = 0\nwork()\n"
    "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
    "for n in range(80):\n"
    "    try: signal.setitimer(signal.ITIMER_REAL, 0.01 + n / 10000); work(); lost += 1\n"
    "    except KeyboardInterrupt: pass\n"
    "print(lost)"
)


@pytest.mark.parametrize("what", OFTEN)
def test_no_ctrl_c_is_lost_whenever_it_comes(what):
    """Where numba finds out what kinds of arguments a call has, it drops what is raised meanwhile."""
    done = subprocess.run([sys.executable, "-c", OFTEN[what] + LOSSES], capture_output=True, text=True, timeout=300)
    assert done.stdout == "0\n", done.stdout + done.stderr
