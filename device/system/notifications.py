"""Notify the service manager that a service is ready, what it does, and that it is alive (sd_notify(3))."""

import logging
import os
import socket
from collections.abc import MutableMapping

log = logging.getLogger(__name__)


class Notifier:
    """Notifies the service manager that started this process; without one it does nothing.

    It removes systemd's NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment, so that child processes do
    not notify in this process's name.
    """

    def __init__(self, environment: MutableMapping[str, str] | None = None) -> None:
        """environment: holds systemd's variables; the process's own unless given."""
        env = os.environ if environment is None else environment
        address = env.pop("NOTIFY_SOCKET", "")
        microseconds, process = env.pop("WATCHDOG_USEC", ""), env.pop("WATCHDOG_PID", "")
        # "@" stands for the zero byte that begins an abstract address.
        self._address = "\0" + address[1:] if address.startswith("@") else address if address.startswith("/") else ""
        mine = process in ("", str(os.getpid()))
        self.watchdog_s = int(microseconds) / 1e6 if mine and microseconds.isdigit() else 0.0
        """Seconds within which `alive` must be called again; 0 for no watchdog."""

    def ready(self, status: str) -> None:
        """Notify that the service is ready."""
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        """Notify what the service does now, in a few words."""
        self._send(f"STATUS={status}")

    def alive(self) -> None:
        """Notify the watchdog that the process is alive."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Notify that the service is stopping."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as manager:
                manager.sendto(message.encode(), self._address)
        except OSError as error:
            log.debug("the service manager cannot be notified: %s", error)
