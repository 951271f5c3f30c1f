"""A line that states that its message came in names the recipient, and not the sender."""

import time

import pytest

from cablese.transcript import split
from cablese.transcript.log_lines import incoming, log_line

WIRE = "ACC/PLN|g=1,t=1"
LOGGED = "2026-11-20 10:00:00,000 INFO app.Planner - "


@pytest.mark.parametrize(
    "states",
    [
        "received: ", "Received ", "RECV ", "[RECV] ", "recv<- ", "RX: ", "got ", "received -> ",
        "Incoming message: ", "received a new packet: ", "inbound | ", "[in] ", "IN: ", "<<< ",
        "<< ", "< ", "<- ", "<-- ", "<= ", "← ", 'received: "',
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("before", "writer"),
    [
        (LOGGED, "app.Planner"),
        ("[planner] ", "planner"),
        ("INFO:planner:", "planner"),
        ("10:00:00 planner: ", "planner"),
    ],
)
def test_who_wrote_it_received_the_message(before: str, writer: str, states: str) -> None:
    (cut,) = split(f"{before}{states}{WIRE}").messages

    assert cut.wire == WIRE
    assert (cut.facts.sender, cut.facts.recipient) == (None, writer)


@pytest.mark.parametrize(
    ("line", "parties"),
    [
        (f"[planner] received from coder: {WIRE}", ("coder", "planner")),
        (f"[planner] received message from the coder: {WIRE}", ("coder", "planner")),
        (f"{LOGGED}received {WIRE} from coder", ("coder", "app.Planner")),
        (f"{LOGGED}recv {WIRE},@=auth from coder", ("coder", "app.Planner")),
        (f"{LOGGED}rcvd {WIRE},@=auth from coder", ("coder", "app.Planner")),
        (f"{LOGGED}incoming {WIRE},@=auth from coder", ("coder", "app.Planner")),
        (f"{LOGGED}<- coder: {WIRE}", ("coder", "app.Planner")),
        (f"{LOGGED}<<< from coder: {WIRE}", ("coder", "app.Planner")),
        (f"INFO app.Bus - received: {WIRE} logger=bus", (None, "app.Bus")),
        (f"10:00 level=info agent=planner received {WIRE}", (None, "planner")),
        (f'{{"agent":"planner","message":"received: {WIRE}"}}', (None, "planner")),
        (f'{{"agent":"planner","message":"received from coder: {WIRE}"}}', ("coder", "planner")),
        (f'{{"agent":"planner","message":"sent: {WIRE}"}}', ("planner", None)),
        (f"planner -> executor received: {WIRE}", ("planner", "executor")),
        (f"planner <- executor: {WIRE}", ("executor", "planner")),
        (f"from=coder to=planner received: {WIRE}", ("coder", "planner")),
        (f"received: {WIRE}", (None, None)),
        (f"10:00 [info ] received message   agent=planner wire={WIRE}", (None, "planner")),
        (f"10:00 [info ] message received [app.bus] agent=planner n=1 wire='{WIRE}'",
         (None, "planner")),
        (f'10:00 [info ] planner received wire="{WIRE}"', (None, None)),
        (f"10:00 [info ] received from coder agent=planner wire={WIRE}", ("coder", "planner")),
        (f'level=info msg="received message" agent=planner wire="{WIRE}"', (None, "planner")),
        (f'event="received message" agent=planner wire="{WIRE}"', (None, None)),
        (f"10:00 [info ] not received agent=planner wire={WIRE}", (None, None)),
        (f"10:00 [info ] coder received it from=bus agent=planner wire={WIRE}", ("bus", None)),
        (f"10:00 [info ] <- agent=planner wire={WIRE}", ("planner", None)),
        (f"10:00 [info ] received, retrying agent=planner wire={WIRE}", ("planner", None)),
    ],
)  # fmt: skip
def test_what_else_the_line_names_stays(line: str, parties: tuple[str | None, str | None]) -> None:
    (cut,) = split(line).messages

    assert (cut.facts.sender, cut.facts.recipient) == parties


@pytest.mark.parametrize(
    "line",
    [
        f"{LOGGED}coder received: {WIRE}",
        f"{LOGGED}replying to received message: {WIRE}",
        f"{LOGGED}goal: got {WIRE}",
        f"[planner] executor got {WIRE}",
        f"[planner] not received: {WIRE}",
        f"[planner] @coder received {WIRE}",
        f"[bus] received by mistake: {WIRE}",
        f"[bus] from coder: got {WIRE}",
        f"[bus] delivered: planner -> executor; received {WIRE}",
        f"<alice> bob: got {WIRE}",
        f"coder sent: received {WIRE}",
        f"Message received by planner: {WIRE}",
        f"ts=1763632801 level=info logger=planner direction=in msg={WIRE}",
        f"10:00 [info     ] received: {WIRE}      logger=planner",
        f'{{"level":30,"name":"planner","msg":"received {WIRE}"}}',
        f'{{"logger_name":"com.acme.Planner","level":"INFO","message":"<<< {WIRE}"}}',
    ],
)
def test_in_doubt_neither_party_is_known(line: str) -> None:
    (cut,) = split(line).messages

    assert (cut.facts.sender, cut.facts.recipient) == (None, None)


@pytest.mark.parametrize(
    ("line", "first"),
    [
        (f"{LOGGED}received {WIRE} sent {WIRE}", (None, "app.Planner")),
        (f"{LOGGED}<<< {WIRE} >>> {WIRE}", (None, "app.Planner")),
        (f'[planner] in: "{WIRE}", out: "{WIRE}"', (None, "planner")),
        (f"{LOGGED}sent {WIRE} got {WIRE}", ("app.Planner", None)),
    ],
)
def test_another_message_of_the_line_may_have_gone_the_other_way(
    line: str, first: tuple[str | None, str | None]
) -> None:
    one, other = split(line).messages

    assert (one.facts.sender, one.facts.recipient) == first
    assert (other.facts.sender, other.facts.recipient) == (None, None)


def test_a_logger_between_two_messages_wrote_the_next_one() -> None:
    one, other = split(f"[planner] received: {WIRE} [executor] sent: {WIRE}").messages

    assert (one.facts.sender, one.facts.recipient) == (None, "planner")
    assert (other.facts.sender, other.facts.recipient) == ("executor", None)


@pytest.mark.parametrize(
    "states",
    [
        ">>> ", "-> ", "sent: ", "SEND ", "TX: ", "outgoing: ", "[out] ", "REQUEST ", "<",
        "logged in ", "forgot ", "margin ", "interceived ", "will receive ", "error in: ",
        "coder <- ", "executor << ", "x < ", "priority <= ",
    ],
)  # fmt: skip
def test_other_words_state_nothing_of_the_kind(states: str) -> None:
    facts = log_line.read(f"{LOGGED}{states}")

    assert (facts.sender, facts.recipient) == ("app.Planner", None)


@pytest.mark.parametrize("part", ["< ", "<", "got ", "received from ", "in:", "a", "<-", "[recv] "])
def test_a_long_line_takes_no_longer(part: str) -> None:
    begin = time.process_time()
    for _ in range(100):
        incoming.find(part * 100_000)

    assert time.process_time() - begin < 1


@pytest.mark.parametrize("part", [" a=", ' a="', " a='b", "  ", " [a", " [a]", " a=b", "a", '="'])
def test_many_members_take_no_longer(part: str) -> None:
    begin = time.process_time()
    for _ in range(100):
        incoming.receive(f"received{part * 20_000} wire=", None)

    assert time.process_time() - begin < 1
