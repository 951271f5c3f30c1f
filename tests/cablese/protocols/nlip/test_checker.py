"""The exchange checker: what it reports of a request and its answer, and of a whole transcript."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cablese import registry
from cablese.message import Message, Span
from cablese.protocols.nlip.exchange.breaches import RULES, Breach
from cablese.protocols.nlip.exchange.checker import check, examine

NLIP = registry.get("nlip")
VECTORS = Path(__file__).parents[3] / "vectors" / "exchanges" / "nlip.jsonl"
"""A request, its response, the HTTP status where it is known, and the findings with the message
that shows each.
"""
EXCHANGES = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]
UPLOAD = "Where may I send a large binary file?"
PROVE = "Please authenticate yourself."


def part(format_: str, subformat: str, content: Any) -> dict[str, Any]:
    return {"Format": format_, "Subformat": subformat, "Content": content}


def message(
    text: str, *parts: dict[str, Any], control: bool = False, dialect: str | None = None
) -> Message:
    values = part("text", "English", text)
    if control:
        values = {"MessageType": "control", **values}
    if parts:
        values["Submessages"] = list(parts)
    return NLIP.decode(json.dumps(values), dialect=dialect)


def token(content: str, subformat: str = "conversation") -> dict[str, Any]:
    return part("token", subformat, content)


def proof(content: str = "secret", subformat: str = "authentication") -> dict[str, Any]:
    return part("token", subformat, content)


def found(*messages: Message, own_tokens: tuple[str, ...] = ()) -> list[tuple[str, str, int]]:
    return [
        (finding.code, finding.requirement, finding.at)
        for finding in examine(messages, own_tokens=own_tokens).findings
    ]


@pytest.mark.requirement("NLIP-20")
@pytest.mark.requirement("NLIP-21")
@pytest.mark.requirement("NLIP-24")
@pytest.mark.requirement("NLIP-26")
@pytest.mark.requirement("NLIP-34")
@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in EXCHANGES])
def test_an_exchange_is_judged_as_the_vector_says(case: dict[str, Any]) -> None:
    messages = [
        NLIP.decode(case[side], dialect=case.get("dialect")) for side in ("request", "response")
    ]

    findings = check(*messages, own_tokens=case.get("own_tokens", ()), status=case.get("status"))

    assert sorted((finding.code, finding.at) for finding in findings) == sorted(
        (code, at) for code, at in case["findings"]
    )
    for finding in findings:
        assert (
            Span(0, 0)
            <= finding.span
            <= Span(len(messages[finding.at].wire), len(messages[finding.at].wire))
        )


def test_the_exchanges_are_many_have_names_of_their_own_and_show_every_rule_of_one() -> None:
    names = Counter(case["name"] for case in EXCHANGES)
    shown = {code for case in EXCHANGES for code, _ in case["findings"]}
    longer = {"nlip.request-unanswered", "nlip.token-dropped"}

    assert len(EXCHANGES) >= 80
    assert names.most_common(1)[0][1] == 1
    assert shown == {rule.code for rule in RULES.values()} - longer


def test_an_answer_that_owes_nothing_is_not_reported() -> None:
    assert check(message("Hello"), message("Hello yourself")) == ()


@pytest.mark.requirement("NLIP-20")
def test_a_request_without_an_answer() -> None:
    assert found(message("Hello")) == [("nlip.request-unanswered", "NLIP-20", 0)]
    assert found(message("Hello"), message("Hi"), message("And?")) == [
        ("nlip.request-unanswered", "NLIP-20", 2)
    ]


@pytest.mark.requirement("NLIP-20")
@pytest.mark.parametrize("wire", ["", "502 Bad Gateway", "[]", "null", "{}"])
def test_an_answer_that_is_no_message(wire: str) -> None:
    assert found(message("Hello"), NLIP.decode(wire)) == [("nlip.unreadable-answer", "NLIP-20", 1)]


@pytest.mark.requirement("NLIP-20")
def test_a_message_of_another_protocol_is_no_answer() -> None:
    assert found(message("Hello"), registry.get("nslip").decode("REQ/TSK|g=1,t=1")) == [
        ("nlip.unreadable-answer", "NLIP-20", 1)
    ]


@pytest.mark.requirement("NLIP-21")
def test_a_token_that_does_not_come_back() -> None:
    (one,) = check(message("Hello", token("c-17")), message("Hi"))

    assert (one.code, one.severity, one.requirement) == ("nlip.token-lost", "error", "NLIP-21")
    assert one.messages == (0, 1)
    assert (one.at, one.field) == (1, "")
    assert (
        one.message
        == 'The request has the token conversation "c-17", but the answer does not return it.'
    )
    assert one.section == "6.2 Requests containing Token field"


@pytest.mark.requirement("NLIP-21")
def test_a_token_that_comes_back_as_it_was() -> None:
    assert check(message("Hello", token("c-17"), token("x", "conversation_bob")),
                 message("Hi", token("x", "conversation_bob"), token("c-17"))) == ()  # fmt: skip


@pytest.mark.requirement("NLIP-21")
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (token("c-18"), 'The token conversation "c-17" was returned with the content "c-18".'),
        (
            token("c-17", "Conversation"),
            'The token conversation "c-17" was returned with the subformat "Conversation".',
        ),
        (
            part("generic", "conversation", "c-17"),
            'The token conversation "c-17" was returned with the format "generic".',
        ),
    ],
)
def test_a_token_that_comes_back_changed_is_shown_in_its_place(
    changed: dict[str, Any], words: str
) -> None:
    answer = message("Hi", changed)

    (one,) = check(message("Hello", token("c-17")), answer)

    assert (one.code, one.field) == ("nlip.token-altered", "submessages.0.content")
    assert answer.wire[slice(*one.span)] == changed["Content"]
    assert one.message == words


@pytest.mark.requirement("NLIP-21")
def test_the_message_itself_may_be_the_token() -> None:
    bare = NLIP.decode(json.dumps(token("c-17")))

    assert found(bare, message("Hi")) == [("nlip.token-lost", "NLIP-21", 1)]
    assert found(bare, bare) == []


@pytest.mark.requirement("NLIP-21")
def test_tokens_of_other_names_need_not_come_back_by_the_draft_and_must_by_ecma_430() -> None:
    def asked(dialect: str) -> Message:
        return message("Hello", token("b-1", "billing"), dialect=dialect)

    assert found(asked("nlip/draft"), message("Hi")) == []
    assert found(asked("nlip/ecma-430"), message("Hi")) == [("nlip.token-lost", "NLIP-21", 1)]


@pytest.mark.requirement("NLIP-21")
def test_a_later_request_returns_what_the_server_made() -> None:
    first, answer = message("Hello"), message("Hi", token("s-1", "conversation_server"))

    assert found(first, answer, message("More"), message("Yes")) == [
        ("nlip.token-dropped", "NLIP-21", 2)
    ]
    assert (
        found(first, answer, message("More", token("s-1", "conversation_server")), message("Yes"))
        == []
    )


@pytest.mark.requirement("NLIP-22")
def test_a_server_need_not_return_its_own_token() -> None:
    own = token("s-1", "conversation_server")

    assert found(message("Hello", own), message("Hi")) == [("nlip.token-lost", "NLIP-21", 1)]
    assert found(message("Hello", own), message("Hi"), own_tokens=("s-1",)) == []
    assert found(message("Hello", own), message("Hi"), own_tokens=("server",)) == []
    report = examine((message("Hello"), message("Hi", own), message("More", own), message("Yes")))
    assert report.findings == ()
    assert report.held == ("NLIP-20", "NLIP-21", "NLIP-22", "NLIP-23")


@pytest.mark.requirement("NLIP-23")
def test_a_new_token_in_the_name_of_the_other_side() -> None:
    mine, forged = token("c-1", "conversation_alice"), token("s-1", "conversation_alice")

    assert found(message("Hello", mine), message("Hi", mine, forged)) == [
        ("nlip.token-identity-taken", "NLIP-23", 1)
    ]


@pytest.mark.requirement("NLIP-23")
def test_tokens_of_both_sides_without_identity() -> None:
    mine, other = token("c-1"), token("s-1")

    (one,) = check(message("Hello", mine), message("Hi", mine, other))
    assert (one.code, one.severity) == ("nlip.tokens-without-identity", "info")


@pytest.mark.requirement("NLIP-24")
def test_control_is_answered_with_control() -> None:
    asked = message("What is your policy?", control=True)

    assert found(asked, message("None")) == [("nlip.control-unanswered", "NLIP-24", 1)]
    assert found(asked, message("None", control=True)) == []


@pytest.mark.requirement("NLIP-25")
def test_a_request_for_an_address_that_is_no_control_message() -> None:
    assert found(message("At which address may I upload a file?"), message("Nowhere")) == [
        ("nlip.redirection-not-control", "NLIP-25", 0)
    ]
    assert found(message("I saw a large binary star"), message("Nice")) == []


@pytest.mark.requirement("NLIP-26")
def test_a_redirection_names_an_address() -> None:
    asked = message(UPLOAD, control=True)
    to = part("structured", "uri", "https://example.org/upload/17")

    assert found(asked, message("There", control=True)) == [
        ("nlip.redirection-without-address", "NLIP-26", 1)
    ]
    assert found(asked, message("There", to, control=True)) == []
    assert found(asked, message("No", part("error", "text", "No uploads here"), control=True)) == []


@pytest.mark.requirement("NLIP-26")
@pytest.mark.parametrize(
    "uri", ["mailto:a@example.org", "urn:isbn:1", "https:/upload", "http://[::1"]
)
def test_a_redirection_to_no_place(uri: str) -> None:
    answer = message("There", part("structured", "uri", uri), control=True)

    (one,) = (
        finding
        for finding in check(message(UPLOAD, control=True), answer)
        if finding.requirement == "NLIP-26"
    )

    assert one.code == "nlip.redirection-nowhere"
    assert answer.wire[slice(*one.span)] == uri


@pytest.mark.requirement("NLIP-27")
def test_authentication_asked_for_by_a_message_that_is_no_control_message() -> None:
    refused = message("Sorry", part("error", "code", 401))

    assert found(message("Hello"), refused) == [("nlip.authentication-not-control", "NLIP-27", 1)]


@pytest.mark.requirement("NLIP-28")
def test_who_was_asked_carries_authentication_from_then_on() -> None:
    ask = message(PROVE, control=True)
    start = (message("Hello"), ask)

    assert found(*start, message("Me", proof(), control=True), message("Fine", control=True)) == []
    assert found(*start, message("No", control=True), message("Then not", control=True)) == [
        ("nlip.authentication-missing", "NLIP-28", 2)
    ]
    later = (
        message("Me", proof(), control=True),
        message("Fine", control=True),
        message("Next"),
        message("Yes"),
    )
    assert found(*start, *later) == [("nlip.authentication-missing", "NLIP-28", 4)]


@pytest.mark.requirement("NLIP-28")
def test_a_server_can_be_asked_too_and_the_name_a_library_uses_counts() -> None:
    ask = message(PROVE, control=True)

    assert found(ask, message("Why", control=True)) == [
        ("nlip.authentication-missing", "NLIP-28", 1)
    ]
    assert found(ask, message("Me", proof(subformat="authorization"), control=True)) == []


@pytest.mark.requirement("NLIP-29")
@pytest.mark.parametrize(
    "words",
    [
        "Do I have to authenticate?",
        "You are authenticated as bob.",
        "No authentication is required.",
        "Hello",
    ],
)
def test_words_about_authentication_that_ask_for_none(words: str) -> None:
    assert (
        found(message("Hello"), message(words, control=True), message("Next"), message("Yes")) == []
    )


def test_every_rule_is_shown_by_a_test_here() -> None:
    own = Path(__file__).read_text() + VECTORS.read_text()

    assert [rule.code for rule in RULES.values() if f'"{rule.code}"' not in own] == []


@pytest.mark.parametrize(
    "wire",
    [
        '{"format":7,"subformat":[],"content":{"a":1e999},"submessages":{}}',
        (
            '{"format":"token","subformat":"conversation","content":[1,{"a":null}],'
            '"submessages":[1,[],{"format":null}]}'
        ),
        '{"MessageType":"control","format":"text","content":"upload \\ud800"}',
        '{"format":"token","subformat":"conversation","content":1e999}',
        (
            '{"submessages":[{"submessages":[{"submessages":[{"format":"token",'
            '"subformat":"conversation","content":"x"}]}]}]}'
        ),
    ],
)
def test_broken_messages_are_taken_too(wire: str) -> None:
    broken = NLIP.decode(wire)

    for finding in examine((broken, broken, message("x"), broken, broken)).findings:
        assert isinstance(finding, Breach)
        assert finding.span >= Span(0, 0)


def test_a_message_of_many_tokens_is_compared_quickly() -> None:
    many = message(
        "Hello",
        *(token(f"c-{n}", "conversation" if n % 2 else f"conversation_{n}") for n in range(300)),
    )

    assert len(examine((many, message("Hi"), many, many)).findings) >= 300
