"""Both clients against a server that fails. Every test runs with Rcpt and with AsyncRcpt."""

from __future__ import annotations

import asyncio
import io
import os
import pickle
import time
import traceback
import unittest
from email.utils import formatdate
from typing import Any, List
from unittest.mock import patch

import rcpt
from scripted_server import DRIPPING, ENDLESS, KEY, RESET, SILENT, ScriptedServer, problem

SUCCESS = (200, {}, '{"ok": true}')


class Sync:
    def call(self, method: str, *args: Any, **options: Any) -> Any:
        with rcpt.Rcpt(**options) as client:
            return client.bulk.submit(*args) if method == "submit" else getattr(client, method)(*args)


class Async:
    def call(self, method: str, *args: Any, **options: Any) -> Any:
        async def run() -> Any:
            async with rcpt.AsyncRcpt(**options) as client:
                return await (client.bulk.submit if method == "submit" else getattr(client, method))(*args)

        return asyncio.run(run())


class Faults:
    server: ScriptedServer
    waits: List[float]

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ScriptedServer()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def setUp(self) -> None:
        self.waits = []

        async def no_wait(seconds: float) -> None:
            # Other libraries yield with 0.
            if seconds > 0:
                self.waits.append(seconds)

        for target, stub in (
            ("rcpt._client.time.sleep", self.waits.append),
            ("rcpt._async_client.asyncio.sleep", no_wait),
        ):
            patcher = patch(target, stub)
            patcher.start()
            self.addCleanup(patcher.stop)

    def verify(self, **options: Any) -> Any:
        return self.call("verify", "a@example.com", **{"api_key": KEY, "base_url": self.server.url, **options})

    def failure(self, **options: Any) -> Any:
        try:
            self.verify(**options)
        except rcpt.RcptError as error:
            return error
        raise AssertionError("it succeeded")

    def test_is_repeated_with_the_same_idempotency_key(self) -> None:
        for failure in (
            RESET,
            problem(500, "internal_error"),
            (502, {}, "<html>"),
            problem(503, "unavailable", {"Retry-After": "0"}),
            problem(409, "idempotency_in_progress", {"Retry-After": "0"}),
        ):
            with self.subTest(failure):
                self.server.script(failure, failure, SUCCESS)
                self.assertEqual(self.verify(), {"ok": True})
                keys = self.server.keys()
                self.assertEqual([len(keys), len(set(keys)), len(keys[0] or "")], [3, 1, 36])
                self.assertEqual(set(self.server.bodies()), {self.server.bodies()[0]})

    def test_is_repeated_after_a_timeout(self) -> None:
        self.server.script(SILENT, SUCCESS)
        self.assertEqual(self.verify(timeout=0.5), {"ok": True})
        self.assertEqual(len(set(self.server.keys())), 1)

    def test_the_timeout_is_that_of_the_caller_also_for_a_response_that_drips(self) -> None:
        for answer in (SILENT, DRIPPING):
            with self.subTest(answer):
                self.server.script(answer)
                start = time.monotonic()
                error = self.failure(timeout=0.5, max_retries=0)
                self.assertIs(type(error), rcpt.ApiTimeoutError)
                self.assertLess(time.monotonic() - start, 4)

    def test_a_response_without_end_is_an_error_and_not_repeated(self) -> None:
        self.server.script(ENDLESS)
        error = self.failure()
        self.assertIs(type(error), rcpt.RcptError)
        self.assertRegex(str(error), "longer than 100 MB")
        self.assertEqual(len(self.server.received), 1)

    def test_a_429_is_raised_at_once_if_its_retry_after_is_beyond_the_timeout(self) -> None:
        self.server.script(problem(429, "daily_quota_exceeded", {"Retry-After": "50"}))
        self.assertIs(type(self.failure(timeout=5)), rcpt.QuotaExceededError)
        self.assertEqual((len(self.server.received), self.waits), (1, []))
        self.failure(timeout=55)
        self.assertEqual(self.waits, [50, 50, 50])

    def test_a_path_cannot_name_another_server(self) -> None:
        self.server.script(SUCCESS)
        port = self.server.url.rsplit(":", 1)[1]
        options = {"api_key": KEY, "base_url": self.server.url}
        for path in (f"@127.0.0.1:{port}/steal", "0/steal", "", "v1/usage", "/v1/bulk-jobs/../usage", "/%2E%2e/x"):
            with self.subTest(path), self.assertRaisesRegex(rcpt.RcptError, "^A path "):
                self.call("request", "GET", path, **options)
        self.assertEqual(self.server.received, [])
        self.assertEqual(self.call("request", "GET", "/v1/usage", **options), {"ok": True})

    def test_the_base_url_has_no_path_of_the_api(self) -> None:
        for path in ("/v1", "/v1/", "/console/lists", "/docs"):
            with self.assertRaisesRegex(rcpt.RcptError, r"has no /\w+.*: write https://rcpt\.example/behind\."):
                self.call("verify", "a@example.com", api_key=KEY, base_url=f"https://rcpt.example/behind{path}")

    def test_waits_for_retry_after_in_seconds_or_until_a_date(self) -> None:
        date = formatdate(time.time() + 30, usegmt=True)
        self.server.script(
            problem(429, "rate_limited", {"Retry-After": "7"}),
            (429, {"Retry-After": date}, ""),
            problem(500, "internal_error"),
            SUCCESS,
        )
        self.verify()
        self.assertEqual(self.waits[0], 7)
        self.assertTrue(20 < self.waits[1] <= 30)
        self.assertTrue(1 <= self.waits[2] <= 2)

    def test_is_repeated_max_retries_times(self) -> None:
        self.server.script(problem(503, "queue_full", {"Retry-After": "1"}))
        error = self.failure(max_retries=2)
        self.assertEqual((type(error), error.code), (rcpt.ServiceUnavailableError, "queue_full"))
        self.assertEqual(len(self.server.received), 3)

    def test_is_sent_once_if_it_would_fail_again(self) -> None:
        for answer, kind in (
            (problem(400, "invalid_request"), rcpt.InvalidRequestError),
            (problem(401, "invalid_credential"), rcpt.AuthenticationError),
            (problem(402, "upgrade_required"), rcpt.UpgradeRequiredError),
            (problem(403, "role_required"), rcpt.PermissionDeniedError),
            (problem(404, "not_found"), rcpt.NotFoundError),
            (problem(409, "limit_reached"), rcpt.ConflictError),
            (problem(413, "bulk_too_large"), rcpt.PayloadTooLargeError),
            (problem(429, "daily_quota_exceeded", {"Retry-After": "9999"}), rcpt.QuotaExceededError),
            (problem(503, "billing_unconfigured"), rcpt.ServiceUnavailableError),
            ((302, {"Location": "http://127.0.0.1:9/"}, ""), rcpt.UnexpectedResponseError),
            ((200, {}, "<html>"), rcpt.UnexpectedResponseError),
            ((404, {}, '{"message": "no"}'), rcpt.UnexpectedResponseError),
        ):
            with self.subTest(kind):
                self.server.script(answer)
                self.assertIs(type(self.failure()), kind)
                self.assertEqual(len(self.server.received), 1)

    def test_a_list_is_sent_again_only_if_it_can_be_read_again(self) -> None:
        for source, times in (
            (["a@example.com"], 2),
            (lambda: iter(["a@example.com"]), 2),
            (iter(["a@example.com"]), 1),
            (io.BytesIO(b'"a@example.com"\n'), 1),
        ):
            with self.subTest(source):
                self.server.script(RESET, SUCCESS)
                options = {"api_key": KEY, "base_url": self.server.url}
                try:
                    self.call("submit", source, **options)
                except rcpt.ApiConnectionError:
                    pass
                self.assertEqual(self.server.bodies(), ['"a@example.com"\n'] * times)

    def test_a_connection_error_names_the_server(self) -> None:
        message = r"^The request to http://127\.0\.0\.1:9 failed: .*\w\.$"
        failed = self.failure(max_retries=0, base_url="http://127.0.0.1:9/behind")
        self.assertIs(type(failed), rcpt.ApiConnectionError)
        self.assertRegex(str(failed), message)

    def test_an_error_has_the_members_of_the_problem_and_can_be_pickled(self) -> None:
        errors = [{"pointer": "/email", "code": "required", "message": "Send one."}]
        self.server.script(problem(400, "invalid_request", errors=errors))
        error = pickle.loads(pickle.dumps(self.failure()))
        found = (error.status, error.code, error.request_id, error.errors)
        self.assertEqual(found, (400, "invalid_request", "r1", errors))
        self.server.script(problem(402, "upgrade_required", tier="free", required_tier="growth", feature="bulk"))
        error = self.failure()
        self.assertEqual((error.tier, error.required_tier, error.feature), ("free", "growth", "bulk"))

    def test_no_error_and_no_client_contains_the_key(self) -> None:
        texts = []
        for options in ({"base_url": "http://127.0.0.1:9"}, {"api_key": f"{KEY}\n{KEY}"}, {"api_key": f"Bearer {KEY}"}):
            error = self.failure(max_retries=0, **options)
            trace = traceback.TracebackException.from_exception(error, capture_locals=True)
            own = [frame for frame in trace.stack if "rcpt/_" in frame.filename]
            texts += [repr(error), *traceback.format_exception(type(error), error, error.__traceback__)]
            if "api_key" not in options:
                texts += [str(frame.locals) for frame in own if frame.name != "__init__"]
        client = rcpt.Rcpt(api_key=KEY, base_url=self.server.url)
        texts += [repr(client), repr(vars(client)), repr(vars(client._settings)), repr(client._http.headers)]
        self.assertEqual([text for text in texts if KEY in text], [])

    def test_the_environment_has_the_url_and_the_key(self) -> None:
        self.server.script(SUCCESS)
        given = {"RCPT_URL": f"{self.server.url}/behind/", "RCPT_API_KEY": f"{KEY}\n"}
        with patch.dict(os.environ, given):
            self.call("verify", "a@example.com")
        headers, _ = self.server.received[0]
        self.assertEqual(headers["authorization"], f"Bearer {KEY}")
        self.assertRegex(headers["user-agent"], r"^rcpt-python/\d")
        for options in ({"api_key": KEY}, {"base_url": self.server.url}):
            with patch.dict(os.environ, clear=True), self.assertRaisesRegex(rcpt.RcptError, "RCPT_"):
                self.call("verify", "a@example.com", **options)

    def test_a_publishable_key_sends_no_idempotency_key(self) -> None:
        self.server.script(SUCCESS)
        self.verify(api_key="rcpt_pub_x")
        self.assertEqual(self.server.keys(), [None])


class SyncFaults(Sync, Faults, unittest.TestCase):
    pass


class AsyncFaults(Async, Faults, unittest.TestCase):
    pass


if __name__ == "__main__":
    unittest.main()
