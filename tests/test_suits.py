"""The order of suits that networks see: the same position, whatever its suits are called."""

import numpy as np
import pytest

import laffa
from laffa import layout
from laffa.cards import ACTIONS
from laffa_train.suits import ACTION_SOURCES, LAST_TRICK, ORDERS, VIEW_SOURCES, by_suits, real_action, reorder
from training_helpers import RULES

SUITED_BIDS = laffa.load("tarabish", upcard=True, bid_form="number+suit", no_trump=True)


@pytest.mark.parametrize(("rules", "least"), [(RULES, 10_000), (SUITED_BIDS, 4_000)], ids=["tarneeb", "bids with suits"])
def test_a_position_looks_the_same_whatever_its_suits_are_called(rules, least):
    chance, player = np.random.default_rng(0), laffa.players.make("random", rules)
    batch = laffa.Batch(rules, 256, 3)
    turn, same = batch.reset(), 0
    for _ in range(80):
        obs, mask = turn.obs.copy(), turn.mask.copy()
        other_obs, other_mask = turn.obs.copy(), turn.mask.copy()
        renamed = chance.integers(0, 24, 256).astype(np.int8)
        reorder(other_obs, renamed, VIEW_SOURCES, LAST_TRICK, 0, layout.SIZE)
        reorder(other_mask, renamed, ACTION_SOURCES, -1, 0, ACTIONS)
        orders, _ = by_suits(obs, mask), by_suits(other_obs, other_mask)
        suits = turn.obs[:, :52].reshape(256, 4, 13)
        alike = sum((suits[:, a] == suits[:, b]).all(1).astype(int) for a in range(4) for b in range(a))
        clear = alike == 0  # two suits that hold the same ranks, or none, may come in either order
        assert np.array_equal(obs[clear], other_obs[clear])
        assert np.array_equal(mask[clear], other_mask[clear])
        same += int(clear.sum())
        actions = player.act(turn)
        seen = np.argsort(ACTION_SOURCES[orders], 1)[np.arange(256), actions]
        assert (mask[np.arange(256), seen] == 1).all()
        assert np.array_equal(real_action(orders, seen), actions)
        turn = batch.step(actions, out=turn)
    assert same > least


def test_trumps_come_first_and_then_the_longest_suit():
    batch, player = laffa.Batch(RULES, 256, 3), laffa.players.make("random", RULES)
    turn = batch.reset()
    for _ in range(40):
        obs = turn.obs.copy()
        orders = by_suits(obs, turn.mask.copy())
        lengths = obs[:, :52].reshape(256, 4, 13).sum(2)
        trumps = obs[:, laffa.observe.TRUMP : laffa.observe.TRUMP + 4]
        named = trumps.any(1)
        assert (trumps[named] == [1, 0, 0, 0]).all()
        assert (np.diff(lengths[named][:, 1:], axis=1) <= 0).all()
        assert (np.diff(lengths[~named], axis=1) <= 0).all()
        assert (ORDERS[orders].sum(1) == 6).all()
        turn = batch.step(player.act(turn), out=turn)


@pytest.mark.parametrize("variant", [RULES.variant, "tarabish", "arbaa-turub-signals"])
def test_the_state_view_is_put_into_the_same_order_throughout(variant):
    batch, player = laffa.Batch(variant, 64, 3, state=True), laffa.players.make("random", variant)
    turn = batch.reset()
    for _ in range(60):
        assert turn.state is not None
        obs, state, whole = turn.obs.copy(), turn.state.copy(), turn.state.copy()
        orders = by_suits(obs, turn.mask.copy(), state)
        reorder(whole, orders, VIEW_SOURCES, LAST_TRICK, 0, layout.STATE_SIZE)
        assert np.array_equal(state, whole)
        assert np.array_equal(state[:, : layout.SIZE], obs)
        turn = batch.step(player.act(turn), out=turn)
