"""Values back into the JSON of a SACP message: the source's keys first, in the order of PROTOCOLS, then others."""

from typing import Any

from protocols import jsontext, pointer
from protocols.codec import Unencodable

from .schema import FORMATS, KEYS, ORDER, REPLY_KEYS, STATES, STATUSES, TEXTS, V10, dialect_of

STEP = {"verb", "tool", "params"}


def write(values: dict[str, Any], dialect: str | None) -> str:
    """The canonical wire text. Raises Unencodable."""
    flaw = jsontext.find_flaw(values)
    if flaw:
        raise Unencodable(*flaw)
    return jsontext.write(_reply(values) if is_reply(values) else _message(values, dialect, ""))


def is_reply(values: dict[str, Any]) -> bool:
    """True for the values of an answer."""
    return "status" in values and not values.keys() & {"g", "steps"}


def shape(values: dict[str, Any]) -> dict[str, Any]:
    """The JSON of any values, those of broken messages included: what can be told, in the order of the keys."""
    if is_reply(values):
        return values
    named = {**values, "plan": [_loose_step(one) for one in values["steps"]] if "steps" in values else None}
    if named.get("out_fmt") == "raw":
        named["out_fmt"] = None
    if isinstance(named.get("subtask"), dict):
        named["subtask"] = shape(named["subtask"])
    others = [key for key in values if key not in KEYS and key != "steps"]
    return {key: named[key] for key in (*KEYS, *others) if named.get(key) is not None}


def _loose_step(step: Any) -> Any:
    if isinstance(step, dict) and isinstance(step.get("parallel"), list):
        return {**step, "parallel": [_loose_step(one) for one in step["parallel"]]}
    return list(step.values()) if isinstance(step, dict) and step.keys() <= STEP else step


def _reply(values: dict[str, Any]) -> dict[str, Any]:
    if values["status"] not in STATUSES:
        raise Unencodable("/status", f'"status" is one of {" ".join(STATUSES)}.')
    if values["status"] == "ERR" and "code" not in values:
        raise Unencodable("/code", 'An ERR needs a "code".')
    for key, value in values.items():
        if key not in REPLY_KEYS:
            raise Unencodable(pointer.join(key), f'"{key}" has no place in a reply.')
        if not isinstance(value, str):
            raise Unencodable(pointer.join(key), f'"{key}" must be text.')
    return {key: values[key] for key in REPLY_KEYS if key in values}


def _message(values: dict[str, Any], dialect: str | None, at: str) -> dict[str, Any]:
    later = dialect_of(values.get("proto_ver"), dialect) == V10
    _check(values, at, later=later)
    named: dict[str, Any] = {key: value for key, value in values.items() if key != "steps"}
    if named.get("out_fmt") == "raw":
        del named["out_fmt"]
    if "subtask" in named:
        if not isinstance(named["subtask"], dict):
            raise Unencodable(f"{at}/subtask", '"subtask" must hold the values of a message.')
        named["subtask"] = _message(named["subtask"], V10 if later else dialect, f"{at}/subtask")
    steps = values.get("steps")
    if not isinstance(steps, list) or not steps:
        raise Unencodable(f"{at}/steps", '"steps" must be an array with at least one step.')
    named["plan"] = [_step(one, f"{at}/steps/{index}", later=later) for index, one in enumerate(steps)]
    others = [key for key in named if key not in KEYS]
    return {key: named[key] for key in (*KEYS, *others) if key in named}


def _check(values: dict[str, Any], at: str, *, later: bool) -> None:
    if not isinstance(values.get("g"), str) or not values["g"].strip():
        raise Unencodable(f"{at}/g", '"g" must be text that is not empty.')
    for key, value in values.items():
        reason = None
        if key in TEXTS and not isinstance(value, str):
            reason = "must be text"
        elif key == "ctx" and not isinstance(value, dict):
            reason = "must be an object"
        elif key == "ctx" and not isinstance(value.get("test_mode", True), bool):
            raise Unencodable(f"{at}/ctx/test_mode", '"test_mode" must be true or false.')
        elif key == "out_fmt" and value not in FORMATS:
            reason = f"is one of {' '.join(FORMATS)}"
        elif key == "state" and not later and value not in STATES:
            reason = f"is one of {' '.join(STATES)}"
        elif key == "test_mode" and not isinstance(value, bool):
            reason = "must be true or false"
        elif key == "plan" or (key not in ORDER and not later):
            reason = "has no place in a SACP message"
        if reason:
            raise Unencodable(at + pointer.join(key), f'"{key}" {reason}.')


def _step(step: object, at: str, *, later: bool) -> object:
    if not isinstance(step, dict):
        raise Unencodable(at, "A step holds verb, tool and params, or parallel.")
    if "parallel" in step:
        branches = step["parallel"]
        if not isinstance(branches, list) or not branches or (len(step) > 1 and not later):
            raise Unencodable(f"{at}/parallel", '"parallel" stands alone and holds at least one step.')
        inner = [_step(one, f"{at}/parallel/{index}", later=later) for index, one in enumerate(branches)]
        return {**step, "parallel": inner}
    for name in ("verb", "tool"):
        if not isinstance(step.get(name), str) or not step[name].strip():
            raise Unencodable(f"{at}/{name}", f'"{name}" must be text that is not empty.')
    if not isinstance(step.get("params", {} if later else None), dict):
        raise Unencodable(f"{at}/params", '"params" must be an object.')
    if step.keys() == STEP:
        return [step["verb"], step["tool"], step["params"]]
    if later:
        return step
    other = next(name for name in step if name not in STEP)
    raise Unencodable(at + pointer.join(other), f'A step of SACP 0.1 has no "{other}".')
