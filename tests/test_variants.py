"""Variants as data: the shipped files, files of one's own, options that are impossible together, the rules in words."""

import pickle
import tomllib

import numpy as np
import pytest

import laffa
from helpers import finish_at_random, is_over
from laffa.fields import OPTIONS
from laffa.options import Number, OneOf
from laffa.rules import VARIANTS
from referee import PRESETS
from referee_points import TARABISH_PRESETS
from referee_turub import TURUB_PRESETS

pytestmark = pytest.mark.env

FAMILIES = ["tarneeb-italian41", "tarabish", "arbaa-turub"]
"""A variant of each family in which nearly every option can be changed alone."""

OWN = """
title = "Our table"
version = 3

[rules]
auction = "final_pass"
nt_bids = true
hand_cap = "none"
target = 51
"""


@pytest.fixture
def own(tmp_path):
    """A user's file of rules."""
    path = tmp_path / "my-rules.toml"
    path.write_text(OWN, encoding="utf-8")
    return path


@pytest.mark.parametrize("variant", laffa.variants())
def test_a_shipped_file_says_what_the_rules_page_says(variant):
    assert laffa.load(variant).options == (PRESETS | TARABISH_PRESETS | TURUB_PRESETS)[variant]


@pytest.mark.parametrize("variant", laffa.variants())
def test_a_shipped_file_cites_a_code_for_every_option(variant):
    text = (VARIANTS / f"{variant}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    assert set(data) <= {"version", "title", "sources", "game", "no_trump", "rules"}
    assert data["sources"]
    for line in text.partition("[rules]")[2].strip().splitlines():
        assert line.partition(" # ")[2], line
    assert set(laffa.load(variant).changed) <= set(data["rules"])


def test_options_are_keywords():
    rules = laffa.load("tarneeb-italian41", target=61, slam_bid=26)
    assert (rules.target, rules.slam_bid, rules.variant) == (61, 26, "tarneeb-italian41")


def test_a_file_of_ones_own_is_a_variant(own):
    rules = laffa.load(str(own))
    assert (rules.variant, rules.title, rules.version, rules.target, rules.hand_cap) == ("my-rules", "Our table", 3, 51, None)
    assert rules.changed == {"auction": "final_pass", "nt_bids": True, "hand_cap": None, "target": 51}
    assert laffa.load(own) == rules == laffa.load(rules.origin) == pickle.loads(pickle.dumps(rules))
    assert laffa.load(own, target=40).target == 40
    env = laffa.env(str(own), hand_cap=3)
    env.reset(seed=1)
    finish_at_random(env)
    assert is_over(env)
    assert env.snapshot()["variant"] == "my-rules"
    assert laffa.Batch(own, 2).reset().mask.sum() > 0
    assert laffa.players.make("heuristic", own) is not None


def test_an_empty_file_is_the_family(tmp_path):
    (tmp_path / "plain.toml").write_text("")
    assert laffa.load(tmp_path / "plain.toml").changed == {}


BAD_FILES = {
    "not TOML": ("[rules", "is not TOML"),
    "an unknown key": ("verison = 1", "unknown key 'verison' (did you mean 'version'?); it may have version, title"),
    "a wrong kind": ("version = 'one'", "version = 'one' is not possible; it takes a whole number from 0"),
    "a number below 0": ("version = -1", "version = -1 is not possible; it takes a whole number from 0"),
    "a wrong kind of table": ("rules = 4", "rules = 4 is not possible; it takes a table"),
    "a list of games": ("game = ['tarabish']", "game = ['tarabish'] is not possible; it takes 'tarneeb' or 'tarabish' or 'turub'"),
    "a table of a game": ("[game]\nname = 'tarabish'", "is not possible; it takes 'tarneeb' or 'tarabish' or 'turub'"),
    "an unknown option": ("[rules]\ntraget = 41", "has no option 'traget' (did you mean 'target'?)"),
    "an impossible value": ("[rules]\nauction = 'dutch'", "auction = 'dutch' is not possible; it takes 'open' or 'final_pass' or 'single_lap'"),
    "a switch that is none": ("[rules]\ntarget = 'none'", "target = 'none' is not possible"),
    "values that do not go together": ("[rules]\nbid_min = 12\nbid_max = 9", "nothing could be bid"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_refused_in_a_sentence(kind, tmp_path):
    text, words = BAD_FILES[kind]
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ValueError) as error:
        laffa.load(path)
    assert words in str(error.value)
    assert "mine" in str(error.value)


def test_files_that_cannot_be_variants(tmp_path):
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "tarneeb-pagat.toml").write_text("")
    (tmp_path / "two words.toml").write_text("")
    rows = [
        ("missing.toml", "cannot be read: No such file"),
        ("bytes.toml", "is not text in UTF-8"),
        ("tarneeb-pagat.toml", "has the name of a variant that comes with laffa"),
        ("two words.toml", "letters, digits, - and _ only"),
    ]
    for name, words in rows:
        with pytest.raises(ValueError, match=words):
            laffa.load(str(tmp_path / name))
    with pytest.raises(ValueError, match=r"such a file ends in .toml"):
        laffa.load(tmp_path / "rules.json")
    with pytest.raises(ValueError, match=r"the variants are arbaa-turub, .*, or the path of a .toml file"):
        laffa.load("tarneeb")


TOGETHER = [
    ("tarneeb-koutchina", {"nt_bids": True}, "the game has no no-trump contract"),
    ("tarneeb-italian41", {"dealer_may_equal": True}, "dealer_may_equal = True needs auction = 'single_lap'"),
    ("tarneeb-italian41", {"slam_bid": 42}, "slam_bid = 42 is above target = 41"),
    ("tarneeb-french31", {"slam_unbid": 32}, "slam_unbid = 32 is above target = 31"),
    ("tarneeb-400points", {"slam_bid": 401}, "slam_bid = 401 is above target = 400"),
    ("tarneeb-french31", {"bid_step": 4}, "bid_max = 13 is not reached from bid_min = 7 by 4; the last bid would be 11"),
    ("tarneeb-french31", {"bid_max": 14}, "bid_max = 14 cannot be made; a hand has 13 tricks"),
    ("tarneeb-400points", {"bid_max": 125}, "bid_max = 125 cannot be made; a hand has 120 card points"),
    ("tarneeb-400points", {"bid_step": 1}, "more than the 21 levels"),
    ("tarneeb-400points", {"unit": "tricks"}, "cannot be made; a hand has 13 tricks"),
    ("tarneeb-italian41", {"kabsh_any_side": True}, "slam_unbid is None"),
    ("tarneeb-italian41", {"bid_min": 10, "bid_max": 9}, "nothing could be bid"),
    ("tarneeb-italian41", {"coat": True}, "has no option 'coat'"),
    ("tarabish", {"bid_max": 260}, "takes a whole number from 1 to 250"),
    ("tarabish", {"bid_max": 165}, "bid_max = 165 is not reached from bid_min = 50 by 10; the last bid would be 160"),
    ("tarabish", {"bid_step": 5}, "more than the 21 levels"),
    ("tarabish", {"cards_at_bid": 9, "upcard": True}, "upcard = True is not possible with cards_at_bid = 9"),
    ("tarabish", {"cards_at_bid": 6, "reveal_packet": True}, "reveal_packet = True is not possible with cards_at_bid = 6"),
    ("tarabish", {"cards_at_bid": 4}, "cards_at_bid = 4 is not possible; it takes 3 or 6 or 9"),
    ("tarabish", {"nt_bids": True}, "has no option 'nt_bids'"),
    ("tarabish", {"hand_cap": 50}, "has no option 'hand_cap'"),
    ("arbaa-turub", {"slam_wins_match": False, "game_cap": None}, "a first win of all 36 tricks a side could never win the match"),
    ("turup", {"slam_wins_match": False, "game_cap": None}, "slam_wins_match = False needs a game_cap; with a first win of all 9 tricks"),
    ("arbaa-turub", {"packs": 2}, "packs = 2 is not possible; it takes 4 or 1"),
    ("arbaa-turub", {"hand_cap": 50}, "has no option 'hand_cap'"),
]


@pytest.mark.parametrize(("variant", "options", "words"), TOGETHER)
def test_options_that_are_impossible_together_are_refused_with_the_reason(variant, options, words):
    for use in (laffa.load, laffa.env, lambda name, **given: laffa.Batch(name, 2, **given)):
        with pytest.raises(ValueError) as error:
            use(variant, **options)
        assert words in str(error.value)
        assert variant in str(error.value)


def test_what_is_possible_together_is_not_refused():
    targets = [variant for variant in laffa.variants() if "target" in laffa.load(variant).options]
    assert all(laffa.load(variant, target=7).target == 7 for variant in targets)  # a short match, whatever a slam pays
    assert laffa.load("tarneeb-400points", slam_bid=240).slam_bid == 240
    assert laffa.load("tarneeb-saudi", kabsh_any_side=True).kabsh_any_side
    assert laffa.load("tarneeb-notrump", made_score="bid", auction="open").nt_bids
    assert laffa.load("arbaa-turub", game_cap=None).game_cap is None
    assert not laffa.load("arbaa-turub", slam_wins_match=False, game_cap=10_000).slam_wins_match


@pytest.mark.parametrize("variant", laffa.variants())
def test_the_rules_in_words_say_every_option_that_matters(variant):
    rules = laffa.load(variant)
    sentences = laffa.describe(rules)
    text = " ".join(sentence.text for sentence in sentences)
    assert all(sentence.text.endswith(".") for sentence in sentences)
    said = {name for sentence in sentences for name in sentence.options}
    assert set(rules.changed) <= said
    ladder = (rules.bid_min, rules.bid_max) if rules.ladder else ()
    others = ("target", "hand_cap", "game_cap", "slam_bid", "slam_unbid", "slam_failed")
    numbers = (*ladder, *(rules.options.get(name) for name in others))
    assert all(str(number) in text for number in numbers if number is not None)
    assert said <= set(OPTIONS)


def some_values(kind):
    """Values of every kind that an option takes: each word, flag or number of a short list, the ends of a long one, None where it switches off."""
    if isinstance(kind, Number):
        return [kind.low, kind.high, *([None] if kind.optional else [])]
    return list(getattr(kind, "words", getattr(kind, "values", (False, True))))


ONLY_WITH = {"nt_min_bid": {"no_trump": True}, "equal": {"judge": "outscore"}, "all_nine_tricks": {"coat": True}}
"""Options that mean something only beside another."""


def text_of(variant, name, value):
    """The rules in words with one option changed; None if that cannot be."""
    try:
        sentences = laffa.describe(laffa.load(variant, **ONLY_WITH.get(name, {}), **{name: value}))
    except ValueError:
        return None
    return " ".join(sentence.text for sentence in sentences)


@pytest.mark.trial("D36")
@pytest.mark.parametrize(("variant", "name"), [(variant, name) for variant in FAMILIES for name in laffa.load(variant).options])
def test_the_rules_in_words_differ_wherever_an_option_does(variant, name):
    """Whatever values an option can have, not only those of shipped files."""
    values = {*some_values(OPTIONS[name]), laffa.load(variant).options[name]}
    texts = [text for value in values if (text := text_of(variant, name, value)) is not None]
    assert len(set(texts)) == len(texts) > 0


@pytest.mark.parametrize("name", laffa.load("arbaa-turub").options)
def test_arbaa_turub_has_a_sentence_for_every_value_of_every_option(name):
    for value in some_values(OPTIONS[name]):
        sentences = laffa.describe(laffa.load("arbaa-turub", **{name: value}))
        about = " ".join(sentence.text for sentence in sentences if name in sentence.options)
        assert about, (name, value)
        assert isinstance(OPTIONS[name], OneOf) or type(value) is not int or str(value) in about


def test_the_ladder_of_card_points():
    rules = laffa.load("tarneeb-400points")
    assert rules.ladder == list(range(65, 121, 5))
    texts = [laffa.action_text(rules, action) for action in np.flatnonzero(laffa.Batch(rules, 1).reset().mask[0])]
    assert texts == ["pass", *(f"bid {number}" for number in range(65, 121, 5))]
    assert all(laffa.action_text(rules, laffa.action_id(rules, text)) == text for text in texts)
