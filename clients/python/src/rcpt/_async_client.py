"""The asynchronous client, for asyncio."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import (
    Any,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Optional,
    Union,
    cast,
)

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
    check_emails,
    confirm_request,
    domain_request,
    error_from,
    job_path,
    sizes_of,
)
from ._errors import JobTimeoutError, RcptError
from ._lists import CHUNK_BYTES, Entry, ListBody, ListSource, is_async, is_repeatable, line_of
from ._outcomes import AsyncOutcomes, accuracy_request
from ._policy import AsyncTeamPolicy
from ._proofs import KeyIds, ProofCheck, ProofKeys
from ._schedules import AsyncSchedules
from ._types import Accuracy, BulkJob, BulkResult, Domain, ProofConfirmation, Verdict

_NDJSON = "application/x-ndjson"


class AsyncRcpt:
    """The client for asyncio. Its options and methods are those of Rcpt; its timeout is for the whole attempt."""

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
        self._settings = Settings(
            api_key, base_url, webhook_secrets, timeout, max_retries, max_retry_after
        )
        self._http = httpx.AsyncClient(**self._settings.for_httpx())
        self.bulk = AsyncBulk(self)
        self.outcomes = AsyncOutcomes(self._call)
        self.policy = AsyncTeamPolicy(self._call)
        self.schedules = AsyncSchedules(self._call)
        self.webhooks = self._settings.webhooks
        self._proof_keys = ProofKeys()
        self._proof_lock: Optional[asyncio.Lock] = None

    async def verify(
        self,
        email: str,
        *,
        refresh: Optional[bool] = None,
        max_age: Optional[int] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> Verdict:
        """Verify an address. An invalid address and a failure of the network are verdicts, not errors."""
        body = {"email": email, "refresh": refresh, "max_age": max_age, "timeout": timeout}
        return cast(Verdict, await self._call(self._settings.verify(body, idempotency_key)))

    def verify_many(
        self,
        emails: Union[Iterable[str], AsyncIterable[str]],
        *,
        concurrency: int = 25,
        refresh: Optional[bool] = None,
        max_age: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[Verdict]:
        """Verify several addresses, up to 25 in a request. Yields the verdicts in the given order."""
        check_emails(emails)
        size, requests = sizes_of(concurrency)

        async def verify(batch: List[str]) -> List[Verdict]:
            body = {"emails": batch, "refresh": refresh, "max_age": max_age, "timeout": timeout}
            return cast(List[Verdict], (await self._call(self._settings.verify(body)))["data"])

        return _in_order(verify, _batches_of(emails, size), requests)

    async def domain(self, name: str) -> Domain:
        """What a domain says about its mail. No mail server is contacted; costs no quota."""
        return cast(Domain, await self._call(domain_request(name)))

    async def confirm_proof(
        self, proof: str, email: str, *, idempotency_key: Optional[str] = None
    ) -> ProofConfirmation:
        """Confirm the proof that the widget has put into a form, with the address of the same form. Costs no quota."""
        return cast(ProofConfirmation, await self._call(confirm_request(proof, email, idempotency_key)))

    async def verify_proof(self, proof: str, email: str, *, key_ids: KeyIds) -> ProofCheck:
        """Check a proof with the public keys of the service, as `Rcpt.verify_proof` does."""
        keys = self._proof_keys
        # Made here: before Python 3.10 a lock belongs to the loop of its constructor.
        self._proof_lock = self._proof_lock or asyncio.Lock()
        async with self._proof_lock:
            if keys.is_due(proof):
                try:
                    keys.save(await self._call(PROOF_KEYS))
                except RcptError as error:
                    keys.failed(error)
        return keys.check(proof, email, key_ids)

    async def accuracy(self, *, days: Optional[int] = None) -> Accuracy:
        """How often mail to verified addresses bounced, by reason and provider, in the last 1-365 days (default 90)."""
        return cast(Accuracy, await self._call(accuracy_request(days)))

    async def request(
        self, method: str, path: str, *, query: Optional[Dict[str, Any]] = None, json: Any = None
    ) -> Any:
        """Any other request of the API, such as `request("GET", "/v1/usage")`."""
        return await self._call(Request(method.upper(), path, query=query or {}, json=json))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncRcpt:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, request: Request) -> Any:
        retries = self._settings.retries(request)
        headers = self._settings.headers(request)
        while True:
            try:
                return await self._attempt(request, headers)
            except RcptError as error:
                delay = retries.delay_after(error)
            await asyncio.sleep(delay)

    async def _attempt(self, request: Request, headers: Dict[str, str]) -> Any:
        body = Body(self._settings, request)
        try:
            return await asyncio.wait_for(
                self._read(request, headers, body), self._settings.seconds(request)
            )
        except asyncio.TimeoutError:
            raise body.late() from None
        except httpx.HTTPError as error:
            raise error_from(error, self._settings) from error

    async def _read(self, request: Request, headers: Dict[str, str], body: Body) -> Any:
        async with self._http.stream(**self._settings.arguments(request, headers)) as response:
            async for piece in response.aiter_bytes():
                body.add(piece)
        return body.result(response)


class AsyncBulk:
    """Lists that the service verifies in the background."""

    def __init__(self, client: AsyncRcpt):
        self._client = client

    async def submit(
        self,
        source: Union[ListSource, AsyncIterable[Entry], Callable[[], AsyncIterable[Entry]]],
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
        """Submit a list, which is sent while it is read. See Bulk.submit."""

        def body() -> _AsyncListBody:
            return _AsyncListBody(source() if callable(source) else source, content_type)

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
        return cast(BulkJob, await self._client._call(request))

    async def get(self, job: Job) -> BulkJob:
        return cast(BulkJob, await self._client._call(Request("GET", job_path(job))))

    async def wait(
        self,
        job: Job,
        progress: Optional[Callable[[BulkJob], object]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> BulkJob:
        """Wait until the job has ended. See Bulk.wait."""
        deadline = None if timeout is None else time.monotonic() + timeout
        poll = FIRST_POLL
        while True:
            state = await self.get(job)
            if progress is not None:
                progress(state)
            if state["finished_at"] is not None:
                return state
            left = poll if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise JobTimeoutError(state)
            await asyncio.sleep(min(poll, left))
            poll = min(1.5 * poll, MAX_POLL)

    async def results(
        self, job: Job, *, status: Optional[str] = None, reason: Optional[str] = None, q: Optional[str] = None
    ) -> AsyncIterator[BulkResult]:
        """The rows in input order. See Bulk.results."""
        query: Dict[str, Any] = {"limit": PAGE_ROWS, "status": status, "reason": reason, "q": q}
        while True:
            page = await self._client._call(Request("GET", f"{job_path(job)}/results", query=query))
            for row in page["data"]:
                yield row
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    async def cancel(self, job: Job) -> BulkJob:
        """End the job. It keeps the results that it has."""
        return cast(BulkJob, await self._client._call(Request("POST", f"{job_path(job)}/cancel")))

    async def delete(self, job: Job) -> None:
        """Delete the job with its addresses and results."""
        await self._client._call(Request("DELETE", job_path(job)))


class _AsyncListBody:
    def __init__(self, content: Any, content_type: Optional[str]):
        if is_async(content):
            self.content_type = content_type or _NDJSON
            self.chunks = _ndjson(content)
        else:
            body = ListBody(content, content_type)
            self.content_type = body.content_type
            self.chunks = _in_threads(body.chunks)


async def _ndjson(entries: AsyncIterable[Any]) -> AsyncIterator[bytes]:
    lines = bytearray()
    async for entry in entries:
        lines += line_of(entry)
        if len(lines) >= CHUNK_BYTES:
            yield bytes(lines)
            lines.clear()
    yield bytes(lines)


async def _in_threads(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Files are not read in the event loop."""
    while True:
        chunk = await asyncio.to_thread(next, chunks, None)
        if chunk is None:
            return
        yield chunk


async def _batches_of(
    emails: Union[Iterable[str], AsyncIterable[str]], size: int
) -> AsyncIterator[List[str]]:
    batch: List[str] = []
    async for email in _iterate(emails):
        batch.append(email)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


async def _iterate(emails: Union[Iterable[str], AsyncIterable[str]]) -> AsyncIterator[str]:
    if isinstance(emails, AsyncIterable):
        async for email in emails:
            yield email
    else:
        for email in emails:
            yield email


async def _in_order(
    verify: Callable[[List[str]], Awaitable[List[Verdict]]],
    batches: AsyncIterator[List[str]],
    requests: int,
) -> AsyncIterator[Verdict]:
    running: Deque["asyncio.Future[List[Verdict]]"] = deque()
    try:
        async for batch in batches:
            running.append(asyncio.ensure_future(verify(batch)))
            if len(running) == requests:
                for verdict in await running.popleft():
                    yield verdict
        while running:
            for verdict in await running.popleft():
                yield verdict
    finally:
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)
