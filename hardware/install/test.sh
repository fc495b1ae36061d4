#!/usr/bin/env bash
# Installs what is missing, then runs every check: formatting and lint, types, import rules, tests.
# Options go to pytest. Works as root on a bare Debian 12 and with sudo otherwise.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/install.sh" --test
cd "$here/../.."
bin=${RAILBIRD_VENV:-.venv}/bin
"$bin/ruff" check .
"$bin/ruff" format --check .
"$bin/mypy"
"$bin/lint-imports"
exec "$bin/python" -m pytest "$@"
