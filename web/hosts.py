"""Under which names the page may be asked for. A foreign name that leads to this machine (DNS rebinding) would let a
stranger's page in a visitor's browser read this one and rule with it."""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import ip_address

HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?", re.IGNORECASE)


def own_names() -> frozenset[str]:
    """What this machine is called: localhost, its host name, and that in the network's `.local`."""
    name = socket.gethostname().casefold().rstrip(".")
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local"} - {"", ".local"})


def is_own(header: str | None, names: Collection[str]) -> bool:
    """Whether a `Host` header is one of this machine's names, or an address, which nobody can rebind."""
    found = HOST.fullmatch(header or "")
    if found is None:
        return False
    name = found["name"].casefold().rstrip(".")
    if name in names or name.endswith(".localhost"):
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
