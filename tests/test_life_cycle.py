"""From reset to the last agent's leave, copies and all that may go wrong on the way."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import laffa
from helpers import (
    AGENTS,
    KOUTCHINA,
    act,
    choose,
    drain,
    finish_at_random,
    hands_for,
    is_over,
    mask_of,
    play,
    play_contract,
    raw,
    seat_of,
    views,
    walk,
)

pytestmark = pytest.mark.env


@pytest.mark.trial("D01")
def test_a_whole_match_ends_for_all_four_at_once_and_then_each_leaves_once():
    env = laffa.env(KOUTCHINA)
    for seed in (1, 2):
        env.reset(seed=seed)
        left, rng = [], np.random.default_rng(seed)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            assert not truncated
            if terminated:
                assert all(env.terminations.values())
                left.append(agent)
                env.step(None)
            else:
                assert env.agents == AGENTS
                assert not any(env.terminations.values())
                env.step(choose(observation["action_mask"], rng))
        assert sorted(left) == AGENTS
        assert env.agents == []


@pytest.mark.trial("D02")
def test_after_every_step_everything_can_be_read_for_every_seat():
    env = laffa.env(KOUTCHINA, episode="hand", events=True)
    for seed in range(3):
        env.reset(seed=seed)
        for _ in walk(env, seed):
            for agent in AGENTS:
                assert env.observation_space(agent).contains(env.observe(agent))
                assert type(env.rewards[agent]) is float
                assert env.infos[agent] == {}
                assert type(env.terminations[agent]) is bool
                assert type(env.truncations[agent]) is bool
        assert is_over(env)
        assert env.num_agents == 4


@pytest.mark.trial("D02")
def test_what_the_seats_see_stays_readable_while_they_leave():
    env = laffa.env(KOUTCHINA, episode="hand")
    env.reset(seed=3)
    finish_at_random(env)
    final = views(env)
    for _ in range(4):
        env.step(None)
        np.testing.assert_equal(views(env), final)
        assert not any(view["action_mask"].any() for view in final.values())
    assert env.snapshot()["winner"] is None


@pytest.mark.trial("D06")
@pytest.mark.parametrize("declarer", range(4))
@pytest.mark.parametrize(("bid", "tricks", "own", "other"), [(8, 11, 8, 0), (9, 7, -9, 6), (13, 13, 13, 0)])
def test_rewards_reach_every_seat_whoever_is_to_act_at_the_end(declarer, bid, tricks, own, other):
    """The sum of what `last` shows, dead steps included, is what the hand's scores say."""
    env = laffa.env(KOUTCHINA, episode="hand")
    play_contract(env, bid, tricks, declarer)
    sums = [own - other if seat % 2 == declarer % 2 else other - own for seat in range(4)]
    assert [env.rewards[agent] for agent in AGENTS] == sums
    assert dict(drain(env)) == dict(zip(AGENTS, sums, strict=True))


@pytest.mark.trial("D06")
def test_rewards_shown_by_last_add_up_over_a_match_and_a_step_that_pays_nothing_shows_zeros():
    env, rng = laffa.env(KOUTCHINA, target=1000, hand_cap=6), np.random.default_rng(0)
    env.reset(seed=4)
    shown, paid, before = dict.fromkeys(AGENTS, 0.0), dict.fromkeys(AGENTS, 0.0), env.snapshot()["hands_played"]
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        shown[agent] += reward
        env.step(None if terminated else choose(observation["action_mask"], rng))
        if not terminated:
            paid = {seat: paid[seat] + env.rewards[seat] for seat in AGENTS}
            hands = env.snapshot()["hands_played"]
            assert any(env.rewards.values()) == (hands > before)
            before = hands
    scores = env.snapshot()["scores"]
    difference = scores[0] - scores[1]
    assert shown == paid == dict(zip(AGENTS, [difference, -difference] * 2, strict=True))
    assert env.snapshot()["hands_played"] == 6


@pytest.mark.trial("D06")
def test_rewards_wait_for_a_seat_that_is_not_to_act():
    env = laffa.env(KOUTCHINA)
    play_contract(env, 8, 11, 1)
    assert env.agent_selection == "player_2"
    for agent, own in zip(["player_2", "player_3", "player_0", "player_1"], [-8.0, 8.0, -8.0, 8.0], strict=True):
        assert env.agent_selection == agent
        assert env.last()[1] == own
        play(env, "pass")
        assert not any(env.rewards.values())
    env.step(act("pass"))
    assert env.last()[1] == 0.0


@pytest.mark.parametrize("name", ["step", "observe", "render", "state", "snapshot", "turn"])
def test_nothing_can_be_asked_before_the_first_reset(name):
    env = laffa.env(KOUTCHINA, render_mode="ansi")
    arguments = {"step": (0,), "observe": ("player_0",)}.get(name, ())
    with pytest.raises(ResetNeeded, match=f"reset\\(\\) must be called before {name}\\(\\)"):
        getattr(env, name)(*arguments)


@pytest.mark.parametrize("ask", [lambda env: env.last(), lambda env: list(env.agent_iter())], ids=["last", "agent_iter"])
def test_neither_last_nor_agent_iter_works_before_the_first_reset(ask):
    with pytest.raises(ResetNeeded, match=r"reset\(\) must be called before"):
        ask(laffa.env(KOUTCHINA))


@pytest.mark.trial("D01")
def test_a_seat_that_is_done_can_only_leave():
    env = laffa.env(KOUTCHINA, episode="hand")
    env.reset(seed=1)
    finish_at_random(env)
    before = raw(env)
    for action in (3, 0, act("pass"), np.int64(3)):
        with pytest.raises(ValueError, match="player_0 is done, so the only action left is None"):
            env.step(action)
    assert (raw(env), env.agents) == (before, AGENTS)
    assert len(drain(env)) == 4
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(None)
    with pytest.raises(ResetNeeded, match="reset"):
        env.turn()


def test_an_unknown_agent_is_refused_by_name():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no agent 'player_4'; the agents are player_0, player_1, player_2, player_3"):
        env.observe("player_4")


@pytest.mark.trial("D01")
@pytest.mark.parametrize("moment", [0, 5, 30, 10_000])
def test_reset_on_the_same_object_gives_the_same_full_game_as_a_new_object(moment):
    used, new = laffa.env(KOUTCHINA, episode="hand"), laffa.env(KOUTCHINA, episode="hand")
    used.reset(seed=1)
    for _ in walk(used, 1, limit=moment):
        pass
    for env in (used, new):
        env.reset(seed=2)
    assert raw(used) == raw(new)
    assert used.agents == AGENTS
    assert not any(used._cumulative_rewards.values())
    for one, other in zip(walk(used, 2), walk(new, 2), strict=True):
        assert raw(one) == raw(other)
        assert one.last()[1:] == other.last()[1:]
    assert drain(used) == drain(new)


@pytest.mark.trial("D01", "D06")
def test_a_game_that_an_illegal_action_ends_costs_its_seat_one_and_the_others_nothing():
    env = laffa.env(KOUTCHINA, illegal="terminate")
    env.reset(seed=1)
    play(env, "pass")
    culprit, before = env.agent_selection, raw(env)
    env.step(act("AS"))
    assert raw(env) == before
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.rewards == dict.fromkeys(AGENTS, 0.0) | {culprit: -1.0}
    assert env.infos[culprit]["illegal_action"].startswith(f"{culprit} may not play action {act('AS')} (AS) in phase 'bid'")
    assert not any(env.observe(agent)["action_mask"].any() for agent in AGENTS)
    assert dict(drain(env)) == dict.fromkeys(AGENTS, 0.0) | {culprit: -1.0}
    env.reset()
    assert env.infos == {agent: {} for agent in AGENTS}
    assert mask_of(env).any()


@pytest.mark.parametrize("action", [None, -1, 189, 1.0, True, np.array([52])])
def test_anything_that_is_no_action_ends_the_game_too(action):
    env = laffa.env(KOUTCHINA, illegal="terminate")
    env.reset(seed=1)
    culprit = env.agent_selection
    env.step(action)
    assert env.rewards[culprit] == -1.0
    assert len(drain(env)) == 4


@pytest.mark.trial("D06")
def test_rewards_earned_before_an_illegal_action_are_not_lost():
    env = laffa.env(KOUTCHINA, illegal="terminate")
    play_contract(env, 8, 11, 1)
    env.step(act("AS"))
    assert dict(drain(env)) == {"player_0": -8.0, "player_1": 8.0, "player_2": -1.0, "player_3": 8.0}


@pytest.mark.trial("D01")
@pytest.mark.parametrize("limit", [1, 3])
def test_max_hands_truncates_everybody_without_a_winner(limit):
    for reward in ("score", "outcome"):
        env = laffa.env(KOUTCHINA, max_hands=limit, target=1000, reward=reward)
        env.reset(seed=2, options={"hands_played": 10})
        finish_at_random(env)
        view = env.snapshot()
        assert all(env.truncations.values())
        assert not any(env.terminations.values())
        assert (view["hands_played"], view["winner"], view["phase"], view["turn"]) == (10 + limit, None, "over", None)
        if reward == "outcome":
            assert not any(env.rewards.values())
        assert [agent for agent, _ in drain(env)] == AGENTS


def test_a_match_that_ends_with_the_last_allowed_hand_is_terminated_and_nothing_else():
    env = laffa.env(KOUTCHINA, max_hands=1)
    play_contract(env, 7, 7, 1, scores=[0, 24])
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.snapshot()["winner"] == 1


def test_an_episode_of_one_hand_ends_with_the_first_counted_hand_only():
    env = laffa.env(KOUTCHINA, episode="hand")
    env.reset(seed=1, options={"dealer": 3})
    play(env, *["pass"] * 4)
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())
    assert env.snapshot()["dealer"] == 0
    play_contract(env, 9, 7, 1)
    view = env.snapshot()
    assert all(env.terminations.values())
    assert (view["phase"], view["winner"], view["hands"], len(view["tricks"])) == ("over", None, [[]] * 4, 13)
    assert view["scores"] == [6, -9]


def test_an_episode_of_one_hand_names_the_winner_if_the_match_ended_too():
    env = laffa.env(KOUTCHINA, episode="hand")
    play_contract(env, 8, 8, 2, scores=[23, 0])
    assert env.snapshot()["winner"] == 0


@pytest.mark.parametrize(("scores", "episode", "expected"), [([0, 30], "match", 1), ([0, 0], "hand", 1), ([0, 0], "match", 0)])
def test_outcome_pays_the_sign_at_the_end_and_nothing_before(scores, episode, expected):
    env = laffa.env(KOUTCHINA, reward="outcome", episode=episode)
    play_contract(env, 8, 11, 1, scores=scores)
    assert [env.rewards[agent] for agent in AGENTS] == [-expected, expected] * 2
    assert is_over(env) == (expected == 1)


def test_the_selected_agent_is_always_the_seat_to_act():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=8, options={"dealer": 1, "hands": hands_for(7, 2)})
    for _ in walk(env, 8, limit=300):
        assert seat_of(env.agent_selection) == env.snapshot()["turn"] == env.turn().seat[0]
