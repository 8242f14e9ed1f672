"""Rules as data: one NamedTuple for all families of games, one TOML file a variant, checked strictly.

`Rules` is what people read, print and compare. Kernels see `Rules.packed`, the same numbers as a
one-record numpy array: a compiled function takes it in 0.4 us where a NamedTuple costs 3.5 us.
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laffa.fields import DEFAULTS, FIXED, GAMES, OPTIONS, Fields
from laffa.jit import PACKAGE
from laffa.options import hint
from laffa.packed import pack
from laffa.together import impossible

VARIANTS = PACKAGE / "variants"


class Rules(Fields):
    """Everything that distinguishes one variant from another; `laffa.fields` describes each field."""

    __slots__ = ()

    @property
    def packed(self) -> NDArray[np.void]:
        """The options as a read-only structured array [1] for kernels; see `laffa.packed`."""
        return pack(self)


def variants() -> list[str]:
    """The ids of every shipped variant, sorted."""
    return sorted(file.name.removesuffix(".toml") for file in VARIANTS.iterdir() if file.name.endswith(".toml"))


def load(variant: "str | Path | Rules", **overrides: Any) -> Rules:
    """The rules of a variant, with options replaced by keyword.

    Args:
        variant: an id of `variants()`, the path of a TOML file of one's own, or rules to start from.
        overrides: option names and values, such as `target=41`.

    Raises:
        ValueError: for an unknown variant or option, an impossible value or values that are impossible together; the
            message names it and the valid ones.
    """
    rules = variant if isinstance(variant, Rules) else _find(variant)
    valid = DEFAULTS[rules.game]
    for name, value in overrides.items():
        if name not in valid:
            raise ValueError(f"{rules.variant} has no option {name!r}{hint(name, list(valid))}; its options are {', '.join(valid)}")
        if not OPTIONS[name].check(value):
            raise ValueError(f"{rules.variant}: {name} = {value!r} is not possible; it takes {OPTIONS[name]}")
    rules = rules._replace(**overrides)
    for problem in impossible(rules):
        raise ValueError(f"{rules.variant}: {problem}")
    return rules


def _find(variant: Any) -> Rules:
    """Rules by id, or from a file of one's own."""
    if isinstance(variant, Path) or (isinstance(variant, str) and variant.endswith(".toml")):
        return _read_own(Path(variant))
    if variant not in variants():
        raise ValueError(
            f"there is no variant {variant!r}{hint(str(variant), variants())}; the variants are {', '.join(variants())}, or the path of a .toml file"
        )
    return _read_shipped(variant)


@lru_cache
def _read_shipped(variant: str) -> Rules:
    return _from_toml(variant, variant, (VARIANTS / f"{variant}.toml").read_text(encoding="utf-8"))


def _read_own(path: Path) -> Rules:
    """A user's file: its name is the id, `[rules]` says what differs from the family's defaults, the rest may be left out."""
    if path.suffix != ".toml":
        raise ValueError(f"{path} is not a file of rules; such a file ends in .toml")
    if path.stem in variants():
        raise ValueError(f"{path} has the name of a variant that comes with laffa; give the file another name")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", path.stem):
        raise ValueError(f"{path}: the name becomes the variant's id and may have letters, digits, - and _ only")
    try:
        return _from_toml(path.stem, str(path), path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8") from None


HEAD = {"version": int, "title": str, "sources": str, "game": str, "no_trump": bool}
"""What a variant's file may say besides its `[rules]`."""


def _from_toml(variant: str, origin: str, text: str) -> Rules:
    """Rules from the text of a file, checked strictly."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{variant}.toml is not TOML: {error}") from None
    game = data.get("game", GAMES[0])
    head = {name: kind for name, kind in HEAD.items() if not isinstance(game, str) or name not in DEFAULTS.get(game, ())}
    for name, value in data.items():
        if name != "rules" and name not in head:
            raise ValueError(
                f"{variant}.toml has an unknown key {name!r}{hint(name, [*head, 'rules'])}; it may have {', '.join(head)} and a table [rules]"
            )
        kind = head.get(name, dict)
        if type(value) is not kind or (name == "version" and value < 0) or (name == "game" and value not in GAMES):
            raise ValueError(f"{variant}.toml: {name} = {value!r} is not possible; it takes {_KINDS[name if name == 'game' else kind]}")
    given = {"version": 0, "title": variant, "sources": "", **{name: value for name, value in data.items() if name in head}}
    options = {
        name: None if value == "none" and getattr(OPTIONS.get(name), "optional", False) else value for name, value in data.get("rules", {}).items()
    }
    return load(Rules(variant, origin, **{**FIXED[game], **DEFAULTS[game], **given}), **options)


_KINDS = {int: "a whole number from 0", str: "a text", bool: "true or false", dict: "a table", "game": " or ".join(map(repr, GAMES))}
