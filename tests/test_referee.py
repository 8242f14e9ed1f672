"""The referee's own worked examples: auctions, hands and ends of matches of RULES.md section 5, and whole random matches."""

import json
import random

import pytest

from referee import PACK, PRESETS, SUITS, TarneebReferee, playable, trick_winner
from referee_score import ITALIAN41, KOUTCHINA, ONEROUND, PAGAT, POINTS400
from rows import CAP_ROWS, CLOSED, ITALIAN31, MATCH_ROWS, OPEN


def plan(winners, high_spades=("AKQJ", "T987")):
    """Four hands, and per trick the card of each seat, in which seat winners[t] wins trick t when spades are trumps.

    Each of the first twelve tricks is four cards of one suit, the last is the four twos: all follow suit, none ruffs.
    """
    groups = {"S": (*high_spades, "6543")}
    quads = [[rank + suit for rank in group] for suit in SUITS for group in groups.get(suit, ("AKQJ", "T987", "6543"))]
    quads.append(["2S", "2H", "2D", "2C"])
    tricks = [{(winner + place) % 4: card for place, card in enumerate(quad)} for winner, quad in zip(winners, quads, strict=True)]
    return [[trick[seat] for trick in tricks] for seat in range(4)], tricks


def side_takes(tricks):
    """Winners of thirteen tricks, of which seats 0 and 2 take so many, by turns."""
    return [(0, 2)[trick % 2] for trick in range(tricks)] + [(1, 3)[trick % 2] for trick in range(13 - tricks)]


def bid_and_play(referee, taker, bid, tricks):
    """One hand: the taker bids once, all others pass, spades are trumps, the planned cards fall; the last rewards."""
    while referee.phase == "bid":
        bids = referee.turn == taker and not any(text == bid for _, text in referee.calls)
        referee.step(bid if bids else "pass")
    rewards = referee.step("trump S")
    for trick in tricks:
        for _ in range(4):
            rewards = referee.step(trick[referee.turn])
    return rewards


def after_hand(options, scores, bid, winners, hands_played=0, dealer=3, episode="match", **plan_options):
    """The referee and rewards after seat 0 has bid and one planned hand was played from the given scores."""
    hands, tricks = plan(winners, **plan_options)
    referee = TarneebReferee("tarneeb", 1, options, [hands] * 3, dealer, episode)
    referee.scores, referee.hands_played = list(scores), hands_played
    return referee, bid_and_play(referee, 0, f"bid {bid}", tricks)


@pytest.mark.parametrize(("code", "options", "before", "bid", "tricks", "after", "winner"), MATCH_ROWS)
def test_a_hand_from_given_scores(code, options, before, bid, tricks, after, winner):
    referee, rewards = after_hand(options, before, bid, side_takes(tricks))
    gain = (after[0] - before[0]) - (after[1] - before[1])
    assert (referee.scores, referee.winner, referee.over) == (after, winner, winner is not None), code
    assert rewards == [gain, -gain, gain, -gain]
    assert (referee.dealer, referee.phase) == ((3, "over") if referee.over else (0, "bid"))


def test_i21_card_points_win_the_match():
    winners = [0, 1, 1, 0, 2, 1, 0, 2, 1, 2, 1, 3, 1]
    referee, rewards = after_hand(POINTS400, (330, 250), 70, winners, high_spades=("QJ98", "AKT7"))
    assert (referee.scores, referee.winner, rewards[0]) == ([415, 285], 0, 50)
    assert referee.snapshot()["hand"] == {"tricks": [6, 7], "points": [85, 35], "melds": [], "bella": None}


def test_k02_the_other_side_fails():
    """Scores and rewards go to the right side when seat 3 is the taker."""
    hands, tricks = plan(side_takes(6))
    referee = TarneebReferee("tarneeb", 1, KOUTCHINA, [hands, hands], 1)
    assert bid_and_play(referee, 3, "bid 9", tricks) == [15, -15, 15, -15]
    assert (referee.scores, referee.dealer) == ([6, -9], 2)
    assert (referee.last_hand["made"], referee.last_hand["tricks"]) == (False, [6, 7])


@pytest.mark.parametrize(("options", "before", "bid", "tricks", "winner"), CAP_ROWS)
def test_k14_the_fiftieth_counted_hand(options, before, bid, tricks, winner):
    assert after_hand(options, before, bid, side_takes(tricks), hands_played=49)[0].winner == winner
    assert after_hand(options, before, bid, side_takes(tricks), hands_played=48)[0].winner is None


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_winner_leads_and_the_taker_leads_first(dealer, stride):
    """Trick t is won by seat t * stride (PITFALLS D34)."""
    winners = [trick * stride % 4 for trick in range(13)]
    referee, _ = after_hand(ITALIAN41, (0, 0), 7, winners, dealer=dealer, episode="hand")
    state = referee.snapshot()
    assert [winner for _, _, winner in state["tricks"]] == winners
    assert [leader for leader, _, _ in state["tricks"]] == [0, *winners[:-1]]
    assert sum(state["hand"]["tricks"]) == 13
    assert state["first_leader"] == 0


# ----------------------------------------------------------------------------------------- auction, play, ends


def shuffled(seed):
    """Endless shuffled deals."""
    rng, pack = random.Random(seed), list(PACK)
    while True:
        rng.shuffle(pack)
        yield [pack[13 * seat : 13 * seat + 13] for seat in range(4)]


def auction(options, calls):
    """The referee after some calls, "P" a pass and "7" or "7NT" a bid, dealt by seat 0 so that seat 1 speaks first."""
    referee = TarneebReferee("tarneeb", 1, options, shuffled(5), 0)
    for call in calls.split():
        referee.step("pass" if call == "P" else f"bid {call}")
    return referee


@pytest.mark.parametrize(("code", "options", "calls", "seat", "value"), CLOSED)
def test_auctions_that_close(code, options, calls, seat, value):
    assert auction(options, calls.rsplit(maxsplit=1)[0] if " " in calls else "").contract is None, code
    referee = auction(options, calls)
    trump = "NT" if calls.endswith("NT") else None
    assert referee.contract == {"seat": seat, "value": value, "trump": trump}
    assert (referee.turn, referee.snapshot()["trump"]) == (seat, trump)
    assert referee.phase == ("play" if trump else "trump")  # Q17
    assert trump or referee.legal() == ["trump S", "trump H", "trump D", "trump C"]


@pytest.mark.parametrize(("code", "options", "calls", "turn", "legal"), OPEN)
def test_legal_calls(code, options, calls, turn, legal):
    referee = auction(options, calls)
    assert (referee.turn, referee.legal()) == (turn, ["pass" if call == "P" else f"bid {call}" for call in legal.split()]), code
    with pytest.raises(ValueError):
        referee.step("bid 0")


def test_cards_to_play_and_winners_of_tricks():
    assert playable(["AS", "2S", "KH"], "S") == ["AS", "2S"]
    assert playable(["AS", "KH"], "S") == ["AS"]
    assert playable(["AS", "KH"], "D") == ["AS", "KH"] == playable(["AS", "KH"], None)  # K21: no duty to ruff
    rows = [("9S KS 2S AD", "H", 1), ("AS KS 2H QS", "H", 2), ("AS 3H 2H QS", "H", 1), ("2S AD AC AH", "NT", 0), ("TH 9H JH AS", "H", 2)]
    assert [trick_winner(cards.split(), trump) for cards, trump, _ in rows] == [place for _, _, place in rows]


@pytest.mark.parametrize(("options", "dealer"), [(KOUTCHINA, 1), (ITALIAN41, 1), (ONEROUND, 1), (PAGAT, 0)])
def test_k11_a_passed_deal_is_not_counted(options, dealer):
    state = auction(options, "P P P P").snapshot()
    assert (state["dealer"], state["turn"], state["passed_deals"], state["hands_played"]) == (dealer, dealer + 1, 1, 0)
    assert (state["calls"], state["history"], state["scores"], state["contract"]) == ([], [], [0, 0], None)


def test_k15_eight_passed_deals_close_the_table():
    referee = auction(KOUTCHINA, "P " * 31)
    assert (referee.over, referee.step("pass")) == (False, [0, 0, 0, 0])
    state = referee.snapshot()
    assert (referee.over, state["phase"], state["winner"], state["turn"], state["passed_deals"]) == (True, "over", "none", None, 8)
    assert (state["dealer"], state["hands"]) == (3, [[], [], [], []])
    assert referee.legal() == []
    assert state["calls"] == state["history"] == [[0, "pass"], [1, "pass"], [2, "pass"], [3, "pass"]]
    assert not auction({**KOUTCHINA, "all_pass_cap": None}, "P " * 80).over


def test_an_episode_of_one_hand():
    """A passed deal does not end it; the first counted hand does, without a winner unless the match ended too (Q20)."""
    hands, tricks = plan(side_takes(8))
    for scores, winner in (([0, 0], None), ([24, 0], 0)):
        referee = TarneebReferee("tarneeb", 1, KOUTCHINA, iter([hands, hands]), 2, "hand")
        referee.scores = scores
        assert [referee.step("pass") for _ in range(4)] == [[0, 0, 0, 0]] * 4
        assert bid_and_play(referee, 0, "bid 7", tricks) == [7, -7, 7, -7]
        assert (referee.over, referee.phase, referee.winner, referee.dealer) == (True, "over", winner, 3)
        assert (referee.passed_deals, referee.hands_played) == (0, 1)


# ------------------------------------------------------------------------------------ snapshots, whole matches


def test_snapshot_of_a_first_trick():
    hands, _ = plan(side_takes(13))
    referee = TarneebReferee("tarneeb-koutchina", 1, KOUTCHINA, [hands, hands], 3)
    before = referee.snapshot()
    for text in ("bid 13", "trump S", "AS", "KS"):
        referee.step(text)
    sorted_hands = [sorted(hand, key=PACK.index) for hand in hands]
    assert (before["hands"], before["calls"]) == (sorted_hands, [])
    assert before["trick"] == {"leader": None, "cards": []}
    assert sorted_hands[0] == ["AS", "8S", "6S", "2S", "QH", "TH", "4H", *sorted_hands[0][7:]]
    assert referee.snapshot() == {
        "variant": "tarneeb-koutchina", "version": 1, "phase": "play", "turn": 2, "dealer": 3, "first_leader": 0,
        "hands": [sorted_hands[0][1:], sorted_hands[1][1:], *sorted_hands[2:]], "undealt": [], "upcard": None,
        "calls": [[0, "bid 13"]], "contract": {"seat": 0, "value": 13, "trump": "S"}, "trump": "S",
        "trick": {"leader": 0, "cards": [[0, "AS"], [1, "KS"]]}, "tricks": [],
        "hand": {"tricks": [0, 0], "points": [0, 0], "melds": [], "bella": None},
        "scores": [0, 0], "hands_played": 0, "passed_deals": 0, "games": [0, 0], "streak": None, "last_hand": None,
        "winner": None, "history": [[0, "bid 13"], [0, "trump S"], [0, "AS"], [1, "KS"]],
    }  # fmt: skip


def test_snapshot_after_a_hand_and_at_the_end():
    referee, _ = after_hand(ITALIAN31, (0, 0), 8, side_takes(9))
    contract = {"seat": 0, "value": 8, "trump": "S"}
    last = {"scores": [9, 4], "made": True, "tricks": [9, 4], "points": [0, 0], "contract": contract, "melds": [], "bella": None}
    state = referee.snapshot()
    assert state["last_hand"] == last
    assert (state["dealer"], state["turn"], state["tricks"], state["contract"]) == (0, 1, [], None)
    state = after_hand(ITALIAN31, (30, 0), 8, side_takes(9))[0].snapshot()
    assert state["last_hand"] == last
    assert (state["dealer"], state["turn"], state["contract"]) == (3, None, contract)
    assert (len(state["tricks"]), len(state["history"]), state["hand"]["tricks"]) == (13, 57, [9, 4])
    assert (state["trick"], state["hands"], state["first_leader"]) == ({"leader": None, "cards": []}, [[], [], [], []], 0)


def play_match(options, seed, episode="match"):
    """Random actions to the end, looking at every snapshot; returns the last one and the sum of the rewards of seat 0."""
    rng, total = random.Random(seed), 0
    referee = TarneebReferee("tarneeb", 1, options, shuffled(seed), seed % 4, episode)
    while not referee.over:
        state = referee.snapshot()
        places = [*state["hands"], [card for _, card in state["trick"]["cards"]], *(cards for _, cards, _ in state["tricks"])]
        assert sorted(card for place in places for card in place) == sorted(PACK)
        legal = referee.legal()
        assert len(set(legal)) == len(legal) > 0
        total += referee.step(rng.choice(legal))[0]
        json.dumps(state)
    return referee.snapshot(), total


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("variant", PRESETS)
def test_random_matches_end(variant, seed):
    state, total = play_match(PRESETS[variant], seed)
    assert json.loads(json.dumps(state)) == state
    assert state["winner"] in (0, 1, "draw")
    assert total == state["scores"][0] - state["scores"][1]
    assert max(state["scores"]) >= PRESETS[variant]["target"] or state["hands_played"] == 50
    assert play_match(PRESETS[variant], seed, "hand")[0]["hands_played"] == 1


@pytest.mark.parametrize("seed", range(12))
def test_random_matches_end_under_random_options(seed):
    rng = random.Random(seed)
    values = {
        "auction": ["open", "final_pass", "single_lap"], "dealer_may_equal": [False, True], "close_at_max": [True, False],
        "bid_min": [6, 7, 9], "bid_max": [11, 13], "bid_step": [1, 2], "nt_bids": [False, True],
        "all_pass": ["next_dealer", "same_dealer", "force_dealer"], "all_pass_cap": [1, 8, None], "hand_cap": [1, 6],
        "cap_tie": ["draw", "last_hand_winner"], "made_score": ["actual", "bid"], "defenders_on_made": ["none", "actual"],
        "slam_unbid": [None, 16], "slam_bid": [13, 26, None], "slam_failed": [13, 16, None],
        "slam_failed_defenders_x2": [False, True], "kabsh_any_side": [False, True], "target": [31, 41],
    }  # fmt: skip
    state, _ = play_match({**KOUTCHINA, **{name: rng.choice(choices) for name, choices in values.items()}}, seed)
    assert state["winner"] in (0, 1, "draw", "none")
    assert state["phase"] == "over"


def test_what_the_referee_refuses():
    hands, _ = plan(side_takes(13))
    with pytest.raises(ValueError, match="traget"):
        TarneebReferee("tarneeb", 1, {**KOUTCHINA, "traget": 41}, [hands], 0)
    with pytest.raises(ValueError, match="thirteen different cards"):
        TarneebReferee("tarneeb", 1, KOUTCHINA, [[hands[0]] * 4], 0)
    referee = TarneebReferee("tarneeb", 1, KOUTCHINA, [hands], 3)
    before = referee.snapshot()
    with pytest.raises(ValueError, match="seat 0, phase bid"):
        referee.step("AS")
    assert referee.snapshot() == before
