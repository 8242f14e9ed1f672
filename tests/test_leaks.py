"""No seat sees, directly or indirectly, a card that it cannot know.

At random positions the cards that a seat does not hold are dealt anew among the other seats, and the generator is given
another key. Whatever the seat is shown, now and while the game goes on, must stay the same, byte for byte.
"""

import numpy as np
import pytest

import laffa
from helpers import AGENTS, KOUTCHINA, positions, random_actions, seat_of
from laffa import aec, layout, single
from laffa import batch as batches
from laffa import turn as turns
from laffa.aec import CardGame
from laffa.parallel import ParallelGame
from laffa.state import BLIND, STOCK
from laffa.testing import ROUTES, STEPS, clone, differing_steps, differing_views, leaks, next_actions, packed, phases, reshuffle_unseen, walk

pytestmark = pytest.mark.env

TARABISH_OPTIONS = [
    {"deferred": True},
    {"upcard": True, "second_round": True},
    {"reveal_packet": True, "bid_form": "number+suit", "no_trump": True},
    {"cards_at_bid": 6, "auto_bella": True},
    {"cards_at_bid": 9, "auto_declare": True, "overlap": True},
    {"deferred": True, "auto_declare": True, "partner_exempt": "all"},
    {"must_rise_on_trump_lead": False, "partner_exempt": "overtrump", "run_order": "plain", "longer_first": True},
]
GAMES = [("tarabish", options) for options in TARABISH_OPTIONS] + [("arbaa-turub", {"signals": "truthful"})]
"""Every option that hides something or shows it; `test_testing.py` checks the variants as they are shipped."""


def moments(variant, count, **options):
    """`count` positions of every phase: at random moments of random matches, at those of a rare phase, and after the end."""
    wanted = phases(laffa.load(variant, **options))
    for env in positions(2, count, variant=variant, events=True, **options):
        wanted.discard(env.snapshot()["phase"])
        yield env
    for seed in range(60):
        if not wanted:
            return
        env = laffa.env(variant, events=True, episode="hand", **options)
        env.reset(seed=seed)
        for _ in walk(env, seed):
            if env.snapshot()["phase"] in wanted:
                wanted.discard(env.snapshot()["phase"])
                yield env
    assert not wanted


@pytest.mark.trial("D11")
@pytest.mark.parametrize(("variant", "options"), GAMES, ids=lambda value: value if isinstance(value, str) else ",".join(value))
def test_nothing_that_is_shown_to_a_seat_by_any_route_depends_on_what_it_cannot_know(variant, options):
    rng = np.random.default_rng(5)
    for env in moments(variant, 12, **options):
        for seat in range(4):
            assert leaks(env, seat, rng) == [], (env.snapshot(), seat)


def spoil(monkeypatch, owner, name, change):
    """Let `change(result, *arguments)` follow every call of a function, and give what that returns."""
    original = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args: change(original(*args), *args))


def ace(states, seat):
    """Whether the seat after `seat` holds the ace of spades."""
    return int(states[0]["hands"][(seat + 1) % 4, 12] > 0)


def first(states):
    return int(states[0]["public"]["turn"])


def in_observation(_, r, states, seat, live, obs, mask):
    obs[12] ^= ace(states, seat)


def the_next_deal(_, r, states, seat, live, obs, mask):
    obs[12] ^= int(states[0]["key"]) & 1


def in_mask(_, r, states, seat, live, obs, mask):
    mask *= 1 + ace(states, seat)


def in_events(_, r, states, seat, out):
    out[-1] = ace(states, seat)


def in_infos(_, env, action):
    env.infos = {agent: {"ace": ace(env._states, seat_of(agent))} for agent in AGENTS}


def in_rewards(_, env, action):
    env.rewards = {agent: float(ace(env._states, seat_of(agent))) for agent in AGENTS}


def in_table(text, rules, state, seat=None):
    return text if seat is None else text + str(ace([state], seat))


def in_turn(turn, env):
    turn.obs[0, 12] ^= ace(env._states, int(turn.seat[0]))
    return turn


def in_blind(_, states, rows, out):
    out["hand"][0, 12] ^= ace(states, first(states))


def in_batch(_, r, states, seat, obs, mask):
    obs[0, 12] ^= ace(states, first(states))


def in_batch_step(_, r, states, actions, episode, max_hands, outcome, paid, shown, number, marks):
    shown[2][0] *= 1 + ace(states, first(states))


def in_batch_events(_, r, states, out):
    out[0, -1] = ace(states, first(states))


def in_single_render(text, env):
    return text + str(ace(env._game._states, env._seat))


def in_single_infos(result, env, action):
    result[4]["ace"] = ace(env._game._states, env._seat)
    return result


def in_parallel_infos(result, env, actions):
    for agent, info in result[4].items():
        info["ace"] = ace(env.aec_env._states, seat_of(agent))
    return result


PLANTS = [
    (aec, "_observe", in_observation, {"observation", "last, rewards and infos", "turn", "step", "parallel step", "single-seat step"}),
    (aec, "_observe", the_next_deal, {"observation", "last, rewards and infos", "turn", "step", "parallel step", "single-seat step"}),
    (aec, "_observe", in_mask, {"mask", "turn", "step", "parallel step", "single-seat step"}),
    (aec, "_observe_events", in_events, {"events", "turn", "step", "parallel step", "single-seat step"}),
    (CardGame, "step", in_infos, {"step", "parallel step", "single-seat step"}),
    (CardGame, "step", in_rewards, {"step", "parallel step", "single-seat step"}),
    (aec, "table", in_table, {"table", "single-seat render", "step", "single-seat step"}),
    (CardGame, "turn", in_turn, {"turn", "step"}),
    (turns, "make_blind", in_blind, {"blind record", "batch", "batch step"}),
    (batches, "show", in_batch, {"batch"}),
    (batches, "show_events", in_batch_events, {"batch", "batch step"}),
    (batches, "advance", in_batch_step, {"batch step"}),
    (single.SingleSeat, "render", in_single_render, {"single-seat render", "single-seat step"}),
    (single.SingleSeat, "step", in_single_infos, {"single-seat step"}),
    (ParallelGame, "step", in_parallel_infos, {"parallel step"}),
]
"""What a mistake could spoil: the function that writes a channel, how, and the routes by which that comes out."""


@pytest.mark.trial("D11")
@pytest.mark.parametrize(("owner", "name", "change", "routes"), PLANTS, ids=[f"{name}-{change.__name__}" for _, name, change, _ in PLANTS])
def test_a_leak_planted_in_any_channel_is_found_by_every_route_that_it_reaches(monkeypatch, owner, name, change, routes):
    spoil(monkeypatch, owner, name, change)
    rng, found = np.random.default_rng(6), set()
    for env in positions(3, 24, events=True):
        for seat in range(4):
            found |= set(leaks(env, seat, rng))
            if routes <= found:
                return
    assert routes <= found


def test_a_leak_is_planted_in_every_route():
    """But for `players`: each gets a turn, and what it makes of one follows from the turn."""
    assert set.union(*(routes for *_, routes in PLANTS)) == {*ROUTES, *STEPS} - {"players"}


def test_state_is_no_route_since_it_shows_everything():
    rng = np.random.default_rng(6)
    assert sum(differing_views(lambda env, seat: env.state().tobytes(), env, seat, rng) for env in positions(3, 30) for seat in range(4)) > 0


def test_steps_are_compared_wherever_they_can_be():
    """In most positions the others could play the same cards from other hands, and the learning seat has its next turn."""
    rng, compared, turns = np.random.default_rng(9), 0, 0
    for env in positions(8, 30):
        seat = seat_of(env.agent_selection)
        before, actions = packed(env._states), next_actions(env, seat, rng)
        differing, times = differing_steps(STEPS["step"], env, seat, rng, actions, times=4) if actions else (0, 0)
        assert (differing, packed(env._states)) == (0, before)
        compared += times
        turns += bool(actions and STEPS["single-seat step"](clone(env), seat, actions))
    assert compared > 40
    assert turns > 15


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
