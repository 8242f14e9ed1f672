"""Arba'a Turub: the worked examples, identical cards, signals, what is seen on three cards, matches and their cap (A1-A22, D34, D38)."""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, four_hands, is_over, legal_texts, mask_of, play, walk
from laffa import match
from laffa import play as play_module
from laffa.cards import SUITS, card_id
from laffa.jit import kernel
from laffa.state import STATE, STOCK, records
from laffa.testing import ROUTES
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
    ("Q1", {}, [(18, (None, 0, 0))] * 49 + [(18, "draw")]),
    ("Q1", {}, [(20, (A, 20, 1))] + [(20, (A, 20, 1))] * 48 + [(19, "draw")]),
    ("Q1", {}, [(20, (A, 20, 1))] + [(18, (A, 20, 1))] * 48 + [(21, A)]),
    ("Q27", {"cap_result": "holder"}, [(18, (None, 0, 0))] * 49 + [(19, A)]),
    ("Q27", {"cap_result": "holder"}, [(20, (A, 20, 1))] + [(18, (A, 20, 1))] * 48 + [(20, A)]),
    ("A-a", {"slam_wins_match": False}, [(36, (A, 36, 1))] + [(36, (A, 36, 1)), (18, (A, 36, 1))] * 24 + [(18, "draw")]),
    ("A-a", {"slam_wins_match": False, "cap_result": "holder"}, [(36, (A, 36, 1))] + [(18, (A, 36, 1))] * 48 + [(18, A)]),
    ("A-a", {"slam_wins_match": False}, [(36, (A, 36, 1)), (0, (B, 36, 2)), (0, (B, 36, 2)), (19, (A, 19, 3)), (36, A)]),
    ("A-a", {"game_cap": None}, [(18, (None, 0, 0))] * 60 + [(20, (A, 20, 1))] + [(19, (A, 20, 1))] * 60 + [(21, A)]),
    ("A-a", {"game_cap": None}, [(18, (None, 0, 0))] * 60 + [(36, A)]),
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


@pytest.mark.trial("D38")
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


VARIANTS = ["arbaa-turub", "arbaa-turub-signals", "turup"]


def full_pack(rules):
    """Copies of each card, by id."""
    pack = np.zeros(52, int)
    pack[[card_id(card) for card in NINES]] = rules.packs
    return pack


def check_cards(env, pack):
    """Every card is in one place, nobody has or has played more or fewer copies than there are, and views say so (D38)."""
    state, copies = env._states[0], env.rules.packs
    stock = np.bincount(state["stock"][STOCK - int(state["left"]) :], minlength=52)
    np.testing.assert_array_equal(state["hands"].sum(0, dtype=int) + state["public"]["played"].sum(0, dtype=int) + stock, pack)
    assert state["hands"].max() <= copies
    assert state["public"]["played"].max() <= copies
    bits = [[int(state["held"][seat]) >> card & 1 for card in range(52)] for seat in range(4)]
    np.testing.assert_array_equal(state["hands"] > 0, bits)
    for agent in AGENTS:
        view = env.observe(agent)["observation"]
        assert 0 <= view[:260].min() <= view[:260].max() <= copies
        unseen = pack - view[:52] - view[52:260].reshape(4, 52).sum(0)
        assert 0 <= unseen.min() <= unseen.max() <= copies


@pytest.mark.trial("D38")
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_cards_are_somewhere_after_every_step_of_a_match(variant):
    """Also after the step that ends a game, which deals the next one."""
    env, dealt = laffa.env(variant, game_cap=3), 0
    for seed in range(2):
        env.reset(seed=seed)
        for _ in walk(env, seed):
            if not is_over(env):
                check_cards(env, full_pack(env.rules))
                p = env._states[0]["public"]
                dealt += int(p["hands_played"] > 0 and p["actions"] == 0)
    assert dealt >= 2


@pytest.mark.parametrize(("variant", "options"), [*((variant, {}) for variant in VARIANTS), ("turup", {"signals": "truthful"})])
def test_trumps_are_named_on_three_cards_and_nothing_else_is_seen(variant, options):
    """Whatever a seat is shown, by whichever route, stays the same when the cards that are not dealt change places."""
    rng = np.random.default_rng(3)
    for seed in range(8):
        env = laffa.env(variant, events=True, render_mode="ansi", **options)
        env.reset(seed=seed)
        state, left = env._states[0], 36 * env.rules.packs - 3
        assert (state["hands"].sum(1).tolist().count(0), int(state["hands"].sum()), int(state["left"])) == (3, 3, left)
        before = [show(env, seat) for show in ROUTES.values() for seat in range(4)] + [env.state().tobytes(), env.render()]
        stock = state["stock"][STOCK - left :]
        stock[:] = rng.permutation(stock)
        assert [show(env, seat) for show in ROUTES.values() for seat in range(4)] + [env.state().tobytes(), env.render()] == before


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


def test_a_table_shows_no_signal_that_was_not_given():
    env = laffa.env("turup", episode="hand", render_mode="ansi")
    env.reset(seed=2)
    play(env, "trump H")
    for _ in range(9):
        env.step(int(mask_of(env).argmax()))
        assert ("ed)" in env.render(), "table: " in env.render()) == (False, bool(env.snapshot()["trick"]["cards"]))


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
