"""What has to be the same game: a copy and its original, the environment, a batch of one and a row of a larger batch."""

import copy
import pickle

import numpy as np
from numpy.random import Generator, default_rng

from laffa.aec import AGENTS, CardGame
from laffa.batch import Batch
from laffa.players import make
from laffa.rules import Rules
from laffa.testing.moments import moments
from laffa.testing.report import Watch
from laffa.testing.routes import as_bytes
from laffa.testing.walk import choose, is_over, mask_of, packed
from laffa.turn import Turn

COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda thing: pickle.loads(pickle.dumps(thing))}
GAMES = 64
"""Games of the larger batch."""


def _everything(env: CardGame) -> bytes:
    """The state, all views and all that is kept for the agents."""
    kept = [env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos, env.agents, env.agent_selection]
    return packed(env._states) + as_bytes([*kept, *(env.observe(agent) for agent in AGENTS)])


def check_copies(rules: Rules, watch: Watch, matches: int) -> None:
    """A copy is the same game, plays on as the original would, and neither disturbs the other."""
    for env in moments(rules, watch, 8 * matches):
        before = _everything(env)
        for how, copied in COPIES.items():
            twin, third = copied(env), copied(env)
            watch.require(_everything(twin) == before, f"a copy by {how} differs from its original")
            actions = _play_on(twin, default_rng(watch.seed), 40)
            watch.require(_everything(env) == before, f"playing on in a copy by {how} changes its original")
            for action in actions:
                third.step(action)
            watch.require(_everything(third) == _everything(twin), f"two copies by {how} play on differently")


def _play_on(env: CardGame, rng: Generator, limit: int) -> list[int]:
    actions = []
    while not is_over(env) and len(actions) < limit:
        actions.append(choose(mask_of(env), rng))
        env.step(actions[-1])
    return actions


def check_batches(rules: Rules, watch: Watch, matches: int) -> None:
    """The environment, a batch of one and the rows of a batch of 64 are the same games, over resets too."""
    seed, player = watch.first_seed, make("random", rules)
    env = CardGame(rules, events=True, max_hands=1)
    env.reset(seed=seed)
    first, last, many = (
        Batch(rules, games, seed, first=number, max_hands=1, state=True, events=True) for games, number in ((1, 0), (1, GAMES - 1), (GAMES, 0))
    )
    turns = [batch.reset() for batch in (first, last, many)]
    for step in range(250 * matches):
        watch.at(seed, step)
        _same_view(env, turns[0], watch)
        for batch, turn, row in ((first, turns[0], 0), (last, turns[1], GAMES - 1)):
            same = _row(batch, turn, 0) == _row(many, turns[2], row)
            watch.require(same, f"game {row} of a batch of {GAMES} is another than the same game alone")
        actions = player.act(turns[2])
        env.step(actions[0])
        turns = [first.step(actions[:1]), last.step(actions[-1:]), many.step(actions)]
        _same_pay(env, turns[0], watch)
        if turns[0].done[0]:
            env.reset()
        watch.require(packed(env._states) == packed(first.states), "the environment and a batch of one are in different states")


def _row(batch: Batch, turn: Turn, row: int) -> bytes:
    """One game of a batch, and all that its turn says of it."""
    arrays = (
        turn.seat,
        turn.obs,
        turn.mask,
        turn.reward,
        turn.done,
        turn.truncated,
        turn.hand_done,
        turn.winner,
        turn.state,
        turn.events,
        turn.blind,
    )
    return as_bytes([None if array is None else array[row : row + 1] for array in (batch.states, *arrays)])


def _same_view(env: CardGame, turn: Turn, watch: Watch) -> None:
    watch.require(env.agent_selection == AGENTS[turn.seat[0]], "the environment and a batch of one have different seats to act")
    view = env.observe(env.agent_selection)
    for name, array in (("observation", turn.obs), ("action_mask", turn.mask), ("events", turn.events)):
        same = array is not None and np.array_equal(view[name], array[0])
        watch.require(same, f"the environment and a batch of one show different numbers as {name}")


def _same_pay(env: CardGame, turn: Turn, watch: Watch) -> None:
    paid = [env.rewards[agent] for agent in AGENTS]
    watch.require(paid == turn.reward[0].tolist(), f"the environment pays {paid}, a batch of one {turn.reward[0].tolist()}")
    watch.require(is_over(env) == turn.done[0], "the environment and a batch of one do not end in the same step")
    watch.require(env.truncations[AGENTS[0]] == turn.truncated[0], "the environment and a batch of one are not truncated in the same step")
