"""A second implementation: it mirrors a log over HTTP and verifies all of it.

Written from the specifications alone (C2SP signed-note, tlog-checkpoint, tlog-tiles, tlog-proof,
and RFC 6962), in the plainest way: all hashes are in memory, and trees are hashed by the recursive
definitions. It must not import anything of ours. `python -m tests.strangers.client URL VKEY`.
"""

import base64
import hashlib
import json
import struct
import sys
import urllib.request
from dataclasses import dataclass
from urllib.error import HTTPError

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Wrong(Exception):
    """The log is not what its specifications, or its own signature, say."""


def require(condition: object, words: str) -> None:
    if not condition:
        raise Wrong(words)


# RFC 6962, section 2.1


def hash_leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def hash_children(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def largest_power_below(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def tree_head(hashes: list[bytes]) -> bytes:
    """MTH, of the hashes of leaves."""
    if not hashes:
        return hashlib.sha256().digest()
    if len(hashes) == 1:
        return hashes[0]
    k = largest_power_below(len(hashes))
    return hash_children(tree_head(hashes[:k]), tree_head(hashes[k:]))


def root_from_path(m: int, n: int, leaf: bytes, path: list[bytes]) -> bytes:
    """The root to which PATH(m, D[n]) leads, by unfolding its definition."""
    if n == 1:
        require(m == 0 and not path, "the path is too long")
        return leaf
    require(path, "the path is too short")
    k = largest_power_below(n)
    if m < k:
        return hash_children(root_from_path(m, k, leaf, path[:-1]), path[-1])
    return hash_children(path[-1], root_from_path(m - k, n - k, leaf, path[:-1]))


# C2SP signed-note and tlog-checkpoint


@dataclass
class Key:
    name: str
    key_id: bytes
    public: bytes

    @classmethod
    def read(cls, vkey: str) -> "Key":
        name, hexadecimal, encoded = vkey.split("+", 2)
        blob = base64.b64decode(encoded, validate=True)
        require(blob[0] == 1 and len(blob) == 33, "the key is not for Ed25519 notes")
        key_id = hashlib.sha256(name.encode() + b"\n" + blob).digest()[:4]
        require(key_id.hex() == hexadecimal, "the ID of the key is wrong")
        return cls(name, key_id, blob[1:])


@dataclass
class Head:
    origin: str
    size: int
    root: bytes


def open_checkpoint(note: bytes, key: Key) -> Head:
    text, separator, lines = note.decode("utf-8").rpartition("\n\n")
    require(separator, "the note has no signatures")
    text += "\n"
    require(verified(text, lines, key), "the key did not sign the checkpoint")
    origin, size, root, *_ = text.split("\n")
    require(origin == key.name, "the checkpoint is of another log")
    require(size == str(int(size)), "the size is not decimal")
    found = Head(origin, int(size), base64.b64decode(root, validate=True))
    require(len(found.root) == 32, "the root is not a SHA-256")
    return found


def verified(text: str, lines: str, key: Key) -> bool:
    good = False
    require(lines.endswith("\n"), "the last signature has no newline")
    for line in lines[:-1].split("\n"):
        dash, name, encoded = line.split(" ")
        require(dash == "\u2014", "a signature begins without a dash")
        blob = base64.b64decode(encoded, validate=True)
        if name == key.name and blob[:4] == key.key_id:
            Ed25519PublicKey.from_public_bytes(key.public).verify(blob[4:], text.encode())
            good = True
    return good


# C2SP tlog-tiles


def tile_path(level: str, number: int, width: int) -> str:
    digits = str(number)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    path = "/".join([*("x" + group for group in groups[:-1]), groups[-1]])
    return f"tile/{level}/{path}" + (f".p/{width}" if width < 256 else "")


class Client:
    """Reads a log by HTTP."""

    def __init__(self, prefix: str, vkey: str, token: str = "") -> None:
        self.prefix = prefix.rstrip("/")
        self.key = Key.read(vkey)
        self.token = token
        self.types: dict[str, str] = {}

    def fetch(self, path: str) -> bytes:
        request = urllib.request.Request(f"{self.prefix}/{path}")  # noqa: S310 - the caller's
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
                self.types[path.split("/")[0]] = response.headers["Content-Type"]
                return bytes(response.read())
        except HTTPError as error:
            error.close()
            raise Wrong(f"{path}: status {error.code}") from None

    def checkpoint(self) -> Head:
        return open_checkpoint(self.fetch("checkpoint"), self.key)

    def entries(self, size: int) -> list[bytes]:
        found: list[bytes] = []
        for first in range(0, size, 256):
            width = min(256, size - first)
            data = self.fetch(tile_path("entries", first // 256, width))
            found += split_bundle(data, width)
        return found

    def check_tiles(self, hashes: list[bytes]) -> int:
        """Compare each tile with its definition. Return how many there are."""
        level, count = 0, 0
        row = hashes
        while row:
            for first in range(0, len(row), 256):
                part = row[first : first + 256]
                path = tile_path(str(level), first // 256, len(part))
                require(self.fetch(path) == b"".join(part), f"{path} is wrong")
                count += 1
            full = len(row) // 256 * 256
            row = [tree_head(row[at : at + 256]) for at in range(0, full, 256)]
            level += 1
        return count


def split_bundle(data: bytes, width: int) -> list[bytes]:
    found = []
    at = 0
    for _ in range(width):
        (length,) = struct.unpack_from(">H", data, at)
        found.append(data[at + 2 : at + 2 + length])
        at += 2 + length
    require(at == len(data), "a bundle has another length than its entries")
    return found


@dataclass
class Verified:
    """What was found right."""

    head: Head
    entries: list[bytes]
    hashes: list[bytes]
    tiles: int


def verify_all(client: Client) -> Verified:
    """Read a whole log, and check its leaves, tiles, root, and signature."""
    head = client.checkpoint()
    entries = client.entries(head.size)
    hashes = [hash_leaf(entry) for entry in entries]
    require(tree_head(hashes) == head.root, "the root is not that of the entries")
    tiles = client.check_tiles(hashes)
    require(client.types.get("checkpoint") == "text/plain; charset=utf-8", "its media type")
    require(client.types.get("tile", BYTES) == BYTES, "the media type of tiles")
    return Verified(head, entries, hashes, tiles)


BYTES = "application/octet-stream"


def check_contains(newer: Verified, older: Head) -> None:
    """Check that a log begins with what it was."""
    require(older.size <= newer.head.size, "the log shrank")
    require(tree_head(newer.hashes[: older.size]) == older.root, "the log forked")


def check_signing_keys(found: Verified, key: Key) -> None:
    """Check that the log itself says which key signs it (docs/design/evidence.md)."""
    public = base64.b64encode(key.public).decode()
    leaves = [json.loads(entry) for entry in found.entries]
    added = [leaf for leaf in leaves if leaf["kind"] == "signing-key" and leaf["act"] == "add"]
    require(public in [leaf["public"] for leaf in added], "the log does not name its key")


# C2SP tlog-proof


def check_proof(text: str, leaf: bytes, key: Key) -> tuple[Head, int]:
    """Verify a proof file. Return its checkpoint and the index of the leaf."""
    head, _, note = text.partition("\n\n")
    lines = head.split("\n")
    require(lines.pop(0) == "c2sp.org/tlog-proof@v1", "the first line")
    if lines[0].startswith("extra "):
        lines.pop(0)
    word, index = lines.pop(0).split(" ")
    require(word == "index" and index == str(int(index)), "the index")
    checkpoint = open_checkpoint(note.encode(), key)
    path = [base64.b64decode(line, validate=True) for line in lines]
    found = root_from_path(int(index), checkpoint.size, hash_leaf(leaf), path)
    require(found == checkpoint.root, "the leaf is not in the tree")
    return checkpoint, int(index)


if __name__ == "__main__":
    result = verify_all(Client(*sys.argv[1:]))
    print(f"{result.head.origin}: {result.head.size} leaves, {result.tiles} tiles, all right.")
