"""The library and the registry of SACP as this installation keeps them, in revisions that never change."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Max
from msgspec import Struct

from playground.models import Definition
from protocols.sacp import registry
from protocols.sacp.definition import BadDefinition, define
from protocols.sacp.library import Library, Tool, Verb
from protocols.sacp.registry import Agent, Agents

Defined: TypeAlias = Verb | Tool | Agent
TYPES: dict[str, type[Verb] | type[Tool] | type[Agent]] = {"verb": Verb, "tool": Tool, "agent": Agent}
_D = TypeVar("_D")
MOST = 2_000
"""Definitions of one kind: a registry is read whole for every question."""
_ATTEMPTS = 3


class Registered(Struct, Generic[_D], frozen=True):
    """A revision of a definition, who registered it and when. ``by`` is null for what comes with the installation."""

    name: str
    revision: int
    at: datetime
    by: str | None
    definition: _D


def load() -> tuple[Library, Agents]:
    """Everything in its newest revision."""
    found: dict[str, list[Any]] = {kind: [] for kind in TYPES}
    for row in _newest():
        found[row.kind].append(_read(row).definition)
    return Library(tuple(found["verb"]), tuple(found["tool"])), tuple(found["agent"])


def listed(kind: str) -> list[Registered[Any]]:
    """The newest revisions of one kind, by name."""
    return [_read(row) for row in _newest() if row.kind == kind]


def revisions(kind: str, name: str) -> list[Registered[Any]]:
    """Every revision of one name, the newest first."""
    rows = Definition.objects.filter(kind=kind, name=name).select_related("source").order_by("-revision")
    return [_read(row) for row in rows]


def add(made: Iterable[Defined], source_id: int | None) -> list[Registered[Any]]:
    """Register all of them, or none, each as the next revision of its name. Raises BadDefinition."""
    made = list(made)
    for one in made:
        _CHECKS[_kind(one)](one)
    for attempt in range(_ATTEMPTS):
        try:
            with transaction.atomic():
                return [_append(one, source_id) for one in made]
        except IntegrityError:
            # Somebody took the same revision a moment before.
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError


def name_of(one: Defined) -> str:
    return one.agent_name if isinstance(one, Agent) else one.id if isinstance(one, Tool) else one.name


def _append(one: Defined, source_id: int | None) -> Registered[Any]:
    kind, name = _kind(one), name_of(one)
    last = Definition.objects.filter(kind=kind, name=name).aggregate(last=Max("revision"))["last"]
    if last is None and Definition.objects.filter(kind=kind, revision=1).count() >= MOST:
        raise BadDefinition("", f"There are {MOST:,} of this kind already; no more names are taken.")
    body = msgspec.json.encode(one).decode()
    row = Definition.objects.create(
        kind=kind, name=name, revision=(last or 0) + 1, body=body, at=datetime.now(UTC), source_id=source_id
    )
    return _read(row)


def _newest() -> list[Definition]:
    rows = Definition.objects.select_related("source").order_by("kind", "name", "revision")
    return sorted({(row.kind, row.name): row for row in rows}.values(), key=lambda row: row.name.lower())


def _read(row: Definition) -> Registered[Any]:
    by = row.source.name if row.source is not None else None
    made = define(TYPES[row.kind], msgspec.json.decode(row.body))
    return Registered(row.name, row.revision, row.at, by, made)


def _kind(one: Defined) -> str:
    return next(kind for kind, made in TYPES.items() if isinstance(one, made))


_CHECKS: dict[str, Callable[[Any], object]] = {
    "verb": Library().with_verb,
    "tool": Library().with_tool,
    "agent": lambda agent: registry.register((), agent),
}
"""What a definition must be besides well formed."""
