"""The batched engine: what a turn holds, how games restart, and what is refused."""

import numpy as np
import pytest

import laffa
from helpers import KOUTCHINA, highest_actions, random_actions, raw
from laffa.batch import IllegalAction
from laffa.turn import Turn

pytestmark = pytest.mark.env


def begun(games=6, **options):
    batch = laffa.Batch(KOUTCHINA, games, **{"seed": 2, **options})
    return batch, batch.reset()


def arrays(turn):
    return {name: value for name, value in vars(turn).items() if isinstance(value, np.ndarray) and name != "blind"}


def snapshots(turn):
    return {name: value.copy() for name, value in arrays(turn).items()}


def run(batch, steps, out=None):
    """The turns of some steps in which thirteen is bid at once, copied."""
    turn = batch.reset(out=out)
    kept = [snapshots(turn)]
    for _ in range(steps):
        turn = batch.step(highest_actions(turn), out=out)
        kept.append(snapshots(turn))
    return kept


def test_a_turn_has_the_documented_shapes_and_types():
    _, turn = begun(6, state=True, events=True)
    shapes = {
        "seat": (6,),
        "reward": (6, 4),
        "done": (6,),
        "truncated": (6,),
        "hand_done": (6,),
        "winner": (6,),
        "events": (6, 192),
        "mask": (6, 189),
    }
    types = {"seat": "int8", "obs": "int8", "mask": "int8", "reward": "float32", "done": "bool", "winner": "int8", "events": "int16", "state": "int8"}
    assert {name: arrays(turn)[name].shape for name in shapes} == shapes
    assert {name: arrays(turn)[name].dtype.name for name in types} == types
    assert len(turn) == 6
    assert not turn.reward.any()
    assert not turn.done.any()
    assert (turn.winner == -1).all()
    _, turn = begun(6)
    assert turn.state is None
    assert turn.events is None


@pytest.mark.trial("D16")
def test_turns_that_were_kept_do_not_change_and_what_is_written_into_them_is_not_read():
    batch, turn = begun(8, state=True, events=True)
    twin, other = begun(8, state=True, events=True)
    rng, history = np.random.default_rng(1), []
    for _ in range(150):
        actions = random_actions(turn, rng)
        history.append((turn, snapshots(turn)))
        turn, other = batch.step(actions), twin.step(actions)
        for array in arrays(other).values():
            array.fill(0)
        actions[:] = 99
    assert raw(batch) == raw(twin)
    for kept, copy in history:
        np.testing.assert_equal(arrays(kept), copy)


@pytest.mark.trial("D16")
def test_a_turn_given_as_out_is_written_over_with_the_same_numbers():
    fresh = run(laffa.Batch(KOUTCHINA, 5, seed=3, state=True, events=True), 200)
    batch = laffa.Batch(KOUTCHINA, 5, seed=3, state=True, events=True)
    out = batch.reset()
    places = {name: array.ctypes.data for name, array in arrays(out).items()}
    reused = run(batch, 200, out)
    assert {name: array.ctypes.data for name, array in arrays(out).items()} == places
    for one, other in zip(fresh, reused, strict=True):
        for name in one.keys() - {"result"}:
            np.testing.assert_array_equal(one[name], other[name])
        ended = one["hand_done"]
        np.testing.assert_array_equal(one["result"][ended], other["result"][ended])
    batch.step(highest_actions(out), out=out)
    np.testing.assert_array_equal(out.blind["seat"], out.seat)


@pytest.mark.parametrize("games", [7, 9])
def test_a_turn_of_another_size_is_refused_as_out(games):
    batch, turn = begun(6)
    _, foreign = begun(games)
    with pytest.raises(ValueError, match="out"):
        batch.step(highest_actions(turn), out=foreign)


@pytest.mark.trial("D15")
def test_the_step_that_ends_a_match_pays_it_and_shows_the_next_one():
    """Same-step restart: reward, done and winner belong to the match that ended, all else to the new one."""
    batch, turn = begun(4, target=5)
    matches = 0
    for _ in range(300):
        before = batch.states.copy()
        turn = batch.step(highest_actions(turn))
        public = batch.states["public"]
        for game in np.flatnonzero(turn.done):
            matches += 1
            result = turn.result[game]
            scores = before["public"]["scores"][game] + result["scores"]
            assert turn.hand_done[game]
            assert turn.winner[game] == scores.argmax()
            assert scores.max() >= 5
            assert turn.reward[game].tolist() == [scores_difference(result), -scores_difference(result)] * 2
            assert public["scores"][game].tolist() == [0, 0]
            assert (public["phase"][game], public["actions"][game], public["hands_played"][game], public["winner"][game]) == (0, 0, 0, -1)
            assert turn.mask[game, 52] == 1
            assert turn.seat[game] == (public["dealer"][game] + 1) % 4
        for game in np.flatnonzero(~turn.hand_done):
            assert not turn.reward[game].any()
            assert turn.winner[game] == -1
    assert matches > 8


def scores_difference(result):
    return int(result["scores"][0]) - int(result["scores"][1])


@pytest.mark.trial("D15")
def test_what_a_game_is_paid_appears_once_beside_its_flag():
    batch, turn = begun(10, target=60)
    total, paid = np.zeros((10, 2), int), np.zeros((10, 4))
    for _ in range(600):
        turn = batch.step(highest_actions(turn))
        paid += turn.reward
        total[turn.hand_done] += turn.result["scores"][turn.hand_done]
        assert (turn.reward[~turn.hand_done] == 0).all()
        assert (turn.reward[turn.hand_done] != 0).all()
    np.testing.assert_array_equal(paid, (total[:, :1] - total[:, 1:]) * [1, -1, 1, -1])


def test_outcome_rewards_are_plus_and_minus_one_at_the_end_only():
    batch, turn = begun(20, target=5, reward="outcome")
    seen = 0
    for _ in range(400):
        turn = batch.step(highest_actions(turn))
        sides = np.array([[1, -1, 1, -1], [-1, 1, -1, 1]])
        np.testing.assert_array_equal(turn.reward[turn.done], sides[turn.winner[turn.done]])
        assert not turn.reward[~turn.done].any()
        seen += turn.done.sum()
    assert seen > 20


def test_outcome_of_an_episode_of_one_hand_is_the_sign_of_its_difference():
    batch, turn = begun(20, episode="hand", reward="outcome")
    for _ in range(200):
        turn = batch.step(highest_actions(turn))
        ended = turn.done
        np.testing.assert_array_equal(ended, turn.hand_done)
        difference = np.sign(turn.result["scores"][ended] @ [1, -1])
        np.testing.assert_array_equal(turn.reward[ended], difference[:, None] * [1, -1, 1, -1])
    assert batch.hands_finished >= 60


@pytest.mark.parametrize("reward", ["score", "outcome"])
def test_a_table_that_closes_without_a_result_pays_nothing(reward):
    batch, turn = begun(2, reward=reward, all_pass_cap=2)
    for number in range(8):
        assert not turn.done.any(), number
        turn = batch.step([52, 52])
        assert not turn.reward.any()
        assert not turn.hand_done.any()
    assert turn.done.all()
    assert not turn.truncated.any()
    assert turn.winner.tolist() == [3, 3]
    assert batch.states["public"]["passed_deals"].tolist() == [0, 0]


def test_hands_finished_counts_counted_hands_of_all_games_and_starts_anew_with_reset():
    batch, turn = begun(7, episode="hand")
    count = 0
    for _ in range(200):
        turn = batch.step(highest_actions(turn))
        count += int(turn.hand_done.sum())
        assert batch.hands_finished == count
    assert count == 7 * (200 // 54)
    batch.reset()
    assert batch.hands_finished == 0
    for _ in range(4):
        batch.step([52] * 7)
    assert batch.hands_finished == 0


def test_a_users_limit_truncates_and_the_next_episode_starts_from_nothing():
    batch, turn = begun(3, max_hands=2, target=1000)
    ended = 0
    for _ in range(4 * 54):
        turn = batch.step(highest_actions(turn))
        ended += int(turn.done.sum())
        np.testing.assert_array_equal(turn.truncated, turn.done)
        assert (turn.winner == -1).all()
        assert not turn.truncated.any() or (batch.states["public"]["hands_here"][turn.done] == 0).all()
    assert ended == 6


def test_rows_are_the_turn_of_some_games_copied():
    batch, turn = begun(8, state=True, events=True)
    for _ in range(20):
        turn = batch.step(random_actions(turn, np.random.default_rng(1)))
    chosen = turn.rows(turn.seat < 2)
    again = chosen.rows(np.array([1, 0]))
    where = np.flatnonzero(turn.seat < 2)
    for part, index in ((chosen, where), (again, where[[1, 0]]), (turn.rows([3]), [3])):
        assert isinstance(part, Turn)
        for name, array in arrays(part).items():
            np.testing.assert_array_equal(array, arrays(turn)[name][index])
            assert not np.shares_memory(array, arrays(turn)[name])
        np.testing.assert_array_equal(part.blind["seat"], turn.seat[index])
        np.testing.assert_array_equal(part.blind["hand"], batch.states["hands"][index, turn.seat[index]])


def test_blind_records_of_a_turn_that_is_over_are_refused_unless_they_were_read_in_time():
    batch, turn = begun(3)
    read, rows = turn.blind, turn.rows([0])
    unread = begun(3)[1]
    later = batch.step(highest_actions(turn))
    assert turn.blind is read
    with pytest.raises(ValueError, match="this turn is over"):
        _ = rows.blind
    assert len(unread.blind) == 3
    batch.reset()
    with pytest.raises(ValueError, match="this turn is over"):
        _ = later.blind


def test_a_turn_made_without_its_games_says_so():
    _, turn = begun(2)
    turn.make_blind = None
    assert turn.rows([0]).make_blind is None
    with pytest.raises(ValueError, match="no blind records"):
        _ = turn.blind


BAD_ACTIONS = {
    "a float": [52.0, 52.0, 52.0],
    "flags": [True, True, True],
    "nothing": [None, None, None],
    "text": ["pass"] * 3,
    "one too few": [52, 52],
    "one too many": [52] * 4,
    "a column": [[52], [52], [52]],
    "one number": 52,
    "none at all": [],
}


@pytest.mark.parametrize("actions", BAD_ACTIONS.values(), ids=BAD_ACTIONS)
def test_actions_of_another_type_or_shape_are_refused_and_no_game_moves(actions):
    batch, turn = begun(3)
    before = raw(batch)
    with pytest.raises(ValueError, match=r"actions must be whole numbers of shape \(3,\), not .* of shape"):
        batch.step(actions)
    assert raw(batch) == before
    assert turn.blind["seat"].tolist() == turn.seat.tolist()


@pytest.mark.parametrize("bad", [-1, 0, 189, 2**40, 74, 255])
@pytest.mark.parametrize("place", [0, 4])
@pytest.mark.parametrize("threads", [1, 3])
def test_one_illegal_action_stops_all_games_and_names_the_first(bad, place, threads):
    batch, turn = begun(5, threads=threads)
    before, actions = raw(batch), np.full(5, 52)
    actions[place:] = bad
    with pytest.raises(
        IllegalAction, match=f"^game {place}: player_{turn.seat[place]} may not play action .*{bad}.* in phase 'bid'; legal are pass, bid 7, "
    ):
        batch.step(actions)
    assert raw(batch) == before
    assert batch.hands_finished == 0


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, list, tuple])
def test_whole_numbers_of_any_type_are_accepted(kind):
    batch, _ = begun(3)
    actions = kind([52, 53 + 6, 52]) if kind in (list, tuple) else np.array([52, 59, 52], kind)
    batch.step(actions)
    assert batch.states["public"]["level"].tolist() == [-1, 6, -1]


def test_a_batch_must_be_reset_before_its_first_step():
    with pytest.raises(Exception, match="reset"):
        laffa.Batch(KOUTCHINA, 2).step([52, 52])


def test_more_threads_than_games_are_no_harm():
    assert [turn["obs"].tobytes() for turn in run(laffa.Batch(KOUTCHINA, 2, threads=8), 60)] == [
        turn["obs"].tobytes() for turn in run(laffa.Batch(KOUTCHINA, 2), 60)
    ]
