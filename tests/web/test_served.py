"""How the page's server holds what it sends: an open feed keeps nothing of what has gone out."""

import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterator

from web.server import Server

PIECE, PIECES = b"x" * 10_000, 300


def test_a_feed_that_has_sent_much_keeps_little_of_it() -> None:
    ending = threading.Event()

    def feed(_environ: object, start: Callable[[str, list[tuple[str, str]]], object]) -> Iterator[bytes]:
        start("200 OK", [])
        for _ in range(PIECES):
            yield PIECE
        ending.wait(20)

    tracemalloc.start()
    server = Server(feed, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        with socket.create_connection(("127.0.0.1", server.port), 20) as line:
            line.sendall(b"GET / HTTP/1.0\r\n\r\n")
            got = 0
            while got < PIECES * len(PIECE):
                got += len(line.recv(1 << 16))
            kept = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*/waitress/buffers.py")])
            ending.set()
    finally:
        tracemalloc.stop()
        server.stop()
        thread.join(10)
    assert sum(one.size for one in kept.traces) < 1 << 20
