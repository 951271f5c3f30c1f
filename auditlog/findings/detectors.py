"""The detectors that need one packet only. Each is a pure function of a `Subject`.

Whoever changes a result raises the detector's version in `versions`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice

from auditlog.findings import glance, injection, sensitive
from auditlog.findings.finding import MOST, Detector, Found, Subject


def find_sensitive(subject: Subject) -> list[Found]:
    """Return the sensitive data of a packet: account numbers, credentials, and the like."""
    return list(islice(_find_sensitive(subject), MOST))


def _find_sensitive(subject: Subject) -> Iterator[Found]:
    if subject.has_fields and glance.may_be_sensitive(subject.wire):
        for one in sensitive.find(subject.message):
            yield Found(_name(one.what), "wire", *one.span)
    for part, text in subject.texts:
        for what, span in sensitive.find_in_text(text):
            yield Found(_name(what), part, *span)


@cache
def _name(what: str) -> str:
    """Return the code of a kind of sensitive data: ``card-number`` for "a card number"."""
    plain = what.partition(" (")[0].lower()
    return plain.removeprefix("an ").removeprefix("a ").replace(" ", "-")


def find_injection(subject: Subject) -> list[Found]:
    """Return what in a packet could affect a model or a parser that reads it; warnings only."""
    return list(islice(_find_injection(subject), MOST))


def _find_injection(subject: Subject) -> Iterator[Found]:
    if subject.has_fields and glance.may_be_injection(subject.wire):
        for one in injection.find_warnings(subject.message):
            yield Found(one.kind, "wire", *one.span)
    for part, text in subject.texts:
        for sign in injection.find_in_text(text):
            yield Found(sign.kind, part, sign.start, sign.end)


OF_PACKET: Mapping[Detector, Callable[[Subject], list[Found]]] = {
    "injection": find_injection,
    "sensitive": find_sensitive,
}
"""The detectors that need one packet only."""
