"""The table as text: in every phase, before reset and after the end, on any terminal or none."""

import os
import subprocess
import sys

import pytest
from gymnasium.error import ResetNeeded

import laffa
from helpers import AGENTS, KOUTCHINA, finish_at_random, play, play_contract, positions, walk
from laffa.table import table

pytestmark = pytest.mark.env


@pytest.mark.trial("D31")
def test_ansi_returns_the_table_in_every_phase_and_after_the_end():
    env, phases = laffa.env(KOUTCHINA, render_mode="ansi", episode="hand"), set()
    env.reset(seed=1)
    for _ in walk(env, 1):
        text, view = env.render(), env.snapshot()
        phases.add(view["phase"])
        assert isinstance(text, str)
        assert f"phase {view['phase']}" in text
        assert all(card in text for hand in view["hands"] for card in hand)
        assert all(agent in text for agent in AGENTS)
        assert text.isascii()
    assert phases == {"bid", "trump", "play", "over"}


@pytest.mark.trial("D31")
def test_human_prints_what_ansi_returns(capsys):
    shown, printed = (laffa.env(KOUTCHINA, render_mode=mode) for mode in ("ansi", "human"))
    for env in (shown, printed):
        env.reset(seed=1)
        play(env, "bid 8", "pass", "pass", "pass", "trump D")
    assert printed.render() is None
    assert capsys.readouterr().out == shown.render() + "\n"


@pytest.mark.trial("D31")
def test_without_a_mode_rendering_warns_and_names_the_modes():
    env = laffa.env(KOUTCHINA)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="made without a render_mode; it can be ansi or human"):
        assert env.render() is None


@pytest.mark.trial("D31")
@pytest.mark.parametrize("mode", ["bogus", "rgb_array", "", 1, True])
def test_an_unknown_mode_is_refused_at_construction_with_the_list_of_modes(mode):
    with pytest.raises(ValueError, match=r"render_mode = .* is not possible; it takes 'ansi' or 'human'"):
        laffa.env(KOUTCHINA, render_mode=mode)


@pytest.mark.trial("D31")
@pytest.mark.parametrize("mode", [None, "ansi", "human"])
def test_rendering_before_reset_says_what_is_missing(mode):
    with pytest.raises(ResetNeeded, match=r"reset\(\) must be called before render\(\)"):
        laffa.env(KOUTCHINA, render_mode=mode).render()


def test_the_table_tells_score_contract_calls_and_trick():
    env = laffa.env(KOUTCHINA, render_mode="ansi")
    env.reset(seed=1, options={"dealer": 2, "scores": [24, -5], "hands_played": 4})
    play(env, "bid 8", "pass", "pass", "pass", "trump D")
    lead = env.snapshot()["hands"][3][0]
    play(env, lead)
    text = env.render()
    for words in (
        "24 to -5 after 4 hands, phase play",
        "dealer player_2; contract 8 by player_3, trumps D",
        "calls: 3: bid 8, 0: pass",
        f"table: 3: {lead}",
    ):
        assert words in text
    assert "> player_0" in text


@pytest.mark.parametrize(("scores", "words"), [([24, 0], "seats 0 and 2 won"), ([0, 0], "phase bid")])
def test_the_table_names_the_winner_once_there_is_one(scores, words):
    env = laffa.env(KOUTCHINA, render_mode="ansi")
    play_contract(env, 7, 7, declarer=0, scores=scores)
    assert words in env.render()


TURUB_TABLES = [
    ({}, "Arba'a Turub: nobody holds a win after 0 games, phase trump"),
    ({"scores": [40, 32], "hands_played": 2, "streak": {"team": 0, "mark": 20}}, "seats 0 and 2 hold a win with 20 tricks after 2 games, phase"),
    ({"scores": [32, 40], "hands_played": 2, "streak": {"team": 1, "mark": 22}}, "seats 1 and 3 hold a win with 22 tricks after 2 games, phase"),
]
"""Positions, and what decides the match: not the sum of tricks."""


@pytest.mark.parametrize(("position", "words"), TURUB_TABLES)
def test_where_wins_in_a_row_decide_the_table_tells_those(position, words):
    env = laffa.env("arbaa-turub", render_mode="ansi", max_hands=1)
    env.reset(seed=1, options=position)
    assert words in env.render()
    assert " to " not in env.render().splitlines()[0]
    finish_at_random(env)
    tricks = env.snapshot()["last_hand"]["tricks"]
    assert f"{tricks[0]} to {tricks[1]} in the last game after {env.snapshot()['hands_played']} games, phase over" in env.render()


def test_the_table_of_a_seat_shows_its_own_cards_only():
    for env in positions(9, 30):
        hands = env.snapshot()["hands"]
        for seat in range(4):
            text = table(env.rules, env._states[0], seat)
            own = next(line for line in text.splitlines() if f"player_{seat}  " in line)
            assert all(card in own for card in hands[seat])
            assert text.count("?") == sum(len(hand) for other, hand in enumerate(hands) if other != seat)
            lines = [line for line in text.splitlines() if line[2:].startswith("player_") and line != own]
            assert not any(card in line for line in lines for hand in hands for card in hand)


def test_rendering_changes_nothing():
    env = laffa.env(KOUTCHINA, render_mode="ansi")
    env.reset(seed=1)
    before = env._states.tobytes()
    assert env.render() == env.render()
    assert env._states.tobytes() == before
    finish_at_random(env)
    assert "won" in env.render()


SCRIPT = """
import laffa
for mode in ("human", "ansi"):
    env = laffa.env("tarneeb-koutchina", render_mode=mode, episode="hand")
    env.reset(seed=1)
    for agent in env.agent_iter():
        view, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(view["action_mask"].nonzero()[0][-1]))
        text = env.render()
        if mode == "ansi":
            print(text)
"""


@pytest.mark.trial("D31")
@pytest.mark.parametrize("language", [{"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "ascii"}])
def test_rendering_works_into_a_pipe_in_plain_ascii_without_a_display(language):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment |= {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "error::RuntimeWarning", **language}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    assert (done.returncode, b"Error" in done.stderr) == (0, False), done.stderr.decode()
    assert done.stdout.count(b"phase over") == 10
    assert done.stdout.isascii()
