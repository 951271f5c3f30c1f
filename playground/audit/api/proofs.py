"""Proofs of packets. They need a key with the scope read."""

from base64 import b64encode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from ninja import Router

from auditlog.proofs import inclusion
from auditlog.proofs.inclusion import LeafProof
from auditlog.proofs.place import Place
from auditlog.proofs.record import ProofRecord, record
from auditlog.sender import Sender
from auditlog.tree import keys
from cablese.tlog.note import format_verifier
from playground.rest.body import write_json
from playground.rest.keys import Key, find_place, sender
from playground.rest.openapi import described
from playground.rest.problems import NotYet, Problem

router = Router(tags=["Log"], auth=Key())

JSON, PROOF, COSE = "application/json", "text/plain", "application/cose"


class PacketProof(Struct, frozen=True):
    """The proof that the leaf of a packet is in its log.

    ``leaf_bytes`` are the bytes of the leaf and ``cose`` is the same proof as a COSE receipt, both
    in base64. ``cose`` is null if this server cannot sign it. ``keys`` are the public keys of the
    log, as this server knows them; get them from somewhere else to verify more than this server.
    """

    packet: str
    log: str
    erased: bool
    leaf_bytes: str
    proof: ProofRecord
    cose: str | None
    keys: tuple[str, ...]


@router.get(
    "/packets/{uid:uid}/proof",
    summary="Get the proof of a packet",
    openapi_extra=described(
        answer=PacketProof, also=PROOF, binary=COSE, problems=(401, 403, 404, 503)
    ),
)
def get_proof(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Return the proof that the packet's leaf is in its log, at the first signed checkpoint that
    covers it: with `Accept: text/plain` as a C2SP tlog-proof file, and with `Accept:
    application/cose` as a COSE receipt. An erased packet has a proof too. A new packet is usually
    covered within 10 s; until then, the response is 503. With a key that also has the scope admin,
    a checkpoint is signed at once.
    """
    by = sender(request, "read")
    found = find_place(by, str(uid))
    try:
        proof = _prove(by, found)
        answer = _write(request, str(uid), found, proof)
    except inclusion.NotYetSigned as reason:
        raise NotYet(str(reason), "/id", wait=inclusion.SOON) from None
    except inclusion.Unproven as reason:
        wait = str(inclusion.SOON)
        raise Problem(503, str(reason), "/id").with_headers(Retry_After=wait) from None
    answer.headers["Vary"] = "Accept"
    return answer


def _prove(by: Sender, found: Place) -> LeafProof:
    prove = inclusion.prove_now if "admin" in by.scopes else inclusion.prove
    return prove(found.log, found.leaf)


def _write(request: HttpRequest, uid: str, found: Place, proof: LeafProof) -> HttpResponse:
    """Return the form that the client prefers. Raises inclusion.NotSigned."""
    form = request.get_preferred_type([JSON, PROOF, COSE])
    if form == PROOF:
        text = inclusion.write_file(proof)
        return HttpResponse(text, content_type=f"{PROOF}; charset=utf-8")
    if form == COSE:
        return HttpResponse(inclusion.write_receipt(proof), content_type=COSE)
    return write_json(_describe(uid, found, proof))


def _describe(uid: str, found: Place, proof: LeafProof) -> PacketProof:
    try:
        cose = b64encode(inclusion.write_receipt(proof)).decode()
    except inclusion.NotSigned:
        cose = None
    return PacketProof(
        packet=uid,
        log=found.log.slug,
        erased=found.erased,
        leaf_bytes=b64encode(proof.leaf).decode(),
        proof=record(proof),
        cose=cose,
        keys=tuple(map(format_verifier, keys.verifiers(found.log))),
    )
