"""The synchronous client."""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Literal, Optional, cast

import httpx

from ._core import (
    FIRST_POLL,
    MAX_POLL,
    PAGE_ROWS,
    PROOF_KEYS,
    TIMEOUT,
    UPLOAD_TIMEOUT,
    Body,
    Job,
    Request,
    Settings,
    WebhookSecrets,
    batches_of,
    check_emails,
    confirm_request,
    domain_request,
    error_from,
    job_path,
    sizes_of,
)
from ._errors import JobTimeoutError, RcptError
from ._lists import ListBody, ListSource, is_repeatable
from ._outcomes import Outcomes, accuracy_request
from ._policy import TeamPolicy
from ._proofs import KeyIds, ProofCheck, ProofKeys
from ._schedules import Schedules
from ._types import Accuracy, BulkJob, BulkResult, Domain, ProofConfirmation, Verdict


class Rcpt:
    """A client of one service with one key. It can be shared by threads."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        webhook_secrets: WebhookSecrets = None,
        timeout: float = TIMEOUT,
        max_retries: int = 3,
        max_retry_after: float = 60.0,
    ):
        """The defaults of the first three are RCPT_API_KEY, RCPT_URL and RCPT_WEBHOOK_SECRET.

        `timeout` is in seconds, for one attempt: until the headers of the response for each step, which
        are connecting, sending a piece, and waiting for one, and in total until the end of the response.
        An error with a longer `Retry-After` than `max_retry_after`, or a 429 with a longer one than
        `timeout`, is raised at once.
        """
        self._settings = Settings(
            api_key, base_url, webhook_secrets, timeout, max_retries, max_retry_after
        )
        self._http = httpx.Client(**self._settings.for_httpx())
        self.bulk = Bulk(self)
        self.outcomes = Outcomes(self._call)
        self.policy = TeamPolicy(self._call)
        self.schedules = Schedules(self._call)
        self.webhooks = self._settings.webhooks
        self._proof_keys = ProofKeys()
        self._proof_lock = threading.Lock()

    def verify(
        self,
        email: str,
        *,
        refresh: Optional[bool] = None,
        max_age: Optional[int] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> Verdict:
        """Verify an address. An invalid address and a failure of the network are verdicts, not errors.

        After `timeout` seconds (1-30, default 10) the verdict is `unknown / timeout`.
        """
        body = {"email": email, "refresh": refresh, "max_age": max_age, "timeout": timeout}
        return cast(Verdict, self._call(self._settings.verify(body, idempotency_key)))

    def verify_many(
        self,
        emails: Iterable[str],
        *,
        concurrency: int = 25,
        refresh: Optional[bool] = None,
        max_age: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[Verdict]:
        """Verify several addresses, up to 25 in a request.

        Yields a verdict for each, in the given order. `concurrency` is the number of addresses that
        are verified at the same time (1-1,000).
        """
        check_emails(emails)
        size, requests = sizes_of(concurrency)

        def verify(batch: List[str]) -> List[Verdict]:
            body = {"emails": batch, "refresh": refresh, "max_age": max_age, "timeout": timeout}
            return cast(List[Verdict], self._call(self._settings.verify(body))["data"])

        return _in_order(verify, batches_of(emails, size), requests)

    def domain(self, name: str) -> Domain:
        """What a domain says about its mail. No mail server is contacted; costs no quota."""
        return cast(Domain, self._call(domain_request(name)))

    def confirm_proof(
        self, proof: str, email: str, *, idempotency_key: Optional[str] = None
    ) -> ProofConfirmation:
        """Confirm the proof that the widget has put into a form, with the address of the same form. Costs no quota."""
        return cast(ProofConfirmation, self._call(confirm_request(proof, email, idempotency_key)))

    def verify_proof(self, proof: str, email: str, *, key_ids: KeyIds) -> ProofCheck:
        """Check a proof with the public keys of the service, which are read at most once a minute.

        `key_ids` are those of your publishable keys: a proof of another key may be of another team. The check
        does not use the proof: store `jti` if each may be used once. It needs PyJWT (`rcpt[proofs]`).
        """
        keys = self._proof_keys
        with self._proof_lock:
            if keys.is_due(proof):
                try:
                    keys.save(self._call(PROOF_KEYS))
                except RcptError as error:
                    keys.failed(error)
        return keys.check(proof, email, key_ids)

    def accuracy(self, *, days: Optional[int] = None) -> Accuracy:
        """How often mail to verified addresses bounced, by reason and provider, in the last 1-365 days (default 90)."""
        return cast(Accuracy, self._call(accuracy_request(days)))

    def request(self, method: str, path: str, *, query: Optional[Dict[str, Any]] = None, json: Any = None) -> Any:
        """Any other request of the API, such as `request("GET", "/v1/usage")`."""
        return self._call(Request(method.upper(), path, query=query or {}, json=json))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Rcpt:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, request: Request) -> Any:
        retries = self._settings.retries(request)
        headers = self._settings.headers(request)
        while True:
            try:
                return self._attempt(request, headers)
            except RcptError as error:
                delay = retries.delay_after(error)
            time.sleep(delay)

    def _attempt(self, request: Request, headers: Dict[str, str]) -> Any:
        body = Body(self._settings, request)
        try:
            with self._http.stream(**self._settings.arguments(request, headers)) as response:
                for piece in response.iter_bytes():
                    body.add(piece)
        except httpx.HTTPError as error:
            raise error_from(error, self._settings) from error
        return body.result(response)


class Bulk:
    """Lists that the service verifies in the background."""

    def __init__(self, client: Rcpt):
        self._client = client

    def submit(
        self,
        source: ListSource,
        *,
        name: Optional[str] = None,
        refresh: Optional[bool] = None,
        max_age: Optional[int] = None,
        unique: Optional[Literal["address", "canonical"]] = None,
        email_column: Optional[str] = None,
        delimiter: Optional[str] = None,
        header_line: Optional[int] = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: float = UPLOAD_TIMEOUT,
    ) -> BulkJob:
        """Submit a list, which is sent while it is read.

        Only a list that can be read again is sent again after an error: a path, a list, or a function
        that opens a file.
        """

        def body() -> ListBody:
            return ListBody(source() if callable(source) else source, content_type)

        request = Request(
            "POST",
            "/v1/verify/bulk",
            query={
                "name": name,
                "refresh": refresh,
                "max_age": max_age,
                "unique": unique,
                "email_column": email_column,
                "delimiter": delimiter,
                "header_line": header_line,
            },
            body=body,
            only_once=not is_repeatable(source),
            timeout=timeout,
            idempotency_key=idempotency_key,
        )
        return cast(BulkJob, self._client._call(request))

    def get(self, job: Job) -> BulkJob:
        return cast(BulkJob, self._client._call(Request("GET", job_path(job))))

    def wait(
        self,
        job: Job,
        progress: Optional[Callable[[BulkJob], object]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> BulkJob:
        """Wait until the job has ended: `completed`, `canceled` or `failed`.

        `progress` is called with every state of the job that was read. Raises JobTimeoutError.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        poll = FIRST_POLL
        while True:
            state = self.get(job)
            if progress is not None:
                progress(state)
            if state["finished_at"] is not None:
                return state
            left = poll if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise JobTimeoutError(state)
            time.sleep(min(poll, left))
            poll = min(1.5 * poll, MAX_POLL)

    def results(
        self, job: Job, *, status: Optional[str] = None, reason: Optional[str] = None, q: Optional[str] = None
    ) -> Iterator[BulkResult]:
        """The rows in input order, also while the job runs (`status` is None without a verdict).
        `q` is a part of the address, in upper or lower case.

        Reads a page when the previous one is used up.
        """
        query: Dict[str, Any] = {"limit": PAGE_ROWS, "status": status, "reason": reason, "q": q}
        while True:
            page = self._client._call(Request("GET", f"{job_path(job)}/results", query=query))
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def cancel(self, job: Job) -> BulkJob:
        """End the job. It keeps the results that it has."""
        return cast(BulkJob, self._client._call(Request("POST", f"{job_path(job)}/cancel")))

    def delete(self, job: Job) -> None:
        """Delete the job with its addresses and results."""
        self._client._call(Request("DELETE", job_path(job)))


def _in_order(
    verify: Callable[[List[str]], List[Verdict]], batches: Iterator[List[str]], requests: int
) -> Iterator[Verdict]:
    if requests == 1:
        for batch in batches:
            yield from verify(batch)
        return
    pool = ThreadPoolExecutor(requests)
    running: Deque[Future[List[Verdict]]] = deque()
    try:
        for batch in batches:
            running.append(pool.submit(verify, batch))
            if len(running) == requests:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()
    finally:
        for future in running:
            future.cancel()
        pool.shutdown(wait=False)
