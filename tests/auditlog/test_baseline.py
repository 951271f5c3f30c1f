"""The JSON that token counts are compared with."""

from auditlog import baseline
from cablese import detection, registry, tokens


def test_it_is_minified_json_with_full_words_in_the_order_given() -> None:
    written = baseline.write(detection.decode("REQ/TSK|g=42,t=1,p=2,@=auth_refactor"))

    assert (
        written
        == '{"act":"REQUEST","frame":"TASK","goal":42,"task":1,"priority":2,"tag":"auth_refactor"}'
    )
    assert tokens.count(written).count == 27


def test_there_is_none_when_nothing_was_read() -> None:
    assert baseline.write(detection.decode("hello")) is None
    assert baseline.write(registry.get("nslip").decode("")) is None


def test_bytes_that_are_not_utf_8_are_written_as_the_replacement_character() -> None:
    message = registry.get("nslip").decode("INF/OBS|@=a\udce9")

    assert baseline.write(message) == '{"act":"INFORM","frame":"OBSERVATION","tag":"a\ufffd"}'
