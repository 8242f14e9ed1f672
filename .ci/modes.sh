#!/usr/bin/env bash
# Plays the same decisions compiled and compiled with checked bounds, which a program does not pay for: no place outside of an array is touched.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

.venv/bin/python tests/modes.py 4 > "$work/compiled"
NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$work/cache" .venv/bin/python tests/modes.py 4 > "$work/checked"
diff "$work/compiled" "$work/checked"
printf 'modes: %d rows are the same with checked bounds\n' "$(grep -c : "$work/checked")"
