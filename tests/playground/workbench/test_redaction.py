"""A shared copy lacks what was taken out, and can still be read."""

import json

import pytest
from django.test import Client

from playground.workbench.document import Reading
from playground.workbench.redaction import (
    AROUND,
    LONGEST,
    MESSAGES,
    NAMES,
    Redaction,
    Refused,
)
from tests.growth import assert_linear

NSLIP = "INF/OBS|g=42,t=1,@=anna_smith\n"
CARD = "4111 1111 1111 1111"
SACP = (
    '{"g":"FIND_HOTEL","ctx":{"loc":"Paris","am":["wifi","bf"]},"plan":[["search","H_API",'
    '{"c":"Paris"}]]}'
)


def copy(text: str, *keys: str) -> str:
    return Redaction(text, protocol=None, keys=keys).copy


def test_a_value_gives_way_to_a_word_that_its_field_may_hold() -> None:
    text = copy(NSLIP, "nslip/@", "nslip/g")

    assert text == "INF/OBS|g=0,t=1,@=redacted\n"
    assert Reading(text, protocol=None, tokenizer="o200k_base").notes == []


def test_without_keys_what_is_sensitive_is_taken_out() -> None:
    found = Redaction(f"FETCH|FIN|return:A|p:1|aacp:1.1|res:{CARD}\n", protocol=None)

    assert [field["key"] for field in found.fields if field["ticked"]] == ["aacp/res"]
    assert found.fields[0]["what"] == "a card number"
    assert "4111" not in found.copy


def test_places_in_lists_are_one_field() -> None:
    found = Redaction(SACP, protocol=None, keys=["sacp/ctx.am.*", "sacp/plan.*.*.c"])

    assert json.loads(found.copy)["ctx"]["am"] == ["redacted", "redacted"]
    assert json.loads(found.copy)["plan"][0][2]["c"] == "redacted"
    assert found.left == ["Paris"]


def test_what_stands_around_the_messages_can_go_too() -> None:
    text = f"# for anna\n2026-11-20T10:00:01Z anna: {NSLIP}"

    assert copy(text, AROUND) == NSLIP
    assert "anna" not in copy(text, AROUND, "nslip/@")


def test_something_sensitive_around_the_messages_is_found() -> None:
    found = Redaction(f"# card {CARD}\n{NSLIP}", protocol=None)

    assert found.keys == {AROUND}
    assert found.copy == NSLIP


def test_wrappers_stand_around_the_messages_too() -> None:
    text = (
        f'{{"role":"agent","apiKey":"{CARD}","parts":[{{"kind":"text","text":"T|17|Q|obj=x"}}],'
        '"messageId":"m"}}'
    )

    assert copy(text, AROUND) == "T|17|Q|obj=x\n"
    assert Redaction(text, protocol=None).keys == {AROUND}


def test_what_could_not_be_read_can_be_taken_out() -> None:
    found = Redaction(f"REQ/TSK|g=1,{CARD}", protocol=None)

    assert "4111" not in found.copy
    assert found.fields[0]["label"] == "text that could not be decoded"


@pytest.mark.parametrize("levels", [1, 2])
def test_a_message_in_a_wrapper_is_written_as_the_wrapper_writes_it(levels: int) -> None:
    wire = '{"format":"text","subformat":"English","content":"Ask Anna."}'
    wrapped: object = {"role": "agent", "parts": [{"kind": "text", "text": wire}], "messageId": "m"}
    for _ in range(levels - 1):
        wrapped = {
            "role": "agent",
            "parts": [{"kind": "text", "text": json.dumps(wrapped)}],
            "messageId": "n",
        }
    text = json.dumps(wrapped)

    found = copy(text, "nlip/content")

    assert "Anna" not in found
    inner = json.loads(found)
    for _ in range(levels - 1):
        inner = json.loads(inner["parts"][0]["text"])
    assert json.loads(inner["parts"][0]["text"])["content"] == "redacted"


@pytest.mark.parametrize("written", [r"REQ\/TSK|g=42,@=anna", r"REQ/TSK|g=42,@=\u0061nna"])
def test_a_message_that_is_escaped_in_another_way_goes_as_a_whole(written: str) -> None:
    assert copy(f'{{"msg":"{written}"}}', "nslip/@") == '{"msg":"redacted"}'


def test_nothing_named_leaves_the_text_as_it_is() -> None:
    text = f"# comment\r\n{NSLIP}\x00{SACP}"

    assert copy(text) == text


@pytest.mark.parametrize(
    "wire",
    [
        "REQ/TSK|g=secret42",
        "T|17|Q|obj=secret42;ctx=x",
        "SLIP v3 secret42 b Inform Result",
        "REQ/TSK|g=1,t=secret42,,",
    ],
)
def test_what_has_to_go_goes_in_any_case(wire: str) -> None:
    everything = [field["key"] for field in Redaction(wire, protocol=None).fields]

    assert "secret42" not in copy(wire, *everything)


def test_too_many_messages_are_refused() -> None:
    with pytest.raises(Refused, match="more than 500 messages"):
        Redaction(NSLIP * (MESSAGES + 1), protocol=None)


def many_fields(number: int) -> str:
    return '{"g":"X","ctx":{' + ",".join(f'"k{at}":"value{at}"' for at in range(number)) + "}}"


def test_a_message_of_many_fields_takes_linear_time() -> None:
    keys = [field["key"] for field in Redaction(many_fields(2), protocol=None).fields]

    def act(size: int) -> None:
        text = many_fields(size // 20)
        named = [*keys, *(f"sacp/ctx.k{at}" for at in range(size // 20))]
        assert "value" not in Redaction(text, protocol="sacp", keys=named).copy

    assert_linear(act, 8_000)


@pytest.mark.parametrize(
    "text",
    [
        "REQ/TSK|g=42,t=1," + ",".join(["g=secret42"] * 500),
        "FETCH|FIN|return:A|p:1|aacp:1.1|" + "|".join(f"x{at}:secret42" for at in range(500)),
        "SLIP v3 a b Inform Result " + "secret42 " * 300,
        "T|17|Q|" + ";".join(f"x{at}=secret42" for at in range(500)),
        '{"format":"text","subformat":"English","content":"secret42","submessages":['
        + ",".join(['{"format":"text","subformat":"English","content":"secret42"}'] * 300)
        + "]}",
    ],
    ids=["nslip", "aacp", "slip", "tline", "nlip"],
)
def test_every_one_of_many_values_goes(text: str) -> None:
    found = Redaction(text, protocol=None)
    listed = [field["key"] for field in found.fields]
    named = {
        f"{message.protocol}/{field.name}" for message in found.messages for field in message.fields
    }

    assert "secret42" not in copy(text, *listed, *named)


def test_a_text_beyond_the_limit_is_refused() -> None:
    with pytest.raises(Refused, match=r"has 200,001 characters\. The limit is 200,000\."):
        Redaction("x" * (LONGEST + 1), protocol=None)


def test_a_text_that_needs_too_much_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.workbench.redaction.WORK", 3 * len(NSLIP))

    with pytest.raises(Refused, match="takes too long"):
        assert copy(NSLIP, "nslip/act", "nslip/g")


def test_more_sensitive_fields_than_are_listed_are_refused() -> None:
    text = (
        '{"g":"X","ctx":{' + ",".join(f'"password{at}":"x{at}"' for at in range(NAMES + 1)) + "}}"
    )
    secret = text.replace('"x', '"password=x')

    with pytest.raises(Refused, match="More than 200 fields"):
        assert Redaction(secret, protocol=None).copy


def test_what_is_sensitive_is_found_behind_much_that_is_not() -> None:
    words = ",".join(f'"k{at}":"{"word " * 100}"' for at in range(100))
    text = f'{{"g":"X","ctx":{{{words},"last":"{CARD}"}}}}'

    assert "4111" not in Redaction(text, protocol=None).copy


def test_a_value_that_is_too_long_to_be_searched_is_taken_out() -> None:
    text = f'{{"g":"X","ctx":{{"note":"{"word " * 1000} {CARD}"}}}}'
    found = Redaction(text, protocol=None)

    assert found.fields[0]["what"] == "text beyond the limit of 4,000 characters for this check"
    assert "4111" not in found.copy


def test_a_long_line_around_the_messages_is_taken_out() -> None:
    found = Redaction(f"{'word ' * 1000} {CARD}\n{NSLIP}", protocol=None)

    assert found.keys == {AROUND}


@pytest.mark.django_db
def test_a_refused_text_is_answered_without_a_copy(client: Client) -> None:
    found = client.post("/share/redacted", {"text": "x" * (LONGEST + 1)}).json()

    assert found.keys() == {"refused"}
    assert "200,000" in found["refused"]


@pytest.mark.django_db
def test_the_page_is_told_what_can_be_taken_out_and_nothing_is_kept(client: Client) -> None:
    answer = client.post("/share/redacted", {"text": NSLIP, "redact": '["nslip/@"]'})

    found = answer.json()
    assert found["text"] == "INF/OBS|g=42,t=1,@=redacted\n"
    assert {field["key"]: field["ticked"] for field in found["fields"]}["nslip/@"] is True
    assert "no-store" in answer.headers["Cache-Control"]
    assert client.get("/share/redacted").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("said", ['"a"', "[1]", "[" * 9999, "{"])
def test_fields_that_are_named_in_no_list_are_refused(client: Client, said: str) -> None:
    assert "refused" in client.post("/share/redacted", {"text": NSLIP, "redact": said}).json()


@pytest.mark.django_db
def test_too_many_messages_are_said(client: Client) -> None:
    found = client.post("/share/redacted", {"text": NSLIP * (MESSAGES + 1)}).json()

    assert found["refused"] == "The text has more than 500 messages. Redact fewer messages at once."
