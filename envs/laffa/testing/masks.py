"""Masks say exactly what may be done."""

from typing import Any

import numpy as np

from laffa.aec import AGENTS, CardGame
from laffa.batch import IllegalAction
from laffa.cards import ACTIONS
from laffa.rules import Rules
from laffa.sweep import find_illegal
from laffa.testing.moments import moments, phase_of
from laffa.testing.report import Watch
from laffa.testing.routes import as_bytes
from laffa.testing.walk import clone, is_over, mask_of, packed
from laffa.text import action_text

NEVER = (-1, ACTIONS, 1.0, None, True, "pass")
"""What no seat may ever play."""


def check_masks(rules: Rules, watch: Watch, matches: int) -> None:
    """What a mask allows can be played in a copy, everything else is refused and changes nothing, and nobody moves out of turn."""
    refused: set[str] = set()
    for env in moments(rules, watch, 10 * matches):
        _turns(env, watch)
        if is_over(env):
            continue
        mask = mask_of(env)
        for action in np.flatnonzero(mask):
            _can_be_played(env, watch, int(action))
        illegal = np.flatnonzero(mask == 0)
        # A refusal writes a sentence, which takes its time: all of them once in every phase, else some.
        some = illegal[watch.step % 17 :: 17] if phase_of(env) in refused else illegal
        refused.add(phase_of(env))
        for action in (*NEVER, *some.tolist()):
            _is_refused(env, watch, action)
        _batch_agrees(env, watch, mask)


def _turns(env: CardGame, watch: Watch) -> None:
    """The seat to act may do something, everybody else nothing, and nobody anything after the end."""
    for agent in AGENTS:
        mask = env.observe(agent)["action_mask"]
        watch.require(np.isin(mask, (0, 1)).all(), f"the mask of {agent} has other values than 0 and 1")
        if is_over(env) or agent != env.agent_selection:
            watch.require(not mask.any(), f"{agent} is not to act, and its mask allows something")
        else:
            watch.require(mask.any(), f"{agent} is to act, and its mask allows nothing")


def _named(env: CardGame, action: Any) -> str:
    known = type(action) is int and 0 <= action < ACTIONS
    return f"{action} ({action_text(env.rules, action)})" if known else repr(action)


def _can_be_played(env: CardGame, watch: Watch, action: int) -> None:
    before, twin = packed(env._states), clone(env)
    try:
        twin.step(action)
    except IllegalAction:
        raise watch.failure(f"the mask of {env.agent_selection} allows action {_named(env, action)}, which is refused") from None
    watch.require(packed(twin._states) != before, f"action {_named(env, action)} changes nothing")
    watch.require(packed(env._states) == before, f"action {_named(env, action)} played in a copy changes the original")


def _kept(env: CardGame) -> bytes:
    """All that a refused action has to leave alone."""
    return packed(env._states) + as_bytes([env.agent_selection, env.rewards, env.terminations, env.truncations, env.infos, env.agents])


def _is_refused(env: CardGame, watch: Watch, action: Any) -> None:
    before = _kept(env)
    try:
        env.step(action)
    except IllegalAction:
        watch.require(_kept(env) == before, f"action {_named(env, action)} is refused and changes something all the same")
        return
    raise watch.failure(f"action {_named(env, action)} is outside the mask and is played all the same")


def _batch_agrees(env: CardGame, watch: Watch, mask: Any) -> None:
    for action in range(ACTIONS):
        allowed = find_illegal(env.rules.packed, env._states, np.array([action])) < 0
        watch.require(allowed == bool(mask[action]), f"a batch and the mask disagree on action {_named(env, action)}")
