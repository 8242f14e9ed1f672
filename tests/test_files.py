"""Files: nothing in one that is read is ever run, any reader takes those that are written, and they are whole at every moment."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import laffa
from laffa.single import SingleSeat
from laffa_train import checkpoint, cli
from laffa_train.checkpoint import load_player, load_policy
from laffa_train.config import load_config
from laffa_train.ppo import train
from test_checkpoint import RULES, VARIANT, as_npz, as_pickle, as_text, as_torch_zip, as_zip, write_policy
from training_helpers import QUIET, TINY

SMALL = "games = 16\nsteps = 16\ndecisions = 512\nwidth = 16\nlayers = 1\nthreads = 1\neval_minutes = 'none'\n"
HOSTILE = [as_pickle, as_torch_zip, as_zip, as_npz, as_text]
"""Files whose readers would run them if they let them."""

COMMANDS = {
    "eval it": (["eval", "bad.pt", "--against", "random", "--deals", "2"], "bad.pt"),
    "eval against it": (["eval", "random", "--against", "autopilot", "bad.pt", "--deals", "2"], "bad.pt"),
    "eval under its rules": (["eval", "random", "--against", "random", "--variant", "bad.toml"], "bad.toml"),
    "play with it": (["play", "--partner", "bad.safetensors"], "bad.safetensors"),
    "play against it": (["play", "--opponents", "bad.npz"], "bad.npz"),
    "watch it": (["watch", "random", "bad.pt"], "bad.pt"),
    "show it again": (["replay", "bad.json"], "bad.json"),
    "its rules": (["rules", "bad.toml"], "bad.toml"),
    "its speed": (["bench", "--only", "playout", "--variant", "bad.toml"], "bad.toml"),
    "train by it": (["train", "bad.toml"], "bad.toml"),
    "go on with it": (["train", "good.toml", "--resume", "--run-dir", "."], checkpoint.TRAINER),
}
"""Every command that reads a file, and the file."""


@pytest.mark.trial("D26")
@pytest.mark.parametrize("make", HOSTILE)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_what_it_reads(command, make, tmp_path, monkeypatch, capsys):
    arguments, name = COMMANDS[command]
    monkeypatch.chdir(tmp_path)
    Path("good.toml").write_text(SMALL)
    make(Path(name), tmp_path / "marker")
    before = sorted(tmp_path.iterdir())
    assert cli.run(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert Path(name).stem in err
    assert sorted(tmp_path.iterdir()) == before


FUNCTIONS = {
    "a player": lambda path: laffa.players.make(path, RULES),
    "a partner": lambda path: SingleSeat(VARIANT, partner=str(path)),
    "a policy": lambda path: load_policy(path, RULES),
    "settings": load_config,
    "rules": lambda path: laffa.load(path.with_suffix(".toml")),
}


@pytest.mark.trial("D26")
@pytest.mark.parametrize("make", HOSTILE)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_runs_what_it_reads(function, make, tmp_path):
    for name in ("bad.pt", "bad.toml"):
        make(tmp_path / name, tmp_path / "marker")
    with pytest.raises(ValueError) as error:
        FUNCTIONS[function](tmp_path / "bad.pt")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "marker").exists()


@pytest.mark.trial("D26")
@pytest.mark.parametrize("make", [as_pickle, as_torch_zip, as_npz])
def test_the_files_would_run_in_the_hands_of_a_trusting_reader(make, tmp_path):
    path, marker = tmp_path / "file", tmp_path / "marker"
    make(path, marker)
    readers = {as_pickle: lambda: pickle.loads(path.read_bytes()), as_torch_zip: lambda: torch.load(path, weights_only=False)}
    readers[as_npz] = lambda: np.load(path, allow_pickle=True)["a"]
    readers[make]()
    assert marker.exists()


READ = """
import json, sys
sys.modules.update(dict.fromkeys(["laffa", "laffa_train"]))
from safetensors import safe_open
for path in sys.argv[1:]:
    with safe_open(path, framework="pt") as file:
        kind = json.loads(file.metadata()["laffa"])["kind"]
        print(kind, sum(file.get_tensor(name).numel() > 0 for name in file.keys()))
"""


@pytest.mark.trial("D27")
def test_every_file_of_a_run_can_be_read_without_laffa_and_none_can_hold_code(tmp_path):
    train(replace(TINY, decisions=2 * 64 * 40, checkpoint_seconds=0), tmp_path, console=QUIET)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    tensors = sorted(path for path in files if path.suffix == ".safetensors")
    assert len(tensors) == 4
    done = subprocess.run([sys.executable, "-c", READ, *map(str, tensors)], capture_output=True, text=True, cwd="/", timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["policy", "policy", "trainer", "trainer"]
    assert all(int(line.split()[1]) > 3 for line in done.stdout.splitlines())
    rest = sorted(path.name.partition(".")[0] for path in files if path not in tensors)
    assert rest == ["config", "events", "metrics"]
    assert tomllib.loads((tmp_path / "config.toml").read_text())["decisions"] == 2 * 64 * 40
    assert [json.loads(line)["iteration"] for line in (tmp_path / "metrics.jsonl").read_text().splitlines()] == [1, 2]


SAVE = """
import sys
from pathlib import Path
import torch
from laffa_train import checkpoint
path = Path(sys.argv[1])
tensors, info = checkpoint.read(path, "policy")
print("ready", flush=True)
for number in range(1, 81):
    checkpoint.write(path, "policy", {name: torch.full_like(value, number) for name, value in tensors.items()}, info)
"""


@pytest.mark.trial("D28")
def test_two_processes_that_save_into_one_folder_leave_whole_files_at_every_moment(tmp_path):
    """Each save fills all tensors with one number of its own."""
    path = tmp_path / checkpoint.POLICY
    write_policy(path)
    tensors, info = checkpoint.read(path, "policy")
    own = {name: torch.zeros_like(value) for name, value in tensors.items()}
    checkpoint.write(path, "policy", own, info)
    other = subprocess.Popen(
        [sys.executable, "-c", SAVE, str(path)], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, stdout=subprocess.PIPE, text=True
    )
    seen = set()
    try:
        assert other.stdout.readline() == "ready\n"
        while other.poll() is None:
            checkpoint.write(path, "policy", own, info)
            for file in (path, checkpoint.previous(path)):
                numbers = {float(number) for value in checkpoint.read(file, "policy")[0].values() for number in value.unique()}
                assert len(numbers) == 1
                seen |= numbers
    finally:
        other.kill()
    assert other.wait() == 0
    assert len(seen) > 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["policy.previous.safetensors", "policy.safetensors"]


KILLS = int(os.environ.get("LAFFA_KILLS", "3"))
"""How often a run is killed; a long test sets more, and `--timeout 0`."""

RUN = """
import sys
from laffa_train.config import load_config
from laffa_train.ppo import train
train(load_config(sys.argv[1]), sys.argv[2], resume=sys.argv[3] == "resume")
"""


@pytest.mark.trial("D28")
def test_killed_at_random_moments_a_run_always_loads_and_goes_on(tmp_path: Path):
    settings, folder = tmp_path / "run.toml", tmp_path / "run"
    settings.write_text(
        "decisions = 1_000_000_000\ngames = 64\nsteps = 16\nwidth = 64\ncheckpoint_seconds = 0\nminibatch = 256\neval_minutes = 'none'\nthreads = 1\n"
    )
    chance = random.Random(0)
    for attempt in range(KILLS):
        how = "resume" if attempt else "new"
        process = subprocess.Popen([sys.executable, "-c", RUN, str(settings), str(folder), how], stderr=subprocess.DEVNULL)
        before = rows(folder)
        deadline = time.monotonic() + 120
        while rows(folder) <= before + 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(chance.random())
        assert process.poll() is None, "the run ended by itself"
        process.send_signal(signal.SIGKILL)
        process.wait()
        load_player(folder, RULES)
        _, info = checkpoint.read(folder / checkpoint.TRAINER, "trainer")
        assert rows(folder) >= info["counters"]["iterations"] > 0
    (folder / ".policy-abc.safetensors").write_bytes(b"left over")
    numbers = [row["iteration"] for row in read_rows(folder)]
    assert numbers == list(range(1, len(numbers) + 1))
    checkpoint.clean(folder)
    assert not list(folder.glob(".*.safetensors"))


def rows(folder: Path) -> int:
    return len(read_rows(folder))


def read_rows(folder: Path) -> list[dict]:
    path = folder / "metrics.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")] if path.exists() else []


@pytest.mark.trial("D30")
@pytest.mark.parametrize("place", ["empty", "missing", "empty/config.toml", "without-checkpoint/config.toml"])
def test_resuming_where_nothing_is_fails_in_one_line_and_makes_nothing(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("good.toml").write_text(SMALL)
    Path("empty").mkdir()
    Path("without-checkpoint").mkdir()
    Path("without-checkpoint/config.toml").write_text(SMALL)
    before = sorted(tmp_path.rglob("*"))
    arguments = ["train", place] if place.endswith(".toml") else ["train", "good.toml", "--run-dir", place]
    assert cli.run([*arguments, "--resume"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert place.partition("/")[0] in err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.trial("D30")
def test_a_resumed_run_says_where_and_goes_on_with_the_next_row(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    assert cli.run(["train", "small.toml", "--run-dir", "run", "--eval-deals", "0"]) == 0
    capsys.readouterr()
    assert cli.run(["train", "run/config.toml", "--resume", "--set", "decisions=1024", "--eval-deals", "0"]) == 0
    assert "Resumed at iteration 2" in capsys.readouterr().err
    assert [json.loads(line)["iteration"] for line in Path("run/metrics.jsonl").read_text().splitlines()] == [1, 2, 3, 4]
