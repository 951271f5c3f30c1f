"""Metadata of a record around a message: a JSON log line, a trace, an event, a chat.

    {"ts": 1763632801.5, "level": "info", "from": "planner", "msg": "REQ/TSK|g=1"}

The object nearest to the message counts first, then those around it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from cablese.transcript import times
from cablese.transcript.facts import NOTHING, Facts, Time
from cablese.transcript.log_lines import incoming
from cablese.transcript.log_lines.incoming import Arrival

from . import programs
from .threads import THREADS, find_programs

T = TypeVar("T")

TIMES = (
    "@timestamp", "timestamp", "ts", "time", "datetime", "asctime", "@t", "eventtime", "event_time",
    "timeunixnano", "observedtimeunixnano", "starttimeunixnano", "created_at", "createdat",
    "published_at", "publishtime", "__realtime_timestamp", "_source_realtime_timestamp",
    "senttimestamp", "created", "date", "t", "starttime", "start_time",
    "timegenerated", "createddatetime",
    "starteddatetime", "event_timestamp", "time_iso8601", "time_local",
)  # fmt: skip
SENDERS = (
    "from", "sender", "from_agent", "sender_id", "agent", "agent_name", "agent_id", "author",
    "speaker", "src", "user_profile.real_name",
)  # fmt: skip
WRITERS = "agent", "agent_name", "agent_id"
"""Those of them that name who wrote the record, which may have received the message."""
OTHERS = frozenset(("username", "user_name", "nickname", "display_name", "displayname"))
"""Keys that name somebody, perhaps the user of a program. Objects around it name no sender then."""
ORIGINS = tuple(key for key in SENDERS if key not in WRITERS)
DIRECTIONS = "direction", "dir"
INCOMING = frozenset(("in", "inbound", "incoming", "receive", "received", "recv", "rx"))
"""Their values, in lower case, in the record of a message that came in."""
OUTGOING = frozenset(("out", "outbound", "outgoing", "send", "sent", "tx"))
SAID = "msg", "message", "event"
"""What a program says about the message. An event may also be that of a webhook, which somebody
else wrote.
"""
ARRIVING = frozenset((*DIRECTIONS, *SAID))
REPLIES = {
    "response": ("request",),
    "res": ("req",),
    "reply": ("message", "request"),
    "answer": ("question", "query"),
    "output": ("input",),
    "result": ("request",),
}
"""The keys of a reply, and those of what it replies to in the same object."""
ASKED = {"input": ("output",)}
"""What the agent of an object got, and what it answered."""
EXCHANGED = frozenset((*REPLIES, *ASKED))
ROLES = ("role", "logger", "logger_name", "loggername")
RECIPIENTS = ("to", "recipient", "receiver", "to_agent", "recipient_id", "dst")
KNOWN = {
    "trace_id": (
        "trace_id", "traceid", "trace.id", "dd.trace_id", "otel.trace_id", "oteltraceid", "@tr",
    ),
    "span_id": ("span_id", "spanid", "span.id", "dd.span_id", "otel.span_id", "otelspanid", "@sp"),
    "level": (
        "level", "levelname", "severity", "severitytext", "severity_text", "lvl", "log.level", "@l",
        "loglevel",
    ),
    "logger": ("logger", "logger_name", "loggername", "log.logger", "sourcecontext"),
    "model": (
        "model", "model_name", "modelid", "model_id", "gen_ai.request.model",
        "gen_ai.response.model", "modelversion", "ls_model_name",
    ),
}  # fmt: skip
"""The attributes that have a name of ours, and the keys for them in lower case."""
CONTAINERS = frozenset((
    "attributes", "extra", "context", "ctx", "labels", "tags", "metadata", "meta", "fields",
    "properties", "mdc", "contextmap",
))  # fmt: skip
"""Objects of a record whose numbers and short texts are attributes too."""
_NAMED_BELOW = frozenset(f"{container}.{key}" for container in CONTAINERS for key in SENDERS)
_LOGGED = frozenset((*KNOWN["level"], *KNOWN["logger"]))
_PARTIES = SENDERS, WRITERS, ORIGINS, RECIPIENTS, ROLES
TELLING = {keys: frozenset(keys) for keys in (TIMES, *_PARTIES, THREADS, *KNOWN.values())}
TRACES = frozenset(("traceparent", "trace", "logging.googleapis.com/trace"))
TELLS = TRACES.union(*TELLING.values())
"""Every key that states a fact."""
TELLS_MORE = TELLS.difference(ROLES) | TRACES.union(*(TELLING[keys] for keys in KNOWN.values()))
"""Those that state one also where a role or a logger is not the sender."""
MAX_TEXT = 1_000
"""Characters of an attribute."""
MAX_NAME = 200
MAX_MEMBERS = 64
PLACE = re.compile(r"\.\w{1,5}:\d+\Z")
"""A file and a line, as in ``bus.py:12``, which does not name a sender."""
UNNAMED = re.compile(
    r"[(<\[]?(?:null|none|nil|undefined|unknown)[)>\]]?|n/?a|[-~]"
    r"|\\n"  # \N is that of MySQL
    r"|\[object(?: object)?\]|\[array\]"
    r"|now(?:[-+]\w+)?|\d{4}-\d\d-\d\d(?:[T ]\d.*)?",  # the ends of a range
    re.IGNORECASE,
)
"""What stands for a party that is not known, or for something else under the key of one."""
USER_AGENT = re.compile(
    r"(?:Mozilla|Opera|curl|Wget|python-\w+|Go-http-client|okhttp|axios|node-fetch|PostmanRuntime"
    r"|kube-probe|Prometheus|ELB-HealthChecker|Apache-HttpClient|Java|Dart|Ruby)/\d",
    re.IGNORECASE,
)
"""What an "agent" is in the log of a web server."""
GENERIC = frozenset(("root", "__main__", "main", "default", "system"))
"""Loggers and roles that name no sender."""


def collect(
    objects: Sequence["Flat"],
    *,
    free: Sequence["Flat"] = (),
    skip: Collection[str] = (),
    has_roles: bool = True,
    arrival: Arrival | None = None,
    is_log: bool = False,
    has_programs: bool = True,
) -> Facts:
    """Return the facts in ``objects``, the nearest to the message first.

    Other numbers and short texts of the objects in ``free`` are attributes. The members called as
    in ``skip`` hold the message and are no metadata of it. With ``has_roles`` a logger or a role is
    the sender when no better one is stated, not even in ``CONTAINERS``. The ``arrival`` is what the
    text before the message states, and otherwise what an object does. ``is_log`` says that the text
    states a level or a logger. With ``has_programs`` a program may also be the sender.
    """
    skipped = {key.lower() for key in skip}
    used = set(skipped)
    tells = TELLS if has_roles else TELLS_MORE
    telling = [flat for flat in objects if not tells.isdisjoint(flat)]  # few inside a wrapper are
    if not telling and not free:
        return NOTHING
    time = _first(_time(flat, skipped, used) for flat in telling)
    arrival = arrival or _find_arrival(objects, skipped)
    sender, recipient = _parties(objects, arrival, skipped, used)
    thread = _first(_thread(flat, skipped, used, is_log=is_log) for flat in telling)
    attributes: dict[str, Any] = {}
    for flat in telling:
        _add_known(attributes, flat, skipped, used)
    has_level = "level" in attributes
    for flat in free:
        _add_free(attributes, flat, used, skipped)
    is_named = any(flat.contained and not _NAMED_BELOW.isdisjoint(flat) for flat in objects)
    if sender is None and has_roles and arrival is None and not is_named:
        sender = _writer(telling, objects if has_level else (), skipped)
        sender = sender or (_program(objects, recipient) if has_programs else None)
    return Facts(time, sender, recipient, thread, attributes)


def _writer(telling: Sequence["Flat"], logs: Sequence["Flat"], skipped: set[str]) -> str | None:
    """Return the role or the logger that objects name, unless it names no agent."""
    name = _first(_name(flat, ROLES, skipped, set()) for flat in telling)
    name = name or _first(_logger(flat) for flat in logs)
    return name if name and name.lower() not in GENERIC else None


def _program(objects: Sequence["Flat"], recipient: str | None) -> str | None:
    """Return the program that objects name if none of them names somebody."""
    name = programs.find(objects) if all(map(OTHERS.isdisjoint, objects)) else None
    return None if name == recipient else name


def _find_arrival(objects: Sequence["Flat"], skipped: Collection[str]) -> Arrival | None:
    return _first(read_arrival(flat, skipped, at) for at, flat in enumerate(objects))


def read_arrival(flat: "Flat", skipped: Collection[str] = (), at: int = 0) -> Arrival | None:
    """Return what a record states of a message that came in; ``at`` is its number."""
    if ARRIVING.isdisjoint(flat):
        return None
    stated = [
        value.strip().lower() for key in DIRECTIONS if isinstance(value := flat.get(key), str)
    ]
    if not INCOMING.isdisjoint(stated):
        return Arrival(at=at)
    if not OUTGOING.isdisjoint(stated):
        return None
    for key in SAID:
        value = None if key in skipped else flat.get(key)
        states = incoming.read(value.strip()) if isinstance(value, str) else None
        if states is not None:
            is_received = key != "event" or not TELLING[KNOWN["level"]].isdisjoint(flat)
            return Arrival(incoming.origin(states), is_received=is_received, at=at)
    return None


def _parties(
    objects: Sequence["Flat"], arrival: Arrival | None, skipped: set[str], used: set[str]
) -> tuple[str | None, str | None]:
    """Return the sender and the recipient that the nearest objects name."""
    sender, from_at = None, -1
    for at, flat in enumerate(objects):
        keys = SENDERS if arrival is None or at < arrival.at else ORIGINS
        sender, from_at = _name(flat, keys, skipped, used), at
        if sender is not None or not OTHERS.isdisjoint(flat):
            break
    recipients = ((_name(flat, RECIPIENTS, skipped, used), at) for at, flat in enumerate(objects))
    recipient, to_at = next((named for named in recipients if named[0]), (None, -1))
    if arrival is None:
        # One object may name the sender, and one around it the same agent.
        return sender, None if sender == recipient and from_at != to_at else recipient
    if arrival.is_received and recipient is None:
        # Around the object that states it are those of other writers.
        stating = objects[arrival.at : arrival.at + 1]
        recipient = _first(_name(flat, WRITERS, skipped, used) for flat in stating)
    sender = sender or arrival.sender
    return None if sender == recipient else sender, recipient


def _first(values: Iterator[T | None]) -> T | None:
    return next((value for value in values if value is not None), None)


def _logger(flat: "Flat") -> str | None:
    """Return the logger of pino, Bunyan, and Python, which call it a name."""
    name = flat.get("name")
    return name if isinstance(name, str) else None


def _add_known(attributes: dict[str, Any], flat: "Flat", skipped: set[str], used: set[str]) -> None:
    for name, keys in KNOWN.items():
        if TELLING[keys].isdisjoint(flat):
            continue
        key = next((key for key in keys if key not in skipped and _is_scalar(flat.get(key))), None)
        if key is not None:
            attributes.setdefault(name, flat[key])
            used.add(key)
    for name, value in _traceparent(flat):
        attributes.setdefault(name, value)


def _add_free(
    attributes: dict[str, Any], flat: "Flat", used: Collection[str], skipped: Collection[str]
) -> None:
    for key, name, value in flat.free:
        if len(attributes) == MAX_MEMBERS:
            return
        if key not in used:
            attributes.setdefault(name, value)
    for container, name, value in flat.contained:
        if len(attributes) == MAX_MEMBERS:
            return
        if container not in skipped:  # What holds the message is read as an object around it.
            attributes.setdefault(name, value)


def find_exchange(objects: Sequence["Flat"], steps: Sequence[str]) -> tuple[str, int]:
    """Return the key of a request or a reply that the ``steps`` to a message go through, if the
    same object has both, and its number. Otherwise, or if a nearer one names a party, the key is
    empty.
    """
    keys = EXCHANGED.intersection(map(str.lower, steps))
    for at, flat in enumerate(objects if keys else ()):
        for key in keys:
            others = REPLIES.get(key) or ASKED[key]
            if key in flat and any(flat.get(other) for other in others):
                return key, at
        if not all(TELLING[telling].isdisjoint(flat) for telling in (SENDERS, RECIPIENTS)):
            break
    return "", 0


class Flat(dict[str, Any]):
    """Members by key in lower case, with a dot for nesting; ``written`` are the original keys.

    ``contained`` are members inside ``CONTAINERS``: the container, their name, and their value.
    """

    written: dict[str, str]
    contained: list[tuple[str, str, Any]]

    @cached_property
    def free(self) -> list[tuple[str, str, Any]]:
        """The members that can be attributes, with their key in lower case and as written."""
        return [
            (key, self.written[key], value)
            for key, value in self.items()
            if key in self.written and _is_scalar(value)
        ]


def flatten(members: Mapping[str, Any]) -> Flat:
    """Return the first members of a record, in which facts are looked up."""
    flat = Flat()
    flat.written, flat.contained = {}, []
    for key, value in islice(members.items(), 4 * MAX_MEMBERS):
        lower = key.lower()
        flat.setdefault(lower, value)
        if not isinstance(value, dict | list):
            flat.written.setdefault(lower, key)
            continue
        if isinstance(value, dict):
            for below, inner in islice(value.items(), MAX_MEMBERS):
                flat.setdefault(f"{lower}.{below.lower()}", inner)
                if lower in CONTAINERS and _is_scalar(inner):
                    # Items have attributes too: theirs are those of the message.
                    name = below if lower == "attributes" else f"{key}.{below}"
                    flat.contained.append((lower, name, inner))
        if isinstance(value, list) or key in ("attributes", "resource"):
            for below, inner in _otlp(value):
                flat.setdefault(below.lower(), inner)
    return flat


def _otlp(value: object) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of OpenTelemetry: ``[{"key": …, "value": {"stringValue": …}}]``."""
    if isinstance(value, dict):
        value = value.get("attributes")
    for member in value[:MAX_MEMBERS] if isinstance(value, list) else ():
        if not isinstance(member, dict):
            continue
        key, inner = member.get("key"), member.get("value")
        if isinstance(key, str) and isinstance(inner, dict):
            yield key, next(iter(inner.values()), None)


def _time(flat: Flat, skipped: set[str], used: set[str]) -> Time | None:
    if TELLING[TIMES].isdisjoint(flat):
        return None
    for key in TIMES:
        value = None if key in skipped else flat.get(key)
        time = None
        if isinstance(value, list) and len(value) == 1:  # a field of Kibana
            value = value[0]
        if isinstance(value, str):
            time = times.parse(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            time = times.parse_number(repr(value))
        if time is not None:
            used.add(key)
            return time
    return None


def _name(flat: Flat, keys: tuple[str, ...], skipped: set[str], used: set[str]) -> str | None:
    if TELLING[keys].isdisjoint(flat):
        return None
    for key in keys:
        value = None if key in skipped else flat.get(key)
        if isinstance(value, dict):
            # With a version it is a program: Elastic's "agent" ships the log.
            value = None if "version" in value else _name_of(value)
        name = value.strip() if isinstance(value, str) and not PLACE.search(value) else ""
        if 0 < len(name) <= MAX_NAME and name.isprintable():
            if keys is not THREADS and _is_unnamed(key, name):
                continue
            used.add(key)
            return name
    return None


def _name_of(party: dict[str, Any]) -> object:
    """Return the name of a party. Microsoft writes whether it is a user or an application."""
    kinds = (party.get(kind) for kind in ("user", "application"))
    named = next((one for one in kinds if isinstance(one, dict)), party)
    return named.get("name") or named.get("displayName") or named.get("id")


def _thread(flat: Flat, skipped: set[str], used: set[str], *, is_log: bool) -> str | None:
    programs = find_programs(flat, is_log=is_log or not _LOGGED.isdisjoint(flat))
    return _name(flat, THREADS, skipped | programs if programs else skipped, used)


def _is_unnamed(key: str, name: str) -> bool:
    is_user_agent = key == "agent" and USER_AGENT.match(name) is not None
    return is_user_agent or UNNAMED.fullmatch(name) is not None


def _traceparent(flat: Flat) -> Iterator[tuple[str, str]]:
    """Yield the IDs of W3C Trace Context (section 3.2) and of Cloud Logging's resource names."""
    value = flat.get("traceparent")
    parts = value.split("-") if isinstance(value, str) else ()
    if len(parts) == 4 and len(parts[1]) == 32 and len(parts[2]) == 16:
        yield "trace_id", parts[1]
        yield "span_id", parts[2]
    trace = flat.get("logging.googleapis.com/trace") or flat.get("trace")
    if isinstance(trace, str) and "/traces/" in trace:
        yield "trace_id", trace.rpartition("/")[2]


def _is_scalar(value: object) -> bool:
    return 0 < len(value) <= MAX_TEXT if isinstance(value, str) else isinstance(value, int | float)
