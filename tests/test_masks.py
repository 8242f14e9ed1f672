"""Masks say exactly what may be done: what they allow works, what they do not is refused, and nobody else may move."""

import numpy as np
import pytest

import laffa
from helpers import (
    AGENTS,
    KOUTCHINA,
    NEVER_ACTIONS,
    act,
    hands_for,
    is_over,
    legal_texts,
    mask_of,
    play,
    positions,
    random_actions,
    raw,
    seat_of,
    walk,
)
from laffa.batch import IllegalAction
from laffa.cards import ACTIONS
from laffa.sweep import find_illegal
from laffa.testing import clone

pytestmark = pytest.mark.env


def allowed(view, rules):
    """The legal actions of a snapshot as texts, worked out from the rules in words (K10-K14, K17, K21)."""
    if view["phase"] == "bid":
        bids = [int(call[4:]) for _, call in view["calls"] if call != "pass"]
        return {"pass"} | {f"bid {n}" for n in range(max([rules.bid_min, *(bid + 1 for bid in bids)]), rules.bid_max + 1)}
    if view["phase"] == "trump":
        return {"trump S", "trump H", "trump D", "trump C"}
    if view["phase"] == "over":
        return set()
    hand, table = view["hands"][view["turn"]], view["trick"]["cards"]
    return {card for card in hand if table and card[1] == table[0][1][1]} or set(hand)


def check_waiting_masks(env):
    for agent in AGENTS:
        view = env.observe(agent)
        assert env.observation_space(agent).contains(view)
        assert view["action_mask"].dtype == np.int8
        if agent != env.agent_selection or is_over(env):
            assert not view["action_mask"].any()
        else:
            assert view["action_mask"].any()


@pytest.mark.trial("D03", "D35")
@pytest.mark.parametrize("options", [{}, {"bid_min": 4, "bid_max": 9}, {"close_at_max": False}, {"episode": "hand", "events": True}])
def test_every_mask_of_a_match_is_the_one_worked_out_from_scratch(options):
    for seed in range(2):
        env = laffa.env(KOUTCHINA, **options)
        env.reset(seed=seed)
        for _ in walk(env, seed):
            check_waiting_masks(env)
            assert set(legal_texts(env)) == (allowed(env.snapshot(), env.rules) if not is_over(env) else set())


@pytest.mark.trial("D35")
def test_masks_of_a_batch_are_the_ones_worked_out_from_scratch():
    batch = laffa.Batch(KOUTCHINA, 200, seed=3)
    turn, rng = batch.reset(), np.random.default_rng(3)
    for step in range(400):
        seats, cards = batch.states["public"]["turn"], batch.states["hands"]
        public = batch.states["public"]
        expected = np.zeros_like(turn.mask)
        for game in range(200) if step % 20 == 0 else ():
            p, hand = public[game], cards[game, seats[game]]
            if p["phase"] == 0:
                expected[game, [act("pass"), *(act(f"bid {n}") for n in range(max(7, int(p["level"]) + 2), 14))]] = 1
            elif p["phase"] == 1:
                expected[game, act("trump S") : act("trump C") + 1] = 1
            else:
                suit = int(p["table"][0]) // 13
                follow = np.flatnonzero(hand[13 * suit : 13 * suit + 13]) + 13 * suit if p["on_table"] > 0 else []
                expected[game, follow if len(follow) else np.flatnonzero(hand)] = 1
            np.testing.assert_array_equal(turn.mask[game], expected[game])
        turn = batch.step(random_actions(turn, rng))


@pytest.mark.trial("D03")
def test_whatever_the_mask_allows_can_be_played_and_nothing_else():
    """The general case, at random positions of every phase."""
    phases = set()
    for env in positions(1, 120):
        phases.add(env.snapshot()["phase"])
        mask, before = mask_of(env), raw(env)
        for action in np.flatnonzero(mask):
            copy = clone(env)
            copy.step(action)
            assert raw(copy) != before
            assert copy.snapshot() != env.snapshot()
        assert raw(env) == before
        check_refusals(env, np.flatnonzero(mask == 0)[:: 1 if len(phases) < 2 else 7])
    assert phases == {"bid", "trump", "play"}


def check_refusals(env, illegal):
    before, shown = raw(env), [env.observe(agent) for agent in AGENTS]
    agent, rewards, legal = env.agent_selection, dict(env.rewards), legal_texts(env)
    for action in (*NEVER_ACTIONS, *illegal):
        with pytest.raises(IllegalAction) as error:
            env.step(action)
        assert raw(env) == before
    assert agent in str(error.value)
    assert f"phase {env.snapshot()['phase']!r}" in str(error.value)
    assert str(error.value).endswith(f"legal are {', '.join(legal)}")
    assert (env.agent_selection, env.rewards) == (agent, rewards)
    assert not any(env.terminations.values())
    for agent, old in zip(AGENTS, shown, strict=True):
        np.testing.assert_equal(env.observe(agent), old)


@pytest.mark.trial("D03")
def test_the_check_of_every_action_number_agrees_with_the_mask_in_thousands_of_states():
    batch = laffa.Batch(KOUTCHINA, 100, seed=8)
    turn, rng = batch.reset(), np.random.default_rng(8)
    numbers = [-(2**62), -64, -1, *range(ACTIONS + 80), 2**62]
    for step in range(300):
        if step % 10 == 0:
            before = batch.states.tobytes()
            legal = np.zeros((100, len(numbers)), bool)
            legal[:, 3 : 3 + ACTIONS] = turn.mask
            for game in range(100):
                one, row = batch.states[game : game + 1], legal[game]
                for column in rng.choice(len(numbers), 40, replace=False):
                    assert (find_illegal(batch.rules.packed, one, np.array([numbers[column]])) == -1) == row[column]
            assert batch.states.tobytes() == before
        turn = batch.step(random_actions(turn, rng))


@pytest.mark.trial("D05")
@pytest.mark.parametrize(
    "position",
    [
        {"scores": [-60, -60]},
        {"scores": [30, 30]},
        {"scores": [31, 31]},
        {"scores": [-(10**6), 30]},
        {"scores": [500, 500]},
        {"hands_played": 49, "passed_deals": 7},
    ],
)
@pytest.mark.parametrize("options", [{}, {"events": True}, {"target": 1000, "hand_cap": 10_000, "all_pass_cap": 127}])
def test_observations_are_in_their_space_at_extreme_scores(position, options):
    if max(position.get("scores", [0])) == 500 and not options.get("target"):
        position = {"scores": [31, 31]}
    env = laffa.env(KOUTCHINA, episode="hand", **options)
    env.reset(seed=1, options=position)
    for _ in walk(env, 5):
        for agent in AGENTS:
            view, space = env.observe(agent), env.observation_space(agent)
            assert space is env.observation_space(agent)
            assert space.contains(view)
            assert {name: (array.dtype, array.shape) for name, array in view.items()} == {name: (box.dtype, box.shape) for name, box in space.items()}
        assert env.state_space.contains(env.state())
        assert env.action_space("player_0") is env.action_space("player_0")


@pytest.mark.trial("D35")
@pytest.mark.parametrize("suit", "SHDC")
@pytest.mark.parametrize("trump", "SHDC")
def test_nobody_can_refuse_to_follow_suit(suit, trump):
    """For each trump and each suit led: holders of the suit must follow, the others may play anything (K21)."""
    reneges = 0
    for seed in range(6):
        env = laffa.env(KOUTCHINA)
        env.reset(seed=seed)
        play(env, "bid 13", f"trump {trump}")
        view = env.snapshot()
        assert set(legal_texts(env)) == set(view["hands"][view["turn"]])
        play(env, *[card for card in view["hands"][view["turn"]] if card[1] == suit][:1])
        while len(env.snapshot()["trick"]["cards"]) > 0:
            hand, legal = env.snapshot()["hands"][env.snapshot()["turn"]], legal_texts(env)
            assert set(legal) == set([card for card in hand if card[1] == suit] or hand)
            for renege in set(hand) - set(legal):
                reneges += 1
                with pytest.raises(IllegalAction, match=f"may not play action .*{renege}.* in phase"):
                    env.step(act(renege))
            play(env, legal[-1])
    assert reneges > 50


def test_a_trump_may_be_kept_by_a_seat_that_cannot_follow():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1, options={"dealer": 0, "hands": hands_for(0, 1)})
    play(env, "bid 13", "trump S", "AH")
    assert seat_of(env.agent_selection) == 2
    assert len(legal_texts(env)) == 13
    env.reset(seed=1, options={"dealer": 0, "hands": hands_for(7, 1)})
    play(env, "bid 13", "trump S", "AS")
    assert set(legal_texts(env)) == {"7S", "6S", "5S", "4S", "3S", "2S"}
    play(env, "7S")
    assert len(legal_texts(env)) == 13
