"""The reference pages: nothing that the code knows is missing, links lead somewhere, and examples
are examples.
"""

import importlib
import re
from html import escape, unescape
from pkgutil import walk_packages
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

import cablese
from auditlog.models import Packet
from cablese import registry
from cablese.codec import Codec
from cablese.message import Rule
from cablese.protocols.aacp import tables
from cablese.protocols.nlip import formats, keys
from cablese.protocols.nslip import vocabulary as nslip_words
from cablese.protocols.sacp import aliases, rules, schema
from cablese.protocols.slip import vocabulary as slip_words
from cablese.protocols.tline import vocabulary as tline_words
from playground.display.glyphs import visible
from playground.reference.pages import address_of, explained_at, get_page, shared_rules
from playground.workbench.forms import LINK_LIMIT
from tests.playground.drawn import Elements, words

pytestmark = pytest.mark.django_db

CODECS = pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
CODES = {
    "aacp": (
        tables.TASKS,
        tables.DOMS,
        tables.PRIORITIES,
        tables.KEYS,
        tables.LATER_DRAFTS,
        tables.POSITIONS,
    ),
    "nlip": (formats.FORMATS, keys.MESSAGE, keys.SUBMESSAGE, [keys.CONTROL]),
    "nslip": (nslip_words.ACTS, nslip_words.FRAMES, nslip_words.SLOTS, nslip_words.STATUSES),
    "sacp": (
        schema.KEYS,
        schema.REPLY_KEYS,
        schema.FORMATS,
        schema.STATES,
        schema.STATUSES,
        rules.ERROR_CODES,
        aliases.VERBS,
        *(family.keys for family in aliases.FAMILIES.values()),
    ),
    "slip": (slip_words.FORCES, slip_words.OBJECTS),
    "tline": (tline_words.KINDS, tline_words.KEYS),
}
"""The constants that the codecs work with."""
COMPANIONS = {
    "aacp.sentiment-without-tone": {"aacp.tone-needs-content"},
    "nlip.control-contradiction": {"nlip.control-field"},
}
"""What cannot be shown without another diagnostic beside it."""


def drawn(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def ids(page: str) -> list[str]:
    return [unescape(match) for match in re.findall(r'\sid="([^"]*)"', page)]


def textarea(page: str) -> str:
    held = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    assert held is not None
    return unescape(held[1])


def all_rules(codec: Codec) -> tuple[Rule, ...]:
    return (*codec.rules, *codec.thread_rules, *codec.reference.checked, *codec.common_rules)


def test_the_list_tells_every_protocol_in_plain_words_with_an_example(client: Client) -> None:
    page = drawn(client, "/protocols/")

    for codec in registry.all_codecs():
        assert f'href="/protocols/{codec.name}"' in page
        assert unescape(codec.summary) in unescape(page)
        assert codec.reference.example in words(page)
    assert {rule.code for group in shared_rules() for rule, _ in group.entries} <= set(ids(page))


@CODECS
def test_a_page_holds_everything_that_its_codec_says(client: Client, codec: Codec) -> None:
    page = drawn(client, f"/protocols/{codec.name}")
    text = words(page)
    told = codec.reference

    assert told.about in text
    assert " ".join(told.grammar.split()) in text
    for table in told.tables:
        assert table.title in text
        for row in table.rows:
            assert " ".join(f"{row.code} {row.word} {row.meaning}".split()) in text
    for difference in told.differences:
        assert " ".join((difference.subject, *difference.says)) in text
    for name, sentence in told.requirements.items():
        assert name in ids(page)
        assert f"{name} {sentence}" in text


@CODECS
def test_a_page_holds_every_diagnostic_with_its_place_and_example(
    client: Client, codec: Codec
) -> None:
    page = drawn(client, f"/protocols/{codec.name}")
    entries = dict(
        re.findall(r'<li class="diagnostic rule \w+" id="([^"]+)">(.*?)</li>', page, re.DOTALL)
    )

    assert list(entries) == [rule.code for rule in all_rules(codec)]
    for rule in all_rules(codec):
        entry = words(entries[rule.code])
        assert f"{rule.code} {rule.severity} {rule.summary}" in entry.replace("✖ ", "").replace(
            "▲ ", ""
        )
        assert rule.section in entry
        assert rule.requirement in entry
    for code, wire in codec.reference.examples.items():
        drawn_wire = re.search(
            r'<pre class="wire sample"[^>]*>(.*?)</pre>', entries[code], re.DOTALL
        )
        assert drawn_wire is not None
        assert unescape(re.sub("<[^>]*>", "", drawn_wire[1])) == visible(wire)


@CODECS
def test_no_code_that_a_codec_knows_is_missing_in_its_tables(codec: Codec) -> None:
    told = {row.code for table in codec.reference.tables for row in table.rows}

    assert {code for codes in CODES.get(codec.name, ()) for code in codes} <= told
    assert codec.labels.keys() <= told


@CODECS
def test_what_dialects_do_differently_is_told_of_each(codec: Codec) -> None:
    assert all(
        len(difference.says) == len(codec.dialects) for difference in codec.reference.differences
    )
    assert bool(codec.reference.differences) == (len(codec.dialects) > 1)


@CODECS
def test_an_example_shows_its_rule_and_nothing_else(codec: Codec) -> None:
    examples = codec.reference.examples

    assert examples.keys() == {rule.code for rule in (*codec.rules, *codec.thread_rules)}
    for rule in codec.rules:
        readings = [
            codec.decode(examples[rule.code], dialect=dialect).diagnostics
            for dialect in codec.dialects
        ]
        expected = {rule.code} | COMPANIONS.get(rule.code, set())
        assert expected in [{found.code for found in found_there} for found_there in readings], (
            rule.code
        )


@CODECS
def test_the_example_of_a_protocol_has_no_error_and_is_recognised(codec: Codec) -> None:
    assert codec.decode(codec.reference.example).valid
    sniffed = codec.sniff(codec.reference.example)
    assert sniffed is not None
    assert sniffed.score == 1.0


@CODECS
def test_an_example_opens_in_the_workbench_and_shows_its_diagnostic(
    client: Client, codec: Codec
) -> None:
    samples = {
        rule: sample for group in get_page(codec.name)["groups"] for rule, sample in group.entries
    }

    for rule in (*codec.rules, *codec.thread_rules):
        sample = samples[rule]
        assert sample is not None
        # The workbench reads each line as a message, unless a packet is folded, and the dialect
        # that a message names.
        named = sample.dialect in ("", codec.decode(sample.wire).dialect)
        assert bool(sample.address) == (
            named and (codec.folded or not rule.code.endswith(".several-lines"))
        )
        if sample.address:
            opened = drawn(client, sample.address)
            assert textarea(opened) == sample.wire
            assert f'href="{explained_at(rule.code)}"' in opened
    assert samples[codec.invisible] is not None


@CODECS
def test_every_link_within_a_page_has_its_place_and_every_place_one_name(
    client: Client, codec: Codec
) -> None:
    page = drawn(client, f"/protocols/{codec.name}")
    places = ids(page)

    assert len(set(places)) == len(places)
    assert {unescape(link) for link in re.findall(r'href="#([^"]*)"', page)} <= set(places)


@CODECS
def test_a_diagnostic_is_explained_at_a_place_that_there_is(client: Client, codec: Codec) -> None:
    page = drawn(client, f"/protocols/{codec.name}")

    for rule in all_rules(codec):
        address, _, place = explained_at(rule.code).partition("#")
        assert address == f"/protocols/{codec.name}"
        assert place in ids(page)


def test_every_rule_that_there_is_stands_on_a_page() -> None:
    modules = [
        importlib.import_module(module.name)
        for module in walk_packages(cablese.__path__, "cablese.")
    ]
    named = [value for module in modules for value in vars(module).values()]
    tables = [value.values() for value in named if isinstance(value, dict)]
    listed = [rule for table in tables for rule in table]
    known = {value.code for value in (*named, *listed) if isinstance(value, Rule)}
    shared = {rule.code for group in shared_rules() for rule, _ in group.entries}

    assert len(known) > 150
    assert known <= shared | {
        rule.code for codec in registry.all_codecs() for rule in all_rules(codec)
    }


def test_a_rule_of_conversations_opens_as_one_that_breaks_it(client: Client) -> None:
    (conversations,) = (group for group in shared_rules() if group.slug == "conversations")

    for rule, sample in conversations.entries:
        assert sample is not None
        assert f'href="{explained_at(rule.code)}"' in drawn(client, sample.address)


def test_what_no_protocol_claims_is_explained_on_the_list(client: Client) -> None:
    address, _, place = explained_at("unknown.protocol").partition("#")

    assert place in ids(drawn(client, address))


def test_the_tests_that_prove_a_requirement_are_named_and_their_cases_open(client: Client) -> None:
    page = drawn(client, "/protocols/nslip")
    check = next(check for check in get_page("nslip")["checks"] if check.name == "NSLIP-01")
    proof, address = check.cases[0]

    assert proof.name == "a coordinator assigns a task"
    assert f'<a href="{address.replace("&", "&amp;")}">{proof.name}</a>' in page
    assert textarea(drawn(client, address)) == proof.wire
    assert (
        "tests/cablese/protocols/nslip/test_nslip.py::"
        "test_derived_names_are_ignored_and_the_given_order_is_kept" in words(page)
    )


def test_a_requirement_leads_to_the_tests_that_prove_it_as_they_are_written(client: Client) -> None:
    shown = drawn(client, "/protocols/nslip")
    place = (
        "tests/cablese/protocols/nslip/test_nslip.py::"
        "test_derived_names_are_ignored_and_the_given_order_is_kept"
    )
    assert re.search(
        r'<a href="/protocols/nslip/requirements/NSLIP-02#test-1">\s*<code>'
        + re.escape(place)
        + "</code></a>",
        shown,
    )

    page = drawn(client, "/protocols/nslip/requirements/NSLIP-02")

    assert "test-1" in ids(page)
    assert "An act, a frame, and slots are encoded as a message." in words(page)
    assert "def test_derived_names_are_ignored_and_the_given_order_is_kept() -&gt; None:" in page
    assert "@pytest.mark.requirement(&quot;NSLIP-02&quot;)" in page


@CODECS
def test_every_requirement_has_a_page_with_each_of_its_tests(client: Client, codec: Codec) -> None:
    for check in get_page(codec.name)["checks"]:
        page = drawn(client, f"/protocols/{codec.name}/requirements/{check.name}")
        assert all(f"def {proof.name}(" in page for proof in check.tests)
        assert all(escape(proof.name) in page for proof, _ in check.cases)


@pytest.mark.parametrize(
    "place", ["nslip/requirements/NSLIP-99", "nslip/requirements/AACP-01", "morse/requirements/X"]
)
def test_there_is_no_page_of_a_requirement_that_there_is_not(client: Client, place: str) -> None:
    assert client.get(f"/protocols/{place}").status_code == 404


def test_signs_in_our_own_text_are_text(client: Client) -> None:
    page = Elements(drawn(client, "/protocols/nlip"))

    assert "<prefix>_<suffix>" in page.text
    assert "<content>/<encoding>" in page.text
    assert not {"prefix", "suffix", "content", "encoding"} & {tag for tag, _ in page.found}


def test_there_is_no_page_of_a_protocol_that_there_is_not(client: Client) -> None:
    assert client.get("/protocols/morse").status_code == 404
    assert client.get("/protocols/..%2fnslip").status_code == 404
    assert client.post("/protocols/nslip").status_code == 405


def test_a_link_fills_the_workbench_and_keeps_nothing(client: Client) -> None:
    hostile = '</textarea><script>alert(1)</script>\nREQ/TSK|g=1,@="x"'
    address = address_of(hostile, "nslip")

    page = drawn(client, address)

    assert parse_qs(urlsplit(address).query)["text"] == [hostile]
    assert textarea(page) == hostile
    assert "<script>alert" not in page
    assert '<input type="hidden" name="protocol" value="nslip">' in page
    assert Packet.objects.count() == 0


def test_a_link_with_a_long_text_is_refused_and_says_so(client: Client) -> None:
    long = "é" * (LINK_LIMIT // 2)

    refused = "The link has 2,049 bytes of text. The limit is 2,048."
    assert "The limit is 2,048." not in drawn(client, f"/?text={long}")
    assert refused in drawn(client, f"/?text={long}x")
    assert address_of(long + "x", "nslip") == ""
    assert address_of("\ud800", "nslip") == ""


@CODECS
def test_what_a_translation_makes_of_each_act_stands_on_its_page(
    client: Client, codec: Codec
) -> None:
    page = drawn(client, f"/protocols/{codec.name}").partition(
        '<section class="panel" id="translation"'
    )[2]
    shown = words(page.partition("</section>")[0])

    for act, said in codec.acts.items():
        assert f" {act} {said} {'same act' if act == said else 'closest act'}" in shown
    assert (f"stored in {codec.carries}." if codec.carries else "No private fields") in shown
