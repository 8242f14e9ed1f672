"""Checkpoints: whole or refused in one sentence, and never code."""

import errno
import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open

import laffa
from laffa import layout
from laffa_train import checkpoint, meta
from laffa_train.checkpoint import CheckpointError, load_player
from laffa_train.config import Config
from laffa_train.networks import action_bound, make_policy
from laffa_train.ppo import train

VARIANT = "tarneeb-koutchina"
RULES = laffa.load(VARIANT)
PIECES = layout.informative([RULES])
SMALL = Config(decisions=64 * 32, games=64, steps=32, width=16, layers=1, device="cpu", precision="fp32", threads=1, eval_minutes=None)


NETWORK = {"pieces": PIECES, "actions": action_bound(RULES), "width": SMALL.width, "layers": SMALL.layers}


def write_policy(path: Path, seed: int = 0, **changes: object) -> dict[str, torch.Tensor]:
    torch.manual_seed(seed)
    tensors = make_policy(PIECES, action_bound(RULES), SMALL.width, SMALL.layers).state_dict()
    checkpoint.write(path, "policy", tensors, checkpoint.describe(SMALL, 10, 1.0) | changes)
    return tensors


def test_a_policy_comes_back_as_it_was(tmp_path: Path):
    tensors = write_policy(tmp_path / "policy.safetensors")
    policy, info = checkpoint.load_policy(tmp_path / "policy.safetensors", RULES)
    assert all(torch.equal(value, tensors[name]) for name, value in policy.state_dict().items())
    assert {"games", "layout", "network", "config", "laffa", "commit", "decisions", "seconds"} <= info.keys()
    assert info["games"] == [{"variant": VARIANT, "rules_version": 0, "options": RULES.options}]
    assert (info["layout"], info["decisions"]) == (layout.fingerprint(), 10)


def test_the_file_opens_without_laffa(tmp_path: Path):
    write_policy(tmp_path / "policy.safetensors")
    with safe_open(tmp_path / "policy.safetensors", "np") as file:
        assert json.loads(file.metadata()["laffa"])["kind"] == "policy"
        assert file.get_tensor("head.weight").dtype == np.float32


def test_a_greedy_player_repeats_itself_however_rows_are_grouped(tmp_path: Path):
    write_policy(tmp_path / "policy.safetensors")
    player = load_player(tmp_path, RULES)
    batch = laffa.Batch(RULES, 64, 3)
    turn = batch.reset()
    for _ in range(70):
        actions = player.act(turn)
        assert actions.dtype == np.int64
        assert (turn.mask[np.arange(64), actions] == 1).all()
        assert np.array_equal(actions, np.concatenate([player.act(turn.rows(slice(k, k + 16))) for k in range(0, 64, 16)]))
        turn = batch.step(actions)


def test_a_sampling_player_is_fixed_by_its_seed(tmp_path: Path):
    write_policy(tmp_path / "policy.safetensors")
    turn = laffa.Batch(RULES, 64, 3).reset()
    one, same, other = (load_player(tmp_path, RULES, seed, sample=True).act(turn) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.trial("D04")
@pytest.mark.parametrize("sample", [False, True])
def test_rows_without_a_legal_action_are_named(tmp_path: Path, sample: bool):
    write_policy(tmp_path / "policy.safetensors")
    turn = laffa.Batch(RULES, 64, 3).reset()
    turn.mask[10:26] = 0
    with pytest.raises(ValueError, match=r"16 of 64 rows have no legal action \(rows 10, 11, .*\.\.\.\)"):
        load_player(tmp_path, RULES, sample=sample).act(turn)
    turn.mask[10:26, 52] = 1
    actions = load_player(tmp_path, RULES, sample=sample).act(turn)
    assert (actions[10:26] == 52).all()


def test_the_previous_file_is_kept(tmp_path: Path):
    path = tmp_path / "policy.safetensors"
    first = write_policy(path, 1)
    write_policy(path, 2)
    older, _ = checkpoint.load_policy(checkpoint.previous(path), RULES)
    assert torch.equal(older.state_dict()["head.weight"], first["head.weight"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["policy.previous.safetensors", "policy.safetensors"]


def game(**changes):
    """What a description says of its one game, with changes."""
    return {"games": [{"variant": VARIANT, "rules_version": 0, "options": RULES.options} | changes]}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (game(variant="other"), "was trained for other-v0 and does not fit tarneeb-koutchina-v0"),
        (game(rules_version=7), "was trained for tarneeb-koutchina-v7 and does not fit tarneeb-koutchina-v0"),
        ({"layout": "0123456789ab"}, f"on observation layout 0123456789ab, and this version of laffa has {layout.fingerprint()}"),
        (game(options=RULES.options | {"target": 41}), "under other rules: target = 41 instead of 31"),
        (game(options={}), "under other rules"),
        (game(options=None), "does not say which games it was trained for"),
        ({"games": None}, "does not say which games it was trained for"),
        ({"games": ["tarneeb-koutchina"]}, "does not say which games it was trained for"),
        *(
            ({"network": NETWORK | wrong}, "does not hold the network that it describes")
            for wrong in (
                {"width": 32},
                {"width": 10**9},
                {"width": "x"},
                {"actions": 80},
                {"pieces": None},
                {"pieces": []},
                {"pieces": ["hand", "other"]},
                {"pieces": ["hand"]},
                {"pieces": [*PIECES, "hands"]},
            )
        ),
        ({"network": None}, "does not hold the network that it describes"),
        ({"format": 99}, "is not a laffa policy of format 2"),
    ],
)
def test_a_file_for_something_else_is_refused(tmp_path: Path, changes: dict, sentence: str):
    write_policy(tmp_path / "policy.safetensors", **changes)
    with pytest.raises(CheckpointError, match=sentence) as caught:
        load_player(tmp_path, RULES)
    assert "\n" not in str(caught.value)


class Hostile:
    """Whoever unpickles this runs its code."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable, tuple]:
        return os.system, (f"touch {self.marker}",)


def as_pickle(path: Path, marker: Path) -> None:
    path.write_bytes(pickle.dumps(Hostile(marker)))


def as_torch_zip(path: Path, marker: Path) -> None:
    torch.save(Hostile(marker), path)


def as_zip(path: Path, marker: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("data.pkl", pickle.dumps(Hostile(marker)))


def as_npz(path: Path, marker: Path) -> None:
    with path.open("wb") as file:
        np.savez(file, a=np.array([Hostile(marker)], object))


def as_text(path: Path, marker: Path) -> None:
    path.write_text(f"!!python/object/apply:os.system ['touch {marker}']\n")


def as_half(path: Path, marker: Path) -> None:
    write_policy(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def as_nothing(path: Path, marker: Path) -> None:
    path.write_bytes(b"")


def as_plain_safetensors(path: Path, marker: Path) -> None:
    from safetensors.torch import save_file

    save_file({"x": torch.zeros(1)}, path)


def as_safetensors_with_odd_header(path: Path, marker: Path) -> None:
    from safetensors.torch import save_file

    save_file({"x": torch.zeros(1)}, path, {"laffa": "[1, 2]"})


FOREIGN = [as_pickle, as_torch_zip, as_zip, as_npz, as_text, as_half, as_nothing, as_plain_safetensors, as_safetensors_with_odd_header]


@pytest.mark.trial("D26")
@pytest.mark.parametrize("make", FOREIGN)
@pytest.mark.parametrize("route", ["file", "folder", "resume"])
def test_a_foreign_file_is_refused_and_runs_nothing(tmp_path: Path, make: Callable, route: str):
    marker, folder = tmp_path / "marker", tmp_path / "run"
    folder.mkdir()
    path = folder / (checkpoint.TRAINER if route == "resume" else checkpoint.POLICY)
    make(path, marker)
    load = {
        "file": lambda: load_player(path, RULES),
        "folder": lambda: load_player(folder, RULES),
        "resume": lambda: train(SMALL, folder, resume=True),
    }
    with pytest.raises(CheckpointError) as caught:
        load[route]()
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not marker.exists()


@pytest.mark.trial("D30")
def test_a_missing_file_is_one_sentence(tmp_path: Path):
    for path in (tmp_path / "none", tmp_path / "none.safetensors", tmp_path):
        with pytest.raises(CheckpointError, match="does not exist"):
            load_player(path, RULES)
    with pytest.raises(CheckpointError, match="does not exist"):
        train(SMALL, tmp_path, resume=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.trial("D28")
def test_a_damaged_file_offers_the_previous_one(tmp_path: Path):
    path = tmp_path / "policy.safetensors"
    write_policy(path, 1)
    write_policy(path, 2)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match=r"is damaged .*; the previous checkpoint is .*policy\.previous\.safetensors"):
        load_player(path, RULES)
    load_player(checkpoint.previous(path), RULES)


@pytest.mark.trial("D28")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "policy.safetensors"
    first = write_policy(path, 1)

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_policy(path, 2)
    kept, _ = checkpoint.load_policy(path, RULES)
    assert torch.equal(kept.state_dict()["head.weight"], first["head.weight"])
    assert not list(tmp_path.glob(".*"))


def test_the_description_is_json_that_any_reader_takes(tmp_path: Path):
    info = checkpoint.describe(SMALL, 1, 2.0)
    assert json.loads(meta.dumps(info)) == info
