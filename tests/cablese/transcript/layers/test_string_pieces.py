"""Strings that a program writes in pieces are read as one."""

import pprint
import time

import pytest

from cablese.transcript import split
from cablese.transcript.layers import string_pieces
from tests.cablese.transcript.layers.arriving import cut_at, feed, wires

TASK, OTHER = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor", "ACC/PLN|g=42,t=1"
REASON = "REJ/PLN|g=42,t=1,!=the build of the service failed again after the last change of it"


@pytest.mark.parametrize(
    "text",
    [
        'message = (\n    "REQ/TSK|g=42,t=1,"\n    "p=2,@=auth_refactor"\n)\nsend(message)\n',
        "send(\n  'REQ/TSK|g=42,t=1,'\n  'p=2,'\n  '@=auth_refactor',\n)\n",
        'bus.send("REQ/TSK|g=42,t=1,"\n         "p=2,@=auth_refactor")\n',
        'send("REQ/TSK|g=42,t=1,p=2,@=auth_" +\n     "refactor");\n',
        'String wire = "REQ/TSK|g=42,t=1,p=2" +\r\n    ",@=auth_refactor";\r\n',
        "const wire = `REQ/TSK|g=42,t=1` +\n  `,p=2` +\n  `,@=auth_refactor`;\n",
        "{'from': 'planner',\n 'wire': 'REQ/TSK|g=42,t=1,p=2,'\n         '@=auth_refactor'}\n",
        "[(b'REQ/TSK|g=42,t=1,p=2,'\n  b'@=auth_refactor')]\n",
    ],
)
def test_the_pieces_of_a_string_are_one_message(text: str) -> None:
    assert wires(text) == [TASK]
    assert list(feed(list(text))) == [TASK]
    assert wires(f"{OTHER}\n{text}{OTHER}\n") == [OTHER, TASK, OTHER]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_what_pprint_writes_is_read(width: int) -> None:
    sent = [{"from": "planner", "wire": REASON}, {"from": "executor", "wire": OTHER}]
    text = pprint.pformat(sent, width=width, sort_dicts=False)

    assert wires(text) == [REASON, OTHER]
    assert wires(pprint.pformat([REASON, OTHER], width=width)) == [REASON, OTHER]


@pytest.mark.parametrize(
    "text",
    [
        f'"{TASK}"\n"{OTHER}"\n',
        f'send("{TASK}",\n     "a remark")\n',
        f'send("{TASK}"\n"{OTHER}")\n',
        f'send("{TASK}\\n"\n     "{OTHER}\\n")\n',
        f"send(\n`{TASK}`\n```\n)\n",
        f"'msg': '{TASK}'\n'msg': '{OTHER}'\n",
        f'[info] msg="{TASK}"\n"quoted"\n',
        # An array of a shell, and what numpy prints.
        f'ARGS=(\n  "{TASK}"\n  "executor"\n)\n',
        f"['{TASK}'\n 'done']\n",
        # Rows of a table, also of one that was compared with another.
        f'+"1","planner","{TASK}"\n+"2","executor","hello"\n',
        f'"sad :(","{TASK}"\n"bob","hello"\n',
        f' [\n-  "{TASK}"\n+  "timeout"\n ]\n',
        f'+ "{TASK}"\n+ "sent to executor"\n',
        f'She wrote,\n"{TASK}"\n"please hurry"\n',
        f'"""\n("{TASK}"\n"""\n',
        f"['{TASK},'\n '{OTHER}']\n",
        # No string, or none of a program.
        f'send("{TASK}" +\n     "x".repeat(3))\n',
        f'send("{TASK}" +\n     "," + other)\n',
        f':( "{TASK},"\n"noted"\n',
        f'(msg="{TASK},"\n  "INFO" received\n',
        f'MSGS=(\n  "{TASK} "\n   "some words"\n)\n',
        f"['{TASK},'\n '10:01 planner: {OTHER}']\n",
    ],
)
def test_strings_of_their_own_are_not_joined(text: str) -> None:
    count = 1 + text.count("ACC/PLN")

    assert [wire.rstrip(", ") for wire in wires(text)] == [TASK, OTHER][:count]
    assert list(feed(list(text))) == wires(text)


def test_an_object_is_a_message_of_its_own() -> None:
    packet, plan = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|", '{"g":"FIND","plan":[]}'

    assert wires(f"['{packet}'\n '{plan}']\n") == [packet, plan]


def test_a_piece_with_which_the_message_is_wrong_is_none_of_it() -> None:
    assert wires('log("REQ/TSK|g=42,t=1" +\n    " sent to executor")\n') == ["REQ/TSK|g=42,t=1"]


def test_a_message_in_json_is_joined() -> None:
    (cut,) = split("""wire = ('{"g": "FIND_HOTEL", "plan": '\n        '[]}')\n""").messages

    assert cut.wire == '{"g": "FIND_HOTEL", "plan": []}'


def test_a_line_that_no_piece_can_follow_is_not_held_back() -> None:
    for line in (
        f"{TASK}\n",
        f'level=info msg="{TASK}"\n',
        f"'{TASK}'\n",
        f'msg = "{TASK}"\n',
        f'  "{TASK}"\n',
        f'INFO (bus: "{TASK}"\n',
    ):
        assert [cut.wire for cut in split(f"{line}\n", final=False).messages] == [TASK]


def test_a_string_of_many_pieces_is_not_held_back_without_limit() -> None:
    for end in ("\n", "\n  ", '\n  "a'):
        for pieces, is_held in ((100, True), (2_000, False)):
            text = 'x = "REQ/TSK|g=42,t=1," +\n' + '  "a" +\n' * pieces + f'  "a" +{end}'
            assert bool(split(text, final=False).messages) is not is_held


def test_the_places_are_those_of_the_text() -> None:
    text = f'send("REQ/TSK|g=42,t=1,"\n     "p=2,@=auth_refactor")  {OTHER}\n'
    cut = split(text).messages[0]

    assert text[slice(*cut.span)] == 'REQ/TSK|g=42,t=1,"\n     "p=2,@=auth_refactor'


def test_many_pieces_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        text = "x = (\n" + '  "REQ/TSK|g=42,t=1,"\n' * count + ")\n" + '"\n' * count
        text += '"' + " " * count + 'x\n"a"\n"\n' + " " * count + 'x\n"a"\n'
        begun = time.perf_counter()
        for part in (text, *cut_at(text, len(text) // 4)):
            string_pieces.take_out(part, final=False)
        return time.perf_counter() - begun

    seconds(100)
    assert seconds(8_000) < 40 * seconds(1_000)
