"""What the tests of training share: a tiny configuration, a rollout, a run read back."""

import io
import json
from dataclasses import replace
from pathlib import Path

import torch
from rich.console import Console

import laffa
from laffa_train import checkpoint
from laffa_train.config import Config
from laffa_train.ppo import Trainer

VARIANT = "tarneeb-koutchina"
RULES = laffa.load(VARIANT)
TINY = Config(
    decisions=20 * 64 * 40,
    games=64,
    steps=40,
    width=32,
    minibatch=256,
    device="cpu",
    precision="fp32",
    threads=1,
    eval_minutes=None,
    average=0.9,
    made_up=5000,
)
QUIET = Console(file=io.StringIO())


def played(**changes: object) -> Trainer:
    """A trainer with a rollout long enough for several hands in every game, and no update."""
    trainer = Trainer(replace(TINY, **({"steps": 200} | changes)))  # type: ignore[arg-type]
    trainer.rollout.collect(trainer.policy, trainer.generator, trainer.autocast)
    return trainer


def parameters(folder: Path) -> dict[str, torch.Tensor]:
    return checkpoint.read(folder / checkpoint.TRAINER, "trainer")[0]


def metrics(folder: Path) -> list[dict]:
    timed = ("seconds", "elapsed", "decisions_per_s", "hands_per_s", "seconds_rollout", "seconds_critic", "seconds_update")
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if name not in timed} for row in rows]
