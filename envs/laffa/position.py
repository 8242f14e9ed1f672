"""Positions set up by hand: `reset(options={"dealer": 2, "hands": [...], "scores": [24, 30]})`.

The words are those of `snapshot()`. What is not given follows the seed. A position that cannot be is
refused with a sentence that says why, before anything has changed.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laffa import auction, engine
from laffa.cards import card_id, card_text
from laffa.checks import check_count
from laffa.jit import kernel
from laffa.rng import game_key
from laffa.rules import Rules
from laffa.state import NOBODY, STATE

KEYS = ("dealer", "hands", "scores", "hands_played", "passed_deals")


def read_position(rules: Rules, options: dict[str, Any] | None) -> dict[str, Any]:
    """Check a position's options against the rules; hands come back as card ids.

    Raises:
        ValueError: saying what cannot be.
    """
    # PettingZoo's own checkers pass this pair only to see that the argument exists.
    if options is not None and not isinstance(options, dict):
        raise ValueError(f"a position is a dictionary that may give {', '.join(KEYS)}, not {options!r}")
    options = {key: value for key, value in (options or {}).items() if (key, value) != ("options", 1)}
    for key in options:
        if key not in KEYS:
            raise ValueError(f"a position has no {key!r}; it may give {', '.join(KEYS)}")
    position = dict(options)
    if "dealer" in options:
        position["dealer"] = check_count("position: dealer", options["dealer"], 0, 3)
    if "hands" in options:
        position["hands"] = _hands(options["hands"])
    if "scores" in options:
        position["scores"] = _scores(rules, options["scores"])
    for key, cap in (("hands_played", rules.hand_cap), ("passed_deals", rules.all_pass_cap)):
        if key in options:
            position[key] = check_count(f"position: {key}", options[key], 0, 10**6 if cap is None else cap - 1)
    return position


def _hands(hands: Any) -> list[list[int]]:
    """Four hands of thirteen different cards each."""
    if not isinstance(hands, (list, tuple)) or len(hands) != 4 or not all(isinstance(hand, (list, tuple)) for hand in hands):
        raise ValueError("position: hands are four lists of cards, one for each seat")
    ids = [[card_id(text) for text in hand] for hand in hands]
    twice = [card_text(card) for card, n in Counter(card for hand in ids for card in hand).items() if n > 1]
    if twice:
        raise ValueError(f"position: {', '.join(sorted(twice))} is there more than once")
    for seat, hand in enumerate(ids):
        if len(hand) != 13:
            raise ValueError(f"position: seat {seat} has {len(hand)} cards; a complete hand has 13")
    return ids


def _scores(rules: Rules, scores: Any) -> list[int]:
    """Two scores, both below the target unless they are level."""
    if not isinstance(scores, (list, tuple)) or len(scores) != 2:
        raise ValueError("position: scores are two whole numbers, seats 0 and 2 first")
    pair = [check_count("position: scores", score, -(10**6), 10**6) for score in scores]
    if max(pair) >= rules.target and pair[0] != pair[1]:
        raise ValueError(f"position: scores {pair[0]} to {pair[1]} cannot be; a side with {rules.target} has won")
    return pair


def set_up(rules: Rules, states: NDArray[np.void], seed: int | None, position: dict[str, Any]) -> None:
    """Begin game 0 of a seed in `states` [1], or the next match of the game there, and put the position in place of what the seed gave."""
    if seed is not None:
        states[:] = np.zeros((), STATE)
        _seed(states, seed)
    hands = np.zeros((4, 52), np.uint8)
    for seat, hand in enumerate(position.get("hands", [])):
        hands[seat, hand] = 1
    _begin(rules.packed, states, hands, "hands" in position, position.get("dealer", NOBODY))
    for key in ("scores", "hands_played", "passed_deals"):
        if key in position:
            states["public"][key] = position[key]


@kernel
def _seed(states, seed):
    states[0].key = game_key(seed, 0)


@kernel
def _begin(r, states, hands, given, dealer):
    s = states[0]
    engine.start_match(r[0], s)
    if dealer >= 0:
        s.public.dealer = dealer
        auction.begin(r[0], s.public)
    if given:
        engine.clear_cards(s)
        for seat in range(4):
            for card in range(52):
                if hands[seat, card] > 0:
                    engine.give(s, seat, card)
