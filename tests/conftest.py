"""Settings for all tests."""

from hypothesis import settings

# The same examples everywhere and always: a failure in CI can be repeated at home, and a run does not depend on luck.
settings.register_profile("laffa", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("laffa")


def pytest_itemcollected(item):
    """`-k D07` runs the tests that bear a trial."""
    for mark in item.iter_markers("trial"):
        item.extra_keyword_matches.update(mark.args)
