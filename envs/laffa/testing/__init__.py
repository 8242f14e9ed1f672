"""Conformance tests that anybody can run over a variant, also one of one's own; none of this is needed to play.

`check` holds a variant against all that its environments promise; `leaks` says by which routes a seat is shown what it cannot know.
"""

from laffa.testing.conformance import CHECKS, check
from laffa.testing.referee import Referee, complete_hands
from laffa.testing.report import CheckFailed, Report
from laffa.testing.routes import ROUTES, STEPS
from laffa.testing.unseen import differing_steps, differing_views, leaks, next_actions, reshuffle_unseen
from laffa.testing.walk import choose, clone, is_over, mask_of, packed, phases, walk

__all__ = [
    "CHECKS",
    "ROUTES",
    "STEPS",
    "CheckFailed",
    "Referee",
    "Report",
    "check",
    "choose",
    "clone",
    "complete_hands",
    "differing_steps",
    "differing_views",
    "is_over",
    "leaks",
    "mask_of",
    "next_actions",
    "packed",
    "phases",
    "reshuffle_unseen",
    "walk",
]
