"""Nothing but the seed decides what is dealt: not the process, its hash seed, its threads, nor anybody's global generator."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

import laffa
from helpers import FAMILIES, finish_at_random, raw, short_match

try:
    import torch
except ModuleNotFoundError:  # environments do without it
    torch = None

pytestmark = pytest.mark.env

SCRIPT = """
import hashlib, json, random, sys
import numpy as np
import laffa
number, games = int(sys.argv[1]), json.loads(sys.argv[2])
random.seed(number)
np.random.seed(number)
for variant, options in games.items():
    env = laffa.env(variant, **options)
    env.reset(seed=7)
    for agent in env.agent_iter():
        view, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(view["action_mask"].nonzero()[0][-1]))
    print(variant, hashlib.sha256(env._states.tobytes()).hexdigest())
    for threads in (1, 2, 4):
        batch, seen = laffa.Batch(variant, 21, 5, threads=threads), hashlib.sha256()
        turn = batch.reset()
        for _ in range(200):
            turn = batch.step(188 - turn.mask[:, ::-1].argmax(1))
            seen.update(batch.states.tobytes() + turn.obs.tobytes())
        print("batch", seen.hexdigest())
"""
"""A short match of each game, and batches on one, two and four threads, as hashes."""


@pytest.mark.trial("D08", "D10")
def test_a_seed_means_the_same_in_other_processes_with_other_hash_seeds_global_generators_and_threads(monkeypatch, capsys):
    """This process, which also compiles what is not compiled yet, and two children at the same time."""
    games, children = json.dumps({variant: short_match(variant) for variant in FAMILIES}), []
    monkeypatch.setattr(sys, "argv", ["-c", "3", games])
    exec(SCRIPT, {})
    here = capsys.readouterr().out
    for number, threads in (("1", "1"), ("2", "4")):
        changes = {"PYTHONHASHSEED": number, "NUMBA_NUM_THREADS": threads, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", SCRIPT, number, games]
        children.append(subprocess.Popen(command, env=os.environ | changes, stdout=subprocess.PIPE, text=True))
    there = [(child.communicate(timeout=120)[0], child.returncode) for child in children]
    assert there == [(here, 0)] * 2
    lines = here.splitlines()
    assert [line.split()[0] for line in lines] == [word for variant in FAMILIES for word in (variant, *["batch"] * 3)]
    assert len(set(lines)) == 2 * len(FAMILIES)


def seed_generators(number):
    random.seed(number)
    np.random.seed(number)  # noqa: NPY002 - the global generator is what must not matter
    if torch is not None:
        torch.manual_seed(number)


def generators():
    """The states of all global generators, as bytes; torch's where there is one."""
    numpys = np.random.get_state(legacy=False)  # noqa: NPY002
    state = torch.get_rng_state().numpy().tobytes() if torch is not None else b""
    return repr(random.getstate()), numpys["state"]["key"].tobytes(), numpys["state"]["pos"], state


@pytest.mark.trial("D08")
@pytest.mark.parametrize("variant", FAMILIES)
def test_global_generators_are_neither_read_nor_changed(variant):
    """By the environment, by a batch on threads, and by the players."""
    traces = []
    for number in (1, 2):
        seed_generators(number)
        before = generators()
        env, batch = laffa.env(variant, **short_match(variant)), laffa.Batch(variant, 4, seed=7, threads=2)
        env.reset(seed=7)
        finish_at_random(env)
        traces.append([raw(env)])
        env.reset()
        turn = batch.reset()
        for name in laffa.players.names() * 20:
            turn = batch.step(laffa.players.make(name, variant).act(turn))
        traces[-1] += [raw(env), raw(batch)]
        assert generators() == before
    assert traces[0] == traces[1]
