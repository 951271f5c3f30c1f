"""JSON of strangers: one value, without duplicate names, NaN, or Infinity, which Python allows."""

import json
from typing import Any, NoReturn

Object = dict[str, Any]


class BadJson(ValueError):
    """Text that is not such JSON. The words say why."""


def _refuse(name: str) -> NoReturn:
    raise BadJson(f"{name} is not JSON.")


def _pair(pairs: list[tuple[str, Any]]) -> Object:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadJson("An object has a duplicate name.")
    return found


_decode = json.JSONDecoder(object_pairs_hook=_pair, parse_constant=_refuse).decode


def parse(data: bytes | str) -> Object:
    """Return a JSON object. Raises BadJson."""
    try:
        found = _decode(data if isinstance(data, str) else data.decode())
    except BadJson:
        raise
    except (ValueError, RecursionError) as error:
        raise BadJson(f"Invalid JSON: {type(error).__name__}.") from None
    if type(found) is not dict:
        raise BadJson("Expected a JSON object.")
    return found
