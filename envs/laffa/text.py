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
from laffa.state import NOBODY, PHASES, TRUMPING, UNDECIDED

WINNERS = {UNDECIDED: None, 0: 0, 1: 1, 2: "draw", 3: "none"}


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
        (BID, "bid 7", f"bid a number: one id for each of {LEVELS} levels of the ladder; level 0 is one trick"),
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


def snapshot(rules: Rules, state: np.void) -> dict[str, Any]:
    """The full state as a plain dict that JSON can hold; absolute seats, texts for cards and calls."""
    p = state["public"]
    history = [[int(entry) >> 8, action_text(rules, int(entry) & 255)] for entry in p["history"][: p["actions"]]]
    return {
        "variant": rules.variant,
        "version": rules.version,
        "phase": PHASES[p["phase"]],
        "turn": _seat(p["turn"]),
        "dealer": int(p["dealer"]),
        "first_leader": _seat(p["first_leader"]),
        "hands": [hand_texts(hand) for hand in state["hands"]],
        "undealt": [],
        "upcard": None,
        "calls": [call for call in history if call[1] == "pass" or call[1].startswith("bid ")],
        "contract": _contract(rules, p),
        "trump": _denomination(p["trump"]),
        "trick": _trick(p),
        "tricks": _tricks(p, history),
        "hand": {"tricks": p["tricks"].tolist(), "points": p["points"].tolist(), "melds": [], "bella": None},
        "scores": p["scores"].tolist(),
        "hands_played": int(p["hands_played"]),
        "passed_deals": int(p["passed_deals"]),
        "games": [0, 0],
        "streak": None,
        "last_hand": _last_hand(rules, p["last"]),
        "winner": WINNERS[int(p["winner"])],
        "history": history,
    }


def _seat(seat: Any) -> int | None:
    return None if seat == NOBODY else int(seat)


def _denomination(trump: Any) -> str | None:
    return None if trump == NOBODY else DENOMINATIONS[trump]


def _contract(rules: Rules, p: np.void) -> dict[str, Any] | None:
    """Null until the auction closes, and for a passed-out deal."""
    if p["phase"] < TRUMPING or p["level"] == NOBODY:
        return None
    return {"seat": int(p["declarer"]), "value": rules.value(int(p["level"])), "trump": _denomination(p["trump"])}


def _trick(p: np.void) -> dict[str, Any]:
    leader = int(p["leader"])
    cards = [[(leader + place) % 4, card_text(int(p["table"][place]))] for place in range(p["on_table"])]
    return {"leader": _seat(leader), "cards": cards}


def _tricks(p: np.void, history: list[list[Any]]) -> list[list[Any]]:
    """Complete tricks as [leader, [four cards in order of play], winner]."""
    plays = [play for play in history if len(play[1]) == 2]
    groups = [plays[4 * trick : 4 * trick + 4] for trick in range(p["trick"])]
    return [[group[0][0], [text for _, text in group], int(winner)] for group, winner in zip(groups, p["winners"], strict=False)]


def _last_hand(rules: Rules, last: np.void) -> dict[str, Any] | None:
    if last["made"] == NOBODY:
        return None
    return {
        "scores": last["scores"].tolist(),
        "made": bool(last["made"]),
        "tricks": last["tricks"].tolist(),
        "points": last["points"].tolist(),
        "contract": {"seat": int(last["declarer"]), "value": rules.value(int(last["level"])), "trump": _denomination(last["trump"])},
        "melds": [],
        "bella": None,
    }


def table(rules: Rules, state: np.void, seat: int | None = None) -> str:
    """A position as lines of text: score, auction, hands, the trick on the table.

    Args:
        rules: the rules of the game.
        state: one STATE record.
        seat: shows only what that seat knows; None shows all hands.
    """
    view = snapshot(rules, state)
    us, them = view["scores"]
    lines = [f"{rules.title}: {us} to {them} after {view['hands_played']} hands, phase {view['phase']}" + _end_text(view)]
    lines.append(f"dealer player_{view['dealer']}" + _contract_text(view) + "; " + _taken_text(rules, view))
    if view["calls"]:
        lines.append("calls: " + ", ".join(f"{caller}: {call}" for caller, call in view["calls"]))
    for player in range(4):
        cards = view["hands"][player] if seat in (None, player) else ["?"] * len(view["hands"][player])
        mark = ">" if view["turn"] == player else " "
        lines.append(f"{mark} player_{player}  {_by_suit(cards)}")
    if view["trick"]["cards"]:
        lines.append("table: " + "  ".join(f"{player}: {card}" for player, card in view["trick"]["cards"]))
    return "\n".join(lines)


def _end_text(view: dict[str, Any]) -> str:
    if view["winner"] is None:
        return ""
    names = {0: "; seats 0 and 2 won", 1: "; seats 1 and 3 won", "draw": "; a draw", "none": "; no result"}
    return names[view["winner"]]


def _contract_text(view: dict[str, Any]) -> str:
    contract = view["contract"]
    if contract is None:
        return ""
    return f"; contract {contract['value']} by player_{contract['seat']}" + (f", trumps {view['trump']}" if view["trump"] else "")


def _taken_text(rules: Rules, view: dict[str, Any]) -> str:
    hand = view["hand"]
    points = f", card points {hand['points'][0]} to {hand['points'][1]}" if rules.unit == "card_points" else ""
    return f"tricks {hand['tricks'][0]} to {hand['tricks'][1]}" + points


def _by_suit(cards: list[str]) -> str:
    """A hand with a gap between suits; hidden cards as question marks."""
    if not cards or cards[0] == "?":
        return " ".join(cards)
    suits = [[card for card in cards if card[1] == suit] for suit in SUITS]
    return "   ".join(" ".join(suit) for suit in suits if suit)
