"""The rules by which a team decides about addresses."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Iterable, List, Optional, cast

from ._core import Request
from ._types import Policy, PolicyPreview, PolicyRuleInput

_PATH = "/v1/policy"


class TeamPolicy:
    """The rules by which the team decides about addresses."""

    def __init__(self, call: Callable[[Request], Any]):
        self._call = call

    def get(self) -> Policy:
        return cast(Policy, self._call(_get()))

    def set(self, rules: Iterable[PolicyRuleInput]) -> Policy:
        """Replace the rules, of which the first that matches decides. Needs the live key of an admin."""
        return cast(Policy, self._call(_set(list(rules))))

    def preview(self, rules: Iterable[PolicyRuleInput], *, days: Optional[int] = None) -> PolicyPreview:
        """What rules would change in the verdicts of lists of the last 1-30 days (default 7). They are not stored."""
        return cast(PolicyPreview, self._call(_preview(list(rules), days)))


class AsyncTeamPolicy:
    """The same for AsyncRcpt."""

    def __init__(self, call: Callable[[Request], Awaitable[Any]]):
        self._call = call

    async def get(self) -> Policy:
        return cast(Policy, await self._call(_get()))

    async def set(self, rules: Iterable[PolicyRuleInput]) -> Policy:
        return cast(Policy, await self._call(_set(list(rules))))

    async def preview(
        self, rules: Iterable[PolicyRuleInput], *, days: Optional[int] = None
    ) -> PolicyPreview:
        return cast(PolicyPreview, await self._call(_preview(list(rules), days)))


def _get() -> Request:
    return Request("GET", _PATH)


def _set(rules: List[PolicyRuleInput]) -> Request:
    return Request("PUT", _PATH, json={"rules": rules})


def _preview(rules: List[PolicyRuleInput], days: Optional[int]) -> Request:
    body = {"rules": rules} if days is None else {"rules": rules, "days": days}
    return Request("POST", f"{_PATH}/preview", json=body)
