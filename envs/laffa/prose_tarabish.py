"""The rules of the Tarabish family in plain words: one sentence an item, with the codes it stands for."""

from laffa.rules import Rules
from laffa.sentence import Sentence


def describe(rules: Rules) -> list[Sentence]:
    """The rules of a variant in the order in which people explain a game."""
    auction = _take(rules) if rules.judge == "outscore" else _auction(rules)
    return [*_table(rules), *auction, *_melds(rules), *_play(rules), *_hand(rules), *_no_trump(rules), *_match(rules)]


def _table(rules: Rules) -> list[Sentence]:
    plain = f"A 10 K Q J 9 8 7 6, worth {'11' if rules.nt_scoring != 'ace19' else '11 (19 at no trump)'} 10 4 3 2 0 0 0 0"
    return [
        Sentence("Four players, partners opposite; seats 0 and 2 play seats 1 and 3 (T2)."),
        Sentence("36 cards, 6 to A in four suits, nine each (T3)."),
        Sentence("Trumps rank J 9 A 10 K Q 8 7 6 and are worth 20 14 11 10 4 3 0 0 0: 62 points (T4)."),
        Sentence(f"Other suits rank {plain}: 30 points each (T5).", ("nt_scoring",)),
        Sentence(
            f"The last trick adds {rules.last_trick}, so that a hand with trumps has 152 + {rules.last_trick} = {rules.whole} points (T6, T33).",
            ("last_trick",),
        ),
        Sentence("The first dealer is drawn at random; after every hand the next seat deals (T9, T-jj)."),
    ]


def _packets(rules: Rules) -> list[Sentence]:
    """How many cards the auction is held on, and what is seen of the others."""
    if rules.cards_at_bid == 9:
        lines = [Sentence("All nine cards are dealt before the auction (T38).", ("cards_at_bid",))]
    else:
        text = f"Each seat gets {rules.cards_at_bid} cards in packets of three; the others are dealt when trumps are known (T11, T16, T-e)."
        lines = [Sentence(text, ("cards_at_bid",))]
    if rules.upcard:
        lines.append(Sentence("The next card of the stock is turned up; no other suit may become trumps (T13, Q9).", ("upcard",)))
    if rules.reveal_packet:
        lines.append(Sentence("The second packet of the dealer's right neighbour is shown to all before the auction (T12).", ("reveal_packet",)))
    return lines


def _auction(rules: Rules) -> list[Sentence]:
    form = "a number" if rules.bid_form == "number" else "a number and the suit that will be trumps"
    close = "closes the auction at once" if rules.close_at_max else "leaves the others only a pass"
    lines = [
        *_packets(rules),
        Sentence(f"The dealer's left calls first; a bid is {form}, the points that the side promises (T7, T13, T-a).", ("bid_form",)),
        Sentence(
            f"Bids go from {rules.bid_min} to {rules.bid_max} by {rules.bid_step}; each must be higher, even over one's partner (T-b, T-d, T39).",
            ("bid_min", "bid_max", "bid_step"),
        ),
        Sentence(_FORMS[rules.auction], ("auction",)),
        Sentence(f"A bid of {rules.bid_max} {close} (Q3).", ("close_at_max", "bid_max")),
        *_all_pass(rules),
    ]
    if rules.bid_form == "number":
        lines.append(Sentence("The highest bidder is the declarer and names trumps, be it a suit of which he has none (T15, T-i)."))
    return lines


_FORMS = {
    "open": "A player who passed may bid again; three passes in a row after a bid close the auction (K13).",
    "final_pass": "A player who passed is out of the auction, which closes when one bidder is left (T-d).",
    "single_lap": "Each seat calls once, the dealer last; the highest bid stands (T-d).",
}


def _take(rules: Rules) -> list[Sentence]:
    return [
        *_packets(rules),
        Sentence(
            "From the dealer's left each seat names trumps, which makes it the declarer, or passes; there are no numbers (4.11, Q32).", ("judge",)
        ),
        *_all_pass(rules),
    ]


def _all_pass(rules: Rules) -> list[Sentence]:
    opens = "name trumps" if rules.judge == "outscore" else "bid the minimum"
    lines = []
    if rules.all_pass == "force_dealer":
        lines.append(Sentence(f"When three have passed, the dealer has to {opens}, so that no deal is passed out (4.11, T-g, Q4).", ("all_pass",)))
        return lines
    if rules.second_round:
        lines.append(
            Sentence(
                f"After four passes the auction is held once more; at {rules.nt_min_bid} or more no trump may be named then (T14, Q8).",
                ("second_round", "nt_min_bid"),
            )
        )
    who = "the next seat deals" if rules.all_pass == "next_dealer" else "the same seat deals again"
    return [*lines, Sentence(f"When all pass, the deal is not counted and {who} (T14, T-g).", ("all_pass",))]


def _melds(rules: Rules) -> list[Sentence]:
    order = "A K Q J 10 9 8 7 6" if rules.run_order == "natural" else "A 10 K Q J 9 8 7 6"
    if rules.meld_set == "full":
        text = (
            "Three cards of a suit in sequence score 20, four 50, five or more 100; "
            "four jacks 200, nines 150, aces, tens, kings or queens 100 (T18, T20)."
        )
    else:
        text = "Three cards of a suit in sequence score 20, four or more 50; nothing else is a meld (4.11)."
    lines = [
        Sentence(text, ("meld_set",)),
        Sentence(f"Sequences follow the order {order}, in trumps too (T19, T-j).", ("run_order",)),
        Sentence(_better(rules), ("longer_first", "equal_runs", "meld_set")),
        Sentence(_announced(rules), ("auto_declare", "deferred")),
        Sentence("Only the side with the best single meld scores, and it scores all that it has announced (T21, T-dd)."),
    ]
    if rules.meld_set == "full":
        both = "A card may count in a sequence and in four of a kind" if rules.overlap else "Four of a kind come first, and a card counts in one meld"
        lines.insert(1, Sentence(f"{both}; a long sequence is one meld (T-o, T-p, Q11).", ("overlap",)))
    bella = "are announced without a decision" if rules.auto_bella else "score if their holder says Bella when he plays the second of them"
    return [
        *lines,
        Sentence(f"King and queen of trumps in one hand {bella}: 20 for their side, whoever has the best meld (T17, T22, T-r).", ("auto_bella",)),
    ]


def _better(rules: Rules) -> str:
    tie = "the side that does not deal has the better" if rules.equal_runs == "order" else "neither side scores a meld"
    if rules.meld_set == "runs_only":
        return f"The longer sequence is the better, then the higher top card, then trumps; of equal ones {tie} (T23, 4.11)."
    long = ", then the longer of two fives or more" if rules.longer_first else ""
    return (
        f"The better meld has more points, then four of a kind before a sequence{long}, then the higher top card, then trumps; "
        f"of equal ones {tie} (T23, T-k, T-l)."
    )


def _announced(rules: Rules) -> str:
    how = (
        "are announced without a decision"
        if rules.auto_declare
        else "score if they are announced, in turn from the dealer's left before the first lead"
    )
    seen = "nobody learns of them before the end of the hand" if rules.deferred else "the table learns kind and top card, not the suit"
    return f"Melds {how}; {seen} (T21, T24, T42, T-q)."


def _play(rules: Rules) -> list[Sentence]:
    rise = "has to beat the best trump" if rules.must_rise_on_trump_lead else "may play any trump"
    return [
        Sentence("The dealer's left leads the first trick, the winner of a trick the next (T25, T29)."),
        Sentence(f"Follow suit if you can; when trumps are led, whoever can {rise} (T26, T-u).", ("must_rise_on_trump_lead",)),
        Sentence("Without the suit led you have to ruff, higher than a trump that is winning if you can, lower if you cannot (T26, T27, T-v)."),
        Sentence(_EXEMPT[rules.partner_exempt], ("partner_exempt",)),
        Sentence("The highest trump wins the trick, else the highest card of the suit led (T29)."),
    ]


_EXEMPT = {
    "none": "That holds over one's partner too (T27, T-w).",
    "overtrump": "While your partner is winning you need not overruff, but you have to ruff (T28, T-w).",
    "all": "While your partner is winning and you are void, you may play any card (T-w).",
}


def _hand(rules: Rules) -> list[Sentence]:
    if rules.judge == "outscore":
        equal = "they score nothing and the others what they have" if rules.equal == "half_bait" else "the others take all"
        lines = [
            Sentence(
                "Points of cards, the last trick, melds and Bella are added up; the declarers have to have more than the others (4.11).", ("judge",)
            ),
            Sentence(f"Then both sides score theirs; with less, the others score all; with equal points {equal} (4.11, X10, X11).", ("equal",)),
        ]
    else:
        lines = [
            Sentence(
                "The declarers' points of cards, the last trick, melds and Bella have to reach the bid; "
                "then both sides score theirs (T34, T-z, T-aa)."
            ),
            Sentence("Else, the bate, the others score all of them and the declarers nothing (T35, T-cc)."),
        ]
    if rules.bella_survives_bate:
        lines.append(Sentence("Declarers keep the 20 of their Bella all the same (T-bb, Q13).", ("bella_survives_bate",)))
    if rules.need_trick:
        lines.append(Sentence("A contract fails without a trick, whatever was announced (T-aa).", ("need_trick",)))
    if rules.coat:
        what = "take all nine tricks" if rules.all_nine_tricks else "leave the others without a point in tricks"
        lines.append(Sentence(f"Declarers who make their contract and {what} score 100 more, a coat (T44, T-ee).", ("coat", "all_nine_tricks")))
    return lines


def _no_trump(rules: Rules) -> list[Sentence]:
    again = rules.second_round and rules.all_pass != "force_dealer"  # a deal that nobody can pass out has one auction
    if not (rules.no_trump or again):
        return []
    if rules.judge == "outscore":
        return [Sentence("No trump may be named in place of a suit; all suits are plain then (4.11, X13).", ("no_trump",))]
    if rules.nt_scoring == "double_before":
        score = "the declarers' points count twice before they are compared with the bid; the others take the plain points of a bate"
    else:
        score = "aces are worth 19, and declarers who reach their bid score twice their points"
    when = "" if rules.no_trump else " in the second auction"
    text = (
        f"A declarer who has bid {rules.nt_min_bid} or more may name no trump{when}: "
        f"all suits are plain, there is no Bella, {score} (T43, T-ff, T-fg)."
    )
    return [Sentence(text, ("no_trump", "nt_min_bid", "nt_scoring"))]


def _match(rules: Rules) -> list[Sentence]:
    both = "the declarers win" if rules.both_over == "bidder" else "the higher score wins, and with equal ones another hand is played"
    lines = [
        Sentence(f"The first side to reach {rules.target} wins; if both do so in one hand, {both} (T8, T36, T-hh, Q24).", ("target", "both_over")),
    ]
    if rules.best_of > 1:
        lines.append(Sentence("A match is the better of three such games; the scores go back to 0, the deal passes on (Q14, T-kk).", ("best_of",)))
    if rules.all_pass_cap is not None and rules.all_pass != "force_dealer":
        lines.append(Sentence(f"After {rules.all_pass_cap} passed-out deals in a row the match ends without a result (T-g, Q1).", ("all_pass_cap",)))
    return lines
