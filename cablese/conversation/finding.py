"""What is wrong with a conversation: a rule that was broken, in words, and the messages that it
concerns.

A diagnostic points into one wire; a finding points at messages, by their indexes in the sequence
that was gathered. Both speak by the same :class:`~cablese.message.Rule`, so a reference page lists
them alike.
"""

from collections.abc import Iterable

from msgspec import Struct

from cablese.message import Rule, Severity


class Finding(Struct, frozen=True, gc=False):
    """A problem of several messages, or information about them. ``messages`` are ascending, and
    ``at`` is the one that shows it.
    """

    code: str
    severity: Severity
    message: str
    section: str
    requirement: str
    messages: tuple[int, ...]
    at: int


def make_finding(
    rule: Rule, message: str, messages: Iterable[int], *, at: int | None = None
) -> Finding:
    """Return the finding of ``rule`` in ``messages``. Without ``at``, the second message shows it:
    it contradicts the first one.
    """
    ascending = tuple(sorted(set(messages)))
    return Finding(
        rule.code,
        rule.severity,
        message,
        rule.section,
        rule.requirement,
        ascending,
        ascending[:2][-1] if at is None else at,
    )
