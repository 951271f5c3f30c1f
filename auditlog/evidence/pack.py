"""Write a pack as a zip, in blocks, with flat memory (docs/design/evidence-pack.md)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from auditlog.evidence import about, manifest
from auditlog.evidence.archive import Archive
from auditlog.evidence.entries import Entries, Line, Tally
from auditlog.evidence.selection import Selection
from auditlog.evidence.signed import Signed
from auditlog.evidence.summed import encode
from auditlog.models import Packet

_BLOCK = 256 * 1024


@dataclass
class Pack:
    """A pack that is being written: `done` of `total` packets. Nothing is read before `write`."""

    selection: Selection
    signed: Signed
    made: datetime
    made_by: str
    done: int = 0
    total: int | None = None
    """None until they are counted."""
    is_finished: bool = False
    tally: Tally = field(default_factory=Tally)

    @property
    def name(self) -> str:
        """Return a name for the file: two packs of one log and size have two names."""
        chosen = self.selection
        return f"{chosen.log.slug}-{chosen.at}-{self.made:%Y%m%dT%H%M%SZ}-evidence.zip"

    def write(self) -> Iterator[bytes]:
        """Yield the zip."""
        archive = Archive()
        for name, data in self._small():
            yield from archive.add(name, [data])
        yield from archive.add("entries.ndjson", self._blocks(), is_large=True)
        yield from archive.add(
            "manifest.json", [encode(self.describe() | {"members": archive.digests})]
        )
        yield from archive.close()
        self.is_finished = True

    def read(self) -> Iterator[list[tuple[Line, Packet | None]]]:
        """Yield the lines in pieces, packets with their row."""
        self.total = self.selection.count()
        others = about.gather(self.selection, self.signed.size)
        entries = Entries(self.selection, self.signed.size, others, self.tally)
        for piece in entries.read():
            self.done = self.tally.packets
            yield piece

    def describe(self) -> dict[str, Any]:
        """Return the manifest of what was read, but for the digests of its members."""
        return manifest.write(
            self.selection, self.signed, self.tally, made=self.made, made_by=self.made_by
        )

    def _small(self) -> Iterator[tuple[str, bytes]]:
        yield "README.txt", manifest.write_readme(self.signed, self.name)
        yield from self.signed.members()

    def _blocks(self) -> Iterator[bytes]:
        block = bytearray()
        for piece in self.read():
            for line, _ in piece:
                block += encode(line) + b"\n"
                if len(block) > _BLOCK:
                    yield bytes(block)
                    block.clear()
        yield bytes(block)
