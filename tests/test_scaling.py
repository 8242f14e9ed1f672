"""What a decision costs at every size: the figures add up, and the files are there."""

import json
import sys

import pytest

import laffa
from command_line import one_object
from laffa import layout
from laffa.cards import ACTIONS
from laffa.state import STATE
from laffa_train import bench, cli, rates, scaling

VARIANT = "tarneeb-koutchina"
RULES = laffa.load(VARIANT)


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setattr(scaling, "SIZES", (1, 4, 16))
    monkeypatch.setattr(scaling, "COPY_BYTES", 2**16)
    monkeypatch.setattr(bench, "GAMES", 16)
    monkeypatch.setattr(bench, "RUN_SECONDS", 0.001)


def test_every_size_is_timed_on_every_number_of_threads_and_every_variant_on_one():
    points = [(rules.variant, games, threads) for rules, games, threads in scaling.points(RULES, 2)]
    ours = [(VARIANT, 1, 1), (VARIANT, 4, 1), (VARIANT, 16, 1), (VARIANT, 4, 2), (VARIANT, 16, 2)]
    assert points == ours + [(variant, 16, 1) for variant in laffa.variants() if variant != VARIANT]


def test_the_sizes_are_powers_of_four_up_to_65536(monkeypatch):
    monkeypatch.undo()
    assert scaling.SIZES == (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536)
    assert bench.GAMES in scaling.SIZES


def test_bench_writes_json_and_a_picture_of_every_size(tmp_path, monkeypatch, capfd):
    pytest.importorskip("matplotlib")
    arguments = ["bench", "--scaling", "--cores", "2", "--runs", "3", "--out", str(tmp_path / "here"), "--json"]
    monkeypatch.setattr(sys, "argv", ["laffa", *arguments])
    assert cli.run(arguments) == 0
    out, err = capfd.readouterr()
    data = one_object(out)
    assert len(data["results"]) == 5 + len(laffa.variants()) - 1
    for result in data["results"]:
        assert (result["name"], len(result["runs"])) == ("batch", 3)
        assert result["ns_per_decision"] == pytest.approx(1e9 / result["decisions_per_s"])
        assert 0 < result["with_choosing"] < result["decisions_per_s"]
    assert [(result["games"], result["cores"]) for result in data["results"][:5]] == [(1, 1), (4, 1), (16, 1), (4, 2), (16, 2)]
    picture, text = sorted((tmp_path / "here").iterdir(), key=lambda path: path.suffix, reverse=True)
    assert (picture.suffix, text.suffix, picture.stem) == (".png", ".json", text.stem)
    assert picture.read_bytes().startswith(b"\x89PNG")
    written = json.loads(text.read_text(encoding="utf-8"))
    assert (written["results"], written["memory"]) == (data["results"], data["memory"])
    assert all(variant in err for variant in laffa.variants())
    assert f"Written: {text}, {picture}" in err


def test_bytes_are_those_of_the_arrays_and_what_they_cost_follows():
    memory = scaling.memory(RULES)
    game, decision = memory["bytes_per_game"], memory["bytes_per_decision"]
    assert (game["state"], game["observation"], game["mask"], game["action"]) == (STATE.itemsize, layout.SIZE, ACTIONS, 8)
    assert decision["state"] == 2 * STATE.itemsize
    assert decision["observation"] == layout.SIZE
    for table in (game, decision):
        assert table["together"] == sum(size for name, size in table.items() if name != "together")
    assert memory["floor_ns_per_decision"] == pytest.approx(1e9 * decision["together"] / memory["copy_bytes_per_s"])


def test_the_copy_counts_what_is_read_and_what_is_written(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr(scaling, "perf_counter", lambda: next(ticks))
    assert scaling.bandwidth() == 2 * scaling.COPY_BYTES


def test_a_large_batch_makes_a_process_grow_by_about_its_arrays():
    grown = scaling.resident_growth(RULES, 20_000)
    if grown is None:
        pytest.skip("this system does not tell how much memory a process holds")
    arrays = sum(scaling.part_bytes(RULES, 16).values())
    assert 0.9 * arrays < grown < 1.5 * arrays


def test_a_system_that_does_not_tell_leaves_the_measured_bytes_out(monkeypatch):
    monkeypatch.setattr(scaling, "resident", lambda: None)
    assert scaling.grow(VARIANT, 4) is None
    memory = scaling.memory(RULES) | {"resident_bytes_per_game": None}
    caption = rates.scaling_table(scaling.measure(RULES, 1, 1, lambda done: None), memory).caption
    assert "measured" not in caption
    assert f"a decision moves {memory['bytes_per_decision']['together']:,.0f}" in caption
