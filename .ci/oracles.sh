#!/usr/bin/env bash
# Plays the same cards in our engine and in those of others, which only CI installs.
set -euo pipefail
.venv/bin/pip install --quiet -c constraints.txt -e '.[oracles]'
LAFFA_ORACLE_DEALS=5000 .venv/bin/python -m pytest --timeout 0 tests/test_oracles.py
