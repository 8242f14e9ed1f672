"""Rearranged views: equal up to the names of suits means equal, and nothing but the names is lost."""

import itertools

import numpy as np
import pytest

import laffa
from laffa import canonical, observe
from laffa.cards import ACTIONS, SUITS


def rearranged(turn):
    """Copies of a turn's views in canonical order, and the orders."""
    obs, mask, state = turn.obs.copy(), turn.mask.copy(), turn.state.copy()
    order = np.zeros((len(turn), 4), np.int8)
    canonical.rearrange(obs, mask, state, order)
    return obs, mask, state, order


def turns(steps=200, games=8):
    """Turns of some random games."""
    rng = np.random.default_rng(3)
    batch = laffa.Batch("tarneeb-koutchina", games, 5, state=True)
    turn = batch.reset()
    for _ in range(steps):
        yield turn
        turn = batch.step(np.array([rng.choice(np.flatnonzero(row)) for row in turn.mask]))


def test_legal_actions_lead_back_to_legal_actions():
    for turn in turns():
        _, mask, _, order = rearranged(turn)
        for row in range(len(turn)):
            ids = np.flatnonzero(mask[row])
            back = canonical.real_actions(np.repeat(order[row : row + 1], len(ids), 0), ids)
            assert sorted(back) == np.flatnonzero(turn.mask[row]).tolist()


def test_rearranging_twice_changes_nothing_more():
    for turn in turns():
        obs, mask, state, _ = rearranged(turn)
        again = obs.copy(), mask.copy(), state.copy()
        order = np.zeros((len(turn), 4), np.int8)
        canonical.rearrange(*again, order)
        assert (order == np.arange(4)).all()
        for left, right in zip((obs, mask, state), again, strict=True):
            np.testing.assert_array_equal(left, right)


def test_the_state_view_begins_with_the_observation():
    for turn in turns(60):
        obs, _, state, _ = rearranged(turn)
        np.testing.assert_array_equal(obs, state[:, : observe.SIZE])


def test_trumps_come_first_and_then_the_longest_suit():
    named = 0
    for turn in turns():
        obs, _, _, order = rearranged(turn)
        for row in range(len(turn)):
            lengths = [turn.obs[row, 13 * suit : 13 * suit + 13].sum() for suit in order[row]]
            trump = turn.obs[row, observe.TRUMP : observe.TRUMP + 4]
            start = int(trump.any())
            named += start
            if start:
                assert obs[row, observe.TRUMP] == 1
                assert trump[order[row, 0]] == 1
            assert lengths[start:] == sorted(lengths[start:], reverse=True)
    assert named > 100


@pytest.mark.parametrize("names", list(itertools.permutations(range(4)))[1::5])
def test_games_that_differ_in_the_names_of_suits_look_the_same(names):
    def rename(text):
        return text[:-1] + SUITS[names[SUITS.index(text[-1])]] if text[-1] in SUITS and text != "pass" and not text.startswith("bid") else text

    first = laffa.env("tarneeb-koutchina", episode="hand")
    first.reset(seed=4)
    view = first.snapshot()
    second = laffa.env("tarneeb-koutchina", episode="hand")
    second.reset(seed=4, options={"dealer": view["dealer"], "hands": [[rename(card) for card in hand] for hand in view["hands"]]})
    rng, compared = np.random.default_rng(1), 0
    while first.terminations["player_0"] is False:
        mine, theirs = first.turn(), second.turn()
        views = []
        for turn in (mine, theirs):
            obs, mask, order = turn.obs.copy(), turn.mask.copy(), np.zeros((1, 4), np.int8)
            canonical.rearrange(obs, mask, np.zeros((0, observe.STATE_SIZE), np.int8), order)
            views.append((obs.tobytes(), mask.tobytes()))
        # Suits of which the seat holds nothing may be told apart only by their names.
        held = mine.obs[0, :52].reshape(4, 13).sum(1)
        if (held == 0).sum() < 2:
            assert views[0] == views[1]
            compared += 1
        action = int(rng.choice(np.flatnonzero(mine.mask[0])))
        text = laffa.action_text("tarneeb-koutchina", action)
        first.step(action)
        second.step(laffa.action_id("tarneeb-koutchina", rename(text)))
    assert compared > 20


def test_every_action_has_one_real_action_in_every_order():
    for order in itertools.permutations(range(4)):
        rows = np.repeat(np.array([order], np.int8), ACTIONS, 0)
        assert sorted(canonical.real_actions(rows, np.arange(ACTIONS))) == list(range(ACTIONS))
