"""Actions and states as text: what logs, snapshots and people read."""

from typing import Any

import numpy as np

from laffa import engine
from laffa.cards import (
    ACTIONS,
    BID,
    BID_NT,
    BID_SUIT,
    CARDS,
    DENOMINATIONS,
    LEVELS,
    PASS,
    SUITS,
    TRUMP,
    WORDS,
    card_id,
    card_text,
    sort_cards,
)
from laffa.rules import Rules, load


def action_text(variant: str | Rules, action: int) -> str:
    """The text of an action id: "pass", "bid 8", "bid 7NT", "trump S", "AS".

    Raises:
        ValueError: for a number that is no action.
    """
    rules = load(variant)
    if type(action) is bool or not isinstance(action, (int, np.integer)) or not 0 <= action < ACTIONS:
        raise ValueError(f"{action!r} is not an action; actions are whole numbers from 0 to {ACTIONS - 1}")
    if action < CARDS:
        return card_text(int(action))
    if action in WORDS:
        return WORDS[int(action)]
    if action < BID + LEVELS:
        return f"bid {rules.value(action - BID)}"
    if action < TRUMP + 5:
        return f"trump {DENOMINATIONS[action - TRUMP]}"
    if action < BID_SUIT:
        return f"bid {rules.value(action - BID_NT)}NT"
    level, suit = divmod(action - BID_SUIT, 4)
    return f"bid {rules.value(level)}{SUITS[suit]}"


def action_id(variant: str | Rules, text: str) -> int:
    """The id of an action's text; the inverse of `action_text`.

    Raises:
        ValueError: for a text that is no action.
    """
    rules = load(variant)
    if isinstance(text, str) and len(text) == 2:
        return card_id(text)
    for action in range(CARDS, ACTIONS):
        if action_text(rules, action) == text:
            return action
    words = ", ".join(map(repr, list(WORDS.values())[1:]))
    raise ValueError(f"{text!r} is not an action; actions are cards such as 'AS', 'pass', 'bid 7', 'bid 7NT', 'trump S', {words}")


def action_table() -> list[tuple[int, str, str]]:
    """The action space as rows (first id, text, meaning), for the docs."""
    return [
        (0, "AS, TH, 2C …", "play a card: 13 x suit + rank, suits S H D C, ranks 2 to A"),
        (PASS, "pass", "pass in the auction"),
        (
            BID,
            "bid 7",
            f"bid a number: one id for each of {LEVELS} levels of the ladder; level 6 is seven tricks, or the lowest bid in points if all fit",
        ),
        (TRUMP, "trump S", "name trumps: S H D C NT"),
        *((action, text, meaning) for (action, text), meaning in zip(list(WORDS.items())[1:], _WORD_MEANINGS, strict=True)),
        (BID_NT, "bid 7NT", "bid a number at no trump"),
        (BID_SUIT, "bid 80S", "bid a number with a suit: 4 x level + suit"),
    ]


_WORD_MEANINGS = (
    "announce one's melds",
    "announce or signal nothing",
    "announce king and queen of trumps",
    "signal a strong suit",
    "signal a weak suit",
)


def legal_actions(rules: Rules, state: np.void) -> list[int]:
    """Ids of the actions open to the seat to act, ascending; empty when the match is over."""
    p = state["public"]
    if p["turn"] < 0:
        return []
    words = _legal(rules.packed, np.array([state]))
    return [action for action in range(ACTIONS) if int(words[action // 64]) >> (action % 64) & 1]


@engine.kernel
def _legal(r, states):
    p = states[0].public
    return engine.legal(r[0], p, states[0].held[p.turn])


def legal_texts(rules: Rules, state: np.void) -> list[str]:
    """Texts of the actions open to the seat to act."""
    return [action_text(rules, action) for action in legal_actions(rules, state)]


def hand_texts(counts: Any) -> list[str]:
    """A hand, uint8 [52] of copies, as texts in the order people hold it."""
    return [card_text(card) for card in sort_cards(np.flatnonzero(counts).tolist()) for _ in range(counts[card])]
