"""What is seen: the layout of observations, their spaces, and that nobody sees what it cannot know."""

from collections.abc import Iterable
from typing import Any

from numpy.random import default_rng

from laffa import layout
from laffa.aec import AGENTS, CardGame
from laffa.cards import CARDS, DENOMINATIONS, card_text
from laffa.rules import Rules
from laffa.state import PHASES
from laffa.testing.moments import moments
from laffa.testing.report import Watch
from laffa.testing.unseen import leaks


def check_leaks(rules: Rules, watch: Watch, matches: int) -> None:
    """At moments of every phase nothing that a seat is shown changes with the cards that it cannot know."""
    rng = default_rng(watch.first_seed)
    for env in moments(rules, watch, 8 * matches):
        for seat, agent in enumerate(AGENTS):
            found = leaks(env, seat, rng, times=1)
            watch.require(not found, f"what {agent} is shown depends on cards that it cannot know, by: {', '.join(found)}")


def check_layout(rules: Rules, watch: Watch, matches: int) -> None:
    """The layout covers every number of a view exactly once, what is seen lies in its space, and pieces decode to the position."""
    _covers(watch, layout.OBSERVATION, layout.SIZE)
    _covers(watch, (*layout.OBSERVATION, *layout.HIDDEN), layout.STATE_SIZE)
    for env in moments(rules, watch, 20 * matches):
        view = env.snapshot()
        for seat, agent in enumerate(AGENTS):
            shown = env.observe(agent)
            _in_space(env, agent, shown, watch)
            for name, due in _facts(view, seat).items():
                told = _cut(shown["observation"], name)
                watch.require(told == due, f"piece {name!r} of the observation of {agent} is {told}, and the position says {due}")
        watch.require(env.state_space.contains(env.state()), "state() is outside its space")


def _covers(watch: Watch, pieces: Iterable[layout.Piece], size: int) -> None:
    owners: list[list[str]] = [[] for _ in range(size)]
    for piece in pieces:
        watch.require(piece.offset >= 0 and piece.offset + piece.size <= size, f"piece {piece.name!r} reaches beyond the {size} numbers of a view")
        for place in range(piece.offset, piece.offset + piece.size):
            owners[place].append(piece.name)
    for place, names in enumerate(owners):
        watch.require(len(names) == 1, f"number {place} of a view belongs to {' and '.join(names) or 'no piece'}")


def _in_space(env: CardGame, agent: str, shown: dict[str, Any], watch: Watch) -> None:
    space = env.observation_space(agent)
    watch.require(set(shown) == set(space), f"{agent} is shown {sorted(shown)}, and its space has {sorted(space)}")
    for name, array in shown.items():
        watch.require(space[name].contains(array), f"what {agent} is shown as {name} is outside its space")


def _cut(observation: Any, name: str) -> list[int]:
    piece = next(piece for piece in layout.OBSERVATION if piece.name == name)
    return observation[piece.offset : piece.offset + piece.size].tolist()


def _facts(view: dict[str, Any], seat: int) -> dict[str, list[int]]:
    """Pieces of a seat's observation written down from a snapshot."""
    seats = [(seat + k) % 4 for k in range(4)]
    own, other = seat % 2, 1 - seat % 2
    played = [(player, text) for player, text in view["history"] if len(text) == 2]
    return {
        "hand": [view["hands"][seat].count(card_text(card)) for card in range(CARDS)],
        "played": [played.count((player, card_text(card))) for player in seats for card in range(CARDS)],
        "leader": [int(player == view["trick"]["leader"]) for player in seats],
        "trump": [int(view["trump"] == suit) for suit in DENOMINATIONS],
        "phase": [int(view["phase"] == phase) for phase in PHASES[:6]],
        "dealer": [int(player == view["dealer"]) for player in seats],
        "tricks": [view["hand"]["tricks"][own], view["hand"]["tricks"][other]],
        "points": [min(view["hand"]["points"][own], 127), min(view["hand"]["points"][other], 127)],
    }
