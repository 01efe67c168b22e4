#!/bin/sh
# Run the tests with Python $1 on $2 workers (empty: as many as cores, at most four), then any paths.
# Finds a Chromium for the browser tests first; as root on Debian or Ubuntu it installs one.
set -u
python=$1
workers=$2
shift 2

find_browser() {
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

if [ -n "${CHROMIUM:-}" ] && ! command -v "$CHROMIUM" >/dev/null 2>&1; then
    echo "CHROMIUM=$CHROMIUM should be the path of a Chromium or Chrome." >&2
    exit 1
fi
if ! browser=$(find_browser); then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "Installing Chromium for the browser tests …"
        export DEBIAN_FRONTEND=noninteractive
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null </dev/null
    fi
    if ! browser=$(find_browser); then
        echo "The browser tests need Chromium or Chrome: install one (on Debian: apt install chromium; elsewhere: https://www.google.com/chrome) or set CHROMIUM to its path." >&2
        exit 1
    fi
fi
export CHROMIUM="$browser"
export BASINSCOPE_REQUIRE_BROWSER="${BASINSCOPE_REQUIRE_BROWSER:-1}"

# One thread for each worker: several under contention are many times slower than one.
export OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1

if [ -z "$workers" ]; then
    workers=$("$python" -c 'import os; print(min(os.cpu_count() or 1, 4))')
fi
if [ $# = 0 ]; then
    # Once, before every worker and every server that a test starts would compile the same.
    echo "Compiling what is not compiled yet …"
    for part in clam_core "slk_core workbench.silhouettes workbench.lessons.frames umap"; do
        "$python" -c 'import importlib, sys
for name in sys.argv[1:]: getattr(importlib.import_module(name), "warm_up", int)()' $part &
    done
    wait
fi
echo "Testing with $workers worker(s) and $browser …"
# The browser's files are long, and come first: what is left for the end is short.
exec "$python" -m pytest -n "$workers" --dist loadfile --no-loadscope-reorder "$@" </dev/null
