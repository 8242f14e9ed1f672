"""The rules of the Tarneeb family in plain words: one sentence an item, with the codes it stands for."""

from laffa.rules import Rules
from laffa.sentence import Sentence

WORTH = "an ace 11, a ten 10, a king 4, a queen 3, a jack 2"


def describe(rules: Rules) -> list[Sentence]:
    """The rules of a variant in the order in which people explain a game."""
    return [*_table(rules), *_auction(rules), *_play(rules), *_hand(rules), *_slam(rules), *_match(rules)]


def _unit(rules: Rules) -> str:
    return "tricks" if rules.unit == "tricks" else "card points"


def _table(rules: Rules) -> list[Sentence]:
    lines = [
        Sentence("Four players, partners opposite; seats 0 and 2 play seats 1 and 3 (K3, F1, I2)."),
        Sentence("52 cards, 13 each; the order in every suit, trumps included, is A K Q J T 9 8 7 6 5 4 3 2 (K5, K8, F4, I3)."),
        Sentence("The first dealer is drawn at random; after every hand the next seat deals (K6, K-c, I5)."),
    ]
    if rules.unit == "card_points":
        lines.append(Sentence(f"Cards have points: {WORTH}; 120 in the pack (I22).", ("unit",)))
    return lines


def _auction(rules: Rules) -> list[Sentence]:
    by = f" by {rules.bid_step}" if rules.bid_step > 1 else ""
    top = f"{rules.bid_max} at no trump" if rules.nt_bids else str(rules.bid_max)
    close = "and closes the auction at once" if rules.close_at_max else "and the others may only pass"
    lines = [
        Sentence(f"The seat after the dealer calls first; a bid is the number of {_unit(rules)} the side promises (K10, F5, I7).", ("unit",)),
        Sentence(
            f"Bids go from {rules.bid_min} to {rules.bid_max}{by} and each must be higher than the last, even over one's partner (K11, K12, F6, I7).",
            ("bid_min", "bid_max", "bid_step"),
        ),
    ]
    if rules.nt_bids:
        lines.append(
            Sentence("A bid may be marked no trump: it outranks the plain bid of its number and is played without trumps (I23, I-k).", ("nt_bids",))
        )
    lines.append(Sentence(_FORMS[rules.auction], ("auction",)))
    if rules.dealer_may_equal:
        lines.append(Sentence("The dealer may repeat the standing bid and then is the declarer (4.2, Q21).", ("dealer_may_equal",)))
    lines.append(Sentence(f"A bid of {top} cannot be outranked {close} (K14, K-e, Q3).", ("close_at_max", "bid_max", "nt_bids")))
    lines.append(Sentence(_ALL_PASS[rules.all_pass], ("all_pass",)))
    return lines


_FORMS = {
    "open": "A player who passed may bid again; three passes in a row after a bid close the auction (K13, K15).",
    "final_pass": "A player who passed is out of the auction, which closes when one bidder is left (F7, I8, I-a).",
    "single_lap": "Each seat calls once, the dealer last; the highest bid stands (4.2).",
}
_ALL_PASS = {
    "next_dealer": "When all four pass, the deal is not counted and the next seat deals (K16, F-c, I9).",
    "same_dealer": "When all four pass, the deal is not counted and the same seat deals again (4.1).",
    "force_dealer": "When three have passed, the last seat has to open with the lowest bid, so that no deal is passed out (4.3, Q4).",
}


def _play(rules: Rules) -> list[Sentence]:
    names = "names one of four suits as trumps, unless the bid was at no trump," if rules.nt_bids else "names one of four suits as trumps"
    return [
        Sentence(f"The highest bidder is the declarer, {names} and leads (K17, K20, F8, I10).", ("nt_bids",)),
        Sentence("Follow suit if you can, else play any card; nobody has to ruff or overruff (K21, F9, I11)."),
        Sentence("The highest trump wins the trick, else the highest card of the suit led; the winner leads next (K22, I12)."),
    ]


def _hand(rules: Rules) -> list[Sentence]:
    took = f"the {_unit(rules)} they took"
    made = "its number, whatever was taken beyond it" if rules.made_score == "bid" else f"the {_unit(rules)} that its side took"
    defenders = "nothing" if rules.defenders_on_made == "none" else took
    return [
        Sentence(
            f"A made contract scores {made}; the defenders score {defenders} (K25, F11, I14, I16).",
            ("made_score", "defenders_on_made", "unit"),
        ),
        Sentence(f"A failed contract costs its number, and the defenders score {took} (K26, F12, I15, I16).", ("unit",)),
    ]


def _slam(rules: Rules) -> list[Sentence]:
    everything = "all thirteen tricks" if rules.unit == "tricks" else "all 120 card points"
    lines = []
    if rules.slam_bid is not None:
        lines.append(Sentence(f"A bid of {rules.whole} that is made scores {rules.slam_bid} (K28, F13, I17).", ("slam_bid",)))
    if rules.slam_failed is not None:
        lines.append(Sentence(f"A bid of {rules.whole} that fails costs {rules.slam_failed} (K28, F14, I-d).", ("slam_failed",)))
    if rules.slam_failed_defenders_x2:
        lines.append(Sentence(f"The defenders then score twice {'the ' + _unit(rules)} they took (F-f, 4.1).", ("slam_failed_defenders_x2",)))
    if rules.slam_unbid is not None:
        lines.append(Sentence(f"Declarers who take {everything} without having bid it score {rules.slam_unbid} (F13, I24).", ("slam_unbid",)))
    if rules.kabsh_any_side:
        lines.append(Sentence(f"Defenders who take {everything} score {rules.slam_unbid} too (I-e, Q5).", ("kabsh_any_side",)))
    return lines


def _match(rules: Rules) -> list[Sentence]:
    lines = [Sentence(f"The first side to reach {rules.target} wins, at the end of a hand; scores may be negative (K29, K30, F15, I4).", ("target",))]
    if rules.defenders_on_made == "actual":
        lines.append(Sentence("If both get there the higher score wins; if they are level another hand is played (I18, Q7).", ("defenders_on_made",)))
    tie = "it is a draw" if rules.cap_tie == "draw" else "the side that won the last counted hand wins (K33)"
    if rules.hand_cap is not None:
        text = f"After {rules.hand_cap} counted hands the better score wins; with equal scores {tie} (K31, Q1)."
        lines.append(Sentence(text, ("hand_cap", "cap_tie")))
    if rules.all_pass_cap is not None and rules.all_pass != "force_dealer":
        text = f"After {rules.all_pass_cap} passed-out deals in a row the match ends without a result (K32, Q1)."
        lines.append(Sentence(text, ("all_pass_cap",)))
    return lines
