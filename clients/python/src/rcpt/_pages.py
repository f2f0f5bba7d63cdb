"""Lists that the service returns in pages."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Iterator

from ._core import Request

_PAGE_ROWS = 100


def pages(call: Callable[[Request], Any], path: str, parameters: Dict[str, Any]) -> Iterator[Any]:
    """Newest first. Reads a page when the previous one is used up."""
    query = {**parameters, "limit": _PAGE_ROWS}
    while True:
        page = call(Request("GET", path, query=query))
        yield from page["data"]
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]


async def async_pages(
    call: Callable[[Request], Awaitable[Any]], path: str, parameters: Dict[str, Any]
) -> AsyncIterator[Any]:
    query = {**parameters, "limit": _PAGE_ROWS}
    while True:
        page = await call(Request("GET", path, query=query))
        for item in page["data"]:
            yield item
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]
