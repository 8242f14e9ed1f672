"""What the rule-based player of Arba'a Turub counts: copies that are still out, who may hold them, who is likely to win a trick."""

import numpy as np

from laffa.jit import kernel
from laffa.play import beats

PARTNER_OVER = 0.8
"""How often a partner who can overtake does so."""


@kernel
def count_live(r, p, hand, live):
    """Into live [52]: copies of each card that others hold."""
    copies = r.hand_size // 9
    for card in range(52):
        live[card] = 0
        if card % 13 >= r.low:
            live[card] = copies - hand[card]
            for seat in range(4):
                live[card] -= p.played[seat, card]


@kernel
def count_suits(cards, suits):
    """Into suits [4]: cards of each suit."""
    for suit in range(4):
        suits[suit] = 0
        for rank in range(13):
            suits[suit] += cards[13 * suit + rank]


@kernel
def above(cards, card):
    """How many of some cards are higher in the suit of `card`."""
    n = 0
    for other in range(card + 1, 13 * (card // 13) + 13):
        n += cards[other]
    return n


@kernel
def fill_shares(r, p, me, share):
    """Into share [4, 4]: the chance that an unseen card of a suit is in a seat's hand, from the sizes of hands and shown voids."""
    for suit in range(4):
        total = 0.0
        for seat in range(4):
            share[seat, suit] = 0.0
            if seat != me and p.voids[seat, suit] == 0:
                share[seat, suit] = r.hand_size - p.trick - has_played(p, seat)
            total += share[seat, suit]
        for seat in range(4):
            share[seat, suit] = share[seat, suit] / total if total > 0 else 0.0


@kernel
def has_played(p, seat):
    """1 if a seat has a card on the table."""
    return 1 if (seat - p.leader) & 3 < p.on_table else 0


@kernel
def chance_to_beat(p, seat, led, best, live, suits, share):
    """The chance that a seat still to play can take the trick from `best`: by a higher card of the suit, or void by a trump."""
    trump = p.trump
    over = above(live, best) if best // 13 == led else 0
    chance = 1.0 - (1.0 - share[seat, led]) ** over
    if led == trump:
        return chance
    void = (1.0 - share[seat, led]) ** suits[led]
    ruffs = above(live, best) if best // 13 == trump else suits[trump]
    ruff = void * (1.0 - (1.0 - share[seat, trump]) ** ruffs)
    return 1.0 - (1.0 - chance) * (1.0 - ruff)


@kernel
def chance_to_win(r, p, me, card, live, suits, share):
    """The chance that the own side takes the trick if `card` is played to it."""
    led = card // 13 if p.on_table == 0 else p.table[0] // 13
    best, owner = card, me
    if p.on_table > 0 and not beats(r, card, p.table[p.best], p.trump):
        best, owner = np.int64(p.table[p.best]), (p.leader + p.best) & 3
    ours = 1.0 if (owner ^ me) & 1 == 0 else 0.0
    for k in range(1, 4 - p.on_table):
        chance = chance_to_beat(p, (me + k) & 3, led, best, live, suits, share)
        if k == 2:
            ours += (1.0 - ours) * chance * PARTNER_OVER
        else:
            ours *= 1.0 - chance
    return ours
