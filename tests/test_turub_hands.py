"""Whole games of Arba'a Turub: who leads, who takes what, and identical cards in one trick (D34, D35, D38)."""

import pytest

import laffa
from helpers import AGENTS, is_over, legal_texts, play, walk
from laffa.cards import card_id
from referee_turub import RANKS, SUITS, playable_cards, winning_place

pytestmark = pytest.mark.env

VARIANTS = ["arbaa-turub", "arbaa-turub-signals", "turup"]


def tricks_of_one_suit(packs):
    """All cards of a suit in tricks of four, each with one card that is higher than the other three."""
    ranks = [rank for rank in RANKS for _ in range(packs)]
    winners = 9 * packs // 4
    return [[ranks[n], *ranks[winners + 3 * n : winners + 3 * n + 3]] for n in range(winners)]


def rigged(winners):
    """Hands of 36, each in the order in which it is played, so that trick t is won by seat `winners[t]`."""
    hands = [[], [], [], []]
    tricks = [[rank + suit for rank in ranks] for suit in SUITS for ranks in tricks_of_one_suit(4)]
    for (high, *low), winner in zip(tricks, winners, strict=True):
        for seat in range(4):
            hands[seat].append(high if seat == winner else low.pop())
    return hands


def play_rigged(env, winners, **position):
    """Set up and play a game of which trick t is won by seat `winners[t]`."""
    hands = rigged(winners)
    env.reset(seed=1, options={"hands": hands, **position})
    play(env, "trump S")
    for trick, leader in enumerate([(position["dealer"] + 1) % 4, *winners[:-1]]):
        assert env.agent_selection == AGENTS[leader]
        play(env, *(hands[(leader + k) % 4][trick] for k in range(4)))


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_the_winner_leads_and_the_dealers_left_leads_first(dealer, stride):
    """Trick t is won by seat t * stride."""
    winners = [trick * stride % 4 for trick in range(36)]
    env = laffa.env("arbaa-turub", episode="hand")
    play_rigged(env, winners, dealer=dealer)
    view = env.snapshot()
    assert [winner for _, _, winner in view["tricks"]] == winners
    assert [leader for leader, *_ in view["tricks"]] == [(dealer + 1) % 4, *winners[:-1]]
    assert view["last_hand"]["tricks"] == view["last_hand"]["scores"] == [sum(winner % 2 == side for winner in winners) for side in (0, 1)]
    assert sum(view["last_hand"]["tricks"]) == 36
    assert view["first_leader"] == (dealer + 1) % 4


AFTER_TWENTY = [
    ("A07", {}, 19, None, (0, 20), 1),
    ("A08", {}, 20, None, (0, 20), 1),
    ("A07", {}, 22, 0, (0, 20), None),
    ("A10", {}, 18, None, (0, 20), 1),
    ("A09", {}, 17, None, (1, 19), 2),
    ("A13", {}, 36, 0, (0, 20), None),
    ("A13", {}, 0, 1, (0, 20), None),
    ("A-c", {"short_win_rotates": True}, 19, None, (0, 20), 3),
    ("Q27", {"game_cap": 2}, 17, "draw", (0, 20), None),
    ("Q27", {"game_cap": 2, "cap_result": "holder"}, 17, 1, (0, 20), None),
    ("Q27", {"game_cap": 2, "cap_result": "holder"}, 18, 0, (0, 20), None),
]
"""Tricks of seats 0 and 2 in a second game that seat 1 deals, after they have won the first with 20: winner, streak, next dealer.

Over, a streak is what it was before the last game (Q19).
"""


@pytest.mark.parametrize("reward", ["score", "outcome"])
@pytest.mark.parametrize(("code", "options", "tricks", "winner", "streak", "dealer"), AFTER_TWENTY)
def test_a_second_game_ends_as_written_down(code, options, tricks, winner, streak, dealer, reward):
    env = laffa.env("arbaa-turub", reward=reward, **options)
    position = {"dealer": 1, "scores": [20, 16], "hands_played": 1, "streak": {"team": 0, "mark": 20}}
    play_rigged(env, [0] * tricks + [1] * (36 - tricks), **position)
    view = env.snapshot()
    assert (view["winner"], view["streak"]) == (winner, {"team": streak[0], "mark": streak[1]}), code
    assert (view["phase"] == "over") == is_over(env) == (winner is not None), code
    assert dealer in (None, view["dealer"]), code
    assert (view["scores"], view["hands_played"]) == ([20 + tricks, 52 - tricks], 2)
    paid = 2 * tricks - 36 if reward == "score" else {0: 1, 1: -1}.get(winner, 0)
    assert [env.rewards[agent] for agent in AGENTS] == [paid, -paid, paid, -paid]


def after_49(team, mark):
    """A match of which 49 games are played: one that `team` won with `mark` tricks, or none, and else draws."""
    scores = [49 * 18, 49 * 18]
    if team is None:
        return {"dealer": 1, "hands_played": 49, "scores": scores}
    scores[team], scores[1 - team] = 48 * 18 + mark, 48 * 18 + 36 - mark
    return {"dealer": 1, "hands_played": 49, "scores": scores, "streak": {"team": team, "mark": mark}}


LAST_GAMES = [
    ("Q1", {}, (None, 0), 18, "draw"),
    ("Q1", {}, (None, 0), 20, "draw"),
    ("Q1", {}, (0, 20), 18, "draw"),
    ("Q1", {}, (0, 20), 19, "draw"),
    ("Q1", {}, (0, 20), 21, 0),
    ("Q1", {}, (1, 20), 36, 0),
    ("Q27", {"cap_result": "holder"}, (None, 0), 18, "draw"),
    ("Q27", {"cap_result": "holder"}, (None, 0), 16, 1),
    ("Q27", {"cap_result": "holder"}, (0, 20), 18, 0),
    ("Q27", {"cap_result": "holder"}, (0, 20), 19, 0),
    ("Q27", {"cap_result": "holder"}, (0, 20), 17, 1),
    ("A-a", {"slam_wins_match": False}, (0, 36), 18, "draw"),
    ("A-a", {"slam_wins_match": False}, (0, 36), 36, "draw"),
    ("A-a", {"slam_wins_match": False, "cap_result": "holder"}, (0, 36), 36, 0),
    ("A-a", {"game_cap": None}, (0, 20), 18, None),
    ("A-a", {"game_cap": None}, (0, 20), 21, 0),
]
"""Tricks of seats 0 and 2 in game 50, the (team, mark) of the only win before it, and the winner of the match."""


@pytest.mark.parametrize(("code", "options", "streak", "tricks", "winner"), LAST_GAMES)
def test_the_fiftieth_game_ends_a_match_as_written_down(code, options, streak, tricks, winner):
    env = laffa.env("arbaa-turub", reward="outcome", **options)
    play_rigged(env, [0] * tricks + [1] * (36 - tricks), **after_49(*streak))
    assert env.snapshot()["winner"] == winner, code
    assert is_over(env) == (winner is not None), code
    assert [env.rewards[agent] for agent in AGENTS] == [{0: 1, 1: -1}.get(winner, 0) * sign for sign in (1, -1, 1, -1)]


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
