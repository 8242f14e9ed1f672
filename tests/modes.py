"""Plays some of every variant and prints a digest of all that came of it: the same bits, however the kernels are run.

`python tests/modes.py` compiled, with NUMBA_BOUNDSCHECK=1 or with NUMBA_DISABLE_JIT=1; a number says how many times as many decisions are made.
"""

import hashlib
import json
import random
import sys
import warnings

import numpy as np

import laffa
from helpers import packed

DECISIONS = {"tarneeb": 66, "tarabish": 56, "turub": 44}
"""Of each row, in a batch of two: a hand and the beginning of the next, or less of one of 36 cards, which one row plays to its end."""
OPTIONS = [
    ("tarneeb-notrump", {"auction": "single_lap", "dealer_may_equal": True}, {"episode": "hand", "reward": "outcome"}),
    ("tarneeb-400points", {"target": 1}, {"reward": "outcome"}),
    ("tarabish", {"bid_form": "number+suit", "no_trump": True, "nt_scoring": "ace19", "reveal_packet": True, "nt_min_bid": 50}, {"episode": "hand"}),
    ("tarabish", {"no_trump": True, "nt_scoring": "ace19", "nt_min_bid": 50}, {}),
    ("tarabish", {"upcard": True, "second_round": True, "deferred": True, "partner_exempt": "all"}, {"max_hands": 1}),
    ("tarabish", {"auto_declare": True, "auto_bella": True, "overlap": True, "run_order": "plain", "best_of": 3}, {}),
    ("tarabish-capebreton", {"no_trump": True, "target": 1}, {"reward": "outcome"}),
    ("turup", {"signals": "truthful", "game_cap": 1}, {"reward": "outcome"}),
]
"""Options, and settings of a batch, under which other kernels run than in the variants."""


PLAYED = ["tarneeb-notrump", "tarneeb-400points", "tarabish-notrump", "tarabish-capebreton", "arbaa-turub-signals"]
"""Variants that the players play, too, taking turns."""


def choose(row, rng):
    """A legal action: the first one, a pass, half of the time, else the last or any, so that contracts of all kinds come up."""
    legal = np.flatnonzero(row)
    return int(legal[rng.choice((0, 0, -1, int(rng.random() * len(legal))))])


def digest(variant, options, settings, decisions, names=()):
    """A hash over everything that a batch of two games shows in some decisions, and over its states; without players they are drawn."""
    batch, rng, seen = laffa.Batch(variant, 2, 5, state=True, events=True, **settings, **options), random.Random(3), hashlib.sha256()
    players = [laffa.players.make(name, batch.rules) for name in names]
    turn = batch.reset()
    for n in range(decisions):
        shown = ("seat", "obs", "mask", "state", "events", "reward", "done", "truncated", "hand_done", "winner", "blind")
        for array in [*(getattr(turn, name) for name in shown), turn.result[turn.hand_done], batch.states]:
            seen.update(packed(array))
        turn = batch.step(players[n % len(players)].act(turn) if players else [choose(row, rng) for row in turn.mask])
    return seen.hexdigest()


def digests(times=1):
    """Digests by row: every variant, and some under options."""
    rows = [(variant, {}, {}) for variant in laffa.variants()] + OPTIONS
    found = {}
    for variant, options, settings in rows:
        rules = laffa.load(variant)
        decisions = 190 if variant == "arbaa-turub-signals" else DECISIONS[rules.game]
        found[" ".join(map(str, (variant, *options.items(), *settings.items())))] = digest(variant, options, settings, decisions * times)
    names = laffa.players.names()
    return found | {f"{variant} {' '.join(names)}": digest(variant, {}, {}, 60 * times, names) for variant in PLAYED}


if __name__ == "__main__":
    warnings.simplefilter("error")
    json.dump(digests(*map(int, sys.argv[1:])), sys.stdout, indent=1)
    sys.stdout.write("\n")
