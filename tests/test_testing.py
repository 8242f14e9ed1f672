"""One call checks a variant, shipped or of one's own, and each kind of check fails on a fault of its kind."""

import copy
import secrets
from pathlib import Path

import numpy as np
import pytest

import laffa
from laffa import aec, layout
from laffa import batch as batches
from laffa.aec import CardGame
from laffa.testing import CHECKS, CheckFailed, check
from referees import make_referee

pytestmark = pytest.mark.env

KOUTCHINA = "tarneeb-koutchina"


@pytest.mark.trial("D03", "D05", "D06", "D11", "D15", "D17")
@pytest.mark.parametrize("variant", laffa.variants())
def test_every_variant_passes_and_agrees_with_its_referee(variant):
    report = check(variant, seed=3, referee=make_referee)
    assert set(report.checks) == {*CHECKS, "referee"}
    assert all(report.checks.values())
    assert report.decisions > 1_000


OWN = """
title = "Tarneeb with a short ladder, without a cap"
[rules]
bid_min = 5
bid_max = 9
auction = "final_pass"
target = 200
hand_cap = "none"
all_pass_cap = "none"
"""


def test_rules_of_ones_own_can_be_checked_from_a_file_or_as_rules(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(OWN)
    report = check(path)
    assert (report.variant, report.seed, report.matches, list(report.checks)) == ("mine", 0, 1, list(CHECKS))
    assert str(report).splitlines()[0] == f"mine: all of {len(CHECKS)} checks passed, {report.decisions} decisions from seed 0 on"
    assert f"  masks       {report.checks['masks']:>8} decisions" in str(report).splitlines()
    assert check(laffa.load(path), only=["layout"], matches=2).checks == {"layout": 40}


def test_the_same_seed_checks_the_same_decisions_and_more_matches_check_more():
    quick = ["masks", "termination", "rewards"]
    assert check("turup", seed=4, only=quick) == check("turup", seed=4, only=quick)
    once, twice = (check("turup", matches=matches, only=quick).checks for matches in (1, 2))
    assert all(twice[name] > once[name] for name in quick)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variant": "tarneeb-koutschina"}, "there is no variant 'tarneeb-koutschina'"),
        ({"only": ["mask"]}, "there is no check 'mask'; the checks are masks, termination, rewards"),
        ({"matches": 0}, "matches = 0 is not possible"),
        ({"seed": -1}, "seed = -1 is not possible"),
    ],
)
def test_what_cannot_be_checked_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        check(**{"variant": KOUTCHINA, **arguments})


def after(owner, name, change):
    """A fault: `change(result, *arguments)` follows every call of a function, and gives what that returns."""

    def plant(monkeypatch):
        original = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *args: change(original(*args), *args))

    return plant


def instead(owner, name, change):
    """A fault: `change(original, *arguments)` takes the place of a function."""

    def plant(monkeypatch):
        original = getattr(owner, name, None)
        monkeypatch.setattr(owner, name, lambda *args: change(original, *args), raising=False)

    return plant


def allow_too_much(_, r, states, seat, live, obs, mask):
    mask[mask.argmin()] = mask.any()


def allow_too_little(_, r, states, seat, live, obs, mask):
    mask[mask.argmax()] = mask.sum() == 1


def allow_out_of_turn(_, r, states, seat, live, obs, mask):
    mask[0] |= not mask.any()


def allow_nothing(_, r, states, seat, live, obs, mask):
    mask[:] = 0


def move_before_refusing(original, env, action):
    env._states["public"]["passes"] ^= 1
    original(env, action)


def play_instead_of_refusing(original, env, action):
    env._cumulative_rewards[env.agent_selection] = 0.0


def truncate_for_terminate(_, env):
    env.terminations, env.truncations = env.truncations, env.terminations


def never_end(original, env):
    env.reset()


def end_without_leaving(original, env, action):
    env.agent_selection = env.agents[0]


def wrong_sign(_, env, event):
    env.rewards = {agent: -reward for agent, reward in env.rewards.items()}


def more_than_there_is(_, env, event):
    env.rewards = {agent: abs(reward) for agent, reward in env.rewards.items()}


def paid_every_step(original, env, event):
    if event:
        original(env, event)


def shown_twice(_, env, event):
    for agent, reward in env.rewards.items():
        env._cumulative_rewards[agent] += reward


def without_seed(original, rules, states, seed, position):
    original(rules, states, secrets.randbits(60), position)


def remember_the_last_game(original, rules, states, seed, position):
    scores = states["public"]["last"]["scores"].copy()
    original(rules, states, seed, position)
    states["public"]["last"]["scores"] = scores + 1


def share_the_state(original, env, memo):
    twin = copy.copy(env)
    twin.rewards = dict(env.rewards)
    return twin


def forget_what_was_paid(_, env, state):
    env._cumulative_rewards = dict.fromkeys(env.possible_agents, 0.0)


def another_observation_in_batches(_, r, states, actions, episode, max_hands, outcome, paid, shown, number, marks):
    shown[1][:, 0] ^= 1


def another_reward_in_batches(_, r, states, actions, episode, max_hands, outcome, paid, shown, number, marks):
    paid[0][:] *= 2


def a_gap(monkeypatch):
    hand, *rest = layout.OBSERVATION
    monkeypatch.setattr(layout, "OBSERVATION", (hand._replace(size=51), *rest))


def an_overlap(monkeypatch):
    hand, played, *rest = layout.OBSERVATION
    monkeypatch.setattr(layout, "OBSERVATION", (hand, played._replace(offset=51, size=209), *rest))


def a_wrong_number(_, r, states, seat, live, obs, mask):
    obs[52] += 1


def of_another_type(view, env, agent):
    return view | {"observation": view["observation"].astype(np.int16)}


def shown_the_next_hand(_, r, states, seat, live, obs, mask):
    obs[:52] = states[0]["hands"][(seat + 1) % 4]


def told_the_next_hand(_, env, action):
    env.infos = {agent: {"next": env.snapshot()["hands"][(seat + 1) % 4]} for seat, agent in enumerate(env.possible_agents)}


FAULTS = [
    ("masks", after(aec, "_observe", allow_too_much), r"the mask of player_\d allows action 0 \(2S\), which is refused"),
    ("masks", after(aec, "_observe", allow_too_little), r"action 52 \(pass\) is outside the mask and is played all the same"),
    ("masks", after(aec, "_observe", allow_out_of_turn), r"player_\d is not to act, and its mask allows something"),
    ("masks", after(aec, "_observe", allow_nothing), r"player_\d is to act, and its mask allows nothing"),
    ("masks", instead(CardGame, "_refuse", move_before_refusing), "action -1 is refused and changes something all the same"),
    ("masks", instead(CardGame, "_refuse", play_instead_of_refusing), "action -1 is outside the mask and is played all the same"),
    ("masks", instead(CardGame, "__deepcopy__", share_the_state), "played in a copy changes the original"),
    (
        "termination",
        after(CardGame, "_end", lambda _, env: env.terminations.update(player_3=False)),
        r"terminated is \[True, True, True, False\] and should be True for all",
    ),
    ("termination", after(CardGame, "_end", truncate_for_terminate), r"terminated is .* and should be"),
    ("termination", instead(CardGame, "_end", never_end), "the match has not ended after 20000 decisions"),
    ("termination", instead(CardGame, "_step_dead", end_without_leaving), "after the end the agents left in the order"),
    ("rewards", after(CardGame, "_pay", wrong_sign), r"seats 0 and 2 are paid -?\d+, and -?\d+ is due to them"),
    ("rewards", after(CardGame, "_pay", lambda _, env, event: env.rewards.update(player_2=0.0)), "partners are not paid alike"),
    ("rewards", after(CardGame, "_pay", more_than_there_is), "what one side gets is not what the other loses"),
    ("rewards", instead(CardGame, "_pay", paid_every_step), r"seats 0 and 2 are paid -?\d+, and 0 is due to them"),
    ("rewards", after(CardGame, "_pay", shown_twice), r"last\(\) has shown rewards of"),
    ("seeding", instead(aec, "set_up", without_seed), "the same seed and the same actions give another game"),
    ("seeding", instead(aec, "set_up", lambda set_up, rules, states, _, position: set_up(rules, states, 0, position)), "are dealt the same cards"),
    ("seeding", instead(aec, "set_up", remember_the_last_game), "the same seed and the same actions give another game"),
    ("copies", instead(CardGame, "__deepcopy__", share_the_state), "playing on in a copy by deepcopy changes its original"),
    ("copies", after(CardGame, "__setstate__", forget_what_was_paid), "a copy by deepcopy differs from its original"),
    ("batches", after(batches, "advance", another_observation_in_batches), "show different numbers as observation"),
    ("batches", after(batches, "advance", another_reward_in_batches), r"the environment pays .*, a batch of one "),
    (
        "batches",
        instead(batches, "start", lambda start, r, states, seed, first: start(r, states, seed, 0)),
        "game 63 of a batch of 64 is another than the same game alone",
    ),
    ("layout", a_gap, "number 51 of a view belongs to no piece"),
    ("layout", an_overlap, "number 51 of a view belongs to hand and played"),
    ("layout", after(aec, "_observe", a_wrong_number), "piece 'played' of the observation of player_0 is"),
    ("layout", after(CardGame, "observe", of_another_type), "what player_0 is shown as observation is outside its space"),
    ("leaks", after(aec, "_observe", shown_the_next_hand), "what player_0 is shown depends on cards that it cannot know, by: observation"),
    ("leaks", after(CardGame, "step", told_the_next_hand), "what player_0 is shown depends on cards that it cannot know, by: step"),
    (
        "api",
        after(CardGame, "observation_space", lambda space, *_: copy.deepcopy(space)),
        "AssertionError: observation_space should return the exact",
    ),
    ("api", after(CardGame, "observe", of_another_type), "AssertionError: "),
]
"""The check that a fault is for, the fault, and what the check says."""


@pytest.mark.parametrize(("name", "plant", "words"), FAULTS)
def test_each_check_fails_on_a_fault_of_its_kind(monkeypatch, name, plant, words):
    plant(monkeypatch)
    with pytest.raises(CheckFailed, match=rf"^{KOUTCHINA}, check '{name}': .*{words}.* \(seed \d+, step \d+\)$") as error:
        check(KOUTCHINA, only=[name], seed=2)
    assert isinstance(error.value, AssertionError)
    assert "\n" not in str(error.value)


def test_every_check_has_a_fault():
    assert {name for name, _, _ in FAULTS} == set(CHECKS)


def by_other_rules(**change):
    return lambda rules, deals, dealer: make_referee(laffa.load(rules, **change), deals, dealer)


def who_pays_double(rules, deals, dealer):
    referee = make_referee(rules, deals, dealer)
    step = referee.step
    referee.step = lambda text: [2 * pay for pay in step(text)]
    return referee


def who_forgets_the_score(rules, deals, dealer):
    referee = make_referee(rules, deals, dealer)
    snapshot = referee.snapshot
    referee.snapshot = lambda: snapshot() | {"scores": [0, 0]}
    return referee


@pytest.mark.parametrize(
    ("referee", "words"),
    [
        (by_other_rules(bid_min=8), "legal are pass, bid 7, bid 8.*, and pass, bid 8.* by the referee"),
        (by_other_rules(hand_cap=2), r"player_\d is to act, and player_None by the referee"),
        (who_pays_double, r"'..' pays \[.*\], and \[.*\] by the referee"),
        (who_forgets_the_score, r"the state is another than the referee's: scores is \[.*\], not \[0, 0\]"),
    ],
)
def test_a_referee_that_does_not_agree_is_heard(referee, words):
    with pytest.raises(CheckFailed, match=rf"^{KOUTCHINA}, check 'referee': {words} \(seed \d+, step \d+\)$"):
        check(KOUTCHINA, only=[], referee=referee)


def test_the_page_shows_what_a_failure_says(monkeypatch):
    page = Path(__file__).resolve().parents[1] / "docs" / "testing.md"
    after(aec, "_observe", allow_too_much)(monkeypatch)
    with pytest.raises(CheckFailed) as error:
        check(KOUTCHINA)
    assert f"```text\n{error.value}\n```" in page.read_text(encoding="utf-8")
    assert [line.split("`")[1] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")] == list(CHECKS)
