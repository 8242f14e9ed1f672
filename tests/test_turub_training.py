"""Training on Arba'a Turub, tiny: rollout, update, checkpoint, what is logged and what an evaluation says where nobody promises anything."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import laffa
from laffa_train import monitor
from laffa_train.checkpoint import load_player, load_policy
from laffa_train.evaluate import duplicate
from laffa_train.games import Games
from laffa_train.networks import log_probs
from laffa_train.ppo import Trainer, train
from training_helpers import QUIET, TINY, metrics, parameters, played

SIZES = {"games": 16, "steps": 200, "made_up": 0}
VARIANTS = ["arbaa-turub", "arbaa-turub-signals", "turup"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_rollout_is_learnt_from(variant: str):
    trainer = played(variant=variant, **SIZES)
    ended = trainer.rollout.hand_done[1:]
    assert ended.any()
    whole = laffa.load(variant).whole
    assert trainer.rollout.result[1:][ended]["scores"].sum(1).tolist() == [whole] * int(ended.sum())
    np.testing.assert_allclose(trainer.scale, 0.1 * 13 / whole, rtol=1e-6)
    rows, _ = trainer._judge()
    with torch.no_grad():
        logp = log_probs(trainer.policy(rows.obs), rows.mask).gather(1, rows.action[:, None]).squeeze(1)
    assert float((logp - rows.logp).abs().max()) < 1e-4
    before = trainer.policy.head.weight.detach().clone()
    logged = trainer._update(rows, 0.0)
    assert all(np.isfinite(value) for value in logged.values())
    assert not torch.equal(before, trainer.policy.head.weight)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_run_is_saved_goes_on_and_plays(variant: str, tmp_path: Path):
    config = replace(TINY, variant=variant, **SIZES, decisions=2 * 16 * 200)
    train(config, tmp_path, console=QUIET)
    rules, saved, again = laffa.load(variant), parameters(tmp_path), Trainer(config)
    policy, info = load_policy(tmp_path, rules)
    assert info["games"] == [{"variant": variant, "rules_version": 0, "options": rules.options}]
    assert all(torch.equal(value, saved[f"released.{name}"]) for name, value in policy.state_dict().items())
    again.restore(tmp_path)
    assert (again.iterations, again.decisions) == (2, config.decisions)
    assert torch.equal(torch.from_numpy(again.games.raw), saved["games"])
    pair = duplicate(load_player(tmp_path, rules), laffa.players.make("random", rules), rules, 8)
    assert (pair.contracts_made, pair.contracts_made_b, pair.average_bid, pair.average_bid_b) == (None, None, None, None)
    assert pair.declared + pair.declared_b == 1
    rows = metrics(tmp_path)
    assert any("return" in row for row in rows)
    assert not any({"contracts_made", "average_bid"} & row.keys() for row in rows)


def test_bids_and_contracts_are_logged_of_the_games_that_have_them():
    both = {"variant": "tarneeb-koutchina", "more_variants": ("turup",), "games": 32, "steps": 200, "made_up": 0}
    stats, games = monitor.hand_stats(played(**both).rollout), Games([laffa.load(name) for name in ("tarneeb-koutchina", "turup")], 32, 0)
    assert games.contracts.tolist() == [True] * 16 + [False] * 16
    assert np.isfinite(games.numbers(np.full((32, 1), 6, np.int8))).ravel().tolist() == games.contracts.tolist()
    assert 7 <= stats["average_bid"] <= 13
    assert 0 <= stats["contracts_made"] <= 1
