"""The referee's arithmetic: the score rows of RULES.md sections 5.1 to 5.3 and 5.6, and every bid with every number of tricks."""

import pytest

from referee import PACK, SUITS, card_points
from referee_score import match_result, score_hand
from rows import LAST_HAND, POINT_ROWS, TABLES, TRICK_ROWS


@pytest.mark.parametrize(("code", "options", "bid", "tricks", "scores"), TRICK_ROWS)
def test_worked_examples_in_tricks(code, options, bid, tricks, scores):
    assert score_hand(options, bid, False, tricks, 0) == scores, code


@pytest.mark.parametrize(("code", "options", "bid", "points", "scores"), POINT_ROWS)
def test_worked_examples_in_card_points(code, options, bid, points, scores):
    assert score_hand(options, bid, False, 0, points) == scores, code


@pytest.mark.parametrize(("options", "table"), TABLES)
def test_every_bid_with_every_number_of_tricks(options, table):
    """All 98 cases (PITFALLS D36), for a suit and for no trump (I-k)."""
    cases = [(bid, tricks, cell) for bid, row in table.items() for tricks, cell in enumerate(row.split())]
    assert len(cases) == 98
    for bid, tricks, cell in cases:
        for is_nt in (False, True):
            assert "{}/{}".format(*score_hand(options, bid, is_nt, tricks, 0)) == cell, (bid, tricks)


def test_the_pack_holds_120_card_points():
    assert [card_points([card for card in PACK if card[1] == suit]) for suit in SUITS] == [30, 30, 30, 30]  # I16


def test_level_hand_scores_leave_a_capped_match_drawn():
    assert match_result(LAST_HAND, [9, 9], 50, [6, 6]) == "draw"
