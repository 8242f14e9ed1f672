"""What a hand of Tarabish scores: a pure function of the contract, the points and the announcements (T30-T35, T44, 4.11, Q12, Q13)."""

import numpy as np

from laffa.cards import ACE
from laffa.jit import kernel

BELLA, COAT = 20, 100
"""Points of king and queen of trumps (T17) and of a coat (T44)."""
OUTSCORE, HALF_BAIT, ACE19 = 1, 0, 1
"""Values of `judge`, `equal` and `nt_scoring` in packed rules."""


@kernel
def whole(r, no_trump):
    """All card points of a hand with those of the last trick; at no trump each suit has a plain one's (T-fg)."""
    return 4 * (19 + np.int64(r.worth[2, ACE])) + r.last_trick if no_trump else np.int64(r.whole)


@kernel
def hand_scores(r, no_trump, bid, cards, tricks, melds, bella):
    """Scores of one hand; pairs are (declarers, defenders).

    Args:
        r: packed rules.
        no_trump: whether there were no trumps.
        bid: the number of the contract; of no meaning where the sides' points are compared.
        cards: card points, those of the last trick included.
        tricks: tricks taken.
        melds: points of the melds that count.
        bella: whether the side has announced king and queen of trumps.

    Returns:
        (made, score of the declarers, score of the defenders).
    """
    ours = cards[0] + melds[0] + BELLA * bella[0]
    theirs = cards[1] + melds[1] + BELLA * bella[1]
    reached = _reached(r, no_trump, bid, ours, theirs) and not (r.need_trick == 1 and tricks[0] == 0)
    if reached:
        return True, _made(r, no_trump, ours, cards, tricks), theirs
    if r.judge == OUTSCORE and ours == theirs and r.equal == HALF_BAIT:
        return False, 0, theirs
    kept = BELLA if r.bella_survives_bate == 1 and bella[0] else 0
    return False, kept, ours + theirs - kept


@kernel
def _reached(r, no_trump, bid, ours, theirs):
    """More than the others (4.11), or the bid (T34), which at no trump is compared with twice the points (T-ff)."""
    if r.judge == OUTSCORE:
        return ours > theirs
    return (2 * ours if no_trump and r.nt_scoring != ACE19 else ours) >= bid


@kernel
def _made(r, no_trump, ours, cards, tricks):
    """The declarers' points, twice at no trump (T43), and a coat on top (T44, T-ee)."""
    score = 2 * ours if no_trump and r.judge != OUTSCORE else ours
    coat = tricks[1] == 0 if r.all_nine_tricks == 1 else cards[1] == 0
    return score + COAT if r.coat == 1 and coat else score
