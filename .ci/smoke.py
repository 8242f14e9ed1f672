"""What a wheel must do in an empty environment, from another folder: find its variants, play a game, and need no torch.

Run with the new environment's `python -I`, so that neither the working folder nor this file's is importable. The argument is the clone.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

import laffa

clone = Path(sys.argv[1]).resolve()
command = Path(sys.executable).with_name("laffa")


def check(fact: bool, otherwise: str) -> None:
    """Ends with one sentence where a fact does not hold; unlike `assert`, also under -O."""
    if not fact:
        raise SystemExit(f"smoke: {otherwise}")


def play(variant: str) -> int:
    """Plays one AEC match with random legal actions and returns the number of decisions."""
    env = laffa.env(variant)
    env.reset(seed=7)
    decisions = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
        decisions += not over
    return decisions


check(importlib.util.find_spec("torch") is None, "torch came with the plain wheel")
check(clone not in Path(laffa.__file__).resolve().parents, f"laffa was imported from the clone: {laffa.__file__}")

shipped = sorted(path.stem for path in (clone / "envs/laffa/variants").glob("*.toml"))
check(bool(shipped), "the clone has no variants")
check(sorted(laffa.variants()) == shipped, f"the wheel has the variants {laffa.variants()}, the clone {shipped}")

for variant in laffa.variants():
    print(f"smoke: {variant}: a match of {play(variant)} decisions")

listed = subprocess.run([command, "variants"], capture_output=True, text=True, check=True).stdout
check(all(variant in listed for variant in shipped), f"`laffa variants` printed {listed!r}")
print(f"smoke: laffa {laffa.__version__} works without torch")
