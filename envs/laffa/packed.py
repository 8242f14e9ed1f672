"""Rules as kernels see them: one record of numbers, the same type for every game, so that switching games compiles nothing."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from laffa.cards import BID, BID_NT, BID_SUIT
from laffa.fields import DEFAULTS, GAMES, OPTIONS, Fields
from laffa.jit import DISABLE_JIT
from laffa.options import Choice, Flag, OneOf

NATURAL = "23456789TJQKA"
PLAIN, TRUMPS = "23456789JQKTA", "2345678QKTA9J"
"""Ranks from weak to strong in the suits of games that count points by rank (T4, T5)."""
WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_WORTH = {**WORTH, "J": 20, "9": 14}


def _view_names(names: list[str]) -> tuple[list[str], list[str]]:
    """The flags and the numbers by which an observation describes some options."""
    flags, numbers = [], []
    for name in names:
        kind = OPTIONS[name]
        if isinstance(kind, Flag):
            flags.append(name)
        elif isinstance(kind, Choice):
            flags += [f"{name} {word}" for word in kind.words]
        else:
            high = max(kind.values) if isinstance(kind, OneOf) else kind.high
            numbers += [name] + ([f"{name} / 8"] if high > 127 else [])
    return flags, numbers


SHOWN = [name for name in OPTIONS if name in DEFAULTS[GAMES[0]]], [name for name in OPTIONS if name not in DEFAULTS[GAMES[0]]]
"""The options by the part of an observation that shows them: those of the first family, and those that only others have."""
(VIEW_FLAGS, VIEW_NUMBERS), (MORE_FLAGS, MORE_NUMBERS) = map(_view_names, SHOWN)
MORE_FLAGS[:0] = [f"game {game}" for game in GAMES[1:]]
VIEW_SIZE = len(VIEW_FLAGS) + len(VIEW_NUMBERS) + len(MORE_FLAGS) + len(MORE_NUMBERS)
PACKED = np.dtype(
    [
        ("plain_bids", np.uint64, (2,)),  # the ladder as a set of actions: the words of actions 0-63 and 64-127
        ("nt_bids_set", np.uint64),  # the same at no trump, all of them in the second word; empty without
        ("suit_bids", np.uint64, (2,)),  # the same with a suit: the words of actions 64-127 and 128-191
        ("above", np.uint64, (13,)),  # ranks that beat a rank of trumps, as bits
        *((name, np.int32) for name in OPTIONS),  # flags 0/1, words by position, None as -1; what the game does not have is off
        ("game", np.int32),  # position in GAMES
        ("pack", np.int32),  # cards of the pack
        ("low", np.int32),  # lowest rank in it
        ("hand_size", np.int32),  # cards of a hand
        ("pointed", np.int32),  # whether cards have points
        ("whole", np.int32),
        ("at_zero", np.int32),  # the number at level 0 of the ladder
        ("rung", np.int32),  # what a level adds to it
        ("first", np.int32),  # lowest level that may be bid
        ("last", np.int32),  # highest level
        ("nt_first", np.int32),  # lowest level that may be played at no trump
        ("strength", np.int8, (2, 13)),  # order of ranks in plain suits, in trumps
        ("worth", np.int8, (3, 13)),  # points of ranks in plain suits, in trumps, at no trump
        ("place", np.int8, (13,)),  # order of ranks in runs
        ("shown", np.int8, (VIEW_SIZE,)),  # what an observation says of the rules
    ],
    align=True,
)


def _number(rules: Fields, name: str) -> int:
    """One option's value as kernels see it."""
    kind = OPTIONS[name]
    if name not in DEFAULTS[rules.game]:
        return -1 if getattr(kind, "optional", False) else 0
    return kind.number(getattr(rules, name))


def _view(rules: Fields, names: list[str], numbers_of: list[str]) -> tuple[list[int], list[int]]:
    """What an observation says of some options, as flags and as numbers; -1 is off, what the game does not have is 0."""
    flags, numbers = [], []
    for name in names:
        kind, here = OPTIONS[name], name in DEFAULTS[rules.game]
        value = _number(rules, name) if here else 0
        if isinstance(kind, Flag):
            flags.append(value)
        elif isinstance(kind, Choice):
            flags += [int(here and value == n) for n in range(len(kind.words))]
        else:
            numbers += [min(127, value)] + ([min(127, value >> 3)] if f"{name} / 8" in numbers_of else [])
    return flags, numbers


def _order(ranks: str) -> list[int]:
    """Each rank's place in an order of ranks from weak to strong."""
    return [ranks.index(rank) for rank in NATURAL]


@lru_cache(maxsize=1024)
def pack(rules: Fields) -> NDArray[np.void]:
    """The record [1], read-only: another type, and another compilation, than an array that may be written."""
    packed = np.zeros(1, PACKED)
    for name in OPTIONS:
        packed[name] = _number(rules, name)
    packed["game"] = GAMES.index(rules.game)
    (flags, numbers), (more_flags, more_numbers) = _view(rules, SHOWN[0], VIEW_NUMBERS), _view(rules, SHOWN[1], MORE_NUMBERS)
    packed["shown"] = [*flags, *numbers, *(int(game == rules.game) for game in GAMES[1:]), *more_flags, *more_numbers]
    tarabish = rules.game == "tarabish"
    packed["pack"], packed["low"], packed["hand_size"] = (36, NATURAL.index("6"), 9) if tarabish else (52, 0, 13)
    _pack_ranks(rules, packed)
    _pack_ladder(rules, packed)
    packed.flags.writeable = False
    return packed.view(np.recarray) if DISABLE_JIT else packed


def _pack_ranks(rules: Fields, packed: NDArray[np.void]) -> None:
    """Orders and points of ranks."""
    tarabish = rules.game == "tarabish"
    plain, trumps = (PLAIN, TRUMPS) if tarabish else (NATURAL, NATURAL)
    packed["strength"] = [_order(plain), _order(trumps)]
    packed["above"] = [sum(1 << NATURAL.index(rank) for rank in trumps[trumps.index(one) + 1 :]) for one in NATURAL]
    packed["place"] = _order(PLAIN if rules.run_order == "plain" else NATURAL)
    packed["pointed"], packed["whole"] = not rules.in_tricks, rules.whole
    if not rules.in_tricks:
        ace = 19 if tarabish and rules.nt_scoring == "ace19" else WORTH["A"]
        tables = WORTH, TRUMP_WORTH if tarabish else WORTH, {**WORTH, "A": ace}
        packed["worth"] = [[table.get(rank, 0) for rank in NATURAL] for table in tables]


def _pack_ladder(rules: Fields, packed: NDArray[np.void]) -> None:
    """The bids as sets of actions; `at_zero`, `rung`, `first` and `last` lead from levels to numbers."""
    packed["at_zero"], packed["rung"] = rules.value(0), rules.value(1) - rules.value(0)
    if not rules.ladder:
        return
    packed["first"], packed["last"] = rules.level(rules.bid_min), rules.level(rules.bid_max)
    tarabish = rules.game == "tarabish"
    packed["nt_first"] = max(rules.first_level, rules.level(rules.nt_min_bid + rules.bid_step - 1)) if tarabish else 0
    for level in map(rules.level, rules.ladder):
        if rules.bid_form == "number":
            packed["plain_bids"][0, (BID + level) // 64] |= np.uint64(1 << (BID + level) % 64)
            packed["nt_bids_set"] |= np.uint64((not tarabish and rules.nt_bids) << (BID_NT + level) % 64)
            continue
        for action in range(BID_SUIT + 4 * level, BID_SUIT + 4 * level + 4):
            packed["suit_bids"][0, action // 64 - 1] |= np.uint64(1 << action % 64)
        packed["nt_bids_set"] |= np.uint64((level >= packed["nt_first"][0]) << (BID_NT + level) % 64)
