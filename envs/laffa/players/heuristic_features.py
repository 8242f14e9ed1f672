"""What the rule-based player looks at before it plays a card: each principle of play is one number.

`heuristic_play` adds the numbers up, each times the weight that it was found to have in the situation.
Every number is of order one and depends only on the public record and the own hand.
"""

import math

from laffa.auction import bid_value
from laffa.engine import CARD_POINTS
from laffa.jit import kernel, popcount
from laffa.play import suit_of
from laffa.players.heuristic_cards import POINTS, ZERO, above, beats, chance_beat, chance_ruff, top_rank

FEATURES = 57
POINTS_A_TRICK = 120 / 13

# Any card. LATE_ ones are the same times the share of the hand that has been played.
SURVIVES = 0  # chance that our side's card holds the trick against the opponents yet to play
RESCUED = 1  # chance that it does not, and partner takes the trick
MASTER, SECOND, THIRD = 2, 3, 4  # none, one, two live cards of the suit are higher
RANK, LENGTH, LIVE = 5, 6, 23  # of the card; cards of the suit held; cards of the suit not yet seen
UNDER_SECOND, UNDER_MASTER = 21, 22  # a lower card of a suit in which one holds the second highest, the highest
FROM_MATE, FROM_THEM, FROM_ME = 36, 37, 38  # who led the suit first
MATE_HIGHER = 39  # chance that a higher card is partner's
LONG_RUN, RUN = 40, 41  # a master of a suit longer than what is left of it; masters of the suit in a row
DECIDES, DECIDED, MUST = 42, 43, 44  # SURVIVES when one trick is needed, when none is, when all are
LATE_SURVIVES, LATE_MASTER, LATE_RESCUED, LATE_RANK, LATE_LENGTH, LATE_SECOND, LATE_UNDER = 24, 25, 47, 48, 49, 50, 51

# A plain card.
SINGLE, DOUBLE = 7, 8  # one or two cards of the suit, and trumps to ruff it with later (I-j)
BARES = 9  # a guard: without it the suit's high card falls

# A trump: as such, the highest, its rank, trumps held, trumps live, of these with the opponents (I26).
TRUMP, TRUMP_MASTER, TRUMP_RANK, TRUMP_LENGTH, TRUMP_LIVE, TRUMP_OUT, TRUMP_ANY, TRUMP_LATE = 10, 11, 12, 13, 14, 15, 31, 32
TRUMP_MATE_VOID, TRUMP_BALANCE = 45, 46

# A plain card led: who may ruff it (I27, I28, I-j).
RUFFED, MATE_RUFFS, MATE_VOID, THEY_VOID, DECLARER_VOID, BOTH_VOID, OPENING, MASTER_RUFFED = 16, 17, 18, 19, 20, 33, 34, 35

# Only where cards have points: those on the table and of the card, times the chance that our side takes them; those of the card
# alone, late in the hand, and of a master.
TABLE_POINTS, POINTS_TAKEN, CARD_POINT, LATE_POINT, MASTER_POINT = 52, 53, 54, 55, 56

# A card played to a trick: what it does to it.
OFF_SUIT, UNDERRUFF, WINS_RANK, WINS_MASTER, RUFF_RANK, RUFF, RUFFS_MATE, OVERTAKES, WINS, RUFF_MASTER = 16, 17, 18, 19, 20, 26, 27, 28, 29, 30


@kernel
def first_leaders(p, who):
    """Write who[suit]: the seat that first led the suit in this hand, -1 for nobody."""
    who[:] = -1
    cards = 0
    for i in range(p.actions):
        action = p.history[i] & 255
        if action < 52:
            if cards & 3 == 0 and who[action // 13] < 0:
                who[action // 13] = p.history[i] >> 8
            cards += 1


@kernel
def opponents_trump(share, live, me, trump):
    """Whether an opponent may still hold a trump."""
    return suit_of(live, trump) != ZERO and share[(me + 1) & 3, trump] + share[(me + 3) & 3, trump] > 0.0


@kernel
def top_run(held, live, suit):
    """How many cards of a suit one holds that nobody can beat in it."""
    if suit_of(live, suit) == ZERO:
        return popcount(suit_of(held, suit))
    return popcount(held & above(13 * suit + top_rank(live, suit)))


@kernel
def needed(r, p, me):
    """Tricks that the side still needs to make or to defeat the contract, or about as many as the points; 0 or less once it has them."""
    side, bid = me & 1, bid_value(r, p.level)
    goal = bid if p.declarer & 1 == side else r.whole + 1 - bid
    if r.unit == CARD_POINTS:
        return math.ceil((goal - p.points[side]) / POINTS_A_TRICK)
    return goal - p.tricks[side]


@kernel
def trick_chances(p, me, card, live, share):
    """(SURVIVES, RESCUED) of the trick after `card`."""
    led = card // 13 if p.on_table == 0 else p.table[0] // 13
    best, ours = card, True
    if p.on_table > 0 and not beats(card, p.table[p.best], p.trump):
        best = p.table[p.best]
        ours = ((p.leader + p.best - me) & 1) == 0
    survives, partner = (1.0 if ours else 0.0), 0.0
    for k in range(1, 4 - p.on_table):
        chance = min(1.0, chance_beat(share, live, (me + k) & 3, best, led, p.trump))
        if k == 2:
            partner = chance
        else:
            survives *= 1.0 - chance
    return survives, (1.0 - survives) * partner


@kernel
def write_features(r, p, held, me, card, live, share, who, f):
    """Write the features of one card that may be played.

    Args:
        r, p, held, me: packed rules, public record, own hand, own seat.
        card: the card.
        live, share, who: cards not seen, where they may be, who led what.
        f: float64 [FEATURES], written whole.
    """
    f[:] = 0.0
    _any_card(r, p, held, me, card, live, share, who, f)
    if r.unit == CARD_POINTS:
        _points(p, card, f)
    if card // 13 == p.trump:
        _trump(p, held, me, live, share, f)
    else:
        _plain_card(p, held, me, card, live, share, f)
    if p.on_table > 0:
        _to_a_trick(p, me, card, f)


@kernel
def _any_card(r, p, held, me, card, live, share, who, f):
    suit, late = card // 13, p.trick / 12
    mate = (me + 2) & 3
    higher = popcount(live & above(card))
    top = 13 * suit + top_rank(held, suit)
    over_top = popcount(live & above(top))
    f[SURVIVES], f[RESCUED] = trick_chances(p, me, card, live, share)
    f[MASTER] = higher == 0
    f[SECOND] = higher == 1
    f[THIRD] = higher == 2
    f[RANK] = card % 13 / 12
    f[LENGTH] = popcount(suit_of(held, suit)) / 4
    f[LIVE] = popcount(suit_of(live, suit)) / 8
    f[UNDER_SECOND] = card != top and over_top == 1
    f[UNDER_MASTER] = card != top and over_top == 0
    f[FROM_MATE] = who[suit] == mate
    f[FROM_THEM] = who[suit] >= 0 and (who[suit] ^ me) & 1
    f[FROM_ME] = who[suit] == me
    f[MATE_HIGHER] = share[mate, suit] * (higher > 0)
    f[LONG_RUN] = (higher == 0) * (popcount(suit_of(held, suit)) >= popcount(suit_of(live, suit)))
    f[RUN] = top_run(held, live, suit) / 3
    need = needed(r, p, me)
    f[DECIDES] = f[SURVIVES] * (need == 1)
    f[DECIDED] = f[SURVIVES] * (need <= 0)
    f[MUST] = f[SURVIVES] * (need == 13 - p.trick)
    f[LATE_SURVIVES] = f[SURVIVES] * late
    f[LATE_RESCUED] = f[RESCUED] * late
    f[LATE_MASTER] = f[MASTER] * late
    f[LATE_SECOND] = f[SECOND] * late
    f[LATE_RANK] = f[RANK] * late
    f[LATE_LENGTH] = f[LENGTH] * late
    f[LATE_UNDER] = f[UNDER_SECOND] * late


@kernel
def _points(p, card, f):
    """Tens and aces belong into one's own tricks, and a trick is worth what lies in it (I22)."""
    taken = f[SURVIVES] + f[RESCUED]
    lying = 0
    for place in range(p.on_table):
        lying += POINTS[p.table[place] % 13]
    own = POINTS[card % 13] / 10
    f[TABLE_POINTS] = taken * lying / 10
    f[POINTS_TAKEN] = taken * own
    f[CARD_POINT] = own
    f[LATE_POINT] = own * p.trick / 12
    f[MASTER_POINT] = f[MASTER] * own


@kernel
def _trump(p, held, me, live, share, f):
    out = (share[(me + 1) & 3, p.trump] + share[(me + 3) & 3, p.trump]) * f[LIVE]
    f[TRUMP] = 1.0
    f[TRUMP_MASTER] = f[MASTER]
    f[TRUMP_RANK] = f[RANK]
    f[TRUMP_LENGTH] = f[LENGTH]
    f[TRUMP_LIVE] = f[LIVE]
    f[TRUMP_OUT] = out
    f[TRUMP_ANY] = out > 0
    f[TRUMP_LATE] = p.trick / 12
    f[TRUMP_MATE_VOID] = p.voids[(me + 2) & 3, p.trump]
    f[TRUMP_BALANCE] = f[LENGTH] * out


@kernel
def _plain_card(p, held, me, card, live, share, f):
    suit = card // 13
    length, trumps = popcount(suit_of(held, suit)), popcount(suit_of(held, p.trump))
    top = 13 * suit + top_rank(held, suit)
    guards = popcount(live & above(top))
    f[SINGLE] = length == 1 and trumps > 0
    f[DOUBLE] = length == 2 and trumps > 0
    f[BARES] = card != top and guards > 0 and length - 1 == guards
    if p.on_table == 0:
        _plain_lead(p, me, suit, live, share, f)


@kernel
def _plain_lead(p, me, suit, live, share, f):
    a, b, mate = (me + 1) & 3, (me + 3) & 3, (me + 2) & 3
    ruff_a, ruff_b = chance_ruff(share, live, a, suit, p.trump), chance_ruff(share, live, b, suit, p.trump)
    f[RUFFED] = 1.0 - (1.0 - ruff_a) * (1.0 - ruff_b)
    f[MATE_RUFFS] = chance_ruff(share, live, mate, suit, p.trump)
    f[MATE_VOID] = p.voids[mate, suit] and f[MATE_RUFFS] > 0
    f[THEY_VOID] = (p.voids[a, suit] and ruff_a > 0) or (p.voids[b, suit] and ruff_b > 0)
    f[DECLARER_VOID] = p.voids[p.declarer, suit] and p.declarer != me and share[p.declarer, p.trump] > 0
    f[BOTH_VOID] = p.voids[a, suit] and p.voids[b, suit]
    f[OPENING] = p.trick == 0
    f[MASTER_RUFFED] = f[MASTER] * f[RUFFED]


@kernel
def _to_a_trick(p, me, card, f):
    led = p.table[0] // 13
    wins = beats(card, p.table[p.best], p.trump)
    mate = ((p.leader + p.best - me) & 3) == 2
    ruff = card // 13 == p.trump and led != p.trump
    f[WINS] = wins
    f[WINS_RANK] = wins * f[RANK]
    f[WINS_MASTER] = wins * f[MASTER]
    f[OVERTAKES] = wins and mate
    f[RUFF] = ruff
    f[RUFF_RANK] = ruff * f[RANK]
    f[RUFF_MASTER] = ruff and wins and f[MASTER] > 0
    f[RUFFS_MATE] = ruff and mate
    f[UNDERRUFF] = ruff and not wins
    f[OFF_SUIT] = card // 13 != led
