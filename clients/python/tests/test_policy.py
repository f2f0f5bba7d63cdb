"""The policy of a team at a running service: RCPT_URL, and the live key of an admin in RCPT_LIVE_API_KEY."""

from __future__ import annotations

import os
import unittest

import rcpt

KEY = os.environ.get("RCPT_LIVE_API_KEY", "")
RULE: rcpt.PolicyRuleInput = {"id": "partner", "when": {"domain": "partner.example"}, "decision": "accept"}


@unittest.skipUnless(KEY, "RCPT_LIVE_API_KEY is not set")
class PolicyTest(unittest.IsolatedAsyncioTestCase):
    def test_replaces_reads_and_previews_rules(self) -> None:
        with rcpt.Rcpt(api_key=KEY, max_retries=0) as client:
            stored = client.policy.set([RULE])
            self.assertEqual([rule["id"] for rule in stored["rules"]], ["partner"])
            self.assertEqual(client.policy.get(), stored)
            self.assertEqual(client.policy.preview([], days=30)["changed"], 0)
            with self.assertRaises(rcpt.InvalidRequestError):
                client.policy.preview([], days=31)
            # What was read is taken.
            self.assertEqual(client.policy.set(stored["rules"]), stored)

    async def test_does_so_asynchronously(self) -> None:
        async with rcpt.AsyncRcpt(api_key=KEY, max_retries=0) as client:
            stored = await client.policy.set([RULE])
            self.assertEqual(await client.policy.get(), stored)
            self.assertIn("by_decision", await client.policy.preview([RULE]))
            await client.policy.set([])


if __name__ == "__main__":
    unittest.main()
