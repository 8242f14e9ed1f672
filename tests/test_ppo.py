"""PPO: whose reward, which decisions, what loss; and that it learns, repeats itself and goes on."""

import io
import json
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from rich.console import Console

import laffa
from laffa.cards import CARDS, PASS
from laffa.text import action_text
from laffa_train import checkpoint, ppo
from laffa_train.config import Config, ConfigError
from laffa_train.evaluate import duplicate
from laffa_train.networks import Mlp, action_bound, entropy, log_probs, make_critic, make_policy, sample
from laffa_train.ppo import Rows, Trainer, ppo_loss, train
from laffa_train.rollout import Rollout, advantages
from laffa_train.run import Display, TrainingError
from laffa_train.suits import ACTION_SOURCES, LAST_TRICK, ORDERS, VIEW_SOURCES, by_suits, real_action, reorder

VARIANT = "tarneeb-koutchina"
RULES = laffa.load(VARIANT)
TINY = Config(
    decisions=20 * 64 * 40,
    games=64,
    steps=40,
    width=32,
    minibatch=256,
    device="cpu",
    precision="fp32",
    threads=1,
    eval_minutes=None,
    average=0.9,
    made_up=5000,
)
QUIET = Console(file=io.StringIO())


def played(**changes: object) -> Trainer:
    """A trainer with a rollout long enough for several hands in every game, and no update."""
    trainer = Trainer(replace(TINY, **({"steps": 200} | changes)))  # type: ignore[arg-type]
    trainer.rollout.collect(trainer.policy, trainer.generator, trainer.autocast)
    return trainer


# Masks, ratios and entropy


def test_ratios_are_one_before_the_first_update():
    trainer = played()
    rows, _ = trainer._judge()
    with torch.no_grad():
        logp = log_probs(trainer.policy(rows.obs), rows.mask)
    ratio = (logp.gather(1, rows.action[:, None]).squeeze(1) - rows.logp).exp()
    assert float((ratio - 1).abs().max()) < 1e-5
    assert float(logp.exp()[~rows.mask].abs().max()) == 0
    assert torch.equal(rows.mask, torch.from_numpy(trainer.rollout.mask[:-1][trainer.rollout.learn[:-1]][:, :79] == 1))


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


def test_the_bound_holds_every_action_that_the_game_uses():
    batch, used = laffa.Batch(RULES, 256, 1), np.zeros(0, np.int64)
    turn, player = batch.reset(), laffa.players.make("random", RULES)
    for _ in range(150):
        used = np.union1d(used, np.flatnonzero(turn.mask.any(0)))
        turn = batch.step(player.act(turn))
    assert action_text(RULES, int(used.max())) == "trump C"
    assert used.max() < action_bound(RULES) <= used.max() + 2


def test_a_position_looks_the_same_whatever_its_suits_are_called():
    chance, player = np.random.default_rng(0), laffa.players.make("random", RULES)
    batch = laffa.Batch(RULES, 256, 3)
    turn, same = batch.reset(), 0
    for _ in range(80):
        obs, mask = turn.obs.copy(), turn.mask.copy()
        other_obs, other_mask = turn.obs.copy(), turn.mask.copy()
        renamed = chance.integers(0, 24, 256).astype(np.int8)
        reorder(other_obs, renamed, VIEW_SOURCES, LAST_TRICK)
        reorder(other_mask, renamed, ACTION_SOURCES, -1)
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
    assert same > 10_000


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


def synthetic(n: int = 512, seed: int = 0) -> Rows:
    """Rows with one to six legal actions; every eighth has exactly one."""
    g = torch.Generator().manual_seed(seed)
    mask = torch.zeros(n, 79, dtype=torch.bool)
    legal = torch.rand(n, 79, generator=g).topk(6).indices
    for row in range(n):
        mask[row, legal[row, : 1 if row % 8 == 0 else 2 + row % 5]] = True
    action = legal[:, 0]
    view = torch.randint(-128, 127, (n, 483), generator=g).to(torch.int8)
    logp = torch.where(mask.sum(1) == 1, 0.0, -torch.rand(n, generator=g) * 3)
    return Rows(view, view, mask, action, logp, torch.randn(n, generator=g), torch.randn(n, generator=g))


@pytest.mark.parametrize("size", [0.0, 1.0, 1e4, 1e9, 3e38])
def test_the_loss_is_finite_whatever_the_logits(size: float):
    rows = synthetic()
    signs = torch.randint(-1, 2, rows.mask.shape, generator=torch.Generator().manual_seed(3)).float()
    logits = (size * signs).requires_grad_()
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


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_hundreds_of_updates_stay_finite_in_any_precision(dtype: torch.dtype):
    rows = synthetic(64)
    policy, critic = make_policy(RULES, 16, 1), make_critic("own", 16, 1)
    optimizer = torch.optim.Adam([*policy.parameters(), *critic.parameters()], 0.01)
    for _ in range(500):
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            logits, values = policy(rows.obs), critic(rows.view).squeeze(1)
        loss, _ = ppo_loss(logits, values, rows, 0.2, 0.01, 0.01)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(p).all() for p in policy.parameters())


def test_what_stands_in_forced_rows_changes_nothing():
    trainer = played()
    rows, _ = trainer._judge()
    forced = ~trainer.rollout.learn[:-1]
    assert forced.any()
    trainer.rollout.logp[forced] = np.nan
    trainer.rollout.obs[:-1][forced] = 99
    again, _ = trainer._judge()
    assert all(torch.equal(a, b) for a, b in zip(rows, again, strict=True))


# Rewards and advantages


def returns(rollout: Rollout) -> NDArray[np.float32]:
    """What each decision with a choice led to: the advantage with lambda 1 and a critic that says 0."""
    zeros = np.zeros((rollout.steps, rollout.batch.games), np.float32)
    return advantages(rollout.seat, rollout.learn, rollout.reward, rollout.new_deal, zeros, zeros[0], 1.0)


def check_owners(rollout: Rollout) -> int:
    """Every stored decision of the side that gained by its hand has a positive return, of the other a negative one."""
    got, checked = returns(rollout), 0
    for game in range(rollout.batch.games):
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


def test_every_decision_is_paid_what_its_own_side_won():
    rollout = played().rollout
    assert check_owners(rollout) > 5000
    assert {-1.0, 1.0} <= set(np.sign(returns(rollout)).ravel())


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


# Counts


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
    assert row["hands"] == hands == trainer.batch.hands_finished
    assert row["decisions"] == 8 * 50 * 64
    assert row["learned_decisions"] == choices
    assert deals == trainer.batch.states["public"]["deals"].sum() - trainer.batch.games
    assert matches > 0 if episode == "hand" else matches >= 0
    assert paid[0] == paid[2] == -paid[1] == -paid[3]


def test_made_up_auctions_are_not_learnt_from_and_end():
    trainer = Trainer(replace(TINY, steps=200, made_up=1000))
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
    assert ppo.hand_stats(r) == {}
    r.collect(trainer.policy, trainer.generator, trainer.autocast, 0.0)
    assert r.made_up[0].all()
    assert not r.made_up[-1].any()
    assert r.learn[:-1][(r.mask[:-1, :, PASS] == 1) & ~r.made_up[:-1]].all()


def test_a_rollout_without_a_choice_says_what_to_change():
    with pytest.raises(TrainingError, match="1 games x 1 steps held no choice of the policy"):
        Trainer(replace(TINY, games=1, steps=1)).iteration()


def test_the_next_rollout_begins_where_the_last_one_ended():
    trainer = played(steps=30)
    r = trainer.rollout
    last = {name: row.copy() for name, row in r.current().items()}
    r.collect(trainer.policy, trainer.generator, trainer.autocast)
    assert all(np.array_equal(getattr(r, name)[0], row) for name, row in last.items())


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


# Runs


def parameters(folder: Path) -> dict[str, torch.Tensor]:
    return checkpoint.read(folder / checkpoint.TRAINER, "trainer")[0]


def metrics(folder: Path) -> list[dict]:
    timed = ("seconds", "elapsed", "decisions_per_s", "hands_per_s", "seconds_rollout", "seconds_critic", "seconds_update")
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if name not in timed} for row in rows]


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("critic", ["own", "central"])
def test_a_resumed_run_is_the_unbroken_one(tmp_path: Path, precision: str, critic: str, monkeypatch: pytest.MonkeyPatch):
    config = replace(TINY, precision=precision, critic=critic)
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    train(config, whole, console=QUIET)
    iterate = Trainer.iteration

    def interrupt_at_ten(trainer: Trainer) -> dict:
        if trainer.iterations == 9:
            os.kill(os.getpid(), signal.SIGINT)
        return iterate(trainer)

    monkeypatch.setattr(Trainer, "iteration", interrupt_at_ten)
    said = Console(file=io.StringIO())
    done = train(config, halves, console=said)
    assert (done["stopped"], done["iterations"]) == ("interrupt", 10)
    assert "Stopped at iteration 10" in said.file.getvalue()  # type: ignore[attr-defined]
    monkeypatch.undo()
    assert train(config, halves, resume=True, console=said)["iterations"] == 20
    assert "Resumed at iteration 10" in said.file.getvalue()  # type: ignore[attr-defined]
    a, b = parameters(whole), parameters(halves)
    assert a.keys() == b.keys()
    assert [name for name in a if not torch.equal(a[name], b[name])] == []
    assert metrics(whole) == metrics(halves)
    assert [row["iteration"] for row in metrics(halves)] == list(range(1, 21))


def test_a_used_folder_is_refused_and_left_alone(tmp_path: Path):
    run = tmp_path / "run"
    config = replace(TINY, decisions=64 * 40)
    train(config, run, console=QUIET)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(ConfigError, match="is in use"):
        train(config, run, console=QUIET)
    with pytest.raises(ConfigError, match=r"cannot change width from 32 to 64.*start a new one"):
        train(replace(config, width=64), run, resume=True, console=QUIET)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
    said = Console(file=io.StringIO())
    train(replace(config, decisions=2 * 64 * 40), run, resume=True, console=said)
    assert "decisions from 2560 to 5120" in said.file.getvalue()  # type: ignore[attr-defined]
    assert len(metrics(run)) == 2


def test_rows_after_the_last_checkpoint_are_done_again(tmp_path: Path):
    run = tmp_path / "run"
    train(replace(TINY, decisions=3 * 64 * 40), run, console=QUIET)
    with (run / "metrics.jsonl").open("a") as file:
        file.write('{"iteration": 4}\n{"iteration": 5}\n{"itera')
    train(replace(TINY, decisions=5 * 64 * 40), run, resume=True, console=QUIET)
    assert [row["iteration"] for row in metrics(run)] == [1, 2, 3, 4, 5]


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run = tmp_path / "run"
    train(replace(TINY, decisions=2 * 64 * 40), run, console=QUIET)
    before = (run / checkpoint.TRAINER).read_bytes()
    loss = ppo.ppo_loss
    monkeypatch.setattr(ppo, "ppo_loss", lambda *args: (loss(*args)[0] * torch.nan, {"policy_loss": torch.tensor(torch.nan)}))
    with pytest.raises(TrainingError, match=r"iteration 3: policy_loss is nan; .*policy\.safetensors is the last good checkpoint"):
        train(TINY, run, resume=True, console=QUIET)
    assert (run / checkpoint.TRAINER).read_bytes() == before
    checkpoint.load_player(run, RULES)


def test_the_same_seed_gives_the_same_run_and_another_seed_another(tmp_path: Path):
    config = replace(TINY, decisions=3 * 64 * 40)
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train(replace(config, seed=seed), tmp_path / name, console=QUIET)
    a, b, c = (metrics(tmp_path / name) for name in "abc")
    assert a == b != c


def test_minutes_end_a_run_too(tmp_path: Path):
    begin = time.monotonic()
    done = train(replace(TINY, decisions=None, minutes=0.05), tmp_path / "run", console=QUIET)
    assert done["elapsed"] >= 3
    assert time.monotonic() - begin < 60


def test_it_runs_outside_the_main_thread(tmp_path: Path):
    thread = threading.Thread(target=train, args=(replace(TINY, decisions=64 * 40), tmp_path / "run"), kwargs={"console": QUIET})
    thread.start()
    thread.join()
    assert (tmp_path / "run" / checkpoint.POLICY).exists()


def test_a_gpu_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="device = 'cuda' is not possible here"):
        train(replace(TINY, device="cuda"), tmp_path / "run", console=QUIET)
    assert not (tmp_path / "run").exists()


def test_the_released_average_moves_slowly_and_frozen_copies_do_not_move():
    trainer = Trainer(replace(TINY, average=0.999))
    frozen = make_policy(RULES, TINY.width, TINY.layers)
    frozen.load_state_dict(trainer.policy.state_dict())
    start = [p.clone() for p in frozen.parameters()]
    for _ in range(3):
        trainer.iteration()

    def distance(network: Mlp) -> float:
        return sum(float((p - q).detach().square().sum()) for p, q in zip(network.parameters(), start, strict=True))

    assert 0 < distance(trainer.released) < distance(trainer.policy)
    assert distance(frozen) == 0


def test_it_learns(tmp_path: Path):
    config = Config(decisions=250_000, games=128, steps=64, minibatch=1024, device="cpu", threads=1, eval_minutes=None, made_up=40_000)
    start = checkpoint.NetworkPlayer(Trainer(config).policy)
    train(config, tmp_path / "run", console=QUIET)
    pair = duplicate(checkpoint.load_player(tmp_path / "run", RULES), start, RULES, 200, 5)
    assert pair.low > 0, pair


@pytest.mark.parametrize(("left", "shown"), [(199.6, "left 3:20"), (239.4, "left 3:59"), (59.9, "left 1:00"), (5, "left 0:05")])
def test_the_time_left_counts_down_without_jumps(left: float, shown: str):
    text = io.StringIO()
    row = {"decisions": 10, "learned_decisions": 8, "decisions_per_s": 1.0, "hands_per_s": 1.0, "entropy_calls": 0.0, "entropy_cards": 0.0}
    Display(Console(file=text, width=200)).show(row, 0.5, left)
    assert text.getvalue().rstrip().endswith(shown)
