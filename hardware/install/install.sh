#!/usr/bin/env bash
# Installs Railbird on Debian 12 or later (Raspberry Pi OS too): what it needs of the system, and a virtual
# environment of its own in .venv. As root, or as a user who may use sudo. Running it again is safe.
#   bash hardware/install/install.sh          to run it
#   bash hardware/install/install.sh --test   to test it too
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
venv=${RAILBIRD_VENV:-$root/.venv}
lock=$root/hardware/install/run.lock
packages=(python3 python3-venv libgl1 libglib2.0-0 flite alsa-utils)
if [ "${1:-}" = --test ]; then
  lock=$root/hardware/install/test.lock
  packages+=(chromium espeak-ng libatomic1 mosquitto) # the browser tests steer Chromium by a node that is linked to libatomic
elif [ $# -gt 0 ]; then
  echo "install.sh: $1: no such option; it takes --test or nothing" >&2
  exit 2
fi

say() { printf '== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

system_packages() {
  local missing=() name
  for name in "${packages[@]}"; do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing from Debian: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
}

python_packages() {
  local stamp=$venv/railbird.lock
  if cmp --silent "$lock" "$stamp" && [ -x "$venv/bin/railbird" ]; then return 0; fi
  say "installing Python packages into $venv"
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$lock"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e "$root"
  cp "$lock" "$stamp"
}

if command -v apt-get >/dev/null; then
  system_packages
else
  say "no apt-get here; make sure that these are installed by other means: ${packages[*]}"
fi
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "install.sh: Python 3.11 or later is needed, this is $(python3 --version); install a newer one" >&2
  exit 1
fi
python_packages
say "installed; run it with: $venv/bin/railbird demo"
