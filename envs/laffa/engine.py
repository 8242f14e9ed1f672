"""Deal, legal, step: the phase switch and nothing else.

Kernels take `r`, one record of packed rules, and `s`, one `STATE` record, which they change in place.
"""

import numpy as np

from laffa import auction, match, play, score, trump
from laffa.cards import NO_TRUMP
from laffa.jit import kernel, lowest_bit, popcount
from laffa.rng import GAMMA, below, deal_stream, mix
from laffa.state import BIDDING, HISTORY, NOBODY, OVER, PLAYING, TRUMPING, UNDECIDED

ZERO, ONE = np.uint64(0), np.uint64(1)

# What a step did, as bits.
HAND_COUNTED, EPISODE_OVER = 1, 2

MATCH, HAND = 0, 1
"""Kinds of episode."""

CARD_POINTS, SAME_DEALER = 1, 1
"""Values of `unit` and `all_pass` in packed rules."""


@kernel
def start_match(r, s):
    """A new match with a random first dealer (K-c), dealt."""
    stream = deal_stream(s.key, s.public.deals)
    match.begin(s.public, np.int64(mix(stream) >> np.uint64(62)))
    deal(r, s)


@kernel
def deal(r, s):
    """Shuffle, deal thirteen cards to each seat and open the auction (K5)."""
    p = s.public
    clear_hand(s)
    pack = np.empty(52, np.uint8)
    for card in range(52):
        pack[card] = card
    stream = deal_stream(s.key, p.deals) + GAMMA
    x = ZERO
    for left in range(52, 1, -1):
        if left & 1 == 0:
            stream += GAMMA
            x = mix(stream)
        else:
            x = x >> np.uint64(32)
        other = below(x, left)
        pack[other], pack[left - 1] = pack[left - 1], pack[other]
    for place in range(52):
        give(s, place & 3, pack[place])
    p.deals += 1
    auction.begin(r, p)


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
    for side in range(2):
        p.tricks[side] = 0
        p.points[side] = 0
    clear_cards(s)
    for seat in range(4):
        for suit in range(4):
            p.voids[seat, suit] = 0
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
    """Take all cards out of all hands."""
    for seat in range(4):
        s.held[seat] = ZERO
        for card in range(52):
            s.hands[seat, card] = 0


@kernel
def legal(r, p, held):
    """The actions open to the seat to act, as three words of bits; `held` is its own hand."""
    if p.phase == PLAYING:
        return play.legal(p, held), ZERO, ZERO
    if p.phase == BIDDING:
        return auction.legal(r, p)
    if p.phase == TRUMPING:
        return trump.legal()
    return ZERO, ZERO, ZERO


@kernel
def contains(words, action):
    """Whether a set of actions holds `action`; any integer may be asked."""
    if action < 0 or action >= 192:
        return False
    word = words[0] if action < 64 else (words[1] if action < 128 else words[2])
    return (word >> np.uint64(action & 63)) & ONE == ONE


@kernel
def count(words):
    """How many actions a set holds."""
    return popcount(words[0]) + popcount(words[1]) + popcount(words[2])


@kernel
def nth(words, n):
    """The n-th action, from 0, of a set, in the order of ids."""
    first = 0
    word = words[0]
    size = popcount(word)
    while n >= size:
        n -= size
        first += 64
        word = words[1] if first == 64 else words[2]
        size = popcount(word)
    for _ in range(n):
        word &= word - ONE
    return first + lowest_bit(word)


@kernel
def step(r, s, action, episode, max_hands):
    """Play a legal action and everything that follows from it without a decision.

    Args:
        r, s: packed rules and the state.
        action: a legal action; the caller has made sure of that.
        episode: MATCH, or HAND to end after one counted hand.
        max_hands: counted hands after which the episode is truncated; 0 for no limit.

    Returns:
        Bits HAND_COUNTED and EPISODE_OVER. At the end the last hand stays on view; nothing is dealt.
    """
    p = s.public
    p.history[p.actions] = np.int64(p.turn) * 256 + action
    p.actions += 1
    if p.phase == PLAYING:
        if play.apply(s, action):
            play.take_trick(p)
            if r.unit == CARD_POINTS:
                play.take_points(p)
            if p.trick == 13:
                return _end_hand(r, s, episode, max_hands)
    elif p.phase == BIDDING:
        outcome = auction.apply(r, p, action)
        if outcome == auction.CLOSED:
            if p.nt:
                trump.begin_play(p, NO_TRUMP)
            else:
                auction.close(p)
        elif outcome == auction.PASSED_OUT:
            return _pass_out(r, s)
    else:
        trump.apply(p, action)
    return 0


@kernel
def _pass_out(r, s):
    """An uncounted deal; the deal moves on, or not (K16, 4.1)."""
    p = s.public
    p.passed_deals += 1
    p.winner = match.winner_after_passes(r, p)
    if p.winner != UNDECIDED:
        _close(s)
        return EPISODE_OVER
    if r.all_pass != SAME_DEALER:
        p.dealer = (p.dealer + 1) & 3
    deal(r, s)
    return 0


@kernel
def _end_hand(r, s, episode, max_hands):
    """Score the hand; end the episode or deal the next hand."""
    p = s.public
    side = p.declarer & 1
    took = np.int64(p.points[side]) if r.unit == CARD_POINTS else np.int64(p.tricks[side])
    made, bidders, defenders = score.hand_scores(r, auction.bid_value(r, p.level), took)
    match.count_hand(p, made, bidders, defenders)
    p.winner = match.winner_after_hand(r, p)
    over = p.winner != UNDECIDED or episode == HAND
    if not over and p.hands_here == max_hands:
        p.truncated = 1
        over = True
    if over:
        _close(s)
        return HAND_COUNTED | EPISODE_OVER
    p.dealer = (p.dealer + 1) & 3
    deal(r, s)
    return HAND_COUNTED


@kernel
def _close(s):
    """Nobody is to act and nobody holds a card any more."""
    clear_cards(s)
    s.public.phase = OVER
    s.public.turn = NOBODY
    s.public.leader = NOBODY
