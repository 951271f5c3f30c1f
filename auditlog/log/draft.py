"""A packet made ready to be written: everything that does not depend on its place in the log.

Drafts are made where the request is answered, many at a time and beside other requests, so that the
one writer has little left to do. Tokens are counted in one call for all of them.
"""

import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db import connection

from auditlog import baseline, text
from auditlog.access import Sender
from auditlog.continuity import clock
from auditlog.ingest.item import AUTO, Item, Refusal, Refused
from auditlog.log import leaf, log_end, uuid7
from auditlog.search import index, terms
from cablese import detection, registry, tokens
from cablese.codec import Codec
from cablese.meaning import Meaning
from cablese.message import Message

TOKENIZER = "o200k_base"
DEFAULT_LOG = "default"

_SUPPLIED = (
    ("goal", "goal"), ("task", "task"), ("from", "from_"), ("to", "to"), ("thread", "thread"),
    ("sent_text", "sent_text"), ("sent_zone", "sent_zone"),
)  # fmt: skip
_NOTHING = "{}"
_SEED = 32
Known = dict[tuple[str | None, str], Message]
"""Messages by the protocol that was asked for and the wire, each in the dialect that its wire
gives.
"""


class Draft(msgspec.Struct, frozen=True, gc=False):
    """A packet without its place in the log. Columns are named as `Packet` names them."""

    uid: str
    log_id: int
    received: datetime
    sent_at: str | None
    protocol: str
    dialect: str
    wire: bytes
    canonical: bytes | None
    valid: bool
    diagnostics: str
    meaning: str
    supplied: str
    content: bytes | None
    source_id: int
    key_id: str | None
    user_id: int | None
    event_id: str | None
    tokens: int
    tokens_json: int | None
    seed: bytes
    commit: str
    terms: terms.Terms
    same: str
    """What packets of a log with the same wire share, see `search.index`."""
    log: str
    """The slug, which the leaf spells."""
    tokenizer: str = TOKENIZER
    baseline_version: int = baseline.VERSION


class _Read(NamedTuple):
    """An item that is kept: where, and what its wire says. `codec` is None when no protocol claims
    it.
    """

    item: Item
    log: str
    log_id: int
    message: Message
    codec: Codec | None


def make(
    items: Sequence[Item | Refusal],
    *,
    sender: Sender,
    strict: bool = False,
    known: Known | None = None,
) -> list[Draft | Refusal]:
    """Decode items and make a draft of each, or say why one is refused; in order. What is refused
    already stays so.

    With `strict` an invalid message is refused, otherwise it is kept and marked. Never raises on
    what an item holds. Messages that are `known` are not decoded again, and the others are added to
    them. Raises clock.Behind.
    """
    received = clock.read()
    known = {} if known is None else known
    logs = _logs(
        {item.log or sender.log or DEFAULT_LOG for item in items if isinstance(item, Item)}
    )
    read = [
        _read(item, sender, logs, known, strict=strict) if isinstance(item, Item) else item
        for item in items
    ]
    drafts = iter(_drafts([one for one in read if isinstance(one, _Read)], sender, received))
    return [next(drafts) if isinstance(one, _Read) else one for one in read]


def _logs(slugs: set[str]) -> dict[str, int]:
    """The ids of these logs, as far as they exist. Raises clock.Behind."""
    if not slugs:
        return {}
    with connection.cursor() as cursor:
        places = ", ".join(["%s"] * len(slugs))
        cursor.execute(
            "SELECT slug, id, received, behind FROM auditlog_log"  # noqa: S608
            f" WHERE slug IN ({places})",
            tuple(slugs),
        )
        found = cursor.fetchall()
    log_end.check(
        {
            one: (slug, log_end.moment(newest), log_end.moment(behind))
            for slug, one, newest, behind in found
        }
    )
    return {slug: one for slug, one, _, _ in found}


def _read(
    item: Item, sender: Sender, logs: dict[str, int], known: Known, *, strict: bool
) -> _Read | Refusal:
    try:
        log = _address(item, sender, logs)
        message = decode_once(item, known, strict=strict)
    except Refused as refused:
        return msgspec.structs.replace(refused.refusal, event_id=item.event_id)
    codec = None if message.protocol == detection.UNKNOWN else registry.get(message.protocol)
    return _Read(item, log, logs[log], message, codec)


def _address(item: Item, sender: Sender, logs: dict[str, int]) -> str:
    """The log that an item goes to. Raises Refused."""
    log = item.log or sender.log or DEFAULT_LOG
    if sender.log not in (None, log):
        raise Refused(f'This key can only write to the log "{sender.log}".', "/log")
    if log not in logs:
        raise Refused(f'Unknown log "{log}".', "/log")
    return log


def _fields(message: Message) -> list[tuple[str, str]]:
    """What the wire holds, to be found by: when something is amiss, also what is in no value."""
    if message.diagnostics:
        return [(field.name, field.value) for field in message.fields]
    return terms.flatten(message.values)


def decode_once(item: Item, known: Known, *, strict: bool) -> Message:
    """As `decode`. Messages of a log repeat, and equal ones are decoded once."""
    if item.dialect is not None:
        return decode(item, strict=strict)
    same = (item.protocol, item.wire)
    message = known.get(same)
    if message is None or (strict and not message.valid):
        message = known[same] = decode(item, strict=strict)
    return message


def decode(item: Item, *, strict: bool = False) -> Message:
    """What the wire says. Raises Refused for a protocol or dialect that is none; with `strict`,
    when it is invalid.
    """
    protocol = None if item.protocol == AUTO else item.protocol
    try:
        if item.dialect is not None:
            protocol = protocol or detection.first(item.wire) or detection.UNKNOWN
            if protocol == detection.UNKNOWN:
                raise Refused(
                    f'No protocol detected, so the dialect "{item.dialect}" cannot apply.',
                    "/dialect",
                )
        message = detection.decode(item.wire, protocol, dialect=item.dialect)
    except registry.UnknownProtocol as unknown:
        raise Refused(str(unknown), "/protocol") from None
    except registry.UnknownDialect as unknown:
        raise Refused(str(unknown), "/dialect") from None
    if strict and not message.valid:
        first = next(found for found in message.diagnostics if found.severity == "error")
        raise Refused(f"The message is invalid: {first.message}", "/wire")
    return message


def collect_supplied(item: Item) -> dict[str, Any]:
    """Return the metadata of an item, without the content and the sender's time, which have their
    own columns.
    """
    given: dict[str, Any] = {}
    for name, attribute in _SUPPLIED:
        value = getattr(item, attribute)
        if value is not None:
            given[name] = str(value)
    if item.tags:
        given["tags"] = item.tags
    if item.attributes:
        given["attributes"] = item.attributes
    if item.from_line:
        given["from_line"] = sorted(set(item.from_line))
    return given


def _drafts(read: Sequence[_Read], sender: Sender, received: datetime) -> list[Draft]:
    # Step by step for all packets: each step's code stays near the processor, and saves a fifth.
    valid = [one.message.valid for one in read]
    canonical = _make_canonical(read, valid)
    meaning = [one.codec.meaning(one.message) if one.codec else None for one in read]
    meant = [text.to_json(one, leaf.canonical) if one else _NOTHING for one in meaning]
    given = [collect_supplied(one.item) for one in read]
    supplied = [_canonical_facts(one) if one else _NOTHING for one in given]
    counts = _count(read)
    found = _find_terms(read, valid, meaning, given, sender.source)
    wires = [text.to_bytes(one.item.wire) for one in read]
    contents = [None if one.item.content is None else one.item.content.encode() for one in read]
    seeds = _draw_seeds(len(read))
    commits = _commit(read, seeds, wires, supplied, contents, meant)
    uids = uuid7.new_ids(received, len(read))
    return [
        Draft(
            uid=uids[at],
            log_id=one.log_id,
            received=received,
            sent_at=one.item.sent_at,
            protocol=one.message.protocol,
            dialect=one.message.dialect,
            wire=wires[at],
            canonical=canonical[at],
            valid=valid[at],
            diagnostics=text.to_json(one.message.diagnostics) if one.message.diagnostics else "[]",
            meaning=meant[at],
            supplied=supplied[at],
            content=contents[at],
            source_id=sender.source_id,
            key_id=sender.key_id,
            user_id=sender.user_id,
            event_id=one.item.event_id,
            tokens=counts[at][0],
            tokens_json=counts[at][1],
            seed=seeds[at],
            commit=commits[at],
            terms=found[at],
            same=index.same(one.log_id, wires[at]),
            log=one.log,
        )
        for at, one in enumerate(read)
    ]


def _make_canonical(read: Sequence[_Read], valid: Sequence[bool]) -> list[bytes | None]:
    written = (
        one.codec.canonical(one.message) if one.codec and ok else None
        for one, ok in zip(read, valid, strict=True)
    )
    return [None if one is None else one.encode() for one in written]


def _draw_seeds(number: int) -> list[bytes]:
    drawn = os.urandom(_SEED * number)
    return [drawn[at : at + _SEED] for at in range(0, len(drawn), _SEED)]


def _find_terms(
    read: Sequence[_Read],
    valid: Sequence[bool],
    meaning: Sequence[Meaning | None],
    given: Sequence[dict[str, Any]],
    source: str,
) -> list[terms.Terms]:
    return [
        terms.stream(
            log=one.log,
            protocol=one.message.protocol,
            valid=ok,
            wire=one.item.wire,
            fields=_fields(one.message),
            meaning=means,
            supplied=beside if one.item.content is None else beside | {"content": one.item.content},
            source=source,
        )
        for one, ok, means, beside in zip(read, valid, meaning, given, strict=True)
    ]


def _commit(
    read: Sequence[_Read],
    seeds: Sequence[bytes],
    wires: Sequence[bytes],
    supplied: Sequence[str],
    contents: Sequence[bytes | None],
    meant: Sequence[str],
) -> list[str]:
    return [
        leaf.commit_packet(
            seed,
            raw=wire,
            index=leaf.facts_bytes(
                supplied=beside, sent_at=one.item.sent_at, content=content, meaning=means
            ),
            event=one.item.event_id,
        )
        for one, seed, wire, beside, content, means in zip(
            read, seeds, wires, supplied, contents, meant, strict=True
        )
    ]


def _count(read: Sequence[_Read]) -> list[tuple[int, int | None]]:
    """Tokens of each wire and of its JSON baseline, which there is when anything was read; in one
    call for all.
    """
    plains = [baseline.write(one.message) for one in read]
    texts = [one.item.wire for one in read] + [plain for plain in plains if plain is not None]
    numbers = [count.count for count in tokens.count_batch(texts, TOKENIZER)]
    baselines = iter(numbers[len(read) :])
    return [
        (numbers[at], None if plain is None else next(baselines)) for at, plain in enumerate(plains)
    ]


def _canonical_facts(given: dict[str, Any]) -> str:
    return (
        leaf.canonical_json(given).decode()
        if "attributes" in given
        else text.to_json(given, leaf.canonical)
    )
