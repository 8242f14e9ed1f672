"""Whole hands of Tarabish: who leads, who takes what, which cards may be played (D34, D35)."""

import pytest

import laffa
from helpers import ids_of, legal_texts, walk
from laffa.cards import SUITS
from referee_points import card_value, playable_cards, winning_place

pytestmark = pytest.mark.env

VARIANTS = [variant for variant in laffa.variants() if variant.startswith("tarabish")]
PACK = [rank + suit for suit in SUITS for rank in "6789TJQKA"]


def hands_of(variant, count, seed, **options):
    """Snapshots at the end of `count` random hands."""
    for number in range(count):
        env = laffa.env(variant, episode="hand", **options)
        env.reset(seed=seed + number)
        for _ in walk(env, number, calm=0.5):
            pass
        if env.snapshot()["last_hand"]:
            yield env


@pytest.mark.trial("D34")
@pytest.mark.parametrize(("options", "total"), [({}, 162), ({"last_trick": 4}, 156)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_winner_leads_and_the_sides_take_nine_tricks_and_every_point(variant, options, total):
    checked = 0
    for env in hands_of(variant, 12, 100, **options):
        view = env.snapshot()
        trump = view["trump"]
        points, tricks = [0, 0], [0, 0]
        assert view["tricks"][0][0] == view["first_leader"] == (view["dealer"] + 1) % 4
        for (leader, cards, winner), (after, *_) in zip(view["tricks"], [*view["tricks"][1:], (view["tricks"][-1][2],)], strict=True):
            assert winner == (leader + winning_place(cards, trump)) % 4 == after
            points[winner % 2] += sum(card_value(env.rules.options, card, trump) for card in cards)
            tricks[winner % 2] += 1
        points[view["tricks"][-1][2] % 2] += env.rules.last_trick
        assert (view["last_hand"]["points"], view["last_hand"]["tricks"]) == (points, tricks)
        assert sum(points) == total - 32 * (trump == "NT")
        assert sorted(card for _, cards, _ in view["tricks"] for card in cards) == sorted(PACK)
        checked += 1
    assert checked > 4


DUTIES = [
    {},
    {"partner_exempt": "overtrump"},
    {"partner_exempt": "all"},
    {"must_rise_on_trump_lead": False},
    {"must_rise_on_trump_lead": False, "partner_exempt": "all"},
]


@pytest.mark.trial("D35")
@pytest.mark.parametrize("options", DUTIES)
def test_every_mask_in_play_is_what_the_rules_give_and_a_renege_is_refused(options):
    followed = ruffed = renegades = 0
    rules = laffa.load("tarabish-notrump", **options)
    for number in range(25):
        env = laffa.env(rules, episode="hand")
        env.reset(seed=300 + number)
        for _ in walk(env, number, calm=0.8):
            view = env.snapshot()
            if view["phase"] != "play":
                continue
            hand, lying = view["hands"][view["turn"]], [card for _, card in view["trick"]["cards"]]
            legal = playable_cards(rules.options, hand, lying, view["trump"])
            assert sorted(legal_texts(env)) == sorted(legal)
            if lying and len(legal) < len(hand):
                followed += lying[0][1] in {card[1] for card in legal}
                ruffed += lying[0][1] not in {card[1] for card in hand}
                if number % 5 == 0:
                    wrong = next(card for card in hand if card not in legal)
                    with pytest.raises(ValueError, match=f"may not play action .*{wrong}.* in phase 'play'; legal are"):
                        env.step(ids_of(rules)[wrong])
                    renegades += 1
    assert min(followed, ruffed, renegades) > 10
