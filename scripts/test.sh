#!/usr/bin/env bash
# The second command of the README: sets up and runs every check and test.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup dev
export TIMELINE_ENV_QUIET=1 SDL_VIDEODRIVER=dummy
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
# A write out of range would land silently in the next game: the rules are tested once with every index checked.
NUMBA_BOUNDSCHECK=1 .venv/bin/pytest tests/timeline tests/engine "$@"
.venv/bin/pytest "$@"
