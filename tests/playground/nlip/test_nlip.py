"""Our NLIP server agent over HTTP: what it answers, what it keeps, and what it never repeats."""

import json
import re
from typing import Any, cast

import pytest
from django.core import signing
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from auditlog import access
from auditlog.log import logs, packet
from auditlog.models import Packet
from cablese import registry
from cablese.message import Message
from cablese.protocols.nlip.exchange import agent
from cablese.protocols.nlip.exchange.checker import check
from playground.http.throttle import Throttle
from playground.nlip import server_agent
from playground.nlip.views import agent as view
from playground.server import environment
from playground.wsgi import with_scheme
from tests import stating
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

NLIP = registry.get("nlip")
UPLOAD = "Where may I send a large binary file?"
PROVE = "Please authenticate yourself."


@pytest.fixture(autouse=True)
def local(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "testserver", "log.example.org"]


@pytest.fixture(autouse=True)
def throttle(monkeypatch: pytest.MonkeyPatch) -> Throttle:
    throttle = Throttle()
    monkeypatch.setattr(view, "throttle", throttle)
    return throttle


@pytest.fixture
def key() -> str:
    return access.create_key(source="bob", scopes=("ingest",))[1]


def token(subformat: str, content: str) -> dict[str, Any]:
    return {"format": "token", "subformat": subformat, "content": content}


def body(text: str, *parts: dict[str, Any], control: bool = False) -> str:
    values: dict[str, Any] = {"format": "text", "subformat": "english", "content": text}
    if parts:
        values["submessages"] = list(parts)
    return json.dumps({"messagetype": "control", **values} if control else values)


def post(client: Client, wire: str | bytes, address: str = "/nlip", **more: Any) -> HttpResponse:
    more.setdefault("headers", {})
    more["headers"] = {"host": "localhost", **more["headers"]}
    more.setdefault("content_type", "application/json")
    return cast("HttpResponse", client.post(address, wire, **more))


def read(response: HttpResponse) -> Message:
    """The answer; it is a valid message whatever its status."""
    assert response.headers["Content-Type"] == "application/json"
    message = NLIP.decode(response.content.decode())
    assert {found.code for found in message.diagnostics} <= {"nlip.invisible"}
    return message


def said(client: Client, wire: str, **more: Any) -> Message:
    """The answer to a message, which owes it nothing."""
    response = post(client, wire, **more)
    assert response.status_code == 200, response.content
    message = read(response)
    assert check(NLIP.decode(wire), message, own_tokens=("cablese",)) == ()
    return message


def ours(message: Message) -> dict[str, Any]:
    """Our conversation token in an answer."""
    return next(
        part
        for part in message.values["submessages"]
        if part["subformat"] == "conversation_cablese"
    )


@pytest.mark.requirement("NLIP-20")
@pytest.mark.requirement("NLIP-29")
@pytest.mark.requirement("NLIP-34")
@pytest.mark.parametrize("address", ["/nlip", "/nlip/"])
def test_a_message_is_answered_without_authentication(client: Client, address: str) -> None:
    response = post(client, body("REQ/TSK|g=42,t=1"), address)

    assert response.status_code == 200
    assert (
        "1 message found. nSLIP, valid, 11 tokens: Requests task 1 of goal 42."
        in read(response).values["content"]
    )
    assert "no-store" in response.headers["Cache-Control"]
    assert Packet.objects.count() == 0


@pytest.mark.requirement("NLIP-21")
@pytest.mark.requirement("NLIP-22")
def test_a_conversation_goes_on_by_its_tokens(client: Client) -> None:
    first = said(client, body("Hello", token("conversation", "c-17")))
    mine = ours(first)

    second = said(client, body("More", token("conversation", "c-17"), mine))

    assert ours(second) == mine
    assert (
        sum(part["subformat"].startswith("conversation") for part in second.values["submessages"])
        == 2
    )


@pytest.mark.requirement("NLIP-22")
def test_a_token_that_we_did_not_sign_comes_back_like_any_other(client: Client) -> None:
    forged = token(
        "conversation_cablese", signing.Signer(salt="another").sign_object(["a", False, False])
    )

    answer = read(post(client, body("Hello", forged)))

    assert forged in answer.values["submessages"]
    assert len(answer.values["submessages"]) == 2


@pytest.mark.parametrize(
    "wire", ["", "null", "{", "\x00", "[" * 100_000, body("x")[:-1], b"\xff\xfe", b'"\xc3"']
)
def test_malformed_bodies_are_answered_with_an_error(client: Client, wire: str | bytes) -> None:
    response = post(client, wire)

    assert response.status_code == 400
    assert read(response).values["format"] == "error"


def test_a_body_of_another_kind_or_size_is_answered_with_an_error(client: Client) -> None:
    other = post(client, "a=b", content_type="application/x-www-form-urlencoded")
    large = post(client, body("x" * 1024 * 1024))

    assert (other.status_code, read(other).values["format"]) == (415, "error")
    assert large.status_code == 413
    assert "upload address" in read(large).values["content"]


@pytest.mark.requirement("NLIP-27")
@pytest.mark.requirement("NLIP-28")
@pytest.mark.requirement("NLIP-31")
def test_a_token_that_is_no_key_of_ours_is_asked_for_again_until_there_is_one(
    client: Client, key: str
) -> None:
    asked = read(post(client, body("Hello", token("authentication", "nonsense"))))
    assert asked.values["is_control"]
    assert asked.values["content"].startswith("Unknown authentication token. Please authenticate")

    without = read(post(client, body("Hello", ours(asked))))
    assert without.values["content"].startswith("Authentication is required.")

    with_key = said(client, body("Hello", ours(without), token("authentication", key)))
    assert not with_key.values["is_control"]


@pytest.mark.requirement("NLIP-28")
def test_we_show_who_we_are_when_asked_and_from_then_on(client: Client) -> None:
    first = said(client, body(PROVE, control=True))
    second = said(client, body("Thanks", ours(first)))

    shown = [
        part
        for one in (first, second)
        for part in one.values["submessages"]
        if "authentication" in part["subformat"]
    ]
    assert len(shown) == 2
    assert shown[0] == shown[1]


@pytest.mark.requirement("NLIP-31")
@pytest.mark.parametrize("subformat", ["authentication", "authorization", "Authentication_bob"])
def test_an_exchange_is_kept_for_whom_it_is_authenticated_and_without_the_key(
    client: Client, key: str, subformat: str
) -> None:
    wire = body("REQ/TSK|g=42,t=1", token("conversation", "c-17"), token(subformat, key))

    answer = said(client, wire)

    assert "This exchange is stored in the log default." in answer.values["content"]
    request, response = Packet.objects.order_by("seq")
    assert (request.source.name, request.protocol) == ("bob", "nlip")
    assert bytes(request.wire).decode() == wire.replace(key, "removed")
    assert bytes(response.wire).decode() == answer.wire
    supplied = [json.loads(one.supplied) for one in (request, response)]
    assert supplied[0]["tags"] == ["authentication-removed"]
    assert (supplied[0]["to"], supplied[1]["from"], supplied[1]["to"]) == (
        "cablese",
        "cablese",
        "bob",
    )
    assert supplied[0]["thread"] == supplied[1]["thread"]
    kept = json.dumps([packet.as_json(one, fields=True) for one in (request, response)])
    assert key not in kept
    assert key not in answer.wire


def test_a_key_in_the_wrong_place_is_neither_kept_nor_repeated(client: Client, key: str) -> None:
    answer = post(
        client,
        body(f"Ask|me|{key}: REQ/TSK|g=1,t=1,@={key}"),
        headers={"Authorization": f"Bearer {key}"},
    )

    assert answer.status_code == 200
    assert key not in answer.content.decode()
    assert all(key not in bytes(one.wire).decode() for one in Packet.objects.all())
    assert Packet.objects.count() == 2


@pytest.mark.parametrize(
    "proof",
    [
        '"submessages":[{"format":"token","subformat":"authentication","content":"hunter2"}]',
        '"Submessages":[{"Format":"token","Subformat":"Authorization_x","Content":"hunt\\"hunter2\\\\"}]',
        '"submessages":[{"content":"hunter2","format":"token","content":"hunter2","subformat":"authentication"}]',
        '"submessages":[{"format":"token","subformat":"authentication","content":{"a":["hunter2",{"b":"hunter2"}]}}]',
        '"submessages":{"format":"token","subformat":"authentication","content":"hunter2"}',
        '"submessages":[{"submessages":[{"format":"token","subformat":"authentication","content":"hunter2"}]}]',
        '"submessages":[{"format":"tokn","subformat":"authentication","content":"hunter2"}]',
    ],
)
def test_any_authentication_token_is_taken_out_before_anything_is_kept(
    client: Client, settings: Settings, proof: str
) -> None:
    settings.NLIP_LOG = "default"

    answer = post(client, f'{{"format":"text","subformat":"english","content":"Hello",{proof}}}')

    assert b"hunter2" not in answer.content
    request, _ = Packet.objects.order_by("seq")
    assert "hunter2" not in json.dumps(packet.as_json(request, fields=True))
    assert b"removed" in bytes(request.wire)


def test_a_broken_message_is_kept_too(client: Client, key: str) -> None:
    response = post(client, '{"format":"text"}', headers={"Authorization": f"Bearer {key}"})

    assert response.status_code == 400
    assert [one.valid for one in Packet.objects.order_by("seq")] == [False, True]


def test_a_key_in_the_header_that_is_none_is_refused_in_the_way_of_http(client: Client) -> None:
    response = post(client, body("Hello"), headers={"Authorization": "Bearer cbl_live_nonsense"})

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert read(response).values["is_control"]


def test_a_key_that_may_not_write_proves_who_but_keeps_nothing(client: Client) -> None:
    _, reader = access.create_key(source="reader", scopes=("read",))

    answer = said(
        client, body("What are your policies?", token("authentication", reader), control=True)
    )

    assert (
        "You are authenticated as reader. This exchange is not stored." in answer.values["content"]
    )
    assert Packet.objects.count() == 0


def test_exchanges_without_a_key_are_kept_in_a_log_named_for_them(
    client: Client, settings: Settings
) -> None:
    logs.create(slug="strangers")
    settings.NLIP_LOG = "strangers"

    answer = said(client, body("Hello"))

    assert "This exchange is stored in the log strangers." in answer.values["content"]
    assert {(one.log.slug, one.source.name) for one in Packet.objects.all()} == {
        ("strangers", "nobody:nlip")
    }


def test_a_log_that_is_not_there_is_told_to_the_one_who_runs_this(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.NLIP_LOG = "nowhere"

    assert post(client, body("Hello")).status_code == 200
    assert 'Unknown log "nowhere"' in caplog.text


def test_nobody_takes_the_name_under_which_strangers_are_kept() -> None:
    with pytest.raises(ValueError, match="nobody:"):
        access.create_key(source="nobody:nlip", scopes=("ingest",))


def test_who_shows_no_key_is_answered_at_a_pace(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "throttle", Throttle(burst=2, pace=0.01))

    statuses = [post(client, body("Hello")).status_code for _ in range(2)]
    refused = post(client, body("Hello"))

    assert statuses == [200, 200]
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 100
    assert read(refused).values["format"] == "error"
    assert post(client, body("Hello", token("authentication", key))).status_code == 200


def test_callers_behind_a_proxy_of_ours_have_a_pace_each(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(view, "throttle", Throttle(burst=1, pace=0.01))

    def statuses(*callers: str) -> list[int]:
        return [
            post(client, body("Hello"), headers={"X-Forwarded-For": one}).status_code
            for one in callers
        ]

    assert statuses("192.0.2.1", "192.0.2.2") == [200, 429]
    settings.TRUSTED_PROXY = environment.read({"CABLESE_TRUSTED_PROXY": "127.0.0.1"}).trusted_proxy
    assert statuses("192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1") == [200, 200, 429]


@pytest.mark.requirement("NLIP-25")
@pytest.mark.requirement("NLIP-26")
@pytest.mark.requirement("NLIP-32")
def test_large_content_goes_to_the_address_that_was_asked_for(client: Client, key: str) -> None:
    answer = said(client, body(UPLOAD, token("authentication", key), control=True))
    address = next(
        part["content"] for part in answer.values["submessages"] if part["subformat"] == "uri"
    )
    assert re.fullmatch(r"http://localhost/nlip/upload/\S+", address)
    content = b"REQ/TSK|g=42,t=1\n# a note\nREQ/TSK|g=x,t=2\n"
    kept = Packet.objects.count()

    for _ in range(2):  # sent again, nothing changes
        found = read(
            post(
                client, content, address.removeprefix("http://localhost"), content_type="text/plain"
            )
        )
        assert (
            f"{len(content)} bytes received. 2 packets are stored in the log default. 2"
            f" messages found." in found.values["content"]
        )
        assert Packet.objects.count() == kept + 2
    assert ours(found) == ours(answer)


def test_an_upload_without_a_message_is_kept_whole_and_without_a_key_not_at_all(
    client: Client, key: str
) -> None:
    mine, nobodys = (
        server_agent.Upload(one, "c", one_key).token
        for one, one_key in (("a", key.split("_")[2]), ("b", None))
    )

    answer = read(
        post(client, b"\x89PNG\x00\xff", f"/nlip/upload/{mine}", content_type="image/png")
    )
    other = read(
        post(client, b"\x89PNG\x00\xff", f"/nlip/upload/{nobodys}", content_type="image/png")
    )

    assert "6 bytes received. 1 packet is stored in the log default." in answer.values["content"]
    assert "kept" not in other.values["content"]
    assert [bytes(one.wire) for one in Packet.objects.all()] == [b"\x89PNG\x00\xff"]


def test_lines_of_an_upload_say_who_speaks_and_what_else_they_say_is_kept(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_agent, "split", stating.split)
    upload = server_agent.Upload("a", "c", key.split("_")[2]).token

    post(client, stating.LINES.encode(), f"/nlip/upload/{upload}", content_type="text/plain")

    first, _, third = [json.loads(one.supplied) for one in Packet.objects.order_by("leaf")]
    assert (first["from"], first["to"], first["thread"]) == ("planner", "executor", "42/1")
    assert (first["attributes"], first["sent_zone"]) == ({"trace_id": "4bf92f35"}, "UTC")
    assert (third["to"], third["thread"]) == (agent.IDENTITY, "c")
    assert "from_line" not in third


def test_an_upload_by_a_key_that_was_revoked_since_is_not_kept(client: Client, key: str) -> None:
    upload = server_agent.Upload("a", "c", key.split("_")[2]).token
    access.revoke_key(key.split("_")[2])

    answer = read(
        post(client, b"REQ/TSK|g=42,t=1", f"/nlip/upload/{upload}", content_type="text/plain")
    )

    assert "1 message found." in answer.values["content"]
    assert Packet.objects.count() == 0


def test_an_upload_address_that_is_forged_or_old_is_none(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = server_agent.Upload("a", "c", None).token
    forged = post(client, b"x", f"/nlip/upload/{good}x", content_type="text/plain")
    monkeypatch.setattr(server_agent, "UPLOAD_LIFE", -1)
    old = post(client, b"x", f"/nlip/upload/{good}", content_type="text/plain")

    assert [(one.status_code, read(one).values["format"]) for one in (forged, old)] == [
        (404, "error")
    ] * 2


def test_an_upload_has_a_limit_and_some_content(client: Client) -> None:
    address = f"/nlip/upload/{server_agent.Upload('a', 'c', None).token}"

    assert (
        post(
            client, b"x" * (server_agent.UPLOAD_LIMIT + 1), address, content_type="text/plain"
        ).status_code
        == 413
    )
    assert post(client, b"", address, content_type="text/plain").status_code == 400


@pytest.mark.requirement("NLIP-30")
@pytest.mark.parametrize(
    ("host", "caller", "scheme", "status"),
    [
        ("localhost", "127.0.0.1", "http", 200),
        ("log.example.org", "192.0.2.1", "https", 200),
        ("log.example.org", "192.0.2.1", "http", 403),
        ("log.example.org", "127.0.0.1", "http", 403),
        ("localhost", "192.0.2.1", "http", 403),
    ],
)
def test_away_from_this_machine_it_is_spoken_over_tls_only(
    client: Client,
    host: str,
    caller: str,
    scheme: str,
    status: int,
) -> None:
    response = post(
        client, body("Hello"), headers={"host": host}, REMOTE_ADDR=caller, secure=scheme == "https"
    )

    assert response.status_code == status
    assert (read(response).values["format"] == "error") is (status == 403)


@pytest.mark.requirement("NLIP-30")
@pytest.mark.parametrize(
    ("caller", "said_by_proxy", "scheme"),
    [
        ("192.0.2.7", "https", "https"),
        ("192.0.2.7", "http", "http"),
        ("192.0.2.7", "gopher", "http"),
        ("192.0.2.8", "https", "http"),
        ("", "https", "http"),
        ("2001:db8::17", "https", "https"),
    ],
)
def test_only_a_proxy_of_ours_is_believed_about_tls(
    caller: str, said_by_proxy: str, scheme: str
) -> None:
    trusted = environment.read({"CABLESE_TRUSTED_PROXY": "192.0.2.7, 2001:db8::/64"}).trusted_proxy
    seen: list[str] = []

    def application(environ: dict[str, Any], _start: object) -> list[bytes]:
        seen.append(environ["wsgi.url_scheme"])
        return []

    environ = {
        "REMOTE_ADDR": caller,
        "HTTP_X_FORWARDED_PROTO": said_by_proxy,
        "wsgi.url_scheme": "http",
    }
    with_scheme(application, trusted=trusted)(environ, lambda *_: lambda _: None)

    assert seen == [scheme]


def test_a_look_at_the_address_explains_it(client: Client) -> None:
    page = client.get("/nlip", headers={"accept": "text/html,*/*;q=0.8"})
    plain = client.get("/nlip", headers={"accept": "*/*"})

    assert "This server speaks NLIP" in words(page.content.decode())
    assert plain.json()["post"] == "http://testserver/nlip"
    assert client.put("/nlip").status_code == 405


def test_a_bucket_fills_again_and_the_oldest_is_forgotten() -> None:
    throttle = Throttle(burst=2, pace=0.5, callers=2)

    assert [throttle.wait("a", now=0.0) for _ in range(3)] == [0, 0, 2]
    assert throttle.wait("a", now=2.0) == 0
    assert throttle.wait("b", now=2.0) == throttle.wait("c", now=2.0) == 0
    assert [throttle.wait("a", now=2.0) for _ in range(3)] == [0, 0, 2]


ECMA = "nlip/ecma-430"


@pytest.mark.requirement("NLIP-21")
@pytest.mark.requirement("NLIP-34")
def test_who_calls_the_address_of_ecma_430_is_answered_in_it(client: Client) -> None:
    wire = body("Hello\nREQ/TSK|g=42", token("trace", "t-1"), token("conversation_x", "c-1"))

    answered = post(client, wire, f"/nlip?dialect={ECMA}")

    assert answered.status_code == 200
    request, answer = (
        NLIP.decode(each, dialect=ECMA) for each in (wire, answered.content.decode())
    )
    assert answer.diagnostics == ()
    assert check(request, answer) == ()
    subformats = [part["subformat"] for part in answer.values["submessages"]]
    assert {"trace", "conversation_x", "conversation_cablese"} <= set(subformats)
    assert "trace" not in post(client, wire).content.decode()


def test_an_error_for_ecma_430_is_a_text_that_says_so(client: Client) -> None:
    french = body("Bonjour").replace("English", "French").replace("english", "french")
    for wire, status in ((french, 200), ("{", 400), (body("x").replace("text", "error"), 400)):
        answered = post(client, wire, f"/nlip?dialect={ECMA}")

        answer = NLIP.decode(answered.content.decode(), dialect=ECMA)
        assert answered.status_code == status
        assert answer.diagnostics == ()
        assert answer.values["format"] == "text"
        assert answer.values["content"].startswith("Error: ")


def test_no_secret_comes_back_in_ecma_430(client: Client, key: str) -> None:
    wire = body("Hello", token("authentication", key))

    answered = post(client, wire, f"/nlip?dialect={ECMA}").content.decode()

    assert "cbl_live" not in answered
    assert server_agent.REMOVED not in answered


def test_an_upload_address_speaks_as_it_was_asked_for(client: Client) -> None:
    asked = post(
        client, body("Where may I send large content?", control=True), f"/nlip?dialect={ECMA}"
    )
    (address,) = [
        part["content"]
        for part in json.loads(asked.content)["submessages"]
        if part["subformat"] == "uri"
    ]

    empty = post(client, b"", address)

    assert address.endswith(f"?dialect={ECMA}")
    assert empty.status_code == 400
    assert NLIP.decode(empty.content.decode(), dialect=ECMA).valid


def test_an_unknown_dialect_is_refused_and_the_known_ones_are_told(client: Client) -> None:
    refused = post(client, body("Hello"), "/nlip?dialect=nlip/9")

    assert refused.status_code == 400
    assert "nlip/draft, nlip/ecma-430" in refused.content.decode()
    told = client.get("/nlip", headers={"Accept": "application/json"}).json()
    assert told["dialects"][ECMA].endswith("/nlip?dialect=nlip/ecma-430")
