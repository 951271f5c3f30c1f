"""The protocols: each package under ``cablese/protocols/`` with a module ``codec``."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from .codec import Codec
from .text import quote


class UnknownProtocol(LookupError):
    """A protocol of this name does not exist."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Unknown protocol {quote(name)}. Expected {', '.join(get_names())}.")


class UnknownDialect(LookupError):
    """The protocol does not have this dialect."""

    def __init__(self, dialect: str, protocol: str, known: Iterable[str]) -> None:
        super().__init__(
            f"Unknown dialect {quote(dialect)} for {protocol}. Expected {', '.join(known)}."
        )


@cache
def _codecs() -> dict[str, Codec]:
    package = import_module(f"{__package__}.protocols")
    codecs = [
        import_module(f"{package.__name__}.{module.name}.codec").codec
        for module in iter_modules(package.__path__)
        if module.ispkg and find_spec(f"{package.__name__}.{module.name}.codec")
    ]
    return {codec.name: codec for codec in sorted(codecs, key=lambda codec: codec.name)}


@cache
def all_codecs() -> tuple[Codec, ...]:
    """Return all codecs, by name."""
    return tuple(_codecs().values())


def get_names() -> tuple[str, ...]:
    return tuple(_codecs())


def get(name: str) -> Codec:
    """Return the codec called ``name``. Raises UnknownProtocol."""
    try:
        return _codecs()[name]
    except KeyError:
        raise UnknownProtocol(name) from None


def check_dialect(protocol: str, dialect: str | None) -> str | None:
    """Return ``dialect`` if the protocol has it. Raises UnknownDialect and UnknownProtocol."""
    known = get(protocol).dialects
    if dialect is not None and dialect not in known:
        raise UnknownDialect(dialect, protocol, known)
    return dialect
