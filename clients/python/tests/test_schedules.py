"""Schedules at a running service: RCPT_URL, and a live key in RCPT_LIVE_API_KEY."""

from __future__ import annotations

import os
import unittest

import rcpt

KEY = os.environ.get("RCPT_LIVE_API_KEY", "")
NEW: rcpt.ScheduleCreate = {
    "name": "Newsletter",
    "every": "week",
    "source": {"kind": "url", "url": "https://example.com/list.csv", "headers": {"X-Key": "secret"}},
}


@unittest.skipUnless(KEY, "RCPT_LIVE_API_KEY is not set")
class SchedulesTest(unittest.IsolatedAsyncioTestCase):
    def test_creates_reads_changes_runs_and_deletes(self) -> None:
        with rcpt.Rcpt(api_key=KEY, max_retries=0) as client:
            self.assertFalse(client.schedules.check(NEW)["ok"])
            schedule = client.schedules.create(NEW)
            self.assertEqual(schedule["source"]["headers"], ["X-Key"])
            self.assertEqual(client.schedules.get(schedule["id"]), schedule)
            self.assertIn(schedule["id"], [each["id"] for each in client.schedules.list()])
            self.assertEqual(client.schedules.update(schedule, {"at": 4})["at"], 4)
            run = client.schedules.run(schedule)
            self.assertEqual(run["schedule_id"], schedule["id"])
            self.assertEqual([each["id"] for each in client.schedules.runs(schedule)], [run["id"]])
            for answer in (client.schedules.confirm, client.schedules.discard):
                with self.assertRaises(rcpt.ConflictError):
                    answer(schedule, run)
            client.schedules.delete(schedule)
            with self.assertRaises(rcpt.NotFoundError):
                client.schedules.get(schedule)
            with self.assertRaises(ValueError):
                client.schedules.delete("../keys/1")

    async def test_does_so_asynchronously(self) -> None:
        async with rcpt.AsyncRcpt(api_key=KEY, max_retries=0) as client:
            self.assertFalse((await client.schedules.check(NEW))["ok"])
            schedule = await client.schedules.create(NEW)
            self.assertIn(schedule["id"], [each["id"] async for each in client.schedules.list()])
            self.assertFalse((await client.schedules.update(schedule, {"enabled": False}))["enabled"])
            run = await client.schedules.run(schedule)
            self.assertEqual([each["id"] async for each in client.schedules.runs(schedule)], [run["id"]])
            self.assertEqual((await client.schedules.get(schedule))["name"], "Newsletter")
            await client.schedules.delete(schedule)


if __name__ == "__main__":
    unittest.main()
