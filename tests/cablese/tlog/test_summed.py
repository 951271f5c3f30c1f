"""A sum is of the bytes before it, as the format of packs describes it."""

from hashlib import sha256

from cablese.tlog.summed import close, is_whole

DATA = b'{"end":1024'
LINE = DATA + b',"sum":"' + sha256(DATA).hexdigest()[:16].encode() + b'"}'


def test_a_line_is_closed_with_its_sum() -> None:
    assert close(DATA) == LINE
    assert is_whole(LINE)


def test_every_changed_byte_is_found() -> None:
    for at in range(len(LINE)):
        assert not is_whole(LINE[:at] + bytes([LINE[at] ^ 1]) + LINE[at + 1 :])
        assert not is_whole(LINE[:at])
    assert not is_whole(LINE + b" ")
