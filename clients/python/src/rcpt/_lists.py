"""The bodies of lists, which are read while they are sent."""

from __future__ import annotations

import io
import json
import os
from typing import Any, BinaryIO, Callable, Iterable, Iterator, Optional, Union

from ._types import BulkEntry

Entry = Union[str, BulkEntry]
ListContent = Union[str, "os.PathLike[str]", bytes, BinaryIO, Iterable[Entry]]
ListSource = Union[ListContent, Callable[[], ListContent]]
"""A path, a file that is open in binary mode, or addresses. A function is called for every attempt."""

CHUNK_BYTES = 65_536
_CSV = "text/csv"
_NDJSON = "application/x-ndjson"
_TYPES = {".json": "application/json", ".ndjson": _NDJSON, ".jsonl": _NDJSON}


class ListBody:
    """The chunks of a list, with its content type."""

    def __init__(self, content: Any, content_type: Optional[str]):
        self.chunks: Iterator[bytes]
        if isinstance(content, (str, os.PathLike)):
            self.content_type = content_type or _type_of(os.fspath(content))
            self.chunks = _chunks_of_path(content)
        elif isinstance(content, bytes) or hasattr(content, "read"):
            file = io.BytesIO(content) if isinstance(content, bytes) else content
            self.content_type = content_type or _type_of(getattr(file, "name", ""))
            self.chunks = _chunks_of_file(file)
        else:
            self.content_type = content_type or _NDJSON
            self.chunks = _ndjson(content)


def is_repeatable(source: Any) -> bool:
    """Whether a retry can send the list again: a file and a generator are read once."""
    if callable(source) or isinstance(source, (str, bytes, os.PathLike)):
        return True
    return not hasattr(source, "read") and not hasattr(source, "__next__") and not is_async(source)


def is_async(source: Any) -> bool:
    return hasattr(source, "__aiter__")


def line_of(entry: Any) -> bytes:
    if not isinstance(entry, (str, dict)):
        raise TypeError("A list has addresses, or objects with `email` and `ref`.")
    return json.dumps(entry).encode() + b"\n"


def _type_of(name: Any) -> str:
    return _TYPES.get(os.path.splitext(str(name))[1].lower(), _CSV)


def _chunks_of_path(path: Any) -> Iterator[bytes]:
    with open(path, "rb") as file:
        yield from _chunks_of_file(file)


def _chunks_of_file(file: Any) -> Iterator[bytes]:
    while True:
        chunk = file.read(CHUNK_BYTES)
        if isinstance(chunk, str):
            raise TypeError("Open the file in binary mode.")
        if not chunk:
            return
        yield chunk


def _ndjson(entries: Iterable[Any]) -> Iterator[bytes]:
    lines = bytearray()
    for entry in entries:
        lines += line_of(entry)
        if len(lines) >= CHUNK_BYTES:
            yield bytes(lines)
            lines.clear()
    yield bytes(lines)
