"""Read a zip that may be hostile: a few members with known names, each at most so large.

Python's reader loads the whole list of members, so the end of the file is looked at first
(APPNOTE 4.3.14 to 4.3.16). A pack has no archive comment, so the end has a fixed place.
"""

import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

MEMBERS = 10
_LISTED = 64 * 1024
"""Bytes of the list of members."""
_BLOCK = 1 << 20
_END = Struct("<4s4H2LH")
_END_64 = Struct("<4sQ2H2L4Q")
_PLACE_64 = Struct("<4sLQL")
_ENCRYPTED = 1
_BROKEN = (
    BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, OverflowError, RuntimeError,
    ValueError,
)  # fmt: skip


class BadZip(ValueError):
    """A file that is no such zip. The words say why, and in which member."""


class Members:
    """The members of a zip, with the digests of those that were read to their end."""

    def __init__(self, file: BinaryIO, names: frozenset[str]) -> None:
        """Raises BadZip unless the members are some of these names."""
        try:
            _check_end(file)
            self._zip = ZipFile(file)
        except _BROKEN as error:
            raise BadZip(f"This is not a complete zip file: {error}") from None
        self.digests: dict[str, str] = {}
        self._infos: Mapping[str, ZipInfo] = _check(self._zip.infolist(), names)

    @property
    def names(self) -> list[str]:
        return [*self._infos]

    def read(self, name: str, limit: int) -> bytes:
        """Return a member. Raises BadZip if it has more bytes."""
        blocks, size = [], 0
        for block in self.blocks(name):
            blocks.append(block)
            size += len(block)
            if size > limit:
                raise BadZip(f"{name} is larger than the limit of {limit:,} bytes.")
        return b"".join(blocks)

    def blocks(self, name: str) -> Iterator[bytes]:
        """Yield a member in blocks. Raises BadZip."""
        if name not in self._infos:
            raise BadZip(f"{name} is missing.")
        digest = sha256()
        try:
            with self._zip.open(self._infos[name]) as member:
                while block := member.read(_BLOCK):
                    digest.update(block)
                    yield block
        except _BROKEN as error:
            raise BadZip(f"{name} cannot be read: {error}") from None
        self.digests[name] = digest.hexdigest()

    def lines(self, name: str, limit: int) -> Iterator[bytes]:
        """Yield the lines of a member without their ends. Raises BadZip for a longer one."""
        rest = b""
        for block in self.blocks(name):
            *whole, rest = (rest + block).split(b"\n")
            yield from whole
            if len(rest) > limit:
                raise BadZip(f"{name} has a line with more than the limit of {limit:,} bytes.")
        if rest:
            raise BadZip(f"{name} is cut off: its last line has no end.")


def is_zip(path: Path) -> bool:
    """Return whether a file begins like a zip."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\3\4"


def _check(infos: list[ZipInfo], names: frozenset[str]) -> dict[str, ZipInfo]:
    found: dict[str, ZipInfo] = {}
    for info in infos:
        if info.filename not in names:
            raise BadZip(f"Unexpected member {info.filename[:80]!r}.")
        if info.filename in found:
            raise BadZip(f"{info.filename} is in the zip twice.")
        if info.flag_bits & _ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise BadZip(f"{info.filename} is encrypted, or neither stored nor deflated.")
        found[info.filename] = info
    return found


def _check_end(file: BinaryIO) -> None:
    """Raises BadZipFile if the list of members is too long to be read."""
    size = file.seek(0, 2)
    if size < _END.size:
        raise BadZipFile("it has no end record.")
    file.seek(size - _END.size)
    sign, *_, count, listed, _offset, _comment = _END.unpack(file.read(_END.size))
    if sign != b"PK\5\6":
        raise BadZipFile("its end record is missing, or is followed by other data.")
    place = size - _END.size - _PLACE_64.size
    if place >= 0:
        file.seek(place)
        sign, _, at, _ = _PLACE_64.unpack(file.read(_PLACE_64.size))
        if sign == b"PK\6\7":
            count, listed = _read_64(file, at)
    if count > MEMBERS:
        raise BadZipFile(f"it lists {count:,} members. The limit is {MEMBERS}.")
    if listed > _LISTED:
        raise BadZipFile(f"its list of members has {listed:,} bytes. The limit is {_LISTED:,}.")


def _read_64(file: BinaryIO, at: int) -> tuple[int, int]:
    file.seek(at)
    data = file.read(_END_64.size)
    if len(data) < _END_64.size:
        raise BadZipFile("its 64-bit end record is missing.")
    *_, count, listed, _offset = _END_64.unpack(data)
    return count, listed
