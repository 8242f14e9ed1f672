"""Whole runs: resumed, stopped, refused, repeated, and that they learn."""

import copy
import io
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from rich.console import Console

from laffa import layout
from laffa.single import SingleSeat
from laffa.turn import Turn
from laffa_train import checkpoint, ppo
from laffa_train.config import Config, ConfigError
from laffa_train.evaluate import Z, duplicate
from laffa_train.networks import Mlp, action_bound, make_policy
from laffa_train.ppo import Trainer, train
from laffa_train.run import Display, TrainingError
from training_helpers import QUIET, RULES, TINY, metrics, parameters


@pytest.mark.trial("D29")
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("critic", ["own", "central"])
def test_a_resumed_run_is_the_unbroken_one(tmp_path: Path, precision: str, critic: str, monkeypatch: pytest.MonkeyPatch):
    config = replace(TINY, precision=precision, critic=critic)
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    train(config, whole, console=QUIET)
    iterate = Trainer.iteration

    def interrupt_at_ten(trainer: Trainer) -> dict:
        if trainer.iterations == 9:
            os.kill(os.getpid(), signal.SIGINT)
        return iterate(trainer)

    monkeypatch.setattr(Trainer, "iteration", interrupt_at_ten)
    said = Console(file=io.StringIO())
    done = train(config, halves, console=said)
    assert (done["stopped"], done["iterations"]) == ("interrupt", 10)
    assert "Stopped at iteration 10" in said.file.getvalue()  # type: ignore[attr-defined]
    monkeypatch.undo()
    assert train(config, halves, resume=True, console=said)["iterations"] == 20
    assert "Resumed at iteration 10" in said.file.getvalue()  # type: ignore[attr-defined]
    a, b = parameters(whole), parameters(halves)
    assert a.keys() == b.keys()
    assert [name for name in a if not torch.equal(a[name], b[name])] == []
    assert metrics(whole) == metrics(halves)
    assert [row["iteration"] for row in metrics(halves)] == list(range(1, 21))


@pytest.mark.trial("D30")
def test_a_used_folder_is_refused_and_left_alone(tmp_path: Path):
    run = tmp_path / "run"
    config = replace(TINY, decisions=64 * 40)
    train(config, run, console=QUIET)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(ConfigError, match="is in use"):
        train(config, run, console=QUIET)
    with pytest.raises(ConfigError, match=r"cannot change width from 32 to 64.*start a new one"):
        train(replace(config, width=64), run, resume=True, console=QUIET)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
    said = Console(file=io.StringIO())
    train(replace(config, decisions=2 * 64 * 40), run, resume=True, console=said)
    assert "decisions from 2560 to 5120" in said.file.getvalue()  # type: ignore[attr-defined]
    assert len(metrics(run)) == 2


@pytest.mark.trial("D30")
def test_rows_after_the_last_checkpoint_are_done_again(tmp_path: Path):
    run = tmp_path / "run"
    train(replace(TINY, decisions=3 * 64 * 40), run, console=QUIET)
    with (run / "metrics.jsonl").open("a") as file:
        file.write('{"iteration": 4}\n{"iteration": 5}\n{"itera')
    train(replace(TINY, decisions=5 * 64 * 40), run, resume=True, console=QUIET)
    assert [row["iteration"] for row in metrics(run)] == [1, 2, 3, 4, 5]


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run = tmp_path / "run"
    train(replace(TINY, decisions=2 * 64 * 40), run, console=QUIET)
    before = (run / checkpoint.TRAINER).read_bytes()
    loss = ppo.ppo_loss
    monkeypatch.setattr(ppo, "ppo_loss", lambda *args: (loss(*args)[0] * torch.nan, {"policy_loss": torch.tensor(torch.nan)}))
    with pytest.raises(TrainingError, match=r"iteration 3: policy_loss is nan; .*policy\.safetensors is the last good checkpoint"):
        train(TINY, run, resume=True, console=QUIET)
    assert (run / checkpoint.TRAINER).read_bytes() == before
    checkpoint.load_player(run, RULES)


def test_the_same_seed_gives_the_same_run_and_another_seed_another(tmp_path: Path):
    config = replace(TINY, decisions=3 * 64 * 40)
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train(replace(config, seed=seed), tmp_path / name, console=QUIET)
    a, b, c = (metrics(tmp_path / name) for name in "abc")
    assert a == b != c


def test_minutes_end_a_run_too(tmp_path: Path):
    begin = time.monotonic()
    done = train(replace(TINY, decisions=None, minutes=0.05), tmp_path / "run", console=QUIET)
    assert done["elapsed"] >= 3
    assert time.monotonic() - begin < 60


def test_it_runs_outside_the_main_thread(tmp_path: Path):
    thread = threading.Thread(target=train, args=(replace(TINY, decisions=64 * 40), tmp_path / "run"), kwargs={"console": QUIET})
    thread.start()
    thread.join()
    assert (tmp_path / "run" / checkpoint.POLICY).exists()


def test_a_gpu_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="device = 'cuda' is not possible here"):
        train(replace(TINY, device="cuda"), tmp_path / "run", console=QUIET)
    assert not (tmp_path / "run").exists()


@pytest.mark.trial("D23")
def test_the_released_average_moves_slowly_and_frozen_copies_do_not_move():
    trainer = Trainer(replace(TINY, average=0.999))
    frozen = make_policy(layout.informative([RULES]), action_bound(RULES), TINY.width, TINY.layers)
    frozen.load_state_dict(trainer.policy.state_dict())
    start = [p.clone() for p in frozen.parameters()]
    for _ in range(3):
        trainer.iteration()

    def distance(network: Mlp) -> float:
        return sum(float((p - q).detach().square().sum()) for p, q in zip(network.parameters(), start, strict=True))

    assert 0 < distance(trainer.released) < distance(trainer.policy)
    assert distance(frozen) == 0


@pytest.mark.trial("D23")
def test_networks_that_sit_against_a_learner_do_not_move_while_it_does():
    """A hundred updates and more, in which the learner is also measured against the network and plays beside it."""
    trainer = Trainer(replace(TINY, minibatch=64))
    policy = copy.deepcopy(trainer.policy)
    frozen, start = checkpoint.NetworkPlayer(policy), {name: value.clone() for name, value in policy.state_dict().items()}
    env = SingleSeat(RULES, partner=checkpoint.NetworkPlayer(trainer.policy), opponents=frozen, episode="hand")
    for seed in range(3):
        trainer.iteration()
        duplicate(checkpoint.NetworkPlayer(trainer.policy), frozen, RULES, 4, seed)
        (observation, _), over = env.reset(seed=seed), False
        while not over:
            observation, _, over, _, _ = env.step(int(observation["action_mask"].argmax()))
    steps = int(next(iter(trainer.optimizer.state.values()))["step"])
    assert steps >= 100
    assert all(torch.equal(value, start[name]) for name, value in policy.state_dict().items())
    assert not torch.equal(trainer.policy.head.weight, start["head.weight"])


class DrawsBySide:
    """Draws with another generator on each side, so that two of them do alike where they sit alike."""

    def __init__(self, policy: Mlp) -> None:
        self.sides = [checkpoint.NetworkPlayer(policy, seed, sample=True) for seed in (1, 2)]

    def act(self, turn: Turn) -> NDArray[np.int64]:
        return self.sides[turn.seat[0] % 2].act(turn)


@pytest.mark.trial("D24")
def test_a_network_against_itself_is_exactly_level_if_it_does_alike_and_about_level_if_it_draws():
    """Exactly: the most likely actions, and draws that are the same when sides are exchanged. Otherwise within five standard errors."""
    policy = Trainer(TINY).policy
    greedy = checkpoint.NetworkPlayer(policy)
    for a, b in ((greedy, greedy), (DrawsBySide(policy), DrawsBySide(policy))):
        pair = duplicate(a, b, RULES, 500)
        assert (pair.mean, pair.low, pair.high, pair.deals, pair.seed) == (0, 0, 0, 500, 0)
    drawing = [checkpoint.NetworkPlayer(policy, seed, sample=True) for seed in (1, 2)]
    pair = duplicate(*drawing, RULES, 500)
    assert 0 < abs(pair.mean) < 5 * (pair.high - pair.mean) / Z
    assert pair.declared > 0.2


def test_it_learns(tmp_path: Path):
    config = Config(decisions=250_000, games=128, steps=64, minibatch=1024, device="cpu", threads=1, eval_minutes=None, made_up=40_000)
    start = checkpoint.NetworkPlayer(Trainer(config).policy)
    train(config, tmp_path / "run", console=QUIET)
    pair = duplicate(checkpoint.load_player(tmp_path / "run", RULES), start, RULES, 200, 5)
    assert pair.low > 0, pair


@pytest.mark.parametrize(("left", "shown"), [(199.6, "left 3:20"), (239.4, "left 3:59"), (59.9, "left 1:00"), (5, "left 0:05")])
def test_the_time_left_counts_down_without_jumps(left: float, shown: str):
    text = io.StringIO()
    row = {"decisions": 10, "learned_decisions": 8, "decisions_per_s": 1.0, "hands_per_s": 1.0, "entropy_calls": 0.0, "entropy_cards": 0.0}
    Display(Console(file=text, width=200)).show(row, 0.5, left)
    assert text.getvalue().rstrip().endswith(shown)
