"""The state of one match as one numpy record, split by who may know what.

`PUBLIC` holds what all four seats have seen; `STATE` adds the hands and the key of the random
generator; `BLIND` is what one seat knows: the public record and its own hand. Whatever writes
observations or plays for a seat takes only those two, so it cannot leak what it never receives.
Seats are absolute here (0-3 in order of play), sides are 0 for seats 0 and 2, 1 for seats 1 and 3.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laffa.jit import DISABLE_JIT

BIDDING, TRUMPING, DECLARING, PLAYING, BELLA_CALL, SIGNALLING, OVER = range(7)
PHASES = ("bid", "trump", "declare", "play", "bella", "signal", "over")

NOBODY = -1
UNDECIDED, DRAW, NO_RESULT = -1, 2, 3
"""`winner` is one of these or the winning side."""

HISTORY = 192
"""Room for the actions of one hand: Arba'a Turub needs 181."""

STOCK = 141
"""Room for cards not yet dealt: in Arba'a Turub trumps are named on three of 144 cards."""
PACK = STOCK + 3
"""Most cards of a game."""
MELDS = 3
"""Most melds that a hand of nine can have."""
KNOCKED, SNAPPED = 1, 2
"""What a leader has signalled; 0 for silence."""
UNASKED, DECLARED, SILENT_SAID = 0, 1, 2
"""What a seat has said of its melds."""
ALL_TRUMPS = 13
"""A `ceiling` that rules nothing out."""


def _record(fields: list[Any]) -> np.dtype[np.void]:
    """An aligned record without holes: fields come in falling alignment, and what is left at the end is a field of its own.

    Bytes between fields are undefined in copies, and then equal states would not be equal bytes.
    """
    packed, aligned = np.dtype(fields), np.dtype(fields, align=True)
    spare = aligned.itemsize - packed.itemsize
    return np.dtype([*fields, ("spare", np.uint8, (spare,))] if spare else fields, align=True)


RESULT = _record(
    [
        ("scores", np.int32, (2,)),
        ("points", np.int16, (2,)),  # card points; 0 where cards have none
        ("tricks", np.int8, (2,)),
        ("made", np.int8),  # 1 made, 0 failed, -1 before any hand has counted; without contracts whether those who named trumps took more
        ("declarer", np.int8),
        ("level", np.int8),
        ("trump", np.int8),
        ("dealer", np.int8),
        ("bella", np.int8),  # seat that announced it; -1 without
        ("melds", np.int8, (4, MELDS)),  # [seat, place] announced melds, as in PUBLIC
    ]
)
"""What a counted hand came to."""

PUBLIC = _record(
    [
        # the match
        ("scores", np.int32, (2,)),
        ("hands_played", np.int32),  # counted hands of this match
        ("hands_here", np.int32),  # counted hands since the reset
        ("passed_deals", np.int32),  # passed-out deals in a row
        ("deals", np.int32),  # deals of this game number so far, over all its matches
        ("last", RESULT),  # the last counted hand of this match
        ("history", np.uint16, (HISTORY,)),  # of the hand: seat * 256 + action, in order
        ("points", np.int16, (2,)),  # card points that each side has taken in this hand, with those of the last trick
        ("actions", np.int16),  # length of the history
        ("games", np.int8, (2,)),  # games won where a match is the best of several
        ("holder", np.int8),  # side that won last where a match takes two wins in a row; -1 without
        ("mark", np.int8),  # its tricks
        ("winner", np.int8),
        ("truncated", np.int8),
        ("dealer", np.int8),
        # the hand
        ("phase", np.int8),
        ("turn", np.int8),
        ("first_leader", np.int8),
        # the auction; levels are those of the bid ladder
        ("level", np.int8),  # standing bid, then the contract; -1 without
        ("nt", np.int8),  # whether it is at no trump
        ("declarer", np.int8),  # standing bidder, then the declarer; where nobody bids, who names trumps
        ("passes", np.int8),  # passes in a row
        ("calls", np.int8),  # calls in this auction
        ("lap", np.int8),  # number of this auction over the same cards, from 0
        ("suit", np.int8),  # suit that the standing bid names; -1 without
        ("passed", np.int8, (4,)),  # whether the seat's last call was a pass
        ("seat_level", np.int8, (4,)),  # the seat's own highest bid; -1 without
        ("seat_nt", np.int8, (4,)),  # whether that was at no trump
        ("trump", np.int8),  # suit, 4 for no trump, -1 before it is named
        ("upcard", np.int8),  # card turned up; -1 without
        ("revealed", np.int8, (3,)),  # packet shown to all; -1 without
        # announcements
        ("said", np.int8, (4,)),  # what each seat has said of its melds, as far as it is public
        ("melds", np.int8, (4, MELDS)),  # [seat, place] announced melds as 16 x kind + top rank, best first; -1 without
        ("bella", np.int8),  # seat that has announced king and queen of trumps; -1 without
        ("signal", np.int8),  # of the trick on the table
        ("signals", np.uint8, (4, 4)),  # [seat, suit] the seat's last signal after leading that suit
        # the trick on the table
        ("leader", np.int8),
        ("on_table", np.int8),  # cards on the table, 0-3 between actions, up to 4 while Bella is asked for
        ("best", np.int8),  # place of the winning card among them
        ("table", np.int8, (4,)),  # cards in order of play; valid below on_table
        # tricks already taken
        ("trick", np.int8),  # number of complete tricks
        ("tricks", np.int8, (2,)),
        ("last_leader", np.int8),
        ("last_table", np.int8, (4,)),  # the previous trick, in order of play
        ("winners", np.int8, (36,)),  # seat that took each trick
        ("voids", np.uint8, (4, 4)),  # [seat, suit] the seat has shown that it has none
        ("ceiling", np.int8, (4,)),  # strength of a trump that the seat has shown to hold none above; ALL_TRUMPS without
        ("played", np.uint8, (4, 52)),  # [seat, card] copies played this hand
        ("when", np.uint8, (52,)),  # trick, from 1, in which a copy was last played
    ]
)

STATE = _record(
    [
        ("key", np.uint64),  # of the random generator: a function of (seed, game)
        ("held", np.uint64, (4,)),  # the hands as sets of bits, one a card
        ("public", PUBLIC),
        ("hands", np.uint8, (4, 52)),  # [seat, card] copies held
        ("declared", np.uint8, (4,)),  # what each seat has said of its melds, also where it is not public
        ("left", np.uint8),  # cards of the stock that are not dealt yet
        ("stock", np.uint8, (STOCK,)),  # the cards to deal, in order; valid from STOCK - left on
    ]
)

BLIND = _record(
    [
        ("held", np.uint64),
        ("public", PUBLIC),
        ("hand", np.uint8, (52,)),
        ("declared", np.uint8),  # what the seat has said of its melds
        ("seat", np.int8),
    ]
)


def records(n: int, kind: np.dtype[np.void]) -> NDArray[np.void]:
    """Empty records. Uncompiled kernels need numpy's attribute access, which compiled ones would only be slowed by."""
    array = np.zeros(n, kind)
    return array.view(np.recarray) if DISABLE_JIT else array
