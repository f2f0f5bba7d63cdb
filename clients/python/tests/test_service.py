"""Both clients against a running service: RCPT_URL, and a test key in RCPT_API_KEY."""

from __future__ import annotations

import asyncio
import io
import tempfile
import unittest
from pathlib import Path
from typing import Any, AsyncIterator, Iterator, List

import rcpt

CSV = b"email,id\na@example.com,7\n"
A_ROW = ("a@example.com", {"id": "7"})
ENTRIES: List[Any] = ["b@example.com", {"email": "a@example.com", "ref": "7"}]
ENTRY_ROWS = [("b@example.com", None), ("a@example.com", "7")]


def numbered(count: int) -> List[str]:
    return [f"a{n}@example.com" for n in range(count)]


async def stream(items: List[Any]) -> AsyncIterator[Any]:
    for item in items:
        yield item


class ServiceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = rcpt.Rcpt(max_retries=0)
        self.addCleanup(self.client.close)

    def rows(self, job: Any) -> List[Any]:
        return [(row["email"], row["ref"]) for row in self.client.bulk.results(job)]

    def test_errors_have_types_by_status_and_code(self) -> None:
        for email, kind, code in (
            ("rate_limited@example.com", rcpt.RateLimitError, "rate_limited"),
            ("upgrade_required@example.com", rcpt.UpgradeRequiredError, "upgrade_required"),
            ("", rcpt.InvalidRequestError, "invalid_request"),
        ):
            with self.subTest(email), self.assertRaises(kind) as caught:
                self.client.verify(email)
            self.assertEqual(caught.exception.code, code)
        with self.assertRaises(rcpt.AuthenticationError):
            rcpt.Rcpt(api_key="rcpt_live_x").verify("a@example.com")

    def test_verify_many_yields_the_verdicts_in_order(self) -> None:
        emails = ["slow@example.com", *numbered(60)]
        for concurrency in (7, 100):
            given = emails if concurrency == 100 else emails[1:]
            found = [each["email"] for each in self.client.verify_many(iter(given), concurrency=concurrency)]
            self.assertEqual(found, given)
        for wrong in (0, 1_001):
            with self.assertRaises(ValueError):
                self.client.verify_many(emails, concurrency=wrong)

    def test_verify_many_yields_what_it_has_before_an_error(self) -> None:
        found = []
        with self.assertRaises(rcpt.UpgradeRequiredError):
            for verdict in self.client.verify_many([*numbered(25), "upgrade_required@example.com"], concurrency=50):
                found.append(verdict)
        self.assertEqual(len(found), 25)

    def test_verify_many_reads_no_more_addresses_than_it_needs(self) -> None:
        read: List[str] = []

        def endless() -> Iterator[str]:
            while True:
                read.append("a@example.com")
                yield read[-1]

        next(self.client.verify_many(endless()))
        self.assertEqual(len(read), 25)

    def test_submits_lists_of_all_kinds(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.csv"
            path.write_bytes(CSV)
            lines = Path(folder) / "list.ndjson"
            lines.write_text('"b@example.com"\n')
            with open(path, "rb") as file:
                for source, rows in (
                    (ENTRIES, ENTRY_ROWS),
                    (iter(ENTRIES), ENTRY_ROWS),
                    (lambda: iter(ENTRIES), ENTRY_ROWS),
                    (path, [A_ROW]),
                    (str(lines), [("b@example.com", None)]),
                    (file, [A_ROW]),
                    (io.BytesIO(CSV), [A_ROW]),
                    (CSV, [A_ROW]),
                ):
                    with self.subTest(source):
                        job = self.client.bulk.submit(source, name="Spring")
                        self.assertEqual((job["name"], job["total"]), ("Spring", len(rows)))
                        self.assertEqual(self.rows(job), rows)
            with open(path) as text, self.assertRaises(TypeError):
                self.client.bulk.submit(text)
            with self.assertRaises(FileNotFoundError):
                self.client.bulk.submit(Path(folder) / "none.csv")

    def test_waits_and_reads_several_pages(self) -> None:
        emails = numbered(1_234)
        job = self.client.bulk.submit(emails, unique="canonical")
        self.assertEqual(job["unique_by"], "canonical")
        states: List[str] = []
        ended = self.client.bulk.wait(job["id"], lambda state: states.append(state["status"]))
        self.assertEqual((ended["processed"], ended["status"], states[-1]), (1_234, "completed", "completed"))
        self.assertEqual([email for email, _ in self.rows(job)], emails)
        found = [row["index"] for row in self.client.bulk.results(job, q=emails[1_233].upper())]
        self.assertEqual(found, [1_233])
        self.client.bulk.delete(job)
        with self.assertRaises(rcpt.NotFoundError):
            self.client.bulk.get(job)

    def test_wait_ends_with_its_timeout_and_a_job_can_be_canceled(self) -> None:
        job = self.client.bulk.submit(numbered(5_000))
        with self.assertRaises(rcpt.JobTimeoutError) as caught:
            self.client.bulk.wait(job, timeout=0)
        self.assertEqual(caught.exception.job["id"], job["id"])
        self.assertIn(self.client.bulk.cancel(job)["status"], ("canceled", "completed"))


class AsyncServiceTest(unittest.IsolatedAsyncioTestCase):
    async def test_verify_many_yields_the_verdicts_in_order(self) -> None:
        emails = numbered(60)
        async with rcpt.AsyncRcpt() as client:
            for concurrency, given in ((7, emails), (50, stream(emails))):
                found = [each["email"] async for each in client.verify_many(given, concurrency=concurrency)]
                self.assertEqual(found, emails)

    async def test_cancels_the_rest_when_the_caller_stops(self) -> None:
        async with rcpt.AsyncRcpt() as client:
            verdicts = client.verify_many([*numbered(25), "slow@example.com"], concurrency=50)
            async for verdict in verdicts:
                self.assertEqual(verdict["email"], "a0@example.com")
                break
            await verdicts.aclose()
            self.assertEqual(len(asyncio.all_tasks()), 1)

    async def test_submits_waits_and_reads(self) -> None:
        async with rcpt.AsyncRcpt() as client:
            for source in (ENTRIES, stream(ENTRIES), lambda: stream(ENTRIES), io.BytesIO(CSV)):
                job = await client.bulk.submit(source, unique="canonical")
                self.assertEqual(job["unique_by"], "canonical")
                self.assertEqual((await client.bulk.wait(job))["status"], "completed")
                rows = [(row["email"], row["ref"]) async for row in client.bulk.results(job)]
                self.assertEqual(rows, [A_ROW] if isinstance(source, io.BytesIO) else ENTRY_ROWS)


if __name__ == "__main__":
    unittest.main()
