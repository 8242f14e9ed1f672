"""The engine gives the same bits compiled and as plain Python; `.ci/modes.sh` compares compiled code that checks its bounds as well."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import laffa
from modes import OPTIONS, PLAYED, digests

pytestmark = pytest.mark.env


def test_uncompiled_code_plays_the_same_and_warns_of_nothing():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_DISABLE_JIT": "1"}
    script = Path(__file__).with_name("modes.py")
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    shown = json.loads(done.stdout)
    assert len(set(shown.values())) == len(shown) == len(laffa.variants()) + len(OPTIONS) + len(PLAYED)
    assert shown == digests()
