"""The worked examples of Tarabish as literal rows, for the engine and for the referee alike. Nothing here is computed by either."""

from referee_points import CAPE_BRETON, TARABISH

COAT = {**TARABISH, "coat": True}
LAST4 = {**TARABISH, "last_trick": 4}
NO_TRUMP = {**TARABISH, "no_trump": True, "bid_max": 200}
ACE19 = {**NO_TRUMP, "nt_scoring": "ace19"}
BAIT = {**CAPE_BRETON, "equal": "bait"}
CAPE_NT = {**CAPE_BRETON, "no_trump": True}

# code, options, bid, no trump, card points of the declarers without the last trick, whether they take it, counted melds (declarers, others),
# side that announces Bella (0 declarers, 1 others, None), (declarers, others)
SCORES = [
    ("T01", TARABISH, 50, False, 95, True, (0, 0), None, (105, 57)),
    ("T02", TARABISH, 100, False, 92, False, (0, 0), None, (0, 162)),
    ("T03", TARABISH, 100, False, 90, True, (0, 0), None, (100, 62)),
    ("T04", TARABISH, 80, False, 65, False, (0, 0), 0, (85, 97)),
    ("T05", TARABISH, 80, False, 59, False, (0, 0), 0, (0, 182)),
    ("T06", TARABISH, 90, False, 55, True, (20, 0), None, (0, 182)),
    ("T07", TARABISH, 90, False, 60, True, (20, 0), None, (90, 92)),
    ("T08", TARABISH, 60, False, 70, False, (0, 70), None, (70, 162)),
    ("T09", TARABISH, 140, False, 60, False, (50, 0), 0, (0, 232)),
    ("T10", TARABISH, 50, False, 0, False, (50, 0), 0, (70, 162)),
    ("T11", COAT, 100, False, 152, True, (0, 0), None, (262, 0)),
    ("T12", COAT, 160, False, 152, True, (50, 0), 0, (332, 0)),
    ("T13", TARABISH, 80, False, 60, True, (0, 0), 1, (0, 182)),
    ("T14", TARABISH, 60, False, 60, True, (0, 20), 0, (90, 112)),
    ("T15", LAST4, 100, False, 100, False, (0, 0), None, (100, 56)),
    ("T16", NO_TRUMP, 150, True, 70, True, (0, 0), None, (160, 50)),
    ("T17", NO_TRUMP, 150, True, 64, True, (0, 0), None, (0, 130)),
    ("T18", NO_TRUMP, 150, True, 65, True, (0, 0), None, (150, 55)),
    ("T19", NO_TRUMP, 200, True, 80, True, (20, 0), None, (220, 40)),
    ("T20", TARABISH, 80, False, 40, False, (200, 0), None, (240, 122)),
    ("T21", TARABISH, 60, False, 45, True, (0, 0), None, (0, 162)),
    ("X09", CAPE_BRETON, None, False, 72, True, (0, 0), None, (82, 80)),
    ("X10", CAPE_BRETON, None, False, 71, True, (0, 0), None, (0, 81)),
    ("X10", BAIT, None, False, 71, True, (0, 0), None, (0, 162)),
    ("X11", CAPE_BRETON, None, False, 60, True, (0, 0), None, (0, 162)),
    ("X12", CAPE_BRETON, None, False, 60, True, (20, 0), 0, (110, 92)),
    ("X13", CAPE_NT, None, True, 56, True, (0, 0), None, (66, 64)),
    ("Q12", ACE19, 150, True, 142, True, (0, 0), None, (304, 10)),
    ("Q12", ACE19, 150, True, 139, True, (0, 0), None, (0, 162)),
    ("Q13", {**TARABISH, "bella_survives_bate": True}, 80, False, 59, False, (0, 0), 0, (20, 162)),
    ("Q13", {**TARABISH, "bella_survives_bate": True}, 80, False, 60, True, (0, 0), 1, (0, 182)),
    ("T-aa", {**TARABISH, "need_trick": True}, 50, False, 0, False, (50, 0), 0, (0, 232)),
    ("T-aa", {**TARABISH, "need_trick": True}, 50, False, 95, True, (0, 0), None, (105, 57)),
    ("T35", TARABISH, 90, False, 81, False, (0, 0), None, (0, 162)),
    ("T11", TARABISH, 100, False, 152, True, (0, 0), None, (162, 0)),
]  # fmt: skip

# code, options, bid, no trump, card points of the declarers without the last trick, which they take, tricks, (declarers, others)
COATS = [
    ("T-ee", COAT, 100, False, 152, (8, 1), (262, 0)),
    ("Q12", {**COAT, "all_nine_tricks": True}, 100, False, 152, (8, 1), (162, 0)),
    ("Q12", {**COAT, "all_nine_tricks": True}, 100, False, 152, (9, 0), (262, 0)),
    ("T-ee", {**COAT, "bid_max": 250}, 250, False, 152, (9, 0), (0, 162)),
    ("T-fg", {**NO_TRUMP, "coat": True}, 150, True, 120, (9, 0), (360, 0)),
]  # fmt: skip

# code, options, cards of a hand, its melds as (kind, top, points)
MELDS = [
    ("T26", TARABISH, "9S TS JS QS 6H 7D 8C AH AD", [("quart", "Q", 50)]),
    ("T26", {**TARABISH, "run_order": "plain"}, "9S TS JS QS 6H 7D 8C AH AD", [("tierce", "Q", 20)]),
    ("T27", TARABISH, "8S 9S JS 6H 7D AC AH AD TC", []),
    ("T27", {**TARABISH, "run_order": "plain"}, "8S 9S JS 6H 7D AC AH AD TC", [("tierce", "J", 20)]),
    ("T18", TARABISH, "7H 8H 9H JS QS KS AD TC 6C", [("tierce", "K", 20), ("tierce", "9", 20)]),
    ("T20", TARABISH, "JS JH JD JC 9S 9H 9D 9C 6S", [("carre", "J", 200), ("carre", "9", 150)]),
    ("T20", TARABISH, "8S 8H 8D 8C 7S 7H 7D 7C 6S", [("tierce", "8", 20)]),
    ("T-p", TARABISH, "6S 7S 8S 9S TS JS QS AH AD", [("quint", "Q", 100)]),
    ("T-p", CAPE_BRETON, "6S 7S 8S 9S TS JS QS AH AD", [("quint", "Q", 50)]),
    ("T-o", TARABISH, "QS QH QD QC KS AS 6H 7D 8C", [("carre", "Q", 100)]),
    ("T-o", {**TARABISH, "overlap": True}, "QS QH QD QC KS AS 6H 7D 8C", [("carre", "Q", 100), ("tierce", "A", 20)]),
    ("T-o", TARABISH, "QS QH QD QC KH AH 6S 7D 8C", [("carre", "Q", 100)]),
    ("T-o", TARABISH, "QS QH QD QC KD AD 6S 7H 8C", [("carre", "Q", 100)]),
    ("T-o", TARABISH, "QS QH QD QC KC AC 6S 7H 8D", [("carre", "Q", 100)]),
    ("T-o", TARABISH, "QS QH QD QC JH TH 6S 7D 8C", [("carre", "Q", 100)]),
    ("T-o", TARABISH, "QS QH QD QC JC TC 6S 7H 8D", [("carre", "Q", 100)]),
    ("T-o", TARABISH, "QS QH QD QC JD TD 6S 7H 8C", [("carre", "Q", 100)]),
    ("T-o", TARABISH, "AS AH AD AC TH JH QH 7D 8C", [("carre", "A", 100), ("tierce", "Q", 20)]),
    ("T-o", TARABISH, "AS AH AD AC TD JD QD 7H 8C", [("carre", "A", 100), ("tierce", "Q", 20)]),
    ("T18", TARABISH, "AS KS QS TS 9S 6H 7H 9D AC", [("tierce", "A", 20)]),
    ("Q26", CAPE_BRETON, "QS QH QD QC KS AS JS 7D 8C", [("quart", "A", 50)]),
    ("Q31", TARABISH, "AS AH AD AC KS KH KD KC 6S", [("carre", "A", 100), ("carre", "K", 100)]),
]  # fmt: skip

# code, options, hands that announce [4], trumps, dealer, points of melds (side 0, side 1)
BEST = [
    ("T22", TARABISH, ["KS QS JS", "KH QH JH", "", ""], "S", 1, (20, 0)),
    ("T22", TARABISH, ["KS QS JS", "KH QH JH", "", ""], "H", 0, (0, 20)),
    ("T23", TARABISH, ["KS QS JS", "KH QH JH", "", ""], "D", 0, (0, 20)),
    ("T23", TARABISH, ["KS QS JS", "KH QH JH", "", ""], "D", 3, (20, 0)),
    ("T24", TARABISH, ["6S 7S 8S 9S", "AH KH QH", "", ""], "D", 0, (50, 0)),
    ("T25", TARABISH, ["AS AH AD AC", "8S 9S TS JS QS", "", ""], "D", 0, (100, 0)),
    ("T21", TARABISH, ["AS KS QS", "AH KH QH JH", "6S 7S 8S", "6D 7D 8D"], "C", 0, (0, 70)),
    ("D37", TARABISH, ["KS QS JS", "", "KH QH JH", ""], "D", 0, (40, 0)),
    ("D37", TARABISH, ["AS KS QS 6H 7H 8H 7C 8C 9C", "", "", "6D 7D 8D 9D"], "S", 0, (0, 50)),
    ("T-l", TARABISH, ["AS KS QS JS TS 9S", "AH KH QH JH TH", "", ""], "D", 0, (0, 100)),
    ("T-l", {**TARABISH, "longer_first": True}, ["AS KS QS JS TS 9S", "AH KH QH JH TH", "", ""], "D", 0, (100, 0)),
    ("T-k", TARABISH, ["TS TH TD TC", "KS KH KD KC", "", ""], "D", 0, (100, 0)),
    ("T-k", TARABISH, ["9S 9H 9D 9C", "JS JH JD JC", "", ""], "D", 0, (0, 200)),
    ("T-k", {**TARABISH, "longer_first": True}, ["AS AH AD AC", "8S 9S TS JS QS", "", ""], "D", 0, (100, 0)),
    ("T20", TARABISH, ["9S 9H 9D 9C", "KH QH JH", "", ""], "D", 0, (150, 0)),
    ("T22", TARABISH, ["KS QS JS", "QH JH TH", "", ""], "H", 0, (20, 0)),
    ("4.11", CAPE_BRETON, ["KS QS JS", "KH QH JH", "6D 7D 8D", ""], "C", 0, (0, 0)),
    ("4.11", CAPE_BRETON, ["KS QS JS", "KH QH JH", "6D 7D 8D", ""], "S", 0, (40, 0)),
    ("Q32", CAPE_BRETON, ["6S 7S 8S 9S TS", "AH KH QH JH", "", ""], "C", 0, (50, 0)),
]  # fmt: skip

# code, options, trump, table, hand, what may be played; the first card of the table was led, the last seat of it precedes the hand's
DUTIES = [
    ("T30", TARABISH, "D", "TD", "JD QD", "JD"),
    ("T30", {**TARABISH, "must_rise_on_trump_lead": False}, "D", "TD", "JD QD", "JD QD"),
    ("T31", TARABISH, "H", "AC 9H", "AH 7H 8S", "AH 7H"),
    ("T31", TARABISH, "H", "AC 9H", "JH AH 7H 8S", "JH"),
    ("T32", TARABISH, "H", "9H AC", "AH 7H 8S", "AH 7H"),
    ("T32", TARABISH, "H", "6C 9H AC", "AH 7H 8S", "AH 7H"),
    ("T32", {**TARABISH, "partner_exempt": "overtrump"}, "H", "6C 9H AC", "JH 7H 8S", "JH 7H"),
    ("T32", {**TARABISH, "partner_exempt": "all"}, "H", "6C 9H AC", "AH 7H 8S", "AH 7H 8S"),
    ("T28", {**TARABISH, "partner_exempt": "overtrump"}, "H", "AC 9H", "JH AH 7H 8S", "JH"),
    ("Q10", {**TARABISH, "partner_exempt": "all"}, "H", "6H TH 7H", "AH 8H", "AH"),
    ("D32a", TARABISH, "D", "6C TD", "9D 6D TS", "9D"),
    ("D32b", TARABISH, "D", "6C AD", "TD 9D", "9D"),
    ("D32c", TARABISH, "D", "6C JD TD", "AD 9D 6D TS", "AD 9D 6D"),
    ("D32d", TARABISH, "D", "TD", "JD QD", "JD"),
    ("D32e", TARABISH, "D", "6C TD 8C", "9D 6D TS", "9D"),
    ("D32e", {**TARABISH, "partner_exempt": "overtrump"}, "D", "6C TD 8C", "9D 6D TS", "9D 6D"),
    ("D32e", {**TARABISH, "partner_exempt": "all"}, "D", "6C TD 8C", "9D 6D TS", "9D 6D TS"),
    ("T26", TARABISH, "D", "6C", "9D TS", "9D"),
    ("T26", TARABISH, "D", "6C", "7C TS", "7C"),
    ("T26", TARABISH, "D", "6C", "AS TS", "AS TS"),
    ("T27", TARABISH, "D", "AC KC", "9D 6D", "9D 6D"),
    ("T-w", {**TARABISH, "partner_exempt": "overtrump"}, "D", "AC KC", "9D TS", "9D"),
    ("T-ff", TARABISH, "NT", "6C", "AS TS", "AS TS"),
]  # fmt: skip

# code, options, scores after a hand that side 0 declared, winner of the game
ENDS = [
    ("T28", TARABISH, (540, 552), 0), ("T28", TARABISH, (500, 552), 0), ("T28", {**TARABISH, "both_over": "higher"}, (540, 552), 1),
    ("T29", TARABISH, (460, 562), 1),
    ("T8", TARABISH, (500, 499), 0), ("T8", TARABISH, (499, 499), None), ("Q24", {**TARABISH, "both_over": "higher"}, (520, 520), None),
    ("T37", {**TARABISH, "target": 1000}, (540, 552), None),
]  # fmt: skip

# code, options, cards of a hand, its melds as the table learns of them, the best first
ANNOUNCED = [
    ("T-p", TARABISH, "6S 7S 8S 7H 8H 9H 8D 9D TD", [("tierce", "T"), ("tierce", "9"), ("tierce", "8")]),
    ("T-p", TARABISH, "8S 9S TS 7H 8H 9H 6D 7D 8D", [("tierce", "T"), ("tierce", "9"), ("tierce", "8")]),
    ("T-p", TARABISH, "AS KS QS 6H 7H 8H 9H 7D 8D", [("quart", "9"), ("tierce", "A")]),
    ("T-p", TARABISH, "7S 8S 9S KH QH JH 6C 7C 8C", [("tierce", "K"), ("tierce", "9"), ("tierce", "8")]),
    ("T-k", TARABISH, "QS QH QD QC JS JH JD JC 6S", [("carre", "J"), ("carre", "Q")]),
]
