"""The web server under the page and the hall: waitress, sized for a room of 150 people with six sockets each.

A feed stays open for hours, so each has a thread of its own and takes none from the others. A few threads do everything
else, the requests of signed-in referees first. An idle socket is closed after some seconds, and earlier when sockets
run out, so that there is always one for a new visitor.
"""

import itertools
import logging
import resource
import threading
from collections.abc import Callable
from queue import PriorityQueue
from typing import Any

from flask import Flask
from itsdangerous import BadSignature
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from werkzeug.http import parse_cookie

log = logging.getLogger(__name__)

FEEDS = ("/events", "/feed", "/stream")
"""How the addresses end whose answers stay open."""
THREADS = 16
"""Threads for everything that is no feed."""
MOST_SOCKETS = 1500
SPARE_FILES = 200
"""Files that the process may need besides its sockets."""
IDLE_S = 15
"""Seconds after which an idle socket is closed."""

BOUNDS = {"max_request_body_size": 1 << 20, "max_request_header_size": 16 << 10, "outbuf_high_watermark": 256 << 10,
          "channel_request_lookahead": 1, "channel_timeout": IDLE_S, "cleanup_interval": 5, "asyncore_use_poll": True}
"""Settings of waitress. A request may send at most 1 MiB before the server hangs up; the page accepts far less, and
says so. Of an answer 256 KiB are buffered: by default an open feed would keep all that it has sent, up to 16 MiB. One
request is read ahead, so that a client's departure is noticed."""

RulesBy = Callable[[dict[str, Any]], bool]
"""Whether a session belongs to somebody who may rule; in `extensions["rules_by"]` of the application."""


class Dispatcher:
    """Runs each feed on a thread of its own, and everything else on a few threads, a referee's requests first."""

    def __init__(self, app: Callable[..., Any], threads: int = THREADS) -> None:
        """app: a Flask application, which knows who may rule, or another one of WSGI; threads: for all but feeds."""
        self._app = app if isinstance(app, Flask) else None
        self._threads = threads
        self._waiting: PriorityQueue[tuple[int, int, Any]] = PriorityQueue()
        self._number = itertools.count()
        for number in range(threads):
            threading.Thread(target=self._work, name=f"page-{number}", daemon=True).start()

    def add_task(self, task: Any) -> None:
        """Take a channel of waitress whose next request is complete."""
        request = task.requests[0]
        if request.path.endswith(FEEDS):
            threading.Thread(target=_serve, args=(task,), name="feed", daemon=True).start()
            return
        # The order matters only if somebody waits.
        first = not self._waiting.empty() and self._rules(request.headers.get("COOKIE", ""))
        self._waiting.put((0 if first else 1, next(self._number), task))

    def shutdown(self) -> None:
        """End the threads; waiting requests get no answer. Feeds end when their sockets are closed."""
        for _ in range(self._threads):
            self._waiting.put((-1, next(self._number), None))

    def _work(self) -> None:
        while (task := self._waiting.get()[2]) is not None:
            _serve(task)

    def _rules(self, cookies: str) -> bool:
        """Return whether a request's cookies belong to somebody who may rule."""
        if self._app is None:
            return False
        rules_by: RulesBy = self._app.extensions["rules_by"]
        signer = self._app.session_interface.get_signing_serializer(self._app)  # type: ignore[attr-defined]
        try:
            kept = parse_cookie(cookies).get(self._app.config["SESSION_COOKIE_NAME"], "")
            return rules_by(signer.loads(kept, max_age=self._app.permanent_session_lifetime.total_seconds()))
        except BadSignature:
            return False


def _serve(task: Any) -> None:
    try:
        task.service()
    except Exception:
        log.exception("a request could not be served")


class _Listener(TcpWSGIServer):  # type: ignore[misc]
    """Closes idle sockets, the longest idle first, before it would have to refuse new ones."""

    def readable(self) -> bool:
        """Return whether to accept another socket."""
        if len(self._map) >= self.adj.connection_limit - 1:
            idle = [one for one in list(self.active_channels.values()) if not one.requests and not one.will_close]
            idle.sort(key=lambda one: one.last_activity)
            for one in idle[:1 + len(idle) // 10]:
                one.will_close = True  # closed here, its number could be a new visitor's before the poll reports it
        return bool(super().readable())


class Server:
    """The application served on a port. Raises OSError or ValueError if the port cannot be used."""

    def __init__(self, app: Callable[..., Any], host: str, port: int, threads: int = THREADS) -> None:
        """app: a WSGI application; host, port: to serve it on, port 0 for any free one; threads: for all but feeds."""
        adjustments = Adjustments(host=host, port=port, ident="inkeek", connection_limit=_sockets(), **BOUNDS)
        self._map: dict[int, Any] = {}
        self._dispatcher = Dispatcher(app, threads)
        self._listeners = [_Listener(app, self._map, dispatcher=self._dispatcher, adj=adjustments, sockinfo=info)
                           for info in adjustments.listen]
        self.port = int(self._listeners[0].effective_port)

    def run(self) -> None:
        """Serve until `stop` or an interrupt."""
        wasyncore.loop(timeout=1, map=self._map, use_poll=True)

    def close(self) -> None:
        """Close every connection. Call it from the thread that ran `run`."""
        self._dispatcher.shutdown()
        for listener in self._listeners:
            for channel in list(listener.active_channels.values()):
                channel.handle_close()
        wasyncore.close_all(self._map)

    def stop(self) -> None:
        """End `run`; may be called from another thread."""
        self._listeners[0].trigger.pull_trigger(self.close)


def _sockets() -> int:
    """Return how many sockets may be open: as many as a full room needs, within the system's limit for this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_SOCKETS + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_SOCKETS if soft == resource.RLIM_INFINITY else min(MOST_SOCKETS, max(50, soft - SPARE_FILES))
