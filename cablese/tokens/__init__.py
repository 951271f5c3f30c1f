"""Tokens: exact counts and token pieces, for every tokenizer this installation has. Needs no
network and no Django.

>>> count("REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck").count
19
"""

from cablese.tokens.piece import Piece
from cablese.tokens.tokenizer import (
    Count,
    Info,
    UnknownTokenizer,
    count,
    count_batch,
    info,
    names,
    pieces,
    starts,
)
from cablese.tokens.vocabulary import VocabularyError, configure

__all__ = [
    "Count",
    "Info",
    "Piece",
    "UnknownTokenizer",
    "VocabularyError",
    "configure",
    "count",
    "count_batch",
    "info",
    "names",
    "pieces",
    "starts",
]
