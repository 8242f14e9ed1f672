"""The independent rules of each variant, made for any options."""

import laffa
from referee import PRESETS, TarneebReferee
from referee_points import TARABISH_PRESETS
from referee_tarabish import TarabishReferee
from referee_turub import TURUB_PRESETS, TurubReferee

REFEREES = {variant: (TarneebReferee, options) for variant, options in PRESETS.items()}
REFEREES |= {variant: (TarabishReferee, options) for variant, options in TARABISH_PRESETS.items()}
REFEREES |= {variant: (TurubReferee, options) for variant, options in TURUB_PRESETS.items()}
"""The rules of each variant and the options that they state for it themselves."""


def make_referee(rules, deals, dealer):
    """A referee for a shipped variant; only options that were changed are taken from the rules."""
    kind, stated = REFEREES[rules.variant]
    shipped = laffa.load(rules.variant).options
    changed = {name: value for name, value in rules.options.items() if value != shipped[name]}
    return kind(rules.variant, rules.version, {**stated, **changed}, deals, dealer)
