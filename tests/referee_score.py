"""The referee's arithmetic: the shipped rulesets of Tarneeb, what a hand scores and when a match is won.

Pure functions in plain Python, written from RULES.md alone; nothing here comes from the package that it checks.
"""

from typing import Any

Options = dict[str, Any]

KOUTCHINA: Options = {
    "auction": "open", "dealer_may_equal": False, "close_at_max": True,
    "bid_min": 7, "bid_max": 13, "bid_step": 1, "nt_bids": False,
    "all_pass": "next_dealer", "all_pass_cap": 8, "hand_cap": 50, "cap_tie": "draw",
    "unit": "tricks", "made_score": "bid", "defenders_on_made": "none",
    "slam_unbid": None, "slam_bid": 13, "slam_failed": 13, "slam_failed_defenders_x2": False,
    "kabsh_any_side": False, "target": 31,
}  # fmt: skip
FRENCH31: Options = {
    **KOUTCHINA, "auction": "final_pass", "made_score": "actual", "slam_unbid": 16, "slam_bid": 26, "slam_failed": 16,
}  # fmt: skip
ITALIAN41: Options = {
    **KOUTCHINA, "auction": "final_pass", "made_score": "actual", "defenders_on_made": "actual", "slam_bid": 16, "target": 41,
}  # fmt: skip
NOTRUMP: Options = {**ITALIAN41, "nt_bids": True}
SAUDI: Options = {**ITALIAN41, "slam_unbid": 16}
POINTS400: Options = {
    **ITALIAN41, "unit": "card_points", "bid_min": 65, "bid_max": 120, "bid_step": 5,
    "slam_bid": 120, "slam_failed": 120, "target": 400,
}  # fmt: skip
PAGAT: Options = {**FRENCH31, "all_pass": "same_dealer", "slam_failed_defenders_x2": True}
ONEROUND: Options = {**ITALIAN41, "auction": "single_lap", "dealer_may_equal": True}
FORCED: Options = {**ITALIAN41, "all_pass": "force_dealer"}
PRESETS: dict[str, Options] = {
    "tarneeb-koutchina": KOUTCHINA,
    "tarneeb-french31": FRENCH31,
    "tarneeb-italian31": {**ITALIAN41, "target": 31},
    "tarneeb-italian41": ITALIAN41,
    "tarneeb-italian61": {**ITALIAN41, "target": 61},
    "tarneeb-notrump": NOTRUMP,
    "tarneeb-saudi": SAUDI,
    "tarneeb-400points": POINTS400,
    "tarneeb-pagat": PAGAT,
    "tarneeb-oneround": ONEROUND,
    "tarneeb-forced": FORCED,
}


def whole(options: Options) -> int:
    """What a slam is: all thirteen tricks, or all 120 card points (Q6)."""
    return 13 if options["unit"] == "tricks" else 120


def taken(options: Options, tricks: int, points: int) -> int:
    """What a side took, in the unit in which bids are made (I22)."""
    return tricks if options["unit"] == "tricks" else points


def score_hand(options: Options, bid: int, is_nt: bool, tricks_of_bidders: int, points_of_bidders: int) -> tuple[int, int]:
    """The hand's scores (bidders, defenders); a no-trump contract scores as the same number (I-k)."""
    took = taken(options, tricks_of_bidders, points_of_bidders)
    rest = whole(options) - took
    if took >= bid:
        return made_score(options, bid, took), rest if options["defenders_on_made"] == "actual" else 0
    return failed_score(options, bid), failed_defenders(options, bid, rest)


def made_score(options: Options, bid: int, took: int) -> int:
    """A kept contract: the bid (K25) or what was taken (I14), unless it is a slam with a price of its own (F13, I17, I24)."""
    if took == whole(options):
        price = options["slam_bid"] if bid == whole(options) else options["slam_unbid"]
        if price is not None:
            return price
    return bid if options["made_score"] == "bid" else took


def failed_score(options: Options, bid: int) -> int:
    """A failed contract costs the bid (K26, F12, I15), a failed slam bid what is agreed for it (F14, Q6)."""
    if bid == whole(options) and options["slam_failed"] is not None:
        return -options["slam_failed"]
    return -bid


def failed_defenders(options: Options, bid: int, rest: int) -> int:
    """Defenders score what they took (K26, F12, I16), twice on a failed slam bid (F-f, X01); all of it may be a kabsh (Q5)."""
    if rest == whole(options) and options["kabsh_any_side"] and options["slam_unbid"] is not None:
        return options["slam_unbid"]
    doubled = bid == whole(options) and options["slam_failed_defenders_x2"]
    return 2 * rest if doubled else rest


def match_result(options: Options, scores: list[int], hands_played: int, hand_scores: list[int]) -> int | str | None:
    """Who has won after a counted hand (0, 1, "draw"), None to play on: the target first, then the cap (K30, K31, K-j, Q7)."""
    leader = None if scores[0] == scores[1] else scores.index(max(scores))
    if leader is not None and scores[leader] >= options["target"]:
        return leader
    if options["hand_cap"] is None or hands_played < options["hand_cap"]:
        return None
    if leader is not None:
        return leader
    if options["cap_tie"] == "last_hand_winner" and hand_scores[0] != hand_scores[1]:  # K33, Q1
        return hand_scores.index(max(hand_scores))
    return "draw"
