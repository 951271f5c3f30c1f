"""XML: an element for each key.

    {"act":"REQUEST","goal":42,"steps":["a"]}
    <message><act>REQUEST</act><goal>42</goal><steps type="list"><item>a</item></steps></message>

Numbers, ``true``, ``false``, and ``null`` are written as in JSON. A text that looks like one has
``type="text"``. A key that is no name of XML is the attribute ``key`` of an ``item``.
"""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

ROOT = "message"
END = f"</{ROOT}>"
_ITEM = "item"
_NAME = re.compile(r"(?![Xx][Mm][Ll])[A-Za-z_][A-Za-z0-9_.-]*")
_LITERAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null", re.ASCII)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_BREAKS = {"\r": "&#13;"}
"""A parser would read a bare carriage return as a line feed."""


def write(value: Any) -> str:
    """Return a JSON value as XML. Raises ValueError for a character that XML forbids."""
    text = _element(ROOT, "", value)
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        raise ValueError(f"XML cannot represent U+{ord(forbidden[0]):04X}.")
    return text


def read(text: str) -> Any:
    """Return the JSON value of what ``write`` wrote. Raises ParseError."""
    return _value(ET.fromstring(text))  # noqa: S314  # only of what `write` wrote


def _element(name: str, attributes: str, value: Any) -> str:
    kind, inner = _inside(value)
    if kind:
        attributes += f' type="{kind}"'
    return f"<{name}{attributes}>{inner}</{name}>" if inner else f"<{name}{attributes}/>"


def _inside(value: Any) -> tuple[str, str]:
    """Return the type of an element, if it needs one, and what is in it."""
    if isinstance(value, dict):
        inner = "".join(
            _element(key, "", one)
            if _NAME.fullmatch(key)
            else _element(_ITEM, f" key={quoteattr(key)}", one)
            for key, one in value.items()
        )
        return ("" if inner else "object"), inner
    if isinstance(value, list):
        return "list", "".join(_element(_ITEM, "", one) for one in value)
    if isinstance(value, str):
        return ("text" if _LITERAL.fullmatch(value) else ""), escape(value, _BREAKS)
    return "", json.dumps(value)


def _value(element: ET.Element) -> Any:
    kind = element.get("type")
    if kind == "list":
        return [_value(inner) for inner in element]
    if kind == "object" or len(element):
        return {inner.get("key", inner.tag): _value(inner) for inner in element}
    text = element.text or ""
    return json.loads(text) if kind is None and _LITERAL.fullmatch(text) else text
