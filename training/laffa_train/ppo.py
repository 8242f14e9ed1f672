"""Masked PPO in self-play (arXiv 1707.06347), in one file from top to bottom.

One policy plays all four seats: observations are relative to the seat. An iteration is

1. `Rollout.collect`: B games play T steps; forced moves do not ask the network,
2. the critic values every decision that the policy made, in big batches,
3. `advantages` along each seat's own decisions,
4. `update`: some epochs of minibatches over exactly those decisions.
"""

import math
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.console import Console
from torch import Tensor, nn

from laffa import layout
from laffa.cards import CARDS
from laffa_train import checkpoint, meta, monitor
from laffa_train.config import Config, ConfigError, to_toml
from laffa_train.games import Games
from laffa_train.networks import action_bound, entropy, favour_low_bids, log_probs, make_critic, make_policy, pick_autocast, pick_device
from laffa_train.rollout import Rollout, advantages
from laffa_train.run import Display, Log, TrainingError, check_finite, compare, stop_request

VALUE_ROWS = 4096
"""Rows that the critic takes at once."""
KEPT = 0.05
"""Share of deals in which chance goes on calling where that is learnt from; it shrinks to nothing at the end."""


class Rows(NamedTuple):
    """Decisions to learn from, N of them."""

    obs: Tensor
    """What the policy saw, int8 [N, D]."""
    view: Tensor
    """What the critic sees, int8 [N, D] or [N, S]."""
    mask: Tensor
    """Legal actions, bool [N, A]."""
    action: Tensor
    """What was done, int64 [N]."""
    logp: Tensor
    """Log-probability with which it was done [N]."""
    advantage: Tensor
    """Normalised [N]."""
    target: Tensor
    """What the critic should have said [N]."""


def ppo_loss(
    logits: Tensor, values: Tensor | None, rows: Rows, clip: float, entropy_calls: float, entropy_cards: float
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a minibatch, every row with equal weight, and what to log.

    Args:
        logits: float32 [N, A].
        values: float32 [N]; None where only the policy learns.
        rows: the minibatch.
        clip: how far the probability ratio may leave 1.
        entropy_calls, entropy_cards: weights of the entropy of bids and trumps, and of cards.
    """
    logp = log_probs(logits, rows.mask)
    # A ratio beyond e^20 would overflow for an action that was as good as impossible; the clip stops its gradient long before.
    change = (logp.gather(1, rows.action[:, None]).squeeze(1) - rows.logp).clamp(-20, 20)
    ratio = change.exp()
    gain = torch.minimum(ratio * rows.advantage, ratio.clamp(1 - clip, 1 + clip) * rows.advantage)
    spread, calls = entropy(logp), rows.action >= CARDS
    weight = torch.where(calls, entropy_calls, entropy_cards)
    policy_loss = -gain.mean()
    loss = policy_loss - (weight * spread).mean()
    with torch.no_grad():
        logged = {
            "policy_loss": policy_loss,
            "kl": (ratio - 1 - change).mean(),
            "clipped": ((ratio - 1).abs() > clip).float().mean(),
            "entropy_calls": (spread * calls).sum() / calls.sum().clamp(min=1),
            "entropy_cards": (spread * ~calls).sum() / (~calls).sum().clamp(min=1),
        }
    if values is not None:
        logged["value_loss"] = 0.5 * (values - rows.target).square().mean()
        loss = loss + logged["value_loss"]
    return loss, {name: value.detach() for name, value in logged.items()}


class Trainer:
    """Networks, optimiser, games and counters of a run; `iteration` is all that changes them."""

    def __init__(self, config: Config) -> None:
        self.config, self.rules = config, config.all_rules
        torch.set_num_threads(config.threads or meta.usable_cores())
        torch.manual_seed(config.seed)
        self.device = pick_device(config)
        self.autocast = pick_autocast(config, self.device)
        central = config.critic == "central"
        actions, pieces = max(map(action_bound, self.rules)), layout.informative(self.rules)
        self.policy = make_policy(pieces, actions, config.width, config.layers).to(self.device)
        favour_low_bids(self.policy, self.rules, config.low_bids)
        self.critic = make_critic(layout.informative(self.rules, central), config.width, config.layers).to(self.device)
        self.released = make_policy(pieces, actions, config.width, config.layers).to(self.device) if config.average else self.policy
        self.released.load_state_dict(self.policy.state_dict())
        self.parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, lr=config.lr, eps=1e-5, fused=True)
        self.generator = torch.Generator(self.device).manual_seed(config.seed)
        self.games = Games(self.rules, config.games, config.seed, episode=config.episode, reward=config.reward, state=central)
        self.rollout = Rollout(self.games, config.steps, actions, central, config.explore_calls > 0)
        self.scale = config.reward_scale * (self.games.scale if config.reward == "score" else np.ones(config.games, np.float32))
        self.rollout.begin()
        self.iterations = self.decisions = self.learned = 0
        self.seconds = self.elapsed = 0.0
        """Seconds of training alone, and of the run with its evaluations and saves."""

    def progress(self) -> float:
        """How much of the budget is used, 0 to 1: whichever of decisions and minutes is further."""
        by_decisions = self.decisions / self.config.decisions if self.config.decisions else 0.0
        by_minutes = self.elapsed / (60 * self.config.minutes) if self.config.minutes else 0.0
        return min(1.0, max(by_decisions, by_minutes))

    def iteration(self) -> dict[str, float]:
        """Play a rollout and learn from it; returns what to log."""
        start, hands = time.perf_counter(), self.games.hands_finished
        done = self.progress()
        self.rollout.collect(self.policy, self.generator, self.autocast, self._made_up())
        played = time.perf_counter()
        rows, logged = self._judge()
        judged = time.perf_counter()
        logged |= self._update(rows, done)
        end = time.perf_counter()
        decisions = self.config.games * self.config.steps
        self.iterations += 1
        self.decisions += decisions
        self.learned += len(rows.action)
        self.seconds += end - start
        speed = {"decisions_per_s": decisions / (end - start), "hands_per_s": (self.games.hands_finished - hands) / (end - start)}
        split = {"seconds_rollout": played - start, "seconds_critic": judged - played, "seconds_update": end - judged}
        counts = {"iteration": self.iterations, "decisions": self.decisions, "learned_decisions": self.learned, "hands": self.games.hands_finished}
        return counts | {"seconds": self.seconds} | speed | logged | monitor.hand_stats(self.rollout) | split

    def _made_up(self) -> float:
        """Share of the deals in which chance calls: all, then fewer, then none.

        Who cannot play cards loses every contract, learns never to bid, and then has no cards to learn from. It takes a number
        of decisions to learn them, not a share of the budget: a slow first minute must not end it early.
        """
        until = self.config.made_up
        kept = KEPT * (1 - self.progress()) if self.config.explore_calls else 0.0
        return min(1.0, max(kept, 2 - 2 * self.decisions / until)) if until else 0.0

    def _judge(self) -> tuple[Rows, dict[str, float]]:
        """Value and advantage of every decision that was the policy's, ready to learn from."""
        rollout, config = self.rollout, self.config
        learn = torch.from_numpy(np.flatnonzero(rollout.learn[:-1]))
        if not len(learn):
            raise TrainingError(f"{config.games} games x {config.steps} steps held no choice of the policy; more games or steps are needed")
        values = np.zeros((config.steps, config.games), np.float32)
        view = rollout.rows(rollout.view).index_select(0, learn).to(self.device)
        values.reshape(-1)[learn.numpy()] = self._value(view)
        last = self._value(torch.from_numpy(getattr(rollout, rollout.view)[-1]).to(self.device))
        # With "score" every deal pays for itself, and a passed-out one pays nothing, whatever cards come next.
        cut = rollout.done if config.reward == "outcome" else rollout.new_deal
        reward = self.scale[:, None] * rollout.reward
        result = advantages(rollout.seat, rollout.learn, reward, cut, values, last, config.gae_lambda)
        advantage, value = (torch.from_numpy(array.reshape(-1))[learn] for array in (result, values))
        target = advantage + value
        error = (target - value).var(correction=0) / target.var(correction=0).clamp(min=1e-8)
        logged = {"explained_variance": 1 - float(error), "advantage_std": float(advantage.std(correction=0))}
        advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
        mask = rollout.rows("mask")[learn, : rollout.actions].bool()
        own = rollout.rows("obs").index_select(0, learn), mask, rollout.rows("action")[learn], rollout.rows("logp")[learn], advantage, target
        obs, *rest = (tensor.to(self.device) for tensor in own)
        return self._without_settled(Rows(obs, view, *rest), rollout.rows("by_chance")[learn].to(self.device)), logged

    def _without_settled(self, rows: Rows, by_chance: Tensor) -> Rows:
        """Leave out calls of chance that were bad and that the policy hardly makes any more.

        Bids fail more often than not while nobody knows when to bid, so a policy gives them up before it finds out; chance keeps
        trying them, good ones are learnt at any time, and bad ones push no further than to `explore_calls`.
        """
        if not by_chance.any():
            return rows
        keep = ~by_chance | (rows.advantage > 0) | (rows.logp > math.log(self.config.explore_calls))
        return Rows(*(tensor[keep] for tensor in rows))

    @torch.no_grad()
    def _value(self, view: Tensor) -> np.ndarray:
        """The critic's value of each row, float32 [N]."""
        with self.autocast:
            return torch.cat([self.critic(part).squeeze(1) for part in view.split(VALUE_ROWS)]).cpu().numpy()

    def _update(self, rows: Rows, done: float) -> dict[str, float]:
        """Some epochs of gradient steps; `done` is the position in the schedules."""
        c = self.config
        lr, calls, cards = (
            start + (end - start) * done
            for start, end in ((c.lr, c.lr_end), (c.entropy_calls, c.entropy_calls_end), (c.entropy_cards, c.entropy_cards_end))
        )
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        totals: dict[str, list[Tensor]] = {}
        count = max(1, round(len(rows.action) / c.minibatch))
        for epoch in range(c.epochs):
            order = torch.randperm(len(rows.action), generator=self.generator, device=self.device)
            for part in order.tensor_split(count):
                judging = epoch < c.critic_epochs
                chosen = Rows(*(tensor.index_select(0, part) if judging or tensor is not rows.view else tensor for tensor in rows))
                with self.autocast:
                    logits = self.policy(chosen.obs)
                    values = self.critic(chosen.view).squeeze(1) if judging else None
                loss, logged = ppo_loss(logits, values, chosen, c.clip, calls, cards)
                self._descend(loss)
                for name, value in logged.items():
                    totals.setdefault(name, []).append(value)
        means = {name: float(torch.stack(values).mean()) for name, values in totals.items()}
        return means | {"lr": lr, "weight_calls": calls, "weight_cards": cards}

    def _descend(self, loss: Tensor) -> None:
        """One step of Adam with each network's gradient clipped on its own."""
        self.optimizer.zero_grad()
        loss.backward()
        for network in (self.policy, self.critic):
            nn.utils.clip_grad_norm_(network.parameters(), self.config.max_grad_norm)
        self.optimizer.step()
        if self.released is not self.policy:
            with torch.no_grad():
                torch._foreach_lerp_(list(self.released.parameters()), list(self.policy.parameters()), 1 - self.config.average)

    def save(self, run_dir: Path) -> None:
        """Write the policy to play with and everything needed to go on."""
        info = checkpoint.describe(self.config, self.decisions, self.seconds)
        checkpoint.write(run_dir / checkpoint.POLICY, "policy", self.released.state_dict(), info)
        counters = {name: getattr(self, name) for name in COUNTERS} | {"hands": [batch.hands_finished for batch in self.games.batches]}
        checkpoint.write(run_dir / checkpoint.TRAINER, "trainer", self._tensors(), info | {"counters": counters})

    def _tensors(self) -> dict[str, Tensor]:
        networks = {"policy": self.policy, "critic": self.critic, "released": self.released}
        tensors = {f"{name}.{key}": value.clone() for name, network in networks.items() for key, value in network.state_dict().items()}
        for number, state in self.optimizer.state_dict()["state"].items():
            tensors |= {f"adam.{number}.{key}": value for key, value in state.items()}
        tensors |= {f"row.{name}": torch.from_numpy(row) for name, row in self.rollout.current().items()}
        return tensors | {"generator": self.generator.get_state(), "games": torch.from_numpy(self.games.raw)}

    def restore(self, run_dir: Path) -> None:
        """Go on where `save` was called.

        Raises:
            CheckpointError: if the file cannot be read or does not fit the settings.
        """
        path = run_dir / checkpoint.TRAINER
        tensors, info = checkpoint.read(path, "trainer")
        for rules in self.rules:
            checkpoint.check_fit(path, info, rules)
        try:
            for name, network in {"policy": self.policy, "critic": self.critic, "released": self.released}.items():
                network.load_state_dict(_below(tensors, name))
            self._restore_adam(_below(tensors, "adam"))
            self.generator.set_state(tensors["generator"])
            self.games.restore(tensors["games"].numpy(), info["counters"]["hands"])
            for name, row in self.rollout.current().items():
                row[:] = tensors[f"row.{name}"].numpy()
            for name in COUNTERS:
                setattr(self, name, info["counters"][name])
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise checkpoint.refuse(path, f"does not fit this run ({error})") from None

    def _restore_adam(self, tensors: dict[str, Tensor]) -> None:
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            number, _, key = name.partition(".")
            state.setdefault(int(number), {})[key] = value
        self.optimizer.load_state_dict({"state": state, "param_groups": self.optimizer.state_dict()["param_groups"]})


COUNTERS = ("iterations", "decisions", "learned", "seconds", "elapsed")


def _below(tensors: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    """The tensors whose names begin with `name`, without it."""
    return {key.removeprefix(f"{name}."): value for key, value in tensors.items() if key.startswith(f"{name}.")}


def prepare(config: Config, run_dir: Path, resume: bool, say: Any) -> Trainer:
    """A trainer in a new folder, or one that goes on in a used one.

    Raises:
        ConfigError: for a folder in use, or settings that cannot change on the way.
        CheckpointError: with `resume`, if there is nothing to resume or it does not fit.
    """
    if resume:
        _, info = checkpoint.read(run_dir / checkpoint.TRAINER, "trainer")
        compare(info.get("config", {}), config, say)
    elif run_dir.exists() and any(run_dir.iterdir()):
        raise ConfigError(f"{run_dir} is in use: resume that run, or choose another folder")
    trainer = Trainer(config)
    run_dir.mkdir(parents=True, exist_ok=True)
    if resume:
        trainer.restore(run_dir)
        checkpoint.clean(run_dir)
        say(f"Resumed at iteration {trainer.iterations}, {trainer.decisions:,} decisions.")
    with meta.whole_file(run_dir / "config.toml") as temporary:
        temporary.write_text(to_toml(config), encoding="utf-8")
    return trainer


def train(config: Config, run_dir: Path | str, resume: bool = False, console: Console | None = None) -> dict[str, Any]:
    """Train until the budget is used or Ctrl-C is pressed.

    Args:
        config: the settings.
        run_dir: folder for `config.toml`, `metrics.jsonl`, `tensorboard`, `policy.safetensors` and `trainer.safetensors`.
        resume: go on with the run in that folder.
        console: where progress is shown; standard error by default.

    Returns:
        checkpoint, decisions, learned_decisions, hands, iterations, seconds (of training alone), elapsed and stopped ("budget" or "interrupt").

    Raises:
        ConfigError, CheckpointError: for what cannot be done; nothing is changed then.
        TrainingError: if a loss is no longer a number; the last good checkpoint is kept.
    """
    run_dir = Path(run_dir)
    display = Display(console or Console(stderr=True))
    trainer = prepare(config, run_dir, resume, display.say)
    begin = time.perf_counter() - trainer.elapsed
    saved = evaluated = -math.inf
    with ExitStack() as stack:
        stop = stack.enter_context(stop_request(display.say))
        log = Log(run_dir, trainer.iterations, trainer.decisions)
        stack.callback(log.close)
        stack.enter_context(display.bar)
        while trainer.progress() < 1 and not stop.is_set():
            row = trainer.iteration()
            check_finite(row, run_dir)
            trainer.elapsed = time.perf_counter() - begin
            last = trainer.progress() >= 1
            if config.eval_minutes is not None and (last or trainer.elapsed - evaluated >= 60 * config.eval_minutes):
                evaluated = trainer.elapsed
                row |= monitor.margins(checkpoint.NetworkPlayer(trainer.released), trainer.config)
                trainer.elapsed = time.perf_counter() - begin
            log.write(row | {"elapsed": trainer.elapsed})
            display.show(row, trainer.progress(), trainer.elapsed * (1 / trainer.progress() - 1))
            if trainer.elapsed - saved >= config.checkpoint_seconds:
                trainer.save(run_dir)
                saved = trainer.elapsed
        trainer.save(run_dir)
    if stop.is_set():
        display.say(f"Stopped at iteration {trainer.iterations}; {run_dir / checkpoint.TRAINER} is saved, and the run can be resumed.")
    return {
        "checkpoint": str(run_dir / checkpoint.POLICY),
        "decisions": trainer.decisions,
        "learned_decisions": trainer.learned,
        "hands": trainer.games.hands_finished,
        "iterations": trainer.iterations,
        "seconds": trainer.seconds,
        "elapsed": trainer.elapsed,
        "stopped": "interrupt" if stop.is_set() else "budget",
    }
