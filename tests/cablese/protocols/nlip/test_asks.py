"""What counts as asking for an upload address, and what only asks about uploads."""

import time

import pytest

from cablese.protocols.nlip.exchange.asks import asks_for_upload, asks_for_upload_as_data

ASKS = [
    "Where may I send a large file?",
    "Where may I send a large binary file?",
    "Where can I upload a 300 MB video?",
    "where do i upload",
    "Tell me where to upload my scans.",
    "Tell me where I should post a 2 GB recording.",
    "Where should large uploads be sent?",
    "Where should big binaries go?",
    "Where may I send a file larger than the limit of 1 MiB?",
    "Where do we transfer the dataset, and how large may it be?",
    "I have a large file. Where should I send it?",
    "At which address may I upload a file?",
    "To what URL do I post a 2 GB video?",
    "Which endpoint takes large files?",
    "What address should I use for a large attachment?",
    "What is the upload address?",
    "What's the URL for uploads?",
    "Upload URL?",
    "upload location please",
    "Please give me the location to send large uploads.",
    "Please provide an upload URL.",
    "Could you name an address to which I can upload a backup?",
    "Is there a place where I can send large files?",
    "Request for redirection",
    "I need a redirection for a large binary upload.",
    "Please redirect me; I want to send an image of 40 MB.",
    "Hello.\nWhere may I send a large image?\nThanks.",
    "Location to send large uploads?",
    "I have a large binary to upload, where should it go?",
    "I want to transmit large binary content. Please provide the location.",
    "How do I upload a large file?",
    "Please redirect my large upload.",
]
ASKS_NOT = [
    "",
    "What is your upload limit?",
    "How large may an upload be?",
    "What is the maximum size of a file?",
    "Do you accept uploads?",
    "What are your policies?",
    "What is your policy about large files?",
    "Where can I read your policy about uploads?",
    "Where is your upload policy?",
    "Where do you keep uploaded files?",
    "Where are my files stored?",
    "Where are uploaded files sent?",
    "Which files do you keep?",
    "Which file formats do you accept?",
    "How long does the upload address live?",
    "Is the upload endpoint encrypted?",
    "Does the upload address work without authentication?",
    "Who may use the upload endpoint?",
    "Please confirm that the upload link works.",
    "What is the size limit of the upload address?",
    "Where can I send questions about your upload rules?",
    "Where may I send a complaint about your data policy?",
    "Where should I send my authentication token?",
    "Do you follow redirects?",
    "Are large files compressed?",
    "I uploaded a large file yesterday.",
    "The upload was redirected.",
    "Thanks for the upload URL.",
    "Please authenticate yourself.",
    "What data do you store about me, and where?",
    "Where do files go after I send them?",
    "List the large files that you hold.",
    "Can large content be deleted?",
    "What are your limits for uploads?",
    "What is your policy on redirects?",
    "Which files can I ask about?",
    "How many files may I send?",
    "How do you store the files that I upload?",
    "Where is your data center located?",
    "What happens to files that I upload?",
    "What is your redirection policy?",
    "List your endpoints.",
    "I need the address of your office.",
    "You hold data about me. Tell me the location.",
]


def control(text: str) -> dict[str, object]:
    return {
        "messagetype": "control",
        "is_control": True,
        "format": "text",
        "subformat": "English",
        "content": text,
    }


@pytest.mark.requirement("NLIP-25")
@pytest.mark.parametrize("text", ASKS)
def test_it_asks_where_to_send_content(text: str) -> None:
    assert asks_for_upload(control(text))
    assert not asks_for_upload_as_data(control(text))
    assert asks_for_upload_as_data(control(text) | {"is_control": False})
    assert not asks_for_upload(control(text) | {"is_control": False})


@pytest.mark.requirement("NLIP-25")
@pytest.mark.parametrize("text", ASKS_NOT)
def test_it_asks_about_something_else(text: str) -> None:
    assert not asks_for_upload(control(text))
    assert not asks_for_upload_as_data(control(text) | {"is_control": False})


@pytest.mark.parametrize(
    "text",
    ["where " * 400, "where a " * 300, "what url to " * 200, "upload " * 300, "url for a" * 250],
)
def test_a_hostile_text_is_looked_at_quickly(text: str) -> None:
    start = time.process_time()
    asks_for_upload(control(text))
    assert time.process_time() - start < 0.5
