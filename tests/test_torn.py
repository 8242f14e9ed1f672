"""Environments whose step is broken off, as by Ctrl-C: afterwards they stand before it or after it, or say that they need a reset."""

import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded

import laffa
from breaking import PACKAGE, broken_at
from helpers import AGENTS, KOUTCHINA, act, drain, finish_at_random, mask_of, raw
from laffa.single import SingleSeat

pytestmark = pytest.mark.env

FOLDERS = (PACKAGE, str(Path(pettingzoo.__file__).parent))


def game_of(env):
    """The AEC environment inside."""
    return env._game if isinstance(env, SingleSeat) else env.unwrapped


def facts(env):
    """All that a step may change and a user can see."""
    game = game_of(env)
    words = (game.rewards, game._cumulative_rewards, game.terminations, game.truncations, game.infos, game.agents, env.__dict__.get("agents"))
    return raw(game), game.agent_selection, repr(words), game._live, game._clear, env.__dict__.get("_over")


def highest(game):
    """The last legal action, so that thirteen is bid at once; 0 where nobody is to act."""
    return int(max(np.flatnonzero(mask_of(game)), default=0)) if game.agents else 0


def play_highest(env):
    """One step of any of the environments."""
    game = game_of(env)
    if isinstance(env, SingleSeat):
        env.step(highest(game))
    elif env is game:
        env.step(highest(game) if game._live else None)
    else:
        env.step({game.agent_selection: highest(game)})


def break_everywhere(env, work, every=1):
    """Break `work(env)` off at every n-th instruction of copies; what has become of each: "before", "after" or "reset"."""
    blob, before, number, outcomes = pickle.dumps(env), facts(env), 1, []
    work(env)
    after = facts(env)
    assert after != before
    while True:
        broken = pickle.loads(blob)
        if not broken_at(number, partial(work, broken), FOLDERS):
            return outcomes
        outcomes.append(outcome(broken, before, after))
        number += every


def outcome(env, before, after):
    """What has become of an environment; it can be reset in any case, and if it can go on, it stands before or after the step."""
    said = "reset()"
    try:
        play_highest(pickle.loads(pickle.dumps(env)))
        found = "before" if facts(env) == before else "after"
        assert facts(env) in (before, after)
    except ResetNeeded as error:
        said = str(error)
        found = "after" if facts(env) == after and not game_of(env)._live else "reset"
    assert "reset()" in said
    fresh = game_of(env) if isinstance(env, SingleSeat) else env
    fresh.reset(seed=9)
    twin = laffa.env(KOUTCHINA, episode="hand")
    twin.reset(seed=9)
    assert (raw(fresh.unwrapped), fresh.unwrapped.agent_selection) == (raw(twin), twin.agent_selection)
    return found


MAKERS = {"aec": laffa.env, "parallel": laffa.parallel_env, "single": partial(SingleSeat, partner="autopilot", opponents="autopilot", seat=2)}


def begun(kind, steps, **options):
    """An environment after some steps; a negative number counts from the end of the hand."""
    env = MAKERS[kind](KOUTCHINA, **{"episode": "hand", **options})
    env.reset(seed=3)
    if steps < 0:
        while game_of(env)._live:
            play_highest(env)
            steps += 1
        return begun(kind, steps, **options)
    for _ in range(steps):
        play_highest(env)
    return env


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("last", [False, True], ids=["ordinary", "last"])
def test_a_step_broken_off_at_any_instruction_is_whole_or_asks_for_a_reset(kind, last):
    env = begun(kind, -1 if last else 5)
    outcomes = break_everywhere(env, play_highest, every=1 if kind == "aec" else 3)
    assert {"before", "reset"} <= set(outcomes)
    assert (not game_of(env)._live) == last
    assert outcomes == sorted(outcomes, key=["before", "reset", "after"].index)


def test_the_other_steps_of_an_aec_environment_are_whole_or_ask_for_a_reset_too():
    counted = begun("aec", 53, episode="match")
    gone = begun("aec", 54)
    for env in (counted, gone):
        assert "reset" in break_everywhere(env, play_highest)
    assert counted._live
    assert "reset" in break_everywhere(begun("aec", 20, illegal="terminate"), lambda env: env.step(act("pass")), every=31)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_reset_broken_off_at_any_instruction_is_whole_or_has_to_be_done_again(kind):
    outcomes = break_everywhere(begun(kind, 5), lambda env: env.reset(seed=4), every=1 if kind == "aec" else 3)
    assert {"before", "reset"} <= set(outcomes)


@pytest.mark.parametrize("kind", MAKERS)
def test_what_is_refused_does_not_count_as_broken_off(kind):
    env = begun(kind, 4)
    before = facts(env)
    game = game_of(env)
    bad = {game.agent_selection: act("pass")} if kind == "parallel" else act("pass")
    with pytest.raises(laffa.IllegalAction):
        env.step(bad)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    if kind == "parallel":
        for nothing in ({}, None):
            with pytest.raises((KeyError, TypeError)):
                env.step(nothing)
    assert facts(env) == before
    play_highest(env)


def test_an_environment_that_was_broken_off_shows_nothing_and_a_reset_without_a_seed_goes_on_with_the_running_one():
    env, twin = begun("aec", 30), begun("aec", 31)
    number = 1
    while env._ready:
        env = begun("aec", 30)
        assert broken_at(number, lambda: play_highest(env))  # noqa: B023 - called at once
        number += 1
    for ask in (env.last, env.state, env.snapshot, env.table, env.render, env.turn, lambda: env.step(1), lambda: env.observe("player_0")):
        with pytest.raises(ResetNeeded, match=r"reset\(\) must be called before \w+\(\): the last call was broken off in the middle"):
            ask()
    while not env._ready or raw(env) != raw(twin):  # a kernel that has run has made the step
        env = begun("aec", 30)
        assert broken_at(number, lambda: play_highest(env))  # noqa: B023
        number += 1
    env.reset()
    twin.reset()
    assert (raw(env), env.agents) == (raw(twin), AGENTS)
    finish_at_random(env)
    assert len(drain(env)) == 4
