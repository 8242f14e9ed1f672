#!/usr/bin/env bash
# Runs the environment tests on the lowest releases that pyproject.toml promises, from the unpacked sdist: so the sdist is shown to build,
# install and carry its tests. Only files with the marker are collected, since the training tests import torch, which is not there.
set -euo pipefail
clone=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -n "$(ls dist/laffa-*.tar.gz 2>/dev/null)" ] || { echo 'lowest: no sdist in dist/: run .ci/package.sh first' >&2; exit 1; }
tar -xzf dist/laffa-*.tar.gz -C "$work"
cd "$work"/laffa-*

"$clone/.venv/bin/python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet -c "$clone/.ci/lowest.txt" '.[test]'
"$work/venv/bin/pip" list 2>/dev/null | grep -iE '^(gymnasium|numba|numpy|pettingzoo) '

mapfile -t files < <(grep -lE 'pytest\.mark\.env\b' tests/test_*.py)
[ "${#files[@]}" -gt 0 ] || { echo 'lowest: no test carries the marker env' >&2; exit 1; }
# The sources of the unpacked sdist are not on the path: the tests see the installed package.
"$work/venv/bin/python" -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal -m env "${files[@]}"
