"""Twins must agree: the engine and the referee, one game and many, any number of threads."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laffa
from any_rules import any_rules, any_tarabish, any_turub
from laffa import engine
from laffa.cards import ACTIONS, PASS
from laffa.fields import DEFAULTS
from laffa.jit import wrapping
from laffa.rng import GAMMA, below, game_key, mix
from laffa.snapshot import snapshot
from laffa.state import BIDDING, STATE
from laffa.testing import complete_hands
from referees import REFEREES, make_referee

MATCHES = int(os.environ.get("LAFFA_MATCHES", "16"))
"""Random matches of each variant compared in full; a long run sets more, and `--timeout 0`."""
COMBINATIONS = int(os.environ.get("LAFFA_COMBINATIONS", "60"))
"""Matches with random options."""


def random_actions(turn, rng):
    """One legal action a game, from the masks."""
    return np.array([rng.choice(np.flatnonzero(row)) for row in turn.mask])


ROOM = 9_100
"""Actions of one match: fifty hands of at most 181, or few hands of longer auctions."""


@wrapping
def play_random_match(r, states, seed, passing, words, actions, paid, before):
    """Play one random match, writing down each decision; `passing` of 8 calls are passes.

    Args:
        r, states: packed rules and a state [1].
        seed: of the deals and of the choices.
        passing: how often, in eighths, a call is a pass without further choice.
        words: uint64 [ROOM, 3], the legal actions at each decision.
        actions: int16 [ROOM], what was played.
        paid: int16 [ROOM], what side 0 was paid for it.
        before: STATE [ROOM], the state at each decision; the one after the last stands at the end.

    Returns:
        The number of decisions.
    """
    s = states[0]
    s.key = game_key(seed, 0)
    s.public.deals = 0
    engine.start_match(r[0], s)
    event, n = 0, 0
    while event & engine.EPISODE_OVER == 0:
        before[n] = s
        legal = engine.legal(r[0], s.public, s.held[s.public.turn])
        for k in range(3):
            words[n, k] = legal[k]
        x = mix(s.key + np.uint64(n) * GAMMA)
        action = engine.nth(legal, below(x, engine.count(legal)))
        if s.public.phase == BIDDING and np.int64(x >> np.uint64(61)) < passing:
            action = PASS if engine.contains(legal, PASS) else action
        event = engine.step(r[0], s, action, 0, 0)
        actions[n] = action
        paid[n] = s.public.last.scores[0] - s.public.last.scores[1] if event & engine.HAND_COUNTED else 0
        n += 1
    before[n] = s
    return n


class Record:
    """One random match of the engine, decision by decision."""

    def __init__(self, rules, seed, passing=0):
        self.rules = rules
        self.words = np.zeros((ROOM, 3), np.uint64)
        self.actions, self.paid = np.zeros(ROOM, np.int16), np.zeros(ROOM, np.int16)
        self.states = np.zeros(ROOM, STATE)
        self.length = play_random_match(rules.packed, np.zeros(1, STATE), seed, passing, self.words, self.actions, self.paid, self.states)

    def deals(self):
        """The complete hands of every deal, in order."""
        fresh = np.flatnonzero(self.states["public"]["actions"][: self.length] == 0)
        return [complete_hands(snapshot(self.rules, self.states[n])) for n in fresh]

    def legal(self, n):
        """The legal actions at decision `n`, as one integer with a bit for each."""
        low, middle, high = (int(word) for word in self.words[n])
        return low | middle << 64 | high << 128


def compare(variant, seed, thorough=True, passing=0, **options):
    """Replay a random match of the engine in the referee and compare all that can be seen; the number of decisions."""
    rules = laffa.load(variant, **options)
    record = Record(rules, seed, passing)
    first = snapshot(rules, record.states[0])
    referee = make_referee(rules, [*record.deals(), complete_hands(first)], first["dealer"])
    texts = [laffa.action_text(rules, action) for action in range(ACTIONS)]
    bits = {text: 1 << action for action, text in enumerate(texts)}
    turns, phases = record.states["public"]["turn"].tolist(), record.states["public"]["phase"]
    for n in range(record.length):
        assert referee.turn == turns[n]
        assert sum(bits[text] for text in referee.legal()) == record.legal(n)
        if thorough or record.paid[n] or phases[n] != phases[n - 1]:
            assert snapshot(rules, record.states[n]) == referee.snapshot()
        us = int(record.paid[n])
        assert referee.step(texts[record.actions[n]]) == [us, -us, us, -us]
    assert referee.over
    assert snapshot(rules, record.states[record.length]) == referee.snapshot()
    return record.length


def test_every_variant_has_a_referee():
    assert set(REFEREES) == set(laffa.variants())


@pytest.mark.trial("D17", "D35")
@pytest.mark.parametrize("variant", laffa.variants())
def test_the_engine_and_the_referee_agree_move_by_move(variant):
    decisions = [compare(variant, seed, thorough=seed % 40 == 0, passing=seed % 8) for seed in range(MATCHES)]
    assert sum(decisions) > 150 * MATCHES  # whole matches were compared, not first hands; those of much passing are short


@pytest.mark.parametrize(
    "options",
    [
        {"close_at_max": False},
        {"bid_min": 5, "bid_max": 9},
        {"target": 7},
        {"target": 1000, "hand_cap": 3},
        {"target": 1000, "hand_cap": 2, "cap_tie": "last_hand_winner"},
        {"all_pass_cap": 1},
        {"all_pass_cap": None, "hand_cap": 20},
    ],
)
def test_they_agree_under_options(options):
    assert all(compare("tarneeb-koutchina", seed, passing=seed, **options) for seed in range(4))


@pytest.mark.trial("D17")
@settings(max_examples=COMBINATIONS, deadline=None, derandomize=True, database=None)
@given(any_rules(), st.integers(0, 2**40), st.integers(0, 7))
def test_they_agree_under_any_rules(options, seed, passing):
    assert set(options) == set(DEFAULTS["tarneeb"])
    assert compare("tarneeb-notrump", seed, passing=passing, **options)


@pytest.mark.trial("D17")
@settings(max_examples=COMBINATIONS, deadline=None, derandomize=True, database=None)
@given(any_tarabish(), st.integers(0, 2**40), st.integers(0, 7))
def test_they_agree_under_any_rules_of_tarabish(options, seed, passing):
    assert set(options) == set(DEFAULTS["tarabish"])
    assert compare("tarabish", seed, passing=passing, **options)


@pytest.mark.trial("D17")
@settings(max_examples=COMBINATIONS, deadline=None, derandomize=True, database=None)
@given(any_turub(), st.integers(0, 2**40))
def test_they_agree_under_any_rules_of_turub(options, seed):
    assert set(options) == set(DEFAULTS["turub"])
    assert compare("arbaa-turub", seed, **options)


def test_they_agree_when_everybody_passes():
    assert compare("tarneeb-koutchina", 5, passing=8) == 32


def trace(batch, steps, seed):
    """States, views and pay of some random steps, as bytes by game."""
    turn, rows = batch.reset(), []
    generators = [np.random.default_rng([seed, game]) for game in range(batch.games)]
    for _ in range(steps):
        picks = np.array([rng.choice(np.flatnonzero(row)) for rng, row in zip(generators, turn.mask, strict=True)])
        turn = batch.step(picks)
        fields = (batch.states, turn.seat, turn.obs, turn.mask, turn.reward, turn.done, turn.hand_done, turn.state, turn.events)
        rows.append([b"".join(field[game].tobytes() for field in fields) for game in range(batch.games)])
    return rows


@pytest.mark.trial("D09", "D10")
@pytest.mark.parametrize("variant", laffa.variants())
def test_a_game_does_not_depend_on_its_batch_or_on_threads(variant):
    options = {"state": True, "events": True}
    many = trace(laffa.Batch(variant, 64, 11, **options), 300, 3)
    assert many == trace(laffa.Batch(variant, 64, 11, threads=3, **options), 300, 3)
    one = trace(laffa.Batch(variant, 1, 11, **options), 300, 3)
    assert [row[:1] for row in many] == one


def test_states_are_aligned_records_of_known_size():
    assert STATE.isalignedstruct
    assert STATE.itemsize <= 1400
