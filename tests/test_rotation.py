"""Seats are only places: a game in which deal, dealer and actions are turned by some seats is the same game, turned (D34).

The state of a twin is that of a random match with all seats turned round the table. Whoever sat where sees the same, may do the
same and is paid the same. New cards come from the random generator for each place, so after every deal the twin is given those
of the match, turned; who deals, who calls first and how the match stands it has to know by itself.
"""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, random_start, seat_of
from laffa import aec
from laffa.aec import CardGame
from laffa.state import DRAW, PLAYING, PUBLIC, RESULT, STATE
from laffa.testing import choose, is_over, mask_of, packed

pytestmark = pytest.mark.env

SEATS = {"dealer", "turn", "first_leader", "declarer", "bella", "leader", "last_leader"}
"""Fields that name a seat, or -1."""
SIDES = {"holder", "winner"}
"""Fields that name a side, or something else."""
PAIRS = {"scores", "points", "tricks", "games"}
"""Fields with a value for each side."""
ROWS = {"passed", "seat_level", "seat_nt", "said", "melds", "signals", "voids", "ceiling", "played", "held", "hands", "declared"}
"""Fields with a row for each seat."""
LISTS = {"history": "actions", "winners": "trick"}
"""Lists with a seat in every entry, and the fields that say how long they are."""
THE_SAME = {
    "key", "left", "stock", "spare", "hands_played", "hands_here", "passed_deals", "deals", "actions", "mark", "truncated", "phase", "level", "nt",
    "passes", "calls", "lap", "suit", "trump", "upcard", "revealed", "signal", "on_table", "best", "table", "trick", "last_table", "when", "made",
}  # fmt: skip
"""Fields that know of no seat."""
CARDS = ("hands", "held", "stock")
SHOWN = ("upcard", "revealed")
"""What a deal brings."""


def rotate(records, shift):
    """Turn all seats of some records round by `shift` places, in place."""
    for name in records.dtype.names:
        field = records[name]
        if field.dtype.names:
            rotate(field, shift)
        elif name in SEATS:
            field[...] = np.where(field < 0, field, (field + shift) % 4)
        elif name in SIDES:
            field[...] = np.where((field == 0) | (field == 1), field ^ (shift & 1), field)
        elif name in PAIRS | ROWS:
            field[...] = np.roll(field, shift, axis=1)
        elif name in LISTS:
            length, unit = int(records[LISTS[name]][0]), 256 if name == "history" else 1
            entries = field[:, :length]
            entries[...] = (entries // unit + shift) % 4 * unit + entries % unit
        else:
            assert name in THE_SAME, name


def rotated(states, shift):
    """A copy with all seats turned."""
    out = states.copy()
    rotate(out, shift)
    return out


def told(view, shift):
    """A snapshot with all seats turned, in its own words."""

    def seat(place):
        return None if place is None else (place + shift) % 4

    def by_seat(rows):
        return [[seat(place), *rest] for place, *rest in rows]

    def pair(values):
        return values[::-1] if shift % 2 else values

    def contract(bid):
        return bid and bid | {"seat": seat(bid["seat"])}

    def hand(came):
        known = {"tricks": pair(came["tricks"]), "points": pair(came["points"]), "melds": by_seat(came["melds"]), "bella": seat(came["bella"])}
        return came | known

    last, streak = view["last_hand"], view["streak"]
    return view | {
        "turn": seat(view["turn"]),
        "dealer": seat(view["dealer"]),
        "first_leader": seat(view["first_leader"]),
        "hands": [view["hands"][(place - shift) % 4] for place in range(4)],
        "calls": by_seat(view["calls"]),
        "contract": contract(view["contract"]),
        "trick": {"leader": seat(view["trick"]["leader"]), "cards": by_seat(view["trick"]["cards"])},
        "tricks": [[seat(leader), cards, seat(winner)] for leader, cards, winner in view["tricks"]],
        "hand": hand(view["hand"]),
        "scores": pair(view["scores"]),
        "games": pair(view["games"]),
        "streak": streak and streak | {"team": (streak["team"] + shift) % 2},
        "last_hand": last and hand(last) | {"scores": pair(last["scores"]), "contract": contract(last["contract"])},
        "winner": (view["winner"] + shift) % 2 if view["winner"] in (0, 1) else view["winner"],
        "history": by_seat(view["history"]),
    }


def compare(env, twin, shift, thorough):
    """Whoever sits `shift` places further on in the twin is who it was in the match."""
    assert packed(twin._states) == packed(rotated(env._states, shift))
    assert seat_of(twin.agent_selection) == (seat_of(env.agent_selection) + shift) % 4 or is_over(env)
    for seat in range(4):
        there = AGENTS[(seat + shift) % 4]
        here, view = env.observe(AGENTS[seat]), twin.observe(there)
        assert all((here[name] == view[name]).all() for name in here), (seat, env.snapshot())
        kept = [[game.rewards[agent], game.terminations[agent], game.truncations[agent]] for game, agent in ((env, AGENTS[seat]), (twin, there))]
        assert kept[0] == kept[1], (seat, env.snapshot())
    if thorough:
        assert twin.snapshot() == told(env.snapshot(), shift)


def play_turned(rules, shift, seed, position=None, **options):
    """Play a random match and the same one turned; how it ended, as a snapshot."""
    env, twin = (laffa.env(rules, events=True, **options) for _ in range(2))
    env.reset(seed=seed, options=position)
    twin.reset(seed=seed)
    twin._states[:] = rotated(env._states, shift)
    twin.agent_selection = AGENTS[twin._states["public"]["turn"][0]]
    rng, step, deals = np.random.default_rng(seed), 0, 1
    while not is_over(env):
        deals = int(env._states["public"]["deals"][0])
        compare(env, twin, shift, thorough=step % 20 == 0)
        action = choose(mask_of(env), rng)
        env.step(action)
        twin.step(action)
        step += 1
        if env._states["public"]["deals"][0] > deals:
            give_cards(twin, rotated(env._states, shift))
    compare(env, twin, shift, thorough=True)
    return env.snapshot()


def give_cards(twin, states):
    """Put the cards of a new deal in place of those that the twin has dealt."""
    for name in CARDS:
        twin._states[name] = states[name]
    for name in SHOWN:
        twin._states["public"][name] = states["public"][name]


SHORT = {"tarneeb": {"target": 8, "hand_cap": 3}, "tarabish": {"target": 200}, "turub": {"game_cap": 3}}
"""Options with which random matches come to an end."""


@pytest.mark.trial("D12")
@pytest.mark.parametrize("shift", [1, 2])
@pytest.mark.parametrize("variant", laffa.variants())
def test_a_match_turned_by_some_seats_is_the_same_match_turned(variant, shift):
    rules = laffa.load(variant)
    play_turned(rules, shift, seed=shift, position=random_start(np.random.default_rng(shift), rules), max_hands=2)
    short = laffa.load(variant, **SHORT[rules.game])
    assert play_turned(short, shift, seed=10 + shift)["winner"] is not None
    assert play_turned(short, shift, seed=20 + shift, reward="outcome")["phase"] == "over"


@pytest.mark.parametrize(
    "options",
    [
        {"deferred": True},
        {"upcard": True, "second_round": True},
        {"reveal_packet": True, "bid_form": "number+suit", "no_trump": True},
        {"cards_at_bid": 9, "auto_declare": True, "auto_bella": True, "best_of": 3},
        {"partner_exempt": "all", "both_over": "higher", "equal_runs": "cancel"},
    ],
    ids=",".join,
)
def test_so_it_is_under_the_options_of_tarabish(options):
    for shift in (1, 2, 3):
        assert play_turned(laffa.load("tarabish", target=150, **options), shift, seed=shift)["phase"] == "over"


@pytest.mark.parametrize("name", ["heuristic", "autopilot"])
@pytest.mark.parametrize("variant", laffa.variants())
def test_the_players_play_the_same_from_a_place_turned(variant, name):
    env, twin = laffa.env(variant, max_hands=1), laffa.env(variant)
    player = laffa.players.make(name, variant)
    for shift in (1, 2, 3):
        env.reset(seed=shift)
        twin.reset(seed=1)
        while not is_over(env):
            twin._states[:] = rotated(env._states, shift)
            twin.agent_selection = AGENTS[twin._states["public"]["turn"][0]]
            action = player.act(env.turn())[0]
            assert player.act(twin.turn())[0] == action, env.snapshot()
            env.step(action)


def test_every_field_of_a_state_is_turned_in_one_way():
    groups = [SEATS, SIDES, PAIRS, ROWS, set(LISTS), THE_SAME]
    names = {name for record in (STATE, PUBLIC, RESULT) for name in record.names} - {"public", "last"}
    assert set.union(*groups) == names
    assert sum(map(len, groups)) == len(names)


def test_four_turns_by_one_seat_are_none():
    env = laffa.env("tarabish")
    env.reset(seed=1)
    for _ in range(30):
        env.step(choose(mask_of(env), np.random.default_rng(1)))
    turned = env._states
    for turn in range(4):
        assert (packed(turned) == packed(env._states)) == (turn == 0)
        turned = rotated(turned, 1)
    assert packed(turned) == packed(env._states)
    assert told(told(env.snapshot(), 1), 3) == env.snapshot() != told(env.snapshot(), 2)


# Faults: a place at the table that is not like the others.


def seat_0_leads(_, r, states, *rest):
    p = states[0]["public"]
    if p["phase"] == PLAYING and p["trick"] == 0 and p["on_table"] == 0:
        p["turn"] = p["leader"] = p["first_leader"] = 0


def seat_3_never_deals(_, r, states, *rest):
    p = states[0]["public"]
    if p["actions"] == 0 and p["dealer"] == 3:
        p["dealer"] = 0


def the_first_side_wins_draws(_, r, states, *rest):
    p = states[0]["public"]
    p["winner"] = 0 if p["winner"] == DRAW else p["winner"]


def seat_2_may_not_pass(_, r, states, seat, live, obs, mask):
    if seat == 2:
        mask[52] = 0


def seat_1_is_told_its_number(_, r, states, seat, live, obs, mask):
    obs[0] ^= seat == 1


def tokens_name_the_seat(_, r, states, seat, out):
    out[-1] = seat


def player_0_is_paid_more(_, env, event):
    env.rewards["player_0"] += event != 0


def plant(monkeypatch, owner, name, change):
    """Let a fault follow every call of a function."""
    original = getattr(owner, name)

    def spoiled(*args):
        result = original(*args)
        change(result, *args)
        return result

    monkeypatch.setattr(owner, name, spoiled)


def play_some(rules, shift):
    for seed in range(6):
        play_turned(rules, shift, seed=seed, max_hands=5)


@pytest.mark.parametrize("shift", [1, 2, 3])
@pytest.mark.parametrize(
    ("owner", "name", "change"),
    [
        (aec, "_step", seat_0_leads),
        (aec, "_step", seat_3_never_deals),
        (aec, "_observe", seat_2_may_not_pass),
        (aec, "_observe", seat_1_is_told_its_number),
        (aec, "_observe_events", tokens_name_the_seat),
        (CardGame, "_pay", player_0_is_paid_more),
    ],
)
def test_a_seat_that_is_not_like_the_others_is_noticed(monkeypatch, owner, name, change, shift):
    plant(monkeypatch, owner, name, change)
    with pytest.raises(AssertionError):
        play_some(laffa.load("tarneeb-koutchina"), shift)


@pytest.mark.parametrize("shift", [1, 3])
def test_a_side_that_is_favoured_is_noticed_where_the_sides_change_places(monkeypatch, shift):
    """A turn by two seats leaves the sides where they are, and cannot notice it."""
    rules = laffa.load("turup", game_cap=1)
    play_some(rules, shift)
    plant(monkeypatch, aec, "_step", the_first_side_wins_draws)
    play_some(rules, 2)
    with pytest.raises(AssertionError):
        play_some(rules, shift)
