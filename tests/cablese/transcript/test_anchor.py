"""Where messages may begin: each place of a line is read once, and no further than it counts."""

import pytest

from cablese import registry
from cablese.codec import Codec
from cablese.transcript import anchor, split
from cablese.transcript.anchor import Anchors
from tests.growth import assert_linear

LINE = " ".join(f"REQ/TSK|g={number},t=1" for number in range(100))


def test_a_line_is_searched_once_for_each_message(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    search = Anchors._search

    def noted(self: Anchors, codec: Codec, at: int, end: int) -> int:
        searched.append(codec.name)
        return search(self, codec, at, end)

    monkeypatch.setattr(Anchors, "_search", noted)

    assert len(split(LINE).messages) == 100
    assert searched.count("nslip") <= 100
    assert len(searched) - searched.count("nslip") <= len(registry.all_codecs())


def test_the_nearest_message_that_follows_comes_first() -> None:
    line = "T|2|Q|obj=x T|3|Q|obj=y REQ/TSK|g=1"

    assert list(Anchors(line).after(0, len(line), len(line))) == [12, 24]


@pytest.mark.parametrize("unit", ['T|2|Q|obj=x | "}]', "hashed ` REQ/TSK|g=1,x-cablese-{}={}"])
def test_messages_before_one_that_is_far_away_take_time_in_proportion(unit: str) -> None:
    far = "HR|FETCH|return:A|p:1|aacp:1.1 REQ/TSK|g=4"

    assert_linear(lambda size: split(f"INFO {unit * (size // len(unit))} {far}"), 6_000)


def test_what_begins_after_a_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[int] = []
    score = Anchors._score

    def noted(self: Anchors, codec: Codec, start: int, end: int) -> float:
        scored.append(start)
        return score(self, codec, start, end)

    monkeypatch.setattr(Anchors, "_score", noted)
    limit = LINE.index("REQ/TSK|g=3,")

    begun = list(Anchors(LINE).after(0, limit, len(LINE)))

    assert begun == [LINE.index(f"REQ/TSK|g={number},") for number in (1, 2)]
    assert max(scored) < limit


def test_the_beginning_of_a_long_message_tells_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    codec, read = registry.get("nslip"), 0
    sniff = codec.sniff

    def noted(text: str) -> object:
        nonlocal read
        read = max(read, len(text))
        return sniff(text)

    monkeypatch.setattr(codec, "sniff", noted)
    wire = f"REQ/TSK|g=1,@={'x' * 9_000}"

    (cut,) = split(f"it says {wire}").messages

    assert cut.wire == wire
    assert read == anchor.MAX_SNIFFED


def test_only_the_last_places_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    anchors = Anchors(LINE)
    starts = [LINE.index(f"REQ/TSK|g={number},") for number in range(100)]
    found = [anchors.find(start, len(LINE)) for start in starts]
    assert len(anchors._scores) == 100

    monkeypatch.setattr(anchor, "REMEMBERED", 10)
    few = Anchors(LINE)
    assert [few.find(start, len(LINE)) for start in starts] == found
    assert len(few._scores) == 10
