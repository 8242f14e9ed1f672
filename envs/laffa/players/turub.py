"""`heuristic` for Arba'a Turub: names trumps by length and top cards, counts the copies of every card, signals honestly.

It sees what its seat sees (BLIND records) and nothing else, draws no random numbers and searches nothing. What it counts is in
`turub_cards`, how it plays in `turub_play`, the measured numbers in `turub_tables`.
"""

import numpy as np
from numpy.typing import NDArray

from laffa import engine
from laffa.cards import ACE, KING, KNOCK, SILENT, SNAP, TRUMP
from laffa.jit import kernel
from laffa.players import turub_tables as measured
from laffa.players.turub_play import choose_card
from laffa.rules import Rules
from laffa.state import PLAYING, SIGNALLING
from laffa.turn import Turn

TABLES = {1: (measured.TRUMP_WEIGHTS, measured.ONE_PACK), 4: (measured.TRUMP_WEIGHTS, measured.FOUR_PACKS)}
"""Weights of suits and of cards, by the number of packs."""


class TurubHeuristic:
    """Counts all copies of every card, cashes masters, draws trumps, ruffs, knocks for strong suits.

    What others have signalled is among its features, but the fit gave that next to no weight: `turub_tables`.
    """

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules = rules

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """One legal action for each row, int64 [B]."""
        actions = np.empty(len(turn), np.int64)
        _act(self.rules.packed, turn.blind, TABLES[self.rules.packs], actions)
        return actions


@kernel
def choose(r, p, held, hand, seat, tables):
    """The action of one seat; `hand` counts its cards."""
    words = engine.legal(r, p, held)
    if p.phase == PLAYING:
        return choose_card(r, p, words[0], hand, seat, tables[1])
    return choose_signal(p, hand, words) if p.phase == SIGNALLING else choose_trump(hand, tables[0])


@kernel
def choose_trump(hand, weights):
    """The suit with the highest sum of weights of its cards; of equal ones the first in S H D C."""
    best, most = 0, -1.0
    for suit in range(4):
        total = 0.0
        for rank in range(13):
            total += hand[13 * suit + rank] * weights[rank]
        if total > most:
            best, most = suit, total
    return TRUMP + best


@kernel
def choose_signal(p, hand, words):
    """A knock with an ace or a king of the suit led still in hand, a snap without both, silence if that may not be said."""
    suit = p.table[0] // 13
    strong = hand[13 * suit + ACE] + hand[13 * suit + KING] > 0
    action = KNOCK if strong else SNAP
    return action if engine.contains(words, action) else SILENT


@kernel
def _act(r, blind, tables, actions):
    for i in range(len(blind)):
        b = blind[i]
        actions[i] = choose(r[0], b.public, b.held, b.hand, b.seat, tables)
