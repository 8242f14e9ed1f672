"""Deal k of game i under seed s is a function of (s, i, k), written here a second time in plain Python."""

import numpy as np
import pytest

import laffa
from helpers import FAMILIES, KOUTCHINA, PACK, choose, finish_at_random, highest_actions, is_over, mask_of, play, random_actions, raw, walk

pytestmark = pytest.mark.env

WORD = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(x):
    """Splitmix64's finaliser."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def deal_stream(seed, game, number):
    key = mix(mix(seed + GAMMA & WORD) + game * GAMMA & WORD)
    return mix(key ^ mix(number + GAMMA & WORD))


def shuffled(cards, seed, game, number):
    """The pack of deal `number`: a shuffle from the top, two swaps from each 64-bit word."""
    pack, stream = list(cards), deal_stream(seed, game, number) + GAMMA & WORD
    word = 0
    for left in range(len(pack), 1, -1):
        if left % 2 == 0:
            stream = stream + GAMMA & WORD
            word = mix(stream)
        else:
            word >>= 32
        other = (word & 0xFFFFFFFF) * left >> 32
        pack[other], pack[left - 1] = pack[left - 1], pack[other]
    return pack


def dealt(seed, game, number):
    """The four hands of deal `number`, as sets: one card to each seat in turn."""
    return [set(shuffled(PACK, seed, game, number)[seat::4]) for seat in range(4)]


def first_dealer(seed, game, number):
    """The dealer of a match whose first deal is deal `number` of its game."""
    return mix(deal_stream(seed, game, number)) >> 62


def hands_of(state):
    return [{PACK[card] for card in np.flatnonzero(hand)} for hand in state["hands"]]


@pytest.mark.trial("D09")
@pytest.mark.parametrize("seed", [0, 7, 2**31, 2**63 - 1])
@pytest.mark.parametrize("first", [0, 1, 63, 2**62])
def test_deals_and_dealers_are_the_documented_function_of_seed_game_and_number(seed, first):
    batch = laffa.Batch(KOUTCHINA, 3, seed=seed, first=first)
    batch.reset()
    for number in range(6):
        for row in range(3):
            assert hands_of(batch.states[row]) == dealt(seed, first + row, number)
            assert batch.states["public"]["dealer"][row] == (first_dealer(seed, first + row, 0) + number) % 4
        for _ in range(4):
            batch.step([52] * 3)


NINES = [rank + suit for suit in "SHDC" for rank in "6789TJQKA"]
PACKETS = [("tarabish", 1, 4), ("tarabish-capebreton", 1, 8), ("tarabish-openhand", 1, 12), ("turup", 1, 1), ("arbaa-turub-signals", 4, 1)]
"""Packs of 36, and how many packets of three are dealt before the first call: all seats have as many, or the dealer's left has one (T11, A6)."""


@pytest.mark.parametrize(("variant", "packs", "first"), PACKETS)
@pytest.mark.parametrize("seed", [7, 2**63 - 1])
def test_packs_of_36_are_shuffled_alike_and_go_out_in_threes_from_the_dealers_left(variant, packs, first, seed):
    """Card n is for seat n mod 4, which gets its cards in that order."""
    env, rng = laffa.env(variant), np.random.default_rng(0)
    env.reset(seed=seed)
    assert env.snapshot()["dealer"] == first_dealer(seed, 0, 0)
    for number in range(3):
        view, pack = env.snapshot(), shuffled(NINES * packs, seed, 0, number)
        seats = [(view["dealer"] + 1 + packet) % 4 for packet in range(len(pack) // 3)]
        packets = [(seat, pack[seat::4][3 * lap : 3 * lap + 3]) for lap, seat in ((packet // 4, seat) for packet, seat in enumerate(seats))]
        for seat in range(4):
            assert sorted(view["hands"][seat]) == sorted(card for who, cards in packets[:first] if who == seat for card in cards)
        assert view["undealt"] == [card for _, cards in packets[first:] for card in cards]
        while env._states["public"]["deals"][0] == number + 1 and not is_over(env):
            env.step(choose(mask_of(env), rng))
        if is_over(env):
            env.reset()


def test_the_next_match_of_a_game_goes_on_with_the_next_deal_and_a_dealer_of_its_own():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=5)
    for match in range(1, 4):
        play(env, *["pass"] * 32)
        assert env.snapshot()["winner"] == "none"
        env.reset()
        assert [set(hand) for hand in env.snapshot()["hands"]] == dealt(5, 0, 8 * match)
        assert env.snapshot()["dealer"] == first_dealer(5, 0, 8 * match)
    env.reset(seed=5)
    assert [set(hand) for hand in env.snapshot()["hands"]] == dealt(5, 0, 0)


def test_what_was_played_does_not_change_the_next_deal():
    for seed in range(5):
        for play_seed in range(3):
            env = laffa.env(KOUTCHINA, max_hands=1, target=1000)
            env.reset(seed=seed, options={"passed_deals": 0})
            finish_at_random(env, play_seed, calm=0.0)
            env.reset()
            assert [set(hand) for hand in env.snapshot()["hands"]] == dealt(seed, 0, 1)


def deals_of(games, resets, threads=1, **options):
    """Every deal of every lane over some automatic resets, as hashable hands: [game][number]."""
    batch = laffa.Batch(KOUTCHINA, games, 5, episode="hand", threads=threads, **options)
    turn, rng = batch.reset(), np.random.default_rng(games)
    deals, ended = [{} for _ in range(games)], np.zeros(games, int)
    while ended.min() < resets:
        for row in np.flatnonzero(batch.states["public"]["actions"] == 0):
            deals[row][int(batch.states["public"]["deals"][row]) - 1] = batch.states["held"][row].tobytes()
        turn = batch.step(random_actions(turn, rng, calm=0.0))
        ended += turn.done
    return deals


@pytest.mark.trial("D09")
def test_no_two_lanes_and_no_two_resets_get_the_same_cards_and_lanes_do_not_depend_on_their_number():
    many = deals_of(256, 5)
    everything = [deal for lane in many for deal in lane.values()]
    assert len(everything) >= 256 * 5
    assert len(set(everything)) == len(everything)
    for lanes in (deals_of(64, 5), deals_of(64, 3, threads=2)):
        for lane, wide in zip(lanes, many, strict=False):
            common = lane.keys() & wide.keys()
            assert len(common) >= 3
            assert all(lane[number] == wide[number] for number in common)


def hashes(threads):
    batch = laffa.Batch(KOUTCHINA, 37, 5, threads=threads, target=5)
    turn, rng = batch.reset(), np.random.default_rng(0)
    stream = []
    for _ in range(200):
        turn = batch.step(random_actions(turn, rng))
        stream.append(hash(raw(batch) + turn.obs.tobytes() + turn.reward.tobytes()))
    assert batch.hands_finished > 37
    return stream


@pytest.mark.trial("D10")
def test_the_stream_of_states_is_the_same_on_any_number_of_threads_and_in_every_run():
    streams = [hashes(threads) for threads in (1, 2, 4) for _ in range(3)]
    assert all(stream == streams[0] for stream in streams)
    assert len(set(streams[0])) == 200


def test_a_batch_of_later_games_is_the_rest_of_a_larger_batch():
    whole, half = laffa.Batch(KOUTCHINA, 128, 3, target=5), laffa.Batch(KOUTCHINA, 64, 3, first=64, target=5)
    turn, other = whole.reset(), half.reset()
    for _ in range(300):
        assert raw(whole)[len(raw(whole)) // 2 :] == raw(half)
        np.testing.assert_array_equal(turn.obs[64:], other.obs)
        turn, other = whole.step(highest_actions(turn)), half.step(highest_actions(other))
    assert half.hands_finished > 64


def test_reset_without_a_seed_goes_on_as_a_batch_of_one_does():
    env, batch = laffa.env(KOUTCHINA, target=5), laffa.Batch(KOUTCHINA, 1, 9, target=5)
    turn = batch.reset()
    env.reset(seed=9)
    matches = 0
    while matches < 5:
        action = highest_actions(turn)
        env.step(action[0])
        turn = batch.step(action)
        if is_over(env):
            matches += 1
            env.reset()
        assert raw(env) == raw(batch)


@pytest.mark.trial("D08")
@pytest.mark.parametrize("variant", FAMILIES)
def test_a_thousand_seeds_give_a_thousand_deals(variant):
    env, deals, dealers = laffa.env(variant), set(), [0, 0, 0, 0]
    for seed in range(1000):
        env.reset(seed=seed)
        deals.add(env._states["hands"].tobytes() + env._states["stock"].tobytes())
        dealers[env.snapshot()["dealer"]] += 1
    assert len(deals) == 1000
    assert min(dealers) > 200


def test_every_seat_gets_every_card_equally_often():
    batch = laffa.Batch(KOUTCHINA, 20_000, seed=1)
    batch.reset()
    # The standard deviation of a count is sqrt(20,000 x 3/16) = 61.
    assert np.abs(batch.states["hands"].sum(0, dtype=int) - 5000).max() < 5 * 61


def test_without_any_seed_games_differ():
    starts = set()
    for _ in range(8):
        env = laffa.env(KOUTCHINA)
        env.reset()
        starts.add(raw(env))
    assert len(starts) == 8


def test_a_position_without_a_seed_follows_the_running_seed():
    """What a position does not give follows the seed."""
    starts = set()
    for _ in range(4):
        env = laffa.env(KOUTCHINA)
        env.reset(seed=7)
        env.reset(options={"dealer": 2})
        starts.add(raw(env))
    assert len(starts) == 1


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "7", True, [7], np.float64(7)])
def test_what_is_no_seed_is_refused_and_the_game_goes_on(seed):
    env, batch = laffa.env(KOUTCHINA), laffa.Batch(KOUTCHINA, 2)
    env.reset(seed=1)
    batch.reset(seed=1)
    for _ in walk(env, 1, limit=10):
        pass
    before = raw(env), raw(batch), env.agent_selection
    refusal = r"seed = .* is not possible; a seed is a whole number from 0 to 2\*\*63 - 1"
    for ask in (lambda: env.reset(seed=seed), lambda: batch.reset(seed=seed), lambda: laffa.Batch(KOUTCHINA, 2, seed=seed)):
        with pytest.raises(ValueError, match=refusal):
            ask()
    assert (raw(env), raw(batch), env.agent_selection) == before


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.int32])
def test_seeds_of_any_integer_type_mean_the_same(kind):
    env, batch = laffa.env(KOUTCHINA), laffa.Batch(KOUTCHINA, 1, seed=kind(7))
    env.reset(seed=kind(7))
    batch.reset()
    assert hands_of(env._states[0]) == hands_of(batch.states[0]) == dealt(7, 0, 0)
