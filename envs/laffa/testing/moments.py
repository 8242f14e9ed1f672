"""Where checks look: random moments of every phase, and whole matches."""

from collections.abc import Iterator

from numpy.random import default_rng

from laffa.aec import CardGame
from laffa.rules import Rules
from laffa.state import PHASES
from laffa.testing.report import Watch
from laffa.testing.walk import choose, is_over, mask_of, phases, walk

HANDS = 50
"""Counted hands after which a match is cut, so that random play ends under rules without a cap too."""
LIMIT = 20_000
"""Decisions after which a match is said not to end."""
TRIES = 200
"""Matches in which a rare phase is looked for."""


def phase_of(env: CardGame) -> str:
    """The phase of a game."""
    return PHASES[env._states["public"]["phase"][0]]


def moments(rules: Rules, watch: Watch, count: int) -> Iterator[CardGame]:
    """`count` random moments of random matches of one to three hands, every phase among them and the end; the games must be left as they are."""
    rng, wanted = default_rng(watch.first_seed), phases(rules)
    for match in range(TRIES):
        seed = watch.first_seed + match
        env = CardGame(rules, events=True, max_hands=1 + match % 3)
        env.reset(seed=seed)
        for step, _ in enumerate(walk(env, seed)):
            phase = phase_of(env)
            if phase not in wanted and (count <= len(wanted) or rng.uniform() > 1 / 12):
                continue
            wanted.discard(phase)
            watch.at(seed, step)
            yield env
            count -= 1
            if count <= 0:
                return


def whole_match(env: CardGame, watch: Watch, seed: int) -> Iterator[int]:
    """Begin the match of a seed and play it to its end: yields the random action of every decision, which the caller has to play."""
    rng = default_rng(seed)
    env.reset(seed=seed)
    for step in range(LIMIT):
        if is_over(env):
            return
        action = choose(mask_of(env), rng)
        watch.at(seed, step)
        yield action
    raise watch.failure(f"the match has not ended after {LIMIT} decisions")
