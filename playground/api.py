"""The REST API. Its routers only translate HTTP to calls of the lower layers."""

from auditlog.ingest.body import (
    ARRAY_LIMIT,
    ITEM_LIMIT,
    LINE_LIMIT,
    RATIO,
    SMALL,
    STREAM_LIMIT,
)
from playground.aacp.api import aacp, rules
from playground.audit.api import completion, export, facets, log, proofs, threads
from playground.audit.api.log import ITEM_BODY
from playground.audit.searches import api as searches
from playground.autopilot import api as autopilot
from playground.erasure import api as erasure
from playground.evidence import api as evidence
from playground.examine import api as examine
from playground.nlip import api as nlip
from playground.nslip import api as nslip
from playground.rest import head, parameters, problems
from playground.rest.body import JSON_BODY
from playground.rest.docs import Docs
from playground.rest.openapi import DocumentedAPI
from playground.sacp import api as sacp
from playground.statistics import api as statistics
from playground.stream import api as stream
from playground.tokens import api as tokens
from playground.workbench import api as reading

api = DocumentedAPI(
    title="Cablese",
    version="1",
    urls_namespace="api",
    description="Decode, count, and store messages of compact agent-to-agent protocols.\n\n"
    "Every body can be compressed with Content-Encoding: gzip; limits apply to the decompressed "
    "body. Other encodings are refused with 415.\n\n"
    f"Limits: {ITEM_BODY:,} bytes for one packet, {STREAM_LIMIT:,} bytes and {ITEM_LIMIT:,} items "
    f"for a batch, {ARRAY_LIMIT:,} bytes for a batch that is a JSON array, {LINE_LIMIT:,} bytes "
    f"for a line of NDJSON, and {JSON_BODY:,} bytes for any other JSON. A gzip body over "
    f"{SMALL:,} bytes must not expand to more than {RATIO} times its size.",
    docs=Docs(),
    docs_url="/docs",
    openapi_url="/openapi.json",
)
problems.install(api)
parameters.install(api)
head.install(api)
# Django tries the routes in this order, so the most used come first.
for room in (
    stream, log, completion, reading, threads, facets, searches, export, evidence, erasure,
    proofs, statistics, aacp, rules, tokens, examine, autopilot,
):  # fmt: skip
    api.add_router("/v1", room.router)
for name, room in (("nlip", nlip), ("nslip", nslip), ("sacp", sacp)):
    api.add_router(f"/v1/{name}", room.router)
