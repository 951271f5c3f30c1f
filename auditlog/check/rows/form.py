"""The form of a leaf: canonical JSON with the fields of its kind, and nothing else."""

from typing import Any, NamedTuple

import msgspec

from auditlog.log import leaf

TIME = len("2026-11-20T10:00:01.000250Z")
"""Characters of a time in a leaf."""
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class _Form(NamedTuple):
    """The fields of a kind, those that it may lack, and its commitments."""

    fields: frozenset[str]
    optional: frozenset[str] = frozenset()
    committed: frozenset[str] = frozenset()


def _form(fields: str, committed: str = "", optional: str = "") -> _Form:
    every = {"v", "kind", "log", "recv", *fields.split(), *(["commit"] if committed else [])}
    return _Form(frozenset(every), frozenset(optional.split()), frozenset(committed.split()))


FORMS = {
    "packet": _form("proto src", "by index raw reading"),
    "redaction": _form("leaf", "by reason"),
    "review": _form("leaf", "by decision"),
    "access": _form("act", "by what"),
    "admin": _form("act", "by what"),
    "api-key": _form("act key scopes", "by source", "expires"),
    "signing-key": _form("act key public", "by"),
    "clock": _form("clock newest state", "", "expected"),
    "gap": _form("first last"),
    "hold": _form("act", "by reason what", "placed"),
    "check": _form("faults size", "", "root"),
    "incident": _form("found incident size"),
}
_MAY = {"packet": {"event"}, "redaction": {"field", "redacted", "steps"}}
"""Commitments that a leaf may have beyond those of its form."""


class BadLeaf(ValueError):
    """Bytes that are not a leaf of the log. The message says why."""


def parse(data: bytes, *, kind: str, log: str) -> dict[str, Any]:
    """Return the fields of a leaf. Raises BadLeaf."""
    try:
        fields = _decode(data)
        is_canonical = leaf.canonical(fields) == data
    except (msgspec.DecodeError, UnicodeError):
        raise BadLeaf("The leaf is not JSON.") from None
    if not is_canonical:
        raise BadLeaf("The leaf is not canonical JSON.")
    for name, expected in (("v", leaf.VERSION), ("kind", kind), ("log", log)):
        if fields.get(name) != expected:
            raise BadLeaf(f"The field {name} of the leaf does not match its row.")
    _check_form(fields, kind)
    return fields


def _check_form(fields: dict[str, Any], kind: str) -> None:
    form = FORMS.get(kind)
    if form is None:
        raise BadLeaf("The kind of the leaf is unknown.")
    if not form.fields <= fields.keys() <= form.fields | form.optional:
        raise BadLeaf(f"The fields of the leaf are not those of the kind {kind}.")
    committed = fields.get("commit", {})
    allowed = form.committed | _MAY.get(kind, set())
    if not isinstance(committed, dict) or not form.committed <= committed.keys() <= allowed:
        raise BadLeaf(f"The commitments of the leaf are not those of the kind {kind}.")
    recv = fields["recv"]
    if not isinstance(recv, str) or len(recv) != TIME:
        raise BadLeaf("The receive time of the leaf has an invalid format.")
