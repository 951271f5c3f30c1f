"""JSON pointers (RFC 6901), by which an error names a value."""

from collections.abc import Iterator, Mapping

Steps = tuple[object, ...]
"""Keys and list indexes that lead to a value."""


def join(*steps: object) -> str:
    """Return the pointer of steps: ``/slots/a~1b`` for ``slots`` and ``a/b``."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def walk(value: object) -> Iterator[tuple[Steps, object]]:
    """Yield a value and every value in it, each with its steps, in the order of the text.

    Values may be nested deeper than Python's stack.
    """
    waiting: list[tuple[Steps, object]] = [((), value)]
    while waiting:
        steps, value = waiting.pop()
        yield steps, value
        if isinstance(value, Mapping):
            waiting += [((*steps, key), inner) for key, inner in reversed(list(value.items()))]
        elif isinstance(value, list | tuple):
            waiting += [((*steps, at), value[at]) for at in reversed(range(len(value)))]
