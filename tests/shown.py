"""All that a seat is shown, by every route, as bytes."""

import laffa
from helpers import AGENTS, packed, seat_of
from laffa.table import table


def shown_by_the_environment(env, seat):
    """All that the AEC interface gives to one agent, asked for in an order that starts with the others."""
    for other in AGENTS:
        env.observe(other)
    agent = AGENTS[seat]
    view = env.observe(agent)
    return b"".join(view[name].tobytes() for name in sorted(view)) + repr((env.infos[agent], env.rewards[agent])).encode()


def shown_as_text(env, seat):
    return table(env.rules, env._states[0], seat).encode()


def shown_to_players(env, seat):
    """The turn, its blind record and what every player makes of it; nothing for a seat that is not to act."""
    if seat_of(env.agent_selection) != seat:
        return b""
    turn = env.turn()
    arrays = [turn.seat, turn.obs, turn.mask, turn.reward, turn.result, turn.events, turn.blind]
    arrays += [laffa.players.make(name, env.rules, seed=3).act(turn) for name in laffa.players.names()]
    return b"".join(map(packed, arrays))


def shown_by_a_batch(env, seat):
    """The same through `Batch`, whose turn is made by another kernel."""
    if seat_of(env.agent_selection) != seat:
        return b""
    batch = laffa.Batch(env.rules, 1, events=True)
    turn = batch.reset(seed=1)
    batch.states[:] = env._states
    batch._show(turn)
    return b"".join(map(packed, (turn.seat, turn.obs, turn.mask, turn.events, turn.blind)))


SHOWN = (shown_by_the_environment, shown_as_text, shown_to_players, shown_by_a_batch)
"""Every route."""
