"""What became of mails to addresses."""

from __future__ import annotations

import re
from typing import (
    Any,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    List,
    Optional,
    Union,
    cast,
)

from ._core import Request
from ._pages import async_pages, pages
from ._types import IssuedOutcomeSource, Outcome, OutcomeReceipt, OutcomeSource, VerdictOutcome

_OUTCOMES = "/v1/outcomes"
_SOURCES = "/v1/outcome-sources"
_BATCH_OUTCOMES = 500
"""A request has at most 1,000 outcomes, and 2 MB."""

Source = Any
"""A source, or its id."""


class Outcomes:
    """What became of mails to addresses. Needs a live key."""

    def __init__(self, call: Callable[[Request], Any]):
        self._call = call
        self.sources = OutcomeSources(call)

    def report(self, outcomes: Union[Outcome, Iterable[Outcome]]) -> OutcomeReceipt:
        """Report one outcome or any number of them, up to 500 in a request.

        An outcome that cannot be used is in `ignored`, with its position. What was reported before is a
        duplicate, so a report can be repeated after an error.
        """
        total = _no_receipt()
        batch: List[Outcome] = []
        for outcome in _several(outcomes):
            batch.append(outcome)
            if len(batch) == _BATCH_OUTCOMES:
                _add(total, self._call(_report(batch)))
                batch = []
        if batch:
            _add(total, self._call(_report(batch)))
        return total

    def report_message(self, message: bytes) -> OutcomeReceipt:
        """Report a delivery report or a complaint, as it arrived by mail."""
        return cast(OutcomeReceipt, self._call(_message(message)))

    def list(self, email: str) -> Iterator[VerdictOutcome]:
        """What is known of an address, newest first. Reads a page when the previous one is used up."""
        return pages(self._call, _OUTCOMES, {"email": email})

    def forget(self, email: str) -> None:
        """Delete what is known of an address."""
        self._call(Request("DELETE", _OUTCOMES, query={"email": email}))


class OutcomeSources:
    """Mail providers that send their events to the service."""

    def __init__(self, call: Callable[[Request], Any]):
        self._call = call

    def list(self) -> Iterator[OutcomeSource]:
        """Newest first."""
        return pages(self._call, _SOURCES, {})

    def add(self, kind: str, secret: Optional[str] = None) -> IssuedOutcomeSource:
        """Add a source. Its `url` is in this response only: enter it at the provider."""
        return cast(IssuedOutcomeSource, self._call(_source(kind, secret)))

    def delete(self, source: Source) -> None:
        """Delete a source, whose URL is unknown from then on."""
        self._call(Request("DELETE", _source_path(source)))


class AsyncOutcomes:
    """What became of mails to addresses. See Outcomes."""

    def __init__(self, call: Callable[[Request], Awaitable[Any]]):
        self._call = call
        self.sources = AsyncOutcomeSources(call)

    async def report(
        self, outcomes: Union[Outcome, Iterable[Outcome], AsyncIterable[Outcome]]
    ) -> OutcomeReceipt:
        """Report one outcome or any number of them. See Outcomes.report."""
        total = _no_receipt()
        batch: List[Outcome] = []
        async for outcome in _iterate(outcomes):
            batch.append(outcome)
            if len(batch) == _BATCH_OUTCOMES:
                _add(total, await self._call(_report(batch)))
                batch = []
        if batch:
            _add(total, await self._call(_report(batch)))
        return total

    async def report_message(self, message: bytes) -> OutcomeReceipt:
        """Report a delivery report or a complaint, as it arrived by mail."""
        return cast(OutcomeReceipt, await self._call(_message(message)))

    def list(self, email: str) -> AsyncIterator[VerdictOutcome]:
        """What is known of an address, newest first."""
        return async_pages(self._call, _OUTCOMES, {"email": email})

    async def forget(self, email: str) -> None:
        """Delete what is known of an address."""
        await self._call(Request("DELETE", _OUTCOMES, query={"email": email}))


class AsyncOutcomeSources:
    """Mail providers that send their events to the service."""

    def __init__(self, call: Callable[[Request], Awaitable[Any]]):
        self._call = call

    def list(self) -> AsyncIterator[OutcomeSource]:
        """Newest first."""
        return async_pages(self._call, _SOURCES, {})

    async def add(self, kind: str, secret: Optional[str] = None) -> IssuedOutcomeSource:
        """Add a source. Its `url` is in this response only: enter it at the provider."""
        return cast(IssuedOutcomeSource, await self._call(_source(kind, secret)))

    async def delete(self, source: Source) -> None:
        """Delete a source, whose URL is unknown from then on."""
        await self._call(Request("DELETE", _source_path(source)))


class _MessageBody:
    content_type = "message/rfc822"

    def __init__(self, message: bytes):
        self.chunks = message


def _several(outcomes: Any) -> Iterable[Outcome]:
    if isinstance(outcomes, (str, bytes)):
        raise TypeError("report takes outcomes; report_message takes a message.")
    return [outcomes] if isinstance(outcomes, dict) else cast(Iterable[Outcome], outcomes)


async def _iterate(outcomes: Any) -> AsyncIterator[Outcome]:
    if isinstance(outcomes, AsyncIterable):
        async for outcome in outcomes:
            yield outcome
    else:
        for outcome in _several(outcomes):
            yield outcome


def _report(batch: List[Outcome]) -> Request:
    return Request("POST", _OUTCOMES, json={"outcomes": batch})


def _message(message: bytes) -> Request:
    return Request("POST", _OUTCOMES, body=lambda: _MessageBody(message))


def accuracy_request(days: Optional[int]) -> Request:
    return Request("GET", "/v1/accuracy", query={"days": days})


def _source(kind: str, secret: Optional[str]) -> Request:
    return Request("POST", _SOURCES, json={"kind": kind, "secret": secret})


def _source_path(source: Source) -> str:
    source_id = source if isinstance(source, str) else source["id"]
    if not re.fullmatch(r"\w+", source_id):
        raise ValueError("A source, or its id, is expected.")
    return f"{_SOURCES}/{source_id}"


def _no_receipt() -> OutcomeReceipt:
    return {"received": 0, "stored": 0, "duplicates": 0, "ignored": []}


def _add(total: OutcomeReceipt, receipt: OutcomeReceipt) -> None:
    total["ignored"] += [{**each, "index": each["index"] + total["received"]} for each in receipt["ignored"]]
    total["received"] += receipt["received"]
    total["stored"] += receipt["stored"]
    total["duplicates"] += receipt["duplicates"]
