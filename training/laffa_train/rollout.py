"""What self-play leaves behind: B games x T steps in arrays that are allocated once.

The engine writes every turn straight into its row, where it is put into the network's order of suits. Row t
holds what the seat to act sees, row t + 1 also what its action paid; row T becomes row 0 of the next rollout.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from laffa import layout, observe
from laffa.cards import ACTIONS, BID_NT, BID_SUIT, PASS
from laffa.state import RESULT
from laffa.turn import Turn
from laffa_train.games import Games
from laffa_train.networks import Mlp, check_mask, log_probs, sample
from laffa_train.suits import by_suits, real_action

CALLS = np.array([*range(PASS + 1, BID_NT), *range(BID_SUIT, ACTIONS), *range(BID_NT, BID_SUIT)])
"""All ids above a pass, from the lowest call: where bids name their suit, those at no trump come last."""

OPENS, RAISES = 0.5, 0.125
"""Chances of a seat to bid in a made-up auction: while nobody has bid, and afterwards."""


class Rollout:
    """Arrays over [T + 1, B] (what a turn shows) and [T, B] (what was done), and the `collect` that fills them.

    Args:
        games: the games, just reset or stepped to where the last rollout ended.
        steps: T.
        actions: A, the number of action ids that the policy knows.
        central: whether the batch writes the state view, which the critic then sees.
        explore: whether calls of chance are there to learn from, as a choice between passing and the lowest bid.
    """

    def __init__(self, games: Games, steps: int, actions: int, central: bool = False, explore: bool = False) -> None:
        self.games, self.steps, self.actions, self.explore = games, steps, actions, explore
        shape = (steps + 1, games.games)
        self.seat = np.zeros(shape, np.int8)
        self.obs = np.zeros((*shape, layout.SIZE), np.int8)
        self.mask = np.zeros((*shape, ACTIONS), np.int8)
        self.reward = np.zeros((*shape, 4), np.float32)
        self.done, self.truncated, self.hand_done = (np.zeros(shape, np.bool_) for _ in range(3))
        self.winner = np.zeros(shape, np.int8)
        self.result = np.zeros(shape, RESULT)
        self.state = np.zeros((*shape, layout.STATE_SIZE), np.int8) if central else None
        self.new_deal = np.zeros(shape, np.bool_)
        """Whether the step before dealt new cards: after a counted hand and after a passed-out deal."""
        self.order = np.zeros(shape, np.int8)
        """Order of suits in which obs, mask, state and action are given."""
        self.made_up = np.zeros(shape, np.bool_)
        """Whether chance calls in this deal, not the policy."""
        self.by_chance = np.zeros(shape, np.bool_)
        """Whether the action is a call of chance."""
        self.rising = CALLS[self.actions > CALLS]
        """The calls that the policy knows, from the lowest."""
        self.learn = np.zeros(shape, np.bool_)
        """Whether there is something to learn from the action: no forced move, and a call of chance only to `explore`."""
        self.action = np.zeros((steps, games.games), np.int64)
        self.logp = np.zeros((steps, games.games), np.float32)
        """The policy's log-probability of the action; 0 where there is nothing to learn."""

    def turn(self, t: int) -> Turn:
        """Row t as a turn whose arrays the engine may write."""
        shown = (self.seat, self.obs, self.mask, self.reward, self.done, self.truncated, self.hand_done, self.winner, self.result)
        return Turn(*(array[t] for array in shown), state=None if self.state is None else self.state[t])

    def begin(self) -> None:
        """Deal the first hands into row T, from which `collect` goes on."""
        self.games.reset(self.turn(self.steps))
        self.new_deal[-1] = True
        self._put_in_order(self.steps)
        if self.mask[-1, :, self.actions :].any():
            raise ValueError(f"a game uses action ids of {self.actions} and above, for which the policy has no logit")

    def current(self) -> dict[str, NDArray]:
        """Row T by name, as views: all that the next rollout needs besides the games themselves."""
        names = ("seat", "obs", "mask", "order", "new_deal", "made_up") + (() if self.state is None else ("state",))
        return {name: getattr(self, name)[-1] for name in names}

    def collect(self, policy: Mlp, generator: torch.Generator, autocast: torch.autocast, made_up: float = 0.0) -> None:
        """Play T steps in every game, from the row where the last rollout ended.

        Args:
            policy: makes the decisions.
            generator: of every draw; it lives where the policy does.
            autocast: the precision of the policy.
            made_up: share of the new deals in which chance calls.
        """
        for name, row in self.current().items():
            getattr(self, name)[0] = row
        for t in range(self.steps):
            self._call_by_chance(t, generator, made_up)
            self._act(t, policy, generator, autocast)
            before = self.games.deals
            self.games.step(real_action(self.order[t], self.action[t]), self.turn(t + 1))
            self._put_in_order(t + 1)
            self.new_deal[t + 1] = self.games.deals != before
            self.made_up[t + 1] = self.made_up[t]

    def _put_in_order(self, t: int) -> None:
        self.order[t] = by_suits(self.obs[t], self.mask[t], None if self.state is None else self.state[t])

    def _call_by_chance(self, t: int, generator: torch.Generator, share: float) -> None:
        """Fill in forced moves and made-up calls (pass or the lowest bid), and say what is left to the policy."""
        mask, auction = self.mask[t, :, : self.actions], self.mask[t, :, PASS] == 1
        choices = mask.sum(1, dtype=np.int16)
        check_mask(choices)
        self.action[t] = mask.argmax(1)
        self.learn[t] = choices > 1
        self.by_chance[t] = False
        if share > 0 or self.made_up[t].any():
            draw, luck = torch.rand((2, len(mask)), generator=generator, device=generator.device).cpu().numpy()
            self.made_up[t] = np.where(self.new_deal[t], draw < share, self.made_up[t])
            self.by_chance[t] = called = auction & self.made_up[t] & (choices > 1)
            lowest = self.rising[mask[:, self.rising].argmax(1)]
            bidden = self.obs[t, :, observe.DECLARER : observe.DECLARER + 4].any(1)
            call = np.where(luck < np.where(bidden, RAISES, OPENS), lowest, PASS)
            self.action[t] = np.where(called, call, self.action[t])
            self._offer(t, np.flatnonzero(called), lowest)

    def _offer(self, t: int, rows: NDArray[np.int64], lowest: NDArray[np.int64]) -> None:
        """Leave in some masks what chance chose from, or leave their rows out of what is learnt."""
        if not self.explore:
            self.learn[t, rows] = False
            return
        self.mask[t, rows] = 0
        self.mask[t, rows, PASS] = 1
        self.mask[t, rows, lowest[rows]] = 1

    @torch.no_grad()
    def _act(self, t: int, policy: Mlp, generator: torch.Generator, autocast: torch.autocast) -> None:
        """Sample an action in every game; the network is asked only where there is something to learn, and chance has the last word."""
        self.logp[t] = 0
        rows = np.flatnonzero(self.learn[t])
        device = generator.device
        mask = torch.from_numpy(self.mask[t, rows, : self.actions]).to(device).bool()
        with autocast:
            logits = policy(torch.from_numpy(self.obs[t, rows]).to(device))
        logp = log_probs(logits, mask)
        called = torch.from_numpy(self.by_chance[t, rows]).to(device)
        action = torch.where(called, torch.from_numpy(self.action[t, rows]).to(device), sample(logp, generator))
        self.action[t, rows] = action.cpu().numpy()
        self.logp[t, rows] = logp.gather(1, action[:, None]).squeeze(1).cpu().numpy()

    def rows(self, name: str) -> Tensor:
        """Rows 0 to T - 1 of an array as a tensor [T * B, ...] that shares its memory."""
        array = getattr(self, name)[: self.steps]
        return torch.from_numpy(array.reshape(-1, *array.shape[2:]))

    @property
    def view(self) -> str:
        """Name of the array that the critic sees."""
        return "obs" if self.state is None else "state"


def advantages(
    seat: NDArray[np.int8],
    learn: NDArray[np.bool_],
    reward: NDArray[np.float32],
    cut: NDArray[np.bool_],
    values: NDArray[np.float32],
    last: NDArray[np.float32],
    lam: float,
) -> NDArray[np.float32]:
    """Generalised advantages (arXiv 1506.02438) along each seat's own decisions, without discount; 0 for all others.

    A chain belongs to one seat in one game and joins its own choices: to the seat, what happens between
    two of them, forced moves included, is the environment. Where the rollout ends before a chain does, the
    critic's opinion of the position stands in for the rest: its value to the seat to act and to that
    seat's partner, and with the other sign to their opponents.

    Args:
        seat: who acts in row t [T + 1, B].
        learn: whether the seat's policy chose [T + 1, B].
        reward: what the action of row t - 1 paid to each seat, scaled [T + 1, B, 4].
        cut: whether that action ended all chains of its game [T + 1, B].
        values: the critic's value of row t to the seat to act, needed where it chose [T, B].
        last: its value of row T [B].
        lam: lambda.
    """
    result = np.zeros_like(values)
    same_side = (seat[-1][:, None] - np.arange(4)) % 2 == 0
    ahead = np.where(same_side, last[:, None], -last[:, None])  # (B, 4) what each seat's next decision is worth
    carry = np.zeros_like(ahead)  # (B, 4) and its advantage
    for t in reversed(range(len(values))):
        ahead[cut[t + 1]] = 0
        carry[cut[t + 1]] = 0
        ahead += reward[t + 1]
        games = np.flatnonzero(learn[t])
        own = (games, seat[t, games])
        result[t, games] = ahead[own] - values[t, games] + lam * carry[own]
        ahead[own] = values[t, games]
        carry[own] = result[t, games]
    return result
