"""A quick look at a wire: could a detector find anything in it?

Most packets have no finding, and reading their fields to say so takes ten times as long as this
look. It has false alarms, and no misses: whatever a detector finds in a value is in the wire too,
unless escapes hide it, and then the answer is yes. Percent codes are undone.
"""

import re
from functools import cache
from urllib.parse import unquote

from auditlog.findings.phrases import PHRASES
from auditlog.findings.signs import squeeze
from cablese.prompt import SPOKEN

_ESCAPES = ("\\", "\n", "\r")
"""A backslash escapes in JSON, and a line may continue the value of the one before it."""


_ESCAPED_SIGN = re.compile(r"%(?:2[1-9A-Fa-f]|3[A-Fa-f]|[57][B-Fb-f]|[46]0)")
_ENDS = re.compile("[|;,]")
_NAMED_BY = re.compile("[=:]")


def may_be_sensitive(wire: str) -> bool:
    """Return whether `sensitive` may find something in a wire."""
    if _is_escaped(wire):
        return True
    if _has_number(wire) or _has_credential(wire) or _has_name(wire):
        return True
    return "%" in wire and may_be_sensitive(unquote(wire).replace("%", " "))


def may_be_injection(wire: str) -> bool:
    """Return whether `injection` may find something to warn of in a wire."""
    if not wire.isascii() or not wire.isprintable() or _is_escaped(wire):
        return True
    if "%" in wire and (_has_delimiter(wire) or may_be_injection(unquote(wire).replace("%", " "))):
        return True
    lowered = wire.lower()
    return _has_sign(lowered) or _has_instruction(lowered)


def _is_escaped(wire: str) -> bool:
    """Return whether something other than percent codes may be escaped."""
    return any(escape in wire for escape in _ESCAPES)


def _has_delimiter(wire: str) -> bool:
    """Return whether there is an escaped sign, or another field in what may be a value with
    escapes.

    Each part is read once: a pattern of several runs would take hours for a wire of many `=`.
    """
    if _ESCAPED_SIGN.search(wire):
        return True
    parts = [part.partition("%") for part in _ENDS.split(wire) if "%" in part]
    return any(
        _NAMED_BY.search(after) or before.count("=") + before.count(":") > 1
        for before, _, after in parts
    )


# The forms are those of `sensitive`, `personal`, `signs`, and `injection` without the edges, which
# are others in a wire than in a value. The first characters are written out, which is quicker.

_RUN = re.compile(r"[0-9][0-9 ()./-]{5,}[0-9]")
_NUMBER = re.compile(
    r"(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6[0245][0-9]{2})(?:[ -]?[0-9]{4}){3}"
    r"|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}"
    r"|[12](?: ?[0-9]){14}"
    r"|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}"
    r"|[0-9]{3}-[0-9]{2}-[0-9]{4}"
    r"|[0-9]{8}-?[A-Z]"
    r"|(?:\+|(?<![0-9])00 ?)[1-9]"
    r"|[2-9][0-9]{2}\)?[ -]?[2-9][0-9]{2}[ -][0-9]{4}"
    r"|(?<![0-9])\(?0[1-9][0-9]{0,4}\)?[ /-]{1,2}[0-9]{2}"
    r"|[0-9]:[A-Za-z0-9_-]{35}"
)
_ACCOUNT = re.compile(r"[A-Z][A-Z][0-9][0-9] ?[A-Z0-9]{4}")
"""Also in a codice fiscale."""
_EMAIL = re.compile(r"@[^\W_]")


def _has_number(text: str) -> bool:
    return (
        (_RUN.search(text) is not None and _NUMBER.search(text) is not None)
        or _ACCOUNT.search(text) is not None
        or ("@" in text and _EMAIL.search(text) is not None)
    )


_SHORT = ("://", "eyJ", "_authToken", "BEGIN ", "PuTTY", "xox", "hooks.slack", "AccountKey")
_LONG = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_-]{15}")
_CREDENTIAL = re.compile(
    r"A3T|ABIA|ACCA|AKIA|ASIA|gh[pousr]_|gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-|GR1348941"
    r"|[0-9a-z]{32}-us[0-9]|T3BlbkFJ|pypi-|SG\.|sq0csp|[rs]k_live|[MNO][A-Za-z0-9_-]{23,25}\."
    r"|(?:AC|SK)[a-z0-9]{32}|[0-9]:[A-Za-z0-9_-]{35}"
)


def _has_credential(text: str) -> bool:
    return any(form in text for form in _SHORT) or (
        _LONG.search(text) is not None and _CREDENTIAL.search(text) is not None
    )


_NAMES = ("pass", "pwd", "secret", "key", "token", "aws", "phone", "mobile", "fax", "tel", "msisdn",
          "whatsapp", "birth", "born", "dob", "d.o.b")  # fmt: skip
_NAMED = re.compile(
    r"(?:pass(?:word|wd|phrase)|pwd|secret|api[_-]?key|private[_-]?key|access[_-]?token)"
    r"[\"']?\s*[=:]"
    r"|(?:phone|mobile|fax|tel|msisdn|whatsapp)[^0-9]{0,30}[0-9]"
    r"|birth|born|d\.?o\.?b|aws"
)


def _has_name(text: str) -> bool:
    lowered = text.lower()
    return any(name in lowered for name in _NAMES) and _NAMED.search(lowered) is not None


_MARKS = ("<", "{{", "{%", "${", "![", "script:", "data:", "file:")
_TOKEN = re.compile(r"\[/?[a-z_]+\]")
_ROLES = ("system", "assistant", "developer", "user", "human", "tool", "ai:", "ai ", "ai]", "ai*")
_ROLE = re.compile(r"(?:system|assistant|developer|user|human|ai|tool)[\]*]{0,3}[ \t]{0,9}:")


def _has_sign(lowered: str) -> bool:
    return (
        any(mark in lowered for mark in _MARKS)
        or ("[" in lowered and _TOKEN.search(lowered) is not None)
        or (any(role in lowered for role in _ROLES) and _ROLE.search(lowered) is not None)
    )


_INSTRUCTION = re.compile(rf"(?<![a-z0-9])(?:{SPOKEN})")
_STEM = 6
"""Letters of a part that folded phrases share."""


def _has_instruction(lowered: str) -> bool:
    if _INSTRUCTION.search(lowered):
        return True
    squeezed = squeeze(lowered)
    return any(stem in squeezed for stem in _find_stems())


@cache
def _find_stems() -> tuple[str, ...]:
    """Return a few parts of which each folded ASCII phrase has at least one."""
    phrases = [squeeze(phrase) for several in PHRASES.values() for phrase in several]
    left = {phrase for phrase in phrases if phrase.isascii()}
    stems: list[str] = []
    while left:
        shares: dict[str, int] = {}
        for phrase in left:
            for at in range(len(phrase) - _STEM + 1):
                part = phrase[at : at + _STEM]
                shares[part] = shares.get(part, 0) + 1
        stems.append(max(shares, key=lambda part: (shares[part], part)))
        left = {phrase for phrase in left if stems[-1] not in phrase}
    return tuple(stems)
