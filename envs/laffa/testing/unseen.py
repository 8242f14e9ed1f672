"""What a seat cannot know, exchanged: whatever the seat is shown must stay the same, byte for byte."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.random import Generator

from laffa.aec import CardGame
from laffa.batch import IllegalAction
from laffa.cards import CARDS
from laffa.state import DECLARED, OVER, SILENT_SAID, STOCK, UNASKED
from laffa.testing.routes import ROUTES, STEPS
from laffa.testing.walk import choose, clone, is_over, mask_of


def reshuffle_unseen(state: np.void, seat: int, rng: Generator, *, secret: bool = False, kept: Iterable[tuple[int, int]] = ()) -> None:
    """Exchange what `seat` cannot know: the other hands, their sizes kept, the cards that are not dealt yet, and those of every later deal.

    The worlds that come out may contradict what was shown before, such as a void: nothing may depend on that either.

    Args:
        state: one STATE record, changed in place.
        seat: the seat that is to see no difference.
        rng: where the new places come from.
        secret: whether what others have said of their melds is not public, and changes too.
        kept: (seat, card) of others that stay where they are, because they are about to be played.
    """
    others = [other for other in range(4) if other != seat]
    undealt = state["stock"][STOCK - int(state["left"]) :]
    fixed = np.zeros((4, CARDS), int)
    for other, card in kept:
        fixed[other, card] += 1
    free = state["hands"] - fixed
    cards = [np.repeat(np.arange(CARDS), free[other]) for other in others]
    unseen = rng.permutation(np.concatenate([*cards, undealt]).astype(int))
    *dealt, rest = np.split(unseen, np.cumsum([len(hand) for hand in cards]))
    undealt[:] = rest
    for other, hand in zip(others, dealt, strict=True):
        state["hands"][other] = fixed[other] + np.bincount(hand, minlength=CARDS)
        state["held"][other] = sum(1 << int(card) for card in np.flatnonzero(state["hands"][other]))
        if secret and state["declared"][other] != UNASKED:
            state["declared"][other] = rng.choice([DECLARED, SILENT_SAID])
    state["key"] ^= np.uint64(rng.integers(1, 2**62))


def differing_views(show: Callable[[CardGame, int], bytes], env: CardGame, seat: int, rng: Generator, times: int = 3) -> int:
    """How often what `show(env, seat)` gives as bytes differs after a reshuffle of the unseen cards; `env` is left as it was."""
    before, original = env._states.copy(), show(env, seat)
    differing = 0
    for _ in range(times):
        reshuffle_unseen(env._states[0], seat, rng, secret=env.rules.deferred)
        differing += show(env, seat) != original
        env._states[:] = before
    assert show(env, seat) == original
    return differing


def next_actions(env: CardGame, seat: int, rng: Generator) -> list[int]:
    """Random actions from here to the next turn of `seat`, cut before cards come out by themselves: a deal, the rest of the pack, melds."""
    twin, actions = clone(env), []
    while not is_over(twin):
        before, action = twin._states[0].copy(), choose(mask_of(twin), rng)
        twin.step(action)
        if _cards_come_out(before, twin._states[0], seat):
            break
        actions.append(action)
        if twin._states["public"]["turn"][0] == seat:
            break
    return actions


def _cards_come_out(before: np.void, after: np.void, seat: int) -> bool:
    """Whether a step has told `seat` of cards that were not played by anybody; where melds announce themselves, silence tells too."""
    old, new = before["public"], after["public"]
    said = [other for other in range(4) if other != seat and old["said"][other] != new["said"][other]]
    by_itself = any(other != old["turn"] or new["said"][other] == DECLARED for other in said)
    return new["phase"] == OVER or old["deals"] != new["deals"] or before["left"] != after["left"] or by_itself


def differing_steps(
    show: Callable[[CardGame, int, list[int]], bytes], env: CardGame, seat: int, rng: Generator, actions: list[int], times: int = 3
) -> tuple[int, int]:
    """Play the same actions after a reshuffle of the unseen cards; the others hold what they will play.

    Args:
        show: gives what the seat is shown meanwhile as bytes; see `STEPS`.
        env: the position, left as it was.
        actions: what is played from there; see `next_actions`.

    Returns:
        (how often what is shown differs, how often it could be compared). Where a seat would have had to follow suit it cannot.
    """
    kept = _cards_of_others(env, seat, actions)
    original = show(clone(env), seat, actions)
    differing = compared = 0
    for _ in range(times):
        twin = clone(env)
        reshuffle_unseen(twin._states[0], seat, rng, secret=env.rules.deferred, kept=kept)
        try:
            differing += show(twin, seat, actions) != original
            compared += 1
        except IllegalAction:
            continue
    return differing, compared


def _cards_of_others(env: CardGame, seat: int, actions: list[int]) -> list[tuple[int, int]]:
    """The cards among some actions that are not the seat's own, with who plays them."""
    twin, cards = clone(env), []
    for action in actions:
        turn = int(twin._states["public"]["turn"][0])
        if turn != seat and action < CARDS:
            cards.append((turn, action))
        twin.step(action)
    return cards


def leaks(env: CardGame, seat: int, rng: Generator, times: int = 2) -> list[str]:
    """The routes, by their names in `ROUTES` and `STEPS`, by which `seat` is shown what it cannot know; none in a sound game.

    Args:
        env: a game at any moment, made with `events=True` and `illegal="raise"`; it is left as it was.
        seat: the observer, 0-3.
        rng: where the exchanged cards come from.
        times: how many exchanges each route is held against.
    """
    found = [name for name, show in ROUTES.items() if differing_views(show, env, seat, rng, times)]
    actions = next_actions(env, seat, rng)
    if not actions:
        return found
    return found + [name for name, show in STEPS.items() if differing_steps(show, env, seat, rng, actions, times)[0]]
