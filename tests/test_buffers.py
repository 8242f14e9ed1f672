"""Where a batch writes its turns: arrays of one's own, the same ones again and again; and steps that go on in the background."""

import copy
import gc
import os
import signal
import subprocess
import sys
import threading
from collections import namedtuple

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import laffa
from helpers import KOUTCHINA, highest_actions, raw
from laffa.state import RESULT
from laffa.turn import ARRAYS, ROWS

pytestmark = pytest.mark.env

GAMES = 6
SHOWN = [name for name in ARRAYS if name != "result"]


def make(games=GAMES, **options):
    return laffa.Batch(KOUTCHINA, games, **{"seed": 2, "episode": "hand", **options})


def snapshots(turn):
    return {name: array.copy() for name in SHOWN if (array := getattr(turn, name)) is not None}


def blanks(*names, games=GAMES):
    return {name: np.zeros((games, *ROWS[name][0]), ROWS[name][1]) for name in names}


def places(turn):
    return {name: array.ctypes.data for name in ARRAYS if (array := getattr(turn, name)) is not None}


def test_without_copies_all_turns_are_one_and_show_what_copies_show():
    batch, twin = make(copy=False, events=True), make(events=True)
    turn, other = batch.reset(), twin.reset()
    where = places(turn)
    for _ in range(120):
        np.testing.assert_equal(snapshots(turn), snapshots(other))
        np.testing.assert_array_equal(turn.blind, other.blind)
        assert places(turn) == where
        again, other = batch.step(highest_actions(turn)), twin.step(highest_actions(other))
        assert again is turn
    assert batch.reset() is turn
    assert batch.step(highest_actions(turn), out=twin.reset()) is not turn
    assert batch.step(highest_actions(batch.recv())) is turn


def test_arrays_given_to_the_reset_of_a_batch_without_copies_are_those_of_all_turns():
    given = blanks("obs", "mask")
    batch = make(copy=False)
    turn = batch.reset(out=given)
    for _ in range(3):
        assert turn.obs is given["obs"]
        assert turn.mask is given["mask"]
        turn = batch.step(highest_actions(turn))
    np.testing.assert_array_equal(given["obs"], turn.obs)
    assert batch.reset(out=blanks("obs")) is not turn


@pytest.mark.parametrize("kind", ["mapping", "named tuple"])
def test_some_or_all_arrays_may_be_given_by_name(kind):
    batch, twin = make(state=True, events=True), make(state=True, events=True)
    turn, other = batch.reset(), twin.reset()
    for names in (["obs"], ["mask", "reward", "done"], ARRAYS, []):
        given = blanks(*names)
        turn = batch.step(highest_actions(turn), out=given if kind == "mapping" else namedtuple("Arrays", given)(**given))
        other = twin.step(highest_actions(other))
        assert all(getattr(turn, name) is array for name, array in given.items())
        np.testing.assert_equal(snapshots(turn), snapshots(other))
        np.testing.assert_array_equal(turn.blind, other.blind)


READ_ONLY = np.zeros(GAMES, bool)
READ_ONLY.flags.writeable = False
WRONG = {
    "another type": {"obs": np.zeros((GAMES, *ROWS["obs"][0]), np.float32)},
    "another shape": {"mask": np.zeros((GAMES, 188), np.int8)},
    "another number of games": blanks("obs", games=GAMES + 1),
    "not contiguous": {"mask": np.zeros((GAMES, 378), np.int8)[:, ::2]},
    "columns first": {"reward": np.zeros((GAMES, 4), np.float32, order="F")},
    "read-only": {"done": READ_ONLY},
    "a list": {"winner": [0] * GAMES},
    "nothing": {"obs": None},
    "another record": {"result": np.zeros(GAMES, [("scores", np.int32)])},
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("turned", [False, True], ids=["mapping", "turn"])
def test_arrays_that_compiled_code_may_not_write_are_refused_and_no_game_moves(given, turned):
    batch = make()
    turn = batch.reset()
    before, actions = raw(batch), highest_actions(turn)
    ((name, array),) = given.items()
    out = copy.copy(turn) if turned else given
    if turned:
        setattr(out, name, array)
    kind = "RESULT records" if name == "result" else ROWS[name][1]
    with pytest.raises(ValueError, match=rf"^out: {name} must be a writable, contiguous numpy array of {kind} and shape \(6,.*\), not "):
        batch.step(actions, out=out)
    assert raw(batch) == before
    batch.step(actions)


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ({"obss": 1}, "out: this batch does not write 'obss'; it writes seat, obs, mask, "),
        (blanks("events"), "out: this batch does not write 'events'; it writes "),
        ([1], r"out is a turn, or a mapping or named tuple of arrays named seat, .*; not \[1\]"),
        (make(events=True).reset(), "out: this batch does not write 'events'"),
    ],
)
def test_names_that_are_not_written_are_refused(out, message):
    batch = make()
    for call in (lambda: batch.reset(out=out), lambda: batch.send(highest_actions(batch.reset()), out=out)):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(ValueError, match="out: events must be"):
        make(events=True).reset(out=batch.reset())


def test_rows_name_all_arrays():
    assert tuple(ROWS) == ARRAYS
    assert ROWS["result"] == ((), RESULT)


def test_tensors_share_their_memory_with_turns():
    torch = pytest.importorskip("torch")
    batch = make(copy=False)
    turn = batch.reset(out={"obs": torch.zeros(GAMES, *ROWS["obs"][0], dtype=torch.int8).numpy()})
    tensor, reward = torch.from_numpy(turn.obs), torch.from_numpy(turn.reward)
    for _ in range(54):
        turn = batch.step(highest_actions(turn))
    assert (tensor.data_ptr(), reward.data_ptr()) == (turn.obs.ctypes.data, turn.reward.ctypes.data)
    assert reward.abs().sum() > 0


# Steps in the background.


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("share", [False, True], ids=["copies", "no copies"])
def test_steps_that_are_sent_are_those_that_are_made_at_once(threads, share):
    batch, twin = make(threads=threads, copy=not share, state=True), make(state=True)
    batch.reset()
    other = twin.reset()
    for _ in range(120):
        turn = batch.recv()
        assert batch.recv() is turn
        np.testing.assert_equal(snapshots(turn), snapshots(other))
        batch.send(highest_actions(turn))
        other = twin.step(highest_actions(other))
    assert (batch.hands_finished, raw(batch)) == (twin.hands_finished, raw(twin))


def test_two_halves_that_step_by_turns_are_one_batch():
    whole, halves = make(12), [make(6, first=first, copy=False) for first in (0, 6)]
    turn = whole.reset()
    for half in halves:
        half.reset()
    for _ in range(80):
        for half, rows in zip(halves, (slice(0, 6), slice(6, 12)), strict=True):
            shown = half.recv()
            for name, array in snapshots(shown).items():
                np.testing.assert_array_equal(array, getattr(turn, name)[rows])
            half.send(highest_actions(shown))
        turn = whole.step(highest_actions(turn))
    assert b"".join(raw(half) for half in halves) == raw(whole)


def held_up(batch):
    """An event for which the steps of a batch wait from now on."""
    event, advance = threading.Event(), batch._advance

    def wait(*arguments):
        assert event.wait(60)
        advance(*arguments)

    batch._advance = wait
    return event


def test_send_does_not_wait_and_whatever_reads_the_games_does():
    for read in (
        lambda batch: batch.recv().hand_done.sum(),
        lambda batch: batch.hands_finished,
        lambda batch: batch.states["public"]["hands_played"].sum(),
    ):
        batch = make(threads=2, episode="match")
        turn = batch.reset()
        for _ in range(53):
            turn = batch.step(highest_actions(turn))
        event = held_up(batch)
        batch.send(highest_actions(turn))
        with pytest.raises(ValueError, match="this turn is over"):
            _ = turn.blind
        threading.Timer(0.05, event.set).start()
        assert read(batch) == GAMES


def test_a_step_that_was_sent_has_to_be_received_before_the_next_one():
    batch = make()
    with pytest.raises(ResetNeeded, match="reset"):
        batch.recv()
    with pytest.raises(ResetNeeded, match="reset"):
        batch.send([52] * GAMES)
    turn = batch.reset()
    before = raw(batch)
    with pytest.raises(laffa.IllegalAction, match=r"^game 0: "):
        batch.send([0] * GAMES)
    assert raw(batch) == before
    assert batch.recv() is turn
    batch.send(highest_actions(turn))
    after = raw(batch)
    for call in (batch.step, batch.send):
        with pytest.raises(ValueError, match=r"has not been received: recv\(\) returns it"):
            call(highest_actions(turn))
    assert raw(batch) == after
    batch.step(highest_actions(batch.recv()))


def test_a_reset_and_a_copy_wait_for_a_step_that_was_sent():
    batch, twin = make(threads=2), make()
    turn = batch.reset()
    for again in range(3):
        event = held_up(batch)
        batch.send(highest_actions(turn))
        threading.Timer(0.02, event.set).start()
        del batch._advance
        if again == 2:
            copied = copy.deepcopy(batch)
            np.testing.assert_equal(snapshots(copied.recv()), snapshots(batch.recv()))
            assert copied.recv().obs is not batch.recv().obs
            np.testing.assert_array_equal(copied.recv().blind, batch.recv().blind)
        turn = batch.reset()
    np.testing.assert_equal(snapshots(turn), snapshots(twin.reset()))
    assert raw(batch) == raw(twin)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_that_is_forked_in_the_middle_of_a_step_has_to_reset_its_copy():
    batch = make(threads=2)
    event, actions = held_up(batch), highest_actions(batch.reset())
    batch.send(actions)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)
        status = 1
        try:
            batch.recv()
        except ResetNeeded:
            del batch._advance
            status = 0 if len(batch.step(highest_actions(batch.reset()))) == GAMES else 2
        finally:
            os._exit(status)
    event.set()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(batch.recv()) == GAMES


def test_what_goes_wrong_in_a_thread_is_raised_by_recv_and_the_batch_needs_a_reset():
    batch = make(threads=2)
    actions = highest_actions(batch.reset())

    def fail(*_arguments):
        raise MemoryError

    batch._advance = fail
    batch.send(actions)
    del batch._advance
    with pytest.raises(MemoryError):
        batch.recv()
    with pytest.raises((MemoryError, ResetNeeded)):
        batch.recv()
    batch.step(highest_actions(batch.reset()))


def test_a_batch_that_is_dropped_in_the_middle_of_a_step_ends_its_threads():
    before = set(threading.enumerate())
    batch = make(2000, threads=2)
    batch.send(highest_actions(batch.reset()))
    mine = set(threading.enumerate()) - before
    assert len(mine) == 2
    del batch
    for thread in mine:
        for _ in range(400):
            gc.collect()
            thread.join(0.05)
            if not thread.is_alive():
                break
        assert not thread.is_alive()


def test_python_ends_in_the_middle_of_a_step():
    code = (
        "import laffa; b = laffa.Batch('tarneeb-koutchina', 4000, threads=3); t = b.reset(); b.step(188 - t.mask[:, ::-1].argmax(1));"
        "b.send(188 - b.recv().mask[:, ::-1].argmax(1))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=100, check=False)
        assert (done.returncode, "Error" in done.stderr) == (0, False)
