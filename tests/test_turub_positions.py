"""Positions of Arba'a Turub: accepted if and only if some games can have led there (Q22, Q29)."""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, random_start
from laffa.position import read_position
from referee_turub import match_winner, streak_after

pytestmark = pytest.mark.env


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"scores": [20, 15], "hands_played": 1}, "are not the 36 tricks of each of 1 games"),
        ({"scores": [20, 16]}, "are not the 36 tricks of each of 0 games"),
        ({"streak": {"team": 0, "mark": 20}}, "0 games in which a side took 0 tricks cannot leave it with a first win of 20"),
        ({"streak": {"team": 0, "mark": 19}, "scores": [30, 6], "hands_played": 1}, "took 30 tricks cannot leave it with a first win of 19"),
        ({"streak": {"team": 1, "mark": 19}, "scores": [30, 6], "hands_played": 1}, "took 6 tricks cannot leave it with a first win of 19"),
        ({"scores": [36, 0], "hands_played": 1}, "36 to 0 tricks cannot all be level, so a streak has to be given"),
        ({"streak": None, "scores": [20, 16], "hands_played": 1}, "so a streak has to be given"),
        ({"streak": {"team": 0, "mark": 18}, "scores": [20, 16], "hands_played": 1}, "streak mark"),
        ({"streak": {"team": 0, "mark": 36}, "scores": [36, 0], "hands_played": 1}, "streak mark"),
        ({"streak": {"team": 2, "mark": 20}, "scores": [20, 16], "hands_played": 1}, "streak team"),
        ({"streak": [0, 20], "scores": [20, 16], "hands_played": 1}, "dictionary of team and mark"),
        ({"streak": {"team": 0}, "scores": [20, 16], "hands_played": 1}, "dictionary of team and mark"),
        ({"hands_played": 50, "scores": [900, 900]}, "hands_played"),
        ({"passed_deals": 1}, "passed_deals = 1 is not possible; it takes a whole number from 0 to 0"),
        ({"hands": [["AS"] * 5, [], [], []]}, "AS is there more than 4 times"),
    ],
)
def test_a_position_that_cannot_be_is_refused(options, sentence):
    env = laffa.env("arbaa-turub")
    with pytest.raises(ValueError, match=sentence):
        env.reset(seed=1, options=options)


def games_later(options, whole, before):
    """What one more game makes of some (tricks of seats 0 and 2, holder, mark), matches that it decides left out."""
    for total, holder, mark in before:
        for first in range(whole + 1):
            tricks = [first, whole - first]
            if match_winner(options, holder, mark, tricks, 0) is None:
                yield total + first, *streak_after(holder, mark, tricks)


def is_accepted(rules, games, total, holder, mark):
    """Whether a position may say that seats 0 and 2 have taken `total` tricks in so many games, after which `holder` has won with `mark`."""
    streak = {} if holder is None else {"streak": {"team": holder, "mark": mark}}
    try:
        read_position(rules, {"hands_played": games, "scores": [total, games * rules.whole - total], **streak})
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("slam", [True, False])
@pytest.mark.parametrize(("variant", "most"), [("arbaa-turub", 4), ("turup", 7)])
def test_a_position_is_accepted_if_and_only_if_some_games_lead_to_it(variant, most, slam):
    """All sequences of a few games by the referee, against every position that could be asked for."""
    rules = laffa.load(variant, slam_wins_match=slam)
    reached = {(0, None, 0)}
    for games in range(most + 1):
        asked = [(total, None, 0) for total in range(games * rules.whole + 1)]
        asked += [(total, holder, mark) for total, _, _ in asked for holder in (0, 1) for mark in range(rules.whole + 1)]
        assert {one for one in asked if is_accepted(rules, games, *one)} == reached
        reached = set(games_later(rules.options, rules.whole, reached))


@pytest.mark.parametrize("variant", ["arbaa-turub", "turup"])
def test_random_positions_of_the_tests_are_such_positions(variant):
    rng, rules = np.random.default_rng(4), laffa.load(variant)
    starts = [random_start(rng, rules) for _ in range(200)]
    assert all(read_position(rules, start) for start in starts)
    assert {start.get("streak", {}).get("team") for start in starts} == {None, 0, 1}


def test_a_position_in_the_middle_of_a_match():
    env = laffa.env("arbaa-turub")
    env.reset(seed=1, options={"dealer": 2, "scores": [20, 16], "hands_played": 1, "streak": {"team": 0, "mark": 20}})
    view = env.snapshot()
    assert (view["streak"], view["scores"], view["turn"]) == ({"team": 0, "mark": 20}, [20, 16], 3)
    holder, mark, left = (next(p for p in laffa.observation_layout("arbaa-turub") if p.name == name) for name in ("holder", "mark", "hands_left"))
    for seat, agent in enumerate(AGENTS):
        shown = env.observe(agent)["observation"]
        assert shown[holder.offset : holder.offset + 2].tolist() == [int(seat % 2 == 0), int(seat % 2 == 1)]
        assert (shown[mark.offset], shown[left.offset]) == (20, 49)


def test_a_tarneeb_position_has_no_streak():
    env = laffa.env("tarneeb-koutchina")
    with pytest.raises(ValueError, match="no streak"):
        env.reset(seed=1, options={"streak": {"team": 0, "mark": 20}})
