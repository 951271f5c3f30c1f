"""The messages of a text that a query finds, in the language of the trail."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from auditlog.ingest import zones
from auditlog.ingest.logged import to_item
from auditlog.log.draft import collect_supplied
from auditlog.search import terms
from auditlog.search.language import columns, evaluate
from auditlog.search.query import QueryError
from cablese import detection, registry, tokens
from cablese.message import Message
from cablese.transcript import Cut

SHOWN = 100


@dataclass(frozen=True)
class Finding:
    """What a query found: the number of messages, the first of them with their numbers from 1, and
    the error of an invalid query.
    """

    query: str
    total: int = 0
    shown: tuple[tuple[int, Message], ...] = ()
    error: QueryError | None = None

    @property
    def left(self) -> int:
        return self.total - len(self.shown)

    @property
    def parts(self) -> tuple[str, str, str]:
        """The query before, at, and after the place of its error."""
        assert self.error is not None
        return self.error.cut(self.query)


def find(query: str, cuts: Sequence[Cut], messages: Sequence[Message], tokenizer: str) -> Finding:
    """Return the messages that a query finds."""
    now = datetime.now(UTC)
    counts = tokens.count_batch([message.wire for message in messages], tokenizer)
    indexed = [
        (message.protocol, _terms(cut, message, count.count, now))
        for cut, message, count in zip(cuts, messages, counts, strict=True)
    ]
    try:
        found = evaluate.find(query, indexed, now=now)
    except QueryError as error:
        return Finding(query, error=error)
    return Finding(query, len(found), tuple((at + 1, messages[at]) for at in found[:SHOWN]))


def _terms(cut: Cut, message: Message, count: int, now: datetime) -> terms.Terms:
    """Return the terms of a message, as a log that stores it would index them."""
    item = to_item(cut, received=now, zone=zones.UTC)
    known = message.protocol != detection.UNKNOWN
    return terms.stream(
        log="",
        protocol=message.protocol,
        valid=message.valid,
        wire=message.wire,
        fields=terms.find_fields(message),
        meaning=registry.get(message.protocol).meaning(message) if known else None,
        supplied=collect_supplied(item),
        columns=columns.write(count, item, message.diagnostics),
    )
