"""Counting tokens: a call of `count_batch` for a batch of messages, against tiktoken's `encode` and
`len`.

The messages are what agents send and what the baselines of a comparison are made of, each of them
another text.
"""

import random
from collections.abc import Iterator

import tiktoken

from cablese import tokens
from tests.benchmarks.line import Line, faster, interleaved, timed

BATCH = 1000
SHAPES = (
    "REQ/TSK|g={n},t={t},p={p},@={word}_{other}",
    "SLIP v3 planner exec Request Plan {word} {other}{n}",
    (
        "FETCH|HR|return:HR-Agent|p:{p}|aacp:1.1|res:emp_{word}|period:2024-{t:02}|"
        "filter:status={other}|fmt:json"
    ),
    '{{"g":"find_{word}","plan":[["search","{other}_api",{{"n":{n},"p":{p}}}]],"out_fmt":"human"}}',
    (
        '{{"format":"text","subformat":"english",'
        '"content":"What became of the {word} {other} number {n}?"}}'
    ),
    "T|{n}|Q|obj={word}_{other};ctx=api_auth",
    (
        '{{"act":"REQUEST","frame":"TASK","goal":{n},"task":{t},"priority":{p},'
        '"tag":"{word}_{other}"}}'
    ),
    "Requests the planner to work on task {t} of goal {n}, with priority {p}: {word} {other}.",
)
WORDS = (
    "auth",
    "search",
    "deploy",
    "billing",
    "refactor",
    "health",
    "salary",
    "review",
    "timeline",
    "budget",
)


def measure() -> Iterator[Line]:
    plain = messages()
    accented = [text.replace("e", "é") for text in plain]
    for name in ("o200k_base", "cl100k_base"):
        yield against_tiktoken(
            f"count, {name}, {BATCH} ASCII messages a call", plain, name, repeat=5, target=8
        )
    yield against_tiktoken(
        "count, o200k_base, 50 ASCII messages a call", plain[:50], "o200k_base", repeat=100
    )
    yield against_tiktoken(
        "count, o200k_base, one ASCII message a call", plain[:1], "o200k_base", repeat=5000
    )
    yield against_tiktoken(
        f"count, o200k_base, {BATCH} other messages a call", accented, "o200k_base", repeat=5
    )


def messages() -> list[str]:
    dice = random.Random(11)
    return [
        SHAPES[n % len(SHAPES)].format(
            n=dice.randrange(20_000), t=dice.randrange(1, 13), p=dice.randrange(1, 4),
            word=dice.choice(WORDS),
            other=dice.choice(WORDS),
        )
        for n in range(BATCH)
    ]  # fmt: skip


def against_tiktoken(
    what: str, texts: list[str], name: str, *, repeat: int = 1, target: float | None = None
) -> Line:
    assert tokens.count("", name).exact  # loaded, and with it tiktoken's own
    encode = tiktoken.get_encoding(name).encode

    def ours() -> None:
        for _ in range(repeat):
            tokens.count_batch(texts, name)

    def theirs() -> None:
        for _ in range(repeat):
            for text in texts:
                len(encode(text))

    times = interleaved(timed(ours), timed(theirs))
    return faster(what, ours=times[0], baseline=times[1], items=len(texts) * repeat, target=target)
