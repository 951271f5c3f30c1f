"""The menu and the page of saved searches, and who may do what to one."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log, SavedSearch
from auditlog.search.saved import searches
from auditlog.search.saved.searches import Content
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.pages import read
from tests.playground.drawn import words
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def default() -> Log:
    return Log.objects.get(slug="default")


def put(name: str, owner: User, query: str = "goal:42", log: Log | None = None) -> SavedSearch:
    return searches.save(log=log or default(), name=name, content=Content(query), owner=owner)


def send(client: Client, action: str, status: int = 302, **fields: object) -> str:
    response = client.post(f"/audit/searches/{action}", fields)
    assert response.status_code == status, response.content
    return response.headers.get("Location", "") or response.content.decode()


def menu(page: str) -> str:
    return page.partition('<div class="searches-panel">')[2].partition("</details>")[0]


@pytest.fixture
def grace(client: Client) -> Client:
    """A browser of another person."""
    other = Client()
    other.force_login(User.objects.create_user("grace"))
    return other


def test_a_saved_search_is_in_everybodys_menu_and_opens(
    client: Client, ada: User, grace: Client
) -> None:
    append(Item("REQ/TSK|g=42,t=1"), Item("REQ/TSK|g=43,t=1"), sender=make_sender())

    with recorded() as lines:
        address = send(client, "save", log="default", q="goal:42", name="Week", columns=["raw"])

    saved = SavedSearch.objects.get()
    assert events(lines, "address") == [
        {"event": "search.saved", "person": "ada", "log": "default", "search": saved.uid}
    ]
    for reader in (client, grace):
        shown = menu(read(reader, "/audit/"))
        (link,) = re.findall(r'href="(/audit/\?log=default&amp;q=[^"]*saved=[^"]*)"', shown)
        assert unescape(link) == address
        page = read(reader, address)
        assert "1 packet" in words(page)
        assert re.search(r"<summary>.*?Week.*?</summary>", page, re.DOTALL)
        assert 'c-raw"' in page
    assert "search-update" not in read(grace, f"{address}&q=goal:43")


def test_a_changed_search_is_updated_or_saved_as_another(client: Client, ada: User) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())
    saved = put("Week", ada)
    same = read(client, "/audit/", q="goal:42", saved=saved.uid)
    changed = read(client, "/audit/", q="goal:42 act:request", saved=saved.uid)
    pinned = read(client, "/audit/", q="goal:42", saved=saved.uid, at="1")

    assert "Update saved search" not in menu(same)
    assert "Update saved search" in menu(changed)
    assert "Update saved search" in menu(pinned)
    assert f'<input type="hidden" name="saved" value="{saved.uid}">' in changed
    with recorded() as lines:
        send(client, f"default/{saved.uid}/update", log="default", q="act:request", at="1")
    stored = searches.get(default(), saved.uid)
    assert (stored.name, stored.query, stored.size) == ("Week", "act:request", 1)
    assert [line["event"] for line in lines] == ["search.changed"]


def test_a_search_is_renamed(client: Client, ada: User) -> None:
    saved = put("Week", ada)
    put("Day", ada)

    assert send(client, f"default/{saved.uid}/rename", name=" Month ").endswith("?log=default")
    assert searches.get(default(), saved.uid).name == "Month"
    page = send(client, f"default/{saved.uid}/rename", 422, name="Day")
    assert "This log already has a saved search &quot;Day&quot;" in page
    assert 'aria-invalid="true"' in page
    assert searches.get(default(), saved.uid).name == "Month"


def test_a_search_is_deleted_after_a_question(client: Client, ada: User) -> None:
    saved = put("Week", ada)
    address = f"/audit/searches/default/{saved.uid}/delete"

    assert "Delete “Week”?" in read(client, address)
    assert SavedSearch.objects.count() == 1
    with recorded() as lines:
        send(client, f"default/{saved.uid}/delete")
    assert [line["event"] for line in lines] == ["search.deleted"]
    assert SavedSearch.objects.count() == 0
    read(client, address, 404)


def test_what_is_wrong_is_said_with_its_place(client: Client, ada: User) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())
    put("Week", ada)

    unknown = send(client, "save", 422, log="default", q="goal:42 (", name="x")
    assert "<code>goal:42 <mark>(</mark></code>" in unknown
    assert 'value="goal:42 ("' in unknown
    taken = send(client, "save", 422, log="default", q="goal:43", name="Week")
    assert "Choose another name" in taken
    assert 'value="goal:43"' in taken
    assert "Enter a name" in send(client, "save", 422, log="default", q="", name="  ")
    assert "Invalid at=9" in words(send(client, "save", 422, log="default", name="x", at="9"))
    assert "at: Enter a whole number" in send(client, "save", 422, log="default", name="x", at="z")
    assert "columns:" in send(client, "save", 422, log="default", name="x", columns="z")
    send(client, "save", 404, log="nowhere", name="x")
    saved = SavedSearch.objects.get()
    wrong = send(client, f"default/{saved.uid}/update", 422, log="default", q="goal:42 (")
    assert "<mark>(</mark>" in wrong
    assert SavedSearch.objects.get().query == "goal:42"


def test_only_the_owner_and_administrators_change_a_search(
    client: Client, ada: User, grace: Client
) -> None:
    saved = put("Week", ada)
    root = Client()
    root.force_login(User.objects.create_user("root", is_superuser=True))

    for action in ("rename", "update", "delete"):
        with recorded() as lines:
            answer = send(grace, f"default/{saved.uid}/{action}", 403, name="x", log="default")
        assert "Only the owner and administrators" in answer
        assert [line["event"] for line in lines] == ["right.refused"]
    read(grace, f"/audit/searches/default/{saved.uid}/delete", 403)
    listed = read(grace, "/audit/searches")
    assert "Week" in listed
    assert "Rename" not in listed
    assert "Rename" in read(root, "/audit/searches")
    send(root, f"default/{saved.uid}/rename", name="Month")
    assert searches.get(default(), saved.uid).name == "Month"


def test_nothing_changes_by_get_or_without_a_token(client: Client, ada: User) -> None:
    saved = put("Week", ada)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    actions = ["save", *(f"default/{saved.uid}/{one}" for one in ("rename", "update", "delete"))]

    for action in actions:
        fields = {"name": "x", "q": "goal:1", "log": "default"}
        assert strict.post(f"/audit/searches/{action}", fields).status_code == 403
        if not action.endswith("delete"):
            read(client, f"/audit/searches/{action}", 405)
    assert strict.post("/audit/columns", {"columns": "raw"}).status_code == 403
    read(client, "/audit/columns", 405)
    assert searches.get(default(), saved.uid).name == "Week"
    assert SavedSearch.objects.count() == 1


def test_strangers_see_no_searches(client: Client) -> None:
    put("Week", User.objects.create_user("ada"))

    for address in ("/audit/searches", "/audit/searches/save", "/audit/columns"):
        response = client.post(address) if address != "/audit/searches" else client.get(address)
        assert response.status_code == 302
        assert "/signin" in response.headers["Location"]


def test_names_and_queries_are_escaped_and_long_names_have_a_title(
    client: Client, ada: User
) -> None:
    saved = put(HOSTILE, ada, f'"{HOSTILE}"')
    put("long" * 20, ada)

    for page in (
        read(client, "/audit/", saved=saved.uid),
        read(client, "/audit/searches"),
        read(client, f"/audit/searches/default/{saved.uid}/delete"),
    ):
        assert HOSTILE not in page
        assert HOSTILE in unescape(page)
    assert f'title="{"long" * 20}"' in read(client, "/audit/searches")


def test_a_search_is_of_its_log(client: Client, ada: User) -> None:
    night = logs.create(slug="night")
    saved = put("Week", ada, log=night)

    assert "Week" not in menu(read(client, "/audit/"))
    assert "Week" in menu(read(client, "/audit/", log="night"))
    assert "Week" not in read(client, "/audit/searches", log="default")
    send(client, f"default/{saved.uid}/rename", 404, name="x")
    send(client, f"nowhere/{saved.uid}/rename", 404, name="x")
    read(client, "/audit/searches", 404, log="nowhere")


def test_the_menu_is_there_when_the_query_is_wrong(client: Client, ada: User) -> None:
    put("Week", ada)

    page = read(client, "/audit/", 422, q="(")

    assert "Week" in menu(page)
    assert "Save search" not in menu(page)


def test_a_long_menu_leads_to_the_page_of_all(client: Client, ada: User) -> None:
    for number in range(60):
        put(f"Week {number:02}", ada)

    shown = menu(read(client, "/audit/"))

    assert "Week 49" in shown
    assert "Week 50" not in shown
    assert "saved searches (60)" in words(shown)
    assert "Week 59" in read(client, "/audit/searches")


def test_a_deleted_search_leaves_its_link(client: Client, ada: User) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())
    saved = put("Week", ada)
    uid = saved.uid
    searches.delete(saved)

    page = read(client, "/audit/", q="goal:42", saved=uid)

    assert "1 packet" in words(page)
    assert "Saved searches" in page
