"""JSON pointers (RFC 6901), by which a refusal names the value that stands in the way."""


def join(*steps: object) -> str:
    """Return the pointer of steps: ``/slots/a~1b`` for ``slots`` and ``a/b``."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
