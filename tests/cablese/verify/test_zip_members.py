"""Hostile zips are refused with a sentence, and never read into memory."""

import io
import struct
import zipfile

import pytest

from cablese.verify.zip_members import BadZip, Members

NAMES = frozenset({"a", "b"})


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return data.getvalue()


def read(data: bytes, name: str = "a", limit: int = 100) -> bytes:
    return Members(io.BytesIO(data), NAMES).read(name, limit)


def test_members_are_read_with_their_digests() -> None:
    members = Members(io.BytesIO(zipped(("a", b"1\n22\n"), ("b", b""))), NAMES)
    assert members.names == ["a", "b"]
    assert [*members.lines("a", 10)] == [b"1", b"22"]
    assert members.read("b", 10) == b""
    assert members.digests["b"].startswith("e3b0c442")


@pytest.mark.parametrize("name", ["../a", "/a", "a/", "c", "A", "a\\b"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(BadZip, match="Unexpected member"):
        read(zipped((name, b"")))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_is_refused() -> None:
    with pytest.raises(BadZip, match="twice"):
        read(zipped(("a", b"1"), ("a", b"2")))


def test_a_member_that_unpacks_to_too_much_is_refused() -> None:
    bomb = zipped(("a", bytes(50_000_000)))
    with pytest.raises(BadZip, match="larger than the limit of 1,000 bytes"):
        read(bomb, limit=1_000)
    with pytest.raises(BadZip, match="a line with more than the limit"):
        list(Members(io.BytesIO(bomb), NAMES).lines("a", 1_000))


def test_a_long_list_of_members_is_refused_before_it_is_read() -> None:
    many = zipped(*((f"{number}", b"") for number in range(70_000)))
    with pytest.raises(BadZip, match="70,000 members"):
        read(many)


def test_a_zip_that_is_cut_off_or_has_more_is_refused() -> None:
    data = zipped(("a", b"12345" * 20), ("b", b"1"))
    for at in range(0, len(data), 3):
        with pytest.raises(BadZip):
            read(data[:at])
    for more in (b"x", data[:-1]):
        with pytest.raises(BadZip):
            read(data + more)


def test_every_changed_byte_is_refused_or_changes_nothing() -> None:
    data = zipped(("a", b"12345" * 20))
    for at in range(len(data)):
        changed = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
        try:
            assert read(changed) == b"12345" * 20
        except BadZip:
            continue


def test_other_methods_and_encryption_are_refused() -> None:
    with pytest.raises(BadZip, match="neither stored nor deflated"):
        read(zipped(("a", b"1"), method=zipfile.ZIP_BZIP2))
    data = bytearray(zipped(("a", b"1")))
    at = data.index(b"PK\1\2") + 8
    data[at : at + 2] = struct.pack("<H", 1)
    with pytest.raises(BadZip, match="encrypted"):
        read(bytes(data))


def test_a_last_line_without_an_end_is_refused() -> None:
    with pytest.raises(BadZip, match="its last line has no end"):
        list(Members(io.BytesIO(zipped(("a", b"1\n2"))), NAMES).lines("a", 10))


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\5\6" + bytes(18), b"<html>" * 100])
def test_what_is_no_zip_is_refused(data: bytes) -> None:
    with pytest.raises(BadZip):
        read(data)


@pytest.mark.parametrize("at", [1 << 62, 1 << 63, (1 << 64) - 1])
def test_an_end_record_beyond_all_files_is_refused(at: int) -> None:
    data = zipped(("a", b"1"))
    place = struct.pack("<4sLQL", b"PK\6\7", 0, at, 1)
    with pytest.raises(BadZip, match="not a complete zip"):
        read(data[:-22] + place + data[-22:])


def test_what_is_too_short_for_a_zip_has_no_end_record() -> None:
    with pytest.raises(BadZip, match="it has no end record"):
        read(b"PK\5\6" + bytes(17))


def test_zeros_after_a_zip_are_no_end_record() -> None:
    with pytest.raises(BadZip, match="its end record is missing, or is followed by other data"):
        read(zipped(("a", b"1")) + bytes(22))


@pytest.mark.parametrize(("number", "words"), [(10, "Unexpected member"), (11, "it lists 11 mem")])
def test_the_limit_of_members_is_ten(number: int, words: str) -> None:
    with pytest.raises(BadZip, match=words):
        read(zipped(*((f"{at}", b"") for at in range(number))))


@pytest.mark.parametrize(("size", "is_read"), [(30_000, True), (40_000, False)])
def test_the_list_of_two_members_has_a_limit(size: int, *, is_read: bool) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name in "ab":
            member = zipfile.ZipInfo(name)
            member.comment = b"x" * size
            file.writestr(member, b"1")

    if is_read:
        assert read(data.getvalue()) == b"1"
    else:
        with pytest.raises(BadZip, match="its list of members has"):
            read(data.getvalue())
