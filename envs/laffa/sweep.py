"""Kernels that go over all games of a batch, or of a slice of one."""

import numpy as np

from laffa import engine, observe
from laffa.jit import kernel
from laffa.rng import game_key


@kernel
def find_illegal(r, states, actions):
    """The first game whose action is not legal, or -1."""
    for i in range(len(states)):
        p = states[i].public
        if p.turn < 0 or not engine.contains(engine.legal(r[0], p, states[i].held[p.turn]), actions[i]):
            return i
    return -1


@kernel
def start(r, states, seed, first):
    """Begin the first match of every game; game `i` of `states` has number `first + i`."""
    for i in range(len(states)):
        states[i].key = game_key(seed, first + i)
        states[i].public.deals = 0
        engine.start_match(r[0], states[i])


@kernel
def advance(r, states, actions, episode, max_hands, outcome, paid, shown, number, marks):
    """Step every game, start the next match of those that ended, and show each game while its state is in the cache.

    Args:
        r, states, actions: packed rules, the games, a legal action for each.
        episode, max_hands, outcome: kind of episode, its limit, whether only its outcome is paid.
        paid: reward, done, truncated, hand_done, winner and result of a turn.
        shown: seat, obs and mask of a turn.
        number, marks: of this step, and [number of the last step, counted hands so far] of these games. A step that they have made already is
            not made again: compiled code runs from its first line to its last, so this cannot be torn as lines of Python can.
    """
    if marks[0] == number:
        return
    hands = 0
    reward, done, truncated, hand_done, winner, result = paid
    seat, obs, mask = shown
    for i in range(len(states)):
        s = states[i]
        p = s.public
        event = engine.step(r[0], s, actions[i], episode, max_hands)
        hand_done[i] = event & engine.HAND_COUNTED != 0
        done[i] = event & engine.EPISODE_OVER != 0
        truncated[i] = p.truncated == 1
        winner[i] = p.winner
        pay(p, event, episode, outcome, reward[i])
        if hand_done[i]:
            hands += 1
            result[i] = p.last
        if done[i]:
            engine.start_match(r[0], s)
        # The same lines as in `show`: a kernel for both costs 20 ns a game.
        me = np.int64(p.turn)
        seat[i] = me
        observe.write(r[0], p, s.hands[me], s.declared[me], me, obs[i])
        observe.write_mask(engine.legal(r[0], p, s.held[me]), mask[i])
    marks[1] += hands
    marks[0] = number


@kernel
def pay(p, event, episode, outcome, reward):
    """What a step pays to each seat: the hand's difference, or the sign of the outcome at the end."""
    value = 0
    if event & engine.HAND_COUNTED != 0:
        value = p.last.scores[0] - p.last.scores[1]
    if outcome:
        if event & engine.EPISODE_OVER == 0:
            value = 0
        elif episode == engine.HAND:
            value = 1 if value > 0 else (-1 if value < 0 else 0)
        else:
            value = 1 if p.winner == 0 else (-1 if p.winner == 1 else 0)
    for seat in range(4):
        reward[seat] = value if seat & 1 == 0 else -value


@kernel
def show(r, states, seat, obs, mask):
    """Write what the seat to act sees in every game, and what it may do."""
    for i in range(len(states)):
        s = states[i]
        p = s.public
        me = np.int64(p.turn)
        seat[i] = me
        observe.write(r[0], p, s.hands[me], s.declared[me], me, obs[i])
        observe.write_mask(engine.legal(r[0], p, s.held[me]), mask[i])


@kernel
def show_states(r, states, out):
    """Write the state view of every game, seen from the seat to act."""
    for i in range(len(states)):
        observe.write_state(r[0], states[i], np.int64(states[i].public.turn), out[i])


@kernel
def show_events(r, states, out):
    """Write the history of every hand, seen from the seat to act."""
    for i in range(len(states)):
        s = states[i]
        p = s.public
        observe.write_events(r[0], p, s.declared[p.turn], np.int64(p.turn), out[i])


@kernel
def make_blind(states, index, out):
    """Blind records of the seats to act in some games."""
    for k in range(len(index)):
        s = states[index[k]]
        observe.blind(s, np.int64(s.public.turn), out[k])
