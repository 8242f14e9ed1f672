"""PettingZoo's and Gymnasium's own conformance tests over every set of options, their warnings as errors.

`laffa.testing.check` runs them over every variant.
"""

import itertools
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

import laffa
from helpers import AGENTS, KOUTCHINA, act, finish_at_random
from laffa.register import environment_id
from laffa.single import SingleSeat
from laffa.testing.official import ABOUT_DICTIONARIES

pytestmark = pytest.mark.env

SETS = [
    dict(zip(("episode", "reward", "illegal", "events", "render_mode", "max_hands"), values, strict=True))
    for values in itertools.product(
        ("match", "hand"), ("score", "outcome"), ("raise", "terminate"), (False, True), (None, "ansi", "human"), (None, 2)
    )
]
NAMES = ["-".join(str(value) for value in options.values()) for options in SETS]
QUICK = {"target": 7}
"""A short match, for tests that play to the end."""

registered = pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo has a registry from 1.27 on")


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in ABOUT_DICTIONARIES:
            warnings.filterwarnings("ignore", message=message)
        yield


@pytest.mark.trial("D05")
@pytest.mark.parametrize("options", SETS, ids=NAMES)
def test_api_and_seed_tests_pass_for_every_set_of_options(options):
    api_test(laffa.env(KOUTCHINA, **options), num_cycles=20)
    seed_test(lambda: laffa.env(KOUTCHINA, **options), num_cycles=20)


@pytest.mark.parametrize("options", SETS, ids=NAMES)
def test_the_parallel_interface_passes_for_every_set_of_options(options):
    parallel_api_test(laffa.parallel_env(KOUTCHINA, **options, **QUICK), num_cycles=60)
    # Unmasked samples: an illegal action must end the game rather than the test.
    parallel_seed_test(lambda: laffa.parallel_env(KOUTCHINA, **options | {"illegal": "terminate"}), num_cycles=20)


@pytest.mark.trial("D31")
@pytest.mark.parametrize("variant", laffa.variants())
@pytest.mark.parametrize("options", [{}, {"episode": "hand", "events": True, "max_hands": 1}])
def test_state_and_render_tests_pass_for_every_variant(variant, options, capsys):
    state_test(laffa.env(variant, illegal="terminate", **options), laffa.parallel_env(variant, **options))
    render_test(lambda render_mode: laffa.env(variant, render_mode=render_mode, **options))
    assert "player_0" in capsys.readouterr().out


def test_a_set_of_options_is_not_merely_accepted():
    """That the options above do what they are called; a test of the list itself."""
    assert len(SETS) == 96
    for options in ({"episode": "hand"}, {"max_hands": 1}):
        env = laffa.env(KOUTCHINA, **options)
        env.reset(seed=1)
        finish_at_random(env)
        assert env.snapshot()["hands_played"] == 1
    env = laffa.env(KOUTCHINA, events=True)
    env.reset(seed=1)
    assert set(env.observe("player_0")) == {"observation", "action_mask", "events"}
    assert set(env.observation_space("player_0")) == {"observation", "action_mask", "events"}


def test_the_official_test_would_notice_a_view_outside_its_space():
    env = laffa.env(KOUTCHINA)
    original = env.observe
    env.observe = lambda agent: original(agent) | {"observation": original(agent)["observation"].astype(np.int16)}
    with pytest.raises(AssertionError):
        api_test(env, num_cycles=5)


def test_parallel_steps_take_the_selected_agents_action_and_ignore_the_others():
    env = laffa.parallel_env(KOUTCHINA)
    env.reset(seed=3)
    twin = laffa.env(KOUTCHINA)
    twin.reset(seed=3)
    for action in (act("pass"), act("bid 7")):
        observations, rewards, terminations, truncations, infos = env.step(dict.fromkeys(AGENTS, 0) | {twin.agent_selection: action})
        twin.step(action)
        np.testing.assert_equal(observations, {agent: twin.observe(agent) for agent in AGENTS})
        assert (rewards, terminations, truncations) == (twin.rewards, twin.terminations, twin.truncations)
        assert set(infos) == set(AGENTS)


@registered
@pytest.mark.parametrize("variant", laffa.variants())
@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_pettingzoo_makes_every_registered_variant(variant, kind):
    env = pettingzoo.make(kind, environment_id(variant), episode="hand")
    env.reset(seed=4)
    twin = laffa.env(variant, episode="hand")
    twin.reset(seed=4)
    assert env.unwrapped.snapshot() == twin.snapshot()
    assert env.unwrapped.rules == twin.rules
    assert isinstance(env, pettingzoo.AECEnv if kind == "aec" else pettingzoo.ParallelEnv)


@registered
def test_pettingzoo_passes_options_of_the_variant_on():
    env = pettingzoo.make("aec", environment_id(KOUTCHINA), target=41, events=True)
    assert env.unwrapped.rules.target == 41
    with pytest.raises(ValueError, match="has no option 'targte'"):
        pettingzoo.make("aec", environment_id(KOUTCHINA), targte=41)


@pytest.mark.parametrize("variant", laffa.variants())
def test_gymnasium_makes_every_registered_variant(variant):
    short = {"game_cap": 2} if laffa.load(variant).game == "turub" else {"target": 9}
    env = gymnasium.make(environment_id(variant), partner="random", opponents="autopilot", seat=2, **short)
    assert isinstance(env.unwrapped, SingleSeat)
    observation, _ = env.reset(seed=1)
    over = False
    while not over:
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample(observation["action_mask"]))
        over = terminated or truncated
    assert env.observation_space.contains(observation)


@pytest.mark.parametrize("options", [{}, {"events": True, "episode": "hand", "reward": "outcome", "seat": 3, "max_hands": 1}])
def test_gymnasiums_checker_passes(options):
    """With unmasked samples, so an illegal action has to end the game."""
    check_env(SingleSeat(KOUTCHINA, partner="random", opponents="autopilot", illegal="terminate", **options), skip_render_check=True)
    check_env(gymnasium.make(environment_id(KOUTCHINA), illegal="terminate", render_mode="ansi", **options).unwrapped, skip_render_check=True)


def test_ids_end_in_the_version_of_the_rules():
    assert {environment_id(variant) for variant in laffa.variants()} <= set(gymnasium.registry)
    assert environment_id(KOUTCHINA) == f"laffa/tarneeb-koutchina-v{laffa.load(KOUTCHINA).version}"
    assert str(laffa.env(KOUTCHINA)) == environment_id(KOUTCHINA)
