"""Copies of environments and batches: by deepcopy, by pickle, in another process."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from numpy.lib.recfunctions import repack_fields
from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

import laffa
from helpers import FAMILIES, KOUTCHINA, act, highest_actions, is_over, mask_of, raw, views
from laffa.aec import _observe, _step
from laffa.single import SingleSeat
from laffa.state import BLIND, STATE

pytestmark = pytest.mark.env


def wrapped(variant, **options):
    """As PettingZoo's own environments come."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(laffa.env(variant, **options)))


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda thing: pickle.loads(pickle.dumps(thing))}


def play_on(env, choices):
    """Play an action for each choice, a place in [0, 1) among the legal ones; a match that has ended is followed by the next."""
    game = env.unwrapped
    for choice in choices:
        legal = np.flatnonzero(mask_of(game))
        game.step(int(legal[int(choice * len(legal))]))
        if is_over(game):
            game.reset()


def in_a_trick(make, variant):
    """An environment in the middle of a trick, somewhere in a match."""
    env, rng = make(variant, events=True), np.random.default_rng(5)
    env.reset(seed=5)
    play_on(env, rng.random(200))
    while not env.unwrapped.snapshot()["trick"]["cards"]:
        play_on(env, rng.random(1))
    return env


def everything(env):
    """The state, what each seat sees, and what goes on besides."""
    game = env.unwrapped
    seen = [array.tobytes() for view in views(game).values() for array in view.values()]
    return raw(env), seen, list(game.agents), game.agent_selection, dict(game.rewards), dict(game._cumulative_rewards), dict(game.terminations)


@pytest.mark.trial("D14")
@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("make", [laffa.env, laffa.parallel_env, wrapped])
@pytest.mark.parametrize("variant", FAMILIES)
def test_a_copy_plays_on_as_the_original_would_and_neither_disturbs_the_other(variant, make, how):
    """Over several deals, which a copied generator has to give alike."""
    env = in_a_trick(make, variant)
    twin, choices, before = COPIES[how](env), np.random.default_rng(1).random(500), everything(env)
    deals = env.unwrapped._states["public"]["deals"][0]
    assert everything(twin) == before
    play_on(env, choices)
    assert everything(twin) == before
    after = everything(env)
    play_on(twin, choices)
    assert everything(twin) == everything(env) == after != before
    assert env.unwrapped._states["public"]["deals"][0] > deals + 1


@pytest.mark.trial("D14")
@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("variant", FAMILIES)
def test_a_copied_batch_plays_on_as_the_original_would(variant, how):
    batch = laffa.Batch(variant, 9, seed=2)
    turn = batch.reset()
    for _ in range(100):
        turn = batch.step(highest_actions(turn))
    twin = COPIES[how](batch)
    before = raw(twin)
    actions = []
    for _ in range(200):
        actions.append(highest_actions(turn))
        turn = batch.step(actions[-1])
    assert raw(twin) == before
    for action in actions:
        again = twin.step(action)
    assert raw(twin) == raw(batch)
    assert twin.hands_finished == batch.hands_finished > 0
    np.testing.assert_array_equal(again.obs, turn.obs)


@pytest.mark.parametrize("how", COPIES)
def test_a_batch_with_threads_can_be_copied(how):
    batch = laffa.Batch(KOUTCHINA, 9, seed=2, threads=2)
    batch.reset()
    assert raw(COPIES[how](batch)) == raw(batch)


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_runs_the_same_machine_code(how):
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1)
    twin = COPIES[how](env)
    twin.step(act("pass"))
    twin.observe("player_0")
    assert not [signature for kernel in (_step, _observe) for signature in kernel.signatures if signature[0].mutable]


@pytest.mark.parametrize("record", [STATE, BLIND])
def test_records_have_no_holes_so_that_equal_states_are_equal_bytes(record):
    assert repack_fields(record, recurse=True).itemsize == record.itemsize


def play_in_worker(env, batch, choices, actions):
    play_on(env, choices)
    for row in actions:
        batch.step(row)
    return raw(env), raw(batch)


@pytest.mark.trial("D14")
def test_environments_and_batches_sent_to_a_spawned_worker_play_the_same_games_there():
    choices, sent, here = np.random.default_rng(9).random(100), [], []
    for variant in FAMILIES:
        env, batch = in_a_trick(laffa.env, variant), laffa.Batch(variant, 5, seed=6, threads=2)
        turn, twin, actions = batch.reset(), copy.deepcopy(batch), []
        for _ in range(60):
            actions.append(highest_actions(turn))
            turn = twin.step(actions[-1])
        sent.append((env, batch, choices, actions))
        other = copy.deepcopy(env)
        play_on(other, choices)
        here.append((raw(other), raw(twin)))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.starmap_async(play_in_worker, sent).get(120) == here


@pytest.mark.trial("D14")
@pytest.mark.parametrize("how", COPIES)
def test_a_copied_gymnasium_environment_plays_on_as_the_original_would(how):
    env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot", seat=1, episode="hand")
    observation, _ = env.reset(seed=4)
    twin, over = COPIES[how](env), False
    while not over:
        action = int(observation["action_mask"].argmax())
        observation, reward, over, _, _ = env.step(action)
        again, same, ended, _, _ = twin.step(action)
        np.testing.assert_equal(again, observation)
        assert (same, ended) == (reward, over)
    assert raw(twin._game) == raw(env._game)
