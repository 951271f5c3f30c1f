"""What the page of the workbench shows: the document of a form and everything around it."""

from typing import Any

from cablese import tokens
from playground.audit.conversations import Threads
from playground.http.fragments import Patches
from playground.nlip import exchange as exchanges
from playground.sacp import store
from playground.sacp.tasks import Courses
from playground.workbench import translate
from playground.workbench.compare import Comparison
from playground.workbench.document import ROWS, VIEW, Reading
from playground.workbench.examples import EXAMPLES
from playground.workbench.forms import VIEWS, DecodeForm


def describe(form: DecodeForm) -> dict[str, Any]:
    """Return the context of the workbench's templates for the text in ``form``."""
    context = {
        "section": "workbench",
        "form": form,
        "patches": Patches(),
        "text": form.fields["text"].to_python(form["text"].data),
        "examples": EXAMPLES,
        "targets": translate.choices(),
        "view": form.data.get("view") if form.data.get("view") in VIEWS else VIEWS[0],
        "tokenizers": [tokens.info(name) for name in tokens.names()],
    }
    if not form.is_valid():
        return context | {"reading": None, "shown": None}
    sent = form.cleaned_data
    found = read(form)
    exchange = exchanges.of(found)
    to, chosen = sent["to"], found.shown
    translated = (
        translate.Translated(chosen.message, to, sent["tokenizer"]) if to and chosen else None
    )
    there = sent["other"] if 1 <= (sent["other"] or 0) <= found.total else None
    return context | {
        "comparison": compare_messages(found, there) if there else None,
        "reading": found, "shown": chosen, "exchange": exchange, "translated": translated,
        "conversations": Threads(found, exchange),
        "courses": Courses(found, lambda: store.load()[1], beside_conversations=True),
    }  # fmt: skip


def compare_messages(found: Reading, number: int) -> Comparison:
    """Compare the message that is shown with another one of the text."""
    here, there = (found.messages[at - 1] for at in (found.chosen, number))
    return Comparison(here, there, number, found.tokenizer)


def read(form: DecodeForm) -> Reading:
    """Return the document of a valid form."""
    sent = form.cleaned_data
    return Reading(
        sent["text"],
        protocol=sent["protocol"],
        tokenizer=sent["tokenizer"],
        chosen=sent["message"] or 1,
        offset=sent["offset"] or 0,
        rows=sent["rows"] or ROWS,
        caret=sent["caret"],
        view=(sent["top"] or 0, sent["bottom"] or VIEW),
    )
