"""What the part "Proof" of a packet's page shows, and the files that it offers."""

from base64 import b64encode
from typing import Any, NamedTuple

import msgspec

from auditlog.models import Log
from auditlog.proofs import consistency, inclusion
from auditlog.proofs.inclusion import LeafProof
from auditlog.proofs.path import list_steps
from auditlog.proofs.place import Place
from auditlog.tree import keys
from cablese.tlog.note import format_verifier
from playground.audit.proofs import drawing


class File(NamedTuple):
    """A file to download."""

    name: str
    media: str
    data: bytes


def show(place: Place, size: int | None) -> dict[str, Any]:
    """Return the context of a proof, and of the growth since the size in the address, if any."""
    context: dict[str, Any] = {"log": place.log, "leaf": place.leaf, "erased": place.erased}
    context |= _show_growth(place.log, size) if size else {}
    try:
        proof = inclusion.prove(place.log, place.leaf)
    except inclusion.NotSigned as reason:
        return context | {"unsigned": str(reason)}
    except inclusion.Unproven as reason:
        return context | {"broken": str(reason)}
    steps = list_steps(proof.leaf_hash, place.leaf, proof.checkpoint.size, proof.proof.path)
    return context | {
        "proof": proof,
        "leaf_hash": proof.leaf_hash.hex(),
        "root": bytes(proof.checkpoint.root).hex(),
        "origin": place.log.origin or place.log.slug,
        "steps": [(drawing.name_leaves(step.sibling), step) for step in steps],
        "picture": drawing.draw(steps),
        "keys": [format_verifier(key) for key in keys.verifiers(place.log)],
        "name": _name(proof),
    }


def write(form: str, proof: LeafProof) -> File | None:
    """Return a proof as a file; None for an unknown form. Raises inclusion.NotSigned."""
    name = f"{_name(proof)}.{form}"
    if form == "tlog-proof":
        return File(name, "text/plain; charset=utf-8", inclusion.write_file(proof).encode())
    if form == "cose":
        return File(name, "application/cose", inclusion.write_receipt(proof))
    if form == "leaf":
        return File(name, "application/octet-stream", proof.leaf)
    return None


def write_growth(log: Log, size: int) -> File:
    """Return the proof that a log only grew since it had this size. Raises inclusion.Unproven."""
    found = consistency.prove_since(log, size)
    data = {
        "origin": log.origin or log.slug,
        "old": found.old.note,
        "new": found.new.note,
        "path": [b64encode(one).decode() for one in found.path],
    }
    name = f"{log.slug}-{found.old.size}-{found.new.size}.consistency.json"
    return File(name, "application/json", msgspec.json.format(msgspec.json.encode(data)))


def _show_growth(log: Log, size: int) -> dict[str, Any]:
    try:
        return {"size": size, "growth": consistency.prove_since(log, size)}
    except inclusion.NotSigned as reason:
        return {"size": size, "no_growth": str(reason)}
    except inclusion.Unproven as reason:
        return {"size": size, "shrank": str(reason)}


def _name(proof: LeafProof) -> str:
    return f"{proof.log.slug}-{proof.proof.index}"
