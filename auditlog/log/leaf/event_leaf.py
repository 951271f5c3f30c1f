"""The leaves of everything but packets: one function for each kind.

    {"act":"search","commit":{"by":"3U…=","what":"q1…="},"kind":"access","log":"default",
     "recv":"2026-11-20T10:00:01.000250Z","v":2}

A leaf says in clear what a stranger may know: what was done, and to which leaf or key. Who did it
and why are commitments, whose seed is stored with the rest of the event. `by` is what
`opening.by_bytes` gives; the other openings are RFC 8785 objects. Times end in six digits and Z,
indexes and sizes are of the log itself.
"""

from collections.abc import Sequence
from typing import Any, Literal

from auditlog.log.leaf.canonical import canonical
from auditlog.log.leaf.shape import VERSION, ClockState, Kind
from cablese.tlog.commitment import commit, salt, spell

Access = Literal["search", "view", "reveal", "export"]
Change = Literal["person", "role", "setting"]
KeyAct = Literal["make", "revoke"]
SigningAct = Literal["add", "retire"]
HoldAct = Literal["place", "release"]
Incident = Literal["shrank", "differs", "faults"]


def format_redaction(
    seed: bytes,
    *,
    log: str,
    received: str,
    leaf: int,
    by: bytes,
    reason: bytes,
    field: bytes | None = None,
    redacted: bytes | None = None,
    steps: bytes | None = None,
) -> bytes:
    """Return the leaf that erases the content of the packet at `leaf`. If only a field was erased,
    `redacted` is the copy that is left of the packet. `steps` is what is left of the steps of its
    review whose notes were erased.
    """
    opened = {"by": by, "field": field, "reason": reason, "redacted": redacted, "steps": steps}
    stated = {name: data for name, data in opened.items() if data is not None}
    return _format("redaction", log, received, _commit(seed, **stated), leaf=leaf)


def format_review(
    seed: bytes, *, log: str, received: str, leaf: int, by: bytes, decision: bytes
) -> bytes:
    """Return the leaf of one step of reviewing the packet at `leaf`."""
    return _format("review", log, received, _commit(seed, by=by, decision=decision), leaf=leaf)


def format_access(
    seed: bytes, *, log: str, received: str, act: Access, by: bytes, what: bytes
) -> bytes:
    """Return the leaf of a read. `what` holds the query, or the packets that were read."""
    return _format("access", log, received, _commit(seed, by=by, what=what), act=act)


def format_admin(
    seed: bytes, *, log: str, received: str, act: Change, by: bytes, what: bytes
) -> bytes:
    """Return the leaf of a change to a person, a role, or a setting. `what` holds both values."""
    return _format("admin", log, received, _commit(seed, by=by, what=what), act=act)


def format_api_key(
    seed: bytes,
    *,
    log: str,
    received: str,
    act: KeyAct,
    key: str,
    scopes: Sequence[str],
    expires: str | None,
    by: bytes,
    source: bytes,
) -> bytes:
    """Return the leaf of a new or revoked API key, by its ID, which names no one. `source` holds
    the name of the key's source.
    """
    committed = _commit(seed, by=by, source=source)
    facts = {"act": act, "key": key, "scopes": list(scopes), "expires": expires}
    return _format("api-key", log, received, committed, **facts)


def format_signing_key(
    seed: bytes, *, log: str, received: str, act: SigningAct, key: str, public: bytes, by: bytes
) -> bytes:
    """Return the leaf of a key that signs checkpoints from here on, or no longer.

    `key` is its ID in signed notes (C2SP signed-note), eight hex digits, and `public` the Ed25519
    key.
    """
    committed = _commit(seed, by=by)
    facts = {"act": act, "key": key, "public": spell(public)}
    return _format("signing-key", log, received, committed, **facts)


def format_clock(
    *, log: str, received: str, state: ClockState, clock: str, newest: str, expected: str | None
) -> bytes:
    """Return the leaf that notes a change of the machine's clock.

    ``clock`` is what it showed and ``newest`` the time of the leaf before. It is "behind" when that
    is later, "right" again when it is not, and "forward" when it showed ``expected`` a moment ago.
    "accepted" means that an operator confirmed the clock though ``newest`` is later: the leaf
    begins a segment, in which times rise from here on.
    """
    return _format(
        "clock", log, received, clock=clock, newest=newest, state=state, expected=expected
    )


def format_gap(*, log: str, received: str, first: int, last: int) -> bytes:
    """Return the leaf at each index from `first` to `last`, which were lost when an older copy of
    the log was restored.
    """
    return _format("gap", log, received, first=first, last=last)


def format_hold(
    seed: bytes,
    *,
    log: str,
    received: str,
    act: HoldAct,
    placed: int | None,
    by: bytes,
    what: bytes,
    reason: bytes,
) -> bytes:
    """Return the leaf that places or releases a legal hold.

    `what` holds the range of leaves or the query. `placed` is the leaf that placed what is
    released, otherwise None.
    """
    committed = _commit(seed, by=by, reason=reason, what=what)
    return _format("hold", log, received, committed, act=act, placed=placed)


def format_check(
    *, log: str, received: str, size: int, faults: int, root: bytes | None = None
) -> bytes:
    """Return the leaf of a self-check of the first `size` leaves, with the number of faults it
    found and, once there is a tree, its root.
    """
    spelled = None if root is None else spell(root)
    return _format("check", log, received, size=size, faults=faults, root=spelled)


def format_incident(*, log: str, received: str, incident: Incident, size: int, found: int) -> bytes:
    """Return the leaf of an incident, which stops signing.

    The tree "shrank" from `size` to `found` leaves, its root at `size` "differs" from the signed
    one, or a self-check of `size` leaves found "faults". `found` is the size of the log then.
    """
    return _format("incident", log, received, incident=incident, size=size, found=found)


def _commit(seed: bytes, **opened: bytes) -> dict[str, str]:
    return {field: spell(commit(salt(seed, field), field, data)) for field, data in opened.items()}


def _format(
    kind: Kind, log: str, received: str, committed: dict[str, str] | None = None, **facts: Any
) -> bytes:
    """Return the bytes of a leaf. Facts that are None are omitted."""
    every = {"v": VERSION, "kind": kind, "log": log, "recv": received, "commit": committed, **facts}
    return canonical({name: value for name, value in every.items() if value is not None})
