"""The source's claims about token savings, with its own texts, so that they can be counted again.

Sections "Why Token Efficiency Matters" and "Token Efficiency Analysis". The source names no
tokenizer. It prints no text for its four-message cycle, and English for only one request.
"""

SOURCE = "nSLIP, the description of the protocol by its author"
ENGLISH = (
    "I need you to create a plan for implementing a health-check endpoint \n"
    "for the authentication service. This is a medium priority task. \n"
    "Please develop an approach and let me know your proposed solution."
)
"""The request in natural language, with line breaks as printed."""
MESSAGE = "REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck"
ENGLISH_CLAIM, MESSAGE_CLAIM, SAVED_CLAIM = 68, 12, 82
QUOTE = "82% token reduction."

CYCLE = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    "PRO/PLN|g=42,t=1,p=2,@=plan_incremental",
    "INF/OBS|g=42,t=1,r=1,s=done,@=tests_pass",
    "EVL/EVL|g=42,t=1,sc=8,@=good_coverage",
)
"""Four messages of the source's example conversation, one from each role. The source does not say
which four it counted.
"""
CYCLE_ENGLISH_CLAIM, CYCLE_JSON_CLAIM, CYCLE_CLAIM = 250, 120, 48
CYCLE_JSON_SAVED, CYCLE_SAVED = 52, 81
CYCLE_QUOTE = "Natural Language ~250 tokens; JSON ~120 tokens, 52%; nSLIP ~48 tokens, 81%"
"""The rows of the table "4-Message Cycle", each as a clause."""
