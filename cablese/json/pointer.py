"""JSON pointers (RFC 6901), by which a refusal names the value that stands in the way."""


def join(*steps: object) -> str:
    """``/slots/a~1b`` for the steps ``slots`` and ``a/b``."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
