"""A module as a tree whose nodes know their place in the text, their parents, and their scope."""

import ast
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Source:
    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.tree = ast.parse(text)
        self._lines = text.splitlines(keepends=True)
        self._starts = [0, *accumulate(map(len, self._lines))]
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = [self.tree]
        for node in self.nodes:  # it grows meanwhile
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
                self.nodes.append(child)

    @cached_property
    def imported(self) -> dict[str, str]:
        """The module that each imported name comes from."""
        return {
            alias.asname or alias.name: node.module or ""
            for node in self.nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place that `ast` gives: a line from 1, and a byte in it."""
        before = self._lines[line - 1].encode()[:column]
        return self._starts[line - 1] + len(before.decode())

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.stmt | ast.Slice)
        start, end = self._span(node)
        if isinstance(node, ast.expr) and self._is_in_fstring(node):
            # Before Python 3.12, places in f-strings of several lines are wrong.
            outer_start, outer_end = self._span(self.statement(node))
            written = ast.unparse(node)
            if self.text[start:end] != written:
                start = self.text.find(written, outer_start, outer_end)
                end = start + len(written)
                assert start >= 0, (self.path, written)
        return start, end

    def _span(self, node: ast.expr | ast.stmt | ast.Slice) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def _is_in_fstring(self, node: ast.AST) -> bool:
        return any(isinstance(each, ast.JoinedStr) for each in self.ancestors(node))

    def segment(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        while (above := self.parents.get(node)) is not None:
            yield above
            node = above

    def scope(self, node: ast.AST) -> str:
        """Return the names of what is around a node, and of what a module or a class assigns."""
        around = [each for each in (node, *self.ancestors(node)) if isinstance(each, Scope)]
        names = [each.name for each in around]
        statement = self.statement(node) if isinstance(node, ast.expr | ast.stmt) else None
        if isinstance(statement, ast.Assign):
            names = [*self._assigned(statement, around), *names]
        return ".".join(reversed(names))

    def _assigned(self, statement: ast.Assign, around: list[Scope]) -> list[str]:
        target = statement.targets[0]
        is_outside = not around or isinstance(around[0], ast.ClassDef)
        return [target.id] if is_outside and isinstance(target, ast.Name) else []

    def statement(self, node: ast.AST) -> ast.stmt:
        """Return the innermost statement around a node."""
        if isinstance(node, ast.stmt):
            return node
        return next(each for each in self.ancestors(node) if isinstance(each, ast.stmt))

    def statement_at(self, offset: int) -> ast.stmt:
        """Return the innermost statement that holds a place of the text, decorators included."""
        holding = [
            node
            for node in self.nodes
            if isinstance(node, ast.stmt) and self._reach(node)[0] <= offset < self._reach(node)[1]
        ]
        return max(holding, key=lambda node: self._reach(node)[0])

    def _reach(self, node: ast.stmt) -> tuple[int, int]:
        start, end = self._span(node)
        decorators = getattr(node, "decorator_list", [])
        return min([start, *(self._span(each)[0] for each in decorators)]), end

    def is_asserted(self, node: ast.AST) -> bool:
        """Return whether a node is part of an assertion, which decides nothing for a user."""
        return any(isinstance(each, ast.Assert) for each in self.ancestors(node))

    def is_annotation(self, node: ast.AST) -> bool:
        for below, above in zip((node, *self.ancestors(node)), self.ancestors(node), strict=False):
            if isinstance(above, ast.arg | ast.AnnAssign) and below is above.annotation:
                return True
            if isinstance(above, ast.FunctionDef) and below is above.returns:
                return True
        return False
