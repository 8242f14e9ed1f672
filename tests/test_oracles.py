"""An engine that others wrote must agree: the trick play of Tarneeb is that of bridge, here OpenSpiel's.

The same deals and the same cards: who is to play, what may be played, who takes each trick and leads the next, and
whether the declaring side has seven tricks in the end. Bridge's declarer sits before the leader; Tarneeb's leads.
"""

import os
import random

import pytest

import laffa

pyspiel = pytest.importorskip("pyspiel", reason="needs laffa[oracles]")

DEALS = int(os.environ.get("LAFFA_ORACLE_DEALS", "300"))
"""Deals compared with each game of tricks; a long run sets more."""

SUITS, RANKS = "CDHS", "23456789TJQKA"
PASSED, FIRST_BID, DENOMINATIONS = 52, 55, ["C", "D", "H", "S", "NT"]
"""Bridge's action ids: cards from the lowest by rank then suit, pass, double, redouble, then bids from one club."""


def bridge_id(card):
    """OpenSpiel's number of a card such as "TS"."""
    return RANKS.index(card[0]) * 4 + SUITS.index(card[1])


def bridge_of(hands, leader, trump):
    """A game of OpenSpiel's bridge with these hands, in which `leader` leads under these trumps."""
    state = pyspiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
    for place in range(13):
        for hand in hands:
            state.apply_action(bridge_id(hand[place]))
    declarer = (leader - 1) % 4
    for action in [PASSED] * declarer + [FIRST_BID + DENOMINATIONS.index(trump)] + [PASSED] * 3:
        state.apply_action(action)
    return state


def to_the_play(env, draw, seed):
    """Call at random until cards are played; the hands, the leader and the trumps."""
    env.reset(seed=seed)
    while (seen := env.snapshot())["phase"] != "play":
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(draw.choice(mask.nonzero()[0])))
    return seen["hands"], seen["turn"], seen["trump"]


def compare(env, cards, seed):
    """Play one hand in both; the trumps it was played with."""
    draw = random.Random(seed)
    hands, leader, trump = to_the_play(env, draw, seed)
    bridge = bridge_of(hands, leader, trump)
    declaring = leader & 1
    for played in range(52):
        seat = int(env.agent_selection[-1])
        legal = [cards[action] for action in env.observe(env.agent_selection)["action_mask"].nonzero()[0]]
        # Hands are disjoint, so equal sets also mean that the same seat is to play, which the dummy's partner hides in bridge.
        assert sorted(map(bridge_id, legal)) == bridge.legal_actions(), (seed, played)
        card = draw.choice(legal)
        assert card in hands[seat]
        env.step(cards.index(card))
        bridge.apply_action(bridge_id(card))
    tricks = env.snapshot()["hand"]["tricks"]
    assert sum(tricks) == 13
    assert bridge.is_terminal()
    # A contract for seven tricks of the side before the leader: it is made exactly if that side has them.
    assert (bridge.returns()[1 - declaring] > 0) == (tricks[1 - declaring] >= 7), seed
    return trump


@pytest.mark.parametrize("variant", ["tarneeb-koutchina", "tarneeb-notrump"])
def test_the_play_of_the_cards_is_that_of_openspiels_bridge(variant):
    env = laffa.env(variant, episode="hand")
    cards = [laffa.action_text(env.rules, action) for action in range(52)]
    trumps = [compare(env, cards, seed) for seed in range(DEALS)]
    assert set(trumps) >= set("CDHS") | ({"NT"} if variant == "tarneeb-notrump" else set())
