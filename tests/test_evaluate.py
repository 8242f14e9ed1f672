"""Duplicate evaluation: what must be equal is equal to the last digit, what must be counted is counted."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import laffa
from helpers import FAMILIES
from laffa import players
from laffa_train import evaluate
from laffa_train.evaluate import Pair, compare, duplicate, matches

VARIANT = "tarneeb-koutchina"
MADE = {name: players.make(name, VARIANT) for name in players.names()}


class HighBidder:
    """Bids `value` when it can, else passes, and plays as autopilot."""

    def __init__(self, value: int) -> None:
        self.action = laffa.action_id(VARIANT, f"bid {value}")

    def act(self, turn):
        actions = MADE["autopilot"].act(turn)
        return np.where(turn.mask[:, self.action] == 1, self.action, actions)


def mirror(pair: Pair) -> Pair:
    """What the pair must be with its players exchanged; win rates apart, whose sums round."""
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        mean=-pair.mean,
        low=-pair.high,
        high=-pair.low,
        contracts_made=pair.contracts_made_b,
        contracts_made_b=pair.contracts_made,
        average_bid=pair.average_bid_b,
        average_bid_b=pair.average_bid,
        declared=pair.declared_b,
        declared_b=pair.declared,
    )


@pytest.mark.trial("D24")
@pytest.mark.parametrize("name", players.names())
@pytest.mark.parametrize("variant", FAMILIES)
def test_a_player_against_itself_is_exactly_level(variant, name):
    player = players.make(name, variant)
    pair = compare(player, player, variant, 100, pairs=20)
    assert (pair.mean, pair.low, pair.high, pair.win_rate) == (0.0, 0.0, 0.0, 0.5)


@pytest.mark.trial("D24")
@pytest.mark.parametrize(("a", "b"), [("random", "autopilot"), ("heuristic", "random"), ("heuristic", "autopilot")])
def test_both_orders_give_mirrored_numbers(a, b):
    there = duplicate(MADE[a], MADE[b], VARIANT, 200, 3, names=(a, b))
    back = duplicate(MADE[b], MADE[a], VARIANT, 200, 3, names=(b, a))
    assert back == mirror(there)
    rates = [matches(MADE[x], MADE[y], VARIANT, 30, 3) for x, y in ((a, b), (b, a))]
    assert rates[0][0] + rates[1][0] == pytest.approx(1)
    assert rates[0][1] + rates[1][2] == pytest.approx(1)


class Noting:
    """Plays as `random` and notes its seats."""

    def __init__(self) -> None:
        self.seats = Counter()

    def act(self, turn):
        self.seats.update(turn.seat.tolist())
        return MADE["random"].act(turn)


@pytest.mark.trial("D23", "D24")
def test_each_deal_is_played_twice_with_sides_exchanged_and_none_comes_again(monkeypatch):
    """Both play alike, so that each has as many decisions in every seat as the other."""
    dealt = []

    class Seen(laffa.Batch):
        def reset(self, *arguments, **keywords):
            turn = super().reset(*arguments, **keywords)
            dealt.extend(held.tobytes() for held in self.states["held"])
            return turn

    monkeypatch.setattr(evaluate, "Batch", Seen)
    a, b = Noting(), Noting()
    pair = duplicate(a, b, VARIANT, 300, 3, chunk=64)
    assert Counter(Counter(dealt).values()) == {2: 300}
    assert a.seats == b.seats
    assert sorted(a.seats) == [0, 1, 2, 3]
    assert (pair.mean, pair.deals, pair.seed) == (0, 300, 3)


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
def test_results_do_not_depend_on_how_many_games_run_side_by_side(chunk):
    a, b = MADE["random"], HighBidder(9)
    assert duplicate(a, b, VARIANT, 130, 5, chunk=chunk) == duplicate(a, b, VARIANT, 130, 5)
    assert matches(a, b, VARIANT, 20, 5, chunk=chunk) == matches(a, b, VARIANT, 20, 5)


def test_seeds_choose_the_deals_and_more_deals_keep_the_first_ones():
    a, b = MADE["random"], HighBidder(8)
    assert duplicate(a, b, VARIANT, 50, 1) != replace(duplicate(a, b, VARIANT, 50, 2), seed=1)
    values = []
    for deals in (20, 40):
        chunks = evaluate._both_seatings(a, b, laffa.load(VARIANT), "hand", 0, deals, 1, 1000, None)
        values.append(np.concatenate([first.difference for first, _ in chunks]))
    np.testing.assert_array_equal(values[1][:20], values[0])


def test_two_who_never_bid_end_without_a_result_that_counts_nothing():
    pair = compare(MADE["autopilot"], MADE["autopilot"], VARIANT, 20, pairs=5)
    assert (pair.mean, pair.declared, pair.declared_b, pair.win_rate) == (0.0, 0.0, 0.0, 0.5)
    assert pair.contracts_made is None
    assert pair.average_bid is None


def test_contracts_bids_and_scores_agree_with_a_player_of_known_bids():
    pair = duplicate(HighBidder(9), MADE["autopilot"], VARIANT, 300)
    assert pair.average_bid == 9
    assert pair.average_bid_b is None
    assert (pair.declared, pair.declared_b) == (1.0, 0.0)
    assert 0 < pair.contracts_made < 1
    # A made 9 is worth 9; a failed one costs 9 and gives the others 13 - 8 to 13 tricks.
    made, failed = pair.contracts_made, 1 - pair.contracts_made
    assert 9 * made - 22 * failed <= pair.mean <= 9 * made - 14 * failed


def test_the_mean_is_that_of_games_played_one_by_one():
    a, b, seed = MADE["random"], HighBidder(7), 11
    rules, total = laffa.load(VARIANT), 0.0
    for game in range(8):
        for a_side in (0, 1):
            batch = laffa.Batch(rules, 1, seed + evaluate.EVALUATION_SEED_OFFSET, first=game, episode="hand")
            turn = batch.reset()
            while not turn.done[0]:
                player = a if turn.seat[0] % 2 == a_side else b
                turn = batch.step(player.act(turn))
            total += turn.reward[0, a_side]
    assert duplicate(a, b, VARIANT, 8, seed).mean == total / 16


def test_every_duplicate_deal_is_ticked_once():
    ticks = []
    compare(MADE["random"], MADE["autopilot"], VARIANT, 33, pairs=4, tick=ticks.append)
    assert sum(ticks) == 37


def test_options_of_the_variant_are_played_and_reported():
    rules = laffa.load(VARIANT, bid_max=7)
    player = players.make("random", rules)
    pair = duplicate(player, player, rules, 20)
    assert pair.average_bid == 7
    assert pair.options["bid_max"] == 7


def test_an_interval_covers_the_true_mean_about_as_often_as_it_says():
    generator = np.random.default_rng(0)
    covered = 0
    for _ in range(500):
        _, low, high = evaluate.mean_interval(generator.normal(1.0, 3.0, 200))
        covered += low <= 1.0 <= high
    assert 460 <= covered <= 490


@pytest.mark.parametrize(("values", "inside"), [([1.0] * 50, 1.0), ([0.0] * 50, 0.0), ([0.0, 1.0] * 25, 0.5), ([0.5] * 50, 0.5), ([1.0], 1.0)])
def test_the_interval_of_a_share_has_a_width_and_stays_between_0_and_1(values, inside):
    mean, low, high = evaluate.share_interval(np.array(values))
    assert mean == inside
    assert 0 <= low <= mean <= high <= 1
    assert high - low > 0.01


def test_pairs_that_vary_less_than_single_matches_narrow_the_interval_of_a_share():
    single = evaluate.share_interval(np.array([0.0, 1.0] * 50))
    paired = evaluate.share_interval(np.array([0.0, 0.5, 0.5, 1.0] * 25))
    assert paired[2] - paired[1] < 0.8 * (single[2] - single[1])


@pytest.mark.parametrize("deals", [0, 1, -3, 2.5, True, "10"])
def test_impossible_numbers_of_deals_are_refused(deals):
    with pytest.raises(ValueError, match="deals"):
        duplicate(MADE["random"], MADE["random"], VARIANT, deals)


@pytest.mark.parametrize("seed", [-1, 2**62, "7", None])
def test_seeds_that_training_or_nobody_may_use_are_refused(seed):
    with pytest.raises(ValueError, match="seed"):
        duplicate(MADE["random"], MADE["random"], VARIANT, 10, seed)


def test_evaluation_never_deals_what_a_training_seed_deals():
    batches = [laffa.Batch(VARIANT, 64, seed) for seed in (0, evaluate.EVALUATION_SEED_OFFSET)]
    held = [batch.states["held"].tobytes() for batch in batches if batch.reset() is not None]
    assert held[0] != held[1]
