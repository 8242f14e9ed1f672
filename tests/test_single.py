"""The Gymnasium environment: one learning seat, paid exactly what the AEC environment pays that seat."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import laffa
from helpers import AGENTS, KOUTCHINA, act, choose, hands_for, mask_of, raw, scripted_card, seat_of
from laffa.batch import IllegalAction
from laffa.single import SingleSeat

pytestmark = pytest.mark.env


class Scripted:
    """Plays the hand of `helpers.hands_for`: the declarer bids, all play the card that the script says."""

    def __init__(self, bid, declarer):
        self.bid, self.declarer, self.game = bid, declarer, None

    def act(self, turn):
        return np.array([self.choose(turn.mask[0], self.game.snapshot())])

    def choose(self, mask, view):
        if view["phase"] == "bid":
            first = view["turn"] == self.declarer and not any(call.startswith("bid") for _, call in view["calls"])
            return act(f"bid {self.bid}" if first else "pass")
        return act("trump S" if view["phase"] == "trump" else scripted_card(view))


def learner_choice(observation, rng):
    return choose(observation["action_mask"], rng)


@pytest.mark.trial("D07")
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(("bid", "tricks", "declarer"), [(8, 11, 1), (9, 7, 1), (13, 13, 2), (7, 7, 0)])
def test_a_scripted_hand_pays_each_seat_for_its_own_side(seat, bid, tricks, declarer):
    """Seats 0 and 2 are paid alike, 1 and 3 the opposite, whichever seat learns."""
    script = Scripted(bid, declarer)
    env = SingleSeat(KOUTCHINA, partner=script, opponents=script, seat=seat, episode="hand")
    script.game = env._game
    env.reset(seed=1, options={"dealer": (declarer - 1) % 4, "hands": hands_for(tricks, declarer)})
    rewards, over = [], False
    while not over:
        view = script.game.snapshot()
        assert view["turn"] == seat
        _, reward, over, truncated, _ = env.step(script.choose(None, view))
        rewards.append(reward)
        assert not truncated
    own, other = (bid, 0) if tricks >= bid else (-bid, 13 - tricks)
    assert rewards[-1] == (own - other if seat % 2 == declarer % 2 else other - own)
    assert not any(rewards[:-1])


@pytest.mark.trial("D07")
def test_the_winning_side_ends_with_a_positive_return_and_the_losing_side_with_a_negative_one():
    returns = []
    for seat in range(4):
        script = Scripted(8, 0)
        env = SingleSeat(KOUTCHINA, partner=script, opponents=script, seat=seat, episode="hand")
        script.game = env._game
        env.reset(seed=1, options={"dealer": 3, "hands": hands_for(9, 0)})
        over, total = False, 0.0
        while not over:
            _, reward, over, _, _ = env.step(script.choose(None, script.game.snapshot()))
            total += reward
        returns.append(total)
    assert returns == [8.0, -8.0, 8.0, -8.0]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("options", [{}, {"reward": "outcome"}, {"episode": "hand"}, {"max_hands": 3, "target": 1000}])
def test_rewards_observations_and_flags_are_those_of_the_aec_environment_with_the_same_players(seat, options):
    """The twin is an AEC game in which the same players act; sums of pay between two turns of the seat must agree."""
    options = {"target": 20, **options}
    env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot", seat=seat, events=True, **options)
    twin, rng = laffa.env(KOUTCHINA, events=True, **options), np.random.default_rng(seat)
    partner, opponents = laffa.players.make("random", env._game.rules), laffa.players.make("autopilot", env._game.rules)
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        assert info == {}
        twin.reset(seed=seed)
        total, over, steps = 0.0, False, 0
        while not over:
            while seat_of(twin.agent_selection) != seat:
                player = partner if seat_of(twin.agent_selection) == (seat + 2) % 4 else opponents
                twin.step(player.act(twin.turn())[0])
                total += twin.rewards[AGENTS[seat]]
            np.testing.assert_equal(observation, twin.observe(AGENTS[seat]))
            action = learner_choice(observation, rng)
            paid_before = total
            twin.step(action)
            total += twin.rewards[AGENTS[seat]]
            while not any(twin.terminations.values()) and not any(twin.truncations.values()) and seat_of(twin.agent_selection) != seat:
                player = partner if seat_of(twin.agent_selection) == (seat + 2) % 4 else opponents
                twin.step(player.act(twin.turn())[0])
                total += twin.rewards[AGENTS[seat]]
            observation, reward, terminated, truncated, _ = env.step(action)
            assert reward == total - paid_before
            assert (terminated, truncated) == (twin.terminations[AGENTS[seat]], twin.truncations[AGENTS[seat]])
            over, steps = terminated or truncated, steps + 1
        assert raw(env._game) == raw(twin)
        np.testing.assert_equal(observation, twin.observe(AGENTS[seat]))
        assert steps > 10


def test_every_observation_is_the_seats_own_the_last_one_too():
    layout = {piece.name: slice(piece.offset, piece.offset + piece.size) for piece in laffa.observation_layout(KOUTCHINA)}
    for seat in range(4):
        env = SingleSeat(KOUTCHINA, partner="random", opponents="random", seat=seat, episode="hand")
        observation, _ = env.reset(seed=seat)
        over, rng = False, np.random.default_rng(seat)
        while not over:
            np.testing.assert_array_equal(observation["observation"][layout["hand"]], env._game._states["hands"][0, seat])
            assert env.observation_space.contains(observation)
            assert observation["action_mask"].any()
            observation, _, over, _, _ = env.step(learner_choice(observation, rng))
        view = env._game.snapshot()
        assert observation["observation"][layout["tricks"]].tolist() == [view["hand"]["tricks"][seat % 2], view["hand"]["tricks"][1 - seat % 2]]
        np.testing.assert_array_equal(observation["observation"][layout["dealer"]], [int((seat + k) % 4 == view["dealer"]) for k in range(4)])
        assert not observation["action_mask"].any()


def test_the_same_seed_and_actions_give_the_same_game_and_other_seeds_others():
    traces = []
    for seed in (3, 3, 4):
        env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot")
        observation, _ = env.reset(seed=seed)
        trace, over = [observation["observation"].tobytes()], False
        while not over:
            observation, reward, over, _, _ = env.step(int(observation["action_mask"].argmax()))
            trace.append((observation["observation"].tobytes(), reward))
        observation, _ = env.reset()
        trace.append(observation["observation"].tobytes())
        traces.append(trace)
    assert traces[0] == traces[1] != traces[2]


def test_partner_sits_opposite_and_opponents_sit_beside():
    class Noting:
        def __init__(self):
            self.seats = set()

        def act(self, turn):
            self.seats.add(int(turn.seat[0]))
            return turn.mask.argmax(1)

    for seat in range(4):
        partner, opponents = Noting(), Noting()
        env = gymnasium.make("laffa/tarneeb-koutchina-v0", partner=partner, opponents=opponents, seat=seat, episode="hand")
        env.reset(seed=1, options={"dealer": (seat + 2) % 4})
        env.step(act("pass"))
        assert partner.seats == {(seat + 2) % 4}
        assert opponents.seats == {(seat + 1) % 4, (seat + 3) % 4}


def test_steps_before_reset_and_after_the_end_are_refused():
    env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot", episode="hand")
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(52)
    observation, _ = env.reset(seed=1)
    over = False
    while not over:
        observation, _, over, _, _ = env.step(int(observation["action_mask"].argmax()))
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(52)
    env.reset()
    assert mask_of(env._game).any()


@pytest.mark.parametrize("action", [0, -1, 189, 1.0, None, True])
def test_an_illegal_action_changes_nothing(action):
    env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot")
    env.reset(seed=1)
    before = raw(env._game)
    with pytest.raises(IllegalAction, match="player_0 may not play action"):
        env.step(action)
    assert raw(env._game) == before


def test_an_illegal_action_can_end_the_episode_with_minus_one():
    env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot", illegal="terminate")
    env.reset(seed=1)
    _, reward, terminated, truncated, _ = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 4}, "seat = 4 is not possible; it takes a whole number from 0 to 3"),
        ({"partner": "hueristic"}, "there is no player 'hueristic' and no such file; the players are random, autopilot, heuristic"),
        ({"render_mode": "human"}, "render_mode = 'human' is not possible; it takes 'ansi'"),
    ],
)
def test_what_it_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SingleSeat(KOUTCHINA, **options)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7"])
def test_what_is_no_seed_is_refused_and_the_game_goes_on(seed):
    env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot")
    env.reset(seed=1)
    before = raw(env._game)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    assert raw(env._game) == before


def test_a_numpy_seed_is_a_seed():
    env = SingleSeat(KOUTCHINA, partner="random", opponents="autopilot")
    observation, _ = env.reset(seed=np.int64(7))
    np.testing.assert_equal(observation, env.reset(seed=7)[0])


def test_it_renders_what_the_seat_sees():
    env = gymnasium.make("laffa/tarneeb-koutchina-v0", partner="random", opponents="autopilot", seat=2, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    hands = env.unwrapped._game.snapshot()["hands"]
    assert text.count("?") == sum(len(hand) for seat, hand in enumerate(hands) if seat != 2)
    assert all(card in text for card in hands[2])
