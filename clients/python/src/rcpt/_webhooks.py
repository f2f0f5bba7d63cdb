"""Verifies webhooks (Standard Webhooks 1.0.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, List, Union, cast

from ._errors import RcptError, WebhookVerificationError
from ._types import WebhookEvent

_TOLERANCE_SECONDS = 300
# Further signatures are ignored: a rotation has two.
_MAX_SIGNATURES = 10
_PREFIX = "whsec_"
_BODY_AS_RECEIVED = (
    "Pass the body as it was received, as bytes or text. An object that was parsed has no signature."
)


class Webhooks:
    """Verifies webhooks with `whsec_…` secrets; during a rotation with the new and the old one."""

    def __init__(self, secrets: Union[str, Iterable[str]]):
        given = [secrets] if isinstance(secrets, str) else list(secrets)
        self._secrets: List[bytes] = [_bytes_of(secret) for secret in given]

    def verify(self, headers: Any, body: Union[bytes, str]) -> WebhookEvent:
        """Return the event. Its `webhook-id` is the same for all its deliveries.

        `headers` is any mapping, in any letter case. `body` is the body as it was received: one that
        was parsed and serialized again has another signature. Raises WebhookVerificationError, also for
        other arguments, with a message that says what to pass.
        """
        if not self._secrets:
            raise RcptError("Set webhook_secrets or RCPT_WEBHOOK_SECRET to the secret of the webhook.")
        try:
            values = {str(name).lower(): str(value) for name, value in headers.items()}
        except AttributeError:
            raise WebhookVerificationError("Pass the headers of the request, as a mapping.") from None
        names = ("webhook-id", "webhook-timestamp", "webhook-signature")
        event_id, timestamp, signatures = (values.get(name, "") for name in names)
        if not (event_id and timestamp and signatures):
            raise WebhookVerificationError(
                "A header is missing: webhook-id, -timestamp or -signature. Pass the headers of the request."
            )
        if not re.fullmatch(r"[0-9]{1,12}", timestamp) or (
            abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS
        ):
            raise WebhookVerificationError("The timestamp is not within five minutes of now.")
        if not isinstance(body, (str, bytes, bytearray, memoryview)):
            raise WebhookVerificationError(_BODY_AS_RECEIVED)
        content = _encoded(body) if isinstance(body, str) else bytes(body)
        if not self._is_signed(_encoded(f"{event_id}.{timestamp}.") + content, signatures):
            raise WebhookVerificationError("No signature is valid for this body and secret.")
        try:
            return cast(WebhookEvent, json.loads(content))
        except ValueError:
            raise WebhookVerificationError("The body is not JSON.") from None

    def _is_signed(self, signed: bytes, header: str) -> bool:
        given = header.split(" ", _MAX_SIGNATURES)[:_MAX_SIGNATURES]
        for secret in self._secrets:
            digest = hmac.new(secret, signed, hashlib.sha256).digest()
            expected = b"v1," + base64.b64encode(digest)
            for signature in given:
                if hmac.compare_digest(expected, _encoded(signature)):
                    return True
        return False


def _encoded(text: str) -> bytes:
    """Some servers decode octets that are not UTF-8 as lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def _bytes_of(secret: str) -> bytes:
    text = secret.strip()
    try:
        key = base64.b64decode(text[len(_PREFIX) :] if text.startswith(_PREFIX) else text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        # The message does not repeat it.
        raise RcptError("A webhook secret is `whsec_` and base64; this one is not.")
    return key
