"""Decisions per second: bare playouts, the batched engine, the AEC environment, PPO from end to end.

Each figure is the median of several runs of about a second. Compilation and the first steps are left
out; nothing else may be, so choosing the actions is counted wherever it is part of the loop.
"""

import statistics
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any, cast

import numpy as np

from laffa import aec, engine
from laffa.batch import Batch
from laffa.jit import kernel
from laffa.rng import GAMMA, below, game_key, mix
from laffa.rules import Rules
from laffa.state import STATE

GAMES = 4096
"""Games in the batch that is timed."""

SEED = 7
"""Fixes the cards; speed hardly depends on it."""

PPO = {"width": 256, "layers": 2, "threads": 1, "device": "cpu"}
"""Settings of the training that is timed; the others have their defaults."""

WARM_UP = 3
"""Iterations of training before it is timed: the first ones touch their memory for the first time."""

RUN_SECONDS = 1.0
"""Least length of one run."""


@dataclass(frozen=True)
class Result:
    """One line of the benchmark."""

    name: str
    variant: str
    cores: int
    decisions_per_s: float
    """Median over the runs."""
    runs: list[float]
    """Decisions per second of each run."""
    what: str
    """What was timed, in words."""
    extra: dict[str, float] = field(default_factory=dict)
    """More figures by name; they become keys of their own."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as one flat dict for JSON."""
        data = asdict(self)
        return data | data.pop("extra")


@kernel
def playout(r, states, first, games):
    """Play whole matches with random legal actions in states[0]; the number of decisions."""
    s = states[0]
    decisions = 0
    noise = game_key(first, games)
    for game in range(first, first + games):
        s.key = game_key(0, game)
        s.public.deals = 0
        engine.start_match(r[0], s)
        event = 0
        while event & engine.EPISODE_OVER == 0:
            words = engine.legal(r[0], s.public, s.held[s.public.turn])
            noise += GAMMA
            action = engine.nth(words, below(mix(noise), engine.count(words)))
            event = engine.step(r[0], s, action, engine.MATCH, 0)
            decisions += 1
    return decisions


@kernel
def choose(mask, noise, actions):
    """A random legal action for each row of `mask` [B, A]; returns the generator's next state."""
    for i in range(len(mask)):
        legal = 0
        for action in range(mask.shape[1]):
            legal += mask[i, action]
        noise += GAMMA
        left = below(mix(noise), legal)
        for action in range(mask.shape[1]):
            if mask[i, action]:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1
    return noise


def bench_playout(rules: Rules, cores: int, runs: int) -> Result:
    """Whole matches in one compiled loop per core, nothing written for anybody to see."""

    def work(core: int) -> int:
        states = np.zeros(1, STATE)
        decisions, first, start = 0, core << 32, perf_counter()
        while perf_counter() - start < RUN_SECONDS:
            decisions += playout(rules.packed, states, first, 100)
            first += 100
        return decisions

    playout(rules.packed, np.zeros(1, STATE), 0, 100)
    with ThreadPoolExecutor(cores) as pool:
        rates = [_rate(lambda: sum(pool.map(work, range(cores)))) for _ in range(runs)]
    return _result("playout", rules, cores, rates, "random matches inside one compiled loop")


def bench_batch(rules: Rules, cores: int, runs: int) -> Result:
    """`Batch.step` with observations and masks, with and without the time for choosing random actions."""
    batch = Batch(rules, GAMES, SEED, threads=cores)
    turn, actions, noise = batch.reset(), np.zeros(GAMES, np.int64), np.uint64(1)
    bare, whole = [], []
    for run in range(runs + 1):
        steps, stepping, start = 0, 0.0, perf_counter()
        while perf_counter() - start < RUN_SECONDS:
            noise = choose(turn.mask, np.uint64(noise), actions)
            before = perf_counter()
            turn = batch.step(actions, out=turn)
            stepping += perf_counter() - before
            steps += 1
        if run > 0:  # the first run compiles and spreads the games over all phases
            bare.append(steps * GAMES / stepping)
            whole.append(steps * GAMES / (perf_counter() - start))
    what = f"Batch.step of {GAMES} games with observations and masks"
    return _result("batch", rules, cores, bare, what, with_choosing=statistics.median(whole))


def bench_aec(rules: Rules, cores: int, runs: int) -> Result:
    """`last()` and `step()` of the PettingZoo environment, with a random legal action from the mask."""
    env = aec.env(rules)
    last = cast("Callable[[], Any]", env.last)  # PettingZoo types the observation as optional
    draws = np.random.default_rng(SEED).integers(0, 2**31, 4096).tolist()

    def work() -> int:
        decisions, start = 0, perf_counter()
        while perf_counter() - start < RUN_SECONDS:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[draws[decisions & 4095] % len(legal)]))
                decisions += 1
        return decisions

    env.reset(seed=SEED)
    work()
    return _result("aec", rules, 1, [_rate(work) for _ in range(runs)], "last() and step() of laffa.env, one game")


def bench_ppo(rules: Rules, cores: int, runs: int) -> Result:
    """Training from end to end, rollouts and updates, on one core."""
    from laffa_train.config import Config  # torch is imported only now
    from laffa_train.ppo import Trainer

    trainer = Trainer(Config(rules.origin, rules=rules.options, seed=SEED, decisions=10**12, made_up=0, **PPO))
    for _ in range(WARM_UP):
        trainer.iteration()
    rates = [trainer.iteration()["decisions_per_s"] for _ in range(runs)]
    return _result("ppo", rules, 1, rates, "self-play and updates, two layers of 256, no evaluations")


def _rate(work: Callable[[], int]) -> float:
    """Decisions per second of one call of `work`, which returns how many it made."""
    start = perf_counter()
    decisions = work()
    return decisions / (perf_counter() - start)


def _result(name: str, rules: Rules, cores: int, rates: list[float], what: str, **extra: float) -> Result:
    return Result(name, rules.variant, cores, statistics.median(rates), rates, what, extra)


BENCHES: dict[str, Callable[[Rules, int, int], Result]] = {"playout": bench_playout, "batch": bench_batch, "aec": bench_aec, "ppo": bench_ppo}


def check_names(names: list[str] | None) -> list[str]:
    """The benchmarks to run; all of them when none is named."""
    for name in names or ():
        if name not in BENCHES:
            raise ValueError(f"there is no benchmark {name!r}; there are {', '.join(BENCHES)}")
    return list(names or BENCHES)
