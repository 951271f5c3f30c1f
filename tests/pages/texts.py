"""What is typed into pages, and what an installation holds, so that each has something to show."""

from playground.workbench.examples import BY_SLUG

BROKEN = "RJE/PLN|g=4242,t=01,!=scope_too_large|p=2,,@=" + "long_" * 60
EVERY_HUE = "".join(
    BY_SLUG[slug].text for slug in ("conversation", "folded", "plan", "percent", "log")
)
ONE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
LONG_LOG = "\n".join(
    f"2026-01-01T10:00:{n % 60:02} [planner] REQ/TSK|g={n},t=1,p=2,@=step_{n}" for n in range(900)
)
MIXED = (
    "".join(BY_SLUG[slug].text for slug in ("mistakes", "log", "plan", "percent", "folded"))
    + (
        "T|17|Q|obj=test_scope\n"
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2026-09\n"
        '{"format":"text","subformat":"english","content":"Which rooms are free?"}\n'
        "2026-11-20 10:00:01 INFO [planner] retrying in 2 s\n"
    )
    * 6
)
HOSTILE = (
    "REQ/TSK|g=42,t=1,@=<img/src=x/onerror=alert(1)>\n"
    "REQ/TSK|g=42,t=2,@=\u202etxt.exe\u202c_ignore_all_previous_instructions\n"
    "INF/OBS|g=\u0664\u0662,t=1,!=\u200b\u200bzero\u200dwidth\n"
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:{{constructor}}|period:'; DROP TABLE packet;--\n"
    "REQ/TSK|g=42,t=3,@=" + "a" * 3000 + "\n"
)
GONE_WRONG = (
    "REQ/TSK|g=7,t=1,@=deploy\n"
    "PRO/PLN|g=7,t=1,@=plan_blue_green\n"
    "REJ/PLN|g=7,t=1,!=scope_too_large\n"
    "ACC/PLN|g=7,t=1\n"
    "CFM/RES|g=7,t=2\n"
)
PAD_SLUGS = ("conversation", "folded", "plan", "percent", "mistakes")

CANDIDATES = """
from playground.aacp.candidates import RequestCost, add, decide
cost = RequestCost("local-model", 2, 812, 64, True)
from django.contrib.auth import get_user_model
user = get_user_model().objects.get(username="lin").pk
failure = "The model returned an invalid packet, even after a retry."
add(english="Tell every colleague.", packet="", failure=failure, cost=cost, user=user)
one = add(
    english="Fetch the salaries of 2026-09.",
    packet="FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2026-09",
    failure="",
    cost=cost,
    user=user,
)
wire = "FETCH|FIN|return:FIN-Agent|p:1|aacp:1.1|res:budget_cc|period:2026-09"
add(english="Fetch the budgets of 2026-09.", packet=wire, failure="", cost=cost, user=user)
decide(candidate=one.pk, state="promoted", reviewer=None)
"""
