"""What a seat sees, written as small integers into the places that `laffa.layout` gives, and the public history as tokens."""

import numpy as np

from laffa import auction, bate
from laffa.cards import ACTIONS, DECLARE, SILENT
from laffa.fields import TARABISH, TURUB
from laffa.jit import kernel
from laffa.layout import FIRST_PLACE, HIDDEN, MELD_PLACES, OBSERVATION, RUN_PLACES, SIZE, TARNEEB_END
from laffa.melds import CARRE, FOURS
from laffa.packed import VIEW_FLAGS, VIEW_NUMBERS
from laffa.state import DECLARED, HISTORY, MELDS
from laffa.wide import WORD, copier, copy_4, copy_52, read_flags, write_flags

_AT = {piece.name: np.int64(piece.offset) for piece in OBSERVATION + HIDDEN}  # wide enough for what is added to them
HAND, PLAYED, TABLE, WINNING, LEADER = _AT["hand"], _AT["played"], _AT["table"], _AT["winning"], _AT["leader"]
TRUMP, PHASE, DEALER, DECLARER, BID = _AT["trump"], _AT["phase"], _AT["dealer"], _AT["declarer"], _AT["bid"]
SEAT_BID, PASSED, PASSES, VOIDS, TRICKS = _AT["seat_bid"], _AT["passed"], _AT["passes"], _AT["voids"], _AT["tricks"]
BID_NT, SEAT_NT, POINTS, POINTS_NEEDED = _AT["bid_nt"], _AT["seat_nt"], _AT["points"], _AT["points_needed"]
NEEDED, TO_GO, TO_GO_COARSE, HANDS_LEFT = _AT["needed"], _AT["to_go"], _AT["to_go_coarse"], _AT["hands_left"]
BID_SUIT, LAP, BELLA, SAID_MELDS, ANNOUNCED, OPEN_CARDS = (_AT[n] for n in ("bid_suit", "lap", "bella", "said_melds", "melds", "open_cards"))
OWN_MELDS, CEILING, GAMES, SIGNAL, SIGNALS, HOLDER, MARK = (_AT[n] for n in ("declared", "ceiling", "games", "signal", "signals", "holder", "mark"))
PASSED_DEALS, LAST_TRICK, LAST_LEADER, WHEN, RULES = (_AT[name] for name in ("passed_deals", "last_trick", "last_leader", "when", "rules"))
HANDS, TURN, DECLARED_BY = _AT["hands"], _AT["turn"], _AT["declared_by"]
RULES_SIZE = len(VIEW_FLAGS) + len(VIEW_NUMBERS)
MORE_RULES = _AT["more_rules"]
copy_rules = copier(RULES_SIZE)
assert TABLE + WORD <= WINNING, "all flags but those of the table are in the second word"
assert SEAT_NT <= TABLE + 2 * WORD <= PASSES, "two words hold all flags, and what they overlap is written after them"


@kernel
def clip(x):
    """An int as an int8, kept within its bounds."""
    return max(-128, min(127, x))


@kernel
def write(r, p, hand, declared, me, out):
    """Write the observation of seat `me`.

    Args:
        r, p: packed rules and the public record.
        hand: the seat's own cards, uint8 [52].
        declared: what the seat has said of its melds.
        me: the observing seat.
        out: int8 [SIZE], written whole.
    """
    copy_52(out, HAND, hand)
    copy_52(out, WHEN, p.when)
    low, high = _flags(p, me)
    write_flags(out, TABLE, low)
    write_flags(out, TABLE + WORD, high)
    for k in range(4):
        seat = (me + k) & 3
        copy_52(out, PLAYED + 52 * k, p.played[seat])
        copy_4(out, VOIDS + 4 * k, p.voids[seat])
        out[SEAT_BID + k] = p.seat_level[seat] + 1
        out[SEAT_NT + k] = p.seat_nt[seat]
        out[PASSED + k] = p.passed[seat]
    for i in range(TARNEEB_END, SIZE):
        out[i] = 0
    out[PASSES] = p.passes
    if r.game == TARABISH:
        out[OWN_MELDS] = declared == DECLARED
        _write_announcements(p, me, out)
    if r.game == TURUB:
        _write_signals(p, me, out)
    _write_last_trick(p, me, out)
    _write_match(r, p, me, out)
    _write_rules(r, out)


@kernel
def _flag(out, at, seat, me):
    """Set one of four relative-seat flags; nobody sets none."""
    if seat >= 0:
        out[at + ((seat - me) & 3)] = 1


@kernel
def _flags(p, me):
    """The flags from `TABLE` on, 128 of them, as two words of bits, the first one lowest.

    Bits are set in registers and none of it branches, so it takes as long as a tenth of the same in bytes.
    """
    low, high = np.uint64(0), np.uint64(0)
    for place in range(4):
        card = np.int64(p.table[place])
        bits = _bit(card // 13) | _bit(4 + card % 13) if place < p.on_table else np.uint64(0)
        shift = np.uint64(17 * ((p.leader + place - me) & 3))
        low |= bits << shift
        high |= bits >> np.uint64(1) >> (np.uint64(63) - shift)  # a shift by 64 has no meaning
    high |= _seat_bit(WINNING, p.leader + p.best if p.on_table > 0 else -1, me) | _seat_bit(LEADER, p.leader, me)
    high |= _seat_bit(DEALER, p.dealer, me) | _seat_bit(DECLARER, p.declarer, me)
    high |= ((np.uint64(2) << np.uint64(p.level)) - np.uint64(1)) << np.uint64(BID - TABLE - WORD) if p.level >= 0 else np.uint64(0)
    high |= _bit(BID_NT - TABLE - WORD) if p.nt == 1 else np.uint64(0)
    high |= _bit(TRUMP - TABLE - WORD + p.trump) if p.trump >= 0 else np.uint64(0)
    return low, high | (_bit(PHASE - TABLE - WORD + p.phase) if p.phase < 6 else np.uint64(0))


@kernel
def _bit(n):
    """A word with one bit."""
    return np.uint64(1) << np.uint64(n)


@kernel
def _seat_bit(at, seat, me):
    """The bit of the second word for one of four relative-seat flags; nobody has none."""
    return _bit(at - TABLE - WORD + ((seat - me) & 3)) if seat >= 0 else np.uint64(0)


@kernel
def _write_announcements(p, me, out):
    if 0 <= p.suit < 4:
        out[BID_SUIT + p.suit] = 1
    out[LAP] = p.lap
    _flag(out, BELLA, p.bella, me)
    for k in range(2):
        out[GAMES + k] = p.games[(me & 1) ^ k]
    for k in range(4):
        seat = (me + k) & 3
        out[CEILING + k] = p.ceiling[seat]
        out[SAID_MELDS + k] = p.said[seat] > 0
        for place in range(MELDS):
            if p.melds[seat, place] >= 0:
                out[ANNOUNCED + MELD_PLACES * k + meld_place(p.melds[seat, place])] += 1
    if p.upcard >= 0:
        out[OPEN_CARDS + p.upcard] = 1
    if p.revealed[0] >= 0:
        for n in range(3):
            out[OPEN_CARDS + p.revealed[n]] = 2


@kernel
def _write_signals(p, me, out):
    if p.signal > 0:
        out[SIGNAL + p.signal - 1] = 1
    for k in range(4):
        for suit in range(4):
            signal = p.signals[(me + k) & 3, suit]
            if signal > 0:
                out[SIGNALS + 8 * k + 4 * (signal - 1) + suit] = 1
    if p.holder >= 0:
        out[HOLDER + ((p.holder ^ me) & 1)] = 1
        out[MARK] = p.mark


@kernel
def meld_place(meld):
    """The place of a meld among those of its seat."""
    kind, rank = meld >> 4, meld & 15
    if kind < CARRE:
        return rank + FIRST_PLACE[kind]
    place = 0
    while FOURS[place] != rank:
        place += 1
    return RUN_PLACES + place


@kernel
def _write_last_trick(p, me, out):
    for i in range(LAST_TRICK, LAST_LEADER + 4):
        out[i] = 0
    if p.trick > 0:
        _flag(out, LAST_LEADER, p.last_leader, me)
        for place in range(4):
            card = p.last_table[place]
            base = LAST_TRICK + 2 * ((p.last_leader + place - me) & 3)
            out[base] = card // 13 + 1
            out[base + 1] = card % 13 + 1


@kernel
def _write_match(r, p, me, out):
    side = me & 1
    for k in range(2):
        out[TRICKS + k] = p.tricks[side ^ k]
        out[POINTS + k] = clip(p.points[side ^ k])
        left = 0 if r.game == TURUB else r.target - p.scores[side ^ k]
        out[TO_GO + k] = clip(left)
        out[TO_GO_COARSE + k] = clip(left >> 3)
    for i in range(2):
        out[NEEDED + i] = 0
        out[POINTS_NEEDED + i] = 0
    if p.trump >= 0 and r.game != TURUB:
        declarers = p.declarer & 1
        if r.pointed == 1:
            bid, whole = contract_points(r, p)
            out[POINTS_NEEDED] = clip(max(0, bid - p.points[declarers]))
            out[POINTS_NEEDED + 1] = clip(max(0, whole + 1 - bid - p.points[1 - declarers]))
        else:
            bid = auction.bid_value(r, p.level)
            out[NEEDED] = max(0, bid - p.tricks[declarers])
            out[NEEDED + 1] = max(0, r.whole + 1 - bid - p.tricks[1 - declarers])
    cap = r.game_cap if r.game == TURUB else r.hand_cap
    out[HANDS_LEFT] = 127 if cap < 0 else clip(cap - p.hands_played)
    out[PASSED_DEALS] = clip(p.passed_deals)


@kernel
def contract_points(r, p):
    """(card points that make the contract, melds and Bella apart, of how many).

    More than half where the sides are compared (4.11); at no trump half the bid, where points count twice (T-ff).
    """
    whole = bate.whole(r, r.game == TARABISH and p.trump > 3)
    if r.judge == auction.OUTSCORE:
        return whole // 2 + 1, whole
    bid = np.int64(auction.bid_value(r, p.level))
    return ((bid + 1) // 2 if r.game == TARABISH and p.trump > 3 and r.nt_scoring != bate.ACE19 else bid), whole


@kernel
def _write_rules(r, out):
    copy_rules(out, RULES, r.shown)
    if r.game > 0:
        for i in range(RULES_SIZE, len(r.shown)):
            out[MORE_RULES - RULES_SIZE + i] = r.shown[i]


@kernel
def write_state(r, s, me, out):
    """Write everything but cards that nobody has yet, seen from seat `me`: its observation, the other hands, the turn; int8 [STATE_SIZE]."""
    write(r, s.public, s.hands[me], s.declared[me], me, out)
    for k in range(1, 4):
        out[DECLARED_BY + k - 1] = s.declared[(me + k) & 3] == DECLARED
        copy_52(out, HANDS + 52 * (k - 1), s.hands[(me + k) & 3])
    for k in range(4):
        out[TURN + k] = 0
    _flag(out, TURN, s.public.turn, me)


@kernel
def write_events(r, p, declared, me, out):
    """Write the history of the hand as tokens, int16 [HISTORY]: 1 + relative seat * ACTIONS + action, then zeros.

    Where melds are announced in secret (T42), everybody else is seen to be silent.
    """
    secret = 4 if r.deferred == 1 and r.auto_declare == 0 else 0
    for place in range(p.actions):
        entry = p.history[place]
        seat, action = np.int64(entry >> 8), np.int64(entry & 255)
        if action == SILENT and secret > 0:
            secret -= 1
            if seat == me and declared == DECLARED:
                action = DECLARE
        out[place] = 1 + ((seat - me) & 3) * ACTIONS + action
    for place in range(p.actions, HISTORY):
        out[place] = 0


@kernel
def write_mask(words, out):
    """Write a set of actions as int8 [ACTIONS] of zeros and ones."""
    write_flags(out, 0, words[0])
    write_flags(out, WORD, words[1])
    # The third word has room for more actions than there are, so it begins within the second.
    write_flags(out, ACTIONS - WORD, words[1] >> np.uint64(ACTIONS - 2 * WORD) | words[2] << np.uint64(3 * WORD - ACTIONS))


@kernel
def read_mask(mask):
    """The set of actions that `write_mask` wrote, as three words of bits."""
    return read_flags(mask, 0), read_flags(mask, WORD), read_flags(mask, ACTIONS - WORD) >> np.uint64(3 * WORD - ACTIONS)


@kernel
def blind(s, seat, out):
    """Write what `seat` knows into a BLIND record: the public record and its own hand, or no hand for nobody."""
    out.public = s.public
    out.seat = seat
    out.held = s.held[seat]
    out.declared = s.declared[seat]
    copy_52(out.hand, 0, s.hands[seat])
