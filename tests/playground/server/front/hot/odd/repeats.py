"""Requests that are sent again: with an event ID, and with an Idempotency-Key."""

from tests.playground.server.front.hot.odd.steps import (
    GOOD,
    PACKETS,
    Case,
    Request,
    case,
    item,
    post,
    sequence,
)

OTHER = b'{"wire":"REQ/TSK|g=43,t=1"}'


def named(value: str, body: bytes = GOOD, path: str = PACKETS, key: str = "key") -> Request:
    return post(body, f"Idempotency-Key: {value}", path=path, key=key)


EVENTS = (
    sequence("an event again", (201, 200, 200), *[post(item(event_id="again"))] * 3),
    sequence("an event again, with spaces in the body", (201, 200),
        post(item(event_id="spaced")), post(b" " + item(event_id="spaced") + b"\n")),
    sequence("an event with another wire", (201, 409, 409, 200),
        post(item(event_id="other")), post(item("INF/OBS|g=1,t=1", event_id="other")),
        post(item("INF/OBS|g=1,t=1", event_id="other")), post(item(event_id="other"))),
    sequence("an event with other metadata", (201, 409),
        post(item(event_id="beside")), post(item(event_id="beside", goal=1))),
    sequence("an event of another source", (201, 201),
        post(item(event_id="both")), post(item(event_id="both"), key="other")),
    sequence("an event of another log", (201, 201),
        post(item(event_id="logs")), post(item(event_id="logs", log="team"))),
    sequence("an invalid event again, which must not be kept now", (201, 422),
        post(item("RJE/PLN|g=1,t=1", event_id="bad")),
        post(item("RJE/PLN|g=1,t=1", event_id="bad"), path=f"{PACKETS}?strict=true")),
)  # fmt: skip
NAMED = (
    sequence("a request again", (201, 201, 201), *[named("one")] * 3),
    sequence("a request again with another body", (201, 422), named("two"), named("two", OTHER)),
    sequence("a request again with another query", (201, 422),
        named("three"), named("three", path=f"{PACKETS}?strict=true")),
    sequence("a request again with another key", (201, 201),
        named("four"), named("four", OTHER, key="other")),
    sequence("a refused request again", (422, 201),
        named("five", item(log="nowhere")), named("five", OTHER)),
    sequence("a conflict again", (201, 409, 409), post(item(event_id="six")),
        named("six", item("INF/OBS|g=1,t=1", event_id="six")),
        named("six", item("INF/OBS|g=1,t=1", event_id="six"))),
    case("a request without a name", 400, named("")),
    case("a name of 255 characters", 201, named("n" * 255)),
    case("a name of 256 characters", 400, named("n" * 256)),
    case("a name with a tab", 400, named("a\tb")),
    case("a name that is not ASCII", 400, named("é")),
    case("two names", 400, post(GOOD, "Idempotency-Key: a", "Idempotency-Key: b")),
    case("a name twice", 400, post(GOOD, "Idempotency-Key: a", "Idempotency-Key: a")),
    case("a name with a comma", 201, named("a,b")),
)  # fmt: skip
CASES: tuple[Case, ...] = (*EVENTS, *NAMED)
