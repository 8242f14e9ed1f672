"""What cannot be is refused in one sentence that names what can: variants, options, positions, actions, agents."""

import numpy as np
import pytest

import laffa
from helpers import KOUTCHINA, ONE_SUIT_EACH, PACK, TEXTS, act, play, raw, walk
from laffa.cards import ACTIONS
from laffa.fields import DEFAULTS, FIELD_DOCS, OPTIONS
from laffa.single import SingleSeat

pytestmark = pytest.mark.env

OPTION_ERRORS = [
    ({"targte": 41}, r"tarneeb-koutchina has no option 'targte' \(did you mean 'target'\?\); its options are auction, close_at_max, bid_min"),
    ({"zzz": 1}, "has no option 'zzz'; its options are"),
    ({"title": "x"}, "has no option 'title'"),
    ({"target": 0}, "target = 0 is not possible; it takes a whole number from 1 to 1000$"),
    ({"target": 31.0}, "target = 31.0 is not possible"),
    ({"target": "31"}, "target = '31' is not possible"),
    ({"target": True}, "target = True is not possible"),
    ({"target": None}, "target = None is not possible; it takes a whole number from 1 to 1000$"),
    ({"hand_cap": 0}, "hand_cap = 0 is not possible; it takes a whole number from 1 to 10000, or None to switch it off"),
    ({"close_at_max": 1}, "close_at_max = 1 is not possible; it takes True or False"),
    ({"cap_tie": "last"}, "cap_tie = 'last' is not possible; it takes 'draw' or 'last_hand_winner'"),
    ({"auction": "closed"}, "auction = 'closed' is not possible; it takes 'open'"),
    ({"bid_min": 9, "bid_max": 8}, "bid_min = 9 is above bid_max = 8"),
    ({"bid_max": 6}, "bid_min = 7 is above bid_max = 6"),
]

MAKERS = [laffa.load, laffa.env, laffa.raw_env, laffa.parallel_env, SingleSeat, lambda variant, **options: laffa.Batch(variant, 1, **options)]
MAKER_NAMES = ["load", "env", "raw_env", "parallel_env", "single", "batch"]


@pytest.mark.parametrize("make", MAKERS, ids=MAKER_NAMES)
@pytest.mark.parametrize(("options", "message"), OPTION_ERRORS)
def test_an_option_that_cannot_be_is_refused_everywhere_in_one_sentence(make, options, message):
    with pytest.raises(ValueError, match=message) as error:
        make(KOUTCHINA, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("make", MAKERS, ids=MAKER_NAMES)
@pytest.mark.parametrize("variant", ["tarneeb-kutchina", "", None, 3, "../tarneeb-koutchina"])
def test_an_unknown_variant_is_refused_with_the_list_of_variants(make, variant):
    with pytest.raises(ValueError, match=f"there is no variant .*; the variants are {', '.join(laffa.variants())}"):
        make(variant)


def test_a_slip_in_a_variants_name_is_guessed():
    with pytest.raises(ValueError, match=r"did you mean 'tarneeb-koutchina'\?"):
        laffa.load("tarneeb-kutchina")


@pytest.mark.parametrize("variant", [["tarneeb-koutchina"], {}])
def test_a_variant_of_a_type_that_cannot_be_looked_up_is_refused_in_the_same_words(variant):
    with pytest.raises(ValueError, match="there is no variant"):
        laffa.load(variant)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"episode": "game"}, "episode = 'game' is not possible; it takes 'match' or 'hand'"),
        ({"reward": "points"}, "reward = 'points' is not possible; it takes 'score' or 'outcome'"),
        ({"illegal": "ignore"}, "illegal = 'ignore' is not possible; it takes 'raise' or 'terminate'"),
        ({"max_hands": -1}, "max_hands = -1 is not possible; it takes a whole number from 1"),
        ({"max_hands": 2.5}, "max_hands = 2.5 is not possible"),
        ({"render_mode": "bogus"}, "render_mode = 'bogus' is not possible; it takes 'ansi'"),
    ],
)
@pytest.mark.parametrize("make", [laffa.env, laffa.parallel_env, SingleSeat], ids=["env", "parallel", "single"])
def test_an_option_of_the_environment_that_cannot_be_is_refused(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(KOUTCHINA, **options)


@pytest.mark.parametrize("name", ["", None, 5])
def test_a_player_that_is_none_is_refused_with_the_list_of_players(name):
    with pytest.raises(ValueError, match="there is no player"):
        laffa.players.make(name, KOUTCHINA)


def test_a_player_of_another_name_is_refused_with_the_list_of_players():
    with pytest.raises(ValueError, match="there is no player 'hueristic' and no such file; the players are random, autopilot, heuristic"):
        laffa.players.make("hueristic", KOUTCHINA)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games = 0 is not possible; it takes a whole number from 1"),
        ({"games": 2.0}, "games = 2.0 is not possible"),
        ({"games": True}, "games = True is not possible"),
        ({"threads": 0}, "threads = 0 is not possible"),
        ({"first": -1}, "first = -1 is not possible"),
        ({"episode": "game"}, "episode = 'game' is not possible; it takes 'match' or 'hand'"),
        ({"reward": "points"}, "reward = 'points' is not possible; it takes 'score' or 'outcome'"),
        ({"max_hands": 0}, "max_hands = 0 is not possible"),
        ({"target": 0}, "target = 0 is not possible; it takes a whole number from 1 to 1000"),
        ({"traget": 41}, "has no option 'traget' \\(did you mean 'target'\\?\\); its options are auction, "),
    ],
)
def test_what_a_batch_cannot_be_is_refused_in_one_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        laffa.Batch(KOUTCHINA, **{"games": 2, **options})


def test_rules_can_be_loaded_changed_and_passed_on():
    rules = laffa.load(laffa.load(KOUTCHINA, target=41), hand_cap=None)
    assert (rules.target, rules.hand_cap, rules.bid_min) == (41, None, 7)
    assert laffa.env(rules).rules == laffa.Batch(rules, 1).rules == rules
    assert laffa.load(KOUTCHINA) == laffa.load(KOUTCHINA)._replace()
    assert laffa.load(KOUTCHINA, **rules.options) == rules
    assert rules.packed["hand_cap"] == -1
    assert not rules.packed.flags.writeable


def test_every_option_has_a_sentence_and_every_shipped_value_is_possible():
    for variant in laffa.variants():
        rules = laffa.load(variant)
        assert set(rules.options) == set(DEFAULTS[rules.game]) <= set(OPTIONS)
        assert all(OPTIONS[name].check(value) for name, value in rules.options.items())
        assert rules.variant == variant
    assert all(FIELD_DOCS[name].endswith(".") for name in laffa.Rules._fields)


FIFTY_THREE = [*ONE_SUIT_EACH[:3], [*ONE_SUIT_EACH[3], "AS"]]
FOURTEEN = [ONE_SUIT_EACH[0][1:], [*ONE_SUIT_EACH[1], "2S"], *ONE_SUIT_EACH[2:]]

POSITION_ERRORS = [
    ({"hands": FIFTY_THREE}, "AS is there more than once"),
    ({"hands": [ONE_SUIT_EACH[0]] * 4}, "is there more than once"),
    ({"hands": FOURTEEN}, "seat 0 has 12 cards; a complete hand has 13"),
    ({"hands": ONE_SUIT_EACH[:3]}, "hands are four lists of cards"),
    ({"hands": [*ONE_SUIT_EACH[:3], ["1C", *ONE_SUIT_EACH[3][1:]]]}, "'1C' is not a card; a card is a rank of"),
    ({"hands": [*ONE_SUIT_EACH[:3], [51, *ONE_SUIT_EACH[3][1:]]]}, "51 is not a card"),
    ({"hands": "AS"}, "hands are four lists of cards"),
    ({"hands": None}, "hands are four lists of cards"),
    ({"scores": [31, 0]}, "scores 31 to 0 cannot be; a side with 31 has won"),
    ({"scores": [5, 40]}, "scores 5 to 40 cannot be"),
    ({"scores": [1]}, "scores are two whole numbers"),
    ({"scores": [1.5, 0]}, "scores = 1.5 is not possible"),
    ({"scores": [True, 0]}, "scores = True is not possible"),
    ({"scores": 7}, "scores are two whole numbers"),
    ({"dealer": 4}, "dealer = 4 is not possible; it takes a whole number from 0 to 3"),
    ({"dealer": -1}, "dealer = -1 is not possible"),
    ({"dealer": "player_1"}, "dealer = 'player_1' is not possible"),
    ({"dealer": None}, "dealer = None is not possible"),
    ({"hands_played": 50}, "hands_played = 50 is not possible; it takes a whole number from 0 to 49"),
    ({"passed_deals": 8}, "passed_deals = 8 is not possible; it takes a whole number from 0 to 7"),
    ({"hands_played": -1}, "hands_played = -1 is not possible"),
    ({"deeler": 1}, "a position has no 'deeler'; it may give dealer, hands, scores, games, streak, hands_played, passed_deals"),
    ({"streak": {"team": 0, "mark": 20}}, "tarneeb-koutchina has no streak"),
]


@pytest.mark.parametrize(("position", "message"), POSITION_ERRORS)
def test_a_position_that_cannot_be_is_refused_and_the_game_goes_on(position, message):
    env = laffa.env(KOUTCHINA)
    with pytest.raises(ValueError, match=message):
        env.reset(seed=1, options=position)
    env.reset(seed=1)
    for _ in walk(env, 1, limit=30):
        pass
    before = raw(env), env.agent_selection, env.snapshot()
    with pytest.raises(ValueError, match=message) as error:
        env.reset(seed=2, options=position)
    assert "\n" not in str(error.value)
    assert (raw(env), env.agent_selection, env.snapshot()) == before


@pytest.mark.parametrize("options", [5, ["dealer"], "dealer"])
def test_a_position_that_is_no_dictionary_is_refused_in_words(options):
    with pytest.raises(ValueError, match="position"):
        laffa.env(KOUTCHINA).reset(seed=1, options=options)


def test_a_position_is_what_was_asked_for_and_the_rest_follows_the_seed():
    env, plain = laffa.env(KOUTCHINA), laffa.env(KOUTCHINA)
    plain.reset(seed=5)
    env.reset(seed=5, options={"dealer": 2, "scores": (31, 31), "hands_played": np.int64(49), "passed_deals": 7})
    view = env.snapshot()
    assert [view[name] for name in ("dealer", "turn", "scores", "hands_played", "passed_deals")] == [2, 3, [31, 31], 49, 7]
    assert view["hands"] == plain.snapshot()["hands"]
    env.reset(seed=5, options={"hands": ONE_SUIT_EACH})
    assert env.snapshot()["dealer"] == plain.snapshot()["dealer"]
    assert [sorted(hand) for hand in env.snapshot()["hands"]] == [sorted(hand) for hand in ONE_SUIT_EACH]
    play(env, *["pass"] * 4)
    play(plain, *["pass"] * 4)
    assert env.snapshot()["hands"] == plain.snapshot()["hands"]


def test_positions_follow_the_options_of_the_variant():
    env = laffa.env(KOUTCHINA, target=41, hand_cap=None, all_pass_cap=None)
    env.reset(seed=1, options={"scores": [40, 0], "hands_played": 1000, "passed_deals": 500})
    assert env.snapshot()["scores"] == [40, 0]
    with pytest.raises(ValueError, match="a side with 41 has won"):
        env.reset(seed=1, options={"scores": [41, 0]})


def test_every_action_has_a_text_of_its_own_that_leads_back_to_it():
    assert len(set(TEXTS)) == ACTIONS == len(TEXTS)
    for variant in laffa.variants():
        for action, text in enumerate(TEXTS):
            assert laffa.action_text(variant, action) == laffa.action_text(variant, np.int64(action))
            assert laffa.action_id(variant, laffa.action_text(variant, action)) == action
            assert variant != KOUTCHINA or laffa.action_text(variant, action) == text


def test_the_documented_texts_are_actions():
    texts = ["pass", "bid 8", "bid 7NT", "bid 8S", "trump S", "trump NT", "AS", "TH", "declare", "silent", "bella", "knock", "snap"]
    assert set(texts) <= set(TEXTS)
    assert TEXTS[:52] == PACK
    assert act("bid 13") - act("bid 7") == 6
    for first, text, _ in laffa.action_table()[1:]:
        assert laffa.action_id(KOUTCHINA, text if text != "bid 80S" else TEXTS[first]) - first in (0, 6, 4 * 79)


@pytest.mark.parametrize("action", [-1, ACTIONS, 1.0, None, True, "AS", np.array([1])])
def test_a_number_that_is_no_action_has_no_text(action):
    with pytest.raises(ValueError, match=f"is not an action; actions are whole numbers from 0 to {ACTIONS - 1}"):
        laffa.action_text(KOUTCHINA, action)


@pytest.mark.parametrize("text", ["", "1S", "ASS", "as", "10H", "bid", "bid 22", "bid 7 ", "Pass", "trump X", "bid 7H7", None, 5, b"AS", ["AS"]])
def test_a_text_that_is_no_action_is_refused(text):
    with pytest.raises(ValueError, match=r"is not an action; actions are cards such as 'AS', 'pass', 'bid 7'|is not a card; a card is a rank of"):
        laffa.action_id(KOUTCHINA, text)
