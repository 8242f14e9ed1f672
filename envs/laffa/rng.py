"""Random numbers that live in the state.

Deal `k` of game `i` under seed `s` is a function of (s, i, k) alone: a splitmix64 stream whose start
is mixed from the three. Nothing that was played before, no other game and no thread changes it.
Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

import numpy as np

from laffa.jit import kernel, wrapping

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@wrapping
def mix(x):
    """Splitmix64's finaliser: a bijection of 64 bits that scatters neighbours."""
    x = (x ^ (x >> _30)) * _M1
    x = (x ^ (x >> _27)) * _M2
    return x ^ (x >> _31)


@wrapping
def game_key(seed, game):
    """The generator key of game number `game` under `seed`."""
    return mix(mix(np.uint64(seed) + GAMMA) + np.uint64(game) * GAMMA)


@wrapping
def deal_stream(key, deal):
    """Start of the stream of one deal: its n-th number is `mix(stream + n * GAMMA)`."""
    return mix(key ^ mix(np.uint64(deal) + GAMMA))


@kernel
def below(x, n):
    """A number in [0, n) from the low 32 bits of `x`; bias under n / 2**32."""
    return np.int64(((x & _LOW) * np.uint64(n)) >> _32)
