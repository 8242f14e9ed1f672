"""Cards into hands: shuffling, packets, what is turned up, the rest of the pack, and the empty table before."""

import numpy as np

from laffa import auction
from laffa.fields import TARABISH, TURUB
from laffa.jit import kernel, wrapping
from laffa.rng import GAMMA, below, deal_stream, mix
from laffa.state import ALL_TRUMPS, HISTORY, MELDS, NOBODY, PACK, STOCK, TRUMPING, UNASKED

ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def deal(r, s):
    """Shuffle, deal to each seat and open the auction (K5, T11)."""
    p = s.public
    clear_hand(s)
    pack = np.empty(PACK, np.uint8)
    _shuffle(r, s.key, p.deals, pack)
    p.deals += 1
    lay_out(r, s, pack)


@wrapping
def _shuffle(r, key, number, pack):
    """Fill `pack` with the cards of deal `number` of a game, in an order that follows from the two alone."""
    for n in range(r.pack):
        pack[n] = n if r.low == 0 else n % 36 // 9 * 13 + r.low + n % 9
    stream = deal_stream(key, number) + GAMMA
    x = ZERO
    for left in range(r.pack, 1, -1):
        if left & 1 == 0:
            stream += GAMMA
            x = mix(stream)
        else:
            x = x >> np.uint64(32)
        other = below(x, left)
        pack[other], pack[left - 1] = pack[left - 1], pack[other]


@kernel
def lay_out(r, s, pack):
    """Deal a pack in which card n goes to seat n & 3, and open the auction.

    In Tarabish the first cards of each seat are dealt, in Arba'a Turub the first packet alone; the rest is the stock, which goes
    out in packets of three from the dealer's left (T11, T16, A6).
    """
    p = s.public
    auction.begin(r, p, 0)
    if r.game != TARABISH and r.game != TURUB:
        for n in range(r.pack):
            give(s, n & 3, pack[n])
        return
    s.left = 0
    for packet in range(r.pack // 3):
        seat = np.int64(p.dealer + 1 + packet) & 3  # wide enough for places in the pack, also where numpy runs this uncompiled
        dealt = packet == 0 if r.game == TURUB else packet // 4 * 3 < r.cards_at_bid
        for n in range(3):
            card = pack[(packet // 4 * 3 + n) * 4 + seat]
            if dealt:
                give(s, seat, card)
            else:
                s.stock[STOCK - r.pack + 3 * packet + n] = card
                s.left += 1
    if r.game == TURUB:
        p.declarer = p.turn
        p.phase = TRUMPING
    else:
        _show_stock(r, s)


@kernel
def _show_stock(r, s):
    """Turn up what the rules show of the stock before the auction: its next card, or a packet of the dealer's right neighbour (T12, T13, Q9)."""
    if r.upcard == 1:
        s.public.upcard = s.stock[STOCK - s.left]
    if r.reveal_packet == 1:
        for n in range(3):
            s.public.revealed[n] = s.stock[STOCK - s.left + 6 + n]


@kernel
def deal_rest(r, s):
    """Deal the stock out in packets of three (T16, A6)."""
    packet = (r.pack - s.left) // 3
    while s.left > 0:
        seat = (s.public.dealer + 1 + packet) & 3
        for _ in range(3):
            give(s, seat, s.stock[STOCK - s.left])
            s.stock[STOCK - s.left] = 0
            s.left -= 1
        packet += 1


@kernel
def give(s, seat, card):
    """Put one card into a hand."""
    s.hands[seat, card] += 1
    s.held[seat] |= ONE << np.uint64(card)


@kernel
def clear_hand(s):
    """Forget the hand that was played: an empty table, no cards anywhere."""
    p = s.public
    p.first_leader = NOBODY
    p.trump = NOBODY
    p.leader = NOBODY
    p.on_table = 0
    p.best = 0
    p.trick = 0
    p.last_leader = NOBODY
    p.actions = 0
    p.upcard = NOBODY
    p.bella = NOBODY
    p.signal = 0
    for n in range(3):
        p.revealed[n] = NOBODY
    for side in range(2):
        p.tricks[side] = 0
        p.points[side] = 0
    clear_cards(s)
    for seat in range(4):
        s.declared[seat] = UNASKED
        p.said[seat] = UNASKED
        p.ceiling[seat] = ALL_TRUMPS
        for place in range(MELDS):
            p.melds[seat, place] = NOBODY
        for suit in range(4):
            p.voids[seat, suit] = 0
            p.signals[seat, suit] = 0
        for card in range(52):
            p.played[seat, card] = 0
    for card in range(52):
        p.when[card] = 0
    for place in range(HISTORY):
        p.history[place] = 0
    for place in range(4):
        p.table[place] = 0
        p.last_table[place] = 0
    for trick in range(36):
        p.winners[trick] = 0


@kernel
def clear_cards(s):
    """Take all cards out of all hands and out of the stock."""
    s.left = 0
    for n in range(STOCK):
        s.stock[n] = 0
    for seat in range(4):
        s.held[seat] = ZERO
        for card in range(52):
            s.hands[seat, card] = 0
