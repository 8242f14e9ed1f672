"""The measured numbers of the rule-based player of Arba'a Turub."""

import numpy as np

FEATURES = 22
TRUMP_WEIGHTS = np.array([0, 0, 0, 0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.2, 1.4, 1.6])
"""What a card of a rank is worth for naming its suit."""

_ROW = np.zeros(FEATURES)
_ROW[[0, 3, 2, 5, 8]] = 1.0, -0.3, -0.2, -0.3, 0.3
PLAY_WEIGHTS = np.tile(_ROW, (12, 1))
"""Rows: place in the trick x third of the hand."""
