"""The address of a hall's broker and how a table signs in there, from the address, the settings and the environment."""

import importlib.util
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from device.errors import UserError

PASSWORD = "INKEEK_HALL_PASSWORD"
"""The environment variable that may hold the password."""

PORTS = {"mqtt": 1883, "mqtts": 8883}
LONGEST_PASSWORD = 1024
FORM = "mqtt://HOST or mqtts://HOST, with a user and a port where they are needed: mqtts://table-3@hall.local:8883"


class HallError(UserError):
    """The settings for a hall cannot be used; one sentence."""


@dataclass(frozen=True, slots=True)
class HallAddress:
    """A broker's address. tls: encrypt the link and check the broker's certificate, against the CA certificates in the
    file `ca` if it is given. password: "" for none."""

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""

    def __str__(self) -> str:
        """The address as people write it, without the password."""
        return f"mqtt{'s' * self.tls}://{self.user}{'@' * bool(self.user)}{self.place}"

    @property
    def place(self) -> str:
        """Host and port; an IPv6 address is in brackets."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def context(self) -> ssl.SSLContext | None:
        """The TLS context; None for an unencrypted link. Raises HallError if the CA file cannot be read."""
        if not self.tls:
            return None
        try:
            return ssl.create_default_context(cafile=self.ca or None)
        except ssl.SSLError:
            raise HallError(f"{self.ca} holds no certificate: it must be the hall's CA certificate in PEM") from None
        except OSError as error:
            raise HallError(f"{self.ca} cannot be read: {error.strerror or error}") from error


class HallPage(msgspec.Struct, frozen=True):
    """The options of `inkeek hall`, which `python -m web.hall` gets as JSON. broker: its address; ca: a file of CA
    certificates, "" for the system's; password_file: "" for none; data: the hall's folder; host, port: where the page
    is served; names: further host names of the page."""

    broker: str
    data: str
    ca: str = ""
    password_file: str = ""
    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()


def hall_address(text: str, ca: str = "", password_file: str = "",
                 environment: Mapping[str, str] | None = None) -> HallAddress:
    """Parse an address such as `mqtts://table-3@hall.local:8883`. ca: a file of CA certificates, "" for the system's;
    password_file: its first line is the password; "": the variable `PASSWORD` may hold it. Raises HallError."""
    try:
        parts = urlsplit(text)
        host, port, scheme = parts.hostname or "", parts.port, parts.scheme
    except ValueError:
        raise HallError(f"{_shown(text)} is no address of a hall: {FORM}") from None
    if parts.password is not None:
        raise HallError(f"a password does not belong in the hall's address: write it to a file and name that with "
                        f"--hall-password-file, or set {PASSWORD}")
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
    """Raise HallError if the MQTT library is missing."""
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
        raise HallError(f"{file} holds no password: its first line must be the password")
    return lines[0]


def _shown(text: str) -> str:
    """The typed address without a password, quoted, at most 80 characters."""
    behind = text.rpartition("@")[2] if ":" in text.rpartition("@")[0].partition("://")[2] else text
    return repr(behind[:80])
