"""The form that assembles a message."""

from html import unescape

import pytest
from django.test import Client

from tests.playground.drawn import words
from tests.playground.sacp.pages.requests import get, post

pytestmark = pytest.mark.django_db


@pytest.mark.requirement("SACP-30")
def test_the_interface_form_assembles_a_message_and_shows_it_decoded(client: Client) -> None:
    assert "search with H_API" in get(client, "/sacp/assemble")
    sent: dict[str, object] = {
        "goal": "FIND_HOTEL", "context": '{"loc": "Paris"}', "out_fmt": "human", "test_mode": "on",
        "msg_id": "a1",
        "pair1": "search H_API", "params1": '{"c": "Paris"}', "pair2": "present PRES",
        "params2": '{"n": 5}',
    }  # fmt: skip

    page = words(post(client, "/sacp/assemble", sent))

    assert '"plan":[["search","H_API",{"c":"Paris"}],["present","PRES",{"n":5}]]' in page.replace(
        " ", ""
    )
    assert "Feasible VALID" in page
    assert "Asks to find hotel in 2 steps" in page


@pytest.mark.requirement("SACP-30")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"goal": ""}, "This field is required."),
        ({"context": "Paris"}, "Expected a JSON object"),
        ({"params1": "[5]"}, "Expected a JSON object"),
        ({"params1": '{"c": 5}'}, 'Step 1: "c" must be text for the verb search.'),
        ({"pair1": "fly KITE"}, "Select a valid choice"),
        ({"pair1": ""}, "This field is required."),
        ({"out_fmt": "prose"}, "Select a valid choice"),
        ({"context": '{"a": ' + "[" * 80 + "]" * 80 + "}"}, "The limit is 64 nested levels."),
        (
            {"params1": '{"p_max": ' + "9" * 20 + "}"},
            "The limit for integers is 9,007,199,254,740,991.",
        ),
    ],
)
def test_what_cannot_be_assembled_is_told(
    client: Client, change: dict[str, object], said: str
) -> None:
    sent = {
        "goal": "FIND_HOTEL",
        "out_fmt": "raw",
        "pair1": "search H_API",
        "params1": "{}",
    } | change

    assert said in unescape(post(client, "/sacp/assemble", sent, 422))


GROUPED: dict[str, object] = {
    "goal": "FIND", "out_fmt": "raw", "join": "ALL",
    "pair1": "search H_API", "group1": "A", "pair2": "present PRES", "pair3": "predict PRC_EST",
    "group3": "A",
}  # fmt: skip


@pytest.mark.requirement("SACP-11")
@pytest.mark.requirement("SACP-30")
def test_steps_of_a_group_run_side_by_side_and_are_joined(client: Client) -> None:
    page = words(post(client, "/sacp/assemble", dict(GROUPED))).replace(" ", "")

    both = '{"parallel":[["search","H_API",{}],["predict","PRC_EST",{}]]},["join","ALL",{}]'
    assert f'"plan":[{both},["present","PRES",{{}}]]' in page


@pytest.mark.requirement("SACP-30")
def test_a_group_of_one_is_told(client: Client) -> None:
    page = post(client, "/sacp/assemble", GROUPED | {"group3": "B"}, 422)

    assert "A group must have at least two steps" in page
    assert 'value="ALL"' in page
    assert '<option value="B" selected>' in page


@pytest.mark.requirement("SACP-30")
def test_more_steps_are_given_and_what_was_typed_stays(client: Client) -> None:
    page = post(client, "/sacp/assemble", GROUPED | {"goal": "", "more": "1"})
    full = post(client, "/sacp/assemble", GROUPED | {"more": "1", "pair18": "", "goal": "<b>"})

    assert 'name="pair10"' in page
    assert 'name="pair11"' not in page
    assert "This field is required." not in page
    assert '<option value="search H_API" selected>' in page
    assert 'name="pair20"' in full
    assert 'name="pair21"' not in full
    assert "Add steps" not in full
