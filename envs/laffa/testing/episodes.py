"""Whole matches: who is paid what, how they end, and what a seed fixes."""

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from laffa.aec import AGENTS, CardGame
from laffa.rules import Rules
from laffa.state import UNDECIDED
from laffa.testing.moments import HANDS, whole_match
from laffa.testing.report import Watch
from laffa.testing.walk import is_over, packed, walk


def check_rewards(rules: Rules, watch: Watch, matches: int) -> None:
    """Partners are paid alike and opponents the opposite, what the hand's scores or the outcome say, once and only then."""
    for reward in ("score", "outcome"):
        env = CardGame(rules, reward=reward, max_hands=HANDS)
        for match in range(matches):
            _pay_of_match(env, watch, watch.first_seed + match, reward == "outcome")


def _pay_of_match(env: CardGame, watch: Watch, seed: int, outcome: bool) -> None:
    paid, shown, hands = [0.0] * 4, dict.fromkeys(AGENTS, 0.0), 0
    for action in whole_match(env, watch, seed):
        shown[env.agent_selection] += env.last(observe=False)[1]
        env.step(action)
        rewards = [env.rewards[agent] for agent in AGENTS]
        _sides(watch, rewards)
        p = env._states[0]["public"]
        due = _outcome(env, p) if outcome else _difference(p, hands)
        watch.require(rewards[0] == due, f"seats 0 and 2 are paid {rewards[0]:g}, and {due:g} is due to them")
        paid, hands = np.add(paid, rewards).tolist(), int(p["hands_here"])
    for agent in env.agent_iter():
        shown[agent] += env.last(observe=False)[1]
        env.step(None)
    watch.require(list(shown.values()) == paid, f"last() has shown rewards of {list(shown.values())} in sum, and {paid} were paid")


def _sides(watch: Watch, rewards: list[float]) -> None:
    us, them, partner, other = rewards
    watch.require(us == partner and them == other, f"partners are not paid alike: {rewards}")
    watch.require(us == -them, f"what one side gets is not what the other loses: {rewards}")


def _difference(p: Any, hands: int) -> float:
    """What the step is worth to seats 0 and 2: the difference of a hand's scores, if one was counted."""
    scores = p["last"]["scores"]
    return float(scores[0] - scores[1]) if p["hands_here"] > hands else 0.0


def _outcome(env: CardGame, p: Any) -> float:
    return {0: 1.0, 1: -1.0}.get(int(p["winner"]), 0.0) if is_over(env) else 0.0


def check_termination(rules: Rules, watch: Watch, matches: int) -> None:
    """All seats are done in the same step, when there is a winner or the limit of hands is reached; then each leaves once."""
    for episode, limit in (("match", HANDS), ("match", 2), ("hand", None)):
        env = CardGame(rules, episode=episode, max_hands=limit)
        for match in range(matches):
            for action in whole_match(env, watch, watch.first_seed + match):
                watch.require(env.agents == list(AGENTS), f"the game is on, and its agents are {env.agents}")
                env.step(action)
                _flags(env, watch, episode == "hand", limit)
            _leave(env, watch)


def _flags(env: CardGame, watch: Watch, one_hand: bool, limit: int | None) -> None:
    p = env._states[0]["public"]
    hands, decided = int(p["hands_here"]), p["winner"] != UNDECIDED
    ended = decided or (one_hand and hands > 0)
    cut = not ended and hands == limit
    for name, flags, due in (("terminated", env.terminations, ended), ("truncated", env.truncations, cut)):
        told = [flags.get(agent) for agent in AGENTS]
        watch.require(told == [due] * 4, f"{name} is {told} and should be {due} for all after {hands} counted hands")


def _leave(env: CardGame, watch: Watch) -> None:
    """The seats of an ended game leave one by one."""
    left = []
    for agent in env.agent_iter(max_iter=8):
        watch.require(not env.last()[0]["action_mask"].any(), f"{agent} is done, and its mask allows something")
        env.step(None)
        left.append(agent)
    watch.require(sorted(left) == list(AGENTS) and not env.agents, f"after the end the agents left in the order {left}, and {env.agents} stayed")
    try:
        env.step(None)
    except ResetNeeded:
        return
    raise watch.failure("when all have left, step() goes on without a reset")


def check_seeding(rules: Rules, watch: Watch, matches: int) -> None:
    """The same seed and actions give the same game, in a new environment and in a used one, and so do the matches after it; other seeds others."""
    used = CardGame(rules, max_hands=2)
    for match in range(matches):
        seed = watch.first_seed + match
        used.reset(seed=seed + 1)
        for _ in walk(used, seed + 1, limit=30):
            pass
        new = CardGame(rules, max_hands=2)
        for env in (used, new):
            env.reset(seed=seed)
        _same_game(used, new, watch, seed)
        for env in (used, new):
            env.reset()
        _same_game(used, new, watch, seed)
    _other_seeds(rules, watch)


def _same_game(one: CardGame, other: CardGame, watch: Watch, seed: int) -> None:
    for step, _ in enumerate(zip(walk(one, seed, limit=120), walk(other, seed, limit=120), strict=False)):
        watch.at(seed, step)
        watch.require(packed(one._states) == packed(other._states), "the same seed and the same actions give another game")


def _other_seeds(rules: Rules, watch: Watch) -> None:
    """Eight seeds, and two matches in a row, are dealt different cards."""
    env, deals = CardGame(rules), []
    for seed in range(watch.first_seed, watch.first_seed + 8):
        env.reset(seed=seed)
        deals.append(_cards(env))
    env.reset()
    deals.append(_cards(env))
    watch.require(len(set(deals)) == len(deals), "different seeds, or two matches in a row, are dealt the same cards")


def _cards(env: CardGame) -> bytes:
    return packed(env._states["hands"]) + packed(env._states["stock"])
