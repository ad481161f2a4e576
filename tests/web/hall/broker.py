"""A real Mosquitto for the tests, on a port of its own."""

import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.ports import free_port
from tests.waiting import wait_for

MOSQUITTO = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
LEFT_OUT = "a hall over a real broker (apt install mosquitto)"


class Broker:
    """Mosquitto with its files in a folder; it keeps what is retained when it is stopped."""

    def __init__(self, folder: Path, more: Sequence[str] = ("allow_anonymous true",)) -> None:
        """more: lines of its configuration."""
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._config = folder / "mosquitto.conf"
        self._config.write_text("\n".join([
            f"listener {self.port} 127.0.0.1", "persistence true", f"persistence_location {folder}/",
            "max_queued_messages 10000", "log_dest none", *more, ""]))

    @property
    def url(self) -> str:
        """As it is written for `--broker`."""
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Begin, and wait until it answers."""
        assert MOSQUITTO is not None
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)], stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        wait_for(self.answers, 20)

    def answers(self) -> bool:
        """Whether somebody listens on the port."""
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
