from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playground.audit import receipt_pace, receipt_text, receipts
from playground.workbench.forms import WireField


class ReceiptForm(forms.Form):
    """A receipt, and optionally the wire that it is for."""

    receipt = WireField(required=False)
    wire = WireField(required=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Check a pasted receipt against the log. Stores nothing and needs no account."""
    context: dict[str, Any] = {
        "section": "tools",
        "form": ReceiptForm(),
        "unproven": receipts.UNPROVEN,
    }
    if request.method != "POST":
        return render(request, "audit/receipt.html", context)
    form = context["form"] = ReceiptForm(request.POST)
    seconds = receipt_pace.wait(request)
    if seconds:
        detail = f"Too many receipts were checked from your address. Try again in {seconds} s."
        answer = render(request, "audit/receipt.html", context | {"refused": detail}, status=429)
        answer.headers["Retry-After"] = str(seconds)
        return answer
    result = _check(request, form)
    return render(request, "audit/receipt.html", context | result, status=result.get("status", 200))


def _check(request: HttpRequest, form: ReceiptForm) -> dict[str, Any]:
    if not form.is_valid():
        return {
            "refused": " ".join(str(error) for errors in form.errors.values() for error in errors),
            "status": 422,
        }
    signed_in, wire = request.user.is_authenticated, form.cleaned_data["wire"]
    try:
        given = receipt_text.read(form.cleaned_data["receipt"])
        checks = [
            receipts.check(receipt, wire=wire or None, reads=lambda _log: signed_in)
            for receipt in given
        ]
    except receipt_text.Unreadable as bad:
        return {"refused": str(bad), "status": 422}
    return {"checks": checks}
