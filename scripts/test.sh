#!/usr/bin/env bash
# The second command of the README: sets up and runs every check and test.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
# Ray needs a gymnasium version of its own, BenchMARL an older TorchRL, so they have an environment of their own, which is set up
# while the first one is.
beside_log=$(mktemp)
setup rllib,openspiel,render,benchmarl,test .venv-rllib constraints-rllib.txt >"$beside_log" 2>&1 &
beside=$! checks=""
stop() { # what runs beside does not see Ctrl-C; the command that it is at ends by itself, and no other begins
    kill "$beside" $checks 2>/dev/null || true
    exit 130
}
trap stop INT TERM
show_beside() {
    local status=$?
    [ -z "$checks" ] || kill "$checks" 2>/dev/null || true
    wait "$beside" || status=$((status ? status : 1))
    echo "Beside these, with Ray and its version of gymnasium, in the browser, and the compiler:"
    cat "$beside_log"
    rm "$beside_log"
    exit "$status"
}
trap show_beside EXIT
setup dev
browser
export TIMELINE_ENV_QUIET=1 SDL_VIDEODRIVER=dummy
# Tests run side by side: more threads in each would wait for each other, and keep processors busy with waiting.
export OMP_NUM_THREADS=1
.venv/bin/ruff check .
.venv/bin/ruff format --check .
{
    .venv/bin/mypy
    site=$(mktemp -d)
    .venv/bin/sphinx-build -q -W --keep-going docs "$site"
    rm -r "$site"
} &
checks=$!
# Compile once beforehand, or every worker would do it; and once more with every index checked, for the last pass.
.venv/bin/timeline-env compile
NUMBA_BOUNDSCHECK=1 .venv/bin/timeline-env compile --rules-only
wait "$checks"
checks=""
wait "$beside"
# Beside the passes below, which do not keep two processors busy all the time.
{
    # Ray's processes must not wait for those of the passes.
    RAY_worker_niceness=0 .venv-rllib/bin/pytest tests/rllib "$@"
    .venv-rllib/bin/python -c 'import benchmarl' # without which the next tests would be left out
    .venv-rllib/bin/pytest tests/bridges/test_examples.py -k benchmarl "$@"
    # What depends on gymnasium is tested with both versions.
    .venv-rllib/bin/pytest tests/wrappers/test_gymnasium_env.py tests/wrappers/test_gymnasium_vector.py \
        tests/wrappers/test_official.py tests/wrappers/test_registry.py -k "not pictures and not benchmark_runs" "$@"
    # In the browser the page plays one game at a time: in plain Python there is nothing to compile. It is the page of the
    # wheel, as users install it: the rest comes from here.
    wheel=$(mktemp -d)
    .venv/bin/python -m pip --disable-pip-version-check --quiet wheel --no-deps -w "$wheel" .
    .venv/bin/python -m zipfile -e "$wheel"/*.whl "$wheel/site"
    NUMBA_DISABLE_JIT=1 PYTHONPATH=$wheel/site .venv/bin/pytest --import-mode=append tests/play/test_browser.py "$@"
    rm -r "$wheel"
    # What the last pass leaves out: the compiler, its kernels, and what plays with searches.
    .venv/bin/pytest tests/engine/test_jit.py tests/engine/test_cuda.py tests/engine/test_interrupt.py \
        tests/twilight_struggle -k "test_jit or test_cuda or test_interrupt or searches_choose or script_fits" "$@"
} >>"$beside_log" 2>&1 &
beside=$!
.venv/bin/pytest -n 2 --ignore=tests/timeline --ignore=tests/twilight_struggle --ignore=tests/engine \
    --ignore=tests/tools/test_fuzz.py --ignore=tests/play/test_browser.py "$@"
# A write out of range would land silently in the next game: rules, engine and damaged input are tested with every index
# checked.
echo "Rules and engine with every index checked:"
NUMBA_BOUNDSCHECK=1 .venv/bin/pytest -n 2 tests/timeline tests/twilight_struggle tests/engine tests/tools/test_fuzz.py \
    --ignore=tests/engine/test_jit.py --ignore=tests/engine/test_cuda.py --ignore=tests/engine/test_interrupt.py \
    -k "not (searches_choose or script_fits)" "$@"
