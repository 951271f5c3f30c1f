"""The manifest of an evidence pack: its form, before anything in it is believed."""

import re
from typing import Any

from cablese.verify import strict_json
from cablese.verify.strict_json import BadJson, Object

FORMAT = "cablese-evidence/1"
KINDS = frozenset({"by", "event", "index", "raw", "reading"})
_LARGEST = 1 << 53
_TEXTS = ("log", "origin", "made", "made_by")
_RANGE = re.compile(r"[\s()]*leaf:(\d{1,16})(?:\.\.(\d{1,16}))?[\s()]*", re.ASCII)
"""A query that is one range of leaves."""
_NUMBERS = ("size", "count", "erased", "about")


class BadManifest(ValueError):
    """A manifest that no pack has. The words say why."""


def read(data: bytes) -> Object:
    """Return a manifest, with `range`: the ends of a range, or None. Raises BadManifest."""
    try:
        found = strict_json.parse(data)
    except BadJson as bad:
        raise BadManifest(f"manifest.json: {bad}") from None
    if found.get("format") != FORMAT:
        raise BadManifest(f"manifest.json has an unknown format. Expected {FORMAT!r}.")
    for name in _TEXTS:
        _require(name, type(found.get(name)) is str)
    for name in _NUMBERS:
        _require(name, _is_number(found.get(name)))
    _require("withheld", _is_list(found.get("withheld"), str))
    _require("withheld", KINDS.issuperset(found["withheld"]))
    _require("members", type(found.get("members")) is dict)
    _require("keys", _is_list(found.get("keys"), dict))
    for key in found["keys"]:
        _require("keys", type(key.get("vkey")) is str)
        _require("keys", key.get("leaf") is None or _is_number(key["leaf"]))
    return found | {"range": _read_range(found.get("selection"))}


def has_range_of_query(manifest: Object) -> bool:
    """Return whether `range` has the ends of the query, if that is one range of leaves."""
    selection = manifest["selection"]
    if not (found := _RANGE.fullmatch(selection["query"])):
        return True
    first = int(found[1])
    last = min(int(found[2] or first), selection["at"] - 1)
    return bool(manifest["range"] == ((first, last) if first <= last else None))


def _read_range(selection: Any) -> tuple[int, int] | None:
    _require("selection", type(selection) is dict and type(selection.get("query")) is str)
    _require("selection", _is_number(selection.get("at")))
    first, last = selection.get("first"), selection.get("last")
    if first is None and last is None:
        return None
    _require("selection", _is_number(first) and _is_number(last) and first <= last)
    return first, last


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < _LARGEST


def _is_list(value: Any, kind: type) -> bool:
    return type(value) is list and all(type(one) is kind for one in value)


def _require(name: str, is_right: bool) -> None:  # noqa: FBT001 - a condition
    if not is_right:
        raise BadManifest(f"manifest.json has no valid {name!r}.")
