"""What the synchronous and the asynchronous client share."""

from __future__ import annotations

import json
import os
import platform
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generator, Iterable, Iterator, List, Optional, Tuple, Union
from urllib.parse import quote

import httpx

from ._errors import (
    ApiConnectionError,
    ApiTimeoutError,
    RcptError,
    Retries,
    UnexpectedResponseError,
    error_of,
)
from ._webhooks import Webhooks

VERSION = "0.3.0"
TIMEOUT = 40.0
UPLOAD_TIMEOUT = 600.0
"""The service accepts an upload for this time."""
PAGE_ROWS = 1_000
FIRST_POLL = 0.25
MAX_POLL = 5.0
_CONNECT_TIMEOUT = 10.0
MAX_BODY_BYTES = 100_000_000
"""More than the largest response, a page of results."""
_MAX_ADDRESSES = 25
"""Maximum number of addresses in one request."""
_MAX_CONCURRENCY = 1_000
_PATHS_OF_RCPT = re.compile(r"/(v1|console|docs|openapi\.json)(/.*)?$")
"""What may be copied with the URL."""
_PUBLISHABLE_PREFIX = "rcpt_pub_"

WebhookSecrets = Union[str, Iterable[str], None]
Job = Any
"""A job, or its id."""


@dataclass
class Request:
    method: str
    path: str
    query: Dict[str, Any] = field(default_factory=dict)
    json: Any = None
    body: Optional[Callable[[], Any]] = None
    """Opens a list, for every attempt."""
    only_once: bool = False
    """The body can be opened once."""
    timeout: Optional[float] = None
    idempotency_key: Optional[str] = None


class _BearerAuth(httpx.Auth):
    """Adds the key to each request, so that no local variable and no header of a client has it."""

    def __init__(self, key: str):
        self._header = f"Bearer {key}"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._header
        yield request


class Settings:
    """The options of a client, from its constructor or the environment."""

    def __init__(
        self,
        api_key: Optional[str],
        base_url: Optional[str],
        webhook_secrets: WebhookSecrets,
        timeout: float,
        max_retries: int,
        max_retry_after: float,
    ):
        key = _checked_key(api_key or os.environ.get("RCPT_API_KEY"))
        self.base_url = _checked_url(base_url or os.environ.get("RCPT_URL"))
        self.timeout = timeout
        self._auth = _BearerAuth(key)
        self._has_idempotency = not key.startswith(_PUBLISHABLE_PREFIX)
        self._max_retries = max_retries
        self._max_retry_after = max_retry_after
        if webhook_secrets is None:
            stored = os.environ.get("RCPT_WEBHOOK_SECRET", "")
            webhook_secrets = [each for each in stored.split(",") if each]
        self.webhooks = Webhooks(webhook_secrets)

    def for_httpx(self) -> Dict[str, Any]:
        agent = f"rcpt-python/{VERSION} python/{platform.python_version()} httpx/{httpx.__version__}"
        # The key is for this server only.
        return {"auth": self._auth, "headers": {"User-Agent": agent}, "follow_redirects": False}

    def retries(self, request: Request) -> Retries:
        retries = 0 if request.only_once else self._max_retries
        return Retries(retries, self._max_retry_after, self.seconds(request))

    def seconds(self, request: Request) -> float:
        """The time of one attempt, until the end of the response."""
        return self.timeout if request.timeout is None else request.timeout

    def headers(self, request: Request) -> Dict[str, str]:
        """The same for all attempts."""
        headers = {"Accept": "application/json"}
        if request.method == "POST" and self._has_idempotency:
            headers["Idempotency-Key"] = request.idempotency_key or str(uuid.uuid4())
        return headers

    def arguments(self, request: Request, headers: Dict[str, str]) -> Dict[str, Any]:
        """Those of `httpx.Client.stream`, for one attempt."""
        _check_path(request.path)
        seconds = self.seconds(request)
        arguments: Dict[str, Any] = {
            "method": request.method,
            "url": self.base_url + request.path,
            "params": {name: _text(value) for name, value in request.query.items() if value is not None},
            "headers": dict(headers),
            "timeout": httpx.Timeout(seconds, connect=min(seconds, _CONNECT_TIMEOUT)),
        }
        if request.json is not None:
            arguments["json"] = request.json
        if request.body is not None:
            body = request.body()
            arguments["content"] = body.chunks
            arguments["headers"]["Content-Type"] = body.content_type
        return arguments

    def verify(self, body: Dict[str, Any], idempotency_key: Optional[str] = None) -> Request:
        given = {name: value for name, value in body.items() if value is not None}
        return Request("POST", "/v1/verify", json=given, idempotency_key=idempotency_key)


class Body:
    """Collects the pieces of a response, within a time and a length."""

    def __init__(self, settings: Settings, request: Request):
        self._server = _server_of(settings)
        self._deadline = time.monotonic() + settings.seconds(request)
        self._content = bytearray()

    def add(self, piece: bytes) -> None:
        if time.monotonic() > self._deadline:
            raise self.late()
        self._content += piece
        if len(self._content) > MAX_BODY_BYTES:
            raise RcptError(f"The response of {self._server} is longer than 100 MB. Check the base URL.")

    def late(self) -> ApiTimeoutError:
        return ApiTimeoutError(f"There was no complete response of {self._server} in time.")

    def result(self, response: httpx.Response) -> Any:
        """The JSON of a response; None: it has no content."""
        if not response.is_success:
            text = self._content.decode("utf-8", "replace")
            raise error_of(response.status_code, response.headers, text)
        if response.status_code == 204:
            return None
        try:
            return json.loads(self._content)
        except ValueError:
            request_id = response.headers.get("x-request-id")
            raise UnexpectedResponseError(response.status_code, request_id) from None


def error_from(error: httpx.HTTPError, settings: Settings) -> RcptError:
    """The messages of httpx contain no header. Of the URL, which may contain an address, scheme, host and port."""
    server = _server_of(settings)
    reason = (str(error) or type(error).__name__).rstrip(".")
    if isinstance(error, httpx.TimeoutException):
        return ApiTimeoutError(f"There was no response of {server} in time ({type(error).__name__}).")
    return ApiConnectionError(f"The request to {server} failed: {reason}.")


def _server_of(settings: Settings) -> str:
    url = httpx.URL(settings.base_url)
    return f"{url.scheme}://{url.netloc.decode()}"


def _check_path(path: str) -> None:
    """With another beginning it could name another host: the base URL and `@host` or `0/`."""
    if not path.startswith("/"):
        raise RcptError("A path begins with /, such as /v1/usage.")
    if re.search(r"/(\.|%2e){1,2}(/|$)", path, re.IGNORECASE):
        raise RcptError("A path has no segments . and ..")


PROOF_KEYS = Request("GET", "/.well-known/jwks.json")


def domain_request(name: str) -> Request:
    return Request("GET", f"/v1/domains/{quote(name, safe='')}")


def confirm_request(proof: str, email: str, idempotency_key: Optional[str]) -> Request:
    body = {"proof": proof, "email": email}
    return Request("POST", "/v1/proofs/confirm", json=body, idempotency_key=idempotency_key)


def job_path(job: Job) -> str:
    job_id = job if isinstance(job, str) else job["id"]
    if not re.fullmatch(r"\w+", job_id):
        raise ValueError("A job, or its id, is expected.")
    return f"/v1/bulk-jobs/{job_id}"


def sizes_of(concurrency: int) -> Tuple[int, int]:
    """The number of addresses per request, and the number of concurrent requests."""
    if not 1 <= concurrency <= _MAX_CONCURRENCY:
        raise ValueError(f"concurrency is a whole number from 1 to {_MAX_CONCURRENCY}.")
    size = min(_MAX_ADDRESSES, concurrency)
    return size, concurrency // size


def batches_of(emails: Iterable[str], size: int) -> Iterator[List[str]]:
    batch: List[str] = []
    for email in emails:
        batch.append(email)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def check_emails(emails: Any) -> None:
    if isinstance(emails, str):
        raise TypeError("verify_many takes a list of addresses, not a string.")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _checked_url(text: Optional[str]) -> str:
    if not text:
        raise RcptError("Set base_url or RCPT_URL to the URL of the service.")
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise RcptError("The base URL is http:// or https://, a host and no user.")
    base = str(url.copy_with(query=None, fragment=None)).rstrip("/")
    path = _PATHS_OF_RCPT.search(base)
    if path:
        raise RcptError(f"The base URL has no {path.group()}: write {base[: path.start()]}.")
    return base


def _checked_key(text: Optional[str]) -> str:
    key = (text or "").strip()
    if not key:
        raise RcptError("Set api_key or RCPT_API_KEY to a key of the service.")
    # The message of httpx for an invalid header would contain the key.
    if not re.fullmatch(r"[A-Za-z0-9_-]+", key):
        raise RcptError("The key has characters that no key has.")
    return key
