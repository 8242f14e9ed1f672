"""The command line through a process of its own, from another folder than the clone."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = [sys.executable, "-m", "laffa_train.cli"]
ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT / 'envs'}{os.pathsep}{ROOT / 'training'}"}
HEADER = {"schema", "laffa", "commit", "command", "machine", "seed"}


def run(*arguments, cwd, text="", **environment):
    """One command in its own process, from another folder than the clone."""
    command = [*PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, input=text.encode(), capture_output=True, env=ENVIRONMENT | environment, timeout=240, check=False)
    done.stdout, done.stderr = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
    return done


def one_object(output):
    """The one JSON object that a command printed, and nothing else."""
    assert output.count("\n") == 1
    data = json.loads(output)
    assert data.keys() >= HEADER
    assert data["command"].startswith("laffa ")
    return data
