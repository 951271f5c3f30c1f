"""Files in UTF-16, as PowerShell writes them, are read as UTF-8. The import page does the same in
the browser.
"""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryFile
from typing import BinaryIO, cast

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BLOCK = 1 << 20


@contextmanager
def in_utf8(file: BinaryIO) -> Iterator[BinaryIO]:
    """Yield the file in UTF-8: itself, unless it begins with the byte order mark of UTF-16.

    Raises UnicodeDecodeError if it is not valid UTF-16.
    """
    head = file.read(4)
    file.seek(0)
    # The mark of UTF-32 begins like that of UTF-16.
    if head[:2] not in _MARKS or head == codecs.BOM_UTF32_LE:
        yield file
        return
    with TemporaryFile() as made:
        decoder = codecs.getincrementaldecoder("utf-16")()
        for block in iter(partial(file.read, _BLOCK), b""):
            made.write(decoder.decode(block).encode())
        made.write(decoder.decode(b"", final=True).encode())
        made.seek(0)
        yield cast("BinaryIO", made)
