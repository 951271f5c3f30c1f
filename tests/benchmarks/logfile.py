"""A log as five loggers write it into one file, and the truth about the messages in it.

    INFO:bus:planner -> executor REQ/TSK|g=42,t=1             Python's logging, default and dated
    {"event": "T|17|Q|obj=x", "logger": "planner", …}         structlog
    {"level":30,"time":1795168801123,"msg":"FETCH|HR|…"}      pino, alone or in docker's json-file
    time=2026-11-20T10:00:01.123Z from=planner msg="REQ/…"    logfmt
    Nov 20 10:00:01 web-1 planner[812]: SLIP v3 …             syslog, of 2001 and of 2009

One line of a hundred is a message, and one message of eleven is cut off. The others are what such
files are full of: requests, SQL, stack traces, prose, pairs of keys and values, records that are
cut off, and a few that resemble a message.
"""

import json
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from tests.benchmarks import corpus

START = datetime(2026, 11, 20, 10, 0, 1, 123456, tzinfo=UTC)
EVERY = 100
"""Lines for one message."""
CUT = 11
"""Messages for one that is cut off: no multiple of the number of protocols, so that all are."""
AGENTS = ("planner", "executor", "critic", "coordinator", "researcher", "writer")
BROKERS = ("bus", "relay", "gateway")
LOGGERS = ("uvicorn.access", "sqlalchemy.engine", "app.jobs", "celery.worker", "cache", "billing")
HOST = "web-1"


class Sent(NamedTuple):
    """One message of the log, and what its line says about it.

    ``time`` is naive where the line has no zone, and of the year 1900 where it has no year.
    """

    start: int
    end: int
    protocol: str
    wire: str
    time: datetime | None
    sender: str | None
    recipient: str | None


class Logfile(NamedTuple):
    text: str
    sent: tuple[Sent, ...]


class _Event(NamedTuple):
    """What a program asks its logger to write. An agent's message has a sender and a recipient."""

    moment: datetime
    name: str
    text: str
    sender: str | None = None
    recipient: str | None = None
    value: dict[str, Any] | None = None
    """The text as an object, where a structured logger may write it so."""


class _Line(NamedTuple):
    text: str
    time: datetime | None
    sender: str | None
    recipient: str | None
    wire: str | None = None
    """The message as the line holds it, when that is not the text of the event."""


_Logger = Callable[[_Event, random.Random], _Line]


def write(lines: int, seed: int = 9) -> Logfile:
    """Return a log of exactly `lines` lines, always the same for the same seed."""
    dice = random.Random(seed)
    messages = _messages(lines // EVERY, dice)
    due = [at * EVERY + dice.randrange(EVERY // 2) for at in range(lines // EVERY)]
    written: list[str] = []
    sent: list[Sent] = []
    at = count = 0
    moment = START
    while count < lines:
        moment += timedelta(microseconds=dice.randrange(1, 40_000))
        logger = dice.choice(LOGGERS_OF_FILE)
        if len(sent) < len(due) and due[len(sent)] <= count:
            protocol, wire, is_cut = next(messages)
            line = logger(_said(moment, protocol, wire, dice, is_cut=is_cut), dice)
            place = Sent(
                at, at + len(line.text), protocol, line.wire or wire, line.time, line.sender,
                line.recipient,
            )  # fmt: skip
            sent.append(place)
        else:
            line = _other(moment, logger, dice, most=lines - count)
        written.append(line.text)
        at += len(line.text) + 1
        count += 1 + line.text.count("\n")
    assert len(sent) == len(due)
    return Logfile("\n".join(written) + "\n", tuple(sent))


def _messages(count: int, dice: random.Random) -> Iterator[tuple[str, str, bool]]:
    """The protocols, texts, and whether they are cut off, of messages of all protocols in turns."""
    protocols = tuple(corpus.WRITERS)
    wires = {name: corpus.typical(name, count // len(protocols) + 1) for name in protocols}
    for at in range(count):
        protocol = protocols[at % len(protocols)]
        wire = wires[protocol][at // len(protocols)]
        is_cut = at % CUT == CUT - 1
        if is_cut:
            wire = wire[: dice.randrange(len(wire) * 4 // 5, len(wire) - 1)].rstrip()
        yield protocol, wire, is_cut


def _said(
    moment: datetime, protocol: str, wire: str, dice: random.Random, *, is_cut: bool
) -> _Event:
    sender, recipient = dice.sample(AGENTS, 2)
    is_object = protocol in ("sacp", "nlip") and not is_cut
    value = json.loads(wire) if is_object else None
    return _Event(moment, dice.choice(BROKERS), wire, sender, recipient, value)


def _with_parties(event: _Event, dice: random.Random) -> tuple[str, _Event]:
    """The text of a line and the event as the line tells it: an arrow, or the sender's logger."""
    if event.sender is None:
        return event.text, event
    if dice.random() < 0.6:
        return f"{event.sender} -> {event.recipient} {event.text}", event
    return event.text, event._replace(name=event.sender, recipient=None)


def _python(event: _Event, dice: random.Random) -> _Line:
    """logging.basicConfig() as it comes: no time."""
    text, told = _with_parties(event, dice)
    return _Line(f"{_level(dice)}:{told.name}:{text}", None, told.sender, told.recipient)


def _python_dated(event: _Event, dice: random.Random) -> _Line:
    """The two formats that the documentation of logging made common: a time without a zone."""
    text, told = _with_parties(event, dice)
    moment = _milliseconds(event.moment).replace(tzinfo=None)
    time = f"{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03}"
    if dice.random() < 0.5:
        line = f"{time} - {told.name} - {_level(dice)} - {text}"
    else:
        line = f"{time} {_level(dice)} {told.name}: {text}"
    return _Line(line, moment, told.sender, told.recipient)


def _structlog(event: _Event, dice: random.Random) -> _Line:
    record: dict[str, Any] = {"event": event.text, "level": _level(dice).lower()}
    recipient = None
    if event.value is not None and dice.random() < 0.3:
        record["event"] = event.value
    if event.sender is not None and dice.random() < 0.5:
        record |= {"logger": event.name, "from": event.sender, "to": event.recipient}
        recipient = event.recipient
    else:
        record["logger"] = event.sender or event.name
    record["timestamp"] = _zulu(event.moment, "microseconds")
    wire = json.dumps(event.value) if record["event"] is event.value else None
    return _Line(json.dumps(record), event.moment, event.sender, recipient, wire)


def _pino(event: _Event, dice: random.Random) -> _Line:
    moment = _milliseconds(event.moment)
    record: dict[str, Any] = {
        "level": dice.choice((20, 30, 30, 30, 40, 50)),
        "time": round(moment.timestamp() * 1000),
        "pid": 812,
        "hostname": HOST,
    }
    if event.sender is not None:
        record |= {"from": event.sender, "to": event.recipient}
    if event.value is not None and dice.random() < 0.3:
        record |= {"payload": event.value, "msg": "message sent"}
    else:
        record["msg"] = event.text
    wire = _minified(event.value) if "payload" in record else None
    return _Line(_minified(record), moment, event.sender, event.recipient, wire)


def _docker(event: _Event, dice: random.Random) -> _Line:
    """A container's line, which is bare or written by Python's logging."""
    bare = event.sender is None or dice.random() < 0.3
    inner = _Line(event.text, None, None, None) if bare else _python(event, dice)
    record = {
        "log": inner.text + "\n",
        "stream": dice.choice(("stdout", "stderr")),
        "time": f"{event.moment:%Y-%m-%dT%H:%M:%S.%f}{dice.randrange(1000):03}Z",
    }
    return _Line(_minified(record), event.moment, inner.sender, inner.recipient)


def _logfmt(event: _Event, dice: random.Random) -> _Line:
    moment = _milliseconds(event.moment)
    words = [f"time={_zulu(moment, 'milliseconds')}", f"level={_level(dice).lower()}"]
    recipient = None
    if event.sender is None or dice.random() < 0.4:
        words.append(f"logger={event.sender or event.name}")
    else:
        words += [f"from={event.sender}", f"to={event.recipient}"]
        recipient = event.recipient
    words.append(f"msg={_logfmt_value(event.text)}")
    if dice.random() < 0.5:
        words.append(f"duration={dice.randrange(900)}ms")
    return _Line(" ".join(words), moment, event.sender, recipient)


def _logfmt_value(text: str) -> str:
    is_plain = text.isprintable() and not any(character in text for character in ' ="\\')
    return text if is_plain else json.dumps(text)


def _syslog(event: _Event, dice: random.Random) -> _Line:
    """RFC 3164, which writes neither year nor zone."""
    text, told = _with_parties(event, dice)
    text = text.replace("\n", "#012")
    moment = event.moment.replace(microsecond=0, tzinfo=None)
    day = f"{moment:%b} {moment.day:2} {moment:%H:%M:%S}"
    priority = "<134>" if dice.random() < 0.3 else ""
    line = f"{priority}{day} {HOST} {told.name}[812]: {text}"
    return _Line(line, moment.replace(year=1900), told.sender, told.recipient)


def _syslog_5424(event: _Event, dice: random.Random) -> _Line:
    text, told = _with_parties(event, dice)
    text = text.replace("\n", "#012")
    line = f"<134>1 {_zulu(event.moment, 'microseconds')} {HOST} {told.name} 812 - - {text}"
    return _Line(line, event.moment, told.sender, told.recipient)


LOGGERS_OF_FILE: tuple[_Logger, ...] = (
    _python, _python_dated, _structlog, _structlog, _pino, _docker, _logfmt, _logfmt, _syslog,
    _syslog_5424,
)  # fmt: skip


def _other(moment: datetime, logger: _Logger, dice: random.Random, *, most: int) -> _Line:
    """A line without a message, or several of at most `most` lines."""
    event = _Event(moment, dice.choice(LOGGERS), dice.choice(OTHERS)(dice))
    if "\n" in event.text and logger in (_python, _python_dated) and most <= event.text.count("\n"):
        event = event._replace(text=_request(dice))
    line = logger(event, dice)
    if line.text[0] == "{" and dice.random() < 0.01:  # cut off, as by a limit of the line
        line = line._replace(text=line.text[: len(line.text) * dice.randrange(40, 90) // 100])
    return line


def _request(dice: random.Random) -> str:
    path = f"/api/v{dice.randrange(1, 3)}/{dice.choice(corpus.WORDS)}/{dice.randrange(9999)}"
    head = f'10.0.{dice.randrange(9)}.{dice.randrange(255)}:{dice.randrange(1024, 65535)} - "'
    method = dice.choice(("GET", "GET", "GET", "POST", "PUT", "DELETE"))
    status = dice.choice((200, 200, 200, 201, 304, 404, 500))
    return (
        f'{head}{method} {path}?page={dice.randrange(9)} HTTP/1.1" {status} {dice.randrange(9999)}'
    )


def _sql(dice: random.Random) -> str:
    table, column = dice.sample(corpus.WORDS, 2)
    statement = dice.choice(STATEMENTS)
    return statement.format(table=table, column=column, n=dice.randrange(9999))


def _trace(dice: random.Random) -> str:
    module, function = dice.sample(corpus.WORDS, 2)
    frames = "".join(
        f'  File "/srv/app/{dice.choice(corpus.WORDS)}.py",'
        f" line {dice.randrange(1, 400)}, in {function}\n"
        f"    {function}(request, retries={dice.randrange(9)})\n"
        for _ in range(dice.randrange(1, 4))
    )
    return f"{module} failed\nTraceback (most recent call last):\n{frames}KeyError: '{module}_id'"


def _prose(dice: random.Random) -> str:
    first, second = dice.sample(corpus.WORDS, 2)
    return dice.choice((
        f"Worker {dice.randrange(64)} is ready; it accepts jobs of the queue {first}.",
        f"Retrying {first} in {dice.randrange(60)} s: the {second} service did not answer",
        f"The {first} of {second} was started by the scheduler and took {dice.randrange(999)} ms",
        f"request to review the {first} plan is waiting for approval",
    ))  # fmt: skip


def _pairs(dice: random.Random) -> str:
    key, other = dice.sample(corpus.WORDS, 2)
    return dice.choice((
        (
            f"cache hit key={key}:{dice.randrange(9999)}"
            f" ttl={dice.randrange(900)} size={dice.randrange(9999)}"
        ),
        f"{key}: user_id={dice.randrange(9999)}, status=active, {other}={dice.randrange(99)}",
        f"metrics cpu={dice.random():.2f} rss={dice.randrange(900)}M fds={dice.randrange(900)}",
    ))  # fmt: skip


def _lookalike(dice: random.Random) -> str:
    """What resembles a message and is none."""
    word, number = dice.choice(corpus.WORDS), dice.randrange(9999)
    return dice.choice((
        f"LOG|user={word}{number}|action=login",
        f"audit {word}|{number}|ok",
        f'plan changed: {{"plan":"pro","seats":{number}}}',
        f"MSH|^~\\&|LAB|{word}|ADT|{number}|20261120||ORU^R01",
        f"step {number}/7 T|done|{word}",
    ))  # fmt: skip


STATEMENTS = (
    (
        'SELECT "{table}"."id", "{table}"."{column}" FROM "{table}"'
        ' WHERE "{table}"."id" = {n} LIMIT 21'
    ),
    (
        "UPDATE {table} SET {column} = {column} || '|' || %s"
        " WHERE id IN ({n}, 7) AND {column} <> 'a|b'"
    ),
    "INSERT INTO {table} ({column}, created) VALUES ('{column} {n}', now()) RETURNING id",
)
OTHERS: tuple[Callable[[random.Random], str], ...] = (
    *(_request,) * 40, *(_sql,) * 20, *(_prose,) * 20, *(_pairs,) * 16, *(_trace,) * 3, _lookalike,
)  # fmt: skip


def _level(dice: random.Random) -> str:
    return dice.choice(("INFO", "INFO", "INFO", "DEBUG", "WARNING", "ERROR"))


def _milliseconds(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _zulu(moment: datetime, precision: str) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec=precision) + "Z"


def _minified(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
