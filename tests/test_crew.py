"""Batches on several threads: what breaks in does not tear a step, and processes, copies and other threads do not disturb it."""

import copy
import gc
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import laffa
from breaking import Broken, broken_at
from helpers import KOUTCHINA, highest_actions, raw
from laffa.crew import ATTEMPTS, Crew, Task, hold

pytestmark = pytest.mark.env


def begun(games=6, steps=0, **options):
    batch = laffa.Batch(KOUTCHINA, games, **{"seed": 2, **options})
    return batch, go_on(batch, batch.reset(), steps)


def go_on(batch, turn, steps):
    for _ in range(steps):
        turn = batch.step(highest_actions(turn))
    return turn


def test_slices_differ_by_one_game_at_most():
    for games in (7, 8, 9, 1000):
        sizes = [rows.stop - rows.start for rows in laffa.Batch(KOUTCHINA, games, threads=4)._slices]
        assert sum(sizes) == games
        assert max(sizes) - min(sizes) <= 1


STORM = """
import json, signal, sys
import laffa

class Alarm(Exception):
    pass

def handle(number, frame):
    if number == signal.SIGALRM:
        signal.setitimer(signal.ITIMER_REAL, DELAYS[counts[number] % len(DELAYS)])
    counts[number] += 1
    while frame is not None and frame.f_code not in INSIDE:
        frame = frame.f_back
    if frame is not None:
        raise KeyboardInterrupt if number == signal.SIGINT else Alarm

def receive():
    global caught
    while True:
        try:
            return batch.recv()
        except (Alarm, KeyboardInterrupt):
            caught += 1

INSIDE = laffa.Batch.step.__code__, laffa.Batch.recv.__code__
DELAYS = [2e-5, 5e-3, 1e-4, 3e-4, 1e-3, 5e-5, 6e-4]
counts, caught = {signal.SIGALRM: 0, signal.SIGINT: 0}, 0
batch, twin = (laffa.Batch("tarneeb-koutchina", 1200, seed=3, threads=threads) for threads in (3, 1))
turn, calm = batch.reset(), [twin.reset()]
plan = []
for _ in range(150):
    plan.append(188 - calm[-1].mask[:, ::-1].argmax(1))
    calm.append(twin.step(plan[-1]))
signal.signal(signal.SIGALRM, handle)
signal.signal(signal.SIGINT, handle)
print("ready", flush=True)
signal.setitimer(signal.ITIMER_REAL, 1e-4)
equal = 0
for actions, other in zip(plan, calm[1:], strict=True):
    old = turn
    while turn is old:
        try:
            batch.step(actions)
        except (Alarm, KeyboardInterrupt):
            caught += 1
        turn = receive()
    equal += turn.obs.tobytes() == other.obs.tobytes() and turn.reward.tobytes() == other.reward.tobytes()
signal.setitimer(signal.ITIMER_REAL, 0)
same = batch.states.tobytes() == twin.states.tobytes() and batch.hands_finished == twin.hands_finished > 0
signal.signal(signal.SIGINT, signal.SIG_IGN)
print(json.dumps([equal, same, caught > 20, *(count > 0 for count in counts.values())]), flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an interval timer")
def test_neither_ctrl_c_nor_alarms_in_the_middle_of_steps_tear_one_or_hang():
    """Each step that was broken off is done or has not begun, and `recv` tells which; and three threads in the middle of it do not keep Python."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", STORM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        for pause in range(2000):
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGINT)
            time.sleep(0.005 * (1 + pause % 9))
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert json.loads(out) == [150, True, True, True, True]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_step_that_is_broken_off_at_any_instruction_is_done_or_has_not_begun(threads):
    batch, turn = begun(steps=53, threads=threads, events=True, episode="hand")  # the next step ends all six hands
    actions = highest_actions(turn)
    expected, start = copy.deepcopy(batch), raw(batch)
    after = expected.step(actions)
    outcomes, number = {True: 0, False: 0}, 1
    while True:
        broken = copy.deepcopy(batch)
        old = broken.recv()
        if not broken_at(number, partial(broken.step, actions)):
            break
        done = broken.recv() is not old
        outcomes[done] += 1
        assert (raw(broken), broken.hands_finished) == ((raw(expected), 6) if done else (start, 0))
        turn = broken.recv() if done else broken.step(actions)
        for name in ("obs", "mask", "reward", "done", "hand_done", "winner", "events", "blind"):
            np.testing.assert_array_equal(getattr(turn, name), getattr(after, name))
        assert (raw(broken), broken.hands_finished) == (raw(expected), 6)
        number += 1
    assert min(outcomes.values()) > 30


def test_a_step_that_was_broken_off_is_not_followed_by_actions_for_the_turn_before():
    batch, turn = begun(threads=2)
    actions = highest_actions(turn)
    number = 1
    while batch.recv() is turn:
        assert broken_at(number, lambda: batch.step(actions))
        number += 1
    assert broken_at(1, batch.recv)
    batch._task.taken = False  # as it is where nothing was returned
    before = raw(batch)
    with pytest.raises(ValueError, match=r"has not been received: recv\(\) returns it"):
        batch.step(actions)
    assert raw(batch) == before
    batch.step(highest_actions(batch.recv()))


def test_a_reset_that_is_broken_off_needs_another_one():
    batch, _ = begun(steps=10)
    expected = begun(seed=5)[1]
    number, unready = 1, 0
    while broken_at(number, lambda: batch.reset(seed=5)):
        try:
            batch.recv()
        except ResetNeeded:
            unready += 1
            with pytest.raises(ResetNeeded, match=r"reset\(\)"):
                batch.step([52] * 6)
        number += 1
    assert unready > 30
    np.testing.assert_array_equal(batch.recv().obs, expected.obs)


def test_what_a_handler_raises_is_held_back_until_all_shares_are_done():
    crew, done, raised = Crew(3), [], iter([KeyboardInterrupt, Broken, None])
    crew.hire(1)

    def work(number):
        if number == 0 and (kind := next(raised)) is not None:
            raise kind
        if number > 0:
            time.sleep(0.05)
        done.append(number)

    task = Task(work, 3, crew, "all")
    with pytest.raises(KeyboardInterrupt):
        hold(task.finish)
    assert sorted(done) == [0, 1, 2]
    assert task.over
    with pytest.raises(ZeroDivisionError):
        hold(lambda: 1 // 0)


def test_a_handler_that_never_stops_raising_is_let_through_in_the_end():
    calls = []

    def work():
        calls.append(1)
        raise Broken

    with pytest.raises(Broken):
        hold(work)
    assert len(calls) == ATTEMPTS


def test_a_share_that_is_given_out_twice_is_done_once_and_what_is_raised_in_it_is_raised_by_finish():
    crew, done = Crew(2), []
    crew.hire(1)
    task = Task(done.append, 2, crew)
    for _ in range(3):
        task.send()
    task.finish()
    task.finish()
    Task(done.append, 2, crew).finish()
    assert sorted(done) == [0, 0, 1, 1]
    with pytest.raises(ZeroDivisionError):
        Task(lambda number: 1 // (1 - number), 2, crew).finish()


def test_the_threads_of_a_batch_end_with_it():
    batch, _ = begun(steps=2, threads=4)
    mine = [thread for thread in threading.enumerate() if thread.name.startswith("laffa-")][-3:]
    assert len(mine) == 3
    assert all(thread.daemon for thread in mine)
    del batch
    gc.collect()
    for thread in mine:
        thread.join(20)
        assert not thread.is_alive()


def test_a_batch_without_a_cycle_is_freed_at_once():
    gc.collect()
    gc.disable()
    try:
        batch, turn = begun(steps=3, threads=2)
        freed = weakref.ref(batch)
        del batch
        assert freed() is None
        assert len(turn.blind) == 6  # the turn keeps its games
    finally:
        gc.enable()


def test_two_threads_of_the_user_each_with_a_batch_do_not_disturb_each_other():
    def play(seed):
        batch, turn = begun(40, 120, seed=seed, threads=3)
        return raw(batch), turn.obs.tobytes(), batch.hands_finished

    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(play, [1, 2] * 2))
    assert together == [play(1), play(2)] * 2


def play_there(batch, turn, pipe):
    go_on(batch, turn, 60)
    pipe.send(raw(batch))
    pipe.close()


@pytest.mark.parametrize("how", multiprocessing.get_all_start_methods())
def test_a_worker_process_goes_on_with_a_batch_that_has_stepped_on_threads(how):
    batch, turn = begun(steps=5, threads=3)
    context = multiprocessing.get_context(how)
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=play_there, args=(batch, turn, there))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 and newer warn of forks beside threads
        process.start()
    try:
        assert here.poll(120), "the worker hangs"
        states = here.recv()
    finally:
        process.kill()
        process.join(20)
    go_on(batch, turn, 60)
    assert raw(batch) == states


@pytest.mark.parametrize("bad", [[8], [4, 7], [0, 8]])
def test_threads_that_check_actions_together_name_the_first_that_is_illegal(bad, monkeypatch):
    monkeypatch.setattr("laffa.batch.CHECK_TOGETHER", 1)
    batch = laffa.Batch("tarneeb-koutchina", 9, 1, threads=3)
    legal = batch.reset().mask.argmax(1)
    before, actions = batch.states.tobytes(), legal.copy()
    actions[bad] = -1
    with pytest.raises(laffa.IllegalAction, match=f"^game {bad[0]}: "):
        batch.step(actions)
    assert batch.states.tobytes() == before
    batch.step(legal)
    assert batch.states.tobytes() != before
