"""The library and the registry of SACP as this installation keeps them, in revisions that never
change.
"""

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
from cablese.protocols.sacp.agents.registry import Agent, Agents
from cablese.protocols.sacp.agents.report import Withdrawn
from playground.models import Definition

Defined: TypeAlias = Verb | Tool | Agent
TYPES: dict[str, type[Verb] | type[Tool] | type[Agent]] = {
    "verb": Verb,
    "tool": Tool,
    "agent": Agent,
}
_D = TypeVar("_D")
_T = TypeVar("_T")
MOST = 2_000
"""Definitions of one kind: a registry is read whole for every question."""
_ATTEMPTS = 3


class Registered(Struct, Generic[_D], frozen=True):
    """A revision of a definition, who registered it and when. ``by`` is null for what comes with
    the installation.

    When it is ``withdrawn``, that person withdrew it then, and the definition is the one that no
    longer holds.
    """

    name: str
    revision: int
    at: datetime
    by: str | None
    definition: _D
    withdrawn: bool = False


class _Taken(IntegrityError):
    """Something is registered under a name that was to be new."""


def load() -> tuple[Library, Agents]:
    """Everything in its newest revision, without what was withdrawn."""
    return load_all()[:2]


def load_all() -> tuple[Library, Agents, Withdrawn]:
    """What `load` gives, and what was withdrawn."""
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
    """The newest revisions of one kind, by name; those that were withdrawn are marked."""
    return [_read(row) for row in _newest() if row.kind == kind]


def revisions(kind: str, name: str) -> list[Registered[Any]]:
    """Every revision of one name, the newest first."""
    rows = (
        Definition.objects.filter(kind=kind, name=name)
        .select_related("source")
        .order_by("-revision")
    )
    return [_read(row) for row in rows]


def add(made: Iterable[Defined], source_id: int | None) -> list[Registered[Any]]:
    """Register all of them, or none, each as the next revision of its name. Raises
    BadDefinition.
    """
    made = list(made)
    for one in made:
        _CHECKS[kind_of(one)](one)
    return _settle(lambda: [_append(one, source_id) for one in made])


def add_missing(
    make: Callable[[Library, Agents], Iterable[Defined]], source_id: int | None
) -> list[Registered[Any]]:
    """Register what ``make`` gives, given what is there: names that nothing is registered under, or
    nothing at all.

    Two at once add nothing twice: the second is given what the first has made. Raises
    BadDefinition.
    """
    try:
        return _settle(lambda: [_append_first(one, source_id) for one in make(*load())])
    except _Taken as taken:
        raise BadDefinition("", f"{taken} is registered already.") from None


def withdraw(kind: str, name: str, source_id: int | None) -> Registered[Any] | None:
    """Take a definition back, as its next revision; None when there is none. What is withdrawn
    stays so.
    """
    return _settle(lambda: _withdraw(kind, name, source_id))


def name_of(one: Defined) -> str:
    return (
        one.agent_name if isinstance(one, Agent) else one.id if isinstance(one, Tool) else one.name
    )


def _append_first(one: Defined, source_id: int | None) -> Registered[Any]:
    last = (
        Definition.objects.filter(kind=kind_of(one), name=name_of(one))
        .order_by("-revision")
        .first()
    )
    if last is not None and not last.withdrawn:
        raise _Taken(f"The {last.kind} {last.name}")  # perhaps since `make` looked
    return _append(one, source_id)


def _append(one: Defined, source_id: int | None) -> Registered[Any]:
    kind, name = kind_of(one), name_of(one)
    last = Definition.objects.filter(kind=kind, name=name).aggregate(last=Max("revision"))["last"]
    if last is None and Definition.objects.filter(kind=kind, revision=1).count() >= MOST:
        raise BadDefinition(
            "", f"There are {MOST:,} of this kind already; no more names are taken."
        )
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
    """What ``write`` gives, in one transaction, begun again when somebody took the same revision a
    moment before.
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
    """verb, tool, or agent."""
    return next(kind for kind, made in TYPES.items() if isinstance(one, made))


_CHECKS: dict[str, Callable[[Any], object]] = {
    "verb": Library().with_verb,
    "tool": Library().with_tool,
    "agent": lambda agent: registry.register((), agent),
}
"""What a definition must be besides well formed."""
