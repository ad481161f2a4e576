"""Where a hall's broker is and how a table signs in there: read from the address, the settings and the environment."""

from __future__ import annotations

import importlib.util
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

PASSWORD = "INKEEK_HALL_PASSWORD"
"""The variable of the environment that may hold the password."""

PORTS = {"mqtt": 1883, "mqtts": 8883}
LONGEST_PASSWORD = 1024
FORM = "mqtt://HOST or mqtts://HOST, with a user and a port where they are needed: mqtts://table-3@hall.local:8883"


class HallError(Exception):
    """A hall cannot be reached as it is asked for; one sentence."""


@dataclass(frozen=True, slots=True)
class HallAddress:
    """A broker. tls: the link is encrypted, and the broker's certificate is checked, against the authorities in the
    file `ca` where one is named. password: "" where none is given."""

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""

    def __str__(self) -> str:
        """As people write it, without the password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"mqtt{'s' * self.tls}://{self.user}{'@' * bool(self.user)}{host}:{self.port}"

    def context(self) -> ssl.SSLContext | None:
        """How the link is encrypted; None where it is not. Raises HallError where the authorities cannot be read."""
        if not self.tls:
            return None
        try:
            return ssl.create_default_context(cafile=self.ca or None)
        except ssl.SSLError:
            raise HallError(f"{self.ca} holds no certificate: it is to be a PEM file of the hall's authority") from None
        except OSError as error:
            raise HallError(f"{self.ca} cannot be read: {error.strerror or error}") from error


def hall_address(text: str, ca: str = "", password_file: str = "",
                 environment: Mapping[str, str] | None = None) -> HallAddress:
    """The broker of an address such as `mqtts://table-3@hall.local:8883`. ca: a file of authorities; password_file: its
    first line is the password, else the environment may hold it. Raises HallError."""
    try:
        parts = urlsplit(text)
        host, port, scheme = parts.hostname or "", parts.port, parts.scheme
    except ValueError:
        raise HallError(f"{_shown(text)} is no address of a hall: {FORM}") from None
    if parts.password is not None:
        raise HallError(f"a password does not belong into the hall's address: write it into a file and name that with "
                        f"--hall-password-file, or into {PASSWORD}")
    behind = parts.path.strip("/") or parts.query or parts.fragment
    if scheme not in PORTS or not host or behind or port == 0:
        raise HallError(f"{_shown(text)} is no address of a hall: {FORM}")
    if ca and scheme != "mqtts":
        raise HallError(f"--hall-ca is for an encrypted link: write {_shown(text)} with mqtts:// in front")
    user = unquote(parts.username or "")
    found = HallAddress(host, port or PORTS[scheme], scheme == "mqtts", user, _password(password_file, environment), ca)
    if found.password and not user:
        raise HallError(f"there is a password for the hall, but no user in {_shown(text)}: {FORM}")
    found.context()
    return found


def check_library() -> None:
    """Raise HallError where the library that speaks MQTT is missing."""
    if importlib.util.find_spec("paho") is None:
        raise HallError("publishing to a hall needs paho-mqtt: pip install 'inkeek[hall]'")


def _password(file: str, environment: Mapping[str, str] | None) -> str:
    if not file:
        return (os.environ if environment is None else environment).get(PASSWORD, "")
    try:
        with Path(file).open("rb") as opened:
            lines = opened.read(LONGEST_PASSWORD + 1).decode().splitlines()
    except UnicodeDecodeError:
        raise HallError(f"{file} holds no password: it is not text") from None
    except OSError as error:
        raise HallError(f"the hall's password cannot be read from {file}: {error.strerror or error}") from error
    if not lines or not lines[0] or len(lines[0]) >= LONGEST_PASSWORD:
        raise HallError(f"{file} holds no password: it is to be its first line")
    return lines[0]


def _shown(text: str) -> str:
    """What was typed, as it may be shown: a password in it is not."""
    behind = text.rpartition("@")[2] if ":" in text.rpartition("@")[0].partition("://")[2] else text
    return repr(behind[:80])
