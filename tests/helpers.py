"""What the tests share: texts of actions, positions and scripted hands. Random play is that of `laffa.testing`."""

from collections import Counter
from functools import cache

import numpy as np

import laffa
from laffa.cards import ACTIONS, RANKS, SUITS
from laffa.testing import choose, is_over, mask_of, packed, walk
from referee_turub import match_winner, streak_after

KOUTCHINA = "tarneeb-koutchina"
FAMILIES = [KOUTCHINA, "tarabish", "arbaa-turub-signals"]
"""A variant of each family of games."""
AGENTS = [f"player_{seat}" for seat in range(4)]
PACK = [rank + suit for suit in SUITS for rank in RANKS]
ONE_SUIT_EACH = [[rank + suit for rank in RANKS] for suit in SUITS]

NEVER_ACTIONS = (-1, ACTIONS, 2**63, -(2**70), 1.0, 52.0, float("nan"), None, True, False, "pass", b"\0", [52], np.array([1]), np.array(52))
NEVER_ACTIONS += (np.float32(52), np.bool_(True), np.int8(-1), np.uint64(2**63))
"""What no seat may ever play, whatever the position."""


@cache
def texts_of(rules):
    """The texts of all actions, by id."""
    return [laffa.action_text(rules, action) for action in range(ACTIONS)]


@cache
def ids_of(rules):
    """The ids of all actions, by text."""
    return {text: action for action, text in enumerate(texts_of(rules))}


TEXTS = texts_of(laffa.load(KOUTCHINA))


def act(text):
    """An action's id under the Koutchina rules."""
    return ids_of(laffa.load(KOUTCHINA))[text]


def raw(env):
    """The whole state of an environment or a batch as bytes."""
    return packed(env.states if isinstance(env, laffa.Batch) else env.unwrapped._states)


def random_actions(turn, rng, calm=0.6):
    """One random legal action for each row of a turn."""
    return np.array([choose(row, rng, calm) for row in turn.mask])


def highest_actions(turn):
    """The last legal action of each row: thirteen is bid at once, so every deal becomes a hand of 54 actions."""
    return ACTIONS - 1 - turn.mask[:, ::-1].argmax(1)


def seat_of(agent):
    return int(agent[-1])


def views(env):
    """What each agent sees, by agent."""
    return {agent: env.observe(agent) for agent in AGENTS}


def legal_texts(env):
    """What the seat to act may do, as texts."""
    return [texts_of(env.rules)[action] for action in np.flatnonzero(mask_of(env))]


RARE = {"tarneeb": ["trump"], "tarabish": ["trump", "declare", "bella"], "turub": ["trump", "signal"]}
"""Phases that random moments seldom hit."""


def positions(seed, count, calm=0.6, variant=KOUTCHINA, **options):
    """`count` environments at random moments of random matches, every phase among them; each may be changed freely."""
    rng, rare = np.random.default_rng(seed), RARE[laffa.load(variant).game]
    for number in range(count):
        env = laffa.env(variant, **options)
        env.reset(seed=1000 * seed + number, options=random_start(rng, env.rules))
        for _ in walk(env, number, calm, limit=int(rng.integers(0, (8, 20, 120, 200)[number % 4]))):
            if number % 4 == 3 and env.snapshot()["phase"] == rare[number // 4 % len(rare)]:
                break
        if is_over(env):
            env.reset()
        yield env


def short_match(variant):
    """Options that end a match of a variant after a few hands."""
    return {"tarneeb": {"target": 8, "hand_cap": 4}, "tarabish": {"target": 200}, "turub": {"game_cap": 4}}[laffa.load(variant).game]


def random_start(rng, rules=None):
    """Options of a position anywhere in a match to 31 with its caps, to 500, or of some games of Arba'a Turub."""
    if rules is not None and rules.game == "turub":
        return _random_streak(rng, rules)
    lowest, highest = (-150, 31) if rules is None or rules.game == "tarneeb" else (0, rules.target)
    scores = [int(score) for score in rng.integers(lowest, highest, 2)]
    return {"dealer": int(rng.integers(4)), "scores": scores, "hands_played": int(rng.integers(50)), "passed_deals": int(rng.integers(8))}


def _random_streak(rng, rules):
    """What some games of chance have come to, none of which ended the match."""
    games, scores, holder, mark = int(rng.integers(rules.game_cap or 50)), [0, 0], None, 0
    played = 0
    while played < games:
        first = int(rng.integers(rules.whole + 1))
        tricks = [first, rules.whole - first]
        if match_winner(rules.options, holder, mark, tricks, 0) is None:
            played, scores = played + 1, [scores[0] + tricks[0], scores[1] + tricks[1]]
            holder, mark = streak_after(holder, mark, tricks)
    streak = {} if holder is None else {"streak": {"team": holder, "mark": mark}}
    return {"dealer": int(rng.integers(4)), "scores": scores, "hands_played": games, **streak}


def four_hands(first, packs=4):
    """Complete hands from packs of 36 of which seat 0 has `first`, in that order; the others share the rest."""
    rest = Counter({rank + suit: packs for suit in SUITS for rank in RANKS[4:]})
    rest.subtract(first)
    cards = list(rest.elements())
    return [first, *(cards[len(first) * seat : len(first) * (seat + 1)] for seat in range(3))]


def play(env, *texts):
    """Play actions given as texts."""
    for text in texts:
        env.step(ids_of(env.rules)[text])


def finish_at_random(env, seed=0, calm=0.6):
    """Play to the end of the episode and return the number of actions."""
    return sum(1 for _ in walk(env, seed, calm)) - 1


def drain(env):
    """Let the seats of an ended episode leave; the (agent, reward) pairs that `last` showed on the way."""
    left = []
    for agent in env.agent_iter():
        left.append((agent, env.last()[1]))
        env.step(None)
    return left


def trick_winner(cards, trump):
    """The place of the winning card among four texts: the highest trump, else the highest card of the suit led."""
    strength = [(card[1] == trump, card[1] == cards[0][1], RANKS.index(card[0])) for card in cards]
    return strength.index(max(strength))


# Hands in which the declarer's side takes exactly as many tricks as one likes.


def hands_for(tricks, declarer):
    """Spades are trumps: the declarer has the top `tricks` of them and the lowest hearts, the next seat the other trumps."""
    spades, hearts, diamonds, clubs = ([rank + suit for rank in reversed(RANKS)] for suit in SUITS)
    rest = 13 - tricks
    own = spades[:tricks] + hearts[13 - rest :]
    after = spades[tricks:] + diamonds[:tricks]
    partner = diamonds[tricks:] + clubs[:tricks]
    before = hearts[:tricks] + clubs[tricks:]
    hands = [own, after, partner, before]
    return [hands[(seat - declarer) % 4] for seat in range(4)]


def scripted_card(view):
    """The card that makes `hands_for` come true: trumps and high cards on lead, low cards behind."""
    hand = view["hands"][view["turn"]]
    table = view["trick"]["cards"]
    if not table:
        return next((card for card in hand if card[1] == "S"), max(hand, key=lambda card: RANKS.index(card[0])))
    following = [card for card in hand if card[1] == table[0][1][1]]
    ruffs = [card for card in hand if card[1] == "S"]
    clubs = [card for card in hand if card[1] == "C"]
    return min(following or ruffs or clubs or hand, key=lambda card: RANKS.index(card[0]))


def play_contract(env, bid, tricks, declarer=1, **position):
    """Set up, bid and play a hand in which `declarer` bids `bid` in spades and takes `tricks` tricks with the partner."""
    env.reset(seed=1, options={"dealer": (declarer - 1) % 4, "hands": hands_for(tricks, declarer), **position})
    play(env, f"bid {bid}", *([] if bid == env.rules.bid_max else ["pass"] * 3), "trump S")
    for _ in range(52):
        play(env, scripted_card(env.snapshot()))
