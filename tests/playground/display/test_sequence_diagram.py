"""Conversations as sequence diagrams: who speaks to whom, in the order it was said."""

import pytest
from django.test import Client
from msgspec import structs

from cablese import detection
from cablese.conversation.gather import gather
from cablese.conversation.model import NOTHING, Leg, Supplied
from cablese.transcript import split
from playground.display.sequence_diagram import (
    ARROWS,
    LANE,
    LANES,
    LETTER,
    LOOP,
    ROW,
    Diagram,
    Pointed,
    draw,
)
from playground.workbench.examples import CONVERSATION
from tests.playground.drawn import words


def drawn(text: str) -> Diagram:
    cuts = split(text).messages
    found = draw(
        gather([detection.decode(cut.wire, cut.protocol) for cut in cuts])[0],
        [Pointed(at + 1) for at in range(len(cuts))],
    )
    assert found is not None
    return found


def slip(sender: str, recipient: str) -> str:
    return f"SLIP v3 {sender} {recipient} Ask Status\n"


def test_each_party_has_a_lane_and_each_message_an_arrow_between_two() -> None:
    diagram = drawn(slip("ada", "bob") + slip("bob", "ada"))

    ada, bob = diagram.lanes
    assert [(lane.name, lane.sure) for lane in diagram.lanes] == [("ada", True), ("bob", True)]
    assert [(arrow.x1, arrow.x2) for arrow in diagram.arrows] == [(ada.x, bob.x), (bob.x, ada.x)]
    assert diagram.arrows[0].y < diagram.arrows[1].y
    assert diagram.unsure == ""


def test_what_failed_says_so() -> None:
    diagram = drawn("T|1|Q|obj=x\nT|2|A|res=half;err=timeout\nT|3|E|err=busy\n")

    assert [arrow.summary for arrow in diagram.arrows] == [
        "query x",
        "answer half, failed",
        "error",
    ]


def test_names_that_no_wire_gives_are_marked() -> None:
    diagram = drawn(CONVERSATION)

    assert not any(lane.sure for lane in diagram.lanes)
    assert [arrow.sender for arrow in diagram.arrows][3:5] == ["executor", "critic"]
    assert diagram.unsure == "inferred"


def test_who_speaks_to_itself_gets_a_loop() -> None:
    diagram = drawn(slip("ada", "ada") * 2)

    assert {arrow.kind for arrow in diagram.arrows} == {"loop"}
    assert " h-" in diagram.arrows[0].path


def test_a_message_with_one_side_has_an_open_circle_there_and_one_with_none_is_a_note() -> None:
    message = detection.decode("QRY/OBS|g=1,t=1")
    talk = gather([message] * 3, [Supplied(sender="ada"), Supplied(recipient="ada"), NOTHING])[0]
    talk = structs.replace(talk, legs=(*talk.legs[:2], Leg(2)))

    diagram = draw(talk, [Pointed(1), Pointed(2), Pointed(3)])

    assert diagram is not None
    to, from_, note = diagram.arrows
    assert [arrow.kind for arrow in diagram.arrows] == ["to", "from", "note"]
    assert (to.circle, from_.circle, note.circle) == (to.x2, from_.x1, None)


def test_many_parties_share_the_last_lane_and_many_messages_are_counted() -> None:
    many = ARROWS + 5
    message = detection.decode("QRY/OBS|g=1,t=1")
    talk = gather(
        [message] * many, [Supplied(sender=f"n{n}", recipient="hub") for n in range(many)]
    )[0]

    diagram = draw(talk, [Pointed(at + 1) for at in range(many)])

    assert diagram is not None
    assert len(diagram.lanes) == LANES
    assert diagram.lanes[-1].name == "others"
    assert len(diagram.arrows) == ARROWS
    assert diagram.more == 5
    assert all(0 < x < diagram.width for arrow in diagram.arrows for x in (arrow.x1, arrow.x2))
    assert diagram.unsure == "supplied"


def test_a_broken_message_is_marked_in_picture_and_table() -> None:
    diagram = drawn("REQ/TSK|g=1,t=1\nRJE/PLN|g=1,t=1,!=no\n")

    assert [arrow.valid for arrow in diagram.arrows] == [True, False]


@pytest.mark.django_db
def test_the_workbench_draws_it_with_a_table_beside_it(client: Client) -> None:
    page = client.post("/reading/whole", {"text": CONVERSATION}).content.decode()

    assert page.count('data-shows="') == 6
    table = words(page.split('class="sequence-table"')[1].split("</table>")[0])
    assert "4 executor coordinator inform OBS INF/OBS|g=42,t=1,r=1,s=done,@=tests_pass" in table
    assert "Italic names and dashed arrows are inferred" in words(page)


@pytest.mark.django_db
def test_hostile_names_are_text(client: Client) -> None:
    named = '{"role":"user","name":"<script>alert(1)</script>","content":"T|17|Q|obj=a"}'
    chat = f'[{named},{{"role":"assistant","content":"T|18|A|res=b"}}]'

    page = client.post("/reading/whole", {"text": chat}).content.decode()

    assert "<script>alert" not in page
    assert 'class="sequence"' in page


@pytest.mark.django_db
def test_nine_conversations_draw_eight(client: Client) -> None:
    text = "".join(f"REQ/TSK|g={goal},t=1\nPRO/PLN|g={goal},t=1\n" for goal in range(1, 10))

    page = client.post("/reading/whole", {"text": text}).content.decode()

    assert page.count('class="sequence"') == 8


def between(*parties: tuple[str, str], wire: str = "T|1|Q|obj=x") -> Diagram:
    """The picture of a message that is sent again and again."""
    talk = gather([detection.decode(wire)] * len(parties))[0]
    legs = tuple(Leg(at, *pair) for at, pair in enumerate(parties))
    diagram = draw(
        structs.replace(talk, legs=legs), [Pointed(at + 1) for at in range(len(parties))]
    )
    assert diagram is not None
    return diagram


def test_a_label_stands_above_its_arrow_and_beside_its_loop() -> None:
    there, back, loop = between(("ada", "bob"), ("bob", "ada"), ("bob", "bob")).arrows

    for arrow in (there, back):
        assert 2 * arrow.middle == arrow.x1 + arrow.x2
        assert arrow.y - ROW // 2 < arrow.above < arrow.y
    assert loop.x1 + LOOP < loop.middle
    assert loop.y < loop.above < loop.under


@pytest.mark.parametrize(
    ("recipient", "room"), [("bob", LANE), ("cat", 2 * LANE), ("ada", LANE - LOOP)]
)
def test_a_label_is_as_long_as_there_is_room(recipient: str, room: int) -> None:
    parties = [("ada", "bob"), ("bob", "cat"), ("ada", recipient)]

    label = between(*parties, wire=f"T|1|Q|obj={'wide_' * 30}").arrows[2].label

    assert label.endswith("…")
    assert room - 16 - LETTER < len(label) * LETTER <= room - 16
