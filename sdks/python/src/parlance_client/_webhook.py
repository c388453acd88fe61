"""Signatures of webhooks and of the calls of tools."""

import base64
import hashlib
import hmac
import json
import time
from typing import Mapping, cast

from . import types


class WebhookVerificationError(Exception):
    """A request has no valid signature, or is not fresh."""


def verify_signature(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance_seconds: float = 300
) -> None:
    """Raise ``WebhookVerificationError`` unless a request has a valid signature by Standard Webhooks and is fresh.

    ``body`` is the body as it came, before any JSON parser. ``secret`` is that of a webhook (``whsec_…``), or the public key of
    an installation, which signs the calls of tools (``whpk_…``, needs ``parlance-client[tools]``).
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp = by_name["webhook-id"], by_name["webhook-timestamp"]
        signatures = by_name["webhook-signature"].split(" ")
        age = abs(time.time() - int(timestamp))
    except (KeyError, ValueError) as error:
        raise WebhookVerificationError("A header of the signature is missing or not valid.") from error
    if age > tolerance_seconds:
        raise WebhookVerificationError("The request is too old or too new.")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{event_id}.{timestamp}.".encode() + raw
    valid = _signed_by_key if secret.startswith("whpk_") else _signed_by_secret
    if not valid(signatures, signed, secret):
        raise WebhookVerificationError("No signature of the request is valid.")


def _signed_by_secret(signatures: list[str], signed: bytes, secret: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in signatures)


def _signed_by_key(signatures: list[str], signed: bytes, public_key: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    for signature in signatures:
        if not signature.startswith("v1a,"):
            continue
        try:
            key.verify(base64.b64decode(signature.removeprefix("v1a,")), signed)
            return True
        except (InvalidSignature, ValueError):
            continue
    return False


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance_seconds: float = 300
) -> types.WebhookEvent:
    """The event of a request to a webhook. Raises ``WebhookVerificationError`` unless the request is signed and fresh."""
    verify_signature(body, headers, secret, tolerance_seconds=tolerance_seconds)
    return cast(types.WebhookEvent, json.loads(body))
