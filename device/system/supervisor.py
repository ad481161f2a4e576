"""Keep the processes of `inkeek run` running: one that dies or hangs is started again, while the others go on."""

import contextlib
import ctypes
import errno
import logging
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

from device.errors import UserError
from device.system.notifications import Notifier

log = logging.getLogger(__name__)

PERMANENT = 3
"""Exit status of a child that must not be started again; it has said why."""

BACK_OFF_S = (0.2, 0.5, 1.0, 2.0, 5.0)
STEADY_S = 20.0
"""After running this long, a child's earlier deaths are forgotten."""
MOST_DEATHS = 8
"""Deaths in a row, none after a steady run, after which a child is given up."""
END_S = 6.0
LOOK_S = 5.0
"""Seconds between two checks whether a child is well."""
PR_SET_PDEATHSIG = 1


class PortError(UserError):
    """The page's port cannot be used; one sentence."""


def check_port(host: str, port: int) -> None:
    """Check that the page's port is free. Raises `PortError`."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise PortError(f"the page cannot be served on {host!r}: {error.strerror or error}") from error
    with socket.socket(family, kind, proto) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except PermissionError as error:
            raise PortError(f"port {port} may not be used by this user: choose one above 1023 with --port") from error
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise PortError(f"the page cannot be served on {host!r}: {error.strerror or error}") from error
            raise PortError(f"port {port} is in use: end the other program, or choose another with --port") from error


def answers(host: str, port: int) -> bool:
    """Whether a server accepts connections at this address."""
    try:
        with socket.create_connection((host, port), timeout=0.5):
            return True
    except OSError:
        return False


@dataclass
class Child:
    """One process, started again when it dies. command: makes its command for a start (True for the first one);
    environment: variables added to this process's.

    well: whether it still works; if not for `patience_s` seconds, it hangs and is killed. vital: if it is given up, the
    other processes end too.
    """

    name: str
    command: Callable[[bool], Sequence[str]]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    deaths: int = 0
    due: float = 0.0
    first: bool = True
    well: Callable[[], bool] = lambda: True
    environment: Mapping[str, str] = field(default_factory=dict)
    patience_s: float = 60.0
    vital: bool = True
    _well_at: float = 0.0
    _looked: float = 0.0

    def start(self, now: float) -> None:
        """Start the process. now: monotonic, seconds."""
        self.process = subprocess.Popen(list(self.command(self.first)), preexec_fn=_die_with_parent,
                                        env={**os.environ, **self.environment})
        self.first, self.started, self._well_at = False, now, now

    def tend(self, now: float) -> bool:
        """Start the process when it is due, and check it. False to give it up; the reason has been logged."""
        if self.process is None:
            if now >= self.due:
                self.start(now)
            return True
        status = self.process.poll()
        if status is None:
            self._look_after(self.process, now)
            return True
        self.process = None
        if status == PERMANENT:
            return False
        self.deaths = 1 if now - self.started >= STEADY_S else self.deaths + 1
        if self.deaths >= MOST_DEATHS:
            log.error("the %s died %d times in a row (status %d): see what it said above", self.name, self.deaths,
                      status)
            return False
        self.due = now + BACK_OFF_S[min(self.deaths, len(BACK_OFF_S)) - 1]
        log.warning("the %s ended (status %d); it is started again", self.name, status)
        return True

    def _look_after(self, process: subprocess.Popen[bytes], now: float) -> None:
        """Kill the process if it hangs; `tend` then notices its death."""
        if now - self._looked < LOOK_S:
            return
        self._looked = now
        if self.well():
            self._well_at = now
        elif now - self._well_at >= self.patience_s:
            log.error("the %s hangs and is ended", self.name)
            process.kill()

    def end(self) -> None:
        """End the process: by SIGTERM first, after `END_S` by SIGKILL."""
        process, self.process = self.process, None
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass
class Supervisor:
    """Runs its children until told to stop or until a vital one is given up. tell: called once, when `ready` is True.

    manager: the service manager, which is notified then, too, and regularly told that this process is alive.
    """

    children: Sequence[Child]
    stop: threading.Event = field(default_factory=threading.Event)
    ready: Callable[[], bool] = lambda: True
    tell: Callable[[], None] = lambda: None
    manager: Notifier = field(default_factory=lambda: Notifier({}))
    _barked: float = 0.0

    def handle_signals(self) -> None:
        """Stop on SIGINT (Ctrl-C) and SIGTERM (service manager)."""
        def ending(_number: int, _frame: FrameType | None) -> None:
            self.stop.set()

        signal.signal(signal.SIGINT, ending)
        signal.signal(signal.SIGTERM, ending)

    def run(self) -> bool:
        """Run until told to stop, and return True; return False if a vital child was given up."""
        is_announced = False
        try:
            while not self.stop.is_set():
                if not self._tend():
                    return False
                if not is_announced and self.ready():
                    is_announced = True
                    self.tell()
                    self.manager.ready(" and ".join(f"the {child.name} runs" for child in self.children))
                self._bark(time.monotonic())
                self.stop.wait(0.1)
            return True
        finally:
            self.manager.stopping()
            for child in self.children:
                child.end()

    def _tend(self) -> bool:
        """Tend every child. False if a vital one, or the last one, is given up."""
        for child in list(self.children):
            if child.tend(time.monotonic()):
                continue
            if child.vital or len(self.children) == 1:
                return False
            log.warning("the %s is given up; all else goes on", child.name)
            self.children = [one for one in self.children if one is not child]
        return True

    def _bark(self, now: float) -> None:
        """Notify the watchdog, three times in its period."""
        if self.manager.watchdog_s and now - self._barked >= self.manager.watchdog_s / 3:
            self._barked = now
            self.manager.alive()


def _die_with_parent() -> None:
    """In the child: end when the supervisor is killed (Linux only)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
