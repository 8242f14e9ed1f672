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
    DECLARE,
    DENOMINATIONS,
    LEVELS,
    PASS,
    RANKS,
    SILENT,
    SUITS,
    TRUMP,
    WORDS,
    card_id,
    card_text,
    sort_cards,
)
from laffa.melds import KINDS, find, points
from laffa.rules import Rules, load
from laffa.state import DECLARED, MELDS, NOBODY, OVER, PHASES, STOCK, TRUMPING, UNDECIDED

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
        (BID, "bid 7", f"bid a number: one id for each of {LEVELS} levels of the ladder; level 6 is seven tricks, or the lowest bid in points"),
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
    history = _history(rules, state)
    return {
        "variant": rules.variant,
        "version": rules.version,
        "phase": PHASES[p["phase"]],
        "turn": _seat(p["turn"]),
        "dealer": int(p["dealer"]),
        "first_leader": _seat(p["first_leader"]),
        "hands": [hand_texts(hand) for hand in state["hands"]],
        "undealt": [card_text(int(card)) for card in state["stock"][STOCK - state["left"] :]],
        "upcard": None if p["upcard"] == NOBODY else card_text(int(p["upcard"])),
        "calls": _calls(rules, history),
        "contract": _contract(rules, p),
        "trump": _denomination(p["trump"]),
        "trick": _trick(p),
        "tricks": _tricks(p, history),
        "hand": {"tricks": p["tricks"].tolist(), "points": p["points"].tolist(), "melds": _melds(rules, state), "bella": _seat(p["bella"])},
        "scores": p["scores"].tolist(),
        "hands_played": int(p["hands_played"]),
        "passed_deals": int(p["passed_deals"]),
        "games": p["games"].tolist(),
        "streak": None,
        "last_hand": _last_hand(rules, p["last"]),
        "winner": WINNERS[int(p["winner"])],
        "history": history,
    }


def _history(rules: Rules, state: np.void) -> list[list[Any]]:
    """The actions of the hand as [seat, text]; announcements that the table has not heard are told."""
    p = state["public"]
    rows = [[int(entry) >> 8, int(entry) & 255] for entry in p["history"][: p["actions"]]]
    if rules.deferred and not rules.auto_declare:
        for row in [row for row in rows if row[1] == SILENT][:4]:
            row[1] = DECLARE if _has_declared(state, row[0]) else SILENT
    return [[seat, action_text(rules, action)] for seat, action in rows]


def _has_declared(state: np.void, seat: int) -> bool:
    """Whether a seat has announced its melds in this hand; at the end that is read off the last hand."""
    p = state["public"]
    return bool(p["last"]["melds"][seat, 0] >= 0) if p["phase"] == OVER else state["declared"][seat] == DECLARED


def _calls(rules: Rules, history: list[list[Any]]) -> list[list[Any]]:
    """Passes and bids of all auctions of the hand; where trumps are taken without a number, the take."""
    taken = rules.judge == "outscore"
    return [call for call in history if call[1] == "pass" or call[1].startswith("bid ") or (taken and call[1].startswith("trump "))]


def _melds(rules: Rules, state: np.void) -> list[list[Any]]:
    """The melds that are public, from the dealer's left: [seat, kind, top rank, points]."""
    p = state["public"]
    if rules.game != "tarabish":
        return []
    if p["phase"] == OVER:
        return _meld_rows(rules, int(p["dealer"]), p["last"]["melds"]) if p["trick"] == rules.packed[0]["hand_size"] else []
    found = np.full((4, MELDS), NOBODY, np.int64)
    for seat in range(4):
        if p["said"][seat] == DECLARED:
            cards = np.flatnonzero(state["hands"][seat] + p["played"][seat])
            _find_melds(rules.packed, sum(1 << int(card) for card in cards), int(p["trump"]), found[seat])
    return _meld_rows(rules, int(p["dealer"]), found)


@engine.kernel
def _find_melds(r, cards, trump, out):
    found = np.empty((MELDS, 2), np.int64)
    for n in range(find(r[0], np.uint64(cards), trump, found)):
        out[n] = found[n, 0]


@engine.kernel
def _meld_points(r, meld):
    return points(r[0], meld >> 4, meld & 15)


def _meld_rows(rules: Rules, dealer: int, melds: Any) -> list[list[Any]]:
    """Melds [4, MELDS] as rows, in the order in which the seats are asked."""
    rows = [((dealer + 1 + k) % 4, int(meld)) for k in range(4) for meld in melds[(dealer + 1 + k) % 4] if meld >= 0]
    return [[seat, KINDS[meld >> 4], RANKS[meld & 15], int(_meld_points(rules.packed, meld))] for seat, meld in rows]


def _seat(seat: Any) -> int | None:
    return None if seat == NOBODY else int(seat)


def _denomination(trump: Any) -> str | None:
    return None if trump == NOBODY else DENOMINATIONS[trump]


def _contract(rules: Rules, p: np.void) -> dict[str, Any] | None:
    """Null until the auction closes, and for a passed-out deal."""
    if p["phase"] < TRUMPING or p["declarer"] == NOBODY:
        return None
    return _contract_of(rules, p)


def _contract_of(rules: Rules, p: np.void) -> dict[str, Any]:
    """A contract; one that was taken without a number has none."""
    value = None if p["level"] == NOBODY else rules.value(int(p["level"]))
    return {"seat": int(p["declarer"]), "value": value, "trump": _denomination(p["trump"])}


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
        "contract": _contract_of(rules, last),
        "melds": _meld_rows(rules, int(last["dealer"]), last["melds"]) if rules.game == "tarabish" else [],
        "bella": _seat(last["bella"]),
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
    games = f" (games {view['games'][0]} to {view['games'][1]})" if rules.best_of > 1 else ""
    lines = [f"{rules.title}: {us} to {them}{games} after {view['hands_played']} hands, phase {view['phase']}" + _end_text(view)]
    lines.append(f"dealer player_{view['dealer']}" + _contract_text(view) + "; " + _taken_text(rules, view))
    if view["upcard"]:
        lines.append(f"turned up: {view['upcard']}")
    if state["public"]["revealed"][0] >= 0:
        lines.append("shown: " + " ".join(card_text(int(card)) for card in state["public"]["revealed"]) + f" of player_{(view['dealer'] + 3) % 4}")
    if view["calls"]:
        lines.append("calls: " + ", ".join(f"{caller}: {call}" for caller, call in view["calls"]))
    # The order of a seat's melds in a snapshot follows their suits, which nobody else knows.
    melds = view["hand"]["melds"] if view["phase"] == "over" else _meld_rows(rules, view["dealer"], state["public"]["melds"])
    if melds:
        lines.append("melds: " + ", ".join(f"{player}: {_meld_text(*meld)}" for player, *meld in melds))
    if view["hand"]["bella"] is not None:
        lines.append(f"Bella: {view['hand']['bella']}")
    for player in range(4):
        cards = view["hands"][player] if seat in (None, player) else ["?"] * len(view["hands"][player])
        mark = ">" if view["turn"] == player else " "
        lines.append(f"{mark} player_{player}  {_by_suit(cards)}")
    if view["trick"]["cards"]:
        lines.append("table: " + "  ".join(f"{player}: {card}" for player, card in view["trick"]["cards"]))
    return "\n".join(lines)


def _meld_text(kind: str, top: str, worth: int) -> str:
    """A meld as people call it."""
    return f"{'four' if kind == 'carre' else kind} {top}{'s' if kind == 'carre' else ' high'} ({worth})"


def _end_text(view: dict[str, Any]) -> str:
    if view["winner"] is None:
        return ""
    names = {0: "; seats 0 and 2 won", 1: "; seats 1 and 3 won", "draw": "; a draw", "none": "; no result"}
    return names[view["winner"]]


def _contract_text(view: dict[str, Any]) -> str:
    contract = view["contract"]
    if contract is None:
        return ""
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
