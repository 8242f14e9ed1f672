"""Arba'a Turub: the worked examples, identical cards, signals, what is seen on three cards, matches and their cap (A1-A22, D34, D38)."""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, is_over, legal_texts, mask_of, play, positions, walk
from laffa import match
from laffa import play as play_module
from laffa.cards import SUITS, card_id
from laffa.jit import kernel
from laffa.state import PACK, STATE, STOCK, records
from referee_turub import PACK as NINES
from referee_turub import TURUB, match_winner, next_dealer, streak_after, winning_place

pytestmark = pytest.mark.env

TRICKS = [
    ("A01", "AC AC 6C KC", 0),
    ("A02", "AC AC 6H KC", 2),
    ("A03", "KC AC AC 9C", 1),
    ("A04", "AC 6H 6H 9C", 1),
    ("A05", "6C AD AD AS", 0),
    ("A06", "9H AH KH AH", 1),
]
"""Cards in order of play with hearts as trumps, and the place of the winning one."""


@kernel
def beats(r, card, best, trump):
    return play_module.beats(r[0], card, best, trump)


@pytest.mark.parametrize(("code", "cards", "place"), TRICKS)
def test_a_trick_is_won_as_written_down(code, cards, place):
    packed, best = laffa.load("arbaa-turub").packed, 0
    ids = [card_id(card) for card in cards.split()]
    for n in range(1, 4):
        best = n if beats(packed, ids[n], ids[best], SUITS.index("H")) else best
    assert best == winning_place(cards.split(), "H") == place, code


A, B = 0, 1
GAMES = [
    ("A07", {}, [(20, (A, 20, 1)), (19, (A, 20, 1)), (22, A)]),
    ("A08", {}, [(20, (A, 20, 1)), (20, (A, 20, 1)), (21, A)]),
    ("A09", {}, [(20, (A, 20, 1)), (17, (B, 19, 2)), (21, (A, 21, 3)), (22, A)]),
    ("A10", {}, [(20, (A, 20, 1)), (18, (A, 20, 1)), (21, A)]),
    ("A11", {}, [(19, (A, 19, 1)), (16, (B, 20, 2)), (15, B)]),
    ("A12", {}, [(17, (B, 19, 2)), (19, (A, 19, 3)), (25, A)]),
    ("A13", {}, [(36, A)]),
    ("A13", {"slam_wins_match": False}, [(36, (A, 36, 1)), (36, (A, 36, 1))]),
    ("A14", {}, [(18, (None, 0, 0))]),
    ("A-c", {"short_win_rotates": True}, [(20, (A, 20, 1)), (19, (A, 20, 3))]),
    ("Q27", {"game_cap": 2, "cap_result": "holder"}, [(20, (A, 20, 1)), (17, B)]),
    ("Q27", {"game_cap": 2}, [(20, (A, 20, 1)), (17, "draw")]),
    ("Q27", {"game_cap": 1, "cap_result": "holder"}, [(18, "draw")]),
]
"""Tricks of seats 0 and 2 in each game of a match in which seat 0 deals first: (holder, mark, next dealer), or who wins the match."""


@kernel
def end_game(r, states):
    p = states[0].public
    p.hands_played += 1
    winner = match.winner_after_hand(r[0], p)
    if winner < 0:
        match.go_on(r[0], p)
    return winner


@pytest.mark.parametrize(("code", "options", "games"), GAMES)
def test_a_match_goes_on_as_written_down(code, options, games):
    rules, states = laffa.load("arbaa-turub", **options), records(1, STATE)
    p = states["public"][0]
    p["holder"] = -1
    holder, mark, dealer = None, 0, 0
    for number, (tricks, expected) in enumerate(games, 1):
        p["last"]["scores"] = [tricks, 36 - tricks]
        winner = {-1: None, 0: 0, 1: 1, 2: "draw"}[int(end_game(rules.packed, states))]
        stated, pair = {**TURUB, **options}, [tricks, 36 - tricks]
        assert match_winner(stated, holder, mark, pair, number) == winner, code
        if winner is not None:
            assert winner == expected, code
            break
        dealer = next_dealer(stated, dealer, holder, mark, pair)
        holder, mark = streak_after(holder, mark, pair)
        shown = (None if p["holder"] < 0 else int(p["holder"]), int(p["mark"]), int(p["dealer"]))
        assert shown == (holder, mark, dealer) == expected, code


def four_hands(first):
    """Hands of 36 in which seat 0 has `first`; the others share the rest."""
    rest = [card for card in NINES for _ in range(4)]
    for card in first:
        rest.remove(card)
    return [first, rest[:36], rest[36:72], rest[72:]]


def test_one_copy_of_a_card_is_played_at_a_time():
    first = ["AS"] * 4 + ["6H"] * 4 + ["6D"] * 4 + ["6C"] * 4 + ["7C"] * 4 + ["8C"] * 4 + ["9C"] * 4 + ["TC"] * 4 + ["JC"] * 4
    env = laffa.env("arbaa-turub", episode="hand")
    env.reset(seed=1, options={"dealer": 3, "hands": four_hands(first)})
    assert env.snapshot()["hands"] == [["AS", "AS", "AS"], [], [], []]
    assert legal_texts(env) == ["trump S", "trump H", "trump D", "trump C"]
    play(env, "trump S")
    hand, played = (next(piece for piece in laffa.observation_layout("arbaa-turub") if piece.name == name) for name in ("hand", "played"))
    ace = card_id("AS")
    for copies in (4, 3, 2, 1):
        view = env.observe("player_0")["observation"]
        assert view[hand.offset + ace] == copies
        assert view[played.offset + ace] == 4 - copies
        assert "AS" in legal_texts(env)
        play(env, "AS")
        while env.agent_selection != "player_0":
            env.step(int(mask_of(env).argmax()))
    assert "AS" not in legal_texts(env)
    assert env.observe("player_0")["observation"][played.offset + ace] == 4


@pytest.mark.parametrize("variant", ["arbaa-turub", "arbaa-turub-signals", "turup"])
def test_all_cards_are_somewhere_after_every_step(variant):
    rules = laffa.load(variant)
    pack = np.zeros(52, int)
    pack[[card_id(card) for card in NINES]] = rules.packs
    env = laffa.env(variant, episode="hand")
    for seed in range(4):
        env.reset(seed=seed)
        for _ in walk(env, seed):
            if is_over(env):
                break
            state = env._states[0]
            left = state["stock"][STOCK - int(state["left"]) :]
            np.testing.assert_array_equal(state["hands"].sum(0) + state["public"]["played"].sum(0) + np.bincount(left, minlength=52), pack)
            assert state["hands"].max() <= rules.packs
            for agent in AGENTS:
                view = env.observe(agent)["observation"]
                unseen = pack - view[:52] - view[52:260].reshape(4, 52).sum(0)
                assert unseen.min() >= 0
            bits = [[int(state["held"][seat]) >> card & 1 for card in range(52)] for seat in range(4)]
            np.testing.assert_array_equal(state["hands"] > 0, bits)


def test_trumps_are_named_on_three_cards_and_nothing_else_is_seen():
    rng = np.random.default_rng(3)
    for seed in range(20):
        env = laffa.env("arbaa-turub", events=True, render_mode="ansi")
        env.reset(seed=seed)
        state = env._states[0]
        assert (state["hands"].sum(1).tolist().count(0), int(state["hands"].sum()), int(state["left"])) == (3, 3, 141)

        def shown(env=env):
            turn = env.turn()
            acts = [laffa.players.make(name, env.rules, seed=3).act(turn).tobytes() for name in laffa.players.names()]
            views = [env.observe(agent)[name].tobytes() for agent in AGENTS for name in ("observation", "action_mask", "events")]
            return [*views, *acts, env.state().tobytes(), env.render()]

        before = shown()
        stock = state["stock"][STOCK - 141 :]
        stock[:] = rng.permutation(stock)
        assert shown() == before


def test_a_leader_signals_before_the_next_seat_plays():
    env = laffa.env("arbaa-turub-signals", episode="hand")
    env.reset(seed=2, options={"dealer": 3})
    play(env, "trump H")
    card = legal_texts(env)[0]
    play(env, card)
    assert (env.snapshot()["phase"], env.snapshot()["turn"], legal_texts(env)) == ("signal", 0, ["silent", "knock", "snap"])
    play(env, "knock")
    assert (env.snapshot()["phase"], env.snapshot()["turn"]) == ("play", 1)
    signal, signals = (next(piece for piece in laffa.observation_layout("arbaa-turub") if piece.name == name) for name in ("signal", "signals"))
    suit = SUITS.index(card[1])
    for seat, agent in enumerate(AGENTS):
        view = env.observe(agent)["observation"]
        assert view[signal.offset : signal.offset + 2].tolist() == [1, 0]
        marked = np.flatnonzero(view[signals.offset : signals.offset + signals.size]).tolist()
        assert marked == [8 * (-seat % 4) + suit]


@pytest.mark.parametrize(("kept", "expected"), [("AC", "knock"), ("KC", "knock"), ("QC", "snap")])
def test_true_signals_look_at_the_hand_after_the_lead(kept, expected):
    first = [kept, *["6C"] * 4, *["6H"] * 4, *["7H"] * 4, *["8H"] * 4, *["9H"] * 4, *["TH"] * 4, *["6S"] * 4, *["7S"] * 4, *["8S"] * 3]
    env = laffa.env("arbaa-turub-signals", signals="truthful", episode="hand")
    env.reset(seed=1, options={"dealer": 3, "hands": four_hands(first)})
    play(env, "trump H", "6C")
    assert legal_texts(env) == ["silent", expected]


def test_leading_the_last_high_card_leaves_nothing_to_knock_for():
    first = ["AC", *["6C"] * 4, *["6H"] * 4, *["7H"] * 4, *["8H"] * 4, *["9H"] * 4, *["TH"] * 4, *["6S"] * 4, *["7S"] * 4, *["8S"] * 3]
    env = laffa.env("arbaa-turub-signals", signals="truthful", episode="hand")
    env.reset(seed=1, options={"dealer": 3, "hands": four_hands(first)})
    play(env, "trump H", "AC")
    assert legal_texts(env) == ["silent", "snap"]


def test_matches_end_by_the_cap_and_rarely_need_it():
    batch, player = laffa.Batch("turup", 256, seed=1), laffa.players.make("random", "turup")
    turn, games = batch.reset(), []
    while len(games) < 2_000:
        before = batch.states["public"]["hands_played"].copy()
        turn = batch.step(player.act(turn), out=turn)
        games += (before[turn.done] + 1).tolist()
    assert max(games) <= 50
    assert 2 < np.mean(games) < 20


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"scores": [20, 15], "hands_played": 1}, "are not the 36 tricks of each of 1 games"),
        ({"streak": {"team": 0, "mark": 20}}, "cannot be among 0 tricks in 0 games"),
        ({"streak": {"team": 0, "mark": 18}, "scores": [20, 16], "hands_played": 1}, "streak mark"),
        ({"streak": {"team": 0, "mark": 36}, "scores": [36, 0], "hands_played": 1}, "streak mark"),
        ({"streak": {"team": 2, "mark": 20}, "scores": [20, 16], "hands_played": 1}, "streak team"),
        ({"streak": [0, 20], "scores": [20, 16], "hands_played": 1}, "dictionary of team and mark"),
        ({"hands_played": 50, "scores": [900, 900]}, "hands_played"),
        ({"passed_deals": 1}, "passed_deals = 1 is not possible; it takes a whole number from 0 to 0"),
        ({"hands": [["AS"] * 5, [], [], []]}, "AS is there more than 4 times"),
    ],
)
def test_a_position_that_cannot_be_is_refused(options, sentence):
    env = laffa.env("arbaa-turub")
    with pytest.raises(ValueError, match=sentence):
        env.reset(seed=1, options=options)


def test_a_position_in_the_middle_of_a_match():
    env = laffa.env("arbaa-turub")
    env.reset(seed=1, options={"dealer": 2, "scores": [20, 16], "hands_played": 1, "streak": {"team": 0, "mark": 20}})
    view = env.snapshot()
    assert (view["streak"], view["scores"], view["turn"]) == ({"team": 0, "mark": 20}, [20, 16], 3)
    holder, mark, left = (next(p for p in laffa.observation_layout("arbaa-turub") if p.name == name) for name in ("holder", "mark", "hands_left"))
    for seat, agent in enumerate(AGENTS):
        shown = env.observe(agent)["observation"]
        assert shown[holder.offset : holder.offset + 2].tolist() == [int(seat % 2 == 0), int(seat % 2 == 1)]
        assert (shown[mark.offset], shown[left.offset]) == (20, 49)


def test_a_tarneeb_position_has_no_streak():
    env = laffa.env("tarneeb-koutchina")
    with pytest.raises(ValueError, match="no streak"):
        env.reset(seed=1, options={"streak": {"team": 0, "mark": 20}})


def test_states_stay_small():
    assert PACK == 144
    assert STATE.itemsize <= 2 * 1100
    assert len(list(positions(1, 2, variant="arbaa-turub"))) == 2
