"""Options that are possible one by one but not together."""

from collections.abc import Iterator

from laffa.cards import LEVELS
from laffa.fields import Fields


def impossible(rules: Fields) -> Iterator[str]:
    """The reasons why these rules cannot be played."""
    if rules.game == "turub":
        yield from _turub(rules)
        return
    yield from _ladder(rules)
    yield from _tarneeb(rules) if rules.game == "tarneeb" else _tarabish(rules)


def _ladder(rules: Fields) -> Iterator[str]:
    unit = "tricks" if rules.in_tricks else "card points"
    steps = range(rules.bid_min, rules.bid_max + 1, rules.bid_step)
    if rules.game == "tarneeb" and rules.bid_max > rules.whole:
        yield f"bid_max = {rules.bid_max} cannot be made; a hand has {rules.whole} {unit}"
    if rules.bid_min > rules.bid_max:
        yield f"bid_min = {rules.bid_min} is above bid_max = {rules.bid_max}, so nothing could be bid"
    elif steps[-1] != rules.bid_max:
        yield f"bid_max = {rules.bid_max} is not reached from bid_min = {rules.bid_min} by {rules.bid_step}; the last bid would be {steps[-1]}"
    if (rules.bid_max if rules.in_tricks else len(steps)) > LEVELS:
        yield f"bids from {rules.bid_min} to {rules.bid_max} by {rules.bid_step} are more than the {LEVELS} levels that a ladder has"


def _tarneeb(rules: Fields) -> Iterator[str]:
    if rules.nt_bids and not rules.no_trump:
        yield "nt_bids = True is not possible; the game has no no-trump contract"
    if rules.dealer_may_equal and rules.auction != "single_lap":
        yield f"dealer_may_equal = True needs auction = 'single_lap'; with {rules.auction!r} the dealer is not the last to call"
    if rules.kabsh_any_side and rules.slam_unbid is None:
        yield "kabsh_any_side = True pays what slam_unbid says, and slam_unbid is None"
    for name in ("slam_unbid", "slam_bid"):
        price = getattr(rules, name)
        # Twice everything is what tables do pay (I17, Q6), also in a short match.
        if price is not None and price > max(rules.target, 2 * rules.whole):
            yield f"{name} = {price} is above target = {rules.target}, so one such hand would win every match"


def _tarabish(rules: Fields) -> Iterator[str]:
    for name, packets in (("upcard", (9,)), ("reveal_packet", (6, 9))):
        if getattr(rules, name) and rules.cards_at_bid in packets:
            yield f"{name} = True is not possible with cards_at_bid = {rules.cards_at_bid}; what it shows is dealt by then (Q23)"


def _turub(rules: Fields) -> Iterator[str]:
    if rules.game_cap is None and not rules.slam_wins_match:
        yield f"slam_wins_match = False needs a game_cap; with a first win of all {rules.whole} tricks a side could never win the match (A-a)"
