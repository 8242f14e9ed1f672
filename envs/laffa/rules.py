"""Rules as data: one NamedTuple, one TOML file a variant, checked strictly.

`Rules` is what people read, print and compare. Kernels see `Rules.packed`, the same numbers as a
one-record numpy array: a compiled function takes it in 0.4 us where a NamedTuple costs 3.5 us.
"""

import re
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from laffa.cards import BID, BID_NT, LEVELS
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
    """Everything that distinguishes one variant from another; codes are those of the rules page.

    The values given here are the defaults of the Tarneeb family; a variant's file states what differs.
    """

    variant: Annotated[str, "Id of the variant, the name of its file."]
    origin: Annotated[str, "What `load` reads the variant from: its id, or the path of a file of one's own."]
    version: Annotated[int, "Version of the rules; the environment's id ends in it."]
    title: Annotated[str, "Name for people."]
    sources: Annotated[str, "Codes of the rules that the file implements."]
    no_trump: Annotated[bool, "Whether the game has a no-trump contract at all (K17 excludes it)."] = True
    auction: Annotated[
        str,
        Choice(("open", "final_pass", "single_lap")),
        "Form of the auction: a player who passed may bid again (K13), is out of it (F7, I8), or each seat calls once (4.2).",
    ] = "open"
    close_at_max: Annotated[bool, Flag(), "Whether a bid that nothing outranks closes the auction at once (K14, K-e, Q3)."] = True
    bid_min: Annotated[int, Number(1, 120), "Lowest bid, in tricks or card points (K11, F5, I7)."] = 7
    bid_max: Annotated[int, Number(1, 120), "Highest bid (K10)."] = 13
    bid_step: Annotated[int, Number(1, 119), "Distance between two bids (2.I.400)."] = 1
    nt_bids: Annotated[bool, Flag(), "Whether a bid may be marked no trump, which outranks the plain bid of its number (I23, I-k)."] = False
    dealer_may_equal: Annotated[bool, Flag(), "Whether in a single lap the dealer may repeat the standing bid and take it over (4.2, Q21)."] = False
    all_pass: Annotated[
        str,
        Choice(("next_dealer", "same_dealer", "force_dealer")),
        "When all pass: the next seat deals (K16, I9), the same deals again (4.1), or the last seat has to open with the minimum (4.3).",
    ] = "next_dealer"
    all_pass_cap: Annotated[int | None, Number(1, 127, True), "Passed-out deals in a row after which the match ends without a result (K32, Q1)."] = 8
    hand_cap: Annotated[int | None, Number(1, 10_000, True), "Counted hands after which the better score wins (K31, Q1)."] = 50
    cap_tie: Annotated[str, Choice(("draw", "last_hand_winner")), "Result of equal scores at the hand cap (K31, K33)."] = "draw"
    unit: Annotated[
        str, Choice(("tricks", "card_points")), "What bids promise and hands score: tricks, or points of the cards in them (K2, I22)."
    ] = "tricks"
    made_score: Annotated[str, Choice(("actual", "bid")), "What a made contract scores: what its side took (I14), or the bid (K25)."] = "actual"
    defenders_on_made: Annotated[str, Choice(("none", "actual")), "What the defenders score then: nothing (K25, F11), or what they took (I16)."] = (
        "none"
    )
    slam_unbid: Annotated[int | None, Number(1, 1_000, True), "Score of a side that takes everything without having bid it (F13, I24)."] = None
    slam_bid: Annotated[int | None, Number(1, 1_000, True), "Score of a side that bids everything and takes it (F13, I17)."] = None
    slam_failed: Annotated[int | None, Number(1, 1_000, True), "What a failed bid of everything costs (F14)."] = None
    slam_failed_defenders_x2: Annotated[bool, Flag(), "Whether the defenders score twice what they took from a failed bid of everything (F-f)."] = (
        False
    )
    kabsh_any_side: Annotated[bool, Flag(), "Whether defenders who take everything score `slam_unbid` too (I-e, Q5)."] = False
    target: Annotated[int, Number(1, 1_000), "Score that wins the match (K30, F15, I18)."] = 31

    @property
    def whole(self) -> int:
        """Everything that one hand has: 13 tricks, or 120 card points."""
        return 13 if self.unit == "tricks" else 120

    @property
    def ladder(self) -> list[int]:
        """The numbers that may be bid, rising."""
        return list(range(self.bid_min, self.bid_max + 1, self.bid_step))

    def value(self, level: int) -> int:
        """The number called at a level of the bid ladder: level 0 is one trick, or the lowest bid in card points."""
        return level + 1 if self.unit == "tricks" else self.bid_min + self.bid_step * level

    def level(self, value: int) -> int:
        """The level of the bid ladder at which `value` is called."""
        return value - 1 if self.unit == "tricks" else (value - self.bid_min) // self.bid_step

    @property
    def options(self) -> dict[str, Any]:
        """The options alone, by name, as `load` takes them."""
        return {name: getattr(self, name) for name in OPTIONS}

    @property
    def changed(self) -> dict[str, Any]:
        """The options that differ from the family's defaults."""
        return {name: value for name, value in self.options.items() if value != Rules._field_defaults[name]}

    @property
    def packed(self) -> NDArray[np.void]:
        """The options as a read-only structured array [1] for kernels; see `PACKED`."""
        return _pack(self)


_HINTS = get_type_hints(Rules, include_extras=True)
FIELD_DOCS: dict[str, str] = {name: get_args(hint)[-1] for name, hint in _HINTS.items()}
OPTIONS: dict[str, Choice | Number | Flag] = {name: get_args(hint)[1] for name, hint in _HINTS.items() if len(get_args(hint)) == 3}


def _view_names() -> tuple[list[str], list[str]]:
    """The flags and the numbers by which an observation describes the rules."""
    flags, numbers = [], []
    for name, kind in OPTIONS.items():
        if isinstance(kind, Number):
            numbers += [name] + ([f"{name} / 8"] if kind.high > 127 else [])
        else:
            flags += [name] if isinstance(kind, Flag) else [f"{name} {word}" for word in kind.words]
    return flags, numbers


VIEW_FLAGS, VIEW_NUMBERS = _view_names()
PACKED = np.dtype(
    [
        ("plain_bids", np.uint64, (2,)),  # the ladder as a set of actions: the words of actions 0-63 and 64-127
        ("nt_bids_set", np.uint64),  # the same at no trump, all of them in the second word; empty without
        *((name, np.int32) for name in OPTIONS),  # flags 0/1, words by position, None as -1
        ("whole", np.int32),
        ("at_zero", np.int32),  # the number at level 0 of the ladder
        ("rung", np.int32),  # what a level adds to it
        ("first", np.int32),  # lowest level that may be bid
        ("last", np.int32),  # highest level
        ("stride", np.int32),  # levels between two bids
        ("shown", np.int8, (len(VIEW_FLAGS) + len(VIEW_NUMBERS),)),  # what an observation says of the rules
    ],
    align=True,
)


def variants() -> list[str]:
    """The ids of every shipped variant, sorted."""
    return sorted(path.stem for path in VARIANTS.glob("*.toml"))


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
    for name, value in overrides.items():
        if name not in OPTIONS:
            raise ValueError(f"{rules.variant} has no option {name!r}{hint(name, list(OPTIONS))}; its options are {', '.join(OPTIONS)}")
        if not OPTIONS[name].check(value):
            raise ValueError(f"{rules.variant}: {name} = {value!r} is not possible; it takes {OPTIONS[name]}")
    rules = rules._replace(**overrides)
    for problem in _impossible(rules):
        raise ValueError(f"{rules.variant}: {problem}")
    return rules


def hint(name: str, valid: list[str]) -> str:
    """A suggestion in brackets when `name` looks like a slip for a valid one."""
    close = get_close_matches(name, valid, 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _impossible(rules: Rules) -> Iterator[str]:
    """Why options that are possible one by one are not so together."""
    unit = "tricks" if rules.unit == "tricks" else "card points"
    if rules.bid_max > rules.whole:
        yield f"bid_max = {rules.bid_max} cannot be made; a hand has {rules.whole} {unit}"
    if rules.bid_min > rules.bid_max:
        yield f"bid_min = {rules.bid_min} is above bid_max = {rules.bid_max}, so nothing could be bid"
    if rules.ladder[-1:] != [rules.bid_max]:
        yield f"bid_max = {rules.bid_max} is not reached from bid_min = {rules.bid_min} by {rules.bid_step}; the last bid would be {rules.ladder[-1]}"
    if rules.level(rules.bid_max) >= LEVELS:
        yield f"bids from {rules.bid_min} to {rules.bid_max} by {rules.bid_step} are more than the {LEVELS} levels that a ladder has"
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


HEAD = {"version": int, "title": str, "sources": str, "no_trump": bool}
"""What a variant's file may say besides its `[rules]`."""


def _from_toml(variant: str, origin: str, text: str) -> Rules:
    """Rules from the text of a file, checked strictly."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{variant}.toml is not TOML: {error}") from None
    for name, value in data.items():
        if name != "rules" and name not in HEAD:
            raise ValueError(
                f"{variant}.toml has an unknown key {name!r}{hint(name, [*HEAD, 'rules'])}; it may have {', '.join(HEAD)} and a table [rules]"
            )
        kind = HEAD.get(name, dict)
        if type(value) is not kind or (name == "version" and value < 0):
            raise ValueError(f"{variant}.toml: {name} = {value!r} is not possible; it takes {_KIND_NAMES[kind]}")
    head = {"version": 0, "title": variant, "sources": "", **{name: value for name, value in data.items() if name in HEAD}}
    options = {
        name: None if value == "none" and getattr(OPTIONS.get(name), "optional", False) else value for name, value in data.get("rules", {}).items()
    }
    return load(Rules(variant, origin, **head), **options)


_KIND_NAMES = {int: "a whole number from 0", str: "a text", bool: "true or false", dict: "a table"}


def _number(name: str, value: Any) -> int:
    """One option's value as kernels see it."""
    kind = OPTIONS[name]
    if isinstance(kind, Choice):
        return kind.words.index(value)
    return -1 if value is None else int(value)


def _view(rules: Rules) -> list[int]:
    """What an observation says of the rules: `VIEW_FLAGS`, then `VIEW_NUMBERS`; -1 is off."""
    flags, numbers = [], []
    for name, kind in OPTIONS.items():
        value = _number(name, getattr(rules, name))
        if isinstance(kind, Number):
            numbers += [min(127, value)] + ([min(127, value >> 3)] if kind.high > 127 else [])
        else:
            flags += [value] if isinstance(kind, Flag) else [int(value == n) for n in range(len(kind.words))]
    return flags + numbers


@lru_cache(maxsize=1024)
def _pack(rules: Rules) -> NDArray[np.void]:
    packed = np.zeros(1, PACKED)
    for name, value in rules.options.items():
        packed[name] = _number(name, value)
    packed["whole"], packed["shown"] = rules.whole, _view(rules)
    packed["at_zero"], packed["rung"] = rules.value(0), rules.value(1) - rules.value(0)
    packed["first"], packed["last"] = rules.level(rules.bid_min), rules.level(rules.bid_max)
    for level in map(rules.level, rules.ladder):
        packed["plain_bids"][0, (BID + level) // 64] |= np.uint64(1 << (BID + level) % 64)
        packed["nt_bids_set"] |= np.uint64(rules.nt_bids << (BID_NT + level) % 64)
    packed["stride"] = max(1, rules.level(rules.bid_min + rules.bid_step) - rules.level(rules.bid_min))
    packed.flags.writeable = False
    return packed.view(np.recarray) if DISABLE_JIT else packed
