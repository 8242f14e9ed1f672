"""The kinds of options that rules have: what each takes, and how kernels and observations see it."""

from difflib import get_close_matches
from typing import Any, NamedTuple


class Choice(NamedTuple):
    """A field that takes one of a few words."""

    words: tuple[str, ...]

    def check(self, value: Any) -> bool:
        """Whether `value` is one of the words."""
        return isinstance(value, str) and value in self.words

    def number(self, value: Any) -> int:
        """The position of a word."""
        return self.words.index(value)

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

    def number(self, value: Any) -> int:
        """The value itself; None is -1."""
        return -1 if value is None else value

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}" + (", or None to switch it off" if self.optional else "")


class OneOf(NamedTuple):
    """A field that takes one of a few whole numbers."""

    values: tuple[int, ...]

    def check(self, value: Any) -> bool:
        """Whether `value` is one of the numbers."""
        return type(value) is int and value in self.values

    def number(self, value: Any) -> int:
        """The value itself."""
        return value

    def __str__(self) -> str:
        return " or ".join(map(str, self.values))


class Flag(NamedTuple):
    """A field that is true or false."""

    def check(self, value: Any) -> bool:
        """Whether `value` is a bool."""
        return type(value) is bool

    def number(self, value: Any) -> int:
        """0 or 1."""
        return int(value)

    def __str__(self) -> str:
        return "True or False"


Kind = Choice | Number | OneOf | Flag


def hint(name: str, valid: list[str]) -> str:
    """A suggestion in brackets when `name` looks like a slip for a valid one."""
    close = get_close_matches(name, valid, 1)
    return f" (did you mean {close[0]!r}?)" if close else ""
