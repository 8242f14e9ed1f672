"""Observations say what happened, piece by piece."""

import itertools
from collections import Counter

import numpy as np
import pytest

import laffa
from helpers import AGENTS, KOUTCHINA, PACK, play, play_contract, positions, random_start, texts_of, walk
from laffa import layout
from laffa.cards import ACTIONS, SUITS
from laffa.layout import HIDDEN, OBSERVATION
from laffa.testing import complete_hands, phases
from referee_points import melds_of
from tarabish_facts import PLACES, tarabish_facts, winning_seat
from turub_facts import turub_facts

pytestmark = pytest.mark.env

PHASES = ["bid", "trump", "declare", "play", "bella", "signal"]


def pieces(vector):
    """An observation cut into its named pieces, as lists."""
    return {piece.name: vector[piece.offset : piece.offset + piece.size].tolist() for piece in OBSERVATION}


def flags(size, *places):
    return [int(place in places) for place in range(size)]


def facts(view, me, rules, revealed=(), declared=()):
    """Every piece of the observation of seat `me`, written down from a snapshot and the rules in words."""
    if rules.game == "tarabish":
        return _facts(view, me, rules) | tarabish_facts(view, me, rules, PACK, revealed, declared)
    return _facts(view, me, rules) | (turub_facts(view, me) if rules.game == "turub" else {})


LATER = {"bid_suit": 4, "lap": 1, "bella": 4, "said_melds": 4, "melds": 4 * len(PLACES), "open_cards": 52, "declared": 1, "ceiling": 4, "games": 2}
LATER |= {"signal": 2, "signals": 32, "holder": 2, "mark": 1}
"""Sizes of the pieces that one family alone fills."""


def _facts(view, me, rules):
    """What all games have in common."""
    seats, hand = [(me + k) % 4 for k in range(4)], Counter(view["hands"][me])
    cap = rules.game_cap if rules.game == "turub" else rules.hand_cap
    second = rules.second_round and [call for _, call in view["calls"][:4]] == ["pass"] * 4
    calls, contract, trick, tricks = view["calls"][4 * second :], view["contract"], view["trick"], view["tricks"]
    winner = winning_seat if rules.game == "tarabish" else _winner
    plays = [(seat, card, number) for number, (leader, cards, _) in enumerate(tricks, 1) for seat, card in zip(_order(leader), cards, strict=True)]
    plays += [(seat, card, len(tricks) + 1) for seat, card in trick["cards"]]
    played, when = Counter((seat, card) for seat, card, _ in plays), {card: number for _, card, number in plays}
    bids = [(seat, _rung(call, rules), call.endswith("NT")) for seat, call in calls if call != "pass"]
    standing = bids[-1] if bids else (None, 0, False)
    own_bids = {seat: (rung, no_trump) for seat, rung, no_trump in bids}
    last_calls = dict(map(tuple, calls))
    table = dict(map(tuple, trick["cards"]))
    last = dict(zip(_order(tricks[-1][0]), tricks[-1][1], strict=True)) if tricks else {}
    return {
        **{name: [0] * size for name, size in LATER.items()},
        "hand": [hand[card] for card in PACK],
        "played": [played[seat, card] for seat in seats for card in PACK],
        "table": [flag for seat in seats for flag in [*flags(4, *_suit(table.get(seat))), *flags(13, *_rank(table.get(seat)))]],
        "winning": [int(bool(table) and seat == winner(trick["cards"], view["trump"])) for seat in seats],
        "leader": [int(seat == trick["leader"]) for seat in seats],
        "trump": [int(view["trump"] == suit) for suit in ("S", "H", "D", "C", "NT")],
        "phase": [int(view["phase"] == phase) for phase in PHASES],
        "dealer": [int(seat == view["dealer"]) for seat in seats],
        "declarer": [int(seat == standing[0]) for seat in seats],
        "bid": [int(rung <= standing[1]) for rung in range(1, 22)],
        "bid_nt": [int(standing[2])],
        "seat_nt": [int(own_bids.get(seat, (0, False))[1]) for seat in seats],
        "seat_bid": [own_bids.get(seat, (0, False))[0] for seat in seats],
        "passed": [int(last_calls.get(seat) == "pass") for seat in seats],
        "passes": [_passes_in_a_row(calls)],
        "voids": [int(_is_void(seat, suit, tricks, trick)) for seat in seats for suit in SUITS],
        "tricks": [view["hand"]["tricks"][me % 2], view["hand"]["tricks"][1 - me % 2]],
        "needed": _needed(view, contract, "tricks", 13) if rules.in_tricks and contract else [0, 0],
        "points": [_int8(view["hand"]["points"][me % 2]), _int8(view["hand"]["points"][1 - me % 2])],
        "points_needed": _points_needed(view, contract, rules) if rules.unit == "card_points" else [0, 0],
        "to_go": [_int8(rules.target - view["scores"][side]) for side in (me % 2, 1 - me % 2)],
        "to_go_coarse": [_int8((rules.target - view["scores"][side]) // 8) for side in (me % 2, 1 - me % 2)],
        "hands_left": [127 if cap is None else _int8(cap - view["hands_played"])],
        "passed_deals": [_int8(view["passed_deals"])],
        "last_trick": [number for seat in seats for number in ([_suit(last[seat])[0] + 1, _rank(last[seat])[0] + 1] if last else [0, 0])],
        "last_leader": [int(bool(tricks) and seat == tricks[-1][0]) for seat in seats],
        "when": [when.get(card, 0) for card in PACK],
        "rules": _rule_flags(rules, RULE_FLAGS),
        "rule_numbers": _rule_numbers(rules, RULE_NUMBERS),
        "more_rules": [int(rules.game == "tarabish"), int(rules.game == "turub"), *_rule_flags(rules, MORE_FLAGS)],
        "more_numbers": _rule_numbers(rules, MORE_NUMBERS),
    }


def _rung(call, rules):
    """How high a bid stands on the ladder, from 1: its tricks, or its place among the bids in points, which begin at 7 if that fits."""
    if call.startswith("trump"):
        return 0
    number = int("".join(letter for letter in call if letter.isdigit()))
    if rules.unit == "tricks":
        return number
    return 1 + min(6, 21 - len(range(rules.bid_min, rules.bid_max + 1, rules.bid_step))) + (number - rules.bid_min) // rules.bid_step


def _order(leader):
    return [(leader + place) % 4 for place in range(4)]


def _suit(card):
    return [] if card is None else [SUITS.index(card[1])]


def _rank(card):
    return [] if card is None else ["23456789TJQKA".index(card[0])]


def _winner(cards, trump):
    led = cards[0][1][1]
    return max(cards, key=lambda play: (play[1][1] == trump, play[1][1] == led, _rank(play[1])))[0]


def _passes_in_a_row(calls):
    count = 0
    for _, call in calls:
        count = count + 1 if call == "pass" else 0
    return count


def _is_void(seat, suit, tricks, trick):
    rounds = [(cards[0][1], dict(zip(_order(leader), cards, strict=True)).get(seat)) for leader, cards, _ in tricks]
    if trick["cards"]:
        rounds.append((trick["cards"][0][1][1], dict(map(tuple, trick["cards"])).get(seat)))
    return any(led == suit and card is not None and card[1] != suit for led, card in rounds)


def _needed(view, contract, what, whole):
    if view["trump"] is None:
        return [0, 0]
    own, taken = contract["seat"] % 2, view["hand"][what]
    return [max(0, contract["value"] - taken[own]), max(0, whole + 1 - contract["value"] - taken[1 - own])]


def _points_needed(view, contract, rules):
    """The same in card points; in Tarabish more than half of them where sides are compared, half a bid at no trump where points count twice."""
    if view["trump"] is None:
        return [0, 0]
    value, whole = contract["value"], 120
    if rules.game == "tarabish":
        no_trump = view["trump"] == "NT"
        whole = (152 if rules.nt_scoring == "ace19" else 120) if no_trump else 152
        whole += rules.last_trick
        if rules.judge == "outscore":
            value = whole // 2 + 1
        elif no_trump and rules.nt_scoring == "double_before":
            value = -(-value // 2)
    return [_int8(number) for number in _needed(view, {**contract, "value": value}, "points", whole)]


def _int8(number):
    return max(-128, min(127, number))


RULE_FLAGS = """
auction open final_pass single_lap; close_at_max; nt_bids; dealer_may_equal; all_pass next_dealer same_dealer force_dealer;
unit tricks card_points; made_score actual bid; defenders_on_made none actual; slam_failed_defenders_x2; kabsh_any_side; cap_tie draw last_hand_winner
"""
"""What the piece "rules" says of the options that Tarneeb has: switches, and options with their words."""
RULE_NUMBERS = "bid_min 8; bid_max 8; bid_step 8; all_pass_cap; slam_unbid 8; slam_bid 8; slam_failed 8; hand_cap 8; target 8"
"""What the piece "rule_numbers" says of them; with an 8 also divided by it."""
MORE_FLAGS = """
no_trump; bid_form number number+suit; upcard; reveal_packet;
second_round; nt_scoring double_before ace19; meld_set full runs_only; run_order natural plain;
longer_first; overlap; equal_runs order cancel; auto_declare; auto_bella; deferred; signals off on truthful;
must_rise_on_trump_lead; partner_exempt none overtrump all;
judge bid outscore; equal half_bait bait; need_trick; bella_survives_bate; coat; all_nine_tricks; slam_wins_match; short_win_rotates;
cap_result draw holder; both_over bidder higher
"""
MORE_NUMBERS = "packs; cards_at_bid; nt_min_bid 8; last_trick; game_cap 8; best_of"
"""The same for the other options, behind a flag of the family."""


def _entries(text):
    return [entry.split() for entry in text.replace("\n", " ").split(";")]


def _rule_flags(rules, entries):
    """Options of the own family as flags; those of others are 0."""
    flags = []
    for name, *words in _entries(entries):
        value = rules.options.get(name)
        flags += [int(value == word) for word in words] if words else [int(bool(value))]
    return flags


def _rule_numbers(rules, entries):
    """Numbers up to 127 and eighths; -1 where a rule is off, 0 where the game has none."""
    numbers = []
    for name, *eighth in _entries(entries):
        value = rules.options.get(name, 0)
        numbers += ([-1] if value is None else [_int8(value)]) + ([-1 if value is None else _int8(value // 8)] if eighth else [])
    return numbers


def decode_events(events, me, rules):
    """The history as [seat, action text] out of a seat's tokens."""
    tokens = [int(token) - 1 for token in events if token]
    assert not events[len(tokens) :].any()
    return [[(me + token // ACTIONS) % 4, texts_of(rules)[token % ACTIONS]] for token in tokens]


GAMES = [
    (KOUTCHINA, 110, {}),
    (KOUTCHINA, 80, {"target": 200, "hand_cap": None, "all_pass_cap": None}),
    (KOUTCHINA, 80, {"bid_min": 1, "bid_max": 9, "close_at_max": False, "hand_cap": 500, "cap_tie": "last_hand_winner"}),
    *((variant, 12, {}) for variant in laffa.variants()),
    ("turup", 12, {"game_cap": None, "signals": "truthful"}),
    ("tarabish", 30, {"upcard": True, "second_round": True}),
    ("tarabish-capebreton", 20, {"no_trump": True}),
    ("tarabish", 30, {"bid_form": "number+suit", "no_trump": True, "reveal_packet": True}),
    ("tarabish", 30, {"deferred": True, "partner_exempt": "all"}),
    ("tarabish", 30, {"auto_declare": True, "auto_bella": True, "must_rise_on_trump_lead": False, "partner_exempt": "overtrump"}),
    ("tarabish", 30, {"deferred": True, "auto_declare": True, "cards_at_bid": 6, "best_of": 3}),
]


@pytest.mark.trial("D13")
@pytest.mark.parametrize(("variant", "games", "options"), GAMES)
def test_every_piece_decodes_to_the_facts_of_the_game(variant, games, options):
    """One seat after another, at every step of random matches cut into episodes of a hand."""
    env, rng, seen = laffa.env(variant, episode="hand", events=True, **options), np.random.default_rng(1), set()
    for game in range(games):
        env.reset(seed=game, options=random_start(rng, env.rules))
        for step, _ in enumerate(walk(env, game)):
            view, me = env.snapshot(), (step + game) % 4
            shown = env.observe(AGENTS[me])
            assert pieces(shown["observation"]) == facts(view, me, env.rules, *secrets(env))
            assert decode_events(shown["events"], me, env.rules) == heard(view["history"], me, env.rules)
            seen.add(view["phase"])
    assert seen == phases(env.rules)


def heard(history, me, rules):
    """The history as a seat has heard it: announcements that are put off are silence."""
    return [[seat, "silent" if text == "declare" and rules.deferred and seat != me else text] for seat, text in history]


def secrets(env):
    """(the packet that is shown, the seats that have announced melds): what a snapshot does not say."""
    view = env.snapshot()
    revealed = [PACK[card] for card in env._states["public"]["revealed"][0] if card >= 0]
    if not env.rules.auto_declare:
        return revealed, [seat for seat, text in view["history"] if text == "declare"]
    held = complete_hands(view)
    for leader, cards, _ in view["tricks"]:
        for seat, card in zip(_order(leader), cards, strict=True):
            held[seat].append(card)
    for seat, card in view["trick"]["cards"]:
        held[seat].append(card)
    announced = view["first_leader"] is not None
    return revealed, [seat for seat in range(4) if announced and melds_of(env.rules.options, held[seat])]


@pytest.mark.trial("D13")
def test_all_seats_decode_at_the_moments_where_things_begin_and_end():
    env, rng, moments = laffa.env(KOUTCHINA, target=1000, hand_cap=6, events=True), np.random.default_rng(2), 0
    env.reset(seed=4)
    for _ in walk(env, 4):
        view = env.snapshot()
        if len(view["history"]) < 6 or not view["trick"]["cards"] or rng.random() < 0.1:
            moments += 1
            for me, agent in enumerate(AGENTS):
                assert pieces(env.observe(agent)["observation"]) == facts(view, me, env.rules)
                assert decode_events(env.observe(agent)["events"], me, env.rules) == view["history"]
    assert moments > 60


@pytest.mark.trial("D12")
def test_declarer_partner_and_the_two_defenders_are_told_apart_by_every_seat():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1, options={"dealer": 1})
    play(env, "bid 9", "pass", "pass", "pass", "trump H")
    for me, agent in enumerate(AGENTS):
        shown = pieces(env.observe(agent)["observation"])
        assert shown["declarer"] == flags(4, (2 - me) % 4)
        assert shown["dealer"] == flags(4, (1 - me) % 4)
        assert sum(shown["phase"]) == 1
        assert shown["needed"] == [9, 5]


@pytest.mark.parametrize("pieces", [OBSERVATION, HIDDEN])
def test_pieces_follow_one_another_without_gaps(pieces):
    for piece, after in itertools.pairwise(pieces):
        assert after.offset == piece.offset + piece.size
    assert all(piece.size > 0 and piece.scale > 0 and piece.meaning for piece in pieces)
    assert len({piece.name for piece in OBSERVATION + HIDDEN}) == len(OBSERVATION + HIDDEN)


def test_the_layout_fills_the_observation_and_the_state():
    assert OBSERVATION[0].offset == 0
    assert OBSERVATION[-1].offset + OBSERVATION[-1].size == layout.SIZE == HIDDEN[0].offset
    assert HIDDEN[-1].offset + HIDDEN[-1].size == layout.STATE_SIZE
    env = laffa.env(KOUTCHINA)
    assert env.observation_space("player_0")["observation"].shape == (layout.SIZE,)
    assert env.state_space.shape == (layout.STATE_SIZE,)
    assert len(layout.scales()) == layout.SIZE
    assert len(layout.scales(state=True)) == layout.STATE_SIZE
    for variant in laffa.variants():
        assert laffa.observation_layout(variant) == list(OBSERVATION)


@pytest.mark.parametrize(
    "variants",
    [*([name] for name in laffa.variants()), ["tarneeb-koutchina", "tarneeb-400points"], ["tarneeb-koutchina", "tarabish", "arbaa-turub-signals"]],
)
def test_what_networks_leave_out_is_the_same_in_every_position(variants):
    rules = [laffa.load(variant) for variant in variants]
    rest = np.ones(layout.STATE_SIZE, bool)
    for span in layout.spans(layout.informative(rules, state=True)):
        rest[span] = False
    assert rest.any()
    first = None
    for variant in variants:
        for env in positions(3, 8, variant=variant):
            views = [env.state(), *(env.observe(agent)["observation"] for agent in AGENTS)]
            first = views[0] if first is None else first
            assert all((view[rest[: len(view)]] == first[: len(view)][rest[: len(view)]]).all() for view in views)


def test_networks_take_in_the_rules_only_where_games_differ():
    koutchina, saudi = laffa.load(KOUTCHINA), laffa.load("tarneeb-saudi")
    assert not {"rules", "rule_numbers"} & set(layout.informative([koutchina]))
    assert {"rules", "rule_numbers"} <= set(layout.informative([koutchina, saudi]))
    tarabish, shown = laffa.load("tarabish"), laffa.load("tarabish", upcard=True)
    assert not {"open_cards", "bid_suit", "lap", "games", "hands_left"} & set(layout.informative([tarabish]))
    assert {"open_cards", "rules", "hands_left"} <= set(layout.informative([koutchina, shown]))
    assert set(layout.informative([koutchina], state=True)) - set(layout.informative([koutchina])) == {"hands", "turn"}


def test_spans_join_neighbours():
    hand, played, table, turn = (next(p for p in OBSERVATION + HIDDEN if p.name == name) for name in ("hand", "played", "table", "turn"))
    assert layout.spans(["turn", "played", "hand"]) == [slice(0, table.offset), slice(turn.offset, turn.offset + turn.size)]
    assert layout.spans(["table"]) == [slice(hand.size + played.size, table.offset + table.size)]
    with pytest.raises(KeyError, match="tabel"):
        layout.spans(["tabel"])


@pytest.mark.parametrize("change", [{"name": "x"}, {"size": 9}, {"scale": 77}, {"meaning": "else"}, {"offset": 3}])
@pytest.mark.parametrize("kind", ["OBSERVATION", "HIDDEN"])
def test_the_fingerprint_changes_with_every_property_of_a_piece(monkeypatch, kind, change):
    before = laffa.fingerprint()
    pieces_now = getattr(layout, kind)
    monkeypatch.setattr(layout, kind, (pieces_now[0]._replace(**change), *pieces_now[1:]))
    assert laffa.fingerprint() != before
    monkeypatch.undo()
    assert laffa.fingerprint() == before
    monkeypatch.setattr(layout, "ACTIONS", ACTIONS + 1)
    assert laffa.fingerprint() != before


@pytest.mark.parametrize(
    ("score", "to_go", "coarse"), [(30, 1, 0), (31, 0, 0), (0, 31, 3), (-96, 127, 15), (-97, 127, 16), (-985, 127, 127), (-(10**6), 127, 127)]
)
def test_points_to_go_are_exact_near_the_target_and_clipped_far_from_it(score, to_go, coarse):
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1, options={"scores": [score, score]})
    shown = pieces(env.observe("player_3")["observation"])
    assert (shown["to_go"], shown["to_go_coarse"]) == ([to_go] * 2, [coarse] * 2)


@pytest.mark.parametrize(("cap", "played", "left"), [(50, 49, 1), (50, 0, 50), (300, 0, 127), (300, 180, 120), (None, 10**6, 127)])
def test_hands_left_are_exact_near_the_cap(cap, played, left):
    env = laffa.env(KOUTCHINA, hand_cap=cap)
    env.reset(seed=1, options={"hands_played": played})
    assert pieces(env.observe("player_0")["observation"])["hands_left"] == [left]


def test_a_match_that_is_over_still_shows_how_it_ended():
    env = laffa.env(KOUTCHINA)
    play_contract(env, 13, 13, 1, scores=[-200, 25])
    shown = pieces(env.observe("player_1")["observation"])
    assert (shown["to_go"], shown["tricks"], shown["needed"]) == ([-7, 127], [13, 0], [0, 1])
    assert (sum(shown["phase"]), sum(shown["hand"]), sum(shown["leader"])) == (0, 0, 0)
