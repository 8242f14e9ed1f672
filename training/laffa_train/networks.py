"""The networks, the order of suits in which they see a position, and what is computed from their logits.

Suits are equal but for their names, so a network that sees trumps first and then its own longest suit
learns from one position what it would otherwise have to learn 24 times. Shapes: N rows, D values of a
view, A actions that the rules can use.
"""

import math
from itertools import pairwise, permutations
from typing import cast

import numba
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from laffa import observe
from laffa.cards import ACTIONS, DENOMINATIONS, TRUMP
from laffa.rules import Rules


def action_bound(rules: Rules) -> int:
    """One more than the highest action id that the rules use: cards, numbers bid and trumps come first (Koutchina: 79)."""
    return TRUMP + len(DENOMINATIONS)


ORDERS = np.array(list(permutations(range(4))))
"""Row o: the suits in the order in which a network sees them [24, 4]."""

SUITED = {"hand": (52, 13), "played": (52, 13), "when": (52, 13), "hands": (52, 13), "table": (17, 1), "trump": (5, 1), "voids": (4, 1)}
"""Pieces that are laid out by suit: size of a block, places of a suit; the four suits come first in each block."""


def _sources(size: int, block: int, places: int) -> NDArray[np.uint16]:
    """Where each value of a piece comes from under each order [24, size]."""
    at = np.tile(np.arange(size, dtype=np.uint16), (len(ORDERS), 1))
    for start in range(0, size - size % block, block):
        for suit in range(4):
            for place in range(places):
                at[:, start + suit * places + place] = start + ORDERS[:, suit] * places + place
    return at


def _view_sources() -> NDArray[np.uint16]:
    """The same for a whole view [24, STATE_SIZE]."""
    pieces = observe.OBSERVATION + observe.HIDDEN
    parts = [piece.offset + _sources(piece.size, *SUITED.get(piece.name, (piece.size + 1, 0))) for piece in pieces]
    return np.concatenate(parts, 1).astype(np.uint16)


def _action_sources() -> NDArray[np.uint16]:
    """The same for the actions [24, ACTIONS]: cards and trumps follow the suits, calls stay."""
    at = np.tile(np.arange(ACTIONS, dtype=np.uint16), (len(ORDERS), 1))
    at[:, :52] = _sources(52, 52, 13)
    at[:, TRUMP : TRUMP + 4] = TRUMP + ORDERS
    return at


VIEW_SOURCES, ACTION_SOURCES = _view_sources(), _action_sources()
LAST_TRICK = int(observe.LAST_TRICK)
_INVERSE = np.argsort(ORDERS, 1).astype(np.int8)
_NUMBER = np.zeros((4, 4, 4), np.int8)
_NUMBER[ORDERS[:, 0], ORDERS[:, 1], ORDERS[:, 2]] = np.arange(len(ORDERS))


@numba.njit(nogil=True)
def choose_order(obs: NDArray[np.int8]) -> NDArray[np.int8]:
    """The order of suits for each observation [N]: trumps, then the seat's longest suit, ties by its higher cards."""
    orders = np.empty(len(obs), np.int8)
    key, order = np.empty(4, np.int64), np.empty(4, np.int64)
    for i in range(len(obs)):
        for suit in range(4):
            key[suit] = -suit - (np.int64(1) << 40) * obs[i, observe.TRUMP + suit]
            for rank in range(13):
                key[suit] -= obs[i, observe.HAND + 13 * suit + rank] * ((np.int64(1) << 32) + (np.int64(1) << (rank + 3)))
        for suit in range(4):  # its place is the number of suits that go before it: a sort of four without branches
            order[(key < key[suit]).sum()] = suit
        orders[i] = _NUMBER[order[0], order[1], order[2]]
    return orders


@numba.njit(nogil=True)
def reorder(rows: NDArray[np.int8], orders: NDArray[np.int8], sources: NDArray[np.uint16], last_trick: int) -> None:
    """Put rows into their order of suits, in place; from `last_trick` on every other of 8 values is a suit + 1, none with -1."""
    before = np.empty(rows.shape[1], np.int8)
    for i in range(len(rows)):
        row, source = rows[i], sources[orders[i]]
        before[:] = row
        for j in range(len(before)):
            row[j] = before[source[j]]
        if last_trick >= 0:
            for j in range(last_trick, last_trick + 8, 2):
                if row[j] > 0:
                    row[j] = _INVERSE[orders[i], row[j] - 1] + 1


def by_suits(obs: NDArray[np.int8], mask: NDArray[np.int8], state: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
    """Put views and masks into the order of suits for networks, in place. Returns the orders, which lead actions back."""
    orders = choose_order(obs)
    reorder(obs, orders, VIEW_SOURCES, LAST_TRICK)
    reorder(mask, orders, ACTION_SOURCES, -1)
    if state is not None:
        reorder(state, orders, VIEW_SOURCES, LAST_TRICK)
    return orders


def real_action(orders: NDArray[np.int8], action: NDArray[np.int64]) -> NDArray[np.int64]:
    """The engine's ids of actions chosen in an order of suits, int64 [N]."""
    return ACTION_SOURCES[orders, action].astype(np.int64)


class Mlp(nn.Module):
    """Fully connected ReLU layers over a view of small integers, int8 [N, D] -> float32 [N, outputs].

    Orthogonal weights, as in the reference implementations of PPO: gain sqrt(2) below, `gain` in the head.
    """

    scales: Tensor

    def __init__(self, scales: np.ndarray, width: int, layers: int, outputs: int, gain: float) -> None:
        super().__init__()
        self.register_buffer("scales", torch.from_numpy(scales.copy()), persistent=False)
        sizes = [len(scales)] + [width] * layers
        self.hidden = nn.ModuleList(_linear(a, b, math.sqrt(2)) for a, b in pairwise(sizes))
        self.head = _linear(width, outputs, gain)

    def forward(self, view: Tensor) -> Tensor:
        """The head's outputs in float32. The divisors go into the first weights: the small integers themselves are exact in bf16."""
        kind = view.device.type
        x = view.to(torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else torch.float32)
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


def make_policy(rules: Rules, width: int, layers: int) -> Mlp:
    """Logits [N, A] from observations; the small gain makes all legal actions about equally likely at first."""
    return Mlp(observe.scales(), width, layers, action_bound(rules), 0.01)


def make_critic(kind: str, width: int, layers: int) -> Mlp:
    """Value [N, 1] of the acting seat from its observation ("own") or from the state view ("central")."""
    return Mlp(observe.scales(state=kind == "central"), width, layers, 1, 1.0)


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
