"""What can be copied of a message, run as it was copied."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cablese import detection
from cablese.message import Message
from playground.examine import snippets

BASE = "http://127.0.0.1:8000/"
ROOT = Path(__file__).resolve().parents[3]
HOSTILE = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    'REQ/TSK|g=42,@=it\'s a "quote" and `id` and $(id) and $HOME and !!',
    "REQ/TSK|g=42,@=back\\slash\\' \\\" \\n \\u0041 \\",
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\r\nperiod:2024-08|\nfmt:json",
    "INF/OBS|g=1,@=nul\0 esc\x1b[31m bell\a del\x7f",
    "INF/OBS|g=1,@=safe\u202egpj.exe\u2066\u200b\ufeff\u2028\u2029\x85",
    "INF/OBS|g=1,@=\U0001f600\U000e0061 \U00013080 \u00e9 e\u0301",
    "INF/OBS|g=1,@=\ud800 alone \udc80",
    "'; rm -rf / #",
    "'''\n\"\"\"\nimport os",
    "EOF\nJSON\n",
    "--data @/etc/passwd",
    "@/etc/passwd",
    '{"format":"text","subformat":"English","content":"\\u202e {braces} %s {0} \\"\\"\\" \'\'\'"}',
    (
        '{"g":"FIND","plan":[["s","H",{"p":150.5,"f":null,"t":true,"big":9007199254740991,'
        '"e":1e300}]],"ctx":{"a":["x"]}}'
    ),
    '{"g":"' + "deep" * 30 + '","plan":[["s","H",' + '{"a":' * 40 + "1" + "}" * 40 + "]]}",
    "T|19|C|act=run;cmd=pytest%20-k%20auth",
    "SLIP v3 planner executor Ask Status",
    "",
    " ",
)


def made(wire: str, name: str) -> snippets.Snippet:
    return next(one for one in snippets.write(detection.decode(wire), BASE) if one.name == name)


def copied(wire: str, name: str) -> str:
    """The text of a snippet: plain ASCII, so nothing in it looks like something else."""
    text = made(wire, name).text
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    return text


def run_curl(text: str, folder: Path) -> list[str]:
    """The words that bash gives to curl."""
    curl = folder / "curl"
    curl.write_text(f"#!{sys.executable}\nimport sys, json\nprint(json.dumps(sys.argv[1:]))\n")
    curl.chmod(0o755)
    environ = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "CABLESE_KEY": "cbl_live_x",
        "HOME": "/nowhere",
    }
    done = subprocess.run(
        ["bash", "-c", text], env=environ, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("wire", HOSTILE)
def test_a_shell_gives_curl_the_message_as_it_is(wire: str, tmp_path: Path) -> None:
    decode = run_curl(copied(wire, "curl"), tmp_path)
    keep = run_curl(copied(wire, "ingest"), tmp_path)

    assert decode[:3] == [
        "http://127.0.0.1:8000/api/v1/decode",
        "-H",
        "Content-Type: application/json",
    ]
    assert decode[3] == "--data-raw"
    assert json.loads(decode[4])["text"] == wire
    assert keep[0] == "http://127.0.0.1:8000/api/v1/packets"
    assert "Authorization: Bearer cbl_live_x" in keep
    assert json.loads(keep[-1])["wire"] == wire
    assert (len(decode), len(keep)) == (5, 7)


def test_python_and_tests_run_for_every_text(tmp_path: Path) -> None:
    for number, wire in enumerate(HOSTILE):
        name = f"test_snippet_{number}.py"
        (tmp_path / name).write_text(copied(wire, "pytest"), encoding="ascii")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:django",
        "-c",
        os.devnull,
    ]
    command += ["--import-mode=importlib", str(tmp_path)]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert f"{len(HOSTILE)} passed" in done.stdout, done.stdout


def test_a_copied_test_fails_once_the_meaning_is_another(tmp_path: Path) -> None:
    text = copied(HOSTILE[0], "pytest").replace("'goal': 42", "'goal': 43").replace("g=42", "g=43")
    (tmp_path / "test_other.py").write_text(text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:django",
        "-c",
        os.devnull,
    ]

    done = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "1 failed" in done.stdout


def test_python_reads_the_message_as_it_is(tmp_path: Path) -> None:
    lines = [f"exec({copied(wire, 'python')!a})\nassert wire == {wire!a}\n" for wire in HOSTILE]
    program = tmp_path / "all.py"
    program.write_text("".join(lines))
    environ = dict(os.environ) | {
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8:backslashreplace",
    }

    done = subprocess.run(
        [sys.executable, program],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "nslip/1 valid"


def test_urllib_sends_the_message_as_it_is() -> None:
    sent: list[Any] = []
    for wire in HOSTILE:
        text = copied(wire, "urllib")
        space: dict[str, Any] = {}
        before = text[: text.index("with urllib")]
        exec(before, space)  # noqa: S102 - what was copied is meant to be run
        request = space["request"]
        sent.append(json.loads(request.data))
        assert request.full_url == "http://127.0.0.1:8000/api/v1/decode"
        assert request.get_method() == "POST"
        compile(text, "copied", "exec")
    assert [item["text"] for item in sent] == list(HOSTILE)


def test_an_address_cannot_leave_its_quotes(tmp_path: Path) -> None:
    message: Message = detection.decode(HOSTILE[0])
    for one in snippets.write(message, "http://x'$(id)\n/"):
        if one.name == "curl":
            assert run_curl(one.text, tmp_path)[0] == "http://x'$(id)\n/api/v1/decode"
        if one.name == "urllib":
            compile(one.text, "copied", "exec")


def test_a_long_message_is_not_written() -> None:
    assert snippets.write(detection.decode("REQ/TSK|g=1,@=" + "x" * snippets.LONGEST), BASE) == ()
