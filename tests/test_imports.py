"""Who may import whom: each module only what stands before it, and nothing that plays needs torch."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import laffa

pytestmark = pytest.mark.env

PACKAGE = Path(laffa.__file__).parent

ORDER = [
    {"cards", "checks", "crew", "jit", "options"},
    {"fields", "rng", "wide"},
    {"packed", "together"},
    {"rules"},
    {"sentence", "state"},
    {"prose_tarneeb", "prose_tarabish", "prose_turub"},
    {"prose", "auction", "melds", "play", "score", "bate", "match"},
    {"trump", "signal", "deal", "layout"},
    {"engine"},
    {"observe"},
    {"sweep"},
    {"text", "position", "turn"},
    {"snapshot"},
    {"table"},
    {"batch"},
    {"players", "solver"},
    {"aec", "render"},
    {"parallel", "single"},
    {"register"},
    {"testing"},
    {"laffa"},
    {"laffa_train"},
]
"""The levels from the bottom up; modules of one level do not know one another."""

LEVEL = {name: level for level, names in enumerate(ORDER) for name in names}
FILES = sorted(PACKAGE.rglob("*.py"))


def module_of(path):
    """The part of the package that a file belongs to: "aec", "players", and "laffa" for the package itself."""
    first = path.relative_to(PACKAGE).parts[0]
    return "laffa" if first == "__init__.py" else first.removesuffix(".py")


def imported(path):
    """Full names of all that a file imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parts_imported(path):
    """The parts of laffa that a file imports; `from laffa import env` counts as the package itself."""
    for name in imported(path):
        first, *rest = name.split(".")
        if first == "laffa_train":
            yield first
        elif first == "laffa":
            yield rest[0] if rest and rest[0] in LEVEL else "laffa"


def violations(files):
    for path in files:
        here = module_of(path)
        for other in parts_imported(path):
            if LEVEL[other] >= LEVEL[here] and other != here:
                yield f"{path.name}: {here} imports {other}"


def test_every_module_has_its_place_in_the_order():
    assert {module_of(path) for path in FILES} <= set(LEVEL)
    assert len(FILES) > 20


def test_modules_import_only_what_stands_before_them():
    assert list(violations(FILES)) == []


def test_the_check_of_the_order_notices_a_wrong_import(tmp_path, monkeypatch):
    planted = {
        "score.py": "from laffa.engine import step\n",
        "play.py": "def late():\n    import laffa.trump\n",
        "text.py": "from laffa import env\n",
        "single.py": "import laffa_train.ppo\n",
        "aec.py": "from laffa.batch import Batch\n",
    }
    for name, text in planted.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    found = sorted(violations(sorted(tmp_path.glob("*.py"))))
    expected = [
        "play.py: play imports trump",
        "score.py: score imports engine",
        "single.py: single imports laffa_train",
        "text.py: text imports laffa",
    ]
    assert found == expected


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_file_imports_torch_or_a_global_generator(path):
    names = set(imported(path))
    tops = {name.split(".")[0] for name in names}
    assert tops <= set(sys.stdlib_module_names) | {"laffa", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "platformdirs"}
    assert "random" not in tops
    uses = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute) and node.attr == "random"]
    assert not uses


SCRIPT = """
import sys
import laffa
for variant in laffa.variants():
    env = laffa.env(variant, episode="hand")
    env.reset(seed=1)
    player = laffa.players.make("random", variant)
    while not any(env.terminations.values()):
        env.step(player.act(env.turn())[0])
heavy = {"torch", "laffa_train", "pandas", "matplotlib", "pygame", "tensorboard", "hypothesis", "pytest", "rich", "typer"}
print(sorted(heavy & {name.split(".")[0] for name in sys.modules}))
"""


def test_playing_loads_neither_torch_nor_anything_else_heavy():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


def test_all_public_names_exist_and_are_documented():
    for name in laffa.__all__:
        assert getattr(laffa, name).__doc__, name
    assert laffa.__all__ == sorted(laffa.__all__)
