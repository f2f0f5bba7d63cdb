"""Client for Rcpt, an email-address verification service that a team runs itself."""

from ._async_client import AsyncBulk, AsyncRcpt
from ._client import Bulk, Rcpt
from ._core import VERSION as __version__
from ._errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    JobTimeoutError,
    NotFoundError,
    PayloadTooLargeError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    RcptError,
    ServerError,
    ServiceUnavailableError,
    UnexpectedResponseError,
    UpgradeRequiredError,
    WebhookVerificationError,
)
from ._types import BulkEntry, BulkJob, BulkResult, Verdict, WebhookEvent
from ._webhooks import Webhooks

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncBulk",
    "AsyncRcpt",
    "AuthenticationError",
    "Bulk",
    "BulkEntry",
    "BulkJob",
    "BulkResult",
    "ConflictError",
    "InvalidRequestError",
    "JobTimeoutError",
    "NotFoundError",
    "PayloadTooLargeError",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimitError",
    "Rcpt",
    "RcptError",
    "ServerError",
    "ServiceUnavailableError",
    "UnexpectedResponseError",
    "UpgradeRequiredError",
    "Verdict",
    "WebhookEvent",
    "WebhookVerificationError",
    "Webhooks",
    "__version__",
]
