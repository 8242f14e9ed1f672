"""Games at the terminal: played, watched, recorded and shown again."""

import json
import re

import pytest

from command_line import run


@pytest.mark.parametrize("text", ["", "quit\n", "pass\nEXIT\n", "\n\nnonsense\n99\nq\n"])
def test_play_can_be_left_at_any_prompt(text, tmp_path):
    done = run("play", "--opponents", "random", cwd=tmp_path, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert "You left the game." in done.stdout


def test_a_hand_is_played_to_its_end_and_shows_no_hidden_card(tmp_path):
    # What does not fit a phase is asked for again, so this plays any hand: pass, spades if asked, the first legal card.
    answers = "0\ns\n1\n" * 200
    others = ("--partner", "random", "--opponents", "random")
    done = run("play", "--seat", 2, *others, "--episode", "hand", "--save", "g.json", cwd=tmp_path, text=answers)
    assert done.returncode == 0, done.stderr
    assert "hand 1: " in done.stdout
    for line in re.findall(r"^. player_[013]  (.*)$", done.stdout, re.MULTILINE):
        assert set(line) <= {"?", " "}
    assert run("replay", "g.json", cwd=tmp_path).returncode == 0


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A hand that was watched: what was printed, and the recording."""
    folder = tmp_path_factory.mktemp("recorded")
    done = run("watch", "random", "autopilot", "--seed", 5, "--save", "game.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads((folder / "game.json").read_text())


def test_a_recording_shows_the_same_game_again(recorded, tmp_path):
    shown, record = recorded
    (tmp_path / "game.json").write_text(json.dumps(record))
    done = run("replay", "game.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line] == [line for line in shown.splitlines() if line]
    assert f"player_{record['actions'][0][0]}: {record['actions'][0][1]}" in done.stdout


OTHERS = [
    ("tarabish", 1, r"hand 1: .*, tricks \d to \d, points \d+ to \d+; the match stands \d+ to \d+"),
    ("arbaa-turub-signals", 2, r"game 1: tricks \d+ to \d+; seats [01] and [23] hold a win with \d+ tricks"),
]
"""Variants of other families, hands of them, and how one reads once the next is dealt; of the second a match is decided by wins in a row."""


@pytest.mark.parametrize(("variant", "hands", "line"), OTHERS)
def test_a_game_of_another_family_is_watched_recorded_and_shown_again(variant, hands, line, tmp_path):
    done = run("watch", "random", "--variant", variant, "--hands", hands, "--seed", 3, "--save", "game.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(f"^{line}$", done.stdout, re.MULTILINE)
    again = run("replay", "game.json", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert [line for line in again.stdout.splitlines() if line] == [line for line in done.stdout.splitlines() if line]


SPOILS = {
    "an illegal action": (lambda r: r["actions"].__setitem__(0, [r["actions"][0][0], "AS"]), "action 0"),
    "no action at all": (lambda r: r["actions"].__setitem__(2, [r["actions"][2][0], "dance"]), "'dance'"),
    "the wrong seat": (lambda r: r["actions"][1].__setitem__(0, 9), "turn"),
    "an entry that is none": (lambda r: r["actions"].append("AS"), "'AS'"),
    "too many actions": (lambda r: r["actions"].append([0, "pass"]), "over"),
    "other cards": (lambda r: r["deals"][0][0].reverse(), "cards"),
    "a deal too many": (lambda r: r["deals"].append(r["deals"][0]), "cards"),
    "another version": (lambda r: r.update(version=99), "version"),
    "an unknown option": (lambda r: r["options"].update(speed=1), "other rules"),
    "an unknown variant": (lambda r: r.update(variant="bridge"), "'bridge'"),
    "an impossible seed": (lambda r: r.update(seed=-1), "seed"),
    "a missing key": (lambda r: r.pop("seed"), "seed"),
    "a wrong type": (lambda r: r.update(actions="all"), "actions"),
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_false_recording_is_refused_before_anything_is_shown(spoil, recorded, tmp_path, capsys):
    from laffa_train.cli import run as run_here

    change, word = SPOILS[spoil]
    record = json.loads(json.dumps(recorded[1]))
    change(record)
    path = tmp_path / "false.json"
    path.write_text(json.dumps(record))
    assert run_here(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert word in err
