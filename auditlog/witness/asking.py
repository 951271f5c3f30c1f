"""Ask witnesses to cosign a checkpoint of a log (C2SP tlog-witness, the side of the log)."""

from datetime import UTC, datetime
from http.client import HTTPException
from typing import NamedTuple
from urllib.parse import urlsplit

from auditlog.models import Log, Witness
from auditlog.tree import hashes
from auditlog.witness.cosigning import TREE_SIZE
from auditlog.witness.posting import post
from auditlog.witness.submission import format_submission
from cablese.amount import leaves
from cablese.text import clean
from cablese.tlog import cosignature, merkle, note
from cablese.tlog.checkpoint import Checkpoint, parse_size
from cablese.tlog.note import BadNote

_HERE = ("localhost", "127.0.0.1", "::1")


class BadWitness(ValueError):
    """A witness that cannot be asked; the words say why."""


class Asked(NamedTuple):
    """What a witness answered: the line that it cosigned with, or what went wrong."""

    line: str
    problem: str
    size: int
    """The size that it cosigned last."""


def add(log: Log, *, url: str, key: str) -> Witness:
    """Ask a witness from the next checkpoint on. Raises BadWitness."""
    try:
        parts, _ = urlsplit(url), urlsplit(url).port
    except ValueError as error:
        raise BadWitness(f"{url!r} is malformed: {error}.") from None
    if not parts.hostname or not url.isascii() or not url.isprintable() or " " in url:
        raise BadWitness(f"{url!r} is malformed. Expected a host, and ASCII without spaces.")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _HERE):
        raise BadWitness(f"{url!r} must begin with https://; http is for this machine.")
    try:
        verifier = note.parse_verifier(key)
    except note.BadKey as error:
        raise BadWitness(str(error)) from None
    if verifier.algorithm != note.COSIGNATURE:
        raise BadWitness("This is not the key of a witness. Expected one that cosigns (type 4).")
    found, _ = Witness.objects.update_or_create(
        log=log, key=note.format_verifier(verifier), defaults={"url": url.rstrip("/")}
    )
    return found


def collect(log: Log, checkpoint: Checkpoint, signed: str) -> list[str]:
    """Return the lines by which the witnesses of a log cosign a checkpoint. What each answered is
    stored with it.
    """
    lines = []
    for witness in Witness.objects.filter(log=log).order_by("pk"):
        asked = _ask(log, witness, checkpoint, signed)
        if asked.line:
            lines.append(asked.line)
            witness.cosigned = datetime.now(UTC)
        witness.size, witness.problem = asked.size, asked.problem
        witness.save(update_fields=["size", "problem", "cosigned"])
    return lines


def _ask(log: Log, witness: Witness, checkpoint: Checkpoint, signed: str) -> Asked:
    """Ask a witness; once more if it has cosigned another size than the one that is known here."""
    old = min(witness.size, checkpoint.size)
    for _ in range(2):
        try:
            status, media, body = post(witness.url, _write(log, old, checkpoint, signed))
        except (OSError, HTTPException, ValueError) as error:
            return Asked("", f"It cannot be reached: {_quote(str(error))}", old)
        if status == 200:
            return _read(witness, body, checkpoint, signed)
        size = parse_size(body.strip()) if status == 409 and media == TREE_SIZE else None
        if size is None:
            return Asked("", f"It answered {status}: {_quote(body.strip())}", old)
        old = size
        if old > checkpoint.size:
            return Asked("", f"It has cosigned {leaves(old)}, but the log has fewer.", old)
    return Asked("", f"It has cosigned another tree of {leaves(old)}.", old)


def _write(log: Log, old: int, checkpoint: Checkpoint, signed: str) -> str:
    new = checkpoint.size
    proof = merkle.prove_consistency(old, new, hashes.reader(log.pk, new)) if old else []
    return format_submission(old, proof, signed)


def _read(witness: Witness, body: str, checkpoint: Checkpoint, signed: str) -> Asked:
    """Return the cosignature of an answer. Those of other keys are ignored."""
    text, verifier = note.split(signed)[0], note.parse_verifier(witness.key)
    for line in body.splitlines():
        try:
            signature = note.parse_line(line)
        except BadNote:
            continue
        if cosignature.verify(text, signature, verifier) is not None:
            return Asked(note.format_line(signature), "", checkpoint.size)
    return Asked("", "Its answer has no valid cosignature.", witness.size)


def _quote(words: str) -> str:
    """Return the beginning of what a witness said, so that it can be stored and shown."""
    return clean(words[:200])
