"""Options that several commands share, and how their texts are read."""

from typing import Annotated, Any

import typer

import laffa
from laffa import players
from laffa.fields import OPTIONS
from laffa.options import Choice
from laffa.rules import Rules

VARIANT = "tarneeb-koutchina"
"""The game that is played when none is named."""

Variant = Annotated[str, typer.Option(help="Variant to play: one of `laffa variants`, or the path of a file of rules.")]
Sets = Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Change an option of the rules; may be repeated.")]
Seed = Annotated[int, typer.Option(help="Fixes the cards and whatever else is random.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]


def load_rules(variant: str, changes: list[str] | None) -> Rules:
    """A variant's rules with "option=value" changes; words, whole numbers, true, false and none are values."""
    return laffa.load(variant, **{name: read_value(name, text) for name, text in split_changes(changes).items()})


def split_changes(changes: list[str] | None) -> dict[str, str]:
    """Texts such as "target=41" by name; the last one of a name counts."""
    pairs = {}
    for change in changes or []:
        name, equals, text = change.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"--set {change!r} is not possible; it takes NAME=VALUE, such as --set target=41")
        pairs[name.strip()] = text.strip()
    return pairs


def read_value(name: str, text: str) -> Any:
    """The value that a text means: True, False, None, a whole number, else the text itself, as where an option takes words."""
    if isinstance(OPTIONS.get(name), Choice):
        return text
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else text


def make_player(name: str, rules: Rules, seed: int) -> players.Player:
    """A player by name or by a checkpoint's path."""
    player = players.make(name, rules, seed)
    if name not in players.PLAYERS:
        import torch

        # Batches of an evaluation are small: more threads gain little, and on a busy machine they wait for one another all the time.
        torch.set_num_threads(1)
    return player


def complain(sentence: str, program: str = "laffa", status: int = 2) -> int:
    """Say one sentence on standard error; gives the exit status back."""
    typer.echo(f"{program}: {' '.join(sentence.split())}", err=True)
    return status
