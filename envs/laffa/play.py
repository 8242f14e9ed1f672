"""The play phase: following, ruffing, taking tricks and the points in them (K20-K23, I22, T25-T30).

Where cards are forced, a void seat has to ruff and to overruff, and on a trump lead one has to rise (T26-T28, T-u to T-w).
"""

import numpy as np

from laffa.cards import KING, QUEEN
from laffa.fields import TARABISH
from laffa.jit import inlined, kernel
from laffa.state import BELLA_CALL

SUIT_BITS = np.uint64((1 << 13) - 1)
ZERO, ONE = np.uint64(0), np.uint64(1)
SPARED_OVERRUFF, SPARED_ALL = 1, 2
"""Values of `partner_exempt` in packed rules."""


@kernel
def suit_of(held, suit):
    """The thirteen rank bits of one suit of a set of cards."""
    return (held >> np.uint64(13 * suit)) & SUIT_BITS


@inlined
def legal(r, p, held):
    """Cards that may be played: the suit led if held, else any, or what one is forced to (K21, T26, T27)."""
    if p.on_table == 0:
        return held
    led = p.table[0] // 13
    follow = held & (SUIT_BITS << np.uint64(13 * led))
    if r.game == TARABISH:
        return _forced(r, p, held, follow, led)
    return follow if follow != ZERO else held


@kernel
def _forced(r, p, held, follow, led):
    """What a seat must play: rise on a trump lead, ruff and overruff when void, undertrump when nothing else is left."""
    if follow != ZERO:
        return _higher(r, p, follow) if led == p.trump and r.must_rise_on_trump_lead == 1 else follow
    if p.trump < 0 or p.trump > 3:
        return held
    trumps = held & (SUIT_BITS << np.uint64(13 * p.trump))
    partner_wins = p.on_table >= 2 and p.best == p.on_table - 2
    if trumps == ZERO or (partner_wins and r.partner_exempt == SPARED_ALL):
        return held
    if partner_wins and r.partner_exempt == SPARED_OVERRUFF:
        return trumps
    return _higher(r, p, trumps)


@kernel
def _higher(r, p, trumps):
    """Those of some trumps that beat the best one on the table; all of them if none does, or if none lies there."""
    best = p.table[p.best]
    if best // 13 != p.trump:
        return trumps
    higher = trumps & (r.above[best % 13] << np.uint64(13 * p.trump))
    return higher if higher != ZERO else trumps


@inlined
def beats(r, card, best, trump):
    """Whether `card`, played later, takes the trick from `best` (K8, K9, K22, T29); of identical cards the first is higher (A11)."""
    suit = card // 13
    if suit == best // 13:
        if r.game != TARABISH:
            return card > best  # ids rise with the natural order
        row = 1 if suit == trump else 0
        return r.strength[row, card % 13] > r.strength[row, best % 13]
    return suit == trump


@inlined
def apply(r, s, card):
    """Play a card. Returns whether it completed a trick."""
    p = s.public
    seat = p.turn
    s.hands[seat, card] -= 1
    if s.hands[seat, card] == 0:
        s.held[seat] &= ~(ONE << np.uint64(card))
    place = p.on_table
    if place > 0:
        _show(r, p, seat, card)
    p.played[seat, card] += 1
    p.when[card] = p.trick + 1
    p.table[place] = card
    if place == 0:
        p.best = 0
    elif beats(r, card, p.table[p.best], p.trump):
        p.best = place
    p.on_table = place + 1
    p.turn = (seat + 1) & 3
    return place == 3


@inlined
def _show(r, p, seat, card):
    """Note what everybody learns from a card: that its seat is void in the suit led, or has no trump that it would have had to play."""
    led, suit = p.table[0] // 13, card // 13
    if suit != led:
        p.voids[seat, led] = 1
    if r.game == TARABISH and 0 <= p.trump <= 3:
        _show_duties(r, p, seat, led, suit, card)


@kernel
def _show_duties(r, p, seat, led, suit, card):
    """A void seat that does not ruff has no trump; one that does not rise, or overruff, has none above the best on the table."""
    partner_wins = p.on_table >= 2 and p.best == p.on_table - 2
    if suit != p.trump:
        if suit != led and led != p.trump and not (partner_wins and r.partner_exempt == SPARED_ALL):
            p.voids[seat, p.trump] = 1
        return
    best = p.table[p.best]
    if best // 13 != p.trump or beats(r, card, best, p.trump):
        return
    spared = r.must_rise_on_trump_lead == 0 if led == p.trump else partner_wins and r.partner_exempt > 0
    if not spared:
        p.ceiling[seat] = min(p.ceiling[seat], r.strength[1, best % 13])


@inlined
def asks_for_bella(r, p, seat, card):
    """Whether a card just played is the second of king and queen of trumps from one hand (T17, T-r)."""
    if r.game != TARABISH or card // 13 != p.trump:
        return False
    rank = card % 13
    return rank in (KING, QUEEN) and p.played[seat, card - rank + KING + QUEEN - rank] > 0


@kernel
def ask_for_bella(p, seat):
    """The seat decides before anything else happens to the trick."""
    p.phase = BELLA_CALL
    p.turn = seat


@inlined
def take_trick(p):
    """The winner takes the trick and leads next (K22)."""
    winner = (p.leader + p.best) & 3
    p.last_leader = p.leader
    for place in range(4):
        p.last_table[place] = p.table[place]
    p.winners[p.trick] = winner
    p.trick += 1
    p.tricks[winner & 1] += 1
    p.on_table = 0
    p.signal = 0
    p.leader = winner
    p.turn = winner


@kernel
def take_points(r, p):
    """The side that took the last trick keeps its card points, and those of the ninth trick itself (I22, T31, T33)."""
    side = p.winners[p.trick - 1] & 1
    for place in range(4):
        card = p.last_table[place]
        kind = 2 if p.trump > 3 else (1 if card // 13 == p.trump else 0)
        p.points[side] += r.worth[kind, card % 13]
    if p.trick == r.hand_size:
        p.points[side] += r.last_trick
