"""Measured numbers of the rule-based player of Tarabish; the comments say what each comes from."""

import numpy as np

FEATURES = 24
"""Features of a card, see `tarabish_play.write_features`."""
HAND_FEATURES = 19
"""Features of a hand, see `tarabish_bid.hand_features`."""

# fmt: off

# Least squares over 60,000 forced contracts for each number of cards: points of the declarers' side, melds and Bella included, on
# the declarer's features, with a suit as trumps; rows for 3, 6, 9 cards.
HAND_WEIGHTS = np.array([
    [82.5, 4.3, 19.2, 10.2, 5.1, 5, 3.5, 18.1, 2.9, 0, 4.1, 7, -0.6, 2.6, 0.8, 3.5, 0, 0, 16.7],
    [71.9, 4.4, 20, 10.6, 5.7, 5.2, 2.4, 18.6, 3.1, 2.7, 1.7, 7.6, 1.2, 2.2, 0.5, 5.1, 1.1, 1.3, 18.3],
    [52, 5.6, 19.7, 10, 6.4, 3.6, -1.2, 22.8, 1.9, 1.5, 1.2, 9.9, 3.6, 2.9, 1.2, 9.9, 2.5, -3, 19.1],
])
# The same at no trump, before doubling.
NO_TRUMP_WEIGHTS = np.array([
    [62, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10.8, 2.7, 5.5, 1.3, 5, 1.8, 0, 17.2],
    [58.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12.2, 6.4, 6.2, 1.5, 5.4, 2.1, -1.1, 19.1],
    [47.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14.6, 6.2, 6, 1.9, 4.7, 0.9, -1.5, 19.4],
])
# What a hand adds to the mean of its partner's contract, and to the mean of the defence, in the features of no trump.
PARTNER_WEIGHTS = np.array([
    [-18.9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5.6, -2.4, 1.9, 1, 7.1, 2.6, 0, 18.2],
    [-10.8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7.1, 1.6, 2.5, 0.3, 2.6, 0.7, -0.8, 19],
    [-19.2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 1.9, 2.4, 0.7, -0.1, -1.1, -1.1, 19.5],
])
DEFENCE_WEIGHTS = np.array([
    [-8.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4.4, 0.3, 2, 0.8, 2.8, 0.7, 0, 20.1],
    [-10.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6.1, 0.3, 1.8, 0.7, 3.3, 1, -0.9, 18.5],
    [-17.3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7.7, 1.3, 1.4, -0.2, 1.8, -0.3, -0.8, 19.4],
])
# Points that a pass brings while nobody has bid; points of a side that has bid 50, and for each point more: partner's, an
# opponent's; spread of a standing contract; spread of an own one on 3, 6, 9 cards. The spreads of own contracts are those of the fits,
# the rest was searched one number at a time over 30,000 duplicate hands a trial.
NUMBERS = np.array([0.0, 105, 0.4, 97, 0.3, 45, 44, 41, 34])

# Rows: situations of `tarabish_play.situation`; columns: features. Least squares over what each legal card led to with the true cards
# and this player after it, 90,000 decisions a round for six rounds, each round played with the weights of the one before. Unit: ten points.
PLAY_WEIGHTS = np.array([
    [0.43, -0.49, -0.73, -0.07, -1.03, -0.92, 0.36, 0.12, 0.44, 0.42, 0.2, 0.17,
     -0.08, -0.38, -0.02, -0.38, 0.11, 0.02, -0.16, -0.55, 1.19, -0.24, 0.14, 0.3],
    [0.26, -0.37, -0.51, -0.1, -1.03, -0.45, 0.34, 0.23, 0.18, 0.17, 0.35, 0.84,
     0.25, -0.33, -0.18, -0.45, -0.06, -0.02, 0.06, -0.34, 0.32, -0.18, 0.17, 0.51],
    [0.64, -0.73, -1.1, -0.09, -0.26, -0.68, 0.28, 0.42, 0.05, 0.55, 0.18, -0.08,
     0.05, -0.35, -0.04, -0.1, -0.11, -0.04, 0, -0.64, 1.14, -0.08, 0.11, 0.29],
    [0.56, -0.95, 0.32, -0.39, 0, -0.74, -0.54, 0.08, -0.08, 0.43, 0.27, 0,
     0, 0, 0.18, 0.1, 0.09, -0.62, 0.49, -0.23, 0, 0, 0, 0.21],
    [0.86, -1.2, 0.13, -0.35, 0, -0.62, -0.31, 0.09, -0.14, 0.42, 0.27, 0,
     0, 0, 0.06, 0.11, -0.15, -0.81, -0.07, -0.6, 0, 0, 0, 0.12],
    [0.62, -0.96, 0.25, -0.34, 0, -0.42, -0.9, 0.08, -0.04, 0.12, 0.24, 0,
     0, 0, 0.01, 0.09, -0.32, -0.96, -0.05, -0.41, 0, 0, 0, 0.13],
    [0.75, -0.98, 0.11, -0.23, 0, -0.58, -1.14, 0.13, -0.08, 0.43, 0.15, 0,
     0, 0, 0.04, 0.08, -0.45, -0.54, 0.48, -0.35, 0, 0, 0, 0.13],
    [0.71, -1.02, 0.48, -0.31, 0, -0.23, -1.11, 0.14, -0.47, 0.39, 0.18, 0,
     0, 0, 0.17, 0.12, 0.43, -0.78, 0.68, -0.35, 0, 0, 0, 0.08],
    [0.59, -0.95, 0.57, -0.36, 0, -0.44, -0.66, 0.21, -0.12, 0.2, 0.47, 0,
     0, 0, -0.03, 0.07, 0.2, -0.73, 0.63, -0.95, 0, 0, 0, 0.3],
    [0.74, -1.03, 0.24, -0.28, 0, -0.58, -1.37, -0.02, -0.12, 0.42, 0.27, 0,
     0, 0, 0.33, 0.37, 0.18, -0.86, 0.24, -0.27, 0, 0, 0, 0.29],
    [0.78, -1.11, 0.22, -0.33, 0, -0.58, -0.62, 0.06, -0.21, 0.46, 0.45, 0,
     0, 0, 0.08, -0.02, 0.71, -1.09, 0.22, -0.42, 0, 0, 0, 0.13],
    [0.65, -1, 0.23, -0.35, 0, -0.5, -1.22, -0.12, -0.15, 0.3, 0.36, 0,
     0, 0, 0.18, 0.4, 0.75, -0.85, 0.23, -0.34, 0, 0, 0, 0.36],
])
