"""Places of composed text (Unicode's NFC) in the text as given."""

from cablese.normalization import marks, normalize


def composed_ends(text: str) -> dict[int, int]:
    """Return places of NFC of `text` and their places in `text`, where both sides are independent.

    That is only possible before a character that is not a mark, so each run of marks is read once.
    """
    ends = {0: 0}
    parts: list[str] = []
    start = length = 0
    marks_only = marks("NFD")
    for at, character in enumerate(text):
        if at == 0 or character in marks_only:
            continue
        run = text[start:at]
        part = normalize("NFC", run)
        if normalize("NFC", run + character) == part + normalize("NFC", character):
            parts.append(part)
            start, length = at, length + len(part)
            ends[length] = at
    normalized = normalize("NFC", text)
    parts.append(normalize("NFC", text[start:]))
    end = {len(normalized): len(text)}
    return ends | end if "".join(parts) == normalized else end
