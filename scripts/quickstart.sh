#!/usr/bin/env bash
# The first command of the README: sets up and trains a first agent, then shows how it does against the baselines.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup train,eval,render,play
exec .venv/bin/timeline-env train timeline_quick "$@"
