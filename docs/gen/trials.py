"""What docs/trials.md shows: the trials of tests/trials.toml, each with the tests that bear its marker.

Tests are read, not imported, and this module needs nothing but Python, so that the tests can ask it too.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[2] / "tests"
NOT_RUN = {"skip", "xfail"}
"""Markers under which a test shows nothing; `skipif` has a reason that does not hold everywhere."""


class MarkerError(ValueError):
    """A marker of a trial that no test will ever run for."""


def described(folder: Path = TESTS) -> dict[str, dict[str, Any]]:
    """The trials by id, as `trials.toml` has them: kind, source, tried, and `waits` or `rest` where a part cannot be tried yet."""
    return tomllib.loads((folder / "trials.toml").read_text(encoding="utf-8"))


@cache
def bearers(folder: Path = TESTS) -> dict[str, list[str]]:
    """The tests that bear each id, as "test_file.py::test_name", by id in order.

    Raises:
        MarkerError: for a marker that is not above a test which pytest runs, or that names no id in so many words.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.py")):
        for name, ids in _marked(path):
            for trial in ids:
                found.setdefault(trial, []).append(f"{path.name}::{name}")
    return dict(sorted(found.items()))


def _marked(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The marked tests of a file with their ids."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    markers = {node for node in ast.walk(tree) if _is_marker(node, "trial")}
    off = not path.name.startswith("test_") or _turned_off(node for node in tree.body if not isinstance(node, ast.FunctionDef))
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        calls = [node for node in function.decorator_list if isinstance(node, ast.Call) and node.func in markers]
        if not calls:
            continue
        markers -= {call.func for call in calls}
        if off or not function.name.startswith("test_") or _turned_off([*function.decorator_list, *function.body]):
            raise MarkerError(f"{path.name}: {function.name} bears a trial and is no test that pytest runs")
        yield function.name, [trial for call in calls for trial in _ids(path, call)]
    if markers:
        lines = ", ".join(str(line) for line in sorted(node.lineno for node in markers if isinstance(node, ast.Attribute)))
        raise MarkerError(f"{path.name}, line {lines}: a trial stands at no test")


def _is_marker(node: ast.AST, *names: str) -> bool:
    """Whether a node is `pytest.mark.NAME` or `mark.NAME`."""
    if not isinstance(node, ast.Attribute) or node.attr not in names:
        return False
    return (isinstance(node.value, ast.Attribute) and node.value.attr == "mark") or (isinstance(node.value, ast.Name) and node.value.id == "mark")


def _turned_off(nodes: Iterable[ast.AST]) -> bool:
    """Whether a decorator, or a statement that is not inside a condition, skips whatever comes."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and called.attr in NOT_RUN:
                return True
        whole = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None else node
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.expr)) and any(_is_marker(inner, *NOT_RUN) for inner in ast.walk(whole)):
            return True
    return False


def _ids(path: Path, call: ast.Call) -> list[str]:
    ids = [node.value for node in call.args if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if call.keywords or not ids or len(ids) < len(call.args):
        raise MarkerError(f"{path.name}, line {call.lineno}: a trial takes ids as texts")
    return ids


def rows() -> Iterator[tuple[str, str, str, str, str]]:
    """The table: id, kind, sources, what is tried, and the tests."""
    tests = bearers()
    for trial, row in described().items():
        tried = row["tried"] + "".join(f" *Not yet: {row[key]}*" for key in ("waits", "rest") if key in row)
        names = "<br>".join(f"`{name}`" for name in tests.get(trial, []))
        yield trial, row["kind"], ", ".join(map(_link, row["source"])), tried, names or "none"


def _link(source: str) -> str:
    """An issue or a pull request, "owner/repository#7", as a link."""
    repository, number = re.fullmatch(r"([\w.-]+/[\w.-]+)#(\d+)", source).groups()  # type: ignore[union-attr]
    return f"[{source}](https://github.com/{repository}/issues/{number})"
