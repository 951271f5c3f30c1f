"""What stands around a message is neither part of it nor taken for what it is not."""

import time
from datetime import datetime

import pytest

from cablese.transcript import split

AACP = "FETCH|HR|return:A|p:1|aacp:1.1"
TASK = "REQ/TSK|g=1"
NLIP = '{"format":"text","subformat":"English","content":"Hi"}'
CALLED = '{"functionCall":{"name":"send","args":{"message":"REQ/TSK|g=1"}}}'
GOAL, PLAN = '"g": "FIND"', '"plan"'


@pytest.mark.parametrize(
    ("text", "wires"),
    [
        # a remark that holds another field is none
        ("REJ/PLN|!=see x=1 y,g=7,s=failed", ["REJ/PLN|!=see x=1 y,g=7,s=failed"]),
        (f"{AACP}|content:a -> b|status:failed", [f"{AACP}|content:a -> b|status:failed"]),
        (f"{AACP}|filter:a=1 b=2|fmt:json", [f"{AACP}|filter:a=1 b=2|fmt:json"]),
        # quotes around the whole message end it
        ('{"msg":"REJ/PLN|g=1,!=too big (3 files)"}', ["REJ/PLN|g=1,!=too big (3 files)"]),
        ('"REJ/PLN|g=1,!=see [1] first" ok', ["REJ/PLN|g=1,!=see [1] first"]),
        ('{"msg":"REQ/TSK|g=1 (12ms)"}', [TASK]),
        (f"`{AACP}|\nperiod:1` ok", [f"{AACP}|\nperiod:1"]),
        ("_REQ/TSK|g=1_", [TASK]),
        # emphasis may open where a word begins, and not inside one
        (f"**ACC/PLN|g=1** _{TASK}_", ["ACC/PLN|g=1", TASK]),
        ("`ACC/PLN|g=1` _REJ/PLN|g=2,!=late_", ["ACC/PLN|g=1", "REJ/PLN|g=2,!=late"]),
        (f"ACC/PLN|g=1, __{TASK}__ and ~~REJ/PLN|!=a~~", ["ACC/PLN|g=1", TASK, "REJ/PLN|!=a"]),
        (f"see ___{TASK}___", [TASK]),
        (f"x_{TASK}", []),
        (f"é_{TASK} a____{TASK} x=_{TASK}_", []),
        (f"ACC/PLN|g=1,@=x_{TASK}", [f"ACC/PLN|g=1,@=x_{TASK}"]),
        (f"sent {AACP}|res:a to executor", [f"{AACP}|res:a"]),
        (f"planner sends {AACP}|res:a to executor.", [f"{AACP}|res:a"]),
        (f"Step 2: the bus forwards {AACP}|res:a to executor;", [f"{AACP}|res:a"]),
        (f"message: {AACP}|content:reply to bob", [f"{AACP}|content:reply to bob"]),
        # an invalid message without spaces ends before the next one of its line
        (f"REQ/TSK|g=bad => {TASK}", ["REQ/TSK|g=bad", TASK]),
        (f"REQ/TSK|g=bad {TASK}", ["REQ/TSK|g=bad", TASK]),
        (f"REQ/TSK|g=bad executor: {TASK}", ["REQ/TSK|g=bad", TASK]),
        (f"REQ/TSK|g=bad,!=no goal, see {TASK}", [f"REQ/TSK|g=bad,!=no goal, see {TASK}"]),
        (f"REQ/TSK|g=bad,!='re: {TASK}'", [f"REQ/TSK|g=bad,!='re: {TASK}'"]),
        (f"{TASK} executor: ACC/PLN|g=1", [TASK, "ACC/PLN|g=1"]),
        # a sentence about a message ends, and a value of words goes on
        (f"Planner sent {AACP}|a:b. Then it waited.", [f"{AACP}|a:b"]),
        (f"> The HR-Agent sent {AACP}|a:b, and got nothing", [f"{AACP}|a:b"]),
        (f"I sent {AACP}|a:b.c!", [f"{AACP}|a:b.c"]),
        (f"Did you get {AACP}|a:b.?", [f"{AACP}|a:b.?"]),
        (f"First planner sent {AACP}|a:b. Then {TASK}.", [f"{AACP}|a:b", TASK]),
        (f"Planner sent {AACP}|a:is done. Ready.", [f"{AACP}|a:is done. Ready."]),
        (f"Planner sent {AACP}|a:x. y|b:z", [f"{AACP}|a:x. y|b:z"]),
        ("规划者 说：REQ/TSK|g=1。", [TASK]),
        ("I sent REQ/TSK|g=1, t=1,@=a.", ["REQ/TSK|g=1, t=1,@=a."]),
        (f"sent {AACP}|a:Done. Ready.", [f"{AACP}|a:Done. Ready."]),
        (f"INFO planner sent {AACP}|a:Done. Ready.", [f"{AACP}|a:Done. Ready."]),
        (f"Planner: {AACP}|a:Done. Ready.", [f"{AACP}|a:Done. Ready."]),
        (f"Planner sent {AACP}|a:b…", [f"{AACP}|a:b…"]),
        # a tag of another line ends none
        (f"{AACP}|a:b<c\nsee </code>", [f"{AACP}|a:b<c"]),
        # a duration is a remark after a value of one word
        (f"{AACP}|a:b 5s", [f"{AACP}|a:b"]),
        (f"{AACP}|a:b took 5.2s", [f"{AACP}|a:b"]),
        ("SLIP v3 planner exec Request Plan 5s", ["SLIP v3 planner exec Request Plan 5s"]),
        (f"{AACP}|a:no answer after 5s", [f"{AACP}|a:no answer after 5s"]),
        # the end of a line that is written out
        (f"{TASK}\\n", [TASK]),
        (f"7\tplanner\t{AACP}|a:b\\r\\n", [f"{AACP}|a:b"]),
        (f"{AACP}|a:b#012", [f"{AACP}|a:b"]),
        (f"{AACP}|a:C:\\new\\n", [f"{AACP}|a:C:\\new\\n"]),
        # quotes of other scripts, and of a shell
        (f"「{AACP}|a:b」と『{TASK}』", [f"{AACP}|a:b", TASK]),
        (f"curl -d $'{AACP}|a:b' http://bus", [f"{AACP}|a:b"]),
        # a row without a head; in prose a space follows the sign
        (f"10:00;planner;{AACP}|a:b;ok", [f"{AACP}|a:b"]),
        (f"10:00;{AACP}|a:b; c", [f"{AACP}|a:b; c"]),
        (f"10:00;{AACP}|a:b;", [f"{AACP}|a:b"]),
        (f"&quot;{AACP}|a:x&amp;b&quot;", [f"{AACP}|a:x&b"]),
        ("planner;T|17|Q|obj=a;ctx=b", ["T|17|Q|obj=a;ctx=b"]),
        (f"{AACP}|a:b;c", [f"{AACP}|a:b;c"]),
        # PHP
        (f"PHP Notice:  {TASK} in /srv/bus.php on line 12", [TASK]),
        # colors are part of no string
        ('{"msg":"\\u001b[32mREQ/TSK|g=1\\u001b[0m"}', [TASK]),
        ('log="\\u001b[32mREQ/TSK|g=1\\u001b[0m" n=1', [TASK]),
        ('{"msg":"INF/OBS|@=a\\u001b[31mb"}', ["INF/OBS|@=a\x1b[31mb"]),
        # a packet goes on in a field, not in a sentence or an address
        (f"{AACP}|\nhttp://x.org", [f"{AACP}|"]),
        (f"{AACP}|\nbob:hi all", [f"{AACP}|"]),
        (f"{AACP}|\ncost_center:77", [f"{AACP}|\ncost_center:77"]),
        # what repeats is told from what is said twice
        ('{"log":"10:00 a: REQ/TSK|g=1\\n10:01 b: REQ/TSK|g=1"}', [TASK, TASK]),
        ('{"text":"REQ/TSK|g=1\\n","record":{"message":"REQ/TSK|g=1"}}', [TASK]),
        ('{"votes":{"planner":"REQ/TSK|g=1","executor":"REQ/TSK|g=1"}}', [TASK, TASK]),
        ('{"msg":"REQ/TSK|g=1","wire":"REQ/TSK|g=1"}', [TASK]),
        ('{"a":"{\\"msg\\":\\"REQ/TSK|g=1\\"}","b":{"wire":"REQ/TSK|g=1"}}', [TASK]),
        ('{"request":{"body":"REQ/TSK|g=1"},"response":{"body":"REQ/TSK|g=1"}}', [TASK, TASK]),
        (
            '{"request":"{\\"body\\":\\"REQ/TSK|g=1\\"}","reply":"{\\"body\\":\\"REQ/TSK|g=1\\"}"}',
            [TASK, TASK],
        ),
        ('{"r":{"msg":"REQ/TSK|g=1","raw":"REQ/TSK|g=1"},"s":{"msg":"REQ/TSK|g=1"}}', [TASK, TASK]),
        ('{"event":{"original":"REQ/TSK|g=1"},"log":{"message":"REQ/TSK|g=1"}}', [TASK]),
        ('{"record":{"message":"REQ/TSK|g=1"},"text":"REQ/TSK|g=1"}', [TASK]),
        ('{"n":1}' * 50 + TASK, [TASK]),
        # a prefix on every line hides no indentation, which tells where a cut-off value ends
        (f"10:00 {{\n10:00   {PLAN}: [\n10:01 {NLIP}\n", [NLIP]),
        (
            f"10:00 {{\n10:00   {GOAL},\n10:00   {PLAN}: []\n10:01 }}",
            [f"{{\n  {GOAL},\n  {PLAN}: []\n}}"],
        ),
    ],
)
def test_it_ends_where_it_ends(text: str, wires: list[str]) -> None:
    assert [cut.wire for cut in split(text).messages] == wires


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (f"INFO sent to executor: {TASK}", [(None, "executor")]),
        (f"Planner: {TASK}. Me: ACC/PLN|g=1", [("Planner", None), (None, None)]),
        (f"Planner: {TASK} and then: ACC/PLN|g=1", [("Planner", None), ("Planner", None)]),
        (f"It sent {TASK}, and I accepted: ACC/PLN|g=1; see.", [(None, None), (None, None)]),
        (f"planner <- executor: {TASK}", [("executor", "planner")]),
        (f"planner <-> executor: {TASK}", [(None, None)]),
        (f"[a] -> [b]: {TASK}", [("a", "b")]),
        (f"INFO:bus:critic -> planner {TASK}", [("critic", "planner")]),
        (f"a -> b -> c {TASK}", [(None, None)]),
        (f"Here it is: {TASK}", [(None, None)]),
        (f"http://h/?from=a&to=b {TASK}", [("a", "b")]),
        (f"a -> b: {TASK} ; c -> d: T|1|Q|obj=x", [("a", "b"), ("c", "d")]),
        (f"{TASK} from=a; {TASK} from=b", [("a", None), ("b", None)]),
        (f"{TASK} executor: ACC/PLN|g=1", [(None, None), ("executor", None)]),
        (f"planner->>executor: {TASK}", [("planner", "executor")]),
        (f"planner-->>executor: {TASK}", [("planner", "executor")]),
        (f"<planner> executor: {TASK}", [("planner", "executor")]),
        (f"- [x] {TASK}", [(None, None)]),
        (f"planner says: {TASK}", [("planner", None)]),
        (f"planner > executor: {TASK}", [("planner", "executor")]),
        (f"RX: {TASK}", [(None, None)]),
        (f"sent {AACP}|res:a to executor", [(None, "executor")]),
        (f"The planner sends {AACP}|res:a to executor.", [(None, "executor")]),
        (
            f'planner said "{TASK}" and executor replied "{TASK}"',
            [
                ("planner", None),
                ("executor", None),
            ],
        ),
        (
            f'planner said "{TASK}" and somebody wondered why, "{TASK}"',
            [
                ("planner", None),
                (None, None),
            ],
        ),
        (f"received {AACP}|res:a from planner", [("planner", None)]),
        (f"cmd: {TASK}", [(None, None)]),
        (f"{TASK} [truncated]", [(None, None)]),
        (f"ERROR cannot parse {TASK}", [(None, None)]),
        (f"INFO forwarding to bus {TASK}", [(None, None)]),
        (f"2 messages: {TASK}; {TASK}", [(None, None), (None, None)]),
        (f"UnhandledPromiseRejection: {TASK}", [(None, None)]),
        (f"##[error]Process sent {TASK}", [(None, None)]),
        ('{"src":"bus.py:12","msg":"REQ/TSK|g=1"}', [(None, None)]),
        (
            '{"agent":{"name":"beat-1","type":"filebeat","version":"8.1"},"message":"REQ/TSK|g=1"}',
            [(None, None)],
        ),
        ('{"agent":{"name":"planner"},"message":"REQ/TSK|g=1"}', [("planner", None)]),
        (
            f'{{"candidates":[{{"content":{{"role":"model","parts":[{CALLED}]}}}}]}}',
            [("model", "send")],
        ),
        (
            '{"first":{"from":"a","msg":"REQ/TSK|g=1"},"second":{"from":"b","msg":"REQ/TSK|g=1"}}',
            [("a", None), ("b", None)],
        ),
        (f"To executor: {TASK}", [(None, "executor")]),
        (f"From planner to executor: {TASK}", [("planner", "executor")]),
        # a member of an object that a program prints
        (f'wire: "{TASK}" from: "planner" to: "executor"', [("planner", "executor")]),
        (f"{{From:planner To:executor Wire:{TASK}}}", [("planner", "executor")]),
        (f'%{{"wire" => "{AACP}", "from" => "planner"}}', [("planner", None)]),
        (f'{{:wire=>"{TASK}", :from=>"planner"}}', [("planner", None)]),
        (f'{{:wire "{AACP}", :from "planner"}}', [("planner", None)]),
        (f'#{{wire => <<"{TASK}">>, from => planner}}', [("planner", None)]),
        (f"Message {{ From = planner, Wire = {AACP} }}", [("planner", None)]),
        (f"sender: planner | message: {AACP}", [("planner", None)]),
        (f"wire={TASK}&from=planner&to=executor", [("planner", "executor")]),
        (f'changed from: "a", to: "b" {TASK}', [(None, None)]),
        (f"transition from: a, to: b, then {TASK}", [(None, None)]),
        (f'msg: "{TASK}" went to "bus"', [(None, None)]),
        # what an object of a printed list states is true of its own message
        (
            f"[{{'role': 'a', 'text': '{TASK}'}}, {{'role': 'b', 'text': \"{AACP}\"}}]",
            [("a", None), ("b", None)],
        ),
        (
            f"INFO got [{{'text': '{TASK}', 'role': 'a'}}, {{'text': '{AACP}'}}, {{'role': 'c'}}]",
            [("a", None), (None, None)],
        ),
        (f"[{{'from': 'a', 'to': 'b'}}, {{'text': '{TASK}'}}]", [(None, None)]),
        (f"from=a [{{'to': 'b'}}, {{'text': '{TASK}'}}, {{'to': 'c'}}]", [("a", None)]),
        (
            f"[Said(from='a', wire='{TASK}'), Said(wire='{AACP}', from='b')]",
            [("a", None), ("b", None)],
        ),
    ],
)
def test_parties_are_those_that_are_stated(
    text: str, parties: list[tuple[str | None, str | None]]
) -> None:
    messages = split(text).messages
    assert [(cut.facts.sender, cut.facts.recipient) for cut in messages] == parties


@pytest.mark.parametrize(
    ("before", "moment"),
    [
        ("2026-11-20 10:00:01 PM", "2026-11-20T22:00:01"),
        ("Nov 20, 2026 1:00:01 PM", "2026-11-20T13:00:01"),
        ("2026-11-20T10:00:01+02", "2026-11-20T10:00:01+02:00"),
        ("2026-11-20 10:00:01 UTC+2", "2026-11-20T10:00:01+02:00"),
        ("2026-11-20 10:00:01 GMT-03:30", "2026-11-20T10:00:01-03:30"),
        ("2026-11-20 10:00:01 -1234", None),
        ("2026-11-20 10:00:01 [Europe/Berlin]", None),
        ("26/11/20 10:00:01 INFO", None),
        ("03-04 10:00:01", None),
        ("uptime=1234567890", None),
        ("order 1763632801", None),
        ("deadline=2030-01-01T00:00:00Z", None),
        ("1763632801", "2025-11-20T10:00:01+00:00"),
    ],
)
def test_a_time_is_read_only_when_it_states_one_moment(before: str, moment: str | None) -> None:
    (cut,) = split(f"{before} {TASK}").messages
    expected = None if moment is None else datetime.fromisoformat(moment)
    assert (cut.facts.time and cut.facts.time.moment) == expected


def test_a_record_that_was_cut_off_in_its_message_says_so() -> None:
    (cut,) = split('{"from":"executor","msg":"INF/OBS|g=45,s=done,@=tests_p').messages
    (whole,) = split('{"from":"executor","msg":"INF/OBS|g=45,s=done,@=tests_pass"}').messages

    assert cut.facts.attributes["cut_off"] is True
    assert "cut_off" not in whole.facts.attributes


@pytest.mark.parametrize("end", ["…", "..."])
def test_a_value_that_was_shortened_says_so(end: str) -> None:
    (cut,) = split(f"REQ/TSK|g=1,@=auth_re{end}").messages
    (words,) = split(f"REJ/PLN|g=1,!=still waiting for it{end}").messages

    assert cut.facts.attributes == {"cut_off": True}
    assert not words.facts


@pytest.mark.parametrize(
    "text",
    [
        'planner,"INF/OBS|g=42,t=1,!=the build\nfailed"\nexecutor,"again"\n',
        "const wire = `INF/OBS|g=42,t=1,!=the build\n  failed\n  again`;\n",
        "send('INF/OBS|g=42,t=1,!=the build\r\nfailed')\r\n",
        'send("INF/OBS|g=42,t=1,!=the build\nfailed", "again")\n',
        "say “INF/OBS|g=42,t=1,!=the build\nfailed” again\n",
    ],
)
def test_a_value_whose_string_ends_in_a_later_line_says_so(text: str) -> None:
    (cut,) = split(text).messages

    assert cut.wire == "INF/OBS|g=42,t=1,!=the build"
    assert cut.facts.is_cut_off


@pytest.mark.parametrize(
    "text",
    [
        f'"{TASK}\n"\n',
        f'"{TASK}\nand more\n',
        f"'{TASK}\n{TASK}'\n",
        f'wire = """{TASK}\nand more"""\n',
        f"<td>{TASK}\nand more</td>\n",
        f'"{TASK}\n' + "and more\n" * 20 + '"\n',
        f'msg="{TASK}\n10:01 disk 5 1/4"\n',
        f'msg="{TASK}\nmsg="hello"\n',
        f'- "{TASK}\n- "ok"\n',
        f"say '{TASK}\nthe agents' log\n",
        f"say '{TASK}\nit's ok\n",
        f"say “{TASK}\nand “more”\n",
        f'msg="{TASK}\nmsg="(hello)"\n',
        f"say '{TASK}\n\nthe agents'\n",
        f'wire = """{TASK}\nabout 5"\n"""\n',
    ],
)
def test_a_string_that_may_have_ended_with_its_message_says_nothing(text: str) -> None:
    assert not any(cut.facts.is_cut_off for cut in split(text).messages)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        (
            '{"ts":"2026-11-20T09:00:02Z","msg":"2026-11-20 10:00:01 a: REQ/TSK|g=1"}',
            "2026-11-20T09:00:02+00:00",
        ),
        (
            '{"ts":"2026-11-20 09:00:02","msg":"2026-11-20T10:00:01Z a: REQ/TSK|g=1"}',
            "2026-11-20T10:00:01+00:00",
        ),
        (
            '{"streams":[{"values":[["1763632801000000000","REQ/TSK|g=1"]]}]}',
            "2025-11-20T10:00:01+00:00",
        ),
        (
            '{"fields":{"@timestamp":["2026-11-20T10:00:01Z"],"message":["REQ/TSK|g=1"]}}',
            "2026-11-20T10:00:01+00:00",
        ),
    ],
)
def test_a_record_states_the_surest_time(text: str, moment: str) -> None:
    (cut,) = split(text).messages
    assert cut.facts.time is not None
    assert cut.facts.time.moment == datetime.fromisoformat(moment)


@pytest.mark.parametrize("unit", ["a1", "aB3d", "1", "1a", "\\u007c"])
def test_a_long_word_before_a_bar_takes_time_in_proportion(unit: str) -> None:
    def seconds(size: int) -> float:
        begin = time.process_time()
        split(unit * (size // len(unit)) + "|x")
        return time.process_time() - begin

    assert seconds(80_000) < 0.5


OUTER = "On Sun, 29 Nov 2026 at 22:10, Tom Reyes wrote:\n"
INNER = "> On Sat, 28 Nov 2026 at 10:00, Ana Silva wrote:\n"


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (f"{OUTER}{INNER}> > {TASK}", [("Ana Silva", 28)]),
        (f"{OUTER}> hi\n>\n{INNER}> >\n>> {TASK}", [("Ana Silva", 28)]),
        (f"{OUTER}> {TASK}\n{INNER}> > {TASK}", [("Tom Reyes", 29), ("Ana Silva", 28)]),
        (f"{OUTER}{TASK}", [("Tom Reyes", 29)]),
        # Of others it is not stated.
        (f"{OUTER}> > {TASK}", [(None, None)]),
        (f"{OUTER}{INNER}> > {TASK}\n> {TASK}", [("Ana Silva", 28), (None, None)]),
    ],
)
def test_a_quote_in_a_quote_is_of_the_inner_mail(
    text: str, stated: list[tuple[str | None, int | None]]
) -> None:
    facts = [cut.facts for cut in split(text).messages]
    assert [(one.sender, one.time and one.time.moment.day) for one in facts] == stated
