"""The benchmark plays what it says, and its figures add up."""

import numpy as np
import pytest

import laffa
from laffa.cards import ACTIONS
from laffa.state import STATE
from laffa_train import bench

RULES = laffa.load("tarneeb-koutchina")


@pytest.fixture(autouse=True)
def short_runs(monkeypatch):
    monkeypatch.setattr(bench, "RUN_SECONDS", 0.02)
    monkeypatch.setattr(bench, "GAMES", 64)
    monkeypatch.setattr(bench, "PPO", {"games": 16, "steps": 8, "width": 16, "layers": 1, "threads": 1, "device": "cpu"})


@pytest.mark.parametrize("name", bench.BENCHES)
def test_every_benchmark_gives_the_median_of_its_runs(name):
    if name == "ppo":
        pytest.importorskip("torch")
    data = bench.BENCHES[name](RULES, 1, 3).to_dict()
    assert (data["name"], data["variant"], data["cores"], len(data["runs"])) == (name, RULES.variant, 1, 3)
    assert data["decisions_per_s"] == sorted(data["runs"])[1] > 0
    assert "extra" not in data


def test_choosing_only_adds_time():
    data = bench.bench_batch(RULES, 2, 1).to_dict()
    assert 0 < data["with_choosing"] < data["decisions_per_s"]
    assert data["cores"] == 2


def test_playouts_are_whole_matches_that_the_numbers_fix():
    states = np.zeros(1, STATE)
    first = bench.playout(RULES.packed, states, 0, 5)
    assert states["public"]["winner"][0] >= 0
    assert bench.playout(RULES.packed, states, 0, 5) == first
    assert bench.playout(RULES.packed, states, 5, 5) != first


def test_chosen_actions_are_legal_and_equally_likely():
    mask = np.zeros((3000, ACTIONS), np.int8)
    mask[:, [2, 70, ACTIONS - 1]] = 1
    actions = np.full(3000, -1, np.int64)
    noise = bench.choose(mask, np.uint64(1), actions)
    assert noise != 1
    values, counts = np.unique(actions, return_counts=True)
    assert values.tolist() == [2, 70, ACTIONS - 1]
    assert counts.min() > 850


def test_an_unknown_benchmark_is_refused():
    with pytest.raises(ValueError, match=r"'sleep'.*playout, batch, aec, ppo"):
        bench.check_names(["sleep"])
