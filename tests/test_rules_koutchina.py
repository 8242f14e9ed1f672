"""Tarneeb by the Koutchina rules, row by row; the codes are those of the rules page."""

import itertools

import pytest

import laffa
from helpers import AGENTS, KOUTCHINA, PACK, finish_at_random, hands_for, legal_texts, play, play_contract, walk
from laffa import score

pytestmark = pytest.mark.env

ROWS = {
    "K01": (8, 11, 8, 0),
    "K02": (9, 7, -9, 6),
    "K03": (7, 6, -7, 7),
    "K04": (7, 0, -7, 13),
    "K05": (13, 13, 13, 0),
    "K06": (13, 12, -13, 1),
    "K07": (7, 7, 7, 0),
    "K08": (12, 13, 12, 0),
    "K09": (13, 0, -13, 13),
    "K10": (10, 9, -10, 4),
}

TABLE = """
 7  -7/13  -7/12  -7/11  -7/10  -7/9  -7/8  -7/7   7/0    7/0    7/0    7/0    7/0    7/0    7/0
 8  -8/13  -8/12  -8/11  -8/10  -8/9  -8/8  -8/7  -8/6    8/0    8/0    8/0    8/0    8/0    8/0
 9  -9/13  -9/12  -9/11  -9/10  -9/9  -9/8  -9/7  -9/6   -9/5    9/0    9/0    9/0    9/0    9/0
10 -10/13 -10/12 -10/11 -10/10 -10/9 -10/8 -10/7 -10/6  -10/5  -10/4   10/0   10/0   10/0   10/0
11 -11/13 -11/12 -11/11 -11/10 -11/9 -11/8 -11/7 -11/6  -11/5  -11/4  -11/3   11/0   11/0   11/0
12 -12/13 -12/12 -12/11 -12/10 -12/9 -12/8 -12/7 -12/6  -12/5  -12/4  -12/3  -12/2   12/0   12/0
13 -13/13 -13/12 -13/11 -13/10 -13/9 -13/8 -13/7 -13/6  -13/5  -13/4  -13/3  -13/2  -13/1   13/0
"""
"""Score of the bidding side / of the defenders for every bid (rows) and every number of tricks 0-13 of the bidders."""

CASES = [
    (int(line.split()[0]), tricks, *map(int, cell.split("/"))) for line in TABLE.strip().splitlines() for tricks, cell in enumerate(line.split()[1:])
]


@pytest.mark.parametrize(("bid", "tricks", "own", "other"), ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("declarer", range(4))
def test_a_contract_scores_as_in_its_row(declarer, bid, tricks, own, other):
    env = laffa.env(KOUTCHINA)
    play_contract(env, bid, tricks, declarer, scores=[-5, 3])
    view, side = env.snapshot(), declarer % 2
    scores = [own, other] if side == 0 else [other, own]
    last = view["last_hand"]
    assert (last["scores"], last["made"], last["tricks"][side]) == (scores, own > 0, tricks)
    assert last["contract"] == {"seat": declarer, "value": bid, "trump": "S"}
    assert view["scores"] == [-5 + scores[0], 3 + scores[1]]
    assert [env.rewards[agent] for agent in AGENTS] == [scores[0] - scores[1], scores[1] - scores[0]] * 2
    assert (view["hands_played"], view["dealer"], view["phase"]) == (1, declarer, "bid")


@pytest.mark.trial("D36")
def test_all_98_bids_and_results_score_as_in_the_table():
    rules = laffa.load(KOUTCHINA)
    assert len(CASES) == 98
    for bid, tricks, own, other in CASES:
        assert score.hand_scores(rules.packed[0], bid, tricks) == (own > 0, own, other)


@pytest.mark.trial("D36")
def test_all_98_come_out_of_real_play():
    env = laffa.env(KOUTCHINA, episode="hand")
    for bid, tricks, own, other in CASES:
        play_contract(env, bid, tricks, declarer=bid % 4)
        scores = env.snapshot()["scores"]
        assert (scores if bid % 2 == 0 else scores[::-1]) == [own, other]


def test_k11_a_passed_out_deal_is_not_counted_and_the_deal_moves_on():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1, options={"dealer": 3, "scores": [4, 9], "hands_played": 2})
    play(env, "pass", "pass", "pass")
    assert legal_texts(env)[:2] == ["pass", "bid 7"]
    play(env, "pass")
    view = env.snapshot()
    assert (view["dealer"], view["turn"], view["scores"], view["hands_played"], view["passed_deals"]) == (0, 1, [4, 9], 2, 1)
    assert (view["last_hand"], view["calls"], view["history"]) == (None, [], [])
    assert [len(hand) for hand in view["hands"]] == [13] * 4
    assert not any(env.rewards.values())


@pytest.mark.parametrize(
    ("first", "turn", "bid", "tricks", "scores", "winner"), [(24, 30, 7, 7, [31, 30], 0), (30, 5, 7, 6, [23, 12], None)], ids=["K12", "K13"]
)
def test_k12_k13_the_target_decides_and_a_failed_contract_near_it_does_not(first, turn, bid, tricks, scores, winner):
    env = laffa.env(KOUTCHINA)
    play_contract(env, bid, tricks, declarer=0, scores=[first, turn])
    view = env.snapshot()
    assert (view["scores"], view["winner"], view["phase"]) == (scores, winner, "bid" if winner is None else "over")
    assert all(env.terminations.values()) == (winner is not None)


@pytest.mark.parametrize(
    ("before", "tie", "winner"),
    [([5, 9], "draw", 0), ([2, 9], "draw", "draw"), ([2, 9], "last_hand_winner", 0), ([0, 9], "draw", 1), ([-20, -30], "last_hand_winner", 0)],
)
def test_k14_after_fifty_counted_hands_the_better_score_wins(before, tie, winner):
    env = laffa.env(KOUTCHINA, cap_tie=tie, reward="outcome")
    play_contract(env, 7, 9, declarer=0, scores=before, hands_played=49)
    view = env.snapshot()
    assert (view["scores"], view["hands_played"], view["winner"]) == ([before[0] + 7, before[1]], 50, winner)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    expected = {"draw": 0, 0: 1, 1: -1}[winner]
    assert [env.rewards[agent] for agent in AGENTS] == [expected, -expected] * 2


def test_k14_a_level_score_can_go_to_defenders_who_won_the_last_hand():
    env = laffa.env(KOUTCHINA, cap_tie="last_hand_winner")
    play_contract(env, 8, 6, declarer=0, scores=[10, -5], hands_played=49)
    assert (env.snapshot()["scores"], env.snapshot()["winner"]) == ([2, 2], 1)


def test_the_target_comes_before_the_cap_and_forty_nine_hands_are_not_fifty():
    env = laffa.env(KOUTCHINA)
    play_contract(env, 7, 7, declarer=0, scores=[24, 30], hands_played=49)
    assert env.snapshot()["winner"] == 0
    play_contract(env, 7, 7, declarer=0, scores=[2, 9], hands_played=48)
    assert (env.snapshot()["winner"], env.snapshot()["hands_played"]) == (None, 49)


def test_k15_the_eighth_passed_out_deal_in_a_row_closes_the_table():
    env = laffa.env(KOUTCHINA, reward="outcome")
    env.reset(seed=3, options={"scores": [30, 0]})
    for deal in range(7):
        play(env, *["pass"] * 4)
        assert env.snapshot()["passed_deals"] == deal + 1
    play(env, "pass", "pass", "pass")
    assert not any(env.terminations.values())
    play(env, "pass")
    view = env.snapshot()
    assert (view["winner"], view["phase"], view["turn"], view["hands"], view["contract"]) == ("none", "over", None, [[]] * 4, None)
    assert all(env.terminations.values())
    assert not any(env.rewards.values())
    assert [call for _, call in view["calls"]] == ["pass"] * 4


def test_a_counted_hand_ends_the_run_of_passed_out_deals():
    env = laffa.env(KOUTCHINA)
    play_contract(env, 7, 7, passed_deals=7)
    assert env.snapshot()["passed_deals"] == 0
    play(env, *["pass"] * 4)
    assert env.snapshot()["winner"] is None


def test_k16_a_player_who_passed_may_bid_again_and_becomes_the_declarer():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1, options={"dealer": 3})
    play(env, "pass", "pass", "bid 7", "pass", "pass", "bid 8", "pass", "pass")
    assert env.snapshot()["contract"] is None
    play(env, "pass")
    view = env.snapshot()
    assert (view["phase"], view["turn"], view["contract"]) == ("trump", 1, {"seat": 1, "value": 8, "trump": None})
    assert legal_texts(env) == ["trump S", "trump H", "trump D", "trump C"]
    play(env, "trump D")
    view = env.snapshot()
    assert (view["phase"], view["turn"], view["first_leader"], view["contract"]["trump"]) == ("play", 1, 1, "D")


def test_the_longest_auction_has_twenty_two_actions_when_thirteen_closes_it():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1)
    play(env, *["pass"] * 3, *itertools.chain(*([f"bid {number}", "pass", "pass"] for number in range(7, 13))))
    assert env.snapshot()["phase"] == "bid"
    assert len(env.snapshot()["calls"]) == 21
    play(env, "bid 13")
    assert env.snapshot()["phase"] == "trump"


def test_thirteen_closes_the_auction_at_once_unless_the_rules_play_the_passes_out():
    for close, calls in ((True, 1), (False, 4)):
        env = laffa.env(KOUTCHINA, close_at_max=close)
        env.reset(seed=1)
        play(env, "bid 13")
        while env.snapshot()["phase"] == "bid":
            assert legal_texts(env) == ["pass"]
            play(env, "pass")
        assert len(env.snapshot()["calls"]) == calls


def test_a_bid_must_outrank_the_standing_one_even_of_ones_partner():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1)
    play(env, "bid 9", "pass")
    assert legal_texts(env) == ["pass", "bid 10", "bid 11", "bid 12", "bid 13"]


def test_the_contract_belongs_to_the_highest_bidder_not_to_the_first():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1, options={"dealer": 0, "hands": hands_for(13, 2)})
    play(env, "bid 7", "bid 8", "pass", "pass", "pass", "trump S")
    assert env.snapshot()["contract"] == {"seat": 2, "value": 8, "trump": "S"}
    assert (env.snapshot()["turn"], env.snapshot()["first_leader"]) == (2, 2)


def test_every_deal_has_thirteen_cards_each_and_the_deal_goes_round():
    env = laffa.env(KOUTCHINA, target=1000, hand_cap=7)
    env.reset(seed=2)
    dealer, deals = env.snapshot()["dealer"], 0
    for _ in walk(env, 2, calm=0.9):
        view = env.snapshot()
        if not view["history"]:
            assert view["dealer"] == (dealer + deals) % 4
            assert view["turn"] == (view["dealer"] + 1) % 4
            assert sorted(itertools.chain(*view["hands"])) == sorted(PACK)
            deals += 1
    assert deals > 8


def words_of(rules):
    return " ".join(sentence.text for sentence in laffa.describe(rules))


def test_describe_tells_the_options_in_plain_words():
    text = words_of(laffa.load(KOUTCHINA, target=41, hand_cap=20, all_pass_cap=3))
    for words in ("first side to reach 41 wins", "After 20 counted hands", "After 3 passed-out deals", "from 7 to 13"):
        assert words in text
    assert "counted hands the better" not in words_of(laffa.load(KOUTCHINA, hand_cap=None))


@pytest.mark.parametrize("cap", [None, 60])
def test_the_hand_cap_is_an_option(cap):
    env = laffa.env(KOUTCHINA, hand_cap=cap, target=1000)
    play_contract(env, 7, 7, hands_played=49)
    assert env.snapshot()["winner"] is None


def test_with_no_cap_on_passes_the_table_stays_open():
    env = laffa.env(KOUTCHINA, all_pass_cap=None)
    env.reset(seed=1)
    play(env, *["pass"] * 4 * 30)
    assert env.snapshot()["passed_deals"] == 30
    finish_at_random(env)
    assert env.snapshot()["winner"] in (0, 1, "draw")
