"""Likely originals of the columns of a packet that its leaf does not match.

A packet's wire can be read again, and keys and persons can be listed. What was supplied with the
wire is nowhere else, so that the only likely original is that there was none.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.contrib.auth import get_user_model

from auditlog import baseline, text
from auditlog.integrity.openings import COVERED, Columns
from auditlog.log import draft, leaf
from auditlog.models import ApiKey
from cablese import codec, detection, registry, tokens

TRIED = 20_000
"""Originals of a commitment."""
NOTHING = {"supplied": "{}", "content": None, "sent_at": None}


def read_again(columns: Columns, dialect: str) -> dict[str, Any]:
    """Return the columns that are made from a wire, as they are made today; nothing if the dialect
    of the leaf no longer exists.
    """
    protocol = dialect.partition("/")[0]
    wire = text.from_bytes(bytes(columns["wire"]))
    try:
        message = detection.decode(wire, protocol, dialect=dialect)
    except (registry.UnknownProtocol, registry.UnknownDialect):
        return {}
    reader = None if protocol == detection.UNKNOWN else registry.get(protocol)
    canonical = None
    if reader and message.valid:
        canonical = draft.omit_same(reader.canonical(message), wire)
    meaning = reader.meaning(message) if reader else None
    plain = baseline.write(message)
    return {
        "meaning": text.to_json(meaning, leaf.canonical) if meaning else "{}",
        "valid": message.valid,
        "diagnostics": draft.write_diagnostics(message),
        "canonical": None if canonical is None else canonical.encode(),
        "tokens": tokens.count(wire, draft.TOKENIZER).count,
        "tokens_json": None if plain is None else tokens.count(plain, draft.TOKENIZER).count,
        "tokenizer": draft.TOKENIZER,
        "baseline_version": baseline.VERSION,
        "codec_version": codec.VERSION,
        "protocol": protocol,
    }


def list_originals(field: str, again: Columns) -> list[dict[str, Any]]:
    """Return likely originals of some of the columns that a commitment covers, at most `TRIED`.

    `again` is what `read_again` returned.
    """
    if field == "by":
        return list(islice(_list_senders(), TRIED))
    made = {name: again[name] for name in COVERED[field] if name in again}
    absent = {name: NOTHING[name] for name in COVERED[field] if name in NOTHING}
    alone = [{name: value} for name, value in (made | absent).items()]
    return [made, *alone] if made else alone


def _list_senders() -> Iterator[dict[str, Any]]:
    """Yield other keys and persons, first alone and then in pairs."""
    keys = [None, *ApiKey.objects.values_list("pk", flat=True)]
    people = [None, *get_user_model().objects.values_list("pk", flat=True)]
    yield from ({"key_id": key} for key in keys)
    yield from ({"user_id": person} for person in people)
    yield from ({"key_id": key, "user_id": person} for key in keys for person in people)
