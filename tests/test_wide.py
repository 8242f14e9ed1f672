"""Wide moves do what the same loop over bytes would do, at every place and with every neighbour left alone."""

import numpy as np
import pytest

from laffa.cards import ACTIONS
from laffa.jit import kernel
from laffa.observe import read_mask, write_mask
from laffa.wide import WORD, copier, read_flags, write_flags

pytestmark = pytest.mark.env


@kernel
def masks(words, out):
    """Write sets of actions as masks and read them back."""
    for i in range(len(words)):
        write_mask((words[i, 0], words[i, 1], words[i, 2]), out[i])
        words[i] = np.array(read_mask(out[i]))


def sets(n):
    """Random sets of actions, as words of bits [n, 3] and as masks [n, ACTIONS]."""
    flags = np.random.default_rng(n).integers(0, 2, (n, ACTIONS), np.int8)
    flags[:2] = [[0], [1]]
    padded = np.pad(flags, [(0, 0), (0, 3 * WORD - ACTIONS)])
    return np.packbits(padded, axis=1, bitorder="little").view("<u8"), flags


def test_masks_are_written_and_read_back():
    words, flags = sets(200)
    before, out = words.copy(), np.full((200, ACTIONS), 7, np.int8)
    masks(words, out)
    np.testing.assert_array_equal(out, flags)
    np.testing.assert_array_equal(words, before)


@pytest.mark.parametrize("at", [0, 1, 63, 130])
def test_flags_are_64_bytes_and_no_more(at):
    rng = np.random.default_rng(at)
    for word in [0, 1, 2**63, 2**64 - 1, *rng.integers(0, 2**64, 20, np.uint64).tolist()]:
        out = np.full(200, 9, np.int8)
        write_flags(out, at, np.uint64(word))
        bits = [word >> place & 1 for place in range(WORD)]
        assert out.tolist() == [9] * at + bits + [9] * (200 - at - WORD)
        out[at : at + WORD] *= rng.integers(1, 100, WORD, np.int8)
        assert int(read_flags(out, at)) == word


@pytest.mark.parametrize("size", [1, 4, 31, 52, 64, 100])
def test_copies_have_their_size_wherever_they_begin(size):
    copy, source = copier(size), np.arange(1, 101, dtype=np.uint8)
    for at in (0, 3, 40):
        out = np.zeros(150, np.int8)
        copy(out, at, source)
        assert out.tolist() == [0] * at + list(range(1, size + 1)) + [0] * (150 - at - size)


def test_the_first_bytes_of_rows_are_copied():
    rows = np.arange(200, dtype=np.uint8).reshape(4, 50) % 100
    out = np.zeros(60, np.uint8)
    copier(60)(out, 0, rows)
    assert out.tolist() == rows.reshape(-1)[:60].tolist()
