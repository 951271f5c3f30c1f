"""A message that was pasted where a query is expected, and queries that find it.

    REQ/TSK|g=42,t=1,@=auth_refactor

gives ``proto:nslip "REQ/TSK|g=42,t=1,@=auth_refactor"``, which finds packets with the same words,
and ``act:request goal:42 task:1 @auth_refactor``, which finds packets that say the same.
"""

import re
from itertools import islice
from typing import NamedTuple

from auditlog.search.compile import MAX_WORDS
from auditlog.search.language.written import join, write_phrase, write_term
from auditlog.search.terms import atoms, fold, runs
from cablese import detection, registry
from cablese.meaning import Meaning
from cablese.message import Message

LIMIT = 64 * 1024
"""Characters of a text that is looked at."""
_LONGEST = 1_000
"""Characters of a phrase."""
_VALUE = 200
"""Characters of a value in a query; longer ones are left out."""
_TAGS = 5
_MAIN = ("act", "goal", "task")
_OTHERS = (
    ("thread", "thread"), ("id", "id"), ("sender", "from"), ("recipient", "to"),
    ("object", "object"), ("topic", "topic"), ("status", "status"),
)  # fmt: skip
_ENOUGH = 3
_WORD = re.compile(r"[^\W_]+|[^\w\s\x00-\x7f]")
_LAST_WORD = re.compile(r"[\w.-]*\Z")


class Offer(NamedTuple):
    """A recognized message: its protocol's title, and the queries that find packets with its words
    and with its meaning; none if it has no words, or no meaning.
    """

    title: str
    words: str | None
    meaning: str | None

    @property
    def queries(self) -> tuple[str, ...]:
        return tuple(query for query in (self.words, self.meaning) if query)


def recognize(text: str) -> Offer | None:
    """Return what to search for instead of a pasted message; None for any other text."""
    wire = text.strip()
    if not wire or len(wire) > LIMIT:
        return None
    protocol = detection.first(wire)
    if protocol is None:
        return None
    codec = registry.get(protocol)
    message = codec.decode(wire)
    meaning = _write_meaning(codec.meaning(message), message)
    return Offer(codec.title, write_words(protocol, wire), meaning)


def write_words(protocol: str, wire: str) -> str | None:
    """Return a query for the words of a wire as a phrase, or for the first of them; None without
    words.
    """
    begin = " ".join(wire[:_LONGEST].split())
    words = 0
    for match in _WORD.finditer(begin):
        words += sum(len(atoms(run)) for run in runs(fold(match[0])))
        if words > MAX_WORDS:
            begin = begin[: match.start()].rstrip()
            break
    if not runs(fold(begin)):
        return None
    if len(wire) > _LONGEST:  # The last word may be incomplete.
        begin = _LAST_WORD.sub("", begin)
    return join([write_term("proto", protocol), write_phrase(begin)])


def _write_meaning(meaning: Meaning, message: Message) -> str | None:
    terms = [_write(name, getattr(meaning, name)) for name in _MAIN]
    terms += [_write("tag", tag) for tag in islice(meaning.tags, _TAGS)]
    found = [term for term in terms if term]
    others = (_write(key, getattr(meaning, name)) for name, key in _OTHERS)
    found += islice((term for term in others if term), max(0, _ENOUGH - len(found)))
    if len(found) < 2:
        found.insert(0, write_term("proto", message.protocol))
    return join(found) if len(found) > 1 else None


def _write(key: str, value: str | None) -> str | None:
    return write_term(key, value) if value and len(value) <= _VALUE else None
