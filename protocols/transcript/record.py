"""What a record says beside its message: a JSON log line, a trace, an event, a chat.

    {"ts": 1763632801.5, "level": "info", "from": "planner", "trace_id": "4bf92f35", "msg": "REQ/TSK|g=1"}

The object nearest to the message is asked first, then those around it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from . import times
from .facts import Facts, Time

TIMES = (
    "@timestamp", "timestamp", "ts", "time", "datetime", "asctime", "@t", "eventtime", "event_time", "timeunixnano",
    "observedtimeunixnano", "starttimeunixnano", "created_at", "createdat", "published_at", "publishtime",
    "__realtime_timestamp", "_source_realtime_timestamp", "senttimestamp", "created", "date", "t", "starttime",
    "start_time", "timegenerated", "starteddatetime", "event_timestamp",
)  # fmt: skip
SENDERS = ("from", "sender", "from_agent", "sender_id", "agent", "agent_name", "agent_id", "author", "speaker", "src")
ROLES = ("role", "logger", "logger_name", "loggername")
RECIPIENTS = ("to", "recipient", "receiver", "to_agent", "recipient_id", "dst")
THREADS = (
    "conversation_id", "conversationid", "contextid", "context_id", "session_id", "sessionid", "thread_id",
    "threadid", "conversation",
)  # fmt: skip
NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sender", SENDERS),
    ("recipient", RECIPIENTS),
    ("thread", THREADS),
    ("role", ROLES),
)
KNOWN = {
    "trace_id": ("trace_id", "traceid", "trace.id", "dd.trace_id", "otel.trace_id", "otelTraceID".lower(), "@tr"),
    "span_id": ("span_id", "spanid", "span.id", "dd.span_id", "otel.span_id", "otelSpanID".lower(), "@sp"),
    "level": ("level", "levelname", "severity", "severitytext", "severity_text", "lvl", "log.level", "@l", "loglevel"),
    "logger": ("logger", "logger_name", "loggername", "log.logger", "sourcecontext"),
    "model": (
        "model", "model_name", "modelid", "model_id", "gen_ai.request.model", "gen_ai.response.model", "modelversion",
        "ls_model_name",
    ),
}  # fmt: skip
TELLING = {name: frozenset(keys) for name, keys in (*NAMES, *KNOWN.items(), ("time", TIMES))}
TRACES = frozenset(("traceparent", "trace", "logging.googleapis.com/trace"))
TELLS = TRACES.union(*TELLING.values())
"""Every key that says something."""
TEXT_LIMIT = 1_000
MEMBERS = 64
GENERIC = frozenset(("root", "__main__", "main", "default", "system"))


def collect(
    objects: Sequence["Flat"], *, free: Iterable["Flat"] = (), skip: Collection[str] = (), has_roles: bool = True
) -> Facts:
    """The facts in ``objects``, the nearest first; the other scalars of those in ``free`` are attributes too.

    The members called as in ``skip`` hold the message and say nothing about it. With ``has_roles`` a logger or a role
    is who sends, when nothing better is said.
    """
    skipped = {key.lower() for key in skip}
    used = set(skipped)
    time: Time | None = None
    found: dict[str, str | None] = {"sender": None, "recipient": None, "thread": None, "role": None}
    attributes: dict[str, Any] = {}
    for one in objects:
        if TELLS.isdisjoint(one):
            continue  # as most objects inside a wrapper
        time = time or _time(one, skipped, used)
        for name, keys in NAMES:
            if not found[name] and not TELLING[name].isdisjoint(one):
                found[name] = _name(one, keys, skipped, used if name != "role" else set())
        for name, known in KNOWN.items():
            if TELLING[name].isdisjoint(one):
                continue
            key = next((key for key in known if key not in skipped and _is_scalar(one.get(key))), None)
            if key is not None:
                attributes.setdefault(name, one[key])
                used.add(key)
        for name, value in _traceparent(one):
            attributes.setdefault(name, value)
    for one in free:
        for key, value in one.items():
            if key not in used and key in one.written and _is_scalar(value) and len(attributes) < MEMBERS:
                attributes.setdefault(one.written[key], value)
    if found["role"] is None and "level" in attributes:  # the name of the logger in pino, Bunyan, and Python
        found["role"] = next((one["name"] for one in objects if isinstance(one.get("name"), str)), None)
    sender = found["sender"]
    role = found["role"]
    if sender is None and has_roles and role and role.lower() not in GENERIC:
        sender = role
    return Facts(time=time, sender=sender, recipient=found["recipient"], thread=found["thread"], attributes=attributes)


class Flat(dict[str, Any]):
    """Members by key in lower case, nested keys joined by a dot; ``written`` has the keys as they are written."""

    written: dict[str, str]


def flatten(one: Mapping[str, Any]) -> Flat:
    """The first members of a record, by which it is asked."""
    flat = Flat()
    flat.written = {}
    for key, value in islice(one.items(), 4 * MEMBERS):
        flat.setdefault(key.lower(), value)
        if not isinstance(value, dict | list):
            flat.written.setdefault(key.lower(), key)
        elif isinstance(value, dict):
            for below, inner in islice(value.items(), MEMBERS):
                flat.setdefault(f"{key}.{below}".lower(), inner)
        if key in ("attributes", "resource") or isinstance(value, list):
            for below, inner in _otlp(value):
                flat.setdefault(below.lower(), inner)
    return flat


def _otlp(value: object) -> Iterator[tuple[str, Any]]:
    """The attributes of OpenTelemetry: ``[{"key": …, "value": {"stringValue": …}}]``."""
    if isinstance(value, dict):
        value = value.get("attributes")
    for member in value[:MEMBERS] if isinstance(value, list) else ():
        if isinstance(member, dict) and isinstance(member.get("key"), str) and isinstance(member.get("value"), dict):
            yield member["key"], next(iter(member["value"].values()), None)


def _time(one: Flat, skipped: set[str], used: set[str]) -> Time | None:
    if TELLING["time"].isdisjoint(one):
        return None
    for key in TIMES:
        value = None if key in skipped else one.get(key)
        found = None
        if isinstance(value, str):
            found = times.parse(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found = times.parse_number(repr(value))
        if found is not None:
            used.add(key)
            return found
    return None


def _name(one: Flat, keys: tuple[str, ...], skipped: set[str], used: set[str]) -> str | None:
    for key in keys:
        value = None if key in skipped else one.get(key)
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        if isinstance(value, str) and 0 < len(name := value.strip()) <= 200 and name.isprintable():
            used.add(key)
            return name
    return None


def _traceparent(one: Flat) -> Iterator[tuple[str, str]]:
    """W3C Trace Context section 3.2, and the resource name of Cloud Logging."""
    value = one.get("traceparent")
    parts = value.split("-") if isinstance(value, str) else ()
    if len(parts) == 4 and len(parts[1]) == 32 and len(parts[2]) == 16:
        yield "trace_id", parts[1]
        yield "span_id", parts[2]
    trace = one.get("logging.googleapis.com/trace") or one.get("trace")
    if isinstance(trace, str) and "/traces/" in trace:
        yield "trace_id", trace.rpartition("/")[2]


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= TEXT_LIMIT
    return isinstance(value, int | float)
