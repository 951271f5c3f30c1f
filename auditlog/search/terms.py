"""The token stream of a packet: what both search engines index, word for word.

Tokens are separated by one space and contain none. There are two kinds. Only terms begin with
``!``, which no word does, so that a word with a star finds words only:

- words, in the order of the text, so that phrases work: ``req tsk g 42 auth refactor``, then
  whole names of several parts, such as ``auth_refactor``;
- terms: ``!log=default !proto=nslip !is=valid !src=bot``, ``!p.goal=#b42`` (from the packet),
  ``!s.goal=#b42`` (metadata), ``!f.g=#b42`` (a field of the wire; ``ctx.loc`` gives
  ``!f.ctx.loc=`` and ``!f.loc=``), ``!.model.name=gpt`` (an attribute; list members have the
  list's name). A value of several words gives one token per word, in order. Facts that are in no
  text are in `language.columns`.

Case and accents are folded (NFKD, casefold). A packet has at most 16,000 tokens of 200 characters.
PostgreSQL keeps 255 places of a word and 1 MB of words, so repetitions beyond that become a token
that nothing matches, on both engines.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar
from unicodedata import combining

from msgspec.structs import astuple

from auditlog.log.leaf import canonical_json
from auditlog.search import number
from cablese.meaning import Meaning
from cablese.message import Message
from cablese.normalization import normalize

VERSION = 2
"""Stored with a packet. Other tokens for any packet are another version: see `log.reindex`."""
MAX_TOKENS = 16_000
MAX_TERMS = 8_000
"""Of the tokens, so that a long text still leaves its terms, and many terms leave the text."""
MAX_TOKEN = 200
MAX_KEY = 100
MAX_BYTES = 700_000
MAX_REPEATS = 255
DIGEST = 16
"""Bytes of a hash by which equal packets are found."""
MAX_GROWTH = 3
"""How many times as long a folded text may be: Hangul is, and U+FDFA would be 18 times as long."""
MAX_SHORT = 1_000
"""Characters beyond that: a short text may grow as it likes."""
SIGN = "!"
"""The first character of a term. No word begins with it."""
GAP = "="
"""A token between texts that do not follow each other; no word and no term looks like it."""

# What the log calls the attributes of Meaning, in their order.
NAMES = {
    "sender": "from", "recipient": "to", "answer_to": "answer", "reply_to": "reply", "tags": "tag",
    "priority": "prio",
}  # fmt: skip
MEANING = tuple(NAMES.get(name, name) for name in Meaning.__struct_fields__)
SUPPLIED = {name: name for name in ("goal", "task", "from", "to", "thread")} | {"tags": "tag"}
ATTRIBUTE = "attr"
"""What a query puts before an attribute's name, and a dot."""
UNSEARCHED = frozenset({"sent_text", "sent_zone", "from_line"})
"""Supplied facts about facts."""

# Layers of `values` that group fields and are not on the wire themselves
# (docs/design/protocols.md).
WRAPPERS = frozenset({"slots", "payload"})

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_ATOM = "[a-z0-9]+"
_RUN = re.compile(rf"{_ATOM}(?:[_.\-]+{_ATOM})*")
# Scripts without spaces are indexed a character at a time; a sign such as an emoji is a word of its
# own.
_WIDE_ATOM = rf"(?:[^\W_{_CJK}]+|[{_CJK}]|[^\w\s\x00-\x7f])"
_WIDE_RUN = re.compile(rf"{_WIDE_ATOM}(?:[_.\-]+{_WIDE_ATOM})*")
_WIDE_PART = re.compile(_WIDE_ATOM)
_PART = re.compile(_ATOM)
_UNSTORABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")
EDGES = ".,;:!?()[]{}\"'"


_UNTYPABLE = re.compile('[:()"]')
"""What no key of a query can hold."""


class Terms(NamedTuple):
    """The tokens of a packet, separated by spaces, and the keys of its wire and its attributes as
    they were given.
    """

    tokens: str
    keys: tuple[str, ...]
    attributes: tuple[str, ...] = ()


def same(log_id: int, wire: bytes) -> str:
    """Return the token that packets of a log with the same bytes share on SQLite.

    A hash in an index of its own would change a random page of the database for every packet. Among
    the other tokens, it is written in order. No word starts with ``=``.
    """
    return "=" + sha256(log_id.to_bytes(8) + wire).hexdigest()[: 2 * DIGEST]


def fold(text: str) -> str:
    """Return text without case and accents; U+FFFD replaces what no database stores."""
    if not text.isascii():
        # Marks go first as well as last: folding the others is quicker.
        text = "".join([char for char in text if not combining(char)])
        most = MAX_GROWTH * len(text) + MAX_SHORT
        text = normalize("NFKD", normalize("NFKD", text).casefold()[:most])
        text = "".join([char for char in text if not combining(char)])
    text = text.lower() if text.isascii() else text
    return text if text.isprintable() else _UNSTORABLE.sub("\ufffd", text)


def fold_key(name: str) -> str:
    """Return a field's name as tokens spell it."""
    return "_".join(fold(name).replace("=", "_").split())[:MAX_KEY]


def fold_attribute(name: str) -> str:
    """The name of an attribute as tokens spell it: as it is folded in a query, with ``attr.``
    before it.
    """
    return _UNTYPABLE.sub("_", fold_key(f"{ATTRIBUTE}.{name}")).removeprefix(f"{ATTRIBUTE}.")


def runs(folded: str) -> list[str]:
    """Words of folded text, where ``auth_refactor`` and ``v1.2`` are one."""
    return (_RUN if folded.isascii() else _WIDE_RUN).findall(folded)


def atoms(run: str) -> list[str]:
    """Return the parts of a word: letters and digits together, other signs and ideographs alone."""
    return (_PART if run.isascii() else _WIDE_PART).findall(run)


def words(text: str) -> list[str]:
    """Return the tokens of free text: all atoms in order, then names of several atoms."""
    folded = fold(text)
    found = runs(folded)
    if "_" in folded or "-" in folded or "." in folded:
        parts: list[str] = []
        names: dict[str, None] = {}
        for run in found:
            # Only a run with a connector has several atoms.
            if run.isalnum():
                parts.append(run)
            elif "_" in run or "-" in run or "." in run:
                parts += atoms(run)
                names[run] = None
            else:
                parts.append(run)
        parts += names
    else:
        parts = found
    return parts if len(folded) <= MAX_TOKEN else [part[:MAX_TOKEN] for part in parts]


def value_words(text: str) -> list[str]:
    """The words of a value: cut at spaces only, without the punctuation around them. An empty value
    has none.
    """
    return [number.word(word.strip(EDGES) or word) for word in fold(text).split()]


def term(name: str, text: str) -> str:
    """Return the tokens of one term, separated by spaces: ``!p.reason=scope !p.reason=too``."""
    if text.isalnum() and text.isascii() and len(text) <= _SMALL:
        return f"{SIGN}{name}={number.word(text.lower())}"
    return " ".join([f"{SIGN}{name}={word}"[:MAX_TOKEN] for word in value_words(text) or ("",)])


def key_names(name: str) -> tuple[str, ...]:
    """What a field is called in tokens: its dotted name, and its last part that is no list
    index.
    """
    key = fold_key(name)
    if "." not in key:
        return (key,)
    last = next((part for part in reversed(key.split(".")) if part and not part.isdecimal()), key)
    return (key,) if last == key else (key, last)


def shape(key: str) -> str:
    """A folded key without its list indexes: ``plan.0.2.n`` is seen once as ``plan.#.#.n``."""
    if "." not in key:
        return key
    return ".".join(["#" if part.isdecimal() else part for part in key.split(".")])


def flatten(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Dotted names and texts of a codec's ``values``, at most MAX_TERMS: ``("ctx.loc", "Paris")``,
    ``("g", "42")``.
    """
    found: list[tuple[str, str]] = []
    for name, value in values.items():
        if type(value) is str:
            found.append((name, value))
        elif type(value) is int:
            found.append((name, str(value)))
        elif isinstance(value, dict) and name in WRAPPERS:
            found += flatten(value)
        else:
            found.extend(_leaves(name, value))
        if len(found) >= MAX_TERMS:
            return found[:MAX_TERMS]
    return found


def find_fields(message: Message) -> list[tuple[str, str]]:
    """Return the fields of a wire for its terms: of one with problems, also what is in no value."""
    if message.diagnostics:
        return [(field.name, field.value) for field in message.fields]
    return flatten(message.values)


def _leaves(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Scalars below ``value``, in order; with a stack of our own, because values may be nested
    deeply.
    """
    waiting = [(name, value)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend([(f"{name}.{key}", inner) for key, inner in reversed(value.items())])
        elif isinstance(value, list | tuple):
            waiting.extend([(f"{name}.{at}", value[at]) for at in reversed(range(len(value)))])
        else:
            yield name, _scalar(value)


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


_Tokens = TypeVar("_Tokens", str, list[str])
# The same few names and values come again and again; each makes the same tokens.
_SMALL = 64
_ROOM = 10_000
_fields: dict[tuple[str, str], str] = {}
_terms: dict[tuple[str, Any], str] = {}
_heads: dict[tuple[str, str, bool, str | None], str] = {}
_asides: dict[str, list[str]] = {}


def _remember(known: dict[Any, _Tokens], key: Any, tokens: _Tokens) -> _Tokens:
    if len(known) >= _ROOM:
        known.clear()
    known[key] = tokens
    return tokens


def _field(pair: tuple[str, str]) -> str:
    name, value = pair
    tokens = " ".join([term(f"f.{key}", value) for key in key_names(name)])
    return _remember(_fields, pair, tokens) if len(name) + len(value) <= _SMALL else tokens


def _tokenize_pair(pair: tuple[str, Any]) -> str:
    name, value = pair
    tokens = term(name, str(value))
    return _remember(_terms, pair, tokens) if len(tokens) <= _SMALL else tokens


def _head(key: tuple[str, str, bool, str | None]) -> str:
    log, protocol, valid, source = key
    validity = "valid" if valid else "invalid"
    tokens = f"{SIGN}log={log} {SIGN}proto={fold_key(protocol)} {SIGN}is={validity}"
    if source is not None:
        tokens = f"{tokens} {term('src', source)}"
    return _remember(_heads, key, tokens)


_MEANING_NAMES = tuple("" if name == "tag" else f"p.{name}" for name in MEANING)
"""Token names of Meaning's attributes, in their order. The tags, being several, are looked at on
their own.
"""


def stream(
    *,
    log: str,
    protocol: str,
    valid: bool,
    wire: str,
    fields: Iterable[tuple[str, str]],
    meaning: Meaning | None = None,
    supplied: Mapping[str, Any] | None = None,
    source: str | None = None,
    columns: str = "",
) -> Terms:
    """The tokens of a packet. ``fields`` are dotted names with texts, as `flatten` gives them.

    ``supplied`` holds ``goal task from to thread`` (text), ``tags`` (texts), ``attributes`` (a JSON
    object as RFC 8785 orders it) and anything else, whose words are indexed. A field without a name
    is found by its words alone. ``columns`` are more tokens. Never raises on text, however odd.
    """
    head = (log, protocol, valid, source)
    terms = [_heads.get(head) or _head(head), *([columns] if columns else ())]
    fields = fields if isinstance(fields, list) else list(fields)
    terms += [_fields.get(pair) or _field(pair) for pair in fields if pair[0]]
    if meaning is not None:
        named = zip(_MEANING_NAMES, astuple(meaning), strict=True)
        pairs = [pair for pair in named if pair[1] is not None and pair[0]]
        if meaning.tags:
            pairs += [("p.tag", tag) for tag in meaning.tags]
        terms += [_terms.get(pair) or _tokenize_pair(pair) for pair in pairs]
    text = words(wire)
    # What was written as %2C or \u00e9 is found by its plain spelling too.
    if "%" in wire or "\\" in wire:
        for _, value in fields:
            text += [GAP, *words(value)]
    attributes = _supply(supplied, terms, text) if supplied else ()
    keys = tuple([pair[0] for pair in fields])
    tokens = " ".join(terms + text)
    # So few tokens are within every limit.
    if tokens.count(" ") >= MAX_REPEATS:
        tokens = _bounded(terms, text)
    return Terms(tokens, keys, attributes)


def _supply(supplied: Mapping[str, Any], terms: list[str], text: list[str]) -> tuple[str, ...]:
    """Add what is supplied to ``terms`` and ``text``. Returns the names of its attributes."""
    attributes: dict[str, None] = {}
    for name, value in sorted(supplied.items()):
        if name in UNSEARCHED:
            continue
        if name == "attributes":
            for key, one in members(value):
                attributes[key] = None
                terms.append(term(f".{fold_attribute(key)}", one))
                text += [GAP, *words(one)]
            continue
        for one in value if isinstance(value, list | tuple) else (value,):
            if one is None:
                continue
            if name in SUPPLIED:
                pair = (f"s.{SUPPLIED[name]}", str(one))
                terms.append(_terms.get(pair) or _tokenize_pair(pair))
            given = str(one)
            text += _asides.get(given) or _aside(given)
    return tuple(attributes)


def _aside(value: str) -> list[str]:
    """The words of a supplied value, which do not follow those before them."""
    tokens = [GAP, *words(value)]
    return _remember(_asides, value, tokens) if len(value) <= _SMALL else tokens


def members(value: object) -> Iterator[tuple[str, str]]:
    """Dotted names and texts of attributes, at most MAX_TERMS. Members of a list have the name of
    the list.
    """
    waiting = [("", value)]
    found = 0
    while waiting and found < MAX_TERMS:
        name, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += [
                (f"{name}.{key}" if name else key, inner)
                for key, inner in reversed(list(value.items()))
            ]
        elif isinstance(value, list | tuple):
            waiting += [(name, inner) for inner in reversed(value)]
        else:
            found += 1
            yield (
                name,
                canonical_json(value).decode() if isinstance(value, float) else _scalar(value),
            )


def _bounded(terms: list[str], text: list[str]) -> str:
    """All tokens within the limits. The places of the tokens stay the same, for phrases."""
    tokens = [token for part in terms for token in part.split()][:MAX_TERMS]
    tokens += text[: MAX_TOKENS - len(tokens)]
    seen: dict[str, int] = {}
    room = MAX_BYTES
    for at, token in enumerate(tokens):
        seen[token] = times = seen.get(token, 0) + 1
        if times > MAX_REPEATS:
            tokens[at] = GAP
        room -= len(token) + 1 if token.isascii() else len(token.encode()) + 1
        if room < 0:
            return " ".join(tokens[:at])
    return " ".join(tokens)
