"""A real Mosquitto for the tests, set up by the very files that a hall is told to use; it can be killed and held up."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from device.publishing.address import HallAddress
from tests.ports import free_port
from tests.waiting import wait_for

DEBIANS = """pid_file {folder}/mosquitto.pid
persistence true
persistence_location {folder}/
include_dir {folder}/conf.d
user {user}
"""
"""As Debian's own configuration, which includes the example's."""
EXAMPLE = Path(__file__).parents[3] / "device" / "publishing" / "broker"
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
MOSQUITTO = shutil.which("mosquitto", path=PATH)
PASSWORD = "a long word"
ETC = "/etc/mosquitto"

mosquitto = pytest.mark.skipif(MOSQUITTO is None, reason="publishing to a real broker (apt install mosquitto)")


class Broker:
    """A broker in `folder` that knows these users, all by the same password. tls: certificate and key, for mqtts://."""

    def __init__(self, folder: Path, *users: str, tls: tuple[Path, Path] | None = None) -> None:
        """Nothing runs yet."""
        self.port = free_port()
        self._conf = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(EXAMPLE / "acl", folder / "inkeek.acl")
        passwords = folder / "inkeek.passwords"
        passwords.touch()
        for user in users:
            subprocess.run([str(shutil.which("mosquitto_passwd", path=PATH)), "-b", str(passwords), user, PASSWORD],
                           check=True, capture_output=True)
        for file in (folder / "inkeek.acl", passwords):
            file.chmod(0o600)
        text = (EXAMPLE / "mosquitto.conf").read_text()
        for there, here in ((f"{ETC}/inkeek.passwords", str(passwords)), (f"{ETC}/inkeek.acl", f"{folder}/inkeek.acl"),
                            ("\nlistener 1883\n", f"\nlistener {self.port} 127.0.0.1\n" + _secured(tls))):
            assert there in text
            text = text.replace(there, here)
        (folder / "conf.d").mkdir()
        (folder / "conf.d" / "inkeek.conf").write_text(text)
        self._conf.write_text(DEBIANS.format(folder=folder, user=getpass.getuser()))

    def address(self, user: str = "", password: str = PASSWORD, *, ca: Path | None = None) -> HallAddress:
        """Where it is, for that user. ca: the file of the authority, for mqtts://."""
        return HallAddress("127.0.0.1", self.port, ca is not None, user, password if user else "", str(ca or ""))

    def start(self) -> None:
        """Run it, and wait until it listens."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([str(MOSQUITTO), "-c", str(self._conf)], stdout=log, stderr=log)
        wait_for(self._listens, 20)

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def dead(self) -> bool:
        """Whether it does not run."""
        return self._process is None

    def hold(self) -> None:
        """It does not answer any more, and its links stay open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def let_go(self) -> None:
        """It goes on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _listens(self) -> bool:
        assert self._process is not None and self._process.poll() is None, self._log.read_text()
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False


def _secured(tls: tuple[Path, Path] | None) -> str:
    return "" if tls is None else f"certfile {tls[0]}\nkeyfile {tls[1]}\n"
