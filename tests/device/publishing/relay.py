"""A way to the broker that can be held up, and cut: as a wireless network is that comes and goes."""

import socket
import threading
from contextlib import suppress


class Relay:
    """Hands on what comes to its `port`, both ways, to another port of this machine. Whether somebody listens there is
    seen anew with each connection."""

    def __init__(self, to: int) -> None:
        """to: the broker's port."""
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._open = threading.Event()
        self._open.set()
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self.cuts = 0
        """Connections that were cut."""
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Nothing gets through any more, and the connections stay open."""
        self._open.clear()

    def let_go(self) -> None:
        """What was held up gets through, and all that follows."""
        self._open.set()

    def cut(self) -> None:
        """End the connections that there are; what is under way is lost."""
        with self._lock:
            cut, self._sockets = self._sockets, set()
        self.cuts += len(cut) // 2
        for one in cut:
            _end(one)

    def close(self) -> None:
        """End all of it."""
        _end(self._listening)
        self.cut()
        self.let_go()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                came, _ = self._listening.accept()
                try:
                    there = socket.create_connection(("127.0.0.1", self._to), 5)
                except OSError:
                    _end(came)
                    continue
                there.settimeout(None)
                with self._lock:
                    self._sockets |= {came, there}
                for one, other in ((came, there), (there, came)):
                    threading.Thread(target=self._hand_on, args=(one, other), daemon=True).start()

    def _hand_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                self._open.wait()
                other.sendall(data)
        with self._lock:
            self._sockets -= {one, other}
        for each in (one, other):
            _end(each)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
