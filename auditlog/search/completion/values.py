"""The values that a packet adds to completion, as ``key:value``: ``act:request``,
``tag:auth_refactor``, ``attr.model:gpt-4o``, ``res:emp_salary``.

They are read from the packet's tokens (see `terms`), so searching for a value finds the packets
that were counted for it, and a packet can be counted again, or taken back, from what is stored.
Left out is what nobody would choose from a list: long values, numbers of fields, and what looks
like an ID, a time, or a random text. A key whose name says that it holds a secret has no values.
"""

import re

from auditlog.search.keys import get_term
from auditlog.search.terms import ATTRIBUTE, GAP, SIGN, shape

MAX_VALUE = 60
"""Characters of a value."""
MAX_KEY = 60
"""Characters of a key."""
MOST = 50
"""Values of a packet: the first ones."""
MAX_TERMS = 500
"""Terms of a packet that are looked at."""

_OURS = {"proto": "proto", "src": "source"}
"""Names of tokens, by which no protocol states anything, and their keys."""
_UNIQUE = frozenset(("id", "reply"))
"""Terms that have another value in each packet."""
_UNTYPABLE = re.compile(r'[\s:()"@]')
_SECRET_NAME = re.compile(
    r"pass|pwd|secret|token|credential|cookie|session|api.?key|private|auth.?key|signature|hash"
    r"|digest|nonce|e.?mail|phone|mobile|fax|msisdn|birth|born|\bdob\b|ssn|iban|card"
)
_UNIQUE_NAME = re.compile(
    r"(?:^|[._-])(?:uu|gu|u)?ids?$"
    r"|(?:trace|span|parent|msg|message|event|request|correlation|user|order|run)_?ids?$"
    r"|(?:^|[._-])(?:seq|ts|time|timestamp|at|checksum|offset)$"
)
_NUMBER = re.compile(r"[-+]?[0-9][0-9.,_]*(?:e[-+]?[0-9]+)?")
_GENERATED = re.compile(
    r"(?:0x)?[0-9a-f]{12,}|[0-9a-f]{8}-[0-9a-f]{4}-.*|[0-9]{4}-[0-9]{2}-[0-9]{2}[t ].*"
    r"|(?:.*[^a-z0-9])?(?=[a-z]*[0-9][a-z]*[0-9])[0-9]*[a-z][a-z0-9+/=]{19,}.*"
)
"""Hashes, UUIDs, times, and random texts, as tokens often are."""
_ROOM = 20_000
_keys: dict[str, str] = {}
"""Keys by names of tokens; empty for those without values."""
_tokens: dict[str, tuple[str, str, str]] = {}
"""Names, keys, and values of one word, by tokens; the value is empty if it is not offered."""


def read(tokens: str) -> tuple[str, ...]:
    """Return the values of a packet with these tokens, each once."""
    # All terms come before the words.
    end = tokens.find(" ", tokens.rfind(f" {SIGN}") + 1)
    parts = tokens[: len(tokens) if end < 0 else end].split(" ", MAX_TERMS)[:MAX_TERMS]
    found: list[str] = []
    before, begun = "", 0
    for at, part in enumerate(parts):
        name, key, value = _tokens.get(part) or _read_token(part)
        if key and name == before and key != "tag":
            # Words of one value follow each other. Several tags do that as well.
            found[-1] = _join(key, parts[begun : at + 1])
        else:
            before, begun = name, at
            found.append(value)
    return tuple([value for value in dict.fromkeys(found) if value])[:MOST]


def _read_token(token: str) -> tuple[str, str, str]:
    if len(_tokens) >= _ROOM:
        _tokens.clear()
    name, _, word = token.partition("=")
    key = _find_key(name) if token != GAP else ""
    text = _spell(word)
    value = f"{key}:{text}" if key and _is_offered(key, text) else ""
    _tokens[token] = read = name, key, value
    return read


def _join(key: str, tokens: list[str]) -> str:
    text = " ".join([_spell(token.partition("=")[2]) for token in tokens])
    return f"{key}:{text}" if _is_offered(key, text) else ""


def _find_key(name: str) -> str:
    key = _keys.get(name)
    if key is None:
        if len(_keys) >= _ROOM:
            _keys.clear()
        key = _keys[name] = _make_key(name)
    return key


def _make_key(name: str) -> str:
    """Return the key of queries that asks for the tokens of a name."""
    owner, dot, rest = name.removeprefix(SIGN).partition(".")
    if not dot:
        return _OURS.get(owner, "")
    if owner in ("p", "s"):
        return "" if rest in _UNIQUE else rest
    if owner == "f":
        key = "" if get_term(rest) else rest
    else:
        key = f"{ATTRIBUTE}.{rest}" if not owner else ""
    is_plain = key and not _UNTYPABLE.search(key) and shape(key) == key and len(key) <= MAX_KEY
    if not is_plain or _SECRET_NAME.search(key) or _UNIQUE_NAME.search(key):
        return ""
    return key


def _spell(word: str) -> str:
    """Return a word of a value as it is typed: the inverse of `number.word`."""
    if not word.startswith("#"):
        return word
    return word[1:] if word.startswith("##") else word[2:]


def _is_offered(key: str, value: str) -> bool:
    if not value or len(value) > MAX_VALUE or not value.isprintable():
        return False
    if get_term(key) is None and _NUMBER.fullmatch(value):
        return False
    return not _GENERATED.fullmatch(value)
