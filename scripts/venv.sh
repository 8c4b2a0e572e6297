# Sourced by the other scripts: makes .venv with oponente and its optional dependencies named in the variable `extras`, and
# puts it first on the path. Sets `root`, the folder of the repository; the working directory stays what it is.
# (A variable, not an argument: `. file argument` passes none on in POSIX shells such as dash.)
# Installs again only when pyproject.toml, the interpreter, the folder or the extras have changed.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 2
venv=$root/.venv

if ! "$venv/bin/python" -c '' 2>/dev/null; then
    python=
    for candidate in ${PYTHON:+"$PYTHON"} python3.13 python3.12 python3.11 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
            python=$candidate
            break
        fi
        if [ "$candidate" = "${PYTHON:-}" ]; then break; fi # what was asked for, or nothing
    done
    if [ -z "$python" ]; then
        echo "oponente needs Python 3.11, 3.12 or 3.13: install one, or set PYTHON to its path" >&2
        exit 2
    fi
    # A venv that was made by half must not pass for one.
    "$python" -m venv --clear "$venv" || { rm -rf "$venv"; exit 2; }
fi

stamp=$venv/installed-$(printf %s "${extras:-}" | tr -c 'a-z' '-')
wanted="$root, $("$venv/bin/python" --version), $(cksum < "$root/pyproject.toml")"
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "installing oponente and what it needs into .venv ..." >&2
    # -qq: errors only.
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input \
        --editable "$root${extras:+[$extras]}" || exit 2
    printf '%s\n' "$wanted" > "$stamp"
fi
PATH=$venv/bin:$PATH
