"""The system prompt of each candidate: a protocol's short specification, or the rules of a
notation that models do not know.

Nothing that a message says gets into a prompt, but for the words that are its keys: the examples
are those of the protocols' references.
"""

from collections import Counter
from collections.abc import Sequence

from cablese import registry
from cablese.message import Message
from playground.tokens import formats
from playground.tokens.notations.notation import (
    SEXPRESSIONS,
    SHORT_KEYS,
    TOON,
    XML,
    get_notations,
)
from playground.tokens.notations.short_keys import Legend
from playground.tokens.prompt import teach

_RULES = {
    SHORT_KEYS: "minified JSON with short keys",
    TOON: "TOON",
    XML: "XML",
    SEXPRESSIONS: "S-expressions",
}
_DETAILS = {
    TOON: (
        "One line per key: key: value. The lines of an object in it are indented by 2 spaces.\n"
        "A list of values: key[2]: a,b. A list of objects with the same keys: key[2]{a,b}: and one "
        "indented line of values per object. Other lists: one indented line per value, after -.\n"
        "Quote text, with the escapes of JSON, that is empty, looks like a number, true, false, or "
        'null, starts with -, has spaces around it, or contains , : " \\ [ ] { } or a line break.'
    ),
    XML: (
        "One element per key in <message>. Write numbers, true, false, and null as in JSON. Text "
        'that looks like one has type="text". A list has type="list" and an <item> per value, an '
        'empty object has type="object".\nA key that is not a name is <item key="…">.'
    ),
    SEXPRESSIONS: (
        "An object is (:key value :key value), a list is (value value), an empty object is (:).\n"
        "Write numbers, true, false, and null as in JSON. Text that is a word of letters, digits, "
        "_, ., and - is bare; other text is in double quotes with the escapes of JSON."
    ),
}


def write(key: str, messages: Sequence[Message], legend: Legend) -> str:
    """Return the prompt that teaches a candidate; empty if a model needs none."""
    counted = Counter(message.protocol for message in messages)
    if key == formats.MESSAGE:
        return "\n".join(teach(protocol) for protocol in counted)
    if key in registry.get_names():
        return teach(key)
    if key not in _RULES:
        return ""
    lines = [
        f"Write to other agents in {_RULES[key]}, one message at a time and nothing else.",
        _list_keys(legend) if key == SHORT_KEYS else _DETAILS[key],
        _show_example(key, counted.most_common(1)[0][0], legend),
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _list_keys(legend: Legend) -> str:
    pairs = "; ".join(f"{short} {word}" for word, short in legend.keys.items() if short != word)
    return f"Keys: {pairs}. Other keys stay as they are." if pairs else ""


def _show_example(key: str, protocol: str, legend: Legend) -> str:
    codec = registry.get(protocol)
    plain = formats.read_plain(codec.decode(codec.reference.example))
    notation = next(one for one in get_notations(legend) if one.key == key)
    return f"Example:\n{notation.write(plain)}"
