"""The pages of SACP in a browser, and each of their forms without JavaScript."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, StorageState, ViewportSize, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import show_tab
from tests.installation import Installation

pytestmark = pytest.mark.browser

FLIGHT = (
    '{{"g":"FLY","plan":[["s","H_API",{{}}],["book","{0}",{{"seat":4}}]],'
    '"subtask":{{"g":"PAY","plan":[["pay","{0}",{{}}]]}}}}'
)
TALK = """\
{"g":"FIND","msg_id":"a","plan":[["s","H_API",{}]],"state":"DONE"}
{"g":"FIND","reply_to":"a","plan":[["s","H_API",{}]],"state":"FAILED"}
HOTEL_FINDER: I am sorry.
"""


@pytest.fixture(scope="module")
def cookies(server: Installation, chromium: Browser) -> StorageState:
    context = chromium.new_context(base_url=server.base_url)
    server.sign_in(context.new_page(), "sam")
    server.manage("people", "make-admin", "sam")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture(params=["script", "no script"])
def signed_in(
    request: pytest.FixtureRequest, server: Installation, chromium: Browser, cookies: StorageState
) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=server.base_url,
        storage_state=cookies,
        java_script_enabled=request.param == "script",
    )
    yield context.new_page()
    context.close()


@pytest.mark.requirement("SACP-14")
@pytest.mark.requirement("SACP-31")
@pytest.mark.requirement("SACP-32")
@pytest.mark.requirement("SACP-33")
def test_a_missing_agent_is_asked_for_and_the_plan_tried_again(
    signed_in: Page, request: pytest.FixtureRequest
) -> None:
    tool = "AIR" if "no script" in request.node.name else "JET"
    signed_in.goto("/sacp/plan")
    signed_in.locator("#plan-text").fill(FLIGHT.format(tool))
    signed_in.get_by_role("button", name="Check plan").click()
    expect(signed_in.get_by_role("heading", name="Subtask: PAY").first).to_be_visible()

    signed_in.get_by_role("button", name="Create agents and retry").click()

    expect(signed_in.locator(".sent h3")).to_have_text(
        ["Request", "Registered", "Confirmed", "Plan after retry: feasible"]
    )
    expect(signed_in.locator("#answer-title")).to_have_text("Feasible")
    expect(signed_in.locator("#plan-text")).to_have_value(FLIGHT.format(tool))
    signed_in.locator(".made").get_by_role("link", name=f"{tool}_AGENT", exact=True).click()
    expect(signed_in.locator("#agent-prompt")).to_contain_text(f"### Agent Role: {tool}_AGENT")


@pytest.mark.requirement("SACP-27")
def test_a_definition_is_withdrawn_and_registered_again(signed_in: Page) -> None:
    signed_in.goto("/sacp/verb/generate")

    signed_in.get_by_role("button", name="Withdraw generate").click()
    expect(signed_in.locator(".notice.warning")).to_contain_text(
        "by user:sam. Plans no longer use it."
    )
    signed_in.goto("/sacp/")
    expect(signed_in.locator(".withdrawn")).to_contain_text("generate")

    signed_in.locator(".withdrawn a").click()
    signed_in.get_by_role("button", name="Register verb").click()
    expect(signed_in.locator(".notice.warning")).to_have_count(0)


@pytest.mark.requirement("SACP-11")
@pytest.mark.requirement("SACP-30")
def test_groups_of_steps_are_assembled_and_drawn(signed_in: Page) -> None:
    signed_in.goto("/sacp/assemble")
    signed_in.locator("#id_goal").fill("FIND_HOTEL")
    signed_in.get_by_role("button", name="Add steps").click()
    for number, pair in ((1, "search H_API"), (7, "present PRES")):
        signed_in.locator(f"[name=pair{number}]").select_option(pair)
        signed_in.locator(f"[name=group{number}]").select_option("A")

    signed_in.locator("#id_goal").press("Enter")

    expect(signed_in.locator(".plan-list")).to_contain_text("in parallel")
    expect(signed_in.locator(".plan-step.joins")).to_have_count(1)
    expect(signed_in.locator("#answer-title")).to_have_text("Feasible")


@pytest.mark.requirement("SACP-16")
@pytest.mark.requirement("SACP-21")
def test_a_transcript_is_followed(signed_in: Page) -> None:
    signed_in.goto("/sacp/history")
    signed_in.locator("#transcript").fill(TALK)
    signed_in.locator("#role").select_option("Planner")
    signed_in.get_by_role("button", name="Track tasks").click()

    expect(signed_in.locator(".move .state")).to_contain_text(["DONE", "FAILED"])
    expect(signed_in.locator(".move.illegal")).to_contain_text(
        "FAILED cannot follow DONE: the message has ended."
    )
    expect(signed_in.locator(".remarks")).to_contain_text("HOTEL_FINDER, Executor, in line 3")


@pytest.mark.requirement("SACP-21")
def test_the_workbench_shows_tasks_and_leads_to_their_messages(page: Page) -> None:
    page.goto("/?example=")
    page.locator("#text").fill(TALK)

    expect(page.locator("#panel-states .move.illegal")).to_contain_text(
        "HOTEL_ARCHIVE takes over from HOTEL_FINDER."
    )
    expect(page.locator("#panel-states")).not_to_contain_text("cannot follow")
    show_tab(page, "Conversation")
    page.locator("#panel-states").get_by_role("button", name="Show message 2").click()
    expect(page.locator("#reading-state")).to_have_attribute("data-chosen", "2")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_these_pages_answer_can_be_read_by_all_and_fits(
    server: Installation, chromium: Browser, cookies: StorageState, scheme: str
) -> None:
    context = chromium.new_context(
        base_url=server.base_url,
        storage_state=cookies,
        viewport=ViewportSize(width=360, height=800),
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto("/sacp/tool/SUMMARY")
    with page.expect_navigation():
        page.get_by_role("button", name="Withdraw SUMMARY").click()
    require_accessible(page)
    page.goto("/sacp/?verb=predict")
    require_accessible(page)
    page.goto("/sacp/plan")
    page.locator("#plan-text").fill(
        FLIGHT.format(f"A_LONG_NAME_OF_A_TOOL_{scheme}").replace("H_API", "SUMMARY")
    )
    with page.expect_navigation():
        page.get_by_role("button", name="Check plan").click()
    require_accessible(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Create agents and retry").click()
    require_accessible(page)
    page.goto("/sacp/history")
    require_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto("/sacp/tool/SUMMARY")
    page.get_by_role("button", name="Withdraw SUMMARY").or_(
        page.get_by_role("button", name="Register tool")
    ).first.click()
    context.close()
