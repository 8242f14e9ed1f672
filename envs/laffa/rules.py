"""Rules as data: one NamedTuple, one TOML file a variant, checked strictly.

`Rules` is what people read, print and compare. Kernels see `Rules.packed`, the same numbers as a
one-record numpy array: a compiled function takes it in 0.4 us where a NamedTuple costs 3.5 us.
"""

import tomllib
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from laffa.jit import DISABLE_JIT, PACKAGE

VARIANTS = PACKAGE / "variants"


class Choice(NamedTuple):
    """A field that takes one of a few words."""

    words: tuple[str, ...]

    def check(self, value: Any) -> bool:
        """Whether `value` is one of the words."""
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return " or ".join(repr(word) for word in self.words)


class Number(NamedTuple):
    """A whole number from `low` to `high`; `optional` ones may be None, which switches the rule off."""

    low: int
    high: int
    optional: bool = False

    def check(self, value: Any) -> bool:
        """Whether `value` is in range."""
        return (self.optional and value is None) or (type(value) is int and self.low <= value <= self.high)

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}" + (", or None to switch it off" if self.optional else "")


class Flag(NamedTuple):
    """A field that is true or false."""

    def check(self, value: Any) -> bool:
        """Whether `value` is a bool."""
        return type(value) is bool

    def __str__(self) -> str:
        return "True or False"


class Rules(NamedTuple):
    """Everything that distinguishes one variant from another; codes are those of the rules page."""

    variant: Annotated[str, "Id of the variant, the name of its file."]
    version: Annotated[int, "Version of the rules; the environment's id ends in it."]
    title: Annotated[str, "Name for people."]
    sources: Annotated[str, "Codes of the rules that the file implements."]
    auction: Annotated[str, Choice(("open",)), "Form of the auction: 'open' lets a player who passed bid again (K13, K-d)."]
    close_at_max: Annotated[bool, Flag(), "Whether a bid that nothing outranks closes the auction at once (K14, K-e)."]
    bid_min: Annotated[int, Number(1, 13), "Lowest number of tricks that may be bid (K11)."]
    bid_max: Annotated[int, Number(1, 13), "Highest number of tricks that may be bid (K10)."]
    all_pass_cap: Annotated[int | None, Number(1, 127, True), "Passed-out deals in a row after which the match ends without a result (K32)."]
    hand_cap: Annotated[int | None, Number(1, 10_000, True), "Counted hands after which the better score wins (K31)."]
    cap_tie: Annotated[str, Choice(("draw", "last_hand_winner")), "Result of equal scores at the hand cap (K31, K33)."]
    target: Annotated[int, Number(1, 1_000), "Score that wins the match (K30)."]

    def value(self, level: int) -> int:
        """The number called at a level of the bid ladder: tricks."""
        return level + 1

    def level(self, value: int) -> int:
        """The level of the bid ladder at which `value` is called."""
        return value - 1

    @property
    def options(self) -> dict[str, Any]:
        """The options alone, by name, as `load` takes them."""
        return {name: getattr(self, name) for name in OPTIONS}

    @property
    def packed(self) -> NDArray[np.void]:
        """The options as a read-only structured array [1] for kernels: flags 0/1, words by position, None as -1."""
        return _pack(self)

    def describe(self) -> list[str]:
        """The rules in plain words, one sentence an item, with their codes."""
        return _describe(self)


_HINTS = get_type_hints(Rules, include_extras=True)
FIELD_DOCS: dict[str, str] = {name: get_args(hint)[-1] for name, hint in _HINTS.items()}
OPTIONS: dict[str, Choice | Number | Flag] = {name: get_args(hint)[1] for name, hint in _HINTS.items() if len(get_args(hint)) == 3}
PACKED = np.dtype([(name, np.int32) for name in OPTIONS])


def variants() -> list[str]:
    """The ids of every shipped variant, sorted."""
    return sorted(path.stem for path in VARIANTS.glob("*.toml"))


def load(variant: "str | Rules", **overrides: Any) -> Rules:
    """The rules of a variant, with options replaced by keyword.

    Args:
        variant: an id of `variants()`, or rules to start from.
        overrides: option names and values, such as `target=41`.

    Raises:
        ValueError: for an unknown variant or option or an impossible value; the message lists the valid ones.
    """
    rules = variant if isinstance(variant, Rules) else _read(variant if isinstance(variant, str) else repr(variant))
    for name, value in overrides.items():
        if name not in OPTIONS:
            raise ValueError(f"{rules.variant} has no option {name!r}{hint(name, list(OPTIONS))}; its options are {', '.join(OPTIONS)}")
        if not OPTIONS[name].check(value):
            raise ValueError(f"{rules.variant}: {name} = {value!r} is not possible; it takes {OPTIONS[name]}")
    rules = rules._replace(**overrides)
    _check_together(rules)
    return rules


def hint(name: str, valid: list[str]) -> str:
    """A suggestion in brackets when `name` looks like a slip for a valid one."""
    close = get_close_matches(name, valid, 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _check_together(rules: Rules) -> None:
    """Refuse options that are possible one by one but not together."""
    if rules.bid_min > rules.bid_max:
        raise ValueError(f"{rules.variant}: bid_min = {rules.bid_min} is above bid_max = {rules.bid_max}, so nothing could be bid")


@lru_cache
def _read(variant: str) -> Rules:
    """One shipped file as checked rules."""
    if variant not in variants():
        raise ValueError(f"there is no variant {variant!r}{hint(str(variant), variants())}; the variants are {', '.join(variants())}")
    data = tomllib.loads((VARIANTS / f"{variant}.toml").read_text(encoding="utf-8"))
    options = data["rules"]
    missing = [name for name in OPTIONS if name not in options and not getattr(OPTIONS[name], "optional", False)]
    if missing:
        raise ValueError(f"{variant}.toml lacks {', '.join(missing)}")
    blank = Rules(variant, data["version"], data["title"], data["sources"], **dict.fromkeys(OPTIONS))  # type: ignore[arg-type]
    return load(blank._replace(**{name: options.get(name) for name in OPTIONS}), **options)


def _number(name: str, value: Any) -> int:
    """One option's value as kernels see it."""
    kind = OPTIONS[name]
    if isinstance(kind, Choice):
        return kind.words.index(value)
    return -1 if value is None else int(value)


@lru_cache(maxsize=1024)
def _pack(rules: Rules) -> NDArray[np.void]:
    packed = np.zeros(1, PACKED)
    for name, value in rules.options.items():
        packed[name] = _number(name, value)
    packed.flags.writeable = False
    return packed.view(np.recarray) if DISABLE_JIT else packed


def _describe(rules: Rules) -> list[str]:
    tie = "it is a draw" if rules.cap_tie == "draw" else "the side that won the last counted hand wins (K33)"
    close = "and closes the auction at once" if rules.close_at_max else "and the others may only pass"
    lines = [
        "Four players, partners opposite; seats 0 and 2 play seats 1 and 3 (K3).",
        "52 cards, 13 each; the order in every suit, trumps included, is A K Q J T 9 8 7 6 5 4 3 2 (K5, K8).",
        "The seat after the dealer calls first; a bid is the number of tricks the side promises (K10).",
        f"Bids go from {rules.bid_min} to {rules.bid_max} and each must be higher than the last, even over one's partner (K11, K12).",
        "A player who passed may bid again; three passes in a row after a bid close the auction (K13, K15).",
        f"A bid of {rules.bid_max} cannot be outranked {close} (K14, K-e).",
        "When all four pass first, the deal is not counted and the next seat deals (K16).",
        "The highest bidder is the declarer, names one of four suits as trumps and leads (K17, K20).",
        "Follow suit if you can, else play any card; nobody has to ruff or overruff (K21).",
        "The highest trump wins the trick, else the highest card of the suit led; the winner leads next (K22).",
        "A made contract scores its number, whatever the overtricks; the defenders score nothing (K25).",
        "A failed contract costs its number, and the defenders score the tricks they took (K26).",
        f"The first side to reach {rules.target} wins; scores may be negative (K29, K30).",
    ]
    if rules.hand_cap is not None:
        lines.append(f"After {rules.hand_cap} counted hands the better score wins; with equal scores {tie} (K31).")
    if rules.all_pass_cap is not None:
        lines.append(f"After {rules.all_pass_cap} passed-out deals in a row the match ends without a result (K32).")
    return lines
