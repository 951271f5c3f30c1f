"""One wire for each rule of SLIP v3, with no other diagnostic where possible."""

EXAMPLES = {
    "slip.bad-prefix": "v3 planner executor Request Task auth",
    "slip.unsupported-version": "SLIP v2 planner executor Request Task auth",
    "slip.missing-part": "SLIP v3 planner Request Task auth",
    "slip.bad-agent": "SLIP v3 plan-ner executor Request Task auth",
    "slip.unknown-force": "SLIP v3 planner executor Demand Task auth",
    "slip.joined": "SLIP v3 planner executor RequestTask auth",
    "slip.bad-object": "SLIP v3 planner executor Request Needs-Work",
    "slip.bad-payload": "SLIP v3 planner executor Request Task goal=42",
    "slip.too-many-tokens": (
        "SLIP v3 planner executor Request Task a b c d e f g h i j k l m n o p q r s t u"
    ),
    "slip.fallback-without-ref": "SLIP v3 critic planner Fallback Generic",
    "slip.bad-ref": "SLIP v3 critic planner Fallback Generic ref-1",
    "slip.several-lines": (
        "SLIP v3 planner executor Request Task\nSLIP v3 executor planner Accept Task"
    ),
    "slip.blank": "SLIP v3 planner executor  Request Task",
    "slip.fallback-object": "SLIP v3 critic planner Fallback Plan ref1",
    "slip.missing-condition": "SLIP v3 critic planner Accept Condition",
    "slip.odd-pair": "SLIP v3 planner executor Ask Task auth",
    "slip.lowercase-object": "SLIP v3 planner executor Request review",
}
