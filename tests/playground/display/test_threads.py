"""Of many conversations, those with the worst findings are shown."""

from playground.display.threads import tally_findings
from playground.workbench.document import Reading
from playground.workbench.parts.threads import Threads


def test_of_too_many_conversations_the_worst_are_shown_and_the_rest_counted() -> None:
    text = "REQ/TSK|g=1,t=1\nACC/TSK|g=1,t=1\nACC/TSK|g=2,t=1\nACC/TSK|g=2,t=1\n"
    threads = Threads(Reading(text, protocol="nslip", tokenizer="o200k_base"))
    every = list(threads.all)
    assert len(every) == 2
    assert (threads.chosen, threads.left) == (every, 0)

    threads.most = 1

    assert (threads.chosen, threads.left) == (threads.worst_first[:1], 1)
    assert threads.chosen == every[1:]


def test_without_a_finding_every_severity_counts_none() -> None:
    assert set(tally_findings([]).values()) == {0}
