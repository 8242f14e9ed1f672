"""Start, legal, step: the phase switch and nothing else.

Kernels take `r`, one record of packed rules, and `s`, one `STATE` record, which they change in place.
"""

import numpy as np

from laffa import auction, bate, deal, match, melds, play, score, signal, trump
from laffa.cards import BELLA, DECLARE, SILENT, TRUMP
from laffa.fields import TARABISH, TURUB
from laffa.jit import inlined, kernel, lowest_bit, popcount
from laffa.rng import deal_stream, mix
from laffa.state import BELLA_CALL, BIDDING, DECLARED, DECLARING, NOBODY, OVER, PLAYING, SIGNALLING, SILENT_SAID, TRUMPING, UNDECIDED

ZERO, ONE = np.uint64(0), np.uint64(1)

# What a step did, as bits.
HAND_COUNTED, EPISODE_OVER = 1, 2

MATCH, HAND = 0, 1
"""Kinds of episode."""

CARD_POINTS, SAME_DEALER = 1, 1
"""Values of `unit` and `all_pass` in packed rules."""

_ANNOUNCE = (np.uint64(0), np.uint64(1 << (DECLARE - 64) | 1 << (SILENT - 64)), np.uint64(0))
_NOTHING = (np.uint64(0), np.uint64(1 << (SILENT - 64)), np.uint64(0))
_BELLA = (np.uint64(0), np.uint64(1 << (BELLA - 64) | 1 << (SILENT - 64)), np.uint64(0))


@kernel
def start_match(r, s):
    """A new match with a random first dealer (K-c), dealt."""
    start_at(r, s, np.int64(mix(deal_stream(s.key, s.public.deals)) >> np.uint64(62)))


@kernel
def start_at(r, s, dealer):
    """A new match with the first deal by `dealer`."""
    match.begin(s.public, dealer)
    deal.deal(r, s)


@inlined
def legal(r, p, held):
    """The actions open to the seat to act, as three words of bits; `held` is its own hand."""
    if p.phase == PLAYING:
        return play.legal(r, p, held), ZERO, ZERO
    if p.phase == BIDDING:
        return auction.legal(r, p)
    return _legal_between(r, p, held)


@kernel
def _legal_between(r, p, held):
    """The actions of the short phases between the auction and the next card."""
    if p.phase == TRUMPING:
        return trump.legal(r, p)
    if p.phase == DECLARING:
        return _ANNOUNCE if melds.has_any(r, held) else _NOTHING
    if p.phase == SIGNALLING:
        return signal.legal(r, p, held)
    return _BELLA if p.phase == BELLA_CALL else (ZERO, ZERO, ZERO)


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
    seat = np.int64(p.turn)
    # Where melds stay secret until the end, everybody is seen to say nothing (T-t).
    shown = SILENT if action == DECLARE and r.deferred == 1 else action
    p.history[p.actions] = seat * 256 + shown
    p.actions += 1
    if p.phase == PLAYING:
        return _play(r, s, seat, action, episode, max_hands)
    if p.phase == BIDDING:
        return _call(r, s, action)
    if p.phase == TRUMPING:
        _begin_play(r, s, action - TRUMP)
    elif p.phase == DECLARING:
        _declare(r, s, seat, action == DECLARE)
    elif p.phase == SIGNALLING:
        signal.apply(p, seat, action)
    else:
        p.bella = seat if action == BELLA else p.bella
        p.phase = PLAYING
        p.turn = (seat + 1) & 3
        if p.on_table == 4:
            return _close_trick(r, s, episode, max_hands)
    return 0


@kernel
def _call(r, s, action):
    """A pass, a bid or a take, after which the auction goes on, is passed out or has a declarer."""
    p = s.public
    outcome = auction.apply(r, p, action)
    if outcome == auction.CLOSED:
        if p.suit >= 0:
            _begin_play(r, s, np.int64(p.suit))
        else:
            auction.close(p)
    elif outcome == auction.PASSED_OUT:
        if r.second_round == 1 and p.lap == 0:
            auction.begin(r, p, 1)
        else:
            return _pass_out(r, s)
    return 0


@kernel
def _begin_play(r, s, trumps):
    """Trumps are named, 4 for none: the rest is dealt, melds are announced, and somebody leads (K20, T16, T21, T25)."""
    p = s.public
    p.trump = trumps
    deal.deal_rest(r, s)
    if r.game != TARABISH:
        _lead(p, np.int64(p.declarer))
        return
    if r.auto_declare == 0:
        p.phase = DECLARING
        p.turn = (p.dealer + 1) & 3
        return
    for seat in range(4):
        _say(r, s, seat, melds.has_any(r, s.held[seat]))
    _lead(p, (p.dealer + 1) & 3)


@kernel
def _lead(p, seat):
    """A seat leads the first trick."""
    p.phase = PLAYING
    p.turn = seat
    p.leader = seat
    p.first_leader = seat


@kernel
def _declare(r, s, seat, aloud):
    """A seat announces all its melds or none; after the fourth the first trick is led (T-q)."""
    p = s.public
    _say(r, s, seat, aloud)
    if seat == p.dealer:
        _lead(p, (p.dealer + 1) & 3)
    else:
        p.turn = (seat + 1) & 3


@kernel
def _say(r, s, seat, aloud):
    """Note what a seat says of its melds, and make it public unless that is put off to the end (T42)."""
    s.declared[seat] = DECLARED if aloud else SILENT_SAID
    s.public.said[seat] = DECLARED if aloud and r.deferred == 0 else SILENT_SAID
    if aloud and r.deferred == 0:
        melds.announce(r, s.public, seat, s.held[seat])


@inlined
def _play(r, s, seat, card, episode, max_hands):
    """A card, and the trick or the hand that it completes; king and queen of trumps may be announced first (T17)."""
    p = s.public
    full = play.apply(r, s, card)
    if r.signals > 0 and p.on_table == 1:
        signal.ask(p, seat)
        return 0
    if play.asks_for_bella(r, p, seat, card):
        if r.auto_bella == 0:
            play.ask_for_bella(p, seat)
            return 0
        p.bella = seat
    return _close_trick(r, s, episode, max_hands) if full else 0


@kernel
def _close_trick(r, s, episode, max_hands):
    """The trick goes to its winner; the last one ends the hand."""
    p = s.public
    play.take_trick(p)
    if r.pointed == 1:
        play.take_points(r, p)
    return _end_hand(r, s, episode, max_hands) if p.trick == r.hand_size else 0


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
    deal.deal(r, s)
    return 0


@kernel
def _end_hand(r, s, episode, max_hands):
    """Score the hand; end the episode or deal the next hand."""
    p = s.public
    if r.game == TARABISH:
        made, declarers, defenders = _points_hand(r, s)
    elif r.game == TURUB:
        made, declarers, defenders = _plain_hand(p)
    else:
        made, declarers, defenders = _tricks_hand(r, p)
    match.count_hand(p, made, declarers, defenders)
    p.winner = match.winner_after_hand(r, p)
    over = p.winner != UNDECIDED or episode == HAND
    if not over and p.hands_here == max_hands:
        p.truncated = 1
        over = True
    if over:
        _close(s)
        return HAND_COUNTED | EPISODE_OVER
    match.go_on(r, p)
    deal.deal(r, s)
    return HAND_COUNTED


@kernel
def _tricks_hand(r, p):
    """What a hand of Tarneeb came to."""
    side = p.declarer & 1
    took = np.int64(p.points[side]) if r.unit == CARD_POINTS else np.int64(p.tricks[side])
    return score.hand_scores(r, auction.bid_value(r, p.level), took)


@kernel
def _plain_hand(p):
    """A game of Arba'a Turub: each side scores its tricks (A14, Q15); it counts as made if the side that named trumps has more."""
    us, them = np.int64(p.tricks[p.declarer & 1]), np.int64(p.tricks[1 - (p.declarer & 1)])
    return us > them, us, them


@kernel
def _points_hand(r, s):
    """What a hand of Tarabish came to; melds that were put off become public now."""
    p = s.public
    totals = np.empty(2, np.int64)
    melds.count(r, s, totals)
    us, them = p.declarer & 1, 1 - (p.declarer & 1)
    cards = (np.int64(p.points[us]), np.int64(p.points[them]))
    tricks = (np.int64(p.tricks[us]), np.int64(p.tricks[them]))
    bella = (p.bella >= 0 and p.bella & 1 == us, p.bella >= 0 and p.bella & 1 == them)
    return bate.hand_scores(r, p.trump > 3, auction.bid_value(r, p.level), cards, tricks, (totals[us], totals[them]), bella)


@kernel
def _close(s):
    """Nobody is to act and nobody holds a card any more."""
    deal.clear_cards(s)
    s.public.phase = OVER
    s.public.turn = NOBODY
    s.public.leader = NOBODY
