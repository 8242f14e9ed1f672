"""Small faults for source code: every way in which one line can be made a little wrong, as text to execute in place of the original."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

RULES = ("auction", "bate", "deal", "match", "melds", "play", "score", "signal", "trump")
FILES = {module: Path(__file__).parents[1] / "envs" / "laffa" / f"{module}.py" for module in RULES}
"""The modules that hold the rules."""


class Mutant(NamedTuple):
    """One fault."""

    module: str
    function: str
    """Where it is; empty for a constant of the module."""
    source: str
    mutant: str
    """The line as it is and as it becomes, in the form that Python's own unparser gives it."""
    code: str
    """The whole function, or the whole assignment, with the fault."""
    lines: range
    """Where the line stands in the file, one that is broken at several; empty for a constant."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells mutants apart, and stays the same when lines move."""
        return self.module, self.function, self.source, self.mutant


COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
"""Off by one, and the opposite."""
SAID = {ast.Lt: 1, ast.LtE: -1, ast.Gt: -1, ast.GtE: 1}
"""What a change of the number on the right says that another comparison says, too."""
OPERATIONS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
EXTREMES = {"min": "max", "max": "min"}
ALTERED = "altered"
"""The function, given to every mutant, that makes a result a little wrong."""


def mutants_of(module: str, text: str | None = None) -> list[Mutant]:
    """All faults of one module; of equal ones in one function only the first."""
    text = FILES[module].read_text(encoding="utf-8") if text is None else text
    found: dict[tuple[str, ...], Mutant] = {}
    for top in ast.parse(text).body:
        if isinstance(top, ast.FunctionDef):
            for block, place in _statements(top):
                lines = _lines(block[place])
                for source, mutant in _faults(block, place):
                    made = Mutant(module, top.name, source, mutant, ast.unparse(top), lines)
                    found.setdefault(made.key, made)
        elif isinstance(top, ast.Assign):
            for source, mutant in _expression_faults(top):
                made = Mutant(module, "", source, mutant, ast.unparse(top), range(0))
                found.setdefault(made.key, made)
    return list(found.values())


def _statements(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], int]]:
    """Every statement below a function, as the list that it is in and its place there."""
    for node in list(ast.walk(function)):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield from ((block, place) for place in range(len(block)))


def _line(statement: ast.stmt) -> str:
    """A statement as one line; of one with a block its head."""
    return ast.unparse(statement).split("\n")[0]


def _lines(statement: ast.stmt) -> range:
    """The lines of a statement without its block."""
    block = getattr(statement, "body", None)
    return range(statement.lineno, block[0].lineno if block else (statement.end_lineno or statement.lineno) + 1)


def _faults(block: list[ast.stmt], place: int) -> Iterator[tuple[str, str]]:
    """Plant each fault of a statement, one at a time, and give the line before and after; the tree is as it was in the end."""
    statement = block[place]
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return  # a docstring
    for replacement in _replacements_of_statement(statement):
        block[place] = replacement
        yield _line(statement), _line(replacement)
        block[place] = statement
    if isinstance(statement, ast.AugAssign):
        before, statement.op = statement.op, OPERATIONS[type(statement.op)]()
        after, statement.op = statement.op, before
        source = _line(statement)
        statement.op = after
        yield source, _line(statement)
        statement.op = before
    yield from _expression_faults(statement)


def _replacements_of_statement(statement: ast.stmt) -> Iterator[ast.stmt]:
    """A statement left out; a loop that goes on or ends instead of the other; another result."""
    if isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.Continue, ast.Break)):
        yield ast.Pass()
    if isinstance(statement, ast.Continue):
        yield ast.Break()
    if isinstance(statement, ast.Break):
        yield ast.Continue()
    if isinstance(statement, ast.Return) and statement.value is not None and not isinstance(statement.value, ast.Constant):
        yield ast.Return(ast.Call(ast.Name(ALTERED, ast.Load()), [statement.value], []))


def _expression_faults(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The same for the expressions of a statement, those of its block apart."""
    source = _line(statement)
    for holder, field, place in list(_slots(statement)):
        slot = getattr(holder, field)
        node = slot if place is None else slot[place]
        for replacement in [*_constants(holder, field, place, node), *_replacements(node), *_negations(holder, field, node)]:
            _put(holder, field, place, replacement)
            yield source, _line(statement)
            _put(holder, field, place, node)


def _slots(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Every place below a node that holds an expression: holder, field, place in the field if that is a list."""
    for field, value in ast.iter_fields(node):
        if isinstance(node, ast.stmt) and field in ("body", "orelse", "decorator_list"):
            continue
        for place, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(item, ast.expr):
                yield node, field, place
                yield from _slots(item)


def _put(holder: ast.AST, field: str, place: int | None, node: ast.expr) -> None:
    if place is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[place] = node


def _constants(holder: ast.AST, field: str, place: int | None, node: ast.expr) -> Iterator[ast.expr]:
    """The next numbers, less the one that says the same as another comparison; the other truth."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, int):
        return
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
        return
    said = SAID.get(type(holder.ops[place])) if isinstance(holder, ast.Compare) and field == "comparators" and place is not None else None
    yield from (ast.Constant(node.value + change) for change in (1, -1) if change != said)


def _replacements(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions that could stand by mistake where `node` stands."""
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for swapped in COMPARISONS[type(op)]:
                yield ast.Compare(node.left, [*node.ops[:place], swapped(), *node.ops[place + 1 :]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for place in range(len(node.values)):
            rest = [*node.values[:place], *node.values[place + 1 :]]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.BinOp):
        if other := OPERATIONS.get(type(node.op)):
            yield ast.BinOp(node.left, other(), node.right)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EXTREMES:
        yield ast.Call(ast.Name(EXTREMES[node.func.id], ast.Load()), node.args, [])


def _negations(holder: ast.AST, field: str, node: ast.expr) -> Iterator[ast.expr]:
    """A condition turned round, where no comparison in it already is and no branches are exchanged."""
    if field == "test" and isinstance(holder, (ast.If, ast.While)) and not isinstance(node, (ast.Compare, ast.UnaryOp)):
        yield ast.UnaryOp(ast.Not(), node)


def altered(value: Any) -> Any:
    """A result a little wrong: the other truth, the next number, one action or card more or less in a set, the first part of several."""
    if isinstance(value, tuple):
        return (altered(value[0]), *value[1:])
    kind = type(value).__name__
    if kind.startswith("bool"):
        return not value
    return value ^ type(value)(1) if kind == "uint64" else value + 1
