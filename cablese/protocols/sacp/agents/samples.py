"""Define the first entries: those of the source, and what its two plans need besides.

Quoted as data from SACP, specification v0.1: the verb ``generate``, the tool ``H_API``, and the
agent ``PRICE_PREDICTOR``. The others are ours, after the source's example messages.
"""

from .library import Library, Tool, Verb
from .registry import Agent

LIBRARY = Library(
    verbs=(
        Verb(
            "generate",
            "Creates a new textual or code artifact.",
            ("type", "length", "topic"),
            "string",
        ),
        Verb(
            "search",
            "Finds items that meet the conditions.",
            ("city", "p_max"),
            "array",
            {"city": "string", "p_max": "number"},
        ),
        Verb(
            "rank",
            "Sorts results by the criteria.",
            ("criteria",),
            "array",
            {"criteria": "array"},
        ),
        Verb(
            "present",
            "Shows the first results to a person.",
            ("number",),
            "string",
            {"number": "number"},
        ),
        Verb("extract", "Extracts the requested parts of a document.", ("range",), "array"),
        Verb("analyze", "Determines the sentiment of a text.", (), "object"),
        Verb(
            "predict",
            "Estimates future values from past ones.",
            ("history", "method", "window"),
            "predictions",
        ),
    ),
    tools=(
        Tool(
            "H_API",
            "External API to search for hotels by filters",
            ("search",),
            "https://api.hotelprovider.com/docs",
        ),
        Tool("RANK", "Orders lists", ("rank",)),
        Tool("PRES", "Writes short lists for people", ("present",)),
        Tool("FEEDBACK_DOC", "The feedback that customers gave", ("extract",)),
        Tool("SENTIMENT", "Tells praise from complaint", ("analyze",)),
        Tool("SUMMARY", "Writes summaries", ("generate",)),
        Tool("PRC_EST", "Estimates prices from their history", ("predict",)),
    ),
)
AGENTS = (
    Agent(
        "PRICE_PREDICTOR",
        ("predict",),
        ("PRC_EST",),
        ("ctx.history", "method", "window"),
        ("predictions",),
        "Provides statistical predictions on future hotel prices",
    ),
    Agent(
        "HOTEL_FINDER",
        ("search", "rank"),
        ("H_API", "RANK"),
        ("ctx.loc", "ctx.bdg", "criteria"),
        ("hotels",),
        "Finds and sorts hotels",
        tags=("travel",),
        fallback="HOTEL_ARCHIVE",
    ),
    Agent(
        "HOTEL_ARCHIVE",
        ("search",),
        ("H_API",),
        ("loc",),
        ("hotels",),
        "Finds hotels in last week’s copy of the catalog",
        tags=("travel",),
        confidence_score=0.4,
    ),
    Agent(
        "FEEDBACK_READER",
        ("extract", "analyze"),
        ("FEEDBACK_DOC", "SENTIMENT"),
        ("range",),
        ("statements", "sentiment"),
        "Reads customer feedback and classifies it as praise or complaint",
    ),
    Agent(
        "REPORT_WRITER",
        ("generate", "present"),
        ("SUMMARY", "PRES"),
        ("length", "number"),
        ("text",),
        "Writes results for people, short or long",
        role="Formatter",
    ),
)
