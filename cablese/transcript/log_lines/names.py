"""The names of those who speak: what may be one, and where it begins.

    Ada Lovelace: REQ/TSK|g=1            Ada Lovelace
    INFO Planner: REQ/TSK|g=1            Planner: INFO is a level
    Task Description: REQ/TSK|g=1        none: a label
    Code Reviewer -> Team Lead: REQ/…    both have two words

A name is a word. Further words belong to it if all begin with a capital.
"""

import re

from cablese.transcript.memory import remember

NAME = r"(?!\d)[\w@][\w.@+-]{0,63}"
"""A name of one word, in any script."""
_CAPITAL = r"(?![a-z\d_ß-öø-ÿ])\w[\w'’.-]{0,40}"
"""A word that does not begin with a small letter."""
_PARTICLE = r"(?:d[aeio]s?|del|della|l[ae]|v[ao]n|de[rn]|bin|ibn|al|el)"
WHOLE = rf"(?:{_CAPITAL}(?: (?:{_PARTICLE} ){{0,2}}{_CAPITAL}){{1,3}}|{NAME})"
"""A name of up to four words."""
_BEFORE = re.compile(rf"(?<![\w@.+'’-])(?:{_CAPITAL} (?:{_PARTICLE} ){{0,2}}){{1,6}}\Z")
_AFTER = re.compile(rf"(?: {_CAPITAL}){{1,3}}(?=\s*[*_`\"'\]]*:|\s*\Z)")
_WORD = re.compile(r"\S+")
_LAST = re.compile(r"\w[\w.@+'’-]*")
_FAR = 200
"""Characters before the last word of a name that are read."""
_MOST = 4
"""Words of a name."""
LEVELS = (
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL", "SEVERE",
    "ALERT", "EMERG", "PANIC", "VERBOSE", "SUCCESS", "DBG", "INF", "WRN", "ERR", "FTL", "TRC",
    "CRIT", "DEBU", "ERRO", "FATA", "DPANIC", "INFORMATION",
)  # fmt: skip
ANY_LEVEL = "|".join(LEVELS)
_UNNAMED = frozenset((
    "main", "mainthread", "mainprocess", "root", "__main__", "stdout", "stderr", "thread", "msg",
    "message", "text", "note", "log", "raw", "wire", "data", "payload", "event", "body", "content",
    "output", "input", "result", "received", "sent", "sending", "recv", "send", "out", "in",
    "request", "response", "http", "https", "localhost", "prompt", "reply", "answer", "target",
    "example", "packet", "line", "stdin", "value", "at", "and", "or", "to", "from", "the", "as",
    "ok", "done", "failed", "success", "true", "false", "null", "get", "post", "put", "delete",
    "net", "tid", "pid", "todo", "fixme", "task", "subject", "re", "it", "is", "next", "see",
    "cmd", "command", "truncated", "cannot", "could", "can", "did", "not", "no", "unable",
    "invalid", "bad", "got", "sending", "receiving", "parsing", "parsed", "parse", "decoding",
    "decoded", "unknown", "unexpected", "new", "missing", "malformed", "dropped", "dropping",
    "rejected", "rejecting", "ignored", "ignoring", "skipped", "skipping", "handling", "handled",
    "processing", "processed", "forwarding", "forwarded", "dispatching", "dispatched", "routing",
    "routed", "publishing", "published", "delivering", "delivered", "queued", "retrying", "retry",
    "incoming", "outgoing", "inbound", "outbound", "calling", "called", "executing", "executed",
    "starting", "started", "finished", "timeout", "expected", "while", "when", "after", "before",
    "for", "with", "tx", "rx", "observation", "inst", "i", "you", "we", "he", "she", "they", "who",
    "then", "was", "were", "been", "has", "have", "had", "just", "also", "never", "always",
    "already", "today", "yesterday", "now", "later", "again", "finally", "ws", "udp", "tcp", "mqtt",
    "kafka", "nats", "redis", "amqp", "grpc", "on", "since", "until", "by", "via", "of", "mysql",
    "sqlite", "postgres", "irb", "node", "mongo", "ftp", "ps", "sh", "bash", "php", "python",
    "upstream", "lua", "string", "option", "item", "entry", "field", "param", "record", "row",
    "element", "thought", "arguments", "frame", "fyi", "feat", "chore", "bytes", "literal", "pass",
    "passed", "cached", "production", "staging", "nslip", "aacp", "sacp", "nlip", "tline", "back",
    "this", "that", "using", "me", "us", "them", "which", "nobody", "somebody", "someone",
    "everyone", "readme", "here", "fix", "hi", "hello", "hey", "dear", "thanks", "please", "actual",
    "observations", "handoff", "completion", "display", "qml", "left", "right", "replies",
    "accepted", "proposed", "confirmed", "informed", "agreed", "equal", "be", "match", "want",
    "wanted", "process", "job", "messages", "packets", "wires", "events", "lines", "texts",
    "about", "against", "among", "inside", "into", "onto", "over", "through", "toward", "towards",
    "under", "within", "without", "local", "testing",
))  # fmt: skip
"""Words before a colon or in brackets that are not names."""
_STATES = frozenset((
    "null", "none", "nil", "undefined", "pending", "queued", "waiting", "ready", "idle", "busy",
    "running", "working", "active", "inactive", "paused", "blocked", "open", "closed", "started",
    "stopped", "completed", "complete", "done", "failed", "created", "assigned", "submitted",
    "in_progress", "in-progress", "todo", "planned", "scheduled", "draft", "canceled", "cancelled",
    "succeeded", "resolved", "connected", "disconnected", "online", "offline", "healthy",
    "unhealthy", "true", "false", "accepted", "rejected",
))  # fmt: skip
"""What something is before or after it changes, and words for nothing."""
_LABELS = frozenset((
    "good", "valid", "wrong", "right", "correct", "incorrect", "yes", "do", "don", "old", "json",
    "english", "code", "usage", "examples", "test", "tests", "step", "steps", "summary",
    "description", "details", "title", "encoded", "canonical", "original", "translated",
    "translation", "compact", "short", "long", "source", "destination", "actual", "given",
    "problem", "problems", "fix", "fixed", "errors", "notes", "messages", "packets", "protocol",
    "format", "goal", "tokens", "cost", "first", "second", "third", "a", "b", "c", "q", "date",
    "time", "name", "type", "version", "status", "id", "else", "try", "default", "begin", "end",
    "loop", "class", "def", "services", "env", "added", "changed", "removed", "deprecated",
    "security", "overview", "parameters", "thought", "action", "plan", "key", "keys", "fields",
    "meaning", "syntax", "conversation", "one", "two", "three", "four", "five", "six", "case",
    "scenario", "round", "phase", "part", "turn", "variant", "section", "day", "attempt", "sample",
    "session", "run", "form", "snippet", "items", "assignment",
))  # fmt: skip
"""Words above messages that are not names. Before a message, a name of one word can be one."""
_KINDS = frozenset((
    "agent", "bot", "user", "client", "server", "worker", "host", "from", "by", "sender", "speaker",
    "author", "role", "name", "via", "channel", "service", "process", "module", "logger", "handoff",
    "transition", "transfer", "edge", "route", "hop", "call", "flow",
))  # fmt: skip
"""Words before a name that do not belong to it."""
_DUTIES = frozenset(("code", "content", "data", "security", "test"))
"""Words that begin names of several words, such as `Code Reviewer`."""
_THREAD = re.compile(
    (
        r"(?:thread|pool|worker|task|dummy)[-_]?\d.*|.*-thread-\d+|.*nio-\d.*|.*-exec-\d+|"
        r"(?:msg|message|req|request|trace|span|corr|job|run|conn|session|call|event|batch|id)"
        r"[-_](?=[a-f-]*\d)[0-9a-f-]+|"
        r".*\.(?:py|go|js|ts|java|rs|cc|c|rb)"
    ),
    re.IGNORECASE,
)
_KEY = re.compile(
    r"[a-z][A-Za-z]*(?:Message|Payload|Value|Text|Content|Body)|\w+_(?:message|payload|value|text)"
    # Of YAML: what to do when something happens
    r"|(?:on|before|after)_[a-z]+(?:_[a-z]+){0,3}|\w+_(?:policy|template|reply|replies)"
    # Of PostgreSQL
    r"|STATEMENT|DETAIL|CONTEXT|HINT|QUERY|LOCATION|Description"
    r"|[a-z]{2}-(?:gov-)?(?:north|south|east|west|central)+-\d"
)
"""A key that a program prints before the message that is its value, or the region of a cloud."""
_DONE = re.compile(r"(?!(?:ahm|alfr|jar|moham|mohamm|muhamm|wilfr)ed\Z)[a-z]{3,}ed")
"""What was done: `created:`. A few people are called so."""
_FAULT = re.compile(r"[\w.]*(?:Error|Exception|Warning|Rejection|Failure|Fault)")


def is_party(name: str) -> bool:
    """Return False for the names that programs give to threads, streams, files, and errors, and for
    labels of several words.
    """
    *others, last = name.split(" ")
    if not others:
        return _is_party(last)
    return _is_party(last) and not is_label(last) and all(map(_may_begin, others))


def is_state(word: str) -> bool:
    """Return whether a word beside an arrow is a state, as in `pending -> running`."""
    return word.lower() in _STATES


def is_label(word: str) -> bool:
    """Return whether a word above or before messages says what they are, and not whose."""
    return word.lower() in _LABELS


@remember(1_000)
def _is_party(word: str) -> bool:
    is_level = word.upper() in LEVELS or word.rpartition(".")[2] in LEVELS
    is_word = word.lower() in _UNNAMED or is_state(word)
    return (
        not is_level
        and not is_word
        and not any(one.fullmatch(word) for one in (_THREAD, _FAULT, _KEY, _DONE))
    )


def _may_begin(word: str) -> bool:
    """Return whether a name of several words may begin with a word."""
    return word.lower() in _DUTIES or (_is_party(word) and not is_label(word))


def find_begin(text: str, last: int) -> int | None:
    """Return where the name begins whose last word is at ``last``; None if the words before it make
    it a label or a sentence.
    """
    before = _BEFORE.search(text, max(0, last - _FAR), last) if text[last].isupper() else None
    if before is None:
        return last
    begin, taken = last, 1
    for word in reversed(list(_WORD.finditer(before[0]))):
        if word[0].lower() in _KINDS or not _may_begin(word[0]):
            break
        taken += 1
        if word[0][0].isupper():
            begin = before.start() + word.start()
    end = _LAST.match(text, last)
    assert end is not None, "a capital is a word"
    return None if taken > _MOST or is_label(end[0]) else begin


def find_end(text: str, begin: int, first: int) -> int:
    """Return where the name ends that is at ``begin``, and its first word up to ``first``."""
    after = _AFTER.match(text, first)
    return after.end() if after is not None and is_party(text[begin : after.end()]) else first
