"""One golden match for every variant, readable, so that a change of the rules, the deals or the scores shows as a difference."""

import pytest

import laffa
from golden_matches import GOLDEN, golden_kinds, golden_text

pytestmark = pytest.mark.env

REMEDY = "to write it: python tests/golden_matches.py"


@pytest.mark.parametrize("variant", laffa.variants())
def test_the_golden_match_is_still_played_the_same(variant):
    path = GOLDEN / f"{variant}.txt"
    assert path.exists(), f"{variant} has no golden match; {REMEDY}"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert golden_text(variant, seed=int(lines[0].split()[-1])).splitlines() == lines, f"if the change is meant, delete {path}; {REMEDY}"


def test_there_is_no_golden_match_without_a_variant():
    assert {path.stem for path in GOLDEN.iterdir()} == set(laffa.variants())


@pytest.mark.parametrize("variant", laffa.variants())
def test_a_golden_match_shows_complete_hands_of_every_kind(variant):
    text = (GOLDEN / f"{variant}.txt").read_text(encoding="utf-8")
    hands = text.split("\n\n")[1:]
    assert len(hands) >= 4
    for words in golden_kinds(variant):
        assert words in text
    for hand in hands:
        assert hand.count("  trick  ") in (0, laffa.load(variant).packed[0]["hand_size"])


def test_another_seed_plays_another_match():
    assert golden_text(laffa.variants()[0], seed=8, hands=1).splitlines()[3:] != golden_text(laffa.variants()[0], hands=1).splitlines()[3:]
