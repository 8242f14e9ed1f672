"""Copies of environments and batches: by deepcopy, by pickle, in another process."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from numpy.lib.recfunctions import repack_fields
from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

import laffa
from helpers import KOUTCHINA, act, choose, finish_at_random, highest_actions, mask_of, raw, views, walk
from laffa.aec import _observe, _step
from laffa.single import SingleSeat
from laffa.state import BLIND, STATE

pytestmark = pytest.mark.env


def wrapped(variant, **options):
    """As PettingZoo's own environments come."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(laffa.env(variant, **options)))


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda thing: pickle.loads(pickle.dumps(thing))}


@pytest.mark.trial("D14")
@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("make", [laffa.env, laffa.parallel_env, wrapped])
def test_a_copy_plays_on_as_the_original_would_and_neither_disturbs_the_other(how, make):
    env = make(KOUTCHINA, events=True)
    env.reset(seed=5)
    game = env.unwrapped
    for _ in walk(game, 5, limit=700):
        pass
    twin = COPIES[how](env).unwrapped
    assert raw(twin) == raw(game)
    assert twin.agent_selection == game.agent_selection
    assert twin._cumulative_rewards == game._cumulative_rewards
    before, rng = raw(twin), np.random.default_rng(1)
    actions = []
    for _ in range(500):
        actions.append(choose(mask_of(game), rng, calm=0.9))
        game.step(actions[-1])
    assert raw(twin) == before
    assert game.snapshot()["hands_played"] > 1
    for action in actions:
        twin.step(action)
    assert raw(twin) == raw(game)
    np.testing.assert_equal(views(twin), views(game))
    assert (twin.agent_selection, twin.rewards, twin.terminations) == (game.agent_selection, game.rewards, game.terminations)
    before = raw(game)
    finish_at_random(twin)
    assert raw(game) == before


@pytest.mark.trial("D14")
@pytest.mark.parametrize("how", COPIES)
def test_a_copied_batch_plays_on_as_the_original_would(how):
    batch = laffa.Batch(KOUTCHINA, 9, seed=2)
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


def play_in_worker(env, batch, actions):
    finish_at_random(env, seed=9)
    for row in actions:
        batch.step(row)
    return raw(env), raw(batch)


@pytest.mark.trial("D14")
def test_an_environment_and_a_batch_sent_to_a_spawned_worker_play_the_same_games_there():
    env, batch = laffa.env(KOUTCHINA, episode="hand"), laffa.Batch(KOUTCHINA, 5, seed=6, threads=2)
    env.reset(seed=6)
    for _ in walk(env, 6, limit=20):
        pass
    turn, twin, actions = batch.reset(), copy.deepcopy(batch), []
    for _ in range(60):
        actions.append(highest_actions(turn))
        turn = twin.step(actions[-1])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply_async(play_in_worker, (env, batch, actions)).get(120)
    finish_at_random(env, seed=9)
    assert (raw(env), raw(twin)) == there


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
