"""The Tarneeb family in the engine: the worked examples as rows, in arithmetic and in real play; the codes are those of the rules page."""

import sys

import pytest

import laffa
from helpers import legal_texts, play, play_contract
from laffa import match, score
from laffa.jit import kernel
from laffa.state import DRAW, STATE, records
from referee_score import match_result
from rows import CAP_ROWS, CLOSED, MATCH_ROWS, OPEN, POINT_ROWS, TABLES, TRICK_ROWS
from test_referee import plan

pytestmark = pytest.mark.env


def rules_of(options):
    """The engine's rules under a referee's options."""
    return laffa.load("tarneeb-notrump", **options)


def scored(options, bid, took):
    return tuple(int(x) for x in score.hand_scores(rules_of(options).packed[0], bid, took)[1:])


@pytest.mark.trial("D36")
@pytest.mark.parametrize(("code", "options", "bid", "tricks", "scores"), TRICK_ROWS)
def test_worked_examples_in_tricks(code, options, bid, tricks, scores):
    assert scored(options, bid, tricks) == scores, code


@pytest.mark.parametrize(("code", "options", "bid", "tricks", "scores"), TRICK_ROWS)
def test_worked_examples_in_tricks_come_out_of_real_play(code, options, bid, tricks, scores):
    for declarer in range(4):
        env = laffa.env(rules_of(options), episode="hand")
        play_contract(env, bid, tricks, declarer)
        last = env.snapshot()["last_hand"]
        assert last["scores"] == list(scores if declarer % 2 == 0 else scores[::-1]), code
        assert last["made"] == (tricks >= bid)


@pytest.mark.parametrize(("code", "options", "bid", "points", "scores"), POINT_ROWS)
def test_worked_examples_in_card_points(code, options, bid, points, scores):
    assert scored(options, bid, points) == scores, code


@pytest.mark.trial("D36")
@pytest.mark.parametrize(("options", "table"), TABLES)
def test_every_bid_with_every_number_of_tricks(options, table):
    cases = [(bid, tricks, cell) for bid, row in table.items() for tricks, cell in enumerate(row.split())]
    assert len(cases) == 98
    for bid, tricks, cell in cases:
        assert "{}/{}".format(*scored(options, bid, tricks)) == cell, (bid, tricks)


@pytest.mark.parametrize(("code", "options", "before", "bid", "tricks", "after", "winner"), MATCH_ROWS)
def test_a_hand_from_given_scores(code, options, before, bid, tricks, after, winner):
    env = laffa.env(rules_of(options))
    play_contract(env, bid, tricks, declarer=0, scores=list(before))
    view = env.snapshot()
    assert (view["scores"], view["winner"], view["phase"]) == (after, winner, "bid" if winner is None else "over"), code
    gain = (after[0] - before[0]) - (after[1] - before[1])
    assert [env.rewards[agent] for agent in env.possible_agents] == [gain, -gain, gain, -gain]


@pytest.mark.parametrize(("options", "before", "bid", "tricks", "winner"), CAP_ROWS)
def test_k14_the_fiftieth_counted_hand(options, before, bid, tricks, winner):
    for hands_played in (49, 48):
        env = laffa.env(rules_of(options))
        play_contract(env, bid, tricks, declarer=0, scores=list(before), hands_played=hands_played)
        assert env.snapshot()["winner"] == (winner if hands_played == 49 else None)


LEVEL = [
    ("draw", (9, 9), (7, 6), "draw"), ("last_hand_winner", (9, 9), (7, 6), 0), ("last_hand_winner", (9, 9), (-7, 7), 1),
    ("last_hand_winner", (9, 9), (60, 60), "draw"), ("last_hand_winner", (8, 9), (7, 6), 1), ("draw", (9, 8), (-7, 7), 0),
]  # fmt: skip
"""The option, scores after the last hand of a match, what each side had in it, winner (K33, K-k)."""


@kernel
def at_the_cap(r, states):
    return match.winner_after_hand(r[0], states[0].public)


@pytest.mark.parametrize(("tie", "scores", "last", "winner"), LEVEL)
def test_what_the_hand_cap_makes_of_scores(tie, scores, last, winner):
    states, rules = records(1, STATE), laffa.load("tarneeb-koutchina", cap_tie=tie)
    p = states["public"][0]
    p["scores"], p["last"]["scores"], p["hands_played"] = scores, last, 50
    assert at_the_cap(rules.packed, states) == {"draw": DRAW}.get(winner, winner)
    assert match_result(rules.options, list(scores), 50, list(last)) == winner


def test_i21_card_points_win_the_match():
    hands, tricks = plan([0, 1, 1, 0, 2, 1, 0, 2, 1, 2, 1, 3, 1], high_spades=("QJ98", "AKT7"))
    env = laffa.env("tarneeb-400points")
    env.reset(seed=1, options={"dealer": 3, "hands": hands, "scores": [330, 250]})
    play(env, "bid 70", "pass", "pass", "pass", "trump S")
    for trick in tricks:
        for _ in range(4):
            play(env, trick[env.snapshot()["turn"]])
    view = env.snapshot()
    assert (view["scores"], view["winner"], env.rewards["player_0"]) == ([415, 285], 0, 50)
    assert view["hand"] == {"tricks": [6, 7], "points": [85, 35], "melds": [], "bella": None}
    assert view["last_hand"]["points"] == [85, 35]


def test_i16_the_pack_holds_120_card_points():
    assert 4 * sum(laffa.load("tarneeb-400points").packed[0]["worth"][0]) == laffa.load("tarneeb-400points").whole == 120


def called(options, calls):
    """An environment after some calls, "P" a pass and "7" or "7NT" a bid, dealt by seat 0 so that seat 1 speaks first."""
    env = laffa.env(rules_of(options))
    env.reset(seed=5, options={"dealer": 0})
    play(env, *("pass" if call == "P" else f"bid {call}" for call in calls.split()))
    return env


@pytest.mark.parametrize(("code", "options", "calls", "seat", "value"), CLOSED)
def test_auctions_that_close(code, options, calls, seat, value):
    assert called(options, calls.rsplit(maxsplit=1)[0] if " " in calls else "").snapshot()["contract"] is None, code
    env = called(options, calls)
    trump = "NT" if calls.endswith("NT") else None
    view = env.snapshot()
    assert view["contract"] == {"seat": seat, "value": value, "trump": trump}
    assert (view["turn"], view["trump"]) == (seat, trump)
    assert view["phase"] == ("play" if trump else "trump")
    assert legal_texts(env) if trump else legal_texts(env) == ["trump S", "trump H", "trump D", "trump C"]


@pytest.mark.parametrize(("code", "options", "calls", "turn", "legal"), OPEN)
def test_legal_calls(code, options, calls, turn, legal):
    env = called(options, calls)
    assert env.snapshot()["turn"] == turn, code
    assert set(legal_texts(env)) == {"pass" if call == "P" else f"bid {call}" for call in legal.split()}


@pytest.mark.parametrize(("variant", "dealer"), [("tarneeb-koutchina", 1), ("tarneeb-italian41", 1), ("tarneeb-oneround", 1), ("tarneeb-pagat", 0)])
def test_k11_a_passed_deal_is_not_counted(variant, dealer):
    view = called(laffa.load(variant).options, "P P P P").snapshot()
    assert (view["dealer"], view["turn"], view["passed_deals"], view["hands_played"]) == (dealer, dealer + 1, 1, 0)


def test_a_forced_opening_leaves_no_deal_passed_out():
    env = called(laffa.load("tarneeb-forced").options, "P P P")
    assert legal_texts(env) == ["bid 7"]
    play(env, "bid 7")
    assert env.snapshot()["contract"] == {"seat": 0, "value": 7, "trump": None}


def test_without_trumps_the_suit_led_wins():
    hands, tricks = plan([0] * 13)
    env = laffa.env("tarneeb-notrump", episode="hand")
    env.reset(seed=1, options={"dealer": 3, "hands": hands})
    play(env, "bid 13NT")
    for trick in tricks:
        for _ in range(4):
            play(env, trick[env.snapshot()["turn"]])
    view = env.snapshot()
    assert (view["last_hand"]["contract"], view["scores"]) == ({"seat": 0, "value": 13, "trump": "NT"}, [16, 0])


def test_kernels_are_compiled_once_for_all_variants():
    """One compiled signature serves every variant: playing all of them adds none to those of the first."""

    def signatures():
        modules = [module for name, module in sys.modules.items() if name.startswith("laffa.")]
        kernels = {id(value): value for module in modules for value in vars(module).values() if hasattr(value, "signatures")}
        return {(kernel.__module__, kernel.__name__): len(kernel.signatures) for kernel in kernels.values()}

    def play_some(variant):
        batch, env = laffa.Batch(variant, 4, seed=1, state=True, events=True), laffa.env(variant)
        players = [laffa.players.make(name, variant) for name in laffa.players.names()]
        turn = batch.reset()
        for n in range(200):
            turn = batch.step(players[n % len(players)].act(turn))
        env.reset(seed=1)
        env.observe(env.agent_selection)

    def entered():
        """Those that Python calls; what only kernels call, players among them, may be compiled for each caller."""
        return {name: count for name, count in signatures().items() if name[0] in ("laffa.sweep", "laffa.aec")}

    play_some("tarneeb-koutchina")
    before = entered()
    assert sum(before.values()) > 5
    for other in ("tarabish", "arbaa-turub"):  # each family has players of its own
        play_some(other)
    assert entered() == before
    everything = signatures()
    for variant in laffa.variants():
        play_some(variant)
    assert signatures() == everything
