"""What holds in the environment of every variant, from the reset to the last seat's leave: turns, views, masks, pay, spaces."""

import re

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict

import laffa
from helpers import (
    AGENTS,
    FAMILIES,
    KOUTCHINA,
    choose,
    finish_at_random,
    four_hands,
    is_over,
    mask_of,
    play,
    raw,
    short_match,
    walk,
)
from laffa.cards import RANKS, SUITS
from laffa.single import SingleSeat
from test_masks import check_waiting_masks
from test_turub_hands import play_rigged

pytestmark = pytest.mark.env

every_variant = pytest.mark.parametrize("variant", laffa.variants())


def played_match(env, rng):
    """Play one match as one is meant to; (what `last` showed by agent, what side 0's hands came to, who left in order)."""
    shown, scored, left, hands = dict.fromkeys(AGENTS, 0.0), 0, [], 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        shown[agent] += reward
        assert not truncated
        assert set(env.terminations.values()) == {terminated}
        if terminated:
            check_only_none_is_left(env)
            left.append(agent)
            env.step(None)
            continue
        assert env.agents == AGENTS
        env.step(choose(observation["action_mask"], rng))
        view = env.snapshot() if env._states["public"]["hands_played"][0] > hands else None
        gain = view["last_hand"]["scores"][0] - view["last_hand"]["scores"][1] if view else 0
        assert [env.rewards[seat] for seat in AGENTS] == [gain, -gain, gain, -gain]
        scored, hands = scored + gain, hands + (view is not None)
    return shown, scored, left


def check_only_none_is_left(env):
    before = raw(env), list(env.agents)
    with pytest.raises(ValueError, match=f"{env.agent_selection} is done, so the only action left is None"):
        env.step(3)
    assert (raw(env), env.agents) == before


@pytest.mark.trial("D01", "D06")
@every_variant
def test_a_match_ends_for_all_four_at_once_and_has_paid_each_seat_what_its_hands_scored(variant):
    """Twice on one object."""
    env = laffa.env(variant, **short_match(variant))
    for seed in (1, 2):
        env.reset(seed=seed)
        shown, scored, left = played_match(env, np.random.default_rng(seed))
        assert shown == dict(zip(AGENTS, [scored, -scored] * 2, strict=True))
        assert sorted(left) == AGENTS
        assert env.agents == []
        assert env.snapshot()["hands_played"] > 0


def check_readable(env, agent):
    """All that the interface has for an agent, in the types that it declares."""
    space = env.observation_space(agent)
    view = env.observe(agent)
    assert space is env.observation_space(agent)
    assert space.contains(view)
    assert {name: (array.dtype, array.shape) for name, array in view.items()} == {name: (box.dtype, box.shape) for name, box in space.items()}
    assert isinstance(env.rewards[agent], (int, float))  # PettingZoo itself clears them to the integer 0
    assert type(env.infos[agent]) is dict
    assert (type(env.terminations[agent]), type(env.truncations[agent])) == (bool, bool)


@pytest.mark.trial("D02", "D03", "D05")
@every_variant
def test_everything_can_be_read_for_every_seat_after_every_step_and_until_it_leaves(variant):
    env = laffa.env(variant, episode="hand", events=True)
    env.reset(seed=3)
    for _ in walk(env, 3):
        check_waiting_masks(env)
        for agent in AGENTS:
            check_readable(env, agent)
    assert is_over(env)
    while env.agents:
        for agent in env.agents:
            check_readable(env, agent)
        env.step(None)
    env.reset()
    assert mask_of(env).any()
    assert finish_at_random(env) > 36


@pytest.mark.trial("D05")
@every_variant
def test_spaces_are_flat_dictionaries_of_boxes_and_agents_are_words_with_numbers(variant):
    env = laffa.env(variant, events=True)
    assert all(re.fullmatch(r"[a-z]+_\d+", agent) for agent in env.possible_agents)
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert type(space) is Dict
        assert {type(box) for box in space.values()} == {Box}
        assert (space["action_mask"].dtype, space["action_mask"].shape) == (np.int8, (env.action_space(agent).n,))


@pytest.mark.trial("D05")
@pytest.mark.parametrize("scores", [[499, 499], [500, 500], [10**6, 10**6]])
@pytest.mark.parametrize("variant", ["tarabish", "tarabish-long", "tarabish-notrump"])
def test_views_of_tarabish_stay_in_their_spaces_where_scores_are_high(variant, scores):
    env = laffa.env(variant, episode="hand", events=True)
    env.reset(seed=1, options={"scores": scores})
    for _ in walk(env, 5):
        for agent in AGENTS:
            check_readable(env, agent)
    assert max(env.snapshot()["scores"]) > 499


@pytest.mark.trial("D05", "D38")
def test_views_of_turub_stay_in_their_spaces_with_four_copies_in_hand_and_with_all_36_tricks():
    env = laffa.env("arbaa-turub", episode="hand", events=True)
    env.reset(seed=1, options={"dealer": 3, "hands": four_hands([rank + "S" for rank in RANKS[4:] for _ in range(4)])})
    play(env, "trump S")
    for agent in AGENTS:
        check_readable(env, agent)
    assert env.observe("player_0")["observation"][: 13 * len(SUITS)].max() == 4
    play_rigged(env, [0] * 36, dealer=3)
    for agent in AGENTS:
        check_readable(env, agent)
    assert env.snapshot()["last_hand"]["tricks"] == [36, 0]


@pytest.mark.trial("D16")
@pytest.mark.parametrize("variant", FAMILIES)
def test_views_that_were_kept_do_not_change_and_what_is_written_into_them_is_not_read(variant):
    env, twin = (laffa.env(variant, events=True) for _ in range(2))
    rng, history = np.random.default_rng(4), []
    for game in (env, twin):
        game.reset(seed=4)
    for _ in range(80):
        views = [array for agent in AGENTS for array in env.observe(agent).values()] + [env.state()]
        history.append((views, [array.copy() for array in views]))
        for array in [array for agent in AGENTS for array in twin.observe(agent).values()] + [twin.state()]:
            array.fill(1)
        action = choose(mask_of(env), rng)
        env.step(action)
        twin.step(action)
    assert raw(env) == raw(twin)
    for kept, copies in history:
        np.testing.assert_equal(kept, copies)


@pytest.mark.trial("D16")
def test_views_of_the_gymnasium_environment_are_kept_and_written_into_alike():
    env, twin = (SingleSeat(KOUTCHINA, partner="random", opponents="autopilot") for _ in range(2))
    view, other, history = env.reset(seed=4)[0], twin.reset(seed=4)[0], []
    for _ in range(60):
        history.append((view, {name: array.copy() for name, array in view.items()}))
        action = int(view["action_mask"].argmax())
        for array in other.values():
            array.fill(1)
        view, _, over, _, _ = env.step(action)
        other = twin.step(action)[0]
        if over:
            view, other = env.reset()[0], twin.reset()[0]
    assert raw(env._game) == raw(twin._game)
    for kept, copy in history:
        np.testing.assert_equal(kept, copy)
