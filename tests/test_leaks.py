"""No seat sees, directly or indirectly, a card that it cannot know.

At random positions the cards that a seat does not hold are dealt anew among the other seats, and the generator is given
another key. Whatever the seat is shown must stay the same, byte for byte.
"""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, KOUTCHINA, packed, positions, random_actions, seat_of
from laffa import layout
from laffa.state import BLIND, DECLARED, SILENT_SAID, STOCK, UNASKED
from shown import SHOWN

pytestmark = pytest.mark.env


def reshuffle_unseen(state, seat, rng, secret=False):
    """Exchange what `seat` cannot know: the other hands, their sizes kept, the cards that are not dealt yet, and those of every later deal.

    With `secret` also what the others have said of their melds, where that is not public.
    """
    others = [other for other in range(4) if other != seat]
    undealt = state["stock"][STOCK - int(state["left"]) :]
    unseen = rng.permutation(np.concatenate([*(np.repeat(np.arange(52), state["hands"][other]) for other in others), undealt]).astype(int))
    sizes = [int(state["hands"][other].sum()) for other in others]
    *dealt, rest = np.split(unseen, np.cumsum(sizes))
    undealt[:] = rest
    state["hands"][others] = 0
    for other, cards in zip(others, dealt, strict=True):
        state["hands"][other] = np.bincount(cards, minlength=52)
        state["held"][other] = sum(1 << int(card) for card in set(cards))
        if secret and state["declared"][other] != UNASKED:
            state["declared"][other] = rng.choice([DECLARED, SILENT_SAID])
    state["key"] ^= np.uint64(rng.integers(1, 2**62))


def differing_views(show, env, seat, rng, times=3):
    """How often what `show(env, seat)` gives as bytes differs after a reshuffle of the unseen cards."""
    before, original = env._states.copy(), show(env, seat)
    differing = 0
    for _ in range(times):
        reshuffle_unseen(env._states[0], seat, rng, env.rules.deferred)
        differing += show(env, seat) != original
        env._states[:] = before
    assert show(env, seat) == original
    return differing


@pytest.mark.trial("D11")
@pytest.mark.parametrize("show", SHOWN, ids=lambda show: show.__name__)
def test_nothing_that_is_shown_to_a_seat_depends_on_cards_it_cannot_know(show):
    rng, phases = np.random.default_rng(5), set()
    for env in positions(2, 90, events=True):
        phases.add(env.snapshot()["phase"])
        for seat in range(4):
            assert differing_views(show, env, seat, rng) == 0
    assert phases == {"bid", "trump", "play"}


@pytest.mark.trial("D11")
@pytest.mark.parametrize("variant", laffa.variants())
def test_no_variant_shows_a_card_that_a_seat_cannot_know(variant):
    rng = np.random.default_rng(8)
    for env in positions(9, 16, variant=variant, events=True):
        for seat in range(4):
            for show in SHOWN:
                assert differing_views(show, env, seat, rng) == 0


TARABISH_OPTIONS = [
    {},
    {"deferred": True},
    {"upcard": True, "second_round": True},
    {"reveal_packet": True, "bid_form": "number+suit", "no_trump": True},
    {"cards_at_bid": 6, "auto_bella": True},
    {"cards_at_bid": 9, "auto_declare": True, "overlap": True},
    {"deferred": True, "auto_declare": True, "partner_exempt": "all"},
    {"must_rise_on_trump_lead": False, "partner_exempt": "overtrump", "run_order": "plain", "longer_first": True},
]


@pytest.mark.trial("D11")
@pytest.mark.parametrize("signals", ["off", "on", "truthful"])
def test_turub_shows_no_card_that_a_seat_cannot_know_in_any_phase(signals):
    rng, phases = np.random.default_rng(12), set()
    for env in positions(15, 32, variant="arbaa-turub", events=True, signals=signals):
        phases.add(env.snapshot()["phase"])
        for seat in range(4):
            for show in SHOWN:
                assert differing_views(show, env, seat, rng) == 0
    assert phases == {"trump", "play"} | ({"signal"} if signals != "off" else set())


@pytest.mark.trial("D11")
@pytest.mark.parametrize("options", TARABISH_OPTIONS, ids=lambda options: ",".join(options) or "default")
def test_tarabish_shows_no_card_that_a_seat_cannot_know_in_any_phase(options):
    rng, phases = np.random.default_rng(11), set()
    for env in positions(12, 64, variant="tarabish", events=True, **options):
        phases.add(env.snapshot()["phase"])
        for seat in range(4):
            for show in SHOWN:
                assert differing_views(show, env, seat, rng) == 0
    rules = laffa.load("tarabish", **options)
    asked = {"trump": rules.bid_form == "number", "declare": not rules.auto_declare, "bella": not rules.auto_bella}
    assert phases == {"bid", "play", *(phase for phase, happens in asked.items() if happens)}


def test_cards_that_are_not_dealt_yet_are_in_nobodys_view_not_even_in_the_state_of_a_seat():
    rng, checked = np.random.default_rng(13), 0
    for env in positions(14, 60, variant="tarabish", events=True, render_mode="ansi"):
        state = env._states[0]
        if state["left"] == 0:
            continue
        before = [env.observe(agent)["observation"].tobytes() for agent in AGENTS] + [env.state().tobytes(), env.render()]
        stock = state["stock"][STOCK - int(state["left"]) :]
        stock[:] = rng.permutation(stock)
        assert [env.observe(agent)["observation"].tobytes() for agent in AGENTS] + [env.state().tobytes(), env.render()] == before
        checked += 1
    assert checked > 10


def one_hidden_card(env, seat):
    """A planted leak: the ordinary view, but one number tells whether the next seat holds the ace of spades."""
    view = env.observe(AGENTS[seat])
    view["observation"][12] |= env._states["hands"][0, (seat + 1) % 4, 12]
    return view["observation"].tobytes()


def next_deal(env, seat):
    """A planted leak of the future: a bit of the generator's key."""
    return env.observe(AGENTS[seat])["observation"].tobytes() + bytes([int(env._states["key"][0]) & 1])


@pytest.mark.trial("D11")
@pytest.mark.parametrize("show", [one_hidden_card, next_deal, lambda env, seat: env.state().tobytes()], ids=["card", "future", "state"])
def test_the_check_notices_a_planted_leak(show):
    rng = np.random.default_rng(6)
    assert sum(differing_views(show, env, seat, rng) for env in positions(3, 30) for seat in range(4)) > 0


def test_the_reshuffle_keeps_what_everybody_knows_and_moves_what_nobody_knows():
    rng = np.random.default_rng(7)
    for env in positions(4, 20):
        old = env._states[0].copy()
        reshuffle_unseen(env._states[0], 1, rng)
        new = env._states[0]
        assert packed(new["public"]) == packed(old["public"])
        np.testing.assert_array_equal(new["hands"].sum(1), old["hands"].sum(1))
        np.testing.assert_array_equal(new["hands"].sum(0), old["hands"].sum(0))
        np.testing.assert_array_equal(new["hands"][1], old["hands"][1])
        bits = [[int(new["held"][seat]) >> card & 1 for card in range(52)] for seat in range(4)]
        np.testing.assert_array_equal(new["hands"], bits)
    assert (new["hands"] != old["hands"]).any()


@pytest.mark.trial("D11")
def test_a_waiting_seat_is_shown_its_own_hand_and_asking_changes_nothing():
    hand = next(piece for piece in laffa.observation_layout(KOUTCHINA) if piece.name == "hand")
    for env in positions(5, 40):
        before = env._states.tobytes()
        for seat in (2, 0, 3, 1, 2):
            shown = env.observe(AGENTS[seat])["observation"][hand.offset : hand.offset + hand.size]
            np.testing.assert_array_equal(shown, env._states["hands"][0, seat])
        assert env._states.tobytes() == before


def leaves(record, prefix=""):
    """Names and formats of a record's fields, nested ones included."""
    for name in record.names:
        kind = record[name].base
        yield from leaves(kind, prefix + name + ".") if kind.names else [(prefix + name, kind)]


def test_a_blind_record_has_one_hand_and_neither_a_key_nor_room_for_other_hands():
    names = dict(leaves(BLIND))
    own = [name for name in names if not name.startswith("public.")]
    assert sorted(own) == ["declared", "hand", "held", "seat", "spare"]
    assert BLIND["hand"].shape == (52,)
    assert not {name for name in names if "key" in name or "hands" in name.removeprefix("public.").split("_")} - {
        "public.hands_played",
        "public.hands_here",
    }


def test_the_generators_key_is_nowhere_in_a_turn():
    batch, rng = laffa.Batch(KOUTCHINA, 16, seed=4, state=True, events=True), np.random.default_rng(4)
    turn = batch.reset()
    for _ in range(120):
        keys = [key.tobytes() for key in batch.states["key"]]
        everything = b"".join(array.tobytes() for array in vars(turn).values() if isinstance(array, np.ndarray)) + turn.blind.tobytes()
        assert not [key for key in keys if key in everything]
        turn = batch.step(random_actions(turn, rng))
    assert keys[0] in batch.states.tobytes()


def test_blind_records_hold_the_hand_of_the_seat_to_act_only():
    batch, rng = laffa.Batch(KOUTCHINA, 50, seed=4), np.random.default_rng(4)
    turn = batch.reset()
    for _ in range(80):
        np.testing.assert_array_equal(turn.blind["seat"], turn.seat)
        np.testing.assert_array_equal(turn.blind["hand"], batch.states["hands"][np.arange(50), turn.seat])
        np.testing.assert_array_equal(turn.blind["held"], batch.states["held"][np.arange(50), turn.seat])
        assert packed(turn.blind["public"]) == packed(batch.states["public"])
        turn = batch.step(random_actions(turn, rng))


def test_state_is_the_only_view_of_hidden_hands_and_lists_them_by_name():
    assert [piece.name for piece in layout.HIDDEN] == ["hands", "turn", "declared_by"]
    env = next(positions(6, 1))
    at = layout.HIDDEN[0].offset
    shown = env.state()[at : at + 156].reshape(3, 52)
    np.testing.assert_array_equal(shown, env._states["hands"][0, 1:])
    turn = layout.HIDDEN[1].offset
    assert env.state()[turn : turn + 4].tolist() == [int(seat == seat_of(env.agent_selection)) for seat in range(4)]
    assert env.state()[turn + 4 :].tolist() == [0, 0, 0]
