#!/usr/bin/env bash
# Builds the sdist and, from it, the wheel; installs the wheel without torch into an empty environment and plays from another folder.
set -euo pipefail
clone=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rm -rf dist
.venv/bin/python -m build --outdir dist .

# No constraints: what is shown is that the wheel's own list of requirements is enough.
.venv/bin/python -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet dist/laffa-*.whl

cd "$work"
"$work/venv/bin/python" -I "$clone/.ci/smoke.py" "$clone"
"$work/venv/bin/laffa" variants
