"""What the pages say, held against the code: the program of a page runs, numbers and samples are those of the engine."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import laffa
from laffa import layout
from laffa.cards import ACTIONS
from laffa.state import STATE

DOCS = Path(__file__).resolve().parents[1] / "docs"


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.env
def test_a_game_costs_no_more_bytes_than_the_page_allows_whatever_the_variant():
    words = r"state stays below ([\d,]+) bytes, an observation below ([\d,]+) and the two with the mask below ([\d,]+)"
    text = re.search(words, page("performance.md"))
    assert text is not None
    state, observation, together = (int(number.replace(",", "")) for number in text.groups())
    assert STATE.itemsize < state
    assert observation > layout.SIZE
    assert STATE.itemsize + layout.SIZE + ACTIONS < together
    for variant in laffa.variants():
        batch = laffa.Batch(variant, 64)
        turn = batch.reset()
        assert [array.nbytes for array in (batch.states, turn.obs, turn.mask)] == [64 * size for size in (STATE.itemsize, layout.SIZE, ACTIONS)]


def test_the_program_on_signals_runs(tmp_path, monkeypatch, capsys):
    """With a policy that was hardly trained, on a handful of deals."""
    pytest.importorskip("torch")
    from laffa_train.ppo import train
    from training_helpers import QUIET, TINY

    for folder, variant in (("signals", "arbaa-turub-signals"), ("quiet", "arbaa-turub")):
        assert f"configs/{variant}_ppo.toml --run-dir runs/{folder}" in page("signals.md")
        train(replace(TINY, variant=variant, games=8, decisions=8 * 40), tmp_path / "runs" / folder, console=QUIET)
    program = re.search(r"```python\n(.*?)```", page("signals.md"), re.DOTALL)[1]
    assert "deals=5_000" in program
    monkeypatch.chdir(tmp_path)
    exec(program.replace("deals=5_000", "deals=6"), {"__name__": "signals"})
    number = r"[+-]\d+\.\d\d"
    pattern = rf"(signals against none|the same pair, but silent): {number} \[{number}, {number}\] tricks a game"
    lines = capsys.readouterr().out.splitlines()
    assert [re.fullmatch(pattern, line)[1] for line in lines] == ["signals against none", "the same pair, but silent"]


@pytest.fixture
def hooks(monkeypatch):
    """The module that writes pages."""
    pytest.importorskip("mkdocs")
    monkeypatch.syspath_prepend(str(DOCS / "gen"))
    import hooks as module

    return module


def test_the_page_of_a_game_with_signals_shows_them(hooks):
    """One after each lead, and of both kinds, since the player of the sample always gives one."""
    tricks = [line for line in hooks.sample_hand("arbaa-turub-signals").splitlines() if re.match(r"  \d: .*  to \d$", line)]
    assert len(tricks) == 36
    assert all(re.match(r"  \d: \w\w \((knock|snap)\) \w\w \w\w \w\w  to \d$", line) for line in tricks)
    assert {re.search(r"\((\w+)\)", line)[1] for line in tricks} == {"knock", "snap"}
    assert not re.search("knock|snap", hooks.sample_hand("arbaa-turub"))


def test_generated_tables_say_what_the_engine_has(hooks):
    marks = re.findall(hooks.MARK, page("performance.md") + page("observations.md"))
    assert {"bytes", "moves", "networks"} <= set(marks) <= set(hooks.TABLES)
    assert f"| observation | {layout.SIZE} |" in hooks.bytes_table()
    assert f"| state | {STATE.itemsize:,} | 2 | {2 * STATE.itemsize:,} |" in hooks.moves_table()
    for variant in laffa.variants():
        spans = layout.spans(layout.informative([laffa.load(variant)]))
        assert f"| `{variant}` | {sum(span.stop - span.start for span in spans)} |" in hooks.network_table()


def test_the_page_of_trials_has_their_table(hooks):
    assert re.findall(hooks.MARK, page("trials.md")) == ["trials"]
    lines = hooks.trials_table().splitlines()
    assert len(lines) == 2 + 38
    assert all(line.count(" | ") == 4 for line in lines)
    assert "test_rollout.py::test_every_decision_is_paid_what_its_own_side_won" in next(line for line in lines if "D07" in line)
