"""The loss: masks, ratios, entropy, numbers that stay numbers."""

import os

import numpy as np
import pytest
import torch

import laffa
from helpers import FAMILIES
from laffa import layout
from laffa.cards import CARDS
from laffa.text import action_id, action_text
from laffa_train.config import Config
from laffa_train.networks import action_bound, entropy, favour_low_bids, log_probs, make_critic, make_policy, pick_autocast, sample
from laffa_train.ppo import Rows, ppo_loss
from training_helpers import RULES, played

PIECES = layout.informative([RULES])
UPDATES = int(os.environ.get("LAFFA_UPDATES", "500"))
"""Updates in each precision; a long run sets more, and `--timeout 0`."""


@pytest.mark.trial("D21")
@pytest.mark.parametrize("variant", FAMILIES)
def test_ratios_are_one_before_the_first_update(variant: str):
    trainer = played(variant=variant)
    rows, _ = trainer._judge()
    with torch.no_grad():
        logp = log_probs(trainer.policy(rows.obs), rows.mask)
    ratio = (logp.gather(1, rows.action[:, None]).squeeze(1) - rows.logp).exp()
    assert float((ratio - 1).abs().max()) < 1e-5
    assert float(logp.exp()[~rows.mask].abs().max()) == 0
    assert torch.equal(rows.mask, torch.from_numpy(trainer.rollout.mask[:-1][trainer.rollout.learn[:-1]][:, : trainer.rollout.actions] == 1))


@pytest.mark.trial("D21")
def test_entropy_counts_legal_actions_only():
    mask = torch.zeros(3, 79, dtype=torch.bool)
    mask[0, :1] = mask[1, :2] = mask[2, :8] = True
    expected = torch.log(torch.tensor([1.0, 2.0, 8.0]))
    torch.testing.assert_close(entropy(log_probs(torch.zeros(3, 79), mask)), expected)


def test_sampling_follows_the_probabilities_and_never_leaves_the_mask():
    logits, mask = torch.tensor([[2.0, 9.0, 0.0, 1.0]]), torch.tensor([[True, False, True, True]])
    logp = log_probs(logits, mask).expand(60_000, 4)
    share = torch.bincount(sample(logp, torch.Generator().manual_seed(1)), minlength=4) / 60_000
    assert share[1] == 0
    torch.testing.assert_close(share, logp[0].exp(), atol=0.01, rtol=0)


HIGHEST = [(RULES.variant, "trump C"), ("tarabish", "bella"), ("arbaa-turub-signals", "snap")]


@pytest.mark.parametrize(("variant", "highest"), HIGHEST)
def test_the_bound_holds_every_action_that_the_game_uses(variant, highest):
    rules = laffa.load(variant)
    batch, used = laffa.Batch(rules, 256, 1), np.zeros(0, np.int64)
    turn, player = batch.reset(), laffa.players.make("random", rules)
    for _ in range(150):
        used = np.union1d(used, np.flatnonzero(turn.mask.any(0)))
        turn = batch.step(player.act(turn))
    assert action_text(rules, int(used.max())) == highest
    assert used.max() < action_bound(rules) <= used.max() + 2


def synthetic(n: int = 512, seed: int = 0) -> Rows:
    """Rows with one to six legal actions; every eighth has exactly one."""
    g = torch.Generator().manual_seed(seed)
    mask = torch.zeros(n, 79, dtype=torch.bool)
    legal = torch.rand(n, 79, generator=g).topk(6).indices
    for row in range(n):
        mask[row, legal[row, : 1 if row % 8 == 0 else 2 + row % 5]] = True
    action = legal[:, 0]
    view = torch.randint(-128, 127, (n, layout.SIZE), generator=g).to(torch.int8)
    logp = torch.where(mask.sum(1) == 1, 0.0, -torch.rand(n, generator=g) * 3)
    return Rows(view, view, mask, action, logp, torch.randn(n, generator=g), torch.randn(n, generator=g))


@pytest.mark.trial("D22")
@pytest.mark.parametrize(
    ("size", "dtype"),
    [*((size, torch.float32) for size in (0.0, 1.0, 1e4, 1e9, 3e38)), (1e4, torch.bfloat16), (1e9, torch.bfloat16), (1e4, torch.float16)],
)
def test_the_loss_is_finite_whatever_the_logits(size: float, dtype: torch.dtype):
    """In float32, and as networks give them that compute in less; float16 knows no number of 1e9."""
    rows = synthetic()
    signs = torch.randint(-1, 2, rows.mask.shape, generator=torch.Generator().manual_seed(3)).float()
    logits = (size * signs).to(dtype).float().requires_grad_()
    values = torch.zeros(len(rows.action), requires_grad=True)
    loss, logged = ppo_loss(logits, values, rows, 0.2, 0.01, 0.01)
    loss.backward()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(value) for value in logged.values())
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert float(logits.grad[~rows.mask].abs().max()) == 0
    forced = rows.mask.sum(1) == 1
    assert float(entropy(log_probs(logits, rows.mask)).detach()[forced].abs().max()) == 0
    assert float(logits.grad[forced].abs().max()) == 0


@pytest.mark.trial("D22")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_hundreds_of_updates_stay_finite_in_any_precision(dtype: torch.dtype):
    rows = synthetic(64)
    policy, critic = make_policy(PIECES, action_bound(RULES), 16, 1), make_critic(PIECES, 16, 1)
    optimizer = torch.optim.Adam([*policy.parameters(), *critic.parameters()], 0.01)
    for _ in range(UPDATES):
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            logits, values = policy(rows.obs), critic(rows.view).squeeze(1)
        loss, _ = ppo_loss(logits, values, rows, 0.2, 0.01, 0.01)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(p).all() for p in policy.parameters())


@pytest.mark.trial("D22")
def test_what_stands_in_forced_rows_changes_nothing():
    trainer = played()
    rows, _ = trainer._judge()
    forced = ~trainer.rollout.learn[:-1]
    assert forced.any()
    trainer.rollout.logp[forced] = np.nan
    trainer.rollout.obs[:-1][forced] = 99
    again, _ = trainer._judge()
    assert all(torch.equal(a, b) for a, b in zip(rows, again, strict=True))


def test_calls_and_cards_have_their_own_entropy_weight():
    rows = synthetic()
    logits = torch.randn(rows.mask.shape, generator=torch.Generator().manual_seed(1))
    values = torch.zeros(len(rows.action))
    base, logged = ppo_loss(logits, values, rows, 0.2, 0.0, 0.0)
    spread, calls = entropy(log_probs(logits, rows.mask)), rows.action >= CARDS
    for weights, share in (((1.0, 0.0), calls), ((0.0, 1.0), ~calls)):
        loss, _ = ppo_loss(logits, values, rows, 0.2, *weights)
        torch.testing.assert_close(base - loss, (spread * share).mean())
    torch.testing.assert_close(logged["entropy_calls"], spread[calls].mean())


def test_a_policy_cannot_be_made_to_see_other_hands():
    with pytest.raises(ValueError, match="a policy does not see hands"):
        make_policy([*PIECES, "hands"], action_bound(RULES), 16, 1)


def test_first_calls_can_begin_low_on_every_ladder():
    for variant, lowest in (("tarneeb-koutchina", "bid 7"), ("tarneeb-400points", "bid 65"), ("tarneeb-notrump", "bid 7")):
        rules = laffa.load(variant)
        policy = make_policy(layout.informative([rules]), action_bound(rules), 16, 1)
        favour_low_bids(policy, [rules], 1.0)
        turn = laffa.Batch(rules, 64, 1).reset()
        mask = torch.from_numpy(turn.mask[:, : action_bound(rules)]).bool()
        chances = log_probs(policy(torch.from_numpy(turn.obs)), mask).exp().mean(0)
        texts = [action_text(rules, action) for action in chances.argsort(descending=True)[:4].tolist()]
        assert {lowest, "pass"} <= set(texts[:3])
        assert texts[-1] != lowest
        assert chances[action_id(rules, lowest)] > 0.25


@pytest.mark.parametrize(
    ("processor", "tiles", "vectors", "faster"),
    [("sapphirerapids", True, True, True), ("emeraldrapids", False, True, False), ("znver4", False, True, True), ("znver3", False, False, False)],
)
def test_bf16_is_taken_where_it_is_faster(processor: str, tiles: bool, vectors: bool, faster: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("laffa_train.networks.llvm.get_host_cpu_name", lambda: processor)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: tiles, raising=False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: vectors, raising=False)
    cpu = torch.device("cpu")
    assert pick_autocast(Config(decisions=1), cpu)._enabled is faster
    assert [pick_autocast(Config(decisions=1, precision=word), cpu)._enabled for word in ("bf16", "fp32")] == [True, False]
