"""Gives live functions the code of a mutant, in a process that has imported everything."""

import gc
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from types import CodeType, FunctionType

from tests.rooms import PRODUCT

_FUNCTION = 0x3
"""Flags of the code of a function: it has local variables of its own."""


class Live:
    """The functions of the product that are alive, and its caches. Found once, before a child is
    forked: a search touches every object, so a child would copy all of the memory.
    """

    def __init__(self) -> None:
        self._functions: dict[str, dict[tuple[str, int], list[FunctionType]]] = {}
        self._caches: list[_lru_cache_wrapper[object]] = []
        gc.unfreeze()  # the tests froze what they imported
        for each in gc.get_objects():
            kind = type(each)  # `isinstance` would ask a lazy object, which then reads the database
            if kind is FunctionType:
                code = each.__code__
                file = self._functions.setdefault(code.co_filename, {})
                file.setdefault((code.co_qualname, code.co_firstlineno), []).append(each)
            elif kind is _lru_cache_wrapper and each.__module__.startswith(PRODUCT):
                self._caches.append(each)

    def swap(self, path: str, before: str, after: str) -> bool:
        """Change the live functions of a file. Return False, and change nothing, when that is not
        all that changes: the module itself, a class body, a default, or a decorator.
        """
        old, new = compile(before, path, "exec"), compile(after, path, "exec")
        pairs = list(_changed(old, new))
        if not pairs or not all(code.co_flags & _FUNCTION == _FUNCTION for code, _ in pairs):
            return False
        live = self._functions.get(path, {})
        todo = [
            (function, instead)
            for code, instead in pairs
            for function in live.get((code.co_qualname, code.co_firstlineno), [])
        ]
        if not todo or any(_unlike(function, code) for function, code in todo):
            return False
        for function, code in todo:
            function.__code__ = code
        # They hold what the code answered before.
        for cached in self._caches:
            cached.cache_clear()
        return True


def _unlike(function: FunctionType, code: CodeType) -> bool:
    return function.__code__.co_freevars != code.co_freevars


def _changed(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield each code object that differs, and the functions around it that hold its new code."""
    inner_old, inner_new = _inner(old), _inner(new)
    below = [pair for each in zip(inner_old, inner_new, strict=False) for pair in _changed(*each)]
    differs = _own(old) != _own(new) or len(inner_old) != len(inner_new)
    is_function = old.co_flags & _FUNCTION == _FUNCTION
    if differs or (below and is_function):
        yield old, new
    yield from below


def _inner(code: CodeType) -> list[CodeType]:
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def _own(code: CodeType) -> tuple[object, ...]:
    constants = [
        (type(const), repr(const)) for const in code.co_consts if not isinstance(const, CodeType)
    ]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars
