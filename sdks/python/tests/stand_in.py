"""A server that answers as a test says."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from websockets.sync.server import Server, ServerConnection, serve

Answer = Tuple[int, Optional[Dict[str, Any]], Dict[str, str]]


class Received(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


def error(code: str, retryable: bool) -> Dict[str, Any]:
    return {"event": "error", "request_id": "r-1", "code": code, "retryable": retryable, "detail": "Why."}


class StandIn:
    """Answers each request by ``answer``, which closes the connection by returning ``None``."""

    def __init__(self, answer: Callable[[Received], Optional[Answer]]) -> None:
        self.requests: List[Received] = []
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                received = Received(self.command, self.path, headers, self.rfile.read(length))
                requests.append(received)
                answered = answer(received)
                if answered is None:
                    self.close_connection = True
                    return
                status, body, more = answered
                raw = b"" if body is None else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"content-type": "application/json", **more}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PATCH = do_DELETE = handle_request

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def __enter__(self) -> "StandIn":
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class SpeechStandIn:
    """Opens each WebSocket with ``ready``, and passes it to the next of ``connections``."""

    def __init__(self, *connections: Callable[[ServerConnection], None]) -> None:
        waiting = list(connections)
        self.count = 0

        def handle(socket: ServerConnection) -> None:
            self.count += 1
            send(socket, {"event": "ready"})
            waiting.pop(0)(socket)

        self._server: Server = serve(handle, "127.0.0.1", 0, compression=None)
        self.url = f"http://127.0.0.1:{self._server.socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def __enter__(self) -> "SpeechStandIn":
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._thread.join()


def send(socket: ServerConnection, message: Dict[str, Any]) -> None:
    socket.send(json.dumps({"context_id": "default", **message}))


def send_audio(socket: ServerConnection, seq: int, size: int = 4) -> None:
    head = bytes([1, 1, 0, 1]) + seq.to_bytes(4, "big") + (seq * 20).to_bytes(4, "big")
    socket.send(head + bytes([seq % 256]) * size)
