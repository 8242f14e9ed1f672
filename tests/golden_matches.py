"""Golden matches: some hands of a match of each variant, as people would write them down.

`python tests/golden_matches.py` writes the golden match of every variant that lacks one; delete a file to have it written anew.
"""

import itertools
import random
from pathlib import Path

import laffa
from helpers import AGENTS, is_over, legal_texts, play, trick_winner
from referee_points import winning_place

GOLDEN = Path(__file__).parent / "golden"


def golden_choice(texts, hand, rng, rules):
    """An action for a golden match: modest bids, those for no trump, the longest suit, any card. Python's `random()` is the same everywhere."""
    if "pass" in texts:
        bids = texts[1:2] + [text for text in texts if text.startswith("bid") and text.endswith("NT")][:1]
        if "nt_min_bid" in rules.options and rules.no_trump:
            bids += [text for text in texts[2:] if text == f"bid {rules.nt_min_bid}"]
        return bids[int(rng.random() * len(bids)) if len(bids) > 1 else 0] if bids and rng.random() < 0.15 else "pass"
    if texts[0].startswith("trump"):
        return "trump NT" if "trump NT" in texts else max(texts, key=lambda text: sum(card[1] == text[-1] for card in hand))
    return texts[int(rng.random() * len(texts))]


def golden_text(variant, seed=7, hands=5):
    """Some complete hands of one match as people would write them down."""
    env, rng = laffa.env(variant), random.Random(seed)
    env.reset(seed=seed)
    lines = [f"{variant}, version {env.rules.version}, seed {seed}"]
    counted = 0
    while counted < hands and not is_over(env):
        before = env.snapshot()
        lines += _golden_deal(before)
        while True:
            view = env.snapshot()
            play(env, golden_choice(legal_texts(env), view["hands"][view["turn"]], rng, env.rules))
            after = env.snapshot()
            if not after["history"] or is_over(env):
                break
        # The step that ends a hand deals the next one, so the last card is read off the hand that was held.
        lines += _golden_hand(view, after, env)
        counted += after["hands_played"] - before["hands_played"]
    return "\n".join(lines) + "\n"


def _golden_deal(view):
    streak = view["streak"]
    held = f", seats {streak['team']} and {streak['team'] + 2} hold a win with {streak['mark']}" if streak else ""
    lines = ["", f"score {view['scores'][0]} to {view['scores'][1]}, dealer {view['dealer']}{held}"]
    lines += [f"  {seat}: {' '.join(hand)}" for seat, hand in enumerate(view["hands"])]
    return lines + ([f"  stock  {' '.join(view['undealt'])}"] if view["undealt"] else [])


def _golden_hand(view, after, env):
    if view["phase"] == "bid":
        return [f"{_golden_calls(view)}, {view['turn']} pass", f"  passed out; {after['passed_deals']} in a row"]
    last_hand, lines = after["last_hand"], _golden_contract(view)
    lines += ["  melds  " + ", ".join(f"{seat} {kind} {top}" for seat, kind, top, _ in last_hand["melds"])] if last_hand["melds"] else []
    lines += [f"  Bella  {last_hand['bella']}"] if last_hand["bella"] is not None else []
    final = [card for _, card in view["trick"]["cards"]] + (view["hands"][view["turn"]] if view["phase"] == "play" else [])
    place = winning_place if env.rules.game == "tarabish" else trick_winner
    last = (view["trick"]["leader"] + place(final, view["trump"])) % 4
    for leader, cards, winner in [*view["tricks"], [view["trick"]["leader"], final, last]]:
        lines.append(f"  trick  {leader}: {' '.join(cards)}  to {winner}")
    made = {True: ", made", False: ", failed", None: ""}[last_hand["made"]]
    points = f", points {last_hand['points'][0]} to {last_hand['points'][1]}" if env.rules.game == "tarabish" else ""
    lines.append(f"  tricks {last_hand['tricks'][0]} to {last_hand['tricks'][1]}{points}{made}: {last_hand['scores'][0]} to {last_hand['scores'][1]}")
    lines.append(f"  pay    {' '.join(f'{env.rewards[agent]:+g}' for agent in AGENTS)}")
    decided = not env.rules.contracts and after["winner"] in (0, 1)  # elsewhere the scores say so
    return lines + ([f"  match  seats {after['winner']} and {after['winner'] + 2} win"] if decided else [])


def _golden_calls(view):
    return "  calls  " + ", ".join(f"{seat} {call}" for seat, call in view["calls"])


def _golden_contract(view):
    """Who plays for what, or who named trumps, and the signals that were given."""
    contract = view["contract"]
    if contract is None:
        said = [f"{seat} {text}" for seat, text in view["history"] if text in ("knock", "snap")]
        return [f"  {view['history'][0][0]} names trumps {view['trump']}", *(["  signals  " + ", ".join(said)] if said else [])]
    number = "" if contract["value"] is None else f" {contract['value']}"
    return [_golden_calls(view), f"  contract{number} by {contract['seat']}, trumps {contract['trump']}"]


def golden_kinds(variant):
    """What a golden match must show."""
    rules = laffa.load(variant)
    if rules.game == "turub":
        return ("names trumps", "hold a win with", "  match  ", *(() if rules.signals == "off" else ("knock", "snap")))
    no_trump = ("trumps NT",) if "nt_min_bid" in rules.options and rules.no_trump else ()
    return ("made", "failed", *no_trump, *(() if rules.all_pass == "force_dealer" else ("passed out",)))


def write_golden():
    """Write the golden match of every variant that lacks one: the first seed that shows hands of every kind."""
    GOLDEN.mkdir(exist_ok=True)
    for variant in laffa.variants():
        if not (GOLDEN / f"{variant}.txt").exists():
            texts = (golden_text(variant, seed) for seed in itertools.count(7))
            text = next(text for text in texts if text.count("\n\n") > 3 and all(words in text for words in golden_kinds(variant)))
            (GOLDEN / f"{variant}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_golden()
