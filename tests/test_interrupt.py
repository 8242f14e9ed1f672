"""Ctrl-C inside a step: every game is whole, as it was before the step or as it is after it, and a reset begins a full one."""

import copy
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

import laffa
from helpers import AGENTS, FAMILIES, KOUTCHINA, finish_at_random, highest_actions, is_over, mask_of, raw, walk

pytestmark = pytest.mark.env

PACKAGE = str(Path(laffa.__file__).parent)


def interrupted(call, number):
    """Run `call` with a Ctrl-C in front of the `number`-th line of the package's Python; whether there was such a line."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        lines += event == "line"
        if event == "line" and lines == number:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def moments(make, call):
    """A fresh object for every line at which `call(object)` can be interrupted, after that."""
    number, went_on = 0, True
    while went_on:
        number += 1
        thing = make()
        went_on = interrupted(lambda: call(thing), number)  # noqa: B023 - called at once
        if went_on:
            yield thing
    assert number > 10


def some_batch(threads):
    batch = laffa.Batch(KOUTCHINA, 7, seed=3, threads=threads, events=True, target=5)
    turn = batch.reset()
    for _ in range(53):
        turn = batch.step(highest_actions(turn))
    return batch, turn


@pytest.mark.parametrize("threads", [1, 3])
def test_wherever_a_step_of_a_batch_is_interrupted_all_its_games_are_whole_and_can_go_on(threads):
    """The step is the one that ends a hand."""
    batch, turn = some_batch(threads)
    actions = highest_actions(turn)
    before, after = raw(batch), copy.deepcopy(batch)
    turn = after.step(actions)
    further = copy.deepcopy(after)
    further.step(highest_actions(turn))
    seen = set()
    for stopped in moments(lambda: copy.deepcopy(batch), lambda one: one.step(actions)):
        whole = raw(stopped)
        assert whole in (before, raw(after))
        stopped.recv()
        stopped.step(actions if whole == before else highest_actions(turn))
        assert raw(stopped) == raw(after if whole == before else further)
        seen.add(whole)
    assert seen == {before, raw(after)}


@pytest.mark.parametrize("variant", FAMILIES)
@pytest.mark.parametrize("moment", [3, 10_000])
def test_wherever_a_step_of_an_environment_is_interrupted_its_game_is_whole_and_a_reset_begins_a_full_one(variant, moment):
    """In the middle of a hand, and in the step that ends the episode."""
    game = laffa.env(variant, episode="hand", events=True)
    game.reset(seed=5)
    env = game
    for _ in walk(game, 5, limit=moment):
        env = env if is_over(game) else copy.deepcopy(game)
    assert is_over(game) == (moment > 3)
    action = int(np.flatnonzero(mask_of(env))[0])
    before, after = raw(env), copy.deepcopy(env)
    after.step(action)
    seen = set()
    for stopped in moments(lambda: copy.deepcopy(env), lambda one: one.step(action)):
        seen.add(raw(stopped))
        assert raw(stopped) in (before, raw(after))
        stopped.reset(seed=6)
        assert (stopped.agents, is_over(stopped)) == (AGENTS, False)
        assert not any(stopped.rewards.values())
        assert not any(stopped._cumulative_rewards.values())
    assert seen == {before, raw(after)}
    assert finish_at_random(stopped) > 36


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
def test_a_signal_at_any_time_leaves_each_game_where_its_step_began_or_ended():
    """The handler does what Python's own for Ctrl-C does; the timer counts this process's own time, not the clock."""
    batch, steps = laffa.Batch(KOUTCHINA, 32, seed=3, threads=1), 1000
    turn = batch.reset()
    trail, moves = [batch.states.copy()], []
    for _ in range(steps):
        moves.append(highest_actions(turn))
        turn = batch.step(moves[-1])
        trail.append(batch.states.copy())
    chance, stopped = np.random.default_rng(1), 0
    for _ in range(25):
        done = run_until_interrupted(batch, moves, chance.uniform(0.001, 0.02))
        stopped += done < steps
        for game in range(batch.games):
            places = trail[done][game].tobytes(), trail[min(done + 1, steps)][game].tobytes()
            assert batch.states[game].tobytes() in places
    assert stopped > 5
    assert batch.reset() is not None
    assert raw(batch) == trail[0].tobytes()


def run_until_interrupted(batch, moves, seconds):
    """Play `moves` from the reset on; how many steps were done before KeyboardInterrupt came, if it came."""

    def interrupt(_number, _frame):
        raise KeyboardInterrupt

    done, before = 0, signal.signal(signal.SIGVTALRM, interrupt)
    batch.reset()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        for actions in moves:
            batch.step(actions)
            done += 1
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return done
