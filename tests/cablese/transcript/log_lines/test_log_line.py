"""What a log line states around its message."""

import pytest

from cablese.transcript.log_lines import log_line


@pytest.mark.parametrize(
    ("before", "sender", "recipient"),
    [
        ("planner -> executor ", "planner", "executor"),
        ("planner → executor: ", "planner", "executor"),
        ("from planner to executor: ", "planner", "executor"),
        ("INFO bus planner: ", "planner", None),
        ("<planner> ", "planner", None),
        ("[planner] ", "planner", None),
        ("[MainThread] [planner] ", "planner", None),
        ("from=planner to=executor msg=", "planner", "executor"),
        ("INFO:planner:", "planner", None),
        ("INFO message: ", None, None),
        ("INFO Planner ", "Planner", None),
        ("INFO Planner sends ", "Planner", None),
        # A sentence begins with no logger.
        ("INFO Activity started ", None, None),
        ("10:00:01 [INFO] Handling completed: ", None, None),
        ("planner-1   | ", "planner-1", None),
        ("planner_1   | 2026-11-20T10:00:01.123456789Z ", "planner_1", None),
        ("planner-1   | executor: ", "executor", None),
        ("bus-1   | planner -> executor: ", "planner", "executor"),
        ("planner  | ", "planner", None),
        ("planner   | 10:00:01 executor: ", "executor", None),
        ("planner  | INFO bus: ", "planner", None),
        ("planner | ", None, None),
        ("queued  | ", None, None),
        # The program that labels or pairs name, if it is not one that may run several agents.
        ('{app="planner", env="prod"} ', "planner", None),
        ("app=planner ", "planner", None),
        ("service=planner executor: ", "executor", None),
        ("service=planner from=executor msg=", "executor", None),
        ("service=planner received: ", None, None),
        ("app=bus ", None, None),
        ("app=python3 ", None, None),
        ("container_name=0f3a9c81d2be ", None, None),
        # A logger after a level is a part of the service, and not an agent.
        ("planner-1   | 2026-11-20T10:00:01Z INFO bus: ", "planner-1", None),
        ("planner-1   | INFO [bus] ", "planner-1", None),
        ("planner-1   | 10:00:01 INFO bus: ", "planner-1", None),
        ("planner-1   | 10:00:01,123 - INFO - bus - ", "planner-1", None),
        ("planner-1   | [10:00:01] INFO bus: ", "planner-1", None),
        ("1|planner  | [info] bus - sending ", "planner", None),
        ("[pod/planner-7d9f/main] INFO bus: ", "planner-7d9f", None),
        ("planner-1   | INFO bus: received ", None, "planner-1"),
        ("planner-1   | INFO bus: recv from coder: ", "coder", "planner-1"),
        ("planner-1   | INFO received: ", None, None),
        ("bus-1   | INFO bus: planner: ", "planner", None),
        # A program that runs several agents has a logger for each.
        ("agents-1   | 2026-11-20T10:00:01Z INFO planner: ", "planner", None),
        ("docker-1   | INFO planner: sent ", "planner", None),
        ("app-1   | INFO planner: recv ", None, "planner"),
        ("[pod/agents/main] INFO planner: ", "planner", None),
        ("bus-1   | INFO: ", "bus-1", None),
        ("INFO 7 --- [planner] [nio-8080-exec-1] c.a.Bus  : ", "planner", None),
        ("INFO 7 --- [nio-8080-exec-1] c.a.Bus  : ", None, None),
        ("10:00:01\tINFO\tplanner\tbus/bus.go:12\t", "planner", None),
        ("10:00:01\tINFO\tbus/bus.go:12\t", None, None),
        ("(Planner pid=12) ", "Planner", None),
        ("(Planner pid=12, ip=10.0.0.1) INFO bus.py:12 -- ", "Planner", None),
        ("Item(agent=Agent(name='planner'), text='", None, None),
        ("source='planner' models_usage=Usage(n=1) metadata={} content='", "planner", None),
        ("HandoffMessage(source='planner', models_usage=None, content='", "planner", None),
        ("source='planner' content='", None, None),
        ("jared: ", "jared", None),
        # What was done, keys of YAML, states, and words of programs are not agents.
        ("and I accepted: ", None, None),
        ("created: ", None, None),
        ("Ahmed: ", "Ahmed", None),
        ('on_start: "', None, None),
        ('  retry_policy: "', None, None),
        ("replies: ", None, None),
        ('  File "/srv/app.py", line 3, in handle: ', None, None),
        ("Actual: ", None, None),
        ("Observations: ", None, None),
        ("LogBlueprintUserMessages: Display: ", None, None),
        ("qml: ", None, None),
        ('  left: "', None, None),
        (" [x] Received '", None, None),
        (" [x] Sent '", None, None),
        ("[x1] ", "x1", None),
        ("Task 7: pending -> running: ", None, None),
        ("planner -> done: ", "planner", None),
        ("null -> executor: ", None, "executor"),
        ("executor <- None: ", None, "executor"),
        ("planner >>> executor: ", "planner", "executor"),
        ("bus-1   | INFO bus: planner -> executor: ", "planner", "executor"),
        ("10:00:01 planner.1   | ", "planner.1", None),
        ("1|planner  | ", "planner", None),
        ("[pod/planner-7d9f/main] ", "planner-7d9f", None),
        ("general | ", None, None),
        ("7 | planner-1 | ", None, None),
        ("[thread-1] ", None, None),
        ("[planner] [msg-42] ", "planner", None),
        ("[planner] [req-4bf92f35] ", "planner", None),
        ("[bus] [job-runner] ", "job-runner", None),
        ('planner replied "', "planner", None),
        ("planner replied to executor `", "planner", "executor"),
        ("[INST] ", None, None),
        ("ValueError: ", None, None),
        ("bus.DecodeException: ", None, None),
        ("Task bus.send[abc] succeeded in 0.1s: ", None, None),
        ("planner ~> executor: ", "planner", "executor"),
        ("planner » executor: ", "planner", "executor"),
        ("from=planner,to=executor: ", "planner", "executor"),
        ("planner asked executor: ", "planner", "executor"),
        ("planner sent: ", "planner", None),
        ("message sent: ", None, None),
        ("You replied: ", None, None),
        ("planner (gpt-4): ", "planner", None),
        ("INFO planner [gpt-4]: ", "planner", None),
        ("An error in module (planner): ", None, None),
        ("INFO (main): ", None, None),
        ("INFO [planner]: ", "planner", None),
        ("10:00:01 ERROR [planner]: ", "planner", None),
        ("planner (10:00): ", "planner", None),
        ("planner [10:00 AM]: ", "planner", None),
        ("planner, 10:00:01: ", "planner", None),
        ("planner at 2026-11-20T10:00:01Z: ", "planner", None),
        ("planner @ 10:00: ", "planner", None),
        ("Received at 2026-11-20T10:00:01Z: ", None, None),
        ("Meeting on 2026-11-20T10:00:01Z: ", None, None),
        ("Fri, 20 Nov 2026 10:00:01 +0000 planner: ", "planner", None),
        ("Message to executor: ", None, "executor"),
        ("Message from planner: ", "planner", None),
        ("Message from the: ", None, None),
        ("tx executor: ", None, "executor"),
        ("planner, executor: ", None, None),
        ("planner & executor: ", None, None),
        ("Hi executor: ", None, None),
        ("→ executor: ", None, None),
        ("_planner_: ", "planner", None),
        ("`planner`: ", "planner", None),
        ("“planner”: ", "planner", None),
        ("<planner>: ", "planner", None),
        ("ws: ", None, None),
        ("[planner] sent to [executor]: ", "planner", "executor"),
        (":robot_face: ", None, None),
        (":robot_face: planner: ", "planner", None),
        ("@executor: ", None, "executor"),
        ("planner> ", "planner", None),
        ("mysql> ", None, None),
        ("Planificateur a écrit à Codeur : ", None, None),
        ("upstream said: ", None, None),
    ],
)
def test_it_names_sender_and_recipient(
    before: str, sender: str | None, recipient: str | None
) -> None:
    facts = log_line.read(before)
    assert (facts.sender, facts.recipient) == (sender, recipient)


@pytest.mark.parametrize(
    ("before", "sender", "recipient"),
    [
        ("Ada Lovelace: ", "Ada Lovelace", None),
        ("INFO Ada Lovelace: ", "Ada Lovelace", None),
        ("2026-11-20T10:00:01Z [INFO] Ada King Lovelace: ", "Ada King Lovelace", None),
        ("**Ada Lovelace**: ", "Ada Lovelace", None),
        ("<Ada Lovelace> ", "Ada Lovelace", None),
        ("José García: ", "José García", None),
        ("Simone de Beauvoir: ", "Simone de Beauvoir", None),
        ("J. R. Tolkien: ", "J. R. Tolkien", None),
        ("Ada Lovelace (PM): ", "Ada Lovelace", None),
        ('Ada Lovelace wrote: "', "Ada Lovelace", None),
        ("Code Reviewer -> Team Lead: ", "Code Reviewer", "Team Lead"),
        ("Code Reviewer → Planner ", "Code Reviewer", "Planner"),
        ("Planner -> Executor INFO: ", "Planner", "Executor"),
        ("from Ada Lovelace: ", "Ada Lovelace", None),
        ("To Ada Lovelace: ", None, "Ada Lovelace"),
        ("From Code Reviewer to Team Lead: ", "Code Reviewer", "Team Lead"),
        ("Agent Planner: ", "Planner", None),
        ("WARNING Planner: ", "Planner", None),
        ("Received Planner: ", "Planner", None),
        ("Message Planner -> Executor: ", "Planner", "Executor"),
        ("Handoff Planner -> Executor Request: ", "Planner", "Executor"),
        ("Task Description: ", None, None),
        ("Expected Output: ", None, None),
        ("Example One: ", None, None),
        ("Alpha Beta Gamma Delta Planner: ", None, None),
        ("please ask Ada Lovelace: ", None, None),
        ("Hello Ada Lovelace: ", None, None),
        ("Planner, Ada Lovelace: ", None, None),
    ],
)
def test_a_name_can_have_several_words(
    before: str, sender: str | None, recipient: str | None
) -> None:
    facts = log_line.read(before)
    assert (facts.sender, facts.recipient) == (sender, recipient)


@pytest.mark.parametrize(
    ("before", "sender", "recipient"),
    [
        ("Élodie: ", "Élodie", None),
        ("10:00 Łukasz: ", "Łukasz", None),
        ("Øyvind → Åsa: ", "Øyvind", "Åsa"),
        ("<Михаил> ", "Михаил", None),
        ("Михаил → 田中: ", "Михаил", "田中"),
        ("Сообщение: ", None, None),
        ("例如：", None, None),
        ("7b: ", None, None),
    ],
)
def test_a_name_may_be_of_any_script_where_no_label_is(
    before: str, sender: str | None, recipient: str | None
) -> None:
    facts = log_line.read(before)
    assert (facts.sender, facts.recipient) == (sender, recipient)


@pytest.mark.parametrize(
    ("name", "sender"),
    [
        ("Михаил", "Михаил"),
        ("田中 太郎", "田中 太郎"),
        ("प्रिया शर्मा", "प्रिया शर्मा"),
        ("محمد", "محمد"),
        ("+49 170 1234567", "+49 170 1234567"),
        ("~ Ada Lovelace", "Ada Lovelace"),
        ("ответ от кодера", None),
    ],
)
def test_the_export_of_a_chat_names_senders_in_any_script(name: str, sender: str | None) -> None:
    phone = log_line.read(f"\u200e[20/11/2026, 10:00:01] {name}: ")
    other = log_line.read(f"20/11/2026, 10:00 - {name}: ")
    log = log_line.read(f"2026-11-20 10:00:01 {name}: ")

    assert (phone.sender, other.sender) == (sender, sender)
    assert log.sender == (sender if name.startswith("~") else None)


@pytest.mark.parametrize(
    ("before", "level", "logger"),
    [
        ("2026-11-20 10:00:01 WARNING bus ", "WARNING", "bus"),
        ("INFO:bus.core:", "INFO", "bus.core"),
        ("level=debug logger=bus ", "debug", "bus"),
        ("Nov 20 10:00:01 host bus[12]: ", None, "bus"),
        ("bus-1  | INFO ", "INFO", "bus-1"),
    ],
)
def test_it_names_level_and_logger(before: str, level: str | None, logger: str) -> None:
    attributes = log_line.read(before).attributes
    assert (attributes.get("level"), attributes["logger"]) == (level, logger)


def test_it_reads_the_time_and_what_comes_after() -> None:
    facts = log_line.read("2026-11-20T10:00:01Z ", ' {"trace_id": "4bf9", "to": "executor"}')
    assert facts.time is not None
    assert facts.time.text == "2026-11-20T10:00:01Z"
    assert facts.recipient == "executor"
    assert facts.attributes == {"trace_id": "4bf9"}


def test_spaces_state_nothing() -> None:
    assert not log_line.read("  ", "\t")


def test_a_colon_ends_the_last_pair_only() -> None:
    facts = log_line.read("drive=C: shard=7: from=planner to=executor: ")

    assert (facts.sender, facts.recipient) == ("planner", "executor")
    assert (facts.attributes["drive"], facts.attributes["shard"]) == ("C:", "7:")


@pytest.mark.parametrize(
    ("before", "parties"),
    [
        ("textPayload: ", (None, None)),
        ("log_message: ", (None, None)),
        ("@message: ", (None, None)),
        ("2026-11-20 10:00:01.123 UTC [812] STATEMENT:  ", (None, None)),
        ("1a2b3c4 feat: ", (None, None)),
        ("1a2b3c4 fix: ", (None, None)),
        ("Description: ", (None, None)),
        ("FYI: ", (None, None)),
        ("AACP: ", (None, None)),
        ("ValueError: invalid literal: ", (None, None)),
        ("[PASS] ", (None, None)),
        ("[us-east-1] ", (None, None)),
        ("[eu-bot-1] ", ("eu-bot-1", None)),
        ("context: ", ("context", None)),
        ("Message: ", (None, None)),
        ("Messenger: ", ("Messenger", None)),
        ("@planner: ", (None, "planner")),
        ("planner answered with `", ("planner", None)),
        ("planner told me: ", ("planner", None)),
        ("planner told executor: ", ("planner", "executor")),
        ("planner sent this: ", ("planner", None)),
        ("nobody sent `", (None, None)),
        # What follows a preposition is a place, a subject, or a recipient.
        ("[2026-11-20T10:00:01.125Z]  INFO: planner/7 on bus01: ", (None, None)),
        ("INFO via gateway: ", (None, None)),
        ("for executor: ", (None, None)),
        ("INFO into queue-1: ", (None, None)),
        ("by planner: ", ("planner", None)),
        ("Simon planner: ", ("planner", None)),
    ],
)
def test_words_of_programs_and_sentences_name_nobody(
    before: str, parties: tuple[str | None, str | None]
) -> None:
    facts = log_line.read(before)
    assert (facts.sender, facts.recipient) == parties
