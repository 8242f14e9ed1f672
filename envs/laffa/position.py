"""Positions set up by hand: `reset(options={"dealer": 2, "hands": [...], "scores": [24, 30]})`.

The words are those of `snapshot()`. What is not given follows the seed. A position that cannot be is
refused with a sentence that says why, before anything has changed.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laffa import deal, engine
from laffa.cards import RANKS, card_id, card_text
from laffa.checks import check_count
from laffa.jit import kernel
from laffa.rng import game_key
from laffa.rules import Rules
from laffa.state import NOBODY, PACK, STATE

KEYS = ("dealer", "hands", "scores", "games", "streak", "hands_played", "passed_deals")


def read_position(rules: Rules, options: dict[str, Any] | None) -> dict[str, Any]:
    """Check a position's options against the rules; hands come back as card ids.

    Raises:
        ValueError: saying what cannot be.
    """
    # PettingZoo's own checkers pass this pair only to see that the argument exists.
    if options is not None and not isinstance(options, dict):
        raise ValueError(f"a position is a dictionary that may give {', '.join(KEYS)}, not {options!r}")
    options = {key: value for key, value in (options or {}).items() if (key, value) != ("options", 1)}
    for key in options:
        if key not in KEYS:
            raise ValueError(f"a position has no {key!r}; it may give {', '.join(KEYS)}")
    position = dict(options)
    if "dealer" in options:
        position["dealer"] = check_count("position: dealer", options["dealer"], 0, 3)
    if "hands" in options:
        position["hands"] = _hands(rules, options["hands"])
    if "scores" in options:
        position["scores"] = _scores(rules, options["scores"])
    if "games" in options:
        position["games"] = _pair("games", options["games"], 0, rules.best_of // 2)
    for key, cap in _caps(rules).items():
        if key in options:
            position[key] = check_count(f"position: {key}", options[key], 0, 10**6 if cap is None else cap - 1)
    return _with_streak(rules, position)


def _caps(rules: Rules) -> dict[str, int | None]:
    """The caps of what is counted in a match; without an auction no deal is passed out."""
    if rules.game == "turub":
        return {"hands_played": rules.game_cap, "passed_deals": 1}
    return {"hands_played": rules.hand_cap, "passed_deals": rules.all_pass_cap}


def _with_streak(rules: Rules, position: dict[str, Any]) -> dict[str, Any]:
    """Check the games of Arba'a Turub that a position says were played: all their tricks, and a streak that they can leave (Q22, Q29)."""
    streak = position.pop("streak", None)
    if rules.game != "turub":
        if streak is not None:
            raise ValueError(f"position: {rules.variant} has no streak")
        return position
    games, scores = position.get("hands_played", 0), position.get("scores", [0, 0])
    if sum(scores) != games * rules.whole:
        raise ValueError(f"position: scores {scores[0]} to {scores[1]} are not the {rules.whole} tricks of each of {games} games")
    if streak is None:
        if games and (rules.whole % 2 or scores[0] != scores[1]):
            raise ValueError(f"position: {games} games with {scores[0]} to {scores[1]} tricks cannot all be level, so a streak has to be given")
        return position
    if not isinstance(streak, dict) or set(streak) != {"team", "mark"}:
        raise ValueError(f"position: a streak is a dictionary of team and mark, not {streak!r}")
    team = check_count("position: streak team", streak["team"], 0, 1)
    mark = check_count("position: streak mark", streak["mark"], rules.whole // 2 + 1, rules.whole - rules.slam_wins_match)
    fewest, most = _tricks_with_win(rules, games, mark)
    if not games or not fewest <= scores[team] <= most:
        raise ValueError(f"position: {games} games in which a side took {scores[team]} tricks cannot leave it with a first win of {mark}")
    return position | {"holder": team, "mark": mark}


def _tricks_with_win(rules: Rules, games: int, mark: int) -> tuple[int, int]:
    """The fewest and the most tricks of a side in games that leave it with a win of `mark` and the match open; all between can be.

    Fewest: the others won all games before that win, as high as an open match allows. Most: all games were such wins, or larger ones
    that the others then ended by a win of theirs, which left less than half of its tricks (A15-A18).
    """
    top = rules.whole - rules.slam_wins_match
    fewest = (games - 1) * (rules.whole - top) + mark
    return fewest, max(games * mark, (games - 2) * top + (rules.whole - 1) // 2 + mark)


def _hands(rules: Rules, hands: Any) -> list[list[int]]:
    """Four complete hands of the cards of the pack, each as often as there are packs."""
    if not isinstance(hands, (list, tuple)) or len(hands) != 4 or not all(isinstance(hand, (list, tuple)) for hand in hands):
        raise ValueError("position: hands are four lists of cards, one for each seat")
    ids = [[card_id(text) for text in hand] for hand in hands]
    packed = rules.packed[0]
    copies = rules.packs if rules.game == "turub" else 1
    many = [card_text(card) for card, n in Counter(card for hand in ids for card in hand).items() if n > copies]
    if many:
        raise ValueError(f"position: {', '.join(sorted(many))} is there more than {'once' if copies == 1 else f'{copies} times'}")
    for seat, hand in enumerate(ids):
        for card in hand:
            if card % 13 < packed["low"]:
                raise ValueError(f"position: {card_text(card)} is not in the pack, whose lowest cards are {RANKS[packed['low']]}s")
        if len(hand) != packed["hand_size"]:
            raise ValueError(f"position: seat {seat} has {len(hand)} cards; a complete hand has {packed['hand_size']}")
    return ids


def _scores(rules: Rules, scores: Any) -> list[int]:
    """Two scores, both below the target unless they are level."""
    low = -(10**6) if rules.game == "tarneeb" else 0  # T-mm: scores never fall
    pair = _pair("scores", scores, low, 10**6)
    if rules.game == "turub":
        return pair
    if max(pair) >= rules.target and pair[0] != pair[1]:
        raise ValueError(f"position: scores {pair[0]} to {pair[1]} cannot be; a side with {rules.target} has won")
    return pair


def _pair(name: str, values: Any, low: int, high: int) -> list[int]:
    """One whole number for each side."""
    if not isinstance(values, (list, tuple)) or len(values) != 2:
        raise ValueError(f"position: {name} are two whole numbers, seats 0 and 2 first")
    return [check_count(f"position: {name}", value, low, high) for value in values]


def set_up(rules: Rules, states: NDArray[np.void], seed: int | None, position: dict[str, Any]) -> None:
    """Begin game 0 of a seed in `states` [1], or the next match of the game there, and put the position in place of what the seed gave."""
    if seed is not None:
        states[:] = np.zeros((), STATE)
        _seed(states, seed)
    pack = np.zeros(PACK, np.uint8)
    for seat, hand in enumerate(position.get("hands", [])):
        pack[seat : 4 * len(hand) : 4] = hand
    _begin(rules.packed, states, pack, "hands" in position, position.get("dealer", NOBODY))
    for key in ("scores", "games", "holder", "mark", "hands_played", "passed_deals"):
        if key in position:
            states["public"][key] = position[key]


@kernel
def _seed(states, seed):
    states[0].key = game_key(seed, 0)


@kernel
def _begin(r, states, pack, given, dealer):
    """Card n of the pack is for seat n & 3, in the order in which it gets them."""
    s = states[0]
    if dealer < 0:
        engine.start_match(r[0], s)
    else:
        engine.start_at(r[0], s, dealer)
    if given:
        deal.clear_cards(s)
        deal.lay_out(r[0], s, pack)
