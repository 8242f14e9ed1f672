"""Duplicate evaluation: two players, the same cards for both.

The unit is a duplicate deal: game i of a seed is played twice, A on seats 0 and 2 and then on seats 1
and 3, B on the others. What luck gave to one side it then gives to the other, so the mean of the two
differences is A's advantage with most of the luck of the cards taken out. Deals are independent of one
another; the two plays of a deal are not, and are one observation.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laffa.batch import Batch
from laffa.checks import check_count
from laffa.players import Player
from laffa.rules import Rules, load
from laffa.state import DRAW, RESULT

EVALUATION_SEED_OFFSET = 2**62
"""Added to the seed of every evaluation. Training seeds lie below it, so no evaluation deal was ever trained on."""

FIRST_MATCH = 2**32
"""Number of the first game that is played as a match; hands are games 0, 1, 2 …, so the two share no deal."""

CHUNK = 1024
"""Games that are played side by side. Results do not depend on it."""

Z = 1.959964
"""Half-width of a 95 % interval in standard errors."""

Tick = Callable[[float], None]


@dataclass(frozen=True)
class Pair:
    """How `a` did against `b`; everything that ends in `_b` is b's, and `mean` and `win_rate` mirror."""

    a: str
    b: str
    variant: str
    options: dict[str, Any]
    """Every option of the variant, as played."""
    episode: str
    """What `mean` counts: "hand"."""
    deals: int
    """Duplicate deals, each played twice."""
    seed: int
    mean: float
    """A's score minus B's, in points a hand."""
    low: float
    high: float
    """Ends of the 95 % interval of `mean`."""
    contracts_made: float | None
    """Share of a's contracts that were made; None if a had none, as in Arba'a Turub, where nobody promises anything."""
    contracts_made_b: float | None
    average_bid: float | None
    """Mean of a's contracts, in what the bid counts."""
    average_bid_b: float | None
    declared: float
    """Share of the hands played in which a's side declared, or named trumps where there are no contracts."""
    declared_b: float
    matches: int = 0
    """Duplicate matches, each played twice."""
    win_rate: float | None = None
    """Share of matches won by a; a match without a winner counts half."""
    win_rate_low: float | None = None
    win_rate_high: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as a plain dict for JSON."""
        return asdict(self)


class Played(NamedTuple):
    """The first episode of each of n games; `difference` is the even seats' score minus the odd seats'."""

    difference: NDArray[np.float64]
    winner: NDArray[np.int8]
    counted: NDArray[np.bool_]
    result: NDArray[np.void]


@dataclass
class Contracts:
    """Contracts of one player over all hands."""

    hands: int = 0
    declared: int = 0
    promised: int = 0
    """Those of the declared hands that had a contract."""
    made: int = 0
    bids: int = 0
    """Sum of the numbers bid."""

    def add(self, rules: Rules, played: Played, side: int) -> None:
        """Count what the given side declared."""
        own = played.result[played.counted & (played.result["declarer"] % 2 == side)]
        self.hands += len(played.result)
        self.declared += len(own)
        if rules.contracts:
            self.promised += len(own)
            self.made += int((own["made"] == 1).sum())
        self.bids += sum(rules.value(int(level)) for level in own["level"] if level >= 0)

    def summary(self) -> tuple[float | None, float | None, float]:
        """Share made, average bid, share of hands declared; no share without contracts, no average where nothing is bid in numbers."""
        if self.declared == 0:
            return None, None, 0.0
        made = self.made / self.promised if self.promised else None
        return made, self.bids / self.declared if self.bids else None, self.declared / self.hands


def play(even: Player, odd: Player, batch: Batch, tick: Tick | None = None) -> Played:
    """Play one episode in every game of a fresh batch, `even` on seats 0 and 2, `odd` on 1 and 3.

    Only games that are still running are shown to the players; those that have ended mark time with any
    legal action until the last one is done.
    """
    turn = batch.reset()
    n = batch.games
    played = Played(np.zeros(n), np.full(n, -1, np.int8), np.zeros(n, np.bool_), np.zeros(n, RESULT))
    live = np.ones(n, np.bool_)
    while live.any():
        actions = turn.mask.argmax(axis=1)
        for parity, player in enumerate((even, odd)):
            rows = np.flatnonzero(live & (turn.seat % 2 == parity))
            if len(rows):
                actions[rows] = player.act(turn.rows(rows))
        turn = batch.step(actions, out=turn)
        ended = np.flatnonzero(live & turn.done)
        for kept, new in zip(played, (turn.reward[:, 0], turn.winner, turn.hand_done, turn.result), strict=True):
            kept[ended] = new[ended]
        live[ended] = False
        if tick is not None and len(ended):
            tick(len(ended) / 2)
    return played


def _both_seatings(
    a: Player, b: Player, rules: Rules, episode: str, first: int, games: int, seed: int, chunk: int, tick: Tick | None
) -> Iterator[tuple[Played, Played]]:
    """Chunks of games played twice: with A on the even seats, then with A on the odd ones."""
    seed += EVALUATION_SEED_OFFSET
    for start in range(0, games, chunk):
        size = min(chunk, games - start)
        yield (
            play(a, b, Batch(rules, size, seed, first=first + start, episode=episode), tick),
            play(b, a, Batch(rules, size, seed, first=first + start, episode=episode), tick),
        )


def duplicate(
    a: Player,
    b: Player,
    variant: str | Rules,
    deals: int,
    seed: int = 0,
    *,
    names: tuple[str, str] = ("a", "b"),
    chunk: int = CHUNK,
    tick: Tick | None = None,
) -> Pair:
    """A's score difference per hand against B over duplicate deals.

    Args:
        a, b: the players; both orders give mirrored numbers.
        variant: an id, or `Rules`.
        deals: duplicate deals, at least 2; each is played twice.
        seed: fixes the deals, which no training run with a seed below 2**62 has seen.
        names: what to call the two in the result.
        chunk: games side by side.
        tick: called with the number of duplicate deals just finished, in halves.

    Raises:
        ValueError: for impossible numbers.
    """
    rules, seed, deals = load(variant), check_seed(seed), check_count("deals", deals, 2)
    differences: list[NDArray[np.float64]] = []
    own, other = Contracts(), Contracts()
    for first, second in _both_seatings(a, b, rules, "hand", 0, deals, seed, chunk, tick):
        differences.append((first.difference - second.difference) / 2)
        for player, sides in ((own, (0, 1)), (other, (1, 0))):
            player.add(rules, first, sides[0])
            player.add(rules, second, sides[1])
    mean, low, high = mean_interval(np.concatenate(differences))
    (made, bid, declared), (made_b, bid_b, declared_b) = own.summary(), other.summary()
    head = (*names, rules.variant, rules.options, "hand", deals, seed, mean, low, high)
    return Pair(*head, made, made_b, bid, bid_b, declared, declared_b)


def matches(
    a: Player, b: Player, variant: str | Rules, pairs: int, seed: int = 0, *, chunk: int = CHUNK, tick: Tick | None = None
) -> tuple[float, float, float]:
    """A's share of wins over full matches, each played twice, with its 95 % interval; no winner counts half."""
    rules, seed, pairs = load(variant), check_seed(seed), check_count("matches", pairs)
    shares: list[NDArray[np.float64]] = []
    for first, second in _both_seatings(a, b, rules, "match", FIRST_MATCH, pairs, seed, chunk, tick):
        shares.append((_share(first.winner, 0) + _share(second.winner, 1)) / 2)
    return share_interval(np.concatenate(shares))


def compare(
    a: Player,
    b: Player,
    variant: str | Rules,
    deals: int,
    seed: int = 0,
    *,
    pairs: int | None = None,
    names: tuple[str, str] = ("a", "b"),
    tick: Tick | None = None,
) -> Pair:
    """`duplicate` and `matches` together; `pairs` duplicate matches, none with 0, by default a number that fits `deals`."""
    pairs = default_matches(deals) if pairs is None else check_count("matches", pairs, 0)
    pair = duplicate(a, b, variant, deals, seed, names=names, tick=tick)
    if pairs == 0:
        return pair
    rate, low, high = matches(a, b, variant, pairs, seed, tick=tick)
    return replace(pair, matches=pairs, win_rate=rate, win_rate_low=low, win_rate_high=high)


def default_matches(deals: int) -> int:
    """A twentieth of the deals, since a match is some twenty hands; at least 100 for the interval, but never more than the deals."""
    return min(deals, max(100, deals // 20))


def check_seed(seed: int) -> int:
    """A seed for an evaluation or a training run: below the offset that keeps the two apart."""
    return check_count("seed", seed, 0, EVALUATION_SEED_OFFSET - 1)


def _share(winner: NDArray[np.int8], side: int) -> NDArray[np.float64]:
    """1 where `side` won, 0 where the other side did, 0.5 for a draw or no result."""
    return np.where(winner >= DRAW, 0.5, (winner == side).astype(float))


def mean_interval(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """Mean of independent values with its normal 95 % interval."""
    mean = float(values.mean())
    half = Z * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def share_interval(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """Mean of independent values in [0, 1] with Wilson's 95 % interval, which stays inside even at 0 and 1.

    Values between 0 and 1 vary less than those that are either; the interval gets the number of
    observations which would vary as these do. Where none vary, each counts as one.
    """
    n, mean = len(values), float(values.mean())
    spread = float(values.var(ddof=1)) if n > 1 else 0.0
    size = n * mean * (1 - mean) / spread if spread > 0 else n
    centre = (mean + Z * Z / (2 * size)) / (1 + Z * Z / size)
    half = Z / (1 + Z * Z / size) * math.sqrt(mean * (1 - mean) / size + Z * Z / (4 * size * size))
    return mean, min(mean, max(0.0, centre - half)), max(mean, min(1.0, centre + half))  # the mean is inside even after rounding
