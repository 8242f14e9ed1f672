"""Ours beside others: who is here is measured by turns, who is not is named, and a failure is a sentence."""

import statistics
import sys

import pytest

from command_line import one_object
from laffa_train import bench, beside, cli, idle, loops, peers
from laffa_train.peers import PEERS, Peer

VARIANT = "tarneeb-koutchina"

COLVER = """
print("a peer may print what it likes")

class Env:
    def reset(self):
        self.left = 36
        return [0.0], [1, 2, 3]

    def phase(self):
        return 0 if self.left > 32 else 1

    def step(self, action):
        assert action in (1, 2, 3)
        self.left -= 1
        return [0.0], 0.0, self.left == 0, [1, 2, 3]

    def rollout(self, n):
        assert self.left in (32, 36)
        sum(range(10 * n))
        return 0.0, 0.0
"""

RLCARD = """
def make(name, config):
    raise LookupError(f"there are no cards for {name}")
"""


def chosen(*packages):
    return [peer for peer in PEERS if peer.package in packages]


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """A function that puts a module of some text on the path."""
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name, text: (tmp_path / f"{name}.py").write_text(text)


def test_the_list_names_each_peer_once_and_only_known_work():
    assert len({peer.name for peer in PEERS}) == len(PEERS)
    assert {peer.work for peer in PEERS} == set(peers.WORKS) == set(beside.OURS)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_that_is_here_plays(peer):
    if peer.missing:
        pytest.skip(f"needs {', '.join(peer.missing)}")
    play = peer.start()
    assert min(play(), play()) > 0


def test_an_environment_that_does_nothing_takes_its_turns():
    for wrapped in (False, True):
        env = idle.env(wrapped)
        assert loops.episodes(env)() == idle.DECISIONS
        assert env.agents == []
    assert str(idle.env(True)) == "idle_v0"


def test_bench_prints_ratios_and_says_who_is_not_here_and_who_failed(modules, monkeypatch, capfd):
    modules("colver", COLVER)
    modules("rlcard", RLCARD)
    nobody = Peer("Nobody's bridge", "observe", "nobody", ("nobody_at_all",), dict)
    monkeypatch.setattr(beside, "PEERS", [*chosen("colver", "rlcard"), nobody])
    monkeypatch.setattr(bench, "RUN_SECONDS", 0.02)
    arguments = ["bench", "--peers", "--only", "playout", "--only", "observe", "--runs", "3", "--json"]
    monkeypatch.setattr(sys, "argv", ["laffa", *arguments])
    assert cli.run(arguments) == 0
    out, err = capfd.readouterr()
    data = one_object(out)
    ours = {result["name"]: result["decisions_per_s"] for result in data["results"]}
    assert ours.keys() == {"playout", "observe"}
    assert [peer["name"] for peer in data["peers"]] == [peer.name for peer in chosen("colver")]
    for peer in data["peers"]:
        assert peer.keys() == {"name", "work", "version", "decisions_per_s", "runs", "ratio"}
        assert peer["version"] == beside.version_of("colver")
        assert peer["decisions_per_s"] == statistics.median(peer["runs"]) > 0
        assert len(peer["runs"]) == 3
        assert peer["ratio"] == pytest.approx(ours[peer["work"]] / peer["decisions_per_s"])
        row = next(line for line in err.splitlines() if peer["name"] in line)
        assert f"{peer['decisions_per_s']:,.0f}" in row
    assert data["peers_absent"] == {"Nobody's bridge": ["nobody_at_all"]}
    assert "Left out, since they cannot be imported here: Nobody's bridge (needed: nobody_at_all)." in err
    assert data["peers_failed"] == {"RLCard bridge": "LookupError: there are no cards for bridge"}
    assert "RLCard bridge failed and is left out: LookupError: there are no cards for bridge" in err


def test_what_an_environment_costs_that_does_nothing_is_always_measured(monkeypatch):
    monkeypatch.setattr(beside, "PEERS", [peer for peer in PEERS if peer.needs == ("pettingzoo",)])
    ticks = []
    done = beside.compare(VARIANT, ["aec"], 1, 0.01, ticks.append)
    assert [peer.name for peer, _ in done.peers] == ["PettingZoo doing nothing, raw", "PettingZoo doing nothing, wrapped"]
    assert all(runner.rates[0] > 0 and runner.version for _, runner in done.peers)
    assert (done.absent, done.failed, sum(ticks)) == ({}, {}, 6)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import os; os._exit(3)", "its process ended with status 3"),
        ("import time; time.sleep(1000)", "it did not answer within 1 s"),
        ("import sys; sys.exit('no table')", "SystemExit: no table"),
        ("class Env:\n    def reset(self): raise ValueError", "ValueError"),
    ],
)
def test_a_peer_that_ends_hangs_or_raises_is_a_sentence(text, reason, modules, monkeypatch):
    modules("colver", text)
    monkeypatch.setattr(beside, "START_SECONDS", 1.0 if "sleep" in text else 60.0)
    with beside.Runner("colver Env.step", VARIANT) as runner:
        assert runner.error == reason
        runner.run(0.01)
    assert runner.rates == []
    assert runner.error == reason


def test_a_peer_whose_process_is_ended_later_is_a_sentence_too(modules):
    modules("colver", COLVER)
    with beside.Runner("colver Env.step", VARIANT) as runner:
        runner.run(0.01)
        assert (len(runner.rates), runner.error) == (1, None)
        runner.process.kill()
        runner.run(0.01)
    assert (len(runner.rates), runner.error) == (1, "its process ended with status -9")


def test_our_own_failure_is_an_error(monkeypatch):
    monkeypatch.setattr(beside, "PEERS", [])
    with pytest.raises(RuntimeError, match=r"laffa's own playout failed: ValueError: .*'no-such-game'"):
        beside.compare("no-such-game", ["playout"], 1, 0.01, lambda done: None)


def test_a_folder_is_no_module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "colver_or_not").mkdir()
    assert Peer("a folder", "aec", "x", ("colver_or_not", "json"), dict).missing == ["colver_or_not"]


def test_a_module_that_came_without_a_distribution_has_no_version():
    assert beside.version_of("nobody-at-all") is None
    assert beside.version_of("pettingzoo")[0].isdigit()
