"""NLIP over TLS: with a certificate of ours, and after a proxy."""

import json
import ssl
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from playground.server.launch import tls
from tests.installation import Installation, running
from tests.playground.certificates import certificate, pem
from tests.playground.nlip.client import HELLO, post
from tests.playground.server.launch.test_up import up


@pytest.mark.requirement("NLIP-30")
def test_it_serves_tls_with_a_certificate(tmp_path: Path) -> None:
    chain, key = certificate(tmp_path)
    trust = ssl.create_default_context(cafile=str(chain))

    with running(tmp_path / "data", "--certificate", str(chain), "--key", str(key)) as secure:
        status, answer = post(f"{secure.base_url}/nlip", HELLO, context=trust)
        with pytest.raises(HTTPException):
            post(f"{secure.base_url.replace('https', 'http')}/nlip", HELLO)

    assert secure.base_url.startswith("https://")
    assert f"Cablese is at {secure.base_url}/" in secure.first_words
    assert status == 200
    assert "1 message found." in json.loads(answer)["content"]


@pytest.mark.requirement("NLIP-30")
def test_from_elsewhere_plain_http_is_refused_unless_a_trusted_proxy_says_https(
    tmp_path: Path,
) -> None:
    def called(installation: Installation, **headers: str) -> int:
        request = urllib.request.Request(  # noqa: S310
            f"{installation.base_url}/nlip",
            data=HELLO.encode(),
            headers={"Content-Type": "application/json", "Host": "log.example.org", **headers},
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
                return int(response.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    hosts = {"CABLESE_HOSTS": "https://log.example.org,127.0.0.1"}
    with running(tmp_path / "a", **hosts) as alone:
        assert called(alone) == 403
        assert called(alone, **{"X-Forwarded-Proto": "https"}) == 403
    with running(tmp_path / "b", **hosts, CABLESE_TRUSTED_PROXY="127.0.0.1") as behind:
        assert called(behind, **{"X-Forwarded-Proto": "http"}) == 403
        assert called(behind, **{"X-Forwarded-Proto": "https"}) == 200


def test_a_certificate_that_cannot_be_served_with_is_said_before_the_start(tmp_path: Path) -> None:
    chain, _ = certificate(tmp_path)
    _, other = certificate(tmp_path, "other")
    old = tmp_path / "old.key"
    old.write_bytes(
        pem(ec.generate_private_key(ec.SECP256R1()), serialization.PrivateFormat.TraditionalOpenSSL)
    )
    nothing = tmp_path / "nothing.key"
    nothing.write_bytes(b"\xff")

    for file, words in (
        (other, "is not for the key"),
        (old, "must be PKCS#8, unencrypted; this one is SEC 1"),
        (nothing, "not a PEM file"),
        (tmp_path / "away", "No such file"),
        (chain, "has an unknown format"),
    ):
        with pytest.raises(tls.Unfit, match=words):
            tls.require(chain, file)
    run = up("--port", "8997", "--certificate", str(chain), "--key", str(old), data=tmp_path)
    assert run.stderr.startswith("CommandError: The key in ")
    run = up("--port", "8997", "--certificate", str(chain), data=tmp_path)
    assert run.stderr == "CommandError: --certificate and --key must be used together.\n"
