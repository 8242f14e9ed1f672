"""What holds after every step of any game, whatever the options and whoever plays what."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import laffa
from helpers import AGENTS, KOUTCHINA, PACK, is_over, mask_of, play, trick_winner

pytestmark = pytest.mark.env

SEEDS = st.integers(0, 2**63 - 1)
PICKS = st.lists(st.integers(0, 2**20), min_size=1, max_size=25)
POSITIONS = st.fixed_dictionaries(
    {},
    optional={
        "dealer": st.integers(0, 3),
        "scores": st.tuples(st.integers(-300, 12), st.integers(-300, 12)),
        "hands_played": st.integers(0, 5),
        "passed_deals": st.integers(0, 2),
        "hands": st.permutations(PACK).map(lambda pack: [pack[13 * seat : 13 * seat + 13] for seat in range(4)]),
    },
)


@st.composite
def options(draw):
    """Options of a variant and of its environment that are possible together; caps above what POSITIONS give."""
    low = draw(st.integers(1, 13))
    return {
        "bid_min": low,
        "bid_max": draw(st.integers(low, 13)),
        "close_at_max": draw(st.booleans()),
        "target": draw(st.integers(13, 60)),
        "hand_cap": draw(st.sampled_from([6, 7, 50, None])),
        "all_pass_cap": draw(st.sampled_from([3, 8, None])),
        "cap_tie": draw(st.sampled_from(["draw", "last_hand_winner"])),
        "episode": draw(st.sampled_from(["match", "hand"])),
        "max_hands": draw(st.sampled_from([None, 1, 2])),
    }


def start(seed, position, chosen):
    env = laffa.env(KOUTCHINA, **chosen)
    env.reset(seed=seed, options=position)
    return env


def steps(env, picks, limit=260):
    """Play the legal action that each pick falls on, the picks over and over; (before, action text, after) of every step."""
    before = env.snapshot()
    for number in range(limit):
        if is_over(env):
            return
        legal = np.flatnonzero(mask_of(env))
        action = int(legal[(picks[number % len(picks)] + number) % len(legal)])
        env.step(action)
        after = env.snapshot()
        yield before, laffa.action_text(env.rules, action), after
        before = after


def played(view):
    return [(seat, text) for seat, text in view["history"] if len(text) == 2]


@given(SEEDS, PICKS, POSITIONS, options())
def test_the_52_cards_are_all_there_after_every_step(seed, picks, position, chosen):
    for _, _, view in steps(start(seed, position, chosen), picks):
        cards = [card for hand in view["hands"] for card in hand] + [card for _, card in played(view)]
        if view["phase"] == "over":
            assert view["hands"] == [[]] * 4
            assert len(cards) == len(set(cards)) in (0, 52)
        else:
            assert sorted(cards) == sorted(PACK)
            assert all(len(hand) + sum(seat == me for me, _ in played(view)) == 13 for seat, hand in enumerate(view["hands"]))


@given(SEEDS, PICKS, POSITIONS, options())
def test_tricks_add_up_and_their_winners_are_right(seed, picks, position, chosen):
    for _, _, view in steps(start(seed, position, chosen), picks):
        assert sum(view["hand"]["tricks"]) == len(view["tricks"]) == len(played(view)) // 4 <= 13
        assert [sum(winner % 2 == side for _, _, winner in view["tricks"]) for side in range(2)] == view["hand"]["tricks"]
        for leader, cards, winner in view["tricks"]:
            assert winner == (leader + trick_winner(cards, view["trump"])) % 4


@given(SEEDS, PICKS, POSITIONS, options())
def test_the_turn_goes_round_and_only_tricks_contracts_and_deals_move_it(seed, picks, position, chosen):
    for before, text, after in steps(start(seed, position, chosen), picks):
        if not after["history"]:
            assert after["dealer"] == (before["dealer"] + 1) % 4
            assert after["turn"] == (after["dealer"] + 1) % 4
        elif after["phase"] == "over":
            assert (after["turn"], after["trick"]["leader"]) == (None, None)
        elif after["phase"] == "trump" or text.startswith("trump"):
            assert after["turn"] == after["contract"]["seat"]
        elif before["phase"] == "play" and not after["trick"]["cards"]:
            assert after["turn"] == after["tricks"][-1][2] == after["trick"]["leader"]
        else:
            assert after["turn"] == (before["turn"] + 1) % 4


@given(SEEDS, PICKS, POSITIONS, options())
def test_scores_follow_the_last_hand_and_rewards_are_its_difference(seed, picks, position, chosen):
    env = start(seed, position, chosen)
    for before, _, after in steps(env, picks):
        counted = after["hands_played"] - before["hands_played"]
        gained = [after["scores"][side] - before["scores"][side] for side in range(2)]
        if counted:
            last, side = after["last_hand"], after["last_hand"]["contract"]["seat"] % 2
            bid, tricks = last["contract"]["value"], last["tricks"][side]
            assert gained == last["scores"]
            assert (last["scores"][side], last["scores"][1 - side]) == ((bid, 0) if tricks >= bid else (-bid, 13 - tricks))
            assert last["made"] == (tricks >= bid)
            assert after["passed_deals"] == 0
        else:
            assert (counted, gained, after["last_hand"]) == (0, [0, 0], before["last_hand"])
        difference = gained[0] - gained[1]
        assert [env.rewards[agent] for agent in AGENTS] == [difference, -difference] * 2


@given(SEEDS, PICKS, POSITIONS, options())
def test_a_match_ends_exactly_when_the_rules_or_the_user_say_so(seed, picks, position, chosen):
    env = start(seed, position, chosen)
    begun = env.snapshot()["hands_played"]
    for before, _, after in steps(env, picks):
        counted = after["hands_played"] > before["hands_played"]
        decided = (max(after["scores"]) >= env.rules.target and len(set(after["scores"])) == 2) or after["hands_played"] == env.rules.hand_cap
        closed = after["passed_deals"] == env.rules.all_pass_cap
        one_hand, limit = chosen["episode"] == "hand", after["hands_played"] - begun == chosen["max_hands"]
        assert (after["winner"] is not None) == ((counted and decided) or closed)
        assert is_over(env) == ((counted and (decided or one_hand or limit)) or closed) == (after["phase"] == "over")
        assert all(env.truncations.values()) == (counted and limit and not decided and not one_hand)
        assert any(env.truncations.values()) == all(env.truncations.values())
        assert any(env.terminations.values()) == all(env.terminations.values())
        if after["winner"] in (0, 1) and len(set(after["scores"])) == 2:
            assert after["scores"][after["winner"]] == max(after["scores"])


@given(SEEDS, PICKS, POSITIONS, options(), st.integers(1, 260))
def test_the_history_of_a_hand_replays_to_the_same_state(seed, picks, position, chosen, limit):
    env = start(seed, position, chosen)
    for _ in steps(env, picks, limit):
        if is_over(env):
            return
    view = env.snapshot()
    hands = [view["hands"][seat] + [card for me, card in played(view) if me == seat] for seat in range(4)]
    again = {name: view[name] for name in ("dealer", "scores", "hands_played", "passed_deals")} | {"hands": hands}
    replay = laffa.env(KOUTCHINA, **chosen)
    replay.reset(seed=0, options=again)
    play(replay, *(text for _, text in view["history"]))
    assert replay.snapshot() == view | {"last_hand": None}
    if view["last_hand"] is None:
        for agent in AGENTS:
            np.testing.assert_equal(replay.observe(agent), env.observe(agent))


@given(SEEDS, PICKS, options())
def test_the_same_seed_and_actions_give_the_same_game(seed, picks, chosen):
    one, other = start(seed, {}, chosen), start(seed, {}, chosen)
    assert [after for _, _, after in steps(one, picks)] == [after for _, _, after in steps(other, picks)]


@given(SEEDS, PICKS, POSITIONS, options())
def test_a_snapshot_is_plain_json(seed, picks, position, chosen):
    env = start(seed, position, chosen)
    for _ in steps(env, picks, 70):
        pass
    view = env.snapshot()
    assert json.loads(json.dumps(view)) == view


@given(SEEDS, PICKS, POSITIONS, options())
def test_views_stay_in_their_spaces(seed, picks, position, chosen):
    env = start(seed, position, chosen | {"events": True})
    for _ in steps(env, picks):
        for agent in AGENTS:
            assert env.observation_space(agent).contains(env.observe(agent))
        assert env.state_space.contains(env.state())
