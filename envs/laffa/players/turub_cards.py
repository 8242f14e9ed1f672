"""What the rule-based player of Arba'a Turub counts: copies that are still out, and who is likely to win a trick."""

from laffa.jit import kernel
from laffa.players.shares import after_seat, if_played


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
    led, best, ours = if_played(r, p, me, card)
    for k in range(1, 4 - p.on_table):
        ours = after_seat(ours, k, chance_to_beat(p, (me + k) & 3, led, best, live, suits, share))
    return ours
