import base64
import hashlib
import hmac
import time
from typing import Dict

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from parlance_client import WebhookVerificationError, verify_signature, verify_webhook

secret = "whsec_" + base64.b64encode(b"a secret of a test").decode()
body = b'{"type":"credit.exhausted","timestamp":"2026-01-01T00:00:00.000Z","data":{"balance":"0","unit":"credit"}}'


def signed(at: float) -> Dict[str, str]:
    message = f"e-1.{int(at)}.".encode() + body
    signature = base64.b64encode(hmac.new(b"a secret of a test", message, hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "e-1", "Webhook-Timestamp": str(int(at)), "Webhook-Signature": f"v1,AAAA v1,{signature}"}


def test_a_signed_event_is_returned() -> None:
    event = verify_webhook(body, signed(time.time()), secret)
    assert event["type"] == "credit.exhausted"


@pytest.mark.parametrize(
    ("content", "headers", "key"),
    [
        (body + b" ", signed(time.time()), secret),
        (body, signed(time.time()), "whsec_AAAA"),
        (body, signed(time.time() - 600), secret),
        (body, {}, secret),
    ],
    ids=["another body", "another secret", "an old signature", "no headers"],
)
def test_another_request_is_refused(content: bytes, headers: Dict[str, str], key: str) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(content, headers, key)


def test_the_call_of_a_tool_is_verified_with_the_public_key() -> None:
    private_key = Ed25519PrivateKey.generate()
    public_key = "whpk_" + base64.b64encode(private_key.public_key().public_bytes_raw()).decode()
    timestamp = str(int(time.time()))
    signature = base64.b64encode(private_key.sign(f"t-1.{timestamp}.{{}}".encode())).decode()
    headers = {"webhook-id": "t-1", "webhook-timestamp": timestamp, "webhook-signature": f"v1a,{signature}"}
    verify_signature("{}", headers, public_key)
    with pytest.raises(WebhookVerificationError):
        verify_signature('{"a":1}', headers, public_key)
