"""Whole games of Arba'a Turub: who leads, who takes what, identical cards in one trick, and that seats are only places (D34, D35, D38)."""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, choose, is_over, legal_texts, mask_of, play, walk
from laffa.cards import card_id
from referee_turub import RANKS, SUITS, playable_cards, winning_place

pytestmark = pytest.mark.env

VARIANTS = ["arbaa-turub", "arbaa-turub-signals", "turup"]


def tricks_of_one_suit(packs):
    """All cards of a suit in tricks of four, each with one card that is higher than the other three."""
    ranks = [rank for rank in RANKS for _ in range(packs)]
    winners = 9 * packs // 4
    return [[ranks[n], *ranks[winners + 3 * n : winners + 3 * n + 3]] for n in range(winners)]


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_the_winner_leads_and_the_dealers_left_leads_first(dealer, stride):
    """Trick t is won by seat t * stride."""
    winners = [trick * stride % 4 for trick in range(36)]
    hands = [[], [], [], []]
    for trick, (high, *low) in enumerate(one for suit in SUITS for one in [[rank + suit for rank in ranks] for ranks in tricks_of_one_suit(4)]):
        for seat in range(4):
            hands[seat].append(high if seat == winners[trick] else low.pop())
    env = laffa.env("arbaa-turub", episode="hand")
    env.reset(seed=1, options={"dealer": dealer, "hands": hands})
    play(env, "trump S")
    leaders = [(dealer + 1) % 4, *winners[:-1]]
    for trick, leader in enumerate(leaders):
        assert env.agent_selection == AGENTS[leader]
        play(env, *(hands[(leader + k) % 4][trick] for k in range(4)))
    view = env.snapshot()
    assert [winner for _, _, winner in view["tricks"]] == winners
    assert [leader for leader, *_ in view["tricks"]] == leaders
    assert view["last_hand"]["tricks"] == view["last_hand"]["scores"] == [sum(winner % 2 == side for winner in winners) for side in (0, 1)]
    assert sum(view["last_hand"]["tricks"]) == 36
    assert view["first_leader"] == (dealer + 1) % 4


@pytest.mark.parametrize("leader", range(4))
def test_four_copies_of_one_card_in_one_trick(leader):
    """The first of them wins, and each hand loses one."""
    rest = [rank + suit for suit in SUITS for rank in RANKS for _ in range(4) if rank + suit != "AS"]
    hands = [["AS", *rest[35 * seat : 35 * seat + 35]] for seat in range(4)]
    env = laffa.env("arbaa-turub", episode="hand")
    env.reset(seed=1, options={"dealer": (leader - 1) % 4, "hands": hands})
    play(env, "trump D", *["AS"] * 4)
    view, state = env.snapshot(), env._states[0]
    assert view["tricks"] == [[leader, ["AS"] * 4, leader]]
    assert env.agent_selection == AGENTS[leader]
    assert state["hands"].sum(1).tolist() == [35] * 4
    assert state["public"]["played"][:, card_id("AS")].tolist() == [1] * 4


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_mask_in_play_is_what_the_rules_give_and_a_renege_is_refused(variant):
    followed = refused = 0
    env = laffa.env(variant, episode="hand")
    for seed in range(5):
        env.reset(seed=seed)
        for _ in walk(env, seed):
            view = env.snapshot()
            if view["phase"] != "play":
                continue
            hand, lying = view["hands"][view["turn"]], [card for _, card in view["trick"]["cards"]]
            legal = playable_cards(hand, lying[0][1] if lying else None)
            assert sorted(legal_texts(env)) == sorted(legal)
            if lying and len(legal) < len(set(hand)):
                followed += 1
                if followed % 7 == 0:
                    wrong = next(card for card in hand if card not in legal)
                    with pytest.raises(ValueError, match=f"may not play action .*{wrong}.* in phase 'play'; legal are"):
                        env.step(card_id(wrong))
                    refused += 1
    assert refused > 4


@pytest.mark.parametrize("variant", VARIANTS)
def test_tricks_go_to_the_highest_card_and_every_card_is_played_as_often_as_there_are_packs(variant):
    env = laffa.env(variant, episode="hand")
    for seed in range(4):
        env.reset(seed=seed)
        for _ in walk(env, seed):
            pass
        view = env.snapshot()
        for leader, cards, winner in view["tricks"]:
            assert winner == (leader + winning_place(cards, view["trump"])) % 4
        played = [card for _, cards, _ in view["tricks"] for card in cards]
        assert sorted(played) == sorted(rank + suit for suit in SUITS for rank in RANKS for _ in range(env.rules.packs))


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turning_the_table_turns_everything_and_changes_nothing_else(turn):
    rng = np.random.default_rng(5)
    pack = [rank + suit for suit in SUITS for rank in RANKS for _ in range(4)]
    hands = np.array(pack)[rng.permutation(144)].reshape(4, 36).tolist()
    one, other = laffa.env("arbaa-turub-signals", episode="hand"), laffa.env("arbaa-turub-signals", episode="hand")
    one.reset(seed=1, options={"dealer": 0, "hands": hands})
    other.reset(seed=1, options={"dealer": turn, "hands": [hands[(seat - turn) % 4] for seat in range(4)]})
    while not is_over(one):
        for seat, agent in enumerate(AGENTS):
            seen, turned = one.observe(agent), other.observe(AGENTS[(seat + turn) % 4])
            for name in seen:
                np.testing.assert_array_equal(seen[name], turned[name])
        action = choose(mask_of(one), rng, 0.5)
        one.step(action)
        other.step(action)
    a, b = one.snapshot()["last_hand"]["tricks"], other.snapshot()["last_hand"]["tricks"]
    assert is_over(other)
    assert a == (b[::-1] if turn % 2 else b)
