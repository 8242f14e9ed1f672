"""How the rule-based player plays a card.

First come the rules without exception: equals and losers from the bottom, the last hand wins as cheaply as it
can, partner's certain winner is left alone, and when the tricks that decide the contract are there, they are
cashed. Where cards have points only the last of these holds, for one gives tens and aces to partner's tricks. Among
the cards that these leave, the one with the highest sum of weighted features is played (`heuristic_features`); the
weights depend on the situation.
"""

import numpy as np

from laffa import play
from laffa.engine import CARD_POINTS
from laffa.jit import kernel, lowest_bit
from laffa.play import SUIT_BITS, suit_of
from laffa.players.heuristic_cards import ONE, PACK, ZERO, above, beats, chance_beat, fill_shares, seen_cards, top_rank
from laffa.players.heuristic_features import FEATURES, first_leaders, needed, opponents_trump, top_run, write_features

SITUATIONS = 32
"""Sixteen situations while an opponent may hold a trump, and again when none does (I26)."""

WITHOUT_POINTS = np.uint64(sum(0b11111111 << 13 * suit for suit in range(4)))
"""The cards from 2 to 9."""

DRAWING_RUN = 2
"""Highest trumps in a row with which a declarer draws as I26 says; against the weights alone +0.003 ± 0.024 points a hand."""


@kernel
def situation(p, held, me, live, share):
    """On lead: declarer, partner, before, after declarer; then by place, void of the suit led, defending."""
    base = 0 if opponents_trump(share, live, me, p.trump) else 16
    if p.on_table == 0:
        return base + (0, 2, 1, 3)[(p.declarer - me) & 3]
    void = suit_of(held, p.table[0] // 13) == ZERO
    return base + 4 * p.on_table + 2 * int(void) + ((p.declarer ^ me) & 1)


@kernel
def without_equals(words, live, p):
    """Leave of touching cards only the lowest: equals are played from the bottom."""
    barrier = live
    for place in range(p.on_table):
        barrier |= ONE << np.uint64(p.table[place])
    out, last, rest = ZERO, -1, words
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        between = ZERO if last < 0 else above(last) & ~above(card) & barrier
        if last < 0 or last // 13 != card // 13 or between != ZERO:
            out |= ONE << np.uint64(card)
        last = card
    return out


@kernel
def candidates(r, words, live, p):
    """The cards that differ; where cards have points an ace is not a king, and only those without points can be equals."""
    if r.unit != CARD_POINTS:
        return without_equals(words, live, p)
    return words & ~WITHOUT_POINTS | without_equals(words & WITHOUT_POINTS, live, p)


@kernel
def winners_of(words, p):
    """The cards that win the trick as it stands."""
    out, rest = ZERO, words
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if beats(card, p.table[p.best], p.trump):
            out |= ONE << np.uint64(card)
    return out


@kernel
def lowest_each(words):
    """The lowest card of each suit."""
    out = ZERO
    for suit in range(4):
        mine = words & (SUIT_BITS << np.uint64(13 * suit))
        if mine != ZERO:
            out |= ONE << np.uint64(lowest_bit(mine))
    return out


@kernel
def partner_is_safe(p, me, live, share):
    """Whether partner's card wins the trick whatever the last hand does."""
    if (p.leader + p.best - me) & 3 != 2 or p.on_table < 2:
        return False
    led, best = p.table[0] // 13, p.table[p.best]
    return p.on_table == 3 or chance_beat(share, live, (me + 1) & 3, best, led, p.trump) == 0.0


@kernel
def by_firm_rules(words, p, me, live, share):
    """What may be played to a trick by the rules without exception."""
    wins = winners_of(words, p)
    losers = lowest_each(words & ~wins)
    if losers != ZERO and partner_is_safe(p, me, live, share):
        return losers
    if p.on_table == 3 and wins != ZERO:
        # All winners are of one suit, the one led or trumps, so the lowest is the cheapest.
        wins = ONE << np.uint64(lowest_bit(wins))
    return losers | wins


@kernel
def sure_tricks(held, me, trump, live, share):
    """(how many tricks can be cashed at once whatever the others hold, the first of their cards), trumps first."""
    number, card = 0, -1
    safe = not opponents_trump(share, live, me, trump)
    for k in range(4):
        suit = (trump + k) & 3
        run = top_run(held, live, suit)
        if run > 0 and (suit == trump or safe):
            number += run
            if card < 0:
                card = 13 * suit + top_rank(held, suit)
    return number, card


@kernel
def draws_trumps(p, held, me, live, share):
    """Whether a declarer who holds the highest trumps goes on drawing them while an opponent may have one (I26)."""
    return me == p.declarer and top_run(held, live, p.trump) >= DRAWING_RUN and opponents_trump(share, live, me, p.trump)


@kernel
def spare_partners_trumps(words, p, me, live, share):
    """Lead no trump when only partner can hold the others: they take tricks of their own."""
    plain = words & ~(SUIT_BITS << np.uint64(13 * p.trump))
    alone = suit_of(live, p.trump) != ZERO and not opponents_trump(share, live, me, p.trump)
    return plain if alone and plain != ZERO else words


@kernel
def choose_card(r, p, held, me, weights):
    """The card to play; `weights` are float64 [SITUATIONS, FEATURES] for the unit in which the game is scored."""
    live = PACK & ~seen_cards(p) & ~held
    words = candidates(r, play.legal(r, p, held), live, p)
    if words & (words - ONE) == ZERO:
        return lowest_bit(words)
    share = np.empty((4, 5))
    fill_shares(p, me, live, share)
    if p.on_table > 0:
        words = words if r.unit == CARD_POINTS else by_firm_rules(words, p, me, live, share)
    else:
        number, card = sure_tricks(held, me, p.trump, live, share)
        if 0 < needed(r, p, me) <= number:
            return card
        if draws_trumps(p, held, me, live, share):
            return 13 * p.trump + top_rank(held, p.trump)
        words = spare_partners_trumps(words, p, me, live, share)
    if words & (words - ONE) == ZERO:
        return lowest_bit(words)
    return best_card(r, words, p, held, me, live, share, weights[situation(p, held, me, live, share)])


@kernel
def best_card(r, words, p, held, me, live, share, weights):
    """The card with the highest weighted sum of features; of equal ones the lowest id."""
    f, who = np.empty(FEATURES), np.empty(4, np.int64)
    first_leaders(p, who)
    best, most = -1, 0.0
    while words != ZERO:
        card = lowest_bit(words)
        words &= words - ONE
        write_features(r, p, held, me, card, live, share, who, f)
        score = 0.0
        for i in range(FEATURES):
            score += weights[i] * f[i]
        if best < 0 or score > most:
            best, most = card, score
    return best
