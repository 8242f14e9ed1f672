"""What a seat sees, as small integers: one list of named pieces, everything else derived from it.

`OBSERVATION` lists the pieces of the flat view in order. The offsets that the kernel writes at, the
table in the docs, the scaling in the networks and the tests that decode it all come from this list.
Seats are relative to the observer: me, next, partner, previous. `HIDDEN` lists what `state()` adds for
centralised critics, and `write_events` writes the public history of the hand as tokens.
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laffa import auction
from laffa.cards import ACTIONS, LEVELS
from laffa.engine import CARD_POINTS
from laffa.jit import kernel, lowest_bit
from laffa.rules import VIEW_FLAGS, VIEW_NUMBERS, Rules
from laffa.state import HISTORY, PHASES


class Piece(NamedTuple):
    """One named piece of a view: `size` int8 values from `offset` on."""

    name: str
    offset: int
    size: int
    scale: int
    """Values divided by this are of order one; networks do so."""
    meaning: str


def _lay_out(start: int, pieces: list[tuple[str, int, int, str]]) -> tuple[Piece, ...]:
    """Give each (name, size, scale, meaning) its offset."""
    laid = []
    for name, size, scale, meaning in pieces:
        laid.append(Piece(name, start, size, scale, meaning))
        start += size
    return tuple(laid)


_SEATS = "me, next, partner, previous"
OBSERVATION = _lay_out(
    0,
    [
        ("hand", 52, 1, "copies of each card that I hold; card = 13 x suit + rank, suits S H D C, ranks 2 to A"),
        ("played", 208, 1, f"copies of each card played this hand, 52 for each of {_SEATS}"),
        ("table", 68, 1, f"card on the table of {_SEATS}: suit as 4 flags, rank as 13 flags"),
        ("winning", 4, 1, f"who is winning the trick on the table: {_SEATS}"),
        ("leader", 4, 1, f"who led or is to lead this trick: {_SEATS}"),
        ("trump", 5, 1, "trumps, once named: S H D C, no trump"),
        ("phase", 6, 1, "phase: " + ", ".join(PHASES[:6])),
        ("dealer", 4, 1, f"the dealer: {_SEATS}"),
        ("declarer", 4, 1, f"standing bidder, then the declarer: {_SEATS}"),
        ("bid", LEVELS, 1, "one flag for each level of the bid ladder up to the standing bid, then the contract"),
        ("bid_nt", 1, 1, "whether that bid is at no trump"),
        ("seat_nt", 4, 1, f"highest bid was at no trump: {_SEATS}"),
        ("seat_bid", 4, 13, f"level + 1 of the highest bid of {_SEATS}; 0 without"),
        ("passed", 4, 1, f"last call was a pass: {_SEATS}"),
        ("passes", 1, 3, "passes in a row"),
        ("voids", 16, 1, f"suits S H D C that {_SEATS} have shown to be void in"),
        ("tricks", 2, 13, "tricks taken by my side, by the other side"),
        ("needed", 2, 13, "tricks still needed to make the contract, to defeat it; 0 once done, before there is a contract, and where points decide"),
        ("points", 2, 60, "card points taken by my side, by the other side; 0 where cards have none"),
        ("points_needed", 2, 60, "card points still needed to make the contract, to defeat it; 0 as above and where tricks decide"),
        ("to_go", 2, 31, "points my side and the other still need for the target, exact up to 127"),
        ("to_go_coarse", 2, 16, "the same divided by 8, rounded down"),
        ("hands_left", 1, 50, "counted hands left before the cap; 127 means that many or more, or no cap"),
        ("passed_deals", 1, 8, "passed-out deals in a row"),
        ("last_trick", 8, 13, f"card of {_SEATS} in the last complete trick: suit + 1, rank + 1; 0 before one"),
        ("last_leader", 4, 1, f"who led the last complete trick: {_SEATS}"),
        ("when", 52, 13, "number of the trick, from 1, in which a copy of the card was last played; 0 if it was not"),
        ("rules", len(VIEW_FLAGS), 1, "the rules as flags: " + ", ".join(VIEW_FLAGS)),
        ("rule_numbers", len(VIEW_NUMBERS), 16, f"the rules in numbers, up to 127; -1 means off: {', '.join(VIEW_NUMBERS)}"),
    ],
)
SIZE = sum(piece.size for piece in OBSERVATION)
HIDDEN = _lay_out(
    SIZE,
    [
        ("hands", 156, 1, "copies of each card held by next, partner, previous, 52 each"),
        ("turn", 4, 1, f"who is to act: {_SEATS}"),
    ],
)
STATE_SIZE = SIZE + sum(piece.size for piece in HIDDEN)

_AT = {piece.name: np.int64(piece.offset) for piece in OBSERVATION + HIDDEN}  # wide enough for what is added to them
HAND, PLAYED, TABLE, WINNING, LEADER = _AT["hand"], _AT["played"], _AT["table"], _AT["winning"], _AT["leader"]
TRUMP, PHASE, DEALER, DECLARER, BID = _AT["trump"], _AT["phase"], _AT["dealer"], _AT["declarer"], _AT["bid"]
SEAT_BID, PASSED, PASSES, VOIDS, TRICKS = _AT["seat_bid"], _AT["passed"], _AT["passes"], _AT["voids"], _AT["tricks"]
BID_NT, SEAT_NT, POINTS, POINTS_NEEDED = _AT["bid_nt"], _AT["seat_nt"], _AT["points"], _AT["points_needed"]
NEEDED, TO_GO, TO_GO_COARSE, HANDS_LEFT = _AT["needed"], _AT["to_go"], _AT["to_go_coarse"], _AT["hands_left"]
PASSED_DEALS, LAST_TRICK, LAST_LEADER, WHEN, RULES = (_AT[name] for name in ("passed_deals", "last_trick", "last_leader", "when", "rules"))
HANDS, TURN = _AT["hands"], _AT["turn"]
FLAGS_END = SEAT_NT
"""Everything between TABLE and here is flags, written into zeros."""


def fingerprint() -> str:
    """Twelve hex digits over both layouts and the action space: equal digits, same meaning of every number."""
    text = repr([(p.name, p.offset, p.size, p.scale, p.meaning) for p in OBSERVATION + HIDDEN]) + f" {ACTIONS} {HISTORY}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def scales(state: bool = False) -> NDArray[np.float32]:
    """The divisor of every value of the observation [D], or of the state view."""
    pieces = OBSERVATION + HIDDEN if state else OBSERVATION
    return np.concatenate([np.full(piece.size, piece.scale, np.float32) for piece in pieces])


_RULE_PIECES = {"rules", "rule_numbers"}


def informative(games: Iterable[Rules], state: bool = False) -> list[str]:
    """Names of the pieces of the observation, or of the state view, that can differ between positions of these games.

    The rules of a single game cannot, and some pieces stay 0 under some rules. Networks leave such pieces out.
    """
    games = list(games)
    left_out = set.intersection(*map(_silent, games)) | (_RULE_PIECES if len(games) == 1 else set())
    return [piece.name for piece in (OBSERVATION + HIDDEN if state else OBSERVATION) if piece.name not in left_out]


def _silent(rules: Rules) -> set[str]:
    """The pieces that are 0 in every position under these rules."""
    silent = {"points", "points_needed"} if rules.unit == "tricks" else {"needed"}
    return silent if rules.nt_bids else silent | {"bid_nt", "seat_nt"}


def spans(names: Iterable[str]) -> list[slice]:
    """Where pieces stand in a view, neighbours together. Raises KeyError for an unknown name."""
    by_name = {piece.name: piece for piece in OBSERVATION + HIDDEN}
    found: list[slice] = []
    for piece in sorted((by_name[name] for name in names), key=lambda piece: piece.offset):
        start = found.pop().start if found and found[-1].stop == piece.offset else piece.offset
        found.append(slice(start, piece.offset + piece.size))
    return found


@kernel
def clip(x):
    """An int as an int8, kept within its bounds."""
    return max(-128, min(127, x))


@kernel
def write(r, p, hand, me, out):
    """Write the observation of seat `me`.

    Args:
        r, p: packed rules and the public record.
        hand: the seat's own cards, uint8 [52].
        me: the observing seat.
        out: int8 [SIZE], written whole.
    """
    for card in range(52):
        out[HAND + card] = hand[card]
        out[WHEN + card] = p.when[card]
    for i in range(TABLE, FLAGS_END):
        out[i] = 0
    for k in range(4):
        seat = (me + k) & 3
        base = PLAYED + 52 * k
        for card in range(52):
            out[base + card] = p.played[seat, card]
        out[SEAT_BID + k] = p.seat_level[seat] + 1
        out[SEAT_NT + k] = p.seat_nt[seat]
        out[PASSED + k] = p.passed[seat]
        for suit in range(4):
            out[VOIDS + 4 * k + suit] = p.voids[seat, suit]
    _write_auction(p, me, out)
    _write_tricks(p, me, out)
    _write_match(r, p, me, out)
    _write_rules(r, out)


@kernel
def _flag(out, at, seat, me):
    """Set one of four relative-seat flags; nobody sets none."""
    if seat >= 0:
        out[at + ((seat - me) & 3)] = 1


@kernel
def _write_auction(p, me, out):
    if p.phase < 6:
        out[PHASE + p.phase] = 1
    _flag(out, DEALER, p.dealer, me)
    _flag(out, DECLARER, p.declarer, me)
    for level in range(p.level + 1):
        out[BID + level] = 1
    out[BID_NT] = p.nt
    if p.trump >= 0:
        out[TRUMP + p.trump] = 1
    out[PASSES] = p.passes


@kernel
def _write_tricks(p, me, out):
    _flag(out, LEADER, p.leader, me)
    for place in range(p.on_table):
        card = p.table[place]
        base = TABLE + 17 * ((p.leader + place - me) & 3)
        out[base + card // 13] = 1
        out[base + 4 + card % 13] = 1
    if p.on_table > 0:
        _flag(out, WINNING, (p.leader + p.best) & 3, me)
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
        out[POINTS + k] = p.points[side ^ k]
        left = r.target - p.scores[side ^ k]
        out[TO_GO + k] = clip(left)
        out[TO_GO_COARSE + k] = clip(left >> 3)
    for i in range(2):
        out[NEEDED + i] = 0
        out[POINTS_NEEDED + i] = 0
    if p.trump >= 0:
        declarers = p.declarer & 1
        bid = auction.bid_value(r, p.level)
        if r.unit == CARD_POINTS:
            out[POINTS_NEEDED] = max(0, bid - p.points[declarers])
            out[POINTS_NEEDED + 1] = max(0, r.whole + 1 - bid - p.points[1 - declarers])
        else:
            out[NEEDED] = max(0, bid - p.tricks[declarers])
            out[NEEDED + 1] = max(0, r.whole + 1 - bid - p.tricks[1 - declarers])
    out[HANDS_LEFT] = 127 if r.hand_cap < 0 else clip(r.hand_cap - p.hands_played)
    out[PASSED_DEALS] = clip(p.passed_deals)


@kernel
def _write_rules(r, out):
    for i in range(len(r.shown)):
        out[RULES + i] = r.shown[i]


@kernel
def write_state(r, s, me, out):
    """Write everything, seen from seat `me`: its observation, then the other hands and the turn; int8 [STATE_SIZE]."""
    write(r, s.public, s.hands[me], me, out)
    for k in range(1, 4):
        for card in range(52):
            out[HANDS + 52 * (k - 1) + card] = s.hands[(me + k) & 3, card]
    for k in range(4):
        out[TURN + k] = 0
    _flag(out, TURN, s.public.turn, me)


@kernel
def write_events(p, me, out):
    """Write the history of the hand as tokens, int16 [HISTORY]: 1 + relative seat * ACTIONS + action, then zeros."""
    for place in range(p.actions):
        entry = p.history[place]
        out[place] = 1 + (((entry >> 8) - me) & 3) * ACTIONS + (entry & 255)
    for place in range(p.actions, HISTORY):
        out[place] = 0


@kernel
def write_mask(words, out):
    """Write a set of actions as int8 [ACTIONS] of zeros and ones."""
    for action in range(ACTIONS):
        out[action] = 0
    for k in range(3):
        word = words[k]
        while word != np.uint64(0):
            out[64 * k + lowest_bit(word)] = 1
            word &= word - np.uint64(1)


@kernel
def blind(s, seat, out):
    """Write what `seat` knows into a BLIND record: the public record and its own hand, or no hand for nobody."""
    out.public = s.public
    out.seat = seat
    out.held = s.held[seat]
    for card in range(52):
        out.hand[card] = s.hands[seat, card]
