"""What self-play leaves behind: who is paid what, which decisions are learnt from, advantages by their definition."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import laffa
from helpers import FAMILIES
from laffa.cards import LEVELS, PASS
from laffa_train import monitor, ppo
from laffa_train.config import Config
from laffa_train.ppo import Trainer
from laffa_train.rollout import Rollout, advantages
from laffa_train.run import TrainingError
from laffa_train.suits import by_suits, real_action
from training_helpers import RULES, TINY, played


def returns(rollout: Rollout) -> NDArray[np.float32]:
    """What each decision with a choice led to: the advantage with lambda 1 and a critic that says 0."""
    zeros = np.zeros((rollout.steps, rollout.games.games), np.float32)
    return advantages(rollout.seat, rollout.learn, rollout.reward, rollout.new_deal, zeros, zeros[0], 1.0)


def check_owners(rollout: Rollout) -> int:
    """Every stored decision of the side that gained by its hand has a positive return, of the other a negative one."""
    got, checked = returns(rollout), 0
    for game in range(rollout.games.games):
        begin = 0
        for end in np.flatnonzero(rollout.new_deal[:, game]):
            for t in range(begin, end):
                if rollout.learn[t, game]:
                    scores = rollout.result[end, game]["scores"] if rollout.hand_done[end, game] else (0, 0)
                    own, other = scores[rollout.seat[t, game] % 2], scores[1 - rollout.seat[t, game] % 2]
                    assert got[t, game] == own - other
                    checked += 1
            begin = end
    return checked


@pytest.mark.trial("D07", "D15")
@pytest.mark.parametrize("variant", FAMILIES)
def test_every_decision_is_paid_what_its_own_side_won(variant: str):
    rollout = played(variant=variant).rollout
    assert check_owners(rollout) > 5000
    assert {-1.0, 1.0} <= set(np.sign(returns(rollout)).ravel())


@pytest.mark.trial("D07")
@pytest.mark.parametrize("swap", [[1, 0, 3, 2], [1, 2, 3, 0]])
def test_the_check_of_owners_notices_swapped_rewards(swap: list[int]):
    rollout = played().rollout
    rollout.reward = rollout.reward[..., swap]
    with pytest.raises(AssertionError):
        check_owners(rollout)


def slow_advantages(seat, learn, reward, cut, values, last, lam):
    """The definition, game by game and seat by seat: delta_k + lambda delta_(k+1) + ... along one seat's decisions."""
    steps, games = values.shape
    result = np.zeros_like(values)
    for game in range(games):
        for me in range(4):
            chain, paid = [], 0.0
            sign = 1 if (seat[-1, game] - me) % 2 == 0 else -1
            steps_of_chain = []
            for t in range(steps):
                if seat[t, game] == me and learn[t, game]:
                    chain.append([t, 0.0])
                if chain:
                    chain[-1][1] += reward[t + 1, game, me]
                if cut[t + 1, game]:
                    steps_of_chain.append((chain, 0.0))
                    chain = []
            steps_of_chain.append((chain, sign * last[game]))
            for links, end in steps_of_chain:
                for k in range(len(links)):
                    total = 0.0
                    for j in range(k, len(links)):
                        t, paid = links[j]
                        after = values[links[j + 1][0], game] if j + 1 < len(links) else end
                        total += lam ** (j - k) * (paid + after - values[t, game])
                    result[links[k][0], game] = total
    return result


@pytest.mark.parametrize("lam", [0.0, 0.5, 0.95, 1.0])
def test_advantages_follow_their_definition(lam: float):
    g = np.random.default_rng(4)
    steps, games = 60, 40
    seat = g.integers(0, 4, (steps + 1, games)).astype(np.int8)
    learn = g.random((steps + 1, games)) < 0.7
    cut = g.random((steps + 1, games)) < 0.1
    reward = (cut[..., None] * g.normal(size=(steps + 1, games, 4)) + 0.1).astype(np.float32)
    values = g.normal(size=(steps, games)).astype(np.float32)
    last = g.normal(size=games).astype(np.float32)
    expected = slow_advantages(seat, learn, reward, cut, values, last, lam)
    np.testing.assert_allclose(advantages(seat, learn, reward, cut, values, last, lam), expected, atol=2e-5)
    values[~learn[:-1]] = np.nan
    np.testing.assert_allclose(advantages(seat, learn, reward, cut, values, last, lam), expected, atol=2e-5)


@pytest.mark.trial("D15")
@pytest.mark.parametrize("episode", ["match", "hand"])
def test_the_learner_counts_what_the_engine_counts(episode: str):
    trainer = Trainer(replace(TINY, steps=50, episode=episode, made_up=0))
    hands = matches = choices = deals = 0
    paid = np.zeros(4)
    for _ in range(8):
        row = trainer.iteration()
        r = trainer.rollout
        hands += int(r.hand_done[1:].sum())
        matches += int(r.done[1:].sum())
        choices += int((r.mask[:-1].sum(2) > 1).sum())
        deals += int(r.new_deal[1:].sum())
        paid += r.reward[1:].sum((0, 1))
        assert (r.reward[1:][~r.hand_done[1:]] == 0).all()
        assert (r.new_deal[1:] | ~r.hand_done[1:]).all()
    assert row["hands"] == hands == trainer.games.hands_finished
    assert row["decisions"] == 8 * 50 * 64
    assert row["learned_decisions"] == choices
    assert deals == trainer.games.deals.sum() - trainer.games.games
    assert matches > 0 if episode == "hand" else matches >= 0
    assert paid[0] == paid[2] == -paid[1] == -paid[3]


def test_made_up_auctions_are_not_learnt_from_and_end():
    trainer = Trainer(replace(TINY, steps=200, made_up=1000, explore_calls=0.0))
    shares = []
    for trainer.decisions in (0, 500, 750, 1000, 2000):
        shares.append(trainer._made_up())
    assert shares == [1.0, 1.0, 0.5, 0.0, 0.0]
    r = trainer.rollout
    r.collect(trainer.policy, trainer.generator, trainer.autocast, 1.0)
    auction = r.mask[:-1, :, PASS] == 1
    assert r.made_up[:-1].all()
    assert not r.learn[:-1][auction].any()
    assert r.learn[:-1][~auction].any()
    bids = r.result[1:][r.hand_done[1:]]["level"] + 1
    assert 7 <= bids.min() < 7.3 < bids.mean() < 8.5
    assert monitor.hand_stats(r) == {}
    r.collect(trainer.policy, trainer.generator, trainer.autocast, 0.0)
    assert r.made_up[0].all()
    assert not r.made_up[-1].any()
    assert r.learn[:-1][(r.mask[:-1, :, PASS] == 1) & ~r.made_up[:-1]].all()


def test_made_up_calls_can_be_learnt_from_as_a_choice_of_two():
    trainer = Trainer(replace(TINY, steps=200, explore_calls=0.1))
    r = trainer.rollout
    r.collect(trainer.policy, trainer.generator, trainer.autocast, 1.0)
    auction = r.mask[:-1, :, PASS] == 1
    called = r.by_chance[:-1]
    assert np.array_equal(called, auction)
    assert r.learn[:-1][called].all()
    assert not called[r.action < PASS].any()
    assert (r.mask[:-1][called].sum(1) == 2).all()
    assert np.take_along_axis(r.mask[:-1], r.action[..., None], 2).all()
    assert (r.logp[called] < 0).all()
    assert 0.2 < (r.action[called] != PASS).mean() < 0.5


def test_bad_calls_of_chance_are_learnt_from_only_while_they_are_likely():
    trainer = Trainer(replace(TINY, steps=200, explore_calls=0.1))
    trainer.rollout.collect(trainer.policy, trainer.generator, trainer.autocast, 1.0)
    learn = np.flatnonzero(trainer.rollout.learn[:-1])
    called = trainer.rollout.by_chance[:-1].reshape(-1)[learn]
    logp = np.where(called, np.log(0.5), trainer.rollout.logp.reshape(-1)[learn])
    trainer.rollout.logp.reshape(-1)[learn] = logp
    everything, _ = trainer._judge()
    assert len(everything.action) == len(learn)
    rare = called & (np.arange(len(learn)) % 2 == 0)
    trainer.rollout.logp.reshape(-1)[learn] = np.where(rare, np.log(0.05), logp)
    rows, _ = trainer._judge()
    settled = rare & (everything.advantage.numpy() <= 0)
    assert settled.any()
    kept = everything._replace(logp=torch.from_numpy(trainer.rollout.logp.reshape(-1)[learn]))
    assert all(torch.equal(a, b[torch.from_numpy(~settled)]) for a, b in zip(rows, kept, strict=True))


def test_chance_keeps_a_few_deals_to_the_end():
    trainer = Trainer(replace(TINY, made_up=1000, decisions=10_000))
    shares = []
    for trainer.decisions in (0, 500, 750, 5_000, 10_000):
        shares.append(trainer._made_up())
    assert shares == [1.0, 1.0, 0.5, ppo.KEPT / 2, 0.0]


def test_who_passes_for_ever_bids_again():
    """The mean chance of the bids that chance made rises from e^-14; without learning from them nothing that makes calls changes."""
    config = Config("tarneeb-saudi", decisions=10**6, games=128, steps=64, minibatch=512, width=64, device="cpu", threads=1, made_up=10**9)
    most = {}
    for explore in (0.0, 0.05):
        trainer = Trainer(replace(config, explore_calls=explore))
        r, bias = trainer.rollout, trainer.policy.head.bias
        with torch.no_grad():
            bias[PASS] = 14
        calls, chances = bias[PASS : PASS + 1 + LEVELS].clone(), [0.0]
        for _ in range(14):
            trainer.iteration()
            bids = r.by_chance[:-1] & r.learn[:-1] & (r.action != PASS)
            chances += [float(np.exp(r.logp[bids]).mean())] if bids.any() else []
        most[explore] = max(chances)
        assert torch.equal(calls, bias[PASS : PASS + 1 + LEVELS]) == (explore == 0)
    assert most[0.0] == 0 < 0.002 < most[0.05], most


@pytest.mark.trial("D04")
def test_rows_in_which_nobody_may_act_are_named_before_the_network_is_asked():
    trainer = Trainer(TINY)
    r = trainer.rollout
    r.mask[-1, 10:26] = 0
    r.action[:] = -1
    with pytest.raises(ValueError, match=r"16 of 64 rows have no legal action \(rows 10, 11, .*\.\.\.\)"):
        r.collect(trainer.policy, trainer.generator, trainer.autocast)
    assert (r.action == -1).all()


def test_a_seat_that_can_only_pass_does_so_in_a_made_up_auction():
    trainer = Trainer(replace(TINY, rules={"close_at_max": False}))
    r = trainer.rollout
    r.begin()
    r.mask[-1] = 0
    r.mask[-1, :, PASS] = 1
    for name, row in r.current().items():
        getattr(r, name)[0] = row
    for _ in range(20):
        r._call_by_chance(0, trainer.generator, 1.0)
        assert (r.action[0] == PASS).all()
        assert not r.learn[0].any()


def test_a_rollout_without_a_choice_says_what_to_change():
    with pytest.raises(TrainingError, match="1 games x 1 steps held no choice of the policy"):
        Trainer(replace(TINY, games=1, steps=1, explore_calls=0.0)).iteration()


def test_the_next_rollout_begins_where_the_last_one_ended():
    trainer = played(steps=30)
    r = trainer.rollout
    last = {name: row.copy() for name, row in r.current().items()}
    r.collect(trainer.policy, trainer.generator, trainer.autocast)
    assert all(np.array_equal(getattr(r, name)[0], row) for name, row in last.items())


@pytest.mark.trial("D16")
def test_rows_are_not_views_of_what_the_engine_writes_later():
    trainer = played(steps=60)
    r = trainer.rollout
    twin = laffa.Batch(RULES, TINY.games, TINY.seed, state=True)
    turn = twin.reset()
    for t in range(60):
        orders = by_suits(turn.obs, turn.mask, turn.state)
        for name in ("seat", "obs", "mask", "state"):
            assert np.array_equal(getattr(r, name)[t], getattr(turn, name))
        turn = twin.step(real_action(orders, r.action[t]))
