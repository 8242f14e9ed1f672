"""One rule in words, with the options that decide what it says."""

from typing import NamedTuple


class Sentence(NamedTuple):
    """One rule in words."""

    text: str
    options: tuple[str, ...] = ()
    """The options that decide what it says."""
