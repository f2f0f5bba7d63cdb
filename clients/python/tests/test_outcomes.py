"""Outcomes at a running service: RCPT_URL, and a live key in RCPT_LIVE_API_KEY."""

from __future__ import annotations

import os
import unittest
import uuid
from typing import Any, AsyncIterator, Dict, List

import rcpt

KEY = os.environ.get("RCPT_LIVE_API_KEY", "")
COMPLAINT = b"""From: feedback@provider.example
Message-ID: <%s@provider.example>
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
Original-Rcpt-To: complainer@example.com

--b--
"""


def outcomes(count: int, run: str) -> List[Any]:
    return [{"email": f"{run}-{n}@example.com", "outcome": "delivered"} for n in range(count)]


def summary(receipt: Any) -> Dict[str, Any]:
    return {**receipt, "ignored": [(each["index"], each["code"]) for each in receipt["ignored"]]}


@unittest.skipUnless(KEY, "RCPT_LIVE_API_KEY is not set")
class OutcomesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = rcpt.Rcpt(api_key=KEY, max_retries=0)
        self.addCleanup(self.client.close)
        self.run_name = uuid.uuid4().hex

    def test_reports_any_number_and_sums_the_receipts(self) -> None:
        given = outcomes(1_100, self.run_name)
        given[700]["email"] = "nobody"
        receipt = self.client.outcomes.report(iter(given))
        expected = {"received": 1_100, "stored": 1_099, "duplicates": 0, "ignored": [(700, "invalid_email")]}
        self.assertEqual(summary(receipt), expected)
        self.assertEqual(self.client.outcomes.report(given)["duplicates"], 1_099)

    def test_reports_one_outcome_and_a_message(self) -> None:
        one = outcomes(1, self.run_name)[0]
        self.assertEqual(self.client.outcomes.report(one)["stored"], 1)
        message = COMPLAINT % self.run_name.encode()
        self.assertEqual(self.client.outcomes.report_message(message)["stored"], 1)
        with self.assertRaises(TypeError):
            self.client.outcomes.report(message)  # type: ignore[arg-type]

    def test_lists_several_pages_and_forgets(self) -> None:
        email = f"{self.run_name}@example.com"
        self.client.outcomes.report(
            {"email": email, "outcome": "delivered", "message_id": str(n)} for n in range(101)
        )
        self.assertEqual([known["kind"] for known in self.client.outcomes.list(email)], ["delivered"] * 101)
        self.client.outcomes.forget(email)
        self.assertEqual(list(self.client.outcomes.list(email)), [])

    def test_compares_them_with_the_verdicts(self) -> None:
        self.assertIn("brier", self.client.accuracy()["calibration"])
        with self.assertRaises(rcpt.InvalidRequestError):
            self.client.accuracy(days=366)

    def test_adds_and_deletes_sources(self) -> None:
        source = self.client.outcomes.sources.add("brevo", "hook:secret")
        self.assertIn("/inbound/outcomes/", source["url"] or "")
        self.assertIn(source["id"], [each["id"] for each in self.client.outcomes.sources.list()])
        self.client.outcomes.sources.delete(source["id"])
        with self.assertRaises(rcpt.NotFoundError):
            self.client.outcomes.sources.delete(source)


@unittest.skipUnless(KEY, "RCPT_LIVE_API_KEY is not set")
class AsyncOutcomesTest(unittest.IsolatedAsyncioTestCase):
    async def test_reports_lists_and_forgets(self) -> None:
        async def stream(items: List[Any]) -> AsyncIterator[Any]:
            for item in items:
                yield item

        run = uuid.uuid4().hex
        async with rcpt.AsyncRcpt(api_key=KEY) as client:
            receipt = await client.outcomes.report(stream(outcomes(501, run)))
            self.assertEqual((receipt["received"], receipt["stored"]), (501, 501))
            self.assertEqual((await client.outcomes.report(outcomes(1, run)[0]))["duplicates"], 1)
            message = await client.outcomes.report_message(COMPLAINT % run.encode())
            self.assertEqual(message["stored"], 1)
            email = f"{run}-500@example.com"
            self.assertEqual([known["kind"] async for known in client.outcomes.list(email)], ["delivered"])
            await client.outcomes.forget(email)
            self.assertEqual([known async for known in client.outcomes.list(email)], [])
            self.assertIn("data", await client.accuracy(days=7))
            source = await client.outcomes.sources.add("ses")
            self.assertIn(source["id"], [each["id"] async for each in client.outcomes.sources.list()])
            await client.outcomes.sources.delete(source)


if __name__ == "__main__":
    unittest.main()
