"""Every trial of the field's known faults has a test that bears its id, or says what it waits for."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
IDS = [f"D{number:02}" for number in range(1, 39)]


@pytest.fixture
def gen(monkeypatch):
    """The module that reads trials and markers; it makes the page of trials too."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "gen"))
    import trials

    return trials


def test_every_trial_is_described_in_a_sentence_with_its_sources(gen):
    described = gen.described()
    assert list(described) == IDS
    for trial, row in described.items():
        assert {"kind", "source", "tried"} <= row.keys() <= {"kind", "source", "tried", "waits", "rest"}, trial
        assert 40 < len(row["tried"]) < 260, trial
        assert re.fullmatch(r"[A-Z][^.]*(\.\S[^.]*)*\.", row["tried"]), trial
        assert row["source"], trial
        assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", source) for source in row["source"]), trial


@pytest.mark.parametrize("trial", IDS)
def test_a_trial_has_a_test_or_says_what_it_waits_for(gen, trial):
    row, tests = gen.described()[trial], gen.bearers().get(trial, [])
    assert bool(tests) != ("waits" in row)
    assert "rest" not in row or tests
    assert all(len(row.get(key, "a long enough reason")) > 15 for key in ("waits", "rest"))


def test_no_test_bears_an_unknown_id(gen):
    assert set(gen.bearers()) <= set(IDS)


def test_what_pytest_collects_bears_the_ids_that_were_read(gen, request):
    """Of whatever is collected in this run."""
    read = {(trial, test) for trial, tests in gen.bearers().items() for test in tests}
    collected = {
        (trial, f"{item.path.name}::{item.originalname}")
        for item in request.session.items
        for mark in item.iter_markers("trial")
        for trial in mark.args
    }
    assert collected <= read
    assert all({trial for mark in item.iter_markers("trial") for trial in mark.args} <= item.extra_keyword_matches for item in request.session.items)
    option, names = request.config.option, request.config.args
    chosen = option.keyword or option.markexpr or option.deselect or getattr(option, "lf", False) or any("::" in name for name in names)
    if not chosen:
        files = {item.path.name for item in request.session.items}
        assert {(trial, test) for trial, test in read if test.partition("::")[0] in files} == collected


SOUND = """
import pytest
from pytest import mark

@pytest.mark.trial("D01", "D02")
@pytest.mark.parametrize("x", [1])
def test_one(x):
    if x:
        pytest.skip("not here")

@mark.trial("D02")
@pytest.mark.skipif(True, reason="a condition is for others to judge")
def test_two():
    pass
"""

FALSE = {
    "a helper": ('@pytest.mark.trial("D01")\ndef helper():\n    pass', "helper bears a trial and is no test"),
    "a skipped test": ('@pytest.mark.skip\n@pytest.mark.trial("D01")\ndef test_it():\n    pass', "test_it bears a trial and is no test"),
    "skipped with a reason": ('@pytest.mark.trial("D01")\n@pytest.mark.skip(reason="x")\ndef test_it():\n    pass', "is no test that pytest runs"),
    "a failure that is expected": ('@pytest.mark.trial("D01")\n@pytest.mark.xfail()\ndef test_it():\n    pass', "is no test that pytest runs"),
    "a body that skips": ('@pytest.mark.trial("D01")\ndef test_it():\n    pytest.skip("later")', "is no test that pytest runs"),
    "a file that skips": ('pytest.skip("x", allow_module_level=True)\n@pytest.mark.trial("D01")\ndef test_it():\n    pass', "is no test that"),
    "a file of skipped tests": ('pytestmark = [pytest.mark.skip]\n@pytest.mark.trial("D01")\ndef test_it():\n    pass', "is no test that"),
    "a whole file": ('pytestmark = pytest.mark.trial("D01")\ndef test_it():\n    pass', "line 2: a trial stands at no test"),
    "an inner function": ('def helper():\n    @pytest.mark.trial("D01")\n    def test_it():\n        pass', "a trial stands at no test"),
    "one of the parameters": ('X = [pytest.param(1, marks=pytest.mark.trial("D01"))]', "a trial stands at no test"),
    "no id": ("@pytest.mark.trial()\ndef test_it():\n    pass", "a trial takes ids as texts"),
    "a bare marker": ("@pytest.mark.trial\ndef test_it():\n    pass", "a trial stands at no test"),
    "an id by name": ('ID = "D01"\n@pytest.mark.trial(ID)\ndef test_it():\n    pass', "a trial takes ids as texts"),
}
"""Sources in which a marker stands where it shows nothing."""


def test_ids_are_read_from_markers_above_tests(gen, tmp_path):
    (tmp_path / "test_sound.py").write_text(SOUND)
    assert gen.bearers(tmp_path) == {"D01": ["test_sound.py::test_one"], "D02": ["test_sound.py::test_one", "test_sound.py::test_two"]}


@pytest.mark.parametrize("kind", FALSE)
def test_a_marker_that_shows_nothing_is_refused(gen, kind, tmp_path):
    source, words = FALSE[kind]
    (tmp_path / "test_false.py").write_text(f"import pytest\n{source}\n")
    with pytest.raises(gen.MarkerError, match=words):
        gen.bearers(tmp_path)


def test_a_test_in_a_file_that_is_not_collected_is_refused(gen, tmp_path):
    (tmp_path / "helpers.py").write_text('import pytest\n@pytest.mark.trial("D01")\ndef test_it():\n    pass\n')
    with pytest.raises(gen.MarkerError, match=r"helpers\.py: test_it bears a trial"):
        gen.bearers(tmp_path)


def test_the_table_has_a_row_for_every_trial_and_links_to_every_source(gen):
    rows = list(gen.rows())
    assert [row[0] for row in rows] == IDS
    for (_, _, links, tried, tests), (trial, row) in zip(rows, gen.described().items(), strict=True):
        assert links.count("](https://github.com/") == len(row["source"])
        assert tried.startswith(row["tried"])
        assert ("*Not yet: " in tried) == bool({"waits", "rest"} & row.keys())
        assert re.findall(r"`(.+?)`", tests) == gen.bearers().get(trial, [])
