"""Store the SACP library and registry in revisions that never change."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Max
from msgspec import Struct

from cablese.protocols.sacp.agents import registry
from cablese.protocols.sacp.agents.definition import BadDefinition, define
from cablese.protocols.sacp.agents.library import Library, Tool, Verb
from cablese.protocols.sacp.agents.report import Withdrawn
from playground.models import Definition

Defined: TypeAlias = Verb | Tool | registry.Agent
TYPES: dict[str, type[Verb] | type[Tool] | type[registry.Agent]] = {
    "verb": Verb,
    "tool": Tool,
    "agent": registry.Agent,
}
_D = TypeVar("_D")
_T = TypeVar("_T")
MOST = 2_000
"""Limit of definitions per kind: each request reads the whole registry."""
_ATTEMPTS = 3


class Registered(Struct, Generic[_D], frozen=True):
    """A revision of a definition, who registered it, and when. ``by`` is null for preinstalled
    definitions.

    If ``withdrawn``, that person withdrew it at that time, and the definition no longer applies.
    """

    name: str
    revision: int
    at: datetime
    by: str | None
    definition: _D
    withdrawn: bool = False


class _AlreadyRegistered(IntegrityError):
    """Report that a new name is already registered."""


def load() -> tuple[Library, registry.Agents]:
    """Return the newest revision of each definition that is not withdrawn."""
    return load_all()[:2]


def load_all() -> tuple[Library, registry.Agents, Withdrawn]:
    """Return the result of `load` and the withdrawn definitions."""
    rows = _newest()
    now, withdrawn = (
        _gather(row for row in rows if row.withdrawn is which) for which in (False, True)
    )
    agents = registry.leave_out(now["agent"], verbs=withdrawn["verb"], tools=withdrawn["tool"])
    library = Library(tuple(now["verb"]), tuple(now["tool"]))
    return (
        library,
        agents,
        Withdrawn(tuple(withdrawn["verb"]), tuple(withdrawn["tool"]), tuple(withdrawn["agent"])),
    )


def listed(kind: str) -> list[Registered[Any]]:
    """Return the newest revisions of one kind by name, with withdrawn ones marked."""
    return [_read(row) for row in _newest() if row.kind == kind]


def revisions(kind: str, name: str) -> list[Registered[Any]]:
    """Return all revisions of one name, newest first."""
    rows = (
        Definition.objects.filter(kind=kind, name=name)
        .select_related("source")
        .order_by("-revision")
    )
    return [_read(row) for row in rows]


def add(definitions: Iterable[Defined], source_id: int | None) -> list[Registered[Any]]:
    """Register all of them or none, each as the next revision of its name. Raises BadDefinition."""
    definitions = list(definitions)
    for definition in definitions:
        _CHECKS[kind_of(definition)](definition)
    return _settle(lambda: [_append(definition, source_id) for definition in definitions])


def add_missing(
    make: Callable[[Library, registry.Agents], Iterable[Defined]], source_id: int | None
) -> list[Registered[Any]]:
    """Register what ``make`` returns for the current definitions: only new names, or nothing at
    all.

    If two calls run at once, the second one sees what the first one registered. Raises
    BadDefinition.
    """
    try:
        return _settle(
            lambda: [_append_first(definition, source_id) for definition in make(*load())]
        )
    except _AlreadyRegistered as taken:
        raise BadDefinition("", f"{taken} is already registered.") from None


def withdraw(kind: str, name: str, source_id: int | None) -> tuple[Registered[Any], bool] | None:
    """Withdraw a definition as its next revision. Return its last revision, and whether that one is
    new: a second withdrawal changes nothing. None if the name was never registered.
    """
    return _settle(lambda: _withdraw(kind, name, source_id))


def name_of(definition: Defined) -> str:
    return (
        definition.agent_name
        if isinstance(definition, registry.Agent)
        else definition.id
        if isinstance(definition, Tool)
        else definition.name
    )


def _append_first(definition: Defined, source_id: int | None) -> Registered[Any]:
    last = (
        Definition.objects.filter(kind=kind_of(definition), name=name_of(definition))
        .order_by("-revision")
        .first()
    )
    if last is not None and not last.withdrawn:
        # It was registered after `make` read the registry.
        raise _AlreadyRegistered(f"The {last.kind} {last.name}")
    return _append(definition, source_id)


def _append(definition: Defined, source_id: int | None) -> Registered[Any]:
    kind, name = kind_of(definition), name_of(definition)
    last = Definition.objects.filter(kind=kind, name=name).aggregate(last=Max("revision"))["last"]
    if last is None and Definition.objects.filter(kind=kind, revision=1).count() >= MOST:
        raise BadDefinition("", f"The limit is {MOST:,} names of this kind.")
    body = msgspec.json.encode(definition).decode()
    row = Definition.objects.create(
        kind=kind,
        name=name,
        revision=(last or 0) + 1,
        body=body,
        at=datetime.now(UTC),
        source_id=source_id,
    )
    return _read(row)


def _withdraw(kind: str, name: str, source_id: int | None) -> tuple[Registered[Any], bool] | None:
    last = Definition.objects.filter(kind=kind, name=name).order_by("-revision").first()
    if last is None:
        return None
    if last.withdrawn:
        return _read(last), False
    withdrawal = Definition.objects.create(
        kind=kind,
        name=name,
        revision=last.revision + 1,
        body=last.body,
        at=datetime.now(UTC),
        source_id=source_id,
        withdrawn=True,
    )
    return _read(withdrawal), True


def _settle(write: Callable[[], _T]) -> _T:
    """Run ``write`` in one transaction and return its result; retry if another transaction took the
    same revision.
    """
    for _ in range(_ATTEMPTS - 1):
        with suppress(IntegrityError), transaction.atomic():
            return write()
    with transaction.atomic():
        return write()


def _gather(rows: Iterable[Definition]) -> dict[str, list[Any]]:
    definitions: dict[str, list[Any]] = {kind: [] for kind in TYPES}
    for row in rows:
        definitions[row.kind].append(_read(row).definition)
    return definitions


def _newest() -> list[Definition]:
    rows = Definition.objects.select_related("source").order_by("kind", "name", "revision")
    return sorted(
        {(row.kind, row.name): row for row in rows}.values(), key=lambda row: row.name.lower()
    )


def _read(row: Definition) -> Registered[Any]:
    by = row.source.name if row.source is not None else None
    definition = define(TYPES[row.kind], msgspec.json.decode(row.body))
    return Registered(row.name, row.revision, row.at, by, definition, row.withdrawn)


def kind_of(definition: Defined) -> str:
    """Return verb, tool, or agent."""
    return next(kind for kind, type_ in TYPES.items() if isinstance(definition, type_))


_CHECKS: dict[str, Callable[[Any], object]] = {
    "verb": Library().with_verb,
    "tool": Library().with_tool,
    "agent": lambda agent: registry.register((), agent),
}
"""Checks of a definition beyond its format."""
