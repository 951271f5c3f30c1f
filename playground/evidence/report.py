"""One HTML file that verifies itself: the members of a pack, and the script that reads them.

Its own policy allows this script and this style by their hashes, and nothing else. The data is
never markup: JSON without `<` inside elements that no browser runs.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from auditlog.evidence.pack import Pack
from auditlog.evidence.selection import Selection
from auditlog.evidence.summed import encode
from auditlog.export import pieces
from auditlog.models import Packet
from playground.evidence import explanations

LIMIT = 10_000
"""Packets of a report."""
BYTES = 64 * 1024 * 1024
"""Bytes of what was stored of them."""
_SCRIPTS = ("verify", "signed", "draw", "report")


class TooLarge(ValueError):
    """More than a report can have. The words say how much that is."""


def check_size(selection: Selection) -> None:
    """Raises TooLarge for a selection that does not fit in a report."""
    packets = size = 0
    for leaves in selection.packets():
        packets += len(leaves)
        sizes = pieces.measure(selection.log, leaves)
        size += sum(sizes.get(leaf, 0) for leaf in leaves)
        if packets > LIMIT:
            raise TooLarge(f"The limit is {LIMIT:,} packets. Download the pack instead.")
        if size > BYTES:
            limit = f"{BYTES >> 20} MiB"
            raise TooLarge(f"The limit is {limit} of packets. Download the pack instead.")


@dataclass
class Report:
    """A report of the packets of a pack."""

    pack: Pack
    _digests: dict[str, str] = field(default_factory=dict)
    _rows: list[Packet] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return a name for the file."""
        return self.pack.name.removesuffix(".zip") + ".html"

    def write(self) -> Iterator[bytes]:
        """Yield the file."""
        before, between, after, end = _skeleton(self.pack.signed.origin)
        yield before
        yield from self._digest("entries.ndjson", self._entries())
        yield between
        yield from self._digest("explanations.ndjson", self._explanations())
        yield after
        small = dict(self.pack.signed.members())
        for name, data in small.items():
            self._digests[name] = sha256(data).hexdigest()
        small["manifest.json"] = encode(self.pack.describe() | {"members": self._digests})
        yield encode({name: data.decode() for name, data in small.items()})
        yield end
        self.pack.is_finished = True

    def _entries(self) -> Iterator[bytes]:
        for piece in self.pack.read():
            self._rows += [packet for _, packet in piece if packet is not None]
            yield b"".join(encode(line) + b"\n" for line, _ in piece)

    def _explanations(self) -> Iterator[bytes]:
        for line in explanations.write(self._rows, self.pack.selection.withheld):
            yield encode(line) + b"\n"

    def _digest(self, name: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        digest = sha256()
        for block in blocks:
            digest.update(block)
            yield block
        self._digests[name] = digest.hexdigest()


def _skeleton(origin: str) -> tuple[bytes, bytes, bytes, bytes]:
    """Return the parts of the file around its data."""
    script = "".join(_read(f"evidence/{name}.js") for name in _SCRIPTS)
    style = _read("evidence/report.css")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{_hash(script)}'",
            f"style-src 'sha256-{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    context = {"origin": origin, "script": script, "style": style, "policy": policy}
    text = render_to_string("evidence/report.html", context)
    before, rest = text.split("<!--entries-->")
    between, rest = rest.split("<!--explanations-->")
    after, end = rest.split("<!--members-->")
    return before.encode(), between.encode(), after.encode(), end.encode()


def _read(name: str) -> str:
    found = finders.find(name)
    assert isinstance(found, str), f"static/{name} is a file of ours"
    return Path(found).read_text()


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
