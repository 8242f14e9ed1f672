"""A position as lines of text, for one seat or for all."""

from typing import Any

import numpy as np

from laffa.cards import SUITS, card_text
from laffa.rules import Rules
from laffa.snapshot import meld_rows, snapshot


def table(rules: Rules, state: np.void, seat: int | None = None) -> str:
    """A position as lines of text: score, auction, hands, the trick on the table.

    Args:
        rules: the rules of the game.
        state: one STATE record.
        seat: shows only what that seat knows; None shows all hands.
    """
    view = snapshot(rules, state)
    count = "hands" if rules.contracts else "games"
    lines = [f"{rules.title}: {_score_text(rules, view)} after {view['hands_played']} {count}, phase {view['phase']}" + end_text(view)]
    lines.append(f"dealer player_{view['dealer']}" + _contract_text(view) + "; " + _taken_text(rules, view))
    if view["upcard"]:
        lines.append(f"turned up: {view['upcard']}")
    if state["public"]["revealed"][0] >= 0:
        lines.append("shown: " + " ".join(card_text(int(card)) for card in state["public"]["revealed"]) + f" of player_{(view['dealer'] + 3) % 4}")
    if view["calls"]:
        lines.append("calls: " + ", ".join(f"{caller}: {call}" for caller, call in view["calls"]))
    # The order of a seat's melds in a snapshot follows their suits, which nobody else knows.
    melds = view["hand"]["melds"] if view["phase"] == "over" else meld_rows(rules, view["dealer"], state["public"]["melds"])
    if melds:
        lines.append("melds: " + ", ".join(f"{player}: {_meld_text(*meld)}" for player, *meld in melds))
    if view["hand"]["bella"] is not None:
        lines.append(f"Bella: {view['hand']['bella']}")
    for player in range(4):
        cards = view["hands"][player] if seat in (None, player) else ["?"] * len(view["hands"][player])
        mark = ">" if view["turn"] == player else " "
        lines.append(f"{mark} player_{player}  {_by_suit(cards)}")
    if view["trick"]["cards"]:
        words = ("", "  (knocked)", "  (snapped)")
        signal = words[state["public"]["signal"]]
        lines.append("table: " + "  ".join(f"{player}: {card}" for player, card in view["trick"]["cards"]) + signal)
    return "\n".join(lines)


def _meld_text(kind: str, top: str, worth: int) -> str:
    """A meld as people call it."""
    return f"{'four' if kind == 'carre' else kind} {top}{'s' if kind == 'carre' else ' high'} ({worth})"


def _score_text(rules: Rules, view: dict[str, Any]) -> str:
    """How the match stands: the scores, or what decides it where they do not."""
    if not rules.contracts and view["phase"] == "over":
        return f"{' to '.join(map(str, view['last_hand']['tricks']))} in the last game"
    if not rules.contracts:
        return streak_text(view)
    us, them = view["scores"]
    return f"{us} to {them}" + (f" (games {view['games'][0]} to {view['games'][1]})" if rules.best_of > 1 else "")


def streak_text(view: dict[str, Any]) -> str:
    """Who has won last, where a match takes two wins in a row."""
    streak = view["streak"]
    if streak is None:
        return "nobody holds a win"
    return f"seats {streak['team']} and {streak['team'] + 2} hold a win with {streak['mark']} tricks"


def end_text(view: dict[str, Any]) -> str:
    """Who has won the match, once it is decided."""
    if view["winner"] is None:
        return ""
    names = {0: "; seats 0 and 2 won", 1: "; seats 1 and 3 won", "draw": "; a draw", "none": "; no result"}
    return names[view["winner"]]


def _contract_text(view: dict[str, Any]) -> str:
    contract = view["contract"]
    if contract is None:
        return f"; trumps {view['trump']}" if view["trump"] else ""
    number = "" if contract["value"] is None else f" {contract['value']}"
    return f"; contract{number} by player_{contract['seat']}" + (f", trumps {view['trump']}" if view["trump"] else "")


def _taken_text(rules: Rules, view: dict[str, Any]) -> str:
    hand = view["hand"]
    taken = f", card points {hand['points'][0]} to {hand['points'][1]}" if not rules.in_tricks else ""
    return f"tricks {hand['tricks'][0]} to {hand['tricks'][1]}" + taken


def _by_suit(cards: list[str]) -> str:
    """A hand with a gap between suits; hidden cards as question marks."""
    if not cards or cards[0] == "?":
        return " ".join(cards)
    suits = [[card for card in cards if card[1] == suit] for suit in SUITS]
    return "   ".join(" ".join(suit) for suit in suits if suit)
