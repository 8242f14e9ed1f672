"""What the rule-based players of the games with 36 cards a pack count alike: where unseen cards are, and who will have the trick."""

import numpy as np

from laffa.jit import kernel
from laffa.play import beats

PARTNER_OVER = 0.8
"""How often a partner who can overtake does so."""


@kernel
def cards_left(r, p, seat):
    """How many cards a seat holds now."""
    return r.hand_size - p.trick - (1 if (seat - p.leader) & 3 < p.on_table else 0)


@kernel
def fill_shares(r, p, me, share):
    """Into share [4, 4]: the chance that an unseen card of a suit is in a seat's hand, from the sizes of hands and shown voids."""
    for suit in range(4):
        total = 0.0
        for seat in range(4):
            open_to = seat != me and p.voids[seat, suit] == 0
            share[seat, suit] = cards_left(r, p, seat) if open_to else 0.0
            total += share[seat, suit]
        for seat in range(4):
            share[seat, suit] = share[seat, suit] / total if total > 0 else 0.0


@kernel
def if_played(r, p, me, card):
    """(suit led, winning card, 1.0 if it is the own side's and else 0.0) once `card` lies on the table."""
    led = card // 13 if p.on_table == 0 else p.table[0] // 13
    best, owner = card, me
    if p.on_table > 0 and not beats(r, card, p.table[p.best], p.trump):
        best, owner = np.int64(p.table[p.best]), (p.leader + p.best) & 3
    return led, best, 1.0 if (owner ^ me) & 1 == 0 else 0.0


@kernel
def after_seat(ours, k, chance):
    """The chance that the own side has the trick after the seat `k` places on, which can take it with some chance."""
    return ours + (1.0 - ours) * chance * PARTNER_OVER if k == 2 else ours * (1.0 - chance)
