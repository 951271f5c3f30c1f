"""Show each rule with a wire or an exchange that breaks it, and no other rule where possible."""

from typing import Any

from cablese.json import jsontext


def _part(name: str, subformat: str, content: object) -> dict[str, Any]:
    return {"Format": name, "Subformat": subformat, "Content": content}


def _token(content: str, subformat: str = "conversation") -> dict[str, Any]:
    return _part("token", subformat, content)


def _say(text: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return _part("text", "English", text) | ({"Submessages": list(parts)} if parts else {})


def _control(text: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"MessageType": "control"} | _say(text, *parts)


def _exchange(*messages: dict[str, Any]) -> str:
    """Return a request, its answer, and so on, each on its own line."""
    return "\n".join(map(jsontext.dump, messages))


ALICE = _token("c-1", "conversation_alice")
UPLOAD = "Where may I send a large file?"

EXAMPLES = {
    "nlip.not-json": '{"Format":"text","Subformat":"English","Content":"Hello",}',
    "nlip.number-out-of-range": '{"Format":"structured","Subformat":"json","Content":NaN}',
    "nlip.too-deep": '{"Format":"structured","Subformat":"json","Content":'
    + "[" * 64
    + "]" * 64
    + "}",
    "nlip.not-an-object": '"Hello"',
    "nlip.repeated-key": (
        '{"Format":"text","format":"token","Subformat":"English","Content":"Hello"}'
    ),
    "nlip.unknown-key": '{"Format":"text","Subformat":"English","Content":"Hello","x-trace":7}',
    "nlip.not-a-string": '{"Format":"text","Subformat":["English"],"Content":"Hello"}',
    "nlip.null": '{"Format":"text","Subformat":"English","Content":"Hello","Submessages":null}',
    "nlip.control-field": (
        '{"control":true,"Format":"text","Subformat":"English","Content":"Who are you?"}'
    ),
    "nlip.control-contradiction": (
        '{"MessageType":"x","control":true,"Format":"token","Subformat":"a","Content":"b"}'
    ),
    "nlip.missing-format": '{"Subformat":"English","Content":"Hello"}',
    "nlip.missing-subformat": '{"Format":"text","Content":"Hello"}',
    "nlip.missing-content": '{"Format":"text","Subformat":"English"}',
    "nlip.unknown-format": '{"Format":"picture","Subformat":"png","Content":"x"}',
    "nlip.format-not-in-dialect": '{"Format":"error","Subformat":"text","Content":"No."}',
    "nlip.empty-subformat": '{"Format":"text","Subformat":"","Content":"Hello"}',
    "nlip.unknown-subformat": '{"Format":"location","Subformat":"map","Content":"Geneva"}',
    "nlip.authorization-token": '{"Format":"token","Subformat":"authorization","Content":"t-17"}',
    "nlip.video": '{"Format":"binary","Subformat":"video/mp4","Content":"aGVsbG8="}',
    "nlip.content-type": '{"Format":"text","Subformat":"English","Content":42}',
    "nlip.not-base64": '{"Format":"binary","Subformat":"image/png","Content":"not base64!"}',
    "nlip.not-a-uri": '{"Format":"structured","Subformat":"uri","Content":"www.example.org"}',
    "nlip.submessages-not-a-list": (
        '{"Format":"text","Subformat":"English","Content":"Hello","Submessages":[]}'
    ),
    "nlip.submessage-not-an-object": (
        '{"Format":"text","Subformat":"English","Content":"Hi","Submessages":["Hello"]}'
    ),
    "nlip.nested-submessages": (
        '{"Format":"text","Subformat":"English","Content":"1","Submessages":['
        '{"Format":"text","Subformat":"English","Content":"2","Submessages":['
        '{"Format":"text","Subformat":"English","Content":"3"}]}]}'
    ),
    "nlip.label-on-message": (
        '{"Format":"text","Subformat":"English","Content":"Hello","Label":"user"}'
    ),
    "nlip.unreadable-answer": _exchange(_say("Hello"), {}),
    "nlip.broken-request-accepted": _exchange({"Format": "text", "Content": "Hello"}, _say("Hi")),
    "nlip.token-lost": _exchange(_say("Hello", _token("c-17")), _say("Hi")),
    "nlip.token-dropped": _exchange(
        _say("Hello", ALICE),
        _say("Hi", ALICE, _token("s-1", "conversation_bob")),
        _say("More", ALICE),
        _say("Yes", ALICE),
    ),
    "nlip.token-altered": _exchange(
        _say("Hello", ALICE, _token("7", "conversation_room")),
        _say("Hi", ALICE, _token("8", "conversation_room")),
    ),
    "nlip.token-identity-taken": _exchange(
        _say("Hello", ALICE), _say("Hi", ALICE, _token("s-1", "conversation_alice"))
    ),
    "nlip.tokens-without-identity": _exchange(
        _say("Hello", _token("c-1")), _say("Hi", _token("c-1"), _token("s-1"))
    ),
    "nlip.control-unanswered": _exchange(_control("What is your policy?"), _say("None")),
    "nlip.redirection-not-control": _exchange(
        _say("At which address may I upload a file?"), _say("Nowhere")
    ),
    "nlip.redirection-without-address": _exchange(_control(UPLOAD), _control("There")),
    "nlip.redirection-nowhere": _exchange(
        _control(UPLOAD), _control("There", _part("structured", "uri", "urn:isbn:1"))
    ),
    "nlip.authentication-not-control": _exchange(
        _say("Hello"), _say("Sorry", _part("error", "code", 401))
    ),
    "nlip.authentication-missing": _exchange(
        _say("Hello"),
        _control("Please authenticate yourself."),
        _control("No"),
        _control("Then not"),
    ),
}
