"""In place of tiktoken: an encoding of the JavaScript tokenizer."""

from tokenizer_in_javascript import decode, encode  # type: ignore[import-not-found]


class Encoding:
    def __init__(self, name: str) -> None:
        self.name = name

    def encode_ordinary(self, text: str) -> list[int]:
        tokens: list[int] = encode(self.name, text).to_py()
        return tokens

    def decode_single_token_bytes(self, token: int) -> bytes:
        spelled: bytes = decode(self.name, token).to_bytes()
        return spelled
