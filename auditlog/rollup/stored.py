"""Packets read back to be counted: again, or for the first time in English.

The baselines of a packet are those of its page: the JSON that was counted when it was received, and
the English sentence that describes it, in the tokenizer of the log.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from django.db import connection

from auditlog import text
from auditlog.database import damage
from auditlog.log.draft import TOKENIZER
from auditlog.rollup import values
from auditlog.rollup.tally import Group
from cablese import detection, registry, tokens

logger = logging.getLogger(__name__)
READ = 64 * 1024
"""Bytes of the longest packet whose English is counted."""
_READ = f"""\
SELECT leaf, source_id, valid, tokens, tokens_json,
    {{day}}, {{protocol}}, {{dialect}}, {{meaning}}, {{supplied}},
    CASE WHEN length(wire) > {READ} THEN NULL ELSE wire END
FROM auditlog_packet
WHERE log_id = %s AND leaf >= %s AND leaf < %s ORDER BY leaf LIMIT %s"""  # noqa: S608
_DAY = {"sqlite": "substr(received, 1, 10)", "postgresql": "to_char(received, 'YYYY-MM-DD')"}


class Stored(NamedTuple):
    """A packet of a log. Without ``wire``, it is too long to be described."""

    leaf: int
    group: Group
    protocol: str
    dialect: str
    values: values.Values
    valid: bool
    tokens: int
    tokens_json: int | None
    wire: bytes | None


def read(log_id: int, low: int, high: int, limit: int) -> tuple[list[Stored], int]:
    """Return the first packets with ``low <= leaf < high``, and the leaf to continue with.

    A packet that is damaged is left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_format(connection.vendor), (log_id, low, high, limit))
        rows = cursor.fetchall()
    return list(_make(log_id, rows)), rows[-1][0] + 1 if len(rows) == limit else high


@cache
def _format(vendor: str) -> str:
    texts = {name: name for name in ("protocol", "dialect", "meaning", "supplied")}
    texts["day"] = _DAY[vendor]
    form = damage.READABLE[vendor]
    return _READ.format(**{name: form.format(text) for name, text in texts.items()})


def _make(log_id: int, rows: Sequence[tuple[Any, ...]]) -> Iterator[Stored]:
    for leaf, source, valid, *counts, wire in rows:
        *numbers, day, protocol, dialect, meaning, supplied = counts
        try:
            day, protocol, dialect = map(_decode, (day, protocol, dialect))
            count, plain = _check(*numbers)
            group = Group(log_id, str(date.fromisoformat(day)), _check(source)[0])
            stated = values.of_stored(*map(text.from_json, map(_decode, (meaning, supplied))))
            content = None if wire is None else bytes(wire)
        except (TypeError, ValueError, AttributeError):
            logger.error("Leaf %d of the log with ID %d is damaged, and not counted.", leaf, log_id)
            continue
        yield Stored(leaf, group, protocol, dialect, stated, bool(valid), count, plain, content)


def _decode(stored: str | bytes) -> str:
    return stored if isinstance(stored, str) else stored.decode(errors="replace")


def _check(*numbers: Any) -> tuple[Any, ...]:
    """Return numbers. Raises TypeError for a value that is none."""
    if any(not isinstance(number, int | None) for number in numbers):
        raise TypeError
    return numbers


def count_english(packets: Sequence[Stored]) -> list[int | None]:
    """Return the tokens of each packet's English; None for one without any."""
    sentences = [_describe(packet) for packet in packets]
    counts = tokens.count_batch([one for one in sentences if one], TOKENIZER)
    counted = iter([count.count for count in counts])
    return [next(counted) if sentence else None for sentence in sentences]


def _describe(packet: Stored) -> str:
    if packet.wire is None or packet.protocol == detection.UNKNOWN:
        return ""
    try:
        wire = text.from_bytes(packet.wire)
        message = detection.decode(wire, packet.protocol, dialect=packet.dialect)
        sentence = registry.get(message.protocol).sentence(message)
    except Exception as error:  # noqa: BLE001 - no packet may stop the rest
        # The text of the error may quote the packet.
        logger.error(
            "Leaf %d of the log with ID %d cannot be described: %s",
            packet.leaf, packet.group.log_id, type(error).__name__,
        )  # fmt: skip
        return ""
    return str(text.whole(sentence))
