"""Logs and packs for tests."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from auditlog import review
from auditlog.evidence import selection
from auditlog.evidence.pack import Pack
from auditlog.evidence.signed import find_signed
from auditlog.evidence.summed import encode
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log, Packet, Review
from auditlog.tree import keys
from cablese.tlog.note import Verifier
from cablese.verify import pack
from tests.auditlog.sending import append, make_sender
from tests.benchmarks import corpus

MADE = datetime(2026, 11, 25, 10, tzinfo=UTC)


def fill(packets: int = 300) -> Log:
    """Store packets of every protocol in the default log, and then the first time a key."""
    items = [Item(sent.wire, sent_at=sent.sent_at.isoformat()) for sent in corpus.mixed(packets)]
    append(*items, sender=make_sender())
    logs.fix_origins("example.com")
    log = Log.objects.get(slug="default")
    keys.ensure(log)
    return log


def mark(leaf: int, note: str = "why?") -> Review:
    ada, _ = User.objects.get_or_create(username="ada")
    packet = Packet.objects.get(leaf=leaf)
    return review.mark(packet=packet, state="flagged", note=note, who=ada)


def begin(query: str = "", *, at: int | None = None, withheld: tuple[str, ...] = ()) -> Pack:
    log = Log.objects.get(slug="default")
    chosen = selection.begin(log, query, at=at, withheld=withheld)
    return Pack(chosen, find_signed(chosen), MADE, "ada")


def write(path: Path, query: str = "", **given: Any) -> Path:
    path.write_bytes(b"".join(begin(query, **given).write()))
    return path


def read(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewrite(path: Path, members: Mapping[str, bytes]) -> Path:
    """Write a zip with other members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def alter_manifest(members: Mapping[str, bytes], change: Mapping[str, Any]) -> dict[str, bytes]:
    """Return members with another manifest, whose sum is right."""
    found = json.loads(members["manifest.json"])
    found.pop("sum")
    return {**members, "manifest.json": encode(found | change)}


class Verdict(NamedTuple):
    """What the verifier says of a pack."""

    failures: list[str]
    warnings: list[str]
    manifest: dict[str, Any]


def verify(path: Path, keys: Sequence[Verifier] = ()) -> Verdict:
    found = pack.verify(path, keys)
    return Verdict([": ".join(one) for one in found.failures], found.warnings, found.manifest)
