"""Write a message: keys in the order and spelling of the source, then the others as given."""

from typing import Any

from cablese.codec import Unencodable
from cablese.json import jsontext, pointer
from cablese.text import either

from . import keys
from .formats import Dialect, spelling


def ordered(values: dict[str, Any], table: dict[str, str] = keys.MESSAGE) -> dict[str, Any]:
    """Return ``values`` as the object that goes on the wire. Takes anything; what is wrong stays
    as it is.
    """
    written = {word: values[key] for key, word in table.items() if key in values}
    parts = written.get("Submessages")
    if isinstance(parts, list):
        written["Submessages"] = [
            ordered(part, keys.SUBMESSAGE) if isinstance(part, dict) else part for part in parts
        ]
    dropped = {*table, keys.DERIVED} if table is keys.MESSAGE else {*table}
    return written | {key: value for key, value in values.items() if key not in dropped}


def encode(values: dict[str, Any], dialect: Dialect) -> str:
    """Return the canonical wire text. Raises Unencodable for what JSON cannot say, and for what is
    required but missing.
    """
    flaw = jsontext.find_flaw(values)
    if flaw:
        raise Unencodable(*flaw)
    folded = _folded(values, keys.MESSAGE, "")
    if folded.pop(keys.CONTROL, None) is True and "messagetype" not in folded:
        folded["messagetype"] = "control"
    return jsontext.write(ordered(_checked(folded, dialect, "", keys.MESSAGE)))


def _checked(
    values: dict[str, Any], dialect: Dialect, at: str, table: dict[str, str]
) -> dict[str, Any]:
    for key in keys.REQUIRED:
        if values.get(key) is None:
            raise Unencodable(f"{at}/{key}", f'"{key}" is required.')
    for key in ("messagetype", "format", "subformat", "label"):
        if key in table and key in values and not isinstance(values[key], str):
            raise Unencodable(f"{at}/{key}", f'"{key}" must be text.')
    name = values["format"].lower()
    format_ = dialect.formats.get(name)
    if format_ is None:
        raise Unencodable(f"{at}/format", f"The format must be {either(dialect.formats)}.")
    checked = values | {"format": name, "subformat": spelling(format_, values["subformat"])}
    if "submessages" in values:
        checked["submessages"] = _parts(values["submessages"], dialect, f"{at}/submessages")
    return checked


def _parts(parts: object, dialect: Dialect, at: str) -> list[dict[str, Any]]:
    if not isinstance(parts, list) or not parts:
        raise Unencodable(at, '"submessages" must be a list of at least one submessage.')
    read = []
    for index, part in enumerate(parts):
        if not isinstance(part, dict):
            raise Unencodable(f"{at}/{index}", "A submessage must be an object.")
        read.append(
            _checked(
                _folded(part, keys.SUBMESSAGE, f"{at}/{index}"),
                dialect,
                f"{at}/{index}",
                keys.SUBMESSAGE,
            )
        )
    return read


def _folded(values: dict[str, Any], table: dict[str, str], at: str) -> dict[str, Any]:
    """Return known keys in lower case. Keys that differ only in case cannot both be written."""
    seen: set[str] = set()
    for key in values:
        if key.lower() in seen:
            raise Unencodable(at + pointer.join(key), f'"{key}" is duplicated with different case.')
        seen.add(key.lower())
    known = {*table, keys.CONTROL, keys.DERIVED} if table is keys.MESSAGE else {*table}
    return {low if (low := key.lower()) in known else key: value for key, value in values.items()}
