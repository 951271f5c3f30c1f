"""What the documents say of commands, pages, rights, searches, and limits is so in the code."""

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.urls import resolve

from auditlog.access import SCOPES
from auditlog.findings.finding import DETECTORS
from auditlog.ingest import attributes, item
from auditlog.models import Log
from auditlog.search import find, query
from auditlog.search.keys import FLAGS
from cablese.json import reader, scalars
from playground.audit.views.trail import SYNTAX
from playground.rest import text
from playground.rest.shapes import TEXT_LIMIT
from playground.stream import pad, pads
from tests.installation import ROOT

DOCUMENTS = {ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")}
TEXT = "\n".join(path.read_text("utf-8") for path in sorted(DOCUMENTS))
SECURITY = (ROOT / "docs/security.md").read_text("utf-8")
TRAIL = (ROOT / "docs/design/audit.md").read_text("utf-8")
OURS = sorted(name for name, app in get_commands().items() if app in {"auditlog", "playground"})
CALLS = re.findall(r"manage\.py ([a-z]+)([^`#|<>\n]*)", TEXT)


def find_options(parser: ArgumentParser) -> Iterator[str]:
    """Yield the options of a command and of its parts."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, _SubParsersAction):
            for part in action.choices.values():
                yield from find_options(part)


@cache
def read_options(name: str) -> set[str]:
    command = load_command_class(get_commands()[name], name)
    return set(find_options(command.create_parser("manage.py", name)))


def test_every_command_that_is_named_has_the_options_that_are_named() -> None:
    named = {
        (name, option) for name, rest in CALLS for option in re.findall(r"--[a-z][a-z-]+", rest)
    }

    assert ("erase", "--at") in named
    assert [(name, option) for name, option in named if option not in read_options(name)] == []


def test_the_documents_name_every_command() -> None:
    assert set(OURS) - {name for name, _ in CALLS} == {"migrate"}, "`up` migrates"


@pytest.mark.parametrize("name", ["README.md", "docs/pages.md"])
def test_every_page_that_is_listed_is_there(name: str) -> None:
    pages = re.findall(r"^\| `(/[^`]*)`", (ROOT / name).read_text("utf-8"), re.MULTILINE)

    assert "/audit/" in pages
    for page in pages:
        assert resolve(page)


def test_every_scope_and_detector_has_its_row() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \|$", SECURITY, re.MULTILINE)) == SCOPES
    finders = TRAIL.partition("| detector |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", finders, re.MULTILINE)) == sorted(DETECTORS)


def test_every_state_of_a_packet_is_in_the_row_of_is() -> None:
    [row] = re.findall(r"^\| `is:` \| (.+) \|$", TRAIL, re.MULTILINE)

    assert set(re.findall(r"`(\w+)`", row)) == set(FLAGS)


def test_every_page_of_the_documents_is_linked_and_every_link_leads_to_one() -> None:
    linked = {
        (page.parent / place).resolve()
        for page in DOCUMENTS
        for place in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text("utf-8"))
    }

    assert [place for place in linked if not place.exists()] == []
    assert DOCUMENTS - linked == {ROOT / "README.md", ROOT / "docs/wording.md"}


def test_every_link_to_a_section_leads_to_one() -> None:
    missing = []
    for page in DOCUMENTS:
        for place, anchor in re.findall(
            r"\]\((?!https?:)([^)#\s]*)#([^)]+)\)", page.read_text("utf-8")
        ):
            linked = (page.parent / place).resolve() if place else page
            heads = re.findall(r"^#+ (.+)$", linked.read_text("utf-8"), re.MULTILINE)
            if anchor not in {
                re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in heads
            }:
                missing.append((page.name, place, anchor))

    assert missing == []


OF_FIELDS = {"attr.trace_id:4bf92f35", "res:emp_salary", "aacp.risk:high"}
"""Queries for fields that a log without packets does not have."""
EXAMPLES = {example for example, _ in SYNTAX}


@pytest.mark.django_db
@pytest.mark.parametrize("example", sorted(EXAMPLES - OF_FIELDS))
def test_every_example_of_the_search_syntax_is_a_query(example: str) -> None:
    find.check(Log.objects.get(), example, now=datetime.now(UTC))


LIMITS = {
    "a packet: its text, its content": (
        f"{item.WIRE_LIMIT >> 20} MiB, {item.CONTENT_LIMIT >> 20} MiB"
    ),
    "a text to decode": f"{TEXT_LIMIT:,} characters, {text.MESSAGES:,} messages",
    "attributes of a packet": f"{attributes.LIMIT} keys, {attributes.SIZE >> 10} KiB",
    "JSON in a message": (
        f"{reader.DEPTH_LIMIT} levels, {reader.NODE_LIMIT:,} values, "
        f"{scalars.DIGITS_LIMIT:,} digits"
    ),
    "a search": f"{query.MAX_LENGTH:,} characters, pages of {find.MAX_LIMIT:,}",
    "parameters of an address or fields of a form": f"{settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:,}",
    "live sessions": (
        f"{pads.PADS}, {pads.PADS_PER_CALLER} of an address, one hour, "
        f"{pad.PACE:,.0f} messages a second, {pad.CHARACTERS >> 20} MiB held"
    ),
}


def test_limits_are_those_of_the_code() -> None:
    stated = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", SECURITY, re.MULTILINE))

    assert {what: stated.get(what) for what in LIMITS} == LIMITS
