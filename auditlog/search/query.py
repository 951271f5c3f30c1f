"""The query language: text to a syntax tree. Knows nothing of databases, nor which keys exist.

    query   = or
    or      = and *( "OR" and )
    and     = not *( ["AND"] not )
    not     = *( "NOT" / "-" ) item
    item    = "(" or ")" / "@" value / key ":" value / text
    value   = "(" or-of-values ")" / [ "<=" / ">=" / "<" / ">" ] text / text ".." text
    text    = word ["*"] / '"' characters '"' ["*"]

A word ends at a space, a parenthesis or a quote; in quotes a backslash keeps the next character as
it is. Whatever cannot be read is an error with its place: nothing that was typed is passed over.
"""

import re
from dataclasses import dataclass
from typing import Literal

from cablese.message import Span

MAX_LENGTH = 4_000
MAX_CLAUSES = 50
MAX_DEPTH = 20


class QueryError(ValueError):
    """A query that cannot be answered: where, why, and what to write instead."""

    def __init__(self, span: Span, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.suggestion = suggestion

    def cut(self, query: str) -> tuple[str, str, str]:
        """Return the query before, at, and after the place; a space if nothing is there."""
        start, end = self.span
        return query[:start], query[start:end] or " ", query[end:]


@dataclass(frozen=True)
class Text:
    """A word or a quoted phrase; ``prefix`` if followed by a star."""

    text: str
    quoted: bool
    prefix: bool
    span: Span


@dataclass(frozen=True)
class Range:
    """From ``low`` to ``high``; None is no limit; ``open_low`` and ``open_high`` leave the limit
    itself out.
    """

    low: str | None
    high: str | None
    open_low: bool
    open_high: bool
    span: Span


@dataclass(frozen=True)
class Key:
    """The text before the colon; ``@`` for a tag."""

    name: str
    span: Span


@dataclass(frozen=True)
class Clause:
    """One term: anywhere in the text, or under a key."""

    key: Key | None
    value: Text | Range
    span: Span


@dataclass(frozen=True)
class Not:
    part: "Tree"


@dataclass(frozen=True)
class Many:
    """Several parts, of which all or any must hold. A query of nothing is all of no parts."""

    mode: Literal["and", "or"]
    parts: tuple["Tree", ...]


Tree = Clause | Not | Many


_BLANKS = re.compile(r"\s*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(\*?)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BARE = re.compile(r'[^\s()"]+')
_KEY = re.compile(r'([^\s:()"@][^\s:()"]*):')
_MINUS = re.compile(r"-(?=[^\s)])")
_OPERATOR = re.compile(r"<=|>=|<|>")
_WORD = re.compile(r'(OR|AND|NOT)(?![^\s()"])')
_QUOTE_IT = 'To search for the word itself, put it in quotes: "{}".'
_NOTHING = Many("and", ())


def parse(text: str) -> Tree:
    """Read a query. Raises QueryError for whatever cannot be read, and for too long or too many."""
    if len(text) > MAX_LENGTH:
        raise QueryError(
            Span(MAX_LENGTH, len(text)),
            f"The query is longer than the limit of {MAX_LENGTH:,} characters.",
            "Search for a part of the text.",
        )
    reader = _Reader(text)
    tree = reader.either(None, 0)
    if reader.at < len(text):
        raise QueryError(
            Span(reader.at, reader.at + 1),
            "Unmatched closing parenthesis.",
            "Remove it, or add an opening one.",
        )
    return tree


def find_clauses(tree: Tree) -> list[Clause]:
    """Return the clauses of a tree in the order of the text."""
    match tree:
        case Clause():
            return [tree]
        case Not(part):
            return find_clauses(part)
        case Many(_, parts):
            return [clause for part in parts for clause in find_clauses(part)]
    raise AssertionError(tree)


class _Reader:
    """Recursive descent over the characters. ``key`` is the key whose value is being read, if one
    is.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.clauses = 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def peek(self) -> str:
        """Return the next character that is not a space; empty at the end."""
        self.take(_BLANKS)
        return self.text[self.at : self.at + 1]

    def peek_value(self) -> bool:
        """Return whether a value comes next, without a space before it."""
        return self.text[self.at : self.at + 1] == '"' or bool(_BARE.match(self.text, self.at))

    def word(self) -> str:
        """Return OR, AND, or NOT if it comes next."""
        self.take(_BLANKS)
        found = _WORD.match(self.text, self.at)
        return found[1] if found else ""

    def either(self, key: Key | None, depth: int) -> Tree:
        parts = [self.every(key, depth)]
        while self.word() == "OR":
            span = Span(self.at, self.at + 2)
            self.at += 2
            parts.append(self.every(key, depth))
            if _NOTHING in parts[-2:]:
                raise QueryError(span, "OR needs a term on both sides.", _QUOTE_IT.format("OR"))
        return parts[0] if len(parts) == 1 else Many("or", tuple(parts))

    def every(self, key: Key | None, depth: int) -> Tree:
        parts: list[Tree] = []
        while self.peek() not in ("", ")") and (word := self.word()) != "OR":
            if word == "AND":
                span = Span(self.at, self.at + 3)
                self.at += 3
                if not parts or self.peek() in ("", ")") or self.word() in ("OR", "AND"):
                    raise QueryError(
                        span, "AND needs a term on both sides.", _QUOTE_IT.format("AND")
                    )
            parts.append(self.negated(key, depth))
        return parts[0] if len(parts) == 1 else Many("and", tuple(parts))

    def negated(self, key: Key | None, depth: int) -> Tree:
        negative = False
        while True:
            start = self.at
            if self.word() == "NOT":
                self.at += 3
            elif not self.take(_MINUS):
                break
            negative = not negative
            end = self.at
            if self.peek() in ("", ")") or self.word() in ("OR", "AND"):
                raise QueryError(
                    Span(start, end),
                    "Nothing to exclude: no term follows.",
                    _QUOTE_IT.format(self.text[start:end].strip()),
                )
        part = self.item(key, depth)
        return Not(part) if negative else part

    def item(self, key: Key | None, depth: int) -> Tree:
        start = self.at
        if self.peek() == "(":
            return self.group(key, depth)
        if key is None and self.peek() == "@" and not self.text.startswith("@:", self.at):
            self.at += 1
            key = Key("@", Span(start, self.at))
        elif key is None and (found := self.take(_KEY)):
            key = Key(found[1], Span(start, start + len(found[1])))
        else:
            return self.clause(key, start)
        if self.text.startswith("(", self.at):
            return self.group(key, depth)
        return self.clause(key, start)

    def group(self, key: Key | None, depth: int) -> Tree:
        span = Span(self.at, self.at + 1)
        if depth >= MAX_DEPTH:
            raise QueryError(
                span,
                f"Parentheses are nested more than {MAX_DEPTH} deep.",
                "Remove those that are not needed.",
            )
        self.at += 1
        tree = self.either(key, depth + 1)
        if self.peek() != ")":
            raise QueryError(span, "Unclosed parenthesis.", "Add a ) at the end.")
        self.at += 1
        if tree == _NOTHING:
            raise QueryError(
                Span(span.start, self.at),
                "The parentheses are empty.",
                "Remove them, or write a term between them.",
            )
        return tree

    def clause(self, key: Key | None, start: int) -> Clause:
        value = (self.range(key) if key else None) or self.one_text(key)
        span = Span(start, self.at)
        self.clauses += 1
        if self.clauses > MAX_CLAUSES:
            raise QueryError(
                span,
                f"The query has more terms than the limit of {MAX_CLAUSES}.",
                "Remove some, or write a prefix such as @auth* for several values.",
            )
        return Clause(key, value, span)

    def range(self, key: Key | None) -> Range | None:
        """``<=2``, ``1..3``, ``1..`` or ``..3``; None when the value is no range."""
        start = self.at
        operator = self.take(_OPERATOR)
        if not operator:
            found = _BARE.match(self.text, self.at)
            if not found or ".." not in found[0]:
                return None
            low, _, high = found[0].partition("..")
            self.at = found.end()
            if not low and not high:
                raise QueryError(
                    Span(start, self.at),
                    "A range needs at least one limit.",
                    "Write 1..3, 1.., or ..3.",
                )
            return Range(
                low or None,
                high or None,
                open_low=False,
                open_high=False,
                span=Span(start, self.at),
            )
        if not self.peek_value():
            raise QueryError(
                Span(start, self.at),
                f"{operator[0]} needs a limit right after it.",
                f"Write {operator[0]}2, or put it in quotes to search for it as text.",
            )
        value = self.one_text(key)
        limit, span = value.text, Span(start, self.at)
        if value.prefix:
            raise QueryError(span, "A limit cannot end with *.", "Remove the star.")
        if operator[0].startswith("<"):
            return Range(None, limit, open_low=False, open_high=operator[0] == "<", span=span)
        return Range(limit, None, open_low=operator[0] == ">", open_high=False, span=span)

    def one_text(self, key: Key | None) -> Text:
        start = self.at
        if self.text.startswith('"', start):
            quoted = self.take(_QUOTED)
            if not quoted:
                raise QueryError(
                    Span(start, len(self.text)),
                    "Unclosed quote.",
                    'Add a " at the end.',
                )
            return Text(
                _ESCAPED.sub(r"\1", quoted[1]),
                quoted=True,
                prefix=bool(quoted[2]),
                span=Span(start, self.at),
            )
        bare = self.take(_BARE)
        if not bare:
            assert key is not None, "without a key, a character of a word was seen"
            name = key.name if key.name == "@" else f"{key.name}:"
            raise QueryError(
                key.span, f"{name} needs a value right after it.", f"Write {name}value."
            )
        span = Span(start, self.at)
        text = bare[0].removesuffix("*")
        if "*" in text:
            raise QueryError(
                span, "* is only allowed at the end of a term.", _QUOTE_IT.format(bare[0])
            )
        return Text(text, quoted=False, prefix=bare[0].endswith("*"), span=span)
