#!/usr/bin/env bash
# Installs Railbird on Debian 12 or later and on Raspberry Pi OS (64 bit, Bookworm or Trixie). As root, or as a user who
# may use sudo. Running it again is safe: it only does what is missing.
#   bash hardware/install/install.sh              into .venv here, to be run by hand
#   bash hardware/install/install.sh --test       likewise, with what its tests need
#   bash hardware/install/install.sh --service    into /opt/railbird, as a service that starts with the machine;
#                                                 from a newer clone it is also the update
#   bash hardware/install/install.sh --uninstall  takes the service and /opt/railbird away; settings and state stay
#   bash hardware/install/install.sh --purge      takes those away, too
# On a Raspberry Pi the camera's library comes from apt (python3-picamera2), so the virtual environment sees the
# system's packages there; elsewhere it sees none. RAILBIRD_PI=1 or 0 says which, where the machine cannot tell.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=/opt/railbird
config=/etc/railbird
unit=/etc/systemd/system/railbird.service
packages=(python3 python3-venv libgl1 libglib2.0-0 flite alsa-utils)
lock=run.lock
mode=${1:-}

case $mode in
  '' | --service | --uninstall | --purge) ;;
  --test)
    lock=test.lock
    packages+=(chromium espeak-ng libatomic1 mosquitto) # the browser tests steer Chromium by a node that is linked to libatomic
    ;;
  *)
    echo "install.sh: $mode: no such option; it takes --test, --service, --uninstall, --purge or nothing" >&2
    exit 2
    ;;
esac

say() { printf '== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

is_pi() {
  if [ -n "${RAILBIRD_PI:-}" ]; then [ "$RAILBIRD_PI" = 1 ]; else grep -qs 'Raspberry Pi' /proc/device-tree/model; fi
}

has_systemd() { [ -d /run/systemd/system ]; }

system_packages() {
  local missing=() name
  for name in "${packages[@]}"; do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  as_root apt-get update -qq
  if [[ " ${missing[*]} " == *" python3-picamera2 "* ]] && ! apt-cache show python3-picamera2 >/dev/null 2>&1; then
    say "python3-picamera2 is not to be had here (it is in Raspberry Pi OS): --camera picamera2 will not work"
    missing=("${missing[@]/python3-picamera2/}")
    read -r -a missing <<<"${missing[*]}"
  fi
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing from apt: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
}

python_packages() { # the folder of the program, its virtual environment; what is done as root is given in front
  local program=$1 venv=$2 sites=() wanted
  shift 2
  is_pi && sites=(--system-site-packages)
  wanted=$(cat "$program/hardware/install/$lock" && if is_pi; then cat "$program/hardware/install/pi.lock"; fi)
  if [ -x "$venv/bin/railbird" ] && printf '%s\n' "$wanted" | cmp --silent - "$venv/railbird.lock"; then return 0; fi
  say "installing Python packages into $venv"
  "$@" python3 -m venv "${sites[@]}" "$venv"
  local pip=("$@" env PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore "$venv/bin/python" -m pip install --quiet)
  "${pip[@]}" --require-hashes --only-binary :all: -r "$program/hardware/install/$lock"
  # What apt's picamera2 takes from simplejpeg was built for another numpy than ours: its wheel goes before it.
  if is_pi; then "${pip[@]}" --require-hashes --only-binary :all: --no-deps -r "$program/hardware/install/pi.lock"; fi
  "${pip[@]}" --no-deps --no-build-isolation -e "$program"
  printf '%s\n' "$wanted" | "$@" tee "$venv/railbird.lock" >/dev/null
  if is_pi && ! (cd / && "$venv/bin/python" -c 'import picamera2' 2>/dev/null); then
    say "picamera2 does not load in $venv; --camera picamera2 will not work: see $venv/bin/python -c 'import picamera2'"
  fi
}

install_system() {
  if is_pi; then packages+=(python3-picamera2); fi
  if command -v apt-get >/dev/null; then
    system_packages
  else
    say "no apt-get here; make sure that these are installed by other means: ${packages[*]}"
  fi
  if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "install.sh: Python 3.11 or later is needed, this is $(python3 --version); install a newer one" >&2
    exit 1
  fi
}

service_user() { # a user of its own; the groups open the camera, the sound and, on a Pi, what else the camera needs
  getent passwd railbird >/dev/null ||
    as_root useradd --system --user-group --home-dir /var/lib/railbird --no-create-home --shell /usr/sbin/nologin railbird
  local group
  for group in video audio render gpio; do
    if getent group "$group" >/dev/null; then as_root usermod --append --groups "$group" railbird; fi
  done
}

copy_program() { # exactly the program: what an older one left behind goes
  [ "$root" != "$target" ] || return 0
  as_root mkdir -p "$target"
  local part
  for part in hardware models table_state vision; do as_root rm -rf "${target:?}/$part"; done
  tar -C "$root" --exclude __pycache__ --owner 0 --group 0 -c hardware models table_state vision pyproject.toml README.md LICENSE |
    as_root tar -C "$target" --no-same-permissions -x
}

settings() { # the administrator's own files are never touched
  as_root install -d -m 0750 -g railbird "$config"
  [ -e "$config/config.toml" ] || as_root install -m 0640 -g railbird "$target/hardware/install/config.toml" "$config/config.toml"
  [ -e "$config/service.env" ] || as_root install -m 0640 -g railbird "$target/hardware/install/service.env" "$config/service.env"
  if is_pi && cmp --silent "$config/service.env" "$target/hardware/install/service.env"; then
    as_root sed -i 's/^CAMERA=.*/CAMERA=picamera2/' "$config/service.env"
  fi
}

install_service() {
  install_system
  service_user
  if has_systemd && systemctl is-active --quiet railbird; then as_root systemctl stop railbird; fi
  copy_program
  python_packages "$target" "$target/.venv" as_root
  settings
  as_root install -m 0644 "$target/hardware/install/railbird.service" "$unit"
  as_root install -m 0755 "$target/hardware/install/railbird.sh" /usr/local/bin/railbird
  if has_systemd; then
    as_root systemctl daemon-reload
    as_root systemctl --quiet enable railbird
    as_root systemctl start railbird
  else
    say "systemd does not run here: the service is in its place and was not started"
  fi
  if [ ! -e "$config/layout.toml" ]; then
    say "it waits for its table: write $config/layout.toml (one to copy is $target/hardware/demo.toml), then"
    say "  sudo railbird setup --layout $config/layout.toml --camera usb:0   and   sudo systemctl start railbird"
  fi
  say "installed; what it does: systemctl status railbird; what is wrong: sudo railbird doctor"
}

uninstall() {
  if has_systemd && [ -e "$unit" ]; then as_root systemctl --quiet disable --now railbird || true; fi
  as_root rm -rf "$unit" /usr/local/bin/railbird "$target"
  if has_systemd; then as_root systemctl daemon-reload; fi
  if [ "$mode" = --purge ]; then
    as_root rm -rf "$config" /var/lib/railbird /var/cache/railbird
    if getent passwd railbird >/dev/null; then as_root userdel railbird; fi
    say "Railbird is gone, with its settings and its state"
  else
    say "Railbird is gone; its settings are still in $config, its state in /var/lib/railbird (--purge takes them away)"
  fi
}

case $mode in
  --service) install_service ;;
  --uninstall | --purge) uninstall ;;
  *)
    install_system
    venv=${RAILBIRD_VENV:-$root/.venv}
    python_packages "$root" "$venv"
    say "installed; run it with: $venv/bin/railbird demo"
    ;;
esac
