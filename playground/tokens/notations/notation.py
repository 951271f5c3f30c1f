"""All notations: what each writes, and how it is read back."""

import json
from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError

import toon_format
import yaml

from auditlog import text
from playground.tokens.notations import elements, sexpressions
from playground.tokens.notations.short_keys import Legend

MINIFIED, PRETTY, YAML, TOON, XML = "json", "pretty", "yaml", "toon", "xml"
SHORT_KEYS, SEXPRESSIONS = "short-keys", "s-expressions"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Ten times as fast, where PyYAML was built with it."""


class Notation(NamedTuple):
    """A way to write a JSON value, and to read it back. ``write`` raises ValueError, and ends an
    object with ``tail`` characters.
    """

    key: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    tail: int

    def read_or_none(self, written: str) -> Any:
        """Return the JSON value of a text; None if it has none."""
        try:
            value = self.read(written)
        except (ValueError, RecursionError, ParseError, yaml.YAMLError):
            return None
        return value if _is_json(value) else None


def get_notations(legend: Legend) -> tuple[Notation, ...]:
    """Return all notations for messages that share a legend of short keys."""
    return (
        Notation(MINIFIED, text.to_json, json.loads, 1),
        Notation(
            SHORT_KEYS,
            lambda plain: text.to_json(legend.shorten(plain)),
            lambda written: legend.lengthen(json.loads(written)),
            1,
        ),
        Notation(PRETTY, partial(json.dumps, indent=2, ensure_ascii=False), json.loads, 2),
        Notation(YAML, _to_yaml, _from_yaml, 1),
        Notation(TOON, toon_format.dumps, toon_format.loads, 0),
        Notation(XML, elements.write, elements.read, len(elements.END)),
        Notation(SEXPRESSIONS, sexpressions.write, sexpressions.read, 1),
    )


def _is_json(value: Any) -> bool:
    """Return whether a value is one of JSON. YAML also has dates, and keys that are no text."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_json, value))
    return (
        value is None
        or isinstance(value, bool | int | str)
        or (isinstance(value, float) and isfinite(value))
    )


def _to_yaml(plain: Any) -> str:
    return str(
        yaml.dump(plain, Dumper=yaml.SafeDumper, sort_keys=False, allow_unicode=True, width=10**6)
    )


def _from_yaml(written: str) -> Any:
    """Read YAML without aliases: a short text can name a list of lists a million times."""
    if "*" in written and any(
        isinstance(event, yaml.AliasEvent) for event in yaml.parse(written, Loader=_LOADER)
    ):
        raise yaml.YAMLError("Aliases are not read.")
    loader = _LOADER(written)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()
