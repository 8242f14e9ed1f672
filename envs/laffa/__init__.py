"""Laffa: the card games of the Tarneeb world for reinforcement learning."""

from laffa import players
from laffa.aec import CardGame, env, raw_env
from laffa.batch import Batch, IllegalAction
from laffa.layout import OBSERVATION, Piece, fingerprint
from laffa.parallel import parallel_env
from laffa.prose import describe
from laffa.register import register_all
from laffa.rules import Rules, load, variants
from laffa.sentence import Sentence
from laffa.text import action_id, action_table, action_text
from laffa.turn import Turn

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "CardGame",
    "IllegalAction",
    "Piece",
    "Rules",
    "Sentence",
    "Turn",
    "action_id",
    "action_table",
    "action_text",
    "describe",
    "env",
    "fingerprint",
    "load",
    "observation_layout",
    "parallel_env",
    "players",
    "raw_env",
    "variants",
]


def observation_layout(variant: str | Rules) -> list[Piece]:
    """The pieces of the flat observation in order: name, offset, size, scale and meaning. The same for all variants."""
    load(variant)
    return list(OBSERVATION)


register_all()
