"""A zip that is sent while it is written, so that it takes no memory and no file.

Sizes and checksums come after each member (APPNOTE 4.3.9), with 64 bits for the one that can be
large. No name, time, or other fact of this machine is in it.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from zipfile import ZIP_DEFLATED, ZipFile

_LEVEL = 1
"""Of deflate: most of a pack is hashes, which higher levels make no smaller."""


class Archive:
    """The members that were written, with their digests."""

    def __init__(self) -> None:
        self.digests: dict[str, str] = {}
        self._sink = _Sink()
        self._zip = ZipFile(self._sink, "w", ZIP_DEFLATED, compresslevel=_LEVEL)

    def add(self, name: str, blocks: Iterable[bytes], *, is_large: bool = False) -> Iterator[bytes]:
        """Write a member, and yield the bytes of the zip."""
        digest = sha256()
        with self._zip.open(name, "w", force_zip64=is_large) as member:
            for block in blocks:
                digest.update(block)
                member.write(block)
                yield from self._sink.take()
        self.digests[name] = digest.hexdigest()
        yield from self._sink.take()

    def close(self) -> Iterator[bytes]:
        """Write the list of members."""
        self._zip.close()
        yield from self._sink.take()


class _Sink:
    """Takes what a zip writes. It cannot seek, like the connection to a client."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: `take` takes all."""

    def close(self) -> None:
        """Do nothing either."""

    def take(self) -> Iterator[bytes]:
        """Yield what was written since, if it was anything."""
        written, self._written = self._written, []
        if data := b"".join(written):
            yield data
