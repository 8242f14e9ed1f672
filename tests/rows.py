"""The worked examples of the rules page as literal rows, for the engine and for the referee alike.

Nothing here is computed by either; options are those of the presets.
"""

from referee_score import FORCED, FRENCH31, ITALIAN41, KOUTCHINA, NOTRUMP, ONEROUND, PAGAT, POINTS400, SAUDI

DOUBLE = {**ITALIAN41, "slam_bid": 26}
KABSH = {**SAUDI, "kabsh_any_side": True}
BID_KEPT = {**FRENCH31, "made_score": "bid"}
SLAM240 = {**POINTS400, "slam_bid": 240}
LAST_HAND = {**KOUTCHINA, "cap_tie": "last_hand_winner"}
ITALIAN31 = {**ITALIAN41, "target": 31}

# code, ruleset, bid, tricks of the bidders, (bidders, defenders)
TRICK_ROWS = [
    ("K01", KOUTCHINA, 8, 11, (8, 0)), ("K02", KOUTCHINA, 9, 7, (-9, 6)), ("K03", KOUTCHINA, 7, 6, (-7, 7)),
    ("K04", KOUTCHINA, 7, 0, (-7, 13)), ("K05", KOUTCHINA, 13, 13, (13, 0)), ("K06", KOUTCHINA, 13, 12, (-13, 1)),
    ("K07", KOUTCHINA, 7, 7, (7, 0)), ("K08", KOUTCHINA, 12, 13, (12, 0)), ("K09", KOUTCHINA, 13, 0, (-13, 13)),
    ("K10", KOUTCHINA, 10, 9, (-10, 4)),
    ("F01", FRENCH31, 8, 10, (10, 0)), ("F02", FRENCH31, 9, 7, (-9, 6)), ("F03", FRENCH31, 7, 13, (16, 0)),
    ("F04", FRENCH31, 13, 13, (26, 0)), ("F05", FRENCH31, 13, 12, (-16, 1)), ("F06", FRENCH31, 13, 5, (-16, 8)),
    ("F07", FRENCH31, 12, 12, (12, 0)), ("F08", FRENCH31, 12, 13, (16, 0)), ("F09", FRENCH31, 7, 6, (-7, 7)),
    ("F10", FRENCH31, 10, 0, (-10, 13)),
    ("I01", ITALIAN41, 8, 9, (9, 4)), ("I02", ITALIAN41, 9, 8, (-9, 5)), ("I03", ITALIAN41, 7, 7, (7, 6)),
    ("I05", ITALIAN41, 13, 13, (16, 0)), ("I06", DOUBLE, 13, 13, (26, 0)), ("I07", ITALIAN41, 13, 12, (-13, 1)),
    ("I08", ITALIAN41, 9, 13, (13, 0)), ("I09", SAUDI, 9, 13, (16, 0)), ("I10", ITALIAN41, 12, 0, (-12, 13)),
    ("X01", PAGAT, 13, 12, (-16, 2)), ("X02", PAGAT, 13, 0, (-16, 26)),
    ("F14", {**KOUTCHINA, "slam_failed": None}, 13, 12, (-13, 1)), ("D36", KOUTCHINA, 13, 11, (-13, 2)), ("D36", ITALIAN41, 8, 11, (11, 2)),
    ("Q5", KABSH, 9, 0, (-9, 16)), ("Q5", KABSH, 9, 5, (-9, 8)), ("Q5", KABSH, 9, 13, (16, 0)),
    ("Q5", KABSH, 13, 0, (-13, 16)), ("Q5", SAUDI, 9, 0, (-9, 13)),
    ("F-a", BID_KEPT, 8, 10, (8, 0)), ("F-a", BID_KEPT, 8, 13, (16, 0)),
]  # fmt: skip

# code, ruleset, bid, card points of the bidders, (bidders, defenders)
POINT_ROWS = [
    ("I17", POINTS400, 70, 85, (85, 35)), ("I18", POINTS400, 80, 75, (-80, 45)), ("I19", POINTS400, 65, 65, (65, 55)),
    ("I20", POINTS400, 120, 120, (120, 0)), ("Q6", POINTS400, 120, 119, (-120, 1)), ("Q6", POINTS400, 70, 120, (120, 0)),
    ("Q6", SLAM240, 120, 120, (240, 0)), ("Q6", SLAM240, 120, 100, (-120, 20)),
]  # fmt: skip

# bid: bidders/defenders for 0, 1, ... 13 tricks of the bidders
KOUTCHINA_TABLE = {
    7: "-7/13 -7/12 -7/11 -7/10 -7/9 -7/8 -7/7 7/0 7/0 7/0 7/0 7/0 7/0 7/0",
    8: "-8/13 -8/12 -8/11 -8/10 -8/9 -8/8 -8/7 -8/6 8/0 8/0 8/0 8/0 8/0 8/0",
    9: "-9/13 -9/12 -9/11 -9/10 -9/9 -9/8 -9/7 -9/6 -9/5 9/0 9/0 9/0 9/0 9/0",
    10: "-10/13 -10/12 -10/11 -10/10 -10/9 -10/8 -10/7 -10/6 -10/5 -10/4 10/0 10/0 10/0 10/0",
    11: "-11/13 -11/12 -11/11 -11/10 -11/9 -11/8 -11/7 -11/6 -11/5 -11/4 -11/3 11/0 11/0 11/0",
    12: "-12/13 -12/12 -12/11 -12/10 -12/9 -12/8 -12/7 -12/6 -12/5 -12/4 -12/3 -12/2 12/0 12/0",
    13: "-13/13 -13/12 -13/11 -13/10 -13/9 -13/8 -13/7 -13/6 -13/5 -13/4 -13/3 -13/2 -13/1 13/0",
}
FRENCH_TABLE = {
    7: "-7/13 -7/12 -7/11 -7/10 -7/9 -7/8 -7/7 7/0 8/0 9/0 10/0 11/0 12/0 16/0",
    8: "-8/13 -8/12 -8/11 -8/10 -8/9 -8/8 -8/7 -8/6 8/0 9/0 10/0 11/0 12/0 16/0",
    9: "-9/13 -9/12 -9/11 -9/10 -9/9 -9/8 -9/7 -9/6 -9/5 9/0 10/0 11/0 12/0 16/0",
    10: "-10/13 -10/12 -10/11 -10/10 -10/9 -10/8 -10/7 -10/6 -10/5 -10/4 10/0 11/0 12/0 16/0",
    11: "-11/13 -11/12 -11/11 -11/10 -11/9 -11/8 -11/7 -11/6 -11/5 -11/4 -11/3 11/0 12/0 16/0",
    12: "-12/13 -12/12 -12/11 -12/10 -12/9 -12/8 -12/7 -12/6 -12/5 -12/4 -12/3 -12/2 12/0 16/0",
    13: "-16/13 -16/12 -16/11 -16/10 -16/9 -16/8 -16/7 -16/6 -16/5 -16/4 -16/3 -16/2 -16/1 26/0",
}
ITALIAN_TABLE = {
    7: "-7/13 -7/12 -7/11 -7/10 -7/9 -7/8 -7/7 7/6 8/5 9/4 10/3 11/2 12/1 13/0",
    8: "-8/13 -8/12 -8/11 -8/10 -8/9 -8/8 -8/7 -8/6 8/5 9/4 10/3 11/2 12/1 13/0",
    9: "-9/13 -9/12 -9/11 -9/10 -9/9 -9/8 -9/7 -9/6 -9/5 9/4 10/3 11/2 12/1 13/0",
    10: "-10/13 -10/12 -10/11 -10/10 -10/9 -10/8 -10/7 -10/6 -10/5 -10/4 10/3 11/2 12/1 13/0",
    11: "-11/13 -11/12 -11/11 -11/10 -11/9 -11/8 -11/7 -11/6 -11/5 -11/4 -11/3 11/2 12/1 13/0",
    12: "-12/13 -12/12 -12/11 -12/10 -12/9 -12/8 -12/7 -12/6 -12/5 -12/4 -12/3 -12/2 12/1 13/0",
    13: "-13/13 -13/12 -13/11 -13/10 -13/9 -13/8 -13/7 -13/6 -13/5 -13/4 -13/3 -13/2 -13/1 16/0",
}
SAUDI_TABLE = {bid: row if bid == 13 else row.replace("13/0", "16/0") for bid, row in ITALIAN_TABLE.items()}
PAGAT_TABLE = {
    **FRENCH_TABLE,
    13: "-16/26 -16/24 -16/22 -16/20 -16/18 -16/16 -16/14 -16/12 -16/10 -16/8 -16/6 -16/4 -16/2 26/0",
}
TABLES = [
    (KOUTCHINA, KOUTCHINA_TABLE), (FRENCH31, FRENCH_TABLE), (ITALIAN41, ITALIAN_TABLE), (NOTRUMP, ITALIAN_TABLE),
    (ONEROUND, ITALIAN_TABLE), (FORCED, ITALIAN_TABLE), (SAUDI, SAUDI_TABLE), (PAGAT, PAGAT_TABLE),
]  # fmt: skip

# code, ruleset, scores before, bid and tricks of seat 0 and its partner, scores after, winner
MATCH_ROWS = [
    ("K12", KOUTCHINA, (24, 30), 7, 9, [31, 30], 0), ("K13", KOUTCHINA, (30, 5), 7, 6, [23, 12], None),
    ("F11", FRENCH31, (15, 20), 9, 13, [31, 20], 0), ("I11", ITALIAN31, (26, 27), 7, 8, [34, 32], 0),
    ("I12", ITALIAN31, (24, 25), 7, 7, [31, 31], None), ("I13", ITALIAN31, (20, 26), 7, 8, [28, 31], 1),
    ("I14", ITALIAN41, (40, 30), 8, 7, [32, 36], None), ("I-h", ITALIAN31, (31, 31), 7, 6, [24, 38], 1),
]  # fmt: skip

# ruleset, scores before the fiftieth hand, bid and tricks, winner
CAP_ROWS = [
    (KOUTCHINA, (4, 9), 8, 8, 0), (KOUTCHINA, (1, 9), 8, 8, "draw"), (LAST_HAND, (1, 9), 8, 8, 0),
    (LAST_HAND, (18, 3), 9, 7, 1), ({**KOUTCHINA, "hand_cap": None}, (1, 9), 8, 8, None),
]  # fmt: skip

# code, ruleset, calls from the seat after the dealer (seat 1) on, declarer and number of the contract they close with
CLOSED = [
    ("K16", KOUTCHINA, "P P 7 P P 8 P P P", 2, 8), ("K14", KOUTCHINA, "13", 1, 13), ("K-d", KOUTCHINA, "P P P 7 P P P", 0, 7),
    ("Q3", KOUTCHINA, "P P P 7 P P 8 P P 9 P P 10 P P 11 P P 12 P P 13", 2, 13),
    ("Q3", {**KOUTCHINA, "close_at_max": False}, "13 P P P", 1, 13), ("I-a", ITALIAN41, "7 P 8 P P", 3, 8),
    ("Q3", ITALIAN41, "P P 7 8 9 10 11 12 13", 3, 13), ("Q3", ITALIAN41, "P P P 7", 0, 7),
    ("Q3", NOTRUMP, "P P 7 7NT 8 8NT 9 9NT 10 10NT 11 11NT 12 12NT 13 13NT", 0, 13),
    ("Q21", ONEROUND, "7 P P 7", 0, 7), ("Q21", ONEROUND, "P P 7 P", 3, 7), ("Q4", FORCED, "P P P 7", 0, 7),
    ("I22", POINTS400, "65 P P P", 1, 65),
]  # fmt: skip

# code, ruleset, calls, seat to call, what it may call
OPEN = [
    ("K11", KOUTCHINA, "", 1, "P 7 8 9 10 11 12 13"), ("K12", KOUTCHINA, "8 P P", 0, "P 9 10 11 12 13"),
    ("K13", KOUTCHINA, "P 8 9", 0, "P 10 11 12 13"), ("K-d", KOUTCHINA, "P P P 12", 1, "P 13"), ("I8", ITALIAN41, "P 11 12", 0, "P 13"),
    ("I8", ITALIAN41, "P 11 12 P", 2, "P 13"), ("Q3", NOTRUMP, "13", 2, "P 13NT"), ("I15", NOTRUMP, "12NT", 2, "P 13 13NT"),
    ("I15", NOTRUMP, "12", 2, "P 12NT 13 13NT"), ("Q4", FORCED, "P P P", 0, "7"), ("Q4", FORCED, "P P", 3, "P 7 8 9 10 11 12 13"),
    ("Q4", {**FORCED, "bid_min": 1}, "1 P P", 0, "P 2 3 4 5 6 7 8 9 10 11 12 13"),
    ("Q21", ONEROUND, "11 P P", 0, "P 11 12 13"), ("Q21", ONEROUND, "11 P", 3, "P 12 13"),
    ("Q4", {**FORCED, "auction": "open"}, "P P P 7", 1, "P 8 9 10 11 12 13"),
    ("Q28", {**ONEROUND, "close_at_max": False}, "13 P P", 0, "P 13"), ("Q21", {**ONEROUND, "nt_bids": True}, "12NT P P", 0, "P 12NT 13 13NT"),
    ("Q6", {**POINTS400, "close_at_max": False}, "110", 2, "P 115 120"),
]  # fmt: skip
