"""Sensitive data is found by its check digits or its issuer's form, pointed out, and refused in
what we write.
"""

import pytest
from detect_secrets.plugins import npm
from detect_secrets.plugins.openai import OpenAIDetector

from auditlog.findings import sensitive
from cablese import detection, registry
from cablese.codec import Unencodable
from tests.growth import assert_linear

HEAD = "PROC|FIN|return:FIN-Agent|p:1|aacp:1.1|"
# Numbers from the issuers' own documentation of tests, and made-up credentials in their issuer's
# form.
GITHUB = "ghp_" + "a1" * 18
GITLAB = "glcbt-1f_" + "a1" * 12
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.a_b-c"
SENSITIVE = [
    ("filter:acc=DE89370400440532013000", "DE89370400440532013000", "an IBAN"),
    ("filter:acc=GB29 NWBK 6016 1331 9268 19", "GB29 NWBK 6016 1331 9268 19", "an IBAN"),
    ("filter:card=4111 1111 1111 1111", "4111 1111 1111 1111", "a card number"),
    ("filter:card=5555-5555-5555-4444", "5555-5555-5555-4444", "a card number"),
    ("res:378282246310005", "378282246310005", "a card number"),
    ("filter:ssn=536-90-4399", "536-90-4399", "a US social security number"),
    ("filter:password=hunter2", "hunter2", "a credential"),
    ("src:https://bob:hunter22@db.example/x", "hunter22", "a credential (Basic Auth Credentials)"),
    (
        "rules:AKIA" + "IOSFODNN7EXAMPLQ",
        "AKIA" + "IOSFODNN7EXAMPLQ",
        "a credential (AWS Access Key)",
    ),
    ("rules:ghp " + GITHUB, GITHUB, "a credential (GitHub Token)"),
    ("rules:" + GITLAB, GITLAB, "a credential (GitLab Token)"),
    ("rules:" + JWT, JWT, "a credential (JSON Web Token)"),
    (
        "rules:-----BEGIN EC PRIVATE KEY----- MHcCAQEE -----END EC PRIVATE KEY----- and more",
        "BEGIN EC PRIVATE KEY----- MHcCAQEE -----END EC PRIVATE KEY",
        "a credential (Private Key)",
    ),
    (
        "rules:-----BEGIN PRIVATE KEY----- MHcCAQEE",
        "BEGIN PRIVATE KEY----- MHcCAQEE",
        "a credential (Private Key)",
    ),
]


@pytest.mark.requirement("AACP-44")
@pytest.mark.parametrize(("field", "text", "what"), SENSITIVE)
def test_it_is_found_with_its_place_and_a_way_out(field: str, text: str, what: str) -> None:
    message = registry.get("aacp").decode(HEAD + field)

    (found,) = sensitive.find(message)

    assert found.what == what
    assert found.field == field.partition(":")[0]
    assert message.wire[slice(*found.span)] == text
    assert "data_ptr" in found.words
    assert text not in found.words


@pytest.mark.parametrize(
    "field",
    [
        "res:4111111111111112", "res:0000000000000000", "filter:acc=DE89370400440532013001",
        "fields:email,pwd_reset",
        "data_ptr:vault/4711", "filter:ssn=000-12-3456", "res:20241120123456789",
        "amt:1250.00|sup:Acme-Ltd",
        "filter:status=active", "subj:password_reset",
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_left_alone(field: str) -> None:
    assert sensitive.find(registry.get("aacp").decode(HEAD + field)) == ()


@pytest.mark.parametrize(
    "wire",
    [
        "REQ/TSK|g=42,t=1,@=4111111111111111",
        '{"g":"x","plan":[["search","web",{"password":"hunter2"}]]}',
        '{"format":"text","subformat":"english","content":"pay DE89370400440532013000 now"}',
        "T|1|Q|obj=4111111111111111",
        "nothing that any protocol claims",
    ],
)
def test_every_protocol_is_looked_through(wire: str) -> None:
    message = detection.decode(wire)

    assert bool(sensitive.find(message)) == (message.protocol != detection.UNKNOWN)


def test_a_value_written_with_escapes_is_marked_whole() -> None:
    message = registry.get("aacp").decode(HEAD + "subj:a%7C4111111111111111")

    (found,) = sensitive.find(message)

    assert message.wire[slice(*found.span)] == "a%7C4111111111111111"


def test_the_same_stretch_is_told_once_and_a_message_twenty_times() -> None:
    many = "subj:" + " ".join(["4111111111111111"] * 50)

    assert len(sensitive.find(registry.get("aacp").decode(HEAD + many))) == sensitive.MOST
    assert (
        len(sensitive.find(registry.get("aacp").decode(HEAD + "filter:password=4111111111111111")))
        == 1
    )


@pytest.mark.parametrize("secret", [GITHUB, GITLAB, JWT])
def test_the_same_credential_is_marked_wherever_it_is(secret: str) -> None:
    message = registry.get("aacp").decode(f"{HEAD}rules:{secret} {secret}")

    first, second = sensitive.find(message)

    assert message.wire[slice(*first.span)] == message.wire[slice(*second.span)] == secret
    assert first.span.end < second.span.start


def test_tokens_without_anything_between_them_are_one() -> None:
    message = registry.get("aacp").decode(f"{HEAD}rules:{JWT}{JWT}")

    (found,) = sensitive.find(message)

    assert message.wire[slice(*found.span)] == JWT + JWT


def test_broken_messages_are_looked_through_too() -> None:
    assert sensitive.find(registry.get("aacp").decode("FETCH|HR|filter:password=hunter2"))


@pytest.mark.requirement("AACP-44")
def test_what_we_write_is_refused_with_its_place() -> None:
    with pytest.raises(Unencodable) as caught:
        sensitive.refuse({"task": "PROC", "deep": [{"a/b": "4111111111111111"}]})

    assert caught.value.pointer == "/deep/0/a~1b"
    assert "data_ptr" in caught.value.reason
    assert "4111" not in caught.value.reason


def test_harmless_values_are_let_through() -> None:
    sensitive.refuse({"task": "PROC", "p": 1, "fields": ["email", "pwd_reset"], "none": None})
    assert not sensitive.is_sensitive("Fetch the salaries of August.")
    assert sensitive.is_sensitive("The password=hunter2 is needed.")


OPENAI_KEY = f"sk-{'a1' * 10}T3BlbkFJ{'b2' * 10}"


@pytest.mark.parametrize(
    "text",
    [
        OPENAI_KEY,
        f"key {OPENAI_KEY}, and more",
        f"sk-proj-{'c_' * 30}{OPENAI_KEY[3:]}",
        f"{OPENAI_KEY}{OPENAI_KEY[3:]}",
        f"{OPENAI_KEY} {OPENAI_KEY}",
        OPENAI_KEY[:-1],
        OPENAI_KEY[3:],
        f"{OPENAI_KEY[3:]}sk-",
        f"sk-{OPENAI_KEY[4:]}",
    ],
)
def test_an_openai_key_is_found_as_the_library_finds_it(text: str) -> None:
    ours = [one for detector in sensitive._SECRETS for one in detector.analyze_string(text)]
    theirs = OpenAIDetector().analyze_string(text)

    assert [one for one in ours if "T3Blbk" in one] == list(theirs)


def test_a_text_of_openai_prefixes_takes_linear_time() -> None:
    detector = sensitive._OpenAI()

    assert_linear(
        lambda size: list(detector.analyze_string("T3BlbkFJ" + "sk-" * (size // 3))), 4_000
    )


@pytest.mark.parametrize(
    "text",
    [
        "//registry.example/:_authToken=npm_abc",
        "a //r/:_authToken= npm_abc and more",
        "//r/:_authToken=01234567-89ab-cdef-0123-456789abcdef",
        "//r/:_authToken=\nnpm_abc",
        "///:_authToken=npm_abc",
        "//\nr/:_authToken=npm_abc",
        "//:_authToken=npm_abc",
        "r/:_authToken=npm_abc",
        "//r/:_authToken=abc",
    ],
)
def test_a_token_of_npm_is_the_one_of_the_library(text: str) -> None:
    theirs = set(npm.NpmDetector().analyze_string(text))

    assert set(sensitive._Npm().analyze_string(text)) == theirs


def test_npm_tokens_are_found_in_linear_time() -> None:
    detector = sensitive._Npm()

    assert_linear(
        lambda size: [
            list(detector.analyze_string("/" * size + mark)) for mark in ("", "/:_authToken=x")
        ],
        20_000,
    )
