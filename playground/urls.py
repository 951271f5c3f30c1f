from django.urls import path

from playground.aacp import views as aacp
from playground.accounts import views as signin
from playground.accounts.keys import views as keys
from playground.api import api
from playground.audit.completion import views as completion
from playground.audit.facets import views as facets
from playground.audit.health import views as log_health
from playground.audit.proofs import views as proofs
from playground.audit.searches import views as searches
from playground.audit.views import audit, drawer, imports, receipts, save, trail
from playground.autopilot import views as autopilot
from playground.diff import views as diff
from playground.erasure import views as erasing
from playground.evidence import views as evidence
from playground.export import views as export
from playground.health import views as health
from playground.http import errors
from playground.nlip.views import agent, client
from playground.nslip import views as training
from playground.offline import views as offline
from playground.reference import views as protocols
from playground.review.views import bulk, pages, steps
from playground.sacp import views as sacp
from playground.statistics import views as statistics
from playground.stream import views as stream
from playground.tiles import views as tiles
from playground.tokens import views as tokens
from playground.witness import views as witness
from playground.workbench import views as workbench

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error

urlpatterns = [
    path("api/", api.urls),
    path("", workbench.page, name="workbench"),
    path("reading", workbench.reading, name="reading"),
    path("reading/rows", workbench.rows, name="rows"),
    path("reading/marks", workbench.marks, name="marks"),
    path("reading/spending/<slug:name>", workbench.part, {"parts": workbench.SPENDING}, "spending"),
    path("reading/examine/<slug:name>", workbench.part, {"parts": workbench.CHECKS}, "examine"),
    path("reading/found/<slug:name>", workbench.part, {"parts": workbench.FOUND}, "found"),
    path("reading/whole", workbench.whole, name="whole"),
    path("reading/edit", workbench.edit, name="edit"),
    path("reading/export.<slug:ending>", export.reading, name="export-reading"),
    path("diff", diff.page, name="diff"),
    path("fixes", workbench.fix_all, name="fixes"),
    path("autopilot", autopilot.page, name="autopilot"),
    path("autopilot/panel", autopilot.panel, name="autopilot-panel"),
    path("protocols/", protocols.listing, name="protocols"),
    path("protocols/<slug:name>", protocols.page, name="protocol"),
    path("protocols/<slug:name>/requirements/<slug:requirement>", protocols.proof, name="proof"),
    path("protocols/nslip/training", training.page, name="nslip-training"),
    path("protocols/nslip/training.jsonl", training.download, name="nslip-training-file"),
    path("claims/", tokens.claims, name="claims"),
    path("examples/", workbench.examples, name="examples"),
    path("places", workbench.places, name="places"),
    path("share/redacted", workbench.redacted, name="redacted"),
    path("import/", imports.page, name="import"),
    path("import/earlier", imports.earlier, name="import-earlier"),
    path("import/piece", imports.chunk, name="import-piece"),
    path("import/preview", imports.preview_file, name="import-preview"),
    path("save", save.preview, name="save"),
    path("save/confirm", save.save, name="save-confirm"),
    path("aacp/", aacp.page, name="aacp"),
    path("aacp/workflows/<str:name>", aacp.workflow, name="aacp-workflow"),
    path("aacp/english", aacp.english, name="aacp-english"),
    path("aacp/candidates", aacp.listed, name="aacp-candidates"),
    path("aacp/candidates/<int:number>", aacp.decide, name="aacp-decide"),
    path("aacp/candidates/<int:number>/slots", aacp.slots, name="aacp-slots"),
    path("aacp/rules/<int:number>/withdraw", aacp.withdraw, name="aacp-withdraw"),
    path("sacp/", sacp.page, name="sacp"),
    path("sacp/plan", sacp.plan, name="sacp-plan"),
    path("sacp/plan/spawn", sacp.spawn, name="sacp-spawn"),
    path("sacp/history", sacp.history, name="sacp-history"),
    path("sacp/assemble", sacp.assemble, name="sacp-assemble"),
    path("sacp/<slug:kind>/", sacp.new, name="sacp-new"),
    path("sacp/<slug:kind>/<str:name>", sacp.definition, name="sacp-definition"),
    path("sacp/<slug:kind>/<str:name>/withdraw", sacp.withdraw, name="sacp-withdraw"),
    path("audit/", trail.trail, name="audit"),
    path("audit/facets", facets.fragment, name="facets"),
    path("audit/complete", completion.fragment, name="complete"),
    path("audit/receipt", receipts.page, name="receipt"),
    path("audit/receipts.ndjson", proofs.receipts, name="receipts-file"),
    path("audit/health", log_health.page, name="log-health"),
    path("audit/health/check", log_health.start, name="log-health-check"),
    path("audit/health/progress", log_health.progress, name="log-health-progress"),
    path("audit/conversations", trail.conversations, name="conversations"),
    path("audit/conversations.<str:form>", trail.picture, name="picture"),
    path("audit/export.<str:form>", trail.export, name="export"),
    path("audit/evidence", evidence.page, name="evidence"),
    path("audit/evidence/progress", evidence.show_progress, name="evidence-progress"),
    path("audit/evidence/file.<str:form>", evidence.download, name="evidence-file"),
    path("audit/columns", searches.choose_columns, name="columns"),
    path("audit/searches", searches.page, name="searches"),
    path("audit/searches/save", searches.save, name="search-save"),
    path("audit/searches/<slug:log>/<uid:uid>/rename", searches.rename, name="search-rename"),
    path("audit/searches/<slug:log>/<uid:uid>/update", searches.update, name="search-update"),
    path("audit/searches/<slug:log>/<uid:uid>/delete", searches.delete, name="search-delete"),
    path("audit/statistics", statistics.page, name="statistics"),
    path("audit/review/", pages.page, name="review-desk"),
    path("audit/review/packet", pages.packet, name="review-packet"),
    path("audit/review/rows", pages.rows, name="review-rows"),
    path("audit/review/step", steps.step, name="review-step"),
    path("audit/review/undo", steps.undo, name="review-undo"),
    path("audit/review/bulk", bulk.bulk, name="review-bulk"),
    path("audit/<slug:log>/<uid:uid>", audit.entry, name="entry"),
    path("audit/<slug:log>/<uid:uid>/proof", proofs.page, name="packet-proof"),
    path("audit/<slug:log>/<uid:uid>/proof/sign", proofs.sign, name="proof-sign"),
    path("audit/<slug:log>/<uid:uid>/proof.<str:form>", proofs.download, name="proof-file"),
    path("audit/<slug:log>/growth/<int:size>.json", proofs.growth, name="growth"),
    path("audit/<slug:log>/<uid:uid>/drawer", drawer.fragment, name="drawer"),
    path("audit/<slug:log>/<uid:uid>/review", audit.mark, name="review"),
    path("audit/<slug:log>/<uid:uid>/erase", erasing.packet, name="erase"),
    path("audit/erase", erasing.found, name="erase-found"),
    path("audit/erased", erasing.listing, name="erased"),
    path("audit/<uid:uid>", audit.entry_in_any_log, name="entry-in-any-log"),
    path("stream/", stream.page, name="stream"),
    path("stream/pad/<str:key>", stream.pad, name="pad"),
    path("stream/pad/<str:key>/events", stream.pad_events, name="pad-events"),
    path("stream/pad/<str:key>/lines", stream.pad_lines, name="pad-lines"),
    path("stream/pad/<str:key>/message/<int:number>", stream.pad_message, name="pad-message"),
    path("stream/pad/<str:key>/save", stream.pad_save, name="pad-save"),
    path("stream/pad/<str:key>/close", stream.pad_close, name="pad-close"),
    path("stream/log/<slug:slug>", stream.log, name="live"),
    path("stream/log/<slug:slug>/events", stream.log_events, name="live-events"),
    path("stream/log/<slug:slug>/lines", stream.log_lines, name="live-lines"),
    path("stream/log/<slug:slug>/message/<int:number>", stream.log_message, name="live-message"),
    path("log/<slug:log>/checkpoint", tiles.checkpoint, name="checkpoint"),
    path("log/<slug:log>/tile/<path:place>", tiles.tile, name="tile"),
    path("witness/add-checkpoint", witness.add_checkpoint, name="add-checkpoint"),
    path("nlip", agent.endpoint, name="nlip"),
    path("nlip/", agent.endpoint),
    path("nlip/upload/<str:token>", agent.upload, name="nlip-upload"),
    path("nlip/via/<str:name>", agent.via, name="nlip-via"),
    path("nlip/talk", client.send, name="nlip-talk"),
    path("nlip/exchange", client.exchange, name="nlip-exchange"),
    path("account/keys", keys.page, name="keys"),
    path("account/keys/<slug:key_id>/rotate", keys.rotate, name="key-rotate"),
    path("account/keys/<slug:key_id>/revoke", keys.revoke, name="key-revoke"),
    path("signin", signin.explain, name="signin"),
    path("signin/<str:uid>/<str:token>", signin.follow, name="signin-link"),
    path("signout", signin.leave, name="signout"),
    path("service-worker.js", offline.service_worker, name="service-worker"),
    path("offline/worker.js", offline.worker, name="offline-worker"),
    path("healthz", health.answer, name="health"),
    path("readyz", health.answer, name="ready"),
]
