"""What a hand scores: a pure function of the contract and the tricks (K25-K29)."""

from laffa.jit import kernel


@kernel
def hand_scores(r, level, bidders_tricks, all_tricks):
    """Scores of one hand.

    Args:
        r: packed rules.
        level: level of the contract; level 6 is seven tricks.
        bidders_tricks: tricks that the declarer's side took.
        all_tricks: tricks in the hand.

    Returns:
        (made, score of the bidding side, score of the defenders).
    """
    contract = level + 1
    if bidders_tricks >= contract:
        return True, contract, 0
    return False, -contract, all_tricks - bidders_tricks
