# Sourced by the scripts beside it: makes .venv at the root of the checkout ready, once, from the lock file.
# Needs a Python from 3.11 on with venv; nothing else. Leaves $root and $venv_bin set, and the root as current folder.
# Exit code 6 means that the machine lacks something.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit 6
}

# A name may be there without the interpreter behind it (a shim, a shop alias), so each one is run.
is_recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
can_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

find_python() {
  local name recent=""
  for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
    if is_recent "$name"; then
      if can_venv "$name"; then
        python=$name
        return
      fi
      recent=$name
    fi
  done
  if [ -n "$recent" ]; then
    fail "$recent has no venv or ensurepip; install them (on Debian and Ubuntu the package is called $recent-venv)"
  fi
  fail "no Python 3.11 or newer found among python3.14 to python3.11, python3 and python; install one"
}

# What the environment was made from: the two files, the place, the interpreter.
fingerprint() {
  "$venv_bin/python" - <<'PY'
import hashlib, pathlib, sys

parts = [pathlib.Path(name).read_bytes() for name in ("requirements.lock", "pyproject.toml")]
parts += [str(pathlib.Path.cwd()).encode(), sys.version.encode()]
print(hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest())
PY
}

set_up() {
  local stamp=.venv/pithid-stamp
  venv_bin=.venv/bin
  [ -d .venv/Scripts ] && venv_bin=.venv/Scripts
  if is_recent "$venv_bin/python" && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]; then
    return
  fi
  printf 'setting up .venv from requirements.lock (once) ...\n' >&2
  if ! is_recent "$venv_bin/python" || ! "$venv_bin/python" -m pip --version >/dev/null 2>&1; then
    find_python
    "$python" -m venv --clear .venv || fail "$python -m venv failed"
    [ -d .venv/Scripts ] && venv_bin=.venv/Scripts
  fi
  local pip=("$venv_bin/python" -m pip --disable-pip-version-check -qq install)
  "${pip[@]}" --require-hashes -r requirements.lock || fail "installing the locked dependencies failed"
  "${pip[@]}" --no-deps --no-build-isolation -e . || fail "installing pithid itself failed"
  "$venv_bin/python" -m compileall -q pithid || true  # an editable install leaves compiling to the first run
  fingerprint >"$stamp"
}

set_up
