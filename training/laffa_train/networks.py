"""The networks and what is computed from their logits: masked log-probabilities, entropy, sampling.

Shapes: N rows, D values of a view, A actions that the rules can use.
"""

import math
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import cast

import llvmlite.binding as llvm
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from laffa import layout
from laffa.cards import ACTIONS, BELLA, BID, BID_NT, BID_SUIT, DENOMINATIONS, LEVELS, SNAP, TRUMP
from laffa.rules import Rules
from laffa_train.config import Config, ConfigError


def action_bound(rules: Rules) -> int:
    """One more than the highest action id that the rules use: cards, numbers and trumps come first, then announcements, then other bids."""
    if rules.game == "turub":
        return SNAP + 1
    if rules.game == "tarabish":
        return ACTIONS if rules.bid_form == "number+suit" else BELLA + 1
    return BID_NT + LEVELS if rules.nt_bids else TRUMP + len(DENOMINATIONS)


class Mlp(nn.Module):
    """Fully connected ReLU layers over a view of small integers, int8 [N, D] -> float32 [N, outputs].

    Orthogonal weights, as in the reference implementations of PPO: gain sqrt(2) below, `gain` in the head.

    Args:
        pieces: names of the pieces of the view that the network takes in.
        width, layers: of the hidden layers.
        outputs, gain: of the head.
    """

    scales: Tensor

    def __init__(self, pieces: Iterable[str], width: int, layers: int, outputs: int, gain: float) -> None:
        super().__init__()
        self.spans = layout.spans(pieces)
        scales = layout.scales(state=True)
        taken = np.concatenate([scales[span] for span in self.spans])
        self.register_buffer("scales", torch.from_numpy(taken), persistent=False)
        sizes = [len(taken)] + [width] * layers
        self.hidden = nn.ModuleList(_linear(a, b, math.sqrt(2)) for a, b in pairwise(sizes))
        self.head = _linear(width, outputs, gain)

    def forward(self, view: Tensor) -> Tensor:
        """The head's outputs in float32. The divisors go into the first weights: the small integers themselves are exact in bf16."""
        kind = view.device.type
        taken = torch.cat([view[:, span] for span in self.spans], 1)
        x = taken.to(torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else torch.float32)
        first = cast("nn.Linear", self.hidden[0])
        x = F.relu(F.linear(x, first.weight / self.scales, first.bias))
        for layer in self.hidden[1:]:
            x = F.relu(layer(x))
        return self.head(x).float()


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def make_policy(pieces: Collection[str], actions: int, width: int, layers: int) -> Mlp:
    """Logits [N, A] from pieces of observations; the small gain makes all legal actions about equally likely at first.

    Raises:
        ValueError: for pieces that only `state()` has.
    """
    hidden = {piece.name for piece in layout.HIDDEN} & set(pieces)
    if hidden:
        raise ValueError(f"a policy does not see {', '.join(sorted(hidden))}")
    return Mlp(pieces, width, layers, actions, 0.01)


@torch.no_grad()
def favour_low_bids(policy: Mlp, games: list[Rules], slope: float) -> None:
    """Make each bid less likely than the next lower one, by `slope` in the logits of an untrained policy.

    Whose first calls are far too high learns that calling is bad before it learns when it is not.
    """
    places: dict[int, float] = {}
    for rules in games:
        for place, level in enumerate(map(rules.level, rules.ladder)):
            suited = [(BID_SUIT + 4 * level + suit, 0.0) for suit in range(4)]
            for action, more in [(BID + level, 0.0), *suited, (BID_NT + level, 0.5)]:
                places[action] = min(place + more, places.get(action, math.inf))
    for action, place in places.items():
        if action < policy.head.out_features:
            policy.head.bias[action] = -slope * place


def make_critic(pieces: Iterable[str], width: int, layers: int) -> Mlp:
    """Value [N, 1] of the acting seat from pieces of its observation or of the state view."""
    return Mlp(pieces, width, layers, 1, 1.0)


def pick_device(config: Config) -> torch.device:
    """The device of the settings; "auto" takes a GPU if there is one."""
    if config.device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device = 'cuda' is not possible here: torch finds no GPU; it takes 'auto' or 'cpu'")
    return torch.device("cuda" if config.device != "cpu" and torch.cuda.is_available() else "cpu")


def pick_autocast(config: Config, device: torch.device) -> torch.autocast:
    """Reduced precision for the networks; "auto" takes it where the hardware multiplies bf16 faster than fp32."""
    faster = torch.cuda.is_bf16_supported(including_emulation=False) if device.type == "cuda" else bf16_is_faster()
    return torch.autocast(device.type, torch.bfloat16, enabled=config.precision == "bf16" or (config.precision == "auto" and faster))


def bf16_is_faster() -> bool:
    """Whether this processor multiplies bf16 faster than fp32: in tiles, or in AMD's vector units.

    Intel's vector units alone take as long for it as for fp32, and the conversions come on top: training is a third slower.
    """
    tiles, vectors = (getattr(torch.cpu, f"_is_{name}_supported", bool)() for name in ("amx_tile", "avx512_bf16"))
    return tiles or (vectors and llvm.get_host_cpu_name().startswith("znver"))


def log_probs(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities [N, A]: exactly minus infinity where the mask is 0 (arXiv 2006.14171).

    Args:
        logits: float32 [N, A].
        mask: bool [N, A] with a legal action in every row; `check_mask` makes sure of that once a rollout.
    """
    return logits.masked_fill(~mask, -torch.inf).log_softmax(-1)


def entropy(logp: Tensor) -> Tensor:
    """Entropy [N] over the legal actions. Illegal ones are taken out before the product, for 0 x infinity is NaN, also in the gradient."""
    finite = logp.masked_fill(logp == -torch.inf, 0.0)
    return -(finite.exp() * finite).sum(-1)


def sample(logp: Tensor, generator: torch.Generator) -> Tensor:
    """One action a row, int64 [N], by the Gumbel-max trick: the largest log-probability plus Gumbel noise."""
    uniform = torch.rand(logp.shape, generator=generator, device=logp.device)
    noise = -uniform.clamp_(min=1e-20).log_().neg_().log_()
    return (logp + noise).argmax(-1)


def check_mask(choices: np.ndarray) -> None:
    """Refuse rows without a legal action, which no policy can answer; `choices` counts the legal ones [N]."""
    empty = np.flatnonzero(choices == 0)
    if len(empty):
        shown = ", ".join(map(str, empty[:8])) + (" ..." if len(empty) > 8 else "")
        raise ValueError(f"{len(empty)} of {len(choices)} rows have no legal action (rows {shown}): only seats that are to act may be asked")
