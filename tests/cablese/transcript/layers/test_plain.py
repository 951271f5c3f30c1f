"""From a text of one line with ordinary signs, nothing is taken out."""

from hypothesis import example, given
from hypothesis import strategies as st

from cablese.transcript.layers import plain

ORDINARY = "\t" + "".join(sign for sign in map(chr, range(ord(" "), 0x7F)) if sign not in "#&<^\\")
PIECES = (
    "REQ/TSK|g=42,t=1", '{"delta": {"content": "REQ/"}}', '{"log": "REQ/", "stream": "stdout"}',
    "2026-11-20T10:00:00Z stdout P REQ/", "  - wire: 'REQ/", "'", '"', " +",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(ORDINARY, max_size=8), max_size=6).map("".join))
@example(ORDINARY)
@example("".join(PIECES))
def test_no_layer_takes_anything_out(text: str) -> None:
    for final in (True, False):
        assert all(take(text, final) is None for _, take in plain._TAKEN_OUT)
        assert plain.take_out(text, final=final) == (text, [])
