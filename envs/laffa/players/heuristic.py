"""`heuristic`: the rule-based player that others are measured against.

It sees what its seat sees (BLIND records) and nothing else, draws no random numbers and searches nothing: the
same information gets the same action. How it calls is in `heuristic_bid` and `heuristic_hand`, how it plays in
`heuristic_play` and `heuristic_features`, what it counts in `heuristic_cards`, the measured numbers in `heuristic_tables`.
"""

import numpy as np
from numpy.typing import NDArray

from laffa.cards import TRUMP
from laffa.jit import kernel
from laffa.players import heuristic_points as points
from laffa.players import heuristic_tables as tricks
from laffa.players.heuristic_bid import choose_call
from laffa.players.heuristic_features import FEATURES
from laffa.players.heuristic_hand import best_trump
from laffa.players.heuristic_play import choose_card
from laffa.rules import Rules
from laffa.state import PLAYING, TRUMPING
from laffa.turn import Turn

_CALLS = (tricks.HAND_WEIGHTS, tricks.TRICKS, tricks.SPREADS, tricks.PASSES)
CALLS = [
    (*_CALLS, tricks.TO_GO, 1.0),
    (*_CALLS, tricks.TO_GO_TAKEN, 1.0),
    (*_CALLS, tricks.TO_GO_BOTH, 1.0),
    (points.HAND_WEIGHTS, points.TRICKS, points.SPREADS, points.PASSES, points.TO_GO, 8.0),
]
"""Tables for calls, by `style`: those of `heuristic_bid`, the last one in steps of so many points."""
PLAYS = [np.pad(tricks.PLAY_WEIGHTS, ((0, 0), (0, FEATURES - tricks.PLAY_WEIGHTS.shape[1]))), points.PLAY_WEIGHTS]
"""Weights for cards, in tricks and in card points."""


class Heuristic:
    """Counts winners for its calls, names its strongest suit, plays by the principles of the game (I25-I29)."""

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules = rules
        self.calls, self.plays = CALLS[style(rules)], PLAYS[int(rules.unit == "card_points")]

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """One legal action for each row, int64 [B]."""
        actions = np.empty(len(turn), np.int64)
        _act(self.rules.packed, turn.blind, self.calls, self.plays, actions)
        return actions


def style(rules: Rules) -> int:
    """Which measured tables fit: 0 a made contract scores its bid, 1 what was taken, 2 both sides score, 3 card points."""
    if rules.unit == "card_points":
        return 3
    return 2 if rules.defenders_on_made == "actual" else int(rules.made_score == "actual")


@kernel
def choose(r, p, held, seat, calls, plays):
    """The action of one seat; `calls` and `plays` are the measured tables."""
    if p.phase == PLAYING:
        return choose_card(r, p, held, seat, plays)
    if p.phase == TRUMPING:
        return TRUMP + best_trump(held, calls[0][0])[0]
    return choose_call(r, p, held, seat, calls)


@kernel
def _act(r, blind, calls, plays, actions):
    for i in range(len(blind)):
        b = blind[i]
        actions[i] = choose(r[0], b.public, b.held, b.seat, calls, plays)
