"""The command line as its users meet it: through a process of its own, with pipes and without a terminal."""

import json
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import numpy as np
import pytest

import laffa
from command_line import ENVIRONMENT, PROGRAM, one_object, run

VARIANT = "tarneeb-koutchina"
WITHOUT_EXTRA = """
import sys
sys.modules.update(dict.fromkeys(["torch", "safetensors", "matplotlib", "tensorboard"]))
sys.argv = ["laffa", *{arguments!r}]
from laffa_train.cli import main
main()
"""

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="needs the training extra")


def test_variants_are_those_of_the_package(tmp_path):
    done = run("variants", cwd=tmp_path)
    assert done.returncode == 0
    assert all(name in done.stdout for name in laffa.variants())
    assert done.stderr == ""


def test_rules_are_sentences_and_options_with_what_was_set(tmp_path):
    done = run("rules", VARIANT, "--set", "target=41", "--set", "hand_cap=none", cwd=tmp_path)
    assert done.returncode == 0
    assert "The first side to reach 41 wins" in done.stdout
    assert "counted hands the better score wins" not in done.stdout
    assert all(name in done.stdout for name in laffa.load(VARIANT).options)


def test_rules_mark_what_differs_from_the_family_and_take_a_file(tmp_path):
    lines = run("rules", "tarneeb-italian41", cwd=tmp_path).stdout.splitlines()
    assert any(line.startswith("* A player who passed is out of the auction") for line in lines)
    assert any(line.startswith("- Follow suit if you can") for line in lines)
    assert any(line.split()[:3] == ["*", "target", "41"] for line in lines)
    assert any(line.split()[:2] == ["hand_cap", "50"] for line in lines)
    (tmp_path / "mine.toml").write_text("title = 'Our table'\n[rules]\ndefenders_on_made = 'actual'\n")
    done = run("rules", "mine.toml", "--set", "defenders_on_made=none", cwd=tmp_path)
    assert done.stdout.startswith("Our table\n")
    assert "the defenders score nothing" in done.stdout
    hand = run("watch", "random", "--variant", "mine.toml", "--save", "g.json", cwd=tmp_path)
    again = run("replay", "g.json", cwd=tmp_path)
    assert (hand.returncode, again.returncode) == (0, 0)
    assert [line for line in again.stdout.splitlines() if line] == [line for line in hand.stdout.splitlines() if line]


def test_version_and_help(tmp_path):
    assert run("--version", cwd=tmp_path).stdout == f"laffa {laffa.__version__}\n"
    helped = run("eval", "--help", cwd=tmp_path)
    assert (helped.returncode, helped.stderr) == (0, "")
    assert "--against" in helped.stdout
    bare = run(cwd=tmp_path)
    assert (bare.returncode, bare.stdout) == (2, "")
    assert "Commands:" in bare.stderr


WRONG_USE = [
    (["evil"], "evil"),
    (["variants", "--bogus"], "--bogus"),
    (["rules"], "VARIANT"),
    (["rules", "tarneeb-kutchina"], "did you mean 'tarneeb-koutchina'"),
    (["rules", VARIANT, "--set", "targt=41"], "did you mean 'target'"),
    (["rules", VARIANT, "--set", "target=0"], "a whole number from 1 to 1000"),
    (["rules", VARIANT, "--set", "target=4x"], "'4x'"),
    (["rules", VARIANT, "--set", "target"], "NAME=VALUE"),
    (["rules", VARIANT, "--set", "bid_min=12", "--set", "bid_max=8"], "bid_min = 12 is above bid_max = 8"),
    (["eval", "random"], "--against"),
    (["eval", "nobody", "--against", "random"], "'nobody'"),
    (["eval", "random", "--against", "random", "nobody"], "'nobody'"),
    (["eval", "random", "--against", "random", "--deals", "1"], "--deals = 1"),
    (["eval", "random", "--against", "random", "--deals", "many"], "--deals"),
    (["eval", "random", "--against", "random", "--matches", "-1"], "--matches = -1"),
    (["eval", "random", "--against", "random", "--seed", "-1"], "seed = -1"),
    (["eval", "random", "--against", "random", "--seed", str(2**62)], "seed = "),
    (["eval", "random", "--against", "random", "--out", "noise.bin"], "noise.bin"),
    (["eval", "random", "--against", "random", "--out", "noise.bin/deeper"], "noise.bin"),
    (["play", "--seat", "4"], "--seat = 4"),
    (["play", "--partner", "nobody"], "'nobody'"),
    (["play", "--episode", "game"], "'match' or 'hand'"),
    (["play", "--seed", str(2**63)], "seed = "),
    (["watch", "random", "random", "random"], "3 players"),
    (["watch", "--hands", "-1"], "--hands = -1"),
    (["watch", "--delay", "nan"], "--delay"),
    (["replay"], "FILE.json"),
    (["replay", "missing.json"], "missing.json: No such file"),
    (["replay", "noise.bin"], "noise.bin is not a recorded game"),
    (["replay", "other.json"], "other.json is not a recorded game"),
    (["bench", "--only", "sleep"], "'sleep'"),
    (["bench", "--cores", "0"], "--cores = 0"),
    (["bench", "--runs", "0"], "--runs = 0"),
    (["bench", "--peers", "--only", "batch"], "'batch'"),
    (["bench", "--peers", "--cores", "2"], "--cores = 2"),
    (["bench", "--peers", "--scaling"], "--scaling"),
    (["bench", "--scaling", "--only", "aec"], "--only aec"),
    (["bench", "--scaling", "--out", "noise.bin"], "noise.bin"),
    (["train"], "CONFIG"),
    (["train", "missing.toml"], "missing.toml"),
    (["train", "noise.bin"], "noise.bin"),
    (["train", "good.toml", "--set", "learning_rate=1"], "learning_rate"),
    (["train", "good.toml", "--set", "lr=fast"], "'fast'"),
    (["train", "good.toml", "--set", "rules.target=0"], "target"),
    (["train", "good.toml", "--minutes", "-1"], "minutes"),
    (["train", "good.toml", "--device", "tpu"], "'tpu'"),
    (["train", "good.toml", "--seed", "-1"], "seed"),
    (["train", "good.toml", "--eval-deals", "1"], "--eval-deals = 1"),
]


@pytest.mark.parametrize(("arguments", "word"), WRONG_USE, ids=[" ".join(arguments)[:60] for arguments, _ in WRONG_USE])
def test_wrong_use_is_one_sentence_and_leaves_nothing(arguments, word, tmp_path, monkeypatch, capfd):
    from laffa_train import cli

    (tmp_path / "noise.bin").write_bytes(bytes(range(128, 256)))
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "good.toml").write_text("decisions = 64\n")
    before = sorted(tmp_path.iterdir())
    if WRONG_USE.index((arguments, word)) % 2:  # every other one in this process, which saves a second of imports each
        monkeypatch.chdir(tmp_path)
        status = cli.run(arguments)
        out, err = capfd.readouterr()
    else:
        done = run(*arguments, cwd=tmp_path)
        status, out, err = done.returncode, done.stdout, done.stderr
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("laffa")
    assert word in err
    assert sorted(tmp_path.iterdir()) == before


def test_a_bug_keeps_its_traceback(monkeypatch):
    from laffa_train import cli

    monkeypatch.setattr(cli, "load_rules", lambda *_: np.zeros(2) + np.zeros(3))
    with pytest.raises(ValueError, match="broadcast"):
        cli.run(["rules", VARIANT])


@pytest.mark.trial("D26")
@needs_torch
@pytest.mark.parametrize("name", ["noise.safetensors", "pickle.pt", "folder"])
def test_what_is_no_checkpoint_is_refused_and_never_run(name, tmp_path):
    (tmp_path / "noise.safetensors").write_bytes(b"\xff" * 64)
    (tmp_path / "pickle.pt").write_bytes(b"cos\nsystem\n(S'touch marker'\ntR.")
    (tmp_path / "folder").mkdir()
    done = run("eval", name, "--against", "random", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert name in done.stderr
    assert not (tmp_path / "marker").exists()


@pytest.mark.trial("D24")
def test_eval_prints_one_object_and_writes_the_same(tmp_path):
    arguments = ("eval", "random", "--against", "autopilot", "heuristic", "--deals", 30, "--matches", 5, "--seed", 3, "--out", "out")
    done = run(*arguments, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = one_object(done.stdout)
    assert data["seed"] == 3
    assert [pair["b"] for pair in data["pairs"]] == ["autopilot", "heuristic"]
    keys = {"a", "b", "variant", "episode", "deals", "mean", "low", "high", "win_rate", "contracts_made", "average_bid", "matches"}
    assert all(pair.keys() >= keys for pair in data["pairs"])
    assert data["pairs"][0]["low"] <= data["pairs"][0]["mean"] <= data["pairs"][0]["high"] < 0
    [written] = (tmp_path / "out").glob("*.json")
    assert json.loads(written.read_text()) == data
    assert "against" in done.stderr


def test_eval_without_json_prints_a_table(tmp_path):
    done = run("eval", "random", "--against", "autopilot", "--deals", 10, "--matches", 0, "--set", "bid_max=7", cwd=tmp_path)
    assert done.returncode == 0
    assert "autopilot" in done.stdout
    assert " 7.0 : -" in done.stdout
    assert list((tmp_path / "results").glob("*.json"))


def test_eval_stopped_by_ctrl_c_says_so_and_writes_nothing(tmp_path):
    arguments = [*PROGRAM, "eval", "random", "--against", "random", "--deals", "1000000", "--out", "out"]
    process = subprocess.Popen(
        arguments,
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - a test run in the background ignores it, and so would its child
    )
    while not (tmp_path / "out").exists():
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "laffa: stopped\n")
    assert list((tmp_path / "out").iterdir()) == []


def test_bench_prints_one_object(tmp_path):
    done = run("bench", "--only", "playout", "--runs", 1, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [result] = one_object(done.stdout)["results"]
    assert (result["name"], result["variant"], result["cores"]) == ("playout", VARIANT, 1)
    assert result["decisions_per_s"] > 10_000


def test_a_reader_who_leaves_ends_the_command_quietly(tmp_path):
    arguments = [*PROGRAM, "watch", "random", "--hands", "0"]
    process = subprocess.Popen(arguments, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == ""


@pytest.mark.trial("D31")
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_old_encodings_do_not_end_a_command(encoding, tmp_path):
    old = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    done = run("eval", "random", "--against", "random", "--deals", 4, cwd=tmp_path, **old)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "+0.00" in done.stdout


DISPLAYS = [["rules", "tarabish"], ["watch", "random", "--variant", "arbaa-turub-signals"], ["play", "--opponents", "random"]]


@pytest.mark.trial("D31")
@pytest.mark.parametrize("arguments", DISPLAYS, ids=" ".join)
def test_what_commands_show_can_be_read_in_the_c_locale_without_a_display(arguments, tmp_path):
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = run(*arguments, cwd=tmp_path, text="quit\n", **plain)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout) > 100
    assert done.stdout.isascii()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["variants"], 0),
        (["watch", "random"], 0),
        (["eval", "random", "--against", "autopilot", "--deals", "4", "--json"], 0),
        (["train", "good.toml"], 2),
        (["eval", "some.safetensors", "--against", "autopilot"], 2),
    ],
)
def test_only_training_and_checkpoints_need_the_training_extra(arguments, status, tmp_path):
    (tmp_path / "good.toml").write_text("decisions = 64\n")
    (tmp_path / "some.safetensors").write_bytes(b"")
    code = WITHOUT_EXTRA.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == status, done.stderr
    if status:
        assert "pip install 'laffa[train]'" in done.stderr
        assert done.stderr.count("\n") == 1
    assert not list(tmp_path.rglob("*.png"))


@pytest.mark.trial("D30")
@needs_torch
def test_training_ends_with_an_evaluation_and_can_be_resumed_but_not_overwritten(tmp_path):
    small = "games = 16\nsteps = 16\ndecisions = 512\nwidth = 16\nlayers = 1\nminibatch = 128\neval_minutes = 'none'\nthreads = 1\n"
    (tmp_path / "small.toml").write_text(small)
    arguments = ("train", "small.toml", "--run-dir", "run", "--eval-deals", 4, "--json")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = one_object(done.stdout)
    assert data["decisions"] == 512
    assert [pair["b"] for pair in data["evaluation"]] == laffa.players.names()
    assert "laffa eval run/policy.safetensors" in done.stderr
    folder = tmp_path / "run"
    assert {"evaluation.json", "learning_curve.png", "policy.safetensors", "config.toml", "metrics.jsonl"} <= {path.name for path in folder.iterdir()}

    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    again = run(*arguments, cwd=tmp_path)
    assert (again.returncode, again.stdout, again.stderr.count("\n")) == (2, "", 1)
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before

    more = run("train", "run/config.toml", "--resume", "--set", "decisions=1024", "--eval-deals", 0, "--json", cwd=tmp_path)
    assert more.returncode == 0, more.stderr
    assert one_object(more.stdout)["decisions"] == 1024


def test_the_library_too_names_the_training_extra_where_torch_is_missing(tmp_path):
    (tmp_path / "policy.safetensors").write_bytes(b"any file")
    code = "import sys; sys.modules['torch'] = None; import laffa; laffa.players.make('policy.safetensors', 'tarneeb-koutchina')"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr.splitlines()[-1] == (
        "ValueError: policy.safetensors: playing from a checkpoint needs torch; pip install 'laffa[train]' brings it"
    )
