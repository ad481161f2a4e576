"""The addresses at which other machines reach the page: printed at the start, and shown as a QR code."""

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
"""This socket exists where a service announces this machine in the network as NAME.local."""
INNER = ("docker", "br-", "veth", "virbr", "lxc", "cni", "podman")
"""How the names of networks inside this machine begin: no other machine reaches them."""
LOOK_AGAIN_S = 10.0
"""Seconds after which the addresses are looked up again: a machine may get or change its address after the start."""


def only_here(host: str) -> bool:
    """Whether only this machine can reach an address to serve on."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def own() -> Iterator[Address]:
    """Yield the addresses of this machine's networks, in the system's order; none if the system does not tell them."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return
    for adapter in adapters:
        if not adapter.nice_name.startswith(INNER):
            for one in adapter.ips:
                yield ip_address(one.ip if isinstance(one.ip, str) else one.ip[0])


def reached(host: str, port: int) -> list[str]:
    """Return the page's addresses for other machines, such as "http://192.0.2.7:8000/": IPv4, then IPv6, then the
    machine's name if it is announced. Empty if the page is served to this machine alone.

    host: the address that it is served on; "0.0.0.0" for all of IPv4, "::" for all of IPv6.
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
    """Return this machine's name in the network, NAME.local, if a service announces it; else an empty list."""
    if not ANNOUNCER.exists():
        return []
    return sorted(name for name in own_names() if name.endswith(".local"))[:1]


def _url(host: str, port: int) -> str:
    inner = f"[{host}]" if ":" in host else host
    return f"http://{inner}{'' if port == 80 else f':{port}'}/"


@dataclass
class Reach:
    """The page's current addresses for other machines. host, port: what the page is served on."""

    host: str
    port: int
    _urls: list[str] = field(default_factory=list)
    _looked: float = -LOOK_AGAIN_S

    @property
    def urls(self) -> list[str]:
        """The addresses of `reached`, looked up again every `LOOK_AGAIN_S`."""
        if time.monotonic() >= self._looked + LOOK_AGAIN_S:
            self._looked, self._urls = time.monotonic(), reached(self.host, self.port)
        return self._urls


def announcement(host: str, port: int, *, drawn: bool) -> str:
    """Return the text for the start: every address for other machines and, with a terminal to draw in (`drawn`), the
    first as a QR code. One sentence if the machine is in no network; "" if the page is for this machine alone."""
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

