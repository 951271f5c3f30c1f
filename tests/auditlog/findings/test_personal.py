"""Email addresses, telephone numbers, and dates of birth: what is one, and what only looks like
one.
"""

from time import perf_counter

import pytest

from auditlog.findings import personal, sensitive
from auditlog.findings.personal import BIRTH, EMAIL, TELEPHONE
from cablese import detection
from cablese.codec import Unencodable

EMAILS = [
    "bob@acme.example", "bob.o-neil+tag@mail.acme.co.uk", "BOB@ACME.COM", "jürgen@exämple.de",
    "x@a.io",
    "first.last@xn--80ak6aa92e.com", "b%c@acme.org",
]  # fmt: skip
TELEPHONES = [
    "+49 30 901820", "+14155552671", "+1 (415) 555-2671", "+44 20 7946 0018", "+33 1 42 68 53 00",
    "+91-98765-43210",
    "0049 30 901820", "(415) 555-2671", "415-555-2671", "1-415-555-2671", "020 7946 0018",
    "030 901820",
    "01 42 68 53 00", "(030) 901820",
]  # fmt: skip
BORN = [
    "1990-04-12", "12.04.1990", "04/12/1990", "12 April 1990", "April 12, 1990", "19900412",
    "1990/4/2", "29.02.1992",
]  # fmt: skip
NEITHER = [
    # goals, tasks, and other IDs
    "42", "1234567", "1234567890", "4711-0815-2024", "123-456-7890", "PO-2024-000123",
    "00012345678901",
    "019a0000-0000-7000-8000-000000000000", "978-3-16-148410-0", "0x49301234567", "#415-555-2671x",
    "A415-555-2671",
    # times
    "1700000000", "1700000000123", "20241120123456", "2026-11-20T10:00:00+0200",
    "2026-11-20T10:00:00+02:00",
    "2026-11-20 10:00:00", "01-02-2024", "01 02 2024", "10:30-11:45", "2024-11-20", "12.04.1990",
    "03/04 1990",
    # amounts, versions, addresses of machines, and places
    "1250.00", "1,250,000.00", "+1250.00", "+12500000", "-4155552671", "1.2.3", "v10.0.19045.3570",
    "10.0.19045.3570",
    "192.168.100.200", "+48.856613,+2.352222", "+49.15112345678", "01 02 03 04 05",
    "00 12 34 56 78", "2024 2025 2026",
    # what has an @ and is no address
    "@auth_refactor", "bob@localhost", "@scope/pkg@1.2.3", "icon@2x.png", "getty@tty1.service",
    "a@b", "bob@10.0.0.1",
    "https://bob@acme.example/x", "postgres://u:p@db.acme.example/x", "bob@@acme.example",
    "a..b@acme.example",
    # dates that are not said to be of birth, and one that does not exist
    "deadline 1990-04-12", "reborn 1990-04-12", "born 1990-02-30", "dob: 1990-13-01",
    "dob=31.04.1990", "born in 1990",
]  # fmt: skip


def found(text: str, name: str = "") -> list[tuple[str, str]]:
    return [(what, text[slice(*place)]) for what, place in personal.find(name, text)]


@pytest.mark.requirement("AACP-44")
@pytest.mark.parametrize("address", EMAILS)
@pytest.mark.parametrize(
    "text", ["{}", "write to <{}>.", "email={},then", '"{}"', "mailto:{}", "filter:email:{}"]
)
def test_email_addresses_are_found(address: str, text: str) -> None:
    assert found(text.format(address)) == [(EMAIL, address)]


@pytest.mark.requirement("AACP-44")
@pytest.mark.parametrize("number", TELEPHONES)
@pytest.mark.parametrize("text", ["{}", "call {} today", "contact={},then", '"{}"', "({})"])
def test_telephone_numbers_are_found(number: str, text: str) -> None:
    assert found(text.format(number)) == [(TELEPHONE, number)]


@pytest.mark.requirement("AACP-44")
@pytest.mark.parametrize(
    "name", ["phone", "work_phone", "phoneNumber", "tel", "fax_no", "mobile", "whatsapp", "phones"]
)
@pytest.mark.parametrize("number", ["030901820", "5552671", "+4930901820", "415.555.2671"])
def test_a_key_says_that_digits_are_a_telephone_number(name: str, number: str) -> None:
    assert (TELEPHONE, number) in found(number, name)
    assert (TELEPHONE, number) in found(f"{name.rstrip('s')}={number}")


@pytest.mark.requirement("AACP-44")
@pytest.mark.parametrize("day", BORN)
def test_a_key_or_words_say_that_a_date_is_one_of_birth(day: str) -> None:
    for name in (
        "dob",
        "birth_date",
        "birthDate",
        "date_of_birth",
        "born",
        "customer_dob",
        "birthday",
    ):
        assert found(day, name) == [(BIRTH, day)]
    for text in (
        "dob={}",
        "born {}",
        "born on {} in Rome",
        "date of birth: {}",
        '{{"birth_date":"{}"}}',
        "DOB: {}",
    ):
        assert found(text.format(day)) == [(BIRTH, day)]
    assert found(day, "due") == found(f"due={day}") == []


@pytest.mark.parametrize("text", NEITHER)
@pytest.mark.parametrize("around", ["{}", "goal {} now", "id={}", "[{}]"])
def test_what_only_looks_like_it_is_left_alone(text: str, around: str) -> None:
    assert found(around.format(text)) == []


@pytest.mark.parametrize(
    "name",
    [
        "goal",
        "id",
        "order",
        "total",
        "cell",
        "telemetry",
        "telegram",
        "phone_id",
        "microphone_level",
        "unborn",
    ],
)
def test_a_key_that_only_begins_alike_says_nothing(name: str) -> None:
    assert found("1234567890", name) == found(f"{name}=1234567890") == []
    assert found("1990-04-12", name) == []


@pytest.mark.requirement("AACP-44")
@pytest.mark.parametrize(
    ("wire", "what", "field"),
    [
        ("SEND|HR|return:A|p:1|aacp:1.1|subj:ask bob@acme.example", EMAIL, "subj"),
        ("SEND|HR|return:A|p:1|aacp:1.1|filter:phone=030901820", TELEPHONE, "filter"),
        ("REQ/TSK|g=42,t=1,@=+4930901820", TELEPHONE, "@"),
        ('{"g":"x","plan":[["book","H_API",{"dob":"1990-04-12"}]]}', BIRTH, "plan.0.2.dob"),
        (
            '{"g":"x","plan":[["book","H_API",{"phones":["5552671"]}]]}',
            TELEPHONE,
            "plan.0.2.phones.0",
        ),
        (
            '{"format":"text","subformat":"english","content":"born on 12 April 1990"}',
            BIRTH,
            "content",
        ),
        ("T|1|Q|obj=bob@acme.example", EMAIL, "obj"),
    ],
)
def test_every_protocol_is_looked_through(wire: str, what: str, field: str) -> None:
    (one,) = sensitive.find(detection.decode(wire))

    assert (one.what, one.field) == (what, field)


@pytest.mark.requirement("AACP-44")
@pytest.mark.parametrize(
    ("values", "pointer"),
    [
        ({"task": "SEND", "subj": "ask bob@acme.example"}, "/subj"),
        ({"filter": {"phone": "5552671"}}, "/filter/phone"),
        ({"people": [{"dob": "1990-04-12"}]}, "/people/0/dob"),
    ],
)
def test_what_we_write_is_refused(values: dict[str, object], pointer: str) -> None:
    with pytest.raises(Unencodable) as caught:
        sensitive.refuse(values)

    assert caught.value.pointer == pointer


@pytest.mark.parametrize(
    "piece",
    ["+49 1 ", "+49301234567 ", "(415) 555-2671 ", "020 7946 0019x ", "01 42 68 53 00 1 ", "a.",
    "a@b.", "@", "1-2 ",
     "phone ", "born ", "dob 1990-02-30 ", "0 ", "00", "1", "+", "(", "a@b.c@d.e@"],
)  # fmt: skip
def test_a_hostile_text_takes_time_in_proportion(piece: str) -> None:
    personal.find("", "+49 30 901820")
    text = piece * (sensitive.VALUE // len(piece))
    begin = perf_counter()
    for _ in range(3):
        list(personal.find("", text))
    spent = (perf_counter() - begin) / 3

    assert spent < 0.1
