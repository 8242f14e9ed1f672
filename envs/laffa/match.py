"""When a match ends and who won it, and who deals next (K29-K33, I18, T36, T-hh, A15-A20, Q1, Q7, Q14, Q24)."""

import numpy as np

from laffa.fields import TARABISH, TURUB
from laffa.jit import kernel
from laffa.state import DRAW, NO_RESULT, NOBODY, UNDECIDED

BIDDER_WINS, HOLDER = 0, 1
"""Values of `both_over` and `cap_result` in packed rules."""


@kernel
def count_hand(p, made, bidders, defenders):
    """Enter the scores of a finished hand; side `declarer & 1` bid."""
    side = p.declarer & 1
    p.last.scores[side] = bidders
    p.last.scores[1 - side] = defenders
    p.last.made = made
    p.last.declarer = p.declarer
    p.last.level = p.level
    p.last.trump = p.trump
    p.last.dealer = p.dealer
    p.last.bella = p.bella
    for team in range(2):
        p.last.tricks[team] = p.tricks[team]
        p.last.points[team] = p.points[team]
        p.scores[team] += p.last.scores[team]
    p.hands_played += 1
    p.hands_here += 1
    p.passed_deals = 0


@kernel
def winner_after_hand(r, p):
    """The winner of the match, if the hand decided it; where a match has several games, the end of one begins the next (Q14)."""
    if r.game == TURUB:
        return _winner_by_streak(r, p)
    winner = _winner_of_game(r, p)
    if winner < 0 or r.best_of < 2:
        return winner
    p.games[winner] += 1
    if 2 * p.games[winner] > r.best_of:
        return winner
    p.scores[0] = 0
    p.scores[1] = 0
    return UNDECIDED


@kernel
def _winner_of_game(r, p):
    """The target first, level scores play on (K30, I18, Q7); the hand cap after it (K31, K-j)."""
    us, them = p.scores[0], p.scores[1]
    if r.game == TARABISH and min(us, them) >= r.target and r.both_over == BIDDER_WINS:
        return p.declarer & 1
    if max(us, them) >= r.target and us != them:
        return 0 if us > them else 1
    if p.hands_played == r.hand_cap:
        return _winner_at_cap(r, p)
    return UNDECIDED


@kernel
def _winner_at_cap(r, p):
    """The better score; level scores are a draw, or go to the winner of the last hand (K33, K-k)."""
    if p.scores[0] != p.scores[1]:
        return 0 if p.scores[0] > p.scores[1] else 1
    if r.cap_tie == 0 or p.last.scores[0] == p.last.scores[1]:
        return DRAW
    return 0 if p.last.scores[0] > p.last.scores[1] else 1


@kernel
def _won(p):
    """(side that won the last game, its tricks); -1 for a draw (A14)."""
    us, them = p.last.scores[0], p.last.scores[1]
    return (-1 if us == them else (0 if us > them else 1)), max(us, them)


@kernel
def _winner_by_streak(r, p):
    """A second win in a row that is larger than the first, or all tricks, or the cap (A15-A18, A-a, A-b)."""
    side, tricks = _won(p)
    if side >= 0 and ((tricks == r.hand_size and r.slam_wins_match == 1) or (side == p.holder and tricks > p.mark)):
        return side
    if p.hands_played == r.game_cap:
        holder, _ = streak(p)
        return holder if r.cap_result == HOLDER and holder >= 0 else DRAW
    return UNDECIDED


@kernel
def streak(p):
    """(holder, mark) after the last game: a win of the other side, or of nobody's before, sets them anew (A16-A18, A-d)."""
    side, tricks = _won(p)
    if side < 0 or side == p.holder:
        return np.int64(p.holder), np.int64(p.mark)
    return np.int64(side), np.int64(tricks)


@kernel
def go_on(r, p):
    """The match goes on: the next dealer, and the streak (A20, A-c, A-n)."""
    if r.game != TURUB:
        p.dealer = (p.dealer + 1) & 3
        return
    side, _ = _won(p)
    short = side == p.holder and r.short_win_rotates == 0  # a larger one would have ended the match
    if side >= 0 and not short:
        p.dealer = (p.dealer + (1 if p.dealer & 1 == side else 2)) & 3
    p.holder, p.mark = streak(p)


@kernel
def winner_after_passes(r, p):
    """The table closes without a result after a run of passed-out deals (K32)."""
    return NO_RESULT if p.passed_deals == r.all_pass_cap else UNDECIDED


@kernel
def begin(p, dealer):
    """A new match: no score, no hand."""
    p.scores[0] = 0
    p.scores[1] = 0
    p.hands_played = 0
    p.hands_here = 0
    p.passed_deals = 0
    p.games[0] = 0
    p.games[1] = 0
    p.holder = NOBODY
    p.mark = 0
    p.winner = UNDECIDED
    p.truncated = 0
    p.dealer = dealer
    p.last.made = NOBODY
