#!/usr/bin/env bash
# Pins what is installed: run.lock (to run), test.lock (to test too) and pi.lock (on a Raspberry Pi, beside apt's
# picamera2), for Python 3.11 and later on any machine.
# Needs uv (pip install uv). Run it after a change of the dependencies in pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")"

compile() { # output, options of uv
  local output=$1
  shift
  # What builds the package itself is pinned too, so that installing it fetches nothing unforeseen.
  printf 'hatchling\neditables\n' |
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
      "$@" ../../pyproject.toml - --output-file "$output"
}

compile run.lock
compile test.lock --extra test --constraint run.lock
printf 'simplejpeg>=1.8\n' |
  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-deps \
    - --output-file pi.lock
