"""Write values as the JSON of a SACP message: the keys of the source, in its order."""

from typing import Any

from cablese.codec import Unencodable
from cablese.json import jsontext, pointer
from cablese.text import either

from .schema import (
    FORMATS,
    KEYS,
    KEYS_10,
    METRICS,
    ORDER,
    ORDER_10,
    REPLY_KEYS,
    STATES,
    STATUSES,
    STEP_10,
    TEXTS,
    TRACE_KEYS,
    V10,
    V10_NAME,
    dialect_of,
)  # fmt: skip
from .v1 import envelope, shapes

STEP = {"verb", "tool", "params"}
KINDS: dict[str, tuple[type[Any], str]] = dict.fromkeys(TEXTS, (str, "text")) | {
    "ctx": (dict, "an object"),
    "test_mode": (bool, "true or false"),
}
CHOICES = {"out_fmt": FORMATS, "state": STATES}


def write(values: dict[str, Any], dialect: str | None) -> str:
    """Return the canonical wire text. Raises Unencodable."""
    flaw = jsontext.find_flaw(values)
    if flaw:
        raise Unencodable(*flaw)
    if dialect_of(values.get("proto_ver"), dialect) == V10:
        return jsontext.write(_message_10({"proto_ver": V10_NAME, **values}))
    return jsontext.write(_reply(values) if is_reply(values) else _message(values, ""))


def is_reply(values: dict[str, Any]) -> bool:
    """Return whether these are the values of a reply."""
    return "status" in values and not values.keys() & {"g", "steps"}


def shape(values: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON of any values, also of an invalid message, in the order of the keys."""
    if is_reply(values):
        return values
    if dialect_of(values.get("proto_ver"), None) == V10:
        return _arrange(values)
    named = {
        **values,
        "plan": [_loose_step(step) for step in values["steps"]] if "steps" in values else None,
    }
    if named.get("out_fmt") == "raw":
        named["out_fmt"] = None
    if isinstance(named.get("subtask"), dict):
        named["subtask"] = shape(named["subtask"])
    others = [key for key in values if key not in KEYS and key != "steps"]
    return {key: named[key] for key in (*KEYS, *others) if named.get(key) is not None}


def _loose_step(step: Any) -> Any:
    if isinstance(step, dict) and isinstance(step.get("parallel"), list):
        return {**step, "parallel": [_loose_step(branch) for branch in step["parallel"]]}
    return list(step.values()) if isinstance(step, dict) and step.keys() <= STEP else step


def _reply(values: dict[str, Any]) -> dict[str, Any]:
    if values["status"] not in STATUSES:
        raise Unencodable("/status", f'"status" must be {either(STATUSES)}.')
    if values["status"] == "ERR" and "code" not in values:
        raise Unencodable("/code", '"code" is required for an ERR.')
    for key, value in values.items():
        if key not in REPLY_KEYS:
            raise Unencodable(pointer.join(key), f'"{key}" is not a field of a reply.')
        if not isinstance(value, str):
            raise Unencodable(pointer.join(key), f'"{key}" must be text.')
    return {key: values[key] for key in REPLY_KEYS if key in values}


def _message_10(values: dict[str, Any]) -> dict[str, Any]:
    for key in values:
        if key not in ORDER_10:
            raise Unencodable(pointer.join(key), f'"{key}" is not a field of a SACP 1.0 message.')
    message = _arrange(values)
    for flaw in envelope.check(message):
        if flaw.rule.severity == "error":
            path = (*flaw.path, flaw.lacks) if flaw.lacks else flaw.path
            path = ("steps", *path[1:]) if path[:1] == ("plan",) else path
            raise Unencodable(pointer.join(*path), flaw.message)
    return message


def _arrange(values: dict[str, Any]) -> dict[str, Any]:
    """Return a message of 1.0 with its keys, and those of its parts, in the order of the source.
    ``raw`` is not written.
    """
    named = {"plan" if key == "steps" else key: value for key, value in values.items()}
    if named.get("out_fmt") == "raw":
        del named["out_fmt"]
    if isinstance(named.get("plan"), list):
        named["plan"] = [_sort(step, STEP_10) for step in named["plan"]]
    for key, order in (
        ("result", tuple(shapes.RESULT.parts)),
        ("error", tuple(shapes.ERROR.parts)),
        ("trace", TRACE_KEYS),
    ):
        if key in named:
            named[key] = _sort(named[key], order)
    if isinstance(named.get("trace"), dict) and "metrics" in named["trace"]:
        named["trace"]["metrics"] = _sort(named["trace"]["metrics"], METRICS)
    return dict(_sort(named, KEYS_10))


def _sort(value: Any, order: tuple[str, ...]) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: value[key] for key in order if key in value} | value


def _message(values: dict[str, Any], at: str) -> dict[str, Any]:
    _check(values, at)
    named: dict[str, Any] = {key: value for key, value in values.items() if key != "steps"}
    if named.get("out_fmt") == "raw":
        del named["out_fmt"]
    if "subtask" in named:
        if not isinstance(named["subtask"], dict):
            raise Unencodable(f"{at}/subtask", '"subtask" must be the values of a message.')
        named["subtask"] = _message(named["subtask"], f"{at}/subtask")
    steps = values.get("steps")
    if not isinstance(steps, list) or not steps:
        raise Unencodable(f"{at}/steps", '"steps" must be an array with at least one step.')
    named["plan"] = [_step(step, f"{at}/steps/{index}") for index, step in enumerate(steps)]
    return {key: named[key] for key in KEYS if key in named}


def _check(values: dict[str, Any], at: str) -> None:
    if not isinstance(values.get("g"), str) or not values["g"].strip():
        raise Unencodable(f"{at}/g", '"g" must be non-empty text.')
    for key, value in values.items():
        kind, kind_name = KINDS.get(key, (object, ""))
        choices, context = CHOICES.get(key), value if key == "ctx" else {}
        reason = None
        if key not in ORDER:
            reason = "is not a field of a SACP message"
        elif not isinstance(value, kind):
            reason = f"must be {kind_name}"
        elif choices is not None and value not in choices:
            reason = f"must be {either(choices)}"
        elif not isinstance(context.get("test_mode", True), bool):
            raise Unencodable(f"{at}/ctx/test_mode", '"test_mode" must be true or false.')
        if reason:
            raise Unencodable(at + pointer.join(key), f'"{key}" {reason}.')


def _step(step: object, at: str) -> object:
    if not isinstance(step, dict):
        raise Unencodable(at, "A step must have verb, tool, and params, or parallel.")
    if "parallel" in step:
        branches = step["parallel"]
        if not isinstance(branches, list) or not branches or len(step) > 1:
            raise Unencodable(
                f"{at}/parallel", '"parallel" must be the only key, with at least one step.'
            )
        return {
            "parallel": [
                _step(branch, f"{at}/parallel/{index}") for index, branch in enumerate(branches)
            ]
        }
    for name in ("verb", "tool"):
        if not isinstance(step.get(name), str) or not step[name].strip():
            raise Unencodable(f"{at}/{name}", f'"{name}" must be non-empty text.')
    if not isinstance(step.get("params"), dict):
        raise Unencodable(f"{at}/params", '"params" must be an object.')
    if step.keys() == STEP:
        return [step["verb"], step["tool"], step["params"]]
    other = next(name for name in step if name not in STEP)
    raise Unencodable(at + pointer.join(other), f'A step of SACP 0.1 has no "{other}".')
