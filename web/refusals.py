"""Logs what the page refuses, once instead of a thousand times.

Each kind of refusal gives one line per address and hour, with the number of those that were not logged; and all kinds
together never give more lines in an hour than a person would read. Nothing that a stranger sent gets into the log.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from flask import Flask, Response, request

from web.views.roles import visitor

AGAIN_S = 3600.0
"""Seconds before the same refusal to the same address is logged again."""
MOST_LINES = 60
"""Most lines per hour in all."""
MOST_KNOWN = 1000

BY_STATUS = {
    401: "ruling without a token that holds",
    405: "a method that no page has",
    413: "a body that no order needs",
    415: "something else than JSON",
    421: "the page under a name that is not this machine's",
    422: "an order of no known form",
    429: "guesses or orders faster than they are taken",
}
PIN_PATHS = ("/referee/in", "/api/v1/token")
EVIDENCE = ("/evidence", "/clip")


class Refusals:
    """Counts refusals and decides which are logged. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start without refusals."""
        self._clock = clock
        self._lock = threading.Lock()
        self._said: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()
        self._lines: deque[float] = deque(maxlen=MOST_LINES)

    def note(self, who: str, what: str) -> str:
        """Count one refusal; return the line to log, "" for none."""
        with self._lock:
            now, key = self._clock(), (who, what)
            at, silent = self._said.get(key, (now - AGAIN_S, 0))
            full = len(self._lines) == MOST_LINES and now - self._lines[0] < AGAIN_S
            if now - at < AGAIN_S or full:
                self._keep(key, at, silent + 1)
                return ""
            self._keep(key, now, 0)
            self._lines.append(now)
        before = f", and {silent} times more since it was last said" if silent else ""
        return f"refused to {who or 'somebody'}: {what}{before}"

    def _keep(self, key: tuple[str, str], at: float, silent: int) -> None:
        self._said[key] = (at, silent)
        self._said.move_to_end(key)
        while len(self._said) > MOST_KNOWN:
            self._said.popitem(last=False)


def kind(status: int, method: str, path: str) -> str:
    """Return what was refused, in words; "" if the answer refuses nothing."""
    if status in BY_STATUS:
        return BY_STATUS[status]
    if status == 403:
        return "a wrong PIN" if path in PIN_PATHS else "ruling without the PIN"
    if status == 400 and method == "GET" and path.startswith("/api/"):
        return "a token or a PIN in an address"
    if status == 400 and method == "POST":
        return "an order without the page's token, or of no known form"
    if status == 404 and path.startswith(EVIDENCE):
        return "evidence under a name that there is not"
    if status == 503 and path == "/events":
        return "more open pages than there is room for"
    return ""


def watch(app: Flask) -> None:
    """Log what `app` refuses."""
    refusals = Refusals()

    @app.after_request
    def note(response: Response) -> Response:
        what = kind(response.status_code, request.method, request.path)
        line = refusals.note(visitor(), what) if what else ""
        if line:
            app.logger.warning(line)
        return response
