"""Tarabish: the worked examples, the arithmetic of the pack, melds, duties and tricks (T1-T44, X09-X13, D32-D37)."""

import itertools

import numpy as np
import pytest

import laffa
from helpers import finish_at_random, is_over, legal_texts, play
from laffa import bate, match, melds
from laffa import play as play_module
from laffa.cards import SUITS, card_id
from laffa.jit import kernel
from laffa.state import DECLARED, STATE, records
from laffa.state import MELDS as ROOM
from referee_points import (
    PLAIN,
    TRUMPS,
    card_value,
    counted_melds,
    game_winner,
    melds_of,
    playable_cards,
    score_tarabish,
    winning_place,
)
from tarabish_rows import ANNOUNCED, BEST, COATS, DUTIES, ENDS, MELDS, SCORES

pytestmark = pytest.mark.env

NINES = [rank + suit for suit in SUITS for rank in "AKQJT9876"]


def rules_of(options):
    return laffa.load("tarabish", **options)


def bits(cards):
    return np.uint64(sum(1 << card_id(card) for card in cards))


@kernel
def score(r, no_trump, bid, cards, tricks, melds_, bella):
    return bate.hand_scores(r[0], no_trump, bid, cards, tricks, melds_, bella)


@pytest.mark.trial("D36")
@pytest.mark.parametrize(("code", "options", "bid", "no_trump", "cards", "last", "counted", "bella", "expected"), SCORES)
def test_a_hand_scores_as_written_down(code, options, bid, no_trump, cards, last, counted, bella, expected):
    pack = (152 if options["nt_scoring"] == "ace19" else 120) if no_trump else 152
    points = (cards + options["last_trick"] * last, pack - cards + options["last_trick"] * (not last))
    tricks = (5, 4) if cards and points[1] else ((9, 0) if cards else (0, 9))
    announced = (bella == 0, bella == 1)
    made, *scores = score(rules_of(options).packed, no_trump, bid or 0, points, tricks, counted, announced)
    assert (tuple(scores), made) == (expected, expected[0] > 20), code
    assert score_tarabish(options, bid, no_trump, list(points), list(tricks), list(counted), list(announced)) == (made, *expected), code


@pytest.mark.parametrize(("code", "options", "bid", "no_trump", "cards", "tricks", "expected"), COATS)
def test_a_coat_is_what_is_written_down(code, options, bid, no_trump, cards, tricks, expected):
    points = (cards + options["last_trick"], 0)
    _, *scores = score(rules_of(options).packed, no_trump, bid, points, tricks, (0, 0), (False, False))
    assert tuple(scores) == expected, code
    assert score_tarabish(options, bid, no_trump, list(points), list(tricks), [0, 0], [False, False])[1:] == expected, code


@pytest.mark.trial("D36")
@pytest.mark.parametrize(("bid", "cards", "scores"), [(80, 69, (0, 162)), (80, 70, (80, 82)), (80, 71, (81, 81))])
def test_one_point_below_the_bid_at_it_and_above_it(bid, cards, scores):
    rules = rules_of({})
    assert score(rules.packed, False, bid, (cards + 10, 152 - cards), (5, 4), (0, 0), (False, False))[1:] == scores


def test_the_pack_has_the_points_that_the_rules_page_says():
    """62 in trumps, 30 in each other suit, 152 in all, 162 with the last trick, 156 with four; 120 and 130 at no trump."""
    packed = rules_of({}).packed[0]
    assert packed["worth"].sum(1).tolist() == [30, 62, 30]
    assert (packed["worth"][1].sum() + 3 * 30, rules_of({}).whole, rules_of({"last_trick": 4}).whole) == (152, 162, 156)
    assert rules_of({"nt_scoring": "ace19"}).packed[0]["worth"][2].sum() * 4 == 152
    for trump in SUITS:
        assert sum(card_value(rules_of({}).options, card, trump) for card in NINES) == 152
    assert sum(card_value(rules_of({}).options, card, "NT") for card in NINES) == 120


@kernel
def find(r, cards, trump, out):
    return melds.find(r[0], cards, trump, out)


def found(rules, cards, trump=-1):
    out = np.zeros((ROOM, 2), np.int64)
    n = find(rules.packed, bits(cards), trump, out)
    names = [(melds.KINDS[meld >> 4], "23456789TJQKA"[meld & 15]) for meld in out[:n, 0].tolist()]
    return names, out[:n, 1].tolist()


@pytest.mark.trial("D37")
@pytest.mark.parametrize(("code", "options", "cards", "expected"), MELDS)
def test_a_hand_has_the_melds_written_down(code, options, cards, expected):
    assert found(rules_of(options), cards.split())[0] == [meld[:2] for meld in expected], code
    assert sorted((meld["kind"], meld["top"], meld["points"]) for meld in melds_of(options, cards.split())) == sorted(expected), code


@kernel
def announce(r, states, cards):
    melds.announce(r[0], states[0].public, 2, cards)


@pytest.mark.parametrize(("code", "options", "cards", "expected"), ANNOUNCED)
def test_melds_are_made_public_best_first(code, options, cards, expected):
    states = records(1, STATE)
    states["public"]["melds"] = -1
    announce(rules_of(options).packed, states, bits(cards.split()))
    told = [(melds.KINDS[meld >> 4], "23456789TJQKA"[meld & 15]) for meld in states["public"]["melds"][0, 2].tolist() if meld >= 0]
    assert told == expected, code
    assert (states["public"]["melds"][0, [0, 1, 3]] == -1).all()


def counts(options, hands, trump, dealer):
    """Points of melds for each side by the engine, from hands that are played out."""
    s = records(1, STATE)
    s["public"]["dealer"], s["public"]["trump"] = dealer, "SHDC".find(trump)
    for seat, hand in enumerate(hands):
        if hand:
            s["public"]["played"][0, seat, [card_id(card) for card in hand.split()]] = 1
            s["declared"][0, seat] = DECLARED
    totals = np.zeros(2, np.int64)
    count_all(rules_of(options).packed, s, totals)
    return tuple(totals.tolist())


@kernel
def count_all(r, s, totals):
    melds.count(r[0], s[0], totals)


@pytest.mark.trial("D37")
@pytest.mark.parametrize(("code", "options", "hands", "trump", "dealer", "expected"), BEST)
def test_the_side_with_the_best_meld_counts_its_own(code, options, hands, trump, dealer, expected):
    assert counts(options, hands, trump, dealer) == expected, code
    announced = [melds_of(options, hand.split()) for hand in hands]
    assert tuple(counted_melds(options, announced, trump, dealer)) == expected, code


@pytest.mark.trial("D37")
def test_what_is_not_announced_does_not_count():
    assert counts({}, ["", "AH KH QH", "", ""], "C", 0) == (0, 20)
    assert counts({}, ["", "", "", ""], "C", 0) == (0, 0)


@kernel
def legal(r, states, held):
    return play_module.legal(r[0], states[0].public, held)


@pytest.mark.trial("D32")
@pytest.mark.parametrize(("code", "options", "trump", "table", "hand", "expected"), DUTIES)
def test_a_seat_must_play_what_is_written_down(code, options, trump, table, hand, expected):
    cards, own = table.split(), hand.split()
    states = records(1, STATE)
    p = states["public"][0]
    p["trump"], p["on_table"], p["best"] = ("S", "H", "D", "C", "NT").index(trump), len(cards), winning_place(cards, trump)
    p["table"][: len(cards)] = [card_id(card) for card in cards]
    assert legal(rules_of(options).packed, states, bits(own)) == bits(expected.split()), code
    assert sorted(playable_cards(options, own, cards, trump)) == sorted(expected.split()), code


@pytest.mark.trial("D32")
def test_trumps_and_plain_cards_rank_as_the_tables_say():
    """All ordered pairs of one suit, as trumps and as a plain suit (D32)."""
    packed = rules_of({}).packed
    for order, trump in ((TRUMPS, 1), (PLAIN, 0)):
        for stronger, weaker in itertools.combinations(order, 2):
            assert beats(packed, card_id(stronger + "H"), card_id(weaker + "H"), trump)
            assert not beats(packed, card_id(weaker + "H"), card_id(stronger + "H"), trump)


@kernel
def beats(r, card, best, trump):
    return play_module.beats(r[0], card, best, trump)


@kernel
def winners(r, cards, trump, strength, faults):
    """Every ordered trick of four different cards, against a ten-line reference: how many there are; `faults` counts differences."""
    n = 0
    for a in cards:
        for b in cards:
            for c in cards:
                for d in cards:
                    if a in (b, c, d) or b in (c, d) or c == d:
                        continue
                    n += 1
                    trick = (a, b, c, d)
                    best, reference = 0, 0
                    for place in range(1, 4):
                        if play_module.beats(r[0], trick[place], trick[best], trump):
                            best = place
                    led = a // 13
                    most = -1
                    for place in range(4):
                        card = trick[place]
                        value = strength[1, card % 13] + 100 if card // 13 == trump else strength[0, card % 13]
                        if card // 13 != trump and card // 13 != led:
                            value = -1
                        if value > most:
                            most, reference = value, place
                    faults[0] += best != reference
    return n


@pytest.mark.trial("D33")
@pytest.mark.parametrize("trump", [2, 4])
def test_every_ordered_trick_is_won_as_in_the_reference(trump):
    strength = np.zeros((2, 13), np.int64)
    for row, order in enumerate((PLAIN, TRUMPS)):
        for place, rank in enumerate(reversed(order)):
            strength[row, "23456789TJQKA".index(rank)] = place
    faults = np.zeros(1, np.int64)
    n = winners(rules_of({}).packed, np.array([card_id(card) for card in NINES]), trump, strength, faults)
    assert (n, faults[0]) == (36 * 35 * 34 * 33, 0)


@pytest.mark.trial("D33")
@pytest.mark.parametrize(
    ("cards", "trump", "place"), [("TS KS 6S 7S", "D", 0), ("6S KH 7S 8S", "D", 3), ("AC 6D JD TC", "D", 2), ("9S TS KS AS", "NT", 3)]
)
def test_tricks_are_won_as_written_down(cards, trump, place):
    packed, best = rules_of({}).packed, 0
    ids = [card_id(card) for card in cards.split()]
    for n in range(1, 4):
        best = n if beats(packed, ids[n], ids[best], "SHDC".find(trump)) else best
    assert best == winning_place(cards.split(), trump) == place


@kernel
def winner(r, states):
    return match.winner_after_hand(r[0], states[0].public)


@pytest.mark.parametrize(("code", "options", "scores", "expected"), ENDS)
def test_a_game_ends_as_written_down(code, options, scores, expected):
    for side in (0, 1):  # the rows are written for side 0
        states, turned, wins = (
            records(1, STATE),
            list(scores if side == 0 else scores[::-1]),
            expected if side == 0 or expected is None else 1 - expected,
        )
        states["public"]["scores"], states["public"]["declarer"] = turned, side
        assert winner(rules_of(options).packed, states) == (-1 if wins is None else wins), code
        assert game_winner(options, turned, side) == wins, code


HANDS = [
    ["JS", "9S", "AS", "TS", "KS", "QS", "AH", "KH", "QH"],
    ["8S", "7S", "6S", "TH", "9H", "8H", "7H", "6H", "JH"],
    ["AD", "KD", "QD", "JD", "TD", "9D", "8D", "7D", "6D"],
    ["AC", "KC", "QC", "JC", "TC", "9C", "8C", "7C", "6C"],
]


REST = [
    "6S",
    "8D",
    "8C",
    "9S",
    "TH",
    "9D",
    "9C",
    "AS",
    "9H",
    "TD",
    "TC",
    "TS",
    "8H",
    "JD",
    "JC",
    "AH",
    "7H",
    "QD",
    "QC",
    "KH",
    "6H",
    "KD",
    "KC",
    "QH",
    "JH",
    "AD",
    "AC",
]
"""How the hand goes on after jack, king and queen of spades, so that seat 0 takes every trick."""


def table(**options):
    """A match in which seat 0 calls first and holds the top spades."""
    env = laffa.env("tarabish", **options)
    env.reset(seed=1, options={"dealer": 3, "hands": HANDS})
    return env


def test_a_hand_from_the_first_bid_to_the_score():
    env = table(episode="hand")
    view = env.snapshot()
    assert view["hands"] == [sorted(hand[:3], key=NINES.index) for hand in HANDS]
    assert view["undealt"][:6] == ["TS", "KS", "QS", "TH", "9H", "8H"]
    play(env, "bid 50", "bid 60", "pass", "pass", "bid 160", "trump S")
    assert [len(hand) for hand in env.snapshot()["hands"]] == [9, 9, 9, 9]
    assert legal_texts(env) == ["declare", "silent"]
    play(env, "declare", "declare", "silent", "declare")
    view = env.snapshot()
    # Seat 0: A K Q of hearts; its spades are T J Q K A with the 9: A K Q J T 9, a quint. Seat 1: 6 7 8 of spades, 6-J of hearts.
    assert view["hand"]["melds"] == [
        [0, "quint", "A", 100], [0, "tierce", "A", 20], [1, "tierce", "8", 20], [1, "quint", "J", 100], [3, "quint", "A", 100],
    ]  # fmt: skip
    play(env, "JS", "8S", "6D", "6C", "KS", "7S", "7D", "7C", "QS")
    assert (env.snapshot()["phase"], env.snapshot()["turn"], legal_texts(env)) == ("bella", 0, ["silent", "bella"])
    play(env, "bella", *REST)
    assert env.snapshot()["hand"]["bella"] == 0
    last = env.snapshot()["last_hand"]
    assert last["tricks"] == [9, 0]
    assert last["points"] == [162, 0]
    assert last["scores"] == [162 + 120 + 20, 0]
    assert (last["made"], last["bella"]) == (True, 0)
    assert [env.rewards[agent] for agent in env.possible_agents] == [302, -302, 302, -302]


def test_bella_is_asked_before_a_trick_is_closed_and_silence_scores_nothing():
    env = table(episode="hand")
    play(env, "bid 160", "trump S", "silent", "silent", "silent", "silent", "JS", "8S", "6D", "6C", "KS", "7S", "7D", "7C", "QS")
    assert env.snapshot()["phase"] == "bella"
    play(env, "silent", *REST)
    assert env.snapshot()["last_hand"]["scores"] == [162, 0]
    assert env.snapshot()["hand"]["bella"] is None


def test_bella_on_the_fourth_card_comes_before_the_trick_is_taken():
    hands = ["JS 9S AH KH TH QH AD KD TD", "6S 7S 6H 7H 8H 6D 7D 8D 6C", "8S TS 9H JH 9D JD QD 7C 8C", "KS QS AS 9C TC JC QC KC AC"]
    env = laffa.env("tarabish", episode="hand")
    env.reset(seed=1, options={"dealer": 3, "hands": [hand.split() for hand in hands]})
    play(env, "bid 160", "trump S", "silent", "silent", "silent", "silent", "JS", "6S", "8S", "KS", "9S", "7S", "TS", "QS")
    view = env.snapshot()
    assert (view["phase"], view["turn"], len(view["trick"]["cards"]), len(view["tricks"])) == ("bella", 3, 4, 1)
    play(env, "bella")
    view = env.snapshot()
    assert (view["phase"], view["turn"], view["hand"]["bella"], len(view["tricks"])) == ("play", 0, 3, 2)


def test_automatic_announcements_need_no_decision():
    env = table(episode="hand", auto_declare=True, auto_bella=True)
    play(env, "bid 160", "trump S")
    view = env.snapshot()
    assert (view["phase"], view["turn"]) == ("play", 0)
    assert len(view["hand"]["melds"]) == 6
    play(env, "KS", "8S", "6D", "6C", "QS")
    assert (env.snapshot()["phase"], env.snapshot()["hand"]["bella"]) == ("play", 0)


def test_the_table_says_what_all_have_heard_and_seen():
    env = table(episode="hand", render_mode="ansi", upcard=True)
    assert "turned up: TS" in env.render()
    play(env, "bid 160", "trump S", "declare", "declare", "silent", "silent", "JS", "8S", "6D", "6C", "KS", "7S", "7D", "7C", "QS", "bella")
    assert "melds: 0: quint A high (100), 0: tierce A high (20), 1: quint J high (100), 1: tierce 8 high (20)" in env.render()
    assert "Bella: 0" in env.render()
    shown = table(episode="hand", render_mode="ansi", reveal_packet=True)
    assert f"shown: {' '.join(HANDS[2][3:6])} of player_2" in shown.render()


POSITIONS = [
    ({"hands": [["2S", *HANDS[0][1:]], *HANDS[1:]]}, "2S is not in the pack"),
    ({"hands": [[*HANDS[0], "8S"], HANDS[1][1:], *HANDS[2:]]}, "seat 0 has 10 cards; a complete hand has 9"),
    ({"scores": [-10, 0]}, "scores = -10 is not possible; it takes a whole number from 0"),
    ({"scores": [500, 0]}, "scores 500 to 0 cannot be; a side with 500 has won"),
    ({"games": [1, 0]}, "games = 1 is not possible"),
]


@pytest.mark.parametrize(("position", "message"), POSITIONS)
def test_a_position_that_cannot_be_is_refused(position, message):
    with pytest.raises(ValueError, match=message):
        laffa.env("tarabish").reset(seed=1, options=position)
    with pytest.raises(ValueError, match="games = 2 is not possible"):
        laffa.env("tarabish-league").reset(seed=1, options={"games": [2, 0]})


def test_put_off_announcements_are_secret_until_the_end():
    env, silent = (table(episode="hand", deferred=True, events=True) for _ in range(2))
    play(env, "bid 160", "trump S", "declare", "silent", "silent", "silent")
    play(silent, "bid 160", "trump S", "silent", "silent", "silent", "silent")
    assert env.snapshot()["hand"]["melds"] == []
    assert env.snapshot()["history"][2] == [0, "declare"]
    for seat in range(1, 4):
        for name, value in env.observe(f"player_{seat}").items():
            np.testing.assert_array_equal(value, silent.observe(f"player_{seat}")[name])
    assert (env.observe("player_0")["observation"] != silent.observe("player_0")["observation"]).sum() == 1
    finish_at_random(env)
    assert is_over(env)
    assert env.snapshot()["hand"]["melds"] == env.snapshot()["last_hand"]["melds"] == [[0, "quint", "A", 100], [0, "tierce", "A", 20]]


def test_the_best_of_three_goes_on_at_zero_and_ends_with_the_second_game():
    env = laffa.env("tarabish-league", target=100)
    env.reset(seed=4)
    games = [[0, 0]]
    while not is_over(env):
        before = env.snapshot()
        env.step(env.action_space(env.agent_selection).sample(env.observe(env.agent_selection)["action_mask"]))
        view = env.snapshot()
        if view["games"] != games[-1]:
            games.append(view["games"])
            if not is_over(env):
                assert view["scores"] == [0, 0]
                assert view["dealer"] == (before["dealer"] + 1) % 4
    assert view["winner"] in (0, 1)
    assert view["games"][view["winner"]] == 2
    assert all(sum(games[n + 1]) == sum(games[n]) + 1 for n in range(len(games) - 1))


def test_an_upcard_is_public_and_its_suit_alone_may_become_trumps():
    env = table(upcard=True)
    assert env.snapshot()["upcard"] == "TS"
    play(env, "bid 50", "pass", "pass", "pass")
    assert legal_texts(env) == ["trump S"]
    play(env, "trump S")
    assert "TS" in env.snapshot()["hands"][0]


@pytest.mark.parametrize("card", ["AS", "AH", "AC", "6D", "TS"])
def test_the_suit_of_an_upcard_of_any_rank_is_told(card):
    """The fourth card of the first seat is turned up."""
    hands = [[{card: "TS", "TS": card}.get(one, one) for one in hand] for hand in HANDS]
    for options in ({"bid_form": "number"}, {"bid_form": "number+suit"}):
        env = laffa.env("tarabish", upcard=True, **options)
        env.reset(seed=1, options={"dealer": 3, "hands": hands})
        assert env.snapshot()["upcard"] == card
        bids = {text[-1] for text in legal_texts(env) if text[-1] in SUITS}
        assert bids == (set() if options["bid_form"] == "number" else {card[1]})
    env = laffa.env("tarabish-capebreton", upcard=True, cards_at_bid=3)
    env.reset(seed=1, options={"dealer": 3, "hands": hands})
    assert legal_texts(env) == ["pass", f"trump {card[1]}"]


def test_a_revealed_packet_is_that_of_the_dealers_right_neighbour():
    env = table(reveal_packet=True)
    shown = next(piece for piece in laffa.observation_layout("tarabish") if piece.name == "open_cards")
    view = env.observe("player_0")["observation"][shown.offset : shown.offset + shown.size]
    assert sorted(np.flatnonzero(view == 2).tolist()) == sorted(card_id(card) for card in HANDS[2][3:6])


def test_a_second_auction_allows_no_trump():
    env = table(second_round=True)
    play(env, *["pass"] * 4)
    assert (env.snapshot()["phase"], env.snapshot()["turn"], env.snapshot()["passed_deals"]) == ("bid", 0, 0)
    play(env, "bid 150", "pass", "pass", "pass")
    assert legal_texts(env) == ["trump S", "trump H", "trump D", "trump C", "trump NT"]
    assert len(env.snapshot()["calls"]) == 8


def test_a_bid_may_name_its_suit():
    env = table(bid_form="number+suit", no_trump=True)
    assert "bid 50S" in legal_texts(env)
    assert "bid 150NT" in legal_texts(env)
    assert "bid 140NT" not in legal_texts(env)
    play(env, "bid 80H", "pass", "bid 90S", "pass", "pass")
    assert (env.snapshot()["contract"], env.snapshot()["phase"]) == ({"seat": 2, "value": 90, "trump": "S"}, "declare")


def test_trumps_are_taken_in_cape_breton():
    env = laffa.env("tarabish-capebreton")
    env.reset(seed=3, options={"dealer": 3, "hands": HANDS})
    assert [len(hand) for hand in env.snapshot()["hands"]] == [6] * 4
    assert legal_texts(env) == ["pass", "trump S", "trump H", "trump D", "trump C"]
    play(env, "pass", "pass", "pass")
    assert legal_texts(env) == ["trump S", "trump H", "trump D", "trump C"]
    play(env, "trump C")
    assert env.snapshot()["contract"] == {"seat": 3, "value": None, "trump": "C"}
    assert env.snapshot()["calls"][-1] == [3, "trump C"]


@pytest.mark.trial("D33")
def test_tarneebs_ranks_are_not_touched():
    packed = laffa.load("tarneeb-koutchina").packed
    for trump in (0, 1):
        assert beats(packed, card_id("AS"), card_id("JS"), trump)
        assert beats(packed, card_id("KS"), card_id("TS"), trump)
