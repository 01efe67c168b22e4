#!/bin/sh
# Make the virtual environment $1 with Python $2, or with the newest one found that fits.
# Keeps an environment that fits; says in one sentence what to install where no Python does.
set -u
venv=$1
wanted=$2

# A name on the PATH is not enough: version managers leave names that start nothing.
fits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if fits "$venv/bin/python"; then
    exit 0
fi

python=
for name in ${wanted:-python3.14 python3.13 python3.12 python3.11 python3 python}; do
    if fits "$name"; then
        python=$name
        break
    fi
done

if [ -z "$python" ]; then
    if [ -n "$wanted" ]; then
        echo "PYTHON=$wanted should be a Python 3.11 or newer: install one from https://www.python.org/downloads/ or leave PYTHON out." >&2
    else
        echo "Basinscope needs Python 3.11 or newer and found none: install it from https://www.python.org/downloads/ and run make again." >&2
    fi
    exit 1
fi

if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "Python $version lacks its venv module: install it (on Debian and Ubuntu: apt install python$version-venv) and run make again." >&2
    exit 1
fi

echo "Setting up $venv with $("$python" --version) …"
if ! "$python" -m venv --clear "$venv"; then
    rm -rf "$venv"
    echo "$venv could not be made with $("$python" --version): see the lines above." >&2
    exit 1
fi
