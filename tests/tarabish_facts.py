"""What an observation of Tarabish has to say, written down from a snapshot and the rules in words; the rest is as in any game."""

from laffa.cards import SUITS
from referee_points import TRUMPS, winning_place

RUNS = [("tierce", rank) for rank in "89TJQKA"] + [("quart", rank) for rank in "9TJQKA"] + [("quint", rank) for rank in "TJQKA"]
PLACES = RUNS + [("carre", rank) for rank in "J9ATKQ"]


def plays_of(view):
    """Every card as (table before it, seat, card)."""
    rounds = [[((leader + place) % 4, card) for place, card in enumerate(cards)] for leader, cards, _ in view["tricks"]]
    rounds.append([tuple(play) for play in view["trick"]["cards"]])
    return [([card for _, card in cards[:place]], *cards[place]) for cards in rounds for place in range(len(cards))]


def strength(rank):
    """A trump's place in the engine's order of thirteen ranks, from the weakest."""
    return "2345".find(rank) if rank in "2345" else 4 + TRUMPS[::-1].index(rank)


def shown(view, rules):
    """(voids as a set of (seat, suit), the ceiling of each seat): what every card says of its seat."""
    voids, ceiling, trump = set(), [13] * 4, view["trump"]
    for table, seat, card in plays_of(view):
        if not table:
            continue
        led, partner = table[0][1], len(table) >= 2 and winning_place(table, trump) == len(table) - 2
        if card[1] != led:
            voids.add((seat, led))
        if trump == "NT":
            continue
        spared_all = partner and rules.partner_exempt == "all"
        if card[1] not in (led, trump) and led != trump and not spared_all:
            voids.add((seat, trump))
        on_table = [other for other in table if other[1] == trump]
        if card[1] == trump and on_table:
            best = min(on_table, key=lambda other: TRUMPS.index(other[0]))
            spared = not rules.must_rise_on_trump_lead if led == trump else partner and rules.partner_exempt != "none"
            if TRUMPS.index(card[0]) > TRUMPS.index(best[0]) and not spared:
                ceiling[seat] = min(ceiling[seat], strength(best[0]))
    return voids, ceiling


def tarabish_facts(view, me, rules, pack, revealed, declared):
    """The pieces that only Tarabish uses; `revealed` is the packet shown, `declared` who has announced, secretly or not."""
    seats = [(me + k) % 4 for k in range(4)]
    bids = [call for _, call in view["calls"] if call != "pass"]
    names = rules.bid_form == "number+suit" or rules.judge == "outscore"
    suit = bids[-1][-1] if bids and names and not bids[-1].endswith("NT") else None
    asked = [seat for seat, text in view["history"] if text in ("declare", "silent")][:4] if not rules.auto_declare else []
    if rules.auto_declare and view["first_leader"] is not None:
        asked = [0, 1, 2, 3]
    voids, ceiling = shown(view, rules)
    melds = [(seat, (kind, top)) for seat, kind, top, _ in view["hand"]["melds"] if not rules.deferred]
    return {
        "bid_suit": [int(suit == one) for one in SUITS],
        "lap": [int(rules.second_round and [call for _, call in view["calls"][:4]] == ["pass"] * 4)],
        "bella": [int(seat == view["hand"]["bella"]) for seat in seats],
        "said_melds": [int(seat in asked) for seat in seats],
        "melds": [melds.count((seat, place)) for seat in seats for place in PLACES],
        "open_cards": [1 if card == view["upcard"] else 2 * int(card in revealed) for card in pack],
        "declared": [int(me in declared)],
        "voids": [int((seat, one) in voids) for seat in seats for one in SUITS],
        "ceiling": [ceiling[seat] for seat in seats],
        "games": [view["games"][me % 2], view["games"][1 - me % 2]],
    }


def winning_seat(cards, trump):
    """The seat that is winning among [seat, card] pairs."""
    return cards[winning_place([card for _, card in cards], trump)][0]
