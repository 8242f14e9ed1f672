"""The rules in plain words: one sentence an item, with the codes it stands for and the options it depends on."""

from laffa import prose_tarabish, prose_tarneeb, prose_turub
from laffa.rules import Rules
from laffa.sentence import Sentence

_FAMILIES = {"tarneeb": prose_tarneeb.describe, "tarabish": prose_tarabish.describe, "turub": prose_turub.describe}


def describe(rules: Rules) -> list[Sentence]:
    """The rules of a variant in the order in which people explain a game."""
    return _FAMILIES[rules.game](rules)
