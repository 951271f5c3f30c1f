"""What a message states in common terms."""

from cablese import registry
from cablese.translation.translate import translate_text


def test_nlip_says_which_of_its_fields_only_describe_a_translation() -> None:
    nlip = registry.get("nlip")
    wire = translate_text("REQ/TSK|g=42,t=1", "nlip").wire

    assert wire is not None
    statement = nlip.state(nlip.decode(wire))

    assert [place.key for place in statement.added] == ["format", "subformat", "content"]
    assert "reason" not in statement.terms


def test_an_error_is_a_failure() -> None:
    tline = registry.get("tline")

    outcomes = [tline.state(tline.decode(f"T|17|{kind}|obj=x")).outcome for kind in "EQ"]

    assert outcomes == ["failed", None]
