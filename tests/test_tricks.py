"""Who wins a trick and who leads the next one (K8, K9, K20-K22), against a reference of a few lines."""

import itertools

import numpy as np
import pytest

import laffa
from helpers import KOUTCHINA, PACK, play, trick_winner, walk
from laffa.cards import RANKS, SUITS, card_id
from laffa.jit import kernel
from laffa.play import beats
from laffa.players import heuristic_cards

pytestmark = pytest.mark.env

TRICKS = [
    (["AS", "KS", "2H", "QS"], "H", 2),
    (["AS", "KS", "2H", "3H"], "H", 3),
    (["2S", "AD", "AC", "3S"], "H", 3),
    (["2S", "AD", "KC", "AC"], "H", 0),
]


@pytest.mark.trial("D33")
@pytest.mark.parametrize(("cards", "trump", "winner"), TRICKS)
def test_tricks_are_won_as_written_down(cards, trump, winner):
    assert won_by(cards, trump) == trick_winner(cards, trump) == winner


@kernel
def engine_beats(r, card, best, trump):
    return beats(r[0], card, best, trump)


def won_by(cards, trump):
    """The place of the winning card by the engine's own comparison, which the rule-based player repeats."""
    best, packed = 0, laffa.load(KOUTCHINA).packed
    for place in range(1, 4):
        pair = card_id(cards[place]), card_id(cards[best]), SUITS.index(trump)
        wins = engine_beats(packed, *pair)
        assert heuristic_cards.beats(*pair) == wins
        best = place if wins else best
    return best


@pytest.mark.trial("D33")
def test_winners_of_tricks_are_those_of_the_reference():
    """Every trick of three suits' honours and small cards, and random ones of the whole pack."""
    few = ["AS", "KS", "JS", "2S", "AH", "TH", "2H", "KD", "9D"]
    for trump in SUITS:
        for cards in itertools.permutations(few, 4):
            assert won_by(cards, trump) == trick_winner(cards, trump)
    rng = np.random.default_rng(1)
    for number in range(20_000):
        cards = [PACK[card] for card in rng.choice(52, 4, replace=False)]
        assert won_by(cards, SUITS[number % 4]) == trick_winner(cards, SUITS[number % 4])


@pytest.mark.trial("D34")
def test_all_played_tricks_are_won_as_in_the_reference_and_the_winner_leads():
    for seed in range(40):
        env = laffa.env(KOUTCHINA, episode="hand")
        env.reset(seed=seed)
        for _ in walk(env, seed):
            pass
        view = env.snapshot()
        leader = view["contract"]["seat"]
        assert view["first_leader"] == leader
        for led_by, cards, winner in view["tricks"]:
            assert led_by == leader
            assert winner == (leader + trick_winner(cards, view["trump"])) % 4
            leader = winner
        assert len(view["tricks"]) == sum(view["hand"]["tricks"]) == 13
        assert view["hand"]["tricks"][0] == sum(winner % 2 == 0 for _, _, winner in view["tricks"])


def find_trick(hands, trump, leader, winner, rng):
    """Four legal cards with which `winner` takes a trick, cheaply, or None."""
    for lead in rng.permutation(hands[leader]):
        best = None
        for own in sorted(hands[winner], key=lambda card: (card[1] == trump, card[0] in "TJQKA", card)):
            cards = []
            for place in range(4):
                seat = (leader + place) % 4
                options = [str(lead)] if place == 0 else [card for card in hands[seat] if card[1] == lead[1]] or hands[seat]
                if seat == winner and own not in options:
                    break
                cards.append(own if seat == winner else min(options, key=lambda card: (card[1] == trump, RANKS.index(card[0]))))
            if len(cards) == 4 and (leader + trick_winner(cards, trump)) % 4 == winner:
                best = cards
                break
        if best:
            return best
    return None


def plan(winners, first, rng):
    """A deal and the cards of its thirteen tricks with the given winners, the first led by `first`; trumps are hearts."""
    while True:
        pack = rng.permutation(PACK).tolist()
        deal = [pack[13 * seat : 13 * seat + 13] for seat in range(4)]
        hands, tricks, leader = [list(hand) for hand in deal], [], first
        for winner in winners:
            cards = find_trick(hands, "H", leader, winner, rng)
            if cards is None:
                break
            for place, card in enumerate(cards):
                hands[(leader + place) % 4].remove(card)
            tricks.append(cards)
            leader = winner
        if len(tricks) == 13:
            return deal, tricks


@pytest.mark.trial("D34")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_every_winner_leads_whoever_dealt(step):
    """Trick t is won by seat t x step from the dealer on; turned dealers only turn the result."""
    rng = np.random.default_rng(step)
    deal, tricks = plan([trick * step % 4 for trick in range(13)], 1, rng)
    results = []
    for dealer in range(4):
        env = laffa.env(KOUTCHINA, episode="hand")
        env.reset(seed=1, options={"dealer": dealer, "hands": [deal[(seat - dealer) % 4] for seat in range(4)]})
        play(env, "bid 13", "trump H")
        for trick, cards in enumerate(tricks):
            for place, card in enumerate(cards):
                leader = 1 if trick == 0 else (trick - 1) * step % 4
                assert env.snapshot()["turn"] == (dealer + leader + place) % 4
                play(env, card)
            assert env.snapshot()["tricks"][-1] == [(dealer + leader) % 4, cards, (dealer + trick * step) % 4]
        taken = env.snapshot()["hand"]["tricks"]
        assert sum(taken) == 13
        results.append(taken if dealer % 2 == 0 else taken[::-1])
    assert all(result == results[0] for result in results)
    assert results[0] == [sum(trick * step % 2 == side for trick in range(13)) for side in range(2)]
