"""Turns of a chat as the tokens of a model write them. The next one may begin on the line where one
ends:

    <|im_start|>user                  <|start_header_id|>user<|end_header_id|>
    REQ/TSK|g=42,t=1<|im_end|>
    <|im_start|>assistant             REQ/TSK|g=42,t=1<|eot_id|><|start_header_id|>assistant…

A value that is such a token, or begins with one, stays a value.
"""

import re

from cablese.transcript import encoding
from cablese.transcript.encoding import Decoded

END = r"(?:<\|(?:im_end|eo[tm]_id|end|endoftext|end_of_text)\|>|<end_of_turn>|</s>)"
_ROLE = r"(user|assistant|system|tool|developer|model|ipython)"
BEGIN = (
    r"(?:<\|begin_of_text\|>|<s>|<bos>|\[gMASK\]<sop>)?"
    rf"(?:(?:<\|im_start\|>|<start_of_turn>){_ROLE}(?: name=([A-Za-z_][\w.@+-]{{0,63}}))?"
    rf"|<\|start_header_id\|>{_ROLE}<\|end_header_id\|>|<\|{_ROLE}\|>)"
)
"""The heading of a turn: a role, and in one form perhaps a name."""
_SIGNS = "<|", "<start_of_turn>"
_NEXT = re.compile(rf"(?<=[^\s=:|,])(?:[ \t]*{END})++(?=[ \t]*{BEGIN}[ \t]*[\r\n])")


def take_out(text: str) -> Decoded | None:
    """Return ``text`` with a line end where a turn ends and the heading of another follows; None if
    it has no such place.
    """
    if not any(sign in text for sign in _SIGNS):
        return None
    found = [(*one.span(), "\n") for one in _NEXT.finditer(text)]
    return encoding.replace(text, found) if found else None
