"""`autopilot`: the move that the table's timer makes (K24, K-g); a seat that may not pass makes the lowest bid."""

import numpy as np
from numpy.typing import NDArray

from laffa import engine
from laffa.cards import PASS, TRUMP
from laffa.jit import kernel, lowest_bit, popcount
from laffa.play import suit_of
from laffa.rules import Rules
from laffa.state import PLAYING, TRUMPING
from laffa.turn import Turn


class Autopilot:
    """Passes, names the longest suit, plays the weakest legal card."""

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules = rules

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """One legal action for each row, int64 [B]."""
        actions = np.empty(len(turn), np.int64)
        _act(self.rules.packed, turn.blind, actions)
        return actions


@kernel
def longest_suit(held):
    """Most cards; tie: higher sum of ranks; tie: S H D C (K-g)."""
    best, best_key = 0, -1
    for suit in range(4):
        ranks = suit_of(held, suit)
        total = 0
        rest = ranks
        while rest != np.uint64(0):
            total += lowest_bit(rest)
            rest &= rest - np.uint64(1)
        key = popcount(ranks) * 128 + total
        if key > best_key:
            best, best_key = suit, key
    return best


@kernel
def weakest_card(words, trump):
    """Lowest rank; tie: plain before trump; tie: S H D C (K-g)."""
    best, best_key = -1, 1 << 20
    for n in range(engine.count(words)):
        card = engine.nth(words, n)
        key = (card % 13) * 8 + (4 if card // 13 == trump else 0) + card // 13
        if key < best_key:
            best, best_key = card, key
    return best


@kernel
def _act(r, blind, actions):
    for i in range(len(blind)):
        b = blind[i]
        p = b.public
        if p.phase == PLAYING:
            actions[i] = weakest_card(engine.legal(r[0], p, b.held), p.trump)
        elif p.phase == TRUMPING:
            actions[i] = TRUMP + longest_suit(b.held)
        else:
            words = engine.legal(r[0], p, b.held)
            actions[i] = PASS if engine.contains(words, PASS) else engine.nth(words, 0)
