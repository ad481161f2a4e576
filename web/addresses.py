"""Under which addresses others reach the page: printed at the start, and shown as a picture that a phone scans."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

import ifaddr
import segno

from web.hosts import own_names

Address = IPv4Address | IPv6Address

ANNOUNCER = Path("/run/avahi-daemon/socket")
"""There where a service announces this machine's name as NAME.local in the network."""
INNER = ("docker", "br-", "veth", "virbr", "lxc", "cni", "podman")
"""Beginnings of names of networks that lie within this machine: nobody else reaches them."""
LOOK_AGAIN_S = 10.0
"""A machine may get its address after the page was begun, and another one later."""


def only_here(host: str) -> bool:
    """Whether an address to serve on is reached from this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def own() -> Iterator[Address]:
    """The addresses of this machine's networks, in the system's order; nothing where the system does not tell."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return
    for adapter in adapters:
        if not adapter.nice_name.startswith(INNER):
            for one in adapter.ips:
                yield ip_address(one.ip if isinstance(one.ip, str) else one.ip[0])


def reached(host: str, port: int) -> list[str]:
    """The page's addresses for other machines, such as "http://192.0.2.7:8000/": IPv4, then IPv6, then the machine's
    name where it is announced. None where the page is served for this machine alone.

    host: the address that it is served on; "0.0.0.0" for every one of IPv4, "::" of IPv6.
    """
    if only_here(host):
        return []
    try:
        served = ip_address(host)
    except ValueError:
        return [_url(host, port)]
    if not served.is_unspecified:
        return [_url(str(served), port)]
    found = [one for one in own() if not (one.is_loopback or one.is_link_local) and one.version == served.version]
    urls = list(dict.fromkeys(_url(str(one), port) for one in found))
    return [*urls, *(_url(name, port) for name in announced())]


def here(host: str, port: int) -> str:
    """The page's address for this machine's own browser, without a slash at the end, such as "http://localhost:8000".

    host: the address that it is served on.
    """
    try:
        local = ip_address(host).is_unspecified or only_here(host)
    except ValueError:
        local = only_here(host)
    return _url("localhost" if local else host, port).rstrip("/")


def announced() -> list[str]:
    """This machine's name in the network, NAME.local, where a service announces it."""
    if not ANNOUNCER.exists():
        return []
    return sorted(name for name in own_names() if name.endswith(".local"))[:1]


def _url(host: str, port: int) -> str:
    inner = f"[{host}]" if ":" in host else host
    return f"http://{inner}{'' if port == 80 else f':{port}'}/"


@dataclass
class Reach:
    """The page's addresses for others as they are now. host, port: that it is served on."""

    host: str
    port: int
    _urls: list[str] = field(default_factory=list)
    _looked: float = -LOOK_AGAIN_S

    @property
    def urls(self) -> list[str]:
        """See `reached`; looked up again now and then."""
        if time.monotonic() >= self._looked + LOOK_AGAIN_S:
            self._looked, self._urls = time.monotonic(), reached(self.host, self.port)
        return self._urls


def announcement(host: str, port: int, *, drawn: bool) -> str:
    """What is printed at the start: every address for others, and the first one as a picture to scan where there is a
    terminal to draw it in; a sentence where the machine is in no network; "" where nobody else is to reach the page."""
    if only_here(host):
        return ""
    urls = reached(host, port)
    if not urls:
        return "inkeek: this machine has no address in a network yet, so no phone can reach the page"
    lines = ["inkeek: phones and other machines in this network open", *(f"  {url}" for url in urls)]
    if drawn:
        out = io.StringIO()
        segno.make(urls[0], error="l").terminal(out, compact=True)
        lines += [f"or scan this, which is {urls[0]}", out.getvalue().rstrip("\n")]
    return "\n".join(lines)

