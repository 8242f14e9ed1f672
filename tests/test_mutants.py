"""The faults that `mutants.py` plants, and the list of those that change nothing."""

import numpy as np
import pytest

from mutants import EXPLAINED, explained
from mutations import RULES, altered, mutants_of

SOURCE = '''
LIMIT = 3

@kernel
def f(a, b):
    """What it does: 1 + 1."""
    if a < b and not b:
        a += 2
    return max(a, -b)
'''
FAULTS = """
LIMIT = 3 -> LIMIT = 4
LIMIT = 3 -> LIMIT = 2
if a < b and (not b): -> if a < b or not b:
if a < b and (not b): -> if a < b:
if a < b and (not b): -> if not b:
if a < b and (not b): -> if a <= b and (not b):
if a < b and (not b): -> if a >= b and (not b):
if a < b and (not b): -> if a < b and b:
if a < b and (not b): -> if not (a < b and (not b)):
a += 2 -> pass
a += 2 -> a -= 2
a += 2 -> a += 3
a += 2 -> a += 1
return max(a, -b) -> return altered(max(a, -b))
return max(a, -b) -> return min(a, -b)
return max(a, -b) -> return max(a, b)
"""


def test_every_fault_of_a_few_lines_is_the_one_written_down():
    made = mutants_of("m", SOURCE)
    assert sorted(f"{one.source} -> {one.mutant}" for one in made) == sorted(FAULTS.strip().splitlines())
    assert all(one.code.count(one.mutant) == 1 for one in made)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (True, False),
        (np.bool_(False), True),
        (3, 4),
        (np.int8(3), 4),
        (np.uint64(4), 5),
        (np.uint64(5), 4),
        ((1, 2), (2, 2)),
        ((True, 1), (False, 1)),
    ],
)
def test_a_result_is_made_a_little_wrong(value, other):
    assert altered(value) == other


def test_every_fault_that_is_explained_is_one():
    """Without which a line that has changed would leave its explanation behind."""
    faults = {one.key for module in RULES for one in mutants_of(module)}
    assert len(faults) > 1000
    assert set(explained()) <= faults
    assert all(len(reason) > 20 for reason in explained().values()), EXPLAINED
