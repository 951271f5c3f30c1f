"""Conversations as an SVG file: well-formed and inert, whatever a message says."""

import re
from xml.etree import ElementTree as ET

import pytest

from playground.export import svg
from playground.workbench.examples import EXAMPLES
from tests.playground.export.conversing import HOSTILE, Told, converse, supply

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "g", "rect", "line", "path", "polygon", "circle", "text", "title"}
ATTRIBUTES = {
    "width", "height", "viewBox", "font-size", "font-family", "font-weight", "font-style",
    "text-anchor", "fill", "stroke", "stroke-width", "stroke-dasharray", "transform", "points",
    "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r",
}  # fmt: skip


def written(told: str | Told) -> ET.Element:
    """Return the drawing, after a check that it has shapes and texts only."""
    drawn = svg.write(*(converse(told) if isinstance(told, str) else told))
    root = ET.fromstring(drawn)  # noqa: S314, written by us
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in TAGS
        assert element.attrib.keys() <= ATTRIBUTES
        assert not any("url(" in value for value in element.attrib.values())
    return root


def texts(root: ET.Element) -> list[str]:
    return ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]


def test_it_has_the_title_the_parties_and_the_messages() -> None:
    root = written(supply(("ada", "bob", "REQ/TSK|g=42,t=1"), ("bob", "ada", "RJE/PLN|g=42,t=01")))

    title, *lanes, first, second, note = texts(root)
    assert title == "nSLIP, goal 42, task 1"
    assert lanes == ["ada", "bob"]
    assert first == "1 request TSK"
    assert second.startswith("✖ 2 ")
    assert note == "Italic names and dashed arrows are supplied."


def test_an_arrow_leads_from_its_sender_to_its_recipient() -> None:
    root = written(
        supply(
            ("ada", "bob", "REQ/TSK|g=42,t=1"),
            ("bob", "ada", "RJE/PLN|g=42,t=01"),
            ("bob", "bob", "INF/OBS|g=42,t=1"),
        )
    )
    ada, bob = (line.attrib["x1"] for line in root.iter(f"{SVG}line"))
    paths, heads = list(root.iter(f"{SVG}path")), list(root.iter(f"{SVG}polygon"))

    assert [path.attrib["d"] for path in paths] == [
        f"M{ada},72 H{bob}", f"M{bob},108 H{ada}", f"M{bob},144 h34 v12 h-34"
    ]  # fmt: skip
    assert [head.attrib["points"].split()[0] for head in heads] == [
        f"{bob},72", f"{ada},108", f"{bob},156"
    ]  # fmt: skip
    valid, invalid, _ = (path.attrib["stroke"] for path in paths)
    assert valid != invalid
    assert [head.attrib["fill"] for head in heads] == [valid, invalid, valid]
    assert {path.attrib.get("stroke-dasharray") for path in paths} == {"5 3"}


def test_a_long_title_is_cut() -> None:
    whole, cut = (
        texts(written(f'{{"msg_id":"{"m" * letters}","g":"X","plan":[["s","H",{{}}]]}}'))[0]
        for letters in (svg.LONGEST - len("SACP, message "), svg.LONGEST)
    )

    assert (len(whole), whole[-1]) == (svg.LONGEST, "m")
    assert (len(cut), cut[-1]) == (svg.LONGEST, "…")


def test_conversations_are_below_one_another_and_inside_the_picture() -> None:
    root = written("REQ/TSK|g=1,t=1\nCFM/TSK|g=1,t=1\nREQ/TSK|g=2,t=1\n")

    tops = [
        int(element.attrib["transform"].removeprefix("translate(0 ").removesuffix(")"))
        for element in root.findall(f"{SVG}g")
    ]
    assert len(tops) == 2
    assert tops[0] < tops[1] < int(root.attrib["height"])


def test_a_hostile_name_is_only_text() -> None:
    root = written(
        supply(
            (HOSTILE, "</text><script>alert(1)</script>", "REQ/TSK|g=42,t=1"),
            ("\ufffe\x00\ud800", '" onload="alert(1)', "CFM/TSK|g=42,t=1"),
        )
    )

    assert any(text.startswith("end;\"'`|<b>") for text in texts(root))
    assert any(text.startswith("</text><script>") for text in texts(root))


def test_it_needs_no_policy_that_allows_styles() -> None:
    """It is served with a policy that allows nothing, so colors are attributes."""
    drawn = svg.write(*converse("REQ/TSK|g=1,t=1\nCFM/TSK|g=1,t=1"))

    assert not re.search(r"<style|\sstyle=|class=|href|<script|\bon\w+=", drawn)


def test_every_example_is_drawn() -> None:
    for example in EXAMPLES:
        assert texts(written(example.text)), example.slug


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "1 more conversation is not shown."), (5, "5 more conversations are not shown.")],
)
def test_many_conversations_say_what_is_left_out(number: int, words: str) -> None:
    total = svg.CONVERSATIONS + number
    root = written("\n".join(f"REQ/TSK|g={goal},t=1" for goal in range(1, total + 1)))

    assert " ".join(texts(root)[-1].split()) == words


def test_a_long_conversation_says_what_is_left_out() -> None:
    root = written("\n".join(f"REQ/TSK|g=1,t=1,@=x{at}" for at in range(79)))

    assert " ".join(texts(root)[-1].split()) == "19 more messages are not shown."
