"""Ids in the registries of Gymnasium and PettingZoo: "laffa/<variant>-v<version>"."""

import gymnasium
import pettingzoo

from laffa.rules import load, variants


def environment_id(variant: str) -> str:
    """The registered id of a variant."""
    return f"laffa/{variant}-v{load(variant).version}"


def register_all() -> None:
    """Register every shipped variant; PettingZoo has a registry from 1.27 on."""
    register = getattr(pettingzoo, "register", None)
    for variant in variants():
        name = environment_id(variant)
        gymnasium.register(name, entry_point="laffa.single:SingleSeat", kwargs={"variant": variant}, disable_env_checker=True, order_enforce=False)
        if register is not None:
            register("aec", name, entry_point="laffa.aec:env", kwargs={"variant": variant})
            register("parallel", name, entry_point="laffa.parallel:parallel_env", kwargs={"variant": variant})
