"""Candidates: reviewed, promoted, replaced, rejected, and answered again."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from playground.aacp import candidates, router
from playground.aacp.models import Candidate
from playground.aacp.router import Unroutable
from tests.playground.aacp.chat import PACKET, Chat, said
from tests.playground.aacp.requests import ENGLISH, failure, write
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


@pytest.mark.requirement("AACP-23")
def test_a_promoted_candidate_is_free_and_exact(chat: Chat, ada: User) -> None:
    chat.answers = [said(PACKET), said(PACKET)]
    first = write()
    assert first.candidate is not None
    write(again=True)
    assert len(chat.asked) == 2

    candidates.decide(candidate=first.candidate, state="promoted", reviewer=ada)
    again = router.write(f"  {ENGLISH.replace(' ', '  ')}\n", may_ask=False)

    assert len(chat.asked) == 2
    assert (again.by, again.packet, again.candidate) == ("rule", PACKET, first.candidate)
    assert (again.calls, again.tokens_in, again.tokens_out) == (0, 0, 0)
    assert Candidate.objects.get(pk=first.candidate).uses == 1
    with pytest.raises(Unroutable):
        router.write(ENGLISH.upper(), may_ask=False)


@pytest.mark.requirement("AACP-23")
def test_a_rule_is_replaced_and_taken_back(chat: Chat, ada: User) -> None:
    chat.answers = [said(PACKET), said(PACKET.replace("xlsx", "csv")), 500]
    first, second = write(), write(again=True)
    with pytest.raises(Unroutable):
        write(again=True)
    failed = Candidate.objects.get(packet="")
    assert first.candidate is not None
    assert second.candidate is not None

    candidates.decide(candidate=first.candidate, state="promoted", reviewer=ada)
    candidates.decide(candidate=second.candidate, state="promoted", reviewer=ada)

    assert write().packet == second.packet
    assert list(Candidate.objects.filter(state="promoted").values_list("pk", flat=True)) == [
        second.candidate
    ]
    candidates.decide(candidate=second.candidate, state="rejected", reviewer=ada)
    with pytest.raises(Unroutable):
        router.write(ENGLISH, may_ask=False)
    for number, state in ((failed.pk, "promoted"), (first.candidate, "great"), (10**9, "promoted")):
        with pytest.raises(candidates.BadDecision):
            candidates.decide(candidate=number, state=state, reviewer=ada)


@pytest.mark.requirement("AACP-22")
@pytest.mark.requirement("AACP-23")
def test_the_same_english_is_answered_from_its_candidate(chat: Chat, settings: Settings) -> None:
    chat.answers = [said(PACKET), said(PACKET.replace("xlsx", "csv"))]
    first = write()

    stored = write(f"  {ENGLISH.replace(' ', '  ')}\n")

    assert (stored.by, stored.packet, stored.candidate) == ("candidate", PACKET, first.candidate)
    assert (stored.calls, stored.tokens_in, stored.tokens_out) == (0, 0, 0)
    assert len(chat.asked) == 1
    newer = write(again=True)
    assert (newer.by, len(chat.asked)) == ("model", 2)
    assert write().candidate == newer.candidate
    settings.LLM = None
    assert write().packet == newer.packet


@pytest.mark.requirement("AACP-22")
def test_what_nobody_reviewed_is_only_for_those_who_may_ask(chat: Chat) -> None:
    chat.answers = [said(PACKET)]
    write()

    with pytest.raises(Unroutable) as caught:
        router.write(ENGLISH, may_ask=False)

    assert caught.value.reason == "anonymous"


@pytest.mark.requirement("AACP-23")
def test_a_rejected_candidate_and_a_failure_answer_nothing(chat: Chat, ada: User) -> None:
    chat.answers = [500, said(PACKET), said(PACKET)]
    failure("model")
    rejected = write()
    assert rejected.candidate is not None
    candidates.decide(candidate=rejected.candidate, state="rejected", reviewer=ada)

    assert write().by == "model"
    assert len(chat.asked) == 3


@pytest.mark.requirement("AACP-41")
def test_a_stored_packet_that_may_not_be_sent_any_more_is_not_answered(chat: Chat) -> None:
    chat.answers = [said(PACKET), said(PACKET)]
    first = write()
    assert first.candidate is not None
    Candidate.objects.filter(pk=first.candidate).update(packet=f"{PACKET}|subj:password=hunter2")

    assert write().by == "model"


@pytest.mark.requirement("AACP-23")
def test_the_page_says_that_nobody_reviewed_it_and_asks_again(
    client: Client, chat: Chat, ada: User
) -> None:
    chat.answers = [said(PACKET), said(PACKET)]
    client.force_login(ada)
    client.post("/aacp/english", {"english": ENGLISH})

    page = words(client.post("/aacp/english", {"english": ENGLISH}).content.decode())
    assert f"from candidate {Candidate.objects.get().pk}, not yet reviewed" in page
    assert len(chat.asked) == 1

    client.post("/aacp/english", {"english": ENGLISH, "again": "on"})
    assert len(chat.asked) == 2


def test_the_page_asks_no_model_for_strangers(client: Client, chat: Chat) -> None:
    answer = client.post("/aacp/english", {"english": ENGLISH})

    assert answer.status_code == 422
    assert (chat.asked, Candidate.objects.count()) == ([], 0)


def test_the_page_says_how_to_set_a_model_up(client: Client) -> None:
    page = words(client.get("/aacp/english").content.decode())

    assert "No model is configured" in page
    assert "CABLESE_LLM_URL" in page


@pytest.mark.requirement("AACP-23")
def test_a_person_asks_reviews_and_promotes(client: Client, chat: Chat, ada: User) -> None:
    chat.answers = [said(f"{PACKET}|subj:<b>bold</b>")]
    refused = client.post("/aacp/english", {"english": ENGLISH})
    assert refused.status_code == 422
    assert "Sign in to ask the model" in refused.content.decode()
    assert chat.asked == []

    client.force_login(ada)
    page = client.post("/aacp/english", {"english": ENGLISH}).content.decode()
    assert "subj:&lt;b&gt;bold&lt;/b&gt;" in page
    assert "1 call, 900 input tokens, 40 output tokens" in words(page)
    (kept,) = Candidate.objects.all()
    assert kept.user == ada
    listed = words(client.get("/aacp/candidates").content.decode())
    assert "900 input tokens, 40 output tokens" in listed
    assert ENGLISH in listed
    assert f"Candidate {kept.pk} candidate {kept.model}, 1 call" in listed

    client.post(f"/aacp/candidates/{kept.pk}", {"state": "promoted"})
    listed = words(client.get("/aacp/candidates").content.decode())
    assert f"Candidate {kept.pk} rule" in listed
    assert "; promoted by ada" in listed
    client.logout()
    free = words(client.post("/aacp/english", {"english": ENGLISH}).content.decode())
    assert f"from rule {kept.pk}, free" in free
    assert len(chat.asked) == 1


def test_candidates_are_for_signed_in_people(client: Client) -> None:
    assert client.get("/aacp/candidates").status_code == 302
    assert client.post("/aacp/candidates/1", {"state": "promoted"}).status_code == 302


def test_a_decision_that_cannot_be_taken_is_said(client: Client, ada: User) -> None:
    client.force_login(ada)

    page = client.post("/aacp/candidates/7", {"state": "promoted"}, follow=True).content.decode()

    assert "Unknown candidate." in page
