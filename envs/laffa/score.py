"""What a hand scores: a pure function of the contract and of what was taken (K25-K29, F11-F14, I14-I17, Q5, Q6)."""

from laffa.jit import kernel

ACTUAL = 0
"""Value of `made_score` in packed rules."""


@kernel
def hand_scores(r, bid, took):
    """Scores of one hand.

    Args:
        r: packed rules.
        bid: the number of the contract.
        took: what the declarer's side took, in the unit of the bids: tricks or card points.

    Returns:
        (made, score of the bidding side, score of the defenders).
    """
    rest = r.whole - took
    if took >= bid:
        return True, _made(r, bid, took), rest if r.defenders_on_made == 1 else 0
    return False, _failed(r, bid), _defenders(r, bid, rest)


@kernel
def _made(r, bid, took):
    """What was taken (I14) or the bid (K25), unless a slam has a price of its own (F13, I17, I24)."""
    if took == r.whole:
        price = r.slam_bid if bid == r.whole else r.slam_unbid
        if price >= 0:
            return price
    return took if r.made_score == ACTUAL else bid


@kernel
def _failed(r, bid):
    """The bid is lost (K26, F12, I15), or the price of a failed slam (F14)."""
    return -r.slam_failed if bid == r.whole and r.slam_failed >= 0 else -bid


@kernel
def _defenders(r, bid, rest):
    """What the defenders took from a failed contract (K26, F12, I16), for some tables all of it (Q5) or twice that (F-f)."""
    if rest == r.whole and r.kabsh_any_side == 1:
        return r.slam_unbid
    return 2 * rest if bid == r.whole and r.slam_failed_defenders_x2 == 1 else rest
