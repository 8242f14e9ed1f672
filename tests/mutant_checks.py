"""What has to notice a fault in the rules: the example tables, hands written out, and matches as the referee and the layout see them.

Kernels run as plain Python here. What is expected is worked out once, by the referee; then each match is only played again.
"""

import importlib
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import laffa
from helpers import texts_of
from laffa import engine, layout, observe
from laffa.cards import PASS
from laffa.rng import game_key
from laffa.snapshot import snapshot
from laffa.state import STATE, records
from laffa.testing import complete_hands
from mutations import FILES
from referees import REFEREES
from test_observe import facts, secrets

TARNEEB, NOTRUMP, POINTS, TARABISH, CAPE = "tarneeb-koutchina", "tarneeb-notrump", "tarneeb-400points", "tarabish", "tarabish-capebreton"
SUITED = {"bid_form": "number+suit", "no_trump": True, "nt_min_bid": 60}
LONG = {**SUITED, "bid_max": 250, "nt_min_bid": 150}
MATCHES: list[tuple[str, dict[str, Any], int, int]] = [
    (TARNEEB, {}, 1, 130), (TARNEEB, {}, 6, 120), (TARNEEB, {}, 8, 40), (TARNEEB, {"target": 1, "bid_min": 1}, 4, 130),
    (TARNEEB, {"hand_cap": 2, "target": 1000, "cap_tie": "last_hand_winner"}, 2, 150), (TARNEEB, {"hand_cap": 1, "target": 1000}, 3, 80),
    (TARNEEB, {"close_at_max": False, "bid_min": 11}, 5, 130), (TARNEEB, {"all_pass_cap": 1}, 7, 60), (TARNEEB, {"all_pass_cap": None}, 8, 50),
    (NOTRUMP, {}, 3, 130), (NOTRUMP, {"close_at_max": False, "bid_min": 12}, 4, 130), (NOTRUMP, {"bid_min": 12}, 5, 130),
    (NOTRUMP, {"auction": "single_lap", "dealer_may_equal": True}, 3, 130), (NOTRUMP, {"bid_min": 1, "bid_max": 3, "target": 9}, 4, 180),
    (NOTRUMP, {"auction": "open", "all_pass": "force_dealer"}, 6, 130), (POINTS, {}, 4, 130), (POINTS, {"bid_min": 10, "bid_step": 11}, 4, 130),
    ("tarneeb-pagat", {}, 7, 80), ("tarneeb-forced", {}, 7, 120), ("tarneeb-oneround", {"bid_min": 12}, 4, 130), ("tarneeb-french31", {}, 5, 130),
    (TARABISH, {}, 2, 200), (TARABISH, {}, 5, 200), (TARABISH, {}, 8, 40), (TARABISH, {"target": 100}, 4, 200),
    (TARABISH, {"upcard": True, "second_round": True}, 6, 150), (TARABISH, {"second_round": True, "no_trump": True}, 7, 150),
    (TARABISH, SUITED, 4, 150), (TARABISH, {**SUITED, "reveal_packet": True, "upcard": True}, 4, 150),
    (TARABISH, {**SUITED, "all_pass": "force_dealer", "auction": "single_lap"}, 7, 150), (TARABISH, {"no_trump": True, "nt_min_bid": 50}, 4, 150),
    (TARABISH, {"no_trump": True, "nt_min_bid": 50, "nt_scoring": "ace19", "last_trick": 4}, 4, 150), (TARABISH, {"cards_at_bid": 6}, 4, 100),
    (TARABISH, {"deferred": True, "partner_exempt": "all"}, 4, 200), (TARABISH, {"partner_exempt": "overtrump", "auction": "open"}, 4, 200),
    (TARABISH, {"auto_declare": True, "auto_bella": True, "must_rise_on_trump_lead": False}, 4, 200),
    (TARABISH, {"auto_declare": True, "overlap": True, "longer_first": True, "run_order": "plain", "best_of": 3, "target": 100}, 4, 300),
    (TARABISH, {"auto_declare": True, "deferred": True, "equal_runs": "cancel", "both_over": "higher", "target": 60}, 4, 200),
    (CAPE, {}, 4, 150), (CAPE, {"no_trump": True, "upcard": True, "target": 60}, 6, 150),
    ("turup", {}, 0, 150), ("turup", {"game_cap": 2}, 0, 90), ("turup", {"game_cap": 3, "cap_result": "holder"}, 0, 130),
    ("turup", {"signals": "truthful"}, 0, 150), ("turup", {"short_win_rotates": True, "slam_wins_match": False}, 0, 150),
    ("arbaa-turub-signals", {}, 0, 190), ("arbaa-turub-signals", {}, 0, 3),
    (NOTRUMP, {"bid_min": 1, "bid_max": 1, "all_pass": "force_dealer", "hand_cap": 2}, 7, 200), (NOTRUMP, {"bid_min": 1, "bid_max": 2}, 5, 130),
    (NOTRUMP, {"bid_min": 1, "bid_max": 2, "all_pass": "force_dealer"}, 6, 130), (NOTRUMP, {"bid_min": 12, "all_pass": "force_dealer"}, 8, 65),
    (NOTRUMP, {"bid_min": 11, "all_pass": "force_dealer"}, 8, 65), (NOTRUMP, {"bid_min": 13, "all_pass": "force_dealer"}, 8, 65),
    (TARABISH, LONG, 4, 100), (TARABISH, LONG, 2, 60), (TARABISH, {**LONG, "all_pass": "force_dealer", "close_at_max": False}, 8, 60),
    (TARABISH, {**LONG, "all_pass": "force_dealer", "upcard": True}, 6, 60), (TARABISH, {**SUITED, "no_trump": False}, 4, 60),
    (TARABISH, {**SUITED, "nt_scoring": "ace19"}, 4, 200), (TARABISH, {**SUITED, "nt_scoring": "ace19", "coat": True}, 4, 200),
    (TARABISH, {"partner_exempt": "overtrump"}, 4, 250), (TARABISH, {"partner_exempt": "overtrump", "bid_max": 60}, 4, 250),
    (TARABISH, {"partner_exempt": "overtrump", "auto_declare": True, "must_rise_on_trump_lead": False}, 4, 250),
    (TARABISH, {"best_of": 3, "target": 300, "auto_declare": True}, 4, 300), (TARABISH, {"best_of": 3, "target": 120}, 4, 300),
]  # fmt: skip
"""Variant, options, eighths of all calls that are passes, most decisions."""

ROWS = {
    "test_tarabish": [
        "test_a_hand_scores_as_written_down", "test_a_coat_is_what_is_written_down", "test_one_point_below_the_bid_at_it_and_above_it",
        "test_a_hand_has_the_melds_written_down", "test_the_side_with_the_best_meld_counts_its_own", "test_what_is_not_announced_does_not_count",
        "test_a_seat_must_play_what_is_written_down", "test_trumps_and_plain_cards_rank_as_the_tables_say", "test_tricks_are_won_as_written_down",
        "test_a_game_ends_as_written_down", "test_a_hand_from_the_first_bid_to_the_score", "test_trumps_are_taken_in_cape_breton",
        "test_bella_is_asked_before_a_trick_is_closed_and_silence_scores_nothing", "test_a_bid_may_name_its_suit",
        "test_bella_on_the_fourth_card_comes_before_the_trick_is_taken", "test_automatic_announcements_need_no_decision",
        "test_an_upcard_is_public_and_its_suit_alone_may_become_trumps", "test_a_second_auction_allows_no_trump",
        "test_a_revealed_packet_is_that_of_the_dealers_right_neighbour", "test_tarneebs_ranks_are_not_touched",
        "test_melds_are_made_public_best_first", "test_the_suit_of_an_upcard_of_any_rank_is_told", "test_the_table_says_what_all_have_heard_and_seen",
    ],
    "test_turub": [
        "test_a_trick_is_won_as_written_down", "test_a_match_goes_on_as_written_down", "test_one_copy_of_a_card_is_played_at_a_time",
        "test_a_table_shows_no_signal_that_was_not_given",
        "test_a_leader_signals_before_the_next_seat_plays", "test_true_signals_look_at_the_hand_after_the_lead",
    ],
    "test_rules_family": [
        "test_worked_examples_in_tricks", "test_what_the_hand_cap_makes_of_scores",
        "test_worked_examples_in_card_points", "test_every_bid_with_every_number_of_tricks", "test_a_hand_from_given_scores",
        "test_k14_the_fiftieth_counted_hand", "test_auctions_that_close", "test_legal_calls", "test_k11_a_passed_deal_is_not_counted",
        "test_i21_card_points_win_the_match", "test_without_trumps_the_suit_led_wins",
    ],
    "test_batch": ["test_a_users_limit_truncates_and_the_next_episode_starts_from_nothing"],
    "test_rules_koutchina": [
        "test_all_98_bids_and_results_score_as_in_the_table", "test_k14_a_level_score_can_go_to_defenders_who_won_the_last_hand",
        "test_k15_the_eighth_passed_out_deal_in_a_row_closes_the_table", "test_k14_after_fifty_counted_hands_the_better_score_wins",
    ],
}  # fmt: skip
"""Tests that are worth their time here."""


class Check(NamedTuple):
    """Something that raises where the engine is wrong."""

    name: str
    run: Callable[[], None]
    seconds: float
    """What it takes when nothing is wrong, watched."""
    lines: frozenset[tuple[str, int]]
    """The lines of the package that it runs, as module and number: it can only notice what is wrong there."""


class Decision(NamedTuple):
    """One decision as the referee sees it: who may do what, what is done, and what everybody is shown and paid."""

    turn: int
    legal: frozenset[str]
    action: int
    paid: int
    over: dict[str, Any] | None
    """How the match stands if that ended it."""
    view: dict[str, Any] | None
    shown: list[tuple[int, bytes]]
    """What is compared at some of the decisions only: where a phase or a hand begins, and now and then."""


WATCHED = {str(path): module for module, path in FILES.items()}


def checks() -> list[Check]:
    """All checks, each seen to pass."""
    return [_timed(name, run) for name, run in itertools.chain(_rows(), _matches())]


def _timed(name: str, run: Callable[[], None]) -> Check:
    lines: set[tuple[str, int]] = set()

    def in_line(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            lines.add((WATCHED[frame.f_code.co_filename], frame.f_lineno))
        return in_line

    start = time.process_time()
    sys.settrace(lambda frame, _event, _: in_line if frame.f_code.co_filename in WATCHED else None)
    try:
        run()
    finally:
        sys.settrace(None)
    return Check(name, run, time.process_time() - start, frozenset(lines))


def _rows() -> Iterator[tuple[str, Callable[[], None]]]:
    """The tests of ROWS, each with all of its parameters."""
    for module, names in ROWS.items():
        for name in names:
            yield f"{module}.{name}", partial(_all_cases, getattr(importlib.import_module(module), name))


def _all_cases(test: Callable[..., None]) -> None:
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    columns = [[name.strip() for name in names.split(",")] if isinstance(names, str) else list(names) for names, _ in (mark.args for mark in marks)]
    for rows in itertools.product(*(mark.args[1] for mark in marks)):
        arguments = {}
        for names, row in zip(columns, rows, strict=True):
            arguments |= dict(zip(names, row if len(names) > 1 else [row], strict=True))
        test(**arguments)


def _matches() -> Iterator[tuple[str, Callable[[], None]]]:
    for seed, (variant, options, passing, limit) in enumerate(MATCHES):
        rules = laffa.load(variant, **options)
        yield f"match {seed}: {variant} {options}", partial(_replay, rules, seed, _played(rules, variant, options, seed, passing, limit))


def _started(rules: Any, seed: int) -> Any:
    """The first match of game 0 of a seed, as a state [1]."""
    states = records(1, STATE)
    states[0].key = game_key(seed, 0)
    engine.start_match(rules.packed[0], states[0])
    return states


class Played(NamedTuple):
    """Some matches one after another, of which the last may be broken off, and how the next one begins."""

    decisions: list[Decision]
    left: dict[str, Any]
    begun: dict[str, Any]
    shown: list[tuple[int, bytes]]


def _played(rules: Any, variant: str, options: dict[str, Any], seed: int, passing: int, limit: int) -> Played:
    """Random matches as the referee sees them; the engine only deals."""
    kind, stated = REFEREES[variant]
    states, texts, rng = _started(rules, seed), texts_of(rules), random.Random(seed)
    state, ids = states[0], {text: action for action, text in enumerate(texts)}
    deals = (complete_hands(snapshot(rules, state)) for _ in itertools.count())

    def begin() -> Any:
        return kind(variant, rules.version, {**stated, **options}, deals, int(state.public.dealer))

    def looks(view: dict[str, Any], seats: Iterable[int]) -> list[tuple[int, bytes]]:
        place = SimpleNamespace(snapshot=partial(dict, view), rules=rules, _states=states)
        return [(me, _expected(view, me, rules, place)) for me in seats]

    decisions, referee, phase = [], begin(), ""
    for n in range(limit):
        view, turn, legal = referee.snapshot(), referee.turn, list(referee.legal())
        fresh, phase = view["phase"] != phase or not view["history"], view["phase"]
        shown = looks(view, (turn, n % 4) if fresh or n % 5 == 0 else ())
        action = PASS if texts[PASS] in legal and rng.random() < passing / 8 else ids[legal[int(rng.random() * len(legal))]]
        engine.step(rules.packed[0], state, np.int64(action), 0, 0)
        paid, over = referee.step(texts[action]), None
        if referee.over:
            over = referee.snapshot()
            engine.start_match(rules.packed[0], state)
            referee = begin()
        decisions.append(Decision(turn, frozenset(legal), action, paid[0], over, view if fresh or n % 3 == 0 else None, shown))
    left = referee.snapshot()
    engine.start_match(rules.packed[0], state)
    begun = begin().snapshot()
    return Played(decisions, left, begun, looks(begun, range(4)))


def _expected(view: dict[str, Any], me: int, rules: Any, place: Any) -> bytes:
    """An observation as the layout has it, from what the referee knows."""
    told = facts(view, me, rules, *(secrets(place) if rules.game == "tarabish" else ()))
    return np.concatenate([told[piece.name] for piece in layout.OBSERVATION]).astype(np.int8).tobytes()


def _replay(rules: Any, seed: int, played: Played) -> None:
    """Play the matches again and compare all that can be seen; states and views at some of the decisions."""
    states, texts, r = _started(rules, seed), texts_of(rules), rules.packed[0]
    state, p = states[0], states[0].public
    for one in played.decisions:
        assert int(p.turn) == one.turn
        assert _texts(engine.legal(r, p, state.held[p.turn]), texts) == one.legal
        assert one.view is None or snapshot(rules, state) == one.view
        assert [(me, _observed(r, state, me)) for me, _ in one.shown] == one.shown
        event = engine.step(r, state, np.int64(one.action), 0, 0)
        assert (int(p.last.scores[0] - p.last.scores[1]) if event & engine.HAND_COUNTED else 0) == one.paid
        assert (event & engine.EPISODE_OVER != 0) == (one.over is not None)
        if one.over is not None:
            assert snapshot(rules, state) == one.over
            engine.start_match(r, state)
    assert snapshot(rules, state) == played.left
    engine.start_match(r, state)
    assert snapshot(rules, state) == played.begun
    assert [(me, _observed(r, state, me)) for me, _ in played.shown] == played.shown


def _texts(words: Any, texts: list[str]) -> frozenset[str]:
    """A set of actions as texts."""
    bits = sum(int(word) << 64 * k for k, word in enumerate(words))
    found = set()
    while bits:
        lowest = bits & -bits
        found.add(texts[lowest.bit_length() - 1])
        bits ^= lowest
    return frozenset(found)


def _observed(r: Any, state: Any, me: int) -> bytes:
    out = np.empty(layout.SIZE, np.int8)
    observe.write(r, state.public, state.hands[me], state.declared[me], np.int64(me), out)
    return out.tobytes()
