"""`autopilot`: the move that the table's timer makes (K24, K-g); a seat that may not pass makes the lowest bid.

In Tarabish the weakest card is the one worth least, and what can be announced is announced; nothing is signalled.
"""

import numpy as np
from numpy.typing import NDArray

from laffa import engine
from laffa.cards import BELLA, NO_TRUMP, PASS, SILENT, TRUMP
from laffa.fields import TARABISH
from laffa.jit import kernel
from laffa.rules import Rules
from laffa.state import BELLA_CALL, PLAYING, SIGNALLING
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
def longest_suit(words, hand):
    """The suit to name of those that may be: most cards; tie: higher sum of ranks; tie: S H D C (K-g); -1 if none may be."""
    best, best_key = -1, -1
    for suit in range(NO_TRUMP):
        if not engine.contains(words, TRUMP + suit):
            continue
        n, total = 0, 0
        for rank in range(13):
            copies = np.int64(hand[13 * suit + rank])
            n += copies
            total += copies * rank
        key = n * 512 + total
        if key > best_key:
            best, best_key = suit, key
    return best


@kernel
def weakest_card(r, words, trump):
    """Lowest rank; tie: plain before trump; tie: S H D C (K-g). In Tarabish fewest points come first."""
    best, best_key = -1, 1 << 20
    for n in range(engine.count(words)):
        card = engine.nth(words, n)
        trumps = 1 if card // 13 == trump else 0
        points = np.int64(r.worth[2 if trump > 3 else trumps, card % 13]) if r.game == TARABISH else 0
        key = ((points * 16 + r.strength[trumps, card % 13]) * 2 + trumps) * 4 + card // 13
        if key < best_key:
            best, best_key = card, key
    return best


@kernel
def choose(r, p, held, hand):
    """The action of one seat; `hand` counts its cards."""
    words = engine.legal(r, p, held)
    if p.phase == PLAYING:
        return weakest_card(r, words, p.trump)
    if p.phase == BELLA_CALL:
        return BELLA
    if p.phase == SIGNALLING:
        return SILENT
    if engine.contains(words, PASS):
        return PASS
    suit = longest_suit(words, hand)
    return TRUMP + suit if suit >= 0 else engine.nth(words, 0)


@kernel
def _act(r, blind, actions):
    for i in range(len(blind)):
        actions[i] = choose(r[0], blind[i].public, blind[i].held, blind[i].hand)
