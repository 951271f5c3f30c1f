from django.urls import path

from playground.api import api
from playground.views import (
    aacp,
    audit,
    candidates,
    claims,
    errors,
    health,
    nlip,
    protocols,
    sacp,
    save,
    signin,
    training,
    translate,
    workbench,
)

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error

urlpatterns = [
    path("api/", api.urls),
    path("", workbench.page, name="workbench"),
    path("reading", workbench.reading, name="reading"),
    path("reading/rows", workbench.rows, name="rows"),
    path("reading/translation", translate.translate, name="translate"),
    path("reading/costs", workbench.costs, name="costs"),
    path("reading/whole", workbench.whole, name="whole"),
    path("protocols/", protocols.listing, name="protocols"),
    path("protocols/<slug:name>", protocols.page, name="protocol"),
    path("protocols/nslip/training", training.page, name="nslip-training"),
    path("protocols/nslip/training.jsonl", training.download, name="nslip-training-file"),
    path("claims/", claims.page, name="claims"),
    path("save", save.preview, name="save"),
    path("save/confirm", save.save, name="save-confirm"),
    path("aacp/", aacp.page, name="aacp"),
    path("aacp/workflows/<str:name>", aacp.workflow, name="aacp-workflow"),
    path("aacp/english", candidates.english, name="aacp-english"),
    path("aacp/candidates", candidates.listed, name="aacp-candidates"),
    path("aacp/candidates/<int:number>", candidates.decide, name="aacp-decide"),
    path("sacp/", sacp.page, name="sacp"),
    path("sacp/plan", sacp.plan, name="sacp-plan"),
    path("sacp/assemble", sacp.assemble, name="sacp-assemble"),
    path("sacp/<slug:kind>/", sacp.new, name="sacp-new"),
    path("sacp/<slug:kind>/<str:name>", sacp.definition, name="sacp-definition"),
    path("audit/", audit.trail, name="audit"),
    path("audit/export.<str:form>", audit.export, name="export"),
    path("audit/<uuid:uid>", audit.entry, name="entry"),
    path("audit/<uuid:uid>/review", audit.mark, name="review"),
    path("nlip", nlip.endpoint, name="nlip"),
    path("nlip/", nlip.endpoint),
    path("nlip/upload/<str:token>", nlip.upload, name="nlip-upload"),
    path("signin", signin.explain, name="signin"),
    path("signin/<str:uid>/<str:token>", signin.follow, name="signin-link"),
    path("signout", signin.leave, name="signout"),
    path("healthz", health.health, name="health"),
]
