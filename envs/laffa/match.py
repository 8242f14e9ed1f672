"""When a match ends and who won it (K29-K33, I18, T36, T-hh, Q1, Q7, Q14, Q24)."""

from laffa.jit import kernel
from laffa.state import DRAW, NO_RESULT, NOBODY, UNDECIDED

BIDDER_WINS, TARABISH = 0, 1
"""Values of `both_over` and `game` in packed rules."""


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
    p.winner = UNDECIDED
    p.truncated = 0
    p.dealer = dealer
    p.last.made = NOBODY
