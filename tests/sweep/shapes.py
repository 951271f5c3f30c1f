"""Hostile shapes of text, and ordinary text to compare them with.

A shape fills any size with one idea: a bracket that never closes, a separator ten thousand times, a
record with as many keys as fit. Ordinary text is what agents send: messages, in the forms in which
they are pasted and posted.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.benchmarks import corpus

Make = Callable[[int], str]
"""Makes a text of about so many characters."""

NSLIP = "REQ/TSK|g=42,t=1,p=2,@=auth"
AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary"
TLINE = "T|17|Q|obj=health_budget;next=step%203"
SLIP = "SLIP v3 planner exec Request Plan auth"
SACP = '{"g":"FIND_HOTEL","plan":[["s","H_API",{"c":"Paris"}]]}'
NLIP = '{"format":"text","subformat":"english","content":"Hello there"}'


@dataclass(frozen=True)
class Shape:
    family: str
    name: str
    make: Make

    def __str__(self) -> str:
        return f"{self.family}: {self.name}"

    def text(self, size: int) -> str:
        """Return at most ``size`` bytes, cut at a character."""
        return self.make(size).encode()[:size].decode(errors="ignore")


def repeat(unit: str) -> Make:
    return lambda size: unit * (size // len(unit.encode()) + 1)


def after(opening: str, unit: str) -> Make:
    return lambda size: opening + repeat(unit)(size)


def inside(opening: str, unit: str, closing: str, least: int = 0) -> Make:
    """Fill the space between ``opening`` and ``closing`` with whole units."""

    def make(size: int) -> str:
        room = size - len(opening.encode()) - len(closing.encode())
        return opening + unit * max(least, room // len(unit.encode())) + closing

    return make


def numbered(opening: str, unit: str, closing: str, joint: str = ",") -> Make:
    """Fill the space with units that differ in their number, where ``unit`` has a ``#``."""

    def make(size: int) -> str:
        pieces: list[str] = []
        room = size - len(opening.encode()) - len(closing.encode())
        while room > 0:
            pieces.append(unit.replace("#", str(len(pieces))))
            room -= len((pieces[-1] + joint).encode())
        return opening + joint.join(pieces[:-1]) + closing

    return make


def nested(opening: str, middle: str, closing: str, levels: int) -> Make:
    """Repeat lines of values that are as deep as is said."""
    return repeat(opening * levels + middle + closing * levels + "\n")


def quoted(levels: int) -> Make:
    """JSON in strings of JSON, each level with twice as many backslashes."""

    def make(size: int) -> str:
        value = NSLIP
        for _ in range(levels):
            value = json.dumps({"role": "user", "content": value})
        return repeat(value + "\n")(size)

    return make


def record(text: Make) -> Make:
    """One record whose message is such a text."""
    return lambda size: json.dumps({"level": "info", "msg": text(size * 3 // 4)})


def prefixed(text: str) -> Make:
    return numbered("", f"2026-11-20T10:00:01Z INFO bus-# {text}", "", "\n")


def _noise(alphabet: str) -> Make:
    def make(size: int) -> str:
        dice = random.Random(7)
        return "".join(dice.choices(alphabet, k=size))

    return make


def _family(name: str, **makes: Make | str) -> Iterator[Shape]:
    """Yield a shape for each name; a text is repeated."""
    for one, make in makes.items():
        yield Shape(name, one.replace("_", " "), repeat(make) if isinstance(make, str) else make)


def _signs() -> Iterator[Shape]:
    """Every separator of every codec, and every sign that opens or closes anything."""
    for sign in "|/,=;:%\"'`\\{}[]()<>&@#!~-_.*":
        yield Shape("sign", sign, repeat(sign))


SHAPES: tuple[Shape, ...] = (
    *_signs(),
    *_family(
        "space",
        spaces=" ",
        line_ends="\n",
        returns="\r",
        tabs="\t",
        line_separators="\u2028",
        zero_bytes="\0",
        spaces_and_a_word=after(" ", "  x"),
    ),
    *_family(
        "letter",
        one_letter="a",
        one_word="word ",
        one_word_without_spaces="word",
        words=numbered("", "w#", "", " "),
        sentences="The plan is too large. ",
        noise=_noise("abc |/,=;:{}[]\"'\\\n"),
        letters_and_bars=_noise("Tt|"),
    ),
    *_family(
        "mark",
        combining=after("a", "\u0301\u0323"),
        combining_of_one_class=after("a", "\u0301"),
        letters_with_marks="a\u0323\u0301",
        hangul="\u1112\u1161\u11ab",
        expanding="\ufdfa",
        wide="１２ＡＢ",
        joined_emoji="👩\u200d👩\u200d👧",
        zero_width="\u200b",
        direction="\u202e\u202c",
        astral="\U0001d54f",
        colors="\x1b[31mREQ\x1b[0m",
    ),
    *_family(
        "digit",
        digits="9",
        zeros="0",
        a_long_value=after("REQ/TSK|g=", "9"),
        a_long_number=inside('{"g":', "9", ',"plan":[]}'),
        a_long_fraction=inside('{"g":"A","plan":[["s","T",{"n":0.', "1", "}]]}"),
        dotted="1.2.",
        exponents="1e9 ",
        cards="4111 1111 1111 1111 ",
        phones="+49 30 901820 ",
        times="10:00:01 ",
        dates="2026-11-20T10:00:01Z ",
    ),
    *_family(
        "line",
        anchors="REQ/TSK|",
        messages_on_a_line=f"{NSLIP} ",
        packets_on_a_line=f"{AACP} ",
        t_lines_on_a_line=f"{TLINE} ",
        slips_on_a_line=f"{SLIP} ",
        tiny_lines="T|\n",
        tiny_lines_that_differ=numbered("", "T|#", "", "\n"),
        tiny_messages="REQ/TSK|g=1\n",
        many_slots=numbered("REQ/TSK|", "g=#", ""),
        unknown_slots=numbered("REQ/TSK|g=1,", "z#=1", ""),
        many_fields=numbered("FETCH|HR|return:A|p:1|aacp:1.1|", "k#:v", "", "|"),
        many_keys=numbered("T|1|Q|", "k#=v", "", ";"),
        a_long_payload=after(SLIP, " word"),
        folds=after("FETCH|HR|\n", "  res:salary|\n"),
        folds_with_a_prefix=after("10:00:01 bus FETCH|HR|\n", "10:00:02 bus res:salary|\n"),
        escapes=after("T|1|Q|obj=", "%20"),
        broken_escapes=after("T|1|Q|obj=", "%2"),
        almost="RE/TSK|g=1 T|x ",
        misspelled="RJE/PLN|g=1\n",
        misspelled_differently=numbered("", "RJE/PLN|g=#", "", "\n"),
    ),
    *_family(
        "JSON",
        deep_lists=nested("[", "1", "]", 60),
        deeper_lists=lambda size: "[" * (size // 2) + "]" * (size // 2),
        deep_objects=nested('{"a":', "1", "}", 60),
        deep_goals=nested('{"g":', "1", "}", 60),
        open_objects='{"a":',
        open_records='{"role":"user","content":"',
        empty_objects="{}",
        tiny_records='{"msg":"T|"}',
        tiny_record_lines='{"msg":"T|"}\n',
        record_lines=repeat(json.dumps({"level": "info", "msg": NSLIP}) + "\n"),
        a_list_of_records=inside("[", '{"msg":"T|"},', "1]"),
        a_list_of_strings=inside("[", '"T|1|Q|obj=x",', "1]"),
        many_keys=numbered("{", '"k#":"T|1|Q|obj=x"', "}"),
        many_plain_keys=numbered('{"msg":"T|1|Q|obj=x",', '"k#":1', "}"),
        many_plain_objects=numbered('{"msg":"T|1|Q|obj=x",', '"k#":{"a":{"b":1}}', "}"),
        one_key_again=inside("{", '"g":1,', '"plan":[]}'),
        many_goals=numbered('{"g":"A","plan":[],', '"k#":1', "}"),
        many_steps=inside('{"g":"A","plan":[', '["s","T",{"a":1}],', '["s","T",{}]]}'),
        parallel_steps=nested('{"g":"A","plan":[{"parallel":[', '["s","T",{}]', "]}]}", 1),
        many_parts=inside(NLIP[:-1] + ',"submessages":[', NLIP + ",", NLIP + "]}"),
        a_long_text=inside(NLIP[:-2] + " ", "word ", '"}'),
        a_long_key=inside('{"g":"A","plan":[],"', "k", '":1}'),
        escaped_text=inside('{"msg":"', "\\u0041", '"}'),
        escaped_quotes=inside('{"msg":"', '\\"', '"}'),
        escaped_braces=inside('{"msg":"', '{\\"', '"}'),
        escaped_record=record(repeat(json.dumps({"msg": NSLIP}) + "\n")),
        cut_off=repeat(NLIP[:40] + "\n"),
        indented=lambda size: repeat(json.dumps(json.loads(SACP), indent=2) + "\n")(size),
        of_Python="{'g': 'A', 'plan': [['s', 'T', {'n': True}]]}\n",
        commas=after('{"g":"A","plan":[', ",1"),
        comments=after('{"g":"A",', "/* x */"),
        quoted_twice=quoted(2),
        quoted_eight_times=quoted(8),
    ),
    *_family(
        "wrapper",
        a_chat=inside(
            '{"messages":[', '{"role":"user","content":"T|1|Q|obj=x"},', '{"role":"user"}]}'
        ),
        a_chat_of_braces=inside(
            '{"messages":[', '{"role":"user","content":"{"},', '{"role":"user"}]}'
        ),
        tool_calls=repeat(
            json.dumps(
                {"jsonrpc": "2.0", "method": "tools/call", "params": {"arguments": {"m": NSLIP}}}
            )
        ),
        logged=record(repeat(f"{NSLIP}\n")),
        logged_braces=record(repeat('{"')),
        logged_quotes=record(repeat('"\\')),
    ),
    *_family(
        "log",
        lines=prefixed(NSLIP),
        lines_of_prose=prefixed("The plan is too large."),
        lines_of_braces=prefixed("{"),
        a_long_prefix=lambda size: repeat("a: ")(size) + NSLIP,
        levels="INFO bus - ",
        arrows="planner -> executor ",
        pairs=numbered("", 'key#="value"', "", " "),
        open_pairs='key="',
        brackets="[a] ",
        rows="| FETCH\\|HR\\|return:A |\n",
        rows_that_differ=numbered("", "| FETCH\\|HR\\|return:A# |", "", "\n"),
        one_row=after("| ", "a\\|b | "),
        fences="```\n",
        tags="<td>",
        closing_tags="</td>",
        entities="&quot;",
        entity_objects="{&quot;g&quot;:",
        shell_quotes="'\"'\"'",
        doubled_quotes=after('"', '""'),
        typed_quotes="“a",
        comments="<!-- # // ",
        quotes_and_words='"a" ',
    ),
    *_family(
        "search",
        and_="act:REQ AND ",
        or_="goal:1 OR ",
        not_="NOT ",
        brackets=lambda size: "(" * (size // 2) + "a" + ")" * (size // 2),
        a_phrase=inside('"', "word ", '"'),
        phrases='"a b" ',
        prefixes="a* ",
        fields=numbered("", "attr.k#:v", "", " "),
        ranges="goal:1..2 ",
    ),
)


def _lines(size: int) -> str:
    return _filled([wire for name in corpus.WRITERS for wire in corpus.typical(name, 200)], size)


def _short(size: int) -> str:
    """Return as many messages as a hostile text can have: those of one slot, or of one pair."""
    wires = [
        wire.format(number)
        for number in range(1, 1000)
        for wire in ("ACK/TSK|g={}", "REQ/TSK|g={}", "PRO/PLN|g={}", "T|{}|A", "T|{}|Q|obj=x")
    ]
    return _filled(wires, size)


def _log(size: int) -> str:
    wires = [
        wire for name in ("nslip", "aacp", "tline", "slip") for wire in corpus.typical(name, 200)
    ]
    return _filled(
        [f"2026-11-20T10:00:01Z INFO bus planner -> executor {wire}" for wire in wires], size
    )


def _records(size: int) -> str:
    wires = [wire for name in corpus.WRITERS for wire in corpus.typical(name, 200)]
    return _filled([json.dumps({"role": "user", "content": wire}) for wire in wires], size)


def _packets(size: int) -> str:
    """Return the lines of a batch, of short messages and of those of every writer."""
    wires = [wire for name in corpus.WRITERS for wire in corpus.typical(name, 50)]
    wires += [f"T|{number}|A" for number in range(len(wires))]
    return _filled([json.dumps({"wire": wire}) for wire in wires], size)


def _mistakes(size: int) -> str:
    """Return messages of which each has a mistake that can be fixed: a verb, a slot, a value."""
    wires = [
        wire.format(number)
        for number in range(1, 1000)
        for wire in ("RQE/TSK|g={}", "REQ/TKS|g={}", "REQ/TSK|G={}", "FECTH|HR|return:A|p:{}")
    ]
    return _filled(wires, size)


def _one(size: int) -> str:
    words = _filled(
        ["What became of the budget of the health team? It is due on Friday."], size - 80
    )
    return json.dumps(
        {"format": "text", "subformat": "english", "content": words.replace("\n", " ")}
    )


def _plan(size: int) -> str:
    return numbered(
        '{"g":"FIND_HOTEL","plan":[', '["search","hotel_api",{"city":"Paris","n":#}]', "]}"
    )(size)


def _filled(lines: list[str], size: int) -> str:
    random.Random(3).shuffle(lines)
    text = "\n".join(lines)
    return (text + "\n") * (size // len(text) + 1)


ORDINARY: tuple[Shape, ...] = (
    Shape("ordinary", "messages", _lines),
    Shape("ordinary", "short messages", _short),
    Shape("ordinary", "a log", _log),
    Shape("ordinary", "records", _records),
    Shape("ordinary", "packets", _packets),
    Shape("ordinary", "mistakes", _mistakes),
    Shape("ordinary", "one message", _one),
    Shape("ordinary", "one plan", _plan),
    Shape("ordinary", "a filter", lambda size: "x".ljust(size)),  # what it finds is drawn
)
