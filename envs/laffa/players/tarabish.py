"""`heuristic` for Tarabish: counts points for its calls, draws trumps, feeds partner's tricks (tips after T44).

It sees what its seat sees (BLIND records) and nothing else, draws no random numbers and searches nothing. How it calls is in
`tarabish_bid`, how it plays in `tarabish_play`, what it counts in `tarabish_cards`, the measured numbers in `tarabish_tables`.
"""

import numpy as np
from numpy.typing import NDArray

from laffa import engine
from laffa.cards import BELLA, DECLARE, SILENT
from laffa.jit import kernel
from laffa.players import tarabish_tables as measured
from laffa.players.tarabish_bid import choose_call, choose_trump
from laffa.players.tarabish_play import choose_card
from laffa.rules import Rules
from laffa.state import BELLA_CALL, BIDDING, DECLARING, PLAYING
from laffa.turn import Turn

CALLS = (measured.HAND_WEIGHTS, measured.NO_TRUMP_WEIGHTS, measured.NUMBERS, measured.PARTNER_WEIGHTS, measured.DEFENCE_WEIGHTS)


class TarabishHeuristic:
    """Values jack and nine of trumps, aces, melds and Bella for its calls; plays for the points of each trick and what its cards still can take."""

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules = rules

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """One legal action for each row, int64 [B]."""
        actions = np.empty(len(turn), np.int64)
        _act(self.rules.packed, turn.blind, CALLS, measured.PLAY_WEIGHTS, actions)
        return actions


@kernel
def choose(r, p, held, seat, calls, plays):
    """The action of one seat; `calls` and `plays` are the measured tables."""
    words = engine.legal(r, p, held)
    if p.phase == PLAYING:
        return choose_card(r, p, words[0], held, seat, plays)
    if p.phase == BIDDING:
        return choose_call(r, p, held, seat, words, calls)
    if p.phase == DECLARING:
        return DECLARE if engine.contains(words, DECLARE) else SILENT
    return BELLA if p.phase == BELLA_CALL else choose_trump(r, p, held, words, calls)


@kernel
def _act(r, blind, calls, plays, actions):
    for i in range(len(blind)):
        b = blind[i]
        actions[i] = choose(r[0], b.public, b.held, b.seat, calls, plays)
