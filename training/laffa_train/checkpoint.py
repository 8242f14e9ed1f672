"""Checkpoints: one safetensors file each, its description as JSON in the file's own header.

Nothing here can execute code from a file. A save is atomic, a temporary file that takes the place of
the old one, and the old one stays beside it as `NAME.previous.safetensors`. `policy.safetensors` is what one plays with;
`trainer.safetensors` holds everything that a run needs to go on.
"""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

import laffa
from laffa import observe
from laffa.rules import Rules
from laffa.turn import Turn
from laffa_train import meta
from laffa_train.config import Config, to_dict
from laffa_train.networks import Mlp, action_bound, check_mask, log_probs, make_policy, sample
from laffa_train.suits import by_suits, real_action

POLICY, TRAINER = "policy.safetensors", "trainer.safetensors"
FORMAT = 2
"""Version of the files; a reader refuses any other."""


class CheckpointError(ValueError):
    """A checkpoint that is missing, damaged, foreign or made for something else."""


def describe(config: Config, decisions: int, seconds: float) -> dict[str, Any]:
    """What a file says about itself: game, layouts, network, settings, origin and how long it was trained."""
    games = [{"variant": rules.variant, "rules_version": rules.version, "options": rules.options} for rules in config.all_rules]
    network = {"pieces": observe.informative(config.all_rules), "actions": max(map(action_bound, config.all_rules))}
    return {
        "games": games,
        "layout": observe.fingerprint(),
        "network": {"kind": "mlp-by-suits", **network, "width": config.width, "layers": config.layers},
        "config": to_dict(config),
        "laffa": laffa.__version__,
        "commit": meta.commit(),
        "decisions": decisions,
        "seconds": round(seconds, 1),
    }


def previous(path: Path) -> Path:
    """Where the file that `path` replaced is kept."""
    return path.with_name(f"{path.stem}.previous{path.suffix}")


def write(path: Path, kind: str, tensors: Mapping[str, Tensor], info: Mapping[str, Any]) -> None:
    """Save tensors and their description; whoever is killed meanwhile leaves the old file as it was.

    Raises:
        OSError: where the folder cannot be written or is full.
    """
    header = {"laffa": meta.dumps({"kind": kind, "format": FORMAT, **info})}
    data = save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, header)
    if path.exists():
        with meta.whole_file(previous(path)) as temporary:
            shutil.copyfile(path, temporary)
    with meta.whole_file(path) as temporary, temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def read(path: Path, kind: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the description of a file of the given kind, "policy" or "trainer".

    Raises:
        CheckpointError: if it is missing, damaged or something else; the message offers the previous file if there is one.
    """
    try:
        with safe_open(path, framework="pt") as file:
            info = json.loads((file.metadata() or {}).get("laffa", "{}"))
            if (info.get("kind"), info.get("format")) != (kind, FORMAT):
                raise refuse(path, f"is not a laffa {kind} of format {FORMAT}")
            return {name: file.get_tensor(name).clone() for name in file.keys()}, info  # noqa: SIM118 - not a dict
    except FileNotFoundError:
        raise refuse(path, "does not exist") from None
    except OSError as error:
        raise refuse(path, f"cannot be read ({error.strerror or error})") from None
    except (SafetensorError, ValueError, AttributeError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise refuse(path, "is damaged or not a laffa checkpoint") from None


def refuse(path: Path, reason: str) -> CheckpointError:
    """The error for a file, with the offer of the one it replaced."""
    older = previous(path)
    return CheckpointError(f"{path} {reason}" + (f"; the previous checkpoint is {older}" if older.exists() else ""))


def clean(folder: Path) -> None:
    """Remove temporary files that a killed save left behind."""
    for name in (POLICY, TRAINER):
        stem = name.partition(".")[0]
        for path in folder.glob(f".{stem}*.safetensors"):
            path.unlink(missing_ok=True)


def load_policy(path: Path, rules: Rules) -> tuple[Mlp, dict[str, Any]]:
    """The policy of a file or of a run's folder, for the rules it was made for.

    Raises:
        CheckpointError: if it cannot be read or was made for other rules or another layout.
    """
    path = path / POLICY if path.is_dir() else path
    tensors, info = read(path, "policy")
    check_fit(path, info, rules)
    try:
        network = info["network"]
        policy = make_policy(network["pieces"], network["actions"], network["width"], network["layers"])
        policy.load_state_dict(tensors)
    except (KeyError, TypeError, ValueError, RuntimeError):
        raise refuse(path, "does not hold the network that it describes") from None
    return policy.eval(), info


def check_fit(path: Path, info: dict[str, Any], rules: Rules) -> None:
    """Refuse a policy whose numbers mean something else."""
    name = f"{rules.variant}-v{rules.version}"
    try:
        games = {f"{game['variant']}-v{game['rules_version']}": dict(game["options"]) for game in info["games"]}
    except (KeyError, TypeError, ValueError):
        raise refuse(path, "does not say which games it was trained for") from None
    if name not in games:
        raise CheckpointError(f"{path} was trained for {', '.join(games)} and does not fit {name}")
    if info.get("layout") != observe.fingerprint():
        raise CheckpointError(f"{path} was trained on observation layout {info.get('layout')}, and this version of laffa has {observe.fingerprint()}")
    saved = games[name]
    changed = [f"{name} = {saved.get(name)!r} instead of {value!r}" for name, value in rules.options.items() if saved.get(name) != value]
    if changed:
        raise CheckpointError(f"{path} was trained under other rules: {', '.join(changed)}")


class NetworkPlayer:
    """A player that asks a policy network, in float32 whatever it was trained in.

    Args:
        policy: the network.
        seed: of the draws, if it samples.
        choose: "greedy" takes the most likely action, "sample" draws one.
    """

    def __init__(self, policy: Mlp, seed: int = 0, sample: bool = False) -> None:
        self.policy, self.sample = policy, sample
        self.device = policy.scales.device
        self.generator = torch.Generator(self.device).manual_seed(seed)

    @torch.no_grad()
    def act(self, turn: Turn) -> NDArray[np.int64]:
        """One legal action for each row, int64 [B]."""
        bound = self.policy.head.out_features
        obs, mask = turn.obs.copy(), turn.mask.copy()
        orders = by_suits(obs, mask)
        check_mask(mask[:, :bound].sum(1))
        logits = self.policy(torch.from_numpy(obs).to(self.device))
        logp = log_probs(logits, torch.from_numpy(mask[:, :bound]).to(self.device).bool())
        action = sample(logp, self.generator) if self.sample else logp.argmax(1)
        return real_action(orders, action.cpu().numpy())


def load_player(path: Path | str, rules: Rules, seed: int = 0, sample: bool = False) -> NetworkPlayer:
    """A player from a checkpoint or from a run's folder; the entry point of `laffa.players.make`.

    Raises:
        CheckpointError: if it cannot be read or does not fit the rules.
    """
    return NetworkPlayer(load_policy(Path(path), rules)[0], seed, sample)
