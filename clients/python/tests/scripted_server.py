"""A server on a real socket whose answers the tests choose."""

from __future__ import annotations

import json
import socket
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional, Tuple

KEY = "rcpt_live_0123456789abcdefghijklmnopqrstuvwxyz"
RESET = "reset"
SILENT = "silent"
DRIPPING = "dripping"
ENDLESS = "endless"
Answer = Any


def problem(status: int, code: str, headers: Optional[Dict[str, str]] = None, **more: Any) -> Answer:
    body = {"status": status, "code": code, "detail": "why", "request_id": "r1", **more}
    return status, headers or {}, json.dumps(body)


class ScriptedServer:
    """Gives the answers in turn, and the last one again and again."""

    def __init__(self) -> None:
        self.answers: List[Answer] = []
        self.received: List[Tuple[Dict[str, str], str]] = []
        self.ended = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.do_POST()

            def do_POST(self) -> None:
                outer.received.append((_lowered(self.headers), self._body()))
                answer = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                self.close_connection = True
                if answer == RESET:
                    linger = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.connection.close()
                elif answer == SILENT:
                    outer.ended.wait()
                elif answer in (DRIPPING, ENDLESS):
                    self.send_response(200)
                    self.end_headers()
                    while not outer.ended.wait(0.05 if answer == DRIPPING else 0):
                        self.wfile.write(b" " if answer == DRIPPING else b" " * 1_000_000)
                else:
                    status, headers, body = answer
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Connection", "close")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body.encode())

            def _body(self) -> str:
                if self.headers.get("transfer-encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("content-length", 0))).decode()
                text = b""
                while True:
                    size = int(self.rfile.readline(), 16)
                    text += self.rfile.read(size)
                    self.rfile.readline()
                    if size == 0:
                        return text.decode()

            def handle(self) -> None:
                try:
                    super().handle()
                except (OSError, ValueError):
                    pass

            def finish(self) -> None:
                try:
                    super().finish()
                except (OSError, ValueError):
                    pass

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def script(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.received.clear()

    def keys(self) -> List[Optional[str]]:
        return [headers.get("idempotency-key") for headers, _ in self.received]

    def bodies(self) -> List[str]:
        return [body for _, body in self.received]

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()


def _lowered(headers: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
