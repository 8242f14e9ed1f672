"""The referee's arithmetic of Tarabish: ranks, duties, melds, what a hand scores and when a match is won.

Pure functions in plain Python, written from RULES.md alone; nothing here comes from the package that it checks.
"""

from itertools import pairwise
from typing import Any

Options = dict[str, Any]
Meld = dict[str, Any]

SUITS = "SHDC"
NATURAL, PLAIN, TRUMPS = "AKQJT9876", "ATKQJ9876", "J9ATKQ876"
"""Ranks from the strongest down: as people count them, in plain suits (T5), in trumps (T4)."""
PLAIN_VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_VALUES = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}

TARABISH: Options = {
    "bid_min": 50, "bid_max": 160, "bid_step": 10, "bid_form": "number", "auction": "final_pass", "close_at_max": True, "cards_at_bid": 3,
    "upcard": False, "reveal_packet": False, "all_pass": "next_dealer", "all_pass_cap": 8, "second_round": False,
    "no_trump": False, "nt_min_bid": 150, "nt_scoring": "double_before",
    "run_order": "natural", "longer_first": False, "overlap": False, "auto_declare": False, "auto_bella": False, "deferred": False,
    "meld_set": "full", "equal_runs": "order", "must_rise_on_trump_lead": True, "partner_exempt": "none",
    "need_trick": False, "bella_survives_bate": False, "coat": False, "all_nine_tricks": False, "last_trick": 10,
    "judge": "bid", "equal": "half_bait", "target": 500, "best_of": 1, "both_over": "bidder",
}  # fmt: skip
CAPE_BRETON: Options = {
    **TARABISH, "judge": "outscore", "cards_at_bid": 6, "all_pass": "force_dealer", "meld_set": "runs_only", "equal_runs": "cancel",
    "both_over": "higher",
}  # fmt: skip
TARABISH_PRESETS: dict[str, Options] = {
    "tarabish": TARABISH,
    "tarabish-long": {**TARABISH, "target": 1000},
    "tarabish-league": {**TARABISH, "best_of": 3},
    "tarabish-openhand": {**TARABISH, "cards_at_bid": 9, "bid_max": 250},
    "tarabish-notrump": {**TARABISH, "no_trump": True},
    "tarabish-capebreton": CAPE_BRETON,
}


def card_value(options: Options, card: str, trump: str) -> int:
    """Points of one card: trumps and plain suits differ (T4, T5); with `ace19` an ace counts 19 at no trump (Q12)."""
    if card[1] == trump:
        return TRUMP_VALUES.get(card[0], 0)
    if trump == "NT" and card[0] == "A" and options["nt_scoring"] == "ace19":
        return 19
    return PLAIN_VALUES.get(card[0], 0)


def winning_place(cards: list[str], trump: str) -> int:
    """The place of the card that wins: the best trump, else the best card of the suit led (T29)."""
    trumps = [card for card in cards if card[1] == trump]
    if trumps:
        return cards.index(min(trumps, key=lambda card: TRUMPS.index(card[0])))
    led = [card for card in cards if card[1] == cards[0][1]]
    return cards.index(min(led, key=lambda card: PLAIN.index(card[0])))


def playable_cards(options: Options, hand: list[str], table: list[str], trump: str) -> list[str]:
    """What may be played to the cards on the table (T26-T28, T-u, T-v, T-w, Q10)."""
    if not table:
        return hand
    led = table[0][1]
    trumps_on_table = [card for card in table if card[1] == trump]
    best = min((TRUMPS.index(card[0]) for card in trumps_on_table), default=99)

    def rising(cards: list[str]) -> list[str]:
        return [card for card in cards if TRUMPS.index(card[0]) < best] or cards

    following = [card for card in hand if card[1] == led]
    if following:
        return rising(following) if led == trump and options["must_rise_on_trump_lead"] else following
    own_trumps = [card for card in hand if card[1] == trump]
    if not own_trumps:
        return hand
    partner_is_winning = len(table) >= 2 and winning_place(table, trump) == len(table) - 2
    if partner_is_winning and options["partner_exempt"] == "all":
        return hand
    if partner_is_winning and options["partner_exempt"] == "overtrump":
        return own_trumps
    return rising(own_trumps)


# ---- melds


def melds_of(options: Options, hand: list[str]) -> list[Meld]:
    """The melds of nine cards: fours first, then maximal runs of the cards left, never cut (Q11, Q31)."""
    melds, left = [], list(hand)
    if options["meld_set"] == "full":
        for rank in "J9ATKQ":
            if all(rank + suit in hand for suit in SUITS):
                melds.append({"kind": "carre", "top": rank, "suit": None, "length": 4, "points": {"J": 200, "9": 150}.get(rank, 100)})
                if not options["overlap"]:
                    left = [card for card in left if card[0] != rank]
    for suit in SUITS:
        melds += _runs(options, [card[0] for card in left if card[1] == suit], suit)
    return melds


def _runs(options: Options, ranks: list[str], suit: str) -> list[Meld]:
    order = run_order(options)
    places = sorted(order.index(rank) for rank in ranks)
    groups: list[list[int]] = [[place] for place in places[:1]]
    for before, place in pairwise(places):
        if place == before + 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [_run(options, order[group[0]], suit, len(group)) for group in groups if len(group) >= 3]


def run_order(options: Options) -> str:
    """The order in which ranks of a run follow each other, strongest first (T-j)."""
    return PLAIN if options["run_order"] == "plain" else NATURAL


def _run(options: Options, top: str, suit: str, length: int) -> Meld:
    kind = {3: "tierce", 4: "quart"}.get(length, "quint")
    points = {"tierce": 20, "quart": 50, "quint": 50 if options["meld_set"] == "runs_only" else 100}[kind]
    return {"kind": kind, "top": top, "suit": suit, "length": length, "points": points}


def rank_of_meld(options: Options, meld: Meld, trump: str) -> tuple[int, ...]:
    """A tuple that is larger for the better meld (T23, T-k, T-l, Q32)."""
    if meld["kind"] == "carre":
        return (meld["points"], 1, 0, -"J9ATKQ".index(meld["top"]), 0)
    length = 0
    if options["meld_set"] == "runs_only" or (options["longer_first"] and meld["kind"] == "quint"):
        length = meld["length"]
    return (meld["points"], 0, length, -run_order(options).index(meld["top"]), int(meld["suit"] == trump))


def counted_melds(options: Options, announced: list[list[Meld]], trump: str, dealer: int) -> list[int]:
    """Points of melds for each side: the side with the best single one counts all of its own (T21, T23, T-n, T-dd, 4.11)."""
    sides = [announced[0] + announced[2], announced[1] + announced[3]]
    best = [max((rank_of_meld(options, meld, trump) for meld in side), default=()) for side in sides]
    if best[0] == best[1]:
        if not best[0] or options["equal_runs"] == "cancel":
            return [0, 0]
        winner = 1 - dealer % 2
    else:
        winner = 0 if best[0] > best[1] else 1
    points = [0, 0]
    points[winner] = sum(meld["points"] for meld in sides[winner])
    return points


# ---- scores


def score_tarabish(
    options: Options, bid: int | None, no_trump: bool, cards: list[int], tricks: list[int], melds: list[int], bella: list[bool]
) -> tuple[bool, int, int]:
    """(made, declarers, others) of a hand; all lists are (declarers, others), `cards` with the last trick's points."""
    totals = [cards[side] + melds[side] + (20 if bella[side] else 0) for side in range(2)]
    if options["judge"] == "outscore":
        made = totals[0] > totals[1]
    else:
        doubled = no_trump and options["nt_scoring"] == "double_before"
        made = totals[0] * (2 if doubled else 1) >= bid
    if options["need_trick"] and tricks[0] == 0:
        made = False
    if made:
        return True, _made_score(options, no_trump, totals[0], cards, tricks), totals[1]
    if options["judge"] == "outscore" and totals[0] == totals[1] and options["equal"] == "half_bait":
        return False, 0, totals[1]
    if options["bella_survives_bate"] and bella[0]:
        return False, 20, sum(totals) - 20
    return False, 0, sum(totals)


def _made_score(options: Options, no_trump: bool, total: int, cards: list[int], tricks: list[int]) -> int:
    if no_trump and options["judge"] == "bid":
        total *= 2
    coat = tricks[1] == 0 if options["all_nine_tricks"] else cards[1] == 0
    return total + (100 if options["coat"] and coat else 0)


def game_winner(options: Options, scores: list[int], declarers: int) -> int | None:
    """The side that a hand has brought to the target first (T36, T-hh, Q7, Q24)."""
    over = [score >= options["target"] for score in scores]
    if all(over) and options["both_over"] == "bidder":
        return declarers
    if not any(over) or scores[0] == scores[1]:
        return None
    return 0 if scores[0] > scores[1] else 1
