"""Measured numbers of the rule-based player of Tarabish; the comments say what each comes from."""

import numpy as np

FEATURES = 24
"""Features of a card, see `tarabish_play.write_features`."""
HAND_FEATURES = 19
"""Features of a hand, see `tarabish_bid.hand_features`."""

# fmt: off

# Points of the own side when this seat declares with a suit as trumps, bidding on 3, 6, 9 cards.
HAND_WEIGHTS = np.array([
    [66, 6, 14, 8, 5, 3, 1, 18, 4, 2, 2, 8, 2, -1, 1, 1, 0, 0, 12],
    [56, 6, 14, 8, 5, 3, 1, 18, 4, 2, 2, 9, 3, -1, 1, 2, 1, 0, 14],
    [46, 6, 14, 8, 5, 3, 1, 18, 4, 2, 2, 10, 4, -1, 1, 3, 1, 0, 15],
], dtype=float)
# The same at no trump.
NO_TRUMP_WEIGHTS = np.array([
    [53, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 0, 2, 0, 0, 2, 12],
    [46, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 0, 2, 0, 0, 2, 14],
    [38, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 0, 2, 0, 0, 2, 15],
], dtype=float)
# What a hand adds to partner's contract, and takes from an opponent's, in the features of no trump.
PARTNER_WEIGHTS = np.array([[-8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 2, 0, 1, 0, 0, 0, 6]] * 3, dtype=float)
DEFENCE_WEIGHTS = np.array([[-8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 2, 0, 1, 0, 0, 0, 6]] * 3, dtype=float)
# Worth of a pass while nobody has bid, in points; points of a side that has bid 50, and more for each point more: partner's, an
# opponent's; spread of a standing contract; spread of an own one on 3, 6, 9 cards.
NUMBERS = np.array([-10.0, 95, 0.4, 95, 0.4, 36, 38, 33, 28])

# Rows: situations of `tarabish_play.situation`; columns: features. Unit: ten points.
_LEAD = [1.0, -1.0, 0.5, -0.1, -0.1, -0.2, 0.6, 0.5, 0.0, -0.4, -0.1, 0.1, 0.2, 0.05, 0, 0, 0.5, 0.3, 0, -0.3, 0.5, 0.1, -0.2, 0]
_FOLLOW = [1.0, -1.0, 0.3, 0.0, -0.3, -0.2, -0.3, -0.3, 0.0, 0.0, 0.1, 0, 0, 0, 0.2, -0.05, 0.5, 0, 0, -0.1, 0, 0, 0, -0.05]
PLAY_WEIGHTS = np.array([_LEAD] * 4 + [_FOLLOW] * 12, dtype=float)
PLAY_WEIGHTS[:2, 11] = -0.3
PLAY_WEIGHTS[:2, 20] = 0.0
