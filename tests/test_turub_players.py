"""What the rule-based player of Arba'a Turub does at the table: trumps on three cards, counted copies, ruffs, honest signals; and the autopilot."""

import itertools
from collections import Counter

import numpy as np
import pytest

import laffa
from helpers import four_hands, legal_texts, play
from laffa.cards import SUITS, card_id
from laffa.players.turub_tables import FOUR_PACKS, ONE_PACK
from laffa.state import PLAYING
from referee_turub import PACK as NINES
from referee_turub import winning_place

pytestmark = pytest.mark.env

BOTH = pytest.mark.parametrize("variant", ["arbaa-turub", "turup"])


def answer(turn, rules, name="heuristic"):
    """What a player does, as text."""
    return laffa.action_text(rules, int(laffa.players.make(name, rules).act(turn)[0]))


def give(state, seat, cards):
    state["hands"][seat] = np.bincount([card_id(card) for card in cards], minlength=52)
    state["held"][seat] = sum(1 << card_id(card) for card in set(cards))


def trumps_on(cards, variant, name="heuristic"):
    """The suit that is named on three cards."""
    batch = laffa.Batch(variant, 1)
    turn = batch.reset()
    give(batch.states[0], turn.seat[0], cards.split())
    return answer(turn, batch.rules, name).removeprefix("trump ")


def late(hands, trumps, table="", leader=0, variant="arbaa-turub"):
    """What the seat to act plays when the seats hold only these cards, those of `table` lie there, and all others have been played."""
    batch = laffa.Batch(variant, 1)
    turn, state, rules = batch.reset(), batch.states[0], batch.rules
    p, lying, hands = state["public"], table.split(), [hand.split() for hand in hands]
    rest = Counter(dict.fromkeys(NINES, rules.packs))
    rest.subtract(lying)
    for seat, cards in enumerate(hands):
        rest.subtract(cards)
        give(state, seat, cards)
    assert min(rest.values()) >= 0
    sizes = [len(cards) + ((seat - leader) % 4 < len(lying)) for seat, cards in enumerate(hands)]
    assert len(set(sizes)) == 1
    for place, card in enumerate(rest.elements()):
        p["played"][place % 4, card_id(card)] += 1
    for place, card in enumerate(lying):
        p["played"][(leader + place) % 4, card_id(card)] += 1
    state["left"], p["phase"], p["trump"], p["trick"] = 0, PLAYING, SUITS.index(trumps), 9 * rules.packs - sizes[0]
    p["leader"], p["turn"], p["on_table"] = leader, (leader + len(lying)) % 4, len(lying)
    p["table"][: len(lying)] = [card_id(card) for card in lying]
    p["best"] = winning_place(lying, trumps) if lying else 0
    return answer(turn, rules)


@BOTH
@pytest.mark.parametrize(("long", "other"), list(itertools.permutations(SUITS, 2)))
def test_two_cards_of_a_suit_outweigh_any_single_one(long, other, variant):
    assert {trumps_on(f"6{long} 7{long} {rank}{other}", variant) for rank in "AKQJT9876"} == {long}


@BOTH
@pytest.mark.parametrize("suits", list(itertools.permutations(SUITS, 3)))
def test_of_single_cards_one_of_the_three_highest_names_its_suit(suits, variant):
    first, second, third = suits
    assert {trumps_on(f"6{first} T{second} {rank}{third}", variant) for rank in "AKQ"} == {third}


@pytest.mark.parametrize("name", ["heuristic", "autopilot"])
@pytest.mark.parametrize(("long", "other"), list(itertools.permutations(SUITS, 2)))
def test_copies_of_a_card_count_one_each_when_trumps_are_named(long, other, name):
    for rank in "A6":
        assert trumps_on(f"{rank}{long} {rank}{long} 6{other}", "arbaa-turub", name) == long
        assert trumps_on(f"{rank}{long} {rank}{long} A{other}", "arbaa-turub", name) == long


@BOTH
@pytest.mark.parametrize(("trumps", "high", "low", "rest"), list(itertools.permutations(SUITS)))
def test_a_king_is_led_where_all_aces_are_gone_and_not_where_one_is_out(trumps, high, low, rest, variant):
    """Of the two kings only one is sure of its trick; nobody has a trump left."""
    hands = [f"K{high} K{low} 6{rest}", f"A{low} 7{rest} 8{rest}", f"7{high} 7{low} 9{rest}", f"8{high} 8{low} T{rest}"]
    assert late(hands, trumps, variant=variant) == f"K{high}"


@pytest.mark.parametrize("aces", [1, 2, 3, 4])
def test_a_queen_is_led_only_where_the_last_copy_of_what_beats_it_is_gone(aces):
    """Copies of the ace of spades in others' hands; the diamonds above the queen are gone, or in the own hand."""
    others = ["AS"] * aces + ["7S"] * (4 - aces)
    hands = ["QS QD 6C 7C", f"{others[0]} 7D 8C 9C", f"{others[1]} {others[2]} 8D TC", f"{others[3]} 9D TC JC"]
    assert late(hands, "H") == "QD"
    assert late([hand.replace("S", "?").replace("D", "S").replace("?", "D") for hand in hands], "H") == "QS"


@BOTH
def test_with_most_trumps_it_draws_them_and_with_few_it_does_not(variant):
    packs = laffa.load(variant).packs
    trumps = [rank + "H" for rank in "AKQJT" for _ in range(packs)]
    side = [rank + suit for suit in "SDC" for rank in "A6" for _ in range(packs)][: 9 * packs - len(trumps)]
    assert first_lead([*trumps, *side], variant)[1] == "H"
    few = [rank + suit for suit in "SDC" for rank in "AKQ" for _ in range(packs)][: 9 * packs - 1] + ["6H"]
    assert first_lead(few, variant)[1] != "H"


def first_lead(first, variant):
    """The first lead of seat 0 with hearts as trumps."""
    env = laffa.env(variant, signals="off")
    env.reset(seed=1, options={"dealer": 3, "hands": four_hands(first, env.rules.packs)})
    play(env, "trump H")
    return answer(env.turn(), env.rules)


@BOTH
def test_when_no_trumps_are_out_it_cashes_a_plain_master_first(variant):
    hands = ["AH 6H AS", "7S 8S 7D", "9S TS 8D", "JS 7C 8C"]
    assert late(hands, "H", variant=variant) == "AS"


LAST_SEAT = [
    ("a loser is ruffed with the lowest trump", "AH 6H 7C", "TS 7S 8S", "6H"),
    ("partner's winner is not ruffed", "AH 6H 7C", "7S AS 8S", "7C"),
    ("an opponent's trump is beaten by the lowest that does so", "AH TH 7H", "TS 7S 9H", "TH"),
    ("and where no trump does, nothing is wasted", "QH 7C 8C", "TS 7S AH", "7C"),
    ("the lowest card that wins", "AS QS 6S", "9S 7S TS", "QS"),
    ("the lowest card where none wins", "QS TS 6S", "9S 7S AS", "6S"),
    ("partner's winner is not overtaken", "AS 6S 7D", "9S QS TS", "6S"),
]
"""What seat 0 does behind the cards of seats 1, 2 and 3, with hearts as trumps and the king of spades held by seat 1."""


@BOTH
@pytest.mark.parametrize(("why", "hand", "table", "expected"), LAST_SEAT, ids=[row[0] for row in LAST_SEAT])
def test_the_last_seat_of_a_trick(why, hand, table, expected, variant):
    hands = [hand, "KS 6D", "8D 9D", "TD JD"]
    assert late(hands, "H", table, leader=1, variant=variant) == expected, why


@pytest.mark.parametrize(("table", "expected"), [("7S AS AS", "7C"), ("AS AS 7S", "6H"), ("AS 7S AS", "6H")])
def test_of_identical_cards_the_first_is_taken_to_win(table, expected):
    """Partner's ace holds if it came before the other one; else the trick is ruffed (A11)."""
    assert late(["6H 7H 7C", "6D 7D", "8D 9D", "TD JD"], "H", table, leader=1) == expected


HANDS_AFTER_THE_LEAD = [("AC", "knock"), ("KC", "knock"), ("AC KC", "knock"), ("QC", "snap"), ("6C", "snap"), ("AS", "snap")]


@pytest.mark.parametrize("signals", ["on", "truthful"])
@pytest.mark.parametrize("variant", ["arbaa-turub", "turup"])
@pytest.mark.parametrize(("kept", "expected"), HANDS_AFTER_THE_LEAD)
def test_signals_are_honest_whether_they_have_to_be_or_not(kept, expected, variant, signals):
    """A knock with the ace or the king of the suit led still in hand, else a snap (A-j)."""
    env = laffa.env(variant, signals=signals, episode="hand")
    filler = [rank + suit for suit in "HDS" for rank in "9876TJQK" for _ in range(env.rules.packs)]
    first = ["7C", *kept.split(), *filler][: 9 * env.rules.packs]
    env.reset(seed=1, options={"dealer": 3, "hands": four_hands(first, env.rules.packs)})
    play(env, "trump H", "7C")
    assert expected in legal_texts(env)
    assert answer(env.turn(), env.rules) == expected
    assert answer(env.turn(), env.rules, "autopilot") == "silent"


def test_what_others_signal_has_next_to_no_weight():
    """As docs/players.md says: features 18 to 20 of the leads."""
    assert 0 < np.abs(FOUR_PACKS[:3, 18:21]).max() <= 0.05
    assert not ONE_PACK[:3, 18:21].any()
