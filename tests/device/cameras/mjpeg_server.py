"""A camera in the network: a real HTTP server that gives MJPEG, as the apps of telephones and many cameras do."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

BOUNDARY = b"frame"
SECRET = "pass%40word"
"""The password as it is written in an address."""


class MjpegServer:
    """picture: makes the next picture uint8[h, w, 3]; None ends the video. A context; `stop` and `start` it in between,
    as Wi-Fi does; the port stays."""

    def __init__(self, picture: Callable[[], np.ndarray | None], fps: float = 30.0, *, password: bool = False) -> None:
        self._picture, self._fps, self._password = picture, fps, password
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = int(free.getsockname()[1])
        self._server: ThreadingHTTPServer | None = None
        self._ending = threading.Event()

    def __enter__(self) -> MjpegServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def address(self) -> str:
        user = f"referee:{SECRET}@" if self._password else ""
        return f"http://{user}127.0.0.1:{self._port}/video?token={SECRET}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._port}"

    def start(self) -> None:
        """Give pictures to whoever asks."""
        self._ending.clear()
        self._server = server = ThreadingHTTPServer(("127.0.0.1", self._port), self._handler())
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        """Let every connection go."""
        self._ending.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a question: with the video, a picture of it, or the page of a camera."""
        proof = b"Basic " + base64.b64encode(b"referee:pass@word")
        if self._password and handler.headers.get("Authorization", "").encode() != proof:
            handler.send_response(401)
            handler.send_header("WWW-Authenticate", 'Basic realm="camera"')
            handler.end_headers()
            return
        match handler.path.partition("?")[0]:
            case "/video":
                self._give(handler, f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}")
                self._stream(handler)
            case "/page":
                self._give(handler, "text/html", b"<html><body>a camera's page</body></html>")
            case "/shot.jpg":
                self._give(handler, "image/jpeg", jpeg(np.full((48, 64, 3), 90, np.uint8)))
            case _:
                handler.send_error(404)

    def _give(self, handler: BaseHTTPRequestHandler, kind: str, content: bytes = b"") -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        if content:
            handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def _stream(self, handler: BaseHTTPRequestHandler) -> None:
        while not self._ending.wait(1 / self._fps) and (picture := self._picture()) is not None:
            content = jpeg(picture)
            try:
                handler.wfile.write(b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n"
                                    % (BOUNDARY, len(content), content))
            except OSError:  # nobody watches any more
                return

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler


def jpeg(image: np.ndarray) -> bytes:
    """The picture as a JPEG."""
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
