"""Lists that the service reads and verifies at regular times."""

from __future__ import annotations

import re
from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, cast

from ._core import Request
from ._pages import async_pages, pages
from ._types import Schedule, ScheduleCheck, ScheduleCreate, ScheduleRun, ScheduleUpdate

_PATH = "/v1/schedules"

Reference = Any
"""A schedule or a run, or its id."""


class Schedules:
    """Lists that the service reads and verifies at regular times."""

    def __init__(self, call: Callable[[Request], Any]):
        self._call = call

    def list(self) -> Iterator[Schedule]:
        """Newest first."""
        return pages(self._call, _PATH, {})

    def check(self, schedule: ScheduleCreate) -> ScheduleCheck:
        """Read the first rows of its source, as a run would. Nothing is stored, verified or charged."""
        return cast(ScheduleCheck, self._call(_check(schedule)))

    def create(self, schedule: ScheduleCreate) -> Schedule:
        """Create a schedule. Secrets of its source are in no response."""
        return cast(Schedule, self._call(_create(schedule)))

    def get(self, schedule: Reference) -> Schedule:
        return cast(Schedule, self._call(Request("GET", _path(schedule))))

    def update(self, schedule: Reference, changes: ScheduleUpdate) -> Schedule:
        """Change settings. Omitted ones stay, and so do the secrets of a source of the same kind on the same host."""
        return cast(Schedule, self._call(_update(schedule, changes)))

    def delete(self, schedule: Reference) -> None:
        """Delete a schedule with its runs. Bulk jobs of its runs remain."""
        self._call(Request("DELETE", _path(schedule)))

    def run(self, schedule: Reference) -> ScheduleRun:
        """Run it now. Returns the run, or the one that has not ended."""
        return cast(ScheduleRun, self._call(_run(schedule)))

    def runs(self, schedule: Reference) -> Iterator[ScheduleRun]:
        """Its runs, newest first."""
        return pages(self._call, _runs_path(schedule), {})

    def confirm(self, schedule: Reference, run: Reference) -> ScheduleRun:
        """Blocklist what a run with the status "needs_confirmation" would: listmonk ends all subscriptions of these, for good."""
        return cast(ScheduleRun, self._call(_answer(schedule, run, "confirm")))

    def discard(self, schedule: Reference, run: Reference) -> ScheduleRun:
        """Write nothing of a run with the status "needs_confirmation"."""
        return cast(ScheduleRun, self._call(_answer(schedule, run, "discard")))


class AsyncSchedules:
    """The same for AsyncRcpt."""

    def __init__(self, call: Callable[[Request], Awaitable[Any]]):
        self._call = call

    def list(self) -> AsyncIterator[Schedule]:
        return async_pages(self._call, _PATH, {})

    async def check(self, schedule: ScheduleCreate) -> ScheduleCheck:
        return cast(ScheduleCheck, await self._call(_check(schedule)))

    async def create(self, schedule: ScheduleCreate) -> Schedule:
        return cast(Schedule, await self._call(_create(schedule)))

    async def get(self, schedule: Reference) -> Schedule:
        return cast(Schedule, await self._call(Request("GET", _path(schedule))))

    async def update(self, schedule: Reference, changes: ScheduleUpdate) -> Schedule:
        return cast(Schedule, await self._call(_update(schedule, changes)))

    async def delete(self, schedule: Reference) -> None:
        await self._call(Request("DELETE", _path(schedule)))

    async def run(self, schedule: Reference) -> ScheduleRun:
        return cast(ScheduleRun, await self._call(_run(schedule)))

    def runs(self, schedule: Reference) -> AsyncIterator[ScheduleRun]:
        return async_pages(self._call, _runs_path(schedule), {})

    async def confirm(self, schedule: Reference, run: Reference) -> ScheduleRun:
        return cast(ScheduleRun, await self._call(_answer(schedule, run, "confirm")))

    async def discard(self, schedule: Reference, run: Reference) -> ScheduleRun:
        return cast(ScheduleRun, await self._call(_answer(schedule, run, "discard")))


def _check(schedule: ScheduleCreate) -> Request:
    return Request("POST", f"{_PATH}/check", json=schedule)


def _create(schedule: ScheduleCreate) -> Request:
    return Request("POST", _PATH, json=schedule)


def _update(schedule: Reference, changes: ScheduleUpdate) -> Request:
    return Request("PATCH", _path(schedule), json=changes)


def _run(schedule: Reference) -> Request:
    return Request("POST", f"{_path(schedule)}/run")


def _answer(schedule: Reference, run: Reference, what: str) -> Request:
    return Request("POST", f"{_runs_path(schedule)}/{_id(run)}/{what}")


def _runs_path(schedule: Reference) -> str:
    return f"{_path(schedule)}/runs"


def _path(schedule: Reference) -> str:
    return f"{_PATH}/{_id(schedule)}"


def _id(reference: Reference) -> str:
    found = reference if isinstance(reference, str) else reference["id"]
    if not re.fullmatch(r"\w+", found):
        raise ValueError("A schedule or a run, or its id, is expected.")
    return cast(str, found)
