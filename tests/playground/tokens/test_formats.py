"""The same meaning said otherwise, and counted fairly."""

import json

import pytest
import toon_format
import yaml

from auditlog import baseline
from cablese import detection, registry, tokens
from cablese.transcript import split
from playground.tokens import formats
from playground.tokens.formats import Strip, compare, write_formats
from playground.tokens.notations import notation
from playground.workbench.examples import CONVERSATION
from tests.cablese.hostile import wires

SIX = [message.wire for message in split(CONVERSATION).messages]
REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


def said(wire: str) -> dict[str, str | None]:
    return {form.key: form.text for form in write_formats(detection.decode(wire))}


def rows(strip: Strip) -> dict[str, formats.Row]:
    return {row.key: row for row in strip.rows}


def test_the_same_is_said_in_english_in_json_in_yaml_and_in_every_protocol() -> None:
    ways = said(REQUEST)

    assert (
        ways["short"]
        == "Requests task 1 of goal 42, medium priority. Note for people: auth_refactor."
    )
    assert ways["full"] == (
        "The act is REQUEST. The frame is TASK. The goal is 42. The task is 1. The priority is 2. "
        "The tag is auth_refactor."
    )
    assert ways["json"] == baseline.write(detection.decode(REQUEST))
    assert ways["pretty"] is not None
    assert ways["pretty"].startswith('{\n  "act": "REQUEST",\n')
    assert (
        ways["yaml"]
        == "act: REQUEST\nframe: TASK\ngoal: 42\ntask: 1\npriority: 2\ntag: auth_refactor\n"
    )
    assert set(registry.get_names()) < set(ways)
    assert ways["nslip"] == ways["message"] == REQUEST


@pytest.mark.parametrize("protocol", registry.get_names())
def test_json_and_yaml_say_what_the_message_says(protocol: str) -> None:
    for wire in wires(protocol):
        message = registry.get(protocol).decode(wire)
        ways = {form.key: form for form in write_formats(message)}
        assert list(ways) == ["message", *formats.get_titles()]
        for way in ways.values():
            assert (way.text is None) == (way.verdict == "refused"), (wire, way)
            assert way.explanation
        minified, pretty, written = (ways[key].text for key in ("json", "pretty", "yaml"))
        if minified is not None and pretty is not None and written is not None:
            assert json.loads(pretty) == json.loads(minified)
            assert yaml.safe_load(written) == json.loads(minified), wire
        toon = ways[notation.TOON].text
        assert toon is None or toon_format.loads(toon) == json.loads(minified or ""), wire
        for key in (notation.SHORT_KEYS, notation.SEXPRESSIONS):
            assert (ways[key].verdict, ways[key].lost) == (ways["json"].verdict, ways["json"].lost)


def test_what_a_way_loses_is_said() -> None:
    ways = {form.key: form for form in write_formats(detection.decode(REQUEST))}

    assert ways["short"].verdict == "lost"
    assert ways["short"].explanation == "Omits frame."
    assert ways["slip"].verdict == "lost"
    assert ways["tline"].verdict == "faithful"
    assert ways["full"].verdict == "one way"


def test_a_notation_without_the_characters_of_a_message_says_so() -> None:
    wire = '{"Format":"text","Subformat":"english","Content":"a\\u0001b"}'
    ways = {form.key: form for form in write_formats(detection.decode(wire))}

    assert (ways["xml"].text, ways["xml"].verdict) == (None, "refused")
    assert "U+0001" in ways["xml"].explanation
    assert ways["toon"].verdict == "faithful"


def test_a_number_that_a_notation_writes_otherwise_is_judged_by_the_message() -> None:
    """TOON writes 1.0 as 1, and SACP tells them apart."""
    message = detection.decode('{"g":"FIND","ctx":{"score":1.0},"plan":[["s","H_API",{"c":"x"}]]}')
    ways = {form.key: form for form in write_formats(message)}

    assert ways["json"].verdict == "faithful"
    assert (ways["toon"].verdict, ways["toon"].lost) == ("changed", ("ctx.score",))


def test_messages_that_are_compared_share_their_short_keys() -> None:
    messages = [detection.decode(wire) for wire in ("REQ/TSK|g=1,t=2", "REQ/TSK|g=1,@=a")]
    legend = formats.make_legend(messages)
    texts = ['{"a":"REQUEST","f":"TASK","g":1,"t":2}', '{"a":"REQUEST","f":"TASK","g":1,"ta":"a"}']

    assert [
        form.text
        for message in messages
        for form in write_formats(message, legend)
        if form.key == notation.SHORT_KEYS
    ] == texts
    row = rows(compare(messages, "o200k_base"))[notation.SHORT_KEYS]
    assert row.count == sum(tokens.count(text).count for text in texts)


def test_a_message_with_errors_is_said_in_no_other_way() -> None:
    ways = {form.key: form for form in write_formats(detection.decode("RJE/PLN|g=42", "nslip"))}

    assert [key for key, way in ways.items() if way.text is not None] == ["message", "nslip"]
    assert "unknown act" in ways["json"].explanation.lower()


def test_what_no_protocol_claims_is_said_in_no_other_way() -> None:
    ways = list(write_formats(detection.decode("hello there")))

    assert [way.key for way in ways if way.text is not None] == ["message"]


def test_a_long_message_is_not_said_otherwise() -> None:
    wire = "REQ/TSK|@=" + "x" * formats.LONGEST
    ways = list(write_formats(detection.decode(wire, "nslip")))

    assert [way.text for way in ways[1:]] == [None] * (len(ways) - 1)
    assert "65,536 characters" in ways[1].explanation


def test_a_long_message_adds_no_key_to_the_legend(monkeypatch: pytest.MonkeyPatch) -> None:
    brief, longer = detection.decode("REQ/TSK|g=42,t=1"), detection.decode(REQUEST)
    assert "tag" in formats.make_legend([brief, longer]).keys

    monkeypatch.setattr(formats, "LONGEST", len(brief.wire))

    assert formats.make_legend([brief, longer]) == formats.make_legend([brief])


def test_a_protocol_that_forbids_sensitive_data_carries_none() -> None:
    (aacp,) = [
        form
        for form in write_formats(detection.decode("REQ/TSK|@=4111111111111111"))
        if form.key == "aacp"
    ]

    assert aacp.text is None
    assert "sensitive" in aacp.explanation


def test_every_change_is_against_the_chosen_baseline_and_more_is_said_as_plainly_as_less() -> None:
    message = detection.decode(REQUEST)
    strip = compare([message], "o200k_base", "json")
    of = rows(strip)

    assert (strip.baseline, strip.baseline_title, strip.tokenizer) == (
        "json",
        "minified JSON",
        "o200k_base",
    )
    assert of["json"].count == 27
    assert (of["message"].count, of["message"].difference, of["message"].change) == (19, -8, -29.6)
    assert (of["json"].difference, of["json"].change) == (0, 0.0)
    pretty = of["pretty"]
    assert pretty.count is not None
    assert pretty.difference == pretty.count - 27 > 0
    assert rows(compare([message], "o200k_base", "short"))["message"].difference == 19 - 20


def test_many_messages_are_added_up_and_one_that_cannot_be_said_leaves_no_sum() -> None:
    messages = [detection.decode(wire) for wire in SIX]
    of = rows(compare(messages, "o200k_base", "json"))

    assert of["message"].count == sum(tokens.count(message.wire).count for message in messages)
    assert of["json"].count == sum(
        tokens.count(baseline.write(message) or "").count for message in messages
    )

    of = rows(compare([*messages, detection.decode("RJE/PLN|g=42", "nslip")], "o200k_base", "json"))
    assert of["json"].count is None
    assert of["json"].words.startswith("6 lossless, 1 not available. ")
    assert of["message"].change is None
