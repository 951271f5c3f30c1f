"""A packet made ready to be written: everything that does not depend on its place in the log.

Drafts are made many at a time, so that the one writer has little left to do. Tokens are counted in
one call. This needs no database, no settings, and no Django, so a helper process can do it.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from auditlog import baseline, text
from auditlog.ingest.item import AUTO, Item, Refusal, Refused
from auditlog.log import leaf, uuid7
from auditlog.rollup import values
from auditlog.search import terms
from auditlog.search.language import columns
from auditlog.sender import Sender
from cablese import codec as codecs
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
_TERMS_VERSION = terms.VERSION
_SEED = 32
Known = dict[tuple[str | None, str], Message]
"""Messages by the protocol that was asked for and the wire, each in the dialect that its wire
gives.
"""


class Draft(msgspec.Struct, frozen=True, gc=False, array_like=True):
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
    commit: bytes
    terms: terms.Terms
    same: str
    """What packets of a log with the same wire share, see `terms.same`."""
    log: str
    """The slug, which the leaf spells."""
    counted: values.Values = values.NOTHING
    tokenizer: str = TOKENIZER
    baseline_version: int = baseline.VERSION
    codec_version: int = codecs.VERSION
    terms_version: int = _TERMS_VERSION


class Submission(NamedTuple):
    """Items that one sender sends. With `strict`, an invalid message is refused, otherwise it is
    kept and marked. What is refused already stays so.
    """

    items: Sequence[Item | Refusal]
    sender: Sender
    strict: bool = False

    @property
    def logs(self) -> set[str]:
        """The logs that the items name."""
        return {_name_log(item, self.sender) for item in self.items if isinstance(item, Item)}


class _Read(NamedTuple):
    """An item that is kept: where, and what its wire says. Text of no protocol has no `codec`."""

    item: Item
    sender: Sender
    log: str
    log_id: int
    message: Message
    codec: Codec | None


def make(
    submission: Submission,
    *,
    received: datetime,
    logs: Mapping[str, int],
    known: Known | None = None,
) -> list[Draft | Refusal]:
    """Return a draft of each item, or why it is refused; in order. See `make_group`."""
    (made,) = make_group([submission], received=received, logs=logs, known=known)
    return made


def make_group(
    submissions: Sequence[Submission],
    *,
    received: datetime,
    logs: Mapping[str, int],
    known: Known | None = None,
) -> list[list[Draft | Refusal]]:
    """Decode the items of several requests in one go. Return what `make` returns of each.

    `received` is the time of the clock, and `logs` has the IDs of the logs that exist, see
    `log_end.find`. Messages that are `known` are not decoded again, and the others are added to
    them. Never raises on what an item holds.
    """
    known = {} if known is None else known
    read = [
        [_read(item, each, logs, known) if isinstance(item, Item) else item for item in each.items]
        for each in submissions
    ]
    accepted = [one for each in read for one in each if isinstance(one, _Read)]
    drafts = iter(_drafts(accepted, received))
    return [[next(drafts) if isinstance(one, _Read) else one for one in each] for each in read]


def _read(
    item: Item, submission: Submission, logs: Mapping[str, int], known: Known
) -> _Read | Refusal:
    sender = submission.sender
    try:
        log = _address(item, sender, logs)
        message = decode_once(item, known, strict=submission.strict)
    except Refused as refused:
        return msgspec.structs.replace(refused.refusal, event_id=item.event_id)
    codec = None if message.protocol == detection.UNKNOWN else registry.get(message.protocol)
    return _Read(item, sender, log, logs[log], message, codec)


def _name_log(item: Item, sender: Sender) -> str:
    return item.log or sender.log or DEFAULT_LOG


def _address(item: Item, sender: Sender, logs: Mapping[str, int]) -> str:
    """The log that an item goes to. Raises Refused."""
    log = _name_log(item, sender)
    if sender.log not in (None, log):
        raise Refused(f'This key can only write to the log "{sender.log}".', "/log")
    if log not in logs:
        raise Refused(f'Unknown log "{log}".', "/log")
    return log


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
    """Return the metadata of an item, without content and time, which have their own columns."""
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


def _drafts(read: Sequence[_Read], received: datetime) -> list[Draft]:
    # Step by step for all packets: each step's code stays near the processor, and saves a fifth.
    valid = [one.message.valid for one in read]
    canonical = _make_canonical(read, valid)
    diagnostics = [write_diagnostics(one.message) for one in read]
    meaning = [one.codec.meaning(one.message) if one.codec else None for one in read]
    meaning_json = [text.to_json(one, leaf.canonical) if one else _NOTHING for one in meaning]
    given = [collect_supplied(one.item) for one in read]
    supplied = [_canonical_facts(one) if one else _NOTHING for one in given]
    counts = _count(read)
    # As stored: with the order and the numbers of RFC 8785.
    stated = [
        text.from_json(supplied[at]) if "attributes" in one else one for at, one in enumerate(given)
    ]
    found = _find_terms(read, valid, meaning, stated, [count for count, _ in counts])
    wires = [text.to_bytes(one.item.wire) for one in read]
    contents = [_encode(one.item.content) for one in read]
    seeds = _draw_seeds(len(read))
    uids = uuid7.new_ids(received, len(read))
    facts = _write_facts(read, supplied, contents, meaning_json)
    readings = _write_readings(read, valid, canonical, diagnostics, counts, uids)
    commits = _commit(read, seeds, wires, facts, readings)
    return [
        Draft(
            uid=uids[at],
            log_id=one.log_id,
            received=received,
            sent_at=one.item.sent_at,
            protocol=one.message.protocol,
            dialect=one.message.dialect,
            wire=wires[at],
            canonical=_encode(canonical[at]),
            valid=valid[at],
            diagnostics=diagnostics[at],
            meaning=meaning_json[at],
            supplied=supplied[at],
            content=contents[at],
            source_id=one.sender.source_id,
            key_id=one.sender.key_id,
            user_id=one.sender.user_id,
            event_id=one.item.event_id,
            tokens=counts[at][0],
            tokens_json=counts[at][1],
            seed=seeds[at],
            commit=commits[at],
            terms=found[at],
            same=terms.same(one.log_id, wires[at]),
            log=one.log,
            counted=values.of_draft(meaning[at], given[at]),
        )
        for at, one in enumerate(read)
    ]


def _make_canonical(read: Sequence[_Read], valid: Sequence[bool]) -> list[str | None]:
    return [
        omit_same(one.codec.canonical(one.message), one.item.wire) if one.codec and ok else None
        for one, ok in zip(read, valid, strict=True)
    ]


def omit_same(canonical: str | None, wire: str) -> str | None:
    """Return the canonical form as it is stored: empty if the wire has it, as most have."""
    return "" if canonical == wire else canonical


def _encode(value: str | None) -> bytes | None:
    return None if value is None else value.encode()


def write_diagnostics(message: Message) -> str:
    """Return the diagnostics of a message as JSON."""
    return text.to_json(message.diagnostics) if message.diagnostics else "[]"


def _draw_seeds(number: int) -> list[bytes]:
    drawn = os.urandom(_SEED * number)
    return [drawn[at : at + _SEED] for at in range(0, len(drawn), _SEED)]


def _find_terms(
    read: Sequence[_Read],
    valid: Sequence[bool],
    meaning: Sequence[Meaning | None],
    given: Sequence[dict[str, Any]],
    counts: Sequence[int],
) -> list[terms.Terms]:
    return [
        terms.stream(
            log=one.log,
            protocol=one.message.protocol,
            valid=ok,
            wire=one.item.wire,
            fields=terms.find_fields(one.message),
            meaning=means,
            supplied=facts if one.item.content is None else facts | {"content": one.item.content},
            source=one.sender.source,
            columns=columns.write(count, one.item, one.message.diagnostics),
        )
        for one, ok, means, facts, count in zip(read, valid, meaning, given, counts, strict=True)
    ]


def _write_facts(
    read: Sequence[_Read],
    supplied: Sequence[str],
    contents: Sequence[bytes | None],
    meaning_json: Sequence[str],
) -> list[bytes]:
    return [
        leaf.facts_bytes(supplied=facts, sent_at=one.item.sent_at, content=content, meaning=means)
        for one, facts, content, means in zip(read, supplied, contents, meaning_json, strict=True)
    ]


def _write_readings(
    read: Sequence[_Read],
    valid: Sequence[bool],
    canonical: Sequence[str | None],
    diagnostics: Sequence[str],
    counts: Sequence[tuple[int, int | None]],
    uids: Sequence[str],
) -> list[bytes]:
    return [
        leaf.reading_bytes(
            leaf.Reading(
                baseline_version=baseline.VERSION,
                canonical=canonical[at],
                codec_version=codecs.VERSION,
                diagnostics=diagnostics[at],
                protocol=one.message.protocol,
                tokenizer=TOKENIZER,
                tokens=counts[at][0],
                tokens_json=counts[at][1],
                uid=uids[at],
                valid=valid[at],
            )
        )
        for at, one in enumerate(read)
    ]


def _commit(
    read: Sequence[_Read],
    seeds: Sequence[bytes],
    wires: Sequence[bytes],
    facts: Sequence[bytes],
    readings: Sequence[bytes],
) -> list[bytes]:
    return [
        leaf.commit_packet(
            seed,
            by=leaf.by_bytes(
                key=one.sender.key_id, person=one.sender.user_id, source=one.sender.source
            ),
            event=one.item.event_id,
            index=index,
            raw=wire,
            reading=reading,
        )
        for one, seed, wire, index, reading in zip(read, seeds, wires, facts, readings, strict=True)
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
