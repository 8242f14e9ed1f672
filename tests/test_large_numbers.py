"""Numbers that outgrow their bytes: counters, scores, hands of 36 tricks, and views that stop exactly where the layout says."""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, KOUTCHINA, highest_actions, play, play_contract
from laffa.layout import OBSERVATION
from test_observe import pieces
from test_seeding import dealt, hands_of
from test_turub_hands import play_rigged

pytestmark = pytest.mark.env

COUNTS = [126, 127, 128, 254, 255, 256, 2**15 - 1, 2**15, 2**16 - 1, 10**6]
"""Before and after the ends of whole numbers of one and two bytes."""


@pytest.mark.parametrize("count", COUNTS)
def test_hands_and_passed_deals_go_on_being_counted(count):
    env = laffa.env(KOUTCHINA, hand_cap=None, all_pass_cap=None)
    env.reset(seed=1, options={"hands_played": count, "passed_deals": count})
    play(env, *["pass"] * 4)
    assert (env.snapshot()["hands_played"], env.snapshot()["passed_deals"]) == (count, count + 1)
    play_contract(env, 7, 7, hands_played=count, passed_deals=count)
    assert (env.snapshot()["hands_played"], env.snapshot()["passed_deals"], env.snapshot()["winner"]) == (count + 1, 0, None)


@pytest.mark.parametrize("number", COUNTS)
def test_deals_go_on_being_new_ones(number):
    env = laffa.env(KOUTCHINA)
    env.reset(seed=7)
    env._states["public"]["deals"] = number
    for k in range(2):
        play(env, *["pass"] * 4)
        assert hands_of(env._states[0]) == dealt(7, 0, number + k)
    assert env._states["public"]["deals"][0] == number + 2


@pytest.mark.parametrize("before", [[-128, 120], [-(2**15), -(2**15)], [-(10**6), 5], [10**6, 10**6]])
def test_scores_are_exact_however_far_they_fall_or_rise(before):
    env = laffa.env(KOUTCHINA, target=1000)
    play_contract(env, 13, 12, declarer=0, scores=before)
    assert env.snapshot()["scores"] == [before[0] - 13, before[1] + 1]


@pytest.mark.parametrize(("tricks", "scores"), [(13, [1000, 0]), (12, [-999, 2]), (0, [-999, 26])])
def test_a_hand_may_score_a_thousand(tricks, scores):
    env = laffa.env(KOUTCHINA, target=1000, slam_bid=1000, slam_failed=999, slam_failed_defenders_x2=True)
    play_contract(env, 13, tricks, declarer=2)
    paid = scores[0] - scores[1]
    assert (env.snapshot()["last_hand"]["scores"], env.snapshot()["scores"]) == (scores, scores)
    assert [env.rewards[agent] for agent in AGENTS] == [paid, -paid] * 2


def test_a_batch_counts_more_hands_than_two_bytes_hold_and_a_game_more_decisions():
    """Thirteen is bid at once and hardly ever made, so a hand has 54 decisions."""
    wide, narrow = (laffa.Batch(KOUTCHINA, games, hand_cap=None, target=1000) for games in (4096, 1))
    for batch, hands in ((wide, 9), (narrow, 620)):
        turn, sums = batch.reset(), np.zeros((batch.games, 2), np.int64)
        for _ in range(54 * hands):
            turn = batch.step(highest_actions(turn), out=turn)
            sums += turn.result["scores"] * turn.hand_done[:, None]
            assert not turn.done.any()
        assert batch.hands_finished == hands * batch.games
        p = batch.states["public"]
        np.testing.assert_array_equal(p["hands_played"], hands)
        np.testing.assert_array_equal(p["deals"], hands + 1)
        np.testing.assert_array_equal(p["scores"], sums)
    assert wide.hands_finished > 2**15
    assert 54 * narrow.hands_finished > 2**15
    assert sums.min() < -(2**9)


def test_a_game_of_36_tricks_counts_beyond_two_bytes():
    env = laffa.env("arbaa-turub", game_cap=None)
    for tricks in (18, 20):
        play_rigged(env, [0] * tricks + [1] * (36 - tricks), dealer=1, hands_played=55_000, scores=[990_000, 990_000])
        view = env.snapshot()
        assert (view["hands_played"], view["scores"], view["winner"]) == (55_001, [990_000 + tricks, 990_036 - tricks], None)


def test_one_side_may_take_all_36_tricks_and_views_say_so():
    env = laffa.env("arbaa-turub", slam_wins_match=False, game_cap=2, events=True)
    play_rigged(env, [0] * 36, dealer=0)
    assert env.snapshot()["streak"] == {"team": 0, "mark": 36}
    for side in range(2):
        shown = pieces(env.observe(AGENTS[side])["observation"])
        assert (shown["mark"], shown["holder"]) == ([36], [int(side == 0), int(side == 1)])
    play_rigged(env, [0] * 36, dealer=0, hands_played=1, scores=[36, 0], streak={"team": 0, "mark": 36})
    assert (env.snapshot()["phase"], len(env.snapshot()["tricks"])) == ("over", 36)
    for side in range(2):
        view = env.observe(AGENTS[side])
        shown = pieces(view["observation"])
        assert shown["tricks"] == [36 * (side == 0), 36 * (side == 1)]
        assert (max(shown["when"]), max(shown["played"])) == (36, 4)
        assert np.count_nonzero(view["events"]) == 145


def positions():
    """(environment, how the state is changed, piece, what it says): one below the end of a byte, at it and above it."""
    tarneeb = laffa.env(KOUTCHINA, hand_cap=None, all_pass_cap=None)
    tarneeb.reset(seed=1, options={"dealer": 3})
    points = laffa.env("tarabish", bid_max=250)
    points.reset(seed=1, options={"dealer": 3})
    play(points, "bid 250", "trump S", *["silent"] * 4)
    capped = laffa.env(KOUTCHINA, hand_cap=10_000)
    capped.reset(seed=1)
    for piece, env, field, rows in (
        ("points", points, "points", [((126, 0), [126, 0]), ((127, 127), [127, 127]), ((128, 1), [127, 1]), ((162, 0), [127, 0])]),
        ("points_needed", points, "points", [((0, 0), [127, 0]), ((122, 0), [127, 0]), ((123, 0), [127, 0]), ((124, 0), [126, 0])]),
        ("to_go", tarneeb, "scores", [((-95, -96), [126, 127]), ((-97, -(10**6)), [127, 127]), ((159, 160), [-128, -128]), ((158, 0), [-127, 31])]),
        (
            "to_go_coarse",
            tarneeb,
            "scores",
            [((-984, -985), [126, 127]), ((-992, -993), [127, 127]), ((1055, 1056), [-128, -128]), ((1047, 39), [-127, -1])],
        ),
        ("passed_deals", tarneeb, "passed_deals", [(126, [126]), (127, [127]), (128, [127]), (10**6, [127])]),
        ("hands_left", capped, "hands_played", [(9_874, [126]), (9_873, [127]), (9_872, [127]), (0, [127]), (9_999, [1])]),
    ):
        for value, shown in rows:
            yield env, field, value, piece, shown


@pytest.mark.parametrize(("env", "field", "value", "piece", "shown"), list(positions()))
def test_a_piece_is_exact_up_to_127_and_stays_there(env, field, value, piece, shown):
    env._states["public"][field] = value
    seat = env.agent_selection
    assert pieces(env.observe(seat)["observation"])[piece] == shown
    meaning = next(one.meaning for one in OBSERVATION if one.name == piece)
    assert "127" in meaning or piece in ("to_go_coarse", "passed_deals")


@pytest.mark.parametrize(
    ("cap", "number", "eighth"), [(126, 126, 15), (127, 127, 15), (128, 127, 16), (1015, 127, 126), (1016, 127, 127), (10_000, 127, 127)]
)
def test_a_number_of_the_rules_is_shown_up_to_127_and_divided_by_eight(cap, number, eighth):
    names = next(piece.meaning for piece in OBSERVATION if piece.name == "rule_numbers").split(": ")[1].split(", ")
    env = laffa.env(KOUTCHINA, hand_cap=cap)
    env.reset(seed=1)
    shown = dict(zip(names, pieces(env.observe("player_0")["observation"])["rule_numbers"], strict=True))
    assert (shown["hand_cap"], shown["hand_cap / 8"]) == (number, eighth)
