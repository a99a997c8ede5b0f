# Finds Python and defines the functions that install Chromium and set up virtual environments. Sourced by quickstart.sh and test.sh.
set -euo pipefail
# pip ends at Ctrl-C as if it had failed; what follows a failure must not begin then.
trap 'exit 130' INT TERM
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=""
for candidate in python3.11 python3.12 python3.13 python3.14 python3; do
    if command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "error: Python 3.11 or newer is needed; found: $(python3 --version 2>&1 || true)" >&2
    exit 2
fi

# browser: Chromium, in which the tests look at the page; where it cannot be had, a note says so.
browser() {
    command -v chromium chromium-browser google-chrome >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing Chromium, for the tests of the page ..."
        { apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 || true
    fi
    command -v chromium chromium-browser google-chrome >/dev/null ||
        echo "note: the tests of the page in the browser will fail: they need Chromium (apt-get install chromium fonts-dejavu-core)" >&2
}

# setup EXTRAS [VENV] [CONSTRAINTS]: the virtual environment VENV (.venv) with the versions of CONSTRAINTS (constraints.txt).
setup() {
    local venv=${2:-.venv} constraints=${3:-constraints.txt}
    if [ ! -x "$venv/bin/pip" ]; then
        "$python" -m venv "$venv" || { echo "error: no virtual environment: on Debian and Ubuntu, apt-get install $("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 2; }
    fi
    local pip=("$venv/bin/python" -m pip --disable-pip-version-check --quiet install -c "$constraints")
    echo "Setting up $venv (once; the largest part is PyTorch, about 200 MB in its build for the CPU) ..."
    if [ "$("$venv/bin/python" -c 'import torch; print(torch.__version__.partition("+")[0])' 2>/dev/null)" != \
        "$(sed -n 's/^torch==//p' "$constraints")" ]; then
        # PyTorch's own index has the build for the CPU. Where it cannot be reached, the package index has a build that
        # works as well, but may bring several GB of CUDA along.
        "${pip[@]}" --retries 0 --timeout 15 --index-url https://download.pytorch.org/whl/cpu torch 2>/dev/null || {
            echo "note: PyTorch's index for the CPU cannot be used; its build on the package index may bring several GB of CUDA along"
            "${pip[@]}" torch
        }
    fi
    "${pip[@]}" -e ".[$1]"
}
