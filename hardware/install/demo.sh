#!/usr/bin/env bash
# Installs what is missing and plays the simulated table, with display and speech. Options go to `railbird demo`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/install.sh"
exec "${RAILBIRD_VENV:-$here/../../.venv}/bin/railbird" demo "$@"
