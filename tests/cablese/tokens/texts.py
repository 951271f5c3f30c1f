"""Texts where tokenizers disagree, and what other tokenizers make of them."""

from functools import cache

import tiktoken
from hypothesis import strategies as st

from cablese import tokens
from cablese.tokens import vocabulary

OPENAI = ("o200k_base", "cl100k_base")

HARD = (
    "",
    "\0",
    "<|endoftext|><|fim_prefix|><|endofprompt|>",
    "<bos><start_of_turn>[INST]<|im_start|><|eot_id|><｜begin▁of▁sentence｜>",
    "\ud800",
    "a\udfff\ud83e\udde0z",
    "𓂀🧠 日本 \U0010ffff",
    "e\u0301 \u1112\u1161\u11ab \u212b \u0958 \u0344\u0f73",
    "▁ ▁▁  \r\n\t\u2028\ufeff",
    "🧑\u200d🚀👩\u200d👩\u200d👧",
    "a" + "\u0301\u0327" * 50,
)

LONG = (
    " " * 1_000_000,
    "\n" * 500_000,
    "a" * 1_000_000,
    "\u3000" * 1_000_000,
    "日" * 300_000,
    "\ud800" * 250_000,
)

# Letters, marks, joiners, blanks, digits and contractions, close together, which is where
# tokenizers disagree.
awkward = st.text(
    st.sampled_from(
        "aZéßĲǅʰ日한ก्\u0301\u0327\u1100\u1161\u200d🧠𓂀०１5_'’sTll.,|/=;:\r\n\t \u00a0\u3000▁<>\0"
    )
)
any_text = st.one_of(st.text(), awkward)


@cache
def tiktokens(name: str) -> tiktoken.Encoding:
    return vocabulary.encoding(name)


def spelled(found: tuple[tokens.Piece, ...]) -> str:
    return "".join(piece.text for piece in found)


def ids(found: tuple[tokens.Piece, ...]) -> list[int]:
    return [token for piece in found for token in piece.ids]
