"""Agreement with rules that somebody else has written: any object that plays a match by texts."""

from collections.abc import Callable
from typing import Any, Protocol

from laffa.aec import AGENTS, CardGame
from laffa.cards import ACTIONS
from laffa.rules import Rules
from laffa.testing.moments import whole_match
from laffa.testing.report import Watch
from laffa.testing.walk import is_over, mask_of
from laffa.text import action_text

HANDS = 6
"""Counted hands after which a match is cut; a referee is slow."""


class Referee(Protocol):
    """One match by other rules than the engine's, in the words of `snapshot()`."""

    @property
    def turn(self) -> int | None:
        """The seat to act."""
        ...

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        ...

    def legal(self) -> list[str]:
        """The texts of the legal actions."""
        ...

    def step(self, action: str, /) -> list[int]:
        """Play an action; what it pays to each seat."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """The full state."""
        ...


MakeReferee = Callable[[Rules, list[list[list[str]]], int], Referee]
"""From the rules, the four complete hands of every deal in order, and the first dealer."""


def complete_hands(view: dict[str, Any]) -> list[list[str]]:
    """Four hands at the beginning of a deal, each in the order in which it is dealt: what is left goes out in packets of three."""
    hands = [list(hand) for hand in view["hands"]]
    served = sum(map(len, hands)) // 3
    for packet in range(len(view["undealt"]) // 3):
        hands[(view["dealer"] + 1 + served + packet) % 4] += view["undealt"][3 * packet : 3 * packet + 3]
    return hands


def check_referee(rules: Rules, watch: Watch, matches: int, make: MakeReferee) -> None:
    """Seat, legal actions, pay and state are those of the referee, over whole matches."""
    texts = [action_text(rules, action) for action in range(ACTIONS)]
    env = CardGame(rules, max_hands=HANDS)
    for match in range(matches):
        seed = watch.first_seed + match
        deals, dealer = _deals(env, watch, seed)
        referee, phase = make(rules, deals, dealer), ""
        for action in whole_match(env, watch, seed):
            phase = _same_position(env, referee, texts, phase, watch)
            env.step(action)
            paid, due = [env.rewards[agent] for agent in AGENTS], list(referee.step(texts[action]))
            watch.require(paid == due, f"{texts[action]!r} pays {paid}, and {due} by the referee")
        if any(env.terminations.values()):
            watch.require(referee.over, "the match is over, and goes on by the referee")
            watch.require(env.snapshot() == referee.snapshot(), f"the match ends otherwise than by the referee{_first_difference(env, referee)}")


def _deals(env: CardGame, watch: Watch, seed: int) -> tuple[list[list[list[str]]], int]:
    """The hands of every deal of a match and its first dealer; the referee has to have them beforehand."""
    deals, dealer = [], None
    for action in whole_match(env, watch, seed):
        if env._states["public"]["actions"][0] == 0:
            view = env.snapshot()
            deals.append(complete_hands(view))
            dealer = view["dealer"] if dealer is None else dealer
        env.step(action)
    # The hand after the last one is dealt by a referee that does not know that the match is cut.
    return [*deals, deals[0]], int(dealer or 0)


def _same_position(env: CardGame, referee: Referee, texts: list[str], phase: str, watch: Watch) -> str:
    """Compare who is to act and what may be done; where the phase has changed, or a trick begins, everything. Returns the phase."""
    seat = AGENTS.index(env.agent_selection)
    watch.require(referee.turn == seat, f"player_{seat} is to act, and player_{referee.turn} by the referee")
    legal, due = [texts[action] for action in mask_of(env).nonzero()[0]], referee.legal()
    watch.require(sorted(legal) == sorted(due), f"legal are {', '.join(legal)}, and {', '.join(due)} by the referee")
    public = env._states[0]["public"]
    if str(public["phase"]) != phase or watch.step % 16 == 0 or is_over(env):
        watch.require(env.snapshot() == referee.snapshot(), f"the state is another than the referee's{_first_difference(env, referee)}")
    return str(public["phase"])


def _first_difference(env: CardGame, referee: Referee) -> str:
    view, due = env.snapshot(), referee.snapshot()
    return next((f": {key} is {view[key]}, not {due.get(key)}" for key in view if view[key] != due.get(key)), "")
