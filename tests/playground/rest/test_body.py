"""Responses as JSON."""

import json

import msgspec

from playground.rest.body import write_json


def test_stored_json_is_written_as_it_is() -> None:
    stored = msgspec.Raw(b'[{"code":"x"}]')

    assert write_json({"diagnostics": stored}).content == b'{"diagnostics":[{"code":"x"}]}'


def test_an_unpaired_surrogate_stays_escaped_beside_stored_json() -> None:
    answer = write_json({"text": "\ud800", "diagnostics": msgspec.Raw(b'[{"code":"x"}]')})

    assert answer.content == rb'{"text":"\ud800","diagnostics":[{"code":"x"}]}'
    assert json.loads(answer.content)["text"] == "\ud800"
