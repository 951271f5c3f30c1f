"""Decode plain values quickly by their types, without places. What is not plainly right is left to
``read``.
"""

from typing import Any

from cablese.protocols.sacp.rules import ERROR_CODES, STEP_CODES
from cablese.protocols.sacp.schema import (  # fmt: skip
    FORMATS,
    KEYS,
    NAMED_STEP,
    ORDER,
    REPLY_KEYS,
    STATES,
    STATUSES,
    TEXTS,
    V01,
    V01_NAMES,
    V10,
    dialect_of,
)
from cablese.protocols.sacp.v1 import envelope
from cablese.protocols.sacp.v1.reader_v1 import shape_values

ALLOWED = frozenset(KEYS)


def glance(root: Any, dialect: str | None) -> tuple[str, dict[str, Any]] | None:
    """Return the version and values of a clean message or reply; None in case of any doubt."""
    if type(root) is not dict:
        return None
    if dialect_of(root.get("proto_ver"), dialect) == V10:
        return None if any(envelope.check(root)) else (V10, shape_values(root))
    is_reply = "status" in root and "g" not in root and "plan" not in root
    values = _reply(root) if is_reply else _message(root)
    return None if values is None else (V01, values)


def _message(root: dict[str, Any]) -> dict[str, Any] | None:
    goal, plan = root.get("g"), root.get("plan")
    if (
        type(goal) is not str
        or not goal.strip()
        or type(plan) is not list
        or not plan
        or not root.keys() <= ALLOWED
    ):
        return None
    for key in TEXTS:
        if type(root.get(key, "")) is not str:
            return None
    if (
        root.get("out_fmt", "raw") not in FORMATS
        or root.get("state", "DONE") not in STATES
        or root.get("proto_ver", "0.1") not in V01_NAMES
        or not _is_context(root.get("ctx"), root)
    ):
        return None
    steps = _steps(plan)
    if steps is None:
        return None
    values = {"out_fmt": "raw", **root, "steps": steps}
    if "subtask" in root:
        values["subtask"] = _message(root["subtask"]) if type(root["subtask"]) is dict else None
        if values["subtask"] is None:
            return None
    return {key: values[key] for key in ORDER if key in values}


def _is_context(context: Any, root: dict[str, Any]) -> bool:
    if context is None:
        return "ctx" not in root and type(root.get("test_mode", True)) is bool
    if type(context) is not dict:
        return False
    inner = context.get("test_mode", True)
    own = root.get("test_mode", inner)
    return (
        type(inner) is bool and type(own) is bool and ("test_mode" not in context or own is inner)
    )


def _steps(plan: list[Any]) -> list[Any] | None:
    steps: list[Any] = []
    parallel = False
    for item in plan:
        step = _triple(item)
        if step is None:
            if parallel or type(item) is not dict or item.keys() != {"parallel"}:
                return None
            branches = item["parallel"]
            if (
                type(branches) is not list
                or not branches
                or None in (triples := [_triple(each) for each in branches])
            ):
                return None
            step = {"parallel": triples}
        if (not parallel) is (step.get("verb") == "join"):
            return None
        parallel = "parallel" in step
        steps.append(step)
    return None if parallel else steps


def _triple(step: Any) -> dict[str, Any] | None:
    if type(step) is not list or len(step) != 3:
        return None
    verb, tool, params = step
    if type(verb) is not str or type(tool) is not str or type(params) is not dict:
        return None
    return {"verb": verb, "tool": tool, "params": params} if verb.strip() and tool.strip() else None


def _reply(root: dict[str, Any]) -> dict[str, Any] | None:
    if not all(key in REPLY_KEYS and type(value) is str for key, value in root.items()):
        return None
    status, code, details = root["status"], root.get("code"), root.get("details")
    if (
        status not in STATUSES
        or (status != "VALID" and not details)
        or (status == "ERR" and code not in ERROR_CODES)
        or (status == "ERR" and code in STEP_CODES and NAMED_STEP.search(details or "") is None)
    ):
        return None
    return {key: root[key] for key in REPLY_KEYS if key in root}
