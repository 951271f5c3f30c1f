"""A small pack, made from the description of its format alone."""

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from cablese.tlog import checkpoint, merkle, note
from cablese.tlog.checkpoint import Checkpoint
from cablese.tlog.commitment import commit, spell
from cablese.tlog.frontier import cover

ORIGIN = "example.com/log/demo"
SIGNER = note.make_signer(ORIGIN, bytes(32))
KEY = SIGNER.verifier
SALT = bytes(range(32))
SHOWN = (1, 3, 4)
"""The packets of the pack; 6 is a review of 3, and 5 the leaf of the key."""
SIZE = 8


def opening(field: str, text: str) -> tuple[str, dict[str, str]]:
    """A commitment, and what opens it."""
    opened = {"salt": b64encode(SALT).decode(), "text": text}
    return spell(commit(SALT, field, text.encode())), opened


def leaf(index: int) -> tuple[str, dict[str, Any]]:
    """The text of a leaf, and what a line says of it."""
    about: dict[str, Any] = {"kind": "packet", "log": "demo", "recv": "2026-11-20T10:00:00.000250Z"}
    fields = {"by": "{}", "raw": f"REQ/TSK|g={index}"}
    more: dict[str, Any] = {}
    if index == 5:
        fields, about = {}, {"kind": "signing-key", "log": "demo", "key": KEY.key_id.hex()}
    if index == 6:
        fields, about = {"decision": "{}"}, about | {"kind": "review", "leaf": 3}
        more = {"about": 3}
    both = {field: opening(field, text) for field, text in fields.items()}
    about["commit"] = {field: one[0] for field, one in both.items()}
    opened = {field: one[1] for field, one in both.items()}
    return json.dumps(about, sort_keys=True), more | ({"open": opened} if opened else {})


def read(level: int, index: int) -> bytes:
    if level:
        return merkle.hash_node(read(level - 1, index * 2), read(level - 1, index * 2 + 1))
    return merkle.hash_leaf(leaf(index)[0].encode())


def summed(line: Mapping[str, Any]) -> bytes:
    data = json.dumps({name: value for name, value in line.items() if name != "sum"})[:-1].encode()
    return data + b',"sum":"%b"}' % sha256(data).hexdigest()[:16].encode()


def lines() -> list[dict[str, Any]]:
    """The lines of the pack, without their sums."""
    made, at = [], 0
    for index in (*SHOWN, 5, 6, SIZE):
        line: dict[str, Any] = {"leaf": index} if index < SIZE else {"end": SIZE}
        if between := b"".join(read(level, one) for level, one in cover(at, index)):
            line["before"] = b64encode(between).decode()
        if index < SIZE:
            line["entry"], more = leaf(index)
            line |= more
        made.append(line)
        at = index + 1
    return made


def manifest(members: Mapping[str, bytes]) -> dict[str, Any]:
    return {
        "format": "cablese-evidence/1", "log": "demo", "origin": ORIGIN,
        "keys": [{"vkey": note.format_verifier(KEY), "leaf": 5, "state": "active"}],
        "selection": {"query": "goal:42", "at": 7, "now": "", "first": None, "last": None},
        "size": SIZE, "count": len(SHOWN), "erased": 0, "about": 2, "withheld": [],
        "made": "2026-11-25T10:00:00.000000Z", "made_by": "ada",
        "members": {name: sha256(data).hexdigest() for name, data in members.items()},
    }  # fmt: skip


def signed(size: int) -> bytes:
    root = merkle.root(size, read)
    text = checkpoint.format_checkpoint(Checkpoint(ORIGIN, size, root))
    return note.sign(text, [SIGNER]).encode()


def members(
    rows: list[dict[str, Any]] | None = None, change: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """The members of a pack, with other lines or another manifest, whose sums are right."""
    proof = merkle.prove_consistency(3, SIZE, read)
    found = {
        "README.txt": b"A pack.\n",
        "checkpoint": signed(SIZE),
        "first-checkpoint": signed(3),
        "consistency": b"".join(b64encode(one) + b"\n" for one in proof),
        "entries.ndjson": b"".join(summed(line) + b"\n" for line in rows or lines()),
    }
    return found | {"manifest.json": summed(manifest(found) | dict(change or {}))}


def write(path: Path, content: Mapping[str, bytes]) -> Path:
    path.write_bytes(zipped(content))
    return path


def zipped(content: Mapping[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, one in content.items():
            file.writestr(name, one)
    return data.getvalue()
