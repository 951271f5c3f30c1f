"""One protocol into another, into English or into plain JSON, and what that does to each thing the
message says.

A codec states what its message says (``state``), the target's codec says that in its own words
(``express``), and what it made is read again: the ledger is what the reading finds. Then the way
back is really gone, and judged by comparing values. Nothing is flattened in silence: where no
faithful form exists, a translation is refused in words.

    translate(decode("REQ/TSK|g=42,t=1"), "aacp").wire
    'PROC|TSK|return:unstated|aacp:1.1|x-cablese-goal:42|x-cablese-task:1|x-cablese-added:return'

A dialect is a target too where its codec says so: from one version of SACP into the other both are
stated in the words that both versions know (``state_across``), and judged in the same way.

English is ``describe`` and has no way back. JSON is ``plain``, which is read back through the same
words.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec import UNSET, Struct, structs

from cablese import detection, registry
from cablese.codec import Codec, Unencodable
from cablese.json import jsontext
from cablese.message import Message, Piece

from .ledger import Difference, Row, Side, compare, differences, idle, measure
from .statement import Inexpressible, Place, Restored, Statement

ENGLISH = "english"
JSON = "json"
NO_WAY_BACK = (
    "English cannot be translated back: it is a description, and the message is authoritative."
)


class Return(Struct, frozen=True):
    """The round trip: the wire that came of it, and how its values differ from the original ones.

    ``faithful`` if they do not differ, ``lost`` if something is missing, ``changed`` otherwise.
    ``private`` are the fields of the translation that carry what the target cannot express: a round
    trip without them loses more.
    """

    wire: str | None
    verdict: Literal["faithful", "changed", "lost"]
    differences: tuple[Difference, ...] = ()
    words: str = ""
    private: tuple[str, ...] = ()


class Translation(Struct, frozen=True, rename={"back": "return"}):
    """A text in the target, a row for everything that the source says, and the return trip; or why
    there is none.

    ``added`` is what the target demands and the source does not say.
    """

    protocol: str
    to: str
    wire: str | None = None
    valid: bool = False
    ledger: tuple[Row, ...] = ()
    added: tuple[Place, ...] = ()
    back: Return | None = None
    refused: str | None = None


def get_targets() -> tuple[str, ...]:
    """Return all translation targets."""
    return (
        *registry.get_names(),
        *(dialect for codec in registry.all_codecs() for dialect in codec.targets),
        ENGLISH,
        JSON,
    )


def get_title(to: str) -> str:
    """Return the title of a target. Raises registry.UnknownProtocol."""
    codec, dialect = _find(to)
    return f"{codec.title} {dialect.rpartition('/')[2]}" if dialect else codec.title


def _find(to: str) -> tuple[Codec, str | None]:
    """Return the codec of a target, and the dialect if it names one."""
    codec = registry.get(to.partition("/")[0])
    if "/" in to and to not in codec.targets:
        raise registry.UnknownProtocol(to)
    return codec, to if "/" in to else None


def translate_text(
    wire: str, to: str, *, protocol: str | None = None, dialect: str | None = None
) -> Translation:
    """Translate ``wire``, which is of ``protocol`` (``json`` for a plain reading), or of whichever
    claims it.
    """
    if protocol == ENGLISH:
        return Translation(ENGLISH, to, refused=NO_WAY_BACK)
    if protocol == JSON:
        return _from_json(wire, to)
    return translate(detection.decode(wire, protocol, dialect=dialect), to)


def translate(message: Message, to: str) -> Translation:
    """Translate ``message`` to a protocol, ``english``, or ``json``. Raises only
    registry.UnknownProtocol.
    """
    make = {ENGLISH: _to_english, JSON: _to_json}.get(to)
    into, dialect = (None, None) if make else _find(to)
    try:
        _check(message, to)
        codec = registry.get(message.protocol)
        return (
            make(message, codec) if make else _to_protocol(message, codec, into or codec, dialect)
        )
    except Inexpressible as error:
        return Translation(message.protocol, to, refused=str(error))
    except Unencodable as error:
        return Translation(message.protocol, to, refused=f"Cannot be written: {error.reason}")


def _check(message: Message, to: str) -> None:
    if message.protocol == detection.UNKNOWN:
        raise Inexpressible("No protocol detected, so this text cannot be translated.")
    if to in (message.protocol, message.dialect):
        raise Inexpressible(f"The message is already {get_title(to)}.")
    errors = [diagnostic for diagnostic in message.diagnostics if diagnostic.severity == "error"]
    if errors:
        many = f"{len(errors):,} errors. The first" if len(errors) > 1 else "an error"
        raise Inexpressible(
            f"Only valid messages can be translated. This one has {many}: {errors[0].message}"
        )


def _to_protocol(message: Message, codec: Codec, into: Codec, dialect: str | None) -> Translation:
    across = codec is into
    source = codec.state_across(message) if across else codec.state(message)
    _check_parts(source, into)
    output = _express(source, codec.describe(message), into, dialect, across=across)
    target = into.state_across(output) if across else into.state(output)
    target_side = Side(
        get_title(output.dialect) if across else into.title, into.meaning(output).act
    )
    source_side = Side(get_title(message.dialect) if across else codec.title, source.meaning.act)
    ledger = tuple(measure(message, source, target, target_side, source_side))
    for row in ledger:
        if row.term in source.essential and row.verdict == "dropped":
            raise Inexpressible(
                f"{into.title} has no equivalent of {row.source.key}, which the message needs."
            )
    back = _go_back(message, codec, lambda: _return(target, output, message, across=across))
    back = structs.replace(
        back, private=tuple(dict.fromkeys(target.places[name].key for name in target.carried))
    )
    return Translation(
        codec.name,
        dialect or into.name,
        output.wire,
        output.valid,
        ledger,
        tuple(target.added),
        back,
    )


def _return(
    target: Statement, output: Message, message: Message, *, across: bool
) -> dict[str, Any]:
    """Return the source's values, made from the translation."""
    codec, into = registry.get(message.protocol), registry.get(output.protocol)
    return (
        codec.express_across(target, message.dialect)
        if across
        else codec.express(target, into.sentence(output), message.dialect)
    )


def _check_parts(statement: Statement, into: Codec) -> None:
    """Raise Inexpressible for bytes and tokens that must not be written into a line of text."""
    if statement.secret:
        raise Inexpressible(
            f"The message contains {statement.secret[0]}, which must not leave its endpoint."
        )
    if statement.opaque and into.form == "line":
        raise Inexpressible(
            f"The message contains {statement.opaque[0]}, which {into.title} cannot represent."
        )


def _express(
    statement: Statement,
    description: tuple[Piece, ...],
    into: Codec,
    dialect: str | None,
    *,
    across: bool,
) -> Message:
    values = (
        into.express_across(statement, dialect)
        if across and dialect is not None
        else into.express(statement, _join(description), dialect)
    )
    output = into.decode(into.encode(values, dialect=dialect), dialect=dialect)
    error = next(
        (diagnostic for diagnostic in output.diagnostics if diagnostic.severity == "error"),
        None,
    )
    if error is not None:
        raise Inexpressible(f"Not possible in {into.title}: {error.message}")
    return output


def return_from_plain(message: Message, plain: object) -> Return:
    """Return the round trip of ``message`` through plain JSON that came back as ``plain``."""
    if not isinstance(plain, dict):
        return Return(None, "lost", words="The round trip gives no JSON object.")
    codec = registry.get(message.protocol)
    return _go_back(message, codec, lambda: codec.restore(plain).values)


def _go_back(message: Message, codec: Codec, values: Callable[[], dict[str, Any]]) -> Return:
    """Return the round trip. ``values`` returns the source's values from the translation."""
    try:
        wire = codec.encode(values(), dialect=message.dialect)
    except (Inexpressible, Unencodable) as error:
        return Return(None, "lost", words=f"The round trip is not possible: {error}")
    again = codec.decode(wire, dialect=message.dialect)
    return _judge(wire, tuple(differences(message.values, again.values)))


def _judge(wire: str, changed: tuple[Difference, ...]) -> Return:
    lost = any(difference.after is UNSET for difference in changed)
    return Return(wire, "lost" if lost else "changed" if changed else "faithful", changed)


def _to_english(message: Message, codec: Codec) -> Translation:
    pieces = codec.describe(message)
    statement = codec.state(message)
    rows = (_describe_row(name, place, pieces) for name, place in _places(statement))
    return Translation(
        codec.name,
        ENGLISH,
        _join(pieces),
        valid=True,
        ledger=(*rows, *idle(message, statement)),
        back=Return(None, "lost", words=NO_WAY_BACK),
    )


def _places(statement: Statement) -> Iterator[tuple[str, Place]]:
    """Yield every place that a message states, with its name."""
    yield from statement.places.items()
    yield from ((place.key, place) for place in (*statement.implied, *statement.added))


def _describe_row(name: str, place: Place, pieces: tuple[Piece, ...]) -> Row:
    root = place.key.split(".", 1)[0]
    about = [
        piece.text
        for piece in pieces
        if piece.field and root and piece.field.split(".", 1)[0] == root
    ]
    if not about:
        return Row(
            name,
            "dropped",
            place,
            None,
            returns=False,
            words="Not mentioned in the description.",
        )
    at = Place("", "".join(about))
    if str(place.value) in at.value:
        return Row(name, "kept", place, at, returns=False, words="Quoted in the description.")
    return Row(
        name,
        "approximated",
        place,
        at,
        returns=False,
        words="Paraphrased in the description.",
    )


def _to_json(message: Message, codec: Codec) -> Translation:
    plain = codec.plain(message)
    assert isinstance(plain, dict)
    statement, restored = codec.state(message), codec.restore(plain)
    rows = tuple(_in_json(message, statement, plain, restored.words, codec))
    back = _go_back(message, codec, lambda: restored.values)
    return Translation(codec.name, JSON, jsontext.dump(plain), valid=True, ledger=rows, back=back)


def _in_json(
    message: Message,
    statement: Statement,
    plain: dict[str, Any],
    words: dict[str, str],
    codec: Codec,
) -> Iterator[Row]:
    for name, place in _places(statement):
        word, holder = words.get(place.key), words.get(place.key.split(".", 1)[0])
        if word is not None and name not in statement.within:
            at = Place(word, plain[word])
            yield compare(name, place, at, f'Called "{word}".', coded=isinstance(at.value, str))
        elif holder is not None:
            at = Place(holder, plain[holder])
            yield Row(name, "renamed", place, at, returns=True, words=f'Included in "{holder}".')
        else:
            implied = place in statement.implied or not place.key
            why = f"{codec.title} default: omitted here." if implied else "Not needed in JSON."
            yield Row(name, "dropped", place, None, returns=implied, words=why)
    yield from idle(message, statement)


def _from_json(text: str, to: str) -> Translation:
    """Translate plain JSON to a protocol."""
    if to in (ENGLISH, JSON):
        return Translation(
            JSON,
            to,
            refused="Plain JSON can only be translated to a protocol.",
        )
    into, dialect = _find(to)
    title = get_title(to)
    try:
        plain = jsontext.load(text)
        if not isinstance(plain, dict):
            raise Inexpressible("Plain JSON must be one JSON object.")
        restored = into.restore(plain)
        output = into.decode(into.encode(restored.values, dialect=dialect), dialect=dialect)
    except jsontext.NotClean as error:
        return Translation(JSON, to, refused=f"The text is not valid JSON: {error}")
    except Inexpressible as error:
        return Translation(JSON, to, refused=str(error))
    except Unencodable as error:
        return Translation(JSON, to, refused=f"Not possible in {title}: {error.reason}")
    if not output.valid:
        return Translation(
            JSON, to, refused=f"Not possible in {title}: {output.diagnostics[0].message}"
        )
    rows = tuple(_restored_rows(into, plain, restored, output))
    again = into.plain(output)
    assert isinstance(again, dict)
    return Translation(
        JSON,
        to,
        output.wire,
        output.valid,
        rows,
        back=_judge(jsontext.dump(again), tuple(differences(plain, again))),
    )


def _restored_rows(
    into: Codec, plain: dict[str, Any], restored: Restored, output: Message
) -> Iterator[Row]:
    """Yield what became of each word of a plain reading."""
    keys = {word: key for key, word in restored.words.items()}
    statement = into.state(output)
    places = {
        place.key: place for name, place in statement.places.items() if name not in statement.within
    }
    for word, value in plain.items():
        key = keys.get(word, word)
        yield compare(
            word,
            Place(word, value),
            places.get(key, Place(key, output.values.get(key, value))),
            f'Called "{key}".',
            coded=isinstance(value, str),
        )


def _join(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)
