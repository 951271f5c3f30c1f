"""Erase a packet. Every operation requires a key with the scope admin."""

from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from msgspec import Meta, Struct
from ninja import Router

from auditlog.erasure import erase, find, purging
from auditlog.erasure.erase import REASON_LIMIT, BadErasure, BadReason, By, Order
from auditlog.erasure.find import ErasedPacket
from playground.erasure.forms import FIELD_LIMIT
from playground.http import security_events
from playground.rest.body import read_json, write_json
from playground.rest.keys import Key, find_place, sender
from playground.rest.openapi import described
from playground.rest.problems import Problem

router = Router(tags=["Log"], auth=Key())


class EraseRequest(Struct, forbid_unknown_fields=True):
    """Why, and what. Without a ``field``, it is the whole packet."""

    reason: Annotated[str, Meta(min_length=1, max_length=REASON_LIMIT)]
    field: (
        Annotated[
            str,
            Meta(
                max_length=FIELD_LIMIT,
                description="A field of the message as decoding names it, such as to; or of the "
                "metadata, such as metadata.to or metadata.attributes.user. content is the content "
                "of the task. Its text is removed wherever the packet has it.",
            ),
        ]
        | None
    ) = None
    keep_notes: bool = False


@router.post(
    "/packets/{uid:uid}/erase",
    summary="Erase a packet",
    openapi_extra=described(
        body=EraseRequest,
        answer=ErasedPacket,
        statuses=(200,),
        problems=(400, 401, 403, 404, 413, 422, 503),
    ),
)
def erase_packet(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Erase the content of a packet, or one ``field`` of it. Its leaf stays, so receipts and proofs
    still verify, and a redaction leaf commits to the reason and to who erased it. After a field was
    erased, a redacted copy is left, which nothing proves; erasing the whole packet deletes it.
    Erasing again changes nothing. Notes of its review are erased too, unless ``keep_notes`` is
    true. Backups contain the packet until you delete them. Requires the scope admin.
    """
    by = sender(request, "admin")
    body = read_json(request, EraseRequest)
    log, leaf, _ = find_place(by, str(uid))
    order = Order(By(by.source, by.user_id, by.key_id), body.reason, body.field or "")
    try:
        made = erase.erase(log=log, leaves=[leaf], order=order._replace(notes=not body.keep_notes))
    except BadErasure as bad:
        pointer = "/reason" if isinstance(bad, BadReason) else "/field"
        raise Problem(422, str(bad), pointer) from None
    if made:
        purging.start_later()
        security_events.erase(request, log=log.slug, packets=len(made))
    return write_json(find.read(find.find_of(log.pk, leaf)))
