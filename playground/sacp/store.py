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


class _Taken(IntegrityError):
    """Report that a new name is already registered."""


def load() -> tuple[Library, registry.Agents]:
    """Return the newest revision of each definition that is not withdrawn."""
    return load_all()[:2]


def load_all() -> tuple[Library, registry.Agents, Withdrawn]:
    """Return the result of `load` and the withdrawn definitions."""
    rows = _newest()
    now, gone = (_gather(row for row in rows if row.withdrawn is which) for which in (False, True))
    agents = registry.leave_out(now["agent"], verbs=gone["verb"], tools=gone["tool"])
    library = Library(tuple(now["verb"]), tuple(now["tool"]))
    return (
        library,
        agents,
        Withdrawn(tuple(gone["verb"]), tuple(gone["tool"]), tuple(gone["agent"])),
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


def add(made: Iterable[Defined], source_id: int | None) -> list[Registered[Any]]:
    """Register all of them or none, each as the next revision of its name. Raises BadDefinition."""
    made = list(made)
    for one in made:
        _CHECKS[kind_of(one)](one)
    return _settle(lambda: [_append(one, source_id) for one in made])


def add_missing(
    make: Callable[[Library, registry.Agents], Iterable[Defined]], source_id: int | None
) -> list[Registered[Any]]:
    """Register what ``make`` returns for the current definitions: only new names, or nothing at
    all.

    If two calls run at once, the second one sees what the first one registered. Raises
    BadDefinition.
    """
    try:
        return _settle(lambda: [_append_first(one, source_id) for one in make(*load())])
    except _Taken as taken:
        raise BadDefinition("", f"{taken} is already registered.") from None


def withdraw(kind: str, name: str, source_id: int | None) -> Registered[Any] | None:
    """Withdraw a definition as its next revision. Return None if there is none."""
    return _settle(lambda: _withdraw(kind, name, source_id))


def name_of(one: Defined) -> str:
    return (
        one.agent_name
        if isinstance(one, registry.Agent)
        else one.id
        if isinstance(one, Tool)
        else one.name
    )


def _append_first(one: Defined, source_id: int | None) -> Registered[Any]:
    last = (
        Definition.objects.filter(kind=kind_of(one), name=name_of(one))
        .order_by("-revision")
        .first()
    )
    if last is not None and not last.withdrawn:
        raise _Taken(f"The {last.kind} {last.name}")  # registered after `make` read the registry
    return _append(one, source_id)


def _append(one: Defined, source_id: int | None) -> Registered[Any]:
    kind, name = kind_of(one), name_of(one)
    last = Definition.objects.filter(kind=kind, name=name).aggregate(last=Max("revision"))["last"]
    if last is None and Definition.objects.filter(kind=kind, revision=1).count() >= MOST:
        raise BadDefinition("", f"The limit is {MOST:,} names of this kind.")
    body = msgspec.json.encode(one).decode()
    row = Definition.objects.create(
        kind=kind,
        name=name,
        revision=(last or 0) + 1,
        body=body,
        at=datetime.now(UTC),
        source_id=source_id,
    )
    return _read(row)


def _withdraw(kind: str, name: str, source_id: int | None) -> Registered[Any] | None:
    last = Definition.objects.filter(kind=kind, name=name).order_by("-revision").first()
    if last is None:
        return None
    if not last.withdrawn:
        last = Definition.objects.create(
            kind=kind,
            name=name,
            revision=last.revision + 1,
            body=last.body,
            at=datetime.now(UTC),
            source_id=source_id,
            withdrawn=True,
        )
    return _read(last)


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
    found: dict[str, list[Any]] = {kind: [] for kind in TYPES}
    for row in rows:
        found[row.kind].append(_read(row).definition)
    return found


def _newest() -> list[Definition]:
    rows = Definition.objects.select_related("source").order_by("kind", "name", "revision")
    return sorted(
        {(row.kind, row.name): row for row in rows}.values(), key=lambda row: row.name.lower()
    )


def _read(row: Definition) -> Registered[Any]:
    by = row.source.name if row.source is not None else None
    made = define(TYPES[row.kind], msgspec.json.decode(row.body))
    return Registered(row.name, row.revision, row.at, by, made, row.withdrawn)


def kind_of(one: Defined) -> str:
    """Return verb, tool, or agent."""
    return next(kind for kind, made in TYPES.items() if isinstance(one, made))


_CHECKS: dict[str, Callable[[Any], object]] = {
    "verb": Library().with_verb,
    "tool": Library().with_tool,
    "agent": lambda agent: registry.register((), agent),
}
"""Checks of a definition beyond its format."""
