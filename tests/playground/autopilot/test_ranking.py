"""The rule of ranking, and that the sentence never hides a loss."""

from typing import Any

import pytest
from msgspec import structs

from playground.autopilot.analysis import Analysis, analyze
from playground.autopilot.candidate import Candidate, Losses, LostField, Risk, rank
from playground.autopilot.traffic import of_text
from playground.autopilot.wording import sum_up

LOST = Losses((LostField("goal", 2), LostField("tag", 1)), (), {}, "Lost: goal.")
PRIVATE = Losses((), ("x-goal",), {}, "")


def way(key: str, tokens: int = 10, **other: Any) -> Candidate:
    plain = Candidate(
        key=key,
        title=key.upper(),
        standing="lossless",
        sent=False,
        carried=12,
        tokens=tokens,
        exact=True,
        baseline=20,
        change=round(100 * (tokens - 20) / 20, 1),
        prompt="Write.",
        prompt_tokens=5,
        breaks_even=40,
        losses=Losses((), (), {}, ""),
        corruption=Risk(1, 10),
        routability=None,
        texts=(),
    )
    return structs.replace(plain, **other)


def say(*candidates: Candidate, **other: Any) -> str:
    plain = Analysis("o200k_base", "json", "minified JSON", 12, 0, 0, 5, rank([*candidates]))
    return sum_up(structs.replace(plain, **other))


def test_the_groups_come_in_order_however_few_tokens_one_has() -> None:
    ways = [
        way("partial", 1, standing="partial", carried=11),
        way("lossy", 2, standing="lossy"),
        way("one-way", 3, standing="one-way"),
        way("private", 4, standing="private"),
        way("lossless", 99),
    ]

    assert [one.key for one in rank(ways)] == [
        "lossless", "private", "one-way", "lossy", "partial"
    ]  # fmt: skip


def test_in_a_group_fewer_tokens_then_fewer_silent_losses_then_the_title_decide() -> None:
    ways = [
        way("d", 10, corruption=None),
        way("c", 10, corruption=Risk(2, 10)),
        way("b", 10, corruption=Risk(2, 10)),
        way("a", 10, corruption=Risk(3, 10)),
        way("e", 9, corruption=Risk(9, 10), prompt_tokens=9_999),
    ]

    assert [one.key for one in rank(ways)] == ["e", "b", "c", "a", "d"]


def test_of_incomplete_ways_the_one_that_carries_most_comes_first() -> None:
    few, most = (
        way("few", 1, standing="partial", carried=2),
        way("most", 9, standing="partial", carried=11),
    )

    assert rank([few, most]) == (most, few)


def test_the_sentence_says_what_to_do_what_it_saves_when_it_pays_and_what_is_lost() -> None:
    assert say(way("nslip", 13, title="nSLIP", change=-31.2)) == (
        "Send these 12 messages as nSLIP: 13 tokens, 31.2% fewer than minified JSON; "
        "its 5-token prompt breaks even after 40 messages; no field is lost."
    )


@pytest.mark.parametrize(
    ("best", "said"),
    [
        ({"sent": True}, "Keep these 12 messages in A: "),
        ({"exact": False}, ": ≈ 10 tokens, "),
        ({"change": 5.0, "breaks_even": None}, "5% more than minified JSON; its prompt never "),
        ({"change": 0.0}, ", as many as minified JSON; "),
        ({"prompt": "", "prompt_tokens": 0, "breaks_even": 0}, "; no prompt is needed; "),
        ({"breaks_even": 1}, "breaks even after 1 message;"),
        ({"baseline": None, "change": None}, ": 10 tokens; no field is lost."),
        ({"standing": "private", "losses": PRIVATE}, "other readers lose what is in x-goal."),
        ({"standing": "one-way"}, "; complete, but can’t be decoded back."),
        ({"standing": "lossy", "losses": LOST}, "; it changes or loses goal, tag."),
        (
            {"standing": "partial", "carried": 9, "losses": LOST},
            "3 of 12 messages can’t be sent this way, and others lose goal, tag.",
        ),
        ({"standing": "partial", "carried": 9}, "Send 9 of these 12 messages as A: "),
    ],
)
def test_the_sentence_hides_no_loss(best: dict[str, Any], said: str) -> None:
    assert said in say(way("a", **best))


@pytest.mark.parametrize(
    ("best", "said"),
    [
        ({"tokens": 20}, "AACP saves nothing here: 20 tokens, as many as minified JSON"),
        ({"tokens": 21}, "AACP saves nothing here: 21 tokens, 5% more than minified JSON"),
        ({"tokens": 20, "key": "message"}, "The messages as sent save nothing here: 20 tokens, "),
    ],
)
def test_a_format_that_saves_nothing_is_not_recommended(best: dict[str, Any], said: str) -> None:
    sentence = say(way(**{"key": "aacp", "sent": True, "prompt_tokens": 60, **best}))

    assert sentence.startswith(said)
    assert sentence.endswith(" minified JSON; no field is lost.")


def test_the_sentence_says_of_which_messages_it_speaks() -> None:
    assert say(way("a")).startswith("Send these 12 messages as A")
    assert say(way("a"), left=3).startswith("Send the first 12 messages as A")
    assert say(way("a"), invalid=1).startswith("Send the 12 valid messages as A")
    assert say(way("a"), invalid=1, left=1).startswith("Send the first 12 valid messages as A")
    assert say(way("a", carried=1), messages=1).startswith("Send this message as A")
    assert say(way("message")).startswith("Send these 12 messages as sent")
    assert say() == "No valid messages to compare."


def test_when_the_baseline_is_best_that_is_said() -> None:
    best = way("json", 20, title="minified JSON", change=0.0, prompt="", prompt_tokens=0)

    assert say(best) == (
        "Send these 12 messages as minified JSON: 20 tokens; "
        "no lossless format is shorter; no field is lost."
    )


def test_a_shorter_way_that_loses_something_is_not_best() -> None:
    found = analyze(of_text("REQ/TSK|g=42,t=1,p=2,@=auth_refactor", None), "o200k_base")
    slip = next(one for one in found.candidates if one.key == "slip")

    assert found.best is not None
    assert slip.tokens < found.best.tokens
    assert (slip.standing, found.best.standing) == ("lossy", "lossless")
