"""The rule-based player: always legal, blind to what it may not see, stronger than the simple ones, true to its principles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laffa
from any_rules import any_rules, any_tarabish, any_turub
from laffa import players
from laffa.cards import card_id, card_text
from laffa.players.heuristic import CALLS as CALLS_OF
from laffa.players.heuristic import Heuristic
from laffa.players.heuristic_hand import no_trump_tricks
from laffa.state import BLIND
from laffa.sweep import make_blind

VARIANT = "tarneeb-koutchina"
OPTIONS = [
    {"bid_min": low, "bid_max": high, "close_at_max": close, "target": target, "hand_cap": cap, "all_pass_cap": passes}
    for low, high, close, target, cap, passes in [
        (7, 13, True, 31, 50, 8), (1, 13, True, 31, None, None), (7, 7, False, 5, 1, 1), (13, 13, False, 1, 3, 1),
        (1, 1, True, 1000, 2, None), (5, 9, False, 61, None, 127), (7, 13, False, 1000, 10, 8), (10, 12, True, 10, 50, 2),
    ]
]  # fmt: skip


def duplicate(a, b, games, seed, episode="hand", variant=VARIANT):
    """Mean score difference per hand of side a, and half its 95 % interval: every deal is played twice, sides swapped."""
    total = np.zeros(games)
    for swap in range(2):
        batch = laffa.Batch(variant, games, seed, episode=episode)
        turn, over = batch.reset(), np.zeros(games, bool)
        while not over.all():
            actions = np.empty(games, np.int64)
            for side, player in ((swap, a), (1 - swap, b)):
                rows = np.flatnonzero(turn.seat & 1 == side)
                actions[rows] = player.act(turn.rows(rows))
            turn = batch.step(actions)
            total += np.where(over, 0, turn.reward[:, swap])
            over |= turn.done
    return total.mean() / 2, 1.96 * total.std() / 2 / np.sqrt(games)


@pytest.mark.parametrize("options", OPTIONS)
def test_legal_under_every_option(options):
    batch = laffa.Batch(VARIANT, 300, 5, **options)
    mine, other = Heuristic(batch.rules), players.make("random", batch.rules, 3)
    turn = batch.reset()
    for step in range(400):
        ours = (turn.seat + np.arange(300) + step // 60) % 3 == 0
        turn = batch.step(np.where(ours, mine.act(turn), other.act(turn)))  # an illegal action raises
    assert batch.hands_finished > 1000


def test_legal_alone_and_hands_end():
    batch = laffa.Batch(VARIANT, 1000, 9)
    player, turn = players.make("heuristic", VARIANT), batch.reset()
    while batch.hands_finished < 5000:
        turn = batch.step(player.act(turn))
    assert (turn.result["made"] >= 0).any()


def shuffle_unseen(states, seats, rng):
    """Deal the cards of the other three seats anew among them, each keeping its number of cards."""
    for state, seat in zip(states, seats, strict=True):
        others = [k for k in range(4) if k != seat]
        cards = rng.permutation(np.concatenate([np.flatnonzero(state["hands"][k]) for k in others]))
        for k in others:
            count = int(state["hands"][k].sum())
            state["hands"][k] = np.bincount(cards[:count], minlength=52)
            state["held"][k] = sum(1 << int(card) for card in cards[:count])
            cards = cards[count:]


def test_same_information_same_action():
    batch, rng = laffa.Batch(VARIANT, 200, 21), np.random.default_rng(1)
    player, turn = Heuristic(batch.rules, 1), batch.reset()
    for _ in range(150):
        actions = player.act(turn)
        before = batch.states.copy()
        shuffle_unseen(batch.states, turn.seat, rng)
        again = Heuristic(batch.rules, 2).act(turn.rows(np.arange(200)))
        batch.states[:] = before
        assert (again == actions).all()
        turn = batch.step(actions)


def test_a_row_alone_gets_the_same_action():
    batch = laffa.Batch(VARIANT, 64, 2)
    player, turn = Heuristic(batch.rules), batch.reset()
    for _ in range(60):
        actions = player.act(turn)
        assert player.act(turn.rows(np.array([17])))[0] == actions[17]
        turn = batch.step(actions)


@pytest.mark.parametrize(("name", "least"), [("autopilot", 5.5), ("random", 15.0)])
def test_beats_the_simple_players(name, least):
    mean, half = duplicate(players.make("heuristic", VARIANT), players.make(name, VARIANT), 500, 40)
    assert mean - half > least


@pytest.mark.parametrize("variant", laffa.variants())
def test_beats_the_simple_players_in_every_variant(variant):
    for name in ("autopilot", "random"):
        mean, half = duplicate(players.make("heuristic", variant), players.make(name, variant), 400, 42, variant=variant)
        assert mean - half > 0


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(any_rules(), st.integers(0, 2**40))
def test_built_in_players_are_legal_under_any_rules(options, seed):
    play_all_kinds("tarneeb-notrump", options, seed)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(any_tarabish(), st.integers(0, 2**40))
def test_built_in_players_are_legal_under_any_rules_of_tarabish(options, seed):
    play_all_kinds("tarabish", options, seed)


@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(any_turub(), st.integers(0, 2**40))
def test_built_in_players_are_legal_under_any_rules_of_turub(options, seed):
    play_all_kinds("arbaa-turub", options, seed)


def play_all_kinds(variant, options, seed):
    batch = laffa.Batch(variant, 40, seed, **options)
    kinds, turn = [players.make(name, batch.rules, 1) for name in players.names()], batch.reset()
    for step in range(130):
        choices = np.stack([player.act(turn) for player in kinds])
        turn = batch.step(choices[(np.arange(40) + step) % len(kinds), np.arange(40)])  # an illegal action raises


def test_wins_matches():
    mean, half = duplicate(players.make("heuristic", VARIANT), players.make("autopilot", VARIANT), 100, 41, "match")
    assert mean - half > 25


def hand(text):
    """Cards of a hand written "AKQ.J32.T9.8765": spades, hearts, diamonds, clubs."""
    return [card_id(rank + suit) for suit, ranks in zip("SHDC", text.split("."), strict=True) for rank in ranks]


def position(hands, moves, dealer=3, scores=(0, 0), hands_played=0, rules=VARIANT):
    """The turn after `moves` (texts) from a deal of four hands; seat 0 calls first."""
    batch = laffa.Batch(rules, 1)
    batch.reset()
    state = batch.states[0]
    held = [hand(text) for text in hands]
    assert sorted(np.concatenate(held)) == list(range(52))
    assert {len(cards) for cards in held} == {13}
    for seat, cards in enumerate(held):
        state["hands"][seat] = np.bincount(cards, minlength=52)
        state["held"][seat] = sum(1 << card for card in cards)
    state["public"]["dealer"], state["public"]["turn"] = dealer, (dealer + 1) % 4
    state["public"]["scores"], state["public"]["hands_played"] = scores, hands_played
    turn = None
    for move in moves:
        turn = batch.step(np.array([laffa.action_id(rules, move)]))
    blind = np.zeros(1, BLIND)
    make_blind(batch.states, np.arange(1), blind)
    turn = turn or batch.reset()
    turn.__dict__["blind"] = blind
    return turn


def says(hands, moves, rules=VARIANT, **match):
    """The player's action, as text, after `moves`."""
    turn = position(hands, moves, rules=rules, **match)
    return laffa.action_text(rules, int(Heuristic(laffa.load(rules)).act(turn)[0]))


STRONG = ["AKQJ9.AK2.A43.K2", "T876.QJT.KQJ.QJT", "54.9876.T98.9876", "32.543.7652.A543"]
EVEN = ["AK53.Q742.K63.52", "QJ2.AJ9.J872.A94", "T94.K83.A54.QJT7", "876.T65.QT9.K863"]
WEAK = ["8653.742.963.752", "QJ2.AJ9.J872.A94", "T94.KQ8.A54.QJT6", "AK7.T653.KQT.K83"]
CALLS = ["bid 7", "pass", "pass", "pass"]


def test_bids_more_with_more_and_passes_with_nothing():
    assert says(STRONG, []) in ("bid 8", "bid 9", "bid 10")
    assert says(WEAK, []) == "pass"
    assert says(WEAK, ["pass", "pass", "pass", "bid 7"]) == "pass"


def test_leaves_partner_in_a_contract_without_strength_of_its_own():
    assert says(WEAK, ["pass", "pass", "bid 7", "pass"]) == "pass"


def test_names_the_strongest_suit():
    assert says(STRONG, ["bid 9", "pass", "pass", "pass"]) == "trump S"


def test_declarer_draws_trumps():
    assert says(STRONG, [*CALLS, "trump S"])[1] == "S"


def test_stops_drawing_when_the_opponents_are_out():
    hands = ["AKQJ.AK32.A43.32", "T.QJT9.KQJ2.KQJT", "8765432.876.T98.", "9.54.765.A987654"]
    moves = ["bid 12", "pass", "pass", "pass", "trump S", "AS", "TS", "2S", "9S"]
    assert says(hands, moves)[1] == "S"
    assert says(hands, [*moves, "KS", "9H", "3S", "5D"])[1] != "S"


def test_third_hand_plays_the_lowest_of_equals_that_is_needed():
    hands = ["AKJT9.65.AQ2.432", "876.K432.J987.A6", "5432.QJ7.K3.KQJT", "Q.AT98.T654.9875"]
    assert says(hands, [*CALLS, "trump S", "5H", "2H"]) == "JH"


def test_fourth_hand_wins_as_cheaply_as_possible():
    hands = ["AKJT9.65.AQ2.432", "876.K432.J987.A6", "5432.QT7.K3.KQJT", "Q.AJ98.T654.9875"]
    assert says(hands, [*CALLS, "trump S", "5H", "2H", "7H"]) == "8H"
    assert says(hands, [*CALLS, "trump S", "5H", "2H", "TH"]) == "JH"


def test_does_not_beat_or_ruff_partners_winner():
    hands = ["AKJT9.65.AQ2.432", "876.AK43.J987.A6", "5432.QJT7.K3.KQJ", "Q.982.T654.T9875"]
    assert says(hands, [*CALLS, "trump S", "5H", "AH", "7H"]) == "2H"
    hands = ["AKJT9.65.AQ2.432", "876.AK432.J987.A", "5432.QJT987.3.KQ", "Q..KT654.JT98765"]
    assert says(hands, [*CALLS, "trump S", "5H", "AH", "7H"])[1] != "S"


def test_ruffs_a_loser_with_the_lowest_trump():
    hands = ["AKJT9.K5.AQ2.432", "876.A6432.J98.A6", "54.QJT987.K3.KQJ", "Q32..T7654.T9875"]
    assert says(hands, [*CALLS, "trump S", "KH", "2H", "7H"]) == "2S"


def test_cashes_what_decides_the_contract():
    hands = ["AKQJT98.2.432.32", "7654.AKQ.KQ.KQJT", "32.JT98.J987.A54", ".76543.AT65.9876"]
    moves = [*CALLS, "trump S", "AS", "4S", "2S", "3H", "KS", "5S", "3S", "4H"]
    assert says(hands, moves) in ("QS", "JS", "TS", "9S", "8S")


def test_bids_for_the_match_when_the_opponents_are_about_to_win():
    """At 0-0 the hand is worth a pass over their bid of 7; when that bid wins them the match it is worth a fight (K30)."""
    moves = ["pass", "bid 7", "pass", "pass"]
    hands = ["KQJ73.A42.K63.52", "A2.KJ9.AJ872.A94", "T94.Q83.54.QJT87", "865.T765.QT9.K63"]
    assert says(hands, moves, scores=(10, 28), hands_played=6) == "bid 8"


POINTS = "tarneeb-400points"
POINT_CALLS = ["bid 65", "pass", "pass", "pass", "trump S"]


def test_bids_on_the_ladder_of_card_points():
    assert says(STRONG, [], rules=POINTS) in ("bid 65", "bid 70", "bid 75", "bid 80")
    assert says(WEAK, [], rules=POINTS) == "pass"


def test_gives_a_ten_to_partners_trick_but_not_to_theirs():
    """The last hand follows suit with a ten or a low card: points belong into one's own tricks (I22)."""
    hands = ["AKJT9.65.AQ2.432", "876.AK43.J987.A6", "5432.QJ98.K3.KQJ", "Q.T72.T654.T9875"]
    assert says(hands, [*POINT_CALLS, "5H", "AH", "8H"], rules=POINTS) == "TH"
    hands = ["AKJT9.A5.AQ2.432", "876.K643.J987.A6", "5432.QJ98.K3.KQJ", "Q.T72.T654.T9875"]
    assert says(hands, [*POINT_CALLS, "AH", "3H", "8H"], rules=POINTS) != "TH"


def test_ruffs_a_trick_full_of_points():
    """Void of the suit led, the last hand ruffs their king and ten."""
    hands = ["AKJ98.A95.AQ2.32", "7654.T643.J98.A7", "2.KQJ87.K43.KQJ6", "QT3.2.T765.T9854"]
    moves = [*POINT_CALLS, "AH", "3H", "7H", "2H", "5H", "TH", "KH"]
    assert says(hands, moves, rules=POINTS)[1] == "S"


NO_TRUMP = "tarneeb-notrump"
RUNNING = ["AK2.AK3.AKQJT9.4", "T876.QJT.87.QJT9", "QJ54.9876.65.876", "93.542.432.AK532"]


def test_without_trumps_a_hand_is_worth_its_stoppers_and_long_suits():
    weights = CALLS_OF[2][0][3]

    def tricks(text):
        return no_trump_tricks(np.uint64(sum(1 << card for card in hand(text))), weights)

    stopped, open_suit = tricks("AK2.A43.AKQJ9.43"), tricks("AK2.943.AKQJ9.A3")
    assert tricks("AK2.AK3.AKQJT9.4") > tricks("AK2.AK3.AJT987.4") > tricks("A32.K43.J98765.4")
    assert tricks("AK2.A43.AKQJ9.K3") > max(stopped, open_suit)


def test_plays_without_trumps_to_the_end_and_cashes_its_long_suit():
    moves = ["bid 9NT", "pass", "pass", "pass"]
    assert says(RUNNING, moves, rules=NO_TRUMP)[1] in "SHD"
    assert says(RUNNING, moves, rules=NO_TRUMP)[0] == "A"


def test_calls_follow_what_a_made_contract_pays():
    """Where overtricks count, a strong hand has no reason to bid more than it must; where only the bid counts, it has (K25, I14)."""
    assert says(STRONG, [], rules="tarneeb-italian41") == "bid 7"
    assert says(STRONG, []) in ("bid 8", "bid 9", "bid 10")


def test_a_slam_is_bid_where_it_pays():
    """With thirteen top tricks 13 is worth 26 to the French, 16 to the Italians."""
    hands = ["AKQJT98765432...", ".AKQJ.AKQJ.AKQJT", ".T987.T987.98765", ".65432.65432.432"]
    for rules in (VARIANT, "tarneeb-french31", "tarneeb-italian41"):
        assert says(hands, [], rules=rules) == "bid 13"


def test_what_a_failure_costs_holds_a_bid_back():
    """The same hand in the same auction: a bid of 13 that might fail is not tried where failing costs far more."""
    hands = ["AKQJT98765.A2..2", "4.KQ3.AKQJ.AKQJT", "32.JT98.T987.987", ".7654.65432.6543"]
    assert says(hands, [], rules=laffa.load("tarneeb-french31", slam_failed=1000)) != "bid 13"


def test_texts_of_cards_round_trip():
    assert [card_text(card) for card in hand("A...2")] == ["AS", "2C"]
