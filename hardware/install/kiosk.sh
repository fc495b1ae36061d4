#!/usr/bin/env bash
# The table on a screen of its own: full screen, nothing else, back after a power cut.
#   bash hardware/install/kiosk.sh                    shows it now, on the desktop that this is started from
#   sudo bash hardware/install/kiosk.sh --at-start    from now on, whenever the machine starts (no desktop needed)
#   sudo bash hardware/install/kiosk.sh --remove      no more
#   --print-unit                                      the unit of systemd that --at-start would write
#   --url URL                                         another page: http://127.0.0.1:8021/?theme=dark&side=dealer
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
url=http://127.0.0.1:8021/
what=show
unit=/etc/systemd/system/railbird-kiosk.service
wait=${RAILBIRD_KIOSK_WAIT:-0} # seconds to wait for the page, 0 = for ever

bad() {
  echo "kiosk.sh: $*" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
  --at-start) what=install ;;
  --remove) what=remove ;;
  --print-unit) what=unit_text ;;
  --url)
    [ $# -gt 1 ] || bad "--url: no address; write it as http://127.0.0.1:8021/"
    url=$2
    shift
    ;;
  *) bad "$1: no such option; the options are --at-start, --remove, --print-unit and --url URL" ;;
  esac
  shift
done
[[ $url =~ ^http://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:([0-9]+))?(/[]A-Za-z0-9/_.?=\&%~+,:-]*)?$ ]] ||
  bad "$url: no address of a page; write it as http://127.0.0.1:8021/"
host=${BASH_REMATCH[1]//[\[\]]/}
port=${BASH_REMATCH[3]:-80}

browser() {
  local name
  for name in ${RAILBIRD_BROWSER:-chromium chromium-browser}; do
    if command -v "$name"; then return 0; fi
  done
  echo "kiosk.sh: no Chromium here; install it with: sudo apt-get install chromium" >&2
  exit 1
}

wait_for_page() {
  local tries=0
  until (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; do
    [ $tries -gt 0 ] || echo "kiosk.sh: waiting for the table at $url" >&2
    tries=$((tries + 1))
    if [ "$wait" -gt 0 ] && [ $tries -ge "$wait" ]; then
      echo "kiosk.sh: no table at $url; start railbird first" >&2
      exit 1
    fi
    sleep 1
  done
}

show() {
  local found profile
  found=$(browser)
  profile=${XDG_STATE_HOME:-$HOME/.local/state}/railbird/kiosk
  mkdir -p "$profile"
  wait_for_page
  if [ -n "${DISPLAY:-}" ] && command -v xset >/dev/null; then xset s off -dpms || true; fi # the screen stays on
  # After a power cut the browser would ask whether it shall bring the last pages back.
  exec "$found" --kiosk --app="$url" --user-data-dir="$profile" --no-first-run --noerrdialogs --disable-infobars \
    --disable-session-crashed-bubble --hide-crash-restore-bubble --disable-translate --disable-features=Translate \
    --disable-background-networking --disable-component-update --disable-sync --overscroll-history-navigation=0 \
    --password-store=basic --ozone-platform-hint=auto
}

as_root() {
  [ "$(id -u)" = 0 ] || bad "this needs root; write: sudo bash $0 $1"
}

unit_text() {
  local text
  text=$(<"$here/kiosk.service")
  text=${text//@KIOSK@/"$here/kiosk.sh"}
  printf '%s\n' "${text//@URL@/"${url//%/%%}"}" # systemd's own signs are %
}

install() {
  as_root --at-start
  apt-get update -qq
  env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends cage xwayland chromium >/dev/null
  id railbird-kiosk >/dev/null 2>&1 || useradd --system --create-home --groups video,render,input railbird-kiosk
  runuser -u railbird-kiosk -- test -r "$here/kiosk.sh" ||
    bad "$here is closed to other users; put the program into /opt/railbird"
  unit_text >"$unit"
  systemctl daemon-reload
  systemctl enable --now railbird-kiosk.service
  echo "kiosk.sh: the table is on the screen, now and after every start"
}

remove() {
  as_root --remove
  systemctl disable --now railbird-kiosk.service 2>/dev/null || true
  rm -f "$unit"
  systemctl daemon-reload
  if id railbird-kiosk >/dev/null 2>&1; then userdel --remove railbird-kiosk 2>/dev/null || true; fi
  echo "kiosk.sh: the table is on the screen no more"
}

"$what"
