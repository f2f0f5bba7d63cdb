"""Errors, and the decision whether a request that failed is repeated."""

from __future__ import annotations

import json
import random
import time
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Optional, Tuple, Type

from ._types import BulkJob

_FIRST_BACKOFF = 0.5
_MAX_BACKOFF = 8.0


class RcptError(Exception):
    """The base class of all errors of this package. No error contains the key."""


class ApiConnectionError(RcptError):
    """The service could not be reached, or the connection was closed before the end of the response."""


class ApiTimeoutError(ApiConnectionError):
    """The service did not answer in time."""


class UnexpectedResponseError(RcptError):
    """The response is not one of Rcpt: another server or a proxy has answered."""

    def __init__(self, status: int, request_id: Optional[str], retry_after: Optional[float] = None):
        super().__init__(f"The server responded with {status} and is not Rcpt. Check the base URL.")
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        """Seconds; None: no such header."""

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.status, self.request_id, self.retry_after)


class JobTimeoutError(RcptError):
    """The job has not ended within the timeout of `bulk.wait`. It continues; wait for it again."""

    def __init__(self, job: BulkJob):
        done = f"{job['processed']} of {job['total']} rows are done"
        super().__init__(f"The job {job['id']} has not ended in time: {done}.")
        self.job = job

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.job,)


class WebhookVerificationError(RcptError):
    """The signature of a webhook is not valid, or its timestamp is too old. Answer 401."""


class ApiError(RcptError):
    """A problem (RFC 9457) that the service reports. Compare `code`; texts may change."""

    def __init__(self, problem: Dict[str, Any], retry_after: Optional[float]):
        status, code, detail = problem["status"], problem["code"], problem.get("detail")
        super().__init__(f"{status} {code}: {detail} (request {problem.get('request_id')})")
        self.problem = problem
        """The whole response, with members that only some codes have, such as `limit`."""
        self.status: int = status
        self.code: str = code
        self.request_id: Optional[str] = problem.get("request_id")
        self.errors: List[Dict[str, str]] = problem.get("errors") or []
        """The invalid members of the request: `pointer`, `code`, `message`."""
        self.retry_after = retry_after
        """Seconds; None: no such header."""

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.problem, self.retry_after)


class InvalidRequestError(ApiError):
    """400, 405, 408, 414, 415, 422 or 431: the request is not valid; `errors` names the members."""


class AuthenticationError(ApiError):
    """401: the key is missing, malformed, unknown, revoked or expired."""


class UpgradeRequiredError(ApiError):
    """402: the tier does not include the feature."""

    @property
    def tier(self) -> Optional[str]:
        return self.problem.get("tier")

    @property
    def required_tier(self) -> Optional[str]:
        return self.problem.get("required_tier")

    @property
    def feature(self) -> Optional[str]:
        return self.problem.get("feature")


class PermissionDeniedError(ApiError):
    """403: another key is required."""


class NotFoundError(ApiError):
    """404"""


class ConflictError(ApiError):
    """409"""


class PayloadTooLargeError(ApiError):
    """413: `problem["limit"]` is the limit of the tier, if it is one."""


class RateLimitError(ApiError):
    """429"""


class QuotaExceededError(RateLimitError):
    """429 `daily_quota_exceeded`: `retry_after` seconds remain until the next day in UTC."""


class ServerError(ApiError):
    """500 or 502"""


class ServiceUnavailableError(ServerError):
    """503"""


_BY_STATUS: Dict[int, Type[ApiError]] = {
    401: AuthenticationError,
    402: UpgradeRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: PayloadTooLargeError,
    429: RateLimitError,
    503: ServiceUnavailableError,
}


def error_of(status: int, headers: Any, text: str) -> RcptError:
    """The error for a response that is not a success."""
    retry_after = _seconds_of(headers.get("retry-after"))
    problem = _problem_of(text)
    if problem is None:
        return UnexpectedResponseError(status, headers.get("x-request-id"), retry_after)
    if problem["code"] == "daily_quota_exceeded":
        return QuotaExceededError(problem, retry_after)
    other = InvalidRequestError if status < 500 else ServerError
    return _BY_STATUS.get(status, other)(problem, retry_after)


def _problem_of(text: str) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("status"), int):
        return None
    return value if isinstance(value.get("code"), str) else None


def _seconds_of(text: Optional[str]) -> Optional[float]:
    """`Retry-After`: seconds or a date (RFC 9110 §10.2.3)."""
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _is_transient(error: RcptError) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, ApiConnectionError):
        return True
    if isinstance(error, UnexpectedResponseError):
        return error.status in (408, 429) or error.status >= 500
    if not isinstance(error, ApiError):
        return False
    if error.status == 409:
        return error.code == "idempotency_in_progress"
    if error.status == 502:
        return error.code != "payment_provider_refused"
    if error.status == 503:
        # Without the header the condition is permanent.
        return error.retry_after is not None
    return error.status in (408, 429, 500, 504)


class Retries:
    """Counts the attempts of a request, and says when the next one is."""

    def __init__(self, max_retries: int, max_retry_after: float, timeout: float):
        self._left = max_retries
        self._max_retry_after = max_retry_after
        self._timeout = timeout
        self._backoff = _FIRST_BACKOFF

    def delay_after(self, error: RcptError) -> float:
        """Seconds. Raises the error if the request is not repeated."""
        seconds = getattr(error, "retry_after", None) or 0.0
        longest = self._max_retry_after
        if getattr(error, "status", None) == 429:
            # A caller that waits some seconds for a verdict does not wait a minute for a quota.
            longest = min(longest, self._timeout)
        if self._left == 0 or not _is_transient(error) or seconds > longest:
            raise error
        self._left -= 1
        # With jitter, so that clients that failed together do not return together.
        backoff = min(_MAX_BACKOFF, self._backoff) * (0.5 + random.random() / 2)
        self._backoff *= 2
        return max(seconds, backoff)
