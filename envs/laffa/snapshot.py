"""A state as a plain dict, in the words of people: what logs, recordings and tests compare."""

from typing import Any

import numpy as np

from laffa.cards import DECLARE, DENOMINATIONS, RANKS, SILENT, card_text
from laffa.jit import kernel
from laffa.melds import KINDS, find, points
from laffa.rules import Rules
from laffa.state import DECLARED, MELDS, NOBODY, OVER, PHASES, STOCK, TRUMPING, UNDECIDED
from laffa.text import action_text, hand_texts

WINNERS = {UNDECIDED: None, 0: 0, 1: 1, 2: "draw", 3: "none"}


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
        "streak": _streak(p),
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
            row[1] = DECLARE if state["declared"][row[0]] == DECLARED else SILENT
    return [[seat, action_text(rules, action)] for seat, action in rows]


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
        return meld_rows(rules, int(p["dealer"]), p["last"]["melds"]) if p["trick"] == rules.packed[0]["hand_size"] else []
    found = np.full((4, MELDS), NOBODY, np.int64)
    for seat in range(4):
        if p["said"][seat] == DECLARED:
            cards = np.flatnonzero(state["hands"][seat] + p["played"][seat])
            _find_melds(rules.packed, sum(1 << int(card) for card in cards), int(p["trump"]), found[seat])
    return meld_rows(rules, int(p["dealer"]), found)


@kernel
def _find_melds(r, cards, trump, out):
    found = np.empty((MELDS, 2), np.int64)
    for n in range(find(r[0], np.uint64(cards), trump, found)):
        out[n] = found[n, 0]


@kernel
def _meld_points(r, meld):
    return points(r[0], meld >> 4, meld & 15)


def meld_rows(rules: Rules, dealer: int, melds: Any) -> list[list[Any]]:
    """Melds [4, MELDS] as rows, in the order in which the seats are asked."""
    rows = [((dealer + 1 + k) % 4, int(meld)) for k in range(4) for meld in melds[(dealer + 1 + k) % 4] if meld >= 0]
    return [[seat, KINDS[meld >> 4], RANKS[meld & 15], int(_meld_points(rules.packed, meld))] for seat, meld in rows]


def _streak(p: np.void) -> dict[str, int] | None:
    """Who won last and with how many tricks, where a match takes two wins in a row."""
    return None if p["holder"] == NOBODY else {"team": int(p["holder"]), "mark": int(p["mark"])}


def _seat(seat: Any) -> int | None:
    return None if seat == NOBODY else int(seat)


def _denomination(trump: Any) -> str | None:
    return None if trump == NOBODY else DENOMINATIONS[trump]


def _contract(rules: Rules, p: np.void) -> dict[str, Any] | None:
    """Null until the auction closes, and for a passed-out deal."""
    if not rules.contracts or p["phase"] < TRUMPING or p["declarer"] == NOBODY:
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
        "made": bool(last["made"]) if rules.contracts else None,
        "tricks": last["tricks"].tolist(),
        "points": last["points"].tolist(),
        "contract": _contract_of(rules, last) if rules.contracts else None,
        "melds": meld_rows(rules, int(last["dealer"]), last["melds"]) if rules.game == "tarabish" else [],
        "bella": _seat(last["bella"]),
    }
