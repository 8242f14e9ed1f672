"""Nothing but the seed decides what is dealt: not the process, its hash seed, its threads, nor anybody's global generator."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import laffa
from helpers import FAMILIES, KOUTCHINA, finish_at_random, mask_of, raw

pytestmark = pytest.mark.env

SCRIPT = """
import hashlib, random, sys
import numpy as np
import laffa
number, *variants = sys.argv[1:]
random.seed(number)
np.random.seed(int(number))
for variant in variants:
    env = laffa.env(variant)
    env.reset(seed=7)
    for agent in env.agent_iter():
        view, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(view["action_mask"].nonzero()[0][-1]))
    print(variant, hashlib.sha256(env._states.tobytes()).hexdigest())
    for threads in (1, 2, 4) * 3:
        batch, seen = laffa.Batch(variant, 21, 5, threads=threads), hashlib.sha256()
        turn = batch.reset()
        for _ in range(200):
            turn = batch.step(188 - turn.mask[:, ::-1].argmax(1))
            seen.update(batch.states.tobytes() + turn.obs.tobytes())
        print("batch", seen.hexdigest())
"""


@pytest.mark.trial("D08", "D10")
def test_a_seed_means_the_same_in_other_processes_with_other_hash_seeds_global_generators_and_threads():
    outputs = []
    for hash_seed, threads in (("1", "1"), ("2", "2"), ("3", "4")):
        changes = {"PYTHONHASHSEED": hash_seed, "NUMBA_NUM_THREADS": threads, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", SCRIPT, hash_seed, *FAMILIES]
        done = subprocess.run(command, env=os.environ | changes, capture_output=True, text=True, check=True, timeout=120)
        outputs.append(done.stdout.splitlines())
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(outputs[0]) == 10 * len(FAMILIES)
    assert [len(set(outputs[0][first + 1 : first + 10])) for first in (0, 10, 20)] == [1, 1, 1]
    assert len(set(outputs[0])) == 2 * len(FAMILIES)


@pytest.mark.trial("D08")
def test_global_generators_are_neither_read_nor_changed():
    env, traces = laffa.env(KOUTCHINA), []
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - the global generator is what must not matter
        before = random.getstate(), np.random.get_state()  # noqa: NPY002
        env.reset(seed=7)
        traces.append([raw(env)])
        for _ in range(100):
            env.step(int(np.flatnonzero(mask_of(env))[-1]))
            traces[-1].append(raw(env))
        env.reset()
        batch = laffa.Batch(KOUTCHINA, 4, threads=2)
        batch.step(laffa.players.make("random", KOUTCHINA).act(batch.reset()))
        after = random.getstate(), np.random.get_state()  # noqa: NPY002
        assert before[0] == after[0]
        np.testing.assert_equal(before[1], after[1])
    assert traces[0] == traces[1]


@pytest.mark.trial("D08")
@pytest.mark.parametrize("variant", FAMILIES)
def test_torchs_generator_is_neither_read_nor_changed(variant):
    torch = pytest.importorskip("torch")
    traces = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        before = torch.get_rng_state()
        env, batch = laffa.env(variant), laffa.Batch(variant, 4, seed=7)
        env.reset(seed=7)
        finish_at_random(env)
        turn = batch.reset()
        for name in laffa.players.names():
            turn = batch.step(laffa.players.make(name, variant).act(turn))
        traces.append((raw(env), raw(batch)))
        assert torch.equal(torch.get_rng_state(), before)
    assert traces[0] == traces[1]
