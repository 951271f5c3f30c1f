"""Seeded mutants: ordinary operators at places that a fixed seed chooses.

A place is chosen by the hash of its seed and its key, not by its position in a list: when code
changes, nearly all other mutants stay the same, and with them the list of survivors.
"""

import ast
from collections.abc import Iterator, Mapping
from hashlib import sha256

from tests.mutation.mutants.areas import AREAS, area_of
from tests.mutation.mutants.hand import number
from tests.mutation.mutants.mutant import Mutant
from tests.mutation.mutants.source import Source
from tests.rooms import is_text

SEED = 20
COUNT = 600
_COMPARED = {
    ast.Lt: ("<=", ">="), ast.LtE: ("<", ">"), ast.Gt: (">=", "<="), ast.GtE: (">", "<"),
    ast.Eq: ("!=",), ast.NotEq: ("==",), ast.In: ("not in",), ast.NotIn: ("in",),
    ast.Is: ("is not",), ast.IsNot: ("is",),
}  # fmt: skip
_SIGNS = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*",
    ast.BitOr: "&", ast.BitAnd: "|",
}  # fmt: skip
_MUTATED = (
    ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Constant, ast.Return, ast.Expr,
    ast.Assign, ast.AugAssign, ast.Raise, ast.Delete,
)  # fmt: skip
Edit = tuple[str, int, int, str]


def make_seeded(files: Mapping[str, str], count: int = COUNT, seed: int = SEED) -> list[Mutant]:
    """Return `count` mutants, the same share of each area. Areas with few places have fewer."""
    everything = number([mutant for path, text in files.items() for mutant in every(path, text)])
    ranked = sorted(everything, key=lambda mutant: _rank(mutant, seed))
    shares = {area: [each for each in ranked if each.area == area] for area in AREAS}
    chosen, left = [], count
    for at, share in enumerate(sorted(shares.values(), key=len)):
        part = share[: left // (len(shares) - at)]
        chosen += part
        left -= len(part)
    return sorted(chosen, key=lambda mutant: _rank(mutant, seed))


def _rank(mutant: Mutant, seed: int) -> bytes:
    return sha256(f"{seed} {mutant.key}".encode()).digest()


def every(path: str, text: str) -> Iterator[Mutant]:
    """Yield all mutants of a module of an area."""
    area = area_of(path)
    if area not in AREAS or not path.endswith(".py"):
        return
    source = Source(path, text)
    for node in source.nodes:
        if not isinstance(node, _MUTATED) or _is_skipped(source, node):
            continue
        for form, start, end, replacement in _edits(source, node):
            yield Mutant(
                path, "seeded", form, start, end, replacement,
                source.scope(node), text[start:end], area=area,
            )  # fmt: skip


def _is_skipped(source: Source, node: ast.AST) -> bool:
    """Return whether a node decides nothing: in an f-string, an import, an assertion, a type."""
    words = (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Assert)
    if any(isinstance(each, words) for each in source.ancestors(node)):
        return True
    return source.is_annotation(node)


def _edits(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Compare):
        yield from _comparisons(source, node)
    elif isinstance(node, ast.BoolOp):
        yield from _booleans(source, node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "boolean", *source.span(node), f"({source.segment(node.operand)})"
    elif isinstance(node, ast.BinOp):
        yield from _arithmetic(source, node)
    elif isinstance(node, ast.Constant):
        yield from _constants(source, node)
    elif isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield "return", *source.span(node), "return None"
    elif isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.Raise | ast.Delete):
        inside = any(isinstance(each, ast.FunctionDef) for each in source.ancestors(node))
        if inside and not is_text(node):
            yield "statement", *source.span(node), "pass"


def _between(source: Source, left: ast.expr, right: ast.expr) -> tuple[int, int]:
    """Return the place of the operator between two operands, without parentheses and comments."""
    start, end = source.span(left)[1], source.span(right)[0]
    text = source.text[start:end]
    if "(" in text or ")" in text or "#" in text:
        return start, start
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _comparisons(source: Source, node: ast.Compare) -> Iterator[Edit]:
    sides = [node.left, *node.comparators]
    for left, op, right in zip(sides, node.ops, node.comparators, strict=False):
        start, end = _between(source, left, right)
        for instead in _COMPARED[type(op)] if start < end else ():
            yield "comparison", start, end, instead


def _booleans(source: Source, node: ast.BoolOp) -> Iterator[Edit]:
    instead = "or" if isinstance(node.op, ast.And) else "and"
    if len(node.values) == 2:
        start, end = _between(source, *node.values)
        if start < end:
            yield "boolean", start, end, instead
    for at in range(len(node.values)):
        others = [source.segment(each) for each in node.values[:at] + node.values[at + 1 :]]
        word = " and " if isinstance(node.op, ast.And) else " or "
        yield "boolean", *source.span(node), f"({word.join(f'({each})' for each in others)})"


def _arithmetic(source: Source, node: ast.BinOp) -> Iterator[Edit]:
    is_text_made = any(
        isinstance(each, ast.JoinedStr) or (isinstance(each, ast.Constant) and each.value is None)
        for each in (node.left, node.right)
    )
    start, end = _between(source, node.left, node.right)
    if type(node.op) in _SIGNS and start < end and not is_text_made:
        yield "arithmetic", start, end, _SIGNS[type(node.op)]


def _constants(source: Source, node: ast.Constant) -> Iterator[Edit]:
    if isinstance(source.parents[node], ast.MatchValue | ast.MatchSingleton):
        return
    span = source.span(node)
    if isinstance(node.value, bool):
        yield "constant", *span, str(not node.value)
    elif isinstance(node.value, int):
        yield "constant", *span, str(node.value + 1)
    elif isinstance(node.value, str) and node.value.isidentifier() and len(node.value) < 30:
        yield "constant", *span, '"other"'
