# Sourced by the other scripts: makes .venv with oponente and the extras named in $1, and puts it first on the path.
# Installs again only when pyproject.toml, the interpreter or the extras have changed.

cd "$(dirname "$0")/.."

if [ ! -x .venv/bin/python ]; then
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
        if [ -n "$candidate" ] && "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
            python=$candidate
            break
        fi
    done
    if [ -z "${python:-}" ]; then
        echo "oponente needs Python 3.11, 3.12 or 3.13: install one, or set PYTHON to its path" >&2
        exit 2
    fi
    "$python" -m venv .venv || exit 2
fi

stamp=".venv/installed-$(echo "$1" | tr -c 'a-z\n' '-')"
if [ ! -f "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
    echo "installing oponente and what it needs into .venv ..." >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".${1:+[$1]}" || exit 2
    touch "$stamp"
fi
PATH="$PWD/.venv/bin:$PATH"
