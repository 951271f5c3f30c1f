"""The lines of an evidence pack: the proof, what leaves say, and what their commitments open to.

It follows docs/design/evidence-pack.md. A line that is not a line of a pack raises BadEntry,
and one that says something wrong is a failure with its place.
"""

from array import array
from binascii import a2b_base64
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from cablese.amount import leaves
from cablese.tlog import commitment, summed
from cablese.tlog.frontier import Frontier, cover
from cablese.tlog.merkle import SIZE
from cablese.verify import strict_json
from cablese.verify.strict_json import BadJson, Object

_NAMES = frozenset({"leaf", "before", "entry", "open", "about", "erased", "end", "sum"})
_ABOUT_PACKETS = ("redaction", "review")
"""Kinds of leaves that are about the packet at their `leaf`."""
_LAST = 1 << 62
Fail = Callable[[str, str], None]
"""Takes the place of a failure, and what is wrong there."""


class BadEntry(ValueError):
    """A line that no pack has. The words say why."""


class Entries:
    """What the lines of a pack showed so far. Call `take` for each, then `end`."""

    def __init__(self, manifest: Object, fail: Fail) -> None:
        self.log: str = manifest["log"]
        self.size: int = manifest["size"]
        self.withheld = frozenset(manifest["withheld"])
        self.range: tuple[int, int] | None = manifest["range"]
        self.packets = array("q")
        """The leaf indexes of packets."""
        self.erased: set[int] = set()
        self.about = 0
        self.kinds: Counter[str] = Counter()
        self.signing_keys: dict[int, Object] = {}
        self.is_complete = False
        """Whether the last line was read."""
        self._in_range = 0
        self._pending: dict[int, int] = {}
        self._frontier = Frontier()
        self._fail = fail

    @property
    def root(self) -> bytes:
        return self._frontier.root()

    def take(self, number: int, data: bytes) -> None:
        """Check one line. Raises BadEntry."""
        if self.is_complete:
            raise BadEntry(f"line {number} is after the last line.")
        line = _read(number, data)
        place = f"entries.ndjson, line {number}"
        if not summed.is_whole(data):
            self._fail(place, "The line was changed: its sum does not match.")
        if "end" in line:
            self._end(number, line)
            return
        leaf, entry = line.get("leaf"), line.get("entry")
        if type(leaf) is not int or type(entry) is not str or leaf >= self.size:
            raise BadEntry(f"line {number} has no leaf, or one beyond the tree.")
        self._skip(number, leaf, line.get("before", ""))
        try:
            self._frontier.push_leaf(entry.encode())
        except UnicodeEncodeError:
            raise BadEntry(f"line {number} has a leaf that is not UTF-8.") from None
        self._check(f"{place}, leaf {leaf}", leaf, entry, line)

    def end(self) -> None:
        """Check what can be known only after the last line. Raises BadEntry."""
        if not self.is_complete:
            raise BadEntry("the last line is missing.")
        for packet, redaction in self._pending.items():
            text = f"Leaf {redaction}, the erasure of packet {packet}, is not in the pack."
            self._fail(f"entries.ndjson, leaf {packet}", text)
        if self.range is not None:
            first, last = self.range
            missing = last - first + 1 - self._in_range
            if missing:
                self._fail("entries.ndjson", f"The range lacks {leaves(missing)}.")

    def _end(self, number: int, line: Object) -> None:
        if line.keys() - {"end", "before", "sum"}:
            raise BadEntry(f"line {number} is not a last line.")
        if line["end"] != self.size:
            self._fail(f"entries.ndjson, line {number}", "Its size differs from the manifest.")
        self._skip(number, self.size, line.get("before", ""))
        self.is_complete = True

    def _skip(self, number: int, leaf: int, before: Any) -> None:
        """Add the hashes of the subtrees up to a leaf."""
        at = self._frontier.at
        if leaf == at and not before:
            return
        if leaf < at:
            raise BadEntry(f"line {number} is out of order.")
        hashes = _decode(before)
        places = [*cover(at, leaf)]
        if hashes is None or len(hashes) != len(places) * SIZE:
            raise BadEntry(f"line {number} has the wrong number of hashes in `before`.")
        for at, (level, _) in enumerate(places):
            self._frontier.push(level, hashes[at * SIZE : (at + 1) * SIZE])

    def _check(self, place: str, leaf: int, entry: str, line: Object) -> None:
        try:
            said = strict_json.parse(entry)
        except BadJson as bad:
            self._fail(place, f"The leaf is malformed. {bad}")
            return
        kind, commit = said.get("kind"), said.get("commit", {})
        opened = line.get("open", {})
        if type(kind) is not str or type(commit) is not dict or type(opened) is not dict:
            raise BadEntry(f"{place} is malformed.")
        if said.get("log") != self.log:
            self._fail(place, f"The leaf is from another log. Expected {self.log!r}.")
        self.kinds[kind] += 1
        if self.range is not None and self.range[0] <= leaf <= self.range[1]:
            self._in_range += 1
        if kind == "packet":
            is_erased = self._check_packet(place, leaf, line)
        else:
            is_erased = self._check_other(place, leaf, said, line)
        self._open(place, commit, opened)
        if kind == "packet" or "about" in line:
            self._require_open(place, commit, opened, is_erased=is_erased)

    def _check_packet(self, place: str, leaf: int, line: Object) -> bool:
        """Note a packet, and return whether it was erased."""
        self.packets.append(leaf)
        if "about" in line:
            self._fail(place, "A packet must not have `about`.")
        if "erased" not in line:
            return False
        by = line["erased"]
        if type(by) is not int or not leaf < by < _LAST:
            raise BadEntry(f"{place} has an `erased` that is not a later leaf.")
        self.erased.add(leaf)
        self._pending[leaf] = by
        return True

    def _check_other(self, place: str, leaf: int, said: Object, line: Object) -> bool:
        """Note another leaf, and return whether the packet that it is about was erased."""
        self.about += 1
        if said.get("kind") == "signing-key":
            self.signing_keys[leaf] = said
        packet = line.get("about")
        if packet is None:
            if said.get("kind") in _ABOUT_PACKETS and self._has(said.get("leaf")):
                self._fail(place, f"It is about packet {said['leaf']}, and has no `about`.")
            return False
        if type(packet) is not int:
            raise BadEntry(f"{place} has an `about` that is not a leaf.")
        if not self._has(packet):
            self._fail(place, f"It is about packet {packet}, which is not in the pack.")
        if said.get("leaf") != packet:
            self._fail(place, f"The leaf is not about packet {packet}.")
        if said.get("kind") == "redaction" and self._pending.get(packet) == leaf:
            del self._pending[packet]
        return packet in self.erased

    def _has(self, leaf: Any) -> bool:
        """Return whether a packet was in the lines so far."""
        if type(leaf) is not int:
            return False
        at = bisect_left(self.packets, leaf)
        return at < len(self.packets) and self.packets[at] == leaf

    def _open(self, place: str, commit: Mapping[str, Any], opened: Mapping[str, Any]) -> None:
        for field, opening in opened.items():
            salt, data = _read_opening(place, field, opening)
            if commitment.spell(commitment.commit(salt, field, data)) != commit.get(field):
                self._fail(f"{place}, {field}", "It does not match the leaf’s commitment.")

    def _require_open(self, place: str, commit: Object, opened: Object, *, is_erased: bool) -> None:
        if opened.keys() != commit.keys() and not is_erased:
            for field in sorted(commit.keys() - opened.keys() - self.withheld):
                self._fail(f"{place}, {field}", "It is missing, and neither withheld nor erased.")
        if self.withheld:
            for field in sorted(opened.keys() & self.withheld):
                self._fail(f"{place}, {field}", "The manifest says that it is withheld.")


def _read(number: int, data: bytes) -> Object:
    try:
        line = strict_json.parse(data)
    except BadJson as bad:
        raise BadEntry(f"line {number}: {bad}") from None
    if not _NAMES.issuperset(line):
        raise BadEntry(f"line {number} has an unknown name.")
    return line


def _read_opening(place: str, field: str, opening: Any) -> tuple[bytes, bytes]:
    if type(opening) is dict and len(opening) == 2:
        salt = _decode(opening.get("salt"))
        text = opening.get("text")
        try:
            data = text.encode() if type(text) is str else _decode(opening.get("base64"))
        except UnicodeEncodeError:
            data = None
        if salt is not None and len(salt) == SIZE and data is not None:
            return salt, data
    raise BadEntry(f"{place}: the opening of {field[:40]!r} is malformed.")


def _decode(text: Any) -> bytes | None:
    if type(text) is not str:
        return None
    try:
        return a2b_base64(text, strict_mode=True)
    except ValueError:
        return None
