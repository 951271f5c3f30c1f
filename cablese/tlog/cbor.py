"""CBOR (RFC 8949), as far as COSE receipts use it.

Whole numbers, bytes, text, arrays, maps, tags, booleans, and null, all of definite length. What is
written is in the deterministic form of § 4.2.1; what is read may be in any.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

DEPTH = 16
"""Levels of nesting that are read."""
_SIMPLE = {20: False, 21: True, 22: None}
_SPELLED: dict[Any, bytes] = {False: b"\xf4", True: b"\xf5", None: b"\xf6"}
_HALF = 24
"""From here on, the five low bits of a head say how many bytes of the number follow."""


class BadCbor(ValueError):
    """Bytes that are not such CBOR. The words say where."""


class Tag(NamedTuple):
    """A value with a tag (§ 3.4)."""

    number: int
    value: Any


def encode(value: Any) -> bytes:
    """Return the bytes of a value."""
    if value is None or isinstance(value, bool):
        return _SPELLED[value]
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, bytes):
        return _head(2, len(value)) + value
    if isinstance(value, str):
        data = value.encode()
        return _head(3, len(data)) + data
    if isinstance(value, Tag):
        return _head(6, value.number) + encode(value.value)
    if isinstance(value, Mapping):
        pairs = sorted((encode(key), encode(one)) for key, one in value.items())
        return _head(5, len(pairs)) + b"".join(key + one for key, one in pairs)
    return _head(4, len(value)) + b"".join(map(encode, value))


def decode(data: bytes) -> Any:
    """Return the one value in some bytes. Raises BadCbor."""
    reader = _Reader(data)
    value = reader.read(DEPTH)
    if reader.at != len(data):
        raise BadCbor(f"Byte {reader.at}: expected the end.")
    return value


def _head(major: int, number: int) -> bytes:
    first = major << 5
    if number < _HALF:
        return bytes([first | number])
    for more, size in enumerate((1, 2, 4, 8)):
        if number < 1 << 8 * size:
            return bytes([first | _HALF + more]) + number.to_bytes(size, "big")
    raise ValueError("A number has more than 64 bits.")


class _Reader:
    """Reads values one after the other. ``at`` is the next byte."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def read(self, depth: int) -> Any:
        if not depth:
            raise BadCbor(f"Byte {self.at}: more than {DEPTH} levels of nesting.")
        start = self.at
        major, number = self._read_head()
        match major:
            case 0:
                return number
            case 1:
                return -1 - number
            case 2:
                return self._take(number)
            case 3:
                return self._read_text(number)
            case 4:
                return [self.read(depth - 1) for _ in range(self._require(number))]
            case 5:
                return self._read_map(number, depth - 1)
            case 6:
                return Tag(number, self.read(depth - 1))
        if number not in _SIMPLE or self.at != start + 1:
            raise BadCbor(f"Byte {start}: a kind of value that receipts do not use.")
        return _SIMPLE[number]

    def _read_head(self) -> tuple[int, int]:
        start = self.at
        first = self._take(1)[0]
        major, low = first >> 5, first & 31
        if low < _HALF:
            return major, low
        if low > _HALF + 3:
            raise BadCbor(f"Byte {start}: a length that is not definite.")
        return major, int.from_bytes(self._take(1 << low - _HALF), "big")

    def _read_text(self, size: int) -> str:
        start = self.at
        try:
            return self._take(size).decode()
        except UnicodeDecodeError:
            raise BadCbor(f"Byte {start}: text that is not UTF-8.") from None

    def _read_map(self, size: int, depth: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for _ in range(self._require(size)):
            start = self.at
            key = self.read(depth)
            if type(key) not in (int, str) or key in found:
                raise BadCbor(
                    f"Byte {start}: a key that is twice in a map, or not a number or text."
                )
            found[key] = self.read(depth)
        return found

    def _require(self, items: int) -> int:
        """Return a number of items that the rest can hold."""
        if items > len(self.data) - self.at:
            raise BadCbor(f"Byte {self.at}: the data ends too early.")
        return items

    def _take(self, size: int) -> bytes:
        end = self.at + self._require(size)
        found = self.data[self.at : end]
        self.at = end
        return found
