"""Decisions per second: bare playouts, the batched engine, the AEC environment, PPO from end to end.

Each figure is the median of several runs of about a second. Compilation and the first steps are left
out; nothing else may be, so choosing the actions is counted wherever it is part of the loop.
"""

import statistics
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import count
from time import perf_counter
from typing import Any

import numpy as np

from laffa import aec, engine, observe
from laffa.batch import Batch
from laffa.jit import kernel
from laffa.rng import GAMMA, below, game_key, mix
from laffa.rules import Rules
from laffa.state import STATE
from laffa_train.loops import SEED, Play, episodes, lasting

GAMES = 4096
"""Games in the batch that is timed."""

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
        legal = observe.read_mask(mask[i])
        noise += GAMMA
        actions[i] = engine.nth(legal, below(mix(noise), engine.count(legal)))
    return noise


def matches(rules: Rules, core: int = 0) -> Play:
    """A hundred whole matches in one compiled loop; other cards for each core."""
    states, first = np.zeros(1, STATE), count(core << 32, 100)
    return lambda: playout(rules.packed, states, next(first), 100)


class Steps:
    """A batch under random legal actions."""

    def __init__(self, rules: Rules, games: int, threads: int = 1) -> None:
        self.batch = Batch(rules, games, SEED, threads=threads)
        self.turn = self.batch.reset()
        self.actions = np.zeros(games, np.int64)
        self._noise = np.uint64(1)

    def choose(self) -> None:
        """Draw an action for every game."""
        self._noise = np.uint64(choose(self.turn.mask, self._noise, self.actions))

    def step(self) -> None:
        """Play the actions, with the new observations and masks."""
        self.turn = self.batch.step(self.actions, out=self.turn)

    def play(self) -> int:
        """Both; the number of decisions."""
        self.choose()
        self.step()
        return len(self.actions)

    def rates(self, seconds: float) -> tuple[float, float]:
        """Decisions per second over `seconds`: of the steps alone, and with the time for choosing."""
        decisions, stepping, start = 0, 0.0, perf_counter()
        while perf_counter() - start < seconds:
            self.choose()
            before = perf_counter()
            self.step()
            stepping += perf_counter() - before
            decisions += len(self.actions)
        return decisions / stepping, decisions / (perf_counter() - start)


def bench_playout(rules: Rules, cores: int, runs: int) -> Result:
    """Whole matches in one compiled loop per core, nothing written for anybody to see."""
    plays = [matches(rules, core) for core in range(cores)]
    plays[0]()
    with ThreadPoolExecutor(cores) as pool:
        rates = [_rate(lambda: sum(pool.map(lambda play: lasting(play, RUN_SECONDS)[0], plays))) for _ in range(runs)]
    return result("playout", rules, cores, rates, "random matches inside one compiled loop")


def bench_batch(rules: Rules, cores: int, runs: int, games: int | None = None) -> Result:
    """`Batch.step` with observations and masks, with and without the time for choosing random actions."""
    steps = Steps(rules, games or GAMES, cores)
    steps.rates(RUN_SECONDS)  # compiles and spreads the games over all phases
    bare, whole = zip(*(steps.rates(RUN_SECONDS) for _ in range(runs)))
    what = f"Batch.step of {steps.batch.games} games with observations and masks"
    return result("batch", rules, cores, list(bare), what, with_choosing=statistics.median(whole))


def bench_aec(rules: Rules, cores: int, runs: int) -> Result:
    """`last()` and `step()` of the PettingZoo environment, with a random legal action from the mask."""
    env = aec.env(rules)
    play = episodes(env)
    env.reset(seed=SEED)
    lasting(play, RUN_SECONDS)
    rates = [_rate(lambda: lasting(play, RUN_SECONDS)[0]) for _ in range(runs)]
    return result("aec", rules, 1, rates, "last() and step() of laffa.env, one game")


def bench_ppo(rules: Rules, cores: int, runs: int) -> Result:
    """Training from end to end, rollouts and updates, on one core."""
    from laffa_train.config import Config  # torch is imported only now
    from laffa_train.ppo import Trainer

    trainer = Trainer(Config(rules.origin, rules=rules.options, seed=SEED, decisions=10**12, made_up=0, **PPO))
    for _ in range(WARM_UP):
        trainer.iteration()
    rates = [trainer.iteration()["decisions_per_s"] for _ in range(runs)]
    return result("ppo", rules, 1, rates, "self-play and updates, two layers of 256, no evaluations")


def _rate(work: Callable[[], int]) -> float:
    """Decisions per second of one call of `work`, which returns how many it made."""
    start = perf_counter()
    decisions = work()
    return decisions / (perf_counter() - start)


def result(name: str, rules: Rules, cores: int, rates: list[float], what: str, **extra: float) -> Result:
    """One line from the runs of a benchmark; `extra` are more figures."""
    return Result(name, rules.variant, cores, statistics.median(rates), rates, what, extra)


BENCHES: dict[str, Callable[[Rules, int, int], Result]] = {"playout": bench_playout, "batch": bench_batch, "aec": bench_aec, "ppo": bench_ppo}


def check_names(names: list[str] | None) -> list[str]:
    """The benchmarks to run; all of them when none is named."""
    for name in names or ():
        if name not in BENCHES:
            raise ValueError(f"there is no benchmark {name!r}; there are {', '.join(BENCHES)}")
    return list(names or BENCHES)
