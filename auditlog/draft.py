"""A packet made ready to be written: everything that does not depend on its place in the log.

Drafts are made where the request is answered, many at a time and beside other requests, so that the one writer has
little left to do. Tokens are counted in one call for all of them.
"""

import json
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NoReturn

import msgspec
from django.db import connection
from msgspec import Struct, structs

from auditlog import leaf, text, tokens, uuid7
from auditlog.access import Sender
from auditlog.ingest.item import Item, Refusal, Refused
from auditlog.search import terms
from auditlog.search.terms import Terms
from protocols import detect, registry
from protocols.message import Message

TOKENIZER = "o200k_base"
BASELINE = 1
"""Version of the JSON baseline (PROTOCOLS, `plain`) that stored counts belong to."""
DEFAULT_LOG = "default"
AUTO = "auto"

_SUPPLIED = (("goal", "goal"), ("task", "task"), ("from", "from_"), ("to", "to"), ("thread", "thread"))
_NOTHING = "{}"


class Draft(Struct, frozen=True, gc=False):
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
    terms: Terms
    log: str
    """The slug, which the leaf spells."""


class _Read(Struct, frozen=True, gc=False):
    """What the protocols say about one item."""

    item: Item
    log_id: int
    log: str
    message: Message
    valid: bool
    wire: bytes
    canonical: str | None
    meaning: str
    supplied: str
    plain: str | None
    terms: Terms


def make(items: Sequence[Item | Refusal], *, sender: Sender, strict: bool = False) -> list[Draft | Refusal]:
    """Decode items and make a draft of each, or say why one is refused; in order. What is refused already stays so.

    With `strict` an invalid message is refused, otherwise it is kept and marked. Never raises on what an item holds.
    """
    received = datetime.now(UTC)
    logs = _logs({item.log for item in items if isinstance(item, Item) and item.log} | {sender.log or DEFAULT_LOG})
    made = [_read(item, sender, logs, strict=strict) if isinstance(item, Item) else item for item in items]
    kept = [one for one in made if isinstance(one, _Read)]
    counts = iter(_count(kept))
    uids = iter(uuid7.new_ids(received, len(kept)))
    seeds = _seeds(len(kept))
    return [
        _draft(one, sender, received, next(uids), next(seeds), next(counts)) if isinstance(one, _Read) else one
        for one in made
    ]


def _seeds(number: int) -> Iterator[bytes]:
    drawn = os.urandom(32 * number)
    return (drawn[at : at + 32] for at in range(0, len(drawn), 32))


def _logs(slugs: set[str]) -> dict[str, int]:
    with connection.cursor() as cursor:
        places = ", ".join(["%s"] * len(slugs))
        cursor.execute(f"SELECT slug, id FROM auditlog_log WHERE slug IN ({places})", tuple(slugs))  # noqa: S608
        return dict(cursor.fetchall())


def _read(item: Item, sender: Sender, logs: dict[str, int], *, strict: bool) -> _Read | Refusal:
    log = item.log or sender.log or DEFAULT_LOG
    try:
        _check_log(log, sender, logs)
        message = _decode(item)
        valid = message.valid
        if strict and not valid:
            _refuse(message)
    except Refused as refused:
        return structs.replace(refused.refusal, event_id=item.event_id)
    codec = None if message.protocol == detect.UNKNOWN else registry.get(message.protocol)
    meaning = codec.meaning(message) if codec else None
    supplied = _supplied(item)
    return _Read(
        item,
        logs[log],
        log,
        message,
        valid,
        text.to_bytes(item.wire),
        codec.canonical(message) if codec and valid else None,
        _canonical(meaning) if meaning else _NOTHING,
        _canonical(supplied) if supplied else _NOTHING,
        _minified(codec.plain(message)) if codec and valid else None,
        terms.stream(
            log=log,
            protocol=message.protocol,
            valid=valid,
            wire=item.wire,
            fields=_fields(message),
            meaning=meaning,
            supplied=supplied if item.content is None else supplied | {"content": item.content},
            source=sender.source,
        ),
    )


def _check_log(log: str, sender: Sender, logs: dict[str, int]) -> None:
    if sender.log not in (None, log):
        raise Refused(f'This key writes to the log "{sender.log}" only.', "/log")
    if log not in logs:
        raise Refused(f'There is no log "{log}".', "/log")


def _refuse(message: Message) -> NoReturn:
    first = next(found for found in message.diagnostics if found.severity == "error")
    raise Refused(f"The message is invalid: {first.message}", "/wire")


def _fields(message: Message) -> list[tuple[str, str]]:
    """What the wire holds, to be found by: when something is amiss, also what is in no value."""
    if message.diagnostics:
        return [(field.name, field.value) for field in message.fields]
    return terms.flatten(message.values)


def _decode(item: Item) -> Message:
    protocol = None if item.protocol == AUTO else item.protocol
    try:
        if item.dialect is None:
            return detect.decode(item.wire, protocol)
        name = protocol or detect.first(item.wire) or detect.UNKNOWN
        dialects = registry.get(name).dialects if name != detect.UNKNOWN else ()
    except registry.UnknownProtocol as unknown:
        raise Refused(str(unknown), "/protocol") from None
    if item.dialect not in dialects:
        there_are = f"there are {', '.join(dialects)}" if dialects else "it has none"
        raise Refused(f'"{item.dialect}" is no dialect of {name}; {there_are}.', "/dialect")
    return detect.decode(item.wire, name, dialect=item.dialect)


def _supplied(item: Item) -> dict[str, Any]:
    """What stands beside the wire, apart from the content and the sender's time, which have columns of their own."""
    given: dict[str, Any] = {}
    for name, attribute in _SUPPLIED:
        value = getattr(item, attribute)
        if value is not None:
            given[name] = str(value)
    if item.tags:
        given["tags"] = item.tags
    return given


def _count(read: Sequence[_Read]) -> list[tuple[int, int | None]]:
    """Tokens of each wire and of its JSON baseline, where there is one."""
    texts = [one.item.wire for one in read] + [one.plain for one in read if one.plain is not None]
    counted = [count.count for count in tokens.count_batch(texts, TOKENIZER)]
    baselines = iter(counted[len(read) :])
    return [(counted[at], None if one.plain is None else next(baselines)) for at, one in enumerate(read)]


def _draft(
    read: _Read, sender: Sender, received: datetime, uid: str, seed: bytes, counts: tuple[int, int | None]
) -> Draft:
    item, message = read.item, read.message
    content = None if item.content is None else item.content.encode()
    facts = leaf.facts_bytes(supplied=read.supplied, sent_at=item.sent_at, content=content, meaning=read.meaning)
    return Draft(
        uid,
        read.log_id,
        received,
        item.sent_at,
        message.protocol,
        message.dialect,
        read.wire,
        None if read.canonical is None else read.canonical.encode(),
        read.valid,
        _canonical_list(message.diagnostics),
        read.meaning,
        read.supplied,
        content,
        sender.source_id,
        sender.key_id,
        sender.user_id,
        item.event_id,
        *counts,
        seed,
        leaf.commit_packet(seed, raw=read.wire, index=facts, event=item.event_id),
        read.terms,
        read.log,
    )


def _canonical(value: object) -> str:
    try:
        return leaf.canonical(value).decode()
    except UnicodeEncodeError:
        return leaf.canonical(text.whole(msgspec.to_builtins(value))).decode()


def _canonical_list(diagnostics: tuple[object, ...]) -> str:
    """Diagnostics as the API answers them, keys in the order it documents."""
    if not diagnostics:
        return "[]"
    try:
        return msgspec.json.encode(diagnostics).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(text.whole(msgspec.to_builtins(diagnostics))).decode()


def _minified(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
