from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import unittest
from typing import Dict

from rcpt import RcptError, Webhooks, WebhookVerificationError

BODY = b'{"type":"webhook.test","timestamp":"2026-11-21T12:00:00Z","data":{"webhook_id":"whk_1"}}'
NEW, OLD = ("whsec_" + base64.b64encode(text * 11).decode() for text in (b"new", b"old"))


def signed(*secrets: str, age: float = 0) -> Dict[str, str]:
    timestamp = str(int(time.time() - age))
    signatures = []
    for secret in secrets:
        content = f"evt_1.{timestamp}.".encode() + BODY
        digest = hmac.new(base64.b64decode(secret[6:]), content, hashlib.sha256).digest()
        signatures.append("v1," + base64.b64encode(digest).decode())
    return {"webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": " ".join(signatures)}


class WebhooksTest(unittest.TestCase):
    def test_a_valid_signature_by_any_known_secret_is_sufficient(self) -> None:
        for by, known in (([NEW], NEW), ([NEW, OLD], [OLD]), ([OLD], [NEW, OLD])):
            headers = {name.upper(): value for name, value in signed(*by).items()}
            for body in (BODY, BODY.decode()):
                self.assertEqual(Webhooks(known).verify(headers, body), json.loads(BODY))

    def test_everything_else_is_refused(self) -> None:
        good = signed(NEW)
        signature = good["webhook-signature"]
        for headers, body in (
            (good, BODY + b" "),
            (signed(OLD), BODY),
            (signed(NEW, age=400), BODY),
            (signed(NEW, age=-400), BODY),
            ({**good, "webhook-id": "evt_2"}, BODY),
            ({**good, "webhook-timestamp": str(int(time.time()) - 9)}, BODY),
            ({**good, "webhook-timestamp": "nan"}, BODY),
            ({**good, "webhook-timestamp": "١٧٩٥٢٦٢٤٠٠"}, BODY),
            ({**good, "webhook-signature": signature.replace("v1", "v2")}, BODY),
            ({**good, "webhook-signature": "v1,é v1,"}, BODY),
            ({**good, "webhook-signature": "v1,AAAA " * 1_000 + signature}, BODY),
            ({**good, "webhook-signature": "v1,\udcff\ud800 " + signature.replace("v1", "v2")}, BODY),
            ({**good, "webhook-id": "evt_\udcff"}, BODY),
            (good, BODY.decode() + "\udcff"),
            ({}, BODY),
        ):
            with self.subTest(headers), self.assertRaises(WebhookVerificationError):
                Webhooks(NEW).verify(headers, body)

    def test_a_wrong_argument_is_an_error_that_says_what_to_pass(self) -> None:
        good = signed(NEW)
        for headers, body, words in (
            (good, json.loads(BODY), "Pass the body as it was received, as bytes or text"),
            (good, None, "Pass the body as it was received"),
            (good, [1, 2], "Pass the body as it was received"),
            (None, BODY, "Pass the headers of the request"),
            ("webhook-id: evt_1", BODY, "Pass the headers of the request"),
        ):
            with self.subTest(words), self.assertRaisesRegex(WebhookVerificationError, words):
                Webhooks(NEW).verify(headers, body)

    def test_no_error_contains_the_secret(self) -> None:
        with self.assertRaisesRegex(RcptError, "^A webhook secret is `whsec_` and base64; this one is not.$"):
            Webhooks("whsec_§§§")
        with self.assertRaisesRegex(RcptError, "RCPT_WEBHOOK_SECRET"):
            Webhooks([]).verify(signed(NEW), BODY)
        self.assertNotIn(NEW[6:], repr(Webhooks(NEW)))


if __name__ == "__main__":
    unittest.main()
